package show

import (
	"math"

	"crokcam/calibrate/camera"
	"crokcam/sim/render"
)

// key is where a hand is at a moment. Between keys it moves smoothly.
type key struct {
	t      float64
	tip    camera.Vec3
	toward float64 // rad
	do     render.Gesture
	bend   float64
	holds  int // slot of the disc in its fingers from here on, -1 for none
}

// visit is a hand that comes over the board and goes away again.
type visit struct {
	keys []key
	hand render.Hand // what it looks like
}

func (v *visit) begin() float64 { return v.keys[0].t }
func (v *visit) end() float64   { return v.keys[len(v.keys)-1].t }

// at is the hand at time t, and the key it left last. It is away before it
// comes and after it has gone.
func (v *visit) at(t float64) (h render.Hand, k key, there bool) {
	if t < v.begin() || t >= v.end() {
		return h, k, false
	}
	i := 0
	for i+1 < len(v.keys)-1 && v.keys[i+1].t <= t {
		i++
	}
	a, b := v.keys[i], v.keys[i+1]
	f := 1.0
	if b.t > a.t {
		f = (t - a.t) / (b.t - a.t)
	}
	f = ease(f)
	h = v.hand
	for j := range h.Tip {
		h.Tip[j] = a.tip[j] + (b.tip[j]-a.tip[j])*f
	}
	// A hand lifts a little on its way over the board.
	if d := math.Hypot(b.tip[0]-a.tip[0], b.tip[1]-a.tip[1]); d > 60 {
		h.Tip[2] += 0.12 * min(d, 250) * math.Sin(math.Pi*f)
	}
	h.Toward = a.toward + math.Remainder(b.toward-a.toward, 2*math.Pi)*f
	h.Do, h.Bend = a.do, a.bend+(b.bend-a.bend)*f
	return h, a, true
}

// grip is where the foot of a disc is that a pinching hand holds.
func grip(h render.Hand, thickness float64) camera.Vec3 {
	s, c := math.Sincos(h.Toward)
	side := 5.0
	if h.Left {
		side = -side
	}
	return camera.Vec3{h.Tip[0] - 13*c - side*s, h.Tip[1] - 13*s + side*c, h.Tip[2] - thickness - 1}
}

// over is where the tip of a pinching hand is that holds a disc with its foot
// there.
func over(h render.Hand, toward float64, foot camera.Vec3, thickness float64) camera.Vec3 {
	h.Toward, h.Tip = toward, camera.Vec3{}
	g := grip(h, thickness)
	return camera.Vec3{foot[0] - g[0], foot[1] - g[1], foot[2] - g[2]}
}
