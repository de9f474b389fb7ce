package photo

import (
	"math"

	"crokcam/internal/ink"
)

// plane maps between a picture and the board's plane, in units of one ring's
// radius and up to a turn about the centre: all that the outline of a disc
// needs. A ring's ellipse and the place of its centre tell it exactly: the
// centre's polar line is where the plane vanishes.
type plane struct {
	cx, cy        float64 // the board's centre, px
	m1, m2        float64 // the vanishing line: m1 u + m2 v + 1 = 0 about the centre
	u11, u12, u22 float64 // the upright ellipse to the unit circle
}

// planeOf makes the plane of a ring with the board's centre at (cx, cy).
func planeOf(r RingPx, cx, cy float64) (plane, bool) {
	if !(r.A > 0 && r.B > 0) {
		return plane{}, false
	}
	// The ring's conic about the board's centre.
	s, k := math.Sincos(r.AngleDeg * math.Pi / 180)
	dx, dy := cx-r.CX, cy-r.CY
	a, b := 1/(r.A*r.A), 1/(r.B*r.B)
	qxx, qxy, qyy := a*k*k+b*s*s, (a-b)*k*s, a*s*s+b*k*k
	d := qxx*dx + qxy*dy
	e := qxy*dx + qyy*dy
	f := d*dx + e*dy - 1
	if f >= 0 { // the centre lies outside the ring
		return plane{}, false
	}
	// With the vanishing line sent to infinity the ring is an ellipse about the
	// centre; its Cholesky factor makes it the unit circle.
	nxx, nxy, nyy := (qxx-d*d/f)/-f, (qxy-d*e/f)/-f, (qyy-e*e/f)/-f
	u11 := math.Sqrt(nxx)
	u12 := nxy / u11
	u22 := math.Sqrt(nyy - u12*u12)
	if !(u11 > 0 && u22 > 0) {
		return plane{}, false
	}
	return plane{cx, cy, d / f, e / f, u11, u12, u22}, true
}

// board is where a pixel lies on the board.
func (p plane) board(u, v float64) (x, y float64) {
	u, v = u-p.cx, v-p.cy
	w := p.m1*u + p.m2*v + 1
	u, v = u/w, v/w
	return p.u11*u + p.u12*v, p.u22 * v
}

// pixel is where a place on the board is in the picture.
func (p plane) pixel(x, y float64) (u, v float64) {
	v = y / p.u22
	u = (x - p.u12*v) / p.u11
	w := 1 / (1 - p.m1*u - p.m2*v)
	return p.cx + u*w, p.cy + v*w
}

// outlines says what the discs look like in the picture.
type outlines struct {
	plane  plane
	ok     bool
	radius float64 // of a disc, in units of the ring, or px without a plane
}

func outlinesOf(r *Report) outlines {
	c := r.Calibration
	rings := []struct {
		name string
		mm   float64
	}{{"start", c.RadiiMM.Start}, {"ten", c.RadiiMM.Ten}, {"fifteen", c.RadiiMM.Fifteen}, {"surface", c.RadiiMM.Surface}}
	for _, known := range rings {
		for _, px := range c.RingsPx {
			if px.Ring != known.name || known.mm <= 0 {
				continue
			}
			centre := c.CentrePx
			if centre == ([2]float64{}) {
				centre = [2]float64{px.CX, px.CY}
			}
			if p, ok := planeOf(px, centre[0], centre[1]); ok {
				return outlines{p, true, discRadius(r) / known.mm}
			}
		}
	}
	return outlines{radius: 0.02 * float64(max(r.Image.Width, r.Image.Height))}
}

func discRadius(r *Report) float64 {
	if mm := r.Calibration.RadiiMM.Disc; mm > 0 {
		return mm
	}
	return 15.875
}

// of is the outline of a disc whose centre is at a pixel, times scale.
func (o outlines) of(px [2]float64, scale float64) []ink.Point {
	if !o.ok {
		return ink.Ellipse(ink.Point{X: px[0], Y: px[1]}, o.radius*scale, o.radius*scale, 0)
	}
	x, y := o.plane.board(px[0], px[1])
	out := make([]ink.Point, 72)
	for i := range out {
		s, k := math.Sincos(2 * math.Pi * float64(i) / float64(len(out)))
		u, v := o.plane.pixel(x+o.radius*scale*k, y+o.radius*scale*s)
		out[i] = ink.Point{X: u, Y: v}
	}
	return out
}
