package calibrate

import (
	"cmp"
	"math"
	"slices"
)

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
	narrowestLine = 0.6
	widestLine    = 6.5
)

// profileReach is how much of a profile a line's model explains, mm to each
// side: the line and some of its ground. Where a pixel spans so much that an
// unsharp line fills that, it is more: of a line's flank alone a seam of two
// surfaces could be made.
func profileReach(mmpx float64) float64 { return math.Min(math.Max(5.5, 5*mmpx), 10) }

// The widths (mm) and blurs (px) that are tried, the usual ones first: what
// they explain leaves little to try of the others.
var (
	triedWidths = func() (ws []float64) {
		for w := narrowestLine; w <= widestLine; w *= 1.16 {
			ws = append(ws, w)
		}
		slices.SortFunc(ws, func(a, b float64) int { return cmp.Compare(unusualWidth(a), unusualWidth(b)) })
		return ws
	}()
	triedBlurs = []float64{0.8, 1.1, 0.55, 1.6, 2.3}
)

// unusualWidth is the square of a width's distance from the usual, in sigmas.
func unusualWidth(w float64) float64 {
	l := math.Log(w/usualWidth) / widthSpread
	return l * l
}

// bands fits the lines on several profiles together, measuring their width and
// blur or taking both from like; where like is not known, a usual width is
// taken. A line is a plateau between two levels, blurred: level ·
// Φ((r-inner)/σ) · Φ((r-outer)/σ). All lines of a board are drawn with one pen,
// so they share width and blur.
func bands(profiles [][]float32, step, mmpx float64, measure bool, like band) []band {
	ruler := newRuler(profiles, step, profileReach(mmpx))
	widths := triedWidths
	if !measure {
		if like.width != 0 {
			ruler.blur(like.blur)
			return ruler.place(like.width)
		}
		widths = []float64{usualWidth}
	}
	var best []band
	bestCost := math.Inf(1)
	for _, blur := range triedBlurs {
		m := math.Log(blur/0.8) / 0.5
		ruler.blur(blur * mmpx)
		for _, w := range widths {
			cost := unusualWidth(w) + m*m
			if cost > bestCost {
				break
			}
			try := ruler.place(w)
			for _, b := range try {
				cost += b.cost
			}
			if cost < bestCost {
				best, bestCost = try, cost
			}
		}
	}
	return best
}

// ruler places lines on profiles.
type ruler struct {
	step   float64        // mm between samples
	span   float64        // mm of the profiles on each side of the middle
	reach  int            // the same in samples
	ys     [][3][]float64 // the profiles' channels, free of their means
	yy     []float64      // the squares' sum
	norm   []float64      // what a square counts
	sigma  float64        // mm
	table  []float64      // a smoothed step, four values to a sample
	f1, f2 []float64
}

func newRuler(profiles [][]float32, step, reach float64) *ruler {
	q := &ruler{step: step, span: reach, reach: math.MaxInt}
	for _, p := range profiles {
		q.reach = min(q.reach, int(reach/step), len(p)/6)
	}
	n := 2*q.reach + 1
	q.f1, q.f2 = make([]float64, n), make([]float64, n)
	for _, p := range profiles {
		lo := len(p)/6 - q.reach
		var ys [3][]float64
		var span, yy float64
		for c := range 3 {
			ys[c] = make([]float64, n)
			mn, mx, mean := math.Inf(1), math.Inf(-1), 0.0
			for k := range n {
				v := float64(p[(lo+k)*3+c])
				ys[c][k] = v
				mean += v / float64(n)
				mn, mx = math.Min(mn, v), math.Max(mx, v)
			}
			for k := range n {
				ys[c][k] -= mean
				yy += ys[c][k] * ys[c][k]
			}
			span = math.Max(span, mx-mn)
		}
		// What a profile can be off by: noise, and looks that no plateau has.
		s := 0.7 + 0.04*span
		q.ys, q.yy, q.norm = append(q.ys, ys), append(q.yy, yy), append(q.norm, 1/(s*s*12))
	}
	return q
}

// fine is the step (mm) in which lines are tried.
func (q *ruler) fine() float64 { return q.step / 4 }

// blur sets the unsharpness (sigma, mm) of what is placed next.
func (q *ruler) blur(sigma float64) {
	q.sigma = sigma
	// From the farthest inside to the farthest outside.
	m := int((2*q.span+widestLine)/q.fine()) + 8
	if q.table == nil {
		q.table = make([]float64, 2*m+1)
	}
	for i := range q.table {
		q.table[i] = 0.5 * math.Erfc(-float64(i-m)*q.fine()/(sigma*math.Sqrt2))
	}
}

// smoothed fills f with the step at r = at, less its mean.
func (q *ruler) smoothed(f []float64, at float64) {
	last := len(q.table) - 1
	i := last/2 + int(math.Floor((-float64(q.reach)*q.step-at)/q.fine()+0.5))
	mean := 0.0
	for k := range f {
		f[k] = q.table[max(0, min(i, last))]
		mean += f[k]
		i += 4
	}
	mean /= float64(len(f))
	for k := range f {
		f[k] -= mean
	}
}

// place puts a line of a width on each profile, where it explains most.
func (q *ruler) place(width float64) []band {
	best := make([]band, len(q.ys))
	for i := range best {
		best[i] = band{cost: math.Inf(1), width: width, blur: q.sigma}
	}
	for at := -0.7 * q.span; at <= 0.7*q.span-width/2; at += q.fine() {
		q.smoothed(q.f1, at)
		q.smoothed(q.f2, at+width)
		f1 := q.f1
		f2 := q.f2[:len(f1)]
		a11, a12, a22 := 1e-6, 0.0, 1e-6
		for k := range f1 {
			a11 += f1[k] * f1[k]
			a12 += f1[k] * f2[k]
			a22 += f2[k] * f2[k]
		}
		det := a11*a22 - a12*a12
		if det <= 1e-12 {
			continue
		}
		// Of equals, the line nearest the expected place.
		c := (at + width/2) / 4
		for i := range best {
			gain := 0.0
			for _, y := range q.ys[i] {
				y = y[:len(f1)]
				var b1, b2 float64
				for k := range f1 {
					b1 += f1[k] * y[k]
					b2 += f2[k] * y[k]
				}
				gain += ((a22*b1-a12*b2)*b1 + (a11*b2-a12*b1)*b2) / det
			}
			if cost := (q.yy[i]-gain)*q.norm[i] + c*c; cost < best[i].cost {
				best[i].cost, best[i].inner = cost, at
			}
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
