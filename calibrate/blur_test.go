package calibrate_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/internal/raster"
	"crokcam/internal/scenes"
)

// Out of focus a line is so wide that each of its flanks looks like a seam of
// two surfaces: the line lies between them all the same.
func TestTheLinesOfABoardOutOfFocusAreWhereTheyAre(t *testing.T) {
	spec := board.Tournament26()
	for i, blur := range []float64{1.2, 2, 2.8} { // px
		view := scenes.Views[i]
		t.Run(fmt.Sprintf("%v, by %g px", view, blur), func(t *testing.T) {
			t.Parallel()
			p := scenes.Photograph(scenes.Crokinole(scenes.Wood(scenes.Oak), 0, 0, 1, 0.3), view).Blur(blur)
			c, err := calibrate.Find(p, calibrate.Options{})
			require.NoError(t, err)
			k := spec.Start.Outer / c.Board.Start.Outer
			require.InDelta(t, spec.Ten.Outer, k*c.Board.Ten.Outer, 1)
			require.InDelta(t, spec.Fifteen.Outer, k*c.Board.Fifteen.Outer, 1)
		})
	}
}

// shining is a picture with a lamp mirrored at a place of its board, mm: white
// in the middle, with a halo that fades out over reach mm.
func shining(p *raster.Picture, c *calibrate.Calibration, x0, y0, reach float64) *raster.Picture {
	lit := &raster.Picture{W: p.W, H: p.H, Scale: p.Scale, Pix: make([]float32, len(p.Pix))}
	for y := range p.H {
		for x := range p.W {
			bx, by := c.Camera.Unproject(float64(x), float64(y), 0)
			r := math.Hypot(bx-x0, by-y0) / reach
			light := float32(380 * math.Exp(-r*r))
			for ch := range 3 {
				k := 3*(y*p.W+x) + ch
				lit.Pix[k] = min(p.Pix[k]+light, 255)
			}
		}
	}
	return lit
}

func TestTheHaloOfALampIsNoCircleOfTheBoard(t *testing.T) {
	for i, reach := range []float64{80, 50, 120} { // mm
		view := scenes.Views[i]
		t.Run(fmt.Sprintf("%v, %g mm wide", view, reach), func(t *testing.T) {
			t.Parallel()
			p := scenes.Photograph(scenes.Crokinole(scenes.Wood(scenes.Oak), 0, 0, 1, 0.3), view)
			plain, err := calibrate.Find(p, calibrate.Options{})
			require.NoError(t, err)
			c, err := calibrate.Find(shining(p, plain, 8, -5, reach), calibrate.Options{})
			require.NoError(t, err)
			require.InDelta(t, plain.Board.Ten.Outer, c.Board.Ten.Outer, 1.5)
		})
	}
}

func TestATargetOutOfFocusIsNoBoard(t *testing.T) {
	for i, name := range []string{"an archery target", "a target of thin rings"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := scenes.Photograph(scenes.NotBoards()[name], scenes.Views[i]).Blur(1.3)
			c, err := calibrate.Find(p, calibrate.Options{})
			require.ErrorIs(t, err, calibrate.ErrNotFound, "%+v", c)
		})
	}
}
