package exact_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/sim/internal/exact"
)

func TestSincosIsAsGoodAsTheLibrary(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a := rapid.OneOf(rapid.Float64Range(-7, 7), rapid.Float64Range(-exact.MaxAngle, exact.MaxAngle)).Draw(rt, "angle")
		s, c := exact.Sincos(a)
		ws, wc := math.Sincos(a)
		require.InDelta(rt, ws, s, 4e-16)
		require.InDelta(rt, wc, c, 4e-16)
	})
	for k := -8; k <= 8; k++ {
		s, c := exact.Sincos(float64(k) * math.Pi / 2)
		require.InDelta(t, 1, s*s+c*c, 1e-15)
	}
}

func TestAtan2UndoesSincos(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x, y := rapid.Float64Range(-1e3, 1e3).Draw(rt, "x"), rapid.Float64Range(-1e3, 1e3).Draw(rt, "y")
		if math.Hypot(x, y) < 1e-6 {
			return
		}
		require.InDelta(rt, 0, math.Remainder(exact.Atan2(y, x)-math.Atan2(y, x), 2*math.Pi), 1e-15)
	})
	require.Zero(t, exact.Atan2(0, 0))
}

// The first fall of a quartic is where a fine search finds it.
func TestFirstFall(t *testing.T) {
	const end = 1.0
	rapid.Check(t, func(rt *rapid.T) {
		// Roots of all kinds: (t-a)(t-b)((t-c)²+d), of either sign.
		a := rapid.Float64Range(-1.5, 2).Draw(rt, "a")
		b := rapid.Float64Range(-1.5, 2).Draw(rt, "b")
		c := rapid.Float64Range(-1, 2).Draw(rt, "c")
		d := rapid.Float64Range(-0.5, 0.5).Draw(rt, "d")
		k := rapid.SampledFrom([]float64{-100, -1, 1, 100}).Draw(rt, "scale")
		p, q, e, f := -(a + b), a*b, -2*c, c*c+d
		poly := exact.Quartic{k * q * f, k * (p*f + q*e), k * (f + p*e + q), k * (e + p), k}
		if poly.At(0) <= 0 {
			return
		}
		at, ok := poly.FirstFall(end, 0)
		if ok {
			require.InDelta(rt, 0, poly.At(at), 1e-9*math.Abs(k))
		}
		const steps = 5000
		for i := 1; i <= steps; i++ {
			when := end * float64(i) / steps
			if ok && when >= at {
				break
			}
			require.Greater(rt, poly.At(when), -1e-12*math.Abs(k), "%v has fallen by %g, not at %g", poly, when, at)
		}
	})
	for name, c := range map[string]struct {
		poly exact.Quartic
		at   float64
		ok   bool
	}{
		"a line":                       {exact.Quartic{1, -2}, 0.5, true},
		"a line that rises":            {exact.Quartic{1, 2}, 0, false},
		"nothing":                      {exact.Quartic{}, 0, false},
		"a parabola that only touches": {exact.Quartic{0.25 + 1e-12, -1, 1}, 0, false},
		"a parabola that goes through": {exact.Quartic{0.25 - 1e-12, -1, 1}, 0.5 - 1e-6, true},
		"too late":                     {exact.Quartic{3, -2}, 0, false},
		"touching and falling":         {exact.Quartic{0, -1, 1}, 0, true},
		"touching and rising":          {exact.Quartic{0, 1, 1}, 0, false},
		"rising and coming back":       {exact.Quartic{0, 1, -2}, 0.5, true},
		"pressed on":                   {exact.Quartic{0, 0, -1}, 0, true},
		"a cubic":                      {exact.Quartic{0.125, 0, 0, -1}, 0.5, true},
		"just touching, then parting":  {exact.Quartic{-1e-12, 1}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			at, ok := c.poly.FirstFall(end, 1e-9)
			require.Equal(t, c.ok, ok)
			require.InDelta(t, c.at, at, 1e-9)
		})
	}
}
