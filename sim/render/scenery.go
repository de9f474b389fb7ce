package render

import (
	"math"

	"crokcam/board"
)

// kind is what a ray met.
type kind uint8

const (
	nothing kind = iota
	surface
	holeWall
	holeFloor
	surfaceWall // the side of the playing surface, in the ditch
	ditch
	railInner
	railTop
	railOuter
	table
	floor
	paper   // a sheet or a phone, flat on the table
	post    // index: which
	thing   // index: which
	disc    // index: which
	handKin // index: which limb
)

// wide says whether a kind is one surface without gaps over several pixels.
func (k kind) wide() bool { return k != nothing && k != post && k != thing }

// scenery is everything in a scene that does not move, made ready.
type scenery struct {
	scene  *Scene
	spec   board.Spec
	lamps  []lamp
	fill   light
	rail   *outline
	inner  float64 // of the rail, mm
	outer  float64
	tableZ float64
	solids []solid // posts, then things
	kinds  []kind
	index  []int
	still  *shadows // of the solids
	print  *printing
}

func newScenery(s *Scene) *scenery {
	st := &scenery{scene: s, spec: s.Board, print: newPrinting(s)}
	for _, l := range s.Lights {
		st.lamps = append(st.lamps, newLamp(l))
	}
	fill := s.Ambient.linear()
	if y := fill.luma(); y > 0 {
		fill = fill.mul(1 / y)
	}
	st.fill = fill.mul(float32(s.Fill))
	st.rail = newOutline(s.Look.Shape == OctagonRail, s.Look.RailMM.Turn)
	st.inner = s.Board.Surface + s.Board.Ditch
	st.outer = st.inner + s.Look.RailMM.Width
	st.tableZ = -s.Look.RailMM.DitchDepth - s.Look.RailMM.Base
	for i, c := range s.Board.PostCentres() {
		r := s.Board.Posts.Diameter / 2
		bevel := 0.55 * r
		if k := s.Look.Posts; k == RubberBlack || k == RubberBrown || k == RubberWhite {
			bevel = 0.2 * r
		}
		st.add(post, i, solid{foot: vec{c.X, c.Y, 0}, r: r, h: max(s.Board.Posts.Height, 2*bevel+0.1), bevel: bevel})
	}
	for i, t := range s.Things {
		foot := vec{t.At[0], t.At[1], st.tableZ}
		switch t.Kind {
		case Coin:
			st.add(thing, i, solid{foot: foot, r: t.Size, h: 2, bevel: 0.3})
		case Mug:
			st.add(thing, i, solid{foot: foot, r: t.Size, h: 95, bevel: 2})
		case Cup:
			st.add(thing, i, solid{foot: foot, r: t.Size, h: 45, bevel: 1})
		}
	}
	st.still = newShadows(st.solids, nil, st.lamps, st.tableZ)
	return st
}

func (st *scenery) add(k kind, index int, s solid) {
	s.up, s.f = true, frame{vec{1, 0, 0}, vec{0, 1, 0}, vec{0, 0, 1}}
	st.solids = append(st.solids, s)
	st.kinds = append(st.kinds, k)
	st.index = append(st.index, index)
}

// hit is where a ray ends.
type hit struct {
	meet
	kind  kind
	index int
	p     vec
}

// ground is where a ray from above meets what the scenery is built of, posts and
// things left out.
func (st *scenery) ground(r ray) hit {
	h := hit{kind: nothing}
	h.t = math.Inf(1)
	if r.d.z > -1e-6 {
		return h
	}
	z := func(height float64) float64 { return (height - r.o.z) / r.d.z }
	set := func(k kind, t float64, n vec) hit {
		h.kind, h.t, h.n = k, t, n
		h.p = r.at(t)
		return h
	}
	up := vec{0, 0, 1}
	size := &st.scene.Look.RailMM
	top := z(size.Height)
	p := r.at(top)
	e := st.rail.size(p.x, p.y)
	if e >= st.outer {
		// Outside: down to the table, unless the rail stands in the way.
		down := z(st.tableZ)
		if in, _, ok := st.rail.span(r, st.outer); ok && in > top && in < down {
			q := r.at(in)
			return set(railOuter, in, st.rail.out(q.x, q.y))
		}
		return st.onTable(r, set, z)
	}
	if e >= st.inner {
		n := up
		if edge := min(e-st.inner, st.outer-e); edge < 2.5 {
			// Rounded edges.
			lean := (1 - edge/2.5) * 0.9
			if e-st.inner < st.outer-e {
				lean = -lean
			}
			n = up.add(st.rail.out(p.x, p.y).mul(lean)).unit()
		}
		return set(railTop, top, n)
	}
	// Inside: the playing surface, or past its edge down into the ditch.
	_, wall, _ := st.rail.span(r, st.inner)
	plane := z(0)
	if wall < plane {
		q := r.at(wall)
		return set(railInner, wall, st.rail.out(q.x, q.y).mul(-1))
	}
	q := r.at(plane)
	rho := hypot(q.x, q.y)
	circle := outline{}
	switch {
	case rho < st.spec.Hole.Radius:
		deep := z(-st.spec.Hole.Depth)
		if _, out, ok := circle.span(r, st.spec.Hole.Radius); ok && out < deep {
			w := r.at(out)
			return set(holeWall, out, vec{-w.x, -w.y, 0}.unit())
		}
		return set(holeFloor, deep, up)
	case rho < st.spec.Surface:
		n := up
		if edge := st.spec.Surface - rho; edge < 1.2 {
			n = up.add(vec{q.x, q.y, 0}.unit().mul(1 - edge/1.2)).unit()
		}
		return set(surface, plane, n)
	}
	deep := z(-size.DitchDepth)
	if in, _, ok := circle.span(r, st.spec.Surface); ok && in > plane && in < deep {
		w := r.at(in)
		return set(surfaceWall, in, vec{w.x, w.y, 0}.unit())
	}
	if wall < deep {
		w := r.at(wall)
		return set(railInner, wall, st.rail.out(w.x, w.y).mul(-1))
	}
	return set(ditch, deep, up)
}

// onTable is where a ray ends on the table, on what lies flat on it, or on the
// floor beyond.
func (st *scenery) onTable(r ray, set func(kind, float64, vec) hit, z func(float64) float64) hit {
	t := z(st.tableZ)
	p := r.at(t)
	look := &st.scene.Look
	s, c := math.Sincos(look.TableAt[2])
	dx, dy := p.x-look.TableAt[0], p.y-look.TableAt[1]
	if u, v := c*dx+s*dy, -s*dx+c*dy; math.Abs(u) > look.TableTop[0] || math.Abs(v) > look.TableTop[1] {
		return set(floor, z(st.tableZ-720), vec{0, 0, 1})
	}
	for i := range st.scene.Things {
		th := &st.scene.Things[i]
		if _, _, on := th.flat(p); on {
			h := set(paper, t, vec{0, 0, 1})
			h.index = i
			return h
		}
	}
	return set(table, t, vec{0, 0, 1})
}

// flat is a place in the frame of a thing that lies flat, if it lies there.
func (t *Thing) flat(p vec) (u, v float64, on bool) {
	if t.Kind != Phone && t.Kind != Sheet {
		return 0, 0, false
	}
	s, c := math.Sincos(t.Turn)
	dx, dy := p.x-t.At[0], p.y-t.At[1]
	u, v = c*dx+s*dy, -s*dx+c*dy
	ratio := 0.5
	if t.Kind == Sheet {
		ratio = 0.71
	}
	return u, v, math.Abs(u) <= t.Size && math.Abs(v) <= t.Size*ratio
}

// walls is the share of lamp l's light that board and rail let through to p,
// which was met as k.
func (st *scenery) walls(k kind, p vec, l *lamp) float64 {
	d := l.at.sub(p)
	dist := d.len()
	d = d.mul(1 / dist)
	if d.z <= 0 {
		return 0
	}
	r := ray{p, d}
	v := 1.0
	// past is how much light passes over an edge of height edge that the way
	// to the lamp crosses at t.
	past := func(t, edge float64) {
		if t <= 1e-3 || t >= dist {
			return
		}
		w := max(0.15, l.size*t/(dist-t))
		v *= step(-w, w, p.z+t*d.z-edge)
	}
	circle := outline{}
	size := &st.scene.Look.RailMM
	switch k {
	case table, floor, paper, railOuter, thing:
		if in, _, ok := st.rail.span(r, st.outer); ok {
			past(in, size.Height)
		}
		return v
	case railTop:
		return 1
	}
	if p.z < size.Height {
		if _, out, ok := st.rail.span(r, st.inner); ok {
			past(out, size.Height)
		}
	}
	if p.z < 0 {
		if p.x*p.x+p.y*p.y < st.spec.Hole.Radius*st.spec.Hole.Radius*1.0001 {
			if _, out, ok := circle.span(r, st.spec.Hole.Radius); ok {
				past(out, 0)
			}
		} else if in, _, ok := circle.span(r, st.spec.Surface); ok {
			past(in, 0)
		}
	}
	return v
}

// shut is the share of the light from everywhere that reaches a place met as k.
func (st *scenery) shut(k kind, p vec) float64 {
	size := &st.scene.Look.RailMM
	beside := func(gap, high float64) float64 {
		if high <= 0 {
			return 1
		}
		gap = max(gap, 0)
		return 1 - 0.5*(1-gap/math.Sqrt(gap*gap+high*high))
	}
	switch k {
	case holeWall, holeFloor:
		rho := hypot(p.x, p.y)
		return beside(st.spec.Hole.Radius-rho, -p.z) * beside(st.spec.Hole.Radius+rho, -p.z)
	case table, paper, floor:
		return beside(st.rail.size(p.x, p.y)-st.outer, size.Height-p.z)
	case railOuter:
		return 0.6
	case post, railTop, thing:
		return 1
	}
	v := beside(st.inner-st.rail.size(p.x, p.y), size.Height-p.z)
	if p.z < 0 {
		v *= beside(hypot(p.x, p.y)-st.spec.Surface, -p.z)
	}
	return v
}
