package live

import (
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/match"
	"crokcam/rules"
)

func TestAMatchKeepsItselfFromTheFirstShotToTheLast(t *testing.T) {
	for seed := range uint64(6) {
		r := newRig(t, seed, "nca", rules.TwoPlayers)
		r.answer = r.honest
		r.begin()
		var want []rules.Points
		for r.next() {
			if r.truth.Scored != nil {
				want = append(want, r.truth.Scored.Totals)
			}
			if r.state().Desynced() != nil {
				t.Fatalf("seed %d round %d shot %d: %s %v", seed, r.truth.Round, r.truth.Number, r.last(12), r.state().Desynced())
			}
		}
		require.Equal(t, match.Over, r.state().Phase(), "seed %d: %s", seed, r.last(12))
		require.Equal(t, want, r.rounds())
		require.Equal(t, r.match.Game().Winner(), r.state().Winner())
	}
}
