package calibrate

import (
	"math"
	"slices"

	"crokcam/internal/raster"
)

// A strip is the picture along one circle, unrolled: for each direction, a
// short profile across the line.
type strip struct {
	of      circle
	radius  float64   // in the middle, mm
	step    float64   // mm between samples
	half    int       // samples on each side of the middle
	angles  []float64 // rad
	samples [][]float32
	seen    []bool // inside the picture over its whole length
}

// cut unrolls n directions of a circle, reach mm to each side.
func (m *model) cut(p *raster.Picture, of circle, n int, reach, step float64) *strip {
	s := &strip{of: of, radius: m.radii[of], step: step, half: int(reach/step + 0.5)}
	w := 2*s.half + 1
	s.angles = make([]float64, n)
	s.samples = make([][]float32, n)
	s.seen = make([]bool, n)
	buf := make([]float32, n*w*3)
	for j := range n {
		a := 2 * math.Pi * (float64(j) + 0.5) / float64(n)
		s.angles[j] = a
		ray := m.cam.Ray(a)
		row := buf[j*w*3 : (j+1)*w*3]
		s.seen[j] = true
		for k := range w {
			r := s.radius + float64(k-s.half)*step
			u, v := ray.Project(r)
			c, ok := p.At(u, v)
			if !ok {
				s.seen[j] = false
				break
			}
			copy(row[k*3:], c[:])
		}
		s.samples[j] = row
	}
	return s
}

// profile is the middle value over the directions, sample by sample, each
// direction shifted by its offset (mm) and freed of its own mean. It reaches
// as far (mm) as asked.
func (s *strip) profile(offset []float64, use []bool, reach float64) []float32 {
	w := 2*s.half + 1
	half := min(int(reach/s.step+0.5), s.half)
	out := make([]float32, (2*half+1)*3)
	type shifted struct {
		row  []float32
		mean [3]float32
		at   int     // whole samples
		f    float32 // and the rest
	}
	var rows []shifted
	for j := range s.angles {
		if use[j] {
			x := offset[j] / s.step
			at := int(math.Floor(x))
			rows = append(rows, shifted{s.samples[j], mean3(s.samples[j]), at, float32(x - float64(at))})
		}
	}
	vals, one := make([]float32, 0, 3*len(rows)), make([]float32, len(rows))
	for k := range 2*half + 1 {
		vals = vals[:0]
		for _, r := range rows {
			i := s.half - half + k + r.at
			if i < 0 || i+1 >= w {
				continue
			}
			q := r.row[i*3 : i*3+6]
			vals = append(vals, q[0]+r.f*(q[3]-q[0])-r.mean[0], q[1]+r.f*(q[4]-q[1])-r.mean[1], q[2]+r.f*(q[5]-q[2])-r.mean[2])
		}
		if n := len(vals) / 3; n > 0 {
			one := one[:n]
			for c := range 3 {
				for j := range one {
					one[j] = vals[j*3+c]
				}
				out[k*3+c] = raster.Median(one)
			}
		}
	}
	return out
}

// align finds by how much (mm) each direction's profile is shifted against the
// common one, and how well it agrees there (-1 to 1).
func (s *strip) align(common []float32, window, reach float64) (offset, fit []float64) {
	w := 2*s.half + 1
	half := len(common) / 6 // samples of it on each side
	win := min(int(window/s.step+0.5), half)
	most := min(int(reach/s.step+0.5), s.half-win)
	n := len(s.angles)
	offset, fit = make([]float64, n), make([]float64, n)
	// The part of the common profile that is looked for, free of its mean.
	t := slices.Clone(common[(half-win)*3 : (half+win+1)*3])
	tm := mean3(t)
	var tt float64
	for i := 0; i < len(t); i += 3 {
		for c := range 3 {
			t[i+c] -= tm[c]
			tt += float64(t[i+c]) * float64(t[i+c])
		}
	}
	scores := make([]float64, 2*most+1)
	// Sums over a row's samples up to each one: of the channels, and of squares.
	type sums struct{ b, g, r, squares float64 }
	upTo := make([]sums, w+1)
	for j := range n {
		fit[j] = -1
		if !s.seen[j] || tt == 0 {
			continue
		}
		row := s.samples[j]
		for k := range w {
			b, g, r := float64(row[k*3]), float64(row[k*3+1]), float64(row[k*3+2])
			q := upTo[k]
			upTo[k+1] = sums{q.b + b, q.g + g, q.r + r, q.squares + b*b + g*g + r*r}
		}
		for d := range scores {
			at := s.half + d - most - win
			to := at + 2*win + 1
			seg := row[at*3 : to*3]
			// The looked-for is free of its mean, so that the row's does not matter.
			xy := float64(dot(seg, t))
			p, q := &upTo[at], &upTo[to]
			b, g, r := q.b-p.b, q.g-p.g, q.r-p.r
			xx := q.squares - p.squares - (b*b+g*g+r*r)/float64(2*win+1)
			// A floor of one grey level of noise keeps flat profiles from
			// agreeing by chance.
			scores[d] = xy / math.Sqrt((math.Max(xx, 0)+0.5*float64(len(seg)))*tt)
		}
		b := 0
		for d := range scores {
			if scores[d] > scores[b] {
				b = d
			}
		}
		fit[j] = scores[b]
		x := float64(b - most)
		if b > 0 && b < len(scores)-1 {
			if q := scores[b-1] + scores[b+1] - 2*scores[b]; q < 0 {
				x += (scores[b-1] - scores[b+1]) / (2 * q)
			}
		} else {
			fit[j] = math.Min(fit[j], 0) // at the end of the reach: not found
		}
		offset[j] = x * s.step
	}
	return offset, fit
}

// dot is the scalar product; four sums at once keep the processor busy.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

func mean3(v []float32) (m [3]float32) {
	for i := 0; i+3 <= len(v); i += 3 {
		m[0] += v[i]
		m[1] += v[i+1]
		m[2] += v[i+2]
	}
	for c := range m {
		m[c] /= float32(len(v) / 3)
	}
	return m
}
