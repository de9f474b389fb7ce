package calibrate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
)

func TestAFitThatReachesBehindTheCameraIsRefused(t *testing.T) {
	p := &raster.Picture{W: 640, H: 480, Scale: 1, Pix: make([]float32, 640*480*3)}
	m := model{
		// Edge on, so near that a part of the board lies behind.
		cam:   camera.Camera{Width: 640, Height: 480, F: 500, CX: 320, CY: 240, R: camera.Mat3{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, T: camera.Vec3{0, 20, 50}},
		radii: [circles]float64{20, 100, 200, 305, 330},
	}
	_, err := polish(m, p, priors{}, firstPasses)
	require.ErrorIs(t, err, errBehind)
}
