// Package bench measures what a job costs against the least that it could cost.
package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"crokcam/internal/usage"
)

// Schema names the contract that Report keeps.
const Schema = "crokcam.bench/1"

// Report is what was measured.
type Report struct {
	Schema  string   `json:"schema"`
	Results []Result `json:"results"`
}

// Result is one job's cost beside its floor's. The times are medians.
type Result struct {
	Name      string  `json:"name"`
	Unit      string  `json:"unit"` // of the times
	Wall      float64 `json:"wall"`
	CPU       float64 `json:"cpu"` // of all threads
	Floor     string  `json:"floor"`
	FloorWall float64 `json:"floor_wall"`
	FloorCPU  float64 `json:"floor_cpu"`
	Ratio     float64 `json:"ratio"` // of the processor times
	PeakRSSMB float64 `json:"peak_rss_mb"`
	Rounds    int     `json:"rounds"`
	Input     string  `json:"input"`
	PerSecond float64 `json:"per_second,omitempty"` // of processor time, where a round is many of a kind
}

// Compare runs a job and its floor in turns for a number of rounds, so that
// whatever else the machine does falls on both, and fills the figures in. r says
// what they are.
func Compare(ctx context.Context, r Result, rounds int, job, floor func() error) (Result, error) {
	return compare(ctx, r, rounds, usage.CPU, nothing, job, floor)
}

// CompareOwn is Compare for jobs that have other programs take part whose cost is
// not theirs.
func CompareOwn(ctx context.Context, r Result, rounds int, job, floor func() error) (Result, error) {
	return compare(ctx, r, rounds, usage.Own, nothing, job, floor)
}

// Prepared is Compare for a job that has to be made ready each time, which does
// not count.
func Prepared(ctx context.Context, r Result, rounds int, prepare, job, floor func() error) (Result, error) {
	return compare(ctx, r, rounds, usage.CPU, prepare, job, floor)
}

func nothing() error { return nil }

func compare(ctx context.Context, r Result, rounds int, used func() time.Duration, prepare, job, floor func() error) (Result, error) {
	if rounds < 1 {
		return Result{}, fmt.Errorf("bench: %s: %d rounds measure nothing", r.Name, rounds)
	}
	var walls, cpus, floorWalls, floorCPUs []float64
	usage.ResetPeak()
	for range rounds {
		if err := ctx.Err(); err != nil {
			return Result{}, fmt.Errorf("bench: %s: %w", r.Name, err)
		}
		wall, cpu, err := timed(used, floor)
		if err != nil {
			return Result{}, fmt.Errorf("bench: %s: %w", r.Floor, err)
		}
		floorWalls, floorCPUs = append(floorWalls, wall), append(floorCPUs, cpu)
		if err := prepare(); err != nil {
			return Result{}, fmt.Errorf("bench: %s: %w", r.Name, err)
		}
		if wall, cpu, err = timed(used, job); err != nil {
			return Result{}, fmt.Errorf("bench: %s: %w", r.Name, err)
		}
		walls, cpus = append(walls, wall), append(cpus, cpu)
	}
	r.Unit, r.Rounds = "ms", rounds
	r.Wall, r.CPU = median(walls), median(cpus)
	r.FloorWall, r.FloorCPU = median(floorWalls), median(floorCPUs)
	if r.FloorCPU > 0 {
		r.Ratio = r.CPU / r.FloorCPU
	}
	r.PeakRSSMB = float64(usage.PeakRSS()) / (1 << 20)
	return r, nil
}

// Each is the result of one of the n things that a round is made of.
func (r Result) Each(n int) Result {
	for _, v := range [...]*float64{&r.Wall, &r.CPU, &r.FloorWall, &r.FloorCPU} {
		*v /= float64(n)
	}
	return r
}

// timed runs f and gives its time on the clock and on the processors, ms.
func timed(used func() time.Duration, f func() error) (wall, cpu float64, err error) {
	start, before := time.Now(), used()
	err = f()
	return ms(time.Since(start)), ms(used() - before), err
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// short is a time in ms, with a digit more where it is small.
func short(ms float64) string {
	if ms < 100 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// WriteTable prints a report for people.
func WriteTable(w io.Writer, r Report) error {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "job\twall ms\tcpu ms\tfloor\twall ms\tcpu ms\tratio\tper cpu-s\tpeak MB\trounds\tinput\t")
	for _, x := range r.Results {
		rate := x.PerSecond
		if rate == 0 && x.CPU > 0 {
			rate = 1000 / x.CPU
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t%.3g\t%.0f\t%d\t%s\t\n",
			x.Name, short(x.Wall), short(x.CPU), x.Floor, short(x.FloorWall), short(x.FloorCPU), x.Ratio, rate, x.PeakRSSMB, x.Rounds, x.Input)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("bench: print: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("bench: print: %w", err)
	}
	return nil
}
