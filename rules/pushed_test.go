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
	l := linesOf(new(board.Tournament26()), PrintedLine)
	for _, c := range []struct{ sigma, off float64 }{{0.5, 0}, {0.5, 1}, {0.5, 2.5}, {0.2, 1}, {2, 5}} {
		p := play{
			l: l, n: 1, sets: sets{on: 1}, b: []Outcome{{}, {}},
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
