package calibrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"crokcam/board"
)

// ErrSaved marks a saved calibration that cannot be used.
var ErrSaved = errors.New("calibrate: not a usable calibration")

// Load reads a calibration that was saved as JSON.
func Load(data []byte) (*Calibration, error) {
	var c Calibration
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSaved, err)
	}
	if c.Schema != Schema {
		return nil, fmt.Errorf("%w: its schema is %q, not %q", ErrSaved, c.Schema, Schema)
	}
	if err := c.Camera.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSaved, err)
	}
	if err := c.Board.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSaved, err)
	}
	return &c, nil
}

// Drift is how far the lines of the board in a later picture lie from where
// this calibration has them, mm: the largest distance along all of them. It is
// 0 when neither camera nor board has moved; a board turned about its centre
// has not moved. The later picture may be of another size, not of another
// shape.
func (c *Calibration) Drift(later *Calibration) (float64, error) {
	was, is := c.Camera, later.Camera
	scale := float64(is.Width) / float64(was.Width)
	if math.Abs(scale*float64(was.Height)-float64(is.Height)) > 2 {
		return 0, fmt.Errorf("%w: it is for a picture of %d × %d px, this one has %d × %d", ErrSaved, was.Width, was.Height, is.Width, is.Height)
	}
	was = was.Scaled(scale)
	most := 0.0
	for _, line := range []func(board.Spec) board.Ring{
		func(s board.Spec) board.Ring { return s.Fifteen },
		func(s board.Spec) board.Ring { return s.Ten },
		func(s board.Spec) board.Ring { return s.Start },
	} {
		const steps = 72
		for i := range steps {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / steps)
			r := line(later.Board).Inner()
			u, v := is.Project(r*cos, r*sin, 0)
			x, y := was.Unproject(u, v, 0)
			away := math.Abs(math.Hypot(x, y) - line(c.Board).Inner())
			if math.IsNaN(away) {
				away = math.Inf(1) // out of the earlier view altogether
			}
			most = max(most, away)
		}
	}
	return most, nil
}
