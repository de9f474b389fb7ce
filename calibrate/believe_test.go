package calibrate_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/calibrate/camera"
)

func TestWhatIsNoBoardIsNotFound(t *testing.T) {
	scenes := notBoards()
	for i, name := range slices.Sorted(maps.Keys(scenes)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := calibrate.Find(photograph(scenes[name], views[i%len(views)]), calibrate.Options{})
			require.ErrorIs(t, err, calibrate.ErrNotFound, "%+v", c)
		})
	}
}

// crokinole is a board about a place, with its posts and a few discs.
func crokinole(ground paint, x0, y0, size, turn float64) paint {
	spec := board.Tournament26()
	posts := spec.PostCentres()
	discs := []board.Point{{X: 60, Y: 40}, {X: -150, Y: 20}, {X: 40, Y: -250}, {X: -90, Y: 140}, {X: 210, Y: 130}}
	sin, cos := math.Sincos(turn)
	return func(xt, yt float64) [3]float64 {
		x, y := (xt-x0)/size, (yt-y0)/size
		x, y = x*cos+y*sin, y*cos-x*sin
		r := math.Hypot(x, y)
		for i, d := range discs {
			if math.Hypot(x-d.X, y-d.Y) < spec.Disc.Radius {
				return [][3]float64{black, red}[i%2]
			}
		}
		for _, p := range posts {
			if math.Hypot(x-p.X, y-p.Y) < spec.Posts.Diameter/2 {
				return black
			}
		}
		for _, line := range []board.Ring{spec.Fifteen, spec.Ten, spec.Start} {
			if r > line.Inner() && r < line.Outer {
				return black
			}
		}
		across := min(math.Abs(x-y), math.Abs(x+y)) / math.Sqrt2
		switch {
		case r < spec.Hole.Radius:
			return [3]float64{30, 60, 90}
		case r > spec.Ten.Outer && r < spec.Start.Inner() && across < 0.8:
			return black
		case r < spec.Surface:
			return [3]float64{130, 190, 225}
		case r < spec.Surface+spec.Ditch:
			return [3]float64{50, 90, 120}
		case r < spec.Surface+spec.Ditch+20:
			return [3]float64{35, 60, 85}
		}
		return ground(xt, yt)
	}
}

func centreOf(c *calibrate.Calibration) (u, v float64) { return c.Camera.Project(0, 0, 0) }

func TestOfTwoBoardsTheLargerIsFoundAndTheOtherTold(t *testing.T) {
	for name, at := range map[string]struct {
		view  view
		large float64 // mm to the right
	}{
		"the larger on the right, from above": {view{0, 0, 3, 0, 2500}, 430},
		"the larger on the left, from aslant": {view{30, 80, 3, 0, 2500}, -430},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one := crokinole(wood(oak), -at.large, 20, 0.8, 0.3)
			p := photograph(crokinole(one, at.large, -10, 1, 1.1), at.view)
			c, err := calibrate.Find(p, calibrate.Options{})
			require.NoError(t, err)
			u, _ := centreOf(c)
			require.Equal(t, at.large > 0, u > float64(p.W)/2)
			require.True(t, c.Two)
		})
	}
}

func TestABoardBesideOtherRoundThingsIsTheOnlyBoard(t *testing.T) {
	scenes := notBoards()
	for _, name := range []string{"a dinner plate", "a smaller dartboard", "a cup on its saucer"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			beside := func(x, y float64) [3]float64 { return scenes[name](x+480, y) }
			p := photograph(crokinole(beside, 300, 0, 0.9, 0.2), view{15, 40, 3, 0, 2300})
			c, err := calibrate.Find(p, calibrate.Options{})
			require.NoError(t, err)
			u, _ := centreOf(c)
			require.Greater(t, u, float64(p.W)/2)
			require.False(t, c.Two)
		})
	}
}

func TestHalfABoardIsEitherRightOrNotFound(t *testing.T) {
	for _, name := range []string{"dev_02", "dev_07"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := picture(t, name)
			truth := truthOf(t, name)
			u, _ := truth.Project(0, 0, 0)
			half := *p
			half.W = int(u*p.Scale) + 12
			half.Pix = nil
			for v := range p.H {
				half.Pix = append(half.Pix, p.Pix[3*v*p.W:3*(v*p.W+half.W)]...)
			}
			c, err := calibrate.Find(&half, calibrate.Options{})
			if err != nil {
				require.ErrorIs(t, err, calibrate.ErrNotFound)
				return
			}
			requireSame(t, truth, c.Camera)
		})
	}
}

// requireSame wants two cameras to see the starting line in the same place.
func requireSame(t *testing.T, truth, c camera.Camera) {
	t.Helper()
	for i := range 36 {
		s, k := math.Sincos(float64(i) * math.Pi / 18)
		u, v := truth.Project(304*k, 304*s, 0)
		if u < float64(c.Width) {
			x, y := c.Unproject(u, v, 0)
			require.InDelta(t, 304, math.Hypot(x, y), 3)
		}
	}
}
