package vision

import (
	"math"
	"sort"
)

// lab is a colour in CIE L*a*b* (D65), from 8-bit sRGB in BGR order.
func lab(bgr [3]float64) [3]float64 {
	lin := func(v float64) float64 {
		v = math.Min(math.Max(v/255, 0), 1)
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	b, g, r := lin(bgr[0]), lin(bgr[1]), lin(bgr[2])
	x := (0.4124564*r + 0.3575761*g + 0.1804375*b) / 0.95047
	y := 0.2126729*r + 0.7151522*g + 0.0721750*b
	z := (0.0193339*r + 0.1191920*g + 0.9503041*b) / 1.08883
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	fx, fy, fz := f(x), f(y), f(z)
	return [3]float64{116*fy - 16, 500 * (fx - fy), 200 * (fy - fz)}
}

// apartIn is the distance of two colours; it counts colour more than lightness: light falls unevenly over a
// board.
func apartIn(a, b [3]float64) float64 {
	l, x, y := 0.7*(a[0]-b[0]), a[1]-b[1], a[2]-b[2]
	return math.Sqrt(l*l + x*x + y*y)
}

// grouping is a division of colours.
type grouping struct {
	of      []int
	centres [][3]float64
	spread  float64 // root mean square distance to the own centre
}

// group divides colours into k groups: the best of k-means from every choice
// of far-apart seeds.
func group(cs [][3]float64, k int) grouping {
	best := grouping{spread: math.Inf(1)}
	for s := range cs {
		seeds := [][3]float64{cs[s]}
		for len(seeds) < k {
			far, at := -1.0, 0
			for i, c := range cs {
				d := math.Inf(1)
				for _, q := range seeds {
					d = math.Min(d, apartIn(c, q))
				}
				if d > far {
					far, at = d, i
				}
			}
			seeds = append(seeds, cs[at])
		}
		if g := kmeans(cs, seeds); g.spread < best.spread-1e-9 {
			best = g
		}
	}
	return best
}

func kmeans(cs [][3]float64, centres [][3]float64) grouping {
	g := grouping{of: make([]int, len(cs)), centres: centres}
	for range 20 {
		moved := false
		for i, c := range cs {
			b := 0
			for k := range g.centres {
				if apartIn(c, g.centres[k]) < apartIn(c, g.centres[b]) {
					b = k
				}
			}
			if g.of[i] != b {
				g.of[i], moved = b, true
			}
		}
		for k := range g.centres {
			var sum [3]float64
			n := 0.0
			for i, c := range cs {
				if g.of[i] == k {
					for ch := range sum {
						sum[ch] += c[ch]
					}
					n++
				}
			}
			if n > 0 {
				for ch := range sum {
					g.centres[k][ch] = sum[ch] / n
				}
			}
		}
		if !moved {
			break
		}
	}
	for i, c := range cs {
		d := apartIn(c, g.centres[g.of[i]])
		g.spread += d * d
	}
	g.spread = math.Sqrt(g.spread / float64(len(cs)))
	return g
}

// divide tells the sides apart. With want of zero it finds out whether there
// are one or two: two colours are two sides when they are further apart than
// the discs of one colour differ among themselves.
func divide(cs [][3]float64, want int) grouping {
	switch {
	case len(cs) == 0:
		return grouping{}
	case want > 0:
		g := group(cs, min(want, len(cs)))
		return g.unwashed(cs)
	case len(cs) == 1:
		return group(cs, 1)
	}
	two := group(cs, 2)
	if two.parted() > 1 {
		return two.unwashed(cs)
	}
	return group(cs, 1)
}

// A lamp's reflection washes a colour out: it moves on the straight way to
// white. washCost is what moving all that way counts, as a share of its length.
const washCost = 0.1

// leastSpread is how much the discs of one colour differ at least, in Lab.
const leastSpread = 4

// unwashed divides anew, a washed-out disc going to the colour it was washed
// out of: each group is the way from its deepest colours to white.
func (g grouping) unwashed(cs [][3]float64) grouping {
	white := [3]float64{100, 0, 0}
	for range 3 {
		deep := make([][3]float64, len(g.centres))
		spread := make([]float64, len(g.centres))
		for k := range deep {
			var own [][3]float64
			for i, c := range cs {
				if g.of[i] == k {
					own = append(own, c)
				}
			}
			if len(own) == 0 {
				return g
			}
			sort.SliceStable(own, func(a, b int) bool { return apartIn(own[a], white) > apartIn(own[b], white) })
			// Middle values, so that one that was washed out of the other colour
			// does not count.
			own = own[:(len(own)+1)/2]
			vals := make([]float64, len(own))
			for ch := range 3 {
				for i, c := range own {
					vals[i] = c[ch]
				}
				deep[k][ch] = median(vals)
			}
			for i, c := range own {
				vals[i] = apartIn(c, deep[k])
			}
			spread[k] = math.Max(leastSpread, 1.5*median(vals))
		}
		moved := false
		for i, c := range cs {
			best, at := math.Inf(1), 0
			for k, from := range deep {
				if d := washDistance(c, from, white) / spread[k]; d < best {
					best, at = d, k
				}
			}
			if g.of[i] != at {
				g.of[i], moved = at, true
			}
		}
		g.centres = deep
		if !moved {
			break
		}
	}
	return g
}

func median(v []float64) float64 {
	sort.Float64s(v)
	return (v[len(v)/2] + v[(len(v)-1)/2]) / 2
}

// washDistance is how far a colour is from the way between two others.
func washDistance(c, from, to [3]float64) float64 {
	scale := [3]float64{0.7, 1, 1} // as in apartIn
	var along, length float64
	for ch := range c {
		d := scale[ch] * (to[ch] - from[ch])
		along += d * scale[ch] * (c[ch] - from[ch])
		length += d * d
	}
	if length == 0 {
		return apartIn(c, from)
	}
	t := math.Min(math.Max(along/length, 0), 1)
	var on [3]float64
	for ch := range c {
		on[ch] = from[ch] + t*(to[ch]-from[ch])
	}
	// A lamp is seldom quite white, and a sensor burns one channel before the
	// others: the way bends.
	return apartIn(c, on)/(1+2*t) + washCost*t*math.Sqrt(length)
}

// parted is how far apart the two nearest groups are beside what two groups
// must be at least to be two sides: 1 is just enough, less than two groups are
// not parted at all.
func (g *grouping) parted() float64 {
	least := math.Inf(1)
	for i := range g.centres {
		for _, o := range g.centres[:i] {
			least = math.Min(least, apartIn(g.centres[i], o))
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least / (2.5*g.spread + 8)
}

// ColourDistance is how different two colours (BGR, 0 to 255) look, lightness
// counting less than hue.
func ColourDistance(a, b [3]float64) float64 { return apartIn(lab(a), lab(b)) }
