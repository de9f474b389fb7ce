package bench_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/sim"
	"crokcam/sim/bench"
	"crokcam/sim/physics"
)

func table(t testing.TB) *sim.Table {
	t.Helper()
	p, err := physics.ByName(physics.Default)
	require.NoError(t, err)
	table, err := sim.NewTable(board.Tournament26(), p)
	require.NoError(t, err)
	return table
}

func TestShotsAreMeasuredAgainstEmptyBoards(t *testing.T) {
	r, err := bench.Shots(t.Context(), table(t), 1)
	require.NoError(t, err)
	require.Equal(t, "physics/shots", r.Name)
	require.Equal(t, "ms", r.Unit)
	require.Positive(t, r.CPU)
	require.InDelta(t, 20_000*1000/r.CPU, r.PerSecond, 1e-6)
	require.Greater(t, r.Ratio, 1.0, "twelve discs cost more than none")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = bench.Shots(ctx, table(t), 1)
	require.ErrorIs(t, err, context.Canceled)
}
