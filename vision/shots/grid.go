package shots

import (
	"math"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/internal/raster"
	"crokcam/vision/capture"
)

// rows is how many squares a picture is high: on a board that fills it, each is
// a seventh of a disc wide.
const rows = 180

// grid is a picture's brightness in squares.
type grid struct {
	w, h, size int // squares across and down; px of a square's side
	sums       []uint32
	reds       []int32
}

func (g *grid) fit(f *capture.Frame) (changed bool) {
	size := max(2, (f.Height+rows/2)/rows)
	w, h := f.Width/size, f.Height/size
	changed = size != g.size || w != g.w || h != g.h
	g.w, g.h, g.size = w, h, size
	if cap(g.sums) < w {
		g.sums, g.reds = make([]uint32, w), make([]int32, w)
	}
	g.sums, g.reds = g.sums[:w], g.reds[:w]
	return changed
}

// shrink writes the mean brightness of every square.
func (g *grid) shrink(f *capture.Frame, out []float32) {
	size, inv := g.size, 1/float32(g.size*g.size)
	for by := range g.h {
		sums := g.sums
		clear(sums)
		for y := by * size; y < (by+1)*size; y++ {
			row := f.Y[y*f.Width : (y+1)*f.Width]
			switch size {
			case 4:
				for x := range sums {
					r := row[4*x : 4*x+4 : 4*x+4]
					sums[x] += uint32(r[0]) + uint32(r[1]) + uint32(r[2]) + uint32(r[3])
				}
			case 6:
				for x := range sums {
					r := row[6*x : 6*x+6 : 6*x+6]
					sums[x] += uint32(r[0]) + uint32(r[1]) + uint32(r[2]) + uint32(r[3]) + uint32(r[4]) + uint32(r[5])
				}
			default:
				for x := range sums {
					n := uint32(0)
					for _, v := range row[size*x : size*x+size] {
						n += uint32(v)
					}
					sums[x] += n
				}
			}
		}
		dst := out[by*g.w : (by+1)*g.w]
		for x, n := range sums {
			dst[x] = float32(n) * inv
		}
	}
}

// tint writes how much redder than blue every square is (V − U).
func (g *grid) tint(f *capture.Frame, out []float32) {
	cw := (f.Width + 1) / 2
	for by := range g.h {
		y0, y1 := by*g.size/2, ((by+1)*g.size+1)/2
		sums := g.reds
		clear(sums)
		for y := y0; y < y1; y++ {
			us, vs := f.U[y*cw:(y+1)*cw], f.V[y*cw:(y+1)*cw]
			switch g.size {
			case 4:
				for x := range sums {
					u, v := us[2*x:2*x+2:2*x+2], vs[2*x:2*x+2:2*x+2]
					sums[x] += int32(v[0]) + int32(v[1]) - int32(u[0]) - int32(u[1])
				}
			case 6:
				for x := range sums {
					u, v := us[3*x:3*x+3:3*x+3], vs[3*x:3*x+3:3*x+3]
					sums[x] += int32(v[0]) + int32(v[1]) + int32(v[2]) - int32(u[0]) - int32(u[1]) - int32(u[2])
				}
			default:
				for x := range sums {
					x0, x1 := x*g.size/2, ((x+1)*g.size+1)/2
					for k, v := range vs[x0:x1] {
						sums[x] += int32(v) - int32(us[x0+k])
					}
				}
			}
		}
		dst := out[by*g.w : (by+1)*g.w]
		for x, n := range sums {
			wide := ((x+1)*g.size+1)/2 - x*g.size/2
			dst[x] = float32(n) / float32(wide*(y1-y0))
		}
	}
}

// part is where on the board a square lies.
type part uint8

const (
	beyond  part = 1 << iota // outside the rail, or where the picture ends
	between                  // the ditch, the rail
	surface                  // the playing surface, and as much as a disc stands over its edge
)

// chart says where each square of a grid lies on the board.
type chart struct {
	part []part
	at   []board.Point // mm, at half a disc's height
	mm2  []float32     // what a square covers
}

// railReach is how far outside the ditch the outside of the rail is taken to
// be, mm.
const railReach = 25

// lay places a grid on a board.
func (c *chart) lay(g *grid, cal *calibrate.Calibration) {
	n := g.w * g.h
	c.part, c.at, c.mm2 = make([]part, n), make([]board.Point, n), make([]float32, n)
	spec := cal.Board
	inner, outer := spec.Surface+4, spec.Surface+spec.Ditch+railReach
	cam := cal.Camera
	place := func(u, v float64) (board.Point, bool) {
		x, y := cam.Unproject(u, v, spec.Disc.Thickness/2)
		return board.Point{X: x, Y: y}, !math.IsNaN(x) && !math.IsNaN(y)
	}
	s := float64(g.size)
	for by := range g.h {
		for bx := range g.w {
			k := by*g.w + bx
			u, v := (float64(bx)+0.5)*s-0.5, (float64(by)+0.5)*s-0.5
			p, ok := place(u, v)
			q, okQ := place(u+s, v)
			r, okR := place(u, v+s)
			edge := bx == 0 || by == 0 || bx == g.w-1 || by == g.h-1
			switch {
			case !ok || !okQ || !okR:
				c.part[k] = beyond
				continue
			case p.Radius() < inner:
				c.part[k] = surface
			case p.Radius() < outer:
				c.part[k] = between
			default:
				c.part[k] = beyond
			}
			if edge {
				c.part[k] |= beyond
			}
			c.at[k] = p
			c.mm2[k] = float32(math.Abs((q.X-p.X)*(r.Y-p.Y) - (q.Y-p.Y)*(r.X-p.X)))
		}
	}
}

// picture is a frame as full looks take it.
func picture(f *capture.Frame, mix raster.YUV, reuse *raster.Picture) (whole, work *raster.Picture, err error) {
	whole, err = raster.FromI420(f.Y, f.U, f.V, f.Width, f.Height, mix, reuse)
	if err != nil {
		return nil, nil, err
	}
	return whole, whole.Shrink(calibrate.WorkingSize), nil
}
