package eval

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"crokcam/vision/photo"
)

// Pair is a disc of the truth and the disc that was taken for it, as indices.
type Pair struct{ True, Found int }

// verdict is one picture's result against its truth.
type verdict struct {
	counts   Counts
	exact    bool // every total right, or every wrong value offered as too close
	right    bool // every total right
	names    map[string]string
	pairs    []Pair
	missed   []int // indices into the truth
	invented []int // indices into the report
	faults   []string
	want     map[string]int
	got      map[string]int
	radial   []float64 // mm
	plane    []float64 // mm
	within2  int       // of radial: below two sigmas
}

// judge compares a report with the truth; a nil report found nothing.
func judge(t Truth, r *photo.Report) verdict {
	v := verdict{want: map[string]int{}, got: map[string]int{}}
	for _, d := range t.Discs {
		if !d.Optional {
			v.counts.Truth++
		}
	}
	if r == nil {
		for i, d := range t.Discs {
			v.want[d.Side] += d.Points
			if !d.Optional {
				v.missed = append(v.missed, i)
			}
		}
		v.counts.Missed = v.counts.Truth
		v.counts.NoBoard = 1
		return v
	}

	found := counted(r.Discs, t.Ignore)
	v.pairs = match(t.Discs, r.Discs, found, reach(t, r))
	hitTrue, hitFound := map[int]bool{}, map[int]bool{}
	for _, p := range v.pairs {
		hitTrue[p.True], hitFound[p.Found] = true, true
	}
	// A disc in the hole that is asked about instead of guessed is neither
	// missed nor invented, and worth nothing until it is answered.
	asked := slices.ContainsFunc(r.Warnings, func(w photo.Warning) bool { return w.Code == "hole_unclear" })
	if asked {
		v.counts.Flagged++
	}
	for i, d := range t.Discs {
		open := asked && d.Points == 20
		if !hitTrue[i] && !d.Optional && !open {
			v.missed = append(v.missed, i)
		}
		if !open {
			v.want[d.Side] += d.Points
		}
	}
	v.names = nameSides(t.Discs, r.Discs, found, v.pairs)
	for _, j := range found {
		d := r.Discs[j]
		open := asked && d.State == "hole"
		if !hitFound[j] && !open {
			v.invented = append(v.invented, j)
		}
		if !open {
			name, known := v.names[d.Side]
			if !known {
				name = d.Side
			}
			v.got[name] += d.Points
		}
	}

	var mm [][2][2]float64
	for _, p := range v.pairs {
		a, b := t.Discs[p.True], r.Discs[p.Found]
		if v.names[b.Side] != a.Side {
			v.counts.SideWrong++
			v.faults = append(v.faults, fmt.Sprintf("side %s for %s at (%.0f, %.0f)", sideName(v.names[b.Side]), a.Side, a.Px[0], a.Px[1]))
		}
		if b.TooClose {
			v.counts.Flagged++
		}
		if b.Points != a.Points {
			v.counts.ValueWrong++
			if !b.TooClose {
				v.counts.ValueWrongUnflagged++
				v.faults = append(v.faults, fmt.Sprintf("%d for %d at (%.0f, %.0f)", b.Points, a.Points, a.Px[0], a.Px[1]))
			}
		}
		if a.MM != nil {
			e := math.Abs(math.Hypot(a.MM[0], a.MM[1]) - math.Hypot(b.XMM, b.YMM))
			v.radial = append(v.radial, e)
			if e < 2*b.SigmaMM {
				v.within2++
			}
			mm = append(mm, [2][2]float64{*a.MM, {b.XMM, b.YMM}})
		}
	}
	if len(mm) > 1 {
		v.plane = residuals(mm)
	}

	dropZeros(v.want)
	dropZeros(v.got)
	v.counts.Found = len(found)
	v.counts.hit = len(v.pairs)
	v.counts.Missed = len(v.missed)
	v.counts.Invented = len(v.invented)
	whole := len(v.missed) == 0 && len(v.invented) == 0
	v.right = whole && equal(v.want, v.got)
	// A wrong total is forgiven where every wrong value was offered as too close.
	v.exact = v.right || whole && len(v.faults) == 0
	return v
}

// counted are the discs outside the circles to ignore.
func counted(discs []photo.Disc, ignore [][3]float64) []int {
	var out []int
	for j, d := range discs {
		if !slices.ContainsFunc(ignore, func(c [3]float64) bool { return math.Hypot(d.Px[0]-c[0], d.Px[1]-c[1]) < c[2] }) {
			out = append(out, j)
		}
	}
	return out
}

// reach is how far a disc may lie from its truth, px: 0.7 of a disc's radius.
func reach(t Truth, r *photo.Report) float64 {
	if t.Reach > 0 {
		return t.Reach
	}
	for _, ring := range r.Calibration.RingsPx {
		if ring.Ring == "start" && r.Calibration.RadiiMM.Start > 0 {
			return 0.7 * 15.875 * (ring.A + ring.B) / 2 / r.Calibration.RadiiMM.Start
		}
	}
	return 25
}

// match pairs discs with their truth, the nearest first, each once.
func match(truth []TrueDisc, discs []photo.Disc, found []int, reach float64) []Pair {
	type candidate struct {
		Pair
		px float64
	}
	var all []candidate
	for i, t := range truth {
		for _, j := range found {
			px := math.Hypot(t.Px[0]-discs[j].Px[0], t.Px[1]-discs[j].Px[1])
			if px <= reach {
				all = append(all, candidate{Pair{i, j}, px})
			}
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.px, b.px), cmp.Compare(a.True, b.True), cmp.Compare(a.Found, b.Found))
	})
	var out []Pair
	usedTrue, usedFound := map[int]bool{}, map[int]bool{}
	for _, c := range all {
		if !usedTrue[c.True] && !usedFound[c.Found] {
			usedTrue[c.True], usedFound[c.Found] = true, true
			out = append(out, c.Pair)
		}
	}
	return out
}

// nameSides gives each found side the name in the truth that agrees with most
// pairs; each name once, and "" for a side that is one too many.
func nameSides(truth []TrueDisc, discs []photo.Disc, found []int, pairs []Pair) map[string]string {
	var names, sides []string
	for _, t := range truth {
		names = append(names, t.Side)
	}
	for _, j := range found {
		sides = append(sides, discs[j].Side)
	}
	names, sides = sortedSet(names), sortedSet(sides)
	if len(names) == 0 || len(sides) == 0 {
		return nil
	}
	for n := len(sides) - len(names); n > 0; n-- {
		names = append(names, "")
	}
	best, bestAgree := map[string]string{}, -1
	used := make([]bool, len(names))
	current := map[string]string{}
	var place func(k int)
	place = func(k int) {
		if k == len(sides) {
			agree := 0
			for _, p := range pairs {
				if current[discs[p.Found].Side] == truth[p.True].Side {
					agree++
				}
			}
			if agree > bestAgree {
				bestAgree = agree
				best = maps.Clone(current)
			}
			return
		}
		for i, n := range names {
			if !used[i] {
				used[i] = true
				current[sides[k]] = n
				place(k + 1)
				used[i] = false
			}
		}
	}
	place(0)
	return best
}

func sideName(s string) string {
	if s == "" {
		return "one too many"
	}
	return s
}

func sortedSet(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

// residuals are the distances that are left, mm, after the turn between the
// two board frames that fits best; the first of each pair is turned.
func residuals(pairs [][2][2]float64) []float64 {
	var sx, sy float64
	for _, p := range pairs {
		a, b := p[0], p[1]
		sx += a[0]*b[0] + a[1]*b[1]
		sy += a[0]*b[1] - a[1]*b[0]
	}
	s, c := math.Sincos(math.Atan2(sy, sx))
	out := make([]float64, len(pairs))
	for i, p := range pairs {
		a, b := p[0], p[1]
		out[i] = math.Hypot(c*a[0]-s*a[1]-b[0], s*a[0]+c*a[1]-b[1])
	}
	return out
}

func dropZeros(m map[string]int) {
	for k, v := range m {
		if v == 0 {
			delete(m, k)
		}
	}
}

func equal(a, b map[string]int) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}
