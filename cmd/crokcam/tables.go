package main

import (
	"context"
	"errors"
	"time"

	"crokcam/api"
	"crokcam/api/hall"
	"crokcam/live"
	"crokcam/match"
	"crokcam/match/store"
	"crokcam/vision/capture"
)

// demoSource is the camera of the board that --demo sets up.
const demoSource = "sim:?seed=5&size=1280x720&hasty=1"

// demoBoard is its id.
const demoBoard = "demo"

// boards are those of the settings, or with demo a simulated one where there is
// none.
func (a *app) boards(demo bool) ([]hall.Board, error) {
	list := make([]hall.Board, 0, len(a.settings.Boards))
	for _, b := range a.settings.Boards {
		name := b.Board
		if name == "" {
			name = a.settings.Photo.Board
		}
		out := hall.Board{ID: b.ID, Name: b.Name, Source: b.Source, Preset: "auto", Open: true}
		var err error
		if out.Spec, err = findBoard(name); err != nil {
			return nil, err
		}
		if out.Spec != nil {
			out.Preset = out.Spec.Name
		}
		if b.Calibration != "" {
			if out.Calibration, err = readCalibration(b.Calibration); err != nil {
				return nil, err
			}
		}
		list = append(list, out)
	}
	if demo && len(list) == 0 {
		list = append(list, hall.Board{ID: demoBoard, Name: "Demo", Source: demoSource, Preset: "auto", Open: true})
	}
	return list, nil
}

// patience is how long a demonstration waits for somebody to answer: its players
// play on, and do not know what is asked.
const patience = time.Minute

// demonstrate has one match after another played on the simulated board, until
// ctx is done.
func (a *app) demonstrate(ctx context.Context, service *api.Service) {
	setup, err := liveFlags{rules: "nca", layout: "2p", players: "Ann,Bob", title: "Simulated"}.setup()
	if err != nil {
		a.log.Error("no match can be shown", "error", err)
		return
	}
	setup.Board = demoBoard
	boards := service.Hall()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	var last live.Status
	var since time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		t, err := boards.Table(ctx, demoBoard)
		if err != nil {
			continue // somebody has switched it off
		}
		s := t.Status()
		if s.Match != last.Match || s.Version != last.Version {
			last, since = s, time.Now()
		}
		if t.Calibration() == nil {
			continue
		}
		if s.Match != "" && s.Phase != match.Over {
			if time.Since(since) > patience {
				since = time.Now()
				_, err := t.Do(ctx, store.Entry{Actor: match.Actor{Role: match.System}, Bodies: []match.Body{
					match.Closed{Reason: "Nobody has answered what was asked: another match begins."},
				}})
				if err != nil && ctx.Err() == nil {
					a.log.Warn("the demonstration waits", "error", capture.Mask(err.Error()))
				}
			}
			continue
		}
		if _, err := boards.Begin(ctx, demoBoard, match.Actor{Role: match.System}, "", setup); err != nil && ctx.Err() == nil {
			a.log.Error("no match can be shown", "error", capture.Mask(err.Error()))
			if !errors.Is(err, hall.ErrNotRunning) {
				return
			}
		}
	}
}
