package calibrate

import (
	"fmt"
	"math"
	"slices"

	"crokcam/board"
	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
)

// startRadius fixes the scale: nothing in a picture of a board tells its size,
// so the starting line is taken to be that of the preset, mm.
const startRadius = 304.8

// model turns a hypothesis and its reading into a first camera.
func (h hypothesis) model(r reading, w, ht int) model {
	m := model{cam: camera.Camera{Width: w, Height: ht, F: h.f, CX: h.cu, CY: h.cv, R: camera.Facing(h.n)}}
	k := startRadius / r.start
	for i := range 3 {
		m.cam.T[i] = k * (h.a*m.cam.R[i][0] + h.b*m.cam.R[i][1] - h.f*m.cam.R[i][2])
	}
	m.radii[startLine] = startRadius
	m.name(r)
	return m
}

// name sets the circles' radii from a reading, and the scale so that its
// starting line has the starting line's radius.
func (m *model) name(r reading) {
	k := startRadius / r.start
	m.radii[fifteenLine], m.radii[tenLine] = r.fifteen*k, r.ten*k
	m.radii[surfaceEdge] = startRadius * 1.0833
	if r.parts[surfaceEdge] > 0.4 {
		m.radii[surfaceEdge] = r.surface * k
	}
}

// renamed is the model with its circles named as in a reading through it, mm.
func (m model) renamed(r reading) model {
	for i := range 3 {
		m.cam.T[i] *= startRadius / r.start
	}
	m.name(r)
	return m
}

// assign names the circle each edge may belong to: the nearest, within reach
// mm and crossing it square. It stops at as many as a fit needs.
func (m *model) assign(edges []edge, use [circles]bool, reach, sigma float64) []sighting {
	out := make([]sighting, 0, enoughSightings)
	for i := range edges {
		e := &edges[i]
		x, y := m.cam.Unproject(e.u, e.v, 0)
		r := math.Sqrt(x*x + y*y)
		best, of := reach, circle(-1)
		for c := range circles {
			if use[c] {
				if d := math.Abs(r - m.radii[c]); d < best {
					best, of = d, c
				}
			}
		}
		if of < 0 {
			continue
		}
		// The edge's own direction must run along the circle.
		x2, y2 := m.cam.Unproject(e.u-0.5*e.nv, e.v+0.5*e.nu, 0)
		tx, ty := x2-x, y2-y
		if a := (tx*x + ty*y) / (r * math.Sqrt(tx*tx+ty*ty)); !(math.Abs(a) <= 0.2) {
			continue
		}
		out = append(out, sighting{u: e.u, v: e.v, of: of, sigma: sigma})
		if len(out) == enoughSightings {
			break
		}
	}
	return out
}

// near is the edges that may come to belong to a circle while a camera settles.
func (m *model) near(edges []edge, use [circles]bool) []edge {
	const reach, square = 40, 0.5 // mm, and the cosine
	out := make([]edge, 0, len(edges)/3)
	for i := range edges {
		e := &edges[i]
		x, y := m.cam.Unproject(e.u, e.v, 0)
		r := math.Sqrt(x*x + y*y)
		for c := range circles {
			if use[c] && math.Abs(r-m.radii[c]) < reach {
				x2, y2 := m.cam.Unproject(e.u-0.5*e.nv, e.v+0.5*e.nu, 0)
				if t := (x2-x)*x + (y2-y)*y; t*t <= square*square*r*r*((x2-x)*(x2-x)+(y2-y)*(y2-y)) {
					out = append(out, *e)
				}
				break
			}
		}
	}
	return out
}

// enoughSightings settle a camera as well as more would.
const enoughSightings = 700

// settle pulls a first camera onto the edges, in narrowing reach. The lens is
// held still at first: edges that belong to no line would otherwise be
// explained by bending the picture towards them.
func settle(m model, edges []edge, pr priors) (fitted, error) {
	use := [circles]bool{fifteenLine: true, tenLine: true, startLine: true}
	// Where the starting line has few edges, the others carry its scale.
	hold := func(share float64) {
		for _, of := range []circle{fifteenLine, tenLine} {
			pr.radii[of] = prior{m.radii[of], share * m.radii[of]}
		}
	}
	hold(0.012)
	near := m.near(edges, use)
	var f fitted
	var err error
	for _, step := range []struct {
		reach, scale float64
		free         []int
	}{
		{16, 5, poseAndRadii}, {12, 3, poseAndRadii}, {8, 2, poseAndRadii}, {6, 1.5, poseAndRadii},
		{10, 0.7, everything}, {6, 0.5, everything},
	} {
		sigma := 1.0
		if len(step.free) == len(everything) {
			// Many of these edges are no line's: they must not outvote what is
			// known of lenses.
			sigma = 4
			hold(0.03)
		}
		f, err = fit(m, m.assign(near, use, step.reach, sigma), pr, step.free, step.scale, 3)
		if err != nil {
			return f, err
		}
		m = f.model
	}
	return f, nil
}

// reread looks at the circles again through a settled camera, in millimetres.
// It tells whether the starting line is still the one that was settled on.
func (m *model) reread(p *raster.Picture) (r reading, same bool) {
	rs := m.drawn(p, 520).read(3, 25)
	if len(rs) == 0 {
		return reading{}, false
	}
	for _, r := range rs {
		if math.Abs(r.start/startRadius-1) < 0.02 && r.score > rs[0].score-0.15 {
			return r, true
		}
	}
	return rs[0], false
}

// drawn tells, radius by radius, in which share of the directions the picture
// changes outwards in the way that it does in most: how much of a circle is
// drawn there, out to reach mm. A hair line is found where no single edge of it
// is.
func (m *model) drawn(p *raster.Picture, reach float64) rings {
	const (
		bin   = 1.5 // mm
		n     = 80
		first = 6
	)
	nr := int(reach/bin) + 1
	out := rings{bin: bin, cov: make([]float64, nr)}
	ray := make([][3]float32, nr)
	type slope struct {
		d  [3]float32
		ok bool
	}
	slopes := make([]slope, nr*n)
	for j := range n {
		from := m.cam.Ray(direction(j, n))
		end := nr
		for k := first; k < nr; k++ {
			col, ok := p.At(from.Project(float64(k) * bin))
			if !ok {
				end = k
				break
			}
			ray[k] = col
		}
		for k := first + 1; k < end-1; k++ {
			sl := &slopes[k*n+j]
			sl.ok = true
			for ch := range 3 {
				sl.d[ch] = ray[k+1][ch] - ray[k-1][ch]
			}
		}
	}
	var vals [3][]float32
	common := make([]steepness, nr)
	for k := first + 1; k < nr-1; k++ {
		row := slopes[k*n : (k+1)*n]
		for ch := range vals {
			vals[ch] = vals[ch][:0]
		}
		for j := range row {
			if row[j].ok {
				for ch := range 3 {
					vals[ch] = append(vals[ch], row[j].d[ch])
				}
			}
		}
		if len(vals[0]) < n/4 {
			continue
		}
		for ch := range 3 {
			common[k][ch] = float64(raster.Median(vals[ch]))
		}
	}
	const around = 9 / bin
	for k := first + 1; k < nr-1; k++ {
		g := common[k]
		gg := g.dot(g)
		if gg < 1 || k > around && g.keeps(common[k-around:k]) || k+around < nr && g.keeps(common[k+1:k+1+around]) {
			continue // no change worth the name, or part of a lamp's halo
		}
		row := slopes[k*n : (k+1)*n]
		agree := 0
		for j := range row {
			if !row[j].ok {
				continue
			}
			d := row[j].d
			if g.dot(steepness{float64(d[0]), float64(d[1]), float64(d[2])}) > 0.35*gg {
				agree++
			}
		}
		// By chance alone, half would agree.
		out.cov[k] = math.Max(0, 2*float64(agree)/n-1)
	}
	// A line may be off its radius by a bin.
	wide := slices.Clone(out.cov)
	for k := 1; k < nr-1; k++ {
		out.cov[k] = math.Max(wide[k], 0.9*math.Max(wide[k-1], wide[k+1]))
	}
	return out
}

// steepness is how a picture changes outwards, by its channels.
type steepness [3]float64

func (g steepness) dot(h steepness) float64 { return g[0]*h[0] + g[1]*h[1] + g[2]*h[2] }

// keeps tells whether the picture goes on changing as it does here, at half the
// rate at least: a line or a seam is over sooner.
func (g steepness) keeps(on []steepness) bool {
	least := 0.5 * g.dot(g)
	for _, h := range on {
		if g.dot(h) < least {
			return false
		}
	}
	return true
}

// goodFit is the agreement with the common profile from which a direction
// counts as seen.
const goodFit = 0.55

// polished is a fit whose lines were followed sub-pixel by sub-pixel.
type polished struct {
	fitted
	coverage [circles]float64 // share of each circle that agrees with its profile
	lines    [circles]band    // of the three lines: the printed band
	mmpx     float64          // mm a pixel spans at the centre
	known    bool             // the lines' radii are a preset's

	turned         bool // the two below are worked out
	angle, clarity float64
}

// orientation is how the board lies about its centre: see orient.
func (p *polished) orientation(picture *raster.Picture) (angle, clarity float64) {
	if !p.turned {
		p.angle, p.clarity = orient(&p.cam, picture, p.radii)
		p.turned = true
	}
	return p.angle, p.clarity
}

// Following a line: how far its look is compared (mm), how far it is looked
// for, and what the fit then moves.
type pass struct {
	window, reach float64
	free          []int
	scale         float64
	measure       bool // the lines' width too, not only their place
}

var firstPasses = []pass{
	{5, 9, poseAndRadii, 2, false},
	{5, 7, poseAndRadii, 1.5, false},
	{5, 6, everything, 1, false},
}

var lastPasses = []pass{
	{5, 6, everything, 1, true},
	{4.5, 3, everything, 0.7, false},
	{4.5, 2, everything, 0.5, true},
}

// polish follows every line around the board: each line's own look, the
// common profile of all directions, is the ruler that each direction is
// measured with. That is sharper than any edge and does not care whether a
// line is a hair on wood or the seam of two colours.
func polish(m model, p *raster.Picture, pr priors, passes []pass) (polished, error) {
	var out polished
	u0, v0 := m.cam.Project(0, 0, 0)
	u1, v1 := m.cam.Project(100, 0, 0)
	u2, v2 := m.cam.Project(0, 100, 0)
	out.mmpx = 200 / (math.Hypot(u1-u0, v1-v0) + math.Hypot(u2-u0, v2-v0))
	if math.IsNaN(out.mmpx) || math.IsInf(out.mmpx, 0) {
		return out, errBehind
	}
	wide := profileReach(out.mmpx)
	for _, ps := range passes {
		step := math.Min(math.Max(0.5*out.mmpx, 0.2), 1)
		window := math.Max(ps.window, 0.9*wide)
		type followed struct {
			*strip
			offset, fit []float64
			common      []float32
			use         []bool
		}
		var fs [circles]followed
		for _, of := range []circle{fifteenLine, tenLine, startLine, surfaceEdge} {
			n := []int{40, 90, 130, 160, 160}[of]
			f := followed{strip: m.cut(p, of, n, wide+ps.reach, step)}
			f.use = slices.Clone(f.seen)
			f.common = f.profile(make([]float64, n), f.use, wide)
			for range 2 {
				f.offset, f.fit = f.align(f.common, window, ps.reach)
				kept := 0
				for j := range f.use {
					f.use[j] = f.fit[j] > goodFit
					if f.use[j] {
						kept++
					}
				}
				out.coverage[of] = float64(kept) / float64(n)
				if kept < n/8 {
					break
				}
				f.common = f.profile(f.offset, f.use, wide)
			}
			fs[of] = f
		}
		lines := []circle{fifteenLine, tenLine, startLine}
		var profiles [][]float32
		for _, of := range lines {
			profiles = append(profiles, fs[of].common)
		}
		for i, b := range bands(profiles, step, out.mmpx, ps.measure, out.lines[startLine]) {
			out.lines[lines[i]] = b
		}
		m.radii[startLine] = startRadius - out.lines[startLine].width/2
		var ss []sighting
		for of, f := range fs {
			of := circle(of)
			if f.strip == nil || of == surfaceEdge && out.coverage[of] < 0.3 {
				continue
			}
			// Where in its common profile the line stands.
			shift := out.lines[of].centre()
			if of == surfaceEdge {
				shift = stepAt(f.common, step, 4)
			}
			for j, a := range f.angles {
				if !f.use[j] {
					continue
				}
				sa, ca := math.Sincos(a)
				r := f.radius + f.offset[j] + shift
				u, v := m.cam.Project(r*ca, r*sa, 0)
				// Neighbours err together (grain, shadows), so that each counts
				// for a fraction of an independent sighting.
				sigma := 0.6 * math.Max(out.mmpx, 0.5) / f.fit[j]
				ss = append(ss, sighting{u: u, v: v, of: of, sigma: sigma})
			}
		}
		f, err := fit(m, ss, pr, ps.free, ps.scale, 8)
		if err != nil {
			return out, err
		}
		out.fitted, m = f, f.model
	}
	return out, nil
}

// tournament says whether a board's lines stand where those of a tournament
// board do, as far as an unknown lens allows.
func (p *polished) tournament() bool {
	return math.Abs(p.radii[tenLine]-203) < 4.5 && math.Abs(p.radii[fifteenLine]-101) < 3.5
}

// follow polishes a first fit to the end. A board whose lines stand close to a
// tournament board's is taken for one, which then tells the lens; so does a
// board that the caller knows.
func follow(first polished, p *raster.Picture, pr priors, spec *board.Spec) (polished, error) {
	known := true
	w := first.lines[startLine].width
	switch {
	case spec != nil:
		k := startRadius / spec.Start.Outer
		for of, r := range map[circle]board.Ring{fifteenLine: spec.Fifteen, tenLine: spec.Ten} {
			pr.radii[of] = prior{r.Outer*k - w/2, 0.3}
		}
		pr.radii[surfaceEdge] = prior{spec.Surface * k, 2}
	case first.tournament():
		pr.radii[tenLine] = prior{startRadius*2/3 - w/2, 0.3}
		pr.radii[fifteenLine] = prior{startRadius/3 - w/2, 0.3}
		pr.radii[surfaceEdge] = prior{330.2, 2}
	default:
		known = false
	}
	out, err := polish(first.model, p, pr, lastPasses)
	if err != nil {
		return out, fmt.Errorf("follow the lines: %w", err)
	}
	out.known = known
	return out, nil
}
