package trial_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	profiles "crokcam/configs/rules"
	"crokcam/rules"
	"crokcam/rules/profile"
	"crokcam/sim"
	"crokcam/sim/physics"
	"crokcam/sim/trial"
)

func config(t *testing.T, name string, shots int) trial.Config {
	t.Helper()
	p, err := physics.ByName(physics.Default)
	require.NoError(t, err)
	table, err := sim.NewTable(board.Tournament26(), p)
	require.NoError(t, err)
	set, err := profile.Load(profiles.FS)
	require.NoError(t, err)
	f, err := set[name].Format(rules.TwoPlayers)
	require.NoError(t, err)
	return trial.Config{Table: table, Format: f, Shots: shots, Skill: 0.7, Noise: 0.5, Seed: 7}
}

// The judge who saw everything is always sure. From noisy snapshots it is sure
// less often, the less it knows beside, and hardly ever wrong when it is.
func TestSureVerdictsAgree(t *testing.T) {
	for _, rs := range []string{"nca", "mayday", "woodworkers"} {
		told := 0
		r, err := trial.Run(t.Context(), config(t, rs, 3000), func() { told++ })
		require.NoError(t, err)
		require.Equal(t, 3000, r.Shots)
		require.Equal(t, r.Shots, told)
		require.Zero(t, r.Unsure, rs)
		last := -1
		for _, v := range r.Views {
			t.Logf("%s, %s: %d sure, %d flagged, %d unclear, agreement %.4f", rs, v.Name, v.BothSure, v.Flagged, v.Unclear, v.Agreement())
			require.Zero(t, v.Desynced, "%s: %s", rs, v.Name)
			require.Equal(t, r.Shots, v.BothSure+v.Flagged+v.Unclear)
			require.GreaterOrEqual(t, v.BothSure, last)
			last = v.BothSure
			require.GreaterOrEqual(t, v.Agreement(), 0.998, "%s: %s: %v", rs, v.Name, v.Differing)
			require.Len(t, v.Differing, min(20, v.BothSure-v.Agree))
		}
	}
}

// Without noise snapshots and contacts agree on nearly everything that can be
// seen at all.
func TestWithoutNoise(t *testing.T) {
	c := config(t, "nca", 1000)
	c.Noise = 0
	r, err := trial.Run(t.Context(), c, nil)
	require.NoError(t, err)
	for _, v := range r.Views {
		require.GreaterOrEqual(t, v.Agreement(), 0.998, v.Name)
		require.Zero(t, v.Values)
	}
	again, err := trial.Run(t.Context(), c, nil)
	require.NoError(t, err)
	require.Equal(t, r, again)
}

func TestATrialCanBeStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := trial.Run(ctx, config(t, "nca", 10), nil)
	require.ErrorIs(t, err, context.Canceled)
}
