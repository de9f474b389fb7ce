package show

import (
	"math"
	"math/rand/v2"
)

// weather is light that changes now and then: a cloud passes before the window, or
// a lamp is switched and the camera's exposure follows.
type weather struct {
	rand *rand.Rand
	now  change
	next float64 // s, when the one after now begins
}

// change is one change of the light, in powers of two.
type change struct {
	from, to float64
	begin    float64 // s
	takes    float64 // s
	settles  float64 // to what, once the exposure has followed
}

// How far the light may go, in powers of two, and how long an exposure takes to
// follow, s.
const (
	darkest, brightest = -0.6, 0.25
	follows            = 0.8
)

func newWeather(seed uint64) *weather {
	w := &weather{rand: rand.New(rand.NewPCG(seed, 0x6c69676874))}
	w.next = w.between(2, 6)
	return w
}

func (w *weather) between(low, high float64) float64 { return low + (high-low)*w.rand.Float64() }

// at is how many times as strong as at first the light is at time t, red, green and
// blue. Times are asked for in order.
func (w *weather) at(t float64) [3]float64 {
	for t >= w.next {
		c := change{from: w.now.at(w.next), begin: w.next}
		if w.rand.Float64() < 0.7 {
			c.to, c.takes = w.between(darkest, 0.1), w.between(0.8, 4)
			c.settles = c.to
		} else {
			by := w.between(0.15, 0.4)
			if c.from > (darkest+brightest)/2 {
				by = -by
			}
			c.to, c.takes, c.settles = c.from+by, 0.02, c.from+0.4*by
		}
		w.now = c
		w.next += w.between(5, 14)
	}
	v := math.Round(w.now.at(t)*256) / 256 // a frame is only drawn anew for what can be seen
	// Without the sun it is a little bluer.
	return [3]float64{math.Exp2(v * 1.04), math.Exp2(v), math.Exp2(v * 0.95)}
}

func (c *change) at(t float64) float64 {
	if c.takes == 0 {
		return 0
	}
	v := c.from + (c.to-c.from)*ease((t-c.begin)/c.takes)
	return v + (c.settles-c.to)*ease((t-c.begin-c.takes)/follows)
}

// ease goes smoothly from 0 to 1.
func ease(f float64) float64 {
	f = min(max(f, 0), 1)
	return f * f * (3 - 2*f)
}
