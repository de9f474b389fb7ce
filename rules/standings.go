package rules

import (
	"fmt"
	"math"
	"slices"
)

// Criterion is one way of ordering players who are level so far.
type Criterion uint8

// The criteria (GAM-5).
const (
	ByPoints     Criterion = iota // points
	ByTwenties                    // 20s over the whole event: WCC since 1999
	ByHeadToHead                  // games among those who are level: play-off groups
	ByShootout                    // a shoot-out of 12 open 20s
)

var criterionWords = []string{"points", "twenties", "head_to_head", "shootout_12"}

// String is the criterion's word.
func (c Criterion) String() string { return enumString(criterionWords, c) }

// UnmarshalText reads the criterion's word.
func (c *Criterion) UnmarshalText(text []byte) error {
	return enumParse("tie_break", criterionWords, text, c)
}

// Entrant is one line of a table of results.
type Entrant struct {
	Name     string
	Points   int
	Twenties int
	Shootout int
	Games    map[string][2]int // by opponent: own points, the opponent's
}

// Standings orders entrants. Entrants that no criterion separates share a place
// and are given together, in the order they came in.
//
// Once a criterion has put somebody first, the others are compared afresh from
// the first criterion, among themselves: a head to head that was a circle of
// three decides again between the last two (GAM-5). A head to head that does
// separate orders everybody it separates.
func Standings(entrants []Entrant, by []Criterion) ([][]Entrant, error) {
	for _, c := range by {
		if int(c) >= len(criterionWords) {
			return nil, &OptionError{Option: "tie_break", Value: c.String(), Want: criterionWords}
		}
	}
	names := make(map[string]bool, len(entrants))
	for _, e := range entrants {
		if names[e.Name] {
			return nil, inputErr("standings", "%q is entered twice", e.Name)
		}
		names[e.Name] = true
	}
	if len(entrants) == 0 {
		return nil, nil
	}
	return split(entrants, by), nil
}

func split(level []Entrant, by []Criterion) [][]Entrant {
	if len(level) == 1 {
		return [][]Entrant{level}
	}
	for _, c := range by {
		figures := make([]int, len(level))
		for i := range level {
			figures[i] = standing(level, i, c)
		}
		top := slices.Max(figures)
		if slices.Min(figures) == top {
			continue
		}
		var out [][]Entrant
		var rest []Entrant
		for next := top; ; {
			var group []Entrant
			rest = nil
			below := math.MinInt
			for i, f := range figures {
				switch {
				case f == next:
					group = append(group, level[i])
				case f < next:
					rest = append(rest, level[i])
					below = max(below, f)
				}
			}
			out = append(out, split(group, by)...)
			if len(rest) == 0 {
				return out
			}
			if c != ByHeadToHead {
				return append(out, split(rest, by)...)
			}
			next = below // the head to head orders all of them
		}
	}
	return [][]Entrant{level}
}

// standing is an entrant's figure under one criterion, among those level.
func standing(level []Entrant, i int, c Criterion) int {
	e := level[i]
	switch c {
	case ByPoints:
		return e.Points
	case ByTwenties:
		return e.Twenties
	case ByShootout:
		return e.Shootout
	}
	sum := 0
	for k := range level {
		if k == i {
			continue
		}
		won, lost, ok := games(e, level[k])
		switch {
		case !ok:
		case won > lost:
			sum += 2
		case won == lost:
			sum++
		}
	}
	return sum
}

// games is the result between two entrants, from whichever of them noted it.
func games(a, b Entrant) (won, lost int, ok bool) {
	if g, is := a.Games[b.Name]; is {
		return g[0], g[1], true
	}
	if g, is := b.Games[a.Name]; is {
		return g[1], g[0], true
	}
	return 0, 0, false
}

// Ranking is Standings as one list of names, with an error when a place is
// shared.
func Ranking(entrants []Entrant, by []Criterion) ([]string, error) {
	groups, err := Standings(entrants, by)
	if err != nil {
		return nil, err
	}
	var out []string
	var level error
	for _, g := range groups {
		if len(g) > 1 && level == nil {
			level = &LevelError{First: g[0].Name, Second: g[1].Name}
		}
		for _, e := range g {
			out = append(out, e.Name)
		}
	}
	return out, level
}

// LevelError reports entrants that no criterion separates.
type LevelError struct{ First, Second string }

func (e *LevelError) Error() string {
	return fmt.Sprintf("rules: nothing separates %s and %s", e.First, e.Second)
}
