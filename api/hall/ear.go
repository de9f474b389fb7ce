package hall

import (
	"sync"

	"crokcam/live"
)

// ear takes notices without ever making a table wait, and passes them on in
// order, one at a time.
type ear struct {
	mu      sync.Mutex
	waiting []live.Notice
	more    *sync.Cond
	closed  bool
	done    chan struct{}
}

func newEar(pass func(live.Notice)) *ear {
	e := &ear{done: make(chan struct{})}
	e.more = sync.NewCond(&e.mu)
	go func() {
		defer close(e.done)
		for {
			list := e.next()
			if list == nil {
				return
			}
			for _, n := range list {
				pass(n)
			}
		}
	}()
	return e
}

func (e *ear) say(n live.Notice) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closed {
		e.waiting = append(e.waiting, n)
		e.more.Signal()
	}
}

// next waits for notices; nil when there will be no more.
func (e *ear) next() []live.Notice {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.waiting) == 0 && !e.closed {
		e.more.Wait()
	}
	list := e.waiting
	e.waiting = nil
	return list
}

// close passes on what has been said, and ends.
func (e *ear) close() {
	e.mu.Lock()
	e.closed = true
	e.more.Signal()
	e.mu.Unlock()
	<-e.done
}
