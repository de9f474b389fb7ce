package capture

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAFramesPlanesLieBehindEachOther(t *testing.T) {
	var f Frame
	for _, c := range []struct{ w, h, chroma int }{{4, 2, 2}, {5, 3, 6}, {1, 1, 1}, {640, 480, 320 * 240}} {
		require.NoError(t, f.SetSize(c.w, c.h))
		require.Len(t, f.Y, c.w*c.h)
		require.Len(t, f.U, c.chroma)
		require.Len(t, f.V, c.chroma)
		require.Len(t, f.Pix, c.w*c.h+2*c.chroma)
		f.V[c.chroma-1] = 77
		require.Equal(t, uint8(77), f.Pix[len(f.Pix)-1])
	}
}

func TestAFrameOfNoPossibleSizeIsRefused(t *testing.T) {
	var f Frame
	for _, size := range [][2]int{{0, 4}, {4, 0}, {-1, 4}, {1 << 20, 1}, {16000, 16000}} {
		require.Error(t, f.SetSize(size[0], size[1]), "%v", size)
	}
	require.Error(t, f.Put(make([]byte, 11), 2, 2, BGR))
	require.Error(t, f.Put(make([]byte, 12), 2, 2, "nv12"))
}

// A plain picture of any colour and size comes back as it was, to within what
// eight bits of YUV can hold.
func TestAColourSurvivesTheFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 9).Draw(t, "w"), rapid.IntRange(1, 9).Draw(t, "h")
		c := color.RGBA{rapid.Byte().Draw(t, "r"), rapid.Byte().Draw(t, "g"), rapid.Byte().Draw(t, "b"), 255}
		for format, bytes := range map[PixelFormat][]byte{
			BGR: {c.B, c.G, c.R}, RGB: {c.R, c.G, c.B}, RGBA: {c.R, c.G, c.B, 9},
		} {
			pix := make([]byte, 0, w*h*len(bytes))
			for range w * h {
				pix = append(pix, bytes...)
			}
			var f Frame
			require.NoError(t, f.Put(pix, w, h, format))
			for i, y := range f.Y {
				r, g, b := back(y, f.U[i/w/2*((w+1)/2)+i%w/2], f.V[i/w/2*((w+1)/2)+i%w/2])
				require.InDelta(t, float64(c.R), r, 3, format)
				require.InDelta(t, float64(c.G), g, 3, format)
				require.InDelta(t, float64(c.B), b, 3, format)
			}
		}
	})
}

// back is the colour of BT.601 values of 16 to 235 (ITU-R BT.601, 2.5.3).
func back(y, u, v uint8) (r, g, b float64) {
	l, cb, cr := (float64(y)-16)/219, (float64(u)-128)/224, (float64(v)-128)/224
	r, b = l+1.402*cr, l+1.772*cb
	g = (l - 0.299*r - 0.114*b) / 0.587
	clip := func(x float64) float64 { return math.Max(0, math.Min(255, 255*x)) }
	return clip(r), clip(g), clip(b)
}

func TestAGreyPictureIsTakenAsItIs(t *testing.T) {
	var f Frame
	require.NoError(t, f.Put([]byte{0, 255, 7, 8, 9, 10}, 3, 2, Gray))
	require.Equal(t, []byte{0, 255, 7, 8, 9, 10, 128, 128, 128, 128}, f.Pix)
	require.True(t, f.FullRange)
	var g Frame
	require.NoError(t, g.Put(f.Pix, 3, 2, I420))
	require.Equal(t, f.Pix, g.Pix)
	require.False(t, g.FullRange)
}

func TestAReleasedFrameIsUsedAgain(t *testing.T) {
	var p pool
	f := p.get()
	require.NoError(t, noisy(f, 1))
	first := &f.Pix[0]
	f.Release()
	f.Release() // twice does no harm
	g, other := p.get(), p.get()
	require.NotSame(t, g, other)
	require.NoError(t, noisy(g, 2))
	require.Same(t, first, &g.Pix[0])
}
