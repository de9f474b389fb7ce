package desk

import (
	"crokcam/api/feed"
	"crokcam/board"
	"crokcam/match"
)

// What the feed hears of a match beside its events.
const (
	Changed = "match.changed" // match.View: the match as it stands, after each entry
	Deleted = "match.deleted" // its id and code

	TwentyScored    = "twenty.scored"    // Twenty
	TwentyUncertain = "twenty.uncertain" // Twenty
	TooClose        = "call.too_close"   // Call
)

// Twenty is a 20, or what may be one.
type Twenty struct {
	Shot int        `json:"shot"` // Seq of the turn
	Side board.Side `json:"side"`
	N    int        `json:"n"`
}

// Call is a disc so near to a line that its value or fate is a guess.
type Call struct {
	Shot  int        `json:"shot"` // Seq of the turn
	Gap   float64    `json:"gap_mm"`
	Zone  board.Zone `json:"zone"`
	Other board.Zone `json:"other"`
	Turns bool       `json:"turns"` // the ruling turns on it
}

// follows are the things that an event means and that are worth a message of
// their own.
func follows(s match.State, e match.Event) []feed.News {
	setup := s.Setup()
	var out []feed.News
	add := func(kind string, data any) {
		out = append(out, feed.News{Type: kind, Board: setup.Board, Match: setup.Match, Data: data})
	}
	switch b := e.Body.(type) {
	case match.ShotJudged:
		for side := board.SideA; side <= board.SideD; side++ {
			if n := b.Verdict.Twenties[side]; n > 0 {
				add(TwentyScored, Twenty{Shot: b.Shot, Side: side, N: int(n)})
			}
		}
		for _, c := range b.Verdict.Close {
			add(TooClose, Call{Shot: b.Shot, Gap: c.Gap, Zone: c.Zone, Other: c.Other, Turns: c.Turns})
		}
	case match.QuestionAsked:
		if t, _, ok := s.Turn(b.Turn); ok && b.About == match.AboutTwenty {
			add(TwentyUncertain, Twenty{Shot: b.Turn, Side: t.Side, N: 1})
		}
	}
	return out
}
