package api_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"crokcam/api/hall"
	"crokcam/board/presets"
	"crokcam/calibrate"
	"crokcam/live"
	"crokcam/match"
	"crokcam/match/store"
)

// fakeTable is a table without a camera: it keeps a match as the real one does,
// and gives the same picture again and again.
type fakeTable struct {
	o       live.Options
	picture []byte

	mu     sync.Mutex
	rec    *store.Recorder
	told   int
	cal    *calibrate.Calibration
	closed chan struct{}
	seq    uint64
	lost   bool
}

// openFake opens fake tables, and keeps them by board.
func openFake(t testing.TB, kept *sync.Map) func(live.Options) (hall.Table, error) {
	picture := smallJPEG(t, 90)
	return func(o live.Options) (hall.Table, error) {
		spec, err := presets.ByName("tournament-26")
		if err != nil {
			return nil, err
		}
		f := &fakeTable{o: o, picture: picture, closed: make(chan struct{}), cal: &calibrate.Calibration{Schema: calibrate.Schema, Method: "auto", Board: spec}}
		kept.Store(o.ID, f)
		return f, nil
	}
}

func (f *fakeTable) Run(context.Context) error { <-f.closed; return nil }

func (f *fakeTable) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.closed)
	f.rec = nil
	return nil
}

func (f *fakeTable) Status() live.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := live.Status{ID: f.o.ID, Name: f.o.Name, Source: f.o.Source, Discs: []live.SeenDisc{}, Advice: []live.Advice{}}
	s.Camera.Connected = !f.lost
	if f.rec != nil {
		state := f.rec.State()
		s.Match, s.Version, s.Phase = state.Setup().Match, state.Version(), state.Phase()
	}
	return s
}

// tell tells of what has been recorded.
func (f *fakeTable) tell() (match.State, error) {
	state := f.rec.State()
	for _, e := range state.Events()[f.told:] {
		f.o.Notify(live.Notice{Kind: e.Body.Kind(), Time: e.Time, CapturedAt: e.Time, Board: f.o.ID, Match: state.Setup().Match, Version: e.Seq, Data: e})
	}
	f.told = state.Version()
	return state, nil
}

func (f *fakeTable) Begin(ctx context.Context, actor match.Actor, key string, setup match.Started) (match.State, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rec != nil {
		return match.State{}, live.ErrMatchOn
	}
	rec, err := store.Start(ctx, f.o.Store, nil, actor, key, setup)
	if err != nil {
		return match.State{}, err
	}
	f.rec, f.told = rec, 0
	return f.tell()
}

func (f *fakeTable) Attach(ctx context.Context, id string) (match.State, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rec, err := store.Resume(ctx, f.o.Store, nil, id)
	if err != nil {
		return match.State{}, err
	}
	f.rec, f.told = rec, rec.State().Version()
	return f.tell()
}

func (f *fakeTable) Detach() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rec == nil {
		return live.ErrNoMatch
	}
	f.rec = nil
	return nil
}

func (f *fakeTable) Do(ctx context.Context, e store.Entry) (match.State, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rec == nil {
		return match.State{}, live.ErrNoMatch
	}
	if s, err := f.rec.Record(ctx, e); err != nil {
		return s, err
	}
	return f.tell()
}

func (f *fakeTable) Pause(ctx context.Context, actor match.Actor, reason string) error {
	_, err := f.Do(ctx, store.Entry{Actor: actor, Bodies: []match.Body{match.Paused{Reason: reason}}})
	return err
}

func (f *fakeTable) Resume(context.Context, match.Actor) error { return nil }
func (f *fakeTable) Accept(live.Acceptance) error              { return nil }
func (f *fakeTable) Recalibrate()                              {}

func (f *fakeTable) UseCalibration(hand calibrate.Hand, _, _ int) (*calibrate.Calibration, error) {
	for _, p := range hand.Points {
		if p.Name == "edge@1" {
			return nil, &calibrate.ManualError{Code: "bad_point", Message: "No board has such a place."}
		}
	}
	return f.cal, nil
}

func (f *fakeTable) SetCalibration(c *calibrate.Calibration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cal = c
	f.o.Notify(live.Notice{Kind: live.CalibrationUpdated, Time: time.Now(), Board: f.o.ID})
}

func (f *fakeTable) Calibration() *calibrate.Calibration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.cal
}

func (f *fakeTable) Picture(live.PictureKind) ([]byte, error) { return f.picture, nil }

// Wait gives a new picture each time it is asked.
func (f *fakeTable) Wait(ctx context.Context, seq uint64) (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.closed:
		return f.seq, live.ErrClosed
	case <-ctx.Done():
		return seq, ctx.Err()
	default:
	}
	f.seq = max(f.seq, seq) + 1
	return f.seq, nil
}

// lose unplugs the camera.
func (f *fakeTable) lose() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lost = true
	f.o.Notify(live.Notice{Kind: live.CameraLost, Time: time.Now(), Board: f.o.ID, Data: live.CameraNotice{Source: "camera:0", Code: "gone"}})
}
