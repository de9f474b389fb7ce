package vision

import (
	"math"
	"sort"

	"crokcam/board"
	"crokcam/internal/raster"
)

const directions = 64 // in which a disc's rim is looked at

// innerWins is from what share of the best edge's merit an edge further in is
// taken for the rim.
const innerWins = 0.5

// reach is how far from its expected place a disc's rim is looked for, mm.
const reach = 3.5

// candidate is a place where a disc may stand, and what speaks for it.
type candidate struct {
	top      board.Point // centre of the visible top on the plan
	votes    float64     // share of a circle's edge that points here
	shape    shape
	colour   [3]float64 // middle colour of its top, BGR
	spread   float64    // of the colour over the top, grey levels
	beside   [3]float64 // middle colour of what lies around it
	stained  float64    // share of the top that has another colour
	contrast float64    // usual step of colour at the rim, grey levels
	score    float64    // 0 to 1: share of the rim that is where it ought to be
	rms      float64    // of the rim about the model, mm
	grow     float64    // by how much the rim lies outside the model, mm
	rim      [directions]rimEdge
}

// rimEdge is where the top's colour ends in one direction.
type rimEdge struct {
	at     float64 // mm from the top's centre
	step   float64 // of colour, grey levels
	weight float64 // 0 to 1; 0: not found
	parts  float64 // 0 to 1: how much the board beyond differs from the top
	trust  float64 // 0 to 1: less where a printed ring is as likely the edge
	off    float64 // mm outside the model, after fitting
}

// plentyOfVotes is how many edges (px) point at the middle of a disc in fair
// light; half of it is more than anything else gathers.
const plentyOfVotes = 6

// fewVotes is less than any disc gathers.
const fewVotes = 2.7

// place is where many edges point from one radius away.
type place struct {
	board.Point         // of the top's centre on the plan
	votes       float64 // in whole edges, a pixel each
}

// candidates votes for circles of each radius, and gives the places with the
// most votes and the radius that fits the most of them.
func (p *plan) candidates(g *gradient, radii []float64, h float64, most int) []place {
	cw := g.w/2 + 2
	acc := make([]float32, cw*cw)
	best := make([]float32, cw*cw)
	for _, r := range radii {
		g.circlesAt(p, r*(1+p.lean(h)), acc, cw)
		soft := blur3(acc, cw)
		for i, v := range soft {
			if v > best[i] {
				best[i] = v
			}
		}
	}
	type peak struct {
		i int
		v float32
	}
	var ps []peak
	for y := 3; y < cw-3; y++ {
		for x := 3; x < cw-3; x++ {
			i := y*cw + x
			v := best[i]
			if v < fewVotes {
				continue
			}
			top := true
			for dy := -2; dy <= 2 && top; dy++ {
				for dx := -2; dx <= 2; dx++ {
					if o := best[i+dy*cw+dx]; o > v || o == v && (dy < 0 || dy == 0 && dx < 0) {
						top = false
						break
					}
				}
			}
			if top {
				ps = append(ps, peak{i, v})
			}
		}
	}
	sort.Slice(ps, func(a, b int) bool { return ps[a].v > ps[b].v || ps[a].v == ps[b].v && ps[a].i < ps[b].i })
	var out []place
	for _, k := range ps[:min(most, len(ps))] {
		x, y := 2*float64(k.i%cw), 2*float64(k.i/cw)
		t := board.Point{X: x - p.extent, Y: p.extent - y}
		out = append(out, place{t, float64(k.v)})
	}
	return out
}

// blur3 smooths by 3 × 3 cells.
func blur3(a []float32, w int) []float32 {
	out := make([]float32, len(a))
	for y := 1; y < w-1; y++ {
		for x := 1; x < w-1; x++ {
			i := y*w + x
			out[i] = 0.25*a[i] + 0.125*(a[i-1]+a[i+1]+a[i-w]+a[i+w]) + 0.0625*(a[i-w-1]+a[i-w+1]+a[i+w-1]+a[i+w+1])
		}
	}
	return out
}

// look measures a candidate where it stands: the colour of its top, and in
// each direction the place where that colour ends, expected where the top's
// rim is, give or take slack mm, or where the foot looks out from below it.
// Only the whole look tells what lies around and whether the top is plain.
func (p *plan) look(t board.Point, r, h, slack float64, whole bool) candidate {
	c := candidate{top: t, shape: p.shape(p.footUnder(t, h), r, h)}
	s := &c.shape
	// The middle value over an inner disc, so that a glint or a maker's mark
	// does not count.
	var chans [3][]float32
	for dy := -0.7; dy <= 0.7; dy += 0.2 {
		for dx := -0.7; dx <= 0.7; dx += 0.2 {
			if dx*dx+dy*dy > 0.5 {
				continue
			}
			if v, ok := p.at(t.X+dx*r, t.Y+dy*r); ok {
				for ch := range 3 {
					chans[ch] = append(chans[ch], v[ch])
				}
			}
		}
	}
	if len(chans[0]) < 12 {
		return c
	}
	vals := make([]float32, len(chans[0]))
	for ch := range 3 {
		copy(vals, chans[ch])
		c.colour[ch] = float64(raster.Median(vals))
	}
	for i := range vals {
		var e float64
		for ch := range 3 {
			x := float64(chans[ch][i]) - c.colour[ch]
			e += x * x
		}
		vals[i] = float32(math.Sqrt(e))
	}
	c.spread = float64(raster.Median(vals))
	odd := vals // how far the top's places are from its colour, rising

	const step = 0.5
	const side = 3    // samples on each side of an edge that are compared
	const beyond = 13 // samples beyond an edge that tell what lies there: 1.5 to 8 mm
	first := s.top - reach
	var ray [80][3]float32
	var rise [80]float64
	var outer [3][beyond]float32
	var around [3][]float32
	var steps []float32
	for j := range directions {
		sn, cs := rimDirection(j)
		last := math.Max(s.top, s.hull(cs, sn)) + reach
		n := min(int((last-first)/step)+1, len(ray)-2*side-beyond-2)
		ok := true
		for k := range n + 2*side {
			d := first + float64(k-side)*step
			v, in := p.at(t.X+d*cs, t.Y+d*sn)
			if !in {
				ok = false
				break
			}
			ray[k] = v
		}
		if !ok {
			continue
		}
		edge := s.hull(cs, sn)
		best, at := 0.0, 0.0
		var up float64
		type peak struct{ x, d, up, v float64 }
		var peaks [24]peak
		np := 0
		for k := range n {
			var in, out [3]float64
			for q := range side {
				for ch := range 3 {
					in[ch] += float64(ray[k+q][ch]) / side
					out[ch] += float64(ray[k+side+1+q][ch]) / side
				}
			}
			rise[k] = dist(in, out)
			if dist(in, c.colour) > dist(out, c.colour) {
				rise[k] *= 0.5 // towards the disc's own colour: something beside it
			}
		}
		for k := 1; k < n-1; k++ {
			if rise[k] < p.noise || rise[k] < rise[k-1] || rise[k] < rise[k+1] {
				continue
			}
			x := float64(k)
			if q := rise[k-1] + rise[k+1] - 2*rise[k]; q < 0 {
				x += (rise[k-1] - rise[k+1]) / (2 * q)
			}
			d := first + x*step
			off := math.Min(math.Abs(d-s.top), math.Abs(d-edge)) / slack
			v := rise[k] / (rise[k] + 2.5*p.noise) / (1 + off*off)
			if np < len(peaks) {
				peaks[np] = peak{x, d, rise[k], v}
				np++
			}
			if v > best {
				best, at, up = v, x, rise[k]
			}
		}
		// Outside the rim a shadow may end, more clearly than the disc does: of
		// edges that are nearly as good, the inner one.
		for _, q := range peaks[:np] {
			if q.x < at && q.d > s.top-slack && q.v > innerWins*best {
				at, up = q.x, q.up
				break
			}
		}
		if best > 0 {
			w := up / (up + 2.5*p.noise)
			// A thin line parts nothing: behind it the same board goes on.
			m := 0
			for q := 0; whole && q < beyond; q++ {
				d := first + (at+float64(q)+3)*step
				if v, in := p.at(t.X+d*cs, t.Y+d*sn); in {
					for ch := range 3 {
						outer[ch][m] = v[ch]
					}
					m++
				}
			}
			parts := 1.0
			if m > 2 {
				var e float64
				for ch := range 3 {
					mid := raster.Median(outer[ch][:m])
					around[ch] = append(around[ch], mid)
					x := float64(mid) - c.colour[ch]
					e += x * x
				}
				parts = math.Min(1, math.Sqrt(e)/(0.6*up))
			}
			c.rim[j] = rimEdge{at: first + at*step, step: up, weight: w, parts: parts, trust: 1}
			if d := c.rim[j].at; p.printed(t.X+d*cs, t.Y+d*sn) {
				c.rim[j].trust = 0.15
			}
			steps = append(steps, float32(up))
		}
	}
	if len(steps) > 0 {
		c.contrast = float64(raster.Median(steps))
	}
	for ch := range 3 {
		if len(around[ch]) > 0 {
			c.beside[ch] = float64(raster.Median(around[ch]))
		}
	}
	for _, v := range odd {
		if whole && float64(v) > 0.5*c.contrast+c.spread {
			c.stained += 1 / float64(len(odd))
		}
	}
	return c
}

// rimDirection is the unit vector (cos, sin) of a direction, sine first.
func rimDirection(j int) (sn, cs float64) {
	return math.Sincos(2 * math.Pi * (float64(j) + 0.5) / directions)
}

// hull is how far from the top's centre the silhouette reaches in direction
// (c, sn): the top's own rim, or the foot's where that looks out from below.
func (s *shape) hull(c, sn float64) float64 {
	// Distance along the ray to the foot's circle, whose centre lies at -lean.
	along := -(c*s.lx + sn*s.ly)
	across := c*s.ly - sn*s.lx
	d := s.r*s.r - across*across
	if d < 0 {
		return s.top
	}
	return math.Max(s.top, along+math.Sqrt(d))
}

func dist(a, b [3]float64) float64 {
	var s float64
	for i := range a {
		s += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(s)
}

// fit finds by how much the top has to move for its rim to lie on the edges,
// by robust least squares with the given scale (mm), and how well it then
// does. Where the wall has the top's colour the rim is the foot's.
func (c *candidate) fit(scale float64) (dx, dy float64) {
	var mean float64
	s := &c.shape
	off := func(e rimEdge, cs, sn float64) float64 {
		r := e.at - s.top - dx*cs - dy*sn - mean
		if q := e.at - s.hull(cs, sn) - dx*cs - dy*sn - mean; math.Abs(q) < math.Abs(r) {
			r = q
		}
		return r
	}
	for range 8 {
		var a [3][3]float64
		var b [3]float64
		for j, e := range c.rim {
			if e.weight == 0 {
				continue
			}
			sn, cs := rimDirection(j)
			r := off(e, cs, sn)
			w := e.weight * e.trust / (1 + r*r/(scale*scale))
			row := [3]float64{cs, sn, 1}
			for i := range 3 {
				b[i] += w * row[i] * r
				for k := range 3 {
					a[i][k] += w * row[i] * row[k]
				}
			}
		}
		// The radius is nearly known: the mean is held near zero.
		hold := 0.15 * (a[0][0] + a[1][1])
		a[2][2] += hold
		b[2] -= hold * mean
		for i := range 2 {
			a[i][i] += 1e-3
		}
		x, ok := solve3(a, b)
		if !ok {
			break
		}
		dx += x[0]
		dy += x[1]
		mean += x[2]
	}
	c.grow = mean
	c.score, c.rms = 0, 0
	var n float64
	var asked float64
	for j := range c.rim {
		e := &c.rim[j]
		if e.weight == 0 {
			asked++
			continue
		}
		asked += e.trust
		sn, cs := rimDirection(j)
		e.off = off(*e, cs, sn)
		if math.Abs(e.off) < 1 {
			c.score += e.weight * e.parts * e.trust
			c.rms += e.off * e.off
			n++
		}
	}
	c.score /= math.Max(asked, directions/2)
	c.rms = math.Sqrt(c.rms / math.Max(n, 1))
	// A disc's top is plain beside the step at its rim.
	c.score *= math.Min(1, 1.3*c.contrast/(c.contrast+1.5*c.spread+1e-9))
	c.score *= 1 - 2*math.Min(0.5, math.Max(0, c.stained-0.06))
	return dx, dy
}

func solve3(a [3][3]float64, b [3]float64) (x [3]float64, ok bool) {
	for i := range 3 {
		p := i
		for k := i + 1; k < 3; k++ {
			if math.Abs(a[k][i]) > math.Abs(a[p][i]) {
				p = k
			}
		}
		if math.Abs(a[p][i]) < 1e-9 {
			return x, false
		}
		a[i], a[p] = a[p], a[i]
		b[i], b[p] = b[p], b[i]
		for k := i + 1; k < 3; k++ {
			f := a[k][i] / a[i][i]
			for q := i; q < 3; q++ {
				a[k][q] -= f * a[i][q]
			}
			b[k] -= f * b[i]
		}
	}
	for i := 2; i >= 0; i-- {
		x[i] = b[i]
		for k := i + 1; k < 3; k++ {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x, true
}

// settle finds the candidate near a place. Seen aslant, a disc shows two
// circles, its top's and its foot's, and the votes may have found either: the
// one is tried as the other too.
func (p *plan) settle(pl place, r, h float64) candidate {
	best := p.settleFrom(pl.Point, r, h)
	s := p.shape(p.footUnder(pl.Point, h), r, h)
	if math.Hypot(s.lx, s.ly) > 2 {
		for _, k := range []float64{1, -1} {
			c := p.settleFrom(board.Point{X: pl.X + k*s.lx, Y: pl.Y + k*s.ly}, r, h)
			if c.score > best.score {
				best = c
			}
		}
	}
	best.votes = pl.votes
	// Two witnesses that err apart: the rim where it ought to be, and the edges
	// all around that point at the middle.
	best.score *= math.Min(1, best.votes/plentyOfVotes)
	return best
}

// settleFrom moves a candidate onto its rim.
func (p *plan) settleFrom(t board.Point, r, h float64) candidate {
	at := t
	for _, scale := range []float64{1.8, 1.2, 0.8} {
		c := p.look(at, r, h, 1.2*scale, false)
		dx, dy := c.fit(scale)
		at.X += dx
		at.Y += dy
		if math.Hypot(at.X-t.X, at.Y-t.Y) > 7 {
			c.score = 0 // it has wandered off to something else
			return c
		}
	}
	c := p.look(at, r, h, 0.8, true)
	c.fit(0.6)
	return c
}
