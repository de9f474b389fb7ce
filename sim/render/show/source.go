package show

import (
	"context"
	"time"
)

// Source is a show that runs as fast as time does, as a camera would: whoever
// asks late has missed frames.
type Source struct {
	*Show
	start time.Time
}

// Open prepares the show named by what follows "sim:" (see Parse). It goes on
// for ever.
func Open(ctx context.Context, rest string) (*Source, error) {
	c, err := Parse(rest)
	if err != nil {
		return nil, err
	}
	s, err := New(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Source{Show: s}, nil
}

// Next waits until the next frame is due and makes it. Frames that were due
// before and were not asked for are passed over.
func (s *Source) Next(ctx context.Context) (*Frame, error) {
	now := time.Now()
	if s.start.IsZero() {
		s.start = now
	}
	period := time.Duration(float64(time.Second) / s.config.FPS)
	due := s.start.Add(time.Duration(s.frame) * period)
	if late := now.Sub(due); late > period {
		s.Skip(uint64(late / period))
	} else if wait := -late; wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return s.Show.Next(ctx)
}
