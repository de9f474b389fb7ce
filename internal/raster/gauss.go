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
