// Package raster holds pictures as planes of float32, for the work that is
// clearer as plain loops than as calls into OpenCV.
package raster

import (
	"fmt"
	"image"

	"gocv.io/x/gocv"

	"crokcam/internal/cvx"
)

// Picture is a colour picture: three interleaved channels (blue, green, red)
// of 0 to 255.
type Picture struct {
	W, H  int
	Pix   []float32
	Scale float64 // pixels here per pixel of the picture it was made from
}

// FromMat copies an 8-bit BGR Mat, resized so that its long side is at most
// long px (never enlarged). The Mat stays the caller's.
func FromMat(m gocv.Mat, long int) (*Picture, error) {
	if m.Empty() || m.Type() != gocv.MatTypeCV8UC3 {
		return nil, fmt.Errorf("raster: want an 8-bit colour picture, have type %v of %d × %d px", m.Type(), m.Cols(), m.Rows())
	}
	src := m
	p := &Picture{Scale: 1}
	if l := max(m.Cols(), m.Rows()); l > long {
		p.Scale = float64(long) / float64(l)
		small := cvx.New()
		defer cvx.Close(&small)
		size := image.Pt(max(1, int(float64(m.Cols())*p.Scale+0.5)), max(1, int(float64(m.Rows())*p.Scale+0.5)))
		how := gocv.InterpolationArea
		if l < 2*long {
			how = gocv.InterpolationLinear // no pixel is left out, and it costs a quarter
		}
		gocv.Resize(m, &small, size, 0, 0, how)
		src = small
	} else if !m.IsContinuous() {
		whole := cvx.Clone(m)
		defer cvx.Close(&whole)
		src = whole
	}
	b, err := src.DataPtrUint8()
	if err != nil {
		return nil, fmt.Errorf("raster: read pixels: %w", err)
	}
	p.W, p.H = src.Cols(), src.Rows()
	p.Pix = make([]float32, len(b))
	for i, v := range b {
		p.Pix[i] = float32(v)
	}
	return p, nil
}

// Shrink is the picture averaged down so that its long side is at most long
// px.
func (p *Picture) Shrink(long int) *Picture {
	l := max(p.W, p.H)
	if l <= long {
		return p
	}
	s := float64(long) / float64(l)
	w, h := max(1, int(float64(p.W)*s+0.5)), max(1, int(float64(p.H)*s+0.5))
	return p.with(s, func(f cvx.Floats) (cvx.Floats, error) { return cvx.Shrink(f, w, h) })
}

// Blur is the picture smoothed by a Gaussian of sigma px. Beyond its border
// the picture goes on as it ends.
func (p *Picture) Blur(sigma float64) *Picture {
	return p.with(1, func(f cvx.Floats) (cvx.Floats, error) { return cvx.Smooth(f, sigma) })
}

// with is what OpenCV makes of the picture, scaled by s; where it can do nothing,
// for want of pixels or of memory, the picture as it is.
func (p *Picture) with(s float64, do func(cvx.Floats) (cvx.Floats, error)) *Picture {
	out, err := do(cvx.Floats{W: p.W, H: p.H, Pix: p.Pix})
	if err != nil {
		return p
	}
	return &Picture{W: out.W, H: out.H, Pix: out.Pix, Scale: p.Scale * s}
}

// At samples the picture between pixels, bilinearly; ok is false outside it.
func (p *Picture) At(u, v float64) (bgr [3]float32, ok bool) {
	if !(u >= 0 && v >= 0 && u <= float64(p.W-1) && v <= float64(p.H-1)) {
		return bgr, false
	}
	x, y := int(u), int(v)
	if x == p.W-1 && x > 0 {
		x--
	}
	if y == p.H-1 && y > 0 {
		y--
	}
	if x+1 >= p.W || y+1 >= p.H {
		return bgr, false
	}
	fx, fy := float32(u-float64(x)), float32(v-float64(y))
	i := (y*p.W + x) * 3
	j := i + p.W*3
	w00, w01 := (1-fx)*(1-fy), fx*(1-fy)
	w10, w11 := (1-fx)*fy, fx*fy
	q, r := p.Pix[i:i+6:i+6], p.Pix[j:j+6:j+6]
	bgr[0] = w00*q[0] + w01*q[3] + w10*r[0] + w11*r[3]
	bgr[1] = w00*q[1] + w01*q[4] + w10*r[1] + w11*r[4]
	bgr[2] = w00*q[2] + w01*q[5] + w10*r[2] + w11*r[5]
	return bgr, true
}
