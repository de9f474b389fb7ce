package bench

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

func TestThePictureHasTwelveMegapixels(t *testing.T) {
	data, err := Picture()
	require.NoError(t, err)
	c, err := jpeg.DecodeConfig(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, 12_000_000, c.Width*c.Height)
}

func TestAJobThatIsItsFloorCostsAsMuch(t *testing.T) {
	data, err := Picture()
	require.NoError(t, err)
	report := &photo.Report{Image: photo.Image{Width: 4000, Height: 3000}}
	r, err := Photo(context.Background(), data, func(ctx context.Context, _ []byte) (*photo.Report, error) {
		return report, decodeAndRectify(ctx, data, boardRegion(report))
	}, 3)
	require.NoError(t, err)
	require.InDelta(t, 1, r.Ratio, 0.5)
	require.Greater(t, r.FloorCPU, 10.0)
	require.Greater(t, r.PeakRSSMB, 36.0, "the raster alone has 36 MB")
	require.Equal(t, "photo/score", r.Name)
	require.Equal(t, "decode + rectify", r.Floor)
}

func TestFailuresAreNamed(t *testing.T) {
	bad := errors.New("no board")
	_, err := Photo(context.Background(), nil, func(context.Context, []byte) (*photo.Report, error) { return nil, bad }, 1)
	require.ErrorIs(t, err, bad)

	// What the scorer takes and the floor does not is the floor's failure.
	_, err = Photo(context.Background(), []byte("text"), func(context.Context, []byte) (*photo.Report, error) { return &photo.Report{}, nil }, 1)
	var e *decode.Error
	require.ErrorAs(t, err, &e)
	require.ErrorContains(t, err, "decode + rectify")
}

func TestTheBoardsRegionKeepsWithinThePicture(t *testing.T) {
	r := &photo.Report{Image: photo.Image{Width: 1000, Height: 800}}
	require.Equal(t, image.Rect(0, 0, 1000, 800), boardRegion(r))
	r.Calibration.RingsPx = []photo.RingPx{{CX: 500, CY: 400, A: 110, B: 80}, {CX: 500, CY: 400, A: 50, B: 40}}
	require.Equal(t, image.Rect(376, 276, 624, 524), boardRegion(r))
	r.Calibration.RingsPx[0].A = 5000
	require.Equal(t, image.Rect(0, 0, 1000, 800), boardRegion(r))
}
