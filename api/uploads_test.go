package api_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/api"
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

func TestFiftyLargePhotosAtOnceAreAllAnsweredAndCostWhatTheSettingsAllow(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out fifty pictures of 12 megapixels")
	}
	o := realOptions()
	o.Parallel, o.QueueTimeout, o.ScoreTimeout, o.PicturesPerMinute = 2, 500*time.Millisecond, 30*time.Second, 0
	service, err := api.New(o)
	require.NoError(t, err)
	server := httptest.NewServer(service)
	defer server.Close()
	defer service.Close()
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
	all.Wait()
	grew := float64(usage.PeakRSS()-had) / (1 << 20)
	t.Logf("answers %v, memory grew by %.0f MB at most", statuses, grew)
	for status := range statuses {
		require.Contains(t, []int{200, 422, 429, 503}, status) // 422: there is no board in it
	}
	require.Positive(t, statuses[422], "some are scored")
	// Two at work, each some hundred megabytes, whatever waits at the door.
	require.Less(t, grew, 900.0)
}
