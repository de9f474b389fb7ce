package calibrate

import (
	"math"
	"sort"

	"crokcam/internal/raster"
)

// edge is a place where the picture changes, with the direction in which it
// does: the normal of whatever line passes there.
type edge struct {
	u, v   float64 // px, sub-pixel along the normal
	nu, nv float64 // unit normal, towards the brighter side of its strongest channel
	clear  float64 // gradient over the mean of the neighbourhood
}

// mostEdges bounds the work for pictures of grain and noise. A board's own
// lines make about half as many.
const mostEdges = 16000

// findEdges gives the local maxima of the gradient of the strongest colour
// channel. What counts as an edge is relative to its neighbourhood, so that a
// hair line on dim wood is one as well as a rail in the sun.
func findEdges(p *raster.Picture) []edge {
	w, h := p.W, p.H
	mag := make([]float32, w*h)
	gx := make([]float32, w*h)
	gy := make([]float32, w*h)
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			i := (y*w + x) * 3
			var best, bx, by float32
			for c := range 3 {
				dx := p.Pix[i+3+c] - p.Pix[i-3+c]
				dy := p.Pix[i+3*w+c] - p.Pix[i-3*w+c]
				if m := dx*dx + dy*dy; m > best {
					best, bx, by = m, dx, dy
				}
			}
			k := y*w + x
			mag[k] = float32(math.Sqrt(float64(best)))
			gx[k], gy[k] = bx, by
		}
	}
	local := boxMean(mag, w, h, max(8, max(w, h)/40))
	var floor float64
	for _, m := range mag {
		floor += float64(m)
	}
	floor = 0.35 * floor / float64(len(mag))

	var out []edge
	for y := 2; y < h-2; y++ {
		for x := 2; x < w-2; x++ {
			k := y*w + x
			m := mag[k]
			if float64(m) < floor || m < 1.15*local[k] {
				continue
			}
			// Compare with the two neighbours along the gradient.
			nx, ny := gx[k]/m, gy[k]/m
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
				nu: float64(nx), nv: float64(ny), clear: float64(m / local[k]),
			})
		}
	}
	if len(out) > mostEdges {
		sort.Slice(out, func(i, j int) bool { return out[i].clear > out[j].clear })
		out = out[:mostEdges]
		// Back into reading order, so that thinning spreads over the picture.
		sort.Slice(out, func(i, j int) bool {
			return out[i].v < out[j].v || out[i].v == out[j].v && out[i].u < out[j].u
		})
	}
	return out
}

func lerp(a []float32, w int, x, y float32) float32 {
	xi, yi := int(x), int(y)
	fx, fy := x-float32(xi), y-float32(yi)
	k := yi*w + xi
	return (1-fy)*((1-fx)*a[k]+fx*a[k+1]) + fy*((1-fx)*a[k+w]+fx*a[k+w+1])
}

// boxMean is the mean over a square of 2r+1 pixels, cut at the borders.
func boxMean(a []float32, w, h, r int) []float32 {
	sum := make([]float64, (w+1)*(h+1))
	for y := range h {
		var row float64
		for x := range w {
			row += float64(a[y*w+x])
			sum[(y+1)*(w+1)+x+1] = sum[y*(w+1)+x+1] + row
		}
	}
	out := make([]float32, w*h)
	for y := range h {
		y0, y1 := max(0, y-r), min(h, y+r+1)
		for x := range w {
			x0, x1 := max(0, x-r), min(w, x+r+1)
			s := sum[y1*(w+1)+x1] - sum[y0*(w+1)+x1] - sum[y1*(w+1)+x0] + sum[y0*(w+1)+x0]
			out[y*w+x] = float32(s / float64((y1-y0)*(x1-x0)))
		}
	}
	return out
}
