package photo

import (
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/calibrate/camera"
	"crokcam/vision"
	"crokcam/vision/decode"
)

func TestASecondBoardInThePictureIsWarnedOf(t *testing.T) {
	cal := &calibrate.Calibration{
		Method:  "auto",
		Camera:  camera.Camera{Width: 1280, Height: 960, F: 1500, CX: 639.5, CY: 479.5, R: camera.Facing(camera.Vec3{0, 0, -1}), T: camera.Vec3{0, 0, 1500}},
		Board:   board.Tournament26(),
		Quality: calibrate.Quality{Coverage: 1},
	}
	codes := func() (out []string) {
		for _, w := range report(&decode.Picture{Width: 1280, Height: 960}, cal, &vision.Scene{}).Warnings {
			out = append(out, w.Code)
		}
		return out
	}
	require.Empty(t, codes())
	cal.Two = true
	require.Equal(t, []string{"two_boards"}, codes())
	cal.Method = "file" // of an earlier picture: it tells nothing of this one
	require.Empty(t, codes())
}
