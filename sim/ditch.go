package sim

import (
	"math"

	"crokcam/sim/internal/exact"
)

// The ditch.
//
// A disc goes over the edge when its centre passes the surface's radius. From
// then on it falls freely and keeps its speed, with at least so much outward
// speed that it is clear of the edge when it lands: tipping over the edge turns
// height into speed. It still meets discs on the surface until it has fallen by
// its thickness, and flies over those that lie in the ditch until its foot is
// below their tops: it lies on those that it is above then, and meets the others
// from then on. On the floor friction slows it down, and the rail and the inner
// wall send it back.
//
// A disc that comes back from the rail so fast that it has fallen by less than
// Ditch.Climb when it meets the inner wall jumps over the edge, with the share
// 1 - fallen / Climb of its energy, and plays on: it is out all the same, but
// can do damage. Deeper ones bounce off the wall.
//
// A disc never leaves the rail at less than a hundredth of its speed, for the
// same energy: a disc that runs along the curve meets it in many small bounces
// instead of infinitely many.
//
// A disc that is knocked back before it is clear of the edge bounces off it at
// once, and slides off outwards where it landed too near.
//
// The limits: the rail is round, also on eight-sided boards, and as high as any
// disc flies; discs do not tip or stand on edge; one that lies on another slides
// over it as it would over the floor.

// overEdge is a disc's centre passing the edge of the surface.
func (r *run) overEdge(i int) {
	d, t := &r.b[i], r.t
	x, y := d.f.placeAt(r.now)
	v := d.f.speedAt(r.now)
	vx, vy := float64(d.f.ux*v), float64(d.f.uy*v)
	l := exact.Hypot(x, y)
	nx, ny := x/l, y/l
	if out := exact.Dot(vx, vy, nx, ny); out < t.tipSpeed {
		vx += float64((t.tipSpeed - out) * nx)
		vy += float64((t.tipSpeed - out) * ny)
	}
	spin := d.f.spinAt(r.now)
	d.fell, d.airborne, d.low, d.gone = r.now, true, false, true
	r.exits = append(r.exits, Exit{Disc: i, At: r.now})
	r.fly(i, x, y, vx, vy, spin)
}

// sinkLow is a falling disc whose foot comes below the tops of the discs in the
// ditch.
func (r *run) sinkLow(i int) {
	d := &r.b[i]
	x, y := d.f.placeAt(r.now)
	v := d.f.speedAt(r.now)
	d.low = true
	r.stack(i, x, y)
	r.fly(i, x, y, float64(d.f.ux*v), float64(d.f.uy*v), d.f.spinAt(r.now))
}

// stack lays a disc that comes into the ditch upon those that lie right there.
func (r *run) stack(i int, x, y float64) {
	d := &r.b[i]
	for j := range r.b {
		o := &r.b[j]
		if j == i || o.f.where != InDitch || o.airborne {
			continue
		}
		ox, oy := o.f.placeAt(r.now)
		if exact.Hypot(ox-x, oy-y) < r.t.d-stackMM {
			d.above |= bit(j)
			o.above |= bit(i)
			d.level = max(d.level, o.level+1)
		}
	}
}

const (
	// stackMM is how far two discs in the ditch overlap, seen from above, when one
	// lies on the other. Less is rounding.
	stackMM = 1e-6
	// stillSpeed is the speed below which a contact leaves a disc on the ditch's
	// floor lying still, mm/s. It would go another few micrometres; but discs that
	// are wedged in between wall and rail would never come to rest.
	stillSpeed = 5
	// A disc that meets rail or wall so many times, each within so short a time of
	// the one before, is wedged in and lies still.
	mostRattles = 30
	rattleTime  = 1e-4 // s
)

// fly starts a flight in the air over the ditch.
func (r *run) fly(i int, x, y, vx, vy, spin float64) {
	d, t := &r.b[i], r.t
	f := flight{x: x, y: y, where: InDitch, fell: d.fell, z: r.floor(d)}
	f.v = exact.Hypot(vx, vy)
	if f.v < stillSpeed && !d.airborne {
		r.settle(i, x, y, InDitch, 0)
		return
	}
	if f.v > 0 {
		f.ux, f.uy = vx/f.v, vy/f.v
	}
	if !d.airborne {
		f.slow, f.fell = t.ditchSlow, longAgo
	}
	r.begin(i, f, spin)
}

// floor is the height on which a disc in the ditch comes to lie.
func (r *run) floor(d *body) float64 {
	return float64(float64(d.level)*r.t.spec.Disc.Thickness) - r.t.params.Ditch.Depth
}

// land is a disc reaching the ditch's floor.
func (r *run) land(i int) {
	d := &r.b[i]
	x, y := d.f.placeAt(r.now)
	v := d.f.speedAt(r.now)
	d.airborne = false
	r.slideOff(i, x, y, float64(d.f.ux*v), float64(d.f.uy*v), d.f.spinAt(r.now))
}

// slideOff goes on with a flight on the ditch's floor. A disc that is not clear
// of the edge slides off it, outwards; one that something keeps from doing so
// comes to lie against the edge.
func (r *run) slideOff(i int, x, y, vx, vy, spin float64) {
	d, t := &r.b[i], r.t
	l := exact.Hypot(x, y)
	if short := t.wall - l; short > touchMM && !d.airborne {
		if d.slides++; d.slides > mostSlides {
			r.settle(i, x, y, InDitch, 0)
			return
		}
		nx, ny := x/l, y/l
		least := math.Sqrt(float64(2 * t.ditchSlow * short))
		if out := exact.Dot(vx, vy, nx, ny); out < least {
			vx += float64((least - out) * nx)
			vy += float64((least - out) * ny)
		}
	}
	r.fly(i, x, y, vx, vy, spin)
}

// mostSlides is how often a disc tries to slide off the edge.
const mostSlides = 12

// ditchAhead finds the next thing that the ditch does to a moving disc.
func (r *run) ditchAhead(d *body) {
	t := r.t
	m := exact.Dot(d.x, d.y, d.ux, d.uy)
	rr := exact.Dot(d.x, d.y, d.x, d.y)
	if d.back {
		// On its way back over the edge.
		if q := float64(m*m) - rr + float64(t.edge*t.edge); m < 0 && q > 0 {
			d.consider(evBack, 0, d.timeTo(max(0, -m-math.Sqrt(q))))
		}
		return
	}
	if d.airborne {
		if !d.low {
			d.consider(evLow, 0, max(d.at, d.fell+t.lowTime))
		}
		d.consider(evLand, 0, max(d.at, d.fell+t.landTime))
	}
	d.consider(evRail, 0, d.timeTo(outDistance(m, rr, t.rail)))
	if m < 0 {
		c := rr - float64(t.wall*t.wall)
		if c <= 0 {
			d.consider(evWall, 0, d.at) // not clear of the edge yet, and knocked back
		} else if q := float64(m*m) - c; q > 0 {
			d.consider(evWall, 0, d.timeTo(c/(math.Sqrt(q)-m)))
		}
	}
}

// outDistance is how far a disc inside a circle about the board's centre goes
// until its centre is on the circle, mm.
func outDistance(m, rr, radius float64) float64 {
	room := float64(radius*radius) - rr
	if room <= 0 {
		if m >= 0 {
			return 0
		}
		return -float64(2 * m)
	}
	q := math.Sqrt(float64(m*m) + room)
	if m > 0 {
		return room / (q + m)
	}
	return q - m
}

// meetRail is a disc meeting the rail.
func (r *run) meetRail(i int) {
	d := &r.b[i]
	x, y := d.f.placeAt(r.now)
	l := exact.Hypot(x, y)
	r.strikeWall(i, x, y, x/l, y/l, Body{Kind: Rail}, 0.01)
}

// meetWall is a disc meeting the inner wall of the ditch.
func (r *run) meetWall(i int) {
	d, t := &r.b[i], r.t
	x, y := d.f.placeAt(r.now)
	l := exact.Hypot(x, y)
	h := t.fallen(r.now - d.fell)
	if d.airborne && h < t.params.Ditch.Climb {
		m := exact.Dot(x, y, d.f.ux, d.f.uy)
		if float64(m*m) > exact.Dot(x, y, x, y)-float64(t.edge*t.edge) {
			v := d.f.speedAt(r.now)
			after := float64(v * math.Sqrt(1-h/t.params.Ditch.Climb))
			r.note(i, Body{Kind: Wall}, d.f.ux, d.f.uy, v, float64(t.params.Disc.Mass*(v-after)), 0)
			d.back, d.airborne = true, false
			r.begin(i, flight{x: x, y: y, ux: d.f.ux, uy: d.f.uy, v: after, where: InDitch, fell: r.now}, d.f.spinAt(r.now))
			return
		}
	}
	r.strikeWall(i, x, y, -x/l, -y/l, Body{Kind: Wall}, 0)
}

// comeBack is a disc's centre passing the edge of the surface inwards.
func (r *run) comeBack(i int) {
	d := &r.b[i]
	x, y := d.f.placeAt(r.now)
	v := d.f.speedAt(r.now)
	spin := d.f.spinAt(r.now)
	ux, uy := d.f.ux, d.f.uy
	d.back = false
	d.f.where = OnSurface
	for k := len(r.exits) - 1; k >= 0; k-- {
		if r.exits[k].Disc == i {
			r.exits[k].Returned = r.now
			break
		}
	}
	r.launch(i, x, y, float64(ux*v), float64(uy*v), spin)
}
