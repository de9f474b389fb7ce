package render

import (
	"math"
	"slices"
)

// tile is a tile's box.
func (g *Stage) tile(i int) box {
	w, h := g.v.cam.Width, g.v.cam.Height
	across := (w + tilePx - 1) / tilePx
	x, y := i%across*tilePx, i/across*tilePx
	return box{x, y, min(w, x+tilePx), min(h, y+tilePx)}
}

// compose draws the tiles that have changed: the average of the casts where
// something moves between them, the first one elsewhere.
func (g *Stage) compose(casts []*cast) {
	var todo []int
	for i, d := range g.dirty {
		if d {
			todo = append(todo, i)
		}
	}
	inParallel(len(todo), func(k int) {
		i := todo[k]
		b := g.tile(i)
		var ids [tilePx * tilePx]int16
		n := 1
		if g.blurred[i] {
			n = len(casts)
		}
		var soft veil
		g.veil(casts[0], b, &soft)
		idle := n == 1 && g.idle(casts[0], b, &soft)
		if idle && g.clean[i] {
			g.dirty[i] = false // it was marked by a box that is larger than what is in it
			return
		}
		g.clean[i] = idle
		for j, c := range casts[:n] {
			if j > 0 && !sameHands(c.hands, casts[0].hands) {
				g.veil(c, b, &soft)
			}
			g.composeTile(c, b, &soft, float32(1)/float32(n), j == 0, j == n/2, &ids)
		}
		tally := g.counts[i][:0]
		for y := b.y0; y < b.y1; y++ {
			for x := b.x0; x < b.x1; x++ {
				id := ids[(y-b.y0)*tilePx+x-b.x0]
				g.ids[y*g.now.w+x] = id
				if id != 0 {
					tally = tallied(tally, id)
				}
			}
		}
		g.counts[i] = tally
	})
}

func tallied(t []count, id int16) []count {
	for i := range t {
		if t[i].id == id {
			t[i].n++
			return t
		}
	}
	return append(t, count{id, 1})
}

// composeTile draws one cast into a tile with a weight, soft being the shade of
// its hands there. ids is filled when this is the moment that counts.
func (g *Stage) composeTile(c *cast, b box, soft *veil, weight float32, fresh, counts bool, ids *[tilePx * tilePx]int16) {
	w := g.now.w
	near := c.bins.at(b.x0, b.y0)
	if len(near) == 0 {
		for y := b.y0; y < b.y1; y++ {
			for x := b.x0; x < b.x1; x++ {
				g.add(y*w+x, g.behind(c, y*w+x, soft, x-b.x0, y-b.y0), weight, fresh)
			}
		}
		return
	}
	var own [tilePx * tilePx]int16
	var colours [tilePx * tilePx]light
	for y := b.y0; y < b.y1; y++ {
		for x := b.x0; x < b.x1; x++ {
			i, k := y*w+x, (y-b.y0)*tilePx+x-b.x0
			if r, far, ok := g.toward(i); ok {
				at := hit{meet: meet{t: far}}
				c.meet(r, near, &at)
				if at.kind != nothing {
					own[k] = idOf(&at)
					colours[k] = g.moving(c, &at, r)
					continue
				}
			}
			colours[k] = g.behind(c, i, soft, x-b.x0, y-b.y0)
		}
	}
	for y := b.y0; y < b.y1; y++ {
		for x := b.x0; x < b.x1; x++ {
			i, k := y*w+x, (y-b.y0)*tilePx+x-b.x0
			out := colours[k]
			if rim(&own, b, x, y) {
				out = g.rimLight(c, near, x, y, i, soft, b)
			}
			g.add(i, out, weight, fresh)
		}
	}
	if counts {
		*ids = own
	}
}

// add adds a cast's light to a pixel.
func (g *Stage) add(i int, c light, weight float32, fresh bool) {
	to := &g.now.pix[i]
	if fresh {
		*to = c.mul(weight)
		return
	}
	*to = to.add(c.mul(weight))
}

func idOf(h *hit) int16 {
	if h.kind == handKin {
		return -1
	}
	return int16(h.index + 1)
}

// toward is the ray to what stands still at pixel i, and how far it goes.
func (g *Stage) toward(i int) (r ray, far float64, ok bool) {
	if g.kinds[i] == nothing {
		return r, 0, false
	}
	p := g.at[i]
	d := vec{float64(p[0]), float64(p[1]), float64(p[2])}.sub(g.v.eye)
	return ray{g.v.eye, d.unit()}, float64(g.depth[i]), true
}

// moving is the light of something that moves.
func (g *Stage) moving(c *cast, at *hit, r ray) light {
	s := c.piece(at, g.v.footOf(at))
	return g.set.look(&s, r.d.mul(-1), c.dark)
}

// behind is the light of what stands still at pixel i in the shade of what
// moves.
func (g *Stage) behind(c *cast, i int, soft *veil, x, y int) light {
	p := vec{float64(g.at[i][0]), float64(g.at[i][1]), float64(g.at[i][2])}
	out := g.around[i]
	in := cell(p)
	if len(c.dark.at(maxLights, in)) > 0 {
		out = out.mul(float32(c.dark.sky(p, -1)))
	}
	for k := range g.lamps {
		l := g.lamps[k][i]
		if l == (light{}) {
			continue
		}
		v := soft.at(k, x, y)
		if v > 0.003 && len(c.dark.at(k, in)) > 0 {
			v *= float32(c.dark.bySolids(k, p, -1))
		}
		if v < 1 {
			l = l.mul(v)
		}
		out = out.add(l)
	}
	return out
}

// rim says whether another thing begins beside a pixel; beyond the tile's edge
// that is not known and taken as no.
func rim(own *[tilePx * tilePx]int16, b box, x, y int) bool {
	id := own[(y-b.y0)*tilePx+x-b.x0]
	at := func(u, v int) bool {
		return u >= b.x0 && v >= b.y0 && u < b.x1 && v < b.y1 && own[(v-b.y0)*tilePx+u-b.x0] != id
	}
	return at(x-1, y) || at(x+1, y) || at(x, y-1) || at(x, y+1)
}

// rimLight is a pixel at the rim of something that moves, from four rays.
func (g *Stage) rimLight(c *cast, near []int32, x, y, i int, soft *veil, b box) light {
	sum := light{}
	behind, known := light{}, false
	for k := range 4 {
		dx, dy := float64(k%2)*0.5-0.25, float64(k/2)*0.5-0.25
		r, ok := g.v.ray(float64(x)+dx+dy/2, float64(y)+dy-dx/2)
		if ok {
			far := math.Inf(1)
			if g.kinds[i] != nothing {
				far = float64(g.depth[i]) * 1.002
			}
			at := hit{meet: meet{t: far}}
			c.meet(r, near, &at)
			if at.kind != nothing {
				sum = sum.add(g.moving(c, &at, r))
				continue
			}
		}
		if !known {
			behind, known = g.behind(c, i, soft, x-b.x0, y-b.y0), true
		}
		sum = sum.add(behind)
	}
	return sum.mul(0.25)
}

// finish takes the changed tiles through the lens to settled values.
func (g *Stage) finish() {
	w, h := g.now.w, g.now.h
	across := (w + tilePx - 1) / tilePx
	margin := 0
	if g.scene.Lens.Blur >= 0.2 {
		margin = len(kernel(g.scene.Lens.Blur)) / 2
	}
	// The blur carries light over into the tiles beside.
	reach := (margin + tilePx - 1) / tilePx
	touched := g.dirty
	switch {
	case g.relit:
		g.relit = false
		touched = slices.Repeat([]bool{true}, len(g.dirty))
	case reach > 0:
		touched = make([]bool, len(g.dirty))
		for i, d := range g.dirty {
			if !d {
				continue
			}
			x, y := i%across, i/across
			for v := max(0, y-reach); v <= min(len(g.dirty)/across-1, y+reach); v++ {
				for u := max(0, x-reach); u <= min(across-1, x+reach); u++ {
					touched[v*across+u] = true
				}
			}
		}
	}
	var todo []int
	for i, d := range touched {
		if d {
			todo = append(todo, i)
		}
	}
	luma, blue, red := g.settled[:w*h], g.settled[w*h:w*h+w*h/4], g.settled[w*h+w*h/4:]
	inParallel(len(todo), func(k int) {
		b := g.tile(todo[k])
		g.now.blur(g.scene.Lens.Blur, g.soft, b)
		for y := b.y0; y < b.y1; y += 2 {
			for x := b.x0; x < b.x1; x += 2 {
				var sum [3]float32
				for j := range 4 {
					u, v := x+j%2, y+j/2
					c := g.dev.at(g.soft.pix[v*w+u], u, v)
					luma[v*w+u] = uint8(16.5 + 0.25679*c[0] + 0.50413*c[1] + 0.09791*c[2])
					sum[0] += c[0]
					sum[1] += c[1]
					sum[2] += c[2]
				}
				i := y/2*(w/2) + x/2
				blue[i] = uint8(128.5 + (-0.14822*sum[0]-0.29099*sum[1]+0.43922*sum[2])/4)
				red[i] = uint8(128.5 + (0.43922*sum[0]-0.36779*sum[1]-0.07143*sum[2])/4)
			}
		}
	})
}

// sensor is the settled picture with one frame's noise.
func (g *Stage) sensor(seed uint32) []byte {
	w, h := g.now.w, g.now.h
	out := make([]byte, len(g.settled))
	if g.scene.Lens.Noise <= 0 {
		copy(out, g.settled)
		return out
	}
	// g.noise has a sigma of 24.
	var amp, half [256]int32
	for i := range amp {
		s := g.scene.Lens.Noise * (1.35 - 0.7*float64(i)/255)
		amp[i] = int32(s * 0.86 * 65536 / 24)
		half[i] = amp[i] / 2
	}
	lines := h + h/2 // rows of luma, then pairs of rows of colour
	inParallel(lines, func(row int) {
		lo, hi := row*w, (row+1)*w
		from := hash(int32(row), 0, seed) % noiseSize
		scale := &amp
		if row >= h {
			scale = &half // colour is noisier as seen, but averaged
		}
		to, noise := out[lo:hi], g.noise[from:]
		for i, v := range g.settled[lo:hi] {
			n := int32(noise[i]) * scale[v]
			to[i] = uint8(min(max(int32(v)+(n+32768)>>16, 0), 255))
		}
	})
	return out
}

// Picture is the frame as a colour picture.
func (f *Frame) Picture() *Picture {
	p := &Picture{W: f.W, H: f.H, BGR: make([]byte, 3*f.W*f.H)}
	n := f.W * f.H
	for y := range f.H {
		for x := range f.W {
			c := (y/2)*(f.W/2) + x/2
			l := 1.16438 * (float32(f.I420[y*f.W+x]) - 16)
			u, v := float32(f.I420[n+c])-128, float32(f.I420[n+n/4+c])-128
			i := 3 * (y*f.W + x)
			for k, q := range [3]float32{l + 2.01723*u, l - 0.39176*u - 0.81297*v, l + 1.59603*v} {
				p.BGR[i+k] = uint8(min(max(q+0.5, 0), 255))
			}
		}
	}
	return p
}
