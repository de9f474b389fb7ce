package bench

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"crokcam/internal/bench"
	"crokcam/internal/raster"
	"crokcam/internal/usage"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// The size of the pictures that single frames are measured on.
const width, height = 1920, 1080

// Frames measures a frame in which nothing happens, and one on which the board
// is looked at after a shot. Decoding is left out.
func Frames(ctx context.Context, rounds int) ([]bench.Result, error) {
	o, err := setStage(ctx, width, height)
	if err != nil {
		return nil, err
	}
	q, err := quiet(ctx, o, rounds)
	if err != nil {
		return nil, err
	}
	f, err := full(ctx, o, rounds)
	return []bench.Result{q, f}, err
}

// quiet is beside reading a frame's luma once.
func quiet(ctx context.Context, o *stage, rounds int) (bench.Result, error) {
	const frames = 60
	r := bench.Result{Name: "frame/quiet", Floor: "read luma", Input: fmt.Sprintf("%d x %d", width, height)}
	job := func() error {
		for range frames {
			if err := o.show(); err != nil {
				return err
			}
		}
		if !o.ready() {
			return errNeverSo
		}
		return nil
	}
	floor := func() error {
		for k := range frames {
			if luma(o.frames[0][k%2]) == 0 {
				return errNeverSo
			}
		}
		return nil
	}
	r, err := bench.Compare(ctx, r, rounds, job, floor)
	return r.Each(frames), err
}

// full is beside making a colour picture of a frame.
func full(ctx context.Context, o *stage, rounds int) (bench.Result, error) {
	// How many frames it takes until the board is looked at is the same each time.
	var frames [2]int
	change := func() error {
		if err := o.until(o.ready); err != nil {
			return err
		}
		o.lies = 1 - o.lies
		return nil
	}
	for range 2 {
		if err := change(); err != nil {
			return bench.Result{}, err
		}
		looks, n := o.watch.Looks(), o.n
		if err := o.until(func() bool { return o.watch.Looks() > looks }); err != nil {
			return bench.Result{}, err
		}
		frames[o.lies] = o.n - n
	}
	r := bench.Result{
		Name: "frame/full", Floor: "make a colour picture",
		Input: fmt.Sprintf("%d x %d, %d discs before, a shot between", width, height, len(o.watch.Discs())),
	}
	prepare := func() error {
		if err := change(); err != nil {
			return err
		}
		for range frames[o.lies] - 1 {
			if err := o.show(); err != nil {
				return err
			}
		}
		return nil
	}
	job := func() error {
		before := o.watch.Looks()
		if err := o.show(); err != nil {
			return err
		}
		if o.watch.Looks() == before {
			return errNeverSo
		}
		return nil
	}
	var p *raster.Picture
	floor := func() (err error) {
		f := o.frames[0][0]
		p, err = raster.FromI420(f.Y, f.U, f.V, f.Width, f.Height, raster.YUV{}, p)
		return err
	}
	return bench.Prepared(ctx, r, rounds, prepare, job, floor)
}

func luma(f *capture.Frame) (sum int) {
	for _, v := range f.Y {
		sum += int(v)
	}
	return sum
}

// Streams watches several streams of 1280 x 720 at 30 frames a second for a
// while, as a live source would feed them: whoever is late misses frames. Wall is
// how old the oldest frame was when it had been dealt with, ms; CPU is that of
// one frame.
func Streams(ctx context.Context, streams int, long time.Duration) (bench.Result, error) {
	const w, h = 1280, 720
	frames, err := recorded(ctx, w, h, 150)
	if err != nil {
		return bench.Result{}, err
	}
	watchers := make([]*shots.Watcher, streams)
	for k := range watchers { // finding the boards does not count
		o := &stage{watch: shots.New(shots.Options{}), frames: [2][2]*capture.Frame{{frames[0], frames[1]}}}
		if err := o.until(o.ready); err != nil {
			return bench.Result{}, err
		}
		watchers[k] = o.watch
	}
	ages, missed := make([][]float64, streams), make([]int, streams)
	errs := make([]error, streams)
	usage.ResetPeak()
	before := usage.CPU()
	var all sync.WaitGroup
	for k, w := range watchers {
		all.Go(func() { ages[k], missed[k], errs[k] = stream(ctx, w, frames, k*len(frames)/streams, long) })
	}
	all.Wait()
	cpu := ms(usage.CPU() - before)
	for _, err := range errs {
		if err != nil {
			return bench.Result{}, err
		}
	}
	sorted := slices.Sorted(slices.Values(slices.Concat(ages...)))
	n := len(sorted)
	if n == 0 {
		return bench.Result{}, fmt.Errorf("bench: %w: no frame was dealt with", errNeverSo)
	}
	r := bench.Result{Name: "frame/streams", Unit: "ms", Floor: "read luma", Rounds: n, Wall: sorted[n-1], CPU: cpu / float64(n)}
	start, used := time.Now(), usage.CPU()
	for k := range 60 {
		if luma(frames[k%len(frames)]) == 0 {
			return bench.Result{}, errNeverSo
		}
	}
	r.FloorWall, r.FloorCPU = ms(time.Since(start))/60, ms(usage.CPU()-used)/60
	if r.FloorCPU > 0 {
		r.Ratio = r.CPU / r.FloorCPU
	}
	r.PeakRSSMB = float64(usage.PeakRSS()) / (1 << 20)
	late := 0
	for _, m := range missed {
		late += m
	}
	r.Input = fmt.Sprintf("%d streams of %d x %d at 30 a second, %v: oldest frame %.0f ms, 99 %% within %.0f ms, median %.0f ms, %d passed over",
		streams, w, h, long, sorted[n-1], sorted[n*99/100], sorted[n/2], late)
	return r, nil
}

// stream watches frames, beginning with one of them and in turns, each when it
// is due.
func stream(ctx context.Context, w *shots.Watcher, frames []*capture.Frame, first int, long time.Duration) (ages []float64, missed int, err error) {
	const begin = time.Minute // stream time: after all that the watcher has seen
	start := time.Now()
	for k := 0; ; {
		due := time.Duration(k) * period
		if due > long {
			return ages, missed, nil
		}
		if wait := due - time.Since(start); wait > 0 {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return ages, missed, ctx.Err()
			}
		}
		f := *frames[(first+k)%len(frames)] // the planes are shared, which only are read
		f.At, f.Seq = begin+due, uint64(k)
		if _, err := w.Frame(&f); err != nil {
			return ages, missed, err
		}
		now := time.Since(start)
		ages = append(ages, ms(now-due))
		next := max(k+1, int(now/period))
		missed += next - k - 1
		k = next
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
