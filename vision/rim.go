package vision

import (
	"math"

	"crokcam/board"
	"crokcam/internal/raster"
)

const (
	directions = 64  // in which a disc's rim is looked at
	rayStep    = 0.5 // mm from sample to sample along a ray
	side       = 2   // samples on each side of an edge that are compared
	maxRay     = 112 // samples on a ray
	maxEdges   = 16  // that are kept of a ray
)

// A disc's top is plain up to its bevel, which may be lit as the top is not.
// The edge that is seen is the bevel's inner or its outer one.
const (
	bevel  = 1.1       // mm wide
	grown  = 0.4       // mm: how much a disc may be larger or smaller than expected
	quiet  = 2 * bevel // mm inside the rim, from where on no edge is expected
	within = 2.8       // mm: how much further inside none is
)

// edge is where the colour changes along a ray.
type edge struct {
	at     float64 // mm from the top's centre
	step   float64 // of colour, grey levels
	weight float64 // 0 to 1: how clear it is
	trust  float64 // 0 to 1: less where a printed ring is as likely the edge
}

// edges is what a candidate's surroundings look like, ray by ray.
type edges struct {
	of    [directions][maxEdges]edge
	n     [directions]int
	hull  [directions]float64 // mm to where the silhouette ends
	top   float64             // mm to where the top's rim is expected
	first float64             // mm to the first sample
	blind int                 // rays that leave the picture
}

// rimEdge is where the top's colour ends in one direction.
type rimEdge struct {
	edge          // weight 0: not found
	parts float64 // 0 to 1: how much the board beyond differs from the top
	off   float64 // mm outside the model, after fitting
}

// look measures a candidate where it stands: the colour of its top, and in
// each direction the places where the colour changes, from well inside the
// rim to slack mm beyond it, or beyond the foot where that looks out from
// below.
func (p *plan) look(t board.Point, r, h, mark, slack float64) (c candidate, e edges) {
	c = candidate{top: t, shape: p.shape(p.footUnder(t, h), r, h)}
	s := &c.shape
	c.tone = p.topTone(t, 0.7, r, mark)
	if c.n == 0 {
		e.blind = directions
		return c, e
	}
	e.top = s.top
	e.first = math.Max(1, s.top-quiet-within-slack)
	var ray [maxRay][3]float32
	var rise [maxRay]float64
	for j := range directions {
		sn, cs := rimDirection(j)
		e.hull[j] = s.hull(cs, sn)
		n := min(int((e.hull[j]+grown+slack+1-e.first)/rayStep)+1, maxRay-2*side)
		ok := true
		for k := range n + 2*side {
			d := e.first + float64(k-side)*rayStep
			v, in := p.at(t.X+d*cs, t.Y+d*sn)
			if !in {
				ok = false
				break
			}
			ray[k] = v
		}
		if !ok {
			e.blind++
			continue
		}
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
		for k := 1; k < n-1 && e.n[j] < maxEdges; k++ {
			if rise[k] < p.noise || rise[k] < rise[k-1] || rise[k] < rise[k+1] {
				continue
			}
			x := float64(k)
			if q := rise[k-1] + rise[k+1] - 2*rise[k]; q < 0 {
				x += (rise[k-1] - rise[k+1]) / (2 * q)
			}
			d := e.first + x*rayStep
			g := edge{at: d, step: rise[k], weight: rise[k] / (rise[k] + 2.5*p.noise), trust: 1}
			if p.printed(t.X+d*cs, t.Y+d*sn) {
				g.trust = 0.15
			}
			e.of[j][e.n[j]] = g
			e.n[j]++
		}
	}
	return c, e
}

// seek finds where the disc stands near the middle of the rays, up to slack mm
// away: where most of its rim lies on edges, and no edge inside it. The latter
// parts a disc from disc and shadow together, which is as round.
func (e *edges) seek(slack float64) (dx, dy, grow float64) {
	if e.blind > directions/2 {
		return 0, 0, 0
	}
	const bin = 0.25
	const bins = 2 * maxRay
	var reward, inside [directions][bins]float32
	for j := range directions {
		for _, g := range e.of[j][:e.n[j]] {
			w := float32(g.weight * g.trust)
			mid := (g.at - e.first) / bin
			for q := max(0, int(mid-soft/bin)); q <= min(bins-1, int(mid+soft/bin)); q++ {
				x := float32((float64(q) - mid) * bin / soft)
				reward[j][q] = max(reward[j][q], w*(1-x*x))
			}
			for q := max(0, int(mid+quiet/bin)); q <= min(bins-1, int(mid+(quiet+within)/bin)); q++ {
				inside[j][q] = max(inside[j][q], float32(g.weight))
			}
		}
	}
	best := math.Inf(-1)
	for y := -slack; y <= slack; y++ {
		for x := -slack; x <= slack; x++ {
			for g := -grown; g <= grown; g += 0.4 {
				var sum float32
				for j := range directions {
					if e.n[j] == 0 {
						continue
					}
					along := x*directionCos[j] + y*directionSin[j]
					q := int((e.top+g+along-e.first)/bin + 0.5)
					if q < 0 || q >= bins {
						continue
					}
					v := reward[j][q]
					if k := q - int(math.Round(bevel/bin)); k >= 0 {
						v = max(v, 0.8*reward[j][k])
					}
					if e.hull[j] > e.top+1 {
						if k := int((e.hull[j]+g+along-e.first)/bin + 0.5); k >= 0 && k < bins {
							v = max(v, 0.9*reward[j][k])
						}
					}
					sum += v - 0.6*inside[j][q]
				}
				m := float64(sum)/directions - 0.02*math.Abs(g) - 0.002*(x*x+y*y)
				if m > best {
					best, dx, dy, grow = m, x, y, g
				}
			}
		}
	}
	return dx, dy, grow
}

// soft is how far from its place an edge still counts for the rim, mm.
const soft = 1.5

// rimDirection is the unit vector (cos, sin) of a direction, sine first.
func rimDirection(j int) (sn, cs float64) {
	return directionSin[j], directionCos[j]
}

var directionSin, directionCos = func() (s, c [directions]float64) {
	for j := range directions {
		s[j], c[j] = math.Sincos(2 * math.Pi * (float64(j) + 0.5) / directions)
	}
	return s, c
}()

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
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return math.Sqrt(x*x + y*y + z*z)
}

// fit finds by how much the top has to move for its rim to lie on the edges,
// by robust least squares with the given scale (mm) from a first guess, and
// which edges those are. Where the wall has the top's colour the rim is the foot's.
func (c *candidate) fit(e *edges, dx, dy, scale float64) (x, y float64) {
	s := &c.shape
	choose := func(j int) (g edge, off float64) {
		sn, cs := rimDirection(j)
		along := dx*cs + dy*sn + c.grow
		best := 0.0
		for _, q := range e.of[j][:e.n[j]] {
			for k, rim := range [3]float64{s.top, e.hull[j], s.top - bevel} {
				r := q.at - rim - along
				v := q.weight * q.trust / (1 + r*r/(scale*scale))
				if k == 1 {
					if rim < s.top+1 {
						continue
					}
					v *= 0.9
				}
				if k == 2 {
					v *= 0.8
				}
				if v > best {
					best, g, off = v, q, r
				}
			}
		}
		return g, off
	}
	start := c.grow
	for range 8 {
		var a [3][3]float64
		var b [3]float64
		for j := range directions {
			g, r := choose(j)
			if g.weight == 0 {
				continue
			}
			sn, cs := rimDirection(j)
			w := g.weight * g.trust / (1 + r*r/(scale*scale))
			row := [3]float64{cs, sn, 1}
			for i := range 3 {
				b[i] += w * row[i] * r
				for k := range 3 {
					a[i][k] += w * row[i] * row[k]
				}
			}
		}
		// The radius is nearly known: it is held near where it was.
		hold := 0.15 * (a[0][0] + a[1][1])
		a[2][2] += hold
		b[2] -= hold * (c.grow - start)
		for i := range 2 {
			a[i][i] += 1e-3
		}
		d, ok := solve3(a, b)
		if !ok {
			break
		}
		dx += d[0]
		dy += d[1]
		c.grow += d[2]
		if math.Abs(d[0])+math.Abs(d[1])+math.Abs(d[2]) < 0.01 {
			break
		}
	}
	for j := range c.rim {
		g, off := choose(j)
		c.rim[j] = rimEdge{edge: g, parts: 1, off: off}
	}
	return dx, dy
}

// beyond looks what lies around a candidate: a thin line parts nothing, for
// behind it the same board goes on.
func (p *plan) beyond(c *candidate) {
	const samples = 13 // 1.5 to 8 mm
	var outer [3][samples]float32
	var around [3][directions]float32
	n := 0
	for j := range c.rim {
		e := &c.rim[j]
		if e.weight == 0 {
			continue
		}
		sn, cs := rimDirection(j)
		m := 0
		for q := range samples {
			d := e.at + float64(q+3)*0.5
			if v, in := p.at(c.top.X+d*cs, c.top.Y+d*sn); in {
				for ch := range 3 {
					outer[ch][m] = v[ch]
				}
				m++
			}
		}
		if m <= 2 {
			continue
		}
		var off float64
		for ch := range 3 {
			mid := raster.Median(outer[ch][:m])
			around[ch][n] = mid
			x := float64(mid) - c.colour[ch]
			off += x * x
		}
		n++
		e.parts = math.Min(1, math.Sqrt(off)/(0.6*e.step))
	}
	for ch := range 3 {
		if n > 0 {
			c.beside[ch] = float64(raster.Median(around[ch][:n]))
		}
	}
}

// judge says how well the candidate's rim is where it ought to be.
func (c *candidate) judge() {
	var steps [directions]float32
	n := 0
	for _, e := range c.rim {
		if e.weight > 0 {
			steps[n] = float32(e.step)
			n++
		}
	}
	c.fits, c.rms, c.stained = 0, 0, 0
	if n == 0 {
		return
	}
	c.contrast = float64(raster.Median(steps[:n]))
	for _, v := range c.odd[:c.n] {
		if float64(v) > 0.5*c.contrast+c.spread {
			c.stained += 1 / float64(c.n)
		}
	}
	var hits, asked float64
	for _, e := range c.rim {
		if e.weight == 0 {
			asked++
			continue
		}
		asked += e.trust
		if math.Abs(e.off) < 1 {
			c.fits += e.weight * e.parts * e.trust
			c.rms += e.off * e.off
			hits++
		}
	}
	c.fits /= math.Max(asked, directions/2)
	c.rms = math.Sqrt(c.rms / math.Max(hits, 1))
	// A disc's top is plain beside the step at its rim.
	c.fits *= math.Min(1, 1.3*c.contrast/(c.contrast+1.5*c.spread+1e-9))
	c.fits *= 1 - 2*math.Min(0.5, math.Max(0, c.stained-0.06))
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
