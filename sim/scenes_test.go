package sim_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/sim"
	"crokcam/sim/physics"
)

// club is the tournament board as clubs have it.
func club(t testing.TB) *sim.Table { return tableOf(t, board.Tournament26(), nil) }

// tableOf is a board with the club's physics, changed by edit.
func tableOf(t testing.TB, s board.Spec, edit func(*sim.Params)) *sim.Table {
	t.Helper()
	p, err := physics.ByName(physics.Default)
	require.NoError(t, err)
	if edit != nil {
		edit(&p)
	}
	table, err := sim.NewTable(s, p)
	require.NoError(t, err)
	return table
}

func at(x, y float64) board.Point { return board.Point{X: x, Y: y} }

// discs are discs of side B on the surface.
func discs(places ...board.Point) (s sim.Setup) {
	for _, p := range places {
		s.Board.Discs = append(s.Board.Discs, board.Disc{Point: p, Side: board.SideB})
	}
	return s
}

func far(a, b board.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// randomBoard is a board with n discs, none overlapping, and a shot from the
// south player's quadrant that meets some of them.
func randomBoard(r *rand.Rand, s board.Spec, n int) (sim.Setup, sim.Shot) {
	var start sim.Setup
	free := func(p board.Point) bool {
		for _, d := range start.Board.Discs {
			if far(p, d.Point) < 2*s.Disc.Radius+0.01 {
				return false
			}
		}
		for _, q := range s.PostCentres() {
			if far(p, q) < s.Disc.Radius+s.Posts.Diameter/2+0.01 {
				return false
			}
		}
		return true
	}
	place := func(low, high, from, to float64) board.Point {
		for {
			a, d := from+(to-from)*r.Float64(), math.Sqrt(low*low+(high*high-low*low)*r.Float64())
			if p := at(d*math.Cos(a), d*math.Sin(a)); free(p) {
				return p
			}
		}
	}
	for i := range n {
		p := place(20, s.Start.Inner()-s.Disc.Radius, 0, 2*math.Pi)
		start.Board.Discs = append(start.Board.Discs, board.Disc{Point: p, Side: board.SideA + board.Side(i%2)})
	}
	line := s.Start.Outer - s.Start.Width/2
	from := place(line, line, -3*math.Pi/4, -math.Pi/4)
	return start, sim.Shot{
		Side: board.SideA, From: from,
		Heading: math.Atan2(-from.Y, -from.X) + 0.6*(r.Float64()-0.5),
		Speed:   700 + 2300*r.Float64(),
		Spin:    20 * r.NormFloat64(),
	}
}
