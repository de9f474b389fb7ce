package ink

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

var red = color.RGBA{255, 0, 0, 255}

func TestARingIsHollow(t *testing.T) {
	c := New(100, 100, color.White)
	c.Ring(Ellipse(Point{50, 50}, 40, 20, 0), 4, red)
	require.Equal(t, red, c.RGBAAt(90, 50), "on the long axis")
	require.Equal(t, red, c.RGBAAt(50, 30), "on the short axis")
	require.Equal(t, color.RGBA{255, 255, 255, 255}, c.RGBAAt(50, 50), "inside")
	require.Equal(t, color.RGBA{255, 255, 255, 255}, c.RGBAAt(96, 50), "outside")
}

func TestWholeNumbersArePixelCentres(t *testing.T) {
	c := New(11, 11, color.Black)
	c.Circle(Point{5, 5}, 3, red)
	for d := range 5 {
		require.Equal(t, c.RGBAAt(5-d, 5), c.RGBAAt(5+d, 5))
		require.Equal(t, c.RGBAAt(5, 5-d), c.RGBAAt(5, 5+d))
	}
}

func TestWhatLiesOutsideIsCutOff(*testing.T) {
	c := New(40, 40, color.Black)
	for _, p := range []Point{{-20, 20}, {60, 60}, {1e9, 0}, {math.NaN(), 3}, {math.Inf(1), 3}} {
		c.Circle(p, 30, red)
		c.Ring(Ellipse(p, 30, 30, 0), 3, red)
		c.Dashes(Ellipse(p, 30, 30, 0), 8, 3, red)
		c.Line([]Point{p, {0, 0}}, 2, red)
		c.Text(p.X, p.Y, Left, 12, Bold, red, "20?")
	}
}

func TestTextIsAsWideAsItSays(t *testing.T) {
	require.Greater(t, Width(20, Bold, "20?"), Width(20, Bold, "20"))
	require.InDelta(t, 2*Width(20, Regular, "15"), Width(40, Regular, "15"), 0.5)
	c := New(200, 50, color.Black)
	c.Text(100, 40, Centre, 30, Bold, red, "100")
	left, right := 200, 0
	for x := range 200 {
		for y := range 50 {
			if c.RGBAAt(x, y).R > 128 {
				left, right = min(left, x), max(right, x)
			}
		}
	}
	require.InDelta(t, 100, float64(left+right)/2, 3)
	require.InDelta(t, Width(30, Bold, "100"), float64(right-left), 6)
}
