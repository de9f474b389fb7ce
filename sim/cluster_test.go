package sim_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
	"crokcam/sim"
)

// packed are n discs that touch one another like the cells of a honeycomb.
func packed(n int, middle board.Point, turn float64) []board.Point {
	const d = 31.75
	var all []board.Point
	for i := -4; i <= 4; i++ {
		for j := -4; j <= 4; j++ {
			x, y := d*(float64(i)+float64(j)/2), d*float64(j)*math.Sqrt(3)/2
			all = append(all, at(middle.X+x*math.Cos(turn)-y*math.Sin(turn), middle.Y+x*math.Sin(turn)+y*math.Cos(turn)))
		}
	}
	slices.SortStableFunc(all, func(a, b board.Point) int {
		return int(math.Round(1e6 * (far(a, middle) - far(b, middle))))
	})
	return all[:n]
}

// apart checks that at no time two discs at the same height overlap.
func apart(t require.TestingT, table *sim.Table, r *sim.Result, name string) {
	times := []float64{r.Duration}
	for _, c := range r.Contacts {
		times = append(times, c.At)
	}
	for k := range 40 {
		times = append(times, r.Duration*float64(k)/40)
	}
	d, posts := 2*table.Spec().Disc.Radius, table.Spec().PostCentres()
	for _, when := range times {
		all := r.At(when)
		for i, a := range all {
			if a.Where == sim.InDitch {
				continue
			}
			for j, b := range all[:i] {
				if b.Where != sim.InDitch {
					if gap := math.Hypot(a.X-b.X, a.Y-b.Y) - d; gap < -1e-6 {
						require.Failf(t, "overlap", "%s: discs %d and %d by %.3g mm at %.6f s", name, j, i, -gap, when)
					}
				}
			}
			for k, p := range posts {
				if gap := math.Hypot(a.X-p.X, a.Y-p.Y) - d/2 - table.Spec().Posts.Diameter/2; gap < -1e-6 {
					require.Failf(t, "overlap", "%s: disc %d, post %d by %.3g mm at %.6f s", name, i, k, -gap, when)
				}
			}
		}
	}
}

// A break through twelve touching discs comes to an end, and always to the same.
func TestABreakThroughTwelveTouchingDiscs(t *testing.T) {
	table := club(t)
	for _, speed := range []float64{0.5, 700, 2000, 5000, sim.MaxSpeed} {
		for k := range 40 {
			r := rand.New(rand.NewPCG(uint64(k), 31))
			middle := at(40*(r.Float64()-0.5), -190+20*r.Float64())
			start := discs(packed(12, middle, r.Float64())...)
			shot := sim.Shot{Side: board.SideA, From: at(0, -304), Heading: math.Pi/2 + 0.3*(r.Float64()-0.5), Speed: speed}
			if far(shot.From, middle) < 90 {
				shot.From.Y = middle.Y - 90
			}
			name := fmt.Sprintf("break %d at %g mm/s", k, speed)
			first, err := table.Shoot(start, shot)
			require.NoError(t, err, name)
			again, err := table.Shoot(start, shot)
			require.NoError(t, err, name)
			require.Equal(t, first, again, name)
			apart(t, table, first, name)
			require.Less(t, first.Events(), 3000, name)
		}
	}
}

// A blow runs through a row of touching discs to the last one.
func TestABlowRunsThroughARow(t *testing.T) {
	table := tableOf(t, board.Tournament26(), func(p *sim.Params) { p.Disc.Bounce = sim.Bounce{Restitution: 1} })
	row := discs(at(-130, -230), at(-130+31.75, -230), at(-130+2*31.75, -230), at(-130+3*31.75, -230))
	r, err := table.Shoot(row, sim.Shot{Side: board.SideA, From: at(-180, -230), Speed: 500})
	require.NoError(t, err)
	require.Len(t, r.Contacts, 4)
	for i, c := range r.Contacts {
		require.InDelta(t, r.Contacts[0].At, c.At, 1e-12)
		require.Equal(t, sim.Body{Kind: sim.Disc, Index: i}, c.B)
	}
	for i := range 3 {
		require.InDelta(t, row.Board.Discs[i].X, r.Discs[i].X, 1e-3, "those in between stay")
	}
	require.Greater(t, r.Discs[3].X, 0.0)
}

// A disc that is pulled away from one it touches does not touch it.
func TestPartingIsNoContact(t *testing.T) {
	r, err := club(t).Shoot(discs(at(-31.75, -250)), sim.Shot{Side: board.SideA, From: at(0, -250), Speed: 300})
	require.NoError(t, err)
	require.Empty(t, r.Contacts)
}

// No disc passes through another or a post at any speed, however thin it is hit.
func TestNothingPassesThrough(t *testing.T) {
	table := club(t)
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "board")
		r := rand.New(rand.NewPCG(seed, 41))
		start, shot := randomBoard(r, table.Spec(), rapid.IntRange(0, 24).Draw(rt, "discs"))
		for range rapid.IntRange(0, 30).Draw(rt, "in the ditch") {
			a, d := 2*math.Pi*r.Float64(), 346.1+25*r.Float64()
			start.Ditch = append(start.Ditch, sim.Lying{Point: at(d*math.Cos(a), d*math.Sin(a)), Side: board.SideA})
		}
		shot.Speed = rapid.Float64Range(0, sim.MaxSpeed).Draw(rt, "speed")
		shot.Heading += rapid.Float64Range(-1.5, 1.5).Draw(rt, "aside")
		res, err := table.Shoot(start, shot)
		require.NoError(rt, err)
		apart(rt, table, res, "")
		for i, d := range res.Discs {
			if d.Where == sim.InDitch {
				require.LessOrEqual(rt, math.Hypot(d.X, d.Y), table.Spec().Surface+table.Spec().Ditch-table.Spec().Disc.Radius+1e-6, "disc %d is behind the rail", i)
				require.GreaterOrEqual(rt, math.Hypot(d.X, d.Y), table.Spec().Surface-1e-6, "disc %d is under the surface", i)
			}
		}
	})
}
