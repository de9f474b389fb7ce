package calibrate

import (
	"fmt"
	"math"

	"crokcam/board"
	"crokcam/internal/raster"
)

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
	p, known, err := follow(p, picture, pr, o)
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w: %w", ErrNotFound, err)
	}
	if p.evidence() < enough {
		return nil, fmt.Errorf("calibrate: %w", ErrNotFound)
	}
	out := p.calibration(picture, known, pr)
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
