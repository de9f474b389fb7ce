package vision

import (
	"math"

	"crokcam/board"
	"crokcam/internal/raster"
)

// How far cover moves a disc, mm, and how wide the band around a disc is that
// ought not to look like its top.
const (
	farthest = 6
	band     = 4
)

// tone is the colour of a round place: the middle value, so that a glint or a
// maker's mark does not count.
type tone struct {
	colour [3]float64 // BGR
	spread float64    // usual distance from it, grey levels
	mark   float64    // mm: as far as this from its middle it is left out
	n      int        // places looked at; 0: too little of it is in the picture
	odd    [64]float32
}

// tone measures the colour of the disc of radius r (mm) around t, but for what
// is within mark (mm) of t.
func (p *plan) tone(t board.Point, r, mark float64) (k tone) {
	k.mark = mark
	skip := 16 * mark * mark / (r * r)
	var chans [3][64]float32
	n := 0
	for dy := -4.0; dy <= 4; dy++ {
		for dx := -4.0; dx <= 4; dx++ {
			if d := dx*dx + dy*dy; d > 16 || d < skip {
				continue
			}
			if v, ok := p.at(t.X+dx*r/4, t.Y+dy*r/4); ok {
				for ch := range 3 {
					chans[ch][n] = v[ch]
				}
				n++
			}
		}
	}
	if n < 16 {
		return k
	}
	k.n = n
	var vals [64]float32
	for ch := range 3 {
		copy(vals[:n], chans[ch][:n])
		k.colour[ch] = float64(raster.Median(vals[:n]))
	}
	for i := range n {
		k.odd[i] = float32(dist([3]float64{float64(chans[0][i]), float64(chans[1][i]), float64(chans[2][i])}, k.colour))
	}
	copy(vals[:n], k.odd[:n])
	k.spread = float64(raster.Median(vals[:n]))
	return k
}

// markShare is how much of a top's radius a sticker or a print may take.
const markShare = 0.66

// marksRim is how much of it the tone of what is around a mark goes by.
const marksRim = 0.9

// topTone is the tone of a disc's top: of as much of it as share says, or, with
// a mark (mm) in its middle, of the rim that is left.
func (p *plan) topTone(t board.Point, share, r, mark float64) tone {
	if mark > 0 {
		share = marksRim
	}
	return p.tone(t, share*r, mark)
}

// whole is the colour of all of a top: a mark's and that of what is around it, each
// for its share, whichever of the two the top was known by.
func (p *plan) whole(c *candidate, r float64) (mix [3]float64) {
	mark, rim := p.tone(c.top, markShare*r, 0), p.topTone(c.top, 0, r, markShare*r)
	if mark.n == 0 || rim.n == 0 {
		return c.colour
	}
	share := markShare * markShare / (marksRim * marksRim)
	for ch := range mix {
		mix[ch] = share*mark.colour[ch] + (1-share)*rim.colour[ch]
	}
	return mix
}

// likeness is how much the places around one are like a tone, a place a
// millimetre, as running sums along rows, so that the sum over any disc is a
// matter of its rows' ends.
type likeness struct {
	sums  []float32
	reach int // mm to each side of the middle
}

// liken measures a likeness around (cx, cy) on the plan: like is that of a
// colour seen at a place, 0 where there is no picture.
func (p *plan) liken(cx, cy, reach int, like func(v [3]float64, x, y int) float32) likeness {
	n := 2*reach + 1
	l := likeness{sums: make([]float32, n*(n+1)), reach: reach}
	for y := range n {
		row := l.sums[y*(n+1) : (y+1)*(n+1)]
		py := cy + y - reach
		for x := range n {
			px := cx + x - reach
			row[x+1] = row[x]
			if px >= 0 && py >= 0 && px < p.pic.W && py < p.pic.H {
				v := p.pic.Pix[(py*p.pic.W+px)*3:][:3]
				row[x+1] += like([3]float64{float64(v[0]), float64(v[1]), float64(v[2])}, px, py)
			}
		}
	}
	return l
}

// inkAt is the ink of the ring at a pixel of the plan; nil where there is none.
func (p *plan) inkAt(px, py int) *shades {
	if ring := p.ringAt(math.Hypot(float64(px)-p.extent, float64(py)-p.extent)); ring >= 0 {
		return &p.ink[ring]
	}
	return nil
}

// likeTone is 1 where a place has the tone, 0 at three sigmas from it and -1
// beyond six. A ring of the same colour says nothing.
func (p *plan) likeTone(k *tone, cx, cy, reach int) likeness {
	sigma := 3 * math.Max(k.spread, p.noise)
	return p.liken(cx, cy, reach, func(v [3]float64, x, y int) float32 {
		b, g, r := v[0]-k.colour[0], v[1]-k.colour[1], v[2]-k.colour[2]
		d2 := b*b + g*g + r*r
		if d2 > 4*sigma*sigma {
			return -1
		}
		like := 1 - math.Sqrt(d2)/sigma
		if like > 0 {
			if ink := p.inkAt(x, y); ink != nil {
				like -= math.Max(0, 1-ink.off(v)/sigma)
			}
		}
		return float32(like)
	})
}

// span is a row of a region, from x0 to before x1, about the region's middle.
type span struct{ y, x0, x1 int }

// over is the sum over a region whose middle is moved by (dx, dy).
func (l *likeness) over(region []span, dx, dy int) (v float32) {
	n := 2*l.reach + 1
	for _, q := range region {
		y := q.y + dy + l.reach
		if y < 0 || y >= n {
			continue
		}
		row := l.sums[y*(n+1) : (y+1)*(n+1)]
		x0, x1 := min(max(q.x0+dx+l.reach, 0), n), min(max(q.x1+dx+l.reach, 0), n)
		v += row[x1] - row[x0]
	}
	return v
}

// rows is the disc of radius r around the top's middle, with the share walls
// of what shows of the wall below it.
func (s *shape) rows(r, walls float64) (out []span) {
	far := int(r + walls*math.Hypot(s.lx, s.ly))
	for y := -far; y <= far; y++ {
		x0, x1 := math.Inf(1), math.Inf(-1)
		for k := 0.0; k <= walls; k += 0.25 {
			mx, my := -k*s.lx, k*s.ly
			if d := r*r - (float64(y)-my)*(float64(y)-my); d > 0 {
				w := math.Sqrt(d)
				x0, x1 = math.Min(x0, mx-w), math.Max(x1, mx+w)
			}
		}
		if x0 < x1 {
			out = append(out, span{y, int(math.Ceil(x0)), int(math.Floor(x1)) + 1})
		}
	}
	return out
}

func size(region []span) (n float32) {
	for _, q := range region {
		n += float32(q.x1 - q.x0)
	}
	return n
}

// cover moves a disc's top, seen near t, to where a disc covers the most of
// what has the top's colour and the least of it is left around; solid is how
// much that is, -1 to 1. A shadow is darker than the board, but it seldom has
// the colour of the top that casts it, however dark that is. A mark (mm) in the
// middle of the top is left out.
func (p *plan) cover(t board.Point, r, h, mark float64) (at board.Point, solid float64) {
	k := p.topTone(t, 0.55, r, mark)
	if k.n == 0 {
		return t, 0
	}
	s := p.shape(p.footUnder(t, h), r, h)
	cx, cy := int(math.Round(t.X+p.extent)), int(math.Round(p.extent-t.Y))
	l := p.likeTone(&k, cx, cy, int(math.Ceil(s.top+math.Hypot(s.lx, s.ly)))+band+farthest+1)
	// The bevel may look like either; the wall may, too.
	inner, rim, outer := s.rows(s.top-1, 0), s.rows(s.top+0.7, 1), s.rows(s.top+band, 1)
	var core []span
	if mark > 0 {
		core = s.rows(mark, 0)
	}
	merit := func(dx, dy int) float32 {
		return l.over(inner, dx, dy) - l.over(core, dx, dy) - (l.over(outer, dx, dy) - l.over(rim, dx, dy)) - 0.5*float32(dx*dx+dy*dy)
	}
	best, bx, by := float32(math.Inf(-1)), 0, 0
	try := func(dx, dy int) {
		if v := merit(dx, dy); v > best {
			best, bx, by = v, dx, dy
		}
	}
	for dy := -farthest; dy <= farthest; dy += 2 {
		for dx := -farthest; dx <= farthest; dx += 2 {
			try(dx, dy)
		}
	}
	x0, y0 := bx, by
	for dy := y0 - 1; dy <= y0+1; dy++ {
		for dx := x0 - 1; dx <= x0+1; dx++ {
			if dx != x0 || dy != y0 {
				try(dx, dy)
			}
		}
	}
	in := (l.over(inner, bx, by) - l.over(core, bx, by)) / (size(inner) - size(core))
	around := (l.over(outer, bx, by) - l.over(rim, bx, by)) / (size(outer) - size(rim))
	return p.peak(cx, cy, bx, by, merit), float64(in-around) / 2
}

// peak is the place where a merit that is highest (bx, by) from the pixel (cx, cy)
// has its summit.
func (p *plan) peak(cx, cy, bx, by int, merit func(dx, dy int) float32) board.Point {
	best := merit(bx, by)
	x := float64(bx) + summit(merit(bx-1, by), best, merit(bx+1, by))
	y := float64(by) + summit(merit(bx, by-1), best, merit(bx, by+1))
	return board.Point{X: float64(cx) - p.extent + x, Y: p.extent - float64(cy) - y}
}

// summit is where the parabola through three values a step apart is highest,
// in steps from the middle one.
func summit(a, b, c float32) float64 {
	q := a + c - 2*b
	if q >= 0 {
		return 0
	}
	return math.Max(-0.5, math.Min(0.5, float64((a-c)/(2*q))))
}

// weigh places a disc in the middle of where its rim, the colour of its top and
// its outline say that it stands: the first is drawn to a shadow's edge, the
// second to a wall of the same colour, the third to a shadow as dark as the
// disc, and each errs alone.
func (p *plan) weigh(c *candidate, r, h float64) {
	if c.solid == 0 {
		return
	}
	outline, plain := p.outline(c.top, c, r, h)
	lean := math.Hypot(c.shape.lx, c.shape.ly)
	along := func(q board.Point, share float64) board.Point {
		return board.Point{X: q.X + share*c.shape.lx, Y: q.Y + share*c.shape.ly}
	}
	// The wall draws the first two down to the foot. By how much, and how far each
	// errs, was measured on ray-traced and simulated pictures.
	places := [3]board.Point{along(c.top, 0.08), along(c.covers, 0.15), outline}
	errs := [3]float64{1, 0.9 + 0.06*lean, math.Max(0.7, 2.6-3*plain)} // mm
	var at board.Point
	for step := range 5 {
		var x, y, sum float64
		for i, q := range places {
			w := 1 / (errs[i] * errs[i])
			if step > 0 {
				d := math.Hypot(q.X-at.X, q.Y-at.Y)
				w /= 1 + d*d // to 1 mm they agree
			}
			x, y, sum = x+w*q.X, y+w*q.Y, sum+w
		}
		at = board.Point{X: x / sum, Y: y / sum}
	}
	c.top = at
	c.shape = p.shape(p.footUnder(c.top, h), r, h)
	// Where they do not agree, nobody knows.
	var apart, sum float64
	for i, q := range places {
		d := p.footUnder(q, h).Radius() - c.shape.foot.Radius()
		apart, sum = apart+d*d/(errs[i]*errs[i]), sum+1/(errs[i]*errs[i])
	}
	c.doubt = 0.5 * math.Sqrt(apart/sum)
}
