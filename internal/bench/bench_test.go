package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/internal/usage"
)

func TestTimesAreMediansOfTurns(t *testing.T) {
	var order []string
	r, err := Compare(t.Context(), Result{Name: "job", Floor: "floor"}, 3,
		func() error { order = append(order, "job"); spin(30 * time.Millisecond); return nil },
		func() error { order = append(order, "floor"); spin(10 * time.Millisecond); return nil })
	require.NoError(t, err)
	require.Equal(t, []string{"floor", "job", "floor", "job", "floor", "job"}, order)
	require.InDelta(t, 3, r.Ratio, 1)
	require.Equal(t, 2.0, median([]float64{9, 1, 2}))
	require.Equal(t, 3.0, median([]float64{1, 4, 2, 9}))
}

func TestFailuresAreNamed(t *testing.T) {
	bad := errors.New("no board")
	nothing := func() error { return nil }
	fails := func() error { return bad }
	_, err := Compare(t.Context(), Result{Name: "job"}, 1, fails, nothing)
	require.ErrorIs(t, err, bad)
	require.ErrorContains(t, err, "job")
	_, err = Compare(t.Context(), Result{Floor: "the floor"}, 1, nothing, fails)
	require.ErrorIs(t, err, bad)
	require.ErrorContains(t, err, "the floor")

	_, err = Compare(t.Context(), Result{}, 0, nothing, nothing)
	require.Error(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Compare(ctx, Result{}, 1, nothing, nothing)
	require.ErrorIs(t, err, context.Canceled)
}

func TestTheReportKeepsTheContract(t *testing.T) {
	raw, err := json.Marshal(Report{Schema: Schema, Results: []Result{{Name: "photo/score", Unit: "ms", CPU: 400, FloorCPU: 100, Ratio: 4}}})
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(raw, &got))
	require.Equal(t, "crokcam.bench/1", got["schema"])
	first := got["results"].([]any)[0].(map[string]any)
	for _, key := range []string{"name", "unit", "wall", "cpu", "floor", "floor_cpu", "ratio"} {
		require.Contains(t, first, key)
	}
	var b bytes.Buffer
	require.NoError(t, WriteTable(&b, Report{Results: []Result{{Name: "photo/score", Ratio: 4}}}))
	require.Contains(t, b.String(), "4.00")
}

// spin uses the processor for d.
func spin(d time.Duration) {
	for start := usage.CPU(); usage.CPU()-start < d; {
	}
}
