// Package simcam is a simulated match as a source of frames: what follows "sim:"
// in a source's name.
package simcam

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"crokcam/sim/render/show"
	"crokcam/vision/capture"
)

// Scheme is what the names of these sources begin with.
const Scheme = "sim"

// Plugins are the sources that a command takes beside those of package capture.
func Plugins() map[string]capture.Plugin { return map[string]capture.Plugin{Scheme: Open} }

// Open opens a simulated match that goes on for ever, as a camera would: see
// show.Parse for what follows "sim:". A further key, speed, has it run faster or
// slower than time does; with speed=max every frame comes, as soon as it is
// wanted. Otherwise frames come also while the players think. A size and a rate
// that are not given are those asked of a camera.
func Open(ctx context.Context, rest string, asked capture.Mode) (capture.Opened, error) {
	rest, speed, err := speedOf(rest, asked)
	if err != nil {
		return capture.Opened{}, err
	}
	c, err := show.Parse(rest)
	if err != nil {
		return capture.Opened{}, refused(err)
	}
	s, err := show.New(ctx, c)
	if err != nil {
		return capture.Opened{}, refused(err)
	}
	if speed > 0 {
		s.Linger()
	}
	got := capture.Mode{Width: c.Width, Height: c.Height, FPS: c.FPS, Format: "sim"}
	return capture.Opened{
		Feed: &feed{show: s, fps: c.FPS, speed: speed}, Live: speed > 0, Timed: true,
		Asked: asked, Got: func() capture.Mode { return got },
	}, nil
}

// refused is a mistake in the source's name as the camera's user hears of it.
func refused(err error) error {
	if !errors.Is(err, show.ErrConfig) {
		return fmt.Errorf("simcam: %w", err)
	}
	return &capture.Error{Code: capture.BadSource, Source: Scheme + ":", Message: err.Error(), Err: err}
}

// beforePlay is how long players wait, s: whoever watches has found the board by
// then.
const beforePlay = "4"

// speedOf takes the speed out of a source's name and puts in what is asked of a
// camera; 0 is as fast as it is wanted.
func speedOf(rest string, asked capture.Mode) (string, float64, error) {
	values, err := url.ParseQuery(strings.TrimPrefix(strings.TrimPrefix(rest, "//"), "?"))
	if err != nil {
		return "", 0, refused(fmt.Errorf("%w: %w", show.ErrConfig, err))
	}
	speed := 1.0
	switch v := values.Get("speed"); v {
	case "":
	case "max":
		speed = 0
	default:
		if speed, err = strconv.ParseFloat(v, 64); err != nil || !(speed >= 0.01 && speed <= 100) {
			return "", 0, refused(fmt.Errorf("%w: speed=%s: it is max or a number from 0.01 to 100", show.ErrConfig, v))
		}
	}
	values.Del("speed")
	if !values.Has("size") && asked.Width > 0 {
		values.Set("size", fmt.Sprintf("%dx%d", asked.Width, asked.Height))
	}
	if !values.Has("wait") {
		values.Set("wait", beforePlay)
	}
	if !values.Has("fps") && asked.FPS > 0 {
		values.Set("fps", strconv.FormatFloat(asked.FPS, 'g', -1, 64))
	}
	return "?" + values.Encode(), speed, nil
}

// feed is a show as a feed.
type feed struct {
	show  *show.Show
	fps   float64
	speed float64
	start time.Time
	n     uint64 // frames that were due so far
}

// Next waits until the next frame is due and draws it. On a machine that draws too
// slowly the match goes on more slowly: a camera that shows players in leaps shows
// no match.
func (s *feed) Next(ctx context.Context, f *capture.Frame) error {
	if s.speed > 0 {
		if err := s.wait(ctx); err != nil {
			return err
		}
	}
	p, err := s.show.Next(ctx)
	if err != nil {
		return err
	}
	s.n++
	f.At = p.At
	return f.Put(p.I420, p.W, p.H, capture.I420)
}

func (s *feed) wait(ctx context.Context) error {
	now := time.Now()
	if s.start.IsZero() {
		s.start = now
	}
	period := time.Duration(float64(time.Second) / s.fps / s.speed)
	due := s.start.Add(time.Duration(s.n) * period)
	if late := now.Sub(due); late > period {
		s.start = s.start.Add(late)
		return nil
	}
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close ends the show. Next returns by its context.
func (s *feed) Close() error { return nil }

var _ io.Closer = (*feed)(nil)
