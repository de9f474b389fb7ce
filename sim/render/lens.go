package render

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"math"
)

// Lens is what lens, sensor and file do to a picture.
type Lens struct {
	Exposure   float64    // the board's mean (as a share of white) is brought to this; 0 leaves the light as it is
	White      [3]float64 // gains of red, green and blue that the white balance leaves; zero values are 1
	Vignette   float64    // share of light lost in the corners
	Blur       float64    // one sigma, px: focus, and the sensor's own
	Shake      [2]float64 // how far the picture moves while a photo is taken, px
	Contrast   float64    // 0 plain, 1 strong
	Saturation float64    // 0 plain; -1 grey
	Noise      float64    // one sigma in mid grey, of 255
	Sharpen    float64    // as phones do it: 0 none, 1 strong
	Shutter    float64    // s
	JPEG       int        // quality, 1 to 100
	Seed       uint32     // of the noise
}

// Picture is a colour picture of 8 bits a channel.
type Picture struct {
	W, H int
	BGR  []byte // row by row
}

// EncodeJPEG is the picture as a JPEG file of the given quality.
func (p *Picture) EncodeJPEG(quality int) ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, p.W, p.H))
	for i, j := 0, 0; i < len(p.BGR); i, j = i+3, j+4 {
		img.Pix[j], img.Pix[j+1], img.Pix[j+2], img.Pix[j+3] = p.BGR[i+2], p.BGR[i+1], p.BGR[i], 255
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("render: encode picture: %w", err)
	}
	return b.Bytes(), nil
}

// film is a picture in linear light.
type film struct {
	w, h int
	pix  []light
}

func newFilm(w, h int) *film { return &film{w, h, make([]light, w*h)} }

// kernel is a normalised Gaussian of sigma px.
func kernel(sigma float64) []float32 {
	n := int(math.Ceil(2.2 * sigma))
	k := make([]float32, 2*n+1)
	var sum float32
	for i := range k {
		d := float64(i-n) / sigma
		k[i] = float32(math.Exp(-d * d / 2))
		sum += k[i]
	}
	for i := range k {
		k[i] /= sum
	}
	return k
}

// blur spreads the light by a Gaussian of sigma px within the box; what is
// outside the box is read but not changed.
func (f *film) blur(sigma float64, to *film, b box) {
	if sigma < 0.2 {
		for y := b.y0; y < b.y1; y++ {
			copy(to.pix[y*f.w+b.x0:y*f.w+b.x1], f.pix[y*f.w+b.x0:])
		}
		return
	}
	k := kernel(sigma)
	n := len(k) / 2
	width := b.x1 - b.x0
	top, low := max(0, b.y0-n), min(f.h, b.y1+n)
	var few [tilePx * (tilePx + 8)]light // enough for a tile and little blur
	tmp := few[:]
	if n := width * (low - top); n > len(few) {
		tmp = make([]light, n)
	}
	for y := top; y < low; y++ {
		row := f.pix[y*f.w : (y+1)*f.w]
		out := tmp[(y-top)*width : (y-top+1)*width]
		for x := range width {
			var c light
			at := b.x0 + x - n
			if at >= 0 && at+len(k) <= f.w {
				near := row[at : at+len(k)]
				for i, w := range k {
					q := &near[i]
					c[0] += q[0] * w
					c[1] += q[1] * w
					c[2] += q[2] * w
				}
			} else {
				for i, w := range k {
					c = c.add(row[min(max(at+i, 0), f.w-1)].mul(w))
				}
			}
			out[x] = c
		}
	}
	for y := b.y0; y < b.y1; y++ {
		out := to.pix[y*f.w+b.x0 : y*f.w+b.x1]
		for i, w := range k {
			row := tmp[(min(max(y+i-n, top), low-1)-top)*width:][:len(out)]
			if i == 0 {
				for x := range row {
					out[x] = row[x].mul(w)
				}
				continue
			}
			for x := range row {
				q, to := &row[x], &out[x]
				to[0] += q[0] * w
				to[1] += q[1] * w
				to[2] += q[2] * w
			}
		}
	}
}

// shake smears the light along a way of (dx, dy) px.
func (f *film) shake(way [2]float64, to *film) {
	n := int(math.Ceil(hypot(way[0], way[1])*1.5)) + 1
	inParallel(f.h, func(y int) {
		for x := range f.w {
			var sum light
			for k := range n {
				t := (float64(k)+0.5)/float64(n) - 0.5
				sum = sum.add(f.between(float64(x)+t*way[0], float64(y)+t*way[1]))
			}
			to.pix[y*f.w+x] = sum.mul(1 / float32(n))
		}
	})
}

// between is the light at a place between pixels; beyond the edge it is that of
// the edge.
func (f *film) between(x, y float64) light {
	x, y = clamp(x, 0, float64(f.w-1)), clamp(y, 0, float64(f.h-1))
	i, j := min(int(x), f.w-2), min(int(y), f.h-2)
	u, v := float32(x-float64(i)), float32(y-float64(j))
	k := j*f.w + i
	top := f.pix[k].mix(f.pix[k+1], u)
	return top.mix(f.pix[k+f.w].mix(f.pix[k+f.w+1], u), v)
}

// developer turns light into values of 0 to 255 (not yet rounded).
type developer struct {
	lens Lens
	base [3]float32 // the exposure and the white balance
	gain [3]float32 // of the light as it is
	w, h int
	tone []float32 // of light from toneLow to toneMax

	falls, wide []float32 // for the vignette, by row and by column
}

// The tone curve is a table over the upper bits of a float: toneLow to toneMax,
// in steps of a 512th of an octave.
const (
	toneShift = 14
	toneLow   = 1.0 / (1 << 14)
	toneMax   = 4.0
)

var toneFrom = math.Float32bits(toneLow) >> toneShift

// newDeveloper settles the exposure by the film, metered in the box.
func newDeveloper(l Lens, f *film, meter box) *developer {
	d := &developer{lens: l, w: f.w, h: f.h}
	gain := 1.0
	if l.Exposure > 0 {
		sum, n := 0.0, 0
		for y := meter.y0; y < meter.y1; y += 3 {
			for x := meter.x0; x < meter.x1; x += 3 {
				sum += math.Log(float64(f.pix[y*f.w+x].luma()) + 0.004)
				n++
			}
		}
		if n > 0 {
			gain = l.Exposure / math.Exp(sum/float64(n))
		}
	}
	for i := range d.gain {
		w := l.White[i]
		if w == 0 {
			w = 1
		}
		d.base[i] = float32(gain * w)
	}
	d.gain = d.base
	d.tone = make([]float32, math.Float32bits(toneMax)>>toneShift-toneFrom+1)
	for i := range d.tone {
		v := float64(math.Float32frombits((uint32(i)+toneFrom)<<toneShift + 1<<(toneShift-1)))
		if knee := 0.55; v > knee { // highlights roll off
			v = knee + (1-knee)*(1-math.Exp(-(v-knee)/(1-knee)))
		}
		e := encode(v) / 255
		s := e * e * (3 - 2*e)
		d.tone[i] = float32(255 * (e + (s-e)*l.Contrast))
	}
	d.falls = make([]float32, d.h+1)
	d.wide = make([]float32, d.w)
	for y := range d.falls {
		v := (float64(y) - float64(d.h)/2) / float64(d.h) * 2
		d.falls[y] = float32(v * v / 2)
	}
	for x := range d.wide {
		u := (float64(x) - float64(d.w)/2) / float64(d.w) * 2
		d.wide[x] = float32(u * u / 2)
	}
	return d
}

// light has all light so many times as strong, and tells whether that is new.
func (d *developer) light(times [3]float64) (changed bool) {
	was := d.gain
	for i := range d.gain {
		d.gain[i] = d.base[i] * float32(times[i])
	}
	return d.gain != was
}

func (d *developer) curve(v float32) float32 {
	switch {
	case v < toneLow:
		return 0
	case v >= toneMax:
		return d.tone[len(d.tone)-1]
	}
	return d.tone[math.Float32bits(v)>>toneShift-toneFrom]
}

// fall is what the vignette leaves at a pixel.
func (d *developer) fall(x, y int) float32 {
	r2 := d.falls[y] + d.wide[x]
	return 1 - float32(d.lens.Vignette)*r2*r2
}

// at is the red, green and blue value of a pixel, 0 to 255.
func (d *developer) at(c light, x, y int) [3]float32 {
	k := d.fall(x, y)
	out := [3]float32{d.curve(c[0] * d.gain[0] * k), d.curve(c[1] * d.gain[1] * k), d.curve(c[2] * d.gain[2] * k)}
	if s := float32(d.lens.Saturation); s != 0 {
		grey := 0.299*out[0] + 0.587*out[1] + 0.114*out[2]
		for i := range out {
			out[i] = min(max(grey+(out[i]-grey)*(1+s), 0), 255)
		}
	}
	return out
}

// develop makes the picture of a film.
func (d *developer) develop(f *film) *Picture {
	n := f.w * f.h
	values := make([][3]float32, n)
	inParallel(f.h, func(y int) {
		for x := range f.w {
			values[y*f.w+x] = d.at(f.pix[y*f.w+x], x, y)
		}
	})
	p := &Picture{W: f.w, H: f.h, BGR: make([]byte, 3*n)}
	sharpen := float32(d.lens.Sharpen)
	inParallel(f.h, func(y int) {
		up, down := max(0, y-1), min(f.h-1, y+1)
		for x := range f.w {
			i := y*f.w + x
			c := values[i]
			if sharpen > 0 {
				l, r := max(0, x-1), min(f.w-1, x+1)
				a, b, e, g := &values[y*f.w+l], &values[y*f.w+r], &values[up*f.w+x], &values[down*f.w+x]
				for k := range c {
					c[k] += sharpen * (c[k] - (a[k]+b[k]+e[k]+g[k])/4)
				}
			}
			if d.lens.Noise > 0 {
				d.grain(&c, x, y)
			}
			for k := range c {
				p.BGR[3*i+2-k] = uint8(min(max(c[k]+0.5, 0), 255))
			}
		}
	})
	return p
}

// grain adds the sensor's noise: fine in brightness, coarser in colour, both
// stronger in the dark, as left by a camera's own smoothing.
func (d *developer) grain(c *[3]float32, x, y int) {
	luma := 0.299*c[0] + 0.587*c[1] + 0.114*c[2]
	s := float32(d.lens.Noise) * (1.35 - 0.7*luma/255)
	if luma > 250 {
		s *= 0.25 // burnt out
	}
	seed := d.lens.Seed
	n := s * (0.8*gauss(x, y, seed) + 0.6*gauss(x/2, y/2, seed+1))
	c[0] += n + 0.7*s*gauss((x+1)/3, y/3, seed+2)
	c[1] += n
	c[2] += n + 0.8*s*gauss(x/3, (y+1)/3, seed+3)
}

// gauss is a normal deviate drawn from a pixel's place, near enough.
func gauss(x, y int, seed uint32) float32 {
	h := hash(int32(x), int32(y), seed)
	g := hash(int32(x), int32(y), seed^0x5bd1e995)
	sum := int(h&255) + int(h>>8&255) + int(h>>16&255) + int(h>>24) + int(g&255) + int(g>>8&255)
	return float32(sum-765) / 181
}
