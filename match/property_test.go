package match_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
	"crokcam/match"
	"crokcam/match/rehearse"
	"crokcam/rules"
)

// plans are the ways of playing that the properties are tried on.
func plans() map[string]rules.Plan {
	rs := rules.Ruleset{RoundScore: rules.MatchPoints, Board: board.Tournament26()}
	diff, rank, three := rs, rs, rs
	diff.RoundScore, diff.Starter = rules.Difference, rules.WinnerStarts
	rank.RoundScore, three.RoundScore = rules.RankPoints4, rules.MatchPoints3
	format := func(l rules.Layout, discs int, rs rules.Ruleset, end rules.End) rules.Format {
		return rules.Format{Layout: l, Discs: discs, Rules: rs, End: end}
	}
	partners := format(rules.Doubles, 3, rs, rules.End{Rounds: 2})
	partners.DoublesOrder = rules.SidesAlternate
	shootout := format(rules.TwoPlayers, 2, rs, rules.End{Rounds: 2, Ties: []rules.TieBreak{rules.Shootout}})
	return map[string]rules.Plan{
		"singles":         rehearse.Singles(2),
		"to a target":     rules.BestOf(3, format(rules.TwoPlayers, 4, diff, rules.End{Target: 40})),
		"doubles":         rules.BestOf(1, format(rules.Doubles, 3, rs, rules.End{Rounds: 2})),
		"partners free":   rules.BestOf(1, partners),
		"two against one": rules.BestOf(1, format(rules.TwoAgainstOne, 3, rs, rules.End{Rounds: 2})),
		"three":           rules.BestOf(1, format(rules.ThreeFree, 3, three, rules.End{Target: 4})),
		"four":            rules.BestOf(1, format(rules.FourFree, 3, rank, rules.End{Rounds: 2})),
		"with shoot-outs": rules.BestOf(3, shootout),
	}
}

// played draws a match, disturbed by corrections, undoing and pauses, that has
// been played for a while.
func played(rt *rapid.T, noise float64) *rehearse.Table {
	all := plans()
	var names []string
	for n := range all {
		names = append(names, n)
	}
	name := rapid.SampledFrom(sorted(names)).Draw(rt, "plan")
	table := rehearse.New(rapid.Uint64().Draw(rt, "seed"), all[name])
	table.Noise = noise
	for range rapid.IntRange(1, 150).Draw(rt, "steps") {
		more, err := table.Step()
		if err != nil {
			rt.Fatalf("%s: %v", name, err)
		}
		if !more {
			break
		}
	}
	return table
}

// seen is all that can be seen of a state but its version and what can be undone
// or redone.
func seen(t require.TestingT, s match.State) string {
	v := s.View()
	v.Version, v.Undo, v.Redo = 0, 0, 0
	b, err := json.Marshal(struct {
		View   match.View
		Rounds []match.Round
		Asked  []match.Question
	}{v, s.Rounds(), s.Questions(false)})
	require.NoError(t, err)
	return string(b)
}

func TestEveryBeginningOfAMatchIsAMatchAndReplaysAsItWasLive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := played(rt, 0.2)
		events := table.State.Events()
		// What was written and is read again is the same match.
		b, err := json.Marshal(events)
		require.NoError(rt, err)
		var back []match.Event
		require.NoError(rt, json.Unmarshal(b, &back))
		again, err := json.Marshal(back)
		require.NoError(rt, err)
		require.Equal(rt, string(b), string(again))

		s, err := match.Fold(back)
		require.NoError(rt, err)
		require.Equal(rt, seen(rt, table.State), seen(rt, s))
		require.Equal(rt, table.State.Version(), s.Version())
		require.Equal(rt, table.State.Score(), s.Score())

		k := rapid.IntRange(0, len(back)).Draw(rt, "prefix")
		part, err := match.Fold(back[:k])
		require.NoError(rt, err)
		require.Equal(rt, k, part.Version())
	})
}

func TestUndoThenRedoIsAsIfNothingHadHappened(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := played(rt, 0.1)
		before := table.State
		var targets []int
		for seq := 2; seq <= before.Version(); seq++ {
			if before.InForce(seq) {
				targets = append(targets, seq)
			}
		}
		if len(targets) == 0 {
			rt.Skip("nothing to undo")
		}
		target := rapid.SampledFrom(targets).Draw(rt, "target")
		undone, err := before.Apply(table.Event(match.Undone{Target: target}))
		if errors.Is(err, match.ErrNothing) {
			return // a remark
		}
		require.NoError(rt, err)
		table.State = undone
		redo, ok := undone.RedoTarget()
		require.True(rt, ok)
		redone, err := undone.Apply(table.Event(match.Redone{Target: redo}))
		require.NoError(rt, err)
		require.Equal(rt, seen(rt, before), seen(rt, redone))
		require.Equal(rt, before.Score(), redone.Score())
		was, ok := before.UndoTarget()
		is, ok2 := redone.UndoTarget()
		require.Equal(rt, ok, ok2)
		require.Equal(rt, was, is)
	})
}

func TestUndoingEverythingStepByStepAndRedoingItComesBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := played(rt, 0.05)
		want := seen(rt, table.State)
		steps := 0
		for {
			seq, ok := table.State.UndoTarget()
			if !ok {
				break
			}
			require.NoError(rt, table.Record(match.Undone{Target: seq}))
			steps++
		}
		require.Empty(rt, table.State.Rounds())
		require.Equal(rt, match.Between, table.State.Phase())
		for range steps {
			seq, ok := table.State.RedoTarget()
			require.True(rt, ok)
			require.NoError(rt, table.Record(match.Redone{Target: seq}))
		}
		require.Equal(rt, want, seen(rt, table.State))
	})
}

func TestTheDiscsOfASideAlwaysAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := played(rt, 0.2)
		s := table.State
		tally, ok := s.Tally()
		if !ok {
			return
		}
		f := s.Score().Game().Format()
		var have rules.Points
		owned := rules.Points{}
		for _, seat := range f.Layout.Seats() {
			side := f.Layout.Side(seat)
			have[side] += tally.Left[seat]
			owned[side] += f.Discs
			if f.Layout == rules.TwoAgainstOne && side == board.SideB {
				owned[side] += f.Discs
			}
		}
		for side := range have {
			have[side] += tally.Board[side] + tally.Twenties[side] + tally.Ditch[side]
		}
		require.Equal(rt, owned, have)
		if len(s.Problems()) > 0 {
			return // an undone correction may have left a board that cannot be, and says so
		}
		for side := range tally.Ditch {
			require.GreaterOrEqual(rt, tally.Ditch[side], 0)
			require.GreaterOrEqual(rt, tally.Twenties[side], 0)
		}
		ids := map[match.DiscID]bool{}
		for _, d := range s.Discs() {
			require.False(rt, ids[d.ID], "disc %s is there twice", d.ID)
			ids[d.ID] = true
		}
	})
}

func TestAnUndisturbedRoundAgreesWithTheGameOfPackageRules(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := rehearse.New(rapid.Uint64().Draw(rt, "seed"), rehearse.Singles(2))
		game, err := rules.NewGame(rehearse.Singles(2).Stages[0].Format)
		require.NoError(rt, err)
		for {
			more, err := table.Step()
			require.NoError(rt, err)
			if !more {
				break
			}
			if len(table.State.Problems()) > 0 {
				rt.Skip("the board had to be taken as it lies")
			}
		}
		for _, r := range table.State.Rounds() {
			for _, turn := range r.Turns {
				if turn.Kind != match.ShotTurn {
					rt.Skip("the board had to be taken as it lies")
				}
				g, err := game.Apply(rules.ShotJudged{Seat: turn.Seat, Verdict: *turn.Verdict})
				require.NoError(rt, err)
				game = g
			}
			g, err := game.Apply(rules.CountAgreed{})
			require.NoError(rt, err)
			game = g
		}
		require.Equal(rt, game.Scores(), table.State.Score().Game().Scores())
		require.Equal(rt, game.Rounds(), table.State.Score().Game().Rounds())
		require.Equal(rt, game.Winner(), table.State.Winner())
	})
}

// apart tells whether two corrections are of different things.
func apart(a, b match.Corrected) bool {
	if a.Target != b.Target {
		return true
	}
	subject := func(c match.Change) (string, match.DiscID, board.Side) {
		switch {
		case c.Value != nil:
			return "disc", c.Value.Disc, 0
		case c.Owner != nil:
			return "disc", c.Owner.Disc, 0
		case c.Place != nil:
			return "disc", c.Place.Disc, 0
		case c.Fate != nil:
			return "disc", c.Fate.Disc, 0
		case c.Twenties != nil:
			return "twenties", "", 0 // adding up: any two commute
		case c.Shooter != nil:
			return "shooter", "", 0
		}
		return "round", "", 0
	}
	ka, da, _ := subject(a.Change)
	kb, db, _ := subject(b.Change)
	return ka == "twenties" && kb == "twenties" || ka != kb || ka == "disc" && da != db
}

func TestCorrectionsOfDifferentThingsCommute(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := played(rt, 0.02)
		var fixes [2]match.Corrected
		for i := range fixes {
			c, ok := table.Correction().(match.Corrected)
			if !ok || c.Change.Added != nil { // an added disc is named after its event
				rt.Skip("nothing to correct")
			}
			fixes[i] = c
		}
		if !apart(fixes[0], fixes[1]) {
			rt.Skip("both are about the same")
		}
		start := *table
		apply := func(order ...int) (match.State, bool) {
			s := start.State
			for _, i := range order {
				next, err := s.Apply(start.Event(fixes[i]))
				if err != nil {
					return s, false
				}
				s = next
			}
			return s, true
		}
		one, ok1 := apply(0, 1)
		two, ok2 := apply(1, 0)
		if !ok1 || !ok2 {
			return // one of them does not fit beside the other
		}
		require.JSONEq(rt, order(seen(rt, one)), order(seen(rt, two)))
	})
}

func TestWhatIsRefusedLeavesTheStateAsItWas(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := played(rt, 0.1)
		s := table.State
		before, version := seen(rt, s), s.Version()
		for _, b := range oddBodies(rt, table) {
			after, err := s.Apply(table.Event(b))
			if err == nil {
				require.Equal(rt, version+1, after.Version())
			} else {
				var refused *match.RefusedError
				require.ErrorAs(rt, err, &refused, "%T", b)
				require.Equal(rt, b.Kind(), refused.Event)
				require.Equal(rt, match.State{}.Version(), after.Version())
			}
			require.Equal(rt, version, s.Version())
			require.Equal(rt, before, seen(rt, s), "%T", b)
		}
		// Two futures of one state do not touch.
		if n := table.Next(); n != nil {
			a, err := s.Apply(table.Event(n))
			require.NoError(rt, err)
			was := seen(rt, a)
			_, _ = s.Apply(table.Event(match.Note{Text: "another future"}))
			require.Equal(rt, was, seen(rt, a))
		}
	})
}

// oddBodies are events of every kind that mostly do not fit.
func oddBodies(rt *rapid.T, table *rehearse.Table) []match.Body {
	n := rapid.IntRange(-1, table.State.Version()+2).Draw(rt, "odd reference")
	disc := match.DiscID("nowhere")
	out := []match.Body{
		match.Started{}, match.RoundStarted{Lead: board.Seat(n & 7)}, match.ShotDetected{Seat: board.Seat(n & 7)},
		match.ShotDetected{After: board.Snapshot{Discs: []board.Disc{{Side: 9}}}},
		match.ShotJudged{Shot: n}, match.ShotJudged{Shot: table.State.LastTurn(), Verdict: match.Verdict{Outcomes: []rules.Outcome{{Before: 99}}}},
		match.QuestionAsked{Turn: n, About: "weather"}, match.QuestionAnswered{Question: n, Choice: "yes"}, match.QuestionWithdrawn{Question: n},
		match.RemovalExpected{Turn: n, Remove: []match.DiscID{disc}}, match.RemovalChecked{Turn: n, Stays: []match.DiscID{disc}},
		match.TwentySeen{Turn: n, Side: board.SideD}, match.TwentyLifted{Turn: n}, match.TurnForfeited{Seat: board.Seat(n & 7)},
		match.TimeEnded{}, match.RoundEnded{Totals: match.Points{0, 7}}, match.RoundAgreed{}, match.RoundEntered{Totals: match.Points{0, -5}},
		match.ShootoutHeld{Hits: match.Points{0, -1}}, match.GameEnded{Scores: match.Points{0, 99}}, match.Ended{Winner: board.SideD},
		match.Closed{}, match.Resumed{}, match.Resynced{Left: match.Left{99}}, match.Undone{Target: n}, match.Redone{Target: n},
	}
	for _, c := range []match.Change{
		{}, {Value: &match.ChangeValue{Disc: disc}}, {Owner: &match.ChangeOwner{Disc: disc}}, {Swap: &match.ChangeSwap{}}, {Swap: &match.ChangeSwap{Discs: [2]match.DiscID{disc, disc}}}, {Place: &match.ChangePlace{Disc: disc}},
		{Fate: &match.ChangeFate{Disc: disc}}, {Added: &match.ChangeAdded{}}, {Twenties: &match.ChangeTwenties{Side: board.SideA, By: -99}},
		{Verdict: &match.ChangeVerdict{}}, {Answer: &match.ChangeAnswer{Doubt: 99}}, {Shooter: &match.ChangeShooter{Seat: 9}},
		{Round: &match.ChangeRound{Totals: match.Points{0, -1}}},
		{Round: &match.ChangeRound{}, Shooter: &match.ChangeShooter{}},
	} {
		out = append(out, match.Corrected{Target: n, Change: c}, match.Corrected{Target: table.State.LastTurn(), Change: c})
	}
	return out
}

func TestAStateIsAValue(t *testing.T) {
	table := rehearse.New(7, rehearse.Singles(1))
	for range 40 {
		_, err := table.Step()
		require.NoError(t, err)
	}
	s := table.State
	want := seen(t, s)
	// Whatever a caller does to what it is given does not reach the state.
	for _, d := range s.Discs() {
		d.Side = board.SideD
	}
	events := s.Events()
	clear(events)
	rounds := s.Rounds()
	for i := range rounds {
		clear(rounds[i].Turns)
	}
	require.Equal(t, want, seen(t, s))
	require.False(t, reflect.DeepEqual(events, s.Events()))
}
