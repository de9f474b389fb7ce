package render

import (
	"iter"
	"math"
	"math/bits"

	"crokcam/calibrate/camera"
)

// Gesture is what a hand is doing.
type Gesture uint8

// The gestures.
const (
	Reaching Gesture = iota // fingers loosely spread
	Pinching                // thumb and forefinger hold a disc
	Flicking                // the forefinger is bent behind a disc, or stretched after the shot
)

// Hand is a hand with its forearm, coming in over the rail.
type Hand struct {
	Tip    camera.Vec3 // of the forefinger, mm
	Toward float64     // rad, the way the fingers point
	Left   bool
	Do     Gesture
	Bend   float64 // of the flicking finger: 1 bent, 0 stretched
	Skin   RGB
	Sleeve Paint   // none where Opacity is 0: a bare arm
	Cuff   float64 // where the sleeve begins, mm behind the wrist
	Size   float64 // 1 is a middling adult's
}

// limbs are the hand's parts, about as long and thick as an adult's.
func (h *Hand) limbs() []limb {
	size := h.Size
	if size == 0 {
		size = 1
	}
	mirror := 1.0
	if h.Left {
		mirror = -1
	}
	sin, cos := math.Sincos(h.Toward)
	tip := from(h.Tip)
	// In the hand's own axes: forward, to the thumb's side (left of a right
	// hand seen from above with the palm down), up. The origin is the tip.
	at := func(forward, thumbward, up float64) vec {
		forward, thumbward, up = forward*size, thumbward*size*mirror, up*size
		return tip.add(vec{cos*forward - sin*thumbward, sin*forward + cos*thumbward, up})
	}
	var out []limb
	add := func(part limbPart, a, b vec, ra, rb float64) {
		out = append(out, limb{a: a, b: b, ra: ra * size, rb: rb * size, part: part})
	}
	finger := func(knuckle, middle, end, top vec, r float64) {
		add(skin, knuckle, middle, r*1.12, r)
		add(skin, middle, end, r, r*0.92)
		add(skin, end, top, r*0.92, r*0.78)
		d := top.sub(end).unit()
		lift := vec{0, 0, 1}.sub(d.mul(d.z)).unit()
		add(nail, top.sub(d.mul(5*size)).add(lift.mul(r*0.45*size)), top.add(lift.mul(r*0.32*size)), r*0.6, r*0.52)
	}
	spread := 1.0
	if h.Do == Pinching {
		spread = 0.75
	}
	knuckles := [4]vec{at(-84, 4, 42), at(-90, -18*spread, 45), at(-86, -38*spread, 42), at(-78, -56*spread, 36)}
	tips := [4]vec{at(0, 0, 7), at(6, -21*spread, 8), at(-6, -42*spread, 9), at(-26, -62*spread, 10)}
	radii := [4]float64{8.2, 8.6, 8.1, 7}
	for i := range knuckles {
		end := tips[i]
		mid := knuckles[i].mix(end, 0.46).add(vec{0, 0, 17 * size})
		last := knuckles[i].mix(end, 0.78).add(vec{0, 0, 9 * size})
		switch {
		case h.Do == Flicking && i == 0:
			back := at(-16*h.Bend, 3*h.Bend, 0).sub(tip)
			end = end.add(back)
			mid = mid.add(vec{0, 0, 8 * h.Bend * size}).add(back.mul(0.2))
			last = last.add(back.mul(0.4)).add(vec{0, 0, 9 * h.Bend * size})
		case h.Do != Reaching && i > 0:
			// The idle fingers curl under the palm.
			curl := 14.0 * float64(i)
			end = end.add(at(-26-curl, 4, 6).sub(tip))
			mid = mid.add(at(-4, 0, 6).sub(tip))
			last = last.add(at(-14-curl*0.6, 2, 8).sub(tip))
		}
		finger(knuckles[i], mid, last, end, radii[i])
	}
	thumbTip := at(-26, 30, 10)
	if h.Do == Pinching {
		thumbTip = at(-27, 10, 6)
	}
	if h.Do == Flicking {
		thumbTip = at(-20-6*h.Bend, 12, 8)
	}
	finger(at(-132, 26, 30), at(-88, 40, 34), thumbTip.mix(at(-88, 40, 34), 0.42).add(vec{0, 0, 3 * size}), thumbTip, 9)

	wrist := at(-160, -20, 40)
	// The back of the hand: a fan of bones under the skin, and the web of the
	// thumb.
	for i, k := range knuckles {
		add(skin, k.add(vec{0, 0, -3 * size}), wrist.add(at(0, 16-10*float64(i), 0).sub(tip)), 11.5-0.6*float64(i), 17)
	}
	for i := range 3 {
		add(skin, knuckles[i].mix(knuckles[i+1], 0.5).add(vec{0, 0, -4 * size}), wrist, 11, 19)
	}
	add(skin, at(-132, 26, 30), wrist, 13, 19)
	add(skin, at(-124, 16, 31), at(-92, 6, 36), 14, 11)
	elbow := at(-410, -34, 110)
	add(skin, wrist, wrist.mix(elbow, 0.45), 22, 31)
	add(skin, wrist.mix(elbow, 0.45), elbow, 31, 40)
	if h.Sleeve.Opacity > 0 {
		d := elbow.sub(wrist).unit()
		from := wrist.add(d.mul(max(h.Cuff, 0) * size))
		add(sleeve, from, from.add(d.mul(14*size)), 33, 35)
		add(sleeve, from.add(d.mul(14*size)), elbow.add(d.mul(60*size)), 34, 50)
	}
	add(skin, elbow, elbow.add(at(-260, 10, 140).sub(tip)), 40, 48)
	if h.Sleeve.Opacity > 0 {
		add(sleeve, elbow, elbow.add(at(-260, 10, 140).sub(tip)), 50, 58)
	}
	return out
}

// maxHands is how many hands a scene may have, and maxLimbs how many limbs each: a
// limbSet has room for them all.
const (
	maxHands = 4
	maxLimbs = 40
)

// limbSet is a set of indexes of limbs.
type limbSet [(maxHands*maxLimbs + 63) / 64]uint64

func (s *limbSet) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s *limbSet) join(o limbSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

// all is the indexes, least first.
func (s limbSet) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(64*i + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
