package raster

// Median is the middle value; it reorders its argument, which must not be
// empty.
func Median(v []float32) float32 {
	n := len(v)
	hi := Nth(v, n/2)
	if n%2 == 1 {
		return hi
	}
	lo := v[0]
	for _, x := range v[:n/2] {
		lo = max(lo, x)
	}
	return (lo + hi) / 2
}

// Nth is the value that would stand at place k if v were sorted. What stands
// before that place is then no larger, and what stands after it no smaller:
// Hoare's selection.
func Nth(v []float32, k int) float32 {
	lo, hi := 0, len(v)-1
	for hi-lo > 12 {
		// The middle of three parts the rest well.
		a, b, c := v[lo], v[(lo+hi)/2], v[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return v[k]
		}
	}
	for i := lo + 1; i <= hi; i++ {
		x := v[i]
		j := i
		for ; j > lo && v[j-1] > x; j-- {
			v[j] = v[j-1]
		}
		v[j] = x
	}
	return v[k]
}
