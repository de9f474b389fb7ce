package photo_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/calibrate/camera"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

func TestASavedCalibrationStandsInForLookingForTheBoard(t *testing.T) {
	data, err := os.ReadFile("../../testdata/renders/dev_07.jpg")
	require.NoError(t, err)
	found, err := photo.Score(t.Context(), data, photo.Options{})
	require.NoError(t, err)
	// Twice the picture's size: the same view, saved from a larger picture.
	above := &calibrate.Calibration{
		Method: "auto",
		Camera: camera.Camera{Width: 2560, Height: 1920, F: 3000, CX: 1279.5, CY: 959.5, R: camera.Mat3{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, T: camera.Vec3{0, 0, 1500}},
		Board:  board.Tournament26(),
	}
	r, err := photo.Score(t.Context(), data, photo.Options{Calibration: above})
	require.NoError(t, err)
	require.Equal(t, "file", r.Calibration.Method)
	require.Equal(t, "auto", found.Calibration.Method)
	require.InDelta(t, 1500, r.Calibration.FocalPx, 1, "brought to this picture's size")

	above.Camera.Width, above.Camera.Height = 1920, 2560
	_, err = photo.Score(t.Context(), data, photo.Options{Calibration: above})
	var wrong *photo.OptionError
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "calibration_mismatch", wrong.Code)
	require.Len(t, wrong.Values, 4)
}

func TestASideWithNothingButTwentiesHasItsColour(t *testing.T) {
	data, err := os.ReadFile("../../testdata/renders/dev_07.jpg")
	require.NoError(t, err)
	twenties, err := photo.ParseTwenties("C=2")
	require.NoError(t, err)
	r, err := photo.Score(t.Context(), data, photo.Options{Twenties: twenties})
	require.NoError(t, err)
	last := r.Sides[len(r.Sides)-1]
	require.Equal(t, photo.Side{Side: "C", Name: "unseen", RGB: "#808080", Points: 40, Twenties: 2}, last)
}

// What a person points at stands in for looking for the board, and its lines
// are followed from there.
func TestRingsThatAPersonDrawsStandInForLookingForTheBoard(t *testing.T) {
	data, err := os.ReadFile("../../testdata/renders/dev_07.jpg")
	require.NoError(t, err)
	found, err := photo.Score(t.Context(), data, photo.Options{})
	require.NoError(t, err)
	var hand calibrate.Hand
	for _, r := range found.Calibration.RingsPx {
		if r.Ring == "ten" || r.Ring == "start" {
			hand.Rings = append(hand.Rings, calibrate.RingEllipse{Ring: r.Ring, CX: r.CX + 1, CY: r.CY - 1, A: r.A, B: r.B, Angle: r.AngleDeg})
		}
	}
	r, err := photo.Score(t.Context(), data, photo.Options{Hand: hand})
	require.NoError(t, err)
	require.Equal(t, "rings", r.Calibration.Method)
	require.Len(t, r.Discs, len(found.Discs))

	hand.Rings = hand.Rings[:1]
	_, err = photo.Score(t.Context(), data, photo.Options{Hand: hand})
	var wrong *calibrate.ManualError
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "rings_too_few", wrong.Code)
}

// A known board's hole is known; that of another is measured where it shows.
func TestTheHoleOfAnUnknownBoardIsMeasured(t *testing.T) {
	data, err := os.ReadFile("../../testdata/renders/dev_12.jpg")
	require.NoError(t, err)
	known, err := photo.Score(t.Context(), data, photo.Options{})
	require.NoError(t, err)
	require.False(t, known.Calibration.HoleMeasured)
	require.InDelta(t, 17.46, known.Calibration.RadiiMM.Hole, 1e-9)

	pic, err := decode.DecodeFor(t.Context(), data, decode.Limits{}, calibrate.WorkingSize)
	require.NoError(t, err)
	defer pic.Close()
	work, err := pic.Work(calibrate.WorkingSize)
	require.NoError(t, err)
	cal, err := calibrate.Find(work, calibrate.Options{})
	require.NoError(t, err)
	cal.Known, cal.Board.Hole.Radius = false, 15
	seen, err := photo.Score(t.Context(), data, photo.Options{Calibration: cal})
	require.NoError(t, err)
	require.True(t, seen.Calibration.HoleMeasured)
	require.InDelta(t, 17.46, seen.Calibration.RadiiMM.Hole, 0.5)
	require.InDelta(t, 15, cal.Board.Hole.Radius, 0, "the caller's calibration is left as it was")
	ring := func(r *photo.Report) float64 { return r.Calibration.RingsPx[0].A }
	require.InDelta(t, ring(known), ring(seen), 0.03*ring(known), "and drawn so")
}
