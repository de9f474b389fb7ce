package calibrate

import (
	"fmt"
	"math"

	"crokcam/calibrate/camera"

	"gonum.org/v1/gonum/mat"
)

// circle numbers the circles of a board that a picture can show.
type circle int

const (
	holeRim circle = iota
	fifteenLine
	tenLine
	startLine
	surfaceEdge
	circles
)

var circleNames = [circles]string{"hole", "fifteen", "ten", "start", "surface"}

// sighting is a pixel at which a circle was seen, or a pin.
type sighting struct {
	u, v  float64
	of    circle
	sigma float64 // mm, across the circle

	// Of a pin: its place on the board, mm, and the direction (rad) in which
	// the sighting tells.
	x, y, along float64
}

// pin marks the sighting of a place on the board rather than of a circle.
const pin circle = -1

// prior is what is known of a number before the picture is looked at.
type prior struct{ mean, sigma float64 }

// model is everything that the fit may move.
type model struct {
	cam   camera.Camera
	radii [circles]float64 // mm; the starting line's sets the scale and is fixed
}

// priors hold what is believed without the picture; a sigma of zero leaves a
// number free.
type priors struct {
	logF   prior
	k1     prior
	centre float64 // sigma of the principal point about the picture's middle, px
	radii  [circles]prior
}

// The parameters, in the order of the normal equations.
const (
	pTilt   = 0 // two: rotation about the camera's x and y axes, rad
	pShift  = 2 // three: translation, in units of the distance
	pF      = 5 // log of the focal length
	pK1     = 6
	pCentre = 7  // two: principal point, in focal lengths
	pRadii  = 9  // fifteen, ten, surface: log
	pTurn   = 12 // rotation about the camera's z axis, rad: circles do not tell it
	params  = 13
)

// Which parameters a fit moves: with the lens held, only the pose and the
// radii.
var (
	poseAndRadii = []int{pTilt, pTilt + 1, pShift, pShift + 1, pShift + 2, pRadii, pRadii + 1, pRadii + 2}
	everything   = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
)

var freeRadii = [...]circle{fifteenLine, tenLine, surfaceEdge}

func (m model) moved(d []float64) model {
	c := &m.cam
	c.R = camera.Rotate(c.R, camera.Vec3{d[pTilt], d[pTilt+1], d[pTurn]})
	z := c.T[2]
	for i := range 3 {
		c.T[i] += z * d[pShift+i]
	}
	f := c.F
	c.F *= math.Exp(d[pF])
	c.K1 += d[pK1]
	c.CX += f * d[pCentre]
	c.CY += f * d[pCentre+1]
	for i, r := range freeRadii {
		m.radii[r] *= math.Exp(d[pRadii+i])
	}
	return m
}

// residual is how far outside its circle, or beyond its pin, a sighting lies
// on the board, mm.
func (m *model) residual(s *sighting) float64 {
	x, y := m.cam.Unproject(s.u, s.v, 0)
	if s.of == pin {
		sin, cos := math.Sincos(s.along)
		return (x-s.x)*cos + (y-s.y)*sin
	}
	return math.Sqrt(x*x+y*y) - m.radii[s.of]
}

// derive gives the residual of a sighting and its derivatives by the
// parameters.
func (m *model) derive(s *sighting, row *[params]float64) float64 {
	x, y := m.cam.Unproject(s.u, s.v, 0)
	var ax, ay, e float64
	if s.of == pin {
		ay, ax = math.Sincos(s.along)
		e = (x-s.x)*ax + (y-s.y)*ay
	} else {
		r := math.Sqrt(x*x + y*y)
		ax, ay = x/r, y/r
		e = r - m.radii[s.of]
	}
	c := &m.cam
	d := c.Sensitivity(x, y, ax, ay)
	row[pTilt], row[pTilt+1], row[pTurn] = d.Turn[0], d.Turn[1], d.Turn[2]
	for i := range 3 {
		row[pShift+i] = c.T[2] * d.Shift[i]
	}
	row[pF], row[pK1] = d.LogF, d.K1
	row[pCentre], row[pCentre+1] = c.F*d.Centre[0], c.F*d.Centre[1]
	for i, of := range freeRadii {
		row[pRadii+i] = 0
		if of == s.of {
			row[pRadii+i] = -m.radii[of]
		}
	}
	return e
}

// fitted is a fit and how well it is known.
type fitted struct {
	model
	rms     float64 // of the residuals of inliers, mm
	inliers int
	cov     *mat.SymDense // of the free parameters; nil when they are not determined
}

// fit refines a model on the edges of lines.
func fit(m model, ss []sighting, pr priors, free []int, scale float64, rounds int) (fitted, error) {
	if len(ss) < 2*len(free) {
		return fitted{}, fmt.Errorf("fit: %d line points are too few", len(ss))
	}
	return descend(m, ss, pr, free, scale, rounds)
}

// descend refines a model by robust least squares: Levenberg-Marquardt on the
// free parameters, with Cauchy weights of the given scale (in the sightings'
// sigmas). Where the sightings are few, the priors decide.
func descend(m model, ss []sighting, pr priors, free []int, scale float64, rounds int) (fitted, error) {
	cost := func(m *model) float64 {
		// The logarithm of a product costs less than the sum of logarithms.
		sum, product := 0.0, 1.0
		for i := range ss {
			e := m.residual(&ss[i])
			w := scale * ss[i].sigma
			product *= 1 + e*e/(w*w)
			if !(product < 1e200) {
				sum += math.Log(product)
				product = 1
			}
		}
		sum = (sum + math.Log(product)) * scale * scale
		for _, p := range m.penalties(pr) {
			sum += p.value * p.value
		}
		if math.IsNaN(sum) {
			return math.Inf(1)
		}
		return sum
	}
	lambda := 1e-3
	best := cost(&m)
	n := len(free)
	jtj := make([]float64, n*n)
	jtr := make([]float64, n)
	solve := func(damp float64) ([]float64, bool) {
		a := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				a.SetSym(i, j, jtj[i*n+j])
			}
			a.SetSym(i, i, jtj[i*n+i]*(1+damp)+1e-9)
		}
		var ch mat.Cholesky
		if !ch.Factorize(a) {
			return nil, false
		}
		d := mat.NewVecDense(n, nil)
		if err := ch.SolveVecTo(d, mat.NewVecDense(n, jtr)); err != nil {
			return nil, false
		}
		full := make([]float64, params)
		for i, j := range free {
			full[j] = d.AtVec(i)
		}
		return full, true
	}
	for range rounds {
		clear(jtj)
		clear(jtr)
		var row [params]float64
		add := func(e, w float64) {
			for i, p := range free {
				wr := w * row[p]
				if wr == 0 {
					continue
				}
				jtr[i] -= wr * e
				to := jtj[i*n : (i+1)*n]
				for j := i; j < n; j++ {
					to[j] += wr * row[free[j]]
				}
			}
		}
		for i := range ss {
			s := &ss[i]
			e := m.derive(s, &row)
			sg := scale * s.sigma
			add(e, 1/(1+e*e/(sg*sg))/(s.sigma*s.sigma))
		}
		for _, p := range m.penalties(pr) {
			clear(row[:])
			row[p.of] = p.slope
			add(p.value, 1)
		}
		improved := false
		for range 8 {
			d, ok := solve(lambda)
			if ok {
				next := m.moved(d)
				if c := cost(&next); c < best {
					gain := (best - c) / best
					m, best, improved = next, c, true
					lambda = math.Max(lambda/5, 1e-9)
					if gain < 1e-7 {
						improved = false
					}
					break
				}
			}
			lambda *= 6
		}
		if !improved {
			break
		}
	}
	out := fitted{model: m}
	sum := 0.0
	for i := range ss {
		e := m.residual(&ss[i])
		if math.Abs(e) < 3*scale*ss[i].sigma {
			sum += e * e
			out.inliers++
		}
	}
	if out.inliers == 0 {
		return fitted{}, fmt.Errorf("fit: no line point agrees with the board")
	}
	out.rms = math.Sqrt(sum / float64(out.inliers))
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, jtj[i*n+j])
		}
		a.SetSym(i, i, a.At(i, i)+1e-6)
	}
	var ch mat.Cholesky
	if ch.Factorize(a) {
		out.cov = mat.NewSymDense(n, nil)
		if err := ch.InverseTo(out.cov); err != nil {
			out.cov = nil
		}
	}
	return out, nil
}

// penalty is a prior as a residual, in sigmas, and its derivative by the
// parameter that it is about.
type penalty struct {
	value float64
	of    int
	slope float64
}

// penalties are the priors as residuals.
func (m *model) penalties(pr priors) []penalty {
	c := &m.cam
	out := make([]penalty, 0, 8)
	out = append(out,
		penalty{(math.Log(c.F) - pr.logF.mean) / pr.logF.sigma, pF, 1 / pr.logF.sigma},
		penalty{(c.K1 - pr.k1.mean) / pr.k1.sigma, pK1, 1 / pr.k1.sigma},
		penalty{(c.CX - float64(c.Width-1)/2) / pr.centre, pCentre, c.F / pr.centre},
		penalty{(c.CY - float64(c.Height-1)/2) / pr.centre, pCentre + 1, c.F / pr.centre},
	)
	for i, r := range freeRadii {
		if p := pr.radii[r]; p.sigma > 0 {
			out = append(out, penalty{(m.radii[r] - p.mean) / p.sigma, pRadii + i, m.radii[r] / p.sigma})
		}
	}
	return out
}
