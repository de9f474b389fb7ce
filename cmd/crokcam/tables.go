package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"crokcam/calibrate"
	"crokcam/internal/config"
	"crokcam/live"
	"crokcam/match"
	"crokcam/match/store"
	"crokcam/vision/capture"
)

// demoSource is the camera of the table that --demo sets up.
const demoSource = "sim:?seed=5&size=1280x720&hasty=1"

// tables are the live tables of the settings, running.
type tables struct {
	list []*live.Table
	done sync.WaitGroup
	stop context.CancelFunc
}

// openTables opens and runs a table for every board of the settings, and with
// demo a simulated one where there is none. A match that was being played on a
// board is gone on with. notify hears of all of them, one notice at a time for
// each.
func (a *app) openTables(ctx context.Context, s store.Store, demo bool, notify func(live.Notice)) (_ *tables, err error) {
	boards := a.settings.Boards
	demo = demo && len(boards) == 0
	if demo {
		boards = []config.Board{{ID: "demo", Name: "Demo", Source: demoSource}}
	}
	ts := &tables{}
	ctx, ts.stop = context.WithCancel(ctx)
	defer func() {
		if err != nil {
			err = errors.Join(err, ts.Close())
		}
	}()
	for _, b := range boards {
		t, err := a.openTable(b, s, notify)
		if err != nil {
			return nil, fmt.Errorf("boards: %s: %w", b.ID, err)
		}
		ts.list = append(ts.list, t)
		if demo {
			ts.done.Go(func() { a.demonstrate(ctx, t) })
		} else if err := resume(ctx, t, s); err != nil {
			return nil, fmt.Errorf("boards: %s: %w", b.ID, err)
		}
		ts.done.Go(func() {
			if err := t.Run(ctx); err != nil {
				a.log.Error("the camera of a board cannot be used", "board", b.ID, "error", message(err))
			}
		})
	}
	return ts, nil
}

// openTable opens a board of the settings.
func (a *app) openTable(b config.Board, s store.Store, notify func(live.Notice)) (*live.Table, error) {
	o := live.Options{ID: b.ID, Name: b.Name, Source: b.Source, Capture: a.captureOptions(), Store: s, Log: a.log, Notify: notify}
	name := b.Board
	if name == "" {
		name = a.settings.Photo.Board
	}
	var err error
	if o.Board, err = findBoard(name); err != nil {
		return nil, err
	}
	if b.Calibration != "" {
		if o.Calibration, err = readCalibration(b.Calibration); err != nil {
			return nil, err
		}
	}
	return live.Open(o)
}

// resume goes on with the newest match of a table, where it is not over.
func resume(ctx context.Context, t *live.Table, s store.Store) error {
	page, err := s.List(ctx, store.Query{Board: t.Name(), Limit: 1})
	if err != nil {
		return err
	}
	if len(page.Matches) == 0 || page.Matches[0].Summary.Phase == match.Over {
		return nil
	}
	_, err = t.Attach(ctx, page.Matches[0].Match)
	return err
}

// Close ends all tables, and returns when they have ended.
func (ts *tables) Close() error {
	ts.stop()
	ts.done.Wait()
	var errs []error
	for _, t := range ts.list {
		errs = append(errs, t.Close())
	}
	return errors.Join(errs...)
}

// demoTable is what a demonstration needs of a table.
type demoTable interface {
	Calibration() *calibrate.Calibration
	Match() (match.State, bool)
	Begin(ctx context.Context, actor match.Actor, key string, setup match.Started) (match.State, error)
}

// demonstrate has one match after another played on a simulated table.
func (a *app) demonstrate(ctx context.Context, t demoTable) {
	setup, err := liveFlags{rules: "nca", layout: "2p", players: "Ann,Bob", title: "Simulated"}.setup()
	if err != nil {
		a.log.Error("no match can be shown", "error", err)
		return
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if s, on := t.Match(); t.Calibration() == nil || on && s.Phase() != match.Over {
			continue
		}
		if _, err := t.Begin(ctx, match.Actor{Role: match.System}, "", setup); err != nil && ctx.Err() == nil {
			a.log.Error("no match can be shown", "error", capture.Mask(err.Error()))
			return
		}
	}
}

// tell logs what a person who runs the service wants to see of a table.
func (a *app) tell(n live.Notice) {
	switch d := n.Data.(type) {
	case match.Event:
		a.log.Debug(n.Kind, "board", n.Board, "match", n.Match, "event", d.Seq)
		if b, ok := d.Body.(match.RoundAgreed); ok {
			a.log.Info(b.Kind(), "board", n.Board, "match", n.Match)
		}
	default:
		a.log.Debug(n.Kind, "board", n.Board)
	}
}
