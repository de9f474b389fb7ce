package raster

import (
	"math"
	"slices"
)

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

// Median is the middle value; it sorts its argument, which must not be empty.
func Median(v []float32) float32 {
	slices.Sort(v)
	n := len(v)
	if n%2 == 1 {
		return v[n/2]
	}
	return (v[n/2-1] + v[n/2]) / 2
}
