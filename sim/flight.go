package sim

import (
	"math"

	"crokcam/board"
	"crokcam/sim/internal/exact"
)

// spinLaw says how a spin fades during a flight.
type spinLaw uint8

const (
	withSpeed spinLaw = iota // as the root of the speed
	evenly                   // at a constant rate
	notAtAll                 // in the air
)

// flight is the motion of one disc between two of its events: along a straight
// line at constant deceleration.
type flight struct {
	t0     float64 // s
	x, y   float64 // at t0, mm
	ux, uy float64 // direction
	v      float64 // at t0, mm/s
	slow   float64 // deceleration, mm/s²
	angle  float64 // at t0, rad
	spin   float64 // at t0, rad/s
	fade   float64 // deceleration of the spin, rad/s², where it fades evenly
	fell   float64 // when it began to fall, s, in the ditch and the hole
	z      float64 // height that a fall ends at, mm; 0 on the surface
	prev   int32   // the flight of the same disc before; -1 for the first
	law    spinLaw
	where  Where
}

// longAgo is when a disc fell that lies where it fell to.
const longAgo = -1 // s

// restsAt is the moment at which the disc stops sliding.
func (f *flight) restsAt() float64 {
	switch {
	case f.v == 0:
		return f.t0
	case f.slow == 0:
		return math.Inf(1)
	}
	return f.t0 + f.v/f.slow
}

// speedAt is the speed at time t, mm/s.
func (f *flight) speedAt(t float64) float64 {
	return max(0, f.v-float64(f.slow*(t-f.t0)))
}

// placeAt is the place at time t.
func (f *flight) placeAt(t float64) (x, y float64) {
	if f.v == 0 {
		return f.x, f.y
	}
	dt := t - f.t0
	if f.slow > 0 {
		dt = min(dt, f.v/f.slow)
	}
	s := float64(dt * (f.v - float64(f.slow*dt*0.5)))
	return f.x + float64(s*f.ux), f.y + float64(s*f.uy)
}

// spinAt is the spin at time t, rad/s.
func (f *flight) spinAt(t float64) float64 {
	if f.spin == 0 {
		return 0
	}
	switch f.law {
	case withSpeed:
		return float64(f.spin * math.Sqrt(f.speedAt(t)/f.v))
	case evenly:
		w := max(0, math.Abs(f.spin)-float64(f.fade*(t-f.t0)))
		return math.Copysign(w, f.spin)
	}
	return f.spin
}

// angleAt is how far the disc is turned at time t, rad.
func (f *flight) angleAt(t float64) float64 {
	if f.spin == 0 {
		return f.angle
	}
	dt := t - f.t0
	switch f.law {
	case withSpeed:
		// The integral of the root of a speed that falls evenly.
		w := f.speedAt(t) / f.v
		return f.angle + float64(f.spin*f.v/(1.5*f.slow)*(1-float64(w*math.Sqrt(w))))
	case evenly:
		dt = min(dt, math.Abs(f.spin)/f.fade)
		turned := float64(dt * (math.Abs(f.spin) - float64(f.fade*dt*0.5)))
		return f.angle + math.Copysign(turned, f.spin)
	}
	return f.angle + float64(f.spin*dt)
}

// endsAt is when nothing of the flight moves any more.
func (f *flight) endsAt() float64 {
	end := f.restsAt()
	if f.law == evenly && f.spin != 0 {
		end = max(end, f.t0+math.Abs(f.spin)/f.fade)
	}
	return end
}

// setSpin starts the spin of a flight whose speed and deceleration are set.
func (t *Table) setSpin(f *flight, spin float64) {
	f.spin = spin
	switch {
	case f.slow == 0 && f.v > 0:
		f.law = notAtAll
	case float64(math.Abs(spin)*t.r) <= f.v:
		f.law = withSpeed
	default:
		f.law, f.fade = evenly, t.spinFade
		if f.where == InDitch {
			f.fade = t.ditchFade
		}
	}
}

// fallen is the height lost since a fall began, mm.
func (t *Table) fallen(since float64) float64 {
	return float64(t.g * 0.5 * float64(since*since))
}

// placed describes the disc at a moment of its flight.
func (t *Table) placed(f *flight, side board.Side, at float64) Placed {
	moving, when := true, at
	if at >= f.endsAt() {
		moving, when = false, math.Inf(1) // the same to the last bit at any time
	}
	x, y := f.placeAt(when)
	p := Placed{X: x, Y: y, Angle: f.angleAt(when), Side: side, Where: f.where, Moving: moving}
	switch f.where {
	case InHole, InDitch:
		p.Z = f.z
		if at-f.fell < t.fallTime(-f.z) {
			p.Z = -t.fallen(max(0, at-f.fell))
			p.Moving = true
		}
	case Leaning:
		p.Tilt, p.Lean = t.tilt(x, y), exact.Atan2(-y, -x)
	}
	return p
}
