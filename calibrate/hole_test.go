package calibrate_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
)

// tilted is a calibration whose camera looks at a board's centre from a tilt
// and a side, rad.
func tilted(tilt, side float64) *calibrate.Calibration {
	down := camera.Vec3{math.Sin(tilt) * math.Cos(side), math.Sin(tilt) * math.Sin(side), -math.Cos(tilt)}
	c := camera.Camera{Width: 90, Height: 90, F: 1400, CX: 44.5, CY: 44.5, R: camera.Facing(down), T: camera.Vec3{0, 0, 1300}}
	return &calibrate.Calibration{Camera: c, Board: board.Tournament26(), Quality: calibrate.Quality{MMPerPx: 1300.0 / 1400}}
}

// painted is a picture of grey levels that depend on the distance from the
// board's centre, mm.
func painted(c *calibrate.Calibration, level func(r float64) float64) *raster.Picture {
	const fine = 4
	p := &raster.Picture{W: c.Camera.Width, H: c.Camera.Height, Pix: make([]float32, 3*c.Camera.Width*c.Camera.Height), Scale: 1}
	for i := range p.W * p.H {
		var sum float64
		for k := range fine * fine {
			u := float64(i%p.W) + (float64(k%fine)+0.5)/fine - 0.5
			v := float64(i/p.W) + (float64(k/fine)+0.5)/fine - 0.5
			x, y := c.Camera.Unproject(u, v, 0)
			sum += level(math.Hypot(x, y))
		}
		for ch := range 3 {
			p.Pix[3*i+ch] = float32(sum / (fine * fine))
		}
	}
	return p.Blur(0.7)
}

// bands paints the levels between radii, the last one beyond them all.
func bands(radii []float64, levels ...float64) func(float64) float64 {
	return func(r float64) float64 {
		for i, edge := range radii {
			if r < edge {
				return levels[i]
			}
		}
		return levels[len(levels)-1]
	}
}

func TestAHoleIsMeasuredFromEveryView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := tilted(rapid.Float64Range(0, 0.8).Draw(t, "tilt"), rapid.Float64Range(-3.1, 3.1).Draw(t, "side"))
		hole := rapid.Float64Range(15, 22).Draw(t, "hole")
		inside, outside := rapid.Float64Range(10, 90).Draw(t, "inside"), rapid.Float64Range(130, 240).Draw(t, "outside")
		if rapid.Bool().Draw(t, "lighter than the board") {
			inside, outside = outside, inside
		}
		r, ok := c.HoleRadius(painted(c, bands([]float64{hole}, inside, outside)))
		require.True(t, ok)
		require.InDelta(t, hole, r, 0.3)
	})
}

func TestAHoleThatDoesNotShowClearlyIsNotMeasured(t *testing.T) {
	for name, level := range map[string]func(float64) float64{
		"none":                                bands(nil, 180),
		"in the board's colour":               bands([]float64{17.5}, 178, 180),
		"with a ring printed around":          bands([]float64{16, 20}, 180, 40, 200),
		"with a disc in it and room about it": bands([]float64{15.5, 18.5}, 220, 30, 190),
		"too small for a crokinole disc":      bands([]float64{9}, 30, 190),
	} {
		t.Run(name, func(t *testing.T) {
			for _, tilt := range []float64{0, 0.5} {
				c := tilted(tilt, 1)
				r, ok := c.HoleRadius(painted(c, level))
				require.False(t, ok, fmt.Sprint(r))
			}
		})
	}
	t.Run("out of the picture", func(t *testing.T) {
		c := tilted(0, 0)
		p := painted(c, bands([]float64{17.5}, 30, 190))
		c.Camera.CX = 5
		_, ok := c.HoleRadius(p)
		require.False(t, ok)
	})
}
