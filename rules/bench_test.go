//go:build unix

package rules_test

import (
	"math"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"crokcam/board"
	"crokcam/rules"
)

// fullBoard is a board with n discs of two sides, no two overlapping, and a shot
// of side A that hits one of B.
func fullBoard(n int) (before, after board.Snapshot, shot rules.Shot) {
	r := rand.New(rand.NewPCG(1, 2))
	place := func(discs []board.Disc) board.Point {
	next:
		for {
			a, d := 2*math.Pi*r.Float64(), 30+240*math.Sqrt(r.Float64())
			p := board.Point{X: d * math.Cos(a), Y: d * math.Sin(a)}
			for _, e := range discs {
				if math.Hypot(p.X-e.X, p.Y-e.Y) < 33 {
					continue next
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
	return before, after, rules.Shot{Side: board.SideA, Number: 5, Evidence: rules.Evidence{
		Watched:  rules.WatchedContacts | rules.WatchedExits,
		Contacts: []rules.Contact{{Striker: rules.ShotDisc, Struck: rules.Disc(struck), At: 0.4, Confidence: 0.97}},
	}}
}

// cpuTime is the processor time that this process has used.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func benchmarkJudge(b *testing.B, before, after board.Snapshot, shot rules.Shot, rs rules.Ruleset) {
	b.Helper()
	if _, err := rules.Judge(before, after, shot, rs); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	start := cpuTime()
	for b.Loop() {
		if _, err := rules.Judge(before, after, shot, rs); err != nil {
			b.Fatal(err)
		}
	}
	// By the processor's time: a core that others also use is still one core.
	b.ReportMetric(float64(b.N)/(cpuTime()-start).Seconds(), "verdicts/cpu-s")
}

// The common path: a watched shot, discs matched by place.
func BenchmarkJudge24Discs(b *testing.B) {
	before, after, shot := fullBoard(24)
	benchmarkJudge(b, before, after, shot, rules.Ruleset{})
}

// The same with the discs after in another order.
func BenchmarkJudge24DiscsShuffled(b *testing.B) {
	before, after, shot := fullBoard(24)
	r := rand.New(rand.NewPCG(3, 4))
	r.Shuffle(len(after.Discs), func(i, j int) { after.Discs[i], after.Discs[j] = after.Discs[j], after.Discs[i] })
	benchmarkJudge(b, before, after, shot, rules.Ruleset{})
}

// Discs that were followed through the shot.
func BenchmarkJudge24DiscsTracked(b *testing.B) {
	before, after, shot := fullBoard(24)
	shot.Track = &rules.Track{Discs: make([]int, len(before.Discs)), Shot: len(before.Discs)}
	for i := range shot.Track.Discs {
		shot.Track.Discs[i] = i
	}
	benchmarkJudge(b, before, after, shot, rules.Ruleset{})
}

// From snapshots alone, with all the questions that raises.
func BenchmarkJudge24DiscsSnapshotsOnly(b *testing.B) {
	before, after, shot := fullBoard(24)
	shot.Evidence = rules.Evidence{}
	benchmarkJudge(b, before, after, shot, rules.Ruleset{})
}
