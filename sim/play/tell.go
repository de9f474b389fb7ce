package play

import (
	"fmt"
	"strings"

	"crokcam/board"
	"crokcam/rules"
)

// Tell is the shot in one line: who tried what, how fast, what the judge says,
// and what became of the discs that it changed anything for.
func (t *Turn) Tell(rs rules.Ruleset) string {
	who := fmt.Sprintf("%2d  %-5s %s", t.Number, t.Seat, t.Side)
	if t.Forfeit {
		return who + "  no room on the starting line: the disc goes to the ditch"
	}
	return fmt.Sprintf("%s  %-16s %4.2f m/s  %-6s  %s", who, t.tried(rs), t.Flick.Speed/1000, t.Verdict.Ruling, strings.Join(t.changes(rs), ", "))
}

// tried is the aim in words.
func (t *Turn) tried(rs rules.Ruleset) string {
	switch t.Plan.Aim {
	case OpenTwenty:
		return "open 20"
	case Hide:
		return "hide behind post"
	case Ricochet:
		return "off a post"
	case Combination:
		return "through own " + t.was(rs, t.Plan.Target).String()
	}
	d := t.Setup.Board.Discs[t.Plan.Target]
	return fmt.Sprintf("at %s's %s", d.Side, t.was(rs, t.Plan.Target))
}

// was is what a disc counted before the shot.
func (t *Turn) was(rs rules.Ruleset, i int) board.Zone { return rs.Value(t.Setup.Board.Discs[i]).Zone }

// changes says what became of the shot disc and of those that count otherwise
// than before.
func (t *Turn) changes(rs rules.Ruleset) []string {
	var out []string
	for i := len(t.Verdict.Outcomes) - 1; i >= 0; i-- { // the shot disc first
		o := &t.Verdict.Outcomes[i]
		now := fate(o)
		if o.Before < 0 {
			out = append(out, now)
			continue
		}
		was := t.was(rs, int(o.Before))
		if o.Fate == rules.OnBoard && o.Zone == was && !o.Restored {
			continue
		}
		out = append(out, fmt.Sprintf("%s's %s: %s", o.Side, was, now))
	}
	return out
}

// fate is what became of a disc.
func fate(o *rules.Outcome) string {
	switch {
	case o.Fate == rules.Scored:
		return "20"
	case o.Fate == rules.Awaiting:
		return "in the hole, undecided"
	case o.Restored:
		return "put back"
	case o.Fate == rules.OnBoard && o.Rest == board.Leaning:
		return o.Zone.String() + ", leaning"
	case o.Fate == rules.OnBoard:
		return o.Zone.String()
	}
	switch o.Why {
	case rules.OffSurface:
		return "off the board"
	case rules.Reentry:
		return "off the board and back: out"
	case rules.CrossedLine:
		return "crossed the line: out"
	case rules.InvalidShot:
		return "lifted"
	}
	return "on the line: out"
}

// Points are what the sides have on the board and in 20s in the running round.
func (t *Turn) Points(rs rules.Ruleset) rules.Points { return rs.Count(t.Board, t.Twenties) }

// PointsInWords lists points by side: "A 35  B 20".
func PointsInWords(sides int, p rules.Points) string {
	parts := make([]string, sides)
	for i := range parts {
		s := board.SideA + board.Side(i)
		parts[i] = fmt.Sprintf("%s %d", s, p[s])
	}
	return strings.Join(parts, "  ")
}
