package api

import (
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/time/rate"
)

// rates limits how many pictures each client may send.
type rates struct {
	perMinute int
	mu        sync.Mutex
	clients   map[string]*rate.Limiter
}

func newRates(perMinute int) *rates {
	return &rates{perMinute: perMinute, clients: map[string]*rate.Limiter{}}
}

// clientsKept is how many clients are remembered before those that have not
// been heard of for a minute are forgotten.
const clientsKept = 1024

// take uses up one picture of a client's allowance, or says how long to wait.
func (r *rates) take(client string, now time.Time) (wait time.Duration, ok bool) {
	if r.perMinute == 0 {
		return 0, true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.clients[client]
	if l == nil {
		if len(r.clients) >= clientsKept {
			for name, other := range r.clients {
				if other.TokensAt(now) >= float64(r.perMinute) {
					delete(r.clients, name)
				}
			}
		}
		l = rate.NewLimiter(rate.Limit(float64(r.perMinute)/60), r.perMinute)
		r.clients[client] = l
	}
	turn := l.ReserveN(now, 1)
	if wait := turn.DelayFrom(now); wait > 0 {
		turn.CancelAt(now)
		return wait, false
	}
	return 0, true
}

// limited lets a request through unless its client has sent too many pictures.
func (s *Service) limited(c *gin.Context) {
	if wait, ok := s.rates.take(c.ClientIP(), time.Now()); !ok {
		p := problem(http.StatusTooManyRequests, "too_many_pictures", "Too many pictures from this device. Please wait a moment.")
		p.retryAfter = wait
		refuse(c, p)
	}
}
