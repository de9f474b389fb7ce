package calibrate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"crokcam/board"
	"crokcam/calibrate/camera"
)

// Point is a named place on the board and the pixel at which a person sees it.
//
// Its name is "centre", "post@K" (the foot of the K-th post, counted
// counter-clockwise from 0, the first one after +x), or a circle and an angle
// in degrees, counter-clockwise from the right of the south player:
// "start@90" is the far end of the starting line. The circles are hole,
// fifteen, ten, start and surface; of a printed line its inner edge is meant.
type Point struct {
	Name string
	U, V float64
}

// ManualError is named points or rings that no camera can be made from. Its
// message says what to do.
type ManualError struct {
	Code, Message string
	Values        map[string]float64 // figures in the message, by what they are
	Names         map[string]string  // what else it names
}

func (e *ManualError) Error() string { return e.Message }

func manualErrorf(code, format string, args ...any) error {
	return &ManualError{Code: code, Message: fmt.Sprintf(format, args...)}
}

const fewestPoints = 4

// ParsePoint reads a point as people write it: "start@90=812,64.5".
func ParsePoint(s string) (Point, error) {
	name, pixel, _ := strings.Cut(s, "=")
	uv, err := numbers(pixel, 2)
	if err != nil {
		return Point{}, manualErrorf("bad_point", "%q is no point: %s. Write a place and its pixel, as in start@90=812,64.", s, err)
	}
	p := Point{Name: strings.TrimSpace(name), U: uv[0], V: uv[1]}
	if _, err := p.place(board.Tournament26()); err != nil {
		return Point{}, err
	}
	return p, nil
}

// numbers reads n finite numbers with commas between them.
func numbers(s string, n int) ([]float64, error) {
	parts := strings.Split(s, ",")
	if len(parts) != n {
		return nil, fmt.Errorf("it needs %d numbers after the = sign", n)
	}
	out := make([]float64, n)
	for i, part := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q is no number", part)
		}
		out[i] = v
	}
	return out, nil
}

// place is where a named point lies on a board, and on which circle.
type place struct {
	board.Point
	of    circle  // pin for the centre and the posts
	angle float64 // rad
}

func (p Point) place(spec board.Spec) (place, error) {
	if p.Name == "centre" {
		return place{of: pin}, nil
	}
	name, at, _ := strings.Cut(p.Name, "@")
	if name == "post" {
		k, err := strconv.Atoi(at)
		posts := spec.PostCentres()
		if err != nil || k < 0 || k >= len(posts) {
			return place{}, manualErrorf("bad_point", "%q is no post of this board: they are post@0 to post@%d.", p.Name, len(posts)-1)
		}
		k = (k + len(posts) - 1) % len(posts) // the board counts from a quadrant line, people from the right
		return place{Point: posts[k], of: pin, angle: math.Atan2(posts[k].Y, posts[k].X)}, nil
	}
	of, ok := circleNamed(name)
	if !ok {
		return place{}, manualErrorf("bad_point", "%q is no place on a board. Places are centre, post@K, and hole, fifteen, ten, start or surface with an angle, as in start@90.", p.Name)
	}
	deg, err := strconv.ParseFloat(at, 64)
	if err != nil || math.IsNaN(deg) || math.IsInf(deg, 0) {
		return place{}, manualErrorf("bad_point", "%q needs an angle in degrees, as in %s@90.", p.Name, name)
	}
	a := deg * math.Pi / 180
	sin, cos := math.Sincos(a)
	r := edgeRadii(spec)[of]
	return place{Point: board.Point{X: r * cos, Y: r * sin}, of: of, angle: a}, nil
}

func circleNamed(name string) (circle, bool) {
	for of, n := range circleNames {
		if n == name {
			return circle(of), true
		}
	}
	return 0, false
}

// edgeRadii are the radii at which a board's circles are pointed at: the
// lines' inner edges.
func edgeRadii(s board.Spec) [circles]float64 {
	return [circles]float64{s.Hole.Radius, s.Fifteen.Inner(), s.Ten.Inner(), s.Start.Inner(), s.Surface}
}

// FromPoints calibrates from at least four places on the board that a person
// has pointed at in a picture of w × h px. Its errors are *ManualError.
func FromPoints(w, h int, pts []Point, o Options) (*Calibration, error) {
	for _, p := range pts {
		if !(p.U >= -0.5 && p.V >= -0.5 && p.U <= float64(w)-0.5 && p.V <= float64(h)-0.5) {
			return nil, &ManualError{
				Code:    "point_outside",
				Message: fmt.Sprintf("%s at %g,%g lies outside the picture of %d × %d pixels. Point at places that are in view.", p.Name, p.U, p.V, w, h),
				Values:  map[string]float64{"width": float64(w), "height": float64(h)}, Names: map[string]string{"point": p.Name},
			}
		}
	}
	m, fit, err := fitPoints(w, h, pts, o)
	if err != nil {
		return nil, err
	}
	if m.astray(fit, pts) {
		return nil, misfit(w, h, pts, o)
	}
	c := m.calibration(fit, "points")
	c.Quality.Orientation = namedOrientation
	c.Quality.Coverage = spanned(m.places)
	return c, nil
}

func fitPoints(w, h int, pts []Point, o Options) (*manual, fitted, error) {
	m := newManual(w, h, o)
	for _, p := range pts {
		at, err := p.place(m.spec)
		if err != nil {
			return nil, fitted{}, err
		}
		m.places = append(m.places, at)
	}
	if len(pts) < fewestPoints {
		return nil, fitted{}, &ManualError{
			Code:    "points_too_few",
			Message: fmt.Sprintf("%d points are too few: name at least four, such as start@0, start@90, start@180 and start@270.", len(pts)),
			Values:  map[string]float64{"points": float64(len(pts)), "least": fewestPoints},
		}
	}
	hom, ok := homography(m.places, pts)
	if !ok {
		return nil, fitted{}, manualErrorf("points_collinear", "These points do not span the board: at least four are needed that are all different, no three of them on one straight line. Spread them around the starting line.")
	}
	f := math.Exp(m.pr.logF.mean)
	if fromView, ok := focalOf(hom, w, h); ok && fromView > f/2.5 && fromView < f*2.5 {
		f = fromView
	}
	if !m.stand(hom, f) {
		return nil, fitted{}, manualErrorf("points_impossible", "No camera above a board sees these points so. Angles run counter-clockwise, from the right of the south player: start@90 is at the far side.")
	}
	for i, p := range pts {
		m.sight(p, m.places[i])
	}
	fit, err := m.solve(append(m.free(), pTurn))
	return m, fit, err
}

// astray tells whether some place is seen far from where the fit has it.
func (m *manual) astray(f fitted, pts []Point) bool {
	for i, at := range m.places {
		x, y := f.cam.Unproject(pts[i].U, pts[i].V, 0)
		r := at.Radius()
		if at.of != pin {
			r = f.radii[at.of]
		}
		s, c := math.Sincos(at.angle)
		if !(math.Hypot(x-r*c, y-r*s) < mostAstray) {
			return true
		}
	}
	return false
}

// misfit tells which point does not go with the others: the one without which
// they agree.
func misfit(w, h int, pts []Point, o Options) error {
	best, name := math.Inf(1), ""
	if len(pts) > fewestPoints+1 {
		for i, p := range pts {
			others := slices.Delete(slices.Clone(pts), i, i+1)
			m, fit, err := fitPoints(w, h, others, o)
			if err == nil && fit.rms < best && !m.astray(fit, others) {
				best, name = fit.rms, p.Name
			}
		}
	}
	if name == "" {
		return manualErrorf("points_impossible", "These points do not fit one view of a board. Check each name and its pixel.")
	}
	return manualErrorf("points_impossible", "%s does not fit the other points. Check its name and its pixel.", name)
}

// mostAstray is how far, mm, a named place may lie from where the others put
// it: more than a shaky finger and an unknown lens can explain.
const mostAstray = 15

// namedOrientation is the clarity of an orientation that a person gave.
const namedOrientation = 10

// homography maps the board (mm) to the picture (px): the least-squares
// solution over all points, in each one's own units. ok is false where the
// points do not determine it.
func homography(places []place, pts []Point) (out camera.Mat3, ok bool) {
	var cu, cv, size float64
	for _, p := range pts {
		cu += p.U / float64(len(pts))
		cv += p.V / float64(len(pts))
	}
	for _, p := range pts {
		size = math.Max(size, math.Hypot(p.U-cu, p.V-cv))
	}
	if size < 1 {
		return out, false
	}
	const unit = 200 // mm
	a := mat.NewDense(2*len(pts)+1, 9, nil)
	for i, p := range pts {
		x, y := places[i].X/unit, places[i].Y/unit
		u, v := (p.U-cu)/size, (p.V-cv)/size
		a.SetRow(2*i, []float64{x, y, 1, 0, 0, 0, -u * x, -u * y, -u})
		a.SetRow(2*i+1, []float64{0, 0, 0, x, y, 1, -v * x, -v * y, -v})
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return out, false
	}
	values := svd.Values(nil)
	if values[7] < 0.01*values[0] {
		return out, false
	}
	var v mat.Dense
	svd.VTo(&v)
	n := func(i int) float64 { return v.At(i, 8) }
	for j := range 3 {
		k := 1.0 / unit
		if j == 2 {
			k = 1
		}
		out[0][j] = (size*n(j) + cu*n(6+j)) * k
		out[1][j] = (size*n(3+j) + cv*n(6+j)) * k
		out[2][j] = n(6+j) * k
	}
	return out, true
}

// bare takes the lens of focal length f away from a homography's columns.
func bare(h camera.Mat3, f float64, w, ht int) camera.Mat3 {
	cu, cv := float64(w-1)/2, float64(ht-1)/2
	for j := range 3 {
		h[0][j] = (h[0][j] - cu*h[2][j]) / f
		h[1][j] = (h[1][j] - cv*h[2][j]) / f
	}
	return h
}

// focalOf is the focal length (px) at which a homography's axes are square and
// equally long; ok is false where the view does not tell.
func focalOf(h camera.Mat3, w, ht int) (f float64, ok bool) {
	b := bare(h, 1, w, ht)
	// With g = 1/f²: g·p + q = 0, for "square" and "equally long".
	p1, q1 := b[0][0]*b[0][1]+b[1][0]*b[1][1], b[2][0]*b[2][1]
	p2 := b[0][0]*b[0][0] + b[1][0]*b[1][0] - b[0][1]*b[0][1] - b[1][1]*b[1][1]
	q2 := b[2][0]*b[2][0] - b[2][1]*b[2][1]
	g := -(p1*q1 + p2*q2) / (p1*p1 + p2*p2)
	return 1 / math.Sqrt(g), g > 0 && !math.IsInf(g, 0)
}

// stand puts the camera where a homography has it. It is false when that is
// behind the board.
func (m *manual) stand(h camera.Mat3, f float64) bool {
	c := &m.cam
	c.F = f
	b := bare(h, f, c.Width, c.Height)
	column := func(j int) camera.Vec3 { return camera.Vec3{b[0][j], b[1][j], b[2][j]} }
	x, y, t := column(0), column(1), column(2)
	k := 2 / (length(x) + length(y))
	if t[2] < 0 {
		k = -k
	}
	c.T = times(t, k)
	// The two axes, made square by turning both alike.
	x, y = unit(times(x, k)), unit(times(y, k))
	mid, across := unit(plus(x, y, 1)), unit(plus(x, y, -1))
	x, y = unit(plus(mid, across, 1)), unit(plus(mid, across, -1))
	z := camera.Vec3{x[1]*y[2] - x[2]*y[1], x[2]*y[0] - x[0]*y[2], x[0]*y[1] - x[1]*y[0]}
	for i := range 3 {
		c.R[i] = camera.Vec3{x[i], y[i], z[i]}
	}
	return c.Validate() == nil
}

func length(a camera.Vec3) float64 { return math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2]) }

func times(a camera.Vec3, k float64) camera.Vec3 { return camera.Vec3{k * a[0], k * a[1], k * a[2]} }

func unit(a camera.Vec3) camera.Vec3 { return times(a, 1/length(a)) }

func plus(a, b camera.Vec3, k float64) camera.Vec3 {
	return camera.Vec3{a[0] + k*b[0], a[1] + k*b[1], a[2] + k*b[2]}
}

// sight adds a named point: across its circle and along it, or where its pin
// stands.
func (m *manual) sight(p Point, at place) {
	s := sighting{u: p.U, v: p.V, of: at.of, sigma: shakyHand * m.coarseness(p.U, p.V)}
	along := s
	along.of, along.x, along.y, along.along = pin, at.X, at.Y, at.angle+math.Pi/2
	if at.of == pin {
		s.x, s.y, s.along = at.X, at.Y, at.angle
		if !m.known && (at.X != 0 || at.Y != 0) {
			s.sigma = math.Hypot(s.sigma, postSpread)
		}
	} else {
		m.seen[at.of] = true
	}
	m.ss = append(m.ss, s, along)
	m.told += 2
}

// spanned is the share of the three lines within 15° of a point that lies on
// them.
func spanned(places []place) float64 {
	const steps = 72
	n := 0
	for _, of := range []circle{fifteenLine, tenLine, startLine} {
		for i := range steps {
			for _, p := range places {
				if p.of == of && math.Cos(p.angle-direction(i, steps)) > math.Cos(math.Pi/12) {
					n++
					break
				}
			}
		}
	}
	return float64(n) / (3 * steps)
}
