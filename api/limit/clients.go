// Package limit keeps single clients from taking more than their share.
package limit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Clients limits how often each client may do something.
type Clients struct {
	perMinute int
	mu        sync.Mutex
	clients   map[string]*rate.Limiter
}

// PerMinute allows each client so much a minute, and as much at once; 0 lifts the
// limit.
func PerMinute(n int) *Clients {
	return &Clients{perMinute: n, clients: map[string]*rate.Limiter{}}
}

// kept is how many clients are remembered before those that have not been heard
// of for a minute are forgotten.
const kept = 1024

// Take uses up one of a client's allowance, or says how long to wait.
func (l *Clients) Take(client string, now time.Time) (wait time.Duration, ok bool) {
	if l.perMinute == 0 {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	turn := l.of(client, now).ReserveN(now, 1)
	if wait := turn.DelayFrom(now); wait > 0 {
		turn.CancelAt(now)
		return wait, false
	}
	return 0, true
}

// Left tells whether a client has some of its allowance left, without using it.
func (l *Clients) Left(client string, now time.Time) (wait time.Duration, ok bool) {
	if l.perMinute == 0 {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.clients[client]
	if c == nil {
		return 0, true
	}
	if t := c.TokensAt(now); t < 1 {
		return time.Duration((1 - t) / float64(c.Limit()) * float64(time.Second)), false
	}
	return 0, true
}

func (l *Clients) of(client string, now time.Time) *rate.Limiter {
	c := l.clients[client]
	if c == nil {
		if len(l.clients) >= kept {
			for name, other := range l.clients {
				if other.TokensAt(now) >= float64(l.perMinute) {
					delete(l.clients, name)
				}
			}
		}
		c = rate.NewLimiter(rate.Limit(float64(l.perMinute)/60), l.perMinute)
		l.clients[client] = c
	}
	return c
}
