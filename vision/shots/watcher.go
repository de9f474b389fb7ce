package shots

import (
	"fmt"
	"math"
	"time"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/internal/raster"
	"crokcam/vision"
	"crokcam/vision/capture"
)

// Options is what is known before the first frame. The zero value is usable.
type Options struct {
	Calibration *calibrate.Calibration // nil: found in the first quiet frame
	Board       *board.Spec            // the board's measures, where they are known
	Sides       int                    // colours of discs in play; 0 is two
}

// Watcher makes shots of frames. It is for use by one goroutine.
type Watcher struct {
	o         Options
	cal       *calibrate.Calibration
	grid      grid
	chart     chart
	changes   changes
	meter     meter
	warnings  warnings
	frame     capture.Frame // the one that is being taken, at stream time
	behind    time.Duration // by how much the source's clock has gone back
	blobs     blobs
	stark     blobs // of what has changed most
	flight    flight
	palette   palette
	emptyHole hole
	eye       *vision.Eye     // nil until all of the board has been looked at
	whole     *raster.Picture // reused
	looked    int
	lying     capture.Frame // the board as it last lay; a copy

	toned, tonedLying toned // of the frame that was looked at last, and of lying

	lean lean

	state   State
	since   time.Duration // when the state began
	told    bool          // that it has lasted too long
	last    time.Duration // stream time of the last usable frame
	period  time.Duration // between frames, usually
	begun   bool          // there was a frame
	session int
	spoilt  time.Duration // since when frames have been unusable; -1: they are not

	hand, motion bool          // in the last frame
	still        bool          // nothing on the surface differs from the background
	active       time.Duration // when a hand or motion was last seen
	moved        time.Duration // when motion was
	tried        time.Duration // when the board was last looked for
	checked      time.Duration // when the lines were last followed
	metered      time.Duration // when it was last measured whether the board has moved
	strayed      int           // how often in a row it seemed to have

	discs    []Disc // as they lay when last looked at
	placed   []Disc // on the starting line, in the background but not yet shot
	hole     vision.Hole
	turn     turn
	looks    looks
	shotLast board.Side    // whose disc was shot last; none: nobody knows
	turns    bool          // the last shot's disc was seen, and is of the side that was seen first
	first    bool          // nothing has happened since the board was found
	expect   bool          // discs are to be taken away
	gone     []board.Point // where they lie, as far as that was said
	events   []Event
}

// turn is what has been going on since the board last lay as in Watcher.discs.
type turn struct {
	on       bool
	began    time.Duration
	watched  bool
	handed   bool          // there was a hand
	handGone time.Duration // when the last one left
	back     bool          // one came after a disc had been shot and the hand that shot it had gone

	// Of each of Watcher.discs: when it was first seen not to lie where it lay
	// (0: it has not been), and whether a hand was over it before.
	movedAt [maxDiscs]time.Duration
	hidden  [maxDiscs]bool
}

// maxDiscs is how many discs are followed, of which no board has as many.
const maxDiscs = 64

// How long things may take and must last.
const (
	quietToFind  = 300 * time.Millisecond // before the board is looked for
	findEvery    = time.Second
	quietToLook  = 60 * time.Millisecond
	betweenLooks = 90 * time.Millisecond
	giveUpSettle = 2 * time.Second
	lasting      = 700 * time.Millisecond // of a change without motion before it is looked at
	handAway     = 300 * time.Millisecond // without a hand before another is another
	offlineAfter = time.Second
	lyingBeside  = 3 * time.Second // without motion, from which it is part of the scene
)

// limits is how long a state may last before somebody should know.
var limits = map[State]time.Duration{
	Calibrating: 15 * time.Second, Hand: 30 * time.Second, Moving: 12 * time.Second, Settling: 6 * time.Second,
	Removing: 30 * time.Second, Desynced: 60 * time.Second,
}

// New prepares a Watcher.
func New(o Options) *Watcher {
	if o.Sides == 0 {
		o.Sides = 2
	}
	return &Watcher{o: o, cal: o.Calibration, state: Offline, spoilt: -1}
}

// State is what the board is taken to be doing, and since when (stream time).
func (w *Watcher) State() (State, time.Duration) { return w.state, w.since }

// Calibration is the present one; nil while there is none.
func (w *Watcher) Calibration() *calibrate.Calibration { return w.cal }

// Looks is how often the board, or what had changed of it, has been looked at
// for discs: that is what costs most.
func (w *Watcher) Looks() int { return w.looked }

// Discs is the board as it last lay at rest, as far as it could be understood:
// while it is desynced, before that. It is not to be changed.
func (w *Watcher) Discs() []Disc { return w.discs }

// Expect says whether the verdict on the last shot wants discs taken away: a
// hand that comes is then taken to do that.
func (w *Watcher) Expect(removal bool) { w.expect, w.gone = removal, w.gone[:0] }

// ExpectGone is Expect for who knows which discs are to be taken away: their
// places in After of the last shot. Discs that go as they should are then told
// from a shot even where the next player does not wait for it.
func (w *Watcher) ExpectGone(after []int) {
	w.Expect(len(after) > 0)
	for _, j := range after {
		if j >= 0 && j < len(w.discs) {
			w.gone = append(w.gone, w.discs[j].Point)
		}
	}
}

// Pause stops scoring until Resume.
func (w *Watcher) Pause() []Event {
	w.events = w.events[:0]
	w.enter(Paused)
	return w.events
}

// Resume goes on from the board as it lies.
func (w *Watcher) Resume() []Event { return w.Accept() }

// Accept takes the board as it lies, whatever state it is in, and goes on from
// there: the manual way out of every state.
func (w *Watcher) Accept() []Event {
	w.events = w.events[:0]
	w.turn, w.looks = turn{}, looks{}
	w.Expect(false)
	w.flight.restart()
	w.looks.accept, w.looks.fresh = true, true
	if w.cal == nil {
		w.enter(Calibrating)
	} else {
		w.enter(Settling)
	}
	return w.events
}

// Offline says that frames have ceased.
func (w *Watcher) Offline() []Event {
	w.events = w.events[:0]
	w.enter(Offline)
	return w.events
}

// Frame takes the next frame, which stays the caller's, and says what has
// happened. The events are valid until the next call; what they refer to stays.
func (w *Watcher) Frame(f *capture.Frame) ([]Event, error) {
	w.events = w.events[:0]
	if len(f.Y) != f.Width*f.Height || f.Width < 64 || f.Height < 64 {
		return nil, fmt.Errorf("shots: a frame of %d × %d px with %d bytes of luma cannot be used", f.Width, f.Height, len(f.Y))
	}
	f = w.inOrder(f)
	defer func() { w.frame = capture.Frame{} }()
	if w.unusable(f) {
		return w.events, nil
	}
	w.pace(f)
	if w.grid.fit(f) || len(w.changes.now) == 0 {
		w.resized(f)
	}
	w.grid.shrink(f, w.changes.now)
	w.grid.tint(f, w.changes.tint.now)
	contrast := float32(f.Health.High-f.Health.Low) * 219
	w.changes.compare(contrast)
	w.classify(f.At)
	if w.changes.frames > firstNoise && !w.hand {
		w.warnings.light(w.changes.step, contrast)
	}
	err := w.step(f)
	w.changes.next()
	w.overdue(f.At)
	return w.events, err
}

// inOrder is the frame at a time that is later than that of the one before: a
// clock that goes back does not take the board back.
func (w *Watcher) inOrder(f *capture.Frame) *capture.Frame {
	w.frame = *f
	w.frame.At += w.behind
	if w.begun && w.frame.At <= w.last && !(f.Session == w.session && w.frame.At == w.last) {
		step := max(w.period, time.Millisecond)
		w.behind += w.last + step - w.frame.At
		w.frame.At = w.last + step
	}
	return &w.frame
}

// unusable tells whether nothing can be read from a frame as such. A short spell
// is passed over; a longer one is as if there were no camera.
func (w *Watcher) unusable(f *capture.Frame) bool {
	if f.Health.Flags == 0 {
		w.spoilt = -1
		return false
	}
	if w.spoilt < 0 {
		w.spoilt = f.At
	}
	w.turn.watched = false
	if w.state != Offline && w.state != Paused && f.At-w.spoilt > offlineAfter {
		w.last = f.At
		w.enter(Offline)
	}
	return true
}

// pace notes when frames come, and whether some did not.
func (w *Watcher) pace(f *capture.Frame) {
	gap := f.At - w.last
	if w.begun && gap > 0 {
		if w.period > 0 && gap > max(3*w.period, 150*time.Millisecond) || f.Session != w.session {
			w.turn.watched = false
			w.flight.restart()
		}
		if w.period == 0 || gap < 4*w.period {
			w.period += (gap - w.period) / 8
		}
	}
	if !w.begun {
		w.since, w.active, w.tried = f.At, f.At, f.At-findEvery
	}
	w.begun, w.last, w.session = true, f.At, f.Session
}

// resized starts the comparisons anew for another size of picture.
func (w *Watcher) resized(f *capture.Frame) {
	n := w.grid.w * w.grid.h
	w.changes.restart(n)
	w.blobs.restart(n)
	w.stark.restart(n)
	w.meter.restart(n)
	w.eye = nil
	if w.cal != nil && (w.cal.Camera.Width != f.Width || w.cal.Camera.Height != f.Height) {
		k := float64(f.Width) / float64(w.cal.Camera.Width)
		if d := k*float64(w.cal.Camera.Height) - float64(f.Height); d > 2 || d < -2 {
			w.cal = nil // another shape of picture is another view
		} else {
			c := *w.cal
			c.Camera = c.Camera.Scaled(k)
			w.cal = &c
		}
	}
	if w.cal != nil {
		w.chart.lay(&w.grid, w.cal)
		if w.state != Offline && w.state != Paused && w.state != Calibrating {
			w.begin(f.At, false)
			w.looks.fresh = true
			w.active = f.At
			w.enter(Settling)
		}
		return
	}
	if w.state != Offline && w.state != Paused {
		w.enter(Calibrating)
	}
	w.chart = chart{part: make([]part, n), at: make([]board.Point, n), mm2: make([]float32, n)}
	for i := range w.chart.part {
		w.chart.part[i], w.chart.mm2[i] = surface, 20
	}
}

// What counts, mm² over the board.
const (
	handSize  = 2000 // of a hand or an arm altogether
	handOver  = 120  // of it over the surface
	handStark = 500  // of it that differs from the board by more than light and shade do
	handOut   = 300  // of it beyond the rail: of a disc that lies against the rail less is there
	motionMin = 45   // of something that moves
	bulk      = 6    // discs' areas that one disc and its shadow may make, where the light comes from low down

	// motionFirst is how many squares must move together before the noise is
	// known and where the board is: an encoder's first frames get better and
	// better, here and there.
	motionFirst = 15
)

// passing tells whether what has changed in a square is likely to go again: a
// hand or an arm, also one that waits beside the surface.
func (w *Watcher) passing(i int) bool {
	id := w.blobs.of[i]
	return id > 0 && w.blobs.list[id-1].arm()
}

// absorb takes what has come to lie beside the surface into the background, such as
// discs and cups, also where a little of it reaches over the edge.
func (w *Watcher) absorb() {
	if w.period <= 0 {
		return
	}
	frames := uint16(min(lyingBeside/w.period, forLong))
	c := &w.changes
	for i, b := range w.blobs.of {
		if b > 0 && c.rested[i] >= frames && w.blobs.list[b-1].liesBeside() {
			c.take(i)
		}
	}
}

// classify says what a frame shows: a hand, motion, or neither.
func (w *Watcher) classify(at time.Duration) {
	w.hand, w.motion, w.still = false, false, true
	least := 2
	if w.cal == nil {
		least = motionFirst
	}
	for _, b := range w.blobs.find(w.changes.moved, &w.grid, &w.chart) {
		if b.mm2 >= motionMin && b.squares >= least {
			w.motion = true
			break
		}
	}
	if !w.changes.known || w.cal == nil {
		if w.motion {
			w.active = at
		}
		return
	}
	var room [64]sight
	seen := w.survey(room[:0])
	w.absorb()
	if w.hand || w.motion {
		w.active = at
	}
	if w.motion {
		w.moved = at
	}
	if w.turn.on {
		w.turn.handed = w.turn.handed || w.hand
		if !w.changes.step.jump() { // all looks different then, and flies nowhere
			w.flight.see(at, seen)
		}
		w.disturbed(at)
	}
}

// survey tells hands and arms from what is smaller, of what has changed on the board, and
// adds to seen what may be a disc that flies, as far as there is room.
func (w *Watcher) survey(seen []sight) []sight {
	disc := math.Pi * w.cal.Board.Disc.Radius * w.cal.Board.Disc.Radius
	see := func(b *blob) {
		if b.mm2 > 0.3*disc && b.mm2 < bulk*disc && len(seen) < cap(seen) {
			seen = append(seen, w.sightOf(b.centre))
		}
	}
	list := w.blobs.find(w.changes.changed, &w.grid, &w.chart)
	wide := 0.0 // mm² of what is more than a disc and its shadow
	reaches := false
	for i := range list {
		if b := &list[i]; b.mm2 >= bulk*disc {
			wide += b.mm2
		}
		reaches = reaches || list[i].reachesOut()
	}
	if reaches || wide > 0 {
		for _, b := range w.stark.find(w.changes.stark, &w.grid, &w.chart) {
			if of := w.within(&b); of != nil {
				of.stark += b.all
			}
		}
	}
	for i := range list {
		b := &list[i]
		if b.mm2 < motionMin {
			continue
		}
		large := b.reachesOut() && b.all >= handSize && b.mm2 >= handOver
		if large && b.arm() {
			w.hand = true
			continue
		}
		if waits := b.arm() && b.mm2 < handOver; b.squares >= 2 && !waits { // beside the surface
			w.still = false
		}
		if !large {
			see(b)
		}
	}
	if wide > 0 && w.turn.on && w.faint(wide) { // discs fly in the wide shade of an arm, too
		for i := range w.stark.list {
			b := &w.stark.list[i]
			if of := w.within(b); of != nil && of.mm2 >= bulk*disc && !b.reachesOut() {
				see(b)
			}
		}
	}
	return seen
}

// within is the blob of all that has changed of which one of the stark ones is a part.
func (w *Watcher) within(b *blob) *blob {
	if id := w.blobs.of[b.first]; id > 0 {
		return &w.blobs.list[id-1]
	}
	return nil
}

// faint tells whether what is wide, so much of the surface (mm²), is faint for the most
// part, as the shade of an arm far away is: or else it is the arm itself.
func (w *Watcher) faint(wide float64) bool {
	for i := range w.stark.list {
		wide -= mostlyFaint * w.stark.list[i].mm2
	}
	return wide > 0
}

// mostlyFaint is how many times the area of what is stark in it a shade has.
const mostlyFaint = 3

// disturbed notes which discs no longer lie where they lay, and which of them a
// hand covers.
func (w *Watcher) disturbed(at time.Duration) {
	t := &w.turn
	for i := range w.discs[:min(len(w.discs), maxDiscs)] {
		if t.movedAt[i] != 0 {
			continue
		}
		switch changed, hidden := w.under(w.discs[i].Point); {
		case hidden > hiddenFrom:
			t.hidden[i] = true
		case changed > movedFrom:
			t.movedAt[i] = at
		}
	}
}

// The shares of the squares under a disc from which on it is taken to have
// moved, and from which on a hand may have done what it likes to it.
const (
	movedFrom  = 0.3
	hiddenFrom = 0.25
)

// step moves the state on.
func (w *Watcher) step(f *capture.Frame) error {
	quiet := f.At - w.active
	switch w.state {
	case Offline:
		if w.cal == nil {
			w.enter(Calibrating)
			return nil
		}
		w.begin(f.At, false)
		if !w.changes.known { // the board as it is first seen
			w.looks.accept, w.looks.fresh = true, true
		}
		w.enter(Settling)
	case Calibrating:
		if quiet >= quietToFind && f.At-w.tried >= findEvery {
			w.tried = f.At
			return w.calibrate(f)
		}
	case Idle, Settled, RoundOver:
		switch {
		case w.hand:
			w.begin(f.At, true)
			w.handCame(f.At)
		case w.motion:
			w.begin(f.At, true)
			w.enter(Moving)
		case !w.still:
			if f.At-w.turn.handGone > lasting && f.At-w.active > lasting {
				if jolted, err := w.jolted(f); jolted || err != nil {
					return err
				}
				w.begin(f.At, true)
				w.enter(Settling)
			}
		default:
			w.changes.follow()
			w.warn(f.At, f.FullRange)
			return w.check(f)
		}
	case Hand, Removing:
		switch {
		case w.hand:
			if w.mayBeJolted(f.At) && w.allAround() { // a hand comes from one side
				_, err := w.jolted(f)
				return err
			}
			return w.unveil(f)
		case w.motion:
			w.turn.handGone = f.At
			w.enter(Moving)
		default:
			w.turn.handGone = f.At
			w.enter(Settling)
		}
	case Moving:
		switch {
		case w.hand:
			w.handCame(f.At)
		case !w.motion:
			w.enter(Settling)
		}
	case Settling:
		switch {
		case w.hand:
			w.handCame(f.At)
		case w.motion:
			w.enter(Moving)
		case quiet >= quietToLook:
			return w.settle(f)
		}
	case Desynced, Paused: // until somebody says how the board lies
	}
	return nil
}

// begin starts a turn: the board may no longer lie as it did.
func (w *Watcher) begin(at time.Duration, watched bool) {
	w.turn = turn{on: true, began: at, watched: watched}
	w.looks = looks{}
	w.flight.restart()
}

func (w *Watcher) handCame(at time.Duration) {
	if w.flew() != nil && at-w.turn.handGone > handAway {
		w.turn.back = true
	}
	w.looks = looks{accept: w.looks.accept, fresh: w.looks.fresh}
	if w.expect {
		w.enter(Removing)
	} else {
		w.enter(Hand)
	}
}

// flew is the track of the disc that was shot; nil while none has been.
func (w *Watcher) flew() *track { return w.flight.shooter(w.cal.Board.Start.Outer) }

// enter changes the state.
func (w *Watcher) enter(s State) {
	if s == w.state {
		return
	}
	w.say(Event{Kind: StateChanged, From: w.state, To: s})
	w.state, w.since, w.told = s, w.last, false
	if s == Moving {
		w.looks = looks{accept: w.looks.accept, fresh: w.looks.fresh}
	}
}

func (w *Watcher) say(e Event) {
	e.At = w.last
	w.events = append(w.events, e)
}

// overdue says so once when a state lasts longer than it should.
func (w *Watcher) overdue(at time.Duration) {
	limit := limits[w.state]
	if limit == 0 || w.told || at-w.since < limit {
		return
	}
	w.told = true
	notes := map[State]string{
		Calibrating: "No board can be made out. Is all of it in the picture, and lit?",
		Hand:        "Something has been lying over the board for a while. Is it a hand?",
		Moving:      "Something on the board does not come to rest.",
		Settling:    "The board does not look the same twice.",
		Removing:    "Nothing has been taken away yet.",
		Desynced:    "The board waits for somebody to say how it lies.",
	}
	w.say(Event{Kind: TimedOut, From: w.state, To: w.state, Note: notes[w.state]})
}
