// Package raster holds pictures as planes of float32, for the work that is
// clearer as plain loops than as calls into OpenCV.
package raster

import (
	"fmt"
	"image"

	"gocv.io/x/gocv"
)

// Picture is a colour picture: three interleaved channels (blue, green, red)
// of 0 to 255.
type Picture struct {
	W, H int
	Pix  []float32
}

// FromMat copies an 8-bit BGR Mat, resized so that its long side is at most
// long px (never enlarged), and gives the scale that was applied. The Mat
// stays the caller's.
func FromMat(m gocv.Mat, long int) (*Picture, float64, error) {
	if m.Empty() || m.Type() != gocv.MatTypeCV8UC3 {
		return nil, 0, fmt.Errorf("raster: want an 8-bit colour picture, have type %v of %d × %d px", m.Type(), m.Cols(), m.Rows())
	}
	scale := 1.0
	src := m
	if l := max(m.Cols(), m.Rows()); l > long {
		scale = float64(long) / float64(l)
		small := gocv.NewMat()
		defer small.Close()
		size := image.Pt(max(1, int(float64(m.Cols())*scale+0.5)), max(1, int(float64(m.Rows())*scale+0.5)))
		gocv.Resize(m, &small, size, 0, 0, gocv.InterpolationArea)
		src = small
	} else if !m.IsContinuous() {
		whole := m.Clone()
		defer whole.Close()
		src = whole
	}
	b, err := src.DataPtrUint8()
	if err != nil {
		return nil, 0, fmt.Errorf("raster: read pixels: %w", err)
	}
	p := &Picture{W: src.Cols(), H: src.Rows(), Pix: make([]float32, len(b))}
	for i, v := range b {
		p.Pix[i] = float32(v)
	}
	return p, scale, nil
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

// Blur is the picture smoothed by a Gaussian of sigma px.
func (p *Picture) Blur(sigma float64) *Picture {
	k := gaussian(sigma)
	h := len(k) / 2
	tmp := make([]float32, len(p.Pix))
	out := &Picture{W: p.W, H: p.H, Pix: make([]float32, len(p.Pix))}
	row := p.W * 3
	for y := range p.H {
		src, dst := p.Pix[y*row:(y+1)*row], tmp[y*row:(y+1)*row]
		for x := range p.W {
			var b, g, r float32
			for i, w := range k {
				xx := min(max(x+i-h, 0), p.W-1) * 3
				b += w * src[xx]
				g += w * src[xx+1]
				r += w * src[xx+2]
			}
			dst[x*3], dst[x*3+1], dst[x*3+2] = b, g, r
		}
	}
	for y := range p.H {
		dst := out.Pix[y*row : (y+1)*row]
		for i, w := range k {
			yy := min(max(y+i-h, 0), p.H-1)
			src := tmp[yy*row : (yy+1)*row]
			for x := range dst {
				dst[x] += w * src[x]
			}
		}
	}
	return out
}
