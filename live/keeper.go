package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"crokcam/board"
	"crokcam/internal/witness"
	"crokcam/match"
	"crokcam/match/store"
	"crokcam/rules"
	"crokcam/vision/shots"
)

// keeper keeps one match by what is seen on its board. It knows nothing of
// frames; whoever has it calls it from one goroutine at a time.
type keeper struct {
	rec   *store.Recorder
	store store.Store
	actor actors
	tell  func(kind string, captured time.Time, data any)
	told  int // version up to which events have been told of

	colours witness.Sides // whose discs have the camera's colours; NoSide while not known
	doubted doubted       // whose shot was last asked about
	waiting []*sighting   // shots that the match has not taken yet, the oldest first
	lost    int           // shots since the board and the match lost step

	known     bool         // lies is what lies there, at rest
	lies      []shots.Disc // as last seen at rest
	cleared   []shots.Disc // what lay there before all was taken away
	at        time.Duration
	captured  time.Time     // of the frame that showed it
	jpeg      []byte        // a picture of it
	picture   string        // its name in the store, "" while it is not there
	rules     rules.Ruleset // of the game in play
	differed  time.Duration // since when the board has differed from the match; -1: it does not
	different bool          // that has been told
	acted     bool          // somebody has played on since the last event of the match
	overdue   bool          // what has to be taken away has lain there for long
	agreeing  bool          // the board has lain as it does for as long as a count stands

	ignored  []board.Point  // discs that are seen and, as somebody said, are none of the match's
	phantoms []match.DiscID // discs that are not seen and, as somebody said, are there

	held      bool // after an undo, until something happens or somebody enters something
	restoring bool // after an undo, until the board is as the match has it again
}

// doubted is a turn of which somebody was to say whose it was, and the colour that
// the shot disc had.
type doubted struct {
	turn   int // Seq
	colour board.Side
}

func newKeeper(t *Table, rec *store.Recorder) *keeper {
	return &keeper{rec: rec, store: t.o.Store, actor: t.actor, tell: t.tell, differed: -1}
}

// id is the match's.
func (k *keeper) id() string { return k.rec.State().Setup().Match }

// layoutOf is how many play, and where they sit.
func layoutOf(s match.State) rules.Layout { return s.Score().Game().Format().Layout }

// specOf is the board played on.
func specOf(s match.State) board.Spec {
	if b := s.Rules().Board; b.Surface != 0 {
		return b
	}
	return board.Tournament26()
}

// sighting is a shot that was seen.
type sighting struct {
	*shots.Shot
	placed                       *shots.Disc // as it lay on the starting line, nil if it was not seen
	beforeAt, moved, rested, end time.Time
	before, after                []byte // pictures, JPEG
}

// draft is events that are put together against the match as it stands, to be
// recorded all or none.
type draft struct {
	state  match.State
	base   int // version it started from
	bodies []match.Body
	took   bool // it takes the oldest of the waiting shots
	after  []func(s match.State)
}

func (k *keeper) draft() *draft {
	s := k.rec.State()
	return &draft{state: s, base: s.Version()}
}

// add adds an event and gives its Seq. On an error the draft is as it was.
func (d *draft) add(b match.Body) (int, error) {
	seq := d.state.Version() + 1
	next, err := d.state.Apply(match.Event{
		Seq: seq, ID: "draft", Time: time.Unix(1, 0), Actor: match.Actor{Role: match.Camera}, Body: b,
	})
	if err != nil {
		return 0, err
	}
	d.state, d.bodies = next, append(d.bodies, b)
	return seq, nil
}

// mostWaiting is how many shots wait for an answer before the board is said to
// have lost step: it is of no use to ask about what nobody remembers.
const mostWaiting = 12

// saw takes in a shot.
func (k *keeper) saw(w *sighting) {
	k.held = false
	s := k.rec.State()
	if s.Phase() == match.Over || s.Paused() != nil {
		return
	}
	if s.Desynced() != nil {
		k.lost++
		return
	}
	k.waiting = append(k.waiting, w)
}

// acts takes in that somebody plays on: a disc is placed, or discs are taken away.
func (k *keeper) acts() { k.held, k.acted = false, true }

// rests takes in the board at rest.
func (k *keeper) rests(discs []shots.Disc, at time.Duration, captured time.Time, jpeg []byte) {
	if len(discs) == 0 && len(k.lies) > 0 {
		k.cleared = k.lies
	}
	k.known, k.lies, k.at, k.captured, k.jpeg, k.picture = true, discs, at, captured, jpeg, ""
	k.agreeing = false
	if len(k.waiting) > 0 {
		return
	}
	s := k.rec.State()
	k.learn(s)
	r := k.read(s, discs)
	k.prune(s, r)
	if !r.differs() {
		k.restoring = false
	}
}

// patience is how long the board may differ from the match before that counts:
// a hand may be putting something right.
const patience = 1500 * time.Millisecond

// removalDue is how long what has to go may lie there before it is asked about.
const removalDue = 30 * time.Second

// ticks tells whether time alone gives a reason to look at the match again.
func (k *keeper) ticks(at time.Duration) bool {
	due := k.differed >= 0 && at-k.differed >= patience && !k.different
	if !k.overdue && k.known && at-k.at >= removalDue && k.rec.State().Phase() == match.Removing {
		k.overdue, due = true, true
	}
	if k.known && !k.agreeing && at-k.at >= agreedAfter && k.rec.State().Phase() == match.Counting {
		k.agreeing, due = true, true
	}
	return due
}

// advance records all that follows from what has been seen.
func (k *keeper) advance(ctx context.Context, now time.Duration) error {
	for range 100 {
		d := k.draft()
		if k.held {
			return nil
		}
		k.next(d, now)
		if len(d.bodies) == 0 {
			return nil
		}
		if err := k.record(ctx, d); err != nil {
			return err
		}
	}
	return fmt.Errorf("live: match %s does not come to rest", k.id())
}

// record records a draft.
func (k *keeper) record(ctx context.Context, d *draft) error {
	if err := k.pictures(ctx, d.bodies); err != nil {
		return err
	}
	state, err := k.rec.Record(ctx, store.Entry{Actor: k.actor.camera, Bodies: d.bodies, Expect: d.base})
	if err != nil {
		return err
	}
	if d.took {
		k.waiting = slices.Delete(k.waiting, 0, 1)
	}
	k.moveOn()
	k.tellNew(k.told)
	for _, f := range d.after {
		f(state)
	}
	return nil
}

// pictures keeps the pictures that events refer to.
func (k *keeper) pictures(ctx context.Context, bodies []match.Body) error {
	var err error
	keep := func(jpeg []byte) string {
		if err != nil || len(jpeg) == 0 {
			return ""
		}
		name, failed := k.store.PutPicture(ctx, k.id(), jpeg)
		if failed != nil && !errors.Is(failed, store.ErrPicture) { // a picture less is better than a shot less
			err = failed
		}
		return name
	}
	lies := func() string {
		if k.picture == "" {
			k.picture = keep(k.jpeg)
		}
		return k.picture
	}
	for i, b := range bodies {
		switch b := b.(type) {
		case match.ShotDetected:
			w := k.waiting[0]
			b.Pictures = match.Pictures{Before: keep(w.before), After: keep(w.after)}
			bodies[i] = b
		case match.RemovalChecked:
			if len(b.Stays)+len(b.Gone) > 0 {
				b.Picture = lies()
				bodies[i] = b
			}
		case match.RoundEnded:
			b.Picture = lies()
			bodies[i] = b
		case match.Desynced:
			b.Picture = lies()
			bodies[i] = b
		case match.Resynced:
			b.Picture = lies()
			bodies[i] = b
		}
	}
	return err
}

// enter records what a person enters, and takes the differences that a
// correction makes between board and match to be meant.
func (k *keeper) enter(ctx context.Context, e store.Entry) error {
	was := k.rec.State()
	before := k.read(was, k.lies)
	now, err := k.rec.Record(ctx, e)
	k.tellNew(k.told)
	if err != nil {
		return err
	}
	k.moveOn()
	after := k.read(now, k.lies)
	for _, b := range e.Bodies {
		switch b := b.(type) {
		case match.Undone, match.Redone:
			k.held, k.waiting = true, nil
			k.restoring = after.differs()
			continue
		case match.Note:
			continue
		case match.Corrected:
			k.bless(after, before, nil)
		case match.QuestionAnswered:
			k.bless(after, before, questionOf(was, b.Question))
		case match.Resynced:
			k.lost, k.waiting, k.phantoms, k.ignored = 0, nil, nil, nil
			k.bless(k.read(now, k.lies), reading{}, nil)
		}
		k.held = false
	}
	k.relearn(now)
	return nil
}

// questionOf is a question of the round in play, nil when there is none.
func questionOf(s match.State, seq int) *match.Question {
	for _, q := range s.Questions(false) {
		if q.Seq == seq {
			return &q
		}
	}
	return nil
}

// tellNew tells of the events of the match after a version.
func (k *keeper) tellNew(after int) {
	s := k.rec.State()
	for _, e := range s.Events()[min(after, s.Version()):] {
		k.told = e.Seq
		k.tell(e.Body.Kind(), k.captured, e)
	}
	k.told, k.rules = s.Version(), s.Rules()
}

// moveOn forgets what has led to the last event.
func (k *keeper) moveOn() {
	k.acted, k.overdue, k.agreeing, k.differed, k.different = false, false, false, -1, false
}
