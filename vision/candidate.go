package vision

import (
	"math"
	"sort"

	"crokcam/board"
	"crokcam/internal/raster"
)

const directions = 64 // in which a disc's rim is looked at

// reach is how far from its expected place a disc's rim is looked for, mm.
const reach = 3.5

// candidate is a place where a disc may stand, and what speaks for it.
type candidate struct {
	top      board.Point // centre of the visible top on the plan
	shape    shape
	colour   [3]float64 // middle colour of its top, BGR
	spread   float64    // of the colour over the top, grey levels
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
	off    float64 // mm outside the model, after fitting
}

// candidates votes for circles of each radius, and gives the places with the
// most votes and the radius that fits the most of them.
func (p *plan) candidates(g *gradient, radii []float64, h float64, most int) []board.Point {
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
			if v < 1.2 {
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
	var out []board.Point
	for _, k := range ps[:min(most, len(ps))] {
		x, y := 2*float64(k.i%cw), 2*float64(k.i/cw)
		t := board.Point{X: x - p.extent, Y: p.extent - y}
		out = append(out, t)
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
// each direction the place where that colour first ends. Beyond lie the disc's
// wall, its shadow and its neighbours, which are not asked.
func (p *plan) look(t board.Point, r, h float64) candidate {
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
		for i := range vals {
			vals[i] = float32(math.Abs(float64(chans[ch][i]) - c.colour[ch]))
		}
		c.spread = math.Max(c.spread, float64(raster.Median(vals)))
	}
	const step = 0.5
	const side = 3    // samples on each side of an edge that are compared
	const beyond = 13 // samples beyond an edge that tell what lies there: 1.5 to 8 mm
	first := s.top - reach
	var f, rise [80]float64
	var outer [3][beyond]float32
	var steps []float32
	for j := range directions {
		sn, cs := rimDirection(j)
		last := math.Max(s.top, s.hull(cs, sn)) + reach
		n := min(int((last-first)/step)+1, len(f)-2*side-beyond-2)
		ok := true
		for k := range n + 2*side {
			d := first + float64(k-side)*step
			v, in := p.at(t.X+d*cs, t.Y+d*sn)
			if !in {
				ok = false
				break
			}
			var e float64
			for ch := range 3 {
				x := float64(v[ch]) - c.colour[ch]
				e += x * x
			}
			f[k] = math.Sqrt(e)
		}
		if !ok {
			continue
		}
		most := 0.0
		for k := range n {
			var in, out float64
			for q := range side {
				in += f[k+q]
				out += f[k+side+1+q]
			}
			rise[k] = (out - in) / side
			most = math.Max(most, rise[k])
		}
		// The first clear rise, not the greatest.
		floor := math.Max(0.45*most, 1.5*p.noise)
		for k := 1; k < n-1; k++ {
			if rise[k] < floor || rise[k] < rise[k-1] || rise[k] < rise[k+1] {
				continue
			}
			at := float64(k)
			if q := rise[k-1] + rise[k+1] - 2*rise[k]; q < 0 {
				at += (rise[k-1] - rise[k+1]) / (2 * q)
			}
			w := rise[k] / (rise[k] + 2.5*p.noise)
			// A thin line parts nothing: behind it the same board goes on.
			m := 0
			for q := range beyond {
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
					x := float64(raster.Median(outer[ch][:m])) - c.colour[ch]
					e += x * x
				}
				parts = math.Min(1, math.Sqrt(e)/(0.6*rise[k]))
			}
			c.rim[j] = rimEdge{at: first + at*step, step: rise[k], weight: w, parts: parts}
			steps = append(steps, float32(rise[k]))
			break
		}
	}
	if len(steps) > 0 {
		c.contrast = float64(raster.Median(steps))
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
			w := e.weight / (1 + r*r/(scale*scale))
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
	for j := range c.rim {
		e := &c.rim[j]
		if e.weight == 0 {
			continue
		}
		sn, cs := rimDirection(j)
		e.off = off(*e, cs, sn)
		if math.Abs(e.off) < 1 {
			c.score += e.weight * e.parts / directions
			c.rms += e.off * e.off
			n++
		}
	}
	c.rms = math.Sqrt(c.rms / math.Max(n, 1))
	// A disc's top is plain beside the step at its rim.
	c.score *= math.Min(1, 1.3*c.contrast/(c.contrast+1.5*c.spread+1e-9))
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

// settle moves a candidate onto its rim.
func (p *plan) settle(t board.Point, r, h float64) candidate {
	at := t
	for _, scale := range []float64{2, 1.5, 1, 0.7} {
		c := p.look(at, r, h)
		dx, dy := c.fit(scale)
		at.X += dx
		at.Y += dy
		if math.Hypot(at.X-t.X, at.Y-t.Y) > 7 {
			c.score = 0 // it has wandered off to something else
			return c
		}
	}
	c := p.look(at, r, h)
	c.fit(0.6)
	return c
}
