package sim_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/sim"
)

// off shoots a disc straight off the east edge.
func off(t *testing.T, table *sim.Table, start sim.Setup, speed float64) *sim.Result {
	t.Helper()
	r, err := table.Shoot(start, sim.Shot{Side: board.SideA, From: at(260, 0), Speed: speed})
	require.NoError(t, err)
	return r
}

// A disc lies on the surface as long as its centre does, and in the ditch from
// then on.
func TestTheEdgeIsWhereTheCentrePasses(t *testing.T) {
	table := club(t)
	mu := table.Params().Surface.Friction
	speed := func(d float64) float64 { return math.Sqrt(2 * mu * g * d) }
	stays := off(t, table, sim.Setup{}, speed(330.1-260))
	require.Equal(t, sim.OnSurface, stays.Discs[0].Where)
	require.Empty(t, stays.Exits)
	require.Len(t, stays.Final.Discs, 1)

	goes := off(t, table, sim.Setup{}, speed(330.3-260))
	require.Equal(t, sim.InDitch, goes.Discs[0].Where)
	require.Len(t, goes.Exits, 1)
	require.Zero(t, goes.Exits[0].Returned)
	require.Empty(t, goes.Final.Discs)
	require.Equal(t, []int{0}, goes.Left())
	require.Equal(t, -1, goes.Place[0])
	require.InDelta(t, -table.Params().Ditch.Depth, goes.Discs[0].Z, 1e-9)
	when := goes.Exits[0].At
	require.InDelta(t, 330.2, goes.At(when)[0].X, 1e-9)
	require.Equal(t, sim.OnSurface, goes.At(when - 1e-6)[0].Where)
	require.Equal(t, sim.InDitch, goes.At(when + 1e-6)[0].Where)
	require.InDelta(t, -g*0.02*0.02/2, goes.At(when + 0.02)[0].Z, 1e-9, "it falls freely")
}

// The rail sends a disc back; only a very hard shot jumps over the edge again.
func TestTheRailGivesAChanceToComeBack(t *testing.T) {
	table := tableOf(t, board.Tournament26(), func(p *sim.Params) { p.Ditch.Rail.Restitution = 0.7 })
	soft := off(t, table, sim.Setup{}, 1500)
	require.Equal(t, sim.Rail, soft.Contacts[0].B.Kind)
	require.Equal(t, sim.InDitch, soft.Discs[0].Where)

	hard := off(t, table, sim.Setup{}, 6000)
	require.NotEmpty(t, hard.Exits)
	require.Greater(t, hard.Exits[0].Returned, hard.Exits[0].At)
	when := hard.Exits[0].Returned
	require.InDelta(t, 330.2, hard.At(when)[0].X, 1e-9)
	require.Equal(t, sim.OnSurface, hard.At(when + 1e-6)[0].Where)

	// On its way back it does damage, which is told from contacts in play.
	hard = off(t, table, discs(at(200, 0)), 6000)
	var damage []sim.Contact
	for _, c := range hard.Contacts {
		if c.Off && c.B.Kind == sim.Disc {
			damage = append(damage, c)
		}
	}
	require.NotEmpty(t, damage)
	require.NotEqual(t, 200.0, hard.Discs[0].X)
}

// A disc that has just gone over the edge still meets those on the surface, one
// that lies in the ditch does not.
func TestDiscsInTheDitchAreOutOfReachFromTheSurface(t *testing.T) {
	table := club(t)
	start := sim.Setup{Ditch: []sim.Lying{{Point: at(350, 0), Side: board.SideB}}}
	r, err := table.Shoot(start, sim.Shot{Side: board.SideA, From: at(260, 0), Speed: 350})
	require.NoError(t, err)
	require.Equal(t, sim.OnSurface, r.Discs[0].Where)
	require.Greater(t, r.Discs[0].X, 318.25, "over the edge of the surface, above the other")
	require.Empty(t, r.Contacts)

	// One that goes over flies above those in the ditch at first, and lies on what
	// it is above when it comes down.
	for _, c := range []struct{ lies, speed float64 }{{347, 370}, {371, 1000}} {
		r, err = table.Shoot(sim.Setup{Ditch: []sim.Lying{{Point: at(c.lies, 0), Side: board.SideB}}}, sim.Shot{Side: board.SideA, From: at(260, 0), Speed: c.speed})
		require.NoError(t, err)
		require.Equal(t, sim.InDitch, r.Discs[0].Where)
		require.InDelta(t, table.Spec().Disc.Thickness, r.Discs[0].Z-r.Discs[1].Z, 1e-9)
	}

	// Once it is down it meets the others.
	r, err = table.Shoot(sim.Setup{Ditch: []sim.Lying{{Point: at(352, 95), Side: board.SideB}}}, sim.Shot{Side: board.SideA, From: at(300, -80), Heading: math.Pi / 4, Speed: 1800})
	require.NoError(t, err)
	met := slices.IndexFunc(r.Contacts, func(c sim.Contact) bool { return c.B == sim.Body{Kind: sim.Disc, Index: 1} })
	require.Positive(t, met, "after the rail")
	require.True(t, r.Contacts[met].Off)
	require.InDelta(t, r.Discs[0].Z, r.Discs[1].Z, 1e-9)
}

// A disc that runs along the rail does so in few bounces, which are one touch or
// a few.
func TestRunningAlongTheRail(t *testing.T) {
	table := club(t)
	r, err := table.Shoot(sim.Setup{}, sim.Shot{Side: board.SideA, From: at(300, -130), Heading: math.Pi/2 - 0.3, Speed: 4000})
	require.NoError(t, err)
	require.Less(t, r.Events(), 200)
	require.Greater(t, far(at(r.Discs[0].X, r.Discs[0].Y), at(300, -130)), 300.0)
}

// Crossing the starting line and coming back is told, and nothing else is: as a
// search of the trajectories finds it.
func TestCrossings(t *testing.T) {
	table := tableOf(t, board.Tournament26(), func(p *sim.Params) { p.Disc.Restitution = 1 })
	limit := table.Spec().Start.Inner() - table.Spec().Disc.Radius
	found := 0
	for k := range 80 {
		// Outwards, against discs that hang over the edge.
		r := rand.New(rand.NewPCG(uint64(k), 81))
		start := discs(at(320, 16), at(320, -16))
		shot := sim.Shot{Side: board.SideA, From: at(200, r.Float64()-0.5), Heading: 0.01 * (r.Float64() - 0.5), Speed: 900 + 1100*r.Float64()}
		if k%4 == 0 {
			shot.From = at(285, 105) // from the line inwards: no crossing
			shot.Heading += math.Pi
		}
		res, err := table.Shoot(start, shot)
		require.NoError(t, err)
		told := map[int]float64{}
		for _, c := range res.Crossings() {
			told[c.Disc] = c.At
		}
		n := len(res.Discs)
		crossed, inside, left := make([]float64, n), make([]bool, n), make([]bool, n)
		for when := 0.0; when <= res.Duration+1e-3; when += 1e-3 {
			for i, d := range res.At(when) {
				out := math.Hypot(d.X, d.Y) > limit
				if out && inside[i] && crossed[i] == 0 {
					crossed[i] = when
				}
				inside[i], left[i] = !out, left[i] || d.Where == sim.InDitch
			}
		}
		for i := range n {
			at, ok := told[i]
			require.Equal(t, crossed[i] > 0 && inside[i] && !left[i], ok, "shot %d, disc %d", k, i)
			if ok {
				found++
				require.InDelta(t, crossed[i], at, 1e-3)
				d := res.At(at)[i]
				require.InDelta(t, limit, math.Hypot(d.X, d.Y), 1e-9)
			}
		}
	}
	require.Positive(t, found)
}
