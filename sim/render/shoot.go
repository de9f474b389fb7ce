package render

import (
	"context"
	"fmt"
	"math"
)

// Shot is a picture and what is seen on it.
type Shot struct {
	*Picture
	Seen     []float64 // px that show each disc, in the order of the scene's discs
	HandSeen float64   // px that show a hand
}

// contrast is how much brighter than its neighbour (as a share) a pixel must
// be to be sampled more than once.
const contrast = 0.07

// Shoot makes a scene's picture with care: each pixel by one ray, and by nine
// where there is an edge.
func Shoot(ctx context.Context, s *Scene) (*Shot, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	w, h := s.Camera.Width, s.Camera.Height
	v := newView(s.Camera)
	st := newScenery(s)
	c := newCast(s.Discs, s.Hands, v, st, nil)
	still := st.standingBins(v)

	one := func(px, py float64, x, y int, foot float64) (light, int32) {
		r, ok := v.ray(px, py)
		if !ok {
			return st.fill.mul(0.25), 0
		}
		at := st.ground(r)
		st.meet(r, still.at(x, y), &at)
		c.meet(r, c.bins.at(x, y), &at)
		if at.kind == nothing {
			return st.fill.mul(0.25), 0
		}
		size := v.footOf(&at) * foot
		var piece surfel
		if at.kind == disc || at.kind == handKin {
			piece = c.piece(&at, size)
		} else {
			piece = st.piece(&at, size)
		}
		return st.look(&piece, r.d.mul(-1), c.dark), int32(at.kind)<<16 | int32(at.index)
	}

	first := newFilm(w, h)
	ids := make([]int32, w*h)
	inParallel(h, func(y int) {
		if ctx.Err() != nil {
			return
		}
		for x := range w {
			first.pix[y*w+x], ids[y*w+x] = one(float64(x), float64(y), x, y, 1)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("render: %w", err)
	}

	final := newFilm(w, h)
	seen := make([][]float64, h) // per row, so that the sum has one order
	hands := make([]float64, h)
	inParallel(h, func(y int) {
		if ctx.Err() != nil {
			return
		}
		seen[y] = make([]float64, len(s.Discs))
		count := func(id int32, share float64) {
			switch kind(id >> 16) {
			case disc:
				seen[y][id&0xffff] += share
			case handKin:
				hands[y] += share
			}
		}
		for x := range w {
			i := y*w + x
			if !edgy(first, ids, x, y) {
				final.pix[i] = first.pix[i]
				count(ids[i], 1)
				continue
			}
			sum := light{}
			for k := range 9 {
				c, id := first.pix[i], ids[i]
				if k != 4 {
					dx := (float64(k%3) - 1 + 0.4*(chance(int32(x), int32(y), uint32(2*k))-0.5)) / 3
					dy := (float64(k/3) - 1 + 0.4*(chance(int32(x), int32(y), uint32(2*k+1))-0.5)) / 3
					c, id = one(float64(x)+dx, float64(y)+dy, x, y, 0.4)
				}
				sum = sum.add(c)
				count(id, 1.0/9)
			}
			final.pix[i] = sum.mul(1.0 / 9)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("render: %w", err)
	}

	blurred := first // its light is no longer needed
	if s.Lens.Shake != [2]float64{} {
		final.shake(s.Lens.Shake, blurred)
		final, blurred = blurred, final
	}
	const band = 64
	inParallel((h+band-1)/band, func(row int) {
		final.blur(s.Lens.Blur, blurred, box{0, row * band, w, min(h, (row+1)*band)})
	})
	shot := &Shot{Picture: newDeveloper(s.Lens, blurred, st.meter(v)).develop(blurred), Seen: make([]float64, len(s.Discs))}
	for y := range h {
		for i, n := range seen[y] {
			shot.Seen[i] += n
		}
		shot.HandSeen += hands[y]
	}
	return shot, nil
}

// edgy says whether a pixel differs from a neighbour.
func edgy(f *film, ids []int32, x, y int) bool {
	i := y*f.w + x
	a := f.pix[i]
	la := a.luma() + 0.01
	for _, d := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		u, v := x+d[0], y+d[1]
		if u < 0 || v < 0 || u >= f.w || v >= f.h {
			continue
		}
		j := v*f.w + u
		if ids[i] != ids[j] {
			return true
		}
		b := f.pix[j]
		lb := b.luma() + 0.01
		if math.Abs(float64(la-lb)) > contrast*float64(la+lb) {
			return true
		}
		for k := range a {
			if math.Abs(float64(a[k]-b[k])) > 1.8*contrast*float64(a[k]+b[k]+0.03) {
				return true
			}
		}
	}
	return false
}

// meter is the part of the picture by which the exposure is set: the playing
// surface.
func (st *scenery) meter(v *view) box {
	var around []vec
	for i := range 16 {
		s, c := math.Sincos(float64(i) * math.Pi / 8)
		around = append(around, vec{st.spec.Surface * 0.8 * c, st.spec.Surface * 0.8 * s, 0})
	}
	b := v.bound(around, 0)
	if b.empty() {
		return box{0, 0, v.cam.Width, v.cam.Height}
	}
	return b
}
