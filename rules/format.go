package rules

import (
	"errors"
	"fmt"
	"slices"

	"crokcam/board"
)

// TieBreak is what settles a game that is level when its rounds are played.
type TieBreak uint8

// The tie-breaks (GAM-3, GAM-5).
const (
	ExtraRound   TieBreak = iota // one more round, and another while level: Mayday rulebook
	MoreTwenties                 // more 20s in the game
	Shootout                     // a shoot-out of open 20s
)

var tieBreakWords = []string{"extra_round", "twenties", "shootout"}

// String is the tie-break's word.
func (t TieBreak) String() string { return enumString(tieBreakWords, t) }

// MarshalText writes the tie-break's word.
func (t TieBreak) MarshalText() ([]byte, error) { return enumText("tie", tieBreakWords, t) }

// UnmarshalText reads the tie-break's word; another word is an *OptionError.
func (t *TieBreak) UnmarshalText(text []byte) error {
	return enumParse("tie", tieBreakWords, text, t)
}

// End says when a game is over. Exactly one of Target and Rounds is set.
type End struct {
	Target int `yaml:"target"` // at least so many points, and more than anybody else (GAM-1)
	Rounds int `yaml:"rounds"` // after so many rounds (GAM-2)
	// WinBy is the lead that the winner needs; 0 and 1 mean any (GAM-4).
	WinBy int `yaml:"win_by"`
	// EvenRoundsFrom, when set, lets a game in which all sides once stood at just
	// so many points end only after an even number of rounds (GAM-4, the "Wimbledon
	// rule" of an Ontario final). A game that went past it otherwise, from 9:7 to
	// 9:9 where it is 8, ends as any other.
	EvenRoundsFrom int `yaml:"even_rounds_from"`
	// Ties settle a game that is level after Rounds, one after the other; when
	// none does the game is drawn.
	Ties []TieBreak `yaml:"ties"`
}

// Format is one way of playing a game.
type Format struct {
	Layout       Layout
	Rules        Ruleset
	Discs        int // of each player; a player alone against two has twice as many (PLY-2, PLY-3a)
	End          End
	DoublesOrder DoublesOrder
	Lead         board.Seat // who leads the first round, drawn or agreed beforehand (STR-1)
}

// ErrFormat marks a Format that cannot be played.
var ErrFormat = errors.New("rules: unusable format")

// Validate reports what makes the format unplayable, wrapped in ErrFormat.
func (f Format) Validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %w", ErrFormat, fmt.Errorf(format, args...))
	}
	if err := f.Rules.Validate(); err != nil {
		return bad("%w", err)
	}
	switch {
	case int(f.Layout) >= len(layoutWords):
		return bad("layout %d does not exist", uint8(f.Layout))
	case f.Discs < 1 || f.Discs > 12:
		return bad("%d discs a player: there are 1 to 12", f.Discs)
	case f.Layout == TwoAgainstOne && f.Discs > 6:
		return bad("%d discs for each of two partners: the third player would need %d", f.Discs, 2*f.Discs)
	case int(f.DoublesOrder) >= len(doublesOrderWords):
		return bad("doubles_order %d does not exist", uint8(f.DoublesOrder))
	case f.DoublesOrder == SidesAlternate && f.Layout != Doubles:
		return bad("doubles_order sides_alternate needs two partnerships")
	case (f.End.Target > 0) == (f.End.Rounds > 0) || f.End.Target < 0 || f.End.Rounds < 0:
		return bad("a game ends at a target or after a number of rounds, one of the two")
	case f.End.WinBy < 0 || f.End.EvenRoundsFrom < 0:
		return bad("win_by and even_rounds_from cannot be negative")
	case !slices.Contains(f.Layout.Seats(), f.Lead):
		return bad("nobody sits at %s to lead", f.Lead)
	}
	for _, t := range f.End.Ties {
		if int(t) >= len(tieBreakWords) {
			return bad("tie-break %d does not exist", uint8(t))
		}
	}
	if _, _, err := f.Rules.RoundScore.Award(f.Layout.Sides(), Points{}); err != nil {
		return bad("%w", err)
	}
	return nil
}

// DiscsOf is how many discs a seat has in a round; none where nobody sits.
func (f Format) DiscsOf(s board.Seat) int {
	switch {
	case !slices.Contains(f.Layout.Seats(), s):
		return 0
	case f.Layout == TwoAgainstOne && f.Layout.Side(s) == board.SideB:
		return 2 * f.Discs
	}
	return f.Discs
}
