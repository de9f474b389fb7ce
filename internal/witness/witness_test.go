package witness_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/internal/witness"
	"crokcam/rules"
	"crokcam/vision/shots"
)

func TestADiscThatMayHaveBeenTouchedWasNotInSight(t *testing.T) {
	const ours, theirs = board.SideA, board.SideB
	of := witness.Sides{board.NoSide, ours, theirs}
	lie := func(side board.Side, x float64) shots.Disc {
		return shots.Disc{Disc: board.Disc{Point: board.Point{X: x}, Side: side, Sigma: 0.5, Confidence: 1}}
	}
	for name, c := range map[string]struct {
		passed   []int
		by       float64 // mm that the first seems to have moved
		contacts []shots.Contact
		want     rules.Watch
	}{
		"nothing was passed":                    {nil, 0, nil, rules.WatchedPlay},
		"one of the other side was":             {[]int{1}, 0, nil, 0},
		"one of the same side was":              {[]int{0}, 0, nil, rules.WatchedPlay},
		"it may have moved":                     {[]int{0}, 1.2, nil, 0},
		"that does not matter":                  {[]int{0}, 1.2, []shots.Contact{{Disc: 2}}, rules.WatchedPlay},
		"another of that side was touched":      {[]int{1}, 0, []shots.Contact{{Disc: 2}}, rules.WatchedPlay},
		"it hardly moved":                       {[]int{1}, 0, []shots.Contact{{Disc: 1}}, 0},
		"another of the shooter's was, that is": {[]int{1}, 0, []shots.Contact{{Disc: 0}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			discs := []shots.Disc{lie(ours, 0), lie(theirs, 60), lie(theirs, 120)}
			after := []shots.Disc{lie(ours, c.by), discs[1], discs[2]}
			_, _, shot := witness.Shot(&shots.Shot{
				Before: discs, After: after, Became: []int{0, 1, 2}, Shooter: shots.Gone, Identified: true, Watched: true,
				Passed: c.passed, Contacts: c.contacts,
			}, ours, 5, of)
			require.Equal(t, c.want, shot.Evidence.Watched)
		})
	}
}

func TestWhatNothingCameNearIsSaidToHaveLainStill(t *testing.T) {
	discs := []shots.Disc{{Disc: board.Disc{Side: board.SideA}}, {Disc: board.Disc{Side: board.SideB, Point: board.Point{X: 60}}}}
	_, _, shot := witness.Shot(&shots.Shot{
		Before: discs, After: discs, Became: []int{0, 1}, Shooter: shots.Gone, Identified: true, Watched: true, Still: []int{1}, Nudged: []int{0},
	}, board.SideA, 5, witness.Sides{board.NoSide, board.SideA, board.SideB})
	require.Equal(t, []rules.Body{rules.Disc(1)}, shot.Evidence.Still)
	require.Equal(t, []rules.Body{rules.Disc(0)}, shot.Evidence.Nudged, "and what was seen to move, to have moved")
}
