package render

import "math"

// maxLights is how many lights a scene may have.
const maxLights = 4

// lamp is a Light made ready.
type lamp struct {
	at       vec
	size     float64 // as a ball of this radius it throws the same penumbra
	colour   light
	far2     float64 // squared distance to the board's centre
	facing   vec     // of a panel; zero for a ball
	u, v     vec     // across and along a panel
	half     [2]float64
	spot     float64 // cosine of the cone's half angle; -1 for none
	toCentre vec
	strength float64
}

func newLamp(l Light) lamp {
	at := from(l.At)
	out := lamp{at: at, size: l.Radius, far2: at.dot(at), spot: -1, toCentre: at.mul(-1).unit(), strength: l.Strength}
	c := l.Colour.linear()
	if y := c.luma(); y > 0 {
		c = c.mul(1 / y)
	}
	out.colour = c.mul(float32(l.Strength))
	if l.Half[0] > 0 {
		out.facing = from(l.Facing).unit()
		f := frameAlong(out.facing)
		out.u, out.v, out.half = f.x, f.y, l.Half
		out.size = math.Sqrt(l.Half[0] * l.Half[1])
	}
	if l.Spot > 0 {
		out.spot = math.Cos(l.Spot)
	}
	return out
}

// toward is the unit vector from p to the lamp, its distance, and the strength
// of its light there, square on.
func (l *lamp) toward(p vec) (d vec, dist, strength float64) {
	d = l.at.sub(p)
	dist2 := d.dot(d)
	dist = math.Sqrt(dist2)
	d = d.mul(1 / dist)
	strength = l.far2 / dist2
	if l.facing != (vec{}) {
		strength *= max(0, -d.dot(l.facing)) / max(0.05, l.facing.dot(l.toCentre))
	}
	if l.spot > -1 {
		strength *= step(l.spot-0.06, l.spot+0.06, -d.dot(l.toCentre))
	}
	return d, dist, strength
}

// hullGap is the signed distance of (x, y) from the convex hull of two circles
// a and b, and how far along from a to b its nearest point is, 0 to 1.
func hullGap(ax, ay, ar, bx, by, br, x, y float64) (gap, along float64) {
	dx, dy := bx-ax, by-ay
	d := math.Sqrt(dx*dx + dy*dy)
	px, py := x-ax, y-ay
	if grow := br - ar; d <= math.Abs(grow) { // one within the other
		if grow > 0 {
			return hypot(x-bx, y-by) - br, 1
		}
		return hypot(px, py) - ar, 0
	}
	dx, dy = dx/d, dy/d
	u, v := px*dx+py*dy, math.Abs(px*dy-py*dx)
	// The straight edge's outward normal leans by the growth of the radius.
	sin := (ar - br) / d
	cos := math.Sqrt(1 - sin*sin)
	t := u*cos - v*sin // along the straight edge, from where it leaves a
	switch long := d * cos; {
	case t <= 0:
		return hypot(u, v) - ar, 0
	case t >= long:
		return hypot(u-d, v) - br, 1
	default:
		return u*sin + v*cos - ar, t / long
	}
}

// shade is the share of the lamp's light that the solid, taken as upright,
// lets through to p.
func (s *solid) shade(p vec, l *lamp) float64 {
	high := l.at.z - p.z
	top := s.foot.z + s.h*max(0.3, s.f.z.z) + s.r*hypot(s.f.z.x, s.f.z.y) - p.z
	if top <= 1e-3 || high <= top {
		return 1
	}
	low := max(0, s.foot.z-p.z)
	k0, k1 := high/(high-low), high/(high-top)
	gap, along := hullGap(
		l.at.x+(s.foot.x-l.at.x)*k0, l.at.y+(s.foot.y-l.at.y)*k0, (s.r-0.4*s.bevel)*k0,
		l.at.x+(s.foot.x-l.at.x)*k1, l.at.y+(s.foot.y-l.at.y)*k1, (s.r-0.4*s.bevel)*k1, p.x, p.y)
	at := low + (top-low)*along
	w := max(0.1, l.size*at/(high-at))
	return step(-w, w, gap)
}

// close is how much of the sky over p the solid hides when p lies about level
// with its foot.
func (s *solid) close(p vec) float64 {
	h := s.foot.z + s.h - p.z
	if h <= 0.5 {
		return 0
	}
	gap := hypot(p.x-s.foot.x, p.y-s.foot.y) - s.r
	if gap < 0 {
		low := s.foot.z - p.z
		if low < 0.5 {
			return 0.6
		}
		return 0.6 * clamp(1-low/60, 0, 1)
	}
	return 0.5 * (1 - gap/math.Sqrt(gap*gap+h*h)) * s.r / (s.r + gap)
}

// sight is the line from a place to a lamp.
type sight struct {
	p, d vec // from p, the unit vector d
	dist float64
	size float64 // of the lamp
}

func (l *lamp) sight(p vec) sight {
	d := l.at.sub(p)
	dist := d.len()
	return sight{p, d.mul(1 / dist), dist, l.size}
}

// shade is the share of the lamp's light along s that the limb lets through.
func (l *limb) shade(s *sight) float64 {
	gap, soft, ok := l.beside(s)
	switch {
	case !ok || gap >= soft:
		return 1
	case gap <= -soft:
		return 0
	}
	return step(-soft, soft, gap)
}

// beside is how far the line of sight passes the limb by (mm, negative through
// it), and the half width there of the penumbra. It is not ok where the limb is
// not between the two.
func (l *limb) beside(s *sight) (gap, soft float64, ok bool) {
	// The closest approach of the line to the limb's axis.
	axis := l.b.sub(l.a)
	w := s.p.sub(l.a)
	aa, ad, aw, dw := axis.dot(axis), axis.dot(s.d), axis.dot(w), s.d.dot(w)
	f := 0.0
	if q := aa - ad*ad; q > 1e-9 {
		f = min(max((aw-ad*dw)/q, 0), 1)
	}
	t := f*ad - dw
	if t <= 0.01 || t >= s.dist {
		return 0, 0, false
	}
	gap = w.add(s.d.mul(t)).sub(axis.mul(f)).len() - (l.ra + (l.rb-l.ra)*f)
	return gap, max(0.3, s.size*t/(s.dist-t)), true
}

// The grid in which each light's shadows are looked up.
const (
	cellMM = 16.0
	cells  = 96
)

// shadows says where the shadows of a set of solids and limbs may fall: for
// each light, and last for the dimming near solids, cell by cell.
type shadows struct {
	solids  []solid
	limbs   []limb
	lamps   []lamp
	grid    [maxLights + 1][]uint16 // indexes into lists
	lists   [][]int32               // of solids
	covered [maxLights][]limbSet    // by which limbs
	every   limbSet                 // all of them
}

// newShadows prepares the grid for receivers down to the height low.
func newShadows(solids []solid, limbs []limb, lamps []lamp, low float64) *shadows {
	s := &shadows{solids: solids, limbs: limbs, lamps: lamps, lists: [][]int32{nil}}
	if len(solids) > 0 {
		for k := range lamps {
			s.grid[k] = make([]uint16, cells*cells)
			for i := range solids {
				b := &solids[i]
				top := b.foot.z + b.h + b.r*hypot(b.f.z.x, b.f.z.y)
				s.list(k, int32(i), castHull(&lamps[k], b.foot, b.r, b.foot, b.r, top, top, low))
			}
		}
		s.grid[maxLights] = make([]uint16, cells*cells)
		for i := range solids {
			b := &solids[i]
			s.list(maxLights, int32(i), []circle{{b.foot.x, b.foot.y, b.r + 2.5*b.h}})
		}
	}
	for i := range limbs {
		if limbs[i].part != nail { // it has the finger's own shadow
			s.every.add(i)
		}
	}
	if len(limbs) > 0 {
		inParallel(len(lamps), func(k int) {
			s.covered[k] = make([]limbSet, cells*cells)
			for i := range s.every.all() {
				b := &limbs[i]
				eachCell(castHull(&lamps[k], b.a, b.ra, b.b, b.rb, b.a.z+b.ra, b.b.z+b.rb, low), func(cell int) {
					s.covered[k][cell].add(i)
				})
			}
		})
	}
	return s
}

type circle struct{ x, y, r float64 }

// castHull is circles whose hull holds the shadow of something between two
// places on all planes between there and the plane low: two for what stands in
// one place, four otherwise.
func castHull(l *lamp, a vec, ra float64, b vec, rb, topA, topB, low float64) []circle {
	cast := func(p vec, r, top float64) circle {
		rise := min(top-low, 0.95*(l.at.z-low))
		k := (l.at.z - low) / (l.at.z - low - rise)
		w := l.size * (k - 1)
		x, y := l.at.x+(p.x-l.at.x)*k, l.at.y+(p.y-l.at.y)*k
		if a == b { // upright: its top casts a circle
			return circle{x, y, r*k + w}
		}
		return l.stretched(p, r, circle{x, y, r*k + w}, low)
	}
	if a == b {
		return []circle{{a.x, a.y, ra}, cast(a, ra, topA)}
	}
	return []circle{{a.x, a.y, ra}, {b.x, b.y, rb}, cast(a, ra, topA), cast(b, rb, topB)}
}

// stretched is the circle, on the plane low, that holds what is left of a ball's
// shadow beyond its middle: round under a high lamp, the longer away from it the
// lower the lamp. c is as the shadow would be under a lamp straight above.
func (l *lamp) stretched(p vec, r float64, c circle, low float64) circle {
	ball := limb{a: p, b: p, ra: r, rb: r}
	dx, dy := c.x-l.at.x, c.y-l.at.y
	d := max(1e-9, hypot(dx, dy))
	dx, dy = dx/d, dy/d
	far := c.r
	for far < cells*cellMM {
		s := l.sight(vec{c.x + dx*far, c.y + dy*far, low})
		if ball.shade(&s) >= 0.997 {
			break
		}
		far += cellMM
	}
	off := (far - c.r) / 2
	return circle{c.x + dx*off, c.y + dy*off, c.r + off}
}

// list notes in layer k that a solid may darken what is in a hull of circles.
func (s *shadows) list(k int, who int32, hull []circle) {
	eachCell(hull, func(cell int) {
		at := &s.grid[k][cell]
		if *at == 0 {
			if len(s.lists) == math.MaxUint16 {
				return
			}
			s.lists = append(s.lists, nil)
			*at = uint16(len(s.lists) - 1)
		}
		s.lists[*at] = append(s.lists[*at], who)
	})
}

// eachCell calls do for the cells that a hull of circles touches.
func eachCell(hull []circle, do func(cell int)) {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, c := range hull {
		x0, y0 = min(x0, c.x-c.r), min(y0, c.y-c.r)
		x1, y1 = max(x1, c.x+c.r), max(y1, c.y+c.r)
	}
	i0, j0 := max(0, cellOf(x0)), max(0, cellOf(y0))
	i1, j1 := min(cells-1, cellOf(x1)), min(cells-1, cellOf(y1))
	touched := func(i, j, n int) bool { // the n × n cells from (i, j)
		half := float64(n) / 2
		return nearHull(hull, (float64(i)+half-cells/2)*cellMM, (float64(j)+half-cells/2)*cellMM, cellMM*1.5*half)
	}
	const block = 4
	for j := j0; j <= j1; j += block {
		for i := i0; i <= i1; i += block {
			if !touched(i, j, block) {
				continue
			}
			for y := j; y <= min(j1, j+block-1); y++ {
				for x := i; x <= min(i1, i+block-1); x++ {
					if touched(x, y, 1) {
						do(y*cells + x)
					}
				}
			}
		}
	}
}

func cellOf(mm float64) int {
	return int(math.Floor(clamp(mm/cellMM, -cells, cells))) + cells/2
}

// nearHull says whether (x, y) is within reach of the hull of one circle, of
// two, or of four that are the corners of a quadrangle in the order of castHull.
func nearHull(hull []circle, x, y, reach float64) bool {
	near := func(i, j int) bool {
		a, b := &hull[i], &hull[j]
		gap, _ := hullGap(a.x, a.y, a.r, b.x, b.y, b.r, x, y)
		return gap < reach
	}
	switch len(hull) {
	case 1:
		return near(0, 0)
	case 2:
		return near(0, 1)
	}
	if near(0, 1) || near(2, 3) || near(0, 2) || near(1, 3) {
		return true
	}
	// Inside the quadrangle, and so beside none of its sides.
	side := func(i, j int) float64 {
		return (hull[j].x-hull[i].x)*(y-hull[i].y) - (hull[j].y-hull[i].y)*(x-hull[i].x)
	}
	a, b, c, d := side(0, 1), side(1, 3), side(3, 2), side(2, 0)
	return a >= 0 && b >= 0 && c >= 0 && d >= 0 || a <= 0 && b <= 0 && c <= 0 && d <= 0
}

// cell is where p is in the grid, -1 outside it.
func cell(p vec) int {
	x, y := p.x*(1/cellMM)+cells/2, p.y*(1/cellMM)+cells/2
	if !(x >= 0 && y >= 0 && x < cells && y < cells) {
		return -1
	}
	return int(y)*cells + int(x)
}

// at is the solids that layer k lists in a cell.
func (s *shadows) at(k, cell int) []int32 {
	if cell < 0 || s.grid[k] == nil {
		return nil
	}
	return s.lists[s.grid[k][cell]]
}

// covering is the limbs that may take light k from a cell.
func (s *shadows) covering(k, cell int) limbSet {
	switch {
	case cell < 0:
		return s.every
	case s.covered[k] == nil:
		return limbSet{}
	}
	return s.covered[k][cell]
}

// through is the share of light k that reaches p. The solid self does not
// count, and limbs only when they are asked for.
func (s *shadows) through(k int, p vec, self int32, limbs bool) float64 {
	v := s.bySolids(k, p, self)
	if limbs && v > 0 {
		v *= s.byLimbs(k, p, s.covering(k, cell(p)))
	}
	return v
}

// bySolids is the share of light k that solids other than self let through to p.
func (s *shadows) bySolids(k int, p vec, self int32) float64 {
	v := 1.0
	for _, who := range s.at(k, cell(p)) {
		if who != self {
			if v *= s.solids[who].shade(p, &s.lamps[k]); v < 0.003 {
				return 0
			}
		}
	}
	return v
}

// byLimbs is the share of light k that some of the limbs let through to p. They
// overlap one another, so the darkest one decides.
func (s *shadows) byLimbs(k int, p vec, some limbSet) float64 {
	if some == (limbSet{}) {
		return 1
	}
	v, line := 1.0, s.lamps[k].sight(p)
	for i := range some.all() {
		if v = min(v, s.limbs[i].shade(&line)); v < 0.003 {
			return 0
		}
	}
	return v
}

// sky is the share of the light from everywhere that reaches p.
func (s *shadows) sky(p vec, self int32) float64 {
	v := 1.0
	for _, who := range s.at(maxLights, cell(p)) {
		if who != self {
			v *= 1 - s.solids[who].close(p)
		}
	}
	return v
}
