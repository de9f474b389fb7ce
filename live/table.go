package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/match/store"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// Options describe a table.
type Options struct {
	ID          string                 // short, for addresses and notices
	Name        string                 // for people; ID when it is ""
	Source      string                 // as capture.ParseSource reads it
	Capture     capture.Options        // Notify and Patient are the table's own
	Board       *board.Spec            // nil: measured from the picture
	Calibration *calibrate.Calibration // nil: found in the first quiet frame
	Store       store.Store            // where matches are kept
	Clock       func() time.Time       // time.Now when it is nil
	Log         *slog.Logger           // nil: nothing is logged

	// Notify hears of everything that happens, one notice at a time and in order. It
	// must not block, nor call the table's methods. nil: nobody hears.
	Notify func(Notice)
}

// Table is a camera over a board, with or without a match on it. Its methods may
// be called by several goroutines.
type Table struct {
	o      Options
	source capture.Source
	actor  actors

	mu       sync.Mutex // of what follows, to the blank line
	watch    *shots.Watcher
	sides    int     // colours of discs that the watcher looks for
	keep     *keeper // nil while there is no match
	clock    instant // of the newest frame
	rest     resting
	accept   *Acceptance   // to be carried out once the board is at rest
	tried    time.Duration // when recording failed, stream time
	failing  bool
	differed bool // the board differs from the match, and that was told
	faulty   bool // the last frame could not be looked at
	drift    float64

	view   view   // the newest frame, for pictures
	status status // what Status tells

	running  sync.Mutex // held by Run
	happened chan capture.Event
	closing  context.Context
	cancel   context.CancelFunc
}

// instant ties stream time to the clock.
type instant struct {
	at      time.Duration
	arrived time.Time
}

// wall is a moment of the stream by the clock; zero before the first frame.
func (n instant) wall(at time.Duration) time.Time {
	if n.arrived.IsZero() {
		return time.Time{}
	}
	return n.arrived.Add(at - n.at)
}

// Open prepares a table; Run opens its camera. Errors: *capture.Error for a
// source that cannot be read.
func Open(o Options) (*Table, error) {
	schemes := make([]string, 0, len(o.Capture.Plugins))
	for s := range o.Capture.Plugins {
		schemes = append(schemes, s)
	}
	source, err := capture.ParseSource(o.Source, schemes...)
	if err != nil {
		return nil, err
	}
	if o.ID == "" {
		return nil, fmt.Errorf("live: open %s: a table needs an id", source)
	}
	if o.Store == nil {
		return nil, fmt.Errorf("live: open %s: no store was given to keep matches in", o.ID)
	}
	if o.Name == "" {
		o.Name = o.ID
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Log = o.Log.With("board", o.ID)
	if o.Notify == nil {
		o.Notify = func(Notice) {}
	}
	t := &Table{o: o, source: source, sides: 2, happened: make(chan capture.Event, 64)}
	t.actor = actorsOf(o.Name)
	t.closing, t.cancel = context.WithCancel(context.Background())
	t.watch = t.watcher(o.Calibration)
	t.status.open(o, source)
	return t, nil
}

// watcher is a new one that knows the calibration, nil for none.
func (t *Table) watcher(c *calibrate.Calibration) *shots.Watcher {
	w := shots.New(shots.Options{Calibration: c, Board: t.o.Board, Sides: t.sides})
	if c != nil {
		w.Accept() // what lies there is where play begins
	}
	return w
}

// ID is the table's short name.
func (t *Table) ID() string { return t.o.ID }

// Name is the table's name for people.
func (t *Table) Name() string { return t.o.Name }

// ErrRunning marks a second Run at the same time.
var ErrRunning = errors.New("live: the table is running already")

// Run opens the camera and keeps the table until ctx is done or Close, which is
// no error, or the source ends for good: nil at the end of a file, else a
// *capture.Error. A live source that cannot be opened, or is lost, is waited for.
func (t *Table) Run(ctx context.Context) error {
	if !t.running.TryLock() {
		return ErrRunning
	}
	defer t.running.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(t.closing, cancel)()

	o := t.o.Capture
	o.Patient = true
	if t.source.Kind() == capture.KindPlugin && o.OpenTimeout == 0 {
		o.OpenTimeout = setUpTime
	}
	o.Notify = func(e capture.Event) {
		select {
		case t.happened <- e:
		default: // only a source that fails at once, again and again, gets here
		}
	}
	var hearing sync.WaitGroup
	hearing.Go(func() { t.hear(ctx) })
	defer hearing.Wait()
	defer cancel()

	t.status.connecting()
	stream, err := capture.Open(ctx, t.o.Source, o)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		t.ended(err)
		return err
	}
	defer func() { _ = stream.Close() }()
	t.status.follow(stream)
	for {
		f, err := stream.Next(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, io.EOF):
			t.ended(nil)
			return nil
		case err != nil:
			t.ended(err)
			return err
		}
		t.frame(ctx, f)
	}
}

// setUpTime is how long a source of another kind may take to its first frame: a
// simulated board is drawn first.
const setUpTime = time.Minute

// Close ends Run and forgets the match, which stays in the store as it is. It
// returns when Run has ended.
func (t *Table) Close() error {
	t.cancel()
	t.running.Lock()
	defer t.running.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keep = nil
	t.view.close()
	return nil
}

// frame takes in a frame, which is the table's from here on.
func (t *Table) frame(ctx context.Context, f *capture.Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clock = instant{f.At, f.Arrived}
	began := time.Now()
	events, err := t.watch.Frame(f)
	if err != nil && !t.faulty {
		t.o.Log.Error("a frame could not be looked at", "error", err)
	}
	t.faulty = err != nil
	events = slices.Clone(events) // what is made of them may ask the watcher for more
	for i := range events {
		t.noticed(ctx, &events[i], f)
	}
	t.atRest(ctx, f, len(events) > 0)
	t.status.seen(f, time.Since(began))
	t.show()
	t.view.put(f, t.overlay())
}

// hear tells of what happens to the source.
func (t *Table) hear(ctx context.Context) {
	for {
		select {
		case e := <-t.happened:
			t.mu.Lock()
			t.sourceEvent(e)
			t.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// sourceEvent tells of one thing that happened to the source.
func (t *Table) sourceEvent(e capture.Event) {
	n := CameraNotice{Source: t.source.String(), Asked: e.Asked, Got: e.Got, Gap: e.Gap.Seconds()}
	n.Code, n.Reason = reasonOf(e.Err)
	kind := CameraChanged
	switch e.Kind {
	case capture.EventOpened:
		kind = CameraOpened
	case capture.EventReopened:
		kind = CameraRecovered
	case capture.EventLost:
		kind = CameraLost
		for _, ev := range slices.Clone(t.watch.Offline()) {
			t.tell(StateChanged, t.clock.arrived, StateNotice{From: ev.From, To: ev.To})
		}
	case capture.EventStillLost:
		t.status.fault(n.Code, n.Reason)
		return
	}
	t.o.Log.Info(kind, "source", n.Source, "got", n.Got.String(), "code", n.Code, "reason", n.Reason)
	t.status.fault(n.Code, n.Reason)
	t.show()
	t.tell(kind, time.Time{}, n)
}

// ended notes that no more frames will come.
func (t *Table) ended(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := CameraNotice{Source: t.source.String()}
	n.Code, n.Reason = reasonOf(err)
	t.status.fault(n.Code, n.Reason)
	t.watch.Offline()
	t.show()
	t.tell(CameraEnded, time.Time{}, n)
}

// reasonOf is what to tell people of an error of a source.
func reasonOf(err error) (code, text string) {
	var e *capture.Error
	switch {
	case err == nil:
		return "", ""
	case errors.As(err, &e):
		return e.Code, e.Message
	}
	return capture.Failed, capture.Mask(err.Error())
}

// tell passes on a notice. The table's lock is held.
func (t *Table) tell(kind string, captured time.Time, data any) {
	n := Notice{Kind: kind, Time: t.o.Clock().UTC(), Board: t.o.ID, Data: data}
	if !captured.IsZero() {
		n.CapturedAt = captured.UTC()
	}
	if t.keep != nil {
		n.Match, n.Version = t.keep.id(), t.keep.told
	}
	t.o.Notify(n)
}
