package rules_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/rules"
)

func pts(n ...int) rules.Points {
	var p rules.Points
	copy(p[1:], n)
	return p
}

// What a round is worth (RND-3, RND-4, PLY-3b, PLY-4x).
func TestAward(t *testing.T) {
	for _, c := range []struct {
		score  rules.RoundScore
		sides  int
		totals rules.Points
		want   rules.Points
		winner board.Side
	}{
		{rules.Difference, 2, pts(60, 35), pts(25, 0), board.SideA},
		{rules.Difference, 2, pts(35, 60), pts(0, 25), board.SideB},
		{rules.Difference, 2, pts(40, 40), pts(0, 0), board.NoSide},
		{rules.MatchPoints, 2, pts(60, 35), pts(2, 0), board.SideA},
		{rules.MatchPoints, 2, pts(0, 5), pts(0, 2), board.SideB},
		{rules.MatchPoints, 2, pts(0, 0), pts(1, 1), board.NoSide},
		{rules.Accumulate, 2, pts(60, 35), pts(60, 35), board.SideA},
		{rules.Accumulate, 3, pts(60, 35, 60), pts(60, 35, 60), board.NoSide},
		{rules.Accumulate, 4, pts(1, 2, 3, 4), pts(1, 2, 3, 4), board.SideD},
		{rules.MatchPoints3, 3, pts(30, 20, 10), pts(2, 1, 0), board.SideA},
		{rules.MatchPoints3, 3, pts(10, 30, 20), pts(0, 2, 1), board.SideB},
		{rules.MatchPoints3, 3, pts(30, 30, 10), pts(1, 1, 0), board.NoSide},
		{rules.MatchPoints3, 3, pts(10, 30, 30), pts(0, 1, 1), board.NoSide},
		{rules.MatchPoints3, 3, pts(10, 10, 30), pts(0, 0, 2), board.SideC},
		{rules.MatchPoints3, 3, pts(10, 10, 10), pts(1, 1, 1), board.NoSide},
		{rules.RankPoints4, 4, pts(40, 30, 20, 10), pts(8, 6, 4, 2), board.SideA},
		{rules.RankPoints4, 4, pts(10, 20, 30, 40), pts(2, 4, 6, 8), board.SideD},
		{rules.RankPoints4, 4, pts(40, 40, 20, 10), pts(7, 7, 4, 2), board.NoSide},
		{rules.RankPoints4, 4, pts(40, 30, 30, 10), pts(8, 5, 5, 2), board.SideA},
		{rules.RankPoints4, 4, pts(40, 30, 10, 10), pts(8, 6, 3, 3), board.SideA},
		{rules.RankPoints4, 4, pts(40, 40, 40, 10), pts(6, 6, 6, 2), board.NoSide},
		{rules.RankPoints4, 4, pts(40, 10, 10, 10), pts(8, 4, 4, 4), board.SideA},
		{rules.RankPoints4, 4, pts(40, 40, 10, 10), pts(7, 7, 3, 3), board.NoSide},
		{rules.RankPoints4, 4, pts(0, 0, 0, 0), pts(5, 5, 5, 5), board.NoSide},
	} {
		got, winner, err := c.score.Award(c.sides, c.totals)
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%v %v", c.score, c.totals)
		require.Equal(t, c.winner, winner, "%v %v", c.score, c.totals)
	}
	for _, c := range []struct {
		score rules.RoundScore
		sides int
	}{{rules.Difference, 3}, {rules.MatchPoints, 4}, {rules.MatchPoints3, 2}, {rules.RankPoints4, 3}, {rules.Accumulate, 1}, {rules.Accumulate, 5}} {
		_, _, err := c.score.Award(c.sides, rules.Points{})
		require.ErrorIs(t, err, rules.ErrRoundScore)
	}
	_, _, err := rules.RoundScore(9).Award(2, rules.Points{})
	var oe *rules.OptionError
	require.ErrorAs(t, err, &oe)
}

// Values by ring, and the lower one on a line (VAL-1 to VAL-4).
func TestValue(t *testing.T) {
	for _, c := range []struct {
		r            float64
		rest         board.Rest
		printed, mid board.Zone
	}{
		{0, board.InHole, board.Twenty, board.Twenty},
		{0, board.Leaning, board.Fifteen, board.Fifteen},
		{200, board.Leaning, board.Fifteen, board.Fifteen},
		{84.92, board.OnSurface, board.Fifteen, board.Fifteen},
		{84.93, board.OnSurface, board.Ten, board.Fifteen},
		{85.72, board.OnSurface, board.Ten, board.Fifteen},
		{85.73, board.OnSurface, board.Ten, board.Ten},
		{186.52, board.OnSurface, board.Ten, board.Ten},
		{186.53, board.OnSurface, board.Five, board.Ten},
		{187.33, board.OnSurface, board.Five, board.Five},
		{288.12, board.OnSurface, board.Five, board.Five},
		{288.13, board.OnSurface, board.Out, board.Five},
		{288.93, board.OnSurface, board.Out, board.Out},
		{400, board.OnSurface, board.Out, board.Out},
		{250, board.Standing, board.Five, board.Five},
		{85.5, board.Standing, board.Ten, board.Fifteen},
	} {
		d := board.Disc{Point: board.Point{X: c.r * 0.6, Y: -c.r * 0.8}, Rest: c.rest, Sigma: 0.1}
		require.Equal(t, c.printed, rules.Ruleset{Board: testBoard()}.Value(d).Zone, "printed, %v mm", c.r)
		require.Equal(t, c.mid, rules.Ruleset{Board: testBoard(), Line: rules.LineCentre}.Value(d).Zone, "centre, %v mm", c.r)
	}
	near := rules.Ruleset{Board: testBoard(), Line: rules.LineCentre}.Value(board.Disc{Point: board.Point{X: 85.7}, Sigma: 0.1})
	require.True(t, near.TooClose)
	require.InDelta(t, 0.025, near.Gap, 1e-9)
	require.Equal(t, board.Ten, near.Other)
	over := rules.Ruleset{Board: testBoard(), Line: rules.LineCentre}.Value(board.Disc{Point: board.Point{X: 188}, Sigma: 0.1})
	require.False(t, over.TooClose)
	require.Equal(t, board.Ten, over.Other)
	require.Equal(t, board.Five, over.Zone)
}

// Placing the disc (PLC-1, PLC-2), around each of its limits.
func TestCheckPlacement(t *testing.T) {
	south := rules.QuadrantOf(testBoard(), board.South)
	require.InDelta(t, 225, south.From*180/math.Pi, 1e-9)
	require.InDelta(t, 315, south.To*180/math.Pi, 1e-9)
	// A place on the starting line, d mm beyond the quadrant line between south and
	// east (negative: inside).
	beside := func(d float64) board.Point {
		along := math.Sqrt(304.8*304.8 - d*d)
		u, n := board.Point{X: math.Sqrt2 / 2, Y: -math.Sqrt2 / 2}, board.Point{X: math.Sqrt2 / 2, Y: math.Sqrt2 / 2}
		return board.Point{X: along*u.X + d*n.X, Y: along*u.Y + d*n.Y}
	}
	mirror := func(p board.Point) board.Point { return board.Point{X: -p.X, Y: p.Y} }
	at := func(r float64) board.Point { return board.Point{Y: -r} }
	both := func(radial rules.StartRadial, lateral rules.StartLateral) rules.Ruleset {
		return rules.Ruleset{StartRadial: radial, StartLateral: lateral, Board: testBoard()}
	}
	for _, c := range []struct {
		name string
		rs   rules.Ruleset
		p    board.Point
		want rules.PlacementFault
	}{
		{"on the line", both(0, 0), at(304.8), rules.Placed},
		{"touching from inside", both(0, 0), at(288.13), rules.Placed},
		{"clear inside", both(0, 0), at(288.12), rules.ClearInFront},
		{"touching from outside", both(0, 0), at(321.47), rules.Placed},
		{"clear outside", both(0, 0), at(321.48), rules.ClearBehind},
		{"behind is allowed", both(rules.StartTouchOrBehind, 0), at(321.48), rules.Placed},
		{"in front is not", both(rules.StartTouchOrBehind, 0), at(288.12), rules.ClearInFront},
		{"tipping over the edge", both(rules.StartTouchOrBehind, 0), at(330.3), rules.OffTheSurface},
		{"half over", both(0, rules.StartHalf), beside(0), rules.Placed},
		{"more than half over", both(0, rules.StartHalf), beside(0.1), rules.TooFarOver},
		{"still touching the divider", both(0, rules.StartTouchDivider), beside(16.67), rules.Placed},
		{"clear of the divider", both(0, rules.StartTouchDivider), beside(16.68), rules.TooFarOver},
		{"well over, under half", both(0, rules.StartHalf), beside(10), rules.TooFarOver},
		{"clear of the line on the own side", both(0, rules.StartInside), beside(-16.68), rules.Placed},
		{"touching it", both(0, rules.StartInside), beside(-16.67), rules.TooFarOver},
		{"by the middle of the ink: touching from outside", rules.Ruleset{Board: testBoard(), Line: rules.LineCentre}, at(320.67), rules.Placed},
		{"by the middle of the ink: clear outside", rules.Ruleset{Board: testBoard(), Line: rules.LineCentre}, at(320.68), rules.ClearBehind},
		{"by the middle of the ink: clear inside", rules.Ruleset{Board: testBoard(), Line: rules.LineCentre}, at(288.92), rules.ClearInFront},
		{"by the middle of the ink: touching the divider", rules.Ruleset{Board: testBoard(), Line: rules.LineCentre, StartLateral: rules.StartTouchDivider}, beside(15.87), rules.Placed},
		{"by the middle of the ink: clear of the divider", rules.Ruleset{Board: testBoard(), Line: rules.LineCentre, StartLateral: rules.StartTouchDivider}, beside(15.88), rules.TooFarOver},
		{"in the quadrant across", both(0, rules.StartTouchDivider), board.Point{Y: 304.8}, rules.TooFarOver},
	} {
		for i, p := range []board.Point{c.p, mirror(c.p)} {
			got, margin, err := c.rs.CheckPlacement(p, south)
			require.NoError(t, err)
			require.Equal(t, c.want, got, "%s (%d)", c.name, i)
			require.Equal(t, c.want == rules.Placed, margin > -0.001, c.name)
		}
	}
	_, _, err := both(0, 0).CheckPlacement(at(304.8), rules.Quadrant{From: 0, To: math.Pi})
	require.ErrorIs(t, err, rules.ErrQuadrant)
	_, _, err = both(0, 0).CheckPlacement(at(304.8), rules.Quadrant{From: math.NaN()})
	require.ErrorIs(t, err, rules.ErrQuadrant)
	_, _, err = both(0, 0).CheckPlacement(board.Point{X: math.Inf(1)}, south)
	require.ErrorIs(t, err, rules.ErrInput)
	// Each seat's own quadrant, from the middle of the starting line before it.
	for s, p := range map[board.Seat]board.Point{board.South: {Y: -304.8}, board.West: {X: -304.8}, board.North: {Y: 304.8}, board.East: {X: 304.8}} {
		for o := board.South; o <= board.East; o++ {
			got, _, err := both(0, rules.StartInside).CheckPlacement(p, rules.QuadrantOf(testBoard(), o))
			require.NoError(t, err)
			require.Equal(t, o == s, got == rules.Placed, "%s from %s", s, o)
		}
	}
}

func game(t *testing.T, f rules.Format) rules.Game {
	t.Helper()
	if f.Discs == 0 {
		f.Discs = 6
	}
	g, err := rules.NewGame(f)
	require.NoError(t, err)
	return g
}

func enter(t *testing.T, g rules.Game, totals ...rules.Points) rules.Game {
	t.Helper()
	var err error
	for _, p := range totals {
		g, err = g.Apply(rules.RoundEntered{Totals: p})
		require.NoError(t, err)
	}
	return g
}

// When a game is over (GAM-1 to GAM-4).
func TestGameEnd(t *testing.T) {
	a, b, level := pts(30, 10), pts(10, 30), pts(20, 20)
	match := rules.Ruleset{RoundScore: rules.MatchPoints}
	for _, c := range []struct {
		name   string
		f      rules.Format
		rounds []rules.Points
		phase  rules.Phase
		winner board.Side
		scores rules.Points
	}{
		{"exactly the target", rules.Format{End: rules.End{Target: 20}}, []rules.Points{a}, rules.Over, board.SideA, pts(20, 0)},
		{"one short", rules.Format{End: rules.End{Target: 21}}, []rules.Points{a}, rules.Shooting, 0, pts(20, 0)},
		{"level at the target", rules.Format{Rules: match, End: rules.End{Target: 1}}, []rules.Points{level}, rules.Shooting, 0, pts(1, 1)},
		{"a round later", rules.Format{Rules: match, End: rules.End{Target: 1}}, []rules.Points{level, b}, rules.Over, board.SideB, pts(1, 3)},
		{"win by two, one ahead", rules.Format{Rules: rules.Ruleset{RoundScore: rules.Accumulate}, End: rules.End{Target: 20, WinBy: 2}}, []rules.Points{pts(21, 20)}, rules.Shooting, 0, pts(21, 20)},
		{"win by two, two ahead", rules.Format{Rules: rules.Ruleset{RoundScore: rules.Accumulate}, End: rules.End{Target: 20, WinBy: 2}}, []rules.Points{pts(22, 20)}, rules.Over, board.SideA, pts(22, 20)},
		{"four rounds, decided after three", rules.Format{Rules: match, End: rules.End{Rounds: 4}}, []rules.Points{a, a, a}, rules.Shooting, 0, pts(6, 0)},
		{"four rounds", rules.Format{Rules: match, End: rules.End{Rounds: 4}}, []rules.Points{a, a, a, b}, rules.Over, board.SideA, pts(6, 2)},
		{"drawn", rules.Format{Rules: match, End: rules.End{Rounds: 2}}, []rules.Points{a, b}, rules.Over, 0, pts(2, 2)},
		{"extra round", rules.Format{Rules: match, End: rules.End{Rounds: 2, Ties: []rules.TieBreak{rules.ExtraRound}}}, []rules.Points{a, b}, rules.Shooting, 0, pts(2, 2)},
		{"extra round, level again", rules.Format{Rules: match, End: rules.End{Rounds: 2, Ties: []rules.TieBreak{rules.ExtraRound}}}, []rules.Points{a, b, level}, rules.Shooting, 0, pts(3, 3)},
		{"extra round, decided", rules.Format{Rules: match, End: rules.End{Rounds: 2, Ties: []rules.TieBreak{rules.ExtraRound}}}, []rules.Points{a, b, level, b}, rules.Over, board.SideB, pts(3, 5)},
		{"shoot-out", rules.Format{Rules: match, End: rules.End{Rounds: 2, Ties: []rules.TieBreak{rules.MoreTwenties, rules.Shootout}}}, []rules.Points{a, b}, rules.ShootingOut, 0, pts(2, 2)},
		{"even rounds: not yet in force", rules.Format{Rules: match, End: rules.End{Target: 3, EvenRoundsFrom: 2}}, []rules.Points{a, level}, rules.Over, board.SideA, pts(3, 1)},
		{"even rounds: not yet in force, odd", rules.Format{Rules: match, End: rules.End{Target: 5, EvenRoundsFrom: 2}}, []rules.Points{a, a, level}, rules.Over, board.SideA, pts(5, 1)},
		{"even rounds: in force, odd", rules.Format{Rules: match, End: rules.End{Target: 3, EvenRoundsFrom: 2}}, []rules.Points{a, b, a}, rules.Shooting, 0, pts(4, 2)},
		{"even rounds: in force, even", rules.Format{Rules: match, End: rules.End{Target: 3, EvenRoundsFrom: 2}}, []rules.Points{a, b, a, level}, rules.Over, board.SideA, pts(5, 3)},
		{"even rounds: in force, even and level", rules.Format{Rules: match, End: rules.End{Target: 3, EvenRoundsFrom: 2}}, []rules.Points{a, b, a, b}, rules.Shooting, 0, pts(4, 4)},
		{"no even rounds: two rounds without points bind nobody", rules.Format{End: rules.End{Target: 20}}, []rules.Points{level, level, a}, rules.Over, board.SideA, pts(20, 0)},
		{"three alone, two of them level", rules.Format{Layout: rules.ThreeFree, Rules: rules.Ruleset{RoundScore: rules.MatchPoints3}, End: rules.End{Target: 1}}, []rules.Points{pts(30, 30, 10)}, rules.Shooting, 0, pts(1, 1, 0)},
		{"three alone, third wins late", rules.Format{Layout: rules.ThreeFree, Rules: rules.Ruleset{RoundScore: rules.MatchPoints3}, End: rules.End{Target: 2}}, []rules.Points{pts(30, 30, 10), pts(20, 20, 30)}, rules.Over, board.SideC, pts(1, 1, 2)},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := enter(t, game(t, c.f), c.rounds...)
			require.Equal(t, c.phase, g.Phase())
			require.Equal(t, c.winner, g.Winner())
			require.Equal(t, c.scores, g.Scores())
			if c.phase == rules.Over {
				_, err := g.Apply(rules.RoundEntered{Totals: a})
				require.ErrorIs(t, err, rules.ErrPhase)
			}
		})
	}
}

// A match that once stood 8:8 may end only after an even number of rounds, however
// far it is to the target; one that never stood so may end after any (GAM-4).
func TestEvenRounds(t *testing.T) {
	a, b, level := pts(30, 10), pts(10, 30), pts(20, 20)
	sixAll := []rules.Points{a, b, a, b, a, b}
	for _, c := range []struct {
		name   string
		target int
		rounds []rules.Points // from 6:6
		over   bool
		scores rules.Points
	}{
		{"8:8, won in the ninth", 9, []rules.Points{a, b, a}, false, pts(10, 8)},
		{"8:8, won in the ninth and held", 9, []rules.Points{a, b, a, level}, true, pts(11, 9)},
		{"8:8, won in the ninth and level again", 9, []rules.Points{a, b, a, b}, false, pts(10, 10)},
		{"8:8, won in the tenth", 10, []rules.Points{a, b, level, a}, true, pts(11, 9)},
		{"8:8 stays in force at a higher tie", 10, []rules.Points{a, b, level, level, a}, false, pts(12, 10)},
		{"9:7 to 10:8 never stood 8:8", 10, []rules.Points{level, a, level}, true, pts(10, 8)},
		{"9:7 to 9:9 never stood 8:8", 11, []rules.Points{level, a, b, level, a}, true, pts(12, 10)},
		{"10:6 to 12:6 never came near", 11, []rules.Points{a, a, a}, true, pts(12, 6)},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := game(t, rules.Format{Rules: rules.Ruleset{RoundScore: rules.MatchPoints}, End: rules.End{Target: c.target, EvenRoundsFrom: 8}})
			g = enter(t, enter(t, g, sixAll...), c.rounds...)
			require.Equal(t, c.scores, g.Scores())
			require.Equal(t, c.over, g.Phase() == rules.Over)
			if c.over {
				require.Equal(t, board.SideA, g.Winner())
			}
		})
	}
}

// 20s and the shoot-out look only at the sides that share the lead.
func TestTieBreaks(t *testing.T) {
	f := rules.Format{Layout: rules.ThreeFree, Rules: rules.Ruleset{RoundScore: rules.MatchPoints3}, End: rules.End{Rounds: 1, Ties: []rules.TieBreak{rules.MoreTwenties, rules.Shootout}}}
	g, err := game(t, f).Apply(rules.RoundEntered{Totals: pts(30, 30, 20), Twenties: pts(0, 1, 1)})
	require.NoError(t, err)
	require.Equal(t, rules.Over, g.Phase())
	require.Equal(t, board.SideB, g.Winner())

	g, err = game(t, f).Apply(rules.RoundEntered{Totals: pts(40, 40, 20), Twenties: pts(1, 1, 1)})
	require.NoError(t, err)
	require.Equal(t, rules.ShootingOut, g.Phase())
	_, err = g.Apply(rules.ShootoutHeld{Hits: pts(-1)})
	require.ErrorIs(t, err, rules.ErrTotals)
	g, err = g.Apply(rules.ShootoutHeld{Hits: pts(3, 3, 12)})
	require.NoError(t, err)
	require.Equal(t, rules.ShootingOut, g.Phase(), "level again")
	g, err = g.Apply(rules.ShootoutHeld{Hits: pts(4, 3, 12)})
	require.NoError(t, err)
	require.Equal(t, board.SideA, g.Winner())
	_, err = g.Apply(rules.ShootoutHeld{Hits: pts(4, 3)})
	require.ErrorIs(t, err, rules.ErrPhase)
}

// Who shoots when (PLY-2 to PLY-4, STR-2, STR-3).
func TestOrder(t *testing.T) {
	const S, W, N, E = board.South, board.West, board.North, board.East
	for _, c := range []struct {
		f      rules.Format
		order  []board.Seat
		hammer board.Seat
	}{
		{rules.Format{Discs: 2}, []board.Seat{S, N, S, N}, N},
		{rules.Format{Discs: 2, Lead: N}, []board.Seat{N, S, N, S}, S},
		{rules.Format{Discs: 2, Layout: rules.Doubles, Lead: E}, []board.Seat{E, S, W, N, E, S, W, N}, N},
		{rules.Format{Discs: 2, Layout: rules.TwoAgainstOne}, []board.Seat{S, W, N, W, S, W, N, W}, W},
		{rules.Format{Discs: 2, Layout: rules.TwoAgainstOne, Lead: W}, []board.Seat{W, N, W, S, W, N, W, S}, S},
		{rules.Format{Discs: 1, Layout: rules.TwoAgainstOne, Lead: N}, []board.Seat{N, W, S, W}, W},
		{rules.Format{Discs: 2, Layout: rules.ThreeFree, Rules: rules.Ruleset{RoundScore: rules.Accumulate}, Lead: W}, []board.Seat{W, N, S, W, N, S}, S},
		{rules.Format{Discs: 1, Layout: rules.FourFree, Rules: rules.Ruleset{RoundScore: rules.Accumulate}, Lead: N}, []board.Seat{N, E, S, W}, W},
	} {
		c.f.End.Rounds = 2
		g := game(t, c.f)
		require.Equal(t, c.hammer, g.Hammer())
		for i, s := range c.order {
			require.Equal(t, []board.Seat{s}, g.Next())
			require.Equal(t, i+1, g.ShotNumber())
			var err error
			g, err = g.Apply(rules.ShotForfeited{Seat: s})
			require.NoError(t, err)
		}
		require.Equal(t, rules.Counting, g.Phase())
		require.Empty(t, g.Next())
		seats := c.f.Layout.Seats()
		next := c.f.Lead
		for i, s := range seats {
			if s == c.f.Lead {
				next = seats[(i+1)%len(seats)]
			}
		}
		g, err := g.Apply(rules.CountAgreed{})
		require.NoError(t, err)
		require.Equal(t, next, g.Lead())
		require.Equal(t, 2, g.Round())
	}
}

// The winner leads the next round where that is played (STR-2).
func TestWinnerStarts(t *testing.T) {
	f := rules.Format{Layout: rules.Doubles, Lead: board.West, Rules: rules.Ruleset{Starter: rules.WinnerStarts}, End: rules.End{Target: 100}}
	g := game(t, f)
	require.Equal(t, board.West, enter(t, g, pts(10, 20)).Lead(), "the leader's side won")
	require.Equal(t, board.North, enter(t, g, pts(20, 10)).Lead(), "the other side won: the next of it clockwise")
	require.Equal(t, board.West, enter(t, g, pts(10, 10)).Lead(), "level")
	require.Equal(t, 0, rules.WinnerStarts.Next(3, 2, func(p int) bool { return p == 0 }))
	require.Equal(t, 2, rules.WinnerStarts.Next(3, 2, nil))
	require.Equal(t, 0, rules.RotateStarter.Next(3, 2, func(p int) bool { return p == 2 }))
}

// Either partner may take the side's turn (PLY-4).
func TestSidesAlternate(t *testing.T) {
	const S, W, N, E = board.South, board.West, board.North, board.East
	g := game(t, rules.Format{Layout: rules.Doubles, Discs: 2, DoublesOrder: rules.SidesAlternate, End: rules.End{Rounds: 1}})
	step := func(s board.Seat, want ...board.Seat) {
		t.Helper()
		require.ElementsMatch(t, want, g.Next())
		var err error
		g, err = g.Apply(rules.ShotForfeited{Seat: s})
		require.NoError(t, err)
	}
	step(S, S, N)
	step(E, W, E)
	step(S, S, N)
	_, err := g.Apply(rules.ShotForfeited{Seat: S})
	require.ErrorIs(t, err, rules.ErrNoDiscs)
	_, err = g.Apply(rules.ShotForfeited{Seat: N})
	require.ErrorIs(t, err, rules.ErrTurn)
	step(W, W, E)
	step(N, N)
	step(W, W, E)
	step(N, N)
	step(E, E)
	require.Equal(t, rules.Counting, g.Phase())
}

// A timed match (TIM-1) and a shot clock (TIM-2).
func TestTime(t *testing.T) {
	const S, W, N, E = board.South, board.West, board.North, board.East
	forfeit := func(g rules.Game, seats ...board.Seat) rules.Game {
		for _, s := range seats {
			var err error
			g, err = g.Apply(rules.ShotForfeited{Seat: s})
			require.NoError(t, err)
		}
		return g
	}
	up := func(g rules.Game) rules.Game {
		g, err := g.Apply(rules.TimeUp{})
		require.NoError(t, err)
		return g
	}
	two := rules.Format{Discs: 6, End: rules.End{Target: 100}}
	g := up(forfeit(game(t, two), S, N, S))
	require.Equal(t, pts(0, 1), g.Extra())
	require.Equal(t, []board.Seat{N}, g.Next())
	_, err := g.Apply(rules.ShotForfeited{Seat: S})
	require.ErrorIs(t, err, rules.ErrTurn)
	g = forfeit(g, N)
	require.Equal(t, rules.Counting, g.Phase())
	require.Equal(t, pts(2, 2), g.Ditch())
	g, err = g.Apply(rules.CountAgreed{})
	require.NoError(t, err)
	require.Equal(t, rules.Over, g.Phase(), "level, drawn")
	require.Equal(t, board.NoSide, g.Winner())

	g = up(forfeit(game(t, two), S, N))
	require.Equal(t, rules.Counting, g.Phase(), "shots are even")
	g = up(enter(t, game(t, two), pts(20, 10)))
	require.Equal(t, rules.Over, g.Phase(), "between two rounds")
	require.Equal(t, board.SideA, g.Winner(), "the leader wins")
	require.Len(t, g.Rounds(), 1, "no round is begun for it")
	g = up(game(t, two))
	require.Equal(t, rules.Over, g.Phase(), "before anything was shot")
	require.Equal(t, board.NoSide, g.Winner())
	_, err = g.Apply(rules.TimeUp{})
	require.ErrorIs(t, err, rules.ErrPhase)

	three := rules.Format{Layout: rules.ThreeFree, Discs: 6, Rules: rules.Ruleset{RoundScore: rules.Accumulate}, End: rules.End{Rounds: 4, Ties: []rules.TieBreak{rules.ExtraRound}}}
	g = up(forfeit(game(t, three), S))
	require.Equal(t, pts(0, 1, 1), g.Extra())
	g = forfeit(g, W, N)
	g, err = g.Apply(rules.CountAgreed{})
	require.NoError(t, err)
	require.Equal(t, rules.Over, g.Phase(), "no extra round when time is up")

	g = up(forfeit(game(t, rules.Format{Layout: rules.Doubles, Discs: 6, End: rules.End{Rounds: 1}}), S, W, N))
	require.Equal(t, pts(0, 1), g.Extra())
	require.Equal(t, []board.Seat{E}, g.Next())
	// A round entered by hand during which the time ended is the last one.
	g, err = game(t, two).Apply(rules.RoundEntered{Totals: pts(20, 10), TimeUp: true})
	require.NoError(t, err)
	require.Equal(t, rules.Over, g.Phase())
	require.Equal(t, board.SideA, g.Winner())
	four := rules.Format{Discs: 6, Rules: rules.Ruleset{RoundScore: rules.MatchPoints}, End: rules.End{Rounds: 4, Ties: []rules.TieBreak{rules.MoreTwenties, rules.Shootout}}}
	level := rules.RoundEntered{Totals: pts(20, 20), TimeUp: true}
	g, err = game(t, four).Apply(level)
	require.NoError(t, err)
	require.Equal(t, rules.ShootingOut, g.Phase(), "level: the tie-breaks hold as ever")
	level.Twenties = pts(0, 1)
	g, err = game(t, four).Apply(level)
	require.NoError(t, err)
	require.Equal(t, board.SideB, g.Winner())

	// Time up once only.
	g = up(forfeit(game(t, rules.Format{Layout: rules.Doubles, Discs: 6, End: rules.End{Rounds: 1}}), S, W, N))
	_, err = g.Apply(rules.TimeUp{})
	require.ErrorIs(t, err, rules.ErrPhase)
}

// 20s are tallied per side, and one that a failed shot voids is not (GAM-6, TWN-3).
func TestVoidTwentiesAreNotTallied(t *testing.T) {
	g := game(t, rules.Format{Discs: 3, Rules: rules.Ruleset{Board: testBoard()}, End: rules.End{Rounds: 2}})
	lies := rules.BoardTaken{
		Board: board.Snapshot{Discs: []board.Disc{
			{Side: board.SideA, Point: board.Point{X: 28}}, {Side: board.SideB, Point: board.Point{Y: 150}}, {Side: board.SideB, Point: board.Point{Y: -28}},
		}},
		Left: [4]int{board.South: 2, board.North: 1}, Next: board.South,
	}
	g, err := g.Apply(lies)
	require.NoError(t, err)
	const before = "a1 28 0, b1 0 150, b2 0 -28"
	failed, _ := scene{Before: before, After: "a1 in, b1 0 150, b2 0 -28, s 150 0", Contacts: "s>a1"}.judge(t)
	h, err := g.Apply(rules.ShotJudged{Seat: board.South, Verdict: failed})
	require.NoError(t, err)
	require.Equal(t, pts(0, 0), h.Twenties())
	require.Equal(t, pts(2, 0), h.Ditch())
	// The opponent's disc counts for the opponent, whoever sinks it (TWN-2).
	good, _ := scene{Before: before, After: "a1 28 0, b1 0 150, b2 in, s 150 0", Contacts: "s>b2"}.judge(t)
	h, err = g.Apply(rules.ShotJudged{Seat: board.South, Verdict: good})
	require.NoError(t, err)
	require.Equal(t, pts(0, 1), h.RoundTwenties())
	for _, s := range []board.Seat{board.North, board.South} {
		h, err = h.Apply(rules.ShotForfeited{Seat: s})
		require.NoError(t, err)
	}
	h, err = h.Apply(rules.CountAgreed{})
	require.NoError(t, err)
	require.Equal(t, pts(0, 1), h.Twenties(), "they are kept over the rounds")
	require.Equal(t, pts(0, 0), h.RoundTwenties())
}

// A game, and a match, are values: what is done to their format, or to a copy,
// does not reach them.
func TestGamesAreValues(t *testing.T) {
	f := rules.Format{Discs: 6, Rules: rules.Ruleset{RoundScore: rules.MatchPoints}, End: rules.End{Rounds: 1, Ties: []rules.TieBreak{rules.MoreTwenties}}}
	g := game(t, f)
	p := rules.BestOf(3, f)
	m, err := rules.NewMatch(p)
	require.NoError(t, err)
	f.End.Ties[0] = rules.Shootout
	p.Stages[0].Games = 1
	g, err = g.Apply(rules.RoundEntered{Totals: pts(20, 20), Twenties: pts(1, 0)})
	require.NoError(t, err)
	require.Equal(t, board.SideA, g.Winner(), "20s break the tie")

	win := func(m rules.Match, totals rules.Points) rules.Match {
		m, err := m.Apply(rules.RoundEntered{Totals: totals})
		require.NoError(t, err)
		return m
	}
	one := win(m, pts(20, 10))
	require.False(t, one.Over(), "of three games")
	require.Equal(t, board.North, one.Game().Lead(), "the lead passes on")
	require.True(t, win(one, pts(20, 10)).Over())
	require.False(t, win(one, pts(10, 20)).Over(), "the other course of the match does not count")
	require.True(t, win(one, pts(20, 10)).Over())
	require.Equal(t, board.SideB, win(win(m, pts(10, 20)), pts(10, 20)).Winner(), "the games of the other courses are not this one's")
	for _, s := range rules.Quinte(rules.Ruleset{}, 8).Stages {
		require.Equal(t, rules.MatchPoints, s.Format.Rules.RoundScore)
	}
	require.Equal(t, board.North, game(t, f).NextLead(), "also before a round is scored")
	require.Equal(t, []int{0, 1, 0}, rules.Shots([]int{0, 1, 2}, []int{2, 1}), "a player without discs is passed over")
}

// Side D counts as every other, and what is nobody's counts for nobody.
func TestEverySideIsCounted(t *testing.T) {
	at := func(side board.Side) board.Disc { return board.Disc{Side: side, Point: board.Point{X: 60}} }
	s := board.Snapshot{Discs: []board.Disc{at(board.SideD), at(board.NoSide), at(9)}}
	require.Equal(t, rules.Points{0, 0, 0, 0, 35}, rules.Ruleset{}.Count(s, pts(0, 0, 0, 1)))

	g := game(t, rules.Format{Layout: rules.FourFree, Discs: 2, Rules: rules.Ruleset{RoundScore: rules.RankPoints4}, End: rules.End{Rounds: 1}})
	v, _ := scene{Before: "d1 0 150", After: "d1 0 170, s 60 0", Contacts: "s>d1"}.judge(t)
	_, err := g.Apply(rules.ShotJudged{Seat: board.South, Verdict: v})
	require.ErrorIs(t, err, rules.ErrMismatch)
	taken, err := g.Apply(rules.BoardTaken{Board: board.Snapshot{Discs: s.Discs[:1]}, Left: [4]int{2, 2, 2, 1}, Next: board.South})
	require.NoError(t, err)
	require.Len(t, taken.Board().Discs, 1)
	shot, err := taken.Apply(rules.ShotForfeited{Seat: board.South})
	require.NoError(t, err)
	require.Equal(t, rules.Points{}, shot.Extra(), "while there is time nobody has a shot to make up")
}

// Who leads may be said before the first shot of a round (STR-1), and the next
// round's lead follows from it (STR-2).
func TestLeadChosen(t *testing.T) {
	g, err := game(t, rules.Format{Discs: 2, Layout: rules.Doubles, End: rules.End{Rounds: 4}}).Apply(rules.LeadChosen{Seat: board.North})
	require.NoError(t, err)
	require.Equal(t, board.North, g.Lead())
	require.Equal(t, []board.Seat{board.North}, g.Next())
	require.Equal(t, board.West, g.Hammer())
	require.Equal(t, board.East, enter(t, g, pts(5, 0)).Lead())
	_, err = g.Apply(rules.LeadChosen{Seat: 9})
	require.ErrorIs(t, err, rules.ErrTurn)
	_, err = game(t, rules.Format{End: rules.End{Rounds: 4}}).Apply(rules.LeadChosen{Seat: board.East})
	require.ErrorIs(t, err, rules.ErrTurn, "nobody sits there")
	g, err = g.Apply(rules.ShotForfeited{Seat: board.North})
	require.NoError(t, err)
	_, err = g.Apply(rules.LeadChosen{Seat: board.South})
	require.ErrorIs(t, err, rules.ErrPhase, "the round has begun")
}

// A shot out of turn stands, and play goes on clockwise from whoever took it
// (FOU-4).
func TestOutOfTurn(t *testing.T) {
	const S, W, N, E = board.South, board.West, board.North, board.East
	out := func(g rules.Game, s board.Seat) rules.Game {
		g, err := g.Apply(rules.ShotForfeited{Seat: s, OutOfTurn: true})
		require.NoError(t, err)
		return g
	}
	g := game(t, rules.Format{Discs: 2, End: rules.End{Rounds: 4}})
	_, err := g.Apply(rules.ShotForfeited{Seat: N})
	require.ErrorIs(t, err, rules.ErrTurn)
	v, _ := scene{After: "s 60 0", Contacts: "", Side: board.SideB}.judge(t)
	_, err = g.Apply(rules.ShotJudged{Seat: N, Verdict: v})
	require.ErrorIs(t, err, rules.ErrTurn)
	h, err := g.Apply(rules.ShotJudged{Seat: N, Verdict: v, OutOfTurn: true})
	require.NoError(t, err)
	require.Equal(t, []board.Seat{S}, h.Next())
	h = out(out(out(h, N), S), S)
	require.Equal(t, rules.Counting, h.Phase(), "each has shot its own discs")
	_, err = out(out(g, N), N).Apply(rules.ShotForfeited{Seat: N, OutOfTurn: true})
	require.ErrorIs(t, err, rules.ErrNoDiscs)
	_, err = g.Apply(rules.ShotForfeited{Seat: W, OutOfTurn: true})
	require.ErrorIs(t, err, rules.ErrTurn, "nobody sits there")
	_, err = g.Apply(rules.ShotForfeited{Seat: 70, OutOfTurn: true})
	require.ErrorIs(t, err, rules.ErrTurn)

	d := game(t, rules.Format{Layout: rules.Doubles, Discs: 6, End: rules.End{Rounds: 4}})
	require.Equal(t, []board.Seat{E}, out(out(d, S), N).Next())
	for s, next := range map[board.Seat]board.Seat{S: W, W: N, N: E, E: S} {
		require.Equal(t, []board.Seat{next}, out(d, s).Next(), "%s shot first", s)
	}
	// After the time nobody takes more than the one shot that evens them out.
	h, err = out(out(g, N), S).Apply(rules.TimeUp{})
	require.NoError(t, err)
	require.Equal(t, rules.Counting, h.Phase())
	h, err = out(g, N).Apply(rules.TimeUp{})
	require.NoError(t, err)
	_, err = h.Apply(rules.ShotForfeited{Seat: N, OutOfTurn: true})
	require.ErrorIs(t, err, rules.ErrTurn)
	require.Equal(t, rules.Counting, out(h, S).Phase())
}

// The board as it lies: what is given holds, and the rest is in the ditch.
func TestBoardTaken(t *testing.T) {
	const S, W, N, E = board.South, board.West, board.North, board.East
	at := func(side board.Side, x float64) board.Disc { return board.Disc{Side: side, Point: board.Point{X: x}} }
	g := game(t, rules.Format{Discs: 4, Rules: rules.Ruleset{Board: testBoard()}, End: rules.End{Rounds: 1}})
	lies := rules.BoardTaken{
		Board:    board.Snapshot{Discs: []board.Disc{at(board.SideA, 60), at(board.SideB, 150)}},
		Twenties: pts(0, 1), Left: [4]int{board.South: 1, board.North: 2}, Next: N,
	}
	h, err := g.Apply(lies)
	require.NoError(t, err)
	require.Equal(t, []board.Seat{N}, h.Next())
	require.Equal(t, pts(2, 0), h.Ditch())
	require.Equal(t, pts(0, 1), h.RoundTwenties())
	require.Equal(t, 6, h.ShotNumber())
	require.Equal(t, lies.Board, h.Board())
	require.Empty(t, g.Board().Discs, "the game before is as it was")
	lies.Board.Discs[0].X = 1e9
	require.Equal(t, 60.0, h.Board().Discs[0].X, "the game's board is its own")
	lies.Board.Discs[0].X = 60
	for _, s := range []board.Seat{N, S, N} {
		h, err = h.Apply(rules.ShotForfeited{Seat: s})
		require.NoError(t, err)
	}
	require.Equal(t, rules.Counting, h.Phase())
	again, err := h.Apply(lies)
	require.NoError(t, err)
	require.Equal(t, rules.Shooting, again.Phase(), "it may turn out that not all was shot")
	h, err = h.Apply(rules.CountAgreed{})
	require.NoError(t, err)
	require.Equal(t, pts(15, 30), h.Rounds()[0].Totals)
	_, err = h.Apply(lies)
	require.ErrorIs(t, err, rules.ErrPhase)

	for name, c := range map[string]struct {
		change func(*rules.BoardTaken)
		want   error
	}{
		"nobody sits there":         {func(e *rules.BoardTaken) { e.Next = W }, rules.ErrTurn},
		"no such seat":              {func(e *rules.BoardTaken) { e.Next = 9 }, rules.ErrTurn},
		"no discs left":             {func(e *rules.BoardTaken) { e.Left[N] = 0 }, rules.ErrTurn},
		"too many left":             {func(e *rules.BoardTaken) { e.Left[S] = 5 }, rules.ErrNoDiscs},
		"fewer than none left":      {func(e *rules.BoardTaken) { e.Left[S] = -1 }, rules.ErrNoDiscs},
		"discs where nobody sits":   {func(e *rules.BoardTaken) { e.Left[E] = 1 }, rules.ErrNoDiscs},
		"more 20s than were shot":   {func(e *rules.BoardTaken) { e.Twenties = pts(3) }, rules.ErrMismatch},
		"fewer 20s than none":       {func(e *rules.BoardTaken) { e.Twenties = pts(-1) }, rules.ErrMismatch},
		"more discs than were shot": {func(e *rules.BoardTaken) { e.Left[S] = 4 }, rules.ErrMismatch},
		"a disc of nobody":          {func(e *rules.BoardTaken) { e.Board.Discs = []board.Disc{at(board.NoSide, 60)} }, rules.ErrMismatch},
		"a disc of no such side":    {func(e *rules.BoardTaken) { e.Board.Discs = []board.Disc{at(9, 60)} }, rules.ErrMismatch},
		"a 20 not lifted": {func(e *rules.BoardTaken) {
			e.Board.Discs = []board.Disc{{Side: board.SideA, Rest: board.InHole}}
		}, rules.ErrMismatch},
	} {
		e := lies
		c.change(&e)
		_, err := g.Apply(e)
		require.ErrorIs(t, err, c.want, name)
	}

	// Nothing left: the round is counted, whoever was named.
	all := rules.BoardTaken{Next: W}
	h, err = g.Apply(all)
	require.NoError(t, err)
	require.Equal(t, rules.Counting, h.Phase())
	require.Equal(t, pts(4, 4), h.Ditch())

	// Whoever is named is next, also when it would be another's turn.
	h, err = g.Apply(rules.ShotForfeited{Seat: S})
	require.NoError(t, err)
	h, err = h.Apply(rules.BoardTaken{Left: [4]int{board.South: 3, board.North: 4}, Next: S})
	require.NoError(t, err)
	require.Equal(t, []board.Seat{S}, h.Next())

	// Under sides_alternate either partner of the one named may shoot.
	d := game(t, rules.Format{Layout: rules.Doubles, Discs: 2, DoublesOrder: rules.SidesAlternate, End: rules.End{Rounds: 1}})
	h, err = d.Apply(rules.BoardTaken{Left: [4]int{2, 1, 2, 2}, Next: E})
	require.NoError(t, err)
	require.ElementsMatch(t, []board.Seat{W, E}, h.Next())
	// A side that has nothing left lets the other go on.
	h, err = d.Apply(rules.BoardTaken{Left: [4]int{board.West: 2}, Next: W})
	require.NoError(t, err)
	h, err = h.Apply(rules.ShotForfeited{Seat: W})
	require.NoError(t, err)
	require.Equal(t, []board.Seat{W}, h.Next())
	// When time is up only those that are behind may even out.
	h, err = g.Apply(rules.ShotForfeited{Seat: S})
	require.NoError(t, err)
	h, err = h.Apply(rules.TimeUp{})
	require.NoError(t, err)
	h, err = h.Apply(rules.BoardTaken{Left: [4]int{board.South: 1, board.North: 0}, Next: S})
	require.NoError(t, err)
	require.Equal(t, pts(1), h.Extra())
	require.Equal(t, []board.Seat{S}, h.Next())
}

// Refused events are typed and leave the game as it was.
func TestRefusedEvents(t *testing.T) {
	g := game(t, rules.Format{Discs: 1, End: rules.End{Rounds: 1}})
	v, _ := scene{After: "s 60 0", Contacts: ""}.judge(t)
	wrongSide, _ := scene{After: "s 60 0", Contacts: "", Side: board.SideB}.judge(t)
	open, _ := scene{After: "s 150 0", Contacts: "", Rules: rules.Ruleset{OpenBoardScope: rules.FirstShot}}.judge(t)
	desynced, _ := scene{After: "s 150 0, b1 0 100", Contacts: ""}.judge(t)
	more, _ := scene{Before: "b1 0 150", After: "b1 0 170, s 60 0", Contacts: "s>b1"}.judge(t)
	waiting := v
	waiting.Outcomes = append([]rules.Outcome(nil), v.Outcomes...)
	waiting.Outcomes[0].Fate = rules.Awaiting
	strange := v
	strange.Outcomes = append([]rules.Outcome(nil), v.Outcomes...)
	strange.Outcomes[0].Side = 9
	for _, c := range []struct {
		e    rules.Event
		kind error
	}{
		{nil, rules.ErrPhase},
		{rules.CountAgreed{}, rules.ErrPhase},
		{rules.ShootoutHeld{}, rules.ErrPhase},
		{rules.ShotForfeited{Seat: board.West}, rules.ErrTurn},
		{rules.ShotForfeited{Seat: 77}, rules.ErrTurn},
		{rules.ShotForfeited{Seat: board.North}, rules.ErrTurn},
		{rules.ShotJudged{Seat: board.North, Verdict: v}, rules.ErrTurn},
		{rules.ShotJudged{Seat: board.South, Verdict: wrongSide}, rules.ErrMismatch},
		{rules.ShotJudged{Seat: board.South, Verdict: open}, rules.ErrUnresolved},
		{rules.ShotJudged{Seat: board.South, Verdict: desynced}, rules.ErrUnresolved},
		{rules.ShotJudged{Seat: board.South, Verdict: waiting}, rules.ErrUnresolved},
		{rules.ShotJudged{Seat: board.South, Verdict: strange}, rules.ErrMismatch},
		{rules.ShotJudged{Seat: board.South, Verdict: more}, rules.ErrMismatch},
		{rules.RoundEntered{Totals: pts(-1)}, rules.ErrTotals},
		{rules.RoundEntered{Totals: pts(481)}, rules.ErrTotals},
		{rules.RoundEntered{Totals: pts(0, 0, 5)}, rules.ErrTotals},
		{rules.RoundEntered{Twenties: pts(-1)}, rules.ErrTotals},
		{rules.RoundEntered{Twenties: pts(25)}, rules.ErrTotals},
	} {
		_, err := g.Apply(c.e)
		require.ErrorIs(t, err, c.kind, "%T", c.e)
		var ee *rules.EventError
		require.ErrorAs(t, err, &ee)
	}
	g, err := g.Apply(rules.ShotJudged{Seat: board.South, Verdict: v})
	require.NoError(t, err)
	require.Len(t, g.Board().Discs, 1)
	require.Equal(t, [5]uint8{0, 1, 1}, g.Owned(board.SideB))
	_, err = g.Apply(rules.RoundEntered{})
	require.ErrorIs(t, err, rules.ErrPhase, "a round is being played")
	g.Board().Discs[0].X = 1e9
	require.Less(t, g.Board().Discs[0].X, 100.0, "the game's board is its own")
	_, err = g.Apply(rules.ShotForfeited{Seat: board.South})
	require.ErrorIs(t, err, rules.ErrNoDiscs)
}

// A round played to its end is counted from the board.
func TestPlayedRound(t *testing.T) {
	g := game(t, rules.Format{Discs: 1, Rules: rules.Ruleset{Board: testBoard()}, End: rules.End{Rounds: 1}})
	v, _ := scene{After: "s in", Contacts: ""}.judge(t)
	g, err := g.Apply(rules.ShotJudged{Seat: board.South, Verdict: v})
	require.NoError(t, err)
	require.Equal(t, pts(1), g.RoundTwenties())
	require.Equal(t, pts(1), g.Twenties())
	v, _ = scene{After: "s 60 0", Contacts: "", Side: board.SideB}.judge(t)
	g, err = g.Apply(rules.ShotJudged{Seat: board.North, Verdict: v})
	require.NoError(t, err)
	g, err = g.Apply(rules.CountAgreed{})
	require.NoError(t, err)
	require.Equal(t, []rules.RoundResult{{Totals: pts(20, 15), Twenties: pts(1), Awarded: pts(5), Winner: board.SideA}}, g.Rounds())
	require.Equal(t, pts(1), g.Twenties())
	require.Equal(t, board.SideA, g.Winner())
}

// Formats that cannot be played are refused.
func TestFormatErrors(t *testing.T) {
	ok := rules.Format{Discs: 6, End: rules.End{Rounds: 4}}
	require.NoError(t, ok.Validate())
	for name, change := range map[string]func(*rules.Format){
		"no discs":               func(f *rules.Format) { f.Discs = 0 },
		"13 discs":               func(f *rules.Format) { f.Discs = 13 },
		"7 for each partner":     func(f *rules.Format) { f.Layout, f.Discs = rules.TwoAgainstOne, 7 },
		"no end":                 func(f *rules.Format) { f.End = rules.End{} },
		"two ends":               func(f *rules.Format) { f.End.Target = 100 },
		"negative rounds":        func(f *rules.Format) { f.End = rules.End{Target: 100, Rounds: -1} },
		"negative target":        func(f *rules.Format) { f.End.Target = -1 },
		"negative lead":          func(f *rules.Format) { f.End.WinBy = -1 },
		"negative even rounds":   func(f *rules.Format) { f.End.EvenRoundsFrom = -1 },
		"no such tie-break":      func(f *rules.Format) { f.End.Ties = []rules.TieBreak{9} },
		"no such layout":         func(f *rules.Format) { f.Layout = 9 },
		"no such order":          func(f *rules.Format) { f.DoublesOrder = 9 },
		"sides alternate of two": func(f *rules.Format) { f.DoublesOrder = rules.SidesAlternate },
		"nobody leads":           func(f *rules.Format) { f.Lead = board.West },
		"difference of three":    func(f *rules.Format) { f.Layout = rules.ThreeFree },
		"no such option":         func(f *rules.Format) { f.Rules.Spin = 7 },
	} {
		f := ok
		change(&f)
		_, err := rules.NewGame(f)
		require.ErrorIs(t, err, rules.ErrFormat, name)
	}
}

// Matches of several games (GAM-4).
func TestMatch(t *testing.T) {
	one := rules.Format{Discs: 6, Rules: rules.Ruleset{RoundScore: rules.MatchPoints}, End: rules.End{Rounds: 1}}
	a, b, level := pts(20, 10), pts(10, 20), pts(10, 10)
	play := func(p rules.Plan, rounds ...rules.Points) rules.Match {
		t.Helper()
		m, err := rules.NewMatch(p)
		require.NoError(t, err)
		for _, r := range rounds {
			m, err = m.Apply(rules.RoundEntered{Totals: r})
			require.NoError(t, err)
		}
		return m
	}
	m := play(rules.BestOf(3, one), a, a)
	require.True(t, m.Over())
	require.Equal(t, "game 2", m.DecidedIn())
	require.Equal(t, board.SideA, m.Winner())
	require.Len(t, m.Results(), 2)
	for _, g := range m.Results() {
		require.Equal(t, board.SideA, g.Winner)
		require.Equal(t, pts(2), g.Scores)
		require.Equal(t, []rules.RoundResult{{Totals: a, Awarded: pts(2), Winner: board.SideA}}, g.Rounds)
	}
	_, err := m.Apply(rules.RoundEntered{})
	require.ErrorIs(t, err, rules.ErrPhase)

	m = play(rules.BestOf(3, one), a, b)
	require.False(t, m.Over())
	require.Equal(t, board.South, m.Game().Lead(), "the lead passes on between games")
	require.Equal(t, "game 3", play(rules.BestOf(3, one), a, b, b).DecidedIn())
	require.Equal(t, "game 3", play(rules.BestOf(3, one), a, level, level).DecidedIn(), "one ahead at the end")
	require.False(t, play(rules.BestOf(3, one), a, level).Over(), "can still be caught")
	m = play(rules.BestOf(3, one), a, b, level)
	require.True(t, m.Over())
	require.Equal(t, "drawn", m.DecidedIn())
	require.Equal(t, board.NoSide, m.Winner())

	plan := rules.BestOf(2, one)
	plan.Shootout = true
	m = play(plan, a, b)
	require.True(t, m.AwaitsShootout())
	_, err = m.Apply(rules.CountAgreed{})
	require.ErrorIs(t, err, rules.ErrPhase)
	_, err = m.Apply(rules.ShootoutHeld{Hits: pts(-1)})
	require.ErrorIs(t, err, rules.ErrTotals)
	m, err = m.Apply(rules.ShootoutHeld{Hits: pts(3, 3)})
	require.NoError(t, err)
	require.True(t, m.AwaitsShootout())
	m, err = m.Apply(rules.ShootoutHeld{Hits: pts(3, 4)})
	require.NoError(t, err)
	require.Equal(t, board.SideB, m.Winner())
	require.Equal(t, "shootout", m.DecidedIn())
	require.True(t, m.Over())
	require.False(t, m.AwaitsShootout())

	pairs := rules.Plan{Stages: []rules.Stage{
		{Name: "game", Games: 1, Format: one}, {Name: "pair", Games: 3, Format: one, FirstWin: true},
	}}
	require.Equal(t, "pair 2", play(pairs, level, level, b).DecidedIn())
	require.Equal(t, "game 1", play(pairs, a).DecidedIn())
	require.Equal(t, "drawn", play(pairs, level, level, level, level).DecidedIn())

	for _, bad := range []rules.Plan{{}, rules.BestOf(0, one), rules.BestOf(1, rules.Format{}), {Stages: []rules.Stage{{Games: 1, Format: one}}},
		{Stages: []rules.Stage{pairs.Stages[0], {Name: "x", Games: 1, Format: rules.Format{Layout: rules.ThreeFree, Discs: 1, Rules: rules.Ruleset{RoundScore: rules.Accumulate}, End: one.End}}}}} {
		_, err := rules.NewMatch(bad)
		require.ErrorIs(t, err, rules.ErrPlan)
	}
}

// Tables (GAM-5).
func TestStandings(t *testing.T) {
	e := func(name string, points, twenties int, games map[string][2]int) rules.Entrant {
		return rules.Entrant{Name: name, Points: points, Twenties: twenties, Games: games}
	}
	circle := []rules.Entrant{ // K beat L, L beat M, M beat K
		e("K", 10, 5, map[string][2]int{"L": {5, 3}, "M": {3, 5}}),
		e("L", 10, 6, map[string][2]int{"M": {5, 3}}),
		e("M", 10, 7, nil),
	}
	for _, c := range []struct {
		name string
		in   []rules.Entrant
		by   []rules.Criterion
		want []string
		err  bool
	}{
		{"points", []rules.Entrant{e("K", 1, 9, nil), e("L", 2, 0, nil)}, []rules.Criterion{rules.ByPoints}, []string{"L", "K"}, false},
		{"20s", []rules.Entrant{e("K", 1, 3, nil), e("L", 1, 9, nil), e("M", 1, 5, nil)}, []rules.Criterion{rules.ByPoints, rules.ByTwenties}, []string{"L", "M", "K"}, false},
		{"circle, then 20s, then head to head of the last two", circle, []rules.Criterion{rules.ByPoints, rules.ByHeadToHead, rules.ByTwenties}, []string{"M", "K", "L"}, false},
		{"circle by 20s alone", circle, []rules.Criterion{rules.ByPoints, rules.ByTwenties, rules.ByHeadToHead}, []string{"M", "L", "K"}, false},
		{"nothing separates", []rules.Entrant{e("K", 1, 1, nil), e("L", 1, 1, nil)}, []rules.Criterion{rules.ByPoints, rules.ByHeadToHead}, []string{"K", "L"}, true},
		{"drawn game", []rules.Entrant{e("K", 1, 1, map[string][2]int{"L": {4, 4}}), e("L", 1, 2, nil)}, []rules.Criterion{rules.ByHeadToHead, rules.ByTwenties}, []string{"L", "K"}, false},
		{"a draw counts half a win", []rules.Entrant{
			e("K", 1, 0, map[string][2]int{"L": {4, 4}, "M": {4, 4}}),
			e("L", 1, 0, map[string][2]int{"M": {5, 3}}), e("M", 1, 0, nil),
		}, []rules.Criterion{rules.ByHeadToHead}, []string{"L", "K", "M"}, false},
		{"a game noted against oneself is nobody's win", []rules.Entrant{
			e("K", 1, 0, map[string][2]int{"K": {8, 0}, "L": {3, 5}, "M": {4, 4}}), e("L", 1, 0, nil), e("M", 1, 0, map[string][2]int{"L": {5, 3}}),
		}, []rules.Criterion{rules.ByHeadToHead}, []string{"M", "L", "K"}, false},
		{"shoot-out", []rules.Entrant{{Name: "K", Shootout: 3}, {Name: "L", Shootout: 4}}, []rules.Criterion{rules.ByPoints, rules.ByShootout}, []string{"L", "K"}, false},
		{"nobody", nil, []rules.Criterion{rules.ByPoints}, nil, false},
	} {
		got, err := rules.Ranking(c.in, c.by)
		var level *rules.LevelError
		if c.err {
			require.ErrorAs(t, err, &level, c.name)
		} else {
			require.NoError(t, err, c.name)
		}
		require.Equal(t, c.want, got, c.name)
	}
	_, err := rules.Standings([]rules.Entrant{{Name: "K"}, {Name: "K"}}, nil)
	require.ErrorIs(t, err, rules.ErrInput)
	_, err = rules.Standings(nil, []rules.Criterion{9})
	require.Error(t, err)
}

// The player alone against two shoots after each of them, whichever place is theirs
// and whoever leads (PLY-3a).
func TestCycleOfTwoAgainstOne(t *testing.T) {
	for _, c := range []struct {
		lead, solo int
		want       []int
	}{
		{0, 0, []int{0, 1, 0, 2}}, {1, 0, []int{1, 0, 2, 0}}, {2, 0, []int{2, 0, 1, 0}},
		{0, 1, []int{0, 1, 2, 1}}, {1, 1, []int{1, 2, 1, 0}}, {2, 1, []int{2, 1, 0, 1}},
		{0, 2, []int{0, 2, 1, 2}}, {1, 2, []int{1, 2, 0, 2}}, {2, 2, []int{2, 0, 2, 1}},
	} {
		got, err := rules.Cycle(3, c.lead, c.solo)
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%d leads, %d is alone", c.lead, c.solo)
	}
}

// Orders of play that cannot be.
func TestCycleErrors(t *testing.T) {
	for _, c := range [][3]int{{1, 0, -1}, {5, 0, -1}, {2, 2, -1}, {2, -1, -1}, {3, 0, 3}, {2, 0, 1}, {4, 0, 0}} {
		_, err := rules.Cycle(c[0], c[1], c[2])
		require.ErrorIs(t, err, rules.ErrOrder)
	}
	require.Equal(t, []int{0, 1, 1}, rules.Shots([]int{0, 1}, []int{1, 2}), "who has none left is passed over")
	require.Empty(t, rules.Shots([]int{0}, []int{0, 3}), "discs of somebody who does not play")
}

// A verdict says which line each disc touches, from either side of it.
func TestLineTouched(t *testing.T) {
	for _, c := range []struct {
		r    float64
		line board.Zone
	}{
		{60, board.Out}, {84.9, board.Out}, {85, board.Fifteen}, {118.2, board.Fifteen}, {118.4, board.Out},
		{186.4, board.Out}, {186.6, board.Ten}, {219.8, board.Ten}, {219.9, board.Out},
		{288.1, board.Out}, {288.2, board.Five}, {321.4, board.Five}, {321.6, board.Out},
	} {
		v, err := rules.Judge(board.Snapshot{}, board.Snapshot{Discs: []board.Disc{{Point: board.Point{X: c.r}, Side: board.SideA}}},
			rules.Shot{Side: board.SideA}, rules.Ruleset{Board: testBoard()})
		require.NoError(t, err)
		require.Equal(t, c.line, v.Outcomes[0].Line, "%v mm", c.r)
	}
	// By the middle of the ink a line has no width.
	for _, x := range []float64{219.5, 321} {
		v, err := rules.Judge(board.Snapshot{}, board.Snapshot{Discs: []board.Disc{{Point: board.Point{X: x}, Side: board.SideA}}},
			rules.Shot{Side: board.SideA}, rules.Ruleset{Board: testBoard(), Line: rules.LineCentre})
		require.NoError(t, err)
		require.Equal(t, board.Out, v.Outcomes[0].Line, "%v mm", x)
	}
	v, err := rules.Judge(board.Snapshot{}, board.Snapshot{Discs: []board.Disc{{Point: board.Point{X: 118}, Side: board.SideA}}},
		rules.Shot{Side: board.SideA}, rules.Ruleset{Board: testBoard(), Line: rules.LineCentre})
	require.NoError(t, err)
	require.Equal(t, board.Out, v.Outcomes[0].Line)
}

// A ruleset out of range is named by its option.
func TestRulesetErrors(t *testing.T) {
	for name, rs := range map[string]rules.Ruleset{
		"open_board": {OpenBoard: 4}, "open_board_scope": {OpenBoardScope: 2}, "open_board_penalty": {OpenBoardPenalty: 2},
		"contact": {Contact: 4}, "contact_penalty": {ContactPenalty: 3}, "invalid_opponent_discs": {InvalidOpponentDiscs: 2},
		"damage": {Damage: 3}, "spin": {Spin: 2}, "line": {Line: 2}, "start_radial": {StartRadial: 2},
		"start_lateral": {StartLateral: 3}, "round_score": {RoundScore: 5}, "starter": {Starter: 2},
	} {
		err := rs.Validate()
		require.ErrorIs(t, err, rules.ErrRuleset)
		var o *rules.OptionError
		require.ErrorAs(t, err, &o)
		require.Equal(t, name, o.Option)
		require.NotEmpty(t, o.Want)
	}
	require.NoError(t, rules.Ruleset{}.Validate())
	for _, b := range []board.Spec{{Surface: 330}, {Start: board.Ring{Outer: 304}}} {
		require.ErrorIs(t, rules.Ruleset{Board: b}.Validate(), board.ErrSpec, "half a board is no board")
	}
}

// A disc that only just touches a line touches it (VAL-2), on a board whose
// measures are whole numbers so that nothing is lost in rounding.
func TestJustTouching(t *testing.T) {
	b := board.Tournament26()
	b.Fifteen, b.Ten, b.Start = board.Ring{Outer: 102, Width: 2}, board.Ring{Outer: 204, Width: 2}, board.Ring{Outer: 306, Width: 2}
	b.Disc.Radius = 16
	judge := func(x float64, rs rules.Ruleset) rules.Verdict {
		rs.Board = b
		v, err := rules.Judge(board.Snapshot{}, board.Snapshot{Discs: []board.Disc{{Point: board.Point{X: x}, Side: board.SideA}}},
			rules.Shot{Side: board.SideA, Evidence: rules.Evidence{Watched: rules.WatchedContacts | rules.WatchedExits}}, rs)
		require.NoError(t, err)
		return v
	}
	free := rules.Ruleset{OpenBoard: rules.OpenBoardFree}
	centre := rules.Ruleset{OpenBoard: rules.OpenBoardFree, Line: rules.LineCentre}
	for _, c := range []struct {
		x    float64
		rs   rules.Ruleset
		want board.Zone
		line board.Zone
	}{
		{84, free, board.Ten, board.Fifteen}, {186, free, board.Five, board.Ten}, {85, centre, board.Ten, board.Fifteen}, {187, centre, board.Five, board.Ten},
		{118, free, board.Ten, board.Fifteen}, {220, free, board.Five, board.Ten},
	} {
		o := judge(c.x, c.rs).Outcomes[0]
		require.Equal(t, c.want, o.Zone, "%v mm", c.x)
		require.Equal(t, c.line, o.Line, "%v mm", c.x)
	}
	require.Equal(t, rules.OuterLine, judge(288, free).Outcomes[0].Why)
	require.Equal(t, rules.OuterLine, judge(289, centre).Outcomes[0].Why)
	require.Equal(t, board.Five, judge(322, free).Outcomes[0].Line)
	require.Equal(t, rules.Good, judge(118, rules.Ruleset{}).Ruling, "touches the 15 line from outside")
	require.Equal(t, rules.Good, judge(117, rules.Ruleset{Line: rules.LineCentre}).Ruling)
	require.Equal(t, rules.Failed, judge(84, rules.Ruleset{OpenBoard: rules.ShooterInside15}).Ruling, "touches it from inside")

	south := rules.QuadrantOf(b, board.South)
	for y, want := range map[float64]rules.PlacementFault{288: rules.Placed, 322: rules.Placed, 287.99: rules.ClearInFront, 322.01: rules.ClearBehind} {
		got, _, err := rules.Ruleset{Board: b}.CheckPlacement(board.Point{Y: -y}, south)
		require.NoError(t, err)
		require.Equal(t, want, got, "%v mm", y)
	}
}

// A game that was not played is no draw, and a criterion that does not exist is
// refused.
func TestHeadToHeadOfThoseWhoMet(t *testing.T) {
	by := []rules.Criterion{rules.ByPoints, rules.ByHeadToHead}
	names, err := rules.Ranking([]rules.Entrant{
		{Name: "K", Points: 24, Games: map[string][2]int{"L": {5, 3}}}, {Name: "L", Points: 24}, {Name: "M", Points: 24},
	}, by)
	var level *rules.LevelError
	require.ErrorAs(t, err, &level)
	require.Equal(t, rules.LevelError{First: "L", Second: "M"}, *level)
	require.Equal(t, []string{"K", "L", "M"}, names)

	var o *rules.OptionError
	_, err = rules.Standings(nil, []rules.Criterion{rules.ByShootout + 1})
	require.ErrorAs(t, err, &o)
	_, err = rules.NewGame(rules.Format{Layout: rules.FourFree + 1, Discs: 6, End: rules.End{Rounds: 4}})
	require.ErrorIs(t, err, rules.ErrFormat)
	_, err = rules.NewGame(rules.Format{Layout: rules.Doubles, DoublesOrder: rules.SidesAlternate + 1, Discs: 6, End: rules.End{Rounds: 4}})
	require.ErrorIs(t, err, rules.ErrFormat)
	_, err = rules.NewGame(rules.Format{Discs: 6, End: rules.End{Rounds: 4, Ties: []rules.TieBreak{rules.Shootout + 1}}})
	require.ErrorIs(t, err, rules.ErrFormat)
}

// Every round begins with the side of its own leader, whoever shot last.
func TestSidesAlternateInTheNextRound(t *testing.T) {
	g, err := rules.NewGame(rules.Format{Layout: rules.Doubles, DoublesOrder: rules.SidesAlternate, Discs: 1, End: rules.End{Target: 100}})
	require.NoError(t, err)
	require.Equal(t, []board.Seat{board.South, board.North}, g.Next())
	for g.Phase() == rules.Shooting {
		g, err = g.Apply(rules.ShotForfeited{Seat: g.Next()[0]})
		require.NoError(t, err)
	}
	g, err = g.Apply(rules.CountAgreed{})
	require.NoError(t, err)
	require.Equal(t, board.West, g.Lead())
	require.Equal(t, []board.Seat{board.West, board.East}, g.Next())
}
