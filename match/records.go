package match

import (
	"slices"

	"crokcam/board"
	"crokcam/rules"
)

// Round is one round of a match as it stands.
type Round struct {
	Seq      int // of the event that began it
	Game     int // from 1
	Number   int // in its game, from 1
	Lead     board.Seat
	Entered  bool // by hand, without its shots
	Agreed   bool
	Override bool // its result is a correction, whatever its shots say
	Totals   rules.Points
	Twenties rules.Points
	Awarded  rules.Points // once agreed
	Winner   board.Side   // NoSide when shared, and while it is not agreed
	Rules    rules.Ruleset
	Turns    []Turn
}

// TurnKind says what a turn was.
type TurnKind string

// The kinds of turns.
const (
	ShotTurn    TurnKind = "shot"
	ForfeitTurn TurnKind = "forfeited"
	TimeTurn    TurnKind = "time_ended"
	SyncTurn    TurnKind = "resynced"
)

// Turn is a shot, or another step after which the board is at rest.
type Turn struct {
	Seq       int
	Kind      TurnKind
	Number    int        // among the round's shots and forfeits, from 1; 0 for others
	Seat      board.Seat // who shot, as corrected
	Side      board.Side //
	Shot      *ShotDetected
	Verdict   *rules.Verdict  // in force; nil until there is one
	Evidence  *rules.Evidence // what it rests on
	Settled   bool            // nothing is open about it
	Corrected bool
	Removed   []Removed // discs that left the board in it
	Discs     []Disc    // on the board after it
	Totals    rules.Points
	Twenties  rules.Points // set aside in the round so far
}

// Removed is a disc that has left the board.
type Removed struct {
	Disc
	Fate rules.Fate
	Seen bool // where it lay is a place: it was on the board before or after the shot
}

// Rounds are all rounds, the one in play last.
func (s State) Rounds() []Round {
	return each(s.sheet.rounds, func(r round) Round { return r.record() })
}

// Turn is one turn, with the round it belongs to.
func (s State) Turn(seq int) (Turn, Round, bool) {
	r, t, _ := s.sheet.turn(seq)
	if t == nil {
		return Turn{}, Round{}, false
	}
	round := r.record()
	i := slices.IndexFunc(round.Turns, func(t Turn) bool { return t.Seq == seq })
	return round.Turns[i], round, true
}

func (r *round) record() Round {
	totals, twenties := r.count()
	out := Round{
		Seq: r.seq, Game: r.game, Number: r.number, Lead: r.lead, Entered: r.entered != nil, Agreed: r.agreed,
		Override: slices.ContainsFunc(r.changes, func(c change) bool { return c.Round != nil }),
		Totals:   totals, Twenties: twenties, Awarded: r.result.Awarded, Winner: r.result.Winner, Rules: r.rules(),
	}
	f := r.format()
	number := 0
	for i := range r.turns {
		t := &r.turns[i]
		rec := Turn{
			Seq: t.seq, Kind: [...]TurnKind{ShotTurn, ForfeitTurn, TimeTurn, SyncTurn}[t.kind],
			Shot: t.shot, Verdict: t.verdict, Evidence: t.proof, Settled: t.settled, Corrected: len(t.changes) > 0,
			Discs: slices.Clone(t.after.discs),
			Removed: each(t.removed, func(g gone) Removed {
				return Removed{Disc: g.Disc, Fate: g.fate, Seen: g.placed}
			}),
		}
		rec.Totals, rec.Twenties = t.after.count()
		if t.kind == shotTurn || t.kind == forfeitTurn {
			number++
			rec.Number, rec.Seat, rec.Side = number, t.who, f.Layout.Side(t.who)
		}
		out.Turns = append(out.Turns, rec)
	}
	return out
}

// Question is something that has been asked.
type Question struct {
	Seq int `json:"seq"`
	QuestionAsked
	Open   bool   `json:"open"`
	Answer string `json:"answer,omitempty"` // key of the choice
}

// Questions are the questions of the round in play, the open ones or all.
func (s State) Questions(openOnly bool) []Question {
	r := s.sheet.current()
	if r == nil {
		return nil
	}
	var out []Question
	for i := range s.sheet.questions {
		if q := &s.sheet.questions[i]; q.Turn >= r.seq && (q.open() || !openOnly) {
			out = append(out, Question{q.seq, q.QuestionAsked, q.open(), q.answer})
		}
	}
	return out
}

// PictureNames are the names of all pictures that the match's events refer to,
// each once.
func (s State) PictureNames() []string {
	var names []string
	add := func(list ...string) {
		for _, n := range list {
			if n != "" && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	for _, e := range s.log {
		switch b := e.Body.(type) {
		case ShotDetected:
			add(b.Pictures.Before, b.Pictures.After)
		case RemovalChecked:
			add(b.Picture)
		case TwentySeen:
			add(b.Picture)
		case RoundEnded:
			add(b.Picture)
		case Desynced:
			add(b.Picture)
		case Resynced:
			add(b.Picture)
		}
	}
	return names
}
