package sim

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"

	"crokcam/board"
	"crokcam/sim/internal/exact"
)

// MaxDiscs is the most discs a shot can be simulated with, the shot disc and
// those in the ditch included.
const MaxDiscs = 64

// ErrEndless marks a shot that does not come to an end within the greatest
// number of events. None is known.
var ErrEndless = errors.New("sim: the shot does not end")

const (
	mostEvents = 200_000
	touchMM    = 1e-9 // gap up to which two bodies touch
)

// eventKind says what happens to a disc next.
type eventKind uint8

const (
	evNone eventKind = iota
	evDisc           // meets another disc
	evPost           // meets a post
	evStop           // stops sliding
	evHole           // its centre enters the tipping circle of the hole
	evLip            // its leading edge meets the hole's far lip
	evSink           // it has fallen below the lip
	evSunk           // lies flat in the hole
	evEdge           // its centre passes the edge of the surface
	evLow            // its foot comes below the tops of the discs in the ditch
	evLand           // lands on the ditch's floor
	evRail           // meets the rail
	evWall           // meets the ditch's inner wall
	evBack           // its centre passes the edge inwards
)

// event is the next thing that happens to a disc, as things stand.
type event struct {
	at    float64
	kind  eventKind
	other int // disc or post
}

// body is a disc during a shot.
type body struct {
	f    flight
	last int32 // place of f in run.flights
	side board.Side

	// The state at the moment at.
	at, x, y, v, ux, uy float64

	next event

	tips     bool    // over the hole
	over     float64 // since when it tips, s
	passed   bool    // it has climbed the hole's far lip
	gone     bool    // it has left the surface at some time
	airborne bool    // it falls into the ditch
	low      bool    // it has fallen below the tops of the discs there
	back     bool    // it jumps back over the edge
	fell     float64 // when it went over the edge, s
	walled   float64 // when it last met rail or wall, s
	rattles  int     // how often in a row in no time
	slides   int     // how often it slid off the edge after it had landed
	level    int     // how many discs it lies on in the ditch
	above    uint64  // discs it lies on or under in the ditch
}

// run is one shot being computed.
type run struct {
	t        *Table
	now      float64
	b        []body
	moving   uint64
	changed  uint64 // discs that move otherwise than before
	rested   uint64 // discs that have come to rest
	filled   bool   // the hole
	events   int
	flights  []flight
	contacts []Contact
	touched  []float64 // when each contact was last renewed
	exits    []Exit
	twenties []int

	trace func(kind eventKind, i int, before bool) // for tests
}

var runs = sync.Pool{New: func() any { return new(run) }}

func bit(i int) uint64 { return 1 << uint(i) }

// Shoot computes what becomes of a shot. Nothing given is kept or changed. An
// error wraps ErrSetup or, in theory, ErrEndless.
func (t *Table) Shoot(start Setup, shot Shot) (*Result, error) {
	r := runs.Get().(*run)
	defer runs.Put(r)
	r.reset(t)
	if err := r.load(start, shot); err != nil {
		return nil, err
	}
	if err := r.play(); err != nil {
		return nil, err
	}
	return r.result(len(start.Board.Discs)), nil
}

func (r *run) reset(t *Table) {
	*r = run{
		t: t, b: r.b[:0], flights: r.flights[:0], contacts: r.contacts[:0], touched: r.touched[:0],
		exits: r.exits[:0], twenties: r.twenties[:0],
	}
}

// play runs from event to event until nothing moves.
func (r *run) play() error {
	r.update()
	for r.moving != 0 {
		i, e := r.earliest()
		if r.events++; r.events > mostEvents || e.kind == evNone {
			return fmt.Errorf("%w: %d events in %.3f s", ErrEndless, r.events, r.now)
		}
		r.now = max(r.now, e.at)
		if r.trace != nil {
			r.trace(e.kind, i, true)
		}
		r.happen(i, e)
		if r.trace != nil {
			r.trace(e.kind, i, false)
		}
		r.update()
	}
	return nil
}

// earliest is the disc with the next event, of several the first.
func (r *run) earliest() (int, event) {
	best, e := -1, event{at: math.Inf(1)}
	for m := r.moving; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if n := &r.b[i].next; n.at < e.at {
			best, e = i, *n
		}
	}
	return best, e
}

func (r *run) happen(i int, e event) {
	switch e.kind {
	case evDisc:
		r.strikeDisc(i, e.other)
	case evPost:
		r.strikePost(i, e.other)
	case evStop:
		r.stop(i)
	case evHole:
		r.enterHole(i)
	case evLip:
		r.bumpLip(i)
	case evSink:
		r.catch(i)
	case evSunk:
		r.sunk(i)
	case evEdge:
		r.overEdge(i)
	case evLow:
		r.sinkLow(i)
	case evLand:
		r.land(i)
	case evRail:
		r.meetRail(i)
	case evWall:
		r.meetWall(i)
	case evBack:
		r.comeBack(i)
	}
}

// begin starts a new flight of a disc.
func (r *run) begin(i int, f flight, spin float64) {
	d := &r.b[i]
	f.prev, f.t0 = d.last, r.now
	f.angle = d.f.angleAt(r.now)
	r.t.setSpin(&f, spin)
	d.last = int32(len(r.flights))
	d.f = f
	r.flights = append(r.flights, f)
	r.changed |= bit(i)
	d.at, d.x, d.y, d.v, d.ux, d.uy = r.now, f.x, f.y, f.v, f.ux, f.uy
	if f.v > 0 {
		r.moving |= bit(i)
	} else {
		r.moving &^= bit(i)
		r.rested |= bit(i)
	}
}

// launch starts a flight over the surface.
func (r *run) launch(i int, x, y, vx, vy, spin float64) {
	d := &r.b[i]
	v := exact.Hypot(vx, vy)
	if v == 0 {
		d.f.where = OnSurface
		if r.overHole(d, x, y) {
			r.stopOverHole(i, x, y)
			return
		}
		r.settle(i, x, y, OnSurface, spin)
		return
	}
	r.begin(i, flight{x: x, y: y, ux: vx / v, uy: vy / v, v: v, slow: r.t.slow, where: OnSurface}, spin)
	switch {
	case !r.overHole(d, x, y):
		d.tips, d.passed = false, false
	case !d.tips:
		d.tips, d.over, d.passed = true, r.now, false
	}
}

// restart starts the flight after a contact.
func (r *run) restart(i int, x, y, vx, vy, spin float64) {
	d := &r.b[i]
	switch {
	case d.f.where == InHole:
		// Guided by the hole's wall: nothing moves it.
	case d.f.where != InDitch:
		r.launch(i, x, y, vx, vy, spin)
	case d.back:
		m := exact.Dot(x, y, vx, vy)
		vv := exact.Dot(vx, vy, vx, vy)
		if m < 0 && float64(m*m) > float64((exact.Dot(x, y, x, y)-float64(r.t.edge*r.t.edge))*vv) {
			v := math.Sqrt(vv)
			r.begin(i, flight{x: x, y: y, ux: vx / v, uy: vy / v, v: v, where: InDitch, fell: r.now}, spin)
			return
		}
		d.back, d.airborne, d.low, d.fell = false, true, false, r.now
		fallthrough
	default:
		r.fly(i, x, y, vx, vy, spin)
	}
}

// stop is a disc that stops sliding.
func (r *run) stop(i int) {
	d := &r.b[i]
	x, y := d.f.placeAt(r.now)
	if r.overHole(d, x, y) {
		r.stopOverHole(i, x, y)
		return
	}
	spin := 0.0
	if d.f.law == evenly {
		spin = d.f.spinAt(r.now)
	}
	r.settle(i, x, y, d.f.where, spin)
}

// settle leaves a disc where it is, spinning or not.
func (r *run) settle(i int, x, y float64, where Where, spin float64) {
	d := &r.b[i]
	d.tips, d.passed = false, false
	f := flight{x: x, y: y, where: where}
	if where == InDitch {
		if d.airborne && !d.low {
			r.stack(i, x, y)
		}
		d.airborne = false
		f.fell, f.z = longAgo, r.floor(d)
	}
	r.begin(i, f, spin)
}

// update predicts anew what changes have made uncertain.
func (r *run) update() {
	for m := r.moving; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		d := &r.b[i]
		switch {
		case r.changed&bit(i) != 0, d.next.kind == evDisc && r.changed&bit(d.next.other) != 0:
			r.predict(i)
		case r.rested != 0:
			r.refresh(d)
			for k := r.rested; k != 0; k &= k - 1 {
				r.pair(i, bits.TrailingZeros64(k))
			}
		}
	}
	r.changed, r.rested = 0, 0
}

// result puts down what became of the shot.
func (r *run) result(shot int) *Result {
	n := len(r.b)
	out := &Result{
		Shot: shot, Discs: make([]Placed, n), Place: make([]int, n), table: r.t,
		Contacts: append([]Contact(nil), r.contacts...),
		Exits:    append([]Exit(nil), r.exits...),
		Twenties: append([]int(nil), r.twenties...),
		flights:  append([]flight(nil), r.flights...),
		last:     make([]int32, n),
	}
	for i := range r.b {
		out.Duration = max(out.Duration, r.b[i].f.endsAt())
	}
	out.Final.Discs = make([]board.Disc, 0, n)
	for i := range r.b {
		d := &r.b[i]
		out.last[i] = d.last
		p := r.t.placed(&d.f, d.side, out.Duration)
		out.Discs[i], out.Place[i] = p, -1
		if p.Where == InDitch {
			continue
		}
		out.Place[i] = len(out.Final.Discs)
		out.Final.Discs = append(out.Final.Discs, board.Disc{
			Point: board.Point{X: p.X, Y: p.Y}, Side: d.side, Rest: restOf(p.Where), Confidence: 1,
		})
	}
	return out
}

func restOf(w Where) board.Rest {
	switch w {
	case InHole:
		return board.InHole
	case Leaning:
		return board.Leaning
	}
	return board.OnSurface
}
