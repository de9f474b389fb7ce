package sim_test

import (
	"math"

	"crokcam/board"
	"crokcam/sim"
)

// stepper is a second computation of a shot, by tiny steps and with none of the
// code of the first: it goes forward by a fixed time, looks whether anything
// overlaps, and halves its way back to the moment of the overlap.
type stepper struct {
	s    board.Spec
	p    sim.Params
	step float64
	now  float64
	d    []stepped
	full bool // the hole
}

type stepped struct {
	x, y, vx, vy, spin float64
	slow               float64
	where              sim.Where
	over, fell         float64 // since when it tips, or falls; 0 when it does not
	passed, airborne   bool
	low                bool
	back               bool
	kept               float64 // spin over the root of the speed, while it fades with the speed
	even               bool
	above              map[int]bool
	sinkX, sinkY, sunk float64 // velocity on the way to the middle of the hole, and when it is there
}

func (d *stepped) speed() float64 { return math.Hypot(d.vx, d.vy) }

const gravity = 1000 // per m/s²

func newStepper(s board.Spec, p sim.Params, step float64, start sim.Setup, shot sim.Shot) *stepper {
	w := &stepper{s: s, p: p, step: step}
	for _, d := range start.Board.Discs {
		w.d = append(w.d, stepped{x: d.X, y: d.Y, even: true, where: map[board.Rest]sim.Where{
			board.OnSurface: sim.OnSurface, board.InHole: sim.InHole, board.Leaning: sim.Leaning}[d.Rest]})
		w.full = w.full || d.Rest == board.InHole
	}
	n := len(w.d)
	w.d = append(w.d, stepped{x: shot.From.X, y: shot.From.Y})
	for _, d := range start.Ditch {
		w.d = append(w.d, stepped{x: d.X, y: d.Y, where: sim.InDitch, even: true})
	}
	w.set(n, shot.Speed*math.Cos(shot.Heading), shot.Speed*math.Sin(shot.Heading), shot.Spin)
	return w
}

func (w *stepper) g() float64 { return gravity * w.p.Gravity }
func (w *stepper) r() float64 { return w.s.Disc.Radius }
func (w *stepper) mu(d *stepped) float64 {
	if d.where == sim.InDitch {
		return w.p.Ditch.Friction
	}
	return w.p.Surface.Friction
}

// set gives a disc a velocity and a spin.
func (w *stepper) set(i int, vx, vy, spin float64) {
	d := &w.d[i]
	if d.where == sim.InDitch && !d.airborne && !d.back && math.Hypot(vx, vy) < 5 {
		vx, vy, spin = 0, 0, 0
	}
	d.vx, d.vy, d.spin = vx, vy, spin
	d.slow = w.mu(d) * w.g()
	if d.airborne || d.back {
		d.slow = 0
	}
	v := d.speed()
	d.even = math.Abs(spin)*w.r() > v || v == 0
	if !d.even {
		d.kept = spin / math.Sqrt(v)
	}
	if d.where == sim.OnSurface || d.where == sim.Leaning {
		if v > 0 {
			d.where = sim.OnSurface
		}
		switch {
		case !w.tips(d):
			d.over, d.passed = 0, false
		case d.over == 0 && v > 0:
			d.over, d.passed = w.now, false
		}
	}
}

func (w *stepper) tipRadius() float64 {
	return math.Sqrt(w.s.Hole.Radius*w.s.Hole.Radius - w.r()*w.r())
}

func (w *stepper) tips(d *stepped) bool {
	return !w.full && d.where == sim.OnSurface && math.Hypot(d.x, d.y) < w.tipRadius()
}

// forward moves one disc on by a time.
func (w *stepper) forward(d stepped, dt float64) stepped {
	if d.sunk > 0 {
		d.x += d.sinkX * dt
		d.y += d.sinkY * dt
		return d
	}
	v := d.speed()
	if v > 0 {
		t := dt
		if d.slow > 0 {
			t = math.Min(dt, v/d.slow)
		}
		after := v - d.slow*t
		if d.slow > 0 && t < dt {
			after = 0
		}
		s := (v + after) / 2 * t
		d.x, d.y = d.x+s*d.vx/v, d.y+s*d.vy/v
		d.vx, d.vy = d.vx*after/v, d.vy*after/v
		if !d.even {
			d.spin = d.kept * math.Sqrt(after)
		}
	}
	if d.even && !d.airborne && !d.back {
		fade := 4 * w.mu(&d) * w.g() / (3 * w.r()) * dt
		d.spin = math.Copysign(math.Max(0, math.Abs(d.spin)-fade), d.spin)
	}
	return d
}

func (w *stepper) ahead(dt float64) []stepped {
	out := make([]stepped, len(w.d))
	for i := range w.d {
		out[i] = w.forward(w.d[i], dt)
	}
	return out
}

type breach struct {
	kind string
	i, j int
}

func (w *stepper) meet(a, b *stepped, j int, at float64) bool {
	low, high := a.where == sim.InDitch && !a.back, b.where == sim.InDitch && !b.back
	switch {
	case low && high:
		over := a.airborne && !a.low && !b.airborne || b.airborne && !b.low && !a.airborne
		return !over && !a.above[j]
	case low != high:
		if high {
			a = b
		}
		return a.airborne && w.g()*(at-a.fell)*(at-a.fell)/2 <= w.s.Disc.Thickness
	}
	return true
}

// breach finds something at the given moment that must not be.
func (w *stepper) breach(d []stepped, at float64) (breach, bool) {
	for i := range d {
		a := &d[i]
		if a.sunk > 0 {
			if at >= a.sunk {
				return breach{"sunk", i, 0}, true
			}
		}
		moving := a.speed() > 0
		rr := math.Hypot(a.x, a.y)
		out := (a.x*a.vx + a.y*a.vy) > 0
		if moving && a.where == sim.OnSurface {
			if rr > w.s.Surface && out {
				return breach{"edge", i, 0}, true
			}
			for k, q := range w.s.PostCentres() {
				if dx, dy := q.X-a.x, q.Y-a.y; math.Hypot(dx, dy) < w.r()+w.s.Posts.Diameter/2 && dx*a.vx+dy*a.vy > 0 {
					return breach{"post", i, k}, true
				}
			}
		}
		if a.where == sim.OnSurface && !w.full && (moving || w.d[i].speed() > 0) {
			switch {
			case a.over == 0 && !a.passed && rr < w.tipRadius():
				return breach{"hole", i, 0}, true
			case a.over == 0 && a.passed && rr >= w.tipRadius():
				return breach{"clear", i, 0}, true
			case a.over > 0 && w.g()*(at-a.over)*(at-a.over)/2 >= w.p.Hole.Catch:
				return breach{"sink", i, 0}, true
			case a.over > 0 && moving && w.toLip(a) <= 0:
				return breach{"lip", i, 0}, true
			case a.over > 0 && rr >= w.tipRadius():
				return breach{"clear", i, 0}, true
			}
		}
		if a.where == sim.OnSurface && !moving && w.d[i].speed() > 0 && rr < w.tipRadius() && !w.full {
			return breach{"hang", i, 0}, true
		}
		if a.where == sim.InDitch {
			switch {
			case a.back && rr < w.s.Surface:
				return breach{"back", i, 0}, true
			case a.airborne && !a.low && w.g()*(at-a.fell)*(at-a.fell)/2 >= w.p.Ditch.Depth-w.s.Disc.Thickness:
				return breach{"low", i, 0}, true
			case a.airborne && w.g()*(at-a.fell)*(at-a.fell)/2 >= w.p.Ditch.Depth:
				return breach{"land", i, 0}, true
			case moving && !a.back && rr > w.s.Surface+w.s.Ditch-w.r() && out:
				return breach{"rail", i, 0}, true
			case moving && !a.back && a.x*a.vx+a.y*a.vy < 0 && rr < w.s.Surface+w.r():
				return breach{"wall", i, 0}, true
			}
		}
		for j := i + 1; j < len(d); j++ {
			b := &d[j]
			dx, dy := b.x-a.x, b.y-a.y
			if dx*dx+dy*dy >= 4*w.r()*w.r() || !w.meet(a, b, j, at) {
				continue
			}
			if closing(a, b) > 0 {
				return breach{"disc", i, j}, true
			}
		}
	}
	return breach{}, false
}

func (d *stepped) velocity() (float64, float64) {
	if d.sunk > 0 {
		return d.sinkX, d.sinkY
	}
	return d.vx, d.vy
}

func closing(a, b *stepped) float64 {
	ax, ay := a.velocity()
	bx, by := b.velocity()
	dx, dy := b.x-a.x, b.y-a.y
	return ((ax-bx)*dx + (ay-by)*dy) / math.Hypot(dx, dy)
}

// toLip is how far the centre still has to go until the leading edge meets the
// hole's far lip.
func (w *stepper) toLip(d *stepped) float64 {
	v := d.speed()
	ux, uy := d.vx/v, d.vy/v
	along := -(d.x*ux + d.y*uy)
	aside := d.x*uy - d.y*ux
	play := w.s.Hole.Radius - w.r()
	if room := play*play - aside*aside; room > 0 {
		along += math.Sqrt(room)
	}
	return along
}

// run goes on until nothing moves, and gives the discs.
func (w *stepper) run() []stepped {
	for w.busy() && w.now < 60 {
		next := w.ahead(w.step)
		if _, wrong := w.breach(next, w.now+w.step); !wrong {
			w.d, w.now = next, w.now+w.step
			continue
		}
		lo, hi := 0.0, w.step
		if _, already := w.breach(w.ahead(0), w.now); already {
			hi = 0
		}
		for hi-lo > 1e-15 {
			mid := (lo + hi) / 2
			if mid <= lo || mid >= hi {
				break
			}
			if _, wrong := w.breach(w.ahead(mid), w.now+mid); wrong {
				hi = mid
			} else {
				lo = mid
			}
		}
		d := w.ahead(hi)
		b, _ := w.breach(d, w.now+hi)
		w.d, w.now = d, w.now+hi
		w.resolve(b)
	}
	return w.d
}

func (w *stepper) busy() bool {
	for i := range w.d {
		d := &w.d[i]
		if d.speed() > 0 || d.spin != 0 || d.sunk > 0 || d.airborne {
			return true
		}
	}
	return false
}

func (w *stepper) resolve(b breach) {
	d := &w.d[b.i]
	rr := math.Hypot(d.x, d.y)
	v := d.speed()
	switch b.kind {
	case "disc":
		w.collide(b.i, b.j)
	case "post":
		q := w.s.PostCentres()[b.j]
		l := math.Hypot(q.X-d.x, q.Y-d.y)
		w.reflect(b.i, (q.X-d.x)/l, (q.Y-d.y)/l, w.p.Posts, 0)
	case "hole":
		d.over = w.now
	case "clear":
		d.over, d.passed = 0, false
	case "lip":
		fallen := w.g() * (w.now - d.over) * (w.now - d.over) / 2
		k := math.Sqrt(math.Max(0, 1-fallen/w.p.Hole.Catch))
		w.set(b.i, d.vx*k, d.vy*k, d.spin)
		d.over, d.passed = 0, true
	case "sink":
		late := math.Inf(1)
		if v > 0 {
			late = math.Max(0, w.toLip(d)) / v
		}
		just := math.Sqrt(2*w.p.Hole.Catch*(1+w.p.Hole.Lean)/w.g()) - math.Sqrt(2*w.p.Hole.Catch/w.g())
		if late < just && rr > w.s.Hole.Radius-w.r() || rr > w.tipRadius()*(1-w.p.Hole.Lean) {
			w.lean(d)
		} else {
			w.drop(d)
		}
	case "hang":
		if rr > w.tipRadius()*(1-w.p.Hole.Lean) {
			w.lean(d)
		} else {
			w.drop(d)
		}
	case "sunk":
		d.x, d.y, d.sunk = 0, 0, 0
	case "edge":
		out := (d.vx*d.x + d.vy*d.y) / rr
		least := w.r() / math.Sqrt(2*w.p.Ditch.Depth/w.g())
		more := math.Max(0, least-out)
		d.where, d.airborne, d.low, d.fell = sim.InDitch, true, false, w.now
		w.set(b.i, d.vx+more*d.x/rr, d.vy+more*d.y/rr, d.spin)
	case "low":
		d.low = true
		for j := range w.d {
			o := &w.d[j]
			if j != b.i && o.where == sim.InDitch && !o.airborne && math.Hypot(o.x-d.x, o.y-d.y) < 2*w.r() {
				mark(d, j)
				mark(o, b.i)
			}
		}
	case "land":
		d.airborne = false
		w.slideOff(b.i)
	case "rail":
		w.reflect(b.i, d.x/rr, d.y/rr, w.p.Ditch.Rail, 0.01)
	case "wall":
		fallen := w.g() * (w.now - d.fell) * (w.now - d.fell) / 2
		m := (d.x*d.vx + d.y*d.vy) / v
		if d.airborne && fallen < w.p.Ditch.Climb && m*m > rr*rr-w.s.Surface*w.s.Surface {
			k := math.Sqrt(1 - fallen/w.p.Ditch.Climb)
			d.back, d.airborne = true, false
			w.set(b.i, d.vx*k, d.vy*k, d.spin)
			return
		}
		w.reflect(b.i, -d.x/rr, -d.y/rr, w.p.Ditch.Rail, 0)
		w.slideOff(b.i)
	case "back":
		d.back, d.where = false, sim.OnSurface
		w.set(b.i, d.vx, d.vy, d.spin)
	}
}

// slideOff gives a disc that has landed too near to the edge the speed to get
// clear of it.
func (w *stepper) slideOff(i int) {
	d := &w.d[i]
	rr := math.Hypot(d.x, d.y)
	short := w.s.Surface + w.r() - rr
	if short < 1e-9 || d.airborne {
		w.set(i, d.vx, d.vy, d.spin)
		return
	}
	more := math.Max(0, math.Sqrt(2*w.p.Ditch.Friction*w.g()*short)-(d.vx*d.x+d.vy*d.y)/rr)
	w.set(i, d.vx+more*d.x/rr, d.vy+more*d.y/rr, d.spin)
}

func mark(d *stepped, j int) {
	if d.above == nil {
		d.above = map[int]bool{}
	}
	d.above[j] = true
}

func (w *stepper) lean(d *stepped) {
	d.where, d.vx, d.vy, d.spin, d.over, d.passed = sim.Leaning, 0, 0, 0, 0, false
}

func (w *stepper) drop(d *stepped) {
	w.full = true
	d.where, d.vx, d.vy, d.spin, d.over, d.passed = sim.InHole, 0, 0, 0, 0, false
	t := math.Sqrt(2 * w.s.Hole.Depth / w.g())
	d.sinkX, d.sinkY, d.sunk = -d.x/t, -d.y/t, w.now+t
}

func partingSpeed(v, e float64) float64 {
	if v <= 1 {
		return math.Max(v, 0.01)
	}
	return math.Max(1, e*v)
}

// collide is a blow between two discs, reckoned in the frame of the normal.
func (w *stepper) collide(i, j int) {
	a, b := &w.d[i], &w.d[j]
	l := math.Hypot(b.x-a.x, b.y-a.y)
	nx, ny := (b.x-a.x)/l, (b.y-a.y)/l
	heldA, heldB := a.where == sim.InHole, b.where == sim.InHole
	e := w.p.Disc.Bounce
	if heldA || heldB {
		e = w.p.Hole.Sunk
	}
	ax, ay := a.velocity()
	bx, by := b.velocity()
	an, at := ax*nx+ay*ny, -ax*ny+ay*nx
	bn, bt := bx*nx+by*ny, -bx*ny+by*nx
	met := an - bn
	slip := at - bt + w.r()*(a.spin+b.spin)
	free := 2.0
	if heldA || heldB {
		free = 1
	}
	push := (met + partingSpeed(met, e.Restitution)) / free
	rub := math.Max(-e.Friction*push, math.Min(e.Friction*push, slip/(3*free)))
	if !heldA {
		an, at = an-push, at-rub
		w.set(i, an*nx-at*ny, an*ny+at*nx, a.spin-2*rub/w.r())
	}
	if !heldB {
		bn, bt = bn+push, bt+rub
		w.set(j, bn*nx-bt*ny, bn*ny+bt*nx, b.spin-2*rub/w.r())
	}
}

// reflect is a blow against something fixed in the direction n.
func (w *stepper) reflect(i int, nx, ny float64, e sim.Bounce, least float64) {
	d := &w.d[i]
	vn, vt := d.vx*nx+d.vy*ny, -d.vx*ny+d.vy*nx
	part := partingSpeed(vn, e.Restitution)
	push := vn + part
	rub := math.Max(-e.Friction*push, math.Min(e.Friction*push, (vt+w.r()*d.spin)/3))
	vt -= rub
	if more := least * math.Abs(vt); part < more {
		vt = math.Copysign(math.Sqrt(vt*vt+part*part-more*more), vt)
		part = more
	}
	w.set(i, -part*nx-vt*ny, -part*ny+vt*nx, d.spin-2*rub/w.r())
}
