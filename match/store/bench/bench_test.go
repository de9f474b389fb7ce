package bench_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/match/store/bench"
)

func TestCommitsAreMeasuredBesideTheirFloor(t *testing.T) {
	dir := t.TempDir()
	r, err := bench.Commits(t.Context(), dir, 1)
	require.NoError(t, err)
	require.Equal(t, "store/commits", r.Name)
	require.Positive(t, r.CPU)
	require.Positive(t, r.FloorWall)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	_, err = bench.Commits(t.Context(), dir+"/none", 1)
	require.ErrorIs(t, err, os.ErrNotExist)
}
