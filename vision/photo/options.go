package photo

import (
	"fmt"
	"strconv"
	"strings"

	"crokcam/board"
)

// ParseSide reads a side's letter, A to D.
func ParseSide(s string) (board.Side, error) {
	for side := board.SideA; side <= board.SideD; side++ {
		if strings.EqualFold(strings.TrimSpace(s), side.String()) {
			return side, nil
		}
	}
	return board.NoSide, &OptionError{Code: "unknown_side", Message: fmt.Sprintf("There is no side %q. Sides are called A, B, C and D.", s)}
}

// ParseChoice reads a side's colour as people write it, such as "A=black".
func ParseChoice(s string) (SideChoice, error) {
	name, colour, found := strings.Cut(s, "=")
	colour = strings.ToLower(strings.TrimSpace(colour))
	if !found || colour == "" {
		return SideChoice{}, &OptionError{Code: "bad_option", Message: fmt.Sprintf("%q names no colour. Write a side and its colour, as in A=black.", s)}
	}
	side, err := ParseSide(name)
	if err != nil {
		return SideChoice{}, err
	}
	return SideChoice{Side: side, Colour: colour}, nil
}

// ParseTwenties reads the 20s taken from the board before the picture, such as
// "A=2,B=1". An empty text is none.
func ParseTwenties(s string) (map[board.Side]int, error) {
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	out := map[board.Side]int{}
	for part := range strings.SplitSeq(s, ",") {
		name, count, _ := strings.Cut(part, "=")
		side, err := ParseSide(name)
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(strings.TrimSpace(count))
		if err != nil || n < 0 {
			return nil, &OptionError{Code: "bad_option", Message: fmt.Sprintf("%q is no number of 20s. Write each side and its 20s, as in A=2,B=1.", part)}
		}
		if _, twice := out[side]; twice {
			return nil, &OptionError{Code: "bad_option", Message: fmt.Sprintf("The 20s of side %s are given twice.", side)}
		}
		out[side] = n
	}
	return out, nil
}
