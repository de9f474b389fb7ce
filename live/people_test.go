package live

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/internal/witness"
	"crokcam/match"
	"crokcam/match/store"
	"crokcam/rules"
)

// enter records what Sam enters, and says whether the match took it.
func (r *rig) enter(b ...match.Body) bool {
	r.t.Helper()
	_, err := r.table.Do(r.t.Context(), store.Entry{Actor: sam, Bodies: b})
	if _, refused := errors.AsType[*match.RefusedError](err); refused {
		return false
	}
	require.NoError(r.t, err)
	return true
}

// accept takes the board as it lies.
func (r *rig) accept(discs []board.Disc) {
	require.NoError(r.t, r.table.Accept(Acceptance{Actor: sam}))
	r.lies = r.see(discs)
	r.table.mu.Lock()
	r.table.keep.rests(r.lies, r.at, r.table.o.Clock(), nil)
	if r.table.accept != nil {
		r.table.accepted(r.t.Context())
	}
	r.table.mu.Unlock()
	r.keep(func(*keeper) {})
}

func told(t *testing.T, s match.State) map[string]any {
	t.Helper()
	v := s.View()
	v.Version, v.Undo, v.Redo = 0, 0, 0
	text, err := json.Marshal(v)
	require.NoError(t, err)
	var out map[string]any
	require.NoError(t, json.Unmarshal(text, &out))
	return out
}

func TestUndoneAndRedoneTheMatchStandsAsBefore(t *testing.T) {
	r := newRig(t, 2, "nca", rules.TwoPlayers)
	r.answer = r.honest
	r.begin()
	for range 30 {
		require.True(t, r.next())
		was := r.state()
		seq, ok := was.UndoTarget()
		require.True(t, ok)
		require.True(t, r.enter(match.Undone{Target: seq}))
		require.True(t, r.table.Status().Held || r.table.keep.held, "nothing is recorded by itself after an undo")
		require.Equal(t, was.Version()+1, r.state().Version())
		seq, ok = r.state().RedoTarget()
		require.True(t, ok)
		require.True(t, r.enter(match.Redone{Target: seq}))
		require.Equal(t, told(t, was), told(t, r.state()))
	}
}

func TestAShotThatIsTakenBackIsShotAgain(t *testing.T) {
	r := newRig(t, 2, "nca", rules.TwoPlayers)
	r.answer = r.honest
	r.begin()
	for range 4 {
		require.True(t, r.next())
	}
	was := r.state()
	before := r.match.Setup().Board.Discs
	require.True(t, r.next())
	for r.state().LastTurn() != was.LastTurn() {
		seq, _ := r.state().UndoTarget()
		require.True(t, r.enter(match.Undone{Target: seq}))
	}
	require.Equal(t, match.Shooting, r.state().Phase())
	r.rest(before) // the players put everything back
	require.Nil(t, r.state().Desynced(), "the board is as the match has it again")
	w := r.shot(r.truth)
	r.keep(func(k *keeper) { k.saw(w); k.rests(w.After, r.at, r.table.o.Clock(), nil) })
	require.Equal(t, "shot.detected", r.state().Events()[r.shotAt()].Body.Kind())
	require.Equal(t, []board.Seat{r.truth.Seat}, was.Next())
}

// shotAt is the place in the list of the last shot.
func (r *rig) shotAt() int {
	events := r.state().Events()
	for i, e := range slices.Backward(events) {
		if _, ok := e.Body.(match.ShotDetected); ok {
			return i
		}
	}
	return -1
}

func TestADiscThatTheCameraDoesNotSeePlaysOnOnceSomebodySaysItIsThere(t *testing.T) {
	r := newRig(t, 4, "nca", rules.TwoPlayers)
	r.answer = r.honest
	r.begin()
	for len(r.state().Discs()) < 2 {
		require.True(t, r.next())
	}
	unseen := r.match.Setup().Board.Discs[1:]
	r.answer = nil
	r.rest(unseen)
	open := r.state().Questions(true)
	require.Len(t, open, 1, "a disc that is gone is asked about: %s", r.last(5))
	require.Equal(t, match.AboutRemoval, open[0].About)
	require.True(t, r.enter(match.QuestionAnswered{Question: open[0].Seq, Choice: "put_back"}))
	r.rest(unseen)
	require.Empty(t, r.state().Questions(true), "what was answered is not asked again: %s", r.last(5))
	require.Nil(t, r.state().Desynced())
	require.Equal(t, match.Shooting, r.state().Phase())
}

func TestAHandThatPutsADiscBackAnswersItsQuestion(t *testing.T) {
	r := newRig(t, 4, "nca", rules.TwoPlayers)
	r.answer = r.honest
	r.begin()
	for len(r.state().Discs()) < 2 {
		require.True(t, r.next())
	}
	all := r.match.Setup().Board.Discs
	r.answer = nil
	r.rest(all[1:])
	require.Len(t, r.state().Questions(true), 1)
	r.rest(all)
	require.Empty(t, r.state().Questions(true), r.last(5))
	require.Equal(t, match.Shooting, r.state().Phase())
}

func TestWhoeverShootsOutOfTurnIsAskedAbout(t *testing.T) {
	r := newRig(t, 4, "nca", rules.TwoPlayers)
	r.answer = r.honest
	r.begin()
	for range 3 {
		require.True(t, r.next())
	}
	turn, err := r.match.Next()
	require.NoError(t, err)
	r.truth = &turn
	next := r.state().Next()[0]
	require.Equal(t, turn.Seat, next)
	w := r.shot(&turn)
	require.GreaterOrEqual(t, w.Shooter, 0, "a disc that has left the board has no colour to be told by: take another seed")
	w.After[w.Shooter].Side = w.After[w.Shooter].Side.Other() // the other one's disc
	r.answer = nil
	r.keep(func(k *keeper) { k.saw(w); k.rests(w.After, r.at, r.table.o.Clock(), nil) })
	open := r.state().Questions(true)
	require.NotEmpty(t, open)
	require.Equal(t, match.AboutShooter, open[0].About)
	require.True(t, r.enter(match.QuestionAnswered{Question: open[0].Seq, Choice: next.String()}))
	got, _, _ := r.state().Turn(open[0].Turn)
	require.Equal(t, next, got.Seat)
	require.NotNil(t, got.Verdict)
	require.Equal(t, got.Side, got.Verdict.Shooter, "judged again for who truly shot")
}

func TestWhoseAColourIsIsLearntFromWhatPeopleSay(t *testing.T) {
	r := newRig(t, 4, "nca", rules.TwoPlayers)
	r.answer = r.honest
	r.begin()
	for len(r.state().Discs()) < 2 {
		require.True(t, r.next())
	}
	var right witness.Sides
	r.keep(func(k *keeper) {
		right = k.colours
		k.colours[board.SideA], k.colours[board.SideB] = k.colours[board.SideB], k.colours[board.SideA]
	})
	require.True(t, r.enter(match.Note{Text: "The colours are the other way round."}))
	r.keep(func(k *keeper) { require.Equal(t, right, k.colours) })
}

func TestWhateverPeopleEnterAMatchGoesOn(t *testing.T) {
	for seed := range uint64(8) {
		r := newRig(t, seed, "nca", rules.TwoPlayers)
		r.answer = r.honest
		r.begin()
		n := 0
		for ; n < 50 && r.next(); n++ {
			lies := r.truth.Board.Discs
			if r.truth.Scored != nil {
				lies = nil
			}
			r.meddle()
			r.rest(lies)
			if s := r.state(); s.Desynced() != nil || s.Paused() != nil || s.Phase() == match.Between && len(lies) > 0 {
				if s.Paused() != nil {
					require.NoError(t, r.table.Resume(t.Context(), sam))
				}
				r.accept(lies)
			}
			s := r.state()
			require.Nil(t, s.Desynced(), "seed %d: the board as it lies is a way out: %s", seed, r.last(8))
			require.Nil(t, s.Paused())
		}
		s := r.state()
		again, err := store.Load(t.Context(), r.store, s.Setup().Match)
		require.NoError(t, err)
		require.Equal(t, told(t, again), told(t, s), "what is in memory is what is kept")
		shots := 0
		for _, e := range s.Events() {
			if _, ok := e.Body.(match.ShotDetected); ok {
				shots++
			}
		}
		require.Greater(t, shots, n/2, "play goes on: %s", r.kinds())
		t.Logf("seed %d: %d shots of %d recorded, %d rounds count", seed, shots, n, len(r.rounds()))
	}
}

// meddle has somebody enter something.
func (r *rig) meddle() {
	s := r.state()
	last := s.LastTurn()
	discs := s.Discs()
	switch r.rng.IntN(12) {
	case 0, 1:
		for range 1 + r.rng.IntN(3) {
			if seq, ok := r.state().UndoTarget(); ok {
				r.enter(match.Undone{Target: seq})
			}
		}
		if r.rng.IntN(2) == 0 {
			if seq, ok := r.state().RedoTarget(); ok {
				r.enter(match.Redone{Target: seq})
			}
		}
	case 2:
		if len(discs) > 0 {
			r.enter(match.Corrected{Target: last, Change: match.Change{Fate: &match.ChangeFate{Disc: discs[0].ID, Fate: match.Fate(rules.Ditched)}}})
		}
	case 3:
		if len(discs) > 0 {
			r.enter(match.Corrected{Target: last, Change: match.Change{Owner: &match.ChangeOwner{Disc: discs[0].ID, Side: discs[0].Side.Other()}}})
		}
	case 4:
		r.enter(match.Corrected{Target: last, Change: match.Change{Twenties: &match.ChangeTwenties{Side: board.SideA, By: 1}}})
	case 5:
		r.enter(match.Corrected{Target: last, Change: match.Change{Added: &match.ChangeAdded{Side: board.SideB, Place: board.Point{X: 150, Y: -20}}}})
	case 6:
		require.NoError(r.t, r.table.Pause(r.t.Context(), sam, "coffee"))
	case 7:
		if next := s.Next(); len(next) > 0 {
			r.enter(match.TurnForfeited{Seat: next[0]})
		}
	case 8:
		if len(discs) > 0 {
			r.enter(match.Corrected{Target: last, Change: match.Change{Place: &match.ChangePlace{Disc: discs[0].ID, Place: board.Point{X: -120, Y: 90}}}})
		}
	}
}
