package calibrate

import (
	"math"
	"sort"
)

// A reading names circles: which radius is which line of a board.
type reading struct {
	start, ten, fifteen float64 // px on the plane
	hole, surface       float64 // 0 when not seen
	score               float64
	parts               [circles]float64 // how much of each is drawn
}

// Where a board's circles stand, as shares of the starting line's radius.
// Tournament boards have 1/3 and 2/3; many older boards have the 10 line at
// 0.72 and the 15 line between 0.32 and 0.34.
var (
	tenRange     = [2]float64{0.63, 0.76}
	fifteenRange = [2]float64{0.30, 0.365}
	holeRange    = [2]float64{0.047, 0.075}
	surfaceRange = [2]float64{1.025, 1.14}

	// Where nearly all of them stand: outside, a reading must be clearer.
	usualTen     = [2]float64{0.650, 0.730}
	usualFifteen = [2]float64{0.318, 0.348}
)

// read finds the readings of the circles that explain most of what is drawn,
// best first, each with another starting line. The stricter, the more a
// reading with unusual shares loses.
func (r rings) read(n int, strict float64) []reading {
	var all []reading
	for k := 30; k < len(r.cov); k++ {
		c := r.cov[k]
		if c < 0.2 || c < r.cov[k-1] || k+1 < len(r.cov) && c < r.cov[k+1] {
			continue
		}
		s := float64(k)
		var x reading
		x.start = s
		x.parts[startLine] = c
		x.ten, x.parts[tenLine] = r.top(s, tenRange)
		x.fifteen, x.parts[fifteenLine] = r.top(s, fifteenRange)
		x.hole, x.parts[holeRim] = r.top(s, holeRange)
		x.surface, x.parts[surfaceEdge] = r.top(s, surfaceRange)
		// Bare bands tell a board from other things with circles.
		_, gap1 := r.top(s, [2]float64{0.80, 0.955})
		_, gap2 := r.top(s, [2]float64{0.40, 0.60})
		_, gap3 := r.top(s, [2]float64{0.13, 0.27})
		x.score = x.parts[startLine] + x.parts[tenLine] + x.parts[fifteenLine] + 0.5*x.parts[holeRim] + 0.6*x.parts[surfaceEdge] -
			0.7*math.Max(0, gap1-0.35) - 0.7*math.Max(0, gap2-0.35) - 0.3*math.Max(0, gap3-0.5)
		x.score -= strict * (outside(x.ten/s, usualTen) + outside(x.fifteen/s, usualFifteen))
		for _, v := range []*float64{&x.start, &x.ten, &x.fifteen, &x.hole, &x.surface} {
			*v *= r.bin
		}
		all = append(all, x)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].score > all[j].score })
	var out []reading
	for _, x := range all {
		if len(out) == n {
			break
		}
		fresh := true
		for _, y := range out {
			if math.Abs(x.start/y.start-1) < 0.03 {
				fresh = false
			}
		}
		if fresh {
			out = append(out, x)
		}
	}
	return out
}

func outside(v float64, in [2]float64) float64 {
	return math.Max(0, math.Max(in[0]-v, v-in[1]))
}

// top is the best covered radius (in bins) in a range of shares of s.
func (r rings) top(s float64, in [2]float64) (at, cov float64) {
	for k := int(in[0]*s + 0.5); k <= int(in[1]*s+0.5) && k < len(r.cov); k++ {
		if r.cov[k] > cov {
			at, cov = float64(k), r.cov[k]
		}
	}
	return at, cov
}
