package calibrate

import (
	"math"

	"crokcam/internal/raster"
)

// What a hole's rim must show to be measured. The strength of a step is its
// grey levels a millimetre.
const (
	rimDrawn    = 0.85  // share of the directions, over chance, in which it is drawn
	rimAlone    = 0.3   // of its strength: the most that another step may have
	rimFaintest = 4     // the least strength
	rimMargin   = 0.012 // around where a rim can be, as a share of the starting line's radius

	holeDirections = 72
)

// HoleRadius measures the 20-hole (mm) in the picture that was calibrated, to
// about half a millimetre. ok is false where its rim is not the only clear step
// around the board's centre: on faint holes, with a disc over it, or with a
// ring printed around it at a distance. A dark disc in the hole, or a ring
// close to a dark hole, looks like a hole of its own size.
func (c *Calibration) HoleRadius(p *raster.Picture) (mm float64, ok bool) {
	from, to := (holeRange[0]-rimMargin)*c.Board.Start.Outer, (holeRange[1]+rimMargin)*c.Board.Start.Outer
	step := math.Min(math.Max(0.5*c.Quality.MMPerPx/p.Scale, 0.25), 0.8)
	steps, ok := c.holeSteps(p, from, step, int((to-from)/step)+1)
	if !ok {
		return 0, false
	}
	best := 0
	for k, s := range steps {
		if s.size > steps[best].size {
			best = k
		}
	}
	rim := steps[best]
	if best == 0 || best == len(steps)-1 || rim.drawn < rimDrawn || rim.size < rimFaintest {
		return 0, false
	}
	peak := func(k int) bool {
		return k > 0 && k < len(steps)-1 && steps[k].size >= steps[k-1].size && steps[k].size > steps[k+1].size
	}
	for k, s := range steps {
		if k != best && peak(k) && s.drawn > rimDrawn/2 && s.size > rimAlone*rim.size {
			return 0, false
		}
	}
	a, b := steps[best-1].size, steps[best+1].size
	x := float64(best)
	if q := a + b - 2*rim.size; q < 0 {
		x += (a - b) / (2 * q)
	}
	mm = from + x*step
	return mm, outside(mm/c.Board.Start.Outer, holeRange) == 0
}

// ringStep is how the picture changes outwards at a radius.
type ringStep struct {
	size  float64 // grey levels a mm, in the middle of the directions
	drawn float64 // share of the directions that agree, over chance
}

// holeSteps are the picture's changes at n radii around the board's centre. ok
// is false where they leave the picture.
func (c *Calibration) holeSteps(p *raster.Picture, from, step float64, n int) (out []ringStep, ok bool) {
	cam := c.Camera.Scaled(p.Scale)
	// On the side of the camera the rim hides the hole's wall; on the far side
	// the wall shows, and may look like the board.
	at := cam.Centre()
	middle, span := math.Atan2(at[1], at[0]), math.Pi
	looks := make([][3]float32, holeDirections*n)
	for j := range holeDirections {
		ray := cam.Ray(middle + span*((float64(j)+0.5)/holeDirections-0.5))
		for k := range n {
			if looks[j*n+k], ok = p.At(ray.Project(from + float64(k)*step)); !ok {
				return nil, false
			}
		}
	}
	out = make([]ringStep, n)
	var change [holeDirections][3]float64
	one := make([]float32, holeDirections)
	for k := 1; k < n-1; k++ {
		var g [3]float64
		for ch := range 3 {
			for j := range holeDirections {
				d := looks[j*n+k+1][ch] - looks[j*n+k-1][ch]
				change[j][ch], one[j] = float64(d), d
			}
			g[ch] = float64(raster.Median(one))
		}
		gg := g[0]*g[0] + g[1]*g[1] + g[2]*g[2]
		agree := 0
		for _, d := range change {
			if gg > 0 && g[0]*d[0]+g[1]*d[1]+g[2]*d[2] > 0.35*gg {
				agree++
			}
		}
		out[k] = ringStep{math.Sqrt(gg) / (2 * step), 2*float64(agree)/holeDirections - 1}
	}
	return out, true
}
