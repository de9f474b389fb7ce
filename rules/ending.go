package rules

import (
	"fmt"
	"slices"

	"crokcam/board"
)

// scored adds a round and sees whether the game is over.
func (g *Game) scored(r RoundResult) {
	for s := range g.scores {
		g.scores[s] += r.Awarded[s]
		g.twenties[s] += r.Twenties[s]
	}
	g.rounds = append(slices.Clip(g.rounds), r)
	g.twenty, g.ditch, g.board, g.extra = Points{}, Points{}, board.Snapshot{}, Points{}
	g.settle()
	if g.phase != Over && g.phase != ShootingOut {
		g.lead = g.NextLead()
		g.deal()
	}
}

// NextLead is who leads the round after the one that Lead leads, going by who won
// the last round scored (STR-2).
func (g Game) NextLead() board.Seat {
	seats := g.format.Layout.Seats()
	var won func(int) bool
	if n := len(g.rounds); n > 0 && g.rounds[n-1].Winner != board.NoSide {
		won = func(p int) bool { return g.format.Layout.Side(seats[p]) == g.rounds[n-1].Winner }
	}
	return seats[g.format.Rules.Starter.Next(len(seats), slices.Index(seats, g.lead), won)]
}

// ahead is the side that leads by as many points as a winner needs, NoSide for
// none.
func (g *Game) ahead() board.Side {
	sides := g.format.Layout.Sides()
	best := leader(sides, g.scores)
	for s := board.SideA; int(s) <= sides; s++ {
		if s != best && g.scores[best]-g.scores[s] < g.format.End.WinBy {
			return board.NoSide
		}
	}
	return best
}

// settle sets phase and winner after a round.
func (g *Game) settle() {
	end, sides, n := &g.format.End, g.format.Layout.Sides(), len(g.rounds)
	best := g.ahead()
	if end.EvenRoundsFrom > 0 {
		stood := true
		for s := board.SideA; int(s) <= sides; s++ {
			stood = stood && g.scores[s] == end.EvenRoundsFrom
		}
		g.even = g.even || stood
	}
	if end.Target > 0 && !g.timeUp {
		reached := false
		for s := board.SideA; int(s) <= sides; s++ {
			reached = reached || g.scores[s] >= end.Target
		}
		if reached && best != board.NoSide && (!g.even || n%2 == 0) {
			g.phase, g.winner = Over, best
		}
		return
	}
	if n < end.Rounds && !g.timeUp {
		return
	}
	if best != board.NoSide {
		g.phase, g.winner = Over, best
		return
	}
	for _, t := range end.Ties {
		switch t {
		case ExtraRound:
			if !g.timeUp {
				return
			}
		case MoreTwenties:
			if w := g.leaderAmongLevel(g.twenties); w != board.NoSide {
				g.phase, g.winner = Over, w
				return
			}
		case Shootout:
			g.phase = ShootingOut
			return
		}
	}
	g.phase = Over
}

// leaderAmongLevel is the one with the highest figure among the sides that share
// the lead.
func (g *Game) leaderAmongLevel(p Points) board.Side {
	sides := g.format.Layout.Sides()
	for s := board.SideA; int(s) <= sides; s++ {
		if above, _ := rank(sides, g.scores, s); above > 0 {
			p[s] = -1
		}
	}
	return leader(sides, p)
}

// shootout settles a level game by open 20s among the sides that share the lead;
// while they are level again the game waits for another one.
func (g Game) shootout(e ShootoutHeld) (Game, error) {
	const name = "shootout"
	if g.phase != ShootingOut {
		return Game{}, &EventError{Event: name, Kind: ErrPhase, Detail: g.phase.String()}
	}
	for s, n := range e.Hits {
		if n < 0 {
			return Game{}, &EventError{Event: name, Kind: ErrTotals, Detail: fmt.Sprintf("side %s: %d 20s", board.Side(s), n)}
		}
	}
	if w := g.leaderAmongLevel(e.Hits); w != board.NoSide {
		g.phase, g.winner = Over, w
	}
	return g, nil
}
