package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"time"

	"crokcam/match"
	"crokcam/match/store"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// resting is the board as it last lay at rest.
type resting struct {
	known  bool
	at     time.Duration
	wall   time.Time
	jpeg   []byte      // the whole picture
	placed *shots.Disc // on the starting line since
}

// quality of the pictures that are kept.
const quality = 82

// encode is a frame as JPEG.
func encode(f *capture.Frame) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, f.Image(), &jpeg.Options{Quality: quality}); err != nil {
		return nil // only a picture larger than any frame
	}
	return b.Bytes()
}

// noticed takes in something that the watcher has noticed in a frame.
func (t *Table) noticed(ctx context.Context, e *shots.Event, f *capture.Frame) {
	at := t.clock.wall(e.At)
	switch e.Kind {
	case shots.StateChanged:
		t.tell(StateChanged, at, StateNotice{From: e.From, To: e.To})
	case shots.TimedOut:
		t.tell(StateOverdue, at, StateNotice{From: e.From, To: e.To, Note: e.Note})
		t.status.change(func(s *Status) { s.Overdue = e.Note })
	case shots.Calibrated:
		t.drift = 0
		t.tell(CalibrationUpdated, at, CalibrationNotice{Method: e.Calibration.Method, Quality: e.Calibration.Quality, Note: e.Note})
	case shots.Drifted:
		t.drifted(ctx, e, at)
	case shots.ShotFound:
		t.shot(e, f)
	case shots.Placed:
		if len(e.Discs) > 0 {
			d := e.Discs[0]
			t.rest.placed = &d
		}
		t.acted(DiscPlaced, at, e)
	case shots.Removed:
		t.acted("", at, e)
		t.tell(DiscsRemoved, at, DiscsNotice{Discs: t.seen(e.Discs)})
	case shots.Shifted:
		t.acted("", at, e)
		t.tell(DiscsMoved, at, DiscsNotice{Discs: t.seen(e.Discs)})
	case shots.Cleared:
		t.acted("", at, e)
		t.tell(BoardCleared, at, DiscsNotice{Discs: t.seen(e.Discs)})
	case shots.HoleDoubt:
		t.tell(TwentyUncertain, at, TwentyNotice{})
	case shots.Puzzled:
		t.acted("", at, e)
		t.tell(BoardPuzzled, at, DiscsNotice{Discs: t.seen(e.Discs), Note: e.Note})
		t.puzzled(ctx, e.Note)
	}
}

// acted takes in that a hand has done something. A disc that is placed means
// that play goes on; one that is taken away may be what the verdict says.
func (t *Table) acted(kind string, at time.Time, e *shots.Event) {
	if kind != "" {
		t.tell(kind, at, DiscsNotice{Discs: t.seen(e.Discs), Note: e.Note})
	}
	if t.keep == nil {
		return
	}
	t.keep.held = false
	if e.Kind == shots.Placed {
		t.keep.acts()
	}
}

// drifted takes in that the board or the camera was moved.
func (t *Table) drifted(ctx context.Context, e *shots.Event, at time.Time) {
	t.drift += e.Drift
	t.tell(CalibrationDrifted, at, CalibrationNotice{
		DriftMM: e.Drift, Method: e.Calibration.Method, Quality: e.Calibration.Quality, Note: e.Note,
	})
	if state, _ := t.watch.State(); state != shots.Paused || t.keep == nil {
		return
	}
	s := t.keep.rec.State()
	if s.Paused() != nil || s.Phase() == match.Over {
		return
	}
	t.kept(t.keep.enter(ctx, store.Entry{Actor: t.actor.system, Bodies: []match.Body{match.Paused{Reason: e.Note}}}))
}

// puzzled takes in a board that no shot can have left. The watcher goes on from
// it, so that it sees when it is put right; the match waits.
func (t *Table) puzzled(ctx context.Context, note string) {
	t.heard(t.watch.Accept())
	k := t.keep
	if k == nil || k.rec.State().Paused() != nil || k.rec.State().Desynced() != nil || k.restoring {
		return
	}
	d := k.draft()
	k.lose(d, note)
	if len(d.bodies) > 0 {
		t.kept(k.record(ctx, d))
	}
}

// shot takes in a shot.
func (t *Table) shot(e *shots.Event, f *capture.Frame) {
	s := e.Shot
	w := &sighting{
		Shot: s, placed: t.rest.placed,
		beforeAt: t.rest.wall, moved: t.clock.wall(s.Start), rested: t.clock.wall(s.End), end: t.clock.wall(s.Settled),
	}
	t.rest.placed = nil
	if t.keep == nil {
		return
	}
	w.before = t.rest.jpeg
	t.rest.jpeg = encode(f)
	t.rest.at = f.At
	w.after = t.rest.jpeg
	waits := len(t.keep.waiting)
	t.keep.captured = w.end
	t.keep.saw(w)
	if waits > 0 && len(t.keep.waiting) > waits {
		t.tell(ShotWaiting, w.end, WaitingNotice{Shots: len(t.keep.waiting), Note: "A question has to be answered first."})
	}
}

// atRest takes in the board where it lies at rest after something has happened,
// and what time alone brings.
func (t *Table) atRest(ctx context.Context, f *capture.Frame, happened bool) {
	state, _ := t.watch.State()
	rests := state == shots.Idle || state == shots.Settled || state == shots.RoundOver
	if happened && rests {
		t.rest.known, t.rest.wall = true, f.Arrived
		if t.keep != nil {
			if t.rest.jpeg == nil || t.rest.at != f.At {
				t.rest.jpeg, t.rest.at = encode(f), f.At
			}
			t.keep.rests(t.watch.Discs(), f.At, f.Arrived, t.rest.jpeg)
			if t.accept != nil {
				t.accepted(ctx)
			}
		}
	}
	if rests {
		t.status.examine(f, t.watch.Calibration(), f.At)
	}
	if t.keep == nil {
		return
	}
	again := t.failing && f.At-t.tried >= retryEvery
	if happened || again || rests && t.keep.ticks(f.At) {
		if again || !t.failing {
			t.advance(ctx)
		}
	}
}

// retryEvery is how long what could not be recorded waits for another try.
const retryEvery = time.Second

// accepted takes the board as it lies into the match.
func (t *Table) accepted(ctx context.Context) {
	a := *t.accept
	t.accept = nil
	k := t.keep
	s := k.rec.State()
	if s.Phase() == match.Between { // a round that has begun without the table
		if k.read(s, k.lies).empty {
			return
		}
		if err := k.enter(ctx, store.Entry{Actor: a.Actor, Bodies: []match.Body{match.RoundStarted{Lead: s.Lead()}}}); err != nil {
			t.kept(err)
			return
		}
		s = k.rec.State()
	}
	r := k.read(s, k.lies)
	_, open := unsettled(s)
	if s.Desynced() == nil && !r.differs() && len(r.stays) == 0 && !open && len(k.waiting) == 0 {
		return // nothing to take over
	}
	if !k.coloursKnown(s) {
		k.guess(s)
	}
	k.lost += len(k.waiting)
	b, ok := k.resync(s, a)
	if !ok {
		return
	}
	var bodies []match.Body
	if s.Desynced() == nil {
		bodies = append(bodies, match.Desynced{Reason: "The board is taken as it lies."})
	}
	t.kept(k.enter(ctx, store.Entry{Actor: a.Actor, Bodies: append(bodies, b)}))
}

// advance records what follows from what was seen. The table's lock is held.
func (t *Table) advance(ctx context.Context) {
	k := t.keep
	t.kept(k.advance(ctx, t.clock.at))
	t.watch.Expect(k.rec.State().Phase() == match.Removing)
}

// kept notes whether something could be recorded. What could not stays where it
// is and is tried again.
func (t *Table) kept(err error) {
	var conflict *store.ConflictError
	switch {
	case err == nil:
		if t.failing {
			t.failing = false
			t.tell(RecordingRecovered, time.Time{}, nil)
			t.status.change(func(s *Status) { s.Failure = "" })
		}
	case errors.As(err, &conflict):
		t.tried, t.failing = t.clock.at, true // somebody else has written: once more
	default:
		t.o.Log.Error("what was seen could not be recorded", "error", err)
		if !t.failing {
			t.tell(RecordingFailed, time.Time{}, FailureNotice{Reason: err.Error()})
		}
		t.tried, t.failing = t.clock.at, true
		t.status.change(func(s *Status) { s.Failure = err.Error() })
	}
}

// seen is discs as notices have them.
func (t *Table) seen(discs []shots.Disc) []SeenDisc {
	cal := t.watch.Calibration()
	out := make([]SeenDisc, 0, len(discs))
	for _, d := range discs {
		s := SeenDisc{Disc: d.Disc, Colour: fmt.Sprintf("#%02x%02x%02x", byte(d.Colour[2]), byte(d.Colour[1]), byte(d.Colour[0]))}
		if t.keep != nil {
			s.Side = t.keep.colours[d.Side]
		} else {
			s.Side = 0
		}
		if cal != nil {
			s.Px[0], s.Px[1] = cal.Camera.Project(d.Top.X, d.Top.Y, 0)
		}
		out = append(out, s)
	}
	return out
}

// show brings the status up to date. The table's lock is held.
func (t *Table) show() {
	state, since := t.watch.State()
	cal := t.watch.Calibration()
	now := mark{state: state, n: len(t.watch.Discs()), cal: cal, keep: t.keep}
	if now.n > 0 {
		now.first = &t.watch.Discs()[0]
	}
	if k := t.keep; k != nil {
		now.version, now.held, now.waiting, now.at = k.told, k.held, len(k.waiting), k.at
	}
	if !t.status.outdated(now) {
		return
	}
	wall := t.clock.wall(since)
	discs := t.seen(t.watch.Discs())
	differs := t.differs()
	t.status.change(func(s *Status) {
		if s.State != state {
			s.Overdue = ""
		}
		s.State, s.Since, s.Discs = state, wall, discs
		s.Calibration = nil
		if cal != nil {
			s.Calibration = &Calibration{Method: cal.Method, Board: cal.Board.Name, Known: cal.Known, Quality: cal.Quality, DriftMM: t.drift}
		}
		s.Match, s.Version, s.Phase, s.Held, s.Waiting, s.Differs = "", 0, "", false, 0, nil
		if k := t.keep; k != nil {
			m := k.rec.State()
			s.Match, s.Version, s.Phase, s.Held, s.Waiting = k.id(), m.Version(), m.Phase(), k.held, len(k.waiting)
			s.Differs = differs
		}
	})
}

// differs is how the board at rest differs from the match, nil where it does not,
// and tells when that changes.
func (t *Table) differs() *Difference {
	k := t.keep
	if k == nil || !k.known || len(k.waiting) > 0 {
		t.differed = false
		return nil
	}
	r := k.read(k.rec.State(), k.lies)
	if !r.differs() && len(r.stays) == 0 {
		if t.differed {
			t.tell(BoardAgreed, k.captured, nil)
		}
		t.differed = false
		return nil
	}
	d := t.difference(r)
	if !t.differed {
		t.tell(BoardDiffered, k.captured, *d)
	}
	t.differed = true
	return d
}

// difference is a reading as people see it.
func (t *Table) difference(r reading) *Difference {
	d := &Difference{Missing: append([]match.DiscID{}, r.missing...), Stays: append([]match.DiscID{}, r.stays...)}
	var extra []shots.Disc
	for _, i := range r.extra {
		extra = append(extra, t.keep.lies[i])
	}
	d.Extra = t.seen(extra)
	return d
}
