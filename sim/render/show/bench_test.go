package show_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/internal/usage"
	"crokcam/sim/render/show"
)

// BenchmarkFrames is a match as the live source shows it. cpu-ms is the
// processor time of a frame, cores-at-30 the cores that 30 frames a second keep
// busy.
func BenchmarkFrames(b *testing.B) {
	for _, size := range [][2]int{{1280, 720}, {1920, 1080}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			c := show.Default()
			c.Width, c.Height, c.Hasty = size[0], size[1], true
			s, err := show.New(b.Context(), c)
			require.NoError(b, err)
			n, before := 0, usage.CPU()
			for b.Loop() {
				_, err := s.Next(b.Context())
				require.NoError(b, err)
				n++
			}
			ms := (usage.CPU() - before).Seconds() * 1000 / float64(n)
			b.ReportMetric(ms, "cpu-ms")
			b.ReportMetric(ms*30/1000, "cores-at-30")
		})
	}
}
