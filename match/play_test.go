package match_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/match"
	"crokcam/match/rehearse"
	"crokcam/rules"
)

// game is a match of one game that a test plays by hand, between Ann in the south
// (side A) and Bob in the north (side B), eight discs each.
type game struct {
	*testing.T
	s match.State
}

func newGame(t *testing.T) *game {
	t.Helper()
	return gameBy(t, rehearse.Singles(4))
}

func gameBy(t *testing.T, plan rules.Plan) *game {
	t.Helper()
	g := &game{T: t}
	names := [...]string{"Ann", "Wim", "Bob", "Eve"}
	start := match.Started{Match: "m1", Plan: match.Plan(plan)}
	for _, seat := range plan.Stages[0].Format.Layout.Seats() {
		start.Players = append(start.Players, match.Player{Seat: seat, Name: names[seat]})
	}
	g.do(start)
	return g
}

// event is the next event.
func (g *game) event(b match.Body) match.Event {
	n := g.s.Version() + 1
	return match.Event{
		Seq: n, ID: fmt.Sprint("id-", n), Time: time.Date(2026, 11, 30, 19, 0, n, 0, time.UTC),
		Actor: match.Actor{Role: match.Scorer, Name: "Sam"}, Body: b,
	}
}

// do records and returns the event's number.
func (g *game) do(b match.Body) int {
	g.Helper()
	s, err := g.s.Apply(g.event(b))
	require.NoError(g, err)
	g.s = s
	return s.Version()
}

// no checks that an event is refused, and why.
func (g *game) no(b match.Body, kind error, says ...string) {
	g.Helper()
	_, err := g.s.Apply(g.event(b))
	require.ErrorIs(g, err, kind)
	for _, s := range says {
		require.ErrorContains(g, err, s)
	}
}

func (g *game) fix(target int, c match.Change) int {
	g.Helper()
	return g.do(match.Corrected{Target: target, Change: c})
}

// lie is a disc of the match at a place.
func lie(side board.Side, x, y float64) board.Disc {
	return board.Disc{Point: board.Point{X: x, Y: y}, Side: side, Sigma: 0.3, Confidence: 1}
}

func hole(side board.Side) board.Disc {
	return board.Disc{Side: side, Rest: board.InHole, Sigma: 0.3, Confidence: 1}
}

// seen records a shot after which the board lies so, the shot disc last in after;
// a disc of after that moves was struck.
func (g *game) seen(seat board.Seat, after ...board.Disc) int {
	g.Helper()
	b := match.ShotDetected{Seat: seat, Before: g.s.Board(), After: board.Snapshot{Discs: after}}
	for i := range b.Before.Discs {
		b.Before.Discs[i].Sigma = 0.3
	}
	b.Evidence.HandOver = true
	return g.do(b)
}

// shot records a shot with a verdict of package rules, and the removal.
func (g *game) shot(seat board.Seat, after ...board.Disc) int {
	g.Helper()
	n := g.seen(seat, after...)
	v, err := g.s.Judge(n, nil)
	require.NoError(g, err)
	require.Contains(g, []rules.Ruling{rules.Good, rules.Failed}, v.Ruling)
	g.do(match.ShotJudged{Shot: n, Verdict: match.Verdict(v)})
	if r := g.s.Removal(n); len(r.Remove)+len(r.Restore) > 0 {
		g.do(r)
		g.do(match.RemovalChecked{Turn: n})
	}
	return n
}

// round plays a round in which every disc is forfeited.
func (g *game) round(lead board.Seat) int {
	g.Helper()
	n := g.do(match.RoundStarted{Lead: lead})
	g.forfeits()
	g.agree()
	return n
}

func (g *game) forfeits() {
	g.Helper()
	for len(g.s.Next()) > 0 {
		g.do(match.TurnForfeited{Seat: g.s.Next()[0]})
	}
}

func (g *game) agree() {
	g.Helper()
	rounds := g.s.Rounds()
	r := rounds[len(rounds)-1]
	g.do(match.RoundEnded{Totals: match.Points(r.Totals), Twenties: match.Points(r.Twenties)})
	g.do(match.RoundAgreed{})
}

// points are what the sides have in the round in play.
func (g *game) points() [2]int {
	t, ok := g.s.Tally()
	require.True(g, ok)
	return [2]int{t.Points[board.SideA], t.Points[board.SideB]}
}

func (g *game) score() [2]int {
	p := g.s.Score().Game().Scores()
	return [2]int{p[board.SideA], p[board.SideB]}
}

func TestARoundIsPlayedToItsCount(t *testing.T) {
	g := newGame(t)
	require.Equal(t, match.Between, g.s.Phase())
	g.no(match.ShotDetected{Seat: board.South}, match.ErrPhase)
	g.do(match.RoundStarted{Lead: board.South})
	require.Equal(t, []board.Seat{board.South}, g.s.Next())
	hammer, ok := g.s.Hammer()
	require.True(t, ok)
	require.Equal(t, board.North, hammer)

	g.shot(board.South, lie(board.SideA, 50, 0))
	require.Equal(t, [2]int{15, 0}, g.points())
	n := g.shot(board.North, lie(board.SideA, 150, 0), hole(board.SideB))
	require.Equal(t, [2]int{10, 20}, g.points())
	require.Empty(t, g.s.Questions(true))
	turn, _, ok := g.s.Turn(n)
	require.True(t, ok)
	require.Equal(t, rules.Good, turn.Verdict.Ruling)
	g.no(match.RoundAgreed{}, match.ErrPhase)
	g.forfeits()
	require.Equal(t, match.Counting, g.s.Phase())
	g.no(match.RoundAgreed{}, match.ErrPhase, "put the count forward")
	g.no(match.RoundEnded{Totals: match.Points{0, 10, 25}}, match.ErrMismatch, "always derived")
	g.agree()
	require.Equal(t, [2]int{0, 2}, g.score())
	require.Equal(t, board.North, g.s.Lead(), "the lead passes on")
}

func TestNothingGoesOnWhileSomethingIsOpen(t *testing.T) {
	g := newGame(t)
	g.do(match.RoundStarted{Lead: board.South})
	n := g.seen(board.South, lie(board.SideA, 50, 0))
	require.Equal(t, match.Judging, g.s.Phase())
	g.no(match.ShotDetected{Seat: board.North}, match.ErrOpen, "judge the last shot first")
	g.no(match.RoundEnded{}, match.ErrOpen)
	v, err := g.s.Judge(n, nil)
	require.NoError(t, err)
	g.do(match.ShotJudged{Shot: n, Verdict: match.Verdict(v)})
	g.no(match.ShotJudged{Shot: n, Verdict: match.Verdict(v)}, match.ErrPhase, "correct it instead")

	q := g.do(match.QuestionAsked{Turn: n, About: match.AboutClose, Discs: []match.DiscID{match.ShotDisc(n)}, Blocking: true, Choices: []match.Choice{
		{Key: "15"}, {Key: "10", Change: &match.Change{Value: &match.ChangeValue{Disc: match.ShotDisc(n), Zone: board.Ten}}}}})
	require.Equal(t, match.Asking, g.s.Phase())
	g.no(match.ShotDetected{Seat: board.North}, match.ErrOpen, "question")
	g.no(match.QuestionAnswered{Question: q, Choice: "20"}, match.ErrInvalid)
	g.do(match.QuestionAnswered{Question: q, Choice: "10"})
	require.Equal(t, [2]int{10, 0}, g.points())
	require.Equal(t, match.Shooting, g.s.Phase())
	g.no(match.QuestionAnswered{Question: q, Choice: "15"}, match.ErrTarget)

	g.do(match.Undone{Target: q + 1})
	require.Equal(t, [2]int{15, 0}, g.points())
	require.Equal(t, match.Asking, g.s.Phase(), "it is asked again")
	g.fix(n, match.Change{Value: &match.ChangeValue{Disc: match.ShotDisc(n), Zone: board.Ten}})
	require.Equal(t, match.Shooting, g.s.Phase(), "a correction answers as well")
}

func TestADiscThatStaysThoughItShouldGoIsAskedAbout(t *testing.T) {
	for _, c := range []struct {
		name   string
		stays  bool
		answer string
		points [2]int
	}{
		{"it was taken off after all", true, "remove", [2]int{0, 0}},
		{"the players leave it", true, "leave", [2]int{5, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame(t)
			g.do(match.RoundStarted{Lead: board.South})
			n := g.seen(board.South, lie(board.SideA, 250, 0)) // an open shot that falls short
			v, err := g.s.Judge(n, nil)
			require.NoError(t, err)
			require.Equal(t, rules.Failed, v.Ruling)
			g.do(match.ShotJudged{Shot: n, Verdict: match.Verdict(v)})
			d := match.ShotDisc(n)
			want := g.s.Removal(n)
			require.Equal(t, []match.DiscID{d}, want.Remove)
			g.no(match.RemovalExpected{Turn: n}, match.ErrMismatch)
			g.do(want)
			require.Equal(t, match.Removing, g.s.Phase())
			g.no(match.ShotDetected{Seat: board.North}, match.ErrOpen, "removal")
			g.do(match.RemovalChecked{Turn: n, Stays: []match.DiscID{d}})
			require.Equal(t, match.Removing, g.s.Phase())
			q := g.do(match.QuestionAsked{Turn: n, About: match.AboutRemoval, Discs: []match.DiscID{d}, Blocking: true, Choices: []match.Choice{
				{Key: "remove"}, {Key: "leave", Change: &match.Change{Fate: &match.ChangeFate{Disc: d, Fate: match.Fate(rules.OnBoard)}}}}})
			g.do(match.QuestionAnswered{Question: q, Choice: c.answer})
			require.Equal(t, match.Shooting, g.s.Phase())
			require.Equal(t, c.points, g.points())
			require.Equal(t, []board.Seat{board.North}, g.s.Next())
		})
	}
	t.Run("it is gone at the second look", func(t *testing.T) {
		g := newGame(t)
		g.do(match.RoundStarted{Lead: board.South})
		n := g.seen(board.South, lie(board.SideA, 250, 0))
		v, err := g.s.Judge(n, nil)
		require.NoError(t, err)
		g.do(match.ShotJudged{Shot: n, Verdict: match.Verdict(v)})
		g.do(g.s.Removal(n))
		g.do(match.RemovalChecked{Turn: n, Stays: []match.DiscID{match.ShotDisc(n)}})
		g.do(match.RemovalChecked{Turn: n})
		require.Equal(t, match.Shooting, g.s.Phase())
	})
}

func TestATwentyThatTheVerdictDoesNotHaveIsAskedAbout(t *testing.T) {
	g := newGame(t)
	g.do(match.RoundStarted{Lead: board.South})
	n := g.shot(board.South) // nowhere to be seen
	require.Equal(t, match.Shooting, g.s.Phase())
	g.do(match.TwentySeen{Turn: n, Side: board.SideA, Confidence: 0.9})
	require.Equal(t, match.Asking, g.s.Phase())
	fate := match.Change{Fate: &match.ChangeFate{Disc: match.ShotDisc(n), Fate: match.Fate(rules.Scored)}}
	q := g.do(match.QuestionAsked{Turn: n, About: match.AboutTwenty, Blocking: true, Choices: []match.Choice{{Key: "yes", Change: &fate}, {Key: "no"}}})
	g.do(match.QuestionAnswered{Question: q, Choice: "yes"})
	require.Equal(t, [2]int{20, 0}, g.points())
	require.Equal(t, match.Shooting, g.s.Phase())
	g.do(match.TwentyLifted{Turn: n, Side: board.SideA})
}

func TestAMatchGoesOnFromTheBoardAsItLies(t *testing.T) {
	g := newGame(t)
	g.do(match.RoundStarted{Lead: board.South})
	first := g.shot(board.South, lie(board.SideA, 50, 0))
	before := match.ShotDetected{Seat: board.North, Before: board.Snapshot{Discs: []board.Disc{lie(board.SideA, -50, 0)}}}
	g.no(before, match.ErrMismatch, "not in the match", "take it as it lies")
	g.do(match.Desynced{Reason: "somebody leant on the board"})
	g.no(match.TurnForfeited{Seat: board.North}, match.ErrPhase, "as it lies")
	as := match.Resynced{Twenties: match.Points{0, 1}, Left: match.Left{6, 0, 6}, Next: board.North,
		Board: board.Snapshot{Discs: []board.Disc{lie(board.SideA, 52, 0), lie(board.SideB, 0, 150)}}}
	bad := as
	bad.Left[board.South] = 9
	g.no(bad, match.ErrDiscs)
	bad = as
	bad.Twenties = match.Points{0, 2}
	g.no(bad, match.ErrDiscs, "side A")
	bad.Twenties = match.Points{board.SideA: 1, board.SideC: 1}
	g.no(bad, match.ErrInvalid, "does not play")
	bad = as
	bad.Board.Discs = append(bad.Board.Discs[:1:1], lie(board.SideD, 0, 150))
	g.no(bad, match.ErrInvalid, "does not play")
	g.do(as)
	require.Equal(t, [2]int{35, 10}, g.points())
	require.Equal(t, []board.Seat{board.North}, g.s.Next())
	require.Equal(t, match.ShotDisc(first), g.s.Discs()[0].ID, "it is still the same disc")
	g.forfeits()
	g.agree()
	require.Equal(t, [2]int{2, 0}, g.score())
}

func TestWhoShotIsCorrectedWithTheDiscsSide(t *testing.T) {
	g := newGame(t)
	g.do(match.RoundStarted{Lead: board.South})
	n := g.shot(board.South, lie(board.SideA, 50, 0))
	g.fix(n, match.Change{Shooter: &match.ChangeShooter{Seat: board.North}})
	require.Equal(t, [2]int{0, 15}, g.points())
	require.Equal(t, match.Asking, g.s.Phase(), "the verdict was about somebody else's shot")
	v, err := g.s.Judge(n, nil)
	require.NoError(t, err)
	require.Equal(t, board.SideB, v.Shooter)
	require.Equal(t, rules.Good, v.Ruling)
	g.fix(n, match.Change{Verdict: &match.ChangeVerdict{Verdict: match.Verdict(v)}})
	require.Equal(t, match.Shooting, g.s.Phase())
	require.Equal(t, []board.Seat{board.South}, g.s.Next(), "play goes on clockwise")
	g.forfeits()
	g.agree()
	require.Equal(t, [2]int{0, 2}, g.score())

	// Whoever led, the lead passes on from there.
	g.round(board.South)
	require.Equal(t, board.North, g.s.Lead())
}

func TestAShotOutOfTurnHasToBeMeant(t *testing.T) {
	g := newGame(t)
	g.do(match.RoundStarted{Lead: board.South})
	shot := match.ShotDetected{Seat: board.North, After: board.Snapshot{Discs: []board.Disc{lie(board.SideB, 0, 50)}}}
	g.no(shot, match.ErrTurn, "ask who shot")
	shot.OutOfTurn = true
	g.do(shot)
}

func TestACorrectionDoesNotComeBack(t *testing.T) {
	at84 := lie(board.SideA, 84.0, 0) // a hair inside the 15 line
	for name, c := range map[string]struct {
		change match.Change
		points [2]int
	}{
		"its value": {match.Change{Value: &match.ChangeValue{Zone: board.Ten}}, [2]int{10, 20}},
		"its place": {match.Change{Place: &match.ChangePlace{Place: board.Point{X: 200}}}, [2]int{5, 20}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t)
			g.do(match.RoundStarted{Lead: board.South})
			n := g.shot(board.South, at84)
			g.shot(board.North, at84) // the camera sees it where it saw it before; Bob's shot misses
			change := c.change
			if change.Value != nil {
				change.Value.Disc = match.ShotDisc(n)
			} else {
				change.Place.Disc = match.ShotDisc(n)
			}
			g.fix(n, change)
			// The camera goes on seeing it where it was.
			two := match.ShotDetected{Seat: board.South, Before: board.Snapshot{Discs: []board.Disc{at84}}, After: board.Snapshot{Discs: []board.Disc{at84, hole(board.SideA)}}}
			g.do(two)
			v, err := g.s.Judge(g.s.LastTurn(), nil)
			require.NoError(t, err)
			g.do(match.ShotJudged{Shot: g.s.LastTurn(), Verdict: match.Verdict(v)})
			require.Equal(t, c.points[0]+c.points[1], g.points()[0], "as corrected, and the 20")
			require.Empty(t, g.s.Problems())
			// It moves, and then counts for where it lies.
			g.do(g.s.Removal(g.s.LastTurn()))
			g.do(match.RemovalChecked{Turn: g.s.LastTurn()})
			moved := lie(board.SideA, 0, -60)
			hit := match.ShotDetected{Seat: board.North, Before: board.Snapshot{Discs: []board.Disc{at84}}, After: board.Snapshot{Discs: []board.Disc{moved, lie(board.SideB, 100, 100)}}}
			hit.Evidence.Contacts = []rules.Contact{{Striker: rules.ShotDisc, Struck: rules.Disc(0), Confidence: 1}}
			hit.Evidence.Watched = rules.WatchedContacts
			g.do(hit)
			v, err = g.s.Judge(g.s.LastTurn(), nil)
			require.NoError(t, err)
			g.do(match.ShotJudged{Shot: g.s.LastTurn(), Verdict: match.Verdict(v)})
			require.Equal(t, 35, g.points()[0])
		})
	}
}

func TestDiscsAreAddedDeletedAndRecoloured(t *testing.T) {
	g := newGame(t)
	g.do(match.RoundStarted{Lead: board.South})
	n := g.shot(board.South, lie(board.SideA, 50, 0))
	d := match.ShotDisc(n)
	g.no(match.Corrected{Target: n, Change: match.Change{Owner: &match.ChangeOwner{Disc: d, Side: board.SideB}}}, match.ErrDiscs, "side B")
	g.no(match.Corrected{Target: n, Change: match.Change{Added: &match.ChangeAdded{Side: board.SideA}}}, match.ErrDiscs)
	g.fix(n, match.Change{Fate: &match.ChangeFate{Disc: d, Fate: match.Fate(rules.Ditched)}})
	require.Equal(t, [2]int{0, 0}, g.points())
	add := g.fix(n, match.Change{Added: &match.ChangeAdded{Side: board.SideA, Place: board.Point{Y: 150}}})
	require.Equal(t, [2]int{10, 0}, g.points())
	g.do(match.Undone{Target: add})
	g.do(match.Undone{Target: add - 1})
	require.Equal(t, [2]int{15, 0}, g.points())

	m := g.do(match.TurnForfeited{Seat: board.North})
	g.no(match.Corrected{Target: m, Change: match.Change{Fate: &match.ChangeFate{Disc: "nothing"}}}, match.ErrTarget)
	g.fix(m, match.Change{Owner: &match.ChangeOwner{Disc: d, Side: board.SideB}})
	require.Equal(t, [2]int{0, 15}, g.points())
	// Bob missed a 20 that Ann's next shot sent in.
	g.fix(m, match.Change{Fate: &match.ChangeFate{Disc: d, Fate: match.Fate(rules.Scored)}})
	require.Equal(t, [2]int{0, 20}, g.points())
	g.no(match.Corrected{Target: m, Change: match.Change{Twenties: &match.ChangeTwenties{Side: board.SideB, By: -2}}}, match.ErrDiscs)
	g.fix(m, match.Change{Twenties: &match.ChangeTwenties{Side: board.SideB, By: -1}})
	require.Equal(t, [2]int{0, 0}, g.points())
}

func TestAnOldRoundIsCorrectedAndEverythingFollows(t *testing.T) {
	plan := rehearse.Singles(4)
	plan.Stages[0].Format.Rules.RoundScore = rules.Difference
	plan.Stages[0].Format.End = rules.End{Target: 50}
	g := gameBy(t, plan)
	first := g.do(match.RoundEntered{Totals: match.Points{0, 60, 30}, Twenties: match.Points{0, 1}})
	g.do(match.RoundEntered{Totals: match.Points{0, 20, 30}})
	require.Equal(t, [2]int{30, 10}, g.score())
	fix := g.fix(first, match.Change{Round: &match.ChangeRound{Totals: match.Points{0, 80, 30}, Twenties: match.Points{0, 2}}})
	require.Equal(t, [2]int{50, 0}, g.score(), "the game was over after the first round")
	require.Equal(t, match.Over, g.s.Phase())
	require.Equal(t, board.SideA, g.s.Winner())
	require.Len(t, g.s.Problems(), 1, "the second round has no game any more")
	require.Contains(t, g.s.Problems()[0].String(), "does not count")
	g.do(match.GameEnded{Scores: match.Points{0, 50}, Winner: board.SideA})
	g.do(match.Ended{Winner: board.SideA})
	g.no(match.Ended{Winner: board.SideA}, match.ErrMismatch)
	g.do(match.Undone{Target: fix})
	require.Equal(t, [2]int{30, 10}, g.score())
	require.Empty(t, g.s.Problems())
	require.Equal(t, board.NoSide, g.s.Winner())
}

func TestATimedMatchIsScoredAsItLies(t *testing.T) {
	g := newGame(t)
	g.no(match.TimeEnded{}, match.ErrPhase, "close the match")
	g.do(match.RoundEntered{Totals: match.Points{0, 20, 30}})
	g.do(match.RoundStarted{Lead: board.North})
	g.no(match.TimeEnded{}, match.ErrPhase, "take the start of the round back")
	g.shot(board.North, lie(board.SideB, 0, 50))
	g.do(match.TimeEnded{})
	g.no(match.TimeEnded{}, match.ErrPhase)
	require.Equal(t, []board.Seat{board.South}, g.s.Next(), "one more, to be even (TIM-1)")
	g.shot(board.South, lie(board.SideB, 0, 150), hole(board.SideA))
	require.Equal(t, match.Counting, g.s.Phase())
	g.agree()
	require.Equal(t, [2]int{2, 2}, g.score())
	require.Equal(t, match.Over, g.s.Phase())
	rounds := g.s.Rounds()
	require.Equal(t, rules.Points{0, 20, 10}, rounds[1].Totals)
	require.Equal(t, rules.Points{0, 1, 0}, rounds[1].Twenties)
}

func TestTheTimeOfAMatchMayEndBetweenTwoRounds(t *testing.T) {
	g := newGame(t)
	round := g.do(match.RoundEntered{Totals: match.Points{0, 20, 30}})
	n := g.do(match.TimeEnded{})
	require.Equal(t, match.Over, g.s.Phase(), "it is scored as it stands")
	require.Equal(t, board.SideB, g.s.Winner())
	g.no(match.TimeEnded{}, match.ErrPhase)
	g.no(match.RoundStarted{Lead: board.North}, match.ErrPhase)
	fix := g.fix(round, match.Change{Round: &match.ChangeRound{Totals: match.Points{0, 40, 30}}})
	require.Equal(t, match.Over, g.s.Phase())
	require.Equal(t, board.SideA, g.s.Winner(), "the other way round, had it been added up right")
	g.do(match.Undone{Target: fix})
	g.do(match.Undone{Target: n})
	require.Equal(t, match.Between, g.s.Phase())
	g.do(match.RoundStarted{Lead: board.North})
}

func TestAMatchMayBeClosedByDecision(t *testing.T) {
	g := newGame(t)
	g.no(match.Closed{Winner: board.SideC, Reason: "?"}, match.ErrInvalid)
	g.no(match.Closed{Winner: board.SideA}, match.ErrInvalid, "say why")
	n := g.do(match.Closed{Winner: board.SideB, Reason: "Ann had to catch her train"})
	require.Equal(t, match.Over, g.s.Phase())
	require.Equal(t, board.SideB, g.s.Winner())
	g.no(match.RoundStarted{}, match.ErrPhase)
	g.do(match.Ended{Winner: board.SideB})
	g.do(match.Undone{Target: n})
	require.Equal(t, match.Between, g.s.Phase(), "she missed it")
}

func TestAPauseStopsPlayButNotCorrections(t *testing.T) {
	g := newGame(t)
	r := g.do(match.RoundStarted{Lead: board.South})
	n := g.shot(board.South, lie(board.SideA, 50, 0))
	g.do(match.Paused{Reason: "coffee"})
	require.NotNil(t, g.s.Paused())
	g.no(match.TurnForfeited{Seat: board.North}, match.ErrPhase, "resume first")
	g.no(match.Paused{}, match.ErrPhase)
	g.fix(n, match.Change{Value: &match.ChangeValue{Disc: match.ShotDisc(n), Zone: board.Ten}})
	g.do(match.Note{Text: "cake too"})
	g.do(match.Resumed{})
	g.no(match.Resumed{}, match.ErrPhase)
	require.Equal(t, [2]int{10, 0}, g.points())
	g.fix(r, match.Change{Round: &match.ChangeRound{Totals: match.Points{0, 100}}})
	g.forfeits()
	g.agree()
	require.Equal(t, [2]int{2, 0}, g.score())
}

func TestUndoAndRedoAtEveryEdge(t *testing.T) {
	g := newGame(t)
	g.no(match.Undone{Target: 1}, match.ErrNothing)
	_, ok := g.s.UndoTarget()
	require.False(t, ok, "the start of a match stays")
	g.no(match.Redone{Target: 1}, match.ErrNothing)
	g.do(match.RoundStarted{Lead: board.South})
	n := g.shot(board.South, lie(board.SideA, 50, 0))
	fix := g.fix(n, match.Change{Value: &match.ChangeValue{Disc: match.ShotDisc(n), Zone: board.Five}})
	seq, ok := g.s.UndoTarget()
	require.True(t, ok)
	require.Equal(t, fix, seq)
	undo := g.do(match.Undone{Target: n})
	require.Empty(t, g.s.Discs())
	require.False(t, g.s.InForce(fix), "the correction goes with its shot")
	require.Equal(t, []board.Seat{board.South}, g.s.Next())
	g.no(match.Undone{Target: n}, match.ErrNothing)
	g.no(match.Redone{Target: undo + 5}, match.ErrNothing)
	g.do(match.Redone{Target: undo})
	require.Equal(t, [2]int{5, 0}, g.points())

	undo = g.do(match.Undone{Target: n})
	g.do(match.TurnForfeited{Seat: board.South})
	g.no(match.Redone{Target: undo}, match.ErrNothing, "something has happened since")
	require.Len(t, g.s.Events(), g.s.Version(), "the original is kept")
}

func TestAMatchBeginsOnce(t *testing.T) {
	good := newGame(t)
	start := good.s.Setup()
	good.no(start, match.ErrOrder)
	for name, spoil := range map[string]func(*match.Started){
		"no id":   func(s *match.Started) { s.Match = "" },
		"no plan": func(s *match.Started) { s.Plan = match.Plan{} },
		"nobody":  func(s *match.Started) { s.Players = nil },
		"no name": func(s *match.Started) {
			s.Players = []match.Player{{Seat: board.South}, {Seat: board.North, Name: "Bob"}}
		},
		"a seat too many": func(s *match.Started) { s.Players = append(s.Players, match.Player{Seat: board.East, Name: "Eve"}) },
		"one seat twice": func(s *match.Started) {
			s.Players = []match.Player{{Seat: board.South, Name: "Ann"}, {Seat: board.South, Name: "Bob"}}
		},
		"a side that does not play": func(s *match.Started) { s.Sides = []match.SideName{{Side: board.SideC}} },
	} {
		t.Run(name, func(t *testing.T) {
			s := start
			spoil(&s)
			_, err := match.State{}.Apply(good.eventAs(1, s))
			var refused *match.RefusedError
			require.ErrorAs(t, err, &refused)
		})
	}
	for name, e := range map[string]match.Event{
		"no start":  good.eventAs(1, match.Note{}),
		"no body":   good.eventAs(1, nil),
		"a gap":     good.eventAs(2, start),
		"no id":     {Seq: 1, Time: time.Now(), Actor: match.Actor{Role: match.System}, Body: start},
		"no time":   {Seq: 1, ID: "x", Actor: match.Actor{Role: match.System}, Body: start},
		"no author": {Seq: 1, ID: "x", Time: time.Now(), Body: start},
	} {
		_, err := match.State{}.Apply(e)
		var refused *match.RefusedError
		require.ErrorAs(t, err, &refused, name)
	}
}

func (g *game) eventAs(seq int, b match.Body) match.Event {
	e := g.event(b)
	e.Seq = seq
	return e
}
