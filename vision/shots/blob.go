package shots

import (
	"math"

	"crokcam/board"
)

// blob is connected squares.
type blob struct {
	squares int
	first   int         // one of them
	part    part        // all parts it reaches
	mm2     float64     // over the surface
	all     float64     // mm² altogether
	out     float64     // mm² beyond the rail; endless where it reaches the picture's edge
	stark   float64     // mm² of it that are more than light and shade make, where that was asked for
	centre  board.Point // of what lies on the surface
	middle  board.Point // of all of it, as far as it lies on the board's plane
	lo, hi  board.Point // corners of what it covers of the surface
}

// blobs finds connected squares of a mask.
type blobs struct {
	of    []int32 // of every square: its blob + 1, or 0
	stack []int32
	list  []blob
	dirty []int32 // squares that are in a blob
}

func (b *blobs) restart(n int) {
	b.of = make([]int32, n)
	b.list, b.dirty = b.list[:0], b.dirty[:0]
}

// find lists the connected parts of a mask. Squares that lie beyond the rail
// are followed as well: that is where arms come from.
func (b *blobs) find(mask []bool, g *grid, c *chart) []blob {
	for _, k := range b.dirty {
		b.of[k] = 0
	}
	b.dirty, b.list = b.dirty[:0], b.list[:0]
	for k, set := range mask {
		if !set || b.of[k] != 0 {
			continue
		}
		id := int32(len(b.list) + 1)
		o := blob{first: k}
		var sx, sy, sw, mx, my float64
		b.stack = append(b.stack[:0], int32(k))
		b.of[k] = id
		for len(b.stack) > 0 {
			i := b.stack[len(b.stack)-1]
			b.stack = b.stack[:len(b.stack)-1]
			b.dirty = append(b.dirty, i)
			o.squares++
			p, a := c.part[i], float64(c.mm2[i])
			o.part |= p
			o.all += a
			if p&beyond != 0 {
				o.out += a
			}
			mx, my = mx+a*c.at[i].X, my+a*c.at[i].Y
			if p&surface != 0 {
				o.mm2 += a
				at := c.at[i]
				if sw == 0 {
					o.lo, o.hi = at, at
				}
				o.lo.X, o.lo.Y = min(o.lo.X, at.X), min(o.lo.Y, at.Y)
				o.hi.X, o.hi.Y = max(o.hi.X, at.X), max(o.hi.Y, at.Y)
				sx, sy, sw = sx+a*at.X, sy+a*at.Y, sw+a
			}
			x, y := int(i)%g.w, int(i)/g.w
			if x == 0 || y == 0 || x == g.w-1 || y == g.h-1 {
				o.out = math.Inf(1)
			}
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					nx, ny := x+dx, y+dy
					if nx < 0 || ny < 0 || nx >= g.w || ny >= g.h {
						continue
					}
					j := int32(ny*g.w + nx)
					if mask[j] && b.of[j] == 0 {
						b.of[j] = id
						b.stack = append(b.stack, j)
					}
				}
			}
		}
		if sw > 0 {
			o.centre = board.Point{X: sx / sw, Y: sy / sw}
		}
		if o.all > 0 {
			o.middle = board.Point{X: mx / o.all, Y: my / o.all}
		}
		b.list = append(b.list, o)
	}
	return b.list
}

// reachesOut tells whether it comes from outside the board, as an arm does.
func (b *blob) reachesOut() bool { return b.out >= handOut }

// arm tells whether it may be an arm or a part of one, and not only other light.
func (b *blob) arm() bool { return b.reachesOut() && b.stark >= min(handStark, b.all/4) }

// liesBeside tells whether it lies beside the surface, but for a little that may reach
// over its edge.
func (b *blob) liesBeside() bool { return b.part&^surface != 0 && b.mm2 < 2*handOver }
