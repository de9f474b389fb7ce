package sim_test

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
	"crokcam/sim"
)

// What is sampled from a trajectory is where the discs were put before the shot,
// where they lie in the end, and moves without jumps in between.
func TestTrajectoriesHaveNoJumps(t *testing.T) {
	table := club(t)
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "board"), 51))
		start, shot := randomBoard(r, table.Spec(), r.IntN(13))
		start.Ditch = []sim.Lying{{Point: at(360, 10), Side: board.SideB, Angle: 1}}
		for range start.Board.Discs {
			start.Angles = append(start.Angles, r.Float64())
		}
		res, err := table.Shoot(start, shot)
		require.NoError(rt, err)

		first := res.At(0)
		for i, d := range start.Board.Discs {
			require.Equal(rt, sim.Placed{X: d.X, Y: d.Y, Angle: start.Angles[i], Side: d.Side}, first[i])
		}
		require.Equal(rt, shot.From, at(first[res.Shot].X, first[res.Shot].Y))
		require.Equal(rt, 1.0, first[res.Shot+1].Angle)
		require.Equal(rt, first, res.At(-1))
		require.Equal(rt, res.Discs, res.At(res.Duration))
		require.Equal(rt, res.Discs, res.At(res.Duration+100))
		for i, d := range res.Discs {
			require.False(rt, d.Moving, "disc %d", i)
		}

		const dt = 1e-3
		before := first
		for when := dt; when < res.Duration+dt; when += dt {
			now := res.At(when)
			for i := range now {
				step := math.Hypot(now[i].X-before[i].X, now[i].Y-before[i].Y)
				if step > shot.Speed*dt*(1+1e-9)+1 || math.Abs(now[i].Angle-before[i].Angle) > 1 {
					require.Failf(rt, "jump", "disc %d moves %.3f mm, turns %.2f rad at %.4f s", i, step, now[i].Angle-before[i].Angle, when)
				}
			}
			before = now
		}
		for i := 1; i < len(res.Contacts); i++ {
			require.GreaterOrEqual(rt, res.Contacts[i].At, res.Contacts[i-1].At)
		}
		for _, c := range res.Contacts {
			p := res.At(c.At)[c.A.Index]
			require.InDelta(rt, table.Spec().Disc.Radius, math.Hypot(p.X-c.Point.X, p.Y-c.Point.Y), 1e-6)
			require.GreaterOrEqual(rt, c.Impulse, 0.0)
		}
		for i, k := range res.Place {
			if k >= 0 {
				require.Equal(rt, at(res.Discs[i].X, res.Discs[i].Y), res.Final.Discs[k].Point)
				require.Equal(rt, res.Discs[i].Side, res.Final.Discs[k].Side)
			}
		}
	})
}

// Nothing that is handed over is changed or kept.
func TestASetupIsNotKept(t *testing.T) {
	table := club(t)
	start := discs(at(0, -150))
	shot := sim.Shot{Side: board.SideA, From: at(0, -304), Heading: math.Pi / 2, Speed: 1000}
	r, err := table.Shoot(start, shot)
	require.NoError(t, err)
	require.Equal(t, discs(at(0, -150)), start)
	want := r.At(0.1)
	start.Board.Discs[0].X = 50
	_, err = table.Shoot(start, shot)
	require.NoError(t, err)
	require.Equal(t, want, r.At(0.1))
}

func TestImpossibleSetupsSayWhatIsWrong(t *testing.T) {
	table := club(t)
	good := sim.Shot{Side: board.SideA, From: at(0, -304), Heading: math.Pi / 2, Speed: 1000}
	many := sim.Setup{}
	for len(many.Board.Discs) < sim.MaxDiscs {
		many.Board.Discs = append(many.Board.Discs, board.Disc{})
	}
	edit := func(f func(*sim.Shot)) sim.Shot {
		s := good
		f(&s)
		return s
	}
	for name, c := range map[string]struct {
		start sim.Setup
		shot  sim.Shot
		says  string
	}{
		"too many":        {many, good, "more than can be simulated"},
		"on one another":  {discs(at(0, 0), at(10, 0)), good, "disc 1 overlaps disc 0 by 21.8 mm"},
		"on a post":       {discs(table.Spec().PostCentres()[3]), good, "overlaps post 3"},
		"off the surface": {discs(at(331, 0)), good, "off the surface"},
		"not a number":    {discs(at(math.NaN(), 0)), good, "not a number"},
		"on the shot":     {discs(at(0, -300)), good, "disc 1 overlaps disc 0"},
		"standing":        {sim.Setup{Board: board.Snapshot{Discs: []board.Disc{{Rest: board.Standing}}}}, good, "stands on its rim"},
		"angles":          {sim.Setup{Angles: []float64{1}}, good, "1 angles for 0 discs"},
		"ditch":           {sim.Setup{Ditch: []sim.Lying{{Point: at(0, 0)}}}, good, "not in the ditch"},
		"too fast":        {sim.Setup{}, edit(func(s *sim.Shot) { s.Speed = 1e6 }), "mm/s"},
		"backwards":       {sim.Setup{}, edit(func(s *sim.Shot) { s.Speed = -1 }), "mm/s"},
		"nowhere":         {sim.Setup{}, edit(func(s *sim.Shot) { s.Heading = math.Inf(1) }), "heading"},
		"whirling":        {sim.Setup{}, edit(func(s *sim.Shot) { s.Spin = math.NaN() }), "spin"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := table.Shoot(c.start, c.shot)
			require.ErrorIs(t, err, sim.ErrSetup)
			require.ErrorContains(t, err, c.says)
		})
	}
	// Places that were measured overlap a little: that is touching.
	_, err := table.Shoot(discs(at(0, 0), at(31, 0)), good)
	require.NoError(t, err)
}

func TestImpossibleTablesSayWhatIsWrong(t *testing.T) {
	p := club(t).Params()
	for says, edit := range map[string]func(*board.Spec){
		"the ditch is 20 mm wide":      func(s *board.Spec) { s.Ditch = 20 },
		"the hole's depth is 0 mm":     func(s *board.Spec) { s.Hole.Depth = 0 },
		"the ditch is 16 mm deep":      func(s *board.Spec) { s.Disc.Thickness = 17 },
		"board: impossible measures":   func(s *board.Spec) { s.Surface = 100 },
		"less than half a disc's radi": func(s *board.Spec) { s.Hole.Radius, s.Disc.Radius, s.Fifteen.Outer, s.Ditch = 40, 38, 110, 90 },
	} {
		s := board.Tournament26()
		edit(&s)
		_, err := sim.NewTable(s, p)
		require.ErrorContains(t, err, says)
	}
}

// A table serves several goroutines at once, and each result is its own.
func TestATableServesSeveralAtOnce(t *testing.T) {
	table := club(t)
	var starts []sim.Setup
	var shots []sim.Shot
	var want []*sim.Result
	for k := range 40 {
		start, shot := randomBoard(rand.New(rand.NewPCG(uint64(k), 55)), table.Spec(), 8)
		r, err := table.Shoot(start, shot)
		require.NoError(t, err)
		starts, shots, want = append(starts, start), append(shots, shot), append(want, r)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range shots {
				if r, err := table.Shoot(starts[i], shots[i]); assert.NoError(t, err) {
					assert.Equal(t, want[i], r)
				}
			}
		})
	}
	all.Wait()
}
