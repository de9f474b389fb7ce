// Package desk is the one place through which matches are written to, and from
// which the feed hears of them. A match that is on a table is written to by the
// table, so that the table's idea of the board follows; any other by a recorder
// of its own. Whoever has written, also another program, is told of here.
package desk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"crokcam/api/feed"
	"crokcam/match"
	"crokcam/match/store"
)

// Writer takes what happens in a match: a table that has the match on it.
type Writer interface {
	Do(ctx context.Context, e store.Entry) (match.State, error)
	Board() string // its id
}

// Desk reads and writes matches.
type Desk struct {
	store store.Store
	hub   *feed.Hub
	log   *slog.Logger
	clock func() time.Time
	table func(id string) (Writer, bool)

	mu   sync.Mutex
	open map[string]*file
	used []string // ids of open, the least recently used first
}

// file is a match that is at hand.
type file struct {
	recorder *store.Recorder

	mu   sync.Mutex
	told int // Seq of the last event that the feed has heard of
}

// kept is how many matches are at hand.
const kept = 64

// Options are what a desk works with.
type Options struct {
	Store store.Store
	Hub   *feed.Hub
	Log   *slog.Logger
	Clock func() time.Time // time.Now when it is nil
	// Table finds the table that has a match on it. It may be nil.
	Table func(id string) (Writer, bool)
}

// New makes a desk.
func New(o Options) *Desk {
	d := &Desk{store: o.Store, hub: o.Hub, log: o.Log, clock: o.Clock, table: o.Table, open: map[string]*file{}}
	if d.table == nil {
		d.table = func(string) (Writer, bool) { return nil, false }
	}
	return d
}

// Find is the id of the match that a word means: its id, code, or the beginning
// of its id. Errors: those of store.Store.
func (d *Desk) Find(ctx context.Context, word string) (string, error) {
	d.mu.Lock()
	_, known := d.open[word]
	d.mu.Unlock()
	if known {
		return word, nil
	}
	info, err := d.store.Find(ctx, word)
	return info.Match, err
}

// file gets a match, read anew if it is not at hand. What it holds when it is
// read counts as told.
func (d *Desk) file(ctx context.Context, id string) (*file, error) {
	d.mu.Lock()
	f := d.touch(id)
	d.mu.Unlock()
	if f != nil {
		return f, nil
	}
	r, err := store.Resume(ctx, d.store, d.clock, id)
	if err != nil {
		return nil, err
	}
	return d.keep(id, &file{recorder: r, told: r.State().Version()}), nil
}

// touch finds a match that is at hand and marks it as used.
func (d *Desk) touch(id string) *file {
	f := d.open[id]
	if f == nil {
		return nil
	}
	for i, u := range d.used {
		if u == id {
			d.used = append(append(d.used[:i:i], d.used[i+1:]...), id)
			break
		}
	}
	return f
}

func (d *Desk) keep(id string, f *file) *file {
	d.mu.Lock()
	defer d.mu.Unlock()
	if other := d.touch(id); other != nil {
		return other // somebody was quicker
	}
	d.open[id] = f
	d.used = append(d.used, id)
	if len(d.used) > kept {
		delete(d.open, d.used[0])
		d.used = d.used[1:]
	}
	return f
}

func (d *Desk) drop(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, id)
	for i, u := range d.used {
		if u == id {
			d.used = append(d.used[:i:i], d.used[i+1:]...)
			break
		}
	}
}

// State is a match as it stands, whoever has written to it last. Errors: those of
// store.Store.
func (d *Desk) State(ctx context.Context, id string) (match.State, error) {
	f, err := d.file(ctx, id)
	if err != nil {
		return match.State{}, err
	}
	info, err := d.store.Match(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		d.drop(id)
	}
	if err != nil {
		return match.State{}, err
	}
	if s := f.recorder.State(); s.Version() == info.Version {
		return s, nil
	}
	return d.refresh(ctx, f, time.Time{})
}

// Start begins a match; see store.Start.
func (d *Desk) Start(ctx context.Context, actor match.Actor, key string, setup match.Started) (match.State, error) {
	r, err := store.Start(ctx, d.store, d.clock, actor, key, setup)
	if err != nil {
		return match.State{}, err
	}
	s := r.State()
	f := d.keep(s.Setup().Match, &file{recorder: r})
	d.tell(f, s, time.Time{})
	return s, nil
}

// Decide says what is to be recorded, given the match as it stands.
type Decide func(match.State) ([]match.Body, error)

// Do records what decide says. With a key that was used before, nothing is
// recorded and the match as it stands is returned. Errors: those of decide,
// of store.Recorder.Record and of the table.
func (d *Desk) Do(ctx context.Context, id string, e store.Entry, decide Decide) (match.State, error) {
	f, err := d.file(ctx, id)
	if err != nil {
		return match.State{}, err
	}
	for try := 0; ; try++ {
		s, err := d.State(ctx, id)
		if err != nil {
			return s, err
		}
		if e.Key != "" {
			was, done, err := d.store.Appended(ctx, e.Key)
			if err != nil {
				return s, err
			}
			if done && was.Match != id {
				return s, fmt.Errorf("%w: key %q, for match %s", store.ErrKeyReused, e.Key, was.Match)
			}
			if done {
				return d.again(ctx, f, s, e, was, decide)
			}
		}
		next := e
		if next.Expect != 0 && next.Expect != s.Version() {
			return s, &store.ConflictError{Match: id, Expected: next.Expect, Actual: s.Version()}
		}
		if next.Bodies, err = decide(s); err != nil {
			return s, err
		}
		// What was decided holds for this state alone.
		next.Expect = s.Version()
		after, err := d.record(ctx, id, f, next)
		var conflict *store.ConflictError
		if errors.As(err, &conflict) && e.Expect == 0 && try < 3 {
			continue // somebody else was quicker: decide again
		}
		if err != nil {
			return after, err
		}
		d.tell(f, after, time.Time{})
		return after, nil
	}
}

// again answers an entry that has been recorded before. What was decided follows
// from the match as it stood then; another decision is another entry.
func (d *Desk) again(ctx context.Context, f *file, s match.State, e store.Entry, was store.Appended, decide Decide) (match.State, error) {
	then, err := match.Fold(s.Events()[:was.First-1])
	if err == nil {
		e.Bodies, err = decide(then)
	}
	if err != nil {
		return s, fmt.Errorf("%w: key %q", store.ErrKeyReused, e.Key)
	}
	e.Expect = 0
	return f.recorder.Record(ctx, e)
}

func (d *Desk) record(ctx context.Context, id string, f *file, e store.Entry) (match.State, error) {
	if w, ok := d.table(id); ok {
		if _, err := w.Do(ctx, e); err != nil {
			return match.State{}, err
		}
		return f.recorder.Refresh(ctx)
	}
	return f.recorder.Record(ctx, e)
}

// Heard takes in what a table has recorded, from event seq on. captured is the time
// of the frame in which it was seen, zero for none.
func (d *Desk) Heard(ctx context.Context, id string, seq int, captured time.Time) error {
	d.mu.Lock()
	f := d.touch(id)
	d.mu.Unlock()
	if f == nil {
		r, err := store.Resume(ctx, d.store, d.clock, id)
		if err != nil {
			return err
		}
		f = d.keep(id, &file{recorder: r, told: seq - 1})
	}
	_, err := d.refresh(ctx, f, captured)
	return err
}

func (d *Desk) refresh(ctx context.Context, f *file, captured time.Time) (match.State, error) {
	s, err := f.recorder.Refresh(ctx)
	if err != nil {
		return s, err
	}
	d.tell(f, s, captured)
	return s, nil
}

// tell publishes the events that the feed has not heard of, and the match as it
// stands after them.
func (d *Desk) tell(f *file, s match.State, captured time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.Version() <= f.told {
		return
	}
	setup := s.Setup()
	table, seen := d.table(setup.Match)
	if seen { // a match may be taken to another board than the one it was begun for
		setup.Board = table.Board()
	}
	var list []feed.News
	for _, e := range s.Events()[f.told:] {
		n := feed.News{Type: e.Body.Kind(), Board: setup.Board, Match: setup.Match, Data: e}
		if e.Actor.Role == match.Camera {
			n.CapturedAt = captured
		}
		list = append(list, n)
		if !seen { // a table says these itself, and more exactly
			list = append(list, follows(s, e)...)
		}
	}
	list = append(list, feed.News{Type: Changed, CapturedAt: captured, Board: setup.Board, Match: setup.Match, Data: s.View()})
	f.told = s.Version()
	if err := d.hub.Publish(list...); err != nil {
		d.log.Error("a match was not told of", "match", setup.Match, "error", err)
	}
}

// Delete removes a match.
func (d *Desk) Delete(ctx context.Context, id string) error {
	info, err := d.store.Match(ctx, id)
	if err != nil {
		return err
	}
	if err := d.store.Delete(ctx, id); err != nil {
		return err
	}
	d.drop(id)
	return d.hub.Publish(feed.News{Type: Deleted, Board: info.Board, Match: id, Data: map[string]string{"match": id, "code": info.Code}})
}
