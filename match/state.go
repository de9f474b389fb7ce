package match

import (
	"slices"

	"crokcam/board"
	"crokcam/rules"
)

// State is a match as it stands. It is a value: nothing that is done to a copy
// reaches another. The zero State is a match that has not begun.
type State struct {
	log    []Event
	hidden []int // for each event the Seq of the undo that hides it, 0 for none
	redo   []int // Seqs of the undos that can be redone, the newest last
	sheet  sheet
}

// Fold is the state after a list of events, or the *RefusedError of the first one
// that cannot be.
func Fold(events []Event) (State, error) {
	var s State
	var err error
	for _, e := range events {
		if s, err = s.Apply(e); err != nil {
			return State{}, err
		}
	}
	return s, nil
}

// Phase is what a match is waiting for.
type Phase string

// The phases.
const (
	Unstarted Phase = ""         // the match to be started
	Between   Phase = "between"  // the next round to be started
	Shooting  Phase = "shooting" // the next shot
	Judging   Phase = "judging"  // the verdict on the last shot
	Asking    Phase = "asking"   // the players' answer, or a correction
	Removing  Phase = "removing" // the players to take discs off the board, or put some back
	Counting  Phase = "counting" // the count to be put forward and agreed
	Shootout  Phase = "shootout" // a shoot-out of open 20s
	Over      Phase = "over"     // nothing
)

// Phase is what the match is waiting for, a pause and a loss of step with the
// board left aside: see Paused and Desynced.
func (s State) Phase() Phase {
	sh := &s.sheet
	switch r := sh.current(); {
	case sh.setup == nil:
		return Unstarted
	case sh.closed != nil || sh.final.Over():
		return Over
	case sh.final.AwaitsShootout() || sh.final.Game().Phase() == rules.ShootingOut:
		return Shootout
	case r == nil:
		return Between
	default:
		return sh.phaseOf(r)
	}
}

// phaseOf is the phase within a round.
func (s *sheet) phaseOf(r *round) Phase {
	from := 0
	for k := range r.turns {
		if r.turns[k].kind == syncTurn {
			from = k // what was open before is overtaken by the board as it lies
		}
	}
	turns := r.turns[from:]
	for k := range turns {
		switch t := &turns[k]; {
		case t.kind == shotTurn && t.verdict == nil:
			return Judging
		case !t.settled || t.twentyUntold() && !s.askedOf(t, AboutTwenty):
			return Asking
		}
	}
	for i := range s.questions {
		if q := &s.questions[i]; q.Blocking && q.open() && q.Turn >= r.seq {
			return Asking
		}
	}
	for k := range turns {
		if len(s.outstanding(&turns[k])) > 0 || turns[k].unchecked() {
			return Removing
		}
	}
	if len(r.at().next()) == 0 {
		return Counting
	}
	return Shooting
}

// twentyUntold tells whether a 20 was seen that the verdict does not have.
func (t *turn) twentyUntold() bool {
	var seen, told rules.Points
	for _, s := range t.seen {
		seen[s]++
	}
	for _, g := range t.removed {
		if g.fate == rules.Scored {
			told[g.Side]++
		}
	}
	for _, c := range t.changes {
		if c.Twenties != nil {
			told[c.Twenties.Side] += c.Twenties.By
		}
	}
	for s := range seen {
		if seen[s] > told[s] {
			return true
		}
	}
	return false
}

// askedOf tells whether a question about a turn has been dealt with.
func (s *sheet) askedOf(t *turn, about About) bool {
	return slices.ContainsFunc(s.questions, func(q question) bool {
		return q.Turn == t.seq && q.About == about && !q.open()
	})
}

// unchecked tells whether a removal is awaited.
func (t *turn) unchecked() bool { return t.removal != nil && t.removal.checked == nil }

// outstanding are the discs that stay though they should go, or are gone though
// they should stay, and about which nothing has been said since.
func (s *sheet) outstanding(t *turn) []DiscID {
	if t.removal == nil || t.removal.checked == nil {
		return nil
	}
	said := map[DiscID]bool{}
	for _, c := range t.changes {
		if c.seq > t.removal.seq {
			for _, d := range c.about() {
				said[d] = true
			}
		}
	}
	for i := range s.questions {
		if q := &s.questions[i]; q.Turn == t.seq && q.About == AboutRemoval && q.seq > t.removal.seq && !q.open() {
			for _, d := range q.Discs {
				said[d] = true
			}
		}
	}
	var out []DiscID
	for _, list := range [][]DiscID{t.removal.checked.Stays, t.removal.checked.Gone} {
		for _, d := range list {
			if !said[d] {
				out = append(out, d)
			}
		}
	}
	return out
}

// Version is the Seq of the last event; 0 before the first.
func (s State) Version() int { return len(s.log) }

// Events are all events, the hidden ones too.
func (s State) Events() []Event { return slices.Clone(s.log) }

// InForce tells whether an event is neither undone nor the undoing of one.
func (s State) InForce(seq int) bool {
	if seq < 1 || seq > len(s.log) || s.hidden[seq-1] != 0 {
		return false
	}
	return classOf(s.log[seq-1].Body) != steering
}

// Setup is how the match was started.
func (s State) Setup() Started {
	if s.sheet.setup == nil {
		return Started{}
	}
	return *s.sheet.setup
}

// Rules are the rules of the game being played.
func (s State) Rules() rules.Ruleset { return s.format().Rules }

// Spec has the measures of the board it is played on.
func (s State) Spec() board.Spec { return spec(s.Rules()) }

func (s State) format() rules.Format {
	if r := s.sheet.current(); r != nil {
		return r.format()
	}
	return s.sheet.final.Game().Format()
}

// Score is the match as package rules has it: all rounds agreed so far.
func (s State) Score() rules.Match { return s.sheet.final }

// Winner is who has won; NoSide while the match runs and when nobody has.
func (s State) Winner() board.Side {
	if s.sheet.closed != nil {
		return s.sheet.closed.Winner
	}
	return s.sheet.final.Winner()
}

// Closed is the decision that ended the match, nil when the rules did or when it
// runs.
func (s State) Closed() *Closed { return s.sheet.closed }

// Paused is the pause that is on, nil for none.
func (s State) Paused() *Paused { return s.sheet.paused }

// Desynced is the loss of step that is on, nil for none.
func (s State) Desynced() *Desynced { return s.sheet.desynced }

// Lead is who leads the round in play, or else the next one. It follows from who
// led the round before, also when that was not whom package rules expected
// (STR-2).
func (s State) Lead() board.Seat {
	if r := s.sheet.current(); r != nil {
		return r.lead
	}
	return s.sheet.final.Game().Lead()
}

// Next are the seats that may shoot now, none when no shot is due.
func (s State) Next() []board.Seat {
	if s.Phase() != Shooting {
		return nil
	}
	return s.sheet.current().at().next()
}

// Hammer is who has the last shot of the round in play (STR-3).
func (s State) Hammer() (board.Seat, bool) {
	r := s.sheet.current()
	if r == nil {
		return 0, false
	}
	return r.at().order.Hammer(), true
}

// Discs are the discs on the board as the match has them.
func (s State) Discs() []Disc {
	if r := s.sheet.current(); r != nil {
		return slices.Clone(r.at().discs)
	}
	return nil
}

// Board is the same as a snapshot, for rules.Judge.
func (s State) Board() board.Snapshot {
	return board.Snapshot{Discs: each(s.Discs(), func(d Disc) board.Disc { return d.Disc })}
}

// Tally is a side's share of the round in play.
type Tally struct {
	Points   rules.Points // on the board and set aside
	Twenties rules.Points // set aside
	Board    rules.Points // discs on the board
	Ditch    rules.Points // discs in the ditch
	Left     Left         // discs not yet shot, by seat
}

// Tally counts the round in play; ok is false between rounds.
func (s State) Tally() (t Tally, ok bool) {
	r := s.sheet.current()
	if r == nil {
		return Tally{}, false
	}
	p := r.at()
	t.Points, t.Twenties = p.count()
	for i := range p.discs {
		t.Board[p.discs[i].Side]++
	}
	t.Ditch, t.Left = p.ditch(r.format()), p.left
	return t, true
}

// ShotOf is the coming shot of a seat for rules.Judge, without its evidence: the
// side, the number in the round, and how many discs each side can have.
func (s State) ShotOf(seat board.Seat) rules.Shot {
	r := s.sheet.current()
	if r == nil {
		return rules.Shot{}
	}
	return r.shotAt(r.at(), seat)
}

func (r *round) shotAt(p *position, seat board.Seat) rules.Shot {
	f := r.format()
	shot := rules.Shot{Side: f.Layout.Side(seat), Number: 1}
	for _, n := range p.taken(f) {
		shot.Number += n
	}
	for i := range p.discs {
		shot.Owned[p.discs[i].Side]++
	}
	shot.Owned[shot.Side]++
	return shot
}

// LastTurn is the Seq of the last shot or other turn of the round in play, of the
// round's start before the first, 0 between rounds: what a correction of the
// board as it now lies is pinned to.
func (s State) LastTurn() int {
	r := s.sheet.current()
	if r == nil {
		return 0
	}
	if t := r.last(); t != nil {
		return t.seq
	}
	return r.seq
}

// Removal says which discs have to be taken off the board after a shot, the 20s
// among them, and which put back.
func (s State) Removal(shot int) RemovalExpected {
	out := RemovalExpected{Turn: shot}
	_, t, _ := s.sheet.turn(shot)
	if t == nil || t.kind != shotTurn || !t.settled {
		return out
	}
	for _, g := range t.removed {
		if g.lies {
			out.Remove = append(out.Remove, g.ID)
		}
	}
	names := t.restored()
	for _, d := range t.after.discs {
		if slices.Contains(names, d.ID) {
			out.Restore = append(out.Restore, d.ID)
		}
	}
	return out
}
