package render

import (
	"context"
	"fmt"
	"math"
)

// Moment is what moves in a scene, as it is at one moment.
type Moment struct {
	Discs []Disc
	Hands []Hand
}

// Frame is one picture of a stage: planar YUV with half as many rows and columns
// of colour (I420, BT.601, video range), as video encoders take it. Width and
// height are even.
type Frame struct {
	W, H   int
	I420   []byte
	Seen   []int // px that show each disc, in the order of the moment's discs
	HandPx int   // px that show a hand
}

// Stage shows a scene again and again while its discs and hands move. What
// stands still is sampled with care once; a frame costs what has changed since
// the one before. It is not safe for use by several goroutines.
type Stage struct {
	scene Scene
	v     *view
	set   *scenery
	dev   *developer

	// Of every pixel: the light from everywhere and of each lamp that what
	// stands still sends to the eye, where that is, and how far away.
	around []light
	lamps  [][]light
	at     [][3]float32
	depth  []float32
	kinds  []kind

	now     *film // what moves included
	soft    *film // as the lens shows it
	settled []byte
	ids     []int16 // of every pixel: disc + 1, -1 for a hand, 0 for neither
	counts  [][]count
	last    []Moment
	lastCst []*cast
	dirty   []bool // tiles
	blurred []bool // tiles that differ between the moments of a frame
	clean   []bool // tiles that show nothing but what stands still
	relit   bool   // the light has changed since the frame before
	noise   []int8 // noiseSize values, and the first again for a row that begins at the last
}

// noiseSize is how many values the sensor's noise is drawn from.
const noiseSize = 1 << 16

// count is how many pixels of a tile show something.
type count struct {
	id int16
	n  int16
}

// NewStage prepares a scene; its own discs and hands are not shown. Width and
// height must be even.
func NewStage(ctx context.Context, s Scene) (*Stage, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Camera.Width%2 != 0 || s.Camera.Height%2 != 0 {
		return nil, fmt.Errorf("%w: %d × %d px, but video needs even numbers", ErrScene, s.Camera.Width, s.Camera.Height)
	}
	s.Discs, s.Hands = nil, nil
	w, h := s.Camera.Width, s.Camera.Height
	g := &Stage{scene: s, v: newView(s.Camera)}
	g.set = newScenery(&g.scene)
	n := w * h
	g.around, g.at, g.depth, g.kinds = make([]light, n), make([][3]float32, n), make([]float32, n), make([]kind, n)
	for range g.set.lamps {
		g.lamps = append(g.lamps, make([]light, n))
	}
	if err := g.still(ctx); err != nil {
		return nil, err
	}
	g.now, g.soft = newFilm(w, h), newFilm(w, h)
	g.settled, g.ids = make([]byte, n*3/2), make([]int16, n)
	tiles := ((w + tilePx - 1) / tilePx) * ((h + tilePx - 1) / tilePx)
	g.dirty, g.blurred, g.clean, g.counts = make([]bool, tiles), make([]bool, tiles), make([]bool, tiles), make([][]count, tiles)
	for i := range g.dirty {
		g.dirty[i] = true
	}
	empty := []*cast{newCast(nil, nil, g.v, g.set, nil)}
	g.compose(empty)
	g.dev = newDeveloper(s.Lens, g.now, g.set.meter(g.v))
	g.finish()
	g.last, g.lastCst = []Moment{{}}, empty
	g.noise = make([]int8, noiseSize+w)
	for i := range noiseSize {
		g.noise[i] = int8(clamp(float64(24*gauss(i, 7, s.Lens.Seed)), -127, 127))
	}
	for i := range w {
		g.noise[noiseSize+i] = g.noise[i%noiseSize]
	}
	return g, nil
}

// still samples what stands still, with more rays where there are edges.
func (g *Stage) still(ctx context.Context) error {
	w, h := g.v.cam.Width, g.v.cam.Height
	bins := g.set.standingBins(g.v)
	lamps := len(g.set.lamps)
	// one gives the light from everywhere and of each lamp along a ray.
	one := func(px, py float64, x, y int, foot float64, out *[maxLights + 1]light) (hit, int32) {
		r, ok := g.v.ray(px, py)
		at := hit{}
		if ok {
			at = g.set.ground(r)
			g.set.meet(r, bins.at(x, y), &at)
		}
		if at.kind == nothing {
			out[maxLights] = g.set.fill.mul(0.25)
			return at, 0
		}
		s := g.set.piece(&at, g.v.footOf(&at)*foot)
		eye := r.d.mul(-1)
		out[maxLights] = g.set.ambient(&s, eye, g.set.still.sky(s.p, -1))
		for k := range lamps {
			c := g.set.lit(k, &s, eye)
			if c != (light{}) {
				c = c.mul(float32(g.set.standing(k, &s)))
			}
			for i := range c {
				c[i] = min(c[i], maxLight)
			}
			out[k] = c
		}
		return at, int32(at.kind)<<16 | int32(at.index)
	}
	first := newFilm(w, h)
	ids := make([]int32, w*h)
	inParallel(h, func(y int) {
		if ctx.Err() != nil {
			return
		}
		for x := range w {
			i := y*w + x
			var c [maxLights + 1]light
			at, id := one(float64(x), float64(y), x, y, 1, &c)
			ids[i] = id
			g.kinds[i] = at.kind
			g.at[i] = [3]float32{float32(at.p.x), float32(at.p.y), float32(at.p.z)}
			g.depth[i] = float32(at.t)
			g.around[i] = c[maxLights]
			sum := c[maxLights]
			for k := range lamps {
				g.lamps[k][i] = c[k]
				sum = sum.add(c[k])
			}
			first.pix[i] = sum
		}
	})
	inParallel(h, func(y int) {
		if ctx.Err() != nil {
			return
		}
		for x := range w {
			i := y*w + x
			if !edgy(first, ids, x, y) {
				continue
			}
			var sum [maxLights + 1]light
			for k := range 9 {
				var c [maxLights + 1]light
				dx := (float64(k%3) - 1 + 0.4*(chance(int32(x), int32(y), uint32(2*k))-0.5)) / 3
				dy := (float64(k/3) - 1 + 0.4*(chance(int32(x), int32(y), uint32(2*k+1))-0.5)) / 3
				one(float64(x)+dx, float64(y)+dy, x, y, 0.4, &c)
				for j := range c {
					sum[j] = sum[j].add(c[j])
				}
			}
			g.around[i] = sum[maxLights].mul(1.0 / 9)
			for k := range lamps {
				g.lamps[k][i] = sum[k].mul(1.0 / 9)
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return nil
}

// Draw makes the next frame. Several moments are averaged, as a shutter does
// that is open while things move; they list the same discs in the same order.
// seed draws the sensor's noise. The frame is the caller's until the next call.
func (g *Stage) Draw(seed uint32, moments ...Moment) (*Frame, error) {
	if len(moments) == 0 {
		moments = []Moment{{}}
	}
	for _, m := range moments {
		if len(m.Hands) > maxHands {
			return nil, fmt.Errorf("%w: %d hands, at most %d are possible", ErrScene, len(m.Hands), maxHands)
		}
		if len(m.Discs) != len(moments[0].Discs) || len(m.Hands) != len(moments[0].Hands) {
			return nil, fmt.Errorf("%w: the moments of a frame list different discs", ErrScene)
		}
		for i := range m.Discs {
			if d := &m.Discs[i]; !(d.Radius > 0) || !(d.Thickness > 0) || 2*d.Bevel > d.Thickness || d.Bevel >= d.Radius {
				return nil, fmt.Errorf("%w: disc %d has a radius of %g, a thickness of %g and a bevel of %g mm", ErrScene, d.ID, d.Radius, d.Thickness, d.Bevel)
			}
		}
	}
	casts := g.casts(moments)
	if casts != nil {
		g.compose(casts)
		g.last, g.lastCst = keep(moments), casts
	}
	if casts != nil || g.relit {
		g.finish()
	}
	f := &Frame{W: g.v.cam.Width, H: g.v.cam.Height, Seen: make([]int, len(moments[0].Discs))}
	f.I420 = g.sensor(seed)
	for _, tile := range g.counts {
		for _, c := range tile {
			if c.id < 0 {
				f.HandPx += int(c.n)
			} else if int(c.id) <= len(f.Seen) {
				f.Seen[c.id-1] += int(c.n)
			}
		}
	}
	return f, nil
}

// Light makes all light, red, green and blue, so many times as strong as in the
// scene, from the next frame on: a cloud passes, a lamp is switched, a camera's
// exposure follows.
func (g *Stage) Light(times [3]float64) {
	g.relit = g.dev.light(times) || g.relit
}

// keep copies moments: the caller may go on changing its own.
func keep(m []Moment) []Moment {
	out := make([]Moment, len(m))
	for i := range m {
		out[i] = Moment{append([]Disc(nil), m[i].Discs...), append([]Hand(nil), m[i].Hands...)}
	}
	return out
}

// casts makes the moments ready and marks the tiles that change. It is nil when
// nothing does.
func (g *Stage) casts(moments []Moment) []*cast {
	clear(g.dirty)
	clear(g.blurred)
	same := len(moments) == len(g.last)
	for i := range moments {
		same = same && sameMoment(moments[i], g.last[i])
	}
	if same {
		return nil
	}
	casts := []*cast{newCast(moments[0].Discs, moments[0].Hands, g.v, g.set, g.lastCst[0])}
	for _, m := range moments[1:] {
		if sameMoment(m, moments[0]) {
			continue
		}
		casts = append(casts, newCast(m.Discs, m.Hands, g.v, g.set, casts[0]))
	}
	// What differs from the last frame, and between the moments of this one and
	// of the last.
	for i := range moments[0].Discs {
		d := moments[0].Discs[i]
		moving, moved := false, i >= len(g.last[0].Discs) || g.last[0].Discs[i] != d
		for _, c := range casts[1:] {
			moving = moving || c.discs[i] != d
		}
		for _, c := range g.lastCst[1:] {
			moved = moved || i < len(c.discs) && c.discs[i] != d
		}
		if !moving && !moved {
			continue
		}
		for _, c := range casts {
			g.mark(c.reach(i, g), moving)
		}
		if moved {
			for _, c := range g.lastCst {
				if i < len(c.discs) {
					g.mark(c.reach(i, g), false)
				}
			}
		}
	}
	for i := len(moments[0].Discs); i < len(g.last[0].Discs); i++ {
		for _, c := range g.lastCst {
			g.mark(c.reach(i, g), false)
		}
	}
	if !sameHands(moments[0].Hands, g.last[0].Hands) {
		for i := range casts[0].limbs {
			g.mark(casts[0].limbReach(i, g), false)
		}
		for i := range g.lastCst[0].limbs {
			g.mark(g.lastCst[0].limbReach(i, g), false)
		}
	}
	return casts
}

func sameMoment(a, b Moment) bool {
	if len(a.Discs) != len(b.Discs) || !sameHands(a.Hands, b.Hands) {
		return false
	}
	for i := range a.Discs {
		if a.Discs[i] != b.Discs[i] {
			return false
		}
	}
	return true
}

func sameHands(a, b []Hand) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// reach is the boxes of the picture that disc i and its shadows touch.
func (c *cast) reach(i int, g *Stage) []box {
	s := &c.solids[i]
	out := []box{c.boxes[i]}
	low := 0.0
	if hypot(s.foot.x, s.foot.y) > g.set.spec.Surface-60 || s.foot.z < 0 {
		low = g.set.tableZ
	}
	top := s.foot.z + s.h + s.r*hypot(s.f.z.x, s.f.z.y)
	for k := range g.set.lamps {
		out = append(out, g.hullBox(castHull(&g.set.lamps[k], s.foot, s.r, s.foot, s.r, top, top, low), low))
	}
	return append(out, g.hullBox([]circle{{s.foot.x, s.foot.y, s.r + 2.5*s.h}}, min(s.foot.z, low)))
}

// limbReach is the boxes of the picture that limb i and its shadows touch.
func (c *cast) limbReach(i int, g *Stage) []box {
	l := &c.limbs[i]
	out := []box{c.boxes[len(c.solids)+i]}
	for k := range g.set.lamps {
		out = append(out, g.hullBox(castHull(&g.set.lamps[k], l.a, l.ra, l.b, l.rb, l.a.z+l.ra, l.b.z+l.rb, g.set.tableZ), g.set.tableZ))
	}
	return out
}

// hullBox is the box that holds circles on the playing surface and on the plane
// low.
func (g *Stage) hullBox(hull []circle, low float64) box {
	points := make([]vec, 0, 16*len(hull))
	for _, c := range hull {
		for i := range 8 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 4)
			p := vec{c.x + 1.09*c.r*cos, c.y + 1.09*c.r*sin, 0}
			points = append(points, p)
			if low < 0 {
				p.z = low
				points = append(points, p)
			}
		}
	}
	return g.v.bound(points, 1.5)
}

func (g *Stage) mark(boxes []box, moving bool) {
	across := (g.v.cam.Width + tilePx - 1) / tilePx
	for _, b := range boxes {
		if b.empty() {
			continue
		}
		for j := b.y0 / tilePx; j <= (b.y1-1)/tilePx; j++ {
			for i := b.x0 / tilePx; i <= (b.x1-1)/tilePx; i++ {
				g.dirty[j*across+i] = true
				if moving {
					g.blurred[j*across+i] = true
				}
			}
		}
	}
}

// Scene is the stage's scene without what moves.
func (g *Stage) Scene() *Scene { return &g.scene }
