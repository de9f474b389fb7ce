package calibrate

import (
	"math"

	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
)

// orient finds how the board lies about its centre: the angle of a quadrant
// line (rad, 0 to π/2) from the quadrant lines across the 5 zone and the posts
// half-way between them on the 15 line, and how far that angle stands out
// (1: not at all).
func orient(cam *camera.Camera, p *raster.Picture, radii [circles]float64) (angle, clarity float64) {
	const n = 2400 // directions: a line 1.6 mm wide spans two at the 10 line
	lo, hi := radii[tenLine]+9, radii[startLine]-9
	quadrant := ridge(cam, p, n, lo, hi, 24, n/360)
	around := odd(cam, p, n, radii[fifteenLine])

	// Fold: four lines, eight posts.
	best, sum := 0.0, 0.0
	at := 0
	score := make([]float64, n/4)
	for i := range score {
		var q, w float64
		for k := range 4 {
			q += math.Min(quadrant[(i+k*n/4)%n], 10)
		}
		for k := range 8 {
			w += math.Min(around[(i+n/16+k*n/8)%n], 3)
		}
		score[i] = q + 0.35*w
		sum += score[i]
		if score[i] > best {
			best, at = score[i], i
		}
	}
	mean := sum / float64(len(score))
	// Centre of the peak, which is a few directions wide.
	var wsum, asum float64
	for d := -6; d <= 6; d++ {
		v := score[(at+d+len(score))%len(score)] - 0.5*(best+mean)
		if v > 0 {
			wsum += v
			asum += v * float64(d)
		}
	}
	x := float64(at) + 0.5
	if wsum > 0 {
		x += asum / wsum
	}
	a := math.Mod(x*2*math.Pi/n+math.Pi, math.Pi/2)
	if mean > 0 {
		clarity = best / mean
	}
	return a, clarity
}

// direction gives the angle of direction i of n, rad.
func direction(i, n int) float64 { return 2 * math.Pi * (float64(i) + 0.5) / float64(n) }

// ridge tells, direction by direction, how much a radial line stands out from
// its neighbours gap directions away, in units of the usual difference.
func ridge(cam *camera.Camera, p *raster.Picture, n int, lo, hi float64, samples, gap int) []float64 {
	rows := make([][3]float32, n*samples)
	seen := make([]bool, n*samples)
	for i := range n {
		ray := cam.Ray(direction(i, n))
		for k := range samples {
			r := lo + (hi-lo)*float64(k)/float64(samples-1)
			rows[i*samples+k], seen[i*samples+k] = p.At(ray.Project(r))
		}
	}
	out := make([]float64, n)
	var d [3][]float32
	for i := range n {
		for ch := range d {
			d[ch] = d[ch][:0]
		}
		a, b := (i-gap+n)%n, (i+gap)%n
		for k := range samples {
			if !seen[i*samples+k] || !seen[a*samples+k] || !seen[b*samples+k] {
				continue
			}
			for ch := range 3 {
				d[ch] = append(d[ch], rows[i*samples+k][ch]-(rows[a*samples+k][ch]+rows[b*samples+k][ch])/2)
			}
		}
		if len(d[0]) < samples/3 {
			continue
		}
		for ch := range 3 {
			m := float64(raster.Median(d[ch]))
			out[i] += m * m
		}
		out[i] = math.Sqrt(out[i])
	}
	return inUnits(out)
}

// odd tells, direction by direction, how unlike the rest of the circle of the
// given radius the picture is there.
func odd(cam *camera.Camera, p *raster.Picture, n int, radius float64) []float64 {
	vals := make([][3]float32, n)
	seen := make([]bool, n)
	for i := range n {
		ray := cam.Ray(direction(i, n))
		vals[i], seen[i] = p.At(ray.Project(radius))
	}
	out := make([]float64, n)
	// Against a wide neighbourhood, so that uneven light does not count.
	w := n / 24
	for i := range n {
		if !seen[i] {
			continue
		}
		var sum [3]float64
		k := 0
		for d := -w; d <= w; d += 4 {
			j := (i + d + n) % n
			if seen[j] {
				for ch := range 3 {
					sum[ch] += float64(vals[j][ch])
				}
				k++
			}
		}
		for ch := range 3 {
			e := float64(vals[i][ch]) - sum[ch]/float64(k)
			out[i] += e * e
		}
		out[i] = math.Sqrt(out[i])
	}
	return inUnits(out)
}

// inUnits divides by the middle value.
func inUnits(v []float64) []float64 {
	s := make([]float32, len(v))
	for i, x := range v {
		s[i] = float32(x)
	}
	m := float64(raster.Median(s)) + 0.5
	for i := range v {
		v[i] /= m
	}
	return v
}
