package sim_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
	"crokcam/sim"
)

// through shoots a disc along +y past the hole at an offset, so that it would
// have the given speed at the edge of the tipping circle.
func through(t require.TestingT, table *sim.Table, offset, speed float64) *sim.Result {
	s := table.Spec()
	tip := math.Sqrt(s.Hole.Radius*s.Hole.Radius - s.Disc.Radius*s.Disc.Radius)
	way := 30 - math.Sqrt(max(0, tip*tip-offset*offset))
	v := math.Sqrt(speed*speed + 2*table.Params().Surface.Friction*g*way)
	r, err := table.Shoot(sim.Setup{}, sim.Shot{Side: board.SideA, From: at(offset, -30), Heading: math.Pi / 2, Speed: v})
	require.NoError(t, err)
	return r
}

func TestADiscDropsBySpeedAndOffset(t *testing.T) {
	table := club(t)
	for _, c := range []struct {
		offset, speed float64
		want          sim.Where
	}{
		{0, 50, sim.InHole},
		{0, 850, sim.InHole},
		{0, 930, sim.OnSurface},
		{6, 200, sim.InHole},
		{6, 400, sim.InHole},
		{6, 480, sim.OnSurface},
		{-6, 200, sim.InHole},
		{7.5, 20, sim.OnSurface}, // never tips
		{4, 600, sim.Leaning},    // caught at the last moment, on the far lip
		{7.1, 30, sim.Leaning},   // hangs over the edge
	} {
		r := through(t, table, c.offset, c.speed)
		require.Equal(t, c.want, r.Discs[0].Where, "%g mm off at %g mm/s: it lies at %.2f, %.2f", c.offset, c.speed, r.Discs[0].X, r.Discs[0].Y)
		require.Equal(t, c.want == sim.InHole, len(r.Twenties) == 1)
		end := r.Final.Discs[0]
		switch c.want {
		case sim.InHole:
			require.Equal(t, board.InHole, end.Rest)
			require.Zero(t, end.Radius())
			require.InDelta(t, -table.Spec().Hole.Depth, r.Discs[0].Z, 1e-9)
		case sim.Leaning:
			require.Equal(t, board.Leaning, end.Rest)
			require.Positive(t, r.Discs[0].Tilt)
			require.InDelta(t, math.Pi, math.Abs(math.Remainder(r.Discs[0].Lean-end.Angle(), 2*math.Pi)), 1e-9, "its top leans towards the middle")
		default:
			require.Equal(t, board.OnSurface, end.Rest)
		}
	}
}

// What drops at some speed and offset does not get over the hole more slowly or
// nearer to the middle, though it may come to hang over the edge or to lean on
// the far lip, where the one is parted from the other by a hair.
func TestSlowerAndMoreCentralDiscsDoNotPass(t *testing.T) {
	table := club(t)
	rapid.Check(t, func(rt *rapid.T) {
		offset := rapid.Float64Range(0, 6.5).Draw(rt, "offset")
		speed := rapid.Float64Range(150, 1000).Draw(rt, "speed")
		if through(rt, table, offset, speed).Discs[0].Where != sim.InHole {
			return
		}
		slower := rapid.Float64Range(140, speed).Draw(rt, "slower")
		nearer := rapid.Float64Range(0, offset).Draw(rt, "nearer")
		require.NotEqual(rt, sim.OnSurface, through(rt, table, offset, slower).Discs[0].Where)
		require.NotEqual(rt, sim.OnSurface, through(rt, table, nearer, speed).Discs[0].Where)
	})
}

// The faster a disc passes over the hole, the less it loses at the far lip.
func TestPassingTheHoleCostsLessTheFaster(t *testing.T) {
	table := club(t)
	last := 0.0
	for _, v := range []float64{890, 950, 1100, 1500, 3000} {
		r := through(t, table, 0, v)
		require.Equal(t, sim.Lip, r.Contacts[0].B.Kind)
		c := r.Contacts[0]
		kept := 1 - c.Impulse*1000/table.Params().Disc.Mass/c.Approach
		require.Greater(t, kept, last, "%g mm/s", v)
		last = kept
	}
	require.Greater(t, last, 0.95)
}

// A disc in the hole blocks it, stands proud and is struck without moving.
func TestTheHoleHoldsOneDisc(t *testing.T) {
	table := club(t)
	start := sim.Setup{Board: board.Snapshot{Discs: []board.Disc{{Side: board.SideB, Rest: board.InHole}}}}
	r, err := table.Shoot(start, sim.Shot{Side: board.SideA, From: at(3, -100), Heading: math.Pi / 2, Speed: 600})
	require.NoError(t, err)
	require.Equal(t, sim.Body{Kind: sim.Disc, Index: 0}, r.Contacts[0].B)
	require.Zero(t, r.Final.Discs[0].Radius())
	require.Equal(t, sim.OnSurface, r.Discs[1].Where)
	require.Empty(t, r.Twenties, "it lay there before")

	// On a board with a hole as deep as discs are thick nothing sticks out.
	deep := board.Tournament26()
	deep.Hole.Depth = deep.Disc.Thickness
	r, err = tableOf(t, deep, nil).Shoot(start, sim.Shot{Side: board.SideA, From: at(3, -100), Heading: math.Pi / 2, Speed: 600})
	require.NoError(t, err)
	require.Empty(t, r.Contacts)
	require.Positive(t, r.Discs[1].Y)
}

// A leaning disc is knocked in by a touch towards the middle and out by one away
// from it.
func TestALeaningDiscIsKnockedInOrOut(t *testing.T) {
	table := club(t)
	for _, c := range []struct {
		lies float64 // y
		want sim.Where
	}{{-7, sim.InHole}, {7, sim.OnSurface}} {
		start := sim.Setup{Board: board.Snapshot{Discs: []board.Disc{{Point: at(0, c.lies), Side: board.SideB, Rest: board.Leaning}}}}
		r, err := table.Shoot(start, sim.Shot{Side: board.SideA, From: at(0, -120), Heading: math.Pi / 2, Speed: 550})
		require.NoError(t, err)
		require.Equal(t, c.want, r.Discs[0].Where)
	}
}

// A disc that drops pushes away one that lies half over the hole.
func TestADroppingDiscMakesRoom(t *testing.T) {
	table := club(t)
	start := discs(at(0, 27)) // 27 mm from the middle: no disc can lie flat in the hole
	r, err := table.Shoot(start, sim.Shot{Side: board.SideA, From: at(0, -60), Heading: math.Pi / 2, Speed: 380})
	require.NoError(t, err)
	require.Equal(t, []int{1}, r.Twenties)
	require.GreaterOrEqual(t, r.Discs[0].Y, 31.75-1e-9)
	apart(t, table, r, "")
}

// Discs larger than the hole do not drop.
func TestLargeDiscsDoNotDrop(t *testing.T) {
	s := board.Tournament26()
	s.Disc.Radius = s.Hole.Radius + 1
	r := through(t, tableOf(t, board.Tournament26(), nil), 0, 300)
	require.Len(t, r.Twenties, 1)
	res, err := tableOf(t, s, nil).Shoot(sim.Setup{}, sim.Shot{Side: board.SideA, From: at(0, -40), Heading: math.Pi / 2, Speed: 400})
	require.NoError(t, err)
	require.Empty(t, res.Twenties)
}
