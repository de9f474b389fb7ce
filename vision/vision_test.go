package vision

import (
	"math"
	"testing"

	"crokcam/board"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestATopLeadsBackToItsFoot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coord := rapid.Float64Range(-330, 330)
		p := &plan{
			nadir:  board.Point{X: coord.Draw(t, "nadir x"), Y: coord.Draw(t, "nadir y")},
			height: rapid.Float64Range(300, 3000).Draw(t, "height"),
		}
		foot := board.Point{X: coord.Draw(t, "x"), Y: coord.Draw(t, "y")}
		h := rapid.Float64Range(0, 15).Draw(t, "thickness")
		s := p.shape(foot, 15.9, h)
		back := p.footUnder(s.centre(), h)
		require.InDelta(t, foot.X, back.X, 1e-9)
		require.InDelta(t, foot.Y, back.Y, 1e-9)
	})
}

func TestTheSilhouetteHoldsFootAndTop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &plan{nadir: board.Point{X: rapid.Float64Range(-900, 900).Draw(t, "nadir")}, height: 800}
		s := p.shape(board.Point{X: 100, Y: -40}, 15.9, 10)
		top := s.centre()
		sn, cs := math.Sincos(rapid.Float64Range(0, 2*math.Pi).Draw(t, "direction"))
		d := s.hull(cs, sn)
		require.GreaterOrEqual(t, d, s.top, "the top's own rim is inside")
		x, y := top.X+d*cs, top.Y+d*sn
		onTop := math.Abs(d-s.top) < 1e-9
		onFoot := math.Abs(math.Hypot(x-s.foot.X, y-s.foot.Y)-s.r) < 1e-9
		require.True(t, onTop || onFoot, "it ends on one of the two circles")
	})
}

func TestSidesAreToldApartByColour(t *testing.T) {
	dark, light := [3]float64{25, 2, 4}, [3]float64{78, 6, 22}
	near := func(c [3]float64, by float64) [3]float64 { return [3]float64{c[0] + by, c[1] + by/3, c[2] - by/2} }

	t.Run("two woods in uneven light are two sides", func(t *testing.T) {
		g := divide(0, [][3]float64{dark, near(dark, 6), light, near(light, -8), near(dark, 3)})
		require.Len(t, g.centres, 2)
		require.Equal(t, g.of[0], g.of[1])
		require.Equal(t, g.of[0], g.of[4])
		require.Equal(t, g.of[2], g.of[3])
		require.NotEqual(t, g.of[0], g.of[2])
	})
	t.Run("one colour is one side", func(t *testing.T) {
		require.Len(t, divide(0, [][3]float64{dark, near(dark, 6), near(dark, -3)}).centres, 1)
	})
	t.Run("no disc is no side", func(t *testing.T) {
		require.Empty(t, divide(0, nil).centres)
	})
	t.Run("a disc that a lamp washes out keeps its side", func(t *testing.T) {
		blue, red := [3]float64{55, 18, -57}, [3]float64{57, 55, 30}
		washed := [3]float64{85, 5, -18}
		g := divide(0, [][3]float64{blue, near(blue, 3), red, near(red, 4), washed})
		require.Equal(t, g.of[0], g.of[4])
	})
	t.Run("what has the colour of neither side is a stranger", func(t *testing.T) {
		blue := [3]float64{61, -5, -40}
		both := [][3]float64{dark, near(dark, 6), light, blue, near(light, -8), near(dark, 3)}
		require.Equal(t, 3, stranger(both, both))
		require.Equal(t, -1, stranger(without(both, 3)), "both sides are at home")
		require.Equal(t, -1, stranger([][3]float64{dark, near(dark, 6), near(dark, 2), near(dark, 4), light}), "a side may have one disc left")
	})
}
