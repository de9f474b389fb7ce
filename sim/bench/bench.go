// Package bench measures what a simulated shot costs.
package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"crokcam/board"
	"crokcam/internal/bench"
	"crokcam/sim"
)

const (
	discs  = 12     // on the board before the shot
	boards = 1000   // different ones
	batch  = 20_000 // shots that make a round
)

// Board is a board with n discs of two sides, none touching another, and a shot
// from the south player's quadrant towards the middle, give or take 17°, at 0.7
// to 3 m/s.
func Board(r *rand.Rand, s board.Spec, n int) (sim.Setup, sim.Shot) {
	var start sim.Setup
	far := func(a, b board.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
	free := func(p board.Point) bool {
		for _, d := range start.Board.Discs {
			if far(p, d.Point) < 2*s.Disc.Radius+0.01 {
				return false
			}
		}
		for _, q := range s.PostCentres() {
			if far(p, q) < s.Disc.Radius+s.Posts.Diameter/2+0.01 {
				return false
			}
		}
		return true
	}
	place := func(low, high, from, to float64) board.Point {
		for {
			a, d := from+(to-from)*r.Float64(), math.Sqrt(low*low+(high*high-low*low)*r.Float64())
			if p := (board.Point{X: d * math.Cos(a), Y: d * math.Sin(a)}); free(p) {
				return p
			}
		}
	}
	for i := range n {
		p := place(20, s.Start.Inner()-s.Disc.Radius, 0, 2*math.Pi)
		start.Board.Discs = append(start.Board.Discs, board.Disc{Point: p, Side: board.SideA + board.Side(i%2)})
	}
	line := s.Start.Outer - s.Start.Width/2
	from := place(line, line, -3*math.Pi/4, -math.Pi/4)
	return start, sim.Shot{
		Side: board.SideA, From: from,
		Heading: math.Atan2(-from.Y, -from.X) + 0.6*(r.Float64()-0.5),
		Speed:   700 + 2300*r.Float64(),
		Spin:    20 * r.NormFloat64(),
	}
}

// Shots measures shots at twelve discs against their floor, the same shots on
// boards without any.
func Shots(ctx context.Context, table *sim.Table, rounds int) (bench.Result, error) {
	var starts []sim.Setup
	var shots []sim.Shot
	for k := range boards {
		start, shot := Board(rand.New(rand.NewPCG(uint64(k), 1)), table.Spec(), discs)
		starts, shots = append(starts, start), append(shots, shot)
	}
	contacts := 0
	play := func(start func(int) sim.Setup) error {
		for i := range batch {
			r, err := table.Shoot(start(i%boards), shots[i%boards])
			if err != nil {
				return err
			}
			contacts += len(r.Contacts)
		}
		return nil
	}
	r, err := bench.Compare(ctx, bench.Result{
		Name: "physics/shots", Floor: "the same on empty boards", Input: fmt.Sprintf("%d shots, %d discs", batch, discs),
	}, rounds,
		func() error { return play(func(i int) sim.Setup { return starts[i] }) },
		func() error { return play(func(int) sim.Setup { return sim.Setup{} }) })
	switch {
	case err != nil:
		return bench.Result{}, fmt.Errorf("physics: %w", err)
	case contacts == 0:
		return bench.Result{}, errors.New("physics: nothing was hit")
	case r.CPU > 0:
		r.PerSecond = 1000 * batch / r.CPU
	}
	return r, nil
}
