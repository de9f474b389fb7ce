package calibrate

import (
	"errors"
	"fmt"
	"math"

	"crokcam/board"
	"crokcam/internal/raster"
)

// Hand is where in a picture a person sees the board: at named points or at
// rings, px; the zero value is nowhere.
type Hand struct {
	Points []Point
	Rings  []RingEllipse
}

// Empty tells whether nothing was pointed at.
func (h *Hand) Empty() bool { return len(h.Points) == 0 && len(h.Rings) == 0 }

// FindWith calibrates from what a person has pointed at in a picture of
// w × h px, and follows the lines from there where they can be made out. Where
// nothing was pointed at it is Find.
func FindWith(hand Hand, picture *raster.Picture, w, h int, o Options) (*Calibration, error) {
	var first *Calibration
	var err error
	switch {
	case hand.Empty():
		return Find(picture, o)
	case len(hand.Points) > 0 && len(hand.Rings) > 0:
		return nil, manualErrorf("points_and_rings", "Give either named points or rings, not both.")
	case len(hand.Points) > 0:
		first, err = FromPoints(w, h, hand.Points, o)
	default:
		first, err = FromRings(w, h, hand.Rings, o)
	}
	if err != nil {
		return nil, err
	}
	followed, err := Refine(picture, first, o)
	if errors.Is(err, ErrNotFound) {
		return first, nil
	}
	return followed, err
}

// Refine follows the lines in the picture from a calibration that may be
// rough, such as one from a few named points, and gives that of the lines. A
// board that a person has turned keeps its turn. It fails with ErrNotFound
// where the lines do not lie near where the calibration has them.
func Refine(picture *raster.Picture, c *Calibration, o Options) (*Calibration, error) {
	pr := newPriors(picture.W, picture.H, o)
	k := startRadius / c.Board.Start.Outer
	var m model
	m.cam = c.Camera.Scaled(picture.Scale)
	m.cam.Width, m.cam.Height = picture.W, picture.H
	for i := range m.cam.T {
		m.cam.T[i] *= k
	}
	middle := func(r board.Ring) float64 { return k * (r.Outer - r.Width/2) }
	m.radii = [circles]float64{k * c.Board.Hole.Radius, middle(c.Board.Fifteen), middle(c.Board.Ten), middle(c.Board.Start), k * c.Board.Surface}
	p, err := polish(m, picture, pr, roughPasses)
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w: %w", ErrNotFound, err)
	}
	p, err = follow(p, picture, pr, o.Board)
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w: %w", ErrNotFound, err)
	}
	if p.evidence() < enough {
		return nil, fmt.Errorf("calibrate: %w", ErrNotFound)
	}
	out := p.calibration(picture, pr)
	out.Method = c.Method
	out.turnLike(c)
	return out, nil
}

// roughPasses begin farther out than those that follow a search.
var roughPasses = append([]pass{{5, 14, poseAndRadii, 3, false}}, firstPasses...)

// sameTurn is how far a person may be off with a board's turn, rad, for the
// picture's quadrant lines to be more exact about it.
const sameTurn = 5 * math.Pi / 180

// turnLike turns the board as the other calibration has it: by quarters, and
// altogether where it knows better.
func (c *Calibration) turnLike(other *Calibration) {
	u, v := other.Camera.Project(other.Board.Start.Outer, 0, 0)
	x, y := c.Camera.Unproject(u, v, 0)
	a := math.Atan2(y, x)
	if math.IsNaN(a) {
		return
	}
	quarters := math.Round(a/(math.Pi/2)) * (math.Pi / 2)
	if other.Quality.Orientation > c.Quality.Orientation && math.Abs(a-quarters) > sameTurn {
		c.Quality.Orientation = other.Quality.Orientation
		quarters = a
	}
	c.Camera = c.Camera.Turned(quarters)
}
