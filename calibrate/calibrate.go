// Package calibrate turns a picture of a board into a camera: the map between
// the picture's pixels and the board's millimetres, the board's own measures,
// and how well both are known. The board is the target; nothing is printed.
package calibrate

import (
	"errors"
	"fmt"
	"math"

	"crokcam/board"
	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
)

// ErrNotFound says that no crokinole board could be made out.
var ErrNotFound = errors.New("no crokinole board found in the picture")

// errBehind is a fit that has put part of the board behind the camera.
var errBehind = errors.New("the board would lie behind the camera")

var errTooFaint = errors.New("too little of the lines can be followed")

// Calibration is a camera over a board, and how well it is known.
type Calibration struct {
	Schema  string        `json:"schema"`
	Method  string        `json:"method"` // auto, points or rings
	Camera  camera.Camera `json:"camera"`
	Board   board.Spec    `json:"board"`
	Known   bool          `json:"known"`                // the board's rings are a preset's, not measured
	Two     bool          `json:"two_boards,omitempty"` // another board lies beside this one, the larger
	Quality Quality       `json:"quality"`
}

// Schema names the form of a saved calibration.
const Schema = "crokcam.calibration/1"

// Quality is how well a calibration agrees with its picture.
type Quality struct {
	RMS         float64 `json:"rms_mm"`          // reprojection error of the line points
	Tilt        float64 `json:"tilt_deg"`        // of the optical axis from the board's normal
	Coverage    float64 `json:"coverage"`        // share of the three lines that was seen, 0 to 1
	MMPerPx     float64 `json:"mm_per_px"`       // at the board's centre
	FocalSource string  `json:"focal_source"`    // picture, exif or prior
	FocalSigma  float64 `json:"focal_sigma"`     // px
	Orientation float64 `json:"orientation"`     // how far the quadrant lines stand out; under 1.6 it is a guess
	LineSigma   float64 `json:"line_sigma_mm"`   // of a line's inner edge
	Posed       bool    `json:"posed,omitempty"` // the camera's place follows from named points alone
}

// Options is what is known of a picture before it is looked at.
type Options struct {
	Focal35 float64     // focal length in 35 mm terms, from EXIF; 0: unknown
	Board   *board.Spec // the board's rings, when the caller knows them
}

// WorkingSize is the long side (px) that a picture needs at most: at this size
// a line is followed to a tenth of a millimetre.
const WorkingSize = 1400

// searchSize is the long side at which the board is looked for, px.
const searchSize = 640

// Find calibrates from one picture of a board. The camera it gives is that of
// the picture before it was brought to its working size. It fails with
// ErrNotFound when there is no board, and with a *BoardError when there is one
// but not the one that the caller knows.
func Find(large *raster.Picture, o Options) (*Calibration, error) {
	small := large.Shrink(searchSize)
	if small.W < 64 || small.H < 64 {
		return nil, fmt.Errorf("calibrate: %w: it is only %d × %d px", ErrNotFound, large.W, large.H)
	}
	soft := small.Blur(1)
	s := &search{
		edges: findEdges(soft), soft: soft, large: large,
		prSoft: newPriors(small.W, small.H, o), pr: newPriors(large.W, large.H, o), known: o.Board,
	}
	best, ok := s.board()
	if o.Board != nil && (!ok || best.evidence() < clearly) {
		if err := s.mismatch(best.evidence()); err != nil {
			return nil, err
		}
	}
	if !ok {
		return nil, fmt.Errorf("calibrate: %w", ErrNotFound)
	}
	best, two := s.larger(best)
	c := best.calibration(large, s.pr)
	c.Two = two
	if o.Board != nil {
		c.sized(*o.Board)
	}
	return c, nil
}

// A search is the look for a board in one picture.
type search struct {
	edges      []edge          // of soft
	soft       *raster.Picture // small and smoothed
	large      *raster.Picture // at its working size
	prSoft, pr priors          // for the two
	known      *board.Spec     // the caller's board; nil: not known
}

// views are the ways in which a camera may look at a board, the usual ones
// first: how steeply, and with what lens, as a share of the expected focal
// length. Where the usual ones show no board, the others are looked at more
// closely.
var views = []struct {
	tilts  []camera.Vec3
	focal  float64
	closer bool
}{
	{mildTilts, 1, false}, {steepTilts, 1, false}, {allTilts, 0.75, true}, {allTilts, 1.4, true},
}

// board is the best reading of the picture. It stops looking when one leaves
// no wish for a better.
func (s *search) board() (best polished, found bool) {
	for _, v := range views {
		closer := v.closer && !found
		hs := searchCentres(s.edges, s.soft.W, s.soft.H, v.focal*math.Exp(s.prSoft.logF.mean), v.tilts)
		for _, c := range s.candidates(s.edges, hs, closer) {
			if found && best.again(c.scaledTo(s.large, s.soft)) {
				continue
			}
			p, err := s.follow(c)
			if err != nil || found && p.evidence() <= best.evidence() || p.evidence() < enough || !p.believable(s.large) {
				continue
			}
			if best, found = p, true; best.plain(s.large) {
				return best, true
			}
		}
	}
	return best, found
}

// plain tells whether a believable reading leaves no wish for a better one: by
// its lines or, where some of those are hidden, by its quadrant lines and posts.
func (p *polished) plain(picture *raster.Picture) bool {
	return p.evidence() > clearly || p.evidence() > promising && p.quarters(picture) > plainQuarters
}

// again tells whether a camera sees the lines so close to where they are
// already followed that it would be led to the same place.
func (p *polished) again(m model) bool {
	const n = 12
	for _, of := range []circle{fifteenLine, tenLine, startLine} {
		for i := range n {
			sin, cos := math.Sincos(direction(i, n))
			u, v := m.cam.Project(m.radii[of]*cos, m.radii[of]*sin, 0)
			x, y := p.cam.Unproject(u, v, 0)
			if !(math.Abs(math.Hypot(x, y)-p.radii[of]) < anotherCircle*startRadius) {
				return false
			}
		}
	}
	return true
}

// anotherCircle is by how much its radius differs from the starting line's.
const anotherCircle = 0.04

// follow polishes a candidate to the end. Once its lines are followed, all of
// the board's circles show so clearly that it can be told whether they are
// named right.
func (s *search) follow(c candidate) (polished, error) {
	p, err := polish(c.scaledTo(s.large, s.soft), s.large, s.pr, firstPasses)
	if err != nil {
		return p, err
	}
	if p.evidence() < promising {
		return p, errTooFaint
	}
	if r, same := p.reread(s.large); !same && math.Abs(r.start/startRadius-1) > anotherCircle {
		q, err := polish(p.renamed(r), s.large, s.pr, firstPasses)
		if err == nil && q.evidence() > enough {
			p = q
		}
	}
	return follow(p, s.large, s.pr, s.known)
}

// sized brings a calibration to the size of a board that the caller knows: the
// picture gives shapes, the board gives the scale.
func (c *Calibration) sized(spec board.Spec) {
	k := spec.Start.Outer / c.Board.Start.Outer
	for i := range c.Camera.T {
		c.Camera.T[i] *= k
	}
	for _, l := range []struct {
		want *board.Ring
		seen board.Ring
	}{{&spec.Fifteen, c.Board.Fifteen}, {&spec.Ten, c.Board.Ten}, {&spec.Start, c.Board.Start}} {
		*l.want = board.Ring{Outer: l.seen.Outer * k, Width: l.seen.Width * k}
	}
	spec.Surface = max(c.Board.Surface*k, spec.Start.Outer+1)
	c.Board = spec
	c.Quality.RMS *= k
	c.Quality.MMPerPx *= k
	c.Quality.LineSigma *= k
}

// How much of the three lines must be followed for a board to be there, and
// how much leaves no wish for a better reading.
const (
	enough    = 0.45
	promising = 0.60 // before the last passes, which look more closely
	clearly   = 0.80
)

// evidence is how well the three lines are drawn where the camera has them.
func (p *polished) evidence() float64 {
	return (p.coverage[fifteenLine] + p.coverage[tenLine] + p.coverage[startLine]) / 3 *
		math.Max(0, 1-6*outside(p.radii[tenLine]/startRadius, usualTen)) *
		math.Max(0, 1-6*outside(p.radii[fifteenLine]/startRadius, usualFifteen))
}

// newPriors is what is known of lenses and boards before looking: most phones
// and webcams have a focal length of 24 to 35 mm in 35 mm terms, and little
// distortion left.
func newPriors(w, h int, o Options) priors {
	diag := math.Hypot(float64(w), float64(h))
	pr := priors{
		logF:   prior{math.Log(29 / 43.27 * diag), 0.25},
		k1:     prior{-0.03, 0.06},
		centre: 0.012 * diag,
	}
	if o.Focal35 > 10 && o.Focal35 < 300 {
		pr.logF = prior{math.Log(o.Focal35 / 43.27 * diag), 0.06}
	}
	pr.radii = [circles]prior{
		fifteenLine: {101.6, 5}, tenLine: {210, 12}, surfaceEdge: {330, 10},
	}
	return pr
}

// calibration brings a polished fit to the picture's own size and turns it to
// the board's quadrant lines.
func (p *polished) calibration(large *raster.Picture, pr priors) *Calibration {
	angle, clarity := p.orientation(large)
	up := 1 / large.Scale
	c := p.cam.Scaled(up).Turned(angle - math.Pi/4)
	spec := board.Tournament26()
	if !p.known {
		spec.Name = "measured"
	}
	line := func(of circle) board.Ring {
		l := p.lines[of]
		return board.Ring{Outer: p.radii[of] + l.width/2, Width: l.width}
	}
	spec.Fifteen, spec.Ten, spec.Start = line(fifteenLine), line(tenLine), line(startLine)
	spec.Posts.Radius = spec.Fifteen.Outer
	spec.Quadrants.Width = spec.Start.Width
	// What was followed may be the starting line itself, or a moulding.
	if r := p.radii[surfaceEdge]; p.coverage[surfaceEdge] >= 0.3 && r > spec.Start.Outer+3 && (!p.known || math.Abs(r-spec.Surface) < 3) {
		spec.Surface = r
	}
	q := Quality{
		RMS: p.rms, Tilt: c.Tilt() * 180 / math.Pi,
		Coverage:    (p.coverage[fifteenLine] + p.coverage[tenLine] + p.coverage[startLine]) / 3,
		MMPerPx:     p.mmpx / up,
		Orientation: clarity,
		LineSigma:   math.Hypot(0.12, 0.2*p.mmpx),
	}
	q.FocalSource, q.FocalSigma = p.focal(pr, c.F)
	return &Calibration{Schema: Schema, Method: "auto", Camera: c, Board: spec, Known: p.known, Quality: q}
}

// focal tells where the knowledge of the focal length f (px) comes from, and
// its sigma (px).
func (p *fitted) focal(pr priors, f float64) (source string, sigma float64) {
	spread := pr.logF.sigma
	if p.cov != nil {
		spread = math.Sqrt(p.cov.At(pF, pF))
	}
	switch {
	case pr.logF.sigma < 0.1:
		source = "exif"
	case spread < 0.6*pr.logF.sigma:
		source = "picture"
	default:
		source = "prior"
	}
	return source, spread * f
}
