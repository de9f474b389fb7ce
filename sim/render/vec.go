package render

import (
	"math"

	"crokcam/calibrate/camera"
)

// vec is a point or a direction in the board frame.
type vec struct{ x, y, z float64 }

func from(v camera.Vec3) vec { return vec{v[0], v[1], v[2]} }

func (a vec) add(b vec) vec            { return vec{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec) sub(b vec) vec            { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vec) mul(s float64) vec        { return vec{a.x * s, a.y * s, a.z * s} }
func (a vec) dot(b vec) float64        { return a.x*b.x + a.y*b.y + a.z*b.z }
func (a vec) len() float64             { return math.Sqrt(a.dot(a)) }
func (a vec) mix(b vec, f float64) vec { return a.add(b.sub(a).mul(f)) }
func (a vec) cross(b vec) vec {
	return vec{a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x}
}

// unit is a of length 1; of no length it is up.
func (a vec) unit() vec {
	l := a.len()
	if l == 0 {
		return vec{0, 0, 1}
	}
	return a.mul(1 / l)
}

// ray starts at o and goes along the unit vector d.
type ray struct{ o, d vec }

func (r ray) at(t float64) vec { return r.o.add(r.d.mul(t)) }

// frame is a right-handed set of unit vectors whose z is a given axis and whose
// x is as near to the board's x as that allows.
type frame struct{ x, y, z vec }

func frameAlong(axis vec) frame {
	z := axis.unit()
	y := z.cross(vec{1, 0, 0})
	if y.len() < 1e-9 {
		y = vec{0, 1, 0}
	}
	y = y.unit()
	return frame{x: y.cross(z), y: y, z: z}
}

func (f *frame) in(v vec) vec  { return vec{f.x.dot(v), f.y.dot(v), f.z.dot(v)} }
func (f *frame) out(v vec) vec { return f.x.mul(v.x).add(f.y.mul(v.y)).add(f.z.mul(v.z)) }

// hypot is math.Hypot for lengths that can be squared without fear.
func hypot(x, y float64) float64 { return math.Sqrt(x*x + y*y) }

func clamp(v, low, high float64) float64 {
	switch {
	case v < low:
		return low
	case v > high:
		return high
	}
	return v
}

// step rises smoothly from 0 at a to 1 at b.
func step(a, b, v float64) float64 {
	if b <= a {
		if v < a {
			return 0
		}
		return 1
	}
	t := clamp((v-a)/(b-a), 0, 1)
	return t * t * (3 - 2*t)
}
