package render

import "math"

// outline is the shape of a wall seen from above: a circle, or an octagon
// whose flats are r away from the centre.
type outline struct {
	octagon bool
	turn    float64 // rad, of the first flat's normal
	n       [8][2]float64
}

func newOutline(octagon bool, turn float64) *outline {
	o := &outline{octagon: octagon, turn: turn}
	for i := range o.n {
		s, c := math.Sincos(turn + float64(i)*math.Pi/4)
		o.n[i] = [2]float64{c, s}
	}
	return o
}

// size is the r of the outline that goes through a place.
func (o *outline) size(x, y float64) float64 {
	if !o.octagon {
		return hypot(x, y)
	}
	most := math.Inf(-1)
	for _, n := range o.n {
		most = max(most, n[0]*x+n[1]*y)
	}
	return most
}

// out is the outward normal of the outline through a place.
func (o *outline) out(x, y float64) vec {
	if !o.octagon {
		return vec{x, y, 0}.unit()
	}
	best, most := 0, math.Inf(-1)
	for i, n := range o.n {
		if d := n[0]*x + n[1]*y; d > most {
			best, most = i, d
		}
	}
	return vec{o.n[best][0], o.n[best][1], 0}
}

// span is the part of a ray over the inside of the outline of size r.
func (o *outline) span(r ray, size float64) (in, out float64, ok bool) {
	in, out = math.Inf(-1), math.Inf(1)
	if !o.octagon {
		a := r.d.x*r.d.x + r.d.y*r.d.y
		b := r.o.x*r.d.x + r.o.y*r.d.y
		c := r.o.x*r.o.x + r.o.y*r.o.y - size*size
		if a < 1e-18 {
			return in, out, c <= 0
		}
		q := b*b - a*c
		if q <= 0 {
			return 0, 0, false
		}
		root := math.Sqrt(q)
		return (-b - root) / a, (-b + root) / a, true
	}
	for _, n := range o.n {
		d := n[0]*r.d.x + n[1]*r.d.y
		gap := size - (n[0]*r.o.x + n[1]*r.o.y)
		switch {
		case math.Abs(d) < 1e-15:
			if gap < 0 {
				return 0, 0, false
			}
		case d > 0:
			out = min(out, gap/d)
		default:
			in = max(in, gap/d)
		}
	}
	return in, out, in < out
}
