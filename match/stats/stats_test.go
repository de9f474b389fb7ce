package stats_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
	"crokcam/match"
	"crokcam/match/rehearse"
	"crokcam/match/stats"
	"crokcam/rules"
)

// played is a short match with known shots: Ann (south) 20 at an open board, Bob
// (north) 15 at an open board, Ann hits it from the 15 to the 10 and stays in the
// 5 herself; the rest is forfeited. Bob's round.
func played(t *testing.T, on ...board.Spec) match.State {
	t.Helper()
	var s match.State
	do := func(b match.Body) int {
		t.Helper()
		n := s.Version() + 1
		next, err := s.Apply(match.Event{Seq: n, ID: "x", Time: time.Unix(int64(n), 0), Actor: match.Actor{Role: match.System}, Body: b})
		require.NoError(t, err)
		s = next
		return n
	}
	shot := func(seat board.Seat, hit bool, after ...board.Disc) int {
		t.Helper()
		b := match.ShotDetected{Seat: seat, Before: s.Board(), After: board.Snapshot{Discs: after}}
		b.Evidence.Watched = rules.WatchedContacts | rules.WatchedExits
		if hit {
			b.Evidence.Contacts = []rules.Contact{{Striker: rules.ShotDisc, Struck: rules.Disc(0), Confidence: 1}}
		}
		n := do(b)
		v, err := s.Judge(n, nil)
		require.NoError(t, err)
		do(match.ShotJudged{Shot: n, Verdict: match.Verdict(v)})
		return n
	}
	at := func(side board.Side, x, y float64) board.Disc {
		return board.Disc{Point: board.Point{X: x, Y: y}, Side: side, Confidence: 1}
	}
	plan := match.Plan(rehearse.Singles(1))
	for _, spec := range on {
		plan.Stages[0].Format.Rules.Board = spec
	}
	do(match.Started{Match: "m", Plan: plan, Players: []match.Player{{Seat: board.South, Name: "Ann"}, {Seat: board.North, Name: "Bob"}}})
	do(match.RoundStarted{Lead: board.South})
	shot(board.South, false, board.Disc{Side: board.SideA, Rest: board.InHole, Confidence: 1})
	shot(board.North, false, at(board.SideB, 0, 60))
	shot(board.South, true, at(board.SideB, 0, 150), at(board.SideA, 100, -230))
	for len(s.Next()) > 0 {
		do(match.TurnForfeited{Seat: s.Next()[0]})
	}
	tally, _ := s.Tally()
	require.Equal(t, rules.Points{0, 25, 10}, tally.Points)
	do(match.RoundEnded{Totals: match.Points(tally.Points), Twenties: match.Points(tally.Twenties)})
	do(match.RoundAgreed{})
	return s
}

func TestWhatPlayersDidIsCounted(t *testing.T) {
	s := played(t)
	r := stats.Of([]match.State{s, s})
	require.Equal(t, 2, r.Matches)
	require.Len(t, r.Players, 2)
	ann, bob := r.Players[0], r.Players[1]
	require.Equal(t, "Ann", ann.Name)
	require.Equal(t, []int{2, 2, 2, 4, 0}, []int{ann.Matches, ann.Won, ann.Rounds, ann.Shots, ann.Failed})
	require.Equal(t, []int{4, 2}, []int{ann.Twenties.Of, ann.Twenties.Count})
	require.Equal(t, []int{2, 2}, []int{ann.OpenTwenties.Of, ann.OpenTwenties.Count})
	require.Equal(t, []int{2, 2}, []int{ann.Hits.Of, ann.Hits.Count})
	require.Equal(t, map[string]int{"20": 2, "5": 2}, ann.Rests)
	require.Equal(t, map[string]int{"20": 40, "5": 10}, ann.Points)
	require.Equal(t, []int{2, 0, 2, 2, 0}, []int{bob.Matches, bob.Won, bob.Shots, bob.OpenTwenties.Of, bob.OpenTwenties.Count})
	require.Equal(t, map[string]int{"15": 2}, bob.Rests, "where it lay after his own shot")
	require.Equal(t, map[string]int{"10": 20}, bob.Points, "where it lay at the end")

	// Ann's disc lies at (100, -230): three squares right, eight towards her.
	h := ann.Heat
	mid := h.Side / 2
	require.Equal(t, 2, h.Bins[(mid-8)*h.Side+mid+3])
	require.Equal(t, 2, h.Bins[mid*h.Side+mid], "the 20 in the middle")
	// Bob sits in the north: his disc lies towards himself, two squares down.
	require.Equal(t, 2, bob.Heat.Bins[(mid-2)*h.Side+mid])
}

func TestAHeatMapIsOfTheBoardThatWasPlayedOn(t *testing.T) {
	usual, wide := played(t), board.Tournament26()
	wide.Name, wide.Surface, wide.Ten.Outer = "wide", 340, 210
	other := played(t, wide)
	for name, c := range map[string]struct {
		states []match.State
		spec   *board.Spec
		mixed  bool
	}{
		"the tournament board":       {[]match.State{usual, usual}, nil, false},
		"another":                    {[]match.State{other, other}, &wide, false},
		"now the one, now the other": {[]match.State{other, usual, other}, nil, true},
	} {
		for _, p := range stats.Of(c.states).Players {
			require.Equal(t, c.spec, p.Heat.Spec, name)
			require.Equal(t, c.mixed, p.Heat.Mixed, name)
		}
	}
}

func TestUndoneAndCorrectedShotsCountAsTheyStand(t *testing.T) {
	s := played(t)
	do := func(b match.Body) {
		n := s.Version() + 1
		next, err := s.Apply(match.Event{Seq: n, ID: "x", Time: time.Unix(int64(n), 0), Actor: match.Actor{Role: match.Scorer}, Body: b})
		require.NoError(t, err)
		s = next
	}
	third := s.Rounds()[0].Turns[2].Seq
	do(match.Corrected{Target: third, Change: match.Change{Fate: &match.ChangeFate{Disc: match.ShotDisc(third), Fate: match.Fate(rules.Scored)}}})
	ann := stats.Of([]match.State{s}).Players[0]
	require.Equal(t, 2, ann.Twenties.Count)
	require.Equal(t, map[string]int{"20": 40}, ann.Points)
	do(match.Undone{Target: third})
	ann = stats.Of([]match.State{s}).Players[0]
	require.Equal(t, 1, ann.Shots)
	require.Empty(t, ann.Points, "the round is not agreed any more")
}

func TestNothingPlayedIsNothingCounted(t *testing.T) {
	b, err := json.Marshal(stats.Of([]match.State{{}}))
	require.NoError(t, err)
	require.JSONEq(t, `{"schema":"crokcam.stats/1","matches":1,"players":[]}`, string(b))
}

func TestTheCountsOfAnyMatchAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := rehearse.New(rapid.Uint64().Draw(rt, "seed"), rehearse.Singles(2))
		table.Noise = 0.05
		for range rapid.IntRange(1, 120).Draw(rt, "steps") {
			if more, err := table.Step(); err != nil || !more {
				require.NoError(rt, err)
				break
			}
		}
		for _, p := range stats.Of([]match.State{table.State}).Players {
			rests, heat := 0, 0
			for _, n := range p.Rests {
				rests += n
			}
			for _, n := range p.Heat.Bins {
				heat += n
			}
			require.Equal(rt, p.Shots, rests)
			require.LessOrEqual(rt, heat, p.Shots)
			require.Equal(rt, p.Shots, p.Twenties.Of)
			require.Equal(rt, p.Shots, p.OpenTwenties.Of+p.Hits.Of)
			for _, s := range []stats.Share{p.Twenties, p.OpenTwenties, p.Hits} {
				require.LessOrEqual(rt, s.Count, s.Of)
				if s.Of > 0 {
					require.LessOrEqual(rt, s.Low, s.Rate+1e-12)
					require.GreaterOrEqual(rt, s.High, s.Rate-1e-12)
				}
			}
		}
	})
}

func TestAPlaceIsTurnedToThePlayersSeat(t *testing.T) {
	for seat, at := range map[board.Seat]board.Point{
		board.South: {Y: -300}, board.West: {X: -300}, board.North: {Y: 300}, board.East: {X: 300},
	} {
		got := stats.Facing(at, seat)
		require.InDelta(t, 0, math.Abs(got.X), 1e-12)
		require.Equal(t, -300.0, got.Y, seat)
	}
}
