package calibrate_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/calibrate/camera"
)

// above is a camera a metre and a half above the board.
func above(t *testing.T) *calibrate.Calibration {
	t.Helper()
	c := &calibrate.Calibration{
		Schema: calibrate.Schema,
		Method: "auto",
		Camera: camera.Camera{Width: 1600, Height: 1200, F: 1500, CX: 799.5, CY: 599.5, K1: -0.03, R: camera.Mat3{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, T: camera.Vec3{0, 0, 1500}},
		Board:  board.Tournament26(),
	}
	require.NoError(t, c.Camera.Validate())
	return c
}

func TestASavedCalibrationComesBackAsItWas(t *testing.T) {
	c := above(t)
	data, err := json.Marshal(c)
	require.NoError(t, err)
	back, err := calibrate.Load(data)
	require.NoError(t, err)
	require.Equal(t, c, back)
}

func TestWhatIsNoCalibrationIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(*calibrate.Calibration){
		"another schema":         func(c *calibrate.Calibration) { c.Schema = "crokcam.photo/1" },
		"no camera":              func(c *calibrate.Calibration) { c.Camera = camera.Camera{} },
		"a board that cannot be": func(c *calibrate.Calibration) { c.Board.Ten.Outer = 10 },
	} {
		t.Run(name, func(t *testing.T) {
			c := above(t)
			spoil(c)
			data, err := json.Marshal(c)
			require.NoError(t, err)
			_, err = calibrate.Load(data)
			require.ErrorIs(t, err, calibrate.ErrSaved)
		})
	}
	_, err := calibrate.Load([]byte("{"))
	require.ErrorIs(t, err, calibrate.ErrSaved)
}

func TestDriftIsHowFarTheLinesHaveMoved(t *testing.T) {
	drift := func(change func(*calibrate.Calibration)) float64 {
		later := above(t)
		change(later)
		mm, err := above(t).Drift(later)
		require.NoError(t, err)
		return mm
	}
	require.InDelta(t, 0, drift(func(*calibrate.Calibration) {}), 1e-6)
	require.InDelta(t, 0, drift(func(c *calibrate.Calibration) { c.Camera = c.Camera.Turned(0.7) }), 1e-6, "a turned board has not moved")
	require.InDelta(t, 0, drift(func(c *calibrate.Calibration) { c.Camera = c.Camera.Scaled(0.5) }), 1e-6, "a smaller picture of the same view")
	require.InDelta(t, 5, drift(func(c *calibrate.Calibration) { c.Camera.T[0] += 5 }), 0.1, "the board pushed by 5 mm")
	require.InDelta(t, 2, drift(func(c *calibrate.Calibration) { c.Board.Ten.Outer += 2 }), 1e-6, "another board in its place")
	require.Greater(t, drift(func(c *calibrate.Calibration) { c.Camera.T[2] *= 1.1 }), 20.0, "the camera lifted")
	require.False(t, math.IsNaN(drift(func(c *calibrate.Calibration) { c.Camera.T[0] += 5000 })))

	portrait := above(t)
	portrait.Camera.Width, portrait.Camera.Height = 1200, 1600
	_, err := above(t).Drift(portrait)
	require.ErrorIs(t, err, calibrate.ErrSaved)
}
