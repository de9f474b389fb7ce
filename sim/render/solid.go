package render

import "math"

// part is the part of a solid that a ray meets.
type part uint8

const (
	partTop part = iota
	partBevel
	partSide
)

// solid is a cylinder with bevelled edges: a disc, a post, a coin, a mug.
type solid struct {
	foot   vec
	f      frame // z along the axis
	r, h   float64
	bevel  float64 // width of the bevel, mm, at top and bottom
	dish   float64 // how deep the top is hollowed, mm
	groove float64 // radius of a turned groove in the top, mm; 0 for none
	up     bool    // the axis is straight up, which is quicker
}

// meet is where a ray meets something: how far along the ray, and how the
// surface faces there.
type meet struct {
	t float64
	n vec
	part
	local vec // in the solid's own frame
}

// hit finds where the ray enters the solid before far.
func (s *solid) hit(r ray, far float64) (m meet, ok bool) {
	o, d := r.o.sub(s.foot), r.d
	if !s.up {
		o, d = s.f.in(o), s.f.in(d)
	}
	a := d.x*d.x + d.y*d.y
	b := o.x*d.x + o.y*d.y
	// Nothing to be met where the axis is passed at more than the radius.
	if c := o.x*o.x + o.y*o.y - s.r*s.r; a*c > b*b || a == 0 && c > 0 {
		return m, false
	}
	m.t = far
	best := func(t float64, z float64, p part) {
		if t > 1e-6 && t < m.t {
			m.t, m.part, ok = t, p, true
			m.local = vec{o.x + t*d.x, o.y + t*d.y, z}
		}
	}
	if d.z < 0 {
		t := (s.h - o.z) / d.z
		x, y := o.x+t*d.x, o.y+t*d.y
		if flat := s.r - s.bevel; x*x+y*y <= flat*flat {
			best(t, s.h, partTop)
		}
	}
	if a > 0 {
		if q := b*b - a*(o.x*o.x+o.y*o.y-s.r*s.r); q > 0 {
			t := (-b - math.Sqrt(q)) / a
			if z := o.z + t*d.z; z >= s.bevel && z <= s.h-s.bevel {
				best(t, z, partSide)
			}
		}
	}
	if s.bevel > 0 {
		if t, z, cone := s.cone(o, d, s.h-s.bevel, s.h, -1); cone {
			best(t, z, partBevel)
		}
		if t, z, cone := s.cone(o, d, 0, s.bevel, 1); cone {
			best(t, z, partSide)
		}
	}
	if !ok {
		return m, false
	}
	m.n = s.normal(&m)
	if !s.up {
		m.n = s.f.out(m.n)
	}
	return m, true
}

// cone meets the bevel between the heights low and high, whose radius grows
// (slope 1) or shrinks (-1) with height by as much as the height.
func (s *solid) cone(o, d vec, low, high, slope float64) (t, z float64, ok bool) {
	// The radius is k + slope·z.
	k := s.r - s.bevel - slope*low
	if slope < 0 {
		k = s.r + low
	}
	w, dw := k+slope*o.z, slope*d.z
	a := d.x*d.x + d.y*d.y - dw*dw
	b := o.x*d.x + o.y*d.y - w*dw
	c := o.x*o.x + o.y*o.y - w*w
	q := b*b - a*c
	if q < 0 || math.Abs(a) < 1e-12 {
		return 0, 0, false
	}
	root := math.Sqrt(q)
	near, next := (-b-root)/a, (-b+root)/a
	for _, t := range [2]float64{min(near, next), max(near, next)} {
		if z := o.z + t*d.z; t > 1e-6 && z >= low && z <= high && k+slope*z >= 0 {
			return t, z, true
		}
	}
	return 0, 0, false
}

// normal is how the surface faces where it was met, in the solid's frame. The
// bevel is rounded: its normal turns from the top's to the side's.
func (s *solid) normal(m *meet) vec {
	p := m.local
	rho := hypot(p.x, p.y)
	out := vec{1, 0, 0}
	if rho > 0 {
		out = vec{p.x / rho, p.y / rho, 0}
	}
	switch m.part {
	case partTop:
		if s.dish == 0 && s.groove == 0 {
			return vec{0, 0, 1}
		}
		flat := s.r - s.bevel
		slope := 0.0
		if inner := flat * 0.86; rho < inner {
			slope = 2 * s.dish * rho / (inner * inner)
		}
		if s.groove > 0 {
			if e := (rho - s.groove) / 0.55; math.Abs(e) < 1 {
				slope += 0.8 * math.Sin(math.Pi*e)
			}
		}
		return vec{-slope * out.x, -slope * out.y, 1}.unit()
	case partBevel:
		sin, cos := math.Sincos(clamp((s.h-p.z)/s.bevel, 0, 1) * math.Pi / 2)
		return vec{out.x * sin, out.y * sin, cos}
	}
	if s.bevel > 0 && p.z < s.bevel {
		sin, cos := math.Sincos(clamp(p.z/s.bevel, 0, 1) * math.Pi / 2)
		return vec{out.x * sin, out.y * sin, -cos}
	}
	return out
}

// limb is a rounded cone from a to b, as fingers and arms are made of.
type limb struct {
	a, b   vec
	ra, rb float64
	part   limbPart
}

type limbPart uint8

const (
	skin limbPart = iota
	nail
	sleeve
)

// hit finds where the ray enters the limb before far.
func (l *limb) hit(r ray, far float64) (t float64, n vec, ok bool) {
	t = far
	axis := l.b.sub(l.a)
	o := r.o.sub(l.a)
	taper := l.ra - l.rb
	length2 := axis.dot(axis)
	od, oo := o.dot(r.d), o.dot(o)

	// The mantle is the cone that touches both balls. With h = axis·p, w =
	// length² - taper², a point p of it obeys w·p² = (h - ra·taper)² + ra²·w,
	// a quadratic in the way along the ray.
	if w := length2 - taper*taper; w > 0 {
		ho, hd := axis.dot(o)-l.ra*taper, axis.dot(r.d)
		qa := w - hd*hd
		qb := w*od - ho*hd
		qc := w*oo - ho*ho - l.ra*l.ra*w
		if q := qb*qb - qa*qc; q >= 0 && math.Abs(qa) > 1e-12 {
			s := (-qb - math.Sqrt(q)) / qa
			if h := ho + s*hd; h > 0 && h < w && s > 1e-6 && s < t {
				t, ok = s, true
				n = o.add(r.d.mul(s)).mul(w).sub(axis.mul(h)).unit()
			}
		}
	}
	for i, centre := range [2]vec{l.a, l.b} {
		radius := l.ra
		b, c := od, oo
		if i == 1 {
			radius = l.rb
			e := r.o.sub(centre)
			b, c = e.dot(r.d), e.dot(e)
		}
		if q := b*b - c + radius*radius; q > 0 {
			if s := -b - math.Sqrt(q); s > 1e-6 && s < t {
				t, ok = s, true
				n = r.at(s).sub(centre).unit()
			}
		}
	}
	return t, n, ok
}
