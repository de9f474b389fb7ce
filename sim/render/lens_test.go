package render

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// dot is a film with one bright pixel in the middle.
func dot() *film {
	f := newFilm(31, 31)
	f.pix[15*31+15] = light{1, 1, 1}
	return f
}

// spread is how far light lies from the middle (standard deviation, px) along x
// and along y, and how much there is.
func spread(f *film) (sx, sy, sum float64) {
	for i, c := range f.pix {
		dx, dy := float64(i%f.w-15), float64(i/f.w-15)
		sum += float64(c[1])
		sx += float64(c[1]) * dx * dx
		sy += float64(c[1]) * dy * dy
	}
	return math.Sqrt(sx / sum), math.Sqrt(sy / sum), sum
}

func TestALensSpreadsLightAndLosesNone(t *testing.T) {
	soft := newFilm(31, 31)
	dot().blur(1.5, soft, box{0, 0, 31, 31})
	sx, sy, sum := spread(soft)
	require.InDelta(t, 1, sum, 1e-4)
	require.InDelta(t, 1.5, sx, 0.1)
	require.InDelta(t, sx, sy, 1e-5)

	// In pieces it is the same as in one.
	pieces := newFilm(31, 31)
	for _, b := range []box{{0, 0, 16, 16}, {16, 0, 31, 16}, {0, 16, 16, 31}, {16, 16, 31, 31}} {
		dot().blur(1.5, pieces, b)
	}
	require.Equal(t, soft.pix, pieces.pix)

	shaken := newFilm(31, 31)
	dot().shake([2]float64{6, 0}, shaken)
	sx, sy, sum = spread(shaken)
	require.InDelta(t, 1, sum, 1e-4)
	require.InDelta(t, 6/math.Sqrt(12), sx, 0.15, "evenly along the way")
	require.InDelta(t, 0, sy, 1e-6)
}

func TestTheToneCurveRisesFromBlackToWhite(t *testing.T) {
	f := newFilm(8, 8)
	d := newDeveloper(Lens{Contrast: 0.4}, f, box{0, 0, 8, 8})
	last := float32(-1)
	for v := float32(0); v < 5; v += 0.0005 {
		c := d.curve(v)
		require.GreaterOrEqual(t, c, last)
		require.LessOrEqual(t, c, float32(255))
		last = c
	}
	require.Zero(t, d.curve(0))
	require.Greater(t, last, float32(253))
	require.InDelta(t, 118, newDeveloper(Lens{}, f, box{}).curve(0.18), 2, "a grey card is middle grey")
}

func TestTheMeterBringsTheBoardToTheExposure(t *testing.T) {
	f := newFilm(64, 64)
	for i := range f.pix {
		f.pix[i] = light{0.03, 0.03, 0.03}
	}
	d := newDeveloper(Lens{Exposure: 0.2}, f, box{0, 0, 64, 64})
	want := newDeveloper(Lens{}, f, box{}).curve(0.2)
	require.InDelta(t, want, d.at(f.pix[0], 32, 32)[0], 12)
}
