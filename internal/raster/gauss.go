package raster

import "math"

// gaussian is a normalised kernel that reaches three sigmas.
func gaussian(sigma float64) []float32 {
	h := max(1, int(math.Ceil(3*sigma)))
	k := make([]float32, 2*h+1)
	var sum float32
	for i := range k {
		d := float64(i - h)
		k[i] = float32(math.Exp(-d * d / (2 * sigma * sigma)))
		sum += k[i]
	}
	for i := range k {
		k[i] /= sum
	}
	return k
}

// Blur is the picture smoothed by a Gaussian of sigma px. Beyond its border
// the picture goes on as it ends.
func (p *Picture) Blur(sigma float64) *Picture {
	k := gaussian(sigma)
	h := len(k) / 2
	k = k[h:] // both ways alike
	row := p.W * 3
	out := &Picture{W: p.W, H: p.H, Scale: p.Scale, Pix: make([]float32, len(p.Pix))}
	tmp := make([]float32, len(p.Pix))
	wide := make([]float32, row+6*h)
	for y := range p.H {
		src := p.Pix[y*row : (y+1)*row]
		copy(wide[3*h:], src)
		for x := range h {
			copy(wide[3*x:3*x+3], src[:3])
			copy(wide[row+3*(h+x):], src[row-3:])
		}
		dst := tmp[y*row : (y+1)*row]
		times(dst, wide[3*h:], k[0])
		for i := 1; i <= h; i++ {
			plusBoth(dst, wide[3*(h-i):], wide[3*(h+i):], k[i])
		}
	}
	line := func(y int) []float32 {
		y = min(max(y, 0), p.H-1)
		return tmp[y*row : (y+1)*row]
	}
	for y := range p.H {
		dst := out.Pix[y*row : (y+1)*row]
		times(dst, line(y), k[0])
		for i := 1; i <= h; i++ {
			plusBoth(dst, line(y-i), line(y+i), k[i])
		}
	}
	return out
}

// times sets dst to k·a.
func times(dst, a []float32, k float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = k * a[i]
	}
}

// plus adds k·a to dst.
func plus(dst, a []float32, k float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] += k * a[i]
	}
}

// plusBoth adds k·(a+b) to dst.
func plusBoth(dst, a, b []float32, k float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] += k * (a[i] + b[i])
	}
}
