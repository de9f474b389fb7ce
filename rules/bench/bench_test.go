package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/rules"
)

func TestTheShotIsGoodAndSure(t *testing.T) {
	before, after, shot := Shot(24)
	require.Len(t, before.Discs, 23)
	require.Len(t, after.Discs, 24)
	v, err := rules.Judge(before, after, shot, rules.Ruleset{})
	require.NoError(t, err)
	require.Equal(t, rules.Good, v.Ruling)
	require.False(t, v.Review)
}

func TestVerdictsAreMeasuredByTheContract(t *testing.T) {
	r, err := Judge(t.Context(), rules.Ruleset{}, 1)
	require.NoError(t, err)
	require.Equal(t, "judge/verdicts", r.Name)
	require.Greater(t, r.Ratio, 1.0, "a verdict holds a count")
	require.Greater(t, r.PerSecond, 1000.0)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Judge(ctx, rules.Ruleset{}, 1)
	require.ErrorIs(t, err, context.Canceled)
}
