package shots

import (
	"crokcam/internal/raster"
	"crokcam/vision/capture"
)

// colourAt is the mean colour (BGR, 0 to 255) of the pixels up to reach away
// from one; ok is false outside the frame.
func colourAt(f *capture.Frame, u, v float64, reach int) (mean [3]float64, ok bool) {
	x, y := int(u+0.5), int(v+0.5)
	if x < 0 || y < 0 || x >= f.Width || y >= f.Height {
		return mean, false
	}
	x0, x1 := max(0, x-reach), min(f.Width-1, x+reach)
	y0, y1 := max(0, y-reach), min(f.Height-1, y+reach)
	cw := (f.Width + 1) / 2
	mix := raster.YUV{FullRange: f.FullRange, BT709: f.BT709}
	n := float64((x1 - x0 + 1) * (y1 - y0 + 1))
	for py := y0; py <= y1; py++ {
		for px := x0; px <= x1; px++ {
			k := py/2*cw + px/2
			c := mix.Colour(f.Y[py*f.Width+px], f.U[k], f.V[k])
			for ch := range mean {
				mean[ch] += float64(c[ch]) / n
			}
		}
	}
	return mean, true
}
