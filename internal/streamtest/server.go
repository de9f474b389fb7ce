package streamtest

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// server is what both kinds share: an address that stays, and connections that
// can be cut.
type server struct {
	t       testing.TB
	address string
	serve   func(ctx context.Context, c net.Conn)
	fps     float64
	stalled atomic.Bool
	served  atomic.Int64 // connections that got a picture

	mu      sync.Mutex
	running *run
}

// run is the time between a start and a kill.
type run struct {
	listener net.Listener
	cancel   context.CancelFunc
	all      sync.WaitGroup
}

func (s *server) start() {
	s.t.Helper()
	s.address = "127.0.0.1:0"
	s.Return()
	s.address = s.running.listener.Addr().String()
	s.t.Cleanup(s.Kill)
}

// Kill cuts every connection and refuses new ones, and returns when all is
// over.
func (s *server) Kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		return
	}
	s.running.cancel()
	_ = s.running.listener.Close()
	s.running.all.Wait()
	s.running = nil
}

// Return is the server back at its old address.
func (s *server) Return() {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", s.address)
	if err != nil {
		s.t.Fatalf("listen: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &run{listener: listener, cancel: cancel}
	s.running = r
	r.all.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			r.all.Go(func() {
				stop := context.AfterFunc(ctx, func() { _ = c.Close() })
				defer stop()
				defer c.Close() //nolint:errcheck // the other side sees it
				s.serve(ctx, c)
			})
		}
	})
}

// Stall has the server send nothing more, with the connections left open; or go
// on.
func (s *server) Stall(stalled bool) { s.stalled.Store(stalled) }

// Served is how many connections have got a picture.
func (s *server) Served() int { return int(s.served.Load()) }

// beat calls send with 0, 1, 2 … at the server's rate until that fails or ctx is
// done.
func (s *server) beat(ctx context.Context, send func(i int) error) {
	tick := time.NewTicker(time.Duration(float64(time.Second) / s.fps))
	defer tick.Stop()
	for i := 0; ; {
		if !s.stalled.Load() {
			if send(i) != nil {
				return
			}
			if i == 0 {
				s.served.Add(1)
			}
			i++
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
