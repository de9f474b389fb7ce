package sim_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/sim"
	"crokcam/sim/bench"
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

// randomBoard is a board with n discs and a shot at some of them.
func randomBoard(r *rand.Rand, s board.Spec, n int) (sim.Setup, sim.Shot) {
	return bench.Board(r, s, n)
}
