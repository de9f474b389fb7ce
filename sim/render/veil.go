package render

// veilPx is the spacing of the places in a tile where the shade of hands is
// worked out at first. Between four places that agree it is as there, and
// between others places half as far apart are asked, then each by itself.
const (
	veilPx = 4
	veilN  = tilePx/veilPx + 1
	// agree is by how much of a lamp's light places may differ that agree.
	agree = 0.06
)

// veil is the shade of hands over a tile. Places are in pixels from the tile's
// corner, the one beyond the last included.
type veil struct {
	g     *Stage
	dark  *shadows // nil without hands
	b     box
	known [maxLights][tilePx + 1][tilePx + 1]float32 // of a lamp's light at a place; negative until asked for
	even  [maxLights][veilN - 1][veilN - 1]bool      // whether all between four places agrees,
	patch [maxLights][veilN - 1][veilN - 1]patch     // and is as this
	who   [maxLights]limbSet                         // the limbs that decide
}

// patch is a share of light over a square: at a corner of it, and how it grows
// along x, along y and along both, per px.
type patch struct{ c, x, y, xy float32 }

func (p *patch) at(x, y float32) float32 { return p.c + p.x*x + (p.y+p.xy*x)*y }

// from is the patch as seen from another corner.
func (p *patch) from(x, y float32) patch {
	return patch{p.at(x, y), p.x + p.xy*y, p.y + p.xy*x, p.xy}
}

// veil works out the shade of hands over a tile.
func (g *Stage) veil(c *cast, b box, out *veil) {
	if out.dark = nil; len(c.limbs) == 0 {
		return
	}
	out.g, out.dark, out.b = g, c.dark, b
	var places [veilN][veilN]vec
	whole := g.kinds[b.y0*g.now.w+b.x0].wide()
	for j := range veilN {
		for i := range veilN {
			at := out.pixel(i*veilPx, j*veilPx)
			places[j][i] = g.place(at)
			whole = whole && g.kinds[at] == g.kinds[b.y0*g.now.w+b.x0]
		}
	}
	for k := range g.lamps {
		known := &out.known[k]
		for j := range known {
			for i := range known[j] {
				known[j][i] = -1
			}
		}
		var who limbSet
		for j := range veilN {
			for i := range veilN {
				who.join(c.dark.covering(k, cell(places[j][i])))
			}
		}
		plain := true
		if who != (limbSet{}) {
			who, plain = c.dark.decide(k, who, &places, whole)
		}
		out.who[k] = who
		out.fill(k, 0, 0, tilePx, plain && whole)
	}
}

// fill settles which cells of a square of n px are even. Where the shade is plain
// the square's corners tell all between them; elsewhere only those of a cell do.
func (v *veil) fill(k, x, y, n int, plain bool) {
	if n > veilPx && !(plain && v.agree(k, x, y, n)) {
		for i := range 4 {
			v.fill(k, x+i%2*n/2, y+i/2*n/2, n/2, plain)
		}
		return
	}
	even := n > veilPx || v.agree(k, x, y, n)
	all := patch{}
	if even {
		all = v.between(k, x, y, n)
	}
	for j := 0; j < n; j += veilPx {
		for i := 0; i < n; i += veilPx {
			at := [2]int{(y + j) / veilPx, (x + i) / veilPx}
			v.even[k][at[0]][at[1]] = even
			v.patch[k][at[0]][at[1]] = all.from(float32(i), float32(j))
		}
	}
}

// pixel is the index of the pixel at a place, of the nearest one when the place
// is outside the picture.
func (v *veil) pixel(x, y int) int {
	w, h := v.g.now.w, v.g.now.h
	return min(v.b.y0+y, h-1)*w + min(v.b.x0+x, w-1)
}

// place is where what stands still is that pixel i shows.
func (g *Stage) place(i int) vec {
	p := g.at[i]
	return vec{float64(p[0]), float64(p[1]), float64(p[2])}
}

// one is the share of lamp k's light at one place.
func (v *veil) one(k, x, y int) float32 {
	share := &v.known[k][y][x]
	if *share < 0 {
		*share = float32(v.dark.byLimbs(k, v.g.place(v.pixel(x, y)), v.who[k]))
	}
	return *share
}

// agree says whether the places at the corners of a square of n px are on one
// surface and have about the same share of lamp k's light.
func (v *veil) agree(k, x, y, n int) bool {
	kind := v.g.kinds[v.pixel(x, y)]
	if !kind.wide() {
		return false
	}
	first := v.one(k, x, y)
	for _, at := range [3][2]int{{x + n, y}, {x, y + n}, {x + n, y + n}} {
		if v.g.kinds[v.pixel(at[0], at[1])] != kind {
			return false
		}
		if d := v.one(k, at[0], at[1]) - first; d >= agree || d <= -agree {
			return false
		}
	}
	return true
}

// between is the share of lamp k's light over a square of n px by its corners.
func (v *veil) between(k, x, y, n int) patch {
	a, b, c, d := v.one(k, x, y), v.one(k, x+n, y), v.one(k, x, y+n), v.one(k, x+n, y+n)
	m := 1 / float32(n)
	return patch{a, (b - a) * m, (c - a) * m, (d - c - b + a) * m * m}
}

// at is the share of lamp k's light at a pixel of the tile.
func (v *veil) at(k, x, y int) float32 {
	if v.dark == nil {
		return 1
	}
	if i, j := x/veilPx, y/veilPx; v.even[k][j][i] {
		return v.patch[k][j][i].at(float32(x%veilPx), float32(y%veilPx))
	}
	const half = veilPx / 2
	if i, j := x/half*half, y/half*half; v.agree(k, i, j, half) {
		p := v.between(k, i, j, half)
		return p.at(float32(x-i), float32(y-j))
	}
	return v.one(k, x, y)
}

// decide is those of some limbs that can be the darkest somewhere in a tile, and
// whether their shade of light k is plain there: no edge of it is narrower than
// the tile. whole says whether the tile shows one surface only.
func (s *shadows) decide(k int, some limbSet, places *[veilN][veilN]vec, whole bool) (deciding limbSet, plain bool) {
	middle, wide := places[veilN/2][veilN/2], 0.0
	for _, row := range places {
		for _, p := range row {
			wide = max(wide, p.sub(middle).len())
		}
	}
	if !whole {
		wide += 20 // what stands between the places is about so high
	}
	// A line's gap to a limb changes by no more than its foot moves, the
	// penumbra's width hardly.
	line := s.lamps[k].sight(middle)
	var lows, soft [maxHands * maxLimbs]float64
	brightest := 1.0
	for i := range some.all() {
		gap, w, ok := s.limbs[i].beside(&line)
		if !ok {
			continue
		}
		less, more := 0.9*w, 1.1*w
		lows[i], soft[i] = min(step(-less, less, gap-wide), step(-more, more, gap-wide)), w
		brightest = min(brightest, max(step(-less, less, gap+wide), step(-more, more, gap+wide)))
	}
	plain = true
	for i := range some.all() {
		if lows[i] <= brightest && lows[i] < 1 {
			deciding.add(i)
			plain = plain && soft[i] >= wide
		}
	}
	return deciding, plain || brightest < 0.003
}

// idle says whether nothing that moves is seen in a tile or shades it, soft being
// the shade of hands there.
func (g *Stage) idle(c *cast, b box, soft *veil) bool {
	if len(c.bins.at(b.x0, b.y0)) > 0 {
		return false
	}
	for y := 0; y <= tilePx; y += veilPx {
		for x := 0; x <= tilePx; x += veilPx {
			for k := range g.lamps {
				if soft.at(k, min(x, tilePx-1), min(y, tilePx-1)) < 0.999 {
					return false
				}
			}
			in := cell(g.place(min(b.y0+y, g.now.h-1)*g.now.w + min(b.x0+x, g.now.w-1)))
			for k := range maxLights + 1 {
				if len(c.dark.at(k, in)) > 0 {
					return false
				}
			}
		}
	}
	return true
}
