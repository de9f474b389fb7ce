package rules

import (
	"errors"
	"fmt"

	"crokcam/board"
)

// Event is something that happened at the table.
type Event interface{ event() }

// LeadChosen says who leads the round that is about to begin, where that was
// drawn, agreed or put right (STR-1).
type LeadChosen struct{ Seat board.Seat }

// ShotJudged is a shot with a verdict that stands.
type ShotJudged struct {
	Seat      board.Seat
	Verdict   Verdict
	OutOfTurn bool // it stands although it was another's turn: no rule undoes it, and play goes on from there (FOU-4)
}

// ShotForfeited is a turn whose disc went to the ditch unshot: the clock ran out
// (TIM-2).
type ShotForfeited struct {
	Seat      board.Seat
	OutOfTurn bool // as in ShotJudged
}

// BoardTaken takes the board as it lies: what is on it, set aside and not yet shot
// is as given, every other disc is in the ditch. Next shoots next, if anybody has
// discs left.
type BoardTaken struct {
	Board    board.Snapshot
	Twenties Points
	Left     [4]int // discs not yet shot, by seat
	Next     board.Seat
}

// TimeUp is the end of a timed match's time: if shots are uneven the sides with
// fewer take one more, then the round is scored as it lies (TIM-1). Between two
// rounds it ends the game.
type TimeUp struct{}

// CountAgreed is the players' agreement that the count is right (RND-1).
type CountAgreed struct{}

// RoundEntered is a whole round entered by hand, without its shots.
type RoundEntered struct {
	Totals, Twenties Points
	TimeUp           bool // the time of a timed match ended during it
}

// ShootoutHeld is the result of a shoot-out: open 20s made by each side.
type ShootoutHeld struct{ Hits Points }

func (LeadChosen) event()    {}
func (ShotJudged) event()    {}
func (ShotForfeited) event() {}
func (BoardTaken) event()    {}
func (TimeUp) event()        {}
func (CountAgreed) event()   {}
func (RoundEntered) event()  {}
func (ShootoutHeld) event()  {}

// The kinds of illegal events; errors from Apply wrap one of them in an
// *EventError.
var (
	ErrPhase      = errors.New("the game is not waiting for this")
	ErrTurn       = errors.New("it is another player's turn")
	ErrNoDiscs    = errors.New("the player has no discs left")
	ErrUnresolved = errors.New("the verdict leaves something open")
	ErrMismatch   = errors.New("the verdict's discs are not those of the game")
	ErrTotals     = errors.New("the totals cannot be")
)

// EventError says which event was refused and why.
type EventError struct {
	Event  string
	Kind   error // one of the Err… values above
	Detail string
}

func (e *EventError) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("rules: %s: %v", e.Event, e.Kind)
	}
	return fmt.Sprintf("rules: %s: %v: %s", e.Event, e.Kind, e.Detail)
}

// Unwrap makes errors.Is find the kind.
func (e *EventError) Unwrap() error { return e.Kind }
