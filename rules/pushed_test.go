package rules

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
)

// The odds of a push against scatter are the likelihoods averaged over all ways
// and directions.
func TestPushedIsTheAverageOverAllWays(t *testing.T) {
	spec := board.Tournament26()
	l := linesOf(&spec, PrintedLine)
	for _, c := range []struct{ sigma, off float64 }{{0.5, 0}, {0.5, 1}, {0.5, 2.5}, {0.2, 1}, {2, 5}} {
		p := play{
			rs: Ruleset{Board: spec}, l: l, n: 1, sets: sets{on: 1}, b: []Outcome{{}, {}},
			before: []board.Disc{{Sigma: c.sigma}}, after: []board.Disc{{Point: board.Point{X: c.off}, Sigma: c.sigma}},
		}
		s, sum := c.sigma*math.Sqrt2, 0.0
		const way, turns = 0.01, 360
		for r := way / 2; r < c.off+10*s; r += way {
			for k := range turns {
				a := 2 * math.Pi * float64(k) / turns
				d2 := square(c.off-r*math.Cos(a)) + square(r*math.Sin(a))
				sum += way / l.surface / turns * math.Exp((square(c.off)-d2)/(2*s*s))
			}
		}
		require.InEpsilon(t, sum, p.pushed(0), 1e-3, "%v", c)
	}
}

// A disc is braced by the post that it lies before, on whichever side, and by no
// other.
func TestBraced(t *testing.T) {
	p := play{rs: Ruleset{Board: board.Tournament26()}}
	p.l = linesOf(&p.rs.Board, PrintedLine)
	touching := p.l.disc + p.rs.Board.Posts.Diameter/2
	for _, c := range p.rs.Board.PostCentres() {
		for k := range 12 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 6)
			at := func(gap float64) board.Point {
				return board.Point{X: c.X + (touching+gap)*cos, Y: c.Y + (touching+gap)*sin}
			}
			require.True(t, p.braced(at(0)))
			require.True(t, p.braced(at(3.9)))
			require.False(t, p.braced(at(4.1)))
		}
	}
	require.False(t, p.braced(board.Point{}))
	require.False(t, p.braced(board.Point{X: 200}))
	p.rs.Board.Posts.Count = 0
	require.False(t, p.braced(board.Point{X: 101.6}))
}
