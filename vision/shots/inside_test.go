package shots

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
	"crokcam/vision/capture"
)

func disc(side board.Side, x, y float64) Disc {
	return Disc{Disc: board.Disc{Point: board.Point{X: x, Y: y}, Side: side, Sigma: 0.5, Confidence: 1}}
}

func TestDiscsAreKnownByTheirPlaceAndThenByTheirSide(t *testing.T) {
	const a, b = board.SideA, board.SideB
	for name, c := range map[string]struct {
		before, after []Disc
		want          difference
	}{
		"nothing": {want: difference{became: []int{}, sure: true}},
		"a disc comes": {
			[]Disc{disc(a, 0, 100)}, []Disc{disc(b, 50, 0), disc(a, 0.4, 100)},
			difference{became: []int{1}, came: []int{0}, sure: true},
		},
		"a disc leaves": {
			[]Disc{disc(a, 0, 100), disc(b, 10, 10)}, []Disc{disc(b, 10, 10)},
			difference{became: []int{Gone, 0}, left: []int{0}, sure: true},
		},
		"the other side's disc is moved by the one that comes": {
			[]Disc{disc(a, 0, 100)}, []Disc{disc(a, 0, 150), disc(b, 0, 90)},
			difference{became: []int{0}, came: []int{1}, moved: []int{0}, sure: true},
		},
		"of two of a side it cannot be told which came": {
			[]Disc{disc(a, 0, 100)}, []Disc{disc(a, 0, 150), disc(a, 0, 90)},
			difference{became: []int{1}, came: []int{0}, moved: []int{0}, sure: false},
		},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, compareDiscs(c.before, c.after, nil)) })
	}
}

// However a picture is lit, the light is found although part of it has changed.
func TestTheLightIsFoundBesideWhatHasChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 2000
		var c changes
		c.restart(n)
		gain, offset := rapid.Float32Range(0.6, 1.5).Draw(t, "gain"), rapid.Float32Range(-15, 15).Draw(t, "offset")
		hidden := rapid.IntRange(0, n/5).Draw(t, "hidden")
		was, is := make([]float32, n), make([]float32, n)
		for i := range was {
			was[i] = 30 + float32(i*7919%1409)/10
			is[i] = gain*was[i] + offset
			if i < hidden {
				is[i] = 60
			}
		}
		l := c.lightBetween(was, is)
		require.InDelta(t, gain, l.gain, 0.02)
		require.InDelta(t, gain*100+offset, l.gain*100+l.offset, 1)
	})
}

func TestAShotIsWhatFliesFarFromTheStartingLine(t *testing.T) {
	const startLine = 304.8
	tick := func(k int) time.Duration { return time.Duration(k) * time.Second / 30 }
	var f flight
	for k := range 14 { // one lies where it was vacated, one flies and turns, one creeps
		x := min(float64(k)*30, 180)
		y := max(0, float64(k)*30-180)
		f.see(tick(k), []board.Point{{X: -100, Y: 50}, {X: x - 280, Y: y}, {X: 100, Y: 100 + float64(k)}})
	}
	shot := f.shooter(startLine)
	require.NotNil(t, shot)
	require.Greater(t, shot.reach, 180.0)
	require.Zero(t, shot.start().at)

	for name, at := range map[string]func(k float64) board.Point{
		"what lies still":                   func(float64) board.Point { return board.Point{X: -280} },
		"a finger that leaves the middle":   func(k float64) board.Point { return board.Point{X: 12 * k, Y: 10} },
		"what is pushed over the line":      func(k float64) board.Point { return board.Point{X: -300 + 6*k} },
		"what comes and goes in two frames": func(k float64) board.Point { return board.Point{X: -300 + 400*float64(int(k)%2)} },
	} {
		f.restart()
		for k := range 14 {
			f.see(tick(k), []board.Point{at(float64(k))})
		}
		require.Nil(t, f.shooter(startLine), name)
	}
}

func TestSquaresAreMeans(t *testing.T) {
	for _, size := range [][2]int{{640, 360}, {1280, 720}, {1920, 1080}, {641, 481}} {
		var f capture.Frame
		require.NoError(t, f.SetSize(size[0], size[1]))
		for i := range f.Y {
			f.Y[i] = byte(i * 31 % 251)
		}
		var g grid
		g.fit(&f)
		out := make([]float32, g.w*g.h)
		g.shrink(&f, out)
		for _, k := range []int{0, g.w - 1, len(out) / 2, len(out) - 1} {
			sum := 0
			for y := range g.size {
				for x := range g.size {
					sum += int(f.Y[(k/g.w*g.size+y)*f.Width+k%g.w*g.size+x])
				}
			}
			require.InDelta(t, float64(sum)/float64(g.size*g.size), out[k], 1e-3)
		}
	}
}
