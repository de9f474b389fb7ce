package api

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// bench is the work bench: a few places for pictures, and a short queue.
type bench struct {
	places  chan struct{}
	cores   chan struct{} // for the pictures that come while a board is watched
	watched func() bool   // whether one is
	queue   time.Duration
	limit   time.Duration
}

func newBench(parallel int, queue, limit time.Duration, watched func() bool) *bench {
	return &bench{places: make(chan struct{}, parallel), cores: make(chan struct{}, spare()), watched: watched, queue: queue, limit: limit}
}

// spare is how many cores pictures may keep busy while a board is watched. A
// picture takes a core for a second and can wait; a shot is over in that time.
func spare() int { return max(1, runtime.GOMAXPROCS(0)-1) }

func (b *bench) busy() int { return len(b.places) }

// do runs work once there is a place. Image code cannot be interrupted halfway,
// so after the time limit the caller is told, but the place stays taken until
// the work has really ended: a slow picture costs its own place and no more.
func do[T any](ctx context.Context, b *bench, work func(context.Context) (T, error)) (T, error) {
	var none T
	wait := time.NewTimer(b.queue)
	defer wait.Stop()
	need := []chan struct{}{b.places}
	if b.watched() {
		need = []chan struct{}{b.cores, b.places}
	}
	for i, have := range need {
		var err error
		select { // a free place is had however short the wait
		case have <- struct{}{}:
			continue
		default:
		}
		select {
		case have <- struct{}{}:
			continue
		case <-wait.C:
			err = errBusy
		case <-ctx.Done():
			err = ctx.Err()
		}
		giveBack(need[:i])
		return none, err
	}

	ctx, cancel := context.WithTimeout(ctx, b.limit)
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		defer cancel()
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				o = outcome{err: fmt.Errorf("panic: %v\n%s", r, debug.Stack())}
			}
			giveBack(need) // before the answer: whoever has it may come again at once
			done <- o
		}()
		o.value, o.err = work(ctx)
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		// Both may have come at once; a result in hand is better than none.
		select {
		case o := <-done:
			return o.value, o.err
		default:
			return none, ctx.Err()
		}
	}
}

func giveBack(taken []chan struct{}) {
	for _, c := range taken {
		<-c
	}
}

// once keeps the first result that was had without an error.
type once[T any] struct {
	mu    sync.Mutex
	have  bool
	value T
}

func (o *once[T]) get(find func() (T, error)) (T, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.have {
		return o.value, nil
	}
	v, err := find()
	if err == nil {
		o.value, o.have = v, true
	}
	return v, err
}
