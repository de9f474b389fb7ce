package vision

import (
	"math"
	"slices"
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

// divide tells the sides apart by several views of the discs' colours, each in
// the discs' order. With want of zero it finds out whether there are one or
// two: two colours are two sides when they are further apart than the discs of
// one colour differ among themselves. The view that parts the discs best says
// which sides there are, and all together whose a disc is.
func divide(want int, views ...[][3]float64) (best grouping) {
	n := len(views[0])
	sides := max(1, min(want, n))
	if want == 0 && n > 1 {
		sides = 2
	}
	if n == 0 {
		return grouping{}
	}
	at := 0
	for i, v := range views {
		if g := group(v, sides); i == 0 || g.parted() > best.parted() {
			best, at = g, i
		}
	}
	if want == 0 && sides == 2 && best.parted() <= 1 {
		return group(views[at], 1)
	}
	return best.unwashed(at, views)
}

// stranger is the one disc whose colour is of neither side: without it the
// others part well into two, and with it they do not. It is something else
// that lies on the board. -1: there is none.
func stranger(views ...[][3]float64) int {
	const few = 5 // discs that say too little of their colours
	found := -1
	for _, v := range views {
		if len(v) < few {
			return -1
		}
		g := group(v, 2)
		count := [2]int{}
		for _, k := range g.of {
			count[k]++
		}
		if min(count[0], count[1]) != 1 {
			return -1
		}
		odd := 0
		if count[1] == 1 {
			odd = 1
		}
		at := slices.Index(g.of, odd)
		two := group(without(v, at), 2)
		count = [2]int{}
		for _, k := range two.of {
			count[k]++
		}
		if two.parted() < 1.2 || min(count[0], count[1]) < 2 || found >= 0 && found != at {
			return -1
		}
		found = at
	}
	return found
}

// without is colours less one of them; all of them for -1.
func without(cs [][3]float64, i int) [][3]float64 {
	if i < 0 {
		return cs
	}
	return slices.Delete(slices.Clone(cs), i, i+1)
}

// nearest is the group whose centre a colour is nearest to.
func (g *grouping) nearest(c [3]float64) (at int) {
	for k := range g.centres {
		if apartIn(c, g.centres[k]) < apartIn(c, g.centres[at]) {
			at = k
		}
	}
	return at
}

// A lamp's reflection washes a colour out: it moves on the straight way to
// white. washCost is what moving all that way counts, as a share of its length.
const washCost = 0.07

// leastSpread is how much the discs of one colour differ at least, in Lab.
const leastSpread = 4

// unwashed divides anew, a washed-out disc going to the colour it was washed
// out of: each group is the way from its deepest colours to white. The groups'
// centres are those in one of the views.
func (g grouping) unwashed(at int, views [][][3]float64) grouping {
	for range 3 {
		roads := make([]ways, len(views))
		for i, v := range views {
			var ok bool
			if roads[i], ok = g.ways(v); !ok {
				return g
			}
		}
		moved := false
		for i := range g.of {
			best, to := math.Inf(1), 0
			for k := range g.centres {
				sum := 0.0
				for w, v := range views {
					sum += roads[w].off(v[i], k)
				}
				if sum < best {
					best, to = sum, k
				}
			}
			if g.of[i] != to {
				g.of[i], moved = to, true
			}
		}
		g.centres = roads[at].deep
		if !moved {
			break
		}
	}
	return g
}

// ways are the ways of groups of colours to white, in one view.
type ways struct {
	deep   [][3]float64
	spread []float64
}

var white = [3]float64{100, 0, 0}

// ways finds the groups' deepest colours; ok is false where a group is empty.
func (g *grouping) ways(cs [][3]float64) (w ways, ok bool) {
	w = ways{make([][3]float64, len(g.centres)), make([]float64, len(g.centres))}
	for k := range w.deep {
		var own [][3]float64
		for i, c := range cs {
			if g.of[i] == k {
				own = append(own, c)
			}
		}
		if len(own) == 0 {
			return w, false
		}
		sort.SliceStable(own, func(a, b int) bool { return apartIn(own[a], white) > apartIn(own[b], white) })
		// Middle values, so that one that was washed out of the other colour
		// does not count.
		own = own[:max(1, min((len(own)+1)/2, len(own)-2))]
		vals := make([]float64, len(own))
		for ch := range 3 {
			for i, c := range own {
				vals[i] = c[ch]
			}
			w.deep[k][ch] = median(vals)
		}
		for i, c := range own {
			vals[i] = washDistance(c, w.deep[k], white)
		}
		w.spread[k] = math.Max(leastSpread, 1.5*median(vals))
	}
	return w, true
}

// farOff is the distance, in spreads, beyond which a colour is only known not
// to be a group's.
const farOff = 6

// off is how far a colour is from a group's way.
func (w *ways) off(c [3]float64, k int) float64 {
	return math.Min(farOff, washDistance(c, w.deep[k], white)/w.spread[k])
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
