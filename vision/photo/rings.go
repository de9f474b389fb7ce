package photo

import (
	"math"

	"crokcam/calibrate"
)

// ringsPx are the ellipses of the lines' inner edges in the picture, for
// drawing: exact for a lens without distortion, the best ellipse otherwise.
func ringsPx(cal *calibrate.Calibration) []RingPx {
	spec := cal.Board
	out := make([]RingPx, 0, 5)
	for _, r := range []struct {
		name string
		mm   float64
	}{{"hole", spec.Hole.Radius}, {"fifteen", spec.Fifteen.Inner()}, {"ten", spec.Ten.Inner()}, {"start", spec.Start.Inner()}, {"surface", spec.Surface}} {
		e := ellipseOf(cal, r.mm)
		e.Ring = r.name
		out = append(out, e)
	}
	return out
}

// ellipseOf is the ellipse of a circle about the board's centre. The circle's
// points run around it evenly enough for its low harmonics: the centre is
// their mean, and the axes follow from the affine map that the first harmonic
// is, refined to the points' own extent.
func ellipseOf(cal *calibrate.Calibration, r float64) RingPx {
	const n = 90
	us, vs := make([]float64, n), make([]float64, n)
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		us[i], vs[i] = cal.Camera.Project(r*c, r*s, 0)
	}
	cx, cy, a, b, angle := fitEllipse(us, vs)
	return RingPx{CX: round(cx, 2), CY: round(cy, 2), A: round(a, 2), B: round(b, 2), AngleDeg: round(angle*180/math.Pi, 2)}
}

// fitEllipse is the least-squares conic through points that lie on an ellipse:
// Au² + Buv + Cv² + Du + Ev = 1 about their mean, in units of their extent.
func fitEllipse(us, vs []float64) (cx, cy, a, b, angle float64) {
	n := float64(len(us))
	var mu, mv, ext float64
	for i := range us {
		mu += us[i] / n
		mv += vs[i] / n
	}
	for i := range us {
		ext = math.Max(ext, math.Hypot(us[i]-mu, vs[i]-mv))
	}
	if !(ext > 0) {
		return mu, mv, 0, 0, 0
	}
	var m [5][6]float64
	for i := range us {
		x, y := (us[i]-mu)/ext, (vs[i]-mv)/ext
		row := [5]float64{x * x, x * y, y * y, x, y}
		for j := range 5 {
			for k := range 5 {
				m[j][k] += row[j] * row[k]
			}
			m[j][5] += row[j]
		}
	}
	for i := range 5 {
		p := i
		for k := i + 1; k < 5; k++ {
			if math.Abs(m[k][i]) > math.Abs(m[p][i]) {
				p = k
			}
		}
		m[i], m[p] = m[p], m[i]
		if m[i][i] == 0 {
			return mu, mv, 0, 0, 0
		}
		for k := range 5 {
			if k != i {
				f := m[k][i] / m[i][i]
				for q := i; q < 6; q++ {
					m[k][q] -= f * m[i][q]
				}
			}
		}
	}
	var q [5]float64
	for i := range q {
		q[i] = m[i][5] / m[i][i]
	}
	A, B, C, D, E := q[0], q[1], q[2], q[3], q[4]
	det := 4*A*C - B*B
	x0, y0 := (B*E-2*C*D)/det, (B*D-2*A*E)/det
	f := 1 + A*x0*x0 + B*x0*y0 + C*y0*y0
	mid, half := (A+C)/2, math.Hypot((A-C)/2, B/2)
	angle = 0.5 * math.Atan2(-B, C-A) // of the axis with the smaller eigenvalue: the longer
	return mu + ext*x0, mv + ext*y0, ext * math.Sqrt(f/(mid-half)), ext * math.Sqrt(f/(mid+half)), angle
}

// footHomography maps the pixel of a disc's top to its foot on the board. It
// is that of the lens without its distortion, fitted over the surface.
func footHomography(cal *calibrate.Calibration) [9]float64 {
	c := &cal.Camera
	h := cal.Board.Disc.Thickness
	// Board to pixel at height h is K[r1 r2 r3·h+t]; its inverse is wanted, with
	// the principal point moved so that distortion is met at the 10 line.
	scale := 1.0
	if c.K1 != 0 {
		o := math.Hypot(c.T[0], c.T[1]) / c.T[2]
		rr := cal.Board.Ten.Outer / c.T[2]
		scale = 1 + c.K1*(o*o+rr*rr)
	}
	f := c.F * scale
	var m [3][3]float64
	for i := range 3 {
		m[i] = [3]float64{c.R[i][0], c.R[i][1], c.R[i][2]*h + c.T[i]}
	}
	for j := range 3 {
		m[0][j] = f*m[0][j] + c.CX*m[2][j]
		m[1][j] = f*m[1][j] + c.CY*m[2][j]
	}
	inv := [9]float64{
		m[1][1]*m[2][2] - m[1][2]*m[2][1], m[0][2]*m[2][1] - m[0][1]*m[2][2], m[0][1]*m[1][2] - m[0][2]*m[1][1],
		m[1][2]*m[2][0] - m[1][0]*m[2][2], m[0][0]*m[2][2] - m[0][2]*m[2][0], m[0][2]*m[1][0] - m[0][0]*m[1][2],
		m[1][0]*m[2][1] - m[1][1]*m[2][0], m[0][1]*m[2][0] - m[0][0]*m[2][1], m[0][0]*m[1][1] - m[0][1]*m[1][0],
	}
	if k := inv[8]; k != 0 {
		for i := range inv {
			inv[i] /= k
		}
	}
	return inv
}
