package sim

import (
	"math"

	"crokcam/sim/internal/exact"
)

// The hole.
//
// A disc over the hole is held up by what of its foot lies outside it. As soon
// as its centre is nearer to the hole's centre than √(hole² - disc²), 7.3 mm on
// the tournament board, that part lies to one side of the centre, and the disc
// begins to tip. Its leading edge falls freely from then on, until it meets the
// far lip: where the path's distance to the hole's centre is b, after
//
//	√(tip² - b²) + √(play² - b²)    (the second term only where b < play)
//
// millimetres. If it has fallen by Hole.Catch by then it is caught and slides
// into the hole; if it has fallen less it bumps over the lip and loses of its
// energy the share fallen / Catch, so that nothing jumps between being caught
// and passing. A disc that is caught only just in time, so that it would have
// met the lip within the next Hole.Lean of Catch, comes to lean on it, and so
// does one that is caught, or stops, with its centre in the outermost share
// Hole.Lean of the tipping circle.
//
// With a catch of half a millimetre a disc drops that comes through the middle
// at up to 0.88 m/s; at 0.4 m/s it may be 6 mm off.
//
// The limits: the disc is not turned aside nor slowed while it tips, a lip hit
// off centre does not deflect it, and it does not rock or jump out again.
//
// A disc in the hole stands proud of it where it is thicker than the hole is
// deep, and is struck as a fixed thing; it is never knocked out. The hole holds
// one disc: no other gets over it.

// overHole tells whether a disc on the surface is over the open hole, so that it
// tips.
func (r *run) overHole(d *body, x, y float64) bool {
	return d.f.where == OnSurface && !r.filled && exact.Dot(x, y, x, y) < float64(r.t.tip*r.t.tip)
}

// holeAhead finds the next thing that the hole does to a moving disc.
func (r *run) holeAhead(d *body) {
	t := r.t
	if t.tip == 0 || r.filled || d.f.where != OnSurface {
		return
	}
	m := exact.Dot(d.x, d.y, d.ux, d.uy) // negative on the way in
	rr := exact.Dot(d.x, d.y, d.x, d.y)
	b2 := rr - float64(m*m)
	if !d.tips && !d.passed {
		// Still held up: does the path enter the tipping circle?
		c := rr - float64(t.tip*t.tip)
		if c <= 0 || m >= 0 {
			return
		}
		if q := float64(m*m) - c; q > 0 {
			d.consider(evHole, 0, d.timeTo(c/(math.Sqrt(q)-m)))
		}
		return
	}
	if d.passed {
		return // on the far side, held up by the lip it has climbed
	}
	sink := d.over + t.catchTime
	lip := d.timeTo(lipDistance(m, b2, t.play))
	if lip < sink {
		d.consider(evLip, 0, lip)
	} else {
		d.consider(evSink, 0, sink)
	}
}

// lipDistance is how far a disc over the hole still goes until its leading edge
// meets the far lip, mm: 0 for one that is on its way out.
func lipDistance(m, b2, play float64) float64 {
	s := -m
	if room := float64(play*play) - b2; room > 0 {
		s += math.Sqrt(room)
	}
	return max(0, s)
}

// enterHole is a disc's centre passing into the tipping circle.
func (r *run) enterHole(i int) {
	r.b[i].tips, r.b[i].over = true, r.now
	r.changed |= bit(i)
}

// bumpLip is a disc that passes over the hole meeting the far lip.
func (r *run) bumpLip(i int) {
	d, t := &r.b[i], r.t
	h := t.fallen(r.now - d.over)
	v := d.f.speedAt(r.now)
	kept := math.Sqrt(max(0, 1-h/t.params.Hole.Catch))
	x, y := d.f.placeAt(r.now)
	spin := d.f.spinAt(r.now)
	after := float64(v * kept)
	if after < v {
		r.note(i, Body{Kind: Lip}, d.f.ux, d.f.uy, v, float64(t.params.Disc.Mass*(v-after)), 0)
	}
	r.launch(i, x, y, float64(d.f.ux*after), float64(d.f.uy*after), spin)
	d.tips, d.passed = false, true
}

// catch is a disc over the hole that has fallen below the lip.
func (r *run) catch(i int) {
	d, t := &r.b[i], r.t
	x, y := d.f.placeAt(r.now)
	m := exact.Dot(x, y, d.f.ux, d.f.uy)
	rr := exact.Dot(x, y, x, y)
	late := math.Inf(1)
	if v := d.f.speedAt(r.now); v > 0 {
		late = lipDistance(m, rr-float64(m*m), t.play) / v
	}
	if late < t.leanTime && rr > float64(t.play*t.play) {
		r.lean(i, x, y)
		return
	}
	r.stopOverHole(i, x, y)
}

// stopOverHole is a disc that goes no further with its centre inside the tipping
// circle.
func (r *run) stopOverHole(i int, x, y float64) {
	hang := float64(r.t.tip * (1 - r.t.params.Hole.Lean))
	if exact.Dot(x, y, x, y) > float64(hang*hang) {
		r.lean(i, x, y)
		return
	}
	r.drop(i, x, y)
}

// lean leaves a disc leaning where it is.
func (r *run) lean(i int, x, y float64) {
	r.settle(i, x, y, Leaning, 0)
}

// drop lets a disc slide to the middle of the hole. On its way nothing moves it,
// and it pushes aside what is there.
func (r *run) drop(i int, x, y float64) {
	d, t := &r.b[i], r.t
	r.filled = true
	d.tips, d.passed = false, false
	l := exact.Hypot(x, y)
	if l == 0 {
		r.sunk(i)
		return
	}
	v := l / t.settleTime
	r.begin(i, flight{x: x, y: y, ux: -x / l, uy: -y / l, v: v, where: InHole, fell: r.now, z: -t.spec.Hole.Depth}, 0)
	r.refill()
}

// sunk is a dropped disc that lies flat.
func (r *run) sunk(i int) {
	r.begin(i, flight{where: InHole, fell: longAgo, z: -r.t.spec.Hole.Depth}, 0)
	r.twenties = append(r.twenties, i)
	r.filled = true
	r.refill()
}

// refill looks anew at every disc's way, now that the hole is filled.
func (r *run) refill() { r.changed |= r.moving }

// tilt is how far a disc that leans at a place over the hole's rim leans, rad:
// one edge lies on the hole's floor, and the chord in which its foot crosses the
// hole's rim is the axis.
func (t *Table) tilt(x, y float64) float64 {
	l := exact.Hypot(x, y)
	if l == 0 {
		return 0
	}
	chord := (float64(t.tip*t.tip) - float64(l*l)) / (2 * l)
	return math.Asin(min(1, t.spec.Hole.Depth/(t.r+max(0, chord))))
}
