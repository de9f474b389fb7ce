package calibrate

import (
	"testing"

	"crokcam/board"
	"crokcam/calibrate/camera"

	"github.com/stretchr/testify/require"
)

func TestAKnownBoardGivesTheScale(t *testing.T) {
	c := Calibration{
		Camera: camera.Camera{Width: 1000, Height: 800, F: 900, CX: 500, CY: 400, R: camera.Facing(camera.Vec3{0, 0, -1}), T: camera.Vec3{10, -5, 1200}},
		Board:  board.Tournament26(), Quality: Quality{RMS: 0.2, MMPerPx: 1.3, LineSigma: 0.3},
	}
	u, v := c.Camera.Project(c.Board.Start.Outer, 0, 0)

	small := board.Tournament26()
	small.Name = "small"
	small.Start.Outer /= 2
	small.Disc.Radius = 14
	c.sized(small)

	require.Equal(t, "small", c.Board.Name)
	require.InDelta(t, 152.4, c.Board.Start.Outer, 1e-9)
	require.InDelta(t, 50.8, c.Board.Fifteen.Outer, 1e-9, "rings keep the shares that were seen")
	require.Equal(t, 14.0, c.Board.Disc.Radius)
	require.InDelta(t, 0.1, c.Quality.RMS, 1e-9)
	u2, v2 := c.Camera.Project(c.Board.Start.Outer, 0, 0)
	require.InDelta(t, u, u2, 1e-9, "the picture shows the same")
	require.InDelta(t, v, v2, 1e-9)
}
