package render

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func drawn(t *rapid.T, name string, low, high float64) float64 {
	return rapid.Float64Range(low, high).Draw(t, name)
}

func TestTheHullOfTwoCirclesIsAsFarAsTheNearestCircleBetweenThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ax, ay, ar := drawn(t, "ax", -50, 50), drawn(t, "ay", -50, 50), drawn(t, "ar", 0.5, 20)
		bx, by, br := drawn(t, "bx", -50, 50), drawn(t, "by", -50, 50), drawn(t, "br", 0.5, 20)
		x, y := drawn(t, "x", -90, 90), drawn(t, "y", -90, 90)
		want := math.Inf(1)
		const n = 4000
		for i := range n + 1 {
			f := float64(i) / n
			want = min(want, math.Hypot(x-ax-(bx-ax)*f, y-ay-(by-ay)*f)-ar-(br-ar)*f)
		}
		got, along := hullGap(ax, ay, ar, bx, by, br, x, y)
		if want > 0.05 && math.Abs(got-want) > 0.01 || want < -0.05 && got > 0 {
			t.Fatalf("gap %v, want %v", got, want)
		}
		if along < 0 || along > 1 {
			t.Fatalf("along %v", along)
		}
	})
}

// downward draws a ray from above the board.
func downward(t *rapid.T) ray {
	o := vec{drawn(t, "ox", -300, 300), drawn(t, "oy", -300, 300), drawn(t, "oz", 300, 1500)}
	to := vec{drawn(t, "tx", -30, 30), drawn(t, "ty", -30, 30), drawn(t, "tz", -4, 20)}
	return ray{o, to.sub(o).unit()}
}

func TestARayMeetsADiscOnItsSkinAndFromOutside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lean, toward := drawn(t, "lean", 0, 0.5), drawn(t, "toward", 0, 6)
		s, c := math.Sincos(lean)
		axis := vec{s * math.Cos(toward), s * math.Sin(toward), c}
		d := solid{foot: vec{3, -2, 1}, f: frameAlong(axis), r: 16, h: 10, bevel: drawn(t, "bevel", 0.2, 3), up: lean == 0}
		r := downward(t)
		m, ok := d.hit(r, math.Inf(1))
		if !ok {
			return
		}
		p := d.f.in(r.at(m.t).sub(d.foot))
		rho := math.Hypot(p.x, p.y)
		radius := d.r
		switch {
		case p.z < d.bevel:
			radius -= d.bevel - p.z
		case p.z > d.h-d.bevel:
			radius -= p.z - (d.h - d.bevel)
		}
		onTop := math.Abs(p.z-d.h) < 1e-6 && rho <= d.r-d.bevel+1e-6
		if !onTop && (math.Abs(rho-radius) > 1e-6 || p.z < -1e-6 || p.z > d.h+1e-6) {
			t.Fatalf("%+v met at %v from the axis and %v above the foot", d, rho, p.z)
		}
		if m.n.dot(r.d) > 1e-9 && m.part != partSide {
			t.Fatalf("the surface met faces away: %v along %v", m.n, r.d)
		}
		if math.Abs(m.n.len()-1) > 1e-9 {
			t.Fatalf("a normal of length %v", m.n.len())
		}
	})
}

func TestARayMeetsALimbOnItsSkin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := limb{a: vec{-10, 0, 20}, b: vec{drawn(t, "bx", -40, 40), drawn(t, "by", -40, 40), drawn(t, "bz", 5, 40)}, ra: drawn(t, "ra", 4, 20), rb: drawn(t, "rb", 4, 20)}
		r := downward(t)
		s, n, ok := l.hit(r, math.Inf(1))
		if !ok {
			return
		}
		p := r.at(s)
		// The distance from the union of all balls along the axis.
		gap := math.Inf(1)
		const steps = 4000
		for i := range steps + 1 {
			f := float64(i) / steps
			gap = min(gap, p.sub(l.a.mix(l.b, f)).len()-(l.ra+(l.rb-l.ra)*f))
		}
		if math.Abs(gap) > 0.01 {
			t.Fatalf("met %v mm off the skin", gap)
		}
		if n.dot(r.d) > 1e-6 {
			t.Fatal("the skin that was met faces away")
		}
	})
}

func TestAnOctagonIsBetweenItsTwoCircles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := newOutline(true, drawn(t, "turn", 0, 1))
		x, y := drawn(t, "x", -500, 500), drawn(t, "y", -500, 500)
		r := math.Hypot(x, y)
		if s := o.size(x, y); s > r+1e-9 || s < r*math.Cos(math.Pi/8)-1e-9 {
			t.Fatalf("size %v at radius %v", s, r)
		}
		ray := downward(t)
		if in, out, ok := o.span(ray, 200); ok {
			for _, at := range []float64{in, out} {
				p := ray.at(at)
				if math.Abs(o.size(p.x, p.y)-200) > 1e-6 {
					t.Fatalf("the ray passes the wall at %v", o.size(p.x, p.y))
				}
			}
		}
	})
}

func TestAGridNeverLosesAShadow(t *testing.T) {
	lamps := []lamp{
		newLamp(Light{At: [3]float64{400, -300, 900}, Radius: 40, Strength: 1, Colour: RGB{255, 255, 255}}),
		newLamp(Light{At: [3]float64{-1500, 200, 800}, Half: [2]float64{400, 500}, Facing: [3]float64{1, 0, -0.3}, Strength: 1, Colour: RGB{255, 255, 255}}),
	}
	rapid.Check(t, func(t *rapid.T) {
		up := frameAlong(vec{0, 0, 1})
		disc := solid{foot: vec{drawn(t, "dx", -300, 300), drawn(t, "dy", -300, 300), drawn(t, "dz", 0, 60)}, f: up, r: 16, h: 10, bevel: 1, up: true}
		arm := limb{a: vec{0, -200, 30}, b: vec{drawn(t, "bx", -300, 300), drawn(t, "by", -300, 300), 60}, ra: 10, rb: 30}
		all := newShadows([]solid{disc}, []limb{arm}, lamps, -30)
		p := vec{drawn(t, "px", -420, 420), drawn(t, "py", -420, 420), rapid.SampledFrom([]float64{0, -15, -30, 9}).Draw(t, "pz")}
		for k := range lamps {
			want := disc.shade(p, &lamps[k])
			if got := all.bySolids(k, p, -1); math.Abs(got-want) > 0.004 {
				t.Fatalf("lamp %d: the disc lets %v through, the grid says %v", k, want, got)
			}
			line := lamps[k].sight(p)
			want = arm.shade(&line)
			if got := all.byLimbs(k, p, all.covering(k, cell(p))); math.Abs(got-want) > 0.004 {
				t.Fatalf("lamp %d: the arm lets %v through, the grid says %v", k, want, got)
			}
		}
	})
}

func TestNoiseIsSmoothAndEvenlySpread(t *testing.T) {
	sum := 0.0
	for i := range 20_000 {
		x, y := float64(i)*0.37, float64(i)*0.11
		a, b := noise(x, y, 3), noise(x+1e-4, y, 3)
		require.InDelta(t, a, b, 1e-3)
		require.LessOrEqual(t, math.Abs(a), 1.0)
		sum += a
	}
	require.InDelta(t, 0, sum/20_000, 0.05)
}
