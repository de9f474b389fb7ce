//go:build unix

package rules_test

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"crokcam/board"
	"crokcam/rules"
	"crokcam/rules/bench"
)

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
	// On one core: the garbage collector would use idle ones up, and their time
	// counts.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
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
	before, after, shot := bench.Shot(24)
	benchmarkJudge(b, before, after, shot, rules.Ruleset{})
}

// Discs that were followed through the shot.
func BenchmarkJudge24DiscsTracked(b *testing.B) {
	before, after, shot := bench.Shot(24)
	v, err := rules.Judge(before, after, shot, rules.Ruleset{})
	if err != nil {
		b.Fatal(err)
	}
	shot.Track = &rules.Track{Discs: make([]int, len(before.Discs))}
	for i := range before.Discs {
		shot.Track.Discs[i] = int(v.Outcomes[i].After)
	}
	shot.Track.Shot = int(v.Outcomes[len(before.Discs)].After)
	benchmarkJudge(b, before, after, shot, rules.Ruleset{})
}

// From snapshots alone, with all the questions that raises.
func BenchmarkJudge24DiscsSnapshotsOnly(b *testing.B) {
	before, after, shot := bench.Shot(24)
	shot.Evidence = rules.Evidence{}
	benchmarkJudge(b, before, after, shot, rules.Ruleset{})
}
