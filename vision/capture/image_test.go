package capture

import (
	"image/color"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAFramesImageHasItsColours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := color.RGBA{rapid.Byte().Draw(t, "r"), rapid.Byte().Draw(t, "g"), rapid.Byte().Draw(t, "b"), 255}
		var f Frame
		require.NoError(t, f.Put([]byte{c.R, c.G, c.B, c.R, c.G, c.B}, 2, 1, RGB))
		near(t, c, f.Image().At(1, 0), 4)
	})
}

// However a video mixes its colours, they come out the same.
func TestAVideosImageHasItsColours(t *testing.T) {
	dir := t.TempDir()
	for name, args := range map[string][]string{
		"601.mp4":  {"-vf", "scale=out_color_matrix=bt601:out_range=tv,format=yuv420p", "-colorspace", "smpte170m", "-color_range", "tv"},
		"709.mp4":  {"-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace", "bt709", "-color_range", "tv"},
		"full.mp4": {"-vf", "scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p", "-colorspace", "smpte170m", "-color_range", "pc"},
	} {
		args = append([]string{"-f", "lavfi", "-i", "color=0xc07830:s=64x64:d=0.2,format=rgb24", "-c:v", "libx264", "-qp", "0"}, args...)
		s := open(t, ffmpeg(t, filepath.Join(dir, name), args...), Options{})
		f := next(t, s)
		near(t, color.RGBA{0xc0, 0x78, 0x30, 255}, f.Image().At(30, 30), 4)
		f.Release()
	}
}

func near(t require.TestingT, want color.RGBA, got color.Color, within float64) {
	r, g, b, _ := got.RGBA()
	require.InDelta(t, float64(want.R), float64(r>>8), within)
	require.InDelta(t, float64(want.G), float64(g>>8), within)
	require.InDelta(t, float64(want.B), float64(b>>8), within)
}
