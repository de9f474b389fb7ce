package match

import (
	"slices"

	"crokcam/board"
	"crokcam/rules"
)

// booking is what a round can be entered into: a rules.Match, or the game alone.
type booking[T any] interface {
	Apply(rules.Event) (T, error)
}

// enter enters a round's count; game is the running game of what it is entered
// into.
func enter[T booking[T]](into T, game func(T) rules.Game, r *round, totals, twenties rules.Points) (T, error) {
	if !r.at().timeUp {
		return into.Apply(rules.RoundEntered{Totals: totals, Twenties: twenties})
	}
	return enterTimed(into, game, r, totals, twenties)
}

// enterTimed enters the round during which the time ended. Package rules ends a
// game on time only in a round that was shot, so the round is shot anew with
// discs that stand for the real ones: as many, in legal order, with the clock
// where it was, and the last shot leaves the board so that it comes to the count.
func enterTimed[T booking[T]](m T, game func(T) rules.Game, r *round, totals, twenties rules.Points) (T, error) {
	shots, clock := r.shots()
	var err error
	for n := 0; n <= shots; n++ {
		if n == clock {
			if m, err = m.Apply(rules.TimeUp{}); err != nil {
				return m, err
			}
		}
		if n == shots {
			break
		}
		next := game(m).Next()
		if len(next) == 0 {
			return m, ErrDiscs
		}
		v := standIn(game(m), next[0])
		if n == shots-1 && !comeTo(&v, totals, twenties, r.rules()) {
			return m, ErrDiscs
		}
		if m, err = m.Apply(rules.ShotJudged{Seat: next[0], Verdict: v}); err != nil {
			return m, err
		}
	}
	return m.Apply(rules.CountAgreed{})
}

// shots is how many discs were shot or forfeited in the round, and how many of
// them before the time ended.
func (r *round) shots() (all, beforeClock int) {
	for i := range r.turns {
		switch t := &r.turns[i]; t.kind {
		case timeTurn:
			beforeClock = all
		case syncTurn:
			all = 0
			for _, n := range t.after.taken(r.format()) {
				all += n
			}
		default:
			all++
		}
	}
	return all, beforeClock
}

// standIn is a shot after which every disc lies on the board.
func standIn(g rules.Game, s board.Seat) rules.Verdict {
	side := g.Format().Layout.Side(s)
	v := rules.Verdict{Ruling: rules.Good, Shooter: side}
	for i, d := range g.Board().Discs {
		v.Outcomes = append(v.Outcomes, rules.Outcome{At: d.Point, Before: int8(i), Side: d.Side})
	}
	v.Outcomes = append(v.Outcomes, rules.Outcome{Before: -1, Side: side})
	return v
}

// comeTo deals the discs out so that the round comes to a count: 20s, then 15s
// for as long as they fit, the rest to the ditch.
func comeTo(v *rules.Verdict, totals, twenties rules.Points, rs rules.Ruleset) bool {
	left, rest := twenties, totals
	for s := range rest {
		rest[s] -= 20 * twenties[s]
	}
	for i := range v.Outcomes {
		o := &v.Outcomes[i]
		switch s := o.Side; {
		case left[s] > 0:
			o.Fate = rules.Scored
			v.Twenties[s]++
			left[s]--
		case rest[s] > 0:
			z := min(board.Fifteen, board.Zone(rest[s]/5))
			o.Fate, o.Zone, o.At = rules.OnBoard, z, middle(z, rs)
			rest[s] -= z.Points()
		default:
			o.Fate = rules.Ditched
		}
	}
	return !slices.ContainsFunc(left[:], func(n int) bool { return n != 0 }) &&
		!slices.ContainsFunc(rest[:], func(n int) bool { return n != 0 })
}

// middle is a place where a disc counts for a zone, far from any line.
func middle(z board.Zone, rs rules.Ruleset) board.Point {
	b := spec(rs)
	var edge float64 // of the disc, outwards
	switch z {
	case board.Fifteen:
		edge = (b.Hole.Radius + b.Disc.Radius + b.Fifteen.Inner()) / 2
	case board.Ten:
		edge = (b.Fifteen.Outer + b.Ten.Inner()) / 2
	case board.Five:
		edge = (b.Ten.Outer + b.Start.Inner()) / 2
	default:
		edge = b.Surface + b.Disc.Radius
	}
	return board.Point{X: max(0, edge-b.Disc.Radius)}
}
