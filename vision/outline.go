package vision

import (
	"math"

	"crokcam/board"
)

// outline moves a disc's top, seen near t, to where its silhouette — the top
// and what shows of the wall below it — holds the most of what may be disc and
// the least of what may be board. Both may be in a shade: a wall has its top's
// colour, darker, and a shadow the board's. plain is how well the two are parted
// there, -1 to 1.
func (p *plan) outline(t board.Point, c *candidate, r, h float64) (at board.Point, plain float64) {
	s := p.shape(p.footUnder(t, h), r, h)
	cx, cy := int(math.Round(t.X+p.extent)), int(math.Round(p.extent-t.Y))
	reach := int(math.Ceil(s.top+math.Hypot(s.lx, s.ly))) + farthest + 2
	sigma := math.Max(c.spread, p.noise)
	top, under := shades{c.colour, 0.5, 1.1}, shades{c.beside, 0.15, 1.1}
	l := p.liken(cx, cy, reach, func(v [3]float64, x, y int) float32 {
		a, b := top.off(v), under.off(v)
		if ink := p.inkAt(x, y); ink != nil {
			b = math.Min(b, ink.off(v))
		}
		return float32((b - a) / (a + b + 3*sigma))
	})
	// The lowest of the wall lies in its own shadow, and looks like the board's.
	region := s.rows(s.top, 0.9)
	merit := func(dx, dy int) float32 { return l.over(region, dx, dy) - 0.6*float32(dx*dx+dy*dy) }
	best, bx, by := float32(math.Inf(-1)), 0, 0
	for dy := -farthest; dy <= farthest; dy++ {
		for dx := -farthest; dx <= farthest; dx++ {
			if v := merit(dx, dy); v > best {
				best, bx, by = v, dx, dy
			}
		}
	}
	outer := s.rows(s.top+band, 1)
	in := l.over(region, bx, by) / size(region)
	around := (l.over(outer, bx, by) - l.over(region, bx, by)) / (size(outer) - size(region))
	return p.peak(cx, cy, bx, by, merit), float64(in-around) / 2
}

// shades are the colours that one has in the shade and in full light.
type shades struct {
	colour    [3]float64
	low, high float64
}

// off is how far a colour is from all of them.
func (s *shades) off(v [3]float64) float64 {
	dot, n := 0.0, 1e-9
	for ch := range 3 {
		dot += v[ch] * s.colour[ch]
		n += s.colour[ch] * s.colour[ch]
	}
	k := math.Max(s.low, math.Min(s.high, dot/n))
	return dist(v, [3]float64{k * s.colour[0], k * s.colour[1], k * s.colour[2]})
}
