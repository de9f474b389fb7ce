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
		sa, ca := math.Sincos(a)
		row := buf[j*w*3 : (j+1)*w*3]
		s.seen[j] = true
		for k := range w {
			r := s.radius + float64(k-s.half)*step
			u, v := m.cam.Project(r*ca, r*sa, 0)
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
// direction shifted by its offset (mm) and freed of its own mean.
func (s *strip) profile(offset []float64, use []bool) []float32 {
	w := 2*s.half + 1
	out := make([]float32, w*3)
	var vals []float32
	means := make([][3]float32, len(s.angles))
	for j := range s.angles {
		if use[j] {
			means[j] = mean3(s.samples[j])
		}
	}
	for k := range w {
		for c := range 3 {
			vals = vals[:0]
			for j := range s.angles {
				if !use[j] {
					continue
				}
				x := float64(k) + offset[j]/s.step
				i := int(math.Floor(x))
				if i < 0 || i+1 >= w {
					continue
				}
				f := float32(x - float64(i))
				row := s.samples[j]
				vals = append(vals, (1-f)*row[i*3+c]+f*row[(i+1)*3+c]-means[j][c])
			}
			if len(vals) > 0 {
				out[k*3+c] = raster.Median(vals)
			}
		}
	}
	return out
}

// align finds by how much (mm) each direction's profile is shifted against the
// common one, and how well it agrees there (-1 to 1).
func (s *strip) align(common []float32, window, reach float64) (offset, fit []float64) {
	w := 2*s.half + 1
	win := min(int(window/s.step+0.5), s.half)
	most := min(int(reach/s.step+0.5), s.half-win)
	n := len(s.angles)
	offset, fit = make([]float64, n), make([]float64, n)
	// The part of the common profile that is looked for, free of its mean.
	t := slices.Clone(common[(s.half-win)*3 : (s.half+win+1)*3])
	tm := mean3(t)
	var tt float64
	for i := range t {
		t[i] -= tm[i%3]
		tt += float64(t[i]) * float64(t[i])
	}
	scores := make([]float64, 2*most+1)
	for j := range n {
		fit[j] = -1
		if !s.seen[j] || tt == 0 {
			continue
		}
		row := s.samples[j]
		for d := -most; d <= most; d++ {
			at := s.half + d - win
			if at < 0 || at+2*win+1 > w {
				continue
			}
			seg := row[at*3 : (at+2*win+1)*3]
			m := mean3(seg)
			var xy, xx float64
			for i := range seg {
				v := float64(seg[i] - m[i%3])
				xy += v * float64(t[i])
				xx += v * v
			}
			// A floor of one grey level of noise keeps flat profiles from
			// agreeing by chance.
			scores[d+most] = xy / math.Sqrt((xx+0.5*float64(len(seg)))*tt)
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

func mean3(v []float32) (m [3]float32) {
	for i := range v {
		m[i%3] += v[i]
	}
	for c := range m {
		m[c] /= float32(len(v) / 3)
	}
	return m
}
