// Package bench measures what it costs to keep events.
package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"crokcam/internal/bench"
	"crokcam/match"
	"crokcam/match/rehearse"
	"crokcam/match/store"
)

// Commits measures acknowledging the events of a made-up match one by one, each
// on the disk before the next, against the least that could be: the same bytes
// written to a file and synced one by one. folder is where the files are made;
// what it lies on decides the times on the clock.
func Commits(ctx context.Context, folder string, rounds int) (bench.Result, error) {
	table := rehearse.New(1, rehearse.Singles(4))
	events, err := table.Play()
	if err != nil {
		return bench.Result{}, fmt.Errorf("bench: make a match: %w", err)
	}
	dir, err := os.MkdirTemp(folder, "crokcam-bench-")
	if err != nil {
		return bench.Result{}, fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a folder of temporary files
	lines := make([][]byte, len(events))
	bytes := 0
	for i, e := range events {
		if lines[i], err = json.Marshal(e); err != nil {
			return bench.Result{}, fmt.Errorf("bench: %w", err)
		}
		bytes += len(lines[i])
	}
	db, err := store.Open(ctx, filepath.Join(dir, "matches.db"), store.Options{})
	if err != nil {
		return bench.Result{}, err
	}
	defer db.Close() //nolint:errcheck // of no use any more
	n := 0
	job := func() error {
		n++
		return commit(ctx, db, fmt.Sprintf("match %d", n), events, table.State.Summary())
	}
	floor := func() error { return write(filepath.Join(dir, fmt.Sprint("floor ", n)), lines) }
	r := bench.Result{
		Name: "store/commits", Floor: "write + sync",
		Input: fmt.Sprintf("%d events, %.1f kB each", len(events), float64(bytes)/float64(len(events))/1e3),
	}
	r, err = bench.Compare(ctx, r, rounds, job, floor)
	if err == nil && r.CPU > 0 {
		r.PerSecond = float64(len(events)) / (r.CPU / 1e3)
	}
	return r, err
}

func commit(ctx context.Context, s store.Store, id string, events []match.Event, summary match.Summary) error {
	start := events[0].Body.(match.Started)
	start.Match, start.Code = id, id
	for i, e := range events {
		if i == 0 {
			e.Body = start
		}
		if _, err := s.Append(ctx, store.Append{Match: id, Expect: i, Events: []match.Event{e}, Summary: summary}); err != nil {
			return err
		}
	}
	return nil
}

func write(path string, lines [][]byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // synced line by line
	for _, l := range lines {
		if _, err := f.Write(l); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return nil
}
