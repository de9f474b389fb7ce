package calibrate

import (
	"math"
	"math/cmplx"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"crokcam/calibrate/camera"
)

// RingEllipse is a circle of the board as a person sees it in a picture, as a
// report gives it too: of a printed line its inner edge.
type RingEllipse struct {
	Ring   string  // hole, fifteen, ten, start or surface
	CX, CY float64 // px
	A, B   float64 // semi-axes, px
	Angle  float64 // of A, degrees from +u towards +v
}

// ParseRing reads a ring as people write it: "start=800,600,420,300,12".
func ParseRing(s string) (RingEllipse, error) {
	name, ellipse, _ := strings.Cut(s, "=")
	n, err := numbers(ellipse, 5)
	if err != nil {
		return RingEllipse{}, manualErrorf("bad_ring", "%q is no ring: %s. Write its centre, semi-axes and angle, as in start=800,600,420,300,12.", s, err)
	}
	r := RingEllipse{Ring: strings.TrimSpace(name), CX: n[0], CY: n[1], A: n[2], B: n[3], Angle: n[4]}
	_, err = r.circle()
	return r, err
}

func (r RingEllipse) circle() (circle, error) {
	of, ok := circleNamed(r.Ring)
	if !ok {
		return 0, manualErrorf("bad_ring", "%q is no ring of a board. Rings are %s.", r.Ring, strings.Join(circleNames[:], ", "))
	}
	if !(r.A > 0 && r.B > 0) {
		return 0, manualErrorf("bad_ring", "The semi-axes of the %s ring are %g and %g pixels; they must be positive.", r.Ring, r.A, r.B)
	}
	return of, nil
}

// at is the ellipse's point at parameter t.
func (r RingEllipse) at(t float64) (u, v float64) {
	st, ct := math.Sincos(t)
	s, c := math.Sincos(r.Angle * math.Pi / 180)
	return r.CX + r.A*ct*c - r.B*st*s, r.CY + r.A*ct*s + r.B*st*c
}

// conic is the ellipse as the symmetric matrix of pᵀCp = 0, in units of size
// px about (cu, cv).
func (r RingEllipse) conic(cu, cv, size float64) *mat.Dense {
	s, c := math.Sincos(r.Angle * math.Pi / 180)
	x, y := (r.CX-cu)/size, (r.CY-cv)/size
	// Along the axes: p ↦ ((p-centre)·axis)/semi-axis.
	m := mat.NewDense(3, 3, []float64{
		c * size / r.A, s * size / r.A, -(c*x + s*y) * size / r.A,
		-s * size / r.B, c * size / r.B, -(-s*x + c*y) * size / r.B,
		0, 0, 1,
	})
	var out mat.Dense
	out.Product(m.T(), mat.NewDiagDense(3, []float64{1, 1, -1}), m)
	return &out
}

// FromRings calibrates from two or more of the board's circles that a person
// has drawn over a picture of w × h px. How the board is turned about its
// centre they do not tell. Its errors are *ManualError.
func FromRings(w, h int, rings []RingEllipse, o Options) (*Calibration, error) {
	m := newManual(w, h, o)
	rings = slices.Clone(rings)
	of := map[string]circle{}
	for _, r := range rings {
		c, err := r.circle()
		if err != nil {
			return nil, err
		}
		if _, twice := of[r.Ring]; twice {
			return nil, manualErrorf("bad_ring", "The %s ring is given twice. Give each ring once.", r.Ring)
		}
		of[r.Ring] = c
		if !(r.CX >= 0 && r.CY >= 0 && r.CX <= float64(w-1) && r.CY <= float64(h-1)) {
			return nil, manualErrorf("ring_outside", "The middle of the %s ring, %g,%g, lies outside the picture of %d × %d pixels.", r.Ring, r.CX, r.CY, w, h)
		}
	}
	if len(rings) < 2 {
		return nil, manualErrorf("rings_too_few", "One ring does not tell the view: give at least two, such as start and ten.")
	}
	slices.SortFunc(rings, func(a, b RingEllipse) int { return int(of[a.Ring]) - int(of[b.Ring]) })
	for i := 1; i < len(rings); i++ {
		if !rings[i].holds(rings[i-1]) {
			return nil, manualErrorf("rings_impossible", "The %s ring must lie inside the %s ring. Check that each name goes with its ellipse.", rings[i-1].Ring, rings[i].Ring)
		}
	}
	outer, inner := rings[len(rings)-1], rings[0]
	if inner.Ring == circleNames[holeRim] && len(rings) > 2 {
		inner = rings[1] // the hole is too small to tell the view well
	}
	if !m.face(outer, of[outer.Ring], inner) {
		return nil, manualErrorf("rings_impossible", "The %s and %s rings are not two circles about one centre, seen from above. Draw them along the lines again.", inner.Ring, outer.Ring)
	}
	for _, r := range rings {
		m.seen[of[r.Ring]] = true
		// An ellipse is five numbers: its points err together.
		const samples = 20
		m.told += 5
		for i := range samples {
			u, v := r.at(direction(i, samples))
			m.ss = append(m.ss, sighting{u: u, v: v, of: of[r.Ring], sigma: 2 * shakyHand * m.coarseness(u, v)})
		}
	}
	fit, err := m.solve(m.free())
	if err != nil || fit.rms > mostAstray/3 {
		return nil, manualErrorf("rings_impossible", "These rings do not fit one view of a board. Check that each name goes with its ellipse, and draw them along the lines again.")
	}
	c := m.calibration(fit, "rings")
	c.Quality.Orientation = 1
	for _, line := range []circle{fifteenLine, tenLine, startLine} {
		if m.seen[line] {
			c.Quality.Coverage += 1.0 / 3
		}
	}
	return c, nil
}

// holds tells whether the inner ellipse lies inside.
func (r RingEllipse) holds(inner RingEllipse) bool {
	s, c := math.Sincos(r.Angle * math.Pi / 180)
	const samples = 36
	for i := range samples {
		u, v := inner.at(direction(i, samples))
		u, v = u-r.CX, v-r.CY
		if math.Hypot((u*c+v*s)/r.A, (-u*s+v*c)/r.B) >= 1 {
			return false
		}
	}
	return true
}

// face stands the camera where it sees two ellipses as circles about one
// centre. In the pencil of two such conics one is the plane's vanishing line,
// doubled, and the centre is the pole of it: of the three eigenvectors of
// C₂⁻¹C₁, it is the one whose eigenvalue stands alone.
func (m *manual) face(outer RingEllipse, named circle, inner RingEllipse) bool {
	cu, cv := m.cam.CX, m.cam.CY
	size := outer.A
	c1, c2 := outer.conic(cu, cv, size), inner.conic(cu, cv, size)
	var q mat.Dense
	if q.Solve(c2, c1) != nil {
		return false
	}
	var eigen mat.Eigen
	if !eigen.Factorize(&q, mat.EigenRight) {
		return false
	}
	values := eigen.Values(nil)
	alone, apart := 0, 0.0
	for i, a := range values {
		d := math.Min(cmplx.Abs(a-values[(i+1)%3]), cmplx.Abs(a-values[(i+2)%3]))
		if imag(a) == 0 && d > apart {
			alone, apart = i, d
		}
	}
	if apart == 0 {
		return false
	}
	var vectors mat.CDense
	eigen.VectorsTo(&vectors)
	centre := mat.NewVecDense(3, nil)
	for i := range 3 {
		centre.SetVec(i, real(vectors.At(i, alone)))
	}
	u0, v0 := cu+size*centre.AtVec(0)/centre.AtVec(2), cv+size*centre.AtVec(1)/centre.AtVec(2)
	if !inner.holds(RingEllipse{CX: u0, CY: v0}) {
		return false
	}
	// Of the plane's vanishing line ℓ = C·centre, the plane's normal is Kᵀℓ.
	var line mat.VecDense
	line.MulVec(c1, centre)
	f := m.cam.F
	n := unit(camera.Vec3{line.AtVec(0) * f / size, line.AtVec(1) * f / size, line.AtVec(2)})
	if n[2] > 0 {
		n = times(n, -1)
	}
	p := newPlane(n, f, cu, cv)
	a, b, ok := p.at(u0, v0)
	if !ok {
		return false
	}
	// The size, as the plane shows it head-on.
	const samples = 24
	radius := 0.0
	for i := range samples {
		ai, bi, ok := p.at(outer.at(direction(i, samples)))
		if !ok {
			return false
		}
		radius += math.Hypot(ai-a, bi-b) / samples
	}
	k := m.radii[named] / radius
	m.cam.R = p.r
	for i := range 3 {
		m.cam.T[i] = k * (a*p.r[i][0] + b*p.r[i][1] - f*p.r[i][2])
	}
	return m.cam.Validate() == nil && m.cam.Tilt() < steepest
}
