package capture

import (
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/internal/usage"
)

func TestFramesInSteadyStateAllocateNothing(t *testing.T) {
	s := open(t, ffmpeg(t, filepath.Join(t.TempDir(), "x.mp4"), "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=10", "-preset", "ultrafast"), Options{})
	for range 30 {
		next(t, s).Release()
	}
	ctx := t.Context()
	require.Zero(t, testing.AllocsPerRun(200, func() {
		f, err := s.Next(ctx)
		if err != nil {
			t.Error(err)
			return
		}
		f.Release()
	}))
}

// BenchmarkDecode measures what a frame of a 1080p video costs from file to
// planes, the decoder included, beside ffmpeg decoding the same and throwing it
// away; they take turns.
func BenchmarkDecode(b *testing.B) {
	for format, args := range map[string][]string{
		"h264":  {"-c:v", "libx264", "-preset", "veryfast"},
		"mjpeg": {"-c:v", "mjpeg", "-q:v", "4"},
	} {
		b.Run(format+"/1080p", func(b *testing.B) {
			const frames = 150
			file := ffmpeg(b, filepath.Join(b.TempDir(), "x.mkv"), append([]string{"-f", "lavfi", "-i", fmt.Sprintf("testsrc2=s=1920x1080:r=30:d=%d", frames/30)}, args...)...)
			b.ReportAllocs()
			var ours, floor time.Duration
			for b.Loop() {
				ours += cpu(func() { require.Equal(b, frames, drain(b, file)) })
				floor += cpu(func() {
					require.NoError(b, exec.CommandContext(b.Context(), "ffmpeg", "-nostdin", "-loglevel", "error", "-i", file, "-f", "null", "-").Run())
				})
			}
			n := float64(b.N * frames)
			b.ReportMetric(ours.Seconds()*1000/n, "cpu-ms/frame")
			b.ReportMetric(floor.Seconds()*1000/n, "floor-cpu-ms/frame")
			b.ReportMetric(float64(ours)/float64(floor), "ratio")
		})
	}
}

func cpu(f func()) time.Duration {
	before := usage.CPU()
	f()
	return usage.CPU() - before
}

// drain reads a source to its end and tells how many frames there were.
func drain(b *testing.B, name string) int {
	s, err := Open(b.Context(), name, Options{})
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	for n := 0; ; n++ {
		f, err := s.Next(b.Context())
		if err != nil {
			require.ErrorIs(b, err, io.EOF)
			return n
		}
		f.Release()
	}
}

// BenchmarkHealth measures looking at a 1080p frame.
func BenchmarkHealth(b *testing.B) {
	var f Frame
	require.NoError(b, f.SetSize(1920, 1080))
	for i := range f.Y {
		f.Y[i] = byte(i * 7)
	}
	var w watch
	w.restart()
	b.ReportAllocs()
	for b.Loop() {
		w.look(&f)
	}
}

// BenchmarkPut measures making a 1080p frame of a colour picture.
func BenchmarkPut(b *testing.B) {
	var f Frame
	pix := make([]byte, 1920*1080*3)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, f.Put(pix, 1920, 1080, BGR))
	}
}
