package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// session is one opening of the source, read by a goroutine of its own, which
// can be left behind if it never comes back.
type session struct {
	results chan result
	cancel  context.CancelFunc
	done    chan struct{} // the goroutine has ended
	opened  Opened        // readable once a result came
	began   time.Time
}

// result is a frame or the reason why there is none.
type result struct {
	frame *Frame
	err   error
}

// begin opens the source and reads from it in the background.
func (s *Stream) begin(ctx context.Context) *session {
	n := &session{results: make(chan result), done: make(chan struct{}), began: s.o.now()}
	ctx, n.cancel = context.WithCancel(ctx)
	go s.read(ctx, n)
	return n
}

func (s *Stream) read(ctx context.Context, n *session) {
	defer close(n.done)
	send := func(r result) bool {
		select {
		case n.results <- r:
			return true
		case <-ctx.Done():
			if r.frame != nil {
				r.frame.Release()
			}
			return false
		}
	}
	opened, err := s.open(ctx)
	if err != nil {
		send(result{err: err})
		return
	}
	shut := sync.OnceFunc(func() { _ = opened.Close() })
	defer shut()
	stop := context.AfterFunc(ctx, shut)
	defer stop()
	n.opened = opened
	for {
		f := s.pool.get()
		if err := opened.Next(ctx, f); err != nil {
			f.Release()
			send(result{err: err})
			return
		}
		f.Arrived = s.o.now()
		if !send(result{frame: f}) {
			return
		}
	}
}

// leaveAfter is how long a session may take to end before it is left behind. A
// device can often not be opened again before.
const leaveAfter = 2 * time.Second

// end closes the session.
func (n *session) end() {
	n.cancel()
	t := time.NewTimer(leaveAfter)
	defer t.Stop()
	select {
	case <-n.done:
	case <-t.C:
	}
}

// await gives the session's next frame, but waits at most so long. The timer is
// the caller's, for reuse. The error is a frame's, the watchdog's or ctx's.
func (s *Stream) await(ctx context.Context, n *session, t *time.Timer, atMost time.Duration) (*Frame, error) {
	t.Reset(atMost)
	select {
	case r := <-n.results:
		return r.frame, s.reason(r.err)
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-t.C:
		return nil, s.source.fail(Stalled, fmt.Sprintf("No picture came for %s.", atMost.Round(time.Millisecond)), nil)
	}
}

// reason makes an error presentable.
func (s *Stream) reason(err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.As(err, &e), errors.Is(err, context.Canceled):
		return err
	}
	return s.source.fail(Failed, err.Error(), err)
}
