package vision

import (
	"math"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
)

// plan is the board seen from straight above: the picture laid on the playing
// surface, one pixel a millimetre. Whatever stands above the surface leans
// away from the point below the camera.
type plan struct {
	pic    *raster.Picture
	extent float64 // mm from the centre to the edge
	nadir  board.Point
	height float64 // of the camera above the surface, mm
	blurmm float64 // what a picture pixel spans, mm
	noise  float64 // usual difference between neighbours on the surface, grey levels
	spec   board.Spec
	ink    [3]shades // of the rings, inwards first
	below  float64   // how far a disc's foot is below the lowest that is seen of it, mm
	slack  float64   // how uncertain that is, mm
}

// blank is a plan of the surface and a rim around it with nothing on it yet.
func blank(cam *camera.Camera, spec board.Spec) *plan {
	extent := math.Ceil(spec.Surface + 14)
	n := 2*int(extent) + 1
	out := &plan{spec: spec, extent: extent, pic: &raster.Picture{W: n, H: n, Pix: make([]float32, n*n*3), Scale: 1}}
	out.under(cam)
	return out
}

// under notes where the camera stands.
func (p *plan) under(cam *camera.Camera) {
	c := cam.Centre()
	p.nadir, p.height = board.Point{X: c[0], Y: c[1]}, c[2]
	u0, v0 := cam.Project(0, 0, 0)
	u1, v1 := cam.Project(100, 0, 0)
	u2, v2 := cam.Project(0, 100, 0)
	p.blurmm = 200 / (math.Hypot(u1-u0, v1-v0) + math.Hypot(u2-u0, v2-v0))
}

// lay makes the plan of the surface and a rim around it.
func lay(p *raster.Picture, cam *camera.Camera, spec board.Spec) *plan {
	out := blank(cam, spec)
	extent, n := out.extent, out.pic.W
	for y := range n {
		for x := range n {
			bx, by := float64(x)-extent, extent-float64(y)
			if bx*bx+by*by > extent*extent {
				continue
			}
			u, v := cam.Project(bx, by, 0)
			if c, ok := p.At(u, v); ok {
				copy(out.pic.Pix[(y*n+x)*3:], c[:])
			}
		}
	}
	out.measureInk()
	return out
}

// at samples the plan at a place on the board.
func (p *plan) at(x, y float64) ([3]float32, bool) {
	return p.pic.At(x+p.extent, p.extent-y)
}

// ringAt is the ring at a distance from the centre, mm, or one so near that the
// picture does not keep them apart; -1: none.
func (p *plan) ringAt(r float64) int {
	for i, l := range [...]board.Ring{p.spec.Fifteen, p.spec.Ten, p.spec.Start} {
		if r > l.Inner()-p.blurmm/2 && r < l.Outer+p.blurmm/2 {
			return i
		}
	}
	return -1
}

// measureInk finds the colours that the rings are printed in.
func (p *plan) measureInk() {
	for i, l := range [...]board.Ring{p.spec.Fifteen, p.spec.Ten, p.spec.Start} {
		r := (l.Inner() + l.Outer) / 2
		const places = 180
		var vals [3][]float32
		for k := range places {
			sn, cs := math.Sincos(2 * math.Pi * float64(k) / places)
			if v, ok := p.at(r*cs, r*sn); ok {
				for ch := range 3 {
					vals[ch] = append(vals[ch], v[ch])
				}
			}
		}
		p.ink[i] = shades{low: 0.4, high: 1.5}
		for ch := range 3 {
			if len(vals[ch]) > 0 {
				p.ink[i].colour[ch] = float64(raster.Median(vals[ch]))
			}
		}
	}
}

// printed tells whether a place on the plan is on one of the rings, or so near
// that the picture does not keep them apart.
func (p *plan) printed(x, y float64) bool {
	r := math.Hypot(x, y)
	for _, l := range []board.Ring{p.spec.Fifteen, p.spec.Ten, p.spec.Start} {
		if r > l.Inner()-p.blurmm-0.5 && r < l.Outer+p.blurmm+0.5 {
			return true
		}
	}
	return false
}

// lean is how much closer to the camera a height h stands, as a share: what is
// at X on the board and h above it appears at X + lean·(X − nadir).
func (p *plan) lean(h float64) float64 { return h / (p.height - h) }

// shape is what the plan shows of a disc standing on the board: its foot, and
// its top leaning away from the nadir.
type shape struct {
	foot   board.Point
	lx, ly float64 // lean of the top, mm
	r, top float64 // radius of the foot and, as seen, of the top, mm
}

func (p *plan) shape(foot board.Point, r, h float64) shape {
	k := p.lean(h)
	return shape{
		foot: foot, lx: k * (foot.X - p.nadir.X), ly: k * (foot.Y - p.nadir.Y),
		r: r, top: r * (1 + k),
	}
}

// footUnder is the foot of a disc whose top appears at t.
func (p *plan) footUnder(t board.Point, h float64) board.Point {
	k := p.lean(h)
	return board.Point{X: (t.X + k*p.nadir.X) / (1 + k), Y: (t.Y + k*p.nadir.Y) / (1 + k)}
}

// foot is where a candidate whose silhouette is h thick stands.
func (p *plan) foot(c *candidate, h float64) board.Point { return p.footUnder(c.top, h+p.below) }

// centre is the middle of the visible top.
func (s *shape) centre() board.Point { return board.Point{X: s.foot.X + s.lx, Y: s.foot.Y + s.ly} }

// gradient is the plan's slope, in its strongest channel.
type gradient struct {
	w, h        int
	mag, gx, gy []float32
}

func (p *plan) gradient() *gradient {
	g := p.slope(p.pic.Blur(0.9), 0, 0)
	var some []float32
	for y := 1; y < g.h-1; y++ {
		for x := 1; x < g.w-1; x++ {
			if (x+y)%7 == 0 && p.near(x, y) {
				some = append(some, g.mag[y*g.w+x])
			}
		}
	}
	p.noise = math.Max(0.7, float64(raster.Median(some)))
	return g
}

// near tells whether a pixel of the plan is near enough to the centre for its
// slope to be known.
func (p *plan) near(x, y int) bool {
	dx, dy := float64(x)-p.extent, float64(y)-p.extent
	return dx*dx+dy*dy <= (p.extent-3)*(p.extent-3)
}

// slope is the gradient of a part of the plan whose first pixel is (x0, y0) of
// the whole.
func (p *plan) slope(pic *raster.Picture, x0, y0 int) *gradient {
	w, h := pic.W, pic.H
	g := &gradient{w: w, h: h, mag: make([]float32, w*h), gx: make([]float32, w*h), gy: make([]float32, w*h)}
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			if !p.near(x0+x, y0+y) {
				continue
			}
			i := (y*w + x) * 3
			var best, bx, by float32
			for c := range 3 {
				ex := pic.Pix[i+3+c] - pic.Pix[i-3+c]
				ey := pic.Pix[i+3*w+c] - pic.Pix[i-3*w+c]
				if m := ex*ex + ey*ey; m > best {
					best, bx, by = m, ex, ey
				}
			}
			k := y*w + x
			g.mag[k] = float32(math.Sqrt(float64(best)))
			g.gx[k], g.gy[k] = bx, by
		}
	}
	return g
}

// ridge is an edge's own place on the plan, px, with its normal.
type ridge struct{ x, y, nx, ny, weight float32 }

// ridges are the places where the slope is steepest: the edges themselves, not
// their flanks.
func (p *plan) ridges(g *gradient) []ridge {
	var out []ridge
	soft, least := float32(5*p.noise), 1.5*float32(p.noise)
	for y := 2; y < g.h-2; y++ {
		for x := 2; x < g.w-2; x++ {
			k := y*g.w + x
			m := g.mag[k]
			if m < least {
				continue
			}
			nx, ny := g.gx[k]/m, g.gy[k]/m
			step := int(round32(ny))*g.w + int(round32(nx))
			if m < g.mag[k+step] || m <= g.mag[k-step] {
				continue
			}
			out = append(out, ridge{float32(x), float32(y), nx, ny, m / (m + soft)})
		}
	}
	return out
}

// circlesAt votes for the centres of circles of radius r: every edge points at
// two, one on either side. Cells are two millimetres wide.
func circlesAt(ridges []ridge, r float32, acc []float32, cw int) {
	clear(acc)
	for _, q := range ridges {
		for s := float32(-1); s <= 1; s += 2 {
			cx, cy := (q.x+s*r*q.nx)/2, (q.y+s*r*q.ny)/2
			xi, yi := int(cx), int(cy)
			if cx < 1 || cy < 1 || xi >= cw-2 || yi >= cw-2 {
				continue
			}
			fx, fy := cx-float32(xi), cy-float32(yi)
			j := yi*cw + xi
			acc[j] += q.weight * (1 - fx) * (1 - fy)
			acc[j+1] += q.weight * fx * (1 - fy)
			acc[j+cw] += q.weight * (1 - fx) * fy
			acc[j+cw+1] += q.weight * fx * fy
		}
	}
}

func round32(v float32) float32 { return float32(math.Round(float64(v))) }

// working is the calibration's camera for a picture at its working size.
func working(c *calibrate.Calibration, p *raster.Picture) camera.Camera {
	cam := c.Camera.Scaled(p.Scale)
	cam.Width, cam.Height = p.W, p.H
	return cam
}
