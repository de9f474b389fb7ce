// Package bench measures what watching a board costs.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"crokcam/sim/render/show"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// stage is a board in the middle of a round: frames before a shot and frames
// after it, in all of which it lies still.
type stage struct {
	frames [2][2]*capture.Frame // before, after; two of each, whose noise differs
	watch  *shots.Watcher
	at     time.Duration
	n      int
	lies   int // which of the two the watcher knows of
}

const period = time.Second / 30

// How many discs lie on a busy board, and how many of them a shot has to move.
const (
	lying = 5
	moved = 2
)

// busy tells whether a shot gives the eye something to do.
func busy(t *show.ShotTruth) bool {
	was := map[int][2]float64{}
	for _, d := range t.Start.Discs {
		if d.Location == "surface" {
			was[d.ID] = d.XY
		}
	}
	n := 0
	for _, d := range t.End.Discs {
		if at, there := was[d.ID]; there && math.Hypot(d.XY[0]-at[0], d.XY[1]-at[1]) > 10 {
			n++
		}
	}
	return len(was) >= lying && n >= moved
}

// setStage draws the frames and has a Watcher look at the first ones until it
// is ready for a shot.
func setStage(ctx context.Context, width, height int) (*stage, error) {
	c := show.Default()
	c.Seed, c.Width, c.Height, c.FPS, c.Hasty, c.View, c.Light = 5, width, height, 30, true, "overhead", "panels"
	s, err := show.New(ctx, c)
	if err != nil {
		return nil, err
	}
	o := &stage{}
	for {
		f, err := s.Next(ctx)
		if err != nil {
			return nil, err
		}
		if len(f.Shots) == 0 {
			continue
		}
		t := f.Shots[len(f.Shots)-1]
		if !busy(t) {
			s.Skip(uint64(max(0, (t.Timeline.Settled-f.At.Seconds())*c.FPS-1)))
			continue
		}
		// The hand comes a little after the act begins.
		if o.frames[0], err = two(ctx, s, f); err != nil {
			return nil, err
		}
		s.Skip(uint64((max(t.Timeline.AtRest, t.Timeline.HandGone)-f.At.Seconds())*c.FPS) + 1)
		break
	}
	f, err := s.Next(ctx)
	if err != nil {
		return nil, err
	}
	if o.frames[1], err = two(ctx, s, f); err != nil {
		return nil, err
	}
	o.watch = shots.New(shots.Options{})
	return o, o.until(func() bool { state, _ := o.watch.State(); return state == shots.Idle })
}

// two makes frames of one picture and the next.
func two(ctx context.Context, s *show.Show, first *show.Frame) (out [2]*capture.Frame, err error) {
	next, err := s.Next(ctx)
	if err != nil {
		return out, err
	}
	for k, p := range [...]*show.Frame{first, next} {
		f := &capture.Frame{Session: 1, Health: capture.Health{High: 1}}
		if err := f.Put(p.I420, p.W, p.H, capture.I420); err != nil {
			return out, err
		}
		out[k] = f
	}
	return out, nil
}

// show shows the watcher one more frame of the board as it lies.
func (o *stage) show() error {
	f := o.frames[o.lies][o.n%2]
	f.At = o.at
	o.at += period
	o.n++
	_, err := o.watch.Frame(f)
	return err
}

var errNeverSo = errors.New("the board that is measured does not behave")

// until shows frames until something is so.
func (o *stage) until(so func() bool) error {
	for range 300 {
		if err := o.show(); err != nil {
			return err
		}
		if so() {
			return nil
		}
	}
	state, _ := o.watch.State()
	return fmt.Errorf("bench: %w: it is %s", errNeverSo, state)
}

// ready says that nothing is going on.
func (o *stage) ready() bool {
	state, _ := o.watch.State()
	return state == shots.Idle || state == shots.Settled || state == shots.RoundOver
}

// recorded draws the frames of a few shots, hands and all.
func recorded(ctx context.Context, width, height, n int) (out []*capture.Frame, err error) {
	c := show.Default()
	c.Seed, c.Width, c.Height, c.FPS, c.Hasty, c.View, c.Light = 5, width, height, 30, true, "overhead", "panels"
	s, err := show.New(ctx, c)
	if err != nil {
		return nil, err
	}
	for len(out) < n {
		p, err := s.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		f := &capture.Frame{Session: 1, Health: capture.Health{High: 1}}
		if err := f.Put(p.I420, p.W, p.H, capture.I420); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}
