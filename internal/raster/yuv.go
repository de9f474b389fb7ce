package raster

import "fmt"

// YUV says how the planes of a picture mix its colours.
type YUV struct {
	FullRange bool  // black and white are 0 and 255 rather than 16 and 235
	BT709     bool  // mixed by BT.709 rather than by BT.601
	Tone      *Tone // what becomes of the colours; nil leaves them as they are
}

// Tone is what each value of blue, green and red, 0 to 255, is to become.
type Tone [3][256]float32

// apply changes a colour.
func (t *Tone) apply(c *[3]float32) {
	for ch := range c {
		c[ch] = t[ch][int(c[ch]+0.5)]
	}
}

// FromI420 makes a w × h picture of planar YUV with chroma at half size, whose
// rows follow one another without gaps. It is put into reuse where that is
// given and large enough.
func FromI420(y, u, v []byte, w, h int, m YUV, reuse *Picture) (*Picture, error) {
	cw := (w + 1) / 2
	if w < 1 || h < 1 || len(y) != w*h || len(u) != cw*((h+1)/2) || len(v) != len(u) {
		return nil, fmt.Errorf("raster: planes of %d, %d and %d bytes are no picture of %d × %d px", len(y), len(u), len(v), w, h)
	}
	p := reuse
	if p == nil || cap(p.Pix) < w*h*3 {
		p = &Picture{Pix: make([]float32, w*h*3)}
	}
	p.W, p.H, p.Scale, p.Pix = w, h, 1, p.Pix[:w*h*3]
	m.mix(p, y, u, v, 0, 0, w, h)
	return p, nil
}

// Part puts the pixels from (x0, y0) to before (x1, y1) of a picture in planar
// YUV, as FromI420 takes it, into one of the same size. What of them lies
// outside the picture is left out.
func Part(into *Picture, y, u, v []byte, m YUV, x0, y0, x1, y1 int) error {
	cw := (into.W + 1) / 2
	if len(y) != into.W*into.H || len(u) != cw*((into.H+1)/2) || len(v) != len(u) || len(into.Pix) != 3*len(y) {
		return fmt.Errorf("raster: planes of %d, %d and %d bytes are no picture of %d × %d px", len(y), len(u), len(v), into.W, into.H)
	}
	m.mix(into, y, u, v, max(x0, 0), max(y0, 0), min(x1, into.W), min(y1, into.H))
	return nil
}

// mix fills a rectangle of a picture.
func (m YUV) mix(p *Picture, y, u, v []byte, x0, y0, x1, y1 int) {
	if x0 >= x1 {
		return
	}
	w, cw := p.W, (p.W+1)/2
	k := m.weights()
	for row := y0; row < y1; row++ {
		ys := y[row*w+x0 : row*w+x1]
		us, vs := u[row/2*cw:(row/2+1)*cw], v[row/2*cw:(row/2+1)*cw]
		out := p.Pix[(row*w+x0)*3 : (row*w+x1)*3]
		for i, l := range ys {
			x := (x0 + i) / 2
			c := k.colour(l, us[x], vs[x])
			if m.Tone != nil {
				m.Tone.apply(&c)
			}
			copy(out[3*i:3*i+3:3*i+3], c[:])
		}
	}
}

// Colour is one pixel's: blue, green and red, 0 to 255.
func (m YUV) Colour(y, u, v byte) [3]float32 {
	k := m.weights()
	c := k.colour(y, u, v)
	if m.Tone != nil {
		m.Tone.apply(&c)
	}
	return c
}

// weights is how luma and chroma make a colour.
type weights struct{ lift, stretch, toR, toB, rG, bG float32 }

func (m YUV) weights() weights {
	// Weights of red and blue in luma (ITU-R BT.601 and BT.709).
	kr, kb := float32(0.299), float32(0.114)
	if m.BT709 {
		kr, kb = 0.2126, 0.0722
	}
	k, chroma := weights{lift: 16, stretch: 255.0 / 219}, float32(255.0/224)
	if m.FullRange {
		k.lift, k.stretch, chroma = 0, 1, 1
	}
	k.toR, k.toB = 2*(1-kr)*chroma, 2*(1-kb)*chroma
	k.rG, k.bG = kr*k.toR/(1-kr-kb), kb*k.toB/(1-kr-kb)
	return k
}

func (k *weights) colour(y, u, v byte) [3]float32 {
	luma := (float32(y) - k.lift) * k.stretch
	cb, cr := float32(u)-128, float32(v)-128
	return [3]float32{clip(luma + k.toB*cb), clip(luma - k.bG*cb - k.rG*cr), clip(luma + k.toR*cr)}
}

func clip(v float32) float32 { return min(max(v, 0), 255) }
