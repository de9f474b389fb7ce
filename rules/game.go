package rules

import (
	"errors"
	"fmt"
	"slices"

	"crokcam/board"
)

// TieBreak is what settles a game that is level when its rounds are played.
type TieBreak uint8

// The tie-breaks (GAM-3, GAM-5).
const (
	ExtraRound   TieBreak = iota // one more round, and another while level: Mayday rulebook
	MoreTwenties                 // more 20s in the game
	Shootout                     // a shoot-out of open 20s
)

var tieBreakWords = []string{"extra_round", "twenties", "shootout"}

// String is the tie-break's word.
func (t TieBreak) String() string { return enumString(tieBreakWords, t) }

// MarshalText writes the tie-break's word.
func (t TieBreak) MarshalText() ([]byte, error) { return enumText("tie", tieBreakWords, t) }

// UnmarshalText reads the tie-break's word; another word is an *OptionError.
func (t *TieBreak) UnmarshalText(text []byte) error {
	return enumParse("tie", tieBreakWords, text, t)
}

// End says when a game is over. Exactly one of Target and Rounds is set.
type End struct {
	Target int `yaml:"target"` // at least so many points, and more than anybody else (GAM-1)
	Rounds int `yaml:"rounds"` // after so many rounds (GAM-2)
	// WinBy is the lead that the winner needs; 0 and 1 mean any (GAM-4).
	WinBy int `yaml:"win_by"`
	// EvenRoundsFrom, when set, lets a game in which all sides have come to so
	// many points end only after an even number of rounds (GAM-4, the "Wimbledon
	// rule" of an Ontario final).
	EvenRoundsFrom int `yaml:"even_rounds_from"`
	// Ties settle a game that is level after Rounds, one after the other; when
	// none does the game is drawn.
	Ties []TieBreak `yaml:"ties"`
}

// Format is one way of playing a game.
type Format struct {
	Layout       Layout
	Rules        Ruleset
	Discs        int // of each player; a player alone against two has twice as many (PLY-2, PLY-3a)
	End          End
	DoublesOrder DoublesOrder
	Lead         board.Seat // who leads the first round, drawn or agreed beforehand (STR-1)
}

// ErrFormat marks a Format that cannot be played.
var ErrFormat = errors.New("rules: unusable format")

// Validate reports what makes the format unplayable, wrapped in ErrFormat.
func (f Format) Validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %w", ErrFormat, fmt.Errorf(format, args...))
	}
	if err := f.Rules.Validate(); err != nil {
		return bad("%w", err)
	}
	switch {
	case int(f.Layout) >= len(layoutWords):
		return bad("layout %d does not exist", uint8(f.Layout))
	case f.Discs < 1 || f.Discs > 12:
		return bad("%d discs a player: there are 1 to 12", f.Discs)
	case f.Layout == TwoAgainstOne && f.Discs > 6:
		return bad("%d discs for each of two partners: the third player would need %d", f.Discs, 2*f.Discs)
	case int(f.DoublesOrder) >= len(doublesOrderWords):
		return bad("doubles_order %d does not exist", uint8(f.DoublesOrder))
	case f.DoublesOrder == SidesAlternate && f.Layout != Doubles:
		return bad("doubles_order sides_alternate needs two partnerships")
	case (f.End.Target > 0) == (f.End.Rounds > 0) || f.End.Target < 0 || f.End.Rounds < 0:
		return bad("a game ends at a target or after a number of rounds, one of the two")
	case f.End.WinBy < 0 || f.End.EvenRoundsFrom < 0:
		return bad("win_by and even_rounds_from cannot be negative")
	case !slices.Contains(f.Layout.Seats(), f.Lead):
		return bad("nobody sits at %s to lead", f.Lead)
	}
	for _, t := range f.End.Ties {
		if int(t) >= len(tieBreakWords) {
			return bad("tie-break %d does not exist", uint8(t))
		}
	}
	if _, _, err := f.Rules.RoundScore.Award(f.Layout.Sides(), Points{}); err != nil {
		return bad("%w", err)
	}
	return nil
}

// discsOf is how many discs a seat has in a round.
func (f Format) discsOf(s board.Seat) int {
	if f.Layout == TwoAgainstOne && f.Layout.Side(s) == board.SideB {
		return 2 * f.Discs
	}
	return f.Discs
}

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

// Event is something that happened at the table.
type Event interface{ event() }

// ShotJudged is a shot with a verdict that stands.
type ShotJudged struct {
	Seat    board.Seat
	Verdict Verdict
}

// ShotForfeited is a turn whose disc went to the ditch unshot: the clock ran out
// (TIM-2).
type ShotForfeited struct{ Seat board.Seat }

// TimeUp is the end of a timed match's time: if shots are uneven the sides with
// fewer take one more, then the round is scored as it lies (TIM-1).
type TimeUp struct{}

// CountAgreed is the players' agreement that the count is right (RND-1).
type CountAgreed struct{}

// RoundEntered is a whole round entered by hand, without its shots.
type RoundEntered struct{ Totals, Twenties Points }

// ShootoutHeld is the result of a shoot-out: open 20s made by each side.
type ShootoutHeld struct{ Hits Points }

func (ShotJudged) event()    {}
func (ShotForfeited) event() {}
func (TimeUp) event()        {}
func (CountAgreed) event()   {}
func (RoundEntered) event()  {}
func (ShootoutHeld) event()  {}

// The kinds of illegal events; errors from Apply wrap one of them in an
// *EventError.
var (
	ErrPhase      = errors.New("the game is not waiting for this")
	ErrTurn       = errors.New("it is another player's turn")
	ErrNoDiscs    = errors.New("the player has no discs left")
	ErrUnresolved = errors.New("the verdict leaves something open")
	ErrMismatch   = errors.New("the verdict's discs are not those of the game")
	ErrTotals     = errors.New("the totals cannot be")
)

// EventError says which event was refused and why.
type EventError struct {
	Event  string
	Kind   error // one of the Err… values above
	Detail string
}

func (e *EventError) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("rules: %s: %v", e.Event, e.Kind)
	}
	return fmt.Sprintf("rules: %s: %v: %s", e.Event, e.Kind, e.Detail)
}

// Unwrap makes errors.Is find the kind.
func (e *EventError) Unwrap() error { return e.Kind }

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
	g.left = [4]int{}
	for _, s := range g.format.Layout.Seats() {
		g.left[s] = g.format.discsOf(s)
	}
	g.board = board.Snapshot{}
	g.ditch, g.twenty = Points{}, Points{}
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
		n += g.format.discsOf(s) - g.left[s]
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
		side = board.SideA + board.SideB - g.last
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
		side = board.SideA + board.SideB - side
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
	for g.phase == Shooting {
		next := g.Next()
		if len(next) == 0 {
			break
		}
		before := g.phase
		g.spend(next[0])
		if g.phase != before {
			return next[0]
		}
	}
	return g.cycle()[0]
}

// spend takes a disc off a seat's unshot ones and moves the turn on.
func (g *Game) spend(s board.Seat) {
	side := g.format.Layout.Side(s)
	g.left[s]--
	g.last = side
	if g.timeUp && g.extra[side] > 0 {
		g.extra[side]--
	}
	cycle := g.cycle()
	for k := range cycle {
		if i := (g.turn + k) % len(cycle); cycle[i] == s {
			g.turn = (i + 1) % len(cycle)
			break
		}
	}
	if len(g.Next()) == 0 {
		g.phase = Counting
	}
}

// Apply returns the game after the event, or the *EventError that says why there
// is none.
func (g Game) Apply(e Event) (Game, error) {
	switch e := e.(type) {
	case ShotJudged:
		return g.shot(e)
	case ShotForfeited:
		if err := g.due("shot forfeited", e.Seat); err != nil {
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

// due checks that a seat may shoot now.
func (g *Game) due(name string, s board.Seat) error {
	if g.phase != Shooting {
		return &EventError{Event: name, Kind: ErrPhase, Detail: "no shot is due: " + g.phase.String()}
	}
	next := g.Next()
	if slices.Contains(next, s) {
		return nil
	}
	if s > board.East || !slices.Contains(g.format.Layout.Seats(), s) {
		return &EventError{Event: name, Kind: ErrTurn, Detail: fmt.Sprintf("nobody sits at seat %d", s)}
	}
	if g.left[s] == 0 {
		return &EventError{Event: name, Kind: ErrNoDiscs, Detail: s.String()}
	}
	return &EventError{Event: name, Kind: ErrTurn, Detail: fmt.Sprintf("%v, not %s", next, s)}
}

func (g Game) shot(e ShotJudged) (Game, error) {
	const name = "shot"
	if err := g.due(name, e.Seat); err != nil {
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

// clock ends a timed match: the sides with fewer shots than the others take one
// more each (TIM-1).
func (g Game) clock() (Game, error) {
	if g.phase == Over || g.phase == ShootingOut || g.timeUp {
		return Game{}, &EventError{Event: "time up", Kind: ErrPhase, Detail: g.phase.String()}
	}
	g.timeUp = true
	if g.phase == Counting {
		return g, nil
	}
	most, taken := 0, Points{}
	for _, s := range g.format.Layout.Seats() {
		taken[g.format.Layout.Side(s)] += g.format.discsOf(s) - g.left[s]
	}
	for _, n := range taken {
		most = max(most, n)
	}
	for s := board.SideA; int(s) <= g.format.Layout.Sides(); s++ {
		if taken[s] < most {
			g.extra[s] = 1
		}
	}
	if len(g.Next()) == 0 {
		g.phase = Counting
	}
	return g, nil
}

func (g Game) entered(e RoundEntered) (Game, error) {
	const name = "round entered"
	if g.phase != Shooting || g.ShotNumber() != 1 {
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
	g.scored(RoundResult{Totals: e.Totals, Twenties: e.Twenties, Awarded: awarded, Winner: winner})
	return g, nil
}

// mostTotal is the most a side can have in a round by any count: 24 discs, all 20s.
const mostTotal = 24 * 20

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

// settle sets phase and winner after a round.
func (g *Game) settle() {
	g.phase = Shooting
	end, sides, n := &g.format.End, g.format.Layout.Sides(), len(g.rounds)
	best := leader(sides, g.scores)
	if best != board.NoSide {
		for s := board.SideA; int(s) <= sides; s++ {
			if s != best && g.scores[best]-g.scores[s] < end.WinBy {
				best = board.NoSide // ahead, but not by enough
				break
			}
		}
	}
	if end.EvenRoundsFrom > 0 {
		all := true
		for s := board.SideA; int(s) <= sides; s++ {
			all = all && g.scores[s] >= end.EvenRoundsFrom
		}
		g.even = g.even || all
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
