// Package exact has the few functions of mathematics that the simulator needs,
// with the same result to the last bit on every machine: they use sums,
// products, quotients and square roots only, and no product is fused with a sum.
package exact

import "math"

// Dot is the scalar product of two vectors.
func Dot(ax, ay, bx, by float64) float64 { return float64(ax*bx) + float64(ay*by) }

// Cross is the vector product of two vectors of the plane.
func Cross(ax, ay, bx, by float64) float64 { return float64(ax*by) - float64(ay*bx) }

// Hypot is the length of a vector. Unlike math.Hypot it neither guards against
// overflow nor depends on the machine.
func Hypot(x, y float64) float64 { return math.Sqrt(Dot(x, y, x, y)) }

// Half a right angle's double in three parts, the first two short enough for
// exact products with whole numbers up to 2²⁰.
const (
	quarter1 = 1.57079632673412561417
	quarter2 = 6.07710050630396597660e-11
	quarter3 = 2.02226624879595063154e-21
)

// MaxAngle is the largest angle that Sincos reduces exactly, rad.
const MaxAngle = 1 << 20

// Sincos gives sine and cosine of an angle of at most MaxAngle, rad, to within
// two units in the last place.
func Sincos(a float64) (sin, cos float64) {
	k := math.Round(float64(a * (2 / math.Pi)))
	r := a - float64(k*quarter1)
	r -= float64(k * quarter2)
	r -= float64(k * quarter3)
	z := float64(r * r)
	// Taylor's series on ±45°: the next terms are below the last place.
	s := -1.0 / 1307674368000
	for _, c := range [...]float64{1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6} {
		s = float64(s*z) + c
	}
	s = r + float64(float64(s*z)*r)
	c := 1.0 / 20922789888000
	for _, q := range [...]float64{-1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -1.0 / 2} {
		c = float64(c*z) + q
	}
	c = 1 + float64(c*z)
	switch int64(k) & 3 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}

// Atan2 is the direction of the vector (x, y), rad, from -π to π; 0 for the
// null vector.
func Atan2(y, x float64) float64 {
	l := Hypot(x, y)
	if l == 0 {
		return 0
	}
	x, y = x/l, y/l
	// A first guess good to a degree, then Newton's steps on the unit circle.
	ax, ay := math.Abs(x), math.Abs(y)
	q := min(ax, ay) / max(ax, ay)
	a := float64(q * (math.Pi/4 + float64(0.273*(1-q))))
	if ay > ax {
		a = math.Pi/2 - a
	}
	if x < 0 {
		a = math.Pi - a
	}
	if y < 0 {
		a = -a
	}
	for range 3 {
		s, c := Sincos(a)
		d := Cross(c, s, x, y)
		a += d + float64(float64(float64(d*d)*d)/6)
	}
	return a
}
