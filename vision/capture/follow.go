package capture

import (
	"context"
	"errors"
	"io"
	"time"
)

// follow keeps the source up until ctx is done or there is nothing more to
// come. It starts with the session n, which has been entered, and its first
// frame, or without a session and the reason for that.
func (s *Stream) follow(ctx context.Context, watchdog *time.Timer, n *session, first *Frame, err error) {
	defer close(s.done)
	defer s.helpers.Wait()
	defer s.cancel()
	defer watchdog.Stop()
	defer close(s.frames)

	waits := backoff{s.o.FirstWait, s.o.LongestWait}
	lostAt, attempt := s.o.now(), 0
	for {
		if n != nil {
			var frames int
			frames, err = s.pass(ctx, watchdog, n, first)
			n.end()
			if frames >= steadyFrames {
				waits.next = s.o.FirstWait
			}
			lostAt, attempt = s.o.now(), 0
			s.note(func(st *Stats) { st.Connected = false })
		}
		if ctx.Err() != nil {
			s.err = ctx.Err()
			return
		}
		if !s.live || errors.Is(err, io.EOF) {
			s.err = err
			return
		}
		wait := waits.wait()
		kind := EventLost
		if attempt > 0 {
			kind = EventStillLost
		}
		s.tell(Event{Kind: kind, Err: err, Attempt: attempt, Wait: wait})
		if !sleep(ctx, watchdog, wait) {
			s.err = ctx.Err()
			return
		}
		attempt++
		n = s.begin(ctx)
		if first, err = s.await(ctx, n, watchdog, s.o.OpenTimeout); err != nil {
			n.end()
			n = nil
			continue
		}
		s.enter(ctx, n, first, attempt, s.o.now().Sub(lostAt))
	}
}

// steadyFrames are how many frames a session must have given for the next loss
// to count as a new one, whose waits begin small again.
const steadyFrames = 10

// enter begins a session at its first frame.
func (s *Stream) enter(ctx context.Context, n *session, first *Frame, attempt int, gap time.Duration) {
	now := first.Arrived.Sub(s.epoch(first))
	at := now
	if n.opened.Timed {
		at = first.At
	}
	s.line.begin(at, now)
	s.health.restart()
	size := [2]int{first.Width, first.Height}
	got := n.got(first)
	e := Event{Kind: EventReopened, Asked: n.opened.Asked, Got: got, Attempt: attempt, Gap: gap}
	s.note(func(st *Stats) {
		if st.Sessions++; st.Sessions == 1 {
			e.Kind, e.Gap = EventOpened, 0
		}
		st.Connected, st.Asked, st.Got = true, e.Asked, got
	})
	s.tell(e)
	s.resized(size, got, e.Kind == EventReopened)
	s.control(ctx, n)
}

// epoch is when the stream's time began: at its first frame.
func (s *Stream) epoch(f *Frame) time.Time {
	if s.start.IsZero() {
		s.start = f.Arrived
	}
	return s.start
}

// got is what the source gives, with the size of a frame that is here.
func (n *session) got(f *Frame) Mode {
	var m Mode
	if n.opened.Got != nil {
		m = n.opened.Got()
	}
	m.Width, m.Height = f.Width, f.Height
	return m
}

// pass hands on a session's frames until there are no more, and tells how many
// there were and why they ended.
func (s *Stream) pass(ctx context.Context, watchdog *time.Timer, n *session, f *Frame) (frames int, err error) {
	fps := n.got(f).FPS
	step := time.Second / 30
	if fps > 0 {
		step = time.Duration(float64(time.Second) / fps)
	}
	for {
		stall := s.stallAfter(step)
		if fps <= 0 {
			stall = s.stallAfter(min(s.period, slowest))
		}
		frames++
		s.stamp(f, n, step, frames == 1)
		if err := s.publish(ctx, f); err != nil {
			return frames, err
		}
		if f, err = s.await(ctx, n, watchdog, stall); err != nil {
			return frames, err
		}
		s.resized([2]int{f.Width, f.Height}, n.got(f), true)
	}
}

// slowest is the longest time between frames that is believed where the source
// does not tell its rate: one long wait is no rate.
const slowest = 3 * time.Second

// patience is how long a file may take to give its next frame: a slow disk or
// a share that wakes up is no reason to give up.
const patience = 20 * time.Second

func (s *Stream) stallAfter(step time.Duration) time.Duration {
	switch {
	case s.o.Stall > 0:
		return s.o.Stall
	case !s.live:
		return patience
	}
	return max(2*time.Second, 10*step)
}

// stamp completes a frame.
func (s *Stream) stamp(f *Frame, n *session, step time.Duration, first bool) {
	before := s.line.last
	at := f.Arrived.Sub(s.start)
	if n.opened.Timed && f.At != noTime {
		at = f.At
	} else if n.opened.Timed {
		at = s.line.last - s.line.shift + step
	}
	var back time.Duration
	if f.At, back = s.line.stamp(at, step); back > 0 {
		s.tell(Event{Kind: EventClockBack, Gap: back})
	}
	f.Seq = s.seq
	s.seq++
	f.Health = s.health.look(f)
	if first {
		s.period = 0
	} else {
		s.pace(f.At - before)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Session = s.stats.Sessions
	s.stats.Frames++
	s.stats.Last = f.Arrived
	if s.period > 0 {
		s.stats.FPS = float64(time.Second) / float64(s.period)
	}
}

// paceFrames are how many frames the measured rate is a mean of, roughly.
const paceFrames = 16

// pace follows the time between frames.
func (s *Stream) pace(gap time.Duration) {
	if s.period == 0 {
		s.period = gap
	}
	s.period += (gap - s.period) / paceFrames
}

// resized tells of frames of another size than before.
func (s *Stream) resized(size [2]int, got Mode, tell bool) {
	changed := size != s.size
	s.size = size
	if !changed || !tell {
		return
	}
	s.health.restart()
	s.note(func(st *Stats) { st.Got = got })
	s.tell(Event{Kind: EventResized, Got: got})
}

// publish hands a frame to whoever calls Next. A live frame takes the place of
// one that nobody has taken yet; any other waits.
func (s *Stream) publish(ctx context.Context, f *Frame) error {
	if !s.live {
		select {
		case s.frames <- f:
			return nil
		case <-ctx.Done():
			f.Release()
			return ctx.Err()
		}
	}
	for {
		select {
		case s.frames <- f:
			return nil
		default:
		}
		select {
		case old := <-s.frames:
			old.Release()
			s.note(func(st *Stats) { st.PassedOver++ })
		default:
		}
	}
}

// control sets the camera's controls, beside the frames: the tool may take its
// time.
func (s *Stream) control(ctx context.Context, n *session) {
	if n.opened.Apply == nil {
		return
	}
	s.helpers.Go(func() {
		states, err := n.opened.Apply(ctx)
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			return
		}
		s.tell(Event{Kind: EventControls, Controls: states, Err: err})
	})
}

// tell has Notify hear of an event.
func (s *Stream) tell(e Event) {
	s.telling.Lock()
	defer s.telling.Unlock()
	e.Source, e.Time, e.Session = s.source, s.o.now(), s.Stats().Sessions
	s.o.Notify(e)
}

func (s *Stream) note(change func(*Stats)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.stats)
}

// sleep waits, and says false if ctx is done before.
func sleep(ctx context.Context, t *time.Timer, d time.Duration) bool {
	t.Reset(d)
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
