package live

import (
	"context"
	"errors"
	"fmt"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/match"
	"crokcam/match/store"
	"crokcam/vision/shots"
)

// The kinds of refusals of a table, beside those of the match and the store.
var (
	ErrNoMatch       = errors.New("live: there is no match on this table")
	ErrMatchOn       = errors.New("live: there is a match on this table already")
	ErrNotCalibrated = errors.New("live: the board has not been found yet")
)

// actors are who records what.
type actors struct{ camera, system match.Actor }

func actorsOf(name string) actors {
	return actors{match.Actor{Role: match.Camera, Name: name}, match.Actor{Role: match.System}}
}

// Match is the match on the table as it stands; ok is false when there is none.
func (t *Table) Match() (s match.State, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keep == nil {
		return match.State{}, false
	}
	return t.keep.rec.State(), true
}

// Begin starts a match on the table. With a key that was used before it goes on
// with the match of that time. The measures of the board are those of the
// picture unless the plan names some.
//
// Errors: ErrMatchOn, ErrNotCalibrated, *match.RefusedError, store's.
func (t *Table) Begin(ctx context.Context, actor match.Actor, key string, setup match.Started) (match.State, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keep != nil && t.keep.rec.State().Phase() != match.Over {
		return t.keep.rec.State(), fmt.Errorf("%w: end or detach it first", ErrMatchOn)
	}
	cal := t.watch.Calibration()
	for i := range setup.Plan.Stages {
		rs := &setup.Plan.Stages[i].Format.Rules
		switch {
		case rs.Board.Surface != 0:
		case cal != nil:
			rs.Board = cal.Board
		case t.o.Board != nil:
			rs.Board = *t.o.Board
		default:
			return match.State{}, fmt.Errorf("%w, and the rules name none", ErrNotCalibrated)
		}
	}
	if setup.Board == "" {
		setup.Board = t.o.Name
	}
	if setup.Source == "" {
		setup.Source = t.source.String()
	}
	rec, err := store.Start(ctx, t.o.Store, t.o.Clock, actor, key, setup)
	if err != nil {
		return match.State{}, err
	}
	return t.take(ctx, rec, true)
}

// Attach goes on with a match from the board as it lies: where that is as the
// match has it play goes on, and where it is not the table asks.
//
// Errors: ErrMatchOn, store.ErrNotFound and the store's others.
func (t *Table) Attach(ctx context.Context, id string) (match.State, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keep != nil && t.keep.id() != id && t.keep.rec.State().Phase() != match.Over {
		return t.keep.rec.State(), fmt.Errorf("%w: end or detach it first", ErrMatchOn)
	}
	rec, err := store.Resume(ctx, t.o.Store, t.o.Clock, id)
	if err != nil {
		return match.State{}, err
	}
	return t.take(ctx, rec, false)
}

// take makes a match the table's. The board is looked at afresh, since another
// match may have other discs.
func (t *Table) take(ctx context.Context, rec *store.Recorder, fresh bool) (match.State, error) {
	t.keep = newKeeper(t, rec)
	state := rec.State()
	if n := layoutOf(state).Sides(); fresh || n != t.sides {
		t.sides = n
		t.watch = t.watcher(t.watch.Calibration())
		t.rest = resting{}
	} else {
		t.keep.lies, t.keep.known = t.watch.Discs(), t.rest.known
	}
	t.tell(MatchAttached, t.clock.arrived, nil)
	if !fresh {
		t.keep.told = state.Version() // what was told of then
	}
	t.keep.tellNew(t.keep.told)
	t.advance(ctx)
	t.show()
	return rec.State(), nil
}

// Detach takes the match off the table; it stays in the store as it is.
func (t *Table) Detach() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keep == nil {
		return ErrNoMatch
	}
	t.tell(MatchDetached, t.clock.arrived, nil)
	t.keep, t.accept = nil, nil
	t.show()
	return nil
}

// Do records what a person enters in the match: a correction, an undo, an answer,
// an agreed round. The table then goes on from there: questions that are
// settled let waiting shots through, and a difference between board and match
// that a correction makes is taken to be meant. After an undo or a redo nothing
// is recorded by itself until something happens on the board or somebody enters
// something.
//
// Errors: ErrNoMatch and those of store.Recorder.Record; what could not be
// recorded has not happened.
func (t *Table) Do(ctx context.Context, e store.Entry) (match.State, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keep == nil {
		return match.State{}, ErrNoMatch
	}
	err := t.keep.enter(ctx, e)
	if err == nil {
		t.follow(e)
		t.advance(ctx) // what follows is tried again where it cannot be recorded now
	}
	t.show()
	return t.keep.rec.State(), err
}

// follow lets the watcher follow an entry that speaks to it.
func (t *Table) follow(e store.Entry) {
	for _, b := range e.Bodies {
		switch b.(type) {
		case match.Paused:
			t.heard(t.watch.Pause())
		case match.Resumed, match.Resynced:
			t.heard(t.watch.Accept())
		}
	}
}

// Pause stops scoring, in the match too where there is one, until Resume.
func (t *Table) Pause(ctx context.Context, actor match.Actor, reason string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if k := t.keep; k != nil && k.rec.State().Paused() == nil && k.rec.State().Phase() != match.Over {
		if err := k.enter(ctx, store.Entry{Actor: actor, Bodies: []match.Body{match.Paused{Reason: reason}}}); err != nil {
			return err
		}
	}
	t.heard(t.watch.Pause())
	t.show()
	return nil
}

// Resume goes on from the board as it lies.
func (t *Table) Resume(ctx context.Context, actor match.Actor) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if k := t.keep; k != nil && k.rec.State().Paused() != nil {
		if err := k.enter(ctx, store.Entry{Actor: actor, Bodies: []match.Body{match.Resumed{}}}); err != nil {
			return err
		}
	}
	t.heard(t.watch.Resume())
	t.show()
	return nil
}

// Acceptance says all that the board does not show when it is taken as it lies.
// What is nil is worked out: 20s and turns from the match and the shots that
// were seen since.
type Acceptance struct {
	Actor    match.Actor
	Twenties *match.Points
	Left     *match.Left
	Next     *board.Seat
}

// Accept takes the board as it lies, once it is at rest, and goes on from there:
// the manual way out of every state. What it comes to is told by
// board.resynced, where the match had it otherwise.
func (t *Table) Accept(a Acceptance) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if k := t.keep; k != nil {
		k.held, k.restoring = false, false
		if a.Actor.Role == "" {
			a.Actor = match.Actor{Role: match.Scorer}
		}
		t.accept = &a
	}
	t.heard(t.watch.Accept())
	t.show()
	return nil
}

// Recalibrate looks for the board anew, as if nothing were known of it.
func (t *Table) Recalibrate() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watch = t.watcher(nil)
	t.rest = resting{}
	t.show()
}

// UseCalibration has the board lie where a person sees it: at four or more
// points, or along two or more rings, in a picture of w × h px, followed along
// the lines where they can be made out. Errors: *calibrate.ManualError,
// ErrNotCalibrated before the first frame.
func (t *Table) UseCalibration(hand calibrate.Hand, w, h int) (*calibrate.Calibration, error) {
	p, err := t.view.picture()
	if err != nil {
		return nil, err
	}
	c, err := calibrate.FindWith(hand, p, w, h, calibrate.Options{Board: t.o.Board})
	if err != nil {
		return nil, fmt.Errorf("live: use calibration: %w", err)
	}
	t.SetCalibration(c)
	return c, nil
}

// SetCalibration has the board lie where an earlier calibration of the same
// camera has it.
func (t *Table) SetCalibration(c *calibrate.Calibration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watch = t.watcher(c)
	t.rest = resting{}
	t.tell(CalibrationUpdated, t.clock.arrived, CalibrationNotice{Method: c.Method, Quality: c.Quality})
	t.show()
}

// Calibration is where the board is taken to lie, nil while that is not known.
// It is not to be changed.
func (t *Table) Calibration() *calibrate.Calibration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.watch.Calibration()
}

// heard tells of what the watcher says in answer to a command.
func (t *Table) heard(events []shots.Event) {
	for _, e := range events {
		if e.Kind == shots.StateChanged {
			t.tell(StateChanged, t.clock.arrived, StateNotice{From: e.From, To: e.To})
		}
	}
}
