package api_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/api"
	"crokcam/api/hall"
	"crokcam/internal/streamtest"
	"crokcam/internal/usage"
)

// large is a 12-megapixel JPEG without a board: the search for one is the dearest
// thing that a picture can cost.
func large(t testing.TB) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 4000, 3000))
	rng := rand.New(rand.NewPCG(1, 2))
	for y := 0; y < 3000; y += 40 {
		for x := 0; x < 4000; x += 40 {
			c := color.Gray{Y: uint8(rng.IntN(256))}
			for dy := range 40 {
				for dx := range 40 {
					img.SetGray(x+dx, y+dy, c)
				}
			}
		}
	}
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, img, nil))
	return b.Bytes()
}

// watching is how closely a table follows its camera.
type watching struct{ ages, gaps [2]time.Duration } // median and p95

// watched measures how closely a table follows its camera until done.
func watched[T any](t testing.TB, table hall.Table, done <-chan T) watching {
	t.Helper()
	var ages, gaps []time.Duration
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		select {
		case <-done:
		case <-ctx.Done():
		}
		stop()
	}()
	var seq uint64
	for last := time.Now(); ; {
		next, err := table.Wait(ctx, seq)
		if err != nil {
			break
		}
		now := time.Now()
		ages = append(ages, time.Duration(table.Status().Camera.Age*float64(time.Second)))
		gaps = append(gaps, now.Sub(last))
		seq, last = next, now
	}
	require.NotEmpty(t, gaps, "nothing was looked at")
	of := func(list []time.Duration) [2]time.Duration {
		slices.Sort(list)
		return [2]time.Duration{list[len(list)/2].Round(time.Millisecond), list[len(list)*95/100].Round(time.Millisecond)}
	}
	return watching{of(ages), of(gaps)}
}

// pictureOf is a ray-traced picture of a board.
func pictureOf(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../testdata/renders/" + name + ".jpg")
	require.NoError(t, err)
	return data
}

func TestFiftyLargePhotosAtOnceAreAllAnsweredAndCostWhatTheSettingsAllow(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out fifty pictures of 12 megapixels")
	}
	o := realOptions()
	o.Parallel, o.QueueTimeout, o.ScoreTimeout, o.PicturesPerMinute = 2, 2*time.Second, 30*time.Second, 0
	camera := streamtest.NewMJPEG(t, 30, [][]byte{pictureOf(t, "dev_02")})
	o.Boards = []hall.Board{{ID: "table-1", Source: camera.URL(), Preset: "auto", Open: true}}
	service, err := api.New(o)
	require.NoError(t, err)
	server := httptest.NewServer(service)
	defer server.Close()
	defer service.Close()
	require.NoError(t, service.Start(t.Context()))
	table, err := service.Hall().Table(t.Context(), "table-1")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return table.Status().Calibration != nil }, time.Minute, waitStep)
	alone := watched(t, table, time.After(2*time.Second))
	picture := large(t)
	usage.ResetPeak()
	had := usage.RSS()

	var all sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for range 50 {
		all.Go(func() {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/v1/photos", bytes.NewReader(picture))
			if err != nil {
				t.Error(err)
				return
			}
			a, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Error(err)
				return
			}
			defer a.Body.Close()
			mu.Lock()
			defer mu.Unlock()
			statuses[a.StatusCode]++
			if (a.StatusCode == http.StatusTooManyRequests || a.StatusCode == http.StatusServiceUnavailable) && a.Header.Get("Retry-After") == "" {
				t.Errorf("%d without saying when to come back", a.StatusCode)
			}
		})
	}
	answered := make(chan time.Time)
	go func() { all.Wait(); close(answered) }()
	busy := watched(t, table, answered)
	t.Logf("age of the newest frame when one is looked at, median and p95: %v without uploads, %v with them", alone.ages, busy.ages)
	t.Logf("from one look to the next, median and p95: %v without uploads, %v with them", alone.gaps, busy.gaps)
	require.True(t, table.Status().Camera.Connected, "the camera is not lost for it")
	grew := float64(usage.PeakRSS()-had) / (1 << 20)
	t.Logf("answers %v, memory grew by %.0f MB at most", statuses, grew)
	for status := range statuses {
		require.Contains(t, []int{200, 422, 429, 503}, status) // 422: there is no board in it
	}
	require.Positive(t, statuses[422], "some are scored")
	// Two at work at most, each some hundred megabytes, whatever waits at the door.
	require.Less(t, grew, 900.0)
}
