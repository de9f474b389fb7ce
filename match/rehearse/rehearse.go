// Package rehearse plays made-up matches, for tests and measurements: shots that
// could have been, judged by package rules, asked about where they are unclear,
// removed and counted, all the way to a winner. The same seed plays the same
// match.
package rehearse

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"crokcam/board"
	"crokcam/match"
	"crokcam/rules"
)

// Table is a match being played.
type Table struct {
	State match.State
	// Noise is the chance, after each step, that somebody corrects, undoes, redoes,
	// pauses or remarks something.
	Noise float64

	rng  *rand.Rand
	now  time.Time
	plan rules.Plan
	n    int
}

// New sets a table up for a match by a plan.
func New(seed uint64, plan rules.Plan) *Table {
	return &Table{
		rng: rand.New(rand.NewPCG(seed, 0xc0)), plan: plan,
		now: time.Date(2026, 11, 30, 19, 0, 0, 0, time.UTC),
	}
}

// Singles is a game of n rounds between two players with eight discs each, scored
// by match points.
func Singles(n int) rules.Plan {
	return rules.BestOf(1, rules.Format{
		Layout: rules.TwoPlayers, Discs: 8, End: rules.End{Rounds: n},
		Rules: rules.Ruleset{RoundScore: rules.MatchPoints, Board: board.Tournament26()},
	})
}

// Play plays until the match is over and returns its events.
func (t *Table) Play() ([]match.Event, error) {
	for {
		more, err := t.Step()
		if err != nil || !more {
			return t.State.Events(), err
		}
	}
}

// Step plays on by one thing that happens, which may be several events. It tells
// whether there is more to come.
func (t *Table) Step() (bool, error) {
	if t.State.Version() > 1 && t.rng.Float64() < t.Noise {
		if err := t.disturb(); err != nil {
			return false, err
		}
	}
	b := t.next()
	if b == nil {
		return false, nil
	}
	return true, t.Record(b)
}

// Next is what would happen next, nil when the match is over; nothing is
// recorded.
func (t *Table) Next() match.Body { return t.next() }

// Event makes the next event of the list.
func (t *Table) Event(b match.Body) match.Event {
	t.n++
	t.now = t.now.Add(time.Duration(100+t.rng.IntN(4000)) * time.Millisecond)
	actor := match.Actor{Role: match.Camera, Name: "table 3"}
	switch b.(type) {
	case match.Started, match.RoundAgreed, match.QuestionAnswered, match.Corrected, match.Undone, match.Redone, match.Note, match.Closed:
		actor = match.Actor{Role: match.Scorer, Name: "Sam"}
	case match.Desynced, match.Paused:
		actor = match.Actor{Role: match.System}
	}
	return match.Event{
		Seq: t.State.Version() + 1, Time: t.now, Actor: actor, Body: b,
		ID: fmt.Sprintf("00000000-0000-7000-8000-%012x", t.n),
	}
}

// Record applies one event.
func (t *Table) Record(b match.Body) error {
	s, err := t.State.Apply(t.Event(b))
	if err != nil {
		return err
	}
	t.State = s
	return nil
}

func (t *Table) next() match.Body {
	s := t.State
	if s.Phase() == match.Unstarted {
		return t.start()
	}
	if s.Paused() != nil {
		return match.Resumed{}
	}
	if s.Desynced() != nil {
		return t.resync()
	}
	switch s.Phase() {
	case match.Between:
		return match.RoundStarted{Lead: s.Lead()}
	case match.Shooting:
		if b := t.expect(); b != nil {
			return b
		}
		return t.shoot()
	case match.Judging:
		return t.judge()
	case match.Asking:
		return t.settle()
	case match.Removing:
		return match.RemovalChecked{Turn: s.LastTurn()}
	case match.Counting:
		return t.count()
	case match.Shootout:
		return match.ShootoutHeld{Hits: match.Points{0, 5 + t.rng.IntN(3), 5 + t.rng.IntN(3)}}
	}
	return nil
}

// start is the match's first event.
func (t *Table) start() match.Body {
	names := [...]string{"Ann", "Bob", "Cleo", "Dan"}
	b := match.Started{
		Match: fmt.Sprintf("00000000-0000-7000-9000-%012x", t.rng.Uint32()), Code: "K4MR7", Title: "Club night",
		Profile: "nca", Plan: match.Plan(t.plan), Board: "table 3", Source: "camera:0",
		Sides: []match.SideName{{Side: board.SideA, Colour: "black"}, {Side: board.SideB, Colour: "natural"}},
	}
	for _, seat := range t.plan.Stages[0].Format.Layout.Seats() {
		b.Players = append(b.Players, match.Player{Seat: seat, Name: names[seat]})
	}
	return b
}

// expect says what is to be removed after the last shot, once.
func (t *Table) expect() match.Body {
	last := t.State.LastTurn()
	for _, e := range t.State.Events() {
		if r, ok := e.Body.(match.RemovalExpected); ok && r.Turn == last && t.State.InForce(e.Seq) {
			return nil
		}
	}
	if r := t.State.Removal(last); len(r.Remove)+len(r.Restore) > 0 {
		return r
	}
	return nil
}

// count puts the count forward, and agrees to it when that has been done.
func (t *Table) count() match.Body {
	if b := t.expect(); b != nil {
		return b
	}
	rounds := t.State.Rounds()
	r := rounds[len(rounds)-1]
	count := match.RoundEnded{Totals: match.Points(r.Totals), Twenties: match.Points(r.Twenties)}
	var told match.RoundEnded
	done := false
	for _, e := range t.State.Events()[r.Seq:] {
		if b, ok := e.Body.(match.RoundEnded); ok && t.State.InForce(e.Seq) {
			told, done = b, true
		}
	}
	if done && told == count {
		return match.RoundAgreed{}
	}
	return count
}

// resync takes the board as the match has it.
func (t *Table) resync() match.Body {
	tally, _ := t.State.Tally()
	b := match.Resynced{Board: t.State.Board(), Twenties: match.Points(tally.Twenties), Left: tally.Left}
	for seat, n := range tally.Left {
		b.Left[seat] = max(0, n)
		if n > tally.Left[b.Next] {
			b.Next = board.Seat(seat)
		}
	}
	return b
}

// judge judges the last shot.
func (t *Table) judge() match.Body {
	shot := t.State.LastTurn()
	v, err := t.State.Judge(shot, nil)
	if err != nil {
		return match.Desynced{Reason: err.Error()}
	}
	return match.ShotJudged{Shot: shot, Verdict: match.Verdict(v)}
}

// settle asks about what is open, and answers.
func (t *Table) settle() match.Body {
	last := t.open()
	if qs := t.State.Questions(true); len(qs) > 0 && len(qs[0].Choices) > 0 {
		q := qs[0]
		return match.QuestionAnswered{Question: q.Seq, Choice: q.Choices[t.rng.IntN(len(q.Choices))].Key}
	}
	turn, _, ok := t.State.Turn(last)
	if !ok || turn.Verdict == nil || turn.Verdict.Ruling == rules.Desynced {
		return match.Desynced{Reason: "the two pictures cannot belong to one shot"}
	}
	for i, d := range turn.Verdict.Doubts {
		if len(d.Answers) == 0 {
			continue
		}
		q := match.QuestionAsked{Turn: last, About: match.AboutDoubt, Doubt: i, Blocking: true}
		for k, a := range d.Answers {
			q.Choices = append(q.Choices, match.Choice{Key: a.Key, Change: &match.Change{Answer: &match.ChangeAnswer{Doubt: i, Answer: k}}})
		}
		return q
	}
	// Nothing that an answer would settle: the referee rules.
	v := *turn.Verdict
	if v.Shooter != turn.Side {
		if again, err := t.State.Judge(last, nil); err == nil && again.Ruling != rules.Desynced {
			v = again
		}
		v.Shooter = turn.Side
	}
	v.Ruling = rules.Good
	v.Outcomes = append([]rules.Outcome(nil), v.Outcomes...)
	for i := range v.Outcomes {
		if v.Outcomes[i].Fate == rules.Awaiting {
			v.Outcomes[i].Fate = rules.Ditched
		}
	}
	v.Doubts = nil
	return match.Corrected{Target: last, Reason: "referee", Change: match.Change{Verdict: &match.ChangeVerdict{Verdict: match.Verdict(v)}}}
}

// open is the first turn of the round in play that is not settled, or the last.
func (t *Table) open() int {
	rounds := t.State.Rounds()
	turns := rounds[len(rounds)-1].Turns
	for i := len(turns) - 1; i >= 0 && turns[i].Kind != match.SyncTurn; i-- {
		if !turns[i].Settled {
			return turns[i].Seq
		}
	}
	return t.State.LastTurn()
}

// shoot makes up a shot at the board as it lies.
func (t *Table) shoot() match.Body {
	next := t.State.Next()
	seat := next[t.rng.IntN(len(next))]
	side := t.State.ShotOf(seat).Side
	b := match.ShotDetected{Seat: seat, BeforeAt: t.now, MovedAt: t.now.Add(time.Second), RestedAt: t.now.Add(3 * time.Second), AfterAt: t.now.Add(3200 * time.Millisecond)}
	b.Evidence.Watched = rules.WatchedContacts | rules.WatchedExits
	for _, d := range t.State.Discs() {
		d.Disc.Sigma = 0.3
		b.Before.Discs = append(b.Before.Discs, d.Disc)
	}
	track := match.Track{Discs: make([]int, len(b.Before.Discs)), Shot: rules.Gone}
	struck, open := t.aim(b.Before, side)
	if struck >= 0 {
		b.Evidence.Contacts = []rules.Contact{{Striker: rules.ShotDisc, Struck: rules.Disc(struck), At: 0.4, Confidence: 0.6 + 0.4*t.rng.Float64()}}
	}
	for i, d := range b.Before.Discs {
		switch {
		case i != struck:
		case t.rng.IntN(3) == 0:
			track.Discs[i] = rules.Gone
			b.Evidence.Exits = append(b.Evidence.Exits, rules.Exit{Body: rules.Disc(i), At: 0.9})
			continue
		default:
			d.Point = t.free(append(b.After.Discs, b.Before.Discs...), wide)
		}
		track.Discs[i] = len(b.After.Discs)
		b.After.Discs = append(b.After.Discs, d)
	}
	shot := board.Disc{Side: side, Sigma: 0.3, Confidence: 0.99}
	switch n := t.rng.IntN(10); {
	case n < 2:
		shot.Rest = board.InHole
	case n == 2:
		b.Evidence.Exits = append(b.Evidence.Exits, rules.Exit{Body: rules.ShotDisc, At: 0.8})
		b.Track = &track
		return b
	case open && n < 9:
		shot.Point = t.free(append(b.After.Discs, b.Before.Discs...), within15)
	default:
		shot.Point = t.free(append(b.After.Discs, b.Before.Discs...), wide)
	}
	track.Shot = len(b.After.Discs)
	b.After.Discs = append(b.After.Discs, shot)
	b.Track = &track
	return b
}

// aim picks the disc that is struck, an opposing one as a rule, -1 for none; open
// tells whether there is no opposing disc.
func (t *Table) aim(before board.Snapshot, side board.Side) (struck int, open bool) {
	var own, theirs []int
	for i, d := range before.Discs {
		if d.Side == side {
			own = append(own, i)
		} else {
			theirs = append(theirs, i)
		}
	}
	switch n := t.rng.IntN(10); {
	case len(theirs) > 0 && n < 7:
		return theirs[t.rng.IntN(len(theirs))], false
	case len(own) > 0 && n < 8:
		return own[t.rng.IntN(len(own))], len(theirs) == 0
	}
	return -1, len(theirs) == 0
}

// How far from the centre a disc is put, mm: anywhere on the surface, or as a
// rule inside the 15.
const wide, within15 = 306, 90

// free is a place on the surface where no disc lies near, no further out than
// reach while there is room.
func (t *Table) free(discs []board.Disc, reach float64) board.Point {
next:
	for {
		reach++ // in the end there is room
		a, r := 2*math.Pi*t.rng.Float64(), 36+(min(reach, wide)-36)*math.Sqrt(t.rng.Float64())
		p := board.Point{X: math.Round(10*r*math.Cos(a)) / 10, Y: math.Round(10*r*math.Sin(a)) / 10}
		for _, d := range discs {
			if math.Hypot(p.X-d.X, p.Y-d.Y) < 33 {
				continue next
			}
		}
		return p
	}
}
