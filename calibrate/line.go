package calibrate

import "math"

// band is a printed line as measured on a common profile: where it begins and
// ends, mm from the profile's middle.
type band struct {
	inner, width float64
	blur         float64 // sigma of the picture's unsharpness, mm
	cost         float64
}

func (b band) centre() float64 { return b.inner + b.width/2 }

// usualWidth is what a printed line measures where the picture is too coarse
// to tell, mm: 1/16 to 1/8 in, as board makers give it.
const (
	usualWidth    = 1.6
	widthSpread   = 0.25 // of its logarithm
	profileReach  = 5.5  // mm of the profile that a line's model explains
	narrowestLine = 0.6
	widestLine    = 6.5
)

// bands fits the lines on several profiles together, measuring their width or
// taking it from like. A line is a plateau
// between two levels, blurred: level · Φ((r-inner)/σ) · Φ((r-outer)/σ). All
// lines of a board are drawn with one pen, so they share width and blur.
func bands(profiles [][]float32, step, mmpx float64, measure bool, like band) []band {
	best := make([]band, len(profiles))
	bestCost := math.Inf(1)
	try := make([]band, len(profiles))
	if !measure {
		if like.width == 0 {
			like = band{width: usualWidth, blur: 0.85 * mmpx}
		}
		for i, p := range profiles {
			best[i] = bandAt(p, step, like.width, like.blur)
		}
		return best
	}
	for _, blur := range []float64{0.55, 0.8, 1.1, 1.6} {
		sigma := blur * mmpx
		for w := narrowestLine; w <= widestLine; w *= 1.16 {
			l := math.Log(w/usualWidth) / widthSpread
			m := math.Log(blur/0.8) / 0.5
			cost := l*l + m*m
			for i, p := range profiles {
				try[i] = bandAt(p, step, w, sigma)
				cost += try[i].cost
			}
			if cost < bestCost {
				bestCost = cost
				copy(best, try)
			}
		}
	}
	return best
}

// bandAt places a line of given width and blur on a profile.
func bandAt(profile []float32, step, width, sigma float64) band {
	w := len(profile) / 3
	half := w / 2
	reach := min(int(profileReach/step), half)
	n := 2*reach + 1
	lo := half - reach
	var mean [3]float64
	var span float64
	for c := range 3 {
		mn, mx := math.Inf(1), math.Inf(-1)
		for k := range n {
			v := float64(profile[(lo+k)*3+c])
			mean[c] += v / float64(n)
			mn, mx = math.Min(mn, v), math.Max(mx, v)
		}
		span = math.Max(span, mx-mn)
	}
	// What a profile can be off by: noise, and looks that no plateau has.
	s := 0.7 + 0.04*span
	norm := 1 / (s * s * 12)
	// The two smoothed steps, tabulated from -reach-width to +reach+width.
	fine := step / 4
	m := int((2*profileReach+widestLine)/fine) + 8
	table := make([]float64, 2*m+1)
	for i := range table {
		table[i] = 0.5 * math.Erfc(-float64(i-m)*fine/(sigma*math.Sqrt2))
	}
	phi := func(x float64) float64 {
		i := int(x/fine + float64(m) + 0.5)
		return table[max(0, min(i, 2*m))]
	}
	best := band{cost: math.Inf(1), width: width, blur: sigma}
	f1, f2 := make([]float64, n), make([]float64, n)
	for at := -0.7 * profileReach; at <= 0.7*profileReach-width/2; at += fine {
		var a11, a12, a22 float64
		var m1, m2 float64
		for k := range n {
			r := float64(k-reach) * step
			f1[k], f2[k] = phi(r-at), phi(r-at-width)
			m1 += f1[k]
			m2 += f2[k]
		}
		m1 /= float64(n)
		m2 /= float64(n)
		for k := range n {
			f1[k] -= m1
			f2[k] -= m2
			a11 += f1[k] * f1[k]
			a12 += f1[k] * f2[k]
			a22 += f2[k] * f2[k]
		}
		a11 += 1e-6
		a22 += 1e-6
		det := a11*a22 - a12*a12
		if det <= 1e-12 {
			continue
		}
		cost := 0.0
		for c := range 3 {
			var b1, b2, yy float64
			for k := range n {
				y := float64(profile[(lo+k)*3+c]) - mean[c]
				b1 += f1[k] * y
				b2 += f2[k] * y
				yy += y * y
			}
			x1 := (a22*b1 - a12*b2) / det
			x2 := (a11*b2 - a12*b1) / det
			cost += (yy - x1*b1 - x2*b2) * norm
		}
		// Of equals, the line nearest the expected place.
		c := (at + width/2) / 4
		cost += c * c
		if cost < best.cost {
			best.cost, best.inner = cost, at
		}
	}
	return best
}

// stepAt places the seam of two surfaces on a profile: where the common
// profile changes fastest near its middle, mm.
func stepAt(profile []float32, step, reach float64) float64 {
	w := len(profile) / 3
	half := w / 2
	n := min(int(reach/step), half-1)
	best, at := 0.0, 0
	g := func(k int) float64 {
		var s float64
		for c := range 3 {
			d := float64(profile[(k+1)*3+c] - profile[(k-1)*3+c])
			s += d * d
		}
		return math.Sqrt(s)
	}
	for k := half - n; k <= half+n; k++ {
		if k < 1 || k+1 >= w {
			continue
		}
		if v := g(k); v > best {
			best, at = v, k
		}
	}
	if best == 0 || at < 2 || at+2 >= w {
		return 0
	}
	x := float64(at - half)
	a, b, c := g(at-1), g(at), g(at+1)
	if q := a + c - 2*b; q < 0 {
		x += (a - c) / (2 * q)
	}
	return x * step
}
