package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"crokcam/match"
)

// Recorder writes to one match. It may be used by several goroutines; their
// entries go one after the other.
type Recorder struct {
	store Store
	id    string
	now   func() time.Time

	mu    sync.Mutex
	state match.State
}

// Entry is something that happened, to be recorded.
type Entry struct {
	Actor  match.Actor
	Bodies []match.Body // recorded together or not at all
	// Time is when it happened; the time of recording when it is zero.
	Time time.Time
	// Key makes the entry safe to be sent twice, "" for an entry that is not.
	Key string
	// Expect, when it is not 0, is the version on which the entry was decided.
	// Another one is a conflict.
	Expect int
}

// Start begins a match and returns its recorder. The match is given an id and a
// code where it has none. The clock gives the times of events, time.Now when it
// is nil.
//
// With a key that was used before the match of that time is opened.
func Start(ctx context.Context, s Store, clock func() time.Time, actor match.Actor, key string, setup match.Started) (*Recorder, error) {
	if key != "" {
		was, ok, err := s.Appended(ctx, key)
		if err != nil {
			return nil, err
		}
		if ok && was.First != 1 {
			return nil, fmt.Errorf("%w: key %q, for event %d of match %s", ErrKeyReused, key, was.First, was.Match)
		}
		if ok {
			setup.Match = was.Match
		}
	}
	if setup.Match == "" {
		id, err := uuid.NewV7()
		if err != nil {
			return nil, fmt.Errorf("store: start match: %w", err)
		}
		setup.Match = id.String()
	}
	chosen := setup.Code != ""
	for try := 0; ; try++ {
		if !chosen {
			setup.Code = NewCode()
		}
		r := &Recorder{store: s, id: setup.Match, now: clock}
		if clock == nil {
			r.now = time.Now
		}
		_, err := r.Record(ctx, Entry{Actor: actor, Key: key, Bodies: []match.Body{setup}})
		if errors.Is(err, ErrExists) && !chosen && try < 5 {
			continue // the code is taken
		}
		if err != nil {
			return nil, err
		}
		return r, nil
	}
}

// Resume opens a match to go on with it.
func Resume(ctx context.Context, s Store, clock func() time.Time, id string) (*Recorder, error) {
	r := &Recorder{store: s, id: id, now: clock}
	if clock == nil {
		r.now = time.Now
	}
	if err := r.catchUp(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// State is the match as it stands.
func (r *Recorder) State() match.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Refresh takes in what others have written and returns the match as it stands.
func (r *Recorder) Refresh(ctx context.Context) (match.State, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.catchUp(ctx)
	return r.state, err
}

// Record checks an entry against the match and keeps it. When it returns without
// an error the entry is on the disk. The state is that after it, or on an error
// the one that holds.
//
// Errors: *match.RefusedError when it does not fit, *ConflictError when the match
// has gone on (it is then loaded anew, so that the state shows it), ErrKeyReused,
// *StorageError.
func (r *Recorder) Record(ctx context.Context, e Entry) (match.State, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Key != "" {
		if s, done, err := r.done(ctx, e); done || err != nil {
			return s, err
		}
	}
	if e.Expect != 0 && e.Expect != r.state.Version() {
		if err := r.catchUp(ctx); err != nil {
			return r.state, err
		}
		if e.Expect != r.state.Version() {
			return r.state, &ConflictError{Match: r.id, Expected: e.Expect, Actual: r.state.Version()}
		}
	}
	next, events, err := r.apply(e)
	if err != nil {
		return r.state, err
	}
	a := Append{Match: r.id, Expect: r.state.Version(), Key: e.Key, Events: events, Summary: next.Summary()}
	was, err := r.store.Append(ctx, a)
	var conflict *ConflictError
	switch {
	case errors.As(err, &conflict):
		return r.state, errors.Join(err, r.catchUp(ctx))
	case err != nil:
		return r.state, err
	case was.Repeated: // by another program, just now
		return r.state, r.catchUp(ctx)
	}
	r.state = next
	return next, nil
}

// done tells whether the entry has been recorded before.
func (r *Recorder) done(ctx context.Context, e Entry) (match.State, bool, error) {
	was, ok, err := r.store.Appended(ctx, e.Key)
	if err != nil || !ok {
		return r.state, false, err
	}
	if was.Match != r.id {
		return r.state, false, fmt.Errorf("%w: key %q, for match %s", ErrKeyReused, e.Key, was.Match)
	}
	// Asking again lets the store see whether it is the same entry.
	events := make([]match.Event, len(e.Bodies))
	for i, b := range e.Bodies {
		events[i] = match.Event{Seq: was.First + i, ID: "repeated", Body: b}
	}
	if _, err := r.store.Append(ctx, Append{Match: r.id, Expect: was.First - 1, Key: e.Key, Events: events}); err != nil {
		return r.state, false, err
	}
	return r.state, true, r.catchUp(ctx)
}

// apply makes the events of an entry and the state after them.
func (r *Recorder) apply(e Entry) (match.State, []match.Event, error) {
	if len(e.Bodies) == 0 {
		return r.state, nil, fmt.Errorf("%w: nothing to record", ErrInvalid)
	}
	at := e.Time
	if at.IsZero() {
		at = r.now()
	}
	next := r.state
	events := make([]match.Event, len(e.Bodies))
	for i, b := range e.Bodies {
		id, err := uuid.NewV7()
		if err != nil {
			return r.state, nil, fmt.Errorf("store: record: %w", err)
		}
		events[i] = match.Event{Seq: next.Version() + 1, ID: id.String(), Time: at.UTC(), Actor: e.Actor, Body: b}
		if next, err = next.Apply(events[i]); err != nil {
			return r.state, nil, err
		}
	}
	return next, events, nil
}

// catchUp applies what others have written.
func (r *Recorder) catchUp(ctx context.Context) error {
	events, err := r.store.Events(ctx, r.id, r.state.Version(), 0)
	if err != nil {
		return err
	}
	next := r.state
	for _, e := range events {
		if next, err = next.Apply(e); err != nil {
			return fmt.Errorf("store: match %s cannot be replayed: %w", r.id, err)
		}
	}
	r.state = next
	return nil
}

// Load is a match's state.
func Load(ctx context.Context, s Store, id string) (match.State, error) {
	events, err := s.Events(ctx, id, 0, 0)
	if err != nil {
		return match.State{}, err
	}
	state, err := match.Fold(events)
	if err != nil {
		return match.State{}, fmt.Errorf("store: match %s cannot be replayed: %w", id, err)
	}
	return state, nil
}
