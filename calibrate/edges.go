package calibrate

import (
	"math"
	"slices"

	"crokcam/internal/raster"
)

// edge is a place where the picture changes, with the direction in which it
// does: the normal of whatever line passes there.
type edge struct {
	u, v   float64 // px, sub-pixel along the normal
	nu, nv float64 // unit normal, towards the brighter side of its strongest channel
	clear  float32 // gradient over the mean of the neighbourhood
}

// mostEdges bounds the work for pictures of grain and noise: more than a
// board's own lines make.
const mostEdges = 16000

// findEdges gives the local maxima of the gradient of the strongest colour
// channel. What counts as an edge is relative to its neighbourhood, so that a
// hair line on dim wood is one as well as a rail in the sun. The edges come in
// an order in which any first part of them is spread over the picture.
func findEdges(p *raster.Picture) []edge {
	w, h := p.W, p.H
	mag := make([]float32, w*h)
	var floor float64
	for y := 1; y < h-1; y++ {
		up, mid, down := p.Pix[(y-1)*w*3:][:w*3], p.Pix[y*w*3:][:w*3], p.Pix[(y+1)*w*3:][:w*3]
		row := mag[y*w:][:w]
		var sum float32
		for x := 1; x < w-1; x++ {
			i := x * 3
			var best float32
			for c := range 3 {
				dx, dy := mid[i+3+c]-mid[i-3+c], down[i+c]-up[i+c]
				best = max(best, dx*dx+dy*dy)
			}
			row[x] = float32(math.Sqrt(float64(best)))
			sum += row[x]
		}
		floor += float64(sum)
	}
	var box boxMean[float32]
	local := box.of(mag, w, h, max(8, max(w, h)/40))
	least := float32(0.35 * floor / float64(len(mag)))

	var out []edge
	for y := 2; y < h-2; y++ {
		for x := 2; x < w-2; x++ {
			k := y*w + x
			m := mag[k]
			if m == 0 || m < least || m < 1.15*local[k] { // a picture of one colour has no edge anywhere
				continue
			}
			// Compare with the two neighbours along the gradient.
			gx, gy := slope(p, x, y)
			nx, ny := gx/m, gy/m
			a := lerp(mag, w, float32(x)+nx, float32(y)+ny)
			b := lerp(mag, w, float32(x)-nx, float32(y)-ny)
			if m < a || m <= b {
				continue
			}
			d := float32(0)
			if q := a + b - 2*m; q < 0 {
				d = (b - a) / (2 * q) // vertex of the parabola, px along the normal
			}
			out = append(out, edge{
				u: float64(float32(x) + d*nx), v: float64(float32(y) + d*ny),
				nu: float64(nx), nv: float64(ny), clear: m / local[k],
			})
		}
	}
	return spread(clearest(out, mostEdges))
}

// slope is the gradient of the channel in which it is steepest.
func slope(p *raster.Picture, x, y int) (gx, gy float32) {
	i, row := (y*p.W+x)*3, 3*p.W
	var best float32
	for c := range 3 {
		dx, dy := p.Pix[i+3+c]-p.Pix[i-3+c], p.Pix[i+row+c]-p.Pix[i-row+c]
		if m := dx*dx + dy*dy; m > best {
			best, gx, gy = m, dx, dy
		}
	}
	return gx, gy
}

// clearest keeps at most n edges, those that stand out most, in their order.
func clearest(edges []edge, n int) []edge {
	if len(edges) <= n {
		return edges
	}
	all := make([]float32, len(edges))
	for i := range edges {
		all[i] = edges[i].clear
	}
	least := raster.Nth(all, len(all)-n)
	return slices.DeleteFunc(edges, func(e edge) bool { return e.clear < least })
}

// spread reorders a list that runs over the picture row by row, so that any
// first part of it is spread over the whole: it takes the golden section of the
// list, again and again.
func spread(edges []edge) []edge {
	n := len(edges)
	stride := int(float64(n)*0.6180339887) | 1
	for ; stride < n && !coprime(stride, n); stride++ {
	}
	out := make([]edge, 0, n)
	for i, at := 0, 0; i < n; i++ {
		out = append(out, edges[at])
		at = (at + stride) % n
	}
	return out
}

func coprime(a, b int) bool {
	for b != 0 {
		a, b = b, a%b
	}
	return a == 1
}

func lerp(a []float32, w int, x, y float32) float32 {
	xi, yi := int(x), int(y)
	fx, fy := x-float32(xi), y-float32(yi)
	k := yi*w + xi
	return (1-fy)*((1-fx)*a[k]+fx*a[k+1]) + fy*((1-fx)*a[k+w]+fx*a[k+w+1])
}

// boxMean averages over squares, and keeps its memory for the next time.
type boxMean[T int32 | float32] struct {
	out []float32
	sum []float64
}

// of is the mean over a square of 2r+1 cells, cut at the borders. It is good
// until the next call.
func (b *boxMean[T]) of(a []T, w, h, r int) []float32 {
	b.out = slices.Grow(b.out[:0], w*h)[:w*h]
	b.sum = slices.Grow(b.sum[:0], w)[:w]
	clear(b.sum)
	add := func(y int, sign float64) {
		if y < 0 || y >= h {
			return
		}
		row := a[y*w:][:w]
		for x := range b.sum {
			b.sum[x] += sign * float64(row[x])
		}
	}
	for y := range min(r, h) {
		add(y, 1)
	}
	for y := range h {
		add(y+r, 1)
		rows := float64(min(h, y+r+1) - max(0, y-r))
		out := b.out[y*w:][:w]
		var s float64
		for x := range min(r, w) {
			s += b.sum[x]
		}
		inner := 1 / (rows * float64(2*r+1))
		for x := range w {
			k := inner
			if x+r < w {
				s += b.sum[x+r]
			}
			if x < r || x+r >= w {
				k = 1 / (rows * float64(min(w, x+r+1)-max(0, x-r)))
			}
			out[x] = float32(s * k)
			if x >= r {
				s -= b.sum[x-r]
			}
		}
		add(y-r, -1)
	}
	return b.out
}
