package calibrate

import (
	"math"

	"crokcam/board"
	"crokcam/calibrate/camera"
)

// What a person's help is worth.
const (
	shakyHand    = 0.7  // px, of a point
	steadiest    = 0.02 // px, where points agree that well among themselves
	postSpread   = 3    // mm, of the posts' circle on an unknown board
	steepest     = 70 * math.Pi / 180
	settledAfter = 40 // rounds
)

// manual is a calibration in the making, from what a person has pointed at.
// Its lines are their inner edges.
type manual struct {
	model
	spec  board.Spec
	known bool // the caller knows the board
	pr    priors
	ss    []sighting
	told  int // independent numbers that the sightings stand for
	seen  [circles]bool

	places []place // of named points
}

func newManual(w, h int, o Options) *manual {
	m := &manual{spec: board.Tournament26(), pr: newPriors(w, h, o)}
	if o.Board != nil {
		m.spec, m.known = *o.Board, true
	}
	m.cam = camera.Camera{Width: w, Height: h, F: math.Exp(m.pr.logF.mean), CX: float64(w-1) / 2, CY: float64(h-1) / 2}
	m.radii = edgeRadii(m.spec)
	return m
}

// coarseness is how much of the board one pixel spans at a place, mm.
func (m *manual) coarseness(u, v float64) float64 {
	x0, y0 := m.cam.Unproject(u-0.5, v-0.5, 0)
	x1, y1 := m.cam.Unproject(u+0.5, v-0.5, 0)
	x2, y2 := m.cam.Unproject(u-0.5, v+0.5, 0)
	mm := math.Max(math.Hypot(x1-x0, y1-y0), math.Hypot(x2-x0, y2-y0))
	if math.IsNaN(mm) {
		return 1
	}
	return mm
}

// free are the numbers that the sightings can tell: the radii only of circles
// that were pointed at. On a known board the radii are held.
func (m *manual) free() []int {
	out := make([]int, 0, params)
	for _, j := range everything {
		if r := j - pRadii; r >= 0 && !m.seen[freeRadii[r]] {
			continue
		}
		out = append(out, j)
	}
	return out
}

// solve fits the camera and, on an unknown board, the radii. A board whose
// lines stand close to a tournament board's is taken for one.
func (m *manual) solve(free []int) (fitted, error) {
	hold := func(of circle) { m.pr.radii[of] = prior{m.radii[of], 0.3} }
	usual := edgeRadii(m.spec)
	if m.known {
		for _, of := range freeRadii {
			hold(of)
		}
	} else if !m.seen[startLine] {
		// Something must tell the size: the largest circle that was pointed at.
		for of := tenLine; of >= fifteenLine; of-- {
			if m.seen[of] {
				hold(of)
				break
			}
		}
	}
	f, err := m.settled(free)
	if err != nil || m.known {
		return f, err
	}
	near := func(of circle, mm float64) bool { return !m.seen[of] || math.Abs(f.radii[of]-usual[of]) < mm }
	if near(tenLine, 4.5) && near(fifteenLine, 3.5) {
		m.known = true
		m.radii = usual
		for _, of := range freeRadii {
			hold(of)
		}
		return m.settled(free)
	}
	return f, nil
}

// settled fits, and fits again with the sightings weighed by how well they
// agree among themselves, where there are enough of them to tell.
func (m *manual) settled(free []int) (fitted, error) {
	ss := append([]sighting(nil), m.ss...)
	f, err := descend(m.model, ss, m.pr, free, 3, settledAfter)
	for range 2 {
		if err != nil || m.told < 2*len(free) {
			break
		}
		sum := 0.0
		for i := range ss {
			e := f.residual(&ss[i]) / ss[i].sigma
			sum += math.Min(e*e, 9)
		}
		k := math.Sqrt(sum / float64(len(ss)) * float64(m.told) / float64(m.told-len(free)))
		k = math.Max(k, steadiest/shakyHand)
		for i := range ss {
			ss[i].sigma *= k
		}
		f, err = descend(f.model, ss, m.pr, free, 3, settledAfter)
	}
	if err != nil || f.cam.Validate() != nil || f.cam.Tilt() > steepest || f.farFetched(m.pr) {
		return fitted{}, manualErrorf("points_impossible", "No camera above a board sees these places so. Check their names and pixels.")
	}
	sum := 0.0
	for i := range ss {
		e := f.residual(&ss[i])
		sum += e * e / float64(len(ss))
	}
	f.rms = math.Sqrt(sum) // of all of them: a person's word is no outlier
	return f, nil
}

// farFetched tells whether a fit needs a lens or a board that hardly exists.
func (m *model) farFetched(pr priors) bool {
	for _, p := range m.penalties(pr) {
		if math.Abs(p.value) > 4 {
			return true
		}
	}
	return false
}

// calibration is a fit in its final form.
func (m *manual) calibration(f fitted, method string) *Calibration {
	spec := m.spec
	if !m.known {
		spec.Name = "measured"
		for of, line := range map[circle]*board.Ring{fifteenLine: &spec.Fifteen, tenLine: &spec.Ten} {
			line.Outer = f.radii[of] + line.Width
		}
		spec.Posts.Radius = spec.Fifteen.Outer
		if m.seen[surfaceEdge] {
			spec.Surface = math.Max(f.radii[surfaceEdge], spec.Start.Outer+1)
		}
	}
	u, v := f.cam.Project(0, 0, 0)
	was := m.cam
	m.cam = f.cam
	mmpx := m.coarseness(u, v)
	m.cam = was
	q := Quality{
		RMS: f.rms, Tilt: f.cam.Tilt() * 180 / math.Pi, MMPerPx: mmpx, Posed: true,
		LineSigma: math.Hypot(0.12, math.Max(f.rms, 0.5*mmpx)),
	}
	q.FocalSource, q.FocalSigma = f.focal(m.pr, f.cam.F)
	return &Calibration{Schema: Schema, Method: method, Camera: f.cam, Board: spec, Known: m.known, Quality: q}
}
