package rules

import (
	"fmt"
	"slices"

	"crokcam/board"
)

// cycle is the order of turns of the running round.
func (g *Game) cycle() []board.Seat {
	seats := g.format.Layout.Seats()
	solo := -1
	if g.format.Layout == TwoAgainstOne {
		solo = slices.Index(seats, board.West)
	}
	order, err := Cycle(len(seats), slices.Index(seats, g.lead), solo)
	if err != nil { // NewGame has checked the layout and the lead
		return seats
	}
	out := make([]board.Seat, len(order))
	for i, k := range order {
		out[i] = seats[k]
	}
	return out
}

// Next are the seats that may shoot now: one, or under sides_alternate either
// partner with discs left. It is empty when no shot is due.
func (g Game) Next() []board.Seat {
	if g.phase != Shooting {
		return nil
	}
	cycle := g.cycle()
	if g.format.DoublesOrder == SidesAlternate {
		return g.nextOfSide(cycle)
	}
	for k := range cycle {
		s := cycle[(g.turn+k)%len(cycle)]
		if g.may(s) {
			return []board.Seat{s}
		}
	}
	return nil
}

// nextOfSide is Next when only the sides alternate.
func (g *Game) nextOfSide(cycle []board.Seat) []board.Seat {
	side := g.format.Layout.Side(g.lead)
	if g.last != board.NoSide {
		side = g.last.Other()
	}
	for range 2 {
		var out []board.Seat
		for _, s := range cycle {
			if g.format.Layout.Side(s) == side && g.may(s) {
				out = append(out, s)
			}
		}
		if len(out) > 0 {
			return out
		}
		side = side.Other()
	}
	return nil
}

// may tells whether a seat has a disc that it is still allowed to shoot.
func (g *Game) may(s board.Seat) bool {
	return g.left[s] > 0 && (!g.timeUp || g.extra[g.format.Layout.Side(s)] > 0)
}

// Hammer is who has the last shot of the round (STR-3), as the turns stand. Under
// sides_alternate the partner is free, and the first clockwise is named.
func (g Game) Hammer() board.Seat {
	for next := g.Next(); len(next) > 0; next = g.Next() {
		g.spend(next[0])
	}
	cycle := g.cycle()
	return cycle[(g.turn+len(cycle)-1)%len(cycle)]
}

// place is a seat's next place in the cycle of turns, -1 for a seat not in it.
func (g *Game) place(s board.Seat) int {
	cycle := g.cycle()
	for k := range cycle {
		if i := (g.turn + k) % len(cycle); cycle[i] == s {
			return i
		}
	}
	return -1
}

// spend takes a disc off a seat's unshot ones and moves the turn on.
func (g *Game) spend(s board.Seat) {
	side := g.format.Layout.Side(s)
	g.left[s]--
	g.last = side
	if g.extra[side] > 0 {
		g.extra[side]--
	}
	g.turn = g.place(s) + 1
	if len(g.Next()) == 0 {
		g.phase = Counting
	}
}

// led changes who leads the round, before its first shot.
func (g Game) led(e LeadChosen) (Game, error) {
	const name = "lead chosen"
	if !g.fresh() {
		return Game{}, &EventError{Event: name, Kind: ErrPhase, Detail: "the round has begun: " + g.phase.String()}
	}
	if !slices.Contains(g.format.Layout.Seats(), e.Seat) {
		return Game{}, &EventError{Event: name, Kind: ErrTurn, Detail: fmt.Sprintf("nobody sits at seat %d", e.Seat)}
	}
	g.lead = e.Seat
	return g, nil
}

// fresh tells whether a round is due of which nothing has been shot.
func (g *Game) fresh() bool { return g.phase == Shooting && g.ShotNumber() == 1 }

// due checks that a seat may shoot now.
func (g *Game) due(name string, s board.Seat, outOfTurn bool) error {
	if g.phase != Shooting {
		return &EventError{Event: name, Kind: ErrPhase, Detail: "no shot is due: " + g.phase.String()}
	}
	next := g.Next()
	if slices.Contains(next, s) || outOfTurn && s <= board.East && g.may(s) {
		return nil
	}
	if !slices.Contains(g.format.Layout.Seats(), s) {
		return &EventError{Event: name, Kind: ErrTurn, Detail: fmt.Sprintf("nobody sits at seat %d", s)}
	}
	if g.left[s] == 0 {
		return &EventError{Event: name, Kind: ErrNoDiscs, Detail: s.String()}
	}
	return &EventError{Event: name, Kind: ErrTurn, Detail: fmt.Sprintf("%v, not %s", next, s)}
}

// clock ends a timed match: the sides with fewer shots than the others take one
// more each (TIM-1).
func (g Game) clock() (Game, error) {
	if g.phase == Over || g.phase == ShootingOut || g.timeUp {
		return Game{}, &EventError{Event: "time up", Kind: ErrPhase, Detail: g.phase.String()}
	}
	g.timeUp = true
	if g.fresh() {
		g.settle()
	} else {
		g.await()
	}
	return g, nil
}

// await says what the running round waits for after its discs or its time have
// changed.
func (g *Game) await() {
	taken := g.shot()
	most := slices.Max(taken[:])
	g.extra = Points{}
	for s := board.SideA; g.timeUp && int(s) <= g.format.Layout.Sides(); s++ {
		if taken[s] < most {
			g.extra[s] = 1
		}
	}
	g.phase = Shooting
	if len(g.Next()) == 0 {
		g.phase = Counting
	}
}

// shot is how many discs of each side have been shot or forfeited in the round.
func (g *Game) shot() Points {
	var n Points
	for _, s := range g.format.Layout.Seats() {
		n[g.format.Layout.Side(s)] += g.format.DiscsOf(s) - g.left[s]
	}
	return n
}
