package photo

import (
	"fmt"
	"math"
	"slices"

	"crokcam/board"
	"crokcam/vision"
)

// apply brings in what the caller knows: which colour is which side, and the
// 20s that were taken off. Then it adds up.
func (r *Report) apply(o Options) error {
	if err := r.choose(o.Choices); err != nil {
		return err
	}
	for i := range r.Sides {
		s := &r.Sides[i]
		for _, d := range r.Discs {
			if d.Side != s.Side {
				continue
			}
			s.Discs++
			s.Points += d.Points
			if d.State == board.InHole.String() {
				s.Twenties++
			}
		}
	}
	for side := board.SideA; side <= board.SideD; side++ {
		n := o.Twenties[side]
		if n == 0 {
			continue
		}
		s := r.side(side.String())
		if s == nil {
			r.Sides = append(r.Sides, unseen(side, o.Choices))
			s = &r.Sides[len(r.Sides)-1]
		}
		if most := board.MostDiscs - s.Discs; n > most {
			return &OptionError{Code: "too_many_twenties", Message: fmt.Sprintf(
				"Side %s cannot have %d 20s beside the %d discs on the board: a side has %d discs at most.", side, n, s.Discs, board.MostDiscs),
				Values: map[string]float64{"twenties": float64(n), "discs": float64(s.Discs), "most": board.MostDiscs}, Names: map[string]string{"side": side.String()}}
		}
		s.Twenties += n
		s.Points += n * board.Twenty.Points()
	}
	r.differ()
	return nil
}

// unseen is a side that has no disc on the board, in the colour it was named
// by, or in grey.
func unseen(side board.Side, choices []SideChoice) Side {
	s := Side{Side: side.String(), Name: "unseen", RGB: "#808080"}
	for _, c := range choices {
		if c.Side == side {
			s.Name = c.Colour
			if bgr, ok := paintCalled(c.Colour); ok {
				s.RGB = hex(bgr)
			}
		}
	}
	return s
}

func (r *Report) side(name string) *Side {
	for i := range r.Sides {
		if r.Sides[i].Side == name {
			return &r.Sides[i]
		}
	}
	return nil
}

// choose renames the sides so that each named colour goes to the side it was
// named for: the assignment with the least distance over all.
func (r *Report) choose(choices []SideChoice) error {
	if len(choices) == 0 {
		return nil
	}
	if len(r.Sides) > len(choices)+1 {
		// More colours than names plus one: the rest keep their order.
		choices = slices.Clip(choices)
	}
	wanted := make([][3]float64, len(choices))
	for i, c := range choices {
		bgr, ok := paintCalled(c.Colour)
		if !ok {
			return &OptionError{Code: "unknown_colour", Message: fmt.Sprintf("%q is no colour that is known here. Known are: %s.", c.Colour, colourNames())}
		}
		for _, other := range choices[:i] {
			if other.Side == c.Side {
				return &OptionError{Code: "bad_option", Message: fmt.Sprintf("Side %s is named twice.", c.Side)}
			}
		}
		wanted[i] = bgr
	}
	// At most four sides: try every way.
	best, bestCost := []int(nil), math.Inf(1)
	used := make([]bool, len(choices))
	pick := make([]int, len(r.Sides))
	var try func(i int, cost float64)
	try = func(i int, cost float64) {
		if cost >= bestCost {
			return
		}
		if i == len(r.Sides) {
			best, bestCost = append([]int(nil), pick...), cost
			return
		}
		for k := range choices {
			if !used[k] {
				used[k], pick[i] = true, k
				try(i+1, cost+vision.ColourDistance(rgbOf(r.Sides[i].RGB), wanted[k]))
				used[k] = false
			}
		}
		if len(r.Sides) > len(choices) {
			pick[i] = -1
			try(i+1, cost+30)
		}
	}
	try(0, 0)
	taken := map[string]bool{}
	for _, c := range choices {
		taken[c.Side.String()] = true
	}
	rename := map[string]string{}
	next := board.SideA
	for i := range r.Sides {
		old := r.Sides[i].Side
		if k := best[i]; k >= 0 {
			r.Sides[i].Side = choices[k].Side.String()
			r.Sides[i].Name = choices[k].Colour
		} else {
			for taken[next.String()] {
				next++
			}
			r.Sides[i].Side = next.String()
			taken[next.String()] = true
		}
		rename[old] = r.Sides[i].Side
	}
	for i := range r.Discs {
		r.Discs[i].Side = rename[r.Discs[i].Side]
	}
	return nil
}

func rgbOf(hex string) (bgr [3]float64) {
	var r, g, b int
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &r, &g, &b); err != nil {
		return bgr
	}
	return [3]float64{float64(b), float64(g), float64(r)}
}

// differ names the leader.
func (r *Report) differ() {
	r.Differential = nil
	if len(r.Sides) < 2 {
		return
	}
	first, second := -1, -1
	for i := range r.Sides {
		switch {
		case first < 0 || r.Sides[i].Points > r.Sides[first].Points:
			first, second = i, first
		case second < 0 || r.Sides[i].Points > r.Sides[second].Points:
			second = i
		}
	}
	if d := r.Sides[first].Points - r.Sides[second].Points; d > 0 {
		r.Differential = &Differential{Side: r.Sides[first].Side, Points: d}
	}
}
