package board

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The words of sides, zones, rests and seats in JSON, YAML and on command lines
// are those of their String methods; an unknown side is the empty word.

// ErrWord marks a word that names no side, zone, rest or seat.
var ErrWord = errors.New("board: unknown word")

var (
	sideWords = []string{"", "A", "B", "C", "D"}
	zoneWords = []string{"out", "5", "10", "15", "20"}
	restWords = []string{"surface", "hole", "leaning", "standing"}
	seatWords = []string{"south", "west", "north", "east"}
)

// MarshalText writes the side's letter.
func (s Side) MarshalText() ([]byte, error) { return wordOf("side", sideWords, uint8(s)) }

// UnmarshalText reads a side's letter.
func (s *Side) UnmarshalText(text []byte) error { return readWord("side", sideWords, text, s) }

// MarshalText writes the zone's name.
func (z Zone) MarshalText() ([]byte, error) { return wordOf("zone", zoneWords, uint8(z)) }

// UnmarshalText reads a zone's name.
func (z *Zone) UnmarshalText(text []byte) error { return readWord("zone", zoneWords, text, z) }

// MarshalText writes the word for how a disc lies.
func (r Rest) MarshalText() ([]byte, error) { return wordOf("rest", restWords, uint8(r)) }

// UnmarshalText reads the word for how a disc lies.
func (r *Rest) UnmarshalText(text []byte) error { return readWord("rest", restWords, text, r) }

// MarshalText writes the seat's name.
func (s Seat) MarshalText() ([]byte, error) { return wordOf("seat", seatWords, uint8(s)) }

// UnmarshalText reads a seat's name.
func (s *Seat) UnmarshalText(text []byte) error { return readWord("seat", seatWords, text, s) }

func wordOf(kind string, words []string, v uint8) ([]byte, error) {
	if int(v) >= len(words) {
		return nil, fmt.Errorf("%w: there is no %s %d", ErrWord, kind, v)
	}
	return []byte(words[v]), nil
}

func readWord[T ~uint8](kind string, words []string, text []byte, v *T) error {
	i := slices.Index(words, string(text))
	if i < 0 {
		return fmt.Errorf("%w: %s %q is not one of %s", ErrWord, kind, text, strings.Join(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" }), ", "))
	}
	*v = T(i)
	return nil
}
