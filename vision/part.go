package vision

import (
	"image"
	"math"
	"slices"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
)

// Eye looks again and again at a board that has been looked at as a whole, and
// only where something may have changed: that costs a fraction of a whole look.
// It is for use by one goroutine.
type Eye struct {
	cal  *calibrate.Calibration
	cam  camera.Camera
	plan *plan
	r, h float64 // of the discs, mm
}

// Part is a rectangle of the board, mm, in which the tops of discs may be.
type Part struct{ Lo, Hi board.Point }

// Wider is the part with a margin of so many mm around it.
func (q Part) Wider(mm float64) Part {
	return Part{board.Point{X: q.Lo.X - mm, Y: q.Lo.Y - mm}, board.Point{X: q.Hi.X + mm, Y: q.Hi.Y + mm}}
}

// Area is in mm².
func (q Part) Area() float64 { return (q.Hi.X - q.Lo.X) * (q.Hi.Y - q.Lo.Y) }

func (q Part) has(p board.Point) bool {
	return p.X >= q.Lo.X && p.X <= q.Hi.X && p.Y >= q.Lo.Y && p.Y <= q.Hi.Y
}

func (q Part) union(o Part) Part {
	return Part{
		board.Point{X: math.Min(q.Lo.X, o.Lo.X), Y: math.Min(q.Lo.Y, o.Lo.Y)},
		board.Point{X: math.Max(q.Hi.X, o.Hi.X), Y: math.Max(q.Hi.Y, o.Hi.Y)},
	}
}

// NewEye prepares for looks at pictures of the size that the calibration is
// for; first is what a look at the whole of one has shown.
func NewEye(c *calibrate.Calibration, first *Scene) *Eye {
	e := &Eye{cal: c, cam: c.Camera, r: first.Radius, h: first.thick}
	e.plan = blank(&e.cam, c.Board)
	e.plan.noise, e.plan.ink = first.noise, first.ink
	e.plan.below, e.plan.slack = first.below, first.slack
	return e
}

// around is how far from a disc's top the plan has to be known to judge it, mm.
func (e *Eye) around() float64 {
	far := e.plan.lean(e.h) * (e.plan.nadir.Radius() + e.plan.extent) // of the top from its foot
	return math.Ceil(e.r + far + band + farthest + 8)
}

// Pixels is what has to be there of a picture for a look at a part of it.
func (e *Eye) Pixels(q Part) image.Rectangle {
	q = q.Wider(e.around() + 2)
	var out image.Rectangle
	const steps = 8
	for i := range steps + 1 {
		for k := range steps + 1 {
			x := q.Lo.X + (q.Hi.X-q.Lo.X)*float64(i)/steps
			y := q.Lo.Y + (q.Hi.Y-q.Lo.Y)*float64(k)/steps
			if u, v := e.cam.Project(x, y, 0); u == u {
				at := image.Pt(int(math.Floor(u)), int(math.Floor(v)))
				out = out.Union(image.Rectangle{at.Sub(image.Pt(2, 2)), at.Add(image.Pt(4, 4))})
			}
		}
	}
	return out
}

// Look finds the discs whose tops lie in the parts. known are the colours (BGR,
// 0 to 255) of discs in play: what is not certain of itself has to have one of
// them. The scene has no sides, and what lies in the hole it only calls empty
// or unclear.
func (e *Eye) Look(p *raster.Picture, parts []Part, known [][3]float64) *Scene {
	s := &Scene{Radius: e.r, thick: e.h, below: e.plan.below, slack: e.plan.slack, noise: e.plan.noise, ink: e.plan.ink}
	var all []candidate
	for _, q := range joined(parts) {
		all = append(all, e.part(p, q)...)
	}
	all = apart(all, 1.8*e.r)
	beside := func(c *candidate) bool { // the same disc, which lies on the board
		return slices.ContainsFunc(all, func(o candidate) bool {
			return !o.inHole() && o.score >= sure && math.Hypot(o.top.X-c.top.X, o.top.Y-c.top.Y) < e.r
		})
	}
	for _, c := range all {
		at := c.shape.foot.Radius()
		// Where the camera stands is known well here, from its looks at the board.
		over := e.plan.footUnder(c.top, (e.h+e.plan.below)/2) // of one that leans, as one edge of it is up
		aside := c.inHole() && c.score >= sure && c.top.Radius() > e.cal.Board.Hole.Radius-e.r+aslant && over.Radius() < farOver && !beside(&c)
		switch {
		case aside:
		case c.inHole():
			if c.score >= likely || c.votes >= plentyOfVotes {
				s.Hole = HoleUnclear
			}
			if c.score >= sure {
				s.Dropped, s.Off = e.plan.atHome(&c, e.cal.Board, e.r), e.plan.fromMiddle(&c, e.cal.Board)
				s.Askew = !s.Dropped
			}
			continue
		case at > e.cal.Board.Surface+2, at > e.cal.Board.Start.Outer && c.score < outside:
			continue
		case c.score < likely:
			if c.votes >= plentyOfVotes && c.n > 0 {
				d := Disc{Colour: c.colour, Whole: e.plan.whole(&c, e.r), Top: c.top}
				d.Point = e.plan.foot(&c, e.h)
				s.Faint = append(s.Faint, d)
			}
			continue
		case c.score < sure && !c.like(known):
			continue
		}
		e.plan.weigh(&c, e.r, e.h)
		d := Disc{Colour: c.colour, Whole: e.plan.whole(&c, e.r), Top: c.top}
		d.Point, d.Confidence, d.Sigma = e.plan.foot(&c, e.h), math.Min(0.99, c.score), e.plan.sigma(&c, e.h, e.cal)
		if aside {
			d.Point = over
		}
		if d.Radius() < e.cal.Board.Hole.Radius-2 {
			d.Rest = board.Leaning // its middle is over the hole: it cannot lie flat
		}
		s.Discs = append(s.Discs, d)
	}
	return s
}

// like tells whether a candidate has one of the colours.
func (c *candidate) like(known [][3]float64) bool {
	for _, k := range known {
		if dist(c.colour, k) < 0.3*c.contrast+2*c.spread {
			return true
		}
	}
	return false
}

// joined is the parts with those that overlap made one where that is less to
// look at.
func joined(parts []Part) []Part {
	out := append([]Part(nil), parts...)
	for again := true; again; {
		again = false
		for i := 0; i < len(out); i++ {
			for k := i + 1; k < len(out); k++ {
				if u := out[i].union(out[k]); u.Wider(40).Area() < out[i].Wider(40).Area()+out[k].Wider(40).Area() {
					out[i], again = u, true
					out = append(out[:k], out[k+1:]...)
					k--
				}
			}
		}
	}
	return out
}

// aslant is how much further from the middle than its play a disc in the hole may be
// seen from aslant, mm: its top is a few millimetres above the board.
const aslant = 3.0

// farOver is how far from the middle one may lean that is seen where the hole is, mm.
// What seems to lie farther out there is the hole's own rim.
const farOver = 10.0

// How many places are looked into in a part: a few, and more in a large one.
const (
	leastPlaces = 3
	placeEvery  = 900.0 // mm²
)

// part finds what may be discs in one part.
func (e *Eye) part(p *raster.Picture, q Part) []candidate {
	pl := e.plan
	area := e.lay(p, q)
	if area.Empty() {
		return nil
	}
	tile := &raster.Picture{W: area.Dx(), H: area.Dy(), Scale: 1, Pix: make([]float32, 3*area.Dx()*area.Dy())}
	for y := range tile.H {
		from := ((area.Min.Y+y)*pl.pic.W + area.Min.X) * 3
		copy(tile.Pix[y*tile.W*3:(y+1)*tile.W*3], pl.pic.Pix[from:])
	}
	g := pl.slope(tile.Blur(0.9), area.Min.X, area.Min.Y)
	// More radii than the discs': one that leans is seen as an ellipse.
	var radii []float64
	for _, share := range discShares {
		radii = append(radii, share*e.cal.Board.Start.Outer)
	}
	most := leastPlaces + int(q.Area()/placeEvery)
	var out []candidate
	for _, at := range pl.candidates(g, radii, e.h, 2*most) {
		at.X += float64(area.Min.X)
		at.Y -= float64(area.Min.Y)
		if !q.has(at.Point) {
			continue
		}
		if out = append(out, pl.settle(at, e.r, e.h, true)); len(out) == most {
			break
		}
	}
	return out
}

// lay brings a part of the plan up to date, with what is around it, and says
// which pixels of the plan that is: never higher than wide.
func (e *Eye) lay(p *raster.Picture, q Part) image.Rectangle {
	pl := e.plan
	q = q.Wider(e.around())
	n := pl.pic.W
	x0, y0 := max(0, int(math.Floor(q.Lo.X+pl.extent))), max(0, int(math.Floor(pl.extent-q.Hi.Y)))
	x1, y1 := min(n, int(math.Ceil(q.Hi.X+pl.extent))+1), min(n, int(math.Ceil(pl.extent-q.Lo.Y))+1)
	if x0 >= x1 || y0 >= y1 {
		return image.Rectangle{}
	}
	if short := y1 - y0 - (x1 - x0); short > 0 { // votes are counted in a square as wide
		x0 = max(0, min(x0, n-(y1-y0)))
		x1 = x0 + y1 - y0
	}
	area := image.Rect(x0, y0, x1, y1)
	fine := max(1, int(math.Ceil(0.5/pl.blurmm))) // samples a mm, where a pixel is much less
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			bx, by := float64(x)-pl.extent, pl.extent-float64(y)
			dst := pl.pic.Pix[(y*n+x)*3 : (y*n+x)*3+3]
			if bx*bx+by*by > pl.extent*pl.extent {
				clear(dst)
				continue
			}
			u, v := e.cam.Project(bx, by, 0)
			c, ok := sample(p, u, v, fine, 1/(pl.blurmm*float64(fine)))
			if !ok {
				c = [3]float32{}
			}
			copy(dst, c[:])
		}
	}
	return area
}

// sample is the mean of n × n places, step px apart, around one.
func sample(p *raster.Picture, u, v float64, n int, step float64) (mean [3]float32, ok bool) {
	if n == 1 {
		return p.At(u, v)
	}
	first := -0.5 * step * float64(n-1)
	for y := range n {
		for x := range n {
			c, in := p.At(u+first+float64(x)*step, v+first+float64(y)*step)
			if !in {
				return mean, false
			}
			for ch := range c {
				mean[ch] += c[ch] / float32(n*n)
			}
		}
	}
	return mean, true
}
