package capture

import (
	"fmt"
	"sync"
	"time"
)

// Frame is one picture of a stream in planar YUV with chroma at half size
// (I420). It belongs to whoever got it from Next, until Release.
type Frame struct {
	Width, Height int    // px
	Pix           []byte // the three planes one after the other, without gaps
	Y, U, V       []byte // views into Pix; rows of Width and of (Width+1)/2 bytes

	// FullRange says that black and white are 0 and 255, as in JPEG, rather
	// than 16 and 235. BT709 says that the colours are mixed by BT.709 rather
	// than by BT.601.
	FullRange, BT709 bool

	Seq     uint64        // counts the stream's frames from 0, those passed over included
	Session int           // counts the openings from 1
	At      time.Duration // stream time: never goes back, whatever any clock does
	Arrived time.Time     // when the last byte was here
	Health  Health        // what is wrong with the picture as such

	damaged bool // the decoder has complained
	pool    *pool
}

// maxSide and maxPixels bound a frame, px: more than any camera has. A size
// beyond is a lie or a mistake.
const (
	maxSide   = 16384
	maxPixels = 64_000_000
)

// SetSize makes the frame w × h pixels large. What is in the planes then is
// not defined. It allocates only if the frame has never been so large.
func (f *Frame) SetSize(w, h int) error {
	if w < 1 || h < 1 || w > maxSide || h > maxSide || w*h > maxPixels {
		return fmt.Errorf("a frame of %d × %d px is not taken", w, h)
	}
	cw, ch := (w+1)/2, (h+1)/2
	luma, chroma := w*h, cw*ch
	if n := luma + 2*chroma; cap(f.Pix) < n {
		f.Pix = make([]byte, n)
	} else {
		f.Pix = f.Pix[:n]
	}
	f.Width, f.Height = w, h
	f.Y, f.U, f.V = f.Pix[:luma], f.Pix[luma:luma+chroma], f.Pix[luma+chroma:]
	return nil
}

// PixelFormat is how a picture that is put into a frame lies in memory, its
// rows one after the other without gaps.
type PixelFormat string

// The formats that Put takes.
const (
	I420 PixelFormat = "i420" // planes Y, U, V by BT.601, 16 to 235
	Gray PixelFormat = "gray" // one byte a pixel, 0 to 255
	BGR  PixelFormat = "bgr"  // three bytes a pixel, as OpenCV has it
	RGB  PixelFormat = "rgb"  // three bytes a pixel
	RGBA PixelFormat = "rgba" // four bytes a pixel, the last without meaning
)

// Put makes the frame a copy of a w × h picture.
func (f *Frame) Put(pix []byte, w, h int, format PixelFormat) error {
	if err := f.SetSize(w, h); err != nil {
		return err
	}
	f.FullRange, f.BT709 = false, false
	var step, r, b int // bytes a pixel; where red and blue are
	switch format {
	case I420:
		step = 0
	case Gray:
		step = 1
	case BGR:
		step, r, b = 3, 2, 0
	case RGB:
		step, r, b = 3, 0, 2
	case RGBA:
		step, r, b = 4, 0, 2
	default:
		return fmt.Errorf("a frame cannot be made of %q", format)
	}
	want := step * w * h
	if format == I420 {
		want = len(f.Pix)
	}
	if len(pix) != want {
		return fmt.Errorf("a %s frame of %d × %d px has %d bytes, not %d", format, w, h, want, len(pix))
	}
	switch format {
	case I420:
		copy(f.Pix, pix)
	case Gray:
		f.FullRange = true
		copy(f.Y, pix)
		fill(f.Pix[w*h:], 128)
	default:
		f.mix(pix, step, r, b)
	}
	return nil
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// mix fills the planes from interleaved colours by BT.601, 16 to 235, in
// 16-bit fixed point. Two by two pixels share the chroma of their mean; at an
// odd edge the last pixel stands for its missing neighbour.
func (f *Frame) mix(pix []byte, step, r, b int) {
	w, h := f.Width, f.Height
	cw, row := (w+1)/2, w*step
	for cy := range (h + 1) / 2 {
		y0, y1 := 2*cy, min(2*cy+1, h-1)
		top, bottom := pix[y0*row:(y0+1)*row], pix[y1*row:(y1+1)*row]
		lumaTop, lumaBottom := f.Y[y0*w:(y0+1)*w], f.Y[y1*w:(y1+1)*w]
		u, v := f.U[cy*cw:(cy+1)*cw], f.V[cy*cw:(cy+1)*cw]
		for cx := range u {
			x0, x1 := 2*cx, min(2*cx+1, w-1)
			r00, g00, b00 := rgb(top[x0*step:], r, b)
			r01, g01, b01 := rgb(top[x1*step:], r, b)
			r10, g10, b10 := rgb(bottom[x0*step:], r, b)
			r11, g11, b11 := rgb(bottom[x1*step:], r, b)
			lumaTop[x0], lumaTop[x1] = luma(r00, g00, b00), luma(r01, g01, b01)
			lumaBottom[x0], lumaBottom[x1] = luma(r10, g10, b10), luma(r11, g11, b11)
			sr, sg, sb := r00+r01+r10+r11, g00+g01+g10+g11, b00+b01+b10+b11
			u[cx] = byte((-9714*sr - 19070*sg + 28784*sb + 128<<18 + 1<<17) >> 18)
			v[cx] = byte((28784*sr - 24103*sg - 4681*sb + 128<<18 + 1<<17) >> 18)
		}
	}
}

func rgb(p []byte, r, b int) (red, green, blue int32) {
	return int32(p[r]), int32(p[1]), int32(p[b])
}

func luma(r, g, b int32) byte {
	return byte((16829*r + 33039*g + 6416*b + 16<<16 + 1<<15) >> 16)
}

// Release gives the frame back for reuse. Neither it nor its planes may be
// touched afterwards.
func (f *Frame) Release() {
	if p := f.pool; p != nil {
		f.pool = nil
		p.put(f)
	}
}

// pool keeps frames that are not in use.
type pool struct {
	mu   sync.Mutex
	free []*Frame
}

// poolKept bounds what lies idle: frames on their way plus those that callers
// hold for a comparison.
const poolKept = 8

func (p *pool) get() *Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return &Frame{pool: p}
	}
	f := p.free[n-1]
	p.free = p.free[:n-1]
	f.pool = p
	return f
}

func (p *pool) put(f *Frame) {
	*f = Frame{Pix: f.Pix}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < poolKept {
		p.free = append(p.free, f)
	}
}
