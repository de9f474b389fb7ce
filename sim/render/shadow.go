package render

import "math"

// maxLights is how many lights a scene may have.
const maxLights = 4

// lamp is a Light made ready.
type lamp struct {
	at       vec
	size     float64 // as a ball of this radius it throws the same penumbra
	colour   light
	far2     float64 // squared distance to the board's centre
	facing   vec     // of a panel; zero for a ball
	u, v     vec     // across and along a panel
	half     [2]float64
	spot     float64 // cosine of the cone's half angle; -1 for none
	toCentre vec
	strength float64
}

func newLamp(l Light) lamp {
	at := from(l.At)
	out := lamp{at: at, size: l.Radius, far2: at.dot(at), spot: -1, toCentre: at.mul(-1).unit(), strength: l.Strength}
	c := l.Colour.linear()
	if y := c.luma(); y > 0 {
		c = c.mul(1 / y)
	}
	out.colour = c.mul(float32(l.Strength))
	if l.Half[0] > 0 {
		out.facing = from(l.Facing).unit()
		f := frameAlong(out.facing)
		out.u, out.v, out.half = f.x, f.y, l.Half
		out.size = math.Sqrt(l.Half[0] * l.Half[1])
	}
	if l.Spot > 0 {
		out.spot = math.Cos(l.Spot)
	}
	return out
}

// toward is the unit vector from p to the lamp, its distance, and the strength
// of its light there, square on.
func (l *lamp) toward(p vec) (d vec, dist, strength float64) {
	d = l.at.sub(p)
	dist2 := d.dot(d)
	dist = math.Sqrt(dist2)
	d = d.mul(1 / dist)
	strength = l.far2 / dist2
	if l.facing != (vec{}) {
		strength *= max(0, -d.dot(l.facing)) / max(0.05, l.facing.dot(l.toCentre))
	}
	if l.spot > -1 {
		strength *= step(l.spot-0.06, l.spot+0.06, -d.dot(l.toCentre))
	}
	return d, dist, strength
}

// hullGap is the signed distance of (x, y) from the convex hull of two circles
// a and b, and how far along from a to b its nearest point is, 0 to 1.
func hullGap(ax, ay, ar, bx, by, br, x, y float64) (gap, along float64) {
	dx, dy := bx-ax, by-ay
	d := math.Sqrt(dx*dx + dy*dy)
	px, py := x-ax, y-ay
	if grow := br - ar; d <= math.Abs(grow) { // one within the other
		if grow > 0 {
			return hypot(x-bx, y-by) - br, 1
		}
		return hypot(px, py) - ar, 0
	}
	dx, dy = dx/d, dy/d
	u, v := px*dx+py*dy, math.Abs(px*dy-py*dx)
	// The straight edge's outward normal leans by the growth of the radius.
	sin := (ar - br) / d
	cos := math.Sqrt(1 - sin*sin)
	t := u*cos - v*sin // along the straight edge, from where it leaves a
	switch long := d * cos; {
	case t <= 0:
		return hypot(u, v) - ar, 0
	case t >= long:
		return hypot(u-d, v) - br, 1
	default:
		return u*sin + v*cos - ar, t / long
	}
}

// shade is the share of the lamp's light that the solid, taken as upright,
// lets through to p.
func (s *solid) shade(p vec, l *lamp) float64 {
	high := l.at.z - p.z
	top := s.foot.z + s.h*max(0.3, s.f.z.z) + s.r*hypot(s.f.z.x, s.f.z.y) - p.z
	if top <= 1e-3 || high <= top {
		return 1
	}
	low := max(0, s.foot.z-p.z)
	k0, k1 := high/(high-low), high/(high-top)
	gap, along := hullGap(
		l.at.x+(s.foot.x-l.at.x)*k0, l.at.y+(s.foot.y-l.at.y)*k0, (s.r-0.4*s.bevel)*k0,
		l.at.x+(s.foot.x-l.at.x)*k1, l.at.y+(s.foot.y-l.at.y)*k1, (s.r-0.4*s.bevel)*k1, p.x, p.y)
	at := low + (top-low)*along
	w := max(0.1, l.size*at/(high-at))
	return step(-w, w, gap)
}

// close is how much of the sky over p the solid hides when p lies about level
// with its foot.
func (s *solid) close(p vec) float64 {
	h := s.foot.z + s.h - p.z
	if h <= 0.5 {
		return 0
	}
	gap := hypot(p.x-s.foot.x, p.y-s.foot.y) - s.r
	if gap < 0 {
		low := s.foot.z - p.z
		if low < 0.5 {
			return 0.6
		}
		return 0.6 * clamp(1-low/60, 0, 1)
	}
	return 0.5 * (1 - gap/math.Sqrt(gap*gap+h*h)) * s.r / (s.r + gap)
}

// shade is the share of the lamp's light that the limb lets through to p.
func (l *limb) shade(p vec, la *lamp) float64 {
	// The closest approach of the line p → lamp to the limb's axis.
	d := la.at.sub(p)
	dist := d.len()
	d = d.mul(1 / dist)
	axis := l.b.sub(l.a)
	w := p.sub(l.a)
	aa, ad, aw, dw := axis.dot(axis), axis.dot(d), axis.dot(w), d.dot(w)
	f := 0.0
	if q := aa - ad*ad; q > 1e-9 {
		f = clamp((aw-ad*dw)/q, 0, 1)
	}
	t := f*ad - dw
	if t <= 0.01 || t >= dist {
		return 1
	}
	gap := p.add(d.mul(t)).sub(l.a.add(axis.mul(f))).len() - (l.ra + (l.rb-l.ra)*f)
	soft := max(0.3, la.size*t/(dist-t))
	return step(-soft, soft, gap)
}

// The grid in which each light's shadows are looked up.
const (
	cellMM = 16.0
	cells  = 96
)

// shadows says where the shadows of a set of solids and limbs may fall: for
// each light, and last for the dimming near solids, cell by cell.
type shadows struct {
	solids []solid
	limbs  []limb
	lamps  []lamp
	grid   [maxLights + 1][]uint16 // indexes into lists
	lists  [][]int32               // solids as themselves, limbs as ^i
}

// newShadows prepares the grid for receivers down to the height low.
func newShadows(solids []solid, limbs []limb, lamps []lamp, low float64) *shadows {
	s := &shadows{solids: solids, limbs: limbs, lamps: lamps, lists: [][]int32{nil}}
	if len(solids)+len(limbs) == 0 {
		return s
	}
	for k := range lamps {
		l := &lamps[k]
		fill := s.layer(k)
		for i := range solids {
			b := &solids[i]
			top := b.foot.z + b.h + b.r*hypot(b.f.z.x, b.f.z.y)
			fill(int32(i), castHull(l, b.foot, b.r, b.foot, b.r, top, top, low))
		}
		for i := range limbs {
			b := &limbs[i]
			fill(^int32(i), castHull(l, b.a, b.ra, b.b, b.rb, b.a.z+b.ra, b.b.z+b.rb, low))
		}
	}
	near := s.layer(maxLights)
	for i := range solids {
		b := &solids[i]
		near(int32(i), []circle{{b.foot.x, b.foot.y, b.r + 2.5*b.h}})
	}
	return s
}

type circle struct{ x, y, r float64 }

// castHull is circles whose hull holds the shadow of something between two
// places on all planes between there and the plane low: two for what stands in
// one place, four otherwise.
func castHull(l *lamp, a vec, ra float64, b vec, rb, topA, topB, low float64) []circle {
	cast := func(p vec, r, top float64) circle {
		rise := min(top-low, 0.95*(l.at.z-low))
		k := (l.at.z - low) / (l.at.z - low - rise)
		w := l.size * (k - 1)
		x, y := l.at.x+(p.x-l.at.x)*k, l.at.y+(p.y-l.at.y)*k
		if a == b { // upright: its top casts a circle
			return circle{x, y, r*k + w}
		}
		return l.stretched(p, r, circle{x, y, r*k + w}, low)
	}
	if a == b {
		return []circle{{a.x, a.y, ra}, cast(a, ra, topA)}
	}
	return []circle{{a.x, a.y, ra}, {b.x, b.y, rb}, cast(a, ra, topA), cast(b, rb, topB)}
}

// stretched is the circle, on the plane low, that holds what is left of a ball's
// shadow beyond its middle: round under a high lamp, the longer away from it the
// lower the lamp. c is as the shadow would be under a lamp straight above.
func (l *lamp) stretched(p vec, r float64, c circle, low float64) circle {
	ball := limb{a: p, b: p, ra: r, rb: r}
	dx, dy := c.x-l.at.x, c.y-l.at.y
	d := max(1e-9, hypot(dx, dy))
	dx, dy = dx/d, dy/d
	far := c.r
	for far < cells*cellMM && ball.shade(vec{c.x + dx*far, c.y + dy*far, low}, l) < 0.997 {
		far += cellMM
	}
	off := (far - c.r) / 2
	return circle{c.x + dx*off, c.y + dy*off, c.r + off}
}

// layer makes one layer of the grid and returns what fills it: an occluder and
// the circles whose hull it may darken.
func (s *shadows) layer(k int) func(who int32, hull []circle) {
	s.grid[k] = make([]uint16, cells*cells)
	return func(who int32, hull []circle) {
		x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
		for _, c := range hull {
			x0, y0 = min(x0, c.x-c.r), min(y0, c.y-c.r)
			x1, y1 = max(x1, c.x+c.r), max(y1, c.y+c.r)
		}
		i0, j0 := cellOf(x0), cellOf(y0)
		i1, j1 := cellOf(x1), cellOf(y1)
		for j := max(0, j0); j <= min(cells-1, j1); j++ {
			for i := max(0, i0); i <= min(cells-1, i1); i++ {
				cx, cy := (float64(i)+0.5-cells/2)*cellMM, (float64(j)+0.5-cells/2)*cellMM
				if !nearHull(hull, cx, cy, cellMM*0.75) {
					continue
				}
				at := &s.grid[k][j*cells+i]
				if *at == 0 {
					if len(s.lists) == math.MaxUint16 {
						continue
					}
					s.lists = append(s.lists, nil)
					*at = uint16(len(s.lists) - 1)
				}
				s.lists[*at] = append(s.lists[*at], who)
			}
		}
	}
}

func cellOf(mm float64) int {
	return int(math.Floor(clamp(mm/cellMM, -cells, cells))) + cells/2
}

// nearHull says whether (x, y) is within reach of the hull of one circle, of
// two, or of four that are the corners of a quadrangle in the order of castHull.
func nearHull(hull []circle, x, y, reach float64) bool {
	near := func(i, j int) bool {
		a, b := &hull[i], &hull[j]
		gap, _ := hullGap(a.x, a.y, a.r, b.x, b.y, b.r, x, y)
		return gap < reach
	}
	switch len(hull) {
	case 1:
		return near(0, 0)
	case 2:
		return near(0, 1)
	}
	if near(0, 1) || near(2, 3) || near(0, 2) || near(1, 3) {
		return true
	}
	// Inside the quadrangle, and so beside none of its sides.
	side := func(i, j int) float64 {
		return (hull[j].x-hull[i].x)*(y-hull[i].y) - (hull[j].y-hull[i].y)*(x-hull[i].x)
	}
	a, b, c, d := side(0, 1), side(1, 3), side(3, 2), side(2, 0)
	return a >= 0 && b >= 0 && c >= 0 && d >= 0 || a <= 0 && b <= 0 && c <= 0 && d <= 0
}

// cell is where p is in the grid, -1 outside it.
func cell(p vec) int {
	x, y := p.x*(1/cellMM)+cells/2, p.y*(1/cellMM)+cells/2
	if !(x >= 0 && y >= 0 && x < cells && y < cells) {
		return -1
	}
	return int(y)*cells + int(x)
}

// at is the occluders that layer k lists in a cell.
func (s *shadows) at(k, cell int) []int32 {
	if cell < 0 || s.grid[k] == nil {
		return nil
	}
	return s.lists[s.grid[k][cell]]
}

// through is the share of light k that reaches p. The solid self does not
// count, and limbs only when they are asked for.
func (s *shadows) through(k int, p vec, self int32, limbs bool) float64 {
	v := s.bySolids(k, p, self)
	if limbs && v > 0 {
		v *= s.byLimbs(k, p)
	}
	return v
}

// bySolids is the share of light k that solids other than self let through to p.
func (s *shadows) bySolids(k int, p vec, self int32) float64 {
	v := 1.0
	for _, who := range s.at(k, cell(p)) {
		if who >= 0 && who != self {
			if v *= s.solids[who].shade(p, &s.lamps[k]); v < 0.003 {
				return 0
			}
		}
	}
	return v
}

// byLimbs is the share of light k that limbs let through to p. They overlap one
// another, so the darkest one decides.
func (s *shadows) byLimbs(k int, p vec) float64 {
	if len(s.limbs) == 0 {
		return 1
	}
	v := 1.0
	for _, who := range s.at(k, cell(p)) {
		if who < 0 {
			if v = min(v, s.limbs[^who].shade(p, &s.lamps[k])); v < 0.003 {
				return 0
			}
		}
	}
	return v
}

// sky is the share of the light from everywhere that reaches p.
func (s *shadows) sky(p vec, self int32) float64 {
	v := 1.0
	for _, who := range s.at(maxLights, cell(p)) {
		if who >= 0 && who != self {
			v *= 1 - s.solids[who].close(p)
		}
	}
	return v
}
