package calibrate

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"crokcam/calibrate/camera"
)

// A hypothesis is a plane's direction and, on that plane, a centre about which
// many edges run in circles.
type hypothesis struct {
	n      camera.Vec3 // unit normal towards the camera
	f      float64     // px
	cu, cv float64     // principal point, px
	a, b   float64     // centre on the plane, in px of a picture taken head-on
	score  float64
}

// plane maps pixels to the head-on picture of the plane with normal n: the
// picture that a camera turned to face it would take, in px.
type plane struct {
	f, cu, cv float64
	r         camera.Mat3
}

func newPlane(n camera.Vec3, f, cu, cv float64) plane {
	return plane{f: f, cu: cu, cv: cv, r: camera.Facing(n)}
}

// at gives the head-on place of pixel (u, v), y up. The scale is that of a
// plane at distance one focal length.
func (p *plane) at(u, v float64) (a, b float64, ok bool) {
	dx, dy := u-p.cu, v-p.cv
	den := -(dx*p.r[0][2] + dy*p.r[1][2] + p.f*p.r[2][2])
	if den < 0.15*p.f {
		return 0, 0, false
	}
	k := p.f / den
	return k * (dx*p.r[0][0] + dy*p.r[1][0] + p.f*p.r[2][0]),
		k * (dx*p.r[0][1] + dy*p.r[1][1] + p.f*p.r[2][1]), true
}

// lay gives the head-on place of an edge, and its normal there, of any length.
func (p *plane) lay(e *edge) (f flat, ok bool) {
	dx, dy := e.u-p.cu, e.v-p.cv
	den := -(dx*p.r[0][2] + dy*p.r[1][2] + p.f*p.r[2][2])
	if den < 0.15*p.f {
		return f, false
	}
	a := (dx*p.r[0][0] + dy*p.r[1][0] + p.f*p.r[2][0]) / den
	b := (dx*p.r[0][1] + dy*p.r[1][1] + p.f*p.r[2][1]) / den
	// The tangent (-nv, nu), through the derivative of the map.
	along := e.nu*p.r[1][2] - e.nv*p.r[0][2]
	ta := e.nu*p.r[1][0] - e.nv*p.r[0][0] + a*along
	tb := e.nu*p.r[1][1] - e.nv*p.r[0][1] + b*along
	return flat{p.f * a, p.f * b, tb, -ta}, true
}

// flat is an edge as seen on a plane.
type flat struct {
	a, b   float64
	na, nb float64 // normal
}

// votes accumulates, cell by cell, how many edges' normals pass.
type votes struct {
	cell       float64
	w, h       int
	a0, b0     float64
	acc        []int32
	near, wide boxMean[int32]
}

// resize empties the votes for w × h cells.
func (v *votes) resize(w, h int) {
	v.w, v.h = w, h
	v.acc = slices.Grow(v.acc[:0], w*h)[:w*h]
	clear(v.acc)
}

// cast lets every edge vote along its normal on a plane, out to reach px each
// way.
func (v *votes) cast(p *plane, edges []edge, reach float64) {
	// Whole numbers of 2⁻¹⁶ cells.
	const one = 1 << 16
	inv := one / v.cell
	steps := int(reach / v.cell)
	w, h := uint(v.w), uint(v.h)
	for i := range edges {
		f, ok := p.lay(&edges[i])
		n2 := f.na*f.na + f.nb*f.nb
		x0, y0 := (f.a-v.a0)*inv, (f.b-v.b0)*inv
		if !ok || n2 == 0 || !(math.Abs(x0)+math.Abs(y0) < 1<<40) {
			continue
		}
		k := one / math.Sqrt(n2)
		dx, dy := int(k*f.na), int(k*f.nb)
		for range 2 {
			x, y := int(x0)+3*dx, int(y0)+3*dy
			for range steps - 3 {
				xi, yi := uint(x>>16), uint(y>>16)
				if xi >= w || yi >= h {
					break
				}
				v.acc[yi*w+xi]++
				x += dx
				y += dy
			}
			dx, dy = -dx, -dy
		}
	}
}

// peaks gives up to n local maxima of the smoothed votes above their
// surroundings, strongest first, in plane coordinates.
func (v *votes) peaks(n int) []hypothesis {
	w, h := v.w, v.h
	// Smooth by 3 × 3, and compare with the mean of a wide box: stripes of
	// parallel lines raise both.
	s, wide := v.near.of(v.acc, w, h, 1), v.wide.of(v.acc, w, h, 9)
	for k := range s {
		s[k] -= wide[k]
	}
	type cell struct {
		k int
		s float32
	}
	var best []cell
	least := float32(0)
	for y := 2; y < h-2; y++ {
		for x := 2; x < w-2; x++ {
			k := y*w + x
			if s[k] <= least || !highest(s, w, k) {
				continue
			}
			at, _ := slices.BinarySearchFunc(best, s[k], func(c cell, s float32) int { return cmp.Compare(s, c.s) })
			best = slices.Insert(best, at, cell{k, s[k]})
			if len(best) >= n {
				best = best[:n]
				least = best[n-1].s
			}
		}
	}
	out := make([]hypothesis, len(best))
	for i, c := range best {
		out[i] = hypothesis{
			a: v.a0 + (float64(c.k%w)+0.5)*v.cell, b: v.b0 + (float64(c.k/w)+0.5)*v.cell, score: float64(c.s),
		}
	}
	return out
}

// highest tells whether a cell is the highest of those around it, or the first
// of equals.
func highest(s []float32, w, k int) bool {
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			o := k + dy*w + dx
			if s[o] > s[k] || s[o] == s[k] && o < k {
				return false
			}
		}
	}
	return true
}

// The plane directions that are tried: rings of tilts, denser where the
// foreshortening changes faster.
var (
	mildTilts  = append(tilts(0, 1, 0), append(tilts(13, 6, 0.3), tilts(24, 8, 0.6)...)...)
	steepTilts = append(tilts(34, 11, 0.9), append(tilts(43, 14, 1.2), tilts(51, 16, 1.5)...)...)
	allTilts   = append(slices.Clone(mildTilts), steepTilts...)
)

// tilts are n normals of planes tilted by deg, the first in direction from.
func tilts(deg float64, n int, from float64) []camera.Vec3 {
	s, c := math.Sincos(deg * math.Pi / 180)
	out := make([]camera.Vec3, n)
	for i := range out {
		sa, ca := math.Sincos(2*math.Pi*float64(i)/float64(n) + from)
		out[i] = camera.Vec3{s * ca, s * sa, -c}
	}
	return out
}

// searchEdges and aimEdges keep the search's cost the same for any picture.
const (
	searchEdges = 2600
	aimEdges    = 6000
)

// searchCentres looks, over all plane directions, for points that many normals
// share.
func searchCentres(edges []edge, w, h int, f float64, tilts []camera.Vec3) []hypothesis {
	cu, cv := float64(w-1)/2, float64(h-1)/2
	some := edges[:min(len(edges), searchEdges)]
	long := float64(max(w, h))
	cell := long / 110
	var all []hypothesis
	v := votes{cell: cell}
	for _, n := range tilts {
		p := newPlane(n, f, cu, cv)
		// The plane picture is cut to where the centre can be: inside the
		// original picture.
		lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for _, c := range [][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0.5, 0}, {0.5, 1}, {0, 0.5}, {1, 0.5}} {
			a, b, ok := p.at(c[0]*float64(w-1), c[1]*float64(h-1))
			if !ok {
				continue
			}
			lo[0], hi[0] = math.Min(lo[0], a), math.Max(hi[0], a)
			lo[1], hi[1] = math.Min(lo[1], b), math.Max(hi[1], b)
		}
		// A far horizon is of no use: limit the plane picture's size.
		for i := range 2 {
			lo[i] = math.Max(lo[i], -1.6*long)
			hi[i] = math.Min(hi[i], 1.6*long)
		}
		v.a0, v.b0 = lo[0], lo[1]
		w, h := int((hi[0]-lo[0])/cell)+1, int((hi[1]-lo[1])/cell)+1
		if w < 8 || h < 8 {
			continue
		}
		v.resize(w, h)
		v.cast(&p, some, 0.62*long)
		for _, q := range v.peaks(3) {
			q.n, q.f, q.cu, q.cv = n, f, cu, cv
			all = append(all, q)
		}
	}
	slices.SortStableFunc(all, func(x, y hypothesis) int { return cmp.Compare(y.score, x.score) })
	return all
}

// candidate is a camera that may be the right one, and how well the circles
// that it sees are drawn.
type candidate struct {
	fitted
	reading
}

// plain is the score of a reading that leaves little doubt.
const plain = 3.2

func best(cs []candidate) float64 {
	b := 0.0
	for _, c := range cs {
		b = math.Max(b, c.score)
	}
	return b
}

// candidates sharpens the most promising centres, reads their circles, and
// gives the cameras that explain them best, best first. A closer look tries
// more planes about the same centre, and sharpens for a board's circles rather
// than for any.
func (s *search) candidates(edges []edge, hs []hypothesis, closer bool) []candidate {
	p := s.soft
	long := float64(max(p.W, p.H))
	few, some := edges[:min(len(edges), searchEdges)], edges[:min(len(edges), aimEdges)]
	alike := 2 // planes about one centre
	if closer {
		alike = 4
	}
	type first struct {
		h hypothesis
		r reading
	}
	var firsts []first
	var done [][2]float64
	sure := false // one of them reads like a board already
	for _, hy := range hs {
		if len(done) == mostCentres || len(done) >= 3 && sure {
			break
		}
		pl := newPlane(hy.n, hy.f, hy.cu, hy.cv)
		u, v := pl.back(hy.a, hy.b)
		near := 0
		for _, d := range done {
			if math.Hypot(u-d[0], v-d[1]) < 0.05*long {
				near++
			}
		}
		if near >= alike {
			continue
		}
		done = append(done, [2]float64{u, v})
		h := sharpen(hy, few, long)
		if closer {
			h = aim(h, some, long)
		}
		pl = newPlane(h.n, h.f, h.cu, h.cv)
		rad := newRadial(0.9*long, long/420)
		rad.fill(&pl, edges, h.a, h.b, 0.97)
		for _, r := range rad.cover(1).read(2, 8) {
			firsts = append(firsts, first{h, r})
			sure = sure || r.score > plain
		}
	}
	sort.SliceStable(firsts, func(i, j int) bool { return firsts[i].r.score > firsts[j].r.score })
	var out []candidate
	for i, f := range firsts[:min(5, len(firsts))] {
		if i >= 1 && best(out) > plain {
			break
		}
		m := f.h.model(f.r, p.W, p.H)
		for try := range 3 {
			g, err := settle(m, edges, s.prSoft)
			if err != nil {
				break
			}
			r, same := g.reread(p)
			if r.start == 0 {
				break
			}
			if same || try == 2 {
				out = append(out, candidate{g, r})
				break
			}
			// Another circle is the starting line after all.
			m = g.renamed(r)
			out = append(out, candidate{fitted{model: m}, r})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].score > out[j].score })
	// What shows so faintly is no board, and one of the best is right or none.
	for len(out) > 0 && out[len(out)-1].score < faint {
		out = out[:len(out)-1]
	}
	return out[:min(len(out), mostCandidates)]
}

// What candidates are worth following.
const (
	mostCentres    = 8
	mostCandidates = 6
	faint          = 0.9 // the score of a reading that no board in sight gives
)
