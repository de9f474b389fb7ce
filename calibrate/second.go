package calibrate

import (
	"math"

	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
)

// A second board is looked for only where the first leaves room for one, on
// the same table.
const (
	roomForAnother = 0.22 // share of the picture that the first one takes at most
	aroundBoard    = 1.45 // starting line radii that are the first board's own, its rail included
)

// another finds a second board beside the first, whose edges are left out. It
// costs one plane of the search, and a look at its two best centres.
func (s *search) another(p *polished) (polished, bool) {
	cam := p.cam.Scaled(s.soft.Scale / s.large.Scale)
	if share(&cam) > roomForAnother {
		return polished{}, false
	}
	n := camera.Vec3{cam.R[0][2], cam.R[1][2], cam.R[2][2]}
	pl := newPlane(n, cam.F, cam.CX, cam.CY)
	var rest []edge
	for _, e := range s.edges {
		x, y := cam.Unproject(e.u, e.v, 0)
		if !(x*x+y*y < aroundBoard*startRadius*aroundBoard*startRadius) {
			rest = append(rest, e)
		}
	}
	long := float64(max(s.soft.W, s.soft.H))
	v := votes{cell: long / 130, a0: -long, b0: -long}
	v.resize(int(2*long/v.cell)+1, int(2*long/v.cell)+1)
	v.cast(&pl, rest[:min(len(rest), 8000)], 0.5*long)
	hs := v.peaks(2)
	for i := range hs {
		hs[i].n, hs[i].f, hs[i].cu, hs[i].cv = n, cam.F, cam.CX, cam.CY
	}
	for _, c := range s.candidates(rest, hs, false) {
		q, err := s.follow(c)
		if err == nil && q.evidence() > enough && q.apart(p) && q.believable(s.large) {
			return q, true
		}
	}
	return polished{}, false
}

// scaledTo is the model for a picture at another scale.
func (m model) scaledTo(large, small *raster.Picture) model {
	m.cam = m.cam.Scaled(large.Scale / small.Scale)
	m.cam.Width, m.cam.Height = large.W, large.H
	return m
}

// share is how much of its picture a board takes, by its starting line.
func share(c *camera.Camera) float64 {
	const n = 48
	var us, vs [n]float64
	area := 0.0
	for i := range n {
		s, k := math.Sincos(direction(i, n))
		us[i], vs[i] = c.Project(startRadius*k, startRadius*s, 0)
	}
	for i := range n {
		j := (i + 1) % n
		area += us[i]*vs[j] - us[j]*vs[i]
	}
	return math.Abs(area) / 2 / float64(c.Width*c.Height)
}

// apart tells whether two boards lie beside each other.
func (p *polished) apart(q *polished) bool {
	u, v := p.cam.Project(0, 0, 0)
	x, y := q.cam.Unproject(u, v, 0)
	return !(math.Hypot(x, y) < aroundBoard*startRadius)
}

// larger is the one of all boards in the picture that takes most of it, and
// whether there is another.
func (s *search) larger(p polished) (polished, bool) {
	q, two := s.another(&p)
	if two && share(&q.cam) > share(&p.cam) {
		return q, true
	}
	return p, two
}
