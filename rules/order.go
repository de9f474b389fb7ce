package rules

import (
	"errors"
	"fmt"
	"slices"

	"crokcam/board"
)

// Layout is how many play and who plays with whom.
type Layout uint8

// The layouts.
const (
	TwoPlayers    Layout = iota // south against north (PLY-2)
	Doubles                     // south and north against west and east (PLY-4)
	TwoAgainstOne               // south and north against west, who shoots every other turn (PLY-3a)
	ThreeFree                   // south, west and north, each alone (PLY-3b)
	FourFree                    // four players, each alone (PLY-4x)
)

var layoutWords = []string{"2p", "4p", "3p_2v1", "3p_ffa", "4p_ffa"}

// String is the layout's word: "2p", "4p", "3p_2v1", "3p_ffa" or "4p_ffa".
func (l Layout) String() string { return enumString(layoutWords, l) }

// MarshalText writes the layout's word.
func (l Layout) MarshalText() ([]byte, error) { return enumText("layout", layoutWords, l) }

// UnmarshalText reads the layout's word; another word is an *OptionError.
func (l *Layout) UnmarshalText(text []byte) error {
	return enumParse("layout", layoutWords, text, l)
}

// Seats are the seats that are taken, clockwise from south.
func (l Layout) Seats() []board.Seat {
	switch l {
	case TwoPlayers:
		return []board.Seat{board.South, board.North}
	case TwoAgainstOne, ThreeFree:
		return []board.Seat{board.South, board.West, board.North}
	}
	return []board.Seat{board.South, board.West, board.North, board.East}
}

// Side is the side a seat plays for.
func (l Layout) Side(s board.Seat) board.Side {
	switch l {
	case TwoPlayers:
		if s == board.North {
			return board.SideB
		}
		return board.SideA
	case Doubles, TwoAgainstOne:
		return board.SideA + board.Side(s%2)
	}
	return board.SideA + board.Side(s)
}

// Sides is how many sides play.
func (l Layout) Sides() int {
	switch l {
	case ThreeFree:
		return 3
	case FourFree:
		return 4
	}
	return 2
}

// ErrOrder marks an order of play that cannot be.
var ErrOrder = errors.New("rules: impossible order of play")

// Cycle is the order of turns when the given player leads, as places in a
// clockwise list of players. Everybody shoots in turn, except that a player
// alone against two shoots after each of them (solo is that player's place, -1
// for none; who follows when that player leads is nowhere stated, and the next
// player clockwise is taken).
func Cycle(players, lead, solo int) ([]int, error) {
	if players < 2 || players > mostSides || lead < 0 || lead >= players || solo >= players || solo >= 0 && players != 3 {
		return nil, fmt.Errorf("%w: %d players, %d leads, %d alone", ErrOrder, players, lead, solo)
	}
	out := make([]int, 0, players+1)
	if solo < 0 {
		for k := range players {
			out = append(out, (lead+k)%players)
		}
		return out, nil
	}
	partner := lead
	if lead == solo {
		partner = (lead + 1) % players
	}
	other := players - solo - partner
	if lead == solo {
		return append(out, solo, partner, solo, other), nil
	}
	return append(out, partner, solo, other, solo), nil
}

// Shots is the whole order of a round: turns follow the cycle, and a player
// without discs left is passed over.
func Shots(cycle []int, discs []int) []int {
	left, most := slices.Clone(discs), 0
	for _, n := range discs {
		most = max(most, n)
	}
	out := []int{}
	for range most { // everybody in it has at least one turn a cycle
		for _, p := range cycle {
			if p < len(left) && left[p] > 0 {
				left[p]--
				out = append(out, p)
			}
		}
	}
	return out
}

// Next is who leads the next round, as a place in the clockwise list: the player
// to the leader's left, or under starter=winner a player of the winning side,
// the first one clockwise from the leader. won tells which players are on that
// side; nobody after a tie, when the leader stays (STR-2).
func (s Starter) Next(players, lead int, won func(player int) bool) int {
	if s == WinnerStarts {
		for k := range players {
			if p := (lead + k) % players; won != nil && won(p) {
				return p
			}
		}
		return lead
	}
	return (lead + 1) % players
}
