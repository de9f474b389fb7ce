package calibrate

import (
	"math"
	"sort"

	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
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

// flat is an edge as seen on a plane.
type flat struct {
	a, b   float64
	na, nb float64 // unit normal
	i      int     // index of the edge
}

// flatten lays edges on the plane.
func (p *plane) flatten(edges []edge, out []flat) []flat {
	out = out[:0]
	for i, e := range edges {
		a, b, ok := p.at(e.u, e.v)
		if !ok {
			continue
		}
		// The tangent, carried over by a small step along the line.
		const h = 0.25
		a2, b2, ok := p.at(e.u-h*e.nv, e.v+h*e.nu)
		if !ok {
			continue
		}
		ta, tb := a2-a, b2-b
		l := math.Hypot(ta, tb)
		if l == 0 {
			continue
		}
		out = append(out, flat{a, b, tb / l, -ta / l, i})
	}
	return out
}

// votes accumulates, cell by cell, how many edges' normals pass.
type votes struct {
	cell   float64
	w, h   int
	a0, b0 float64
	acc    []float32
}

// cast lets every edge vote along its normal, out to reach px each way.
func (v *votes) cast(fs []flat, reach float64) {
	clear(v.acc)
	inv := 1 / v.cell
	steps := int(reach * inv)
	for _, f := range fs {
		x0, y0 := (f.a-v.a0)*inv, (f.b-v.b0)*inv
		for s := -1.0; s <= 1; s += 2 {
			x, y := x0+3*s*f.na, y0+3*s*f.nb
			for k := 3; k < steps; k++ {
				xi, yi := int(x), int(y)
				if x < 0 || y < 0 || xi >= v.w || yi >= v.h {
					break
				}
				v.acc[yi*v.w+xi]++
				x += s * f.na
				y += s * f.nb
			}
		}
	}
}

// peaks gives up to n local maxima of the smoothed votes above their
// surroundings, strongest first, in plane coordinates.
func (v *votes) peaks(n int) []hypothesis {
	w, h := v.w, v.h
	// Smooth by 3 × 3, and compare with the mean of a wide box: stripes of
	// parallel lines raise both.
	wide := boxMean(v.acc, w, h, 9)
	near := boxMean(v.acc, w, h, 1)
	type cell struct {
		k int
		s float64
	}
	var cs []cell
	for y := 2; y < h-2; y++ {
		for x := 2; x < w-2; x++ {
			k := y*w + x
			s := near[k] - wide[k]
			if s <= 0 {
				continue
			}
			top := true
			for dy := -2; dy <= 2 && top; dy++ {
				for dx := -2; dx <= 2; dx++ {
					o := k + dy*w + dx
					so := near[o] - wide[o]
					if so > s || so == s && o < k {
						top = false
						break
					}
				}
			}
			if top {
				cs = append(cs, cell{k, float64(s)})
			}
		}
	}
	sort.Slice(cs, func(i, j int) bool { return cs[i].s > cs[j].s || cs[i].s == cs[j].s && cs[i].k < cs[j].k })
	var out []hypothesis
	for _, c := range cs[:min(n, len(cs))] {
		x, y := c.k%w, c.k/w
		out = append(out, hypothesis{
			a: v.a0 + (float64(x)+0.5)*v.cell, b: v.b0 + (float64(y)+0.5)*v.cell, score: c.s,
		})
	}
	return out
}

// searchTilts are the plane directions that are tried: rings of tilts, denser
// where the foreshortening changes faster.
func searchTilts() []camera.Vec3 {
	rings := []struct {
		deg float64
		n   int
	}{{0, 1}, {13, 6}, {24, 8}, {34, 11}, {43, 14}, {51, 16}}
	var out []camera.Vec3
	for k, r := range rings {
		s, c := math.Sincos(r.deg * math.Pi / 180)
		for i := range r.n {
			sa, ca := math.Sincos(2*math.Pi*float64(i)/float64(r.n) + 0.3*float64(k))
			out = append(out, camera.Vec3{s * ca, s * sa, -c})
		}
	}
	return out
}

// searchCentres looks, over all plane directions, for points that many normals
// share.
func searchCentres(edges []edge, w, h int, f float64) []hypothesis {
	cu, cv := float64(w-1)/2, float64(h-1)/2
	// A fixed stride keeps the search's cost the same for any picture.
	some := thin(edges, 2600)
	long := float64(max(w, h))
	cell := long / 110
	var all []hypothesis
	var fs []flat
	v := votes{cell: cell}
	for _, n := range searchTilts() {
		p := newPlane(n, f, cu, cv)
		fs = p.flatten(some, fs)
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
		v.w, v.h = int((hi[0]-lo[0])/cell)+1, int((hi[1]-lo[1])/cell)+1
		if v.w < 8 || v.h < 8 {
			continue
		}
		if need := v.w * v.h; cap(v.acc) < need {
			v.acc = make([]float32, need)
		} else {
			v.acc = v.acc[:need]
		}
		v.cast(fs, 0.62*long)
		for _, q := range v.peaks(3) {
			q.n, q.f, q.cu, q.cv = n, f, cu, cv
			all = append(all, q)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].score > all[j].score })
	return all
}

// thin keeps about n of a list, evenly spread over it.
func thin[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, 0, n)
	step := float64(len(list)) / float64(n)
	for x := 0.0; int(x) < len(list); x += step {
		out = append(out, list[int(x)])
	}
	return out
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
// gives the cameras that explain them best, best first.
func candidates(hs []hypothesis, edges []edge, p *raster.Picture, pr priors) []candidate {
	long := float64(max(p.W, p.H))
	few := thin(edges, 2600)
	type first struct {
		h hypothesis
		r reading
	}
	var firsts []first
	var done [][2]float64
	clear := false // one of them reads like a board already
	var fs []flat
	for _, hy := range hs {
		if len(done) == 8 || len(done) >= 3 && clear {
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
		if near >= 2 {
			continue
		}
		done = append(done, [2]float64{u, v})
		s := sharpen(hy, few, long)
		pl = newPlane(s.n, s.f, s.cu, s.cv)
		fs = pl.flatten(edges, fs)
		rad := newRadial(0.9*long, long/420)
		rad.fill(fs, s.a, s.b, 0.97)
		for _, r := range rad.cover(1).read(2, 8) {
			firsts = append(firsts, first{s, r})
			clear = clear || r.score > plain
		}
	}
	sort.SliceStable(firsts, func(i, j int) bool { return firsts[i].r.score > firsts[j].r.score })
	var out []candidate
	for i, f := range firsts[:min(5, len(firsts))] {
		if i >= 2 && len(out) > 0 && best(out) > plain {
			break
		}
		m := f.h.model(f.r, p.W, p.H)
		for try := range 3 {
			g, err := settle(m, edges, pr)
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
			m = g.model
			for i := range 3 {
				m.cam.T[i] *= startRadius / r.start
			}
			m.name(r)
			out = append(out, candidate{fitted{model: m}, r})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].score > out[j].score })
	return out
}
