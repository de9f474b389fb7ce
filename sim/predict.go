package sim

import (
	"math"
	"math/bits"

	"crokcam/sim/internal/exact"
)

// consider takes an event for a disc's next one if it comes before.
func (d *body) consider(kind eventKind, other int, at float64) {
	if at < d.next.at {
		d.next = event{at: at, kind: kind, other: other}
	}
}

// timeTo is when a disc will have gone so many millimetres from where it is;
// infinity when it stops before.
func (d *body) timeTo(s float64) float64 {
	if s <= 0 {
		return d.at
	}
	rest := float64(d.v*d.v) - float64(2*d.f.slow*s)
	if rest < 0 {
		return math.Inf(1)
	}
	return d.at + 2*s/(d.v+math.Sqrt(rest))
}

// refresh brings a disc's state up to now.
func (r *run) refresh(d *body) {
	if d.at == r.now {
		return
	}
	d.at = r.now
	d.x, d.y = d.f.placeAt(r.now)
	d.v = d.f.speedAt(r.now)
}

// predict finds the next event of a moving disc.
func (r *run) predict(i int) {
	d := &r.b[i]
	r.refresh(d)
	d.next = event{at: math.Inf(1)}
	switch d.f.where {
	case InHole:
		d.consider(evSunk, 0, d.f.t0+r.t.settleTime)
	case InDitch:
		d.consider(evStop, 0, d.f.restsAt())
		r.ditchAhead(d)
	default:
		d.consider(evStop, 0, d.f.restsAt())
		m, rr := exact.Dot(d.x, d.y, d.ux, d.uy), exact.Dot(d.x, d.y, d.x, d.y)
		d.consider(evEdge, 0, d.timeTo(outDistance(m, rr, r.t.edge)))
		r.holeAhead(d)
		r.postsAhead(d)
	}
	for m := (bit(len(r.b)) - 1) &^ bit(i); m != 0; m &= m - 1 {
		r.pair(i, bits.TrailingZeros64(m))
	}
}

// postsAhead finds the first post in a disc's way.
func (r *run) postsAhead(d *body) {
	for k := range r.t.posts {
		p := &r.t.posts[k]
		if s, ok := d.distanceTo(p.X, p.Y, r.t.postGap); ok {
			d.consider(evPost, k, d.timeTo(s))
		}
	}
}

// distanceTo is how far a disc goes until its centre is within gap of a fixed
// place.
func (d *body) distanceTo(x, y, gap float64) (float64, bool) {
	qx, qy := x-d.x, y-d.y
	m := exact.Dot(qx, qy, d.ux, d.uy)
	if m <= 0 {
		return 0, false
	}
	c := exact.Dot(qx, qy, qx, qy) - float64(gap*gap)
	if c <= float64(2*gap*touchMM) {
		return 0, true
	}
	room := float64(m*m) - c
	if room <= 0 {
		return 0, false
	}
	return c / (m + math.Sqrt(room)), true
}

// pair finds when a moving disc meets another one.
func (r *run) pair(i, j int) {
	d, o := &r.b[i], &r.b[j]
	until := r.sameLevel(d, o, j)
	if until <= r.now {
		return
	}
	if r.moving&bit(j) == 0 {
		if s, ok := d.distanceTo(o.x, o.y, r.t.d); ok {
			if at := d.timeTo(s); at <= until {
				d.consider(evDisc, j, at)
			}
		}
		return
	}
	r.refresh(o)
	until = min(until, d.next.at, d.f.restsAt(), o.f.restsAt())
	span := until - r.now
	if span < 0 {
		return
	}
	qx, qy := o.x-d.x, o.y-d.y
	qq := exact.Dot(qx, qy, qx, qy)
	reach := r.t.d + float64(min(span, 10)*(d.v+o.v))
	if qq > float64(reach*reach) {
		return
	}
	wx, wy := float64(o.ux*o.v)-float64(d.ux*d.v), float64(o.uy*o.v)-float64(d.uy*d.v)
	hx := float64(d.ux*d.f.slow*0.5) - float64(o.ux*o.f.slow*0.5)
	hy := float64(d.uy*d.f.slow*0.5) - float64(o.uy*o.f.slow*0.5)
	q := exact.Quartic{
		qq - float64(r.t.d*r.t.d),
		2 * exact.Dot(qx, qy, wx, wy),
		exact.Dot(wx, wy, wx, wy) + float64(2*exact.Dot(qx, qy, hx, hy)),
		2 * exact.Dot(wx, wy, hx, hy),
		exact.Dot(hx, hy, hx, hy),
	}
	if at, ok := q.FirstFall(min(span, 10), float64(2*r.t.d*touchMM)); ok {
		d.consider(evDisc, j, r.now+at)
	}
}

// sameLevel is until when two discs are at the same height, so that they can
// meet: infinity for two on the surface or two in the ditch.
func (r *run) sameLevel(d, o *body, j int) float64 {
	low, high := d.f.where == InDitch && !d.back, o.f.where == InDitch && !o.back
	switch {
	case low && high:
		over := d.airborne && !d.low && !o.airborne || o.airborne && !o.low && !d.airborne
		if over || d.above&bit(j) != 0 {
			return math.Inf(-1)
		}
		return math.Inf(1)
	case low != high:
		if high {
			d = o
		}
		if !d.airborne {
			return math.Inf(-1)
		}
		return d.fell + r.t.clearTime
	case !r.t.proud && (d.f.where == InHole || o.f.where == InHole):
		return math.Inf(-1)
	}
	return math.Inf(1)
}
