package shots

import (
	"crokcam/internal/raster"
)

// changes compares frames with the one before and with the board as it lay when
// it was last looked at, square by square, in sigmas of each square's own noise.
type changes struct {
	now, before, still []float32 // brightness of the squares; still is the slow background
	noise              []float32 // variance of one square in one frame
	frames             int       // compared since the grid changed

	moved   []bool   // unlike the frame before
	changed []bool   // unlike the background
	stark   []bool   // more so than a faint shade makes it
	rested  []uint16 // frames since a square last moved, up to forLong
	sample  []float32
	known   bool  // there is a background
	step    light // since the frame before
	since   light // since the background
	tint    tint
}

// tint is the same for how much redder than blue squares are: discs of the board's
// brightness may be of another colour.
type tint struct {
	now, before, still, noise []float32
	was, is                   []float32 // of few squares, by which the light is told
	since                     light     // since the background
}

// fewTints is one in how many squares that is.
const fewTints = 4

func (t *tint) restart(n int) {
	few := (n + fewTints - 1) / fewTints
	*t = tint{make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, few), make([]float32, few), light{gain: 1}}
}

const (
	many       = 6    // sigmas that noise does not reach in any of the squares
	firstNoise = 25   // frames over which the noise is learnt quickly
	learnNoise = 0.02 // share of each quiet frame in what is known of noise
	learnStill = 0.03 // share of each quiet frame in the background
	// leastStep is the least difference that counts, as a share of the picture's
	// contrast: an encoder's own changes are below it.
	leastStep = 0.022
	// stark is how many times that a disc differs from the board at the least, and the
	// wide shade of an arm that is far away does not.
	stark = 3
)

func (c *changes) restart(n int) {
	*c = changes{
		now: make([]float32, n), before: make([]float32, n), still: make([]float32, n), noise: make([]float32, n),
		moved: make([]bool, n), changed: make([]bool, n), stark: make([]bool, n), rested: make([]uint16, n), sample: make([]float32, 0, n),
	}
	c.tint.restart(n)
}

// light is a change of the whole picture's brightness, or tint: now is gain · before +
// offset, and a little more or less where cameras do not tell light in proportion, or
// where what has that tint looks otherwise in light of another colour.
type light struct {
	gain, offset float32
	bent         bool
	ranges       ranges
	bend         [bends]float32 // at the middles of the ranges
}

// ranges are those of brightness or of tint in which a light is bent.
type ranges struct{ from, wide float32 }

var (
	brightRanges = ranges{0, 24}
	tintRanges   = ranges{-66, 12}
)

// unlike is how much brighter something is than it was, in this light.
func (l *light) unlike(was, is float32) float32 {
	like := l.of(was)
	if was > burnt && is > like || like > burnt && is > burnt {
		return 0 // who knows
	}
	return is - like
}

// bends is in how many ranges a light is bent.
const (
	bends     = 11
	leastBent = 15   // squares of a range that tell of it
	bendFrom  = 0.04 // by which the light differs where it is worth while, as a share
)

// of is how bright something is in the light that was so bright before.
func (l *light) of(v float32) float32 {
	w := l.gain*v + l.offset
	if !l.bent {
		return w
	}
	at := (v-l.ranges.from)/l.ranges.wide - 0.5
	k := min(max(int(at), 0), bends-2)
	f := min(max(at-float32(k), 0), 1)
	return w + l.bend[k] + (l.bend[k+1]-l.bend[k])*f
}

// before is how bright something was in the light before that is so bright now.
func (l *light) before(v float32) float32 {
	if l.gain < deepest {
		return v
	}
	was := (v - l.offset) / l.gain
	for range 16 { // each comes nearer by a fifth at the least
		off := v - l.of(was)
		if was += off / l.gain; off < 0.1 && off > -0.1 {
			break
		}
	}
	return was
}

// jump tells whether the light has changed at once, as when a lamp is switched.
func (l light) jump() bool {
	const much = 0.03
	return l.gain > 1+much || l.gain < 1-much
}

const (
	sparse = 5 // one in how many squares the light is fitted to
	// burnt is how bright a square is from which on it may be brighter than the camera
	// can tell: it says nothing of the light, and may look the same in more or in less.
	burnt = 225
)

// lightBetween fits the light over a sample of the squares, leaving out those
// that have changed otherwise.
func (c *changes) lightBetween(was, is []float32) light {
	l := light{gain: 1}
	if c.unlike(was, is, l) > bigJump {
		l = c.roughly(was, is)
	}
	for range 6 {
		limit := 3*c.unlike(was, is, l) + 0.25
		var n, sx, sy, sxx, sxy float64
		for i := 0; i < len(was); i += sparse {
			if d := is[i] - l.gain*was[i] - l.offset; d > limit || d < -limit || was[i] > burnt || is[i] > burnt {
				continue
			}
			x, y := float64(was[i]), float64(is[i])
			n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
		}
		v := n*sxx - sx*sx
		if n < 50 {
			return l
		}
		if v < n*n { // all is alike, and tells only what is added
			return light{gain: 1, offset: float32((sy - sx) / n)}
		}
		g := (n*sxy - sx*sy) / v
		d := float32(g) - l.gain
		l = light{gain: float32(g), offset: float32((sy - g*sx) / n)}
		if d < 1e-3 && d > -1e-3 {
			break
		}
	}
	return l
}

// much tells whether the light is another, so that it is worth while to bend it.
func (l *light) much() bool {
	const mid = 128
	by := max(l.of(mid)-mid, mid-l.of(mid))
	return by >= bendFrom*mid || l.gain <= 1-bendFrom || l.gain >= 1+bendFrom
}

// shifts tells whether the light is another for the dark, or for the bright, by half as
// much: a gain and an offset may make up for each other in the middle.
func (l *light) shifts() bool {
	const dark, bright, least = 48, 208, bendFrom * 128 / 2
	return l.much() || max(l.of(dark)-dark, dark-l.of(dark), l.of(bright)-bright, bright-l.of(bright)) >= least
}

// bent is the light with what it leaves in each of the ranges, for most of the squares
// that have not changed otherwise, of which one in so many is asked.
func (c *changes) bent(l light, in ranges, was, is []float32, oneIn int) light {
	limit := 3*c.unlike(was, is, l) + many
	known := [bends]bool{}
	for k := range l.bend {
		c.sample = c.sample[:0]
		lo := in.from + float32(k)*in.wide
		for i := 0; i < len(was); i += oneIn {
			if was[i] < lo || was[i] >= lo+in.wide || was[i] > burnt || is[i] > burnt {
				continue
			}
			if d := is[i] - l.gain*was[i] - l.offset; d < limit && d > -limit {
				c.sample = append(c.sample, d)
			}
		}
		if known[k] = len(c.sample) >= leastBent; known[k] {
			l.bend[k] = raster.Median(c.sample)
		}
	}
	l.bent, l.ranges = true, in
	for k := range l.bend { // where little is seen of a range, as beside it
		for off := 1; !known[k] && off < bends; off++ {
			switch {
			case k >= off && known[k-off]:
				l.bend[k], off = l.bend[k-off], bends
			case k+off < bends && known[k+off]:
				l.bend[k], off = l.bend[k+off], bends
			}
		}
	}
	return l
}

// bigJump is a usual difference, in levels, from which the light is first
// guessed from medians.
const bigJump = 1.5

// unlike is the usual difference that a light leaves, in levels.
func (c *changes) unlike(was, is []float32, l light) float32 {
	c.sample = c.sample[:0]
	for i := 0; i < len(was); i += sparse {
		if was[i] > burnt || is[i] > burnt {
			continue
		}
		d := is[i] - l.gain*was[i] - l.offset
		c.sample = append(c.sample, max(d, -d))
	}
	if len(c.sample) == 0 {
		return 0
	}
	return raster.Median(c.sample)
}

// roughly is the light by what the darker and the lighter half of the squares
// have become.
func (c *changes) roughly(was, is []float32) light {
	median := func(v []float32, keep func(float32) bool) float32 {
		c.sample = c.sample[:0]
		for i := 0; i < len(was); i += sparse {
			if keep(was[i]) && was[i] <= burnt && is[i] <= burnt {
				c.sample = append(c.sample, v[i])
			}
		}
		if len(c.sample) == 0 {
			return 0
		}
		return raster.Median(c.sample)
	}
	middle := median(was, func(float32) bool { return true })
	dark := func(v float32) bool { return v < middle }
	bright := func(v float32) bool { return v >= middle }
	x0, x1 := median(was, dark), median(was, bright)
	if x1-x0 < 2 {
		return light{gain: 1}
	}
	y0, y1 := median(is, dark), median(is, bright)
	g := (y1 - y0) / (x1 - x0)
	return light{gain: g, offset: y0 - g*x0}
}

// compare takes in the brightness of a new frame, which is in now. contrast is
// that of the picture, in levels.
func (c *changes) compare(contrast float32) {
	c.frames++
	if c.frames == 1 {
		copy(c.before, c.now)
	}
	floor := leastStep * contrast
	least := floor * floor / (2 * many * many)
	step := c.lightBetween(c.before, c.now)
	c.step = step
	since := light{gain: 1}
	if c.known {
		if since = c.lightBetween(c.still, c.now); since.shifts() {
			since = c.bent(since, brightRanges, c.still, c.now, sparse)
		}
	}
	c.since = since
	rate := float32(learnNoise)
	if c.frames < firstNoise {
		rate = 1 / float32(c.frames+3)
	}
	for i, v := range c.now {
		d := step.unlike(c.before[i], v)
		d2 := d * d
		s2 := max(c.noise[i], least)
		m := d2 > many*many*2*s2
		c.moved[i] = m
		switch {
		case m:
			c.rested[i] = 0
		case c.rested[i] < forLong:
			c.rested[i]++
		}
		if !m || c.frames < firstNoise {
			// What moves in the first frames must not count as noise altogether.
			d2 = min(d2, 16*floor*floor)
			c.noise[i] += rate * (d2/2 - c.noise[i])
		}
		if c.known {
			e := since.unlike(c.still[i], v)
			limit := many * many * max(c.noise[i], 2*least)
			c.changed[i], c.stark[i] = e*e > limit, e*e > stark*stark*limit
		}
	}
	c.compareTint(rate, least)
}

// compareTint does for the tint what compare does for brightness. What colour there is
// grows with the light, and all of it may shift.
func (c *changes) compareTint(rate, least float32) {
	t := &c.tint
	if c.frames == 1 {
		copy(t.before, t.now)
	}
	since := light{gain: 1}
	if c.known {
		for k := range t.was {
			t.was[k], t.is[k] = t.still[k*fewTints], t.now[k*fewTints]
		}
		if since = c.lightBetween(t.was, t.is); c.since.bent || since.much() {
			since = c.bent(since, tintRanges, t.was, t.is, 1)
		}
	}
	t.since = since
	for i, v := range t.now {
		d := v - t.before[i]
		if d2 := d * d; !c.moved[i] || c.frames < firstNoise {
			t.noise[i] += rate * (min(d2, 32*many*least)/2 - t.noise[i])
		}
		if !c.known || c.changed[i] || c.now[i] > burnt || c.still[i] > burnt {
			continue // what is burnt out has lost its colour
		}
		e := v - since.of(t.still[i])
		limit := many * many * max(t.noise[i], 2*least)
		c.changed[i], c.stark[i] = e*e > limit, e*e > stark*stark*limit
	}
}

// accept makes the picture as it is now the one to compare with, except where
// keep says that what is seen there will go again: nil is nowhere. What is behind that
// is taken to look in the present light as it did.
func (c *changes) accept(keep func(i int) bool) {
	for i, v := range c.now {
		if keep == nil || !keep(i) {
			c.still[i], c.tint.still[i], c.changed[i] = v, c.tint.now[i], false
		} else {
			c.still[i], c.tint.still[i] = c.since.of(c.still[i]), c.tint.since.of(c.tint.still[i])
		}
	}
	c.since, c.tint.since = light{gain: 1}, light{gain: 1}
	c.known = true
}

// take makes a square as it is now, but in the light of all the others, part of what
// frames are compared with.
func (c *changes) take(i int) {
	c.still[i], c.tint.still[i] = c.since.before(c.now[i]), c.tint.since.before(c.tint.now[i])
}

// follow lets the background follow slow changes of light.
func (c *changes) follow() {
	for i, v := range c.now {
		if !c.changed[i] && !c.moved[i] {
			c.still[i] += learnStill * (v - c.still[i])
			c.tint.still[i] += learnStill * (c.tint.now[i] - c.tint.still[i])
		}
	}
}

// forLong bounds the count of frames at rest.
const forLong = 1 << 15

// next makes the present frame the one before.
func (c *changes) next() {
	c.now, c.before = c.before, c.now
	c.tint.now, c.tint.before = c.tint.before, c.tint.now
}
