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
	n      int        // places looked at; 0: too little of it is in the picture
	odd    [64]float32
}

// tone measures the colour of the disc of radius r (mm) around t.
func (p *plan) tone(t board.Point, r float64) (k tone) {
	var chans [3][64]float32
	n := 0
	for dy := -4.0; dy <= 4; dy++ {
		for dx := -4.0; dx <= 4; dx++ {
			if dx*dx+dy*dy > 16 {
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

// likeness is how much the places around one are like a tone, a place a
// millimetre, as running sums along rows, so that the sum over any disc is a
// matter of its rows' ends.
type likeness struct {
	sums  []float32
	reach int // mm to each side of the middle
}

// likeness is 1 where a place has the tone, 0 at three sigmas from it and -1
// beyond six. The middle is (cx, cy) on the plan.
func (p *plan) likeness(k *tone, cx, cy, reach int) likeness {
	sigma := float32(3 * math.Max(k.spread, p.noise))
	colour := [3]float32{float32(k.colour[0]), float32(k.colour[1]), float32(k.colour[2])}
	n := 2*reach + 1
	l := likeness{sums: make([]float32, n*(n+1)), reach: reach}
	for y := range n {
		row := l.sums[y*(n+1) : (y+1)*(n+1)]
		py := cy + y - reach
		for x := range n {
			px := cx + x - reach
			var like float32
			if px >= 0 && py >= 0 && px < p.pic.W && py < p.pic.H {
				i := (py*p.pic.W + px) * 3
				b, g, r := p.pic.Pix[i]-colour[0], p.pic.Pix[i+1]-colour[1], p.pic.Pix[i+2]-colour[2]
				like = -1
				if d := b*b + g*g + r*r; d < 4*sigma*sigma {
					like = 1 - float32(math.Sqrt(float64(d)))/sigma
				}
				if like > 0 {
					if ring := p.ringAt(math.Hypot(float64(px)-p.extent, float64(py)-p.extent)); ring >= 0 {
						ink := 1 - float32(p.ink[ring].off([3]float64{float64(p.pic.Pix[i]), float64(p.pic.Pix[i+1]), float64(p.pic.Pix[i+2])}))/sigma
						like -= max(0, ink)
					}
				}
			}
			row[x+1] = row[x] + like
		}
	}
	return l
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
// the colour of the top that casts it, however dark that is.
func (p *plan) cover(t board.Point, r, h float64) (at board.Point, solid float64) {
	k := p.tone(t, 0.55*r)
	if k.n == 0 {
		return t, 0
	}
	s := p.shape(p.footUnder(t, h), r, h)
	cx, cy := int(math.Round(t.X+p.extent)), int(math.Round(p.extent-t.Y))
	l := p.likeness(&k, cx, cy, int(math.Ceil(s.top+math.Hypot(s.lx, s.ly)))+band+farthest+1)
	// The bevel may look like either; the wall may, too.
	inner, rim, outer := s.rows(s.top-1, 0), s.rows(s.top+0.7, 1), s.rows(s.top+band, 1)
	merit := func(dx, dy int) float32 {
		return l.over(inner, dx, dy) - (l.over(outer, dx, dy) - l.over(rim, dx, dy)) - 0.5*float32(dx*dx+dy*dy)
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
	x := float64(bx) + summit(merit(bx-1, by), best, merit(bx+1, by))
	y := float64(by) + summit(merit(bx, by-1), best, merit(bx, by+1))
	in := l.over(inner, bx, by) / size(inner)
	around := (l.over(outer, bx, by) - l.over(rim, bx, by)) / (size(outer) - size(rim))
	return board.Point{X: float64(cx) - p.extent + x, Y: p.extent - float64(cy) - y}, float64(in-around) / 2
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
	// The wall draws the first two down to the foot.
	places := [3]board.Point{along(c.top, 0.08), along(c.covers, 0.15), outline}
	errs := [3]float64{1, 0.9 + 0.06*lean, math.Max(0.7, 2.6-3*plain)} // mm
	var at board.Point
	var w [3]float64
	for step := range 5 {
		var x, y, sum float64
		for i, q := range places {
			w[i] = 1 / (errs[i] * errs[i])
			if step > 0 {
				d := math.Hypot(q.X-at.X, q.Y-at.Y)
				w[i] /= 1 + d*d
			}
			x, y, sum = x+w[i]*q.X, y+w[i]*q.Y, sum+w[i]
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
