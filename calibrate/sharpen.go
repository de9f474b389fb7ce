package calibrate

import (
	"math"
	"math/bits"

	"crokcam/calibrate/camera"
)

const sectors = 48 // directions in which a ring is looked for

// rings is how much of a circle about a centre is drawn, radius by radius.
type rings struct {
	bin float64   // px of radius a bin spans
	cov []float64 // share of directions in which an edge runs along the circle
}

// radial sorts edges by radius and direction about a centre, keeping those
// that run along a circle about it.
type radial struct {
	bin  float64
	n    int
	seen []uint64 // per radius, a bit for each sector
}

func newRadial(reach, bin float64) *radial {
	n := int(reach/bin) + 2
	return &radial{bin: bin, n: n, seen: make([]uint64, n)}
}

func (r *radial) fill(p *plane, edges []edge, a, b, minCos float64) {
	clear(r.seen)
	most := float64(r.n) - 1
	inv := 1 / r.bin
	for i := range edges {
		f, ok := p.lay(&edges[i])
		if !ok {
			continue
		}
		da, db := f.a-a, f.b-b
		d2 := da*da + db*db
		along := f.na*da + f.nb*db
		if along*along < minCos*minCos*d2*(f.na*f.na+f.nb*f.nb) {
			continue
		}
		k := math.Sqrt(d2)*inv + 0.5
		if !(k >= 3 && k <= most) {
			continue
		}
		r.seen[int(k)] |= 1 << sector(da, db)
	}
}

// sector numbers the direction of (a, b), counter-clockwise from +a, to a
// fraction of a degree.
func sector(a, b float64) uint {
	const eighth = sectors / 8
	x, y := math.Abs(a), math.Abs(b)
	t := min(x, y) / max(x, y) // 0 to 1: the tangent within the eighth
	s := eighth * t * (1 + 0.3476*(1-t))
	if y > x {
		s = 2*eighth - s
	}
	if a < 0 {
		s = 4*eighth - s
	}
	if b < 0 {
		s = 8*eighth - s
	}
	return min(uint(s), sectors-1)
}

// sharpness rewards many directions at few radii: circles in focus.
func (r *radial) sharpness() float64 {
	sum := 0.0
	for k := 1; k < r.n-1; k++ {
		c := float64(bits.OnesCount64(r.seen[k]))
		sum += c * c * c
	}
	return sum
}

// cover is the share of directions with an edge within half a window of each
// radius.
func (r *radial) cover(half int) rings {
	out := rings{bin: r.bin, cov: make([]float64, r.n)}
	for k := range r.n {
		var m uint64
		for j := max(0, k-half); j <= min(r.n-1, k+half); j++ {
			m |= r.seen[j]
		}
		out.cov[k] = float64(bits.OnesCount64(m)) / sectors
	}
	return out
}

// sharpen moves a hypothesis' plane and centre to where its circles are most
// in focus.
func sharpen(h hypothesis, edges []edge, long float64) hypothesis {
	rad := newRadial(0.62*long, long/420)
	return h.climb(long, 1, 7, func(p *plane, a, b float64) float64 {
		rad.fill(p, edges, a, b, 0.985)
		return rad.sharpness()
	})
}

// aim moves a hypothesis' plane and centre to where its circles read most like
// a board's. A round rail, which is higher than the board, may be sharper.
func aim(h hypothesis, edges []edge, long float64) hypothesis {
	rad := newRadial(0.62*long, long/420)
	return h.climb(long, 0.5, 5, func(p *plane, a, b float64) float64 {
		rad.fill(p, edges, a, b, 0.97)
		if rs := rad.cover(1).read(1, 8); len(rs) > 0 {
			return rs[0].score
		}
		return 0
	})
}

// A score tells how good a place on a plane is as the circles' centre.
type score func(p *plane, a, b float64) float64

// climb moves a hypothesis' plane and centre uphill, in steps that begin at a
// share of the search's and become smaller round by round.
func (h hypothesis) climb(long, share float64, rounds int, of score) hypothesis {
	// The normal is (p, q, -1), normalised; the centre is kept in the picture,
	// where it does not move when the plane tilts.
	x := [4]float64{-h.n[0] / h.n[2], -h.n[1] / h.n[2], 0, 0}
	pl := newPlane(h.n, h.f, h.cu, h.cv)
	x[2], x[3] = pl.back(h.a, h.b)
	eval := func(x [4]float64) (float64, hypothesis) {
		q := h
		l := math.Sqrt(x[0]*x[0] + x[1]*x[1] + 1)
		q.n = camera.Vec3{x[0] / l, x[1] / l, -1 / l}
		pl := newPlane(q.n, q.f, q.cu, q.cv)
		var ok bool
		if q.a, q.b, ok = pl.at(x[2], x[3]); !ok || l > 2.1 {
			return 0, q
		}
		q.score = of(&pl, q.a, q.b)
		return q.score, q
	}
	_, best := eval(x)
	step := [4]float64{0.10 * share, 0.10 * share, share * long / 90, share * long / 90}
	for round := 0; round < rounds; {
		moved := false
		for i := range 4 {
			for s := -1.0; s <= 1; s += 2 {
				y := x
				y[i] += s * step[i]
				if v, q := eval(y); v > best.score {
					best, x, moved = q, y, true
				}
			}
		}
		if !moved {
			for i := range step {
				step[i] *= 0.6
			}
			round++
		}
	}
	return best
}

// back maps a head-on place to its pixel.
func (p *plane) back(a, b float64) (u, v float64) {
	// The point on the plane at distance f, in the camera frame.
	var c [3]float64
	for i := range 3 {
		c[i] = a*p.r[i][0] + b*p.r[i][1] - p.f*p.r[i][2]
	}
	return p.cu + p.f*c[0]/c[2], p.cv + p.f*c[1]/c[2]
}
