package render

import (
	"math"
	"runtime"
	"sync"

	"crokcam/calibrate/camera"
)

// view is a camera made ready to be looked through.
type view struct {
	cam camera.Camera
	eye vec
}

func newView(c camera.Camera) *view {
	return &view{cam: c, eye: from(c.Centre())}
}

// ray goes through a place in the picture. Above the horizon there is none.
func (v *view) ray(px, py float64) (ray, bool) {
	x, y := v.cam.Unproject(px, py, 0)
	if math.IsNaN(x) || math.IsNaN(y) {
		return ray{}, false
	}
	return ray{v.eye, vec{x, y, 0}.sub(v.eye).unit()}, true
}

// box is a part of a picture, from x0, y0 up to but not including x1, y1.
type box struct{ x0, y0, x1, y1 int }

func (b box) empty() bool { return b.x0 >= b.x1 || b.y0 >= b.y1 }

// bound is the box of the picture that holds the points, with a margin of px.
func (v *view) bound(points []vec, margin float64) box {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		x, y := v.cam.Project(p.x, p.y, p.z)
		if math.IsNaN(x) {
			return box{0, 0, v.cam.Width, v.cam.Height}
		}
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	far := func(f float64) int { return int(clamp(f, -1e6, 1e6)) }
	return box{
		max(0, far(math.Floor(x0-margin))), max(0, far(math.Floor(y0-margin))),
		min(v.cam.Width, far(math.Ceil(x1+margin))+1), min(v.cam.Height, far(math.Ceil(y1+margin))+1),
	}
}

// reach is points around a solid whose bound holds it.
func (s *solid) reach() []vec {
	out := make([]vec, 0, 16)
	for _, h := range [2]float64{0, s.h} {
		for i := range 8 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 4)
			out = append(out, s.foot.add(s.f.out(vec{1.09 * s.r * cos, 1.09 * s.r * sin, h})))
		}
	}
	return out
}

func (l *limb) reach() []vec {
	var out []vec
	for i, c := range [2]vec{l.a, l.b} {
		r := 1.35 * l.ra
		if i == 1 {
			r = 1.35 * l.rb
		}
		for _, d := range [6]vec{{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}} {
			out = append(out, c.add(d))
		}
	}
	return out
}

// tilePx is the side of the squares by which a picture is searched.
const tilePx = 16

// bins lists, tile by tile, what may be seen there.
type bins struct {
	across int
	lists  [][]int32
}

func newBins(w, h int) *bins {
	across, down := (w+tilePx-1)/tilePx, (h+tilePx-1)/tilePx
	return &bins{across: across, lists: make([][]int32, across*down)}
}

func (b *bins) put(who int32, where box) {
	if where.empty() {
		return
	}
	for j := where.y0 / tilePx; j <= (where.y1-1)/tilePx; j++ {
		for i := where.x0 / tilePx; i <= (where.x1-1)/tilePx; i++ {
			b.lists[j*b.across+i] = append(b.lists[j*b.across+i], who)
		}
	}
}

func (b *bins) at(x, y int) []int32 { return b.lists[y/tilePx*b.across+x/tilePx] }

// inParallel calls do for every row from 0 up to n, several at a time.
func inParallel(n int, do func(row int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	run := max(1, min(8, n/(4*max(workers, 1)))) // rows in one go
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range workers {
		wg.Go(func() {
			for {
				mu.Lock()
				from := next
				next += run
				mu.Unlock()
				if from >= n {
					return
				}
				for row := from; row < min(n, from+run); row++ {
					do(row)
				}
			}
		})
	}
	wg.Wait()
}
