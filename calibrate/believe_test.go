package calibrate_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/calibrate"
	"crokcam/calibrate/camera"
	"crokcam/internal/scenes"
)

func TestWhatIsNoBoardIsNotFound(t *testing.T) {
	things := scenes.NotBoards()
	for i, name := range slices.Sorted(maps.Keys(things)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := calibrate.Find(scenes.Photograph(things[name], scenes.Views[i%len(scenes.Views)]), calibrate.Options{})
			require.ErrorIs(t, err, calibrate.ErrNotFound, "%+v", c)
		})
	}
}

// A lamp in the middle makes a circle of its own there.
func TestABoardInWhoseMiddleALampIsMirroredIsFound(t *testing.T) {
	p := scenes.Photograph(scenes.Crokinole(scenes.Wood(scenes.Oak), 0, 0, 1, 0.3), scenes.Views[0])
	plain, err := calibrate.Find(p, calibrate.Options{})
	require.NoError(t, err)
	for y := range p.H {
		for x := range p.W {
			bx, by := plain.Camera.Unproject(float64(x), float64(y), 0)
			if math.Hypot(bx, by) < 68 {
				for ch := range 3 {
					p.Pix[3*(y*p.W+x)+ch] = 252
				}
			}
		}
	}
	shining, err := calibrate.Find(p, calibrate.Options{})
	require.NoError(t, err)
	require.InDelta(t, plain.Board.Ten.Outer, shining.Board.Ten.Outer, 2)
}

func centreOf(c *calibrate.Calibration) (u, v float64) { return c.Camera.Project(0, 0, 0) }

func TestOfTwoBoardsTheLargerIsFoundAndTheOtherTold(t *testing.T) {
	for name, at := range map[string]struct {
		view  scenes.View
		large float64 // mm to the right
	}{
		"the larger on the right, from above": {scenes.View{Noise: 3, Distance: 2500}, 430},
		"the larger on the left, from aslant": {scenes.View{Tilt: 30, Towards: 80, Noise: 3, Distance: 2500}, -430},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one := scenes.Crokinole(scenes.Wood(scenes.Oak), -at.large, 20, 0.8, 0.3)
			p := scenes.Photograph(scenes.Crokinole(one, at.large, -10, 1, 1.1), at.view)
			c, err := calibrate.Find(p, calibrate.Options{})
			require.NoError(t, err)
			u, _ := centreOf(c)
			require.Equal(t, at.large > 0, u > float64(p.W)/2)
			require.True(t, c.Two)
		})
	}
}

func TestABoardBesideOtherRoundThingsIsTheOnlyBoard(t *testing.T) {
	things := scenes.NotBoards()
	for _, name := range []string{"a dinner plate", "a smaller dartboard", "a cup on its saucer"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			beside := func(x, y float64) [3]float64 { return things[name](x+480, y) }
			p := scenes.Photograph(scenes.Crokinole(beside, 300, 0, 0.9, 0.2), scenes.View{Tilt: 15, Towards: 40, Noise: 3, Distance: 2300})
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
