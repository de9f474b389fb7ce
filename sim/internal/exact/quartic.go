package exact

import "math"

// Quartic is c[0] + c[1]t + c[2]t² + c[3]t³ + c[4]t⁴.
type Quartic [5]float64

// At is the polynomial's value.
func (c *Quartic) At(t float64) float64 {
	v := float64(c[4]*t) + c[3]
	v = float64(v*t) + c[2]
	v = float64(v*t) + c[1]
	return float64(v*t) + c[0]
}

func (c *Quartic) slope(t float64) float64 {
	v := float64(4*c[4]*t) + float64(3*c[3])
	v = float64(v*t) + float64(2*c[2])
	return float64(v*t) + c[1]
}

func (c *Quartic) bend(t float64) float64 {
	v := float64(12*c[4]*t) + float64(6*c[3])
	return float64(v*t) + float64(2*c[2])
}

// FirstFall is the first moment in [0, end] at which the polynomial falls to
// zero. A value of at most zone at the start counts as lying at zero already:
// then the first moment is the one from which it falls.
//
// The roots are isolated, not guessed: the interval is cut where the second
// derivative is zero, which leaves at most one zero of the first derivative in
// each piece; cut at those, the polynomial is monotonic in each piece.
func (c *Quartic) FirstFall(end, zone float64) (float64, bool) {
	above := c[0] > zone
	if !above && c[1] < 0 {
		return 0, true
	}
	var cuts [3]float64
	n := c.inflections(end, &cuts)
	cuts[n] = end
	n++

	from, fromSlope := 0.0, c[1]
	at, value := 0.0, c[0] // end of the last monotonic piece
	for i := range n {
		to := cuts[i]
		toSlope := c.slope(to)
		if fromSlope < 0 != (toSlope < 0) {
			turn := c.turn(from, to, fromSlope)
			if t, ok := c.falls(at, turn, value, &above, zone); ok {
				return t, true
			}
			at, value = turn, c.At(turn)
		}
		if t, ok := c.falls(at, to, value, &above, zone); ok {
			return t, true
		}
		at, value = to, c.At(to)
		from, fromSlope = to, toSlope
	}
	return 0, false
}

// falls looks at one monotonic piece.
func (c *Quartic) falls(from, to, value float64, above *bool, zone float64) (float64, bool) {
	end := c.At(to)
	switch {
	case *above && end <= 0:
		return c.root(from, to), true
	case !*above && end < value:
		return from, true
	case !*above && end > zone:
		*above = true
	}
	return 0, false
}

// inflections gives the zeros of the second derivative inside (0, end), in
// order.
func (c *Quartic) inflections(end float64, out *[3]float64) int {
	a, b, d := float64(12*c[4]), float64(6*c[3]), float64(2*c[2])
	n := 0
	add := func(t float64) {
		if t > 0 && t < end {
			out[n] = t
			n++
		}
	}
	if a == 0 {
		if b != 0 {
			add(-d / b)
		}
		return n
	}
	disc := float64(b*b) - float64(4*a*d)
	if disc <= 0 {
		return 0
	}
	q := math.Sqrt(disc)
	if b < 0 {
		q = -q
	}
	q = -float64((b + q) * 0.5)
	t1, t2 := q/a, d/q // q is not zero: disc > 0 and the signs of b and q agree
	if t1 > t2 {
		t1, t2 = t2, t1
	}
	add(t1)
	add(t2)
	return n
}

// turn is the zero of the first derivative between two moments at which its
// signs differ and between which it is monotonic.
func (c *Quartic) turn(lo, hi, loSlope float64) float64 {
	rising := loSlope < 0
	t := float64((lo + hi) * 0.5)
	for range mostSteps {
		v := c.slope(t)
		if v < 0 == rising {
			lo = t
		} else {
			hi = t
		}
		next, done := step(t, v, c.bend(t), lo, hi)
		if t = next; done {
			break
		}
	}
	return t
}

// root is the zero between a positive and a non-positive value.
func (c *Quartic) root(lo, hi float64) float64 {
	t := float64((lo + hi) * 0.5)
	for range mostSteps {
		v := c.At(t)
		if v > 0 {
			lo = t
		} else {
			hi = t
		}
		next, done := step(t, v, c.slope(t), lo, hi)
		if t = next; done {
			break
		}
	}
	return t
}

// mostSteps ends a search that rounding keeps from settling.
const mostSteps = 80

// step goes from t towards the zero between lo and hi: Newton's step where it
// stays inside the bracket, halving otherwise.
func step(t, v, slope, lo, hi float64) (next float64, done bool) {
	if v == 0 {
		return t, true
	}
	next = t - v/slope
	if !(next >= lo && next <= hi) {
		next = float64((lo + hi) * 0.5)
	}
	return next, math.Abs(next-t) <= float64(4e-16*math.Abs(t))
}
