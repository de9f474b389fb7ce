package match

import (
	"errors"
	"fmt"
)

// The kinds of refusals. Errors of this package wrap one of them.
var (
	// ErrInvalid marks an event that says something that cannot be.
	ErrInvalid = errors.New("not a possible event")
	// ErrUnknown marks an event of a kind or version that this program does not know.
	ErrUnknown = errors.New("written by a newer program")
	// ErrOrder marks a list with a gap, a repetition or a wrong beginning.
	ErrOrder = errors.New("not the next event of this match")
	// ErrPhase marks an event that the match is not waiting for.
	ErrPhase = errors.New("the match is not waiting for this")
	// ErrOpen marks an event for which something unsure has to be settled first.
	ErrOpen = errors.New("something is still open")
	// ErrTurn marks a shot by somebody whose turn it is not.
	ErrTurn = errors.New("it is another player's turn")
	// ErrMismatch marks snapshots or a verdict that are not about the discs of the
	// match.
	ErrMismatch = errors.New("the board is not as the match has it")
	// ErrTarget marks an event that refers to one that is not there.
	ErrTarget = errors.New("there is nothing like that in the match")
	// ErrDiscs marks a change after which a side would have discs that it never had.
	ErrDiscs = errors.New("the discs would not add up")
	// ErrNothing marks an undo or redo with nothing to do.
	ErrNothing = errors.New("nothing to undo or redo")
)

// RefusedError says which event was refused, why, and what to do about it. It
// wraps one of the kinds above.
type RefusedError struct {
	Seq    int
	Event  string // kind
	Reason error  // one of the values above, or an error that wraps one
	Detail string // the figures
	Advice string // what to do
}

func (e *RefusedError) Error() string {
	s := fmt.Sprintf("match: event %d (%s): %v", e.Seq, e.Event, e.Reason)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Advice != "" {
		s += "; " + e.Advice
	}
	return s
}

// Unwrap makes errors.Is find the reason.
func (e *RefusedError) Unwrap() error { return e.Reason }

// UnknownError is an event that cannot be read because a newer program wrote it.
// It wraps ErrUnknown.
type UnknownError struct {
	Seq     int
	Event   string
	Version int // as written
	Known   int // the newest version this program knows; 0 for none
}

func (e *UnknownError) Error() string {
	what := fmt.Sprintf("kind %q is not known here", e.Event)
	if e.Known > 0 {
		what = fmt.Sprintf("version %d of kind %q is not known here, only versions up to %d", e.Version, e.Event, e.Known)
	}
	return fmt.Sprintf("match: event %d: %s: the match was %v; update crokcam to open it, nothing has been changed", e.Seq, what, ErrUnknown)
}

// Unwrap makes errors.Is(err, ErrUnknown) hold.
func (e *UnknownError) Unwrap() error { return ErrUnknown }
