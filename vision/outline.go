package vision

import (
	"math"

	"crokcam/board"
)

// outline moves a disc's top, seen near t, to where its silhouette — the top
// and what shows of the wall below it — holds the most of what may be disc and
// the least of what may be board. Both may be in a shade: a wall has its top's
// colour, darker, and a shadow the board's.
func (p *plan) outline(t board.Point, c *candidate, r, h float64) (board.Point, float64) {
	s := p.shape(p.footUnder(t, h), r, h)
	cx, cy := int(math.Round(t.X+p.extent)), int(math.Round(p.extent-t.Y))
	reach := int(math.Ceil(s.top+math.Hypot(s.lx, s.ly))) + farthest + 2
	sigma := math.Max(c.spread, p.noise)
	top, under := shades{c.colour, 0.5, 1.1}, shades{c.beside, 0.15, 1.1}
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
				v := [3]float64{float64(p.pic.Pix[i]), float64(p.pic.Pix[i+1]), float64(p.pic.Pix[i+2])}
				a, b := top.off(v), under.off(v)
				if ring := p.ringAt(math.Hypot(float64(px)-p.extent, float64(py)-p.extent)); ring >= 0 {
					b = math.Min(b, p.ink[ring].off(v))
				}
				like = float32((b - a) / (a + b + 3*sigma))
			}
			row[x+1] = row[x] + like
		}
	}
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
	x := float64(bx) + summit(merit(bx-1, by), best, merit(bx+1, by))
	y := float64(by) + summit(merit(bx, by-1), best, merit(bx, by+1))
	outer := s.rows(s.top+band, 1)
	in := l.over(region, bx, by) / size(region)
	around := (l.over(outer, bx, by) - l.over(region, bx, by)) / (size(outer) - size(region))
	return board.Point{X: float64(cx) - p.extent + x, Y: p.extent - float64(cy) - y}, float64(in-around) / 2
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
