package match

import (
	"slices"

	"crokcam/board"
	"crokcam/rules"
)

// Disc is a disc on the board.
type Disc struct {
	ID DiscID `json:"id"`
	board.Disc
	Zone  board.Zone `json:"zone"`            // what it counts
	Fixed bool       `json:"fixed,omitempty"` // by a correction, and not moved since
	Owned bool       `json:"owned,omitempty"` // whose it is was corrected

	seen *board.Point // where the camera has it, when its place was corrected
}

// sheet is the score sheet: what the events in force say, and what follows.
type sheet struct {
	setup     *Started
	rounds    []round
	questions []question
	closed    *Closed
	paused    *Paused
	desynced  *Desynced
	gamesTold int  // games whose end has been marked
	endTold   bool // so has the match's

	final rules.Match // derived: after the last round agreed
}

// round is one round with its turns.
type round struct {
	seq     int // of its start
	lead    board.Seat
	turns   []turn
	changes []change // pinned to its start
	entered *RoundEntered
	ended   *RoundEnded
	agreed  bool
	// what came after it: the end of the time, shoot-outs
	after []rules.Event

	// derived
	base   rules.Match // before it
	number int         // in its game, from 1
	game   int         // from 1
	begin  position
	result rules.RoundResult // once agreed
	broken error             // why it could not be scored as agreed
}

// change is a change with the Seq of the event that made it.
type change struct {
	seq int
	Change
}

type turnKind uint8

const (
	shotTurn turnKind = iota
	forfeitTurn
	timeTurn
	syncTurn
)

// turn is one step of a round after which the board is at rest.
type turn struct {
	seq     int
	kind    turnKind
	seat    board.Seat
	shot    *ShotDetected
	judged  *rules.Verdict // as first given
	sync    *Resynced
	changes []change
	seen    []board.Side // 20s seen in the hole
	lifted  int          // of them, how many were lifted
	removal *removal

	// derived
	who     board.Seat     // as corrected
	verdict *rules.Verdict // in force
	proof   *rules.Evidence
	settled bool
	removed []gone // discs that this turn took off the board
	after   position
}

// gone is a disc that has left the board.
type gone struct {
	Disc
	fate   rules.Fate // Ditched, Scored or Awaiting
	lies   bool       // it still lay on the surface or in the hole when all came to rest
	placed bool       // at is a place on the surface
}

// removal is what the players have been told to take off or put back.
type removal struct {
	RemovalExpected
	checked *RemovalChecked
	seq     int // of the check
}

// question is a question with what became of it.
type question struct {
	seq int
	QuestionAsked
	answer    string
	withdrawn bool
	settled   bool // by a correction or a resync
}

func (q *question) open() bool { return q.answer == "" && !q.withdrawn && !q.settled }

// clone makes a copy to which an event can be added without the original. Play
// only ever adds to the last round; whatever else may reach any.
func (s sheet) clone(b Body) sheet {
	s.rounds = slices.Clone(s.rounds)
	from := max(0, len(s.rounds)-1)
	switch b.(type) {
	case Corrected, QuestionAnswered, ShootoutHeld:
		from = 0
	}
	for i := from; i < len(s.rounds); i++ {
		s.rounds[i].turns = slices.Clone(s.rounds[i].turns)
	}
	s.questions = slices.Clone(s.questions)
	return s
}

// current is the round in play, nil between rounds.
func (s *sheet) current() *round {
	if n := len(s.rounds); n > 0 && !s.rounds[n-1].agreed {
		return &s.rounds[n-1]
	}
	return nil
}

// last is the round's last turn, nil before the first.
func (r *round) last() *turn {
	if n := len(r.turns); n > 0 {
		return &r.turns[n-1]
	}
	return nil
}

// at is the position of the round as it stands.
func (r *round) at() *position {
	if t := r.last(); t != nil {
		return &t.after
	}
	return &r.begin
}

// turn finds a turn by its Seq.
func (s *sheet) turn(seq int) (r *round, t *turn, place int) {
	for i := len(s.rounds) - 1; i >= 0; i-- {
		r := &s.rounds[i]
		for k := range r.turns {
			if r.turns[k].seq == seq {
				return r, &r.turns[k], k
			}
		}
	}
	return nil, nil, 0
}

// begun finds a round by the Seq of its start.
func (s *sheet) begun(seq int) int {
	return slices.IndexFunc(s.rounds, func(r round) bool { return r.seq == seq })
}

// add writes an event in force onto the sheet and says from which turn of which
// round on the rest has to be derived anew; round -1 means nothing has. What
// refers to something that is not on the sheet (because it is undone) leaves no
// mark.
func (s *sheet) add(e Event) (fromRound, fromTurn int) {
	cur := s.current()
	here := len(s.rounds) - 1
	onTurn := func(seq int, f func(t *turn)) (int, int) {
		for i := range s.rounds {
			for k := range s.rounds[i].turns {
				if t := &s.rounds[i].turns[k]; t.seq == seq {
					f(t)
					return i, k
				}
			}
		}
		return -1, 0
	}
	newTurn := func(t turn) (int, int) {
		if cur == nil {
			return -1, 0
		}
		t.seq = e.Seq
		cur.turns = append(cur.turns, t)
		return here, len(cur.turns) - 1
	}

	switch b := e.Body.(type) {
	case Started:
		s.setup = &b
		return 0, 0
	case RoundStarted:
		if cur != nil {
			return -1, 0
		}
		s.rounds = append(s.rounds, round{seq: e.Seq, lead: b.Lead})
		return here + 1, 0
	case RoundEntered:
		if cur != nil {
			return -1, 0
		}
		s.rounds = append(s.rounds, round{seq: e.Seq, entered: &b, agreed: true})
		return here + 1, 0
	case ShotDetected:
		return newTurn(turn{kind: shotTurn, seat: b.Seat, shot: &b})
	case ShotJudged:
		v := rules.Verdict(b.Verdict)
		return onTurn(b.Shot, func(t *turn) { t.judged = &v })
	case TurnForfeited:
		return newTurn(turn{kind: forfeitTurn, seat: b.Seat})
	case TimeEnded:
		if cur == nil && here >= 0 {
			return s.follow(here, rules.TimeUp{})
		}
		return newTurn(turn{kind: timeTurn})
	case Desynced:
		s.desynced = &b
	case Resynced:
		s.desynced = nil
		s.settle(func(q *question) bool { return cur != nil && q.Turn >= cur.seq })
		return newTurn(turn{kind: syncTurn, sync: &b})
	case QuestionAsked:
		s.questions = append(s.questions, question{seq: e.Seq, QuestionAsked: b})
	case QuestionAnswered:
		return s.answer(e.Seq, b)
	case QuestionWithdrawn:
		for i := range s.questions {
			if s.questions[i].seq == b.Question {
				s.questions[i].withdrawn = true
			}
		}
	case RemovalExpected:
		onTurn(b.Turn, func(t *turn) { t.removal = &removal{RemovalExpected: b} })
	case RemovalChecked:
		onTurn(b.Turn, func(t *turn) {
			if t.removal != nil {
				t.removal = &removal{t.removal.RemovalExpected, &b, e.Seq}
			}
		})
	case TwentySeen:
		onTurn(b.Turn, func(t *turn) { t.seen = append(slices.Clip(t.seen), b.Side) })
	case TwentyLifted:
		onTurn(b.Turn, func(t *turn) { t.lifted++ })
	case RoundEnded:
		if cur != nil {
			cur.ended = &b
		}
	case RoundAgreed:
		if cur != nil {
			cur.agreed = true
			return here, len(cur.turns)
		}
	case ShootoutHeld:
		if cur != nil { // begun before a correction made the last one level
			here--
		}
		if here >= 0 {
			return s.follow(here, rules.ShootoutHeld{Hits: rules.Points(b.Hits)})
		}
	case GameEnded:
		s.gamesTold++
	case Ended:
		s.endTold = true
	case Closed:
		s.closed = &b
	case Paused:
		s.paused = &b
	case Resumed:
		s.paused = nil
	case Corrected:
		return s.correct(e.Seq, b.Target, b.Change)
	}
	return -1, 0
}

// follow notes what came after a round.
func (s *sheet) follow(i int, e rules.Event) (fromRound, fromTurn int) {
	r := &s.rounds[i]
	r.after = append(slices.Clip(r.after), e)
	return i, len(r.turns)
}

// correct pins a change to its target.
func (s *sheet) correct(seq, target int, c Change) (fromRound, fromTurn int) {
	for i := range s.rounds {
		r := &s.rounds[i]
		if r.seq == target {
			r.changes = append(slices.Clip(r.changes), change{seq, c})
			return i, 0
		}
		for k := range r.turns {
			if t := &r.turns[k]; t.seq == target {
				t.changes = append(slices.Clip(t.changes), change{seq, c})
				s.settle(func(q *question) bool { return q.Turn == target && q.settledBy(c) })
				return i, k
			}
		}
	}
	return -1, 0
}

// answer takes the players' answer and pins what it changes.
func (s *sheet) answer(seq int, a QuestionAnswered) (fromRound, fromTurn int) {
	for i := range s.questions {
		q := &s.questions[i]
		if q.seq != a.Question {
			continue
		}
		q.answer = a.Choice
		for _, c := range q.Choices {
			if c.Key == a.Choice && c.Change != nil {
				return s.correct(seq, q.Turn, *c.Change)
			}
		}
	}
	return -1, 0
}

// settle closes the open questions of which it is true.
func (s *sheet) settle(done func(*question) bool) {
	for i := range s.questions {
		if q := &s.questions[i]; q.open() && done(q) {
			q.settled = true
		}
	}
}

// settledBy tells whether a correction of the same turn leaves the question idle.
func (q *question) settledBy(c Change) bool {
	if q.About == AboutDoubt {
		return c.Verdict != nil || c.Answer != nil
	}
	if q.About == AboutShooter {
		return c.Shooter != nil
	}
	if q.About == AboutTwenty && c.Twenties != nil {
		return true
	}
	return c.disc() != "" && slices.Contains(q.Discs, c.disc())
}
