//go:build chipmunk

package sim_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"crokcam/board"
	"crokcam/sim"
	"crokcam/sim/internal/chipmunk"
)

// quietCases are shots at twelve discs in which nothing leaves the surface or
// drops, which the stepping engine knows nothing of, with the places that the
// tiny-step reference gives.
func quietCases(table *sim.Table, n int) (starts []sim.Setup, shots []sim.Shot, ends [][]board.Point) {
	for k := uint64(0); len(shots) < n; k++ {
		r := rand.New(rand.NewPCG(k, 61))
		start, shot := randomBoard(r, table.Spec(), 12)
		shot.Speed = 700 + 900*r.Float64()
		shot.Spin = 0
		res, err := table.Shoot(start, shot)
		if err != nil || len(res.Exits) > 0 || len(res.Twenties) > 0 || len(res.Contacts) < 3 {
			continue
		}
		if slices.ContainsFunc(res.Contacts, func(c sim.Contact) bool { return c.B.Kind == sim.Lip }) ||
			slices.ContainsFunc(res.Discs, func(p sim.Placed) bool { return p.Where != sim.OnSurface }) {
			continue
		}
		var end []board.Point
		for _, d := range newStepper(table.Spec(), table.Params(), 20e-6, start, shot).run() {
			end = append(end, at(d.x, d.y))
		}
		starts, shots, ends = append(starts, start), append(shots, shot), append(ends, end)
	}
	return starts, shots, ends
}

// worst is the largest distance between two lists of places, mm.
func worst(a, b []board.Point) float64 {
	w := 0.0
	for i := range a {
		w = max(w, far(a[i], b[i]))
	}
	return w
}

func middle(v []float64) float64 { return slices.Sorted(slices.Values(v))[len(v)/2] }

// BenchmarkChipmunk plays the same shots here and with the stepping engine at
// finer and finer steps, and prints the time of a shot beside the median over
// the shots of the largest error of a disc's place, both against the tiny-step
// reference. Run it with
//
//	go test -tags chipmunk -bench Chipmunk -benchtime 1x -run - ./sim
func BenchmarkChipmunk(b *testing.B) {
	table := club(b)
	starts, shots, ends := quietCases(table, 60)
	for b.Loop() {
		const rounds = 200
		var errs []float64
		began := time.Now()
		for range rounds {
			for i := range shots {
				if _, err := table.Shoot(starts[i], shots[i]); err != nil {
					b.Fatal(err)
				}
			}
		}
		ours := time.Since(began).Seconds() / float64(rounds*len(shots))
		for i := range shots {
			res, err := table.Shoot(starts[i], shots[i])
			if err != nil {
				b.Fatal(err)
			}
			var places []board.Point
			for _, d := range res.Discs {
				places = append(places, at(d.X, d.Y))
			}
			errs = append(errs, worst(places, ends[i]))
		}
		b.Logf("from event to event: %8.1f µs a shot, median error %.2g mm", 1e6*ours, middle(errs))
		b.ReportMetric(1e6*ours, "µs/shot")

		best := math.Inf(1)
		for _, hertz := range []float64{240, 1000, 4000, 16_000} {
			errs = errs[:0]
			began := time.Now()
			for i := range shots {
				errs = append(errs, worst(chipmunk.Play(table, starts[i], shots[i], 1/hertz), ends[i]))
			}
			theirs := time.Since(began).Seconds() / float64(len(shots))
			b.Logf("Chipmunk at %5.0f Hz: %10.1f µs a shot, median error %.2g mm, %.0f times the time", hertz, 1e6*theirs, middle(errs), theirs/ours)
			if e := middle(errs); e < best {
				best = e
				b.ReportMetric(theirs/ours, "x-chipmunk-at-its-best")
				b.ReportMetric(e, "mm-chipmunk-at-its-best")
			}
		}
	}
}
