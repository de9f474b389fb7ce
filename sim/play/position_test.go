package play

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/rules"
	"crokcam/sim"
	"crokcam/sim/physics"
)

func clubTable(t testing.TB) *sim.Table {
	t.Helper()
	p, err := physics.ByName(physics.Default)
	require.NoError(t, err)
	table, err := sim.NewTable(board.Tournament26(), p)
	require.NoError(t, err)
	return table
}

func facing(t testing.TB, seat board.Seat, side board.Side, discs ...board.Disc) Position {
	t.Helper()
	table := clubTable(t)
	return Position{
		Table: table, Rules: rules.Ruleset{Board: table.Spec()}, Seat: seat, Side: side, Sides: 2, Number: 1,
		Setup: sim.Setup{Board: board.Snapshot{Discs: discs}},
	}
}

// Discs are placed where the rules of the table let them be, as far out as those
// allow, and not on others.
func TestPlacesAreLegal(t *testing.T) {
	for seat := board.South; seat <= board.East; seat++ {
		spread := map[rules.StartLateral]float64{}
		for _, lateral := range []rules.StartLateral{rules.StartTouchDivider, rules.StartHalf, rules.StartInside} {
			p := facing(t, seat, board.SideA)
			p.Rules.StartLateral = lateral
			places, err := p.places(1000)
			require.NoError(t, err)
			q := rules.QuadrantOf(p.Table.Spec(), seat)
			for _, at := range places {
				fault, _, err := p.Rules.CheckPlacement(at, q)
				require.NoError(t, err)
				require.Equal(t, rules.Placed, fault)
			}
			spread[lateral] = distance(places[0], places[len(places)-1])
			few, err := p.places(5)
			require.NoError(t, err)
			require.Len(t, few, 5)
		}
		require.Greater(t, spread[rules.StartTouchDivider], spread[rules.StartHalf])
		require.Greater(t, spread[rules.StartHalf], spread[rules.StartInside])
	}

	// A line full of discs has no room.
	var full []board.Disc
	for a := 0.0; a < 2*math.Pi-0.1; a += 0.11 {
		full = append(full, board.Disc{Point: board.Point{X: 290 * math.Cos(a), Y: 290 * math.Sin(a)}, Side: board.SideB})
	}
	p := facing(t, board.South, board.SideA, full...)
	_, err := p.places(5)
	require.ErrorIs(t, err, ErrNoPlace)
	pl, err := NewPlayer(0.5, 1)
	require.NoError(t, err)
	_, err = pl.Choose(p)
	require.ErrorIs(t, err, ErrNoPlace)
}

// A player takes out a lone opposing disc, sinks a disc at an open board, and
// sees what a post hides.
func TestPlayersPickWhatPays(t *testing.T) {
	pl, err := NewPlayer(1, 3)
	require.NoError(t, err)

	plan, err := pl.Choose(facing(t, board.South, board.SideA))
	require.NoError(t, err)
	require.Equal(t, OpenTwenty, plan.Aim)

	p := facing(t, board.South, board.SideA, board.Disc{Point: board.Point{X: 30, Y: -150}, Side: board.SideB})
	plan, err = pl.Choose(p)
	require.NoError(t, err)
	require.NotEqual(t, OpenTwenty, plan.Aim)
	v, err := p.judged(plan.Shot)
	require.NoError(t, err)
	require.Equal(t, rules.Good, v.Ruling)

	// So does one who only glances at a few shots.
	pl.Glances = 40
	plan, err = pl.Choose(p)
	require.NoError(t, err)
	v, err = p.judged(plan.Shot)
	require.NoError(t, err)
	require.Equal(t, rules.Good, v.Ruling)

	post := p.Table.PostCentres()[1] // north
	behind := board.Point{X: post.X * 0.78, Y: post.Y * 0.78}
	require.True(t, p.hidden(behind), "from all of the north side")
	require.False(t, p.hidden(board.Point{X: 0, Y: 90}), "between two posts")
	require.False(t, p.hidden(board.Point{X: 0, Y: 250}))
	require.InDelta(t, 3, beside(board.Point{X: 5, Y: 3}, board.Point{}, board.Point{X: 10}), 1e-12)
	require.True(t, math.IsInf(beside(board.Point{X: -1, Y: 3}, board.Point{}, board.Point{X: 10}), 1))
	require.True(t, math.IsInf(beside(board.Point{X: 1}, board.Point{}, board.Point{}), 1))
}

// What is worth something to a player: own points and 20s, less those of others,
// and less where others can still shoot.
func TestWorth(t *testing.T) {
	p := facing(t, board.South, board.SideA)
	outcome := func(side board.Side, fate rules.Fate, zone board.Zone) rules.Outcome {
		return rules.Outcome{Side: side, Fate: fate, Zone: zone, At: board.Point{Y: -150}}
	}
	v := rules.Verdict{Outcomes: []rules.Outcome{
		outcome(board.SideA, rules.Scored, board.Twenty), outcome(board.SideA, rules.OnBoard, board.Ten),
		outcome(board.SideB, rules.OnBoard, board.Fifteen), outcome(board.SideA, rules.Ditched, board.Out),
	}}
	require.InDelta(t, 20+7-15, p.worth(&v), 1e-9)
	p.Last = true
	require.InDelta(t, 20+10-15, p.worth(&v), 1e-9)
	p.Sides = 4
	require.InDelta(t, 20+10-5, p.worth(&v), 1e-9)
}

func TestHands(t *testing.T) {
	last := Skill(0).Hand()
	require.InDelta(t, beginner.Aim, last.Aim, 1e-6)
	require.InDelta(t, machine.Aim, Skill(1).Hand().Aim, 1e-6)
	for s := Skill(0.1); s <= 1; s += 0.1 {
		h := s.Hand()
		require.Less(t, h.Aim, last.Aim)
		require.Less(t, h.Speed, last.Speed)
		last = h
	}
	r := rand.New(rand.NewPCG(1, 1))
	sum, squares := 0.0, 0.0
	const n = 20000
	for range n {
		v := normal(r)
		sum += v
		squares += v * v
	}
	require.InDelta(t, 0, sum/n, 0.03)
	require.InDelta(t, 1, squares/n, 0.03)
}

// A disc that has to go back where another lies now goes beside it, and one in
// the hole that nobody can rule on is lifted.
func TestPlayersAgreeWhereTheRulesAskThemTo(t *testing.T) {
	m := &Match{table: clubTable(t)}
	at := board.Point{X: 150, Y: 20}
	v, err := m.settle(rules.Verdict{Ruling: rules.Good, Outcomes: []rules.Outcome{
		{Side: board.SideA, Fate: rules.OnBoard, At: at},
		{Side: board.SideB, Fate: rules.OnBoard, At: at, Restored: true},
		{Side: board.SideB, Fate: rules.Awaiting},
		{Side: board.SideB, Fate: rules.OnBoard, At: board.Point{Y: 200}, Restored: true},
	}})
	require.NoError(t, err)
	gap := distance(v.Outcomes[0].At, v.Outcomes[1].At) - 2*m.table.Spec().Disc.Radius
	require.GreaterOrEqual(t, gap, 0.0)
	require.Less(t, gap, 1.0)
	require.Equal(t, rules.Ditched, v.Outcomes[2].Fate)
	require.Equal(t, board.Point{Y: 200}, v.Outcomes[3].At)

	_, err = m.settle(rules.Verdict{Ruling: rules.Desynced})
	require.ErrorContains(t, err, "does not believe")
}
