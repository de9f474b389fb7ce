package show_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/internal/usage"
	"crokcam/sim/render/photos"
	"crokcam/sim/render/show"
)

// BenchmarkFrames is ten seconds of a match as the live source shows it, in every
// kind of light and, under a window's wide one, with arms that come in from
// several sides: their shade can lie over the whole picture. fps is frames a
// second, cpu-ms the processor time of a frame.
func BenchmarkFrames(b *testing.B) {
	const frames = 300
	run := func(w, h int, light string, seed uint64) {
		b.Run(fmt.Sprintf("%dx%d/%s/%d", w, h, light, seed), func(b *testing.B) {
			c := show.Default()
			c.Width, c.Height, c.Light, c.Seed, c.Hasty = w, h, light, seed, true
			s, err := show.New(b.Context(), c)
			require.NoError(b, err)
			n, before := 0, usage.CPU()
			for b.Loop() {
				for range frames {
					_, err := s.Next(b.Context())
					require.NoError(b, err)
					n++
				}
			}
			b.ReportMetric((usage.CPU()-before).Seconds()*1000/float64(n), "cpu-ms")
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "fps")
			b.ReportMetric(0, "ns/op")
		})
	}
	for _, light := range photos.Lights {
		run(1280, 720, light, 1)
	}
	for _, seed := range []uint64{5, 9, 14} {
		run(1280, 720, "window", seed)
	}
	run(1920, 1080, "window", 1)
	run(1920, 1080, "window", 5)
}
