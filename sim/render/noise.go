package render

import "math"

// hash mixes two lattice coordinates and a seed into 32 evenly spread bits.
func hash(x, y int32, seed uint32) uint32 {
	h := uint32(x)*0x9e3779b1 ^ uint32(y)*0x85ebca77 ^ seed*0xc2b2ae3d
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	h ^= h >> 15
	return h
}

// chance is hash as a number from 0 to 1.
func chance(x, y int32, seed uint32) float64 {
	return float64(hash(x, y, seed)>>8) / (1 << 24)
}

// noise is smooth value noise with a lattice of 1, from -1 to 1.
func noise(x, y float64, seed uint32) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int32(fx), int32(fy)
	x -= fx
	y -= fy
	x = x * x * x * (x*(x*6-15) + 10)
	y = y * y * y * (y*(y*6-15) + 10)
	a, b := chance(ix, iy, seed), chance(ix+1, iy, seed)
	c, d := chance(ix, iy+1, seed), chance(ix+1, iy+1, seed)
	top := a + (b-a)*x
	return 2*(top+(c+(d-c)*x-top)*y) - 1
}

// cloud is noise of several octaves, roughly from -1 to 1.
func cloud(x, y float64, octaves int, seed uint32) float64 {
	sum, size := 0.0, 0.5
	for i := range octaves {
		sum += size * noise(x, y, seed+uint32(i)*101)
		// Turned as well as doubled, so that no lattice shows.
		x, y = 2*(0.8*x+0.6*y)+7.3, 2*(-0.6*x+0.8*y)+1.7
		size /= 2
	}
	return sum
}
