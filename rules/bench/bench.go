// Package bench measures what a verdict costs.
package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"crokcam/board"
	"crokcam/internal/bench"
	"crokcam/rules"
)

// batch is how many verdicts make a round.
const batch = 20_000

// Shot is a shot at a full board: n discs of two sides that lie clear of each
// other, one of them shot by side A and seen to hit one of B's. The snapshots
// differ by the scatter of a camera, and list the discs in different orders.
func Shot(n int) (before, after board.Snapshot, shot rules.Shot) {
	r := rand.New(rand.NewPCG(1, 2))
	place := func(discs []board.Disc) board.Point {
	again:
		for {
			a, d := 2*math.Pi*r.Float64(), 30+240*math.Sqrt(r.Float64())
			p := board.Point{X: d * math.Cos(a), Y: d * math.Sin(a)}
			for _, e := range discs {
				if math.Hypot(p.X-e.X, p.Y-e.Y) < 33 {
					continue again
				}
			}
			return p
		}
	}
	for i := range n - 1 {
		before.Discs = append(before.Discs, board.Disc{
			Point: place(before.Discs), Side: board.SideA + board.Side(i%2), Sigma: 0.3, Confidence: 0.99,
		})
	}
	after.Discs = append(after.Discs, before.Discs...)
	struck := 1
	after.Discs[struck].Point = place(after.Discs)
	after.Discs = append(after.Discs, board.Disc{Point: place(after.Discs), Side: board.SideA, Sigma: 0.3, Confidence: 0.99})
	for i := range after.Discs {
		after.Discs[i].X += 0.2 * r.NormFloat64()
		after.Discs[i].Y += 0.2 * r.NormFloat64()
	}
	r.Shuffle(n, func(i, j int) { after.Discs[i], after.Discs[j] = after.Discs[j], after.Discs[i] })
	return before, after, rules.Shot{Side: board.SideA, Number: 5, Evidence: rules.Evidence{
		Watched:  rules.WatchedContacts | rules.WatchedExits,
		Contacts: []rules.Contact{{Striker: rules.ShotDisc, Struck: rules.Disc(struck), At: 0.4, Confidence: 0.97}},
	}}
}

// Judge measures verdicts on a board of 24 discs against their floor, counting
// that board's points as often, on one core.
func Judge(ctx context.Context, rs rules.Ruleset, rounds int) (bench.Result, error) {
	const discs = 24
	before, after, shot := Shot(discs)
	total := 0
	// The garbage collector would use idle cores up, and their time counts.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	r, err := bench.Compare(ctx, bench.Result{
		Name: "judge/verdicts", Floor: "count the board", Input: fmt.Sprintf("%d verdicts, %d discs", batch, discs),
	}, rounds, func() error {
		for range batch {
			if _, err := rules.Judge(before, after, shot, rs); err != nil {
				return err
			}
		}
		return nil
	}, func() error {
		for range batch {
			total += rs.Count(after, rules.Points{})[board.SideA]
		}
		return nil
	})
	switch {
	case err != nil:
		return bench.Result{}, fmt.Errorf("judge: %w", err)
	case total == 0:
		return bench.Result{}, errors.New("judge: nothing was counted")
	case r.CPU > 0:
		r.PerSecond = 1000 * batch / r.CPU
	}
	return r, nil
}
