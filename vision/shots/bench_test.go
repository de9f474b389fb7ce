package shots_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/internal/usage"
	"crokcam/sim/render/show"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// BenchmarkQuiet is a frame in which nothing happens. cpu-ms is the processor
// time of one, own part: decoding is left out.
func BenchmarkQuiet(b *testing.B) {
	for name, size := range map[string][2]int{"720p": {1280, 720}, "1080p": {1920, 1080}} {
		b.Run(name, func(b *testing.B) {
			c := show.Default()
			c.Width, c.Height, c.Hasty, c.View = size[0], size[1], true, "overhead"
			s, err := show.New(b.Context(), c)
			require.NoError(b, err)
			var frames [2]capture.Frame
			for i := range frames {
				p, err := s.Next(b.Context())
				require.NoError(b, err)
				require.NoError(b, frames[i].Put(p.I420, p.W, p.H, capture.I420))
				frames[i].Session, frames[i].Health.High = 1, 1
			}
			w := shots.New(shots.Options{})
			at := time.Duration(0)
			next := func() {
				f := &frames[int(at/period)%2]
				f.At = at
				at += period
				_, err := w.Frame(f)
				require.NoError(b, err)
			}
			for range 30 {
				next()
			}
			state, _ := w.State()
			require.Equal(b, shots.Idle, state)
			n, before := 0, usage.CPU()
			for b.Loop() {
				next()
				n++
			}
			b.ReportMetric((usage.CPU()-before).Seconds()*1000/float64(n), "cpu-ms")
		})
	}
}
