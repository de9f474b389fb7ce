package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/jpeg"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/internal/usage"
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

func TestTimesAreMediansOfTurns(t *testing.T) {
	var order []string
	r, err := compare(context.Background(), Result{Name: "job", Floor: "floor"}, 3,
		func() error { order = append(order, "job"); spin(30 * time.Millisecond); return nil },
		func() error { order = append(order, "floor"); spin(10 * time.Millisecond); return nil })
	require.NoError(t, err)
	require.Equal(t, []string{"floor", "job", "floor", "job", "floor", "job"}, order)
	require.InDelta(t, 3, r.Ratio, 1)
	require.Equal(t, 2.0, median([]float64{9, 1, 2}))
	require.Equal(t, 3.0, median([]float64{1, 4, 2, 9}))
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

	nothing := func() error { return nil }
	_, err = compare(context.Background(), Result{}, 0, nothing, nothing)
	require.Error(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = compare(ctx, Result{}, 1, nothing, nothing)
	require.ErrorIs(t, err, context.Canceled)
}

func TestTheBoardsRegionKeepsWithinThePicture(t *testing.T) {
	r := &photo.Report{Image: photo.Image{Width: 1000, Height: 800}}
	require.Equal(t, image.Rect(0, 0, 1000, 800), boardRegion(r))
	r.Calibration.RingsPx = []photo.RingPx{{CX: 500, CY: 400, A: 110, B: 80}, {CX: 500, CY: 400, A: 50, B: 40}}
	require.Equal(t, image.Rect(376, 276, 624, 524), boardRegion(r))
	r.Calibration.RingsPx[0].A = 5000
	require.Equal(t, image.Rect(0, 0, 1000, 800), boardRegion(r))
}

func TestTheReportKeepsTheContract(t *testing.T) {
	raw, err := json.Marshal(Report{Schema: Schema, Results: []Result{{Name: "photo/score", Unit: "ms", CPU: 400, FloorCPU: 100, Ratio: 4}}})
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(raw, &got))
	require.Equal(t, "crokcam.bench/1", got["schema"])
	first := got["results"].([]any)[0].(map[string]any)
	for _, key := range []string{"name", "unit", "wall", "cpu", "floor", "floor_cpu", "ratio"} {
		require.Contains(t, first, key)
	}
	var b bytes.Buffer
	require.NoError(t, WriteTable(&b, Report{Results: []Result{{Name: "photo/score", Ratio: 4}}}))
	require.Contains(t, b.String(), "4.00")
}

// spin uses the processor for d.
func spin(d time.Duration) {
	for start := usage.CPU(); usage.CPU()-start < d; {
	}
}
