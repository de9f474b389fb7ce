package rules

import (
	"fmt"
	"slices"

	"crokcam/board"
)

// Phase is what a game is waiting for.
type Phase uint8

// The phases.
const (
	Shooting    Phase = iota // the next shot
	Counting                 // all discs are shot: the players agree the count (RND-1)
	ShootingOut              // a shoot-out of open 20s
	Over                     // nothing
)

// String is the phase's word.
func (p Phase) String() string {
	return enumString([]string{"shooting", "counting", "shootout", "over"}, p)
}

// Game is the state of a game. It is a value: nothing that is done to a copy
// reaches another.
type Game struct {
	format Format
	phase  Phase
	winner board.Side

	lead   board.Seat // of this round
	turn   int        // place in the round's cycle
	last   board.Side // side that shot last in this round
	left   [4]int     // discs not yet shot, by seat
	board  board.Snapshot
	ditch  Points // discs in the ditch this round
	twenty Points // 20s set aside this round

	scores   Points
	twenties Points // 20s in the whole game (GAM-6)
	rounds   []RoundResult

	timeUp bool
	extra  Points // shots still to come after time is up, by side
	even   bool   // the even-rounds rule has come into force
}

// NewGame starts a game.
func NewGame(f Format) (Game, error) {
	if err := f.Validate(); err != nil {
		return Game{}, err
	}
	f.End.Ties = slices.Clone(f.End.Ties)
	g := Game{format: f, lead: f.Lead}
	g.deal()
	return g, nil
}

// deal begins a round.
func (g *Game) deal() {
	g.phase, g.turn, g.last = Shooting, 0, board.NoSide
	for _, s := range g.format.Layout.Seats() {
		g.left[s] = g.format.DiscsOf(s)
	}
}

// Format is how the game is played.
func (g Game) Format() Format { return g.format }

// Phase is what the game is waiting for.
func (g Game) Phase() Phase { return g.phase }

// Round is the number of the round being played, from 1.
func (g Game) Round() int { return len(g.rounds) + 1 }

// Scores are the points so far.
func (g Game) Scores() Points { return g.scores }

// Twenties are the 20s of all sides, those of the running round included.
func (g Game) Twenties() Points {
	t := g.twenties
	for s := range t {
		t[s] += g.twenty[s]
	}
	return t
}

// RoundTwenties are the 20s set aside in the running round.
func (g Game) RoundTwenties() Points { return g.twenty }

// Ditch is how many discs of each side lie in the ditch.
func (g Game) Ditch() Points { return g.ditch }

// Board is the surface between two shots.
func (g Game) Board() board.Snapshot {
	return board.Snapshot{Discs: slices.Clone(g.board.Discs)}
}

// Rounds are the rounds scored so far.
func (g Game) Rounds() []RoundResult { return slices.Clone(g.rounds) }

// Winner is who won; NoSide while the game runs and when it was drawn.
func (g Game) Winner() board.Side { return g.winner }

// Left is how many discs a seat has not yet shot this round.
func (g Game) Left(s board.Seat) int { return g.left[s%4] }

// Lead is who led, or leads, the running round.
func (g Game) Lead() board.Seat { return g.lead }

// Extra is how many shots each side may still take after time is up.
func (g Game) Extra() Points { return g.extra }

// Owned is, for Shot.Owned, how many discs of each side can lie on the board
// after the coming shot of the given side.
func (g Game) Owned(shooter board.Side) [board.SideD + 1]uint8 {
	var out [board.SideD + 1]uint8
	for s := board.SideA; int(s) <= g.format.Layout.Sides(); s++ {
		out[s] = uint8(g.count(s))
	}
	out[shooter]++
	return out
}

// ShotNumber is the number in the round of the coming shot, from 1.
func (g Game) ShotNumber() int {
	n := 1
	for _, s := range g.format.Layout.Seats() {
		n += g.format.DiscsOf(s) - g.left[s]
	}
	return n
}

func (g *Game) count(side board.Side) int {
	n := 0
	for i := range g.board.Discs {
		if g.board.Discs[i].Side == side {
			n++
		}
	}
	return n
}

// Apply returns the game after the event, or the *EventError that says why there
// is none.
func (g Game) Apply(e Event) (Game, error) {
	switch e := e.(type) {
	case LeadChosen:
		return g.led(e)
	case ShotJudged:
		return g.judged(e)
	case BoardTaken:
		return g.taken(e)
	case ShotForfeited:
		if err := g.due("shot forfeited", e.Seat, e.OutOfTurn); err != nil {
			return Game{}, err
		}
		g.ditch[g.format.Layout.Side(e.Seat)]++
		g.spend(e.Seat)
		return g, nil
	case TimeUp:
		return g.clock()
	case CountAgreed:
		if g.phase != Counting {
			return Game{}, &EventError{Event: "count agreed", Kind: ErrPhase, Detail: "the round is not shot out"}
		}
		r, err := g.format.Rules.ScoreRound(g.format.Layout.Sides(), g.board, g.twenty)
		if err != nil {
			return Game{}, &EventError{Event: "count agreed", Kind: ErrTotals, Detail: err.Error()}
		}
		g.scored(r)
		return g, nil
	case RoundEntered:
		return g.entered(e)
	case ShootoutHeld:
		return g.shootout(e)
	}
	return Game{}, &EventError{Event: fmt.Sprintf("%T", e), Kind: ErrPhase, Detail: "no such event"}
}

func (g Game) judged(e ShotJudged) (Game, error) {
	const name = "shot"
	if err := g.due(name, e.Seat, e.OutOfTurn); err != nil {
		return Game{}, err
	}
	v := &e.Verdict
	if v.Ruling != Good && v.Ruling != Failed {
		return Game{}, &EventError{Event: name, Kind: ErrUnresolved, Detail: v.Ruling.String()}
	}
	side := g.format.Layout.Side(e.Seat)
	if v.Shooter != side {
		return Game{}, &EventError{Event: name, Kind: ErrMismatch, Detail: fmt.Sprintf("it is about a shot of side %s, %s plays for %s", v.Shooter, e.Seat, side)}
	}
	var have Points
	for _, o := range v.Outcomes {
		if o.Side == board.NoSide || o.Side > board.SideD {
			return Game{}, &EventError{Event: name, Kind: ErrMismatch, Detail: fmt.Sprintf("side %d does not exist", o.Side)}
		}
		if o.Fate == Awaiting {
			return Game{}, &EventError{Event: name, Kind: ErrUnresolved, Detail: "a disc in the hole is undecided"}
		}
		have[o.Side]++
	}
	for s := board.SideA; s <= board.SideD; s++ {
		want := g.count(s)
		if s == side {
			want++
		}
		if have[s] != want {
			return Game{}, &EventError{Event: name, Kind: ErrMismatch, Detail: fmt.Sprintf("side %s has %d discs in it, %d in the game", s, have[s], want)}
		}
	}
	g.board = v.Board()
	for _, o := range v.Outcomes {
		switch o.Fate {
		case Ditched:
			g.ditch[o.Side]++
		case Scored:
			g.twenty[o.Side]++
		}
	}
	g.spend(e.Seat)
	return g, nil
}

// taken goes on from the board as it lies.
func (g Game) taken(e BoardTaken) (Game, error) {
	const name = "board taken"
	bad := func(kind error, format string, args ...any) (Game, error) {
		return Game{}, &EventError{Event: name, Kind: kind, Detail: fmt.Sprintf(format, args...)}
	}
	if g.phase != Shooting && g.phase != Counting {
		return bad(ErrPhase, "no round is being played: %s", g.phase)
	}
	left := 0
	for s, n := range e.Left {
		if n < 0 || n > g.format.DiscsOf(board.Seat(s)) {
			return bad(ErrNoDiscs, "%s cannot have %d discs left", board.Seat(s), n)
		}
		left += n
	}
	turn := g.place(e.Next)
	if left > 0 && (turn < 0 || e.Left[e.Next] == 0) {
		return bad(ErrTurn, "%s has no discs left to shoot next", e.Next)
	}
	g.left, g.twenty = e.Left, e.Twenties
	g.board = board.Snapshot{Discs: slices.Clone(e.Board.Discs)}
	g.ditch = g.shot()
	for i := range g.board.Discs {
		d := &g.board.Discs[i]
		if d.Side > board.SideD || d.Rest == board.InHole {
			return bad(ErrMismatch, "disc %d is of side %d, or lies in the hole and is a 20", i, d.Side)
		}
		g.ditch[d.Side]--
	}
	for s := range g.ditch {
		g.ditch[s] -= e.Twenties[s]
		if g.ditch[s] < 0 || e.Twenties[s] < 0 {
			return bad(ErrMismatch, "side %s has %d discs more than it has shot, with %d 20s", board.Side(s), -g.ditch[s], e.Twenties[s])
		}
	}
	if turn >= 0 {
		// Under sides_alternate the other side has shot last.
		g.turn, g.last = turn, board.SideA+board.SideB-g.format.Layout.Side(e.Next)
	}
	g.await()
	return g, nil
}

func (g Game) entered(e RoundEntered) (Game, error) {
	const name = "round entered"
	if !g.fresh() {
		return Game{}, &EventError{Event: name, Kind: ErrPhase, Detail: "a round is being played: " + g.phase.String()}
	}
	sides := g.format.Layout.Sides()
	for s := range e.Totals {
		most, owned := 0, 0
		if s >= 1 && s <= sides {
			// A round entered by hand may have been played with more discs.
			most, owned = mostTotal, 24
		}
		if e.Totals[s] < 0 || e.Totals[s] > most || e.Twenties[s] < 0 || e.Twenties[s] > owned {
			return Game{}, &EventError{Event: name, Kind: ErrTotals, Detail: fmt.Sprintf("side %s: %d points, %d 20s", board.Side(s), e.Totals[s], e.Twenties[s])}
		}
	}
	awarded, winner, err := g.format.Rules.RoundScore.Award(sides, e.Totals)
	if err != nil {
		return Game{}, &EventError{Event: name, Kind: ErrTotals, Detail: err.Error()}
	}
	g.timeUp = g.timeUp || e.TimeUp
	g.scored(RoundResult{Totals: e.Totals, Twenties: e.Twenties, Awarded: awarded, Winner: winner})
	return g, nil
}

// mostTotal is the most a side can have in a round by any count: 24 discs, all 20s.
const mostTotal = 24 * 20
