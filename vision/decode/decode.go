// Package decode turns the bytes of a picture, from whoever sent them, into an
// upright 8-bit BGR Mat. It looks at what the bytes are and never at a name,
// reads the size from the header before it pays for the raster, and says in
// one sentence what a player can do about a picture that it does not take.
package decode

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gocv.io/x/gocv"

	"crokcam/internal/cvx"
	"crokcam/internal/raster"
)

// Limits bound what a picture may cost. A zero field means its default.
type Limits struct {
	Bytes  int // of the file
	Pixels int // of the raster, as the header states it
}

// The default limits: more than any phone's photo at its usual settings.
const (
	DefaultBytes  = 25_000_000
	DefaultPixels = 64_000_000
)

func (l Limits) orDefault() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Pixels <= 0 {
		l.Pixels = DefaultPixels
	}
	return l
}

// Picture is a decoded picture. Whoever gets it owns it and must Close it.
type Picture struct {
	Mat                gocv.Mat // 8-bit BGR, upright
	Width, Height      int      // of the picture, upright, px
	Scale              float64  // pixels of Mat to a pixel of the picture: 1, unless less was asked for
	OrientationApplied bool     // the file asked for a turn or a flip, and got it
	Focal35            float64  // focal length on 36 x 24 mm film of the same diagonal, mm; 0 when the file does not tell
	Format             string   // "jpeg", "png", "webp", "gif", "tiff", "bmp", "heic" or "avif"
	Warnings           []string // sentences about what was left out
}

// OpenMats is how many of OpenCV's pictures are in memory at the moment: those of
// Pictures that are not closed, and what the work on some has made.
func OpenMats() int { return cvx.OpenMats() }

// Close frees the raster. Closing twice does nothing.
func (p *Picture) Close() {
	cvx.Close(&p.Mat)
}

// Work is the picture for looking at: its long side at most long px.
func (p *Picture) Work(long int) (*raster.Picture, error) {
	work, err := raster.FromMat(p.Mat, long)
	if err != nil {
		return nil, err
	}
	work.Scale *= p.Scale
	return work, nil
}

// Decode reads a picture. Its errors are of type *Error.
func Decode(data []byte, lim Limits) (Picture, error) {
	return DecodeContext(context.Background(), data, lim)
}

// DecodeContext is Decode that can be given up. Only HEIC and AVIF, which
// another program decodes, take long enough to notice.
func DecodeContext(ctx context.Context, data []byte, lim Limits) (Picture, error) {
	return DecodeFor(ctx, data, lim, math.MaxInt)
}

// DecodeFor is DecodeContext for a caller who needs no more than long px of
// the long side: a larger JPEG comes at a half, a quarter or an eighth of its
// size, whatever leaves as much as that, for less work.
func DecodeFor(ctx context.Context, data []byte, lim Limits, long int) (Picture, error) {
	lim = lim.orDefault()
	if len(data) == 0 {
		return Picture{}, fail(EmptyFile, nil)
	}
	if len(data) > lim.Bytes {
		return Picture{}, &Error{Code: TooManyBytes, Message: fmt.Sprintf(
			"The file has %s; at most %s are taken. Send a smaller picture: 12 megapixels as JPEG are plenty.",
			megabytes(len(data)), megabytes(lim.Bytes)), Values: map[string]float64{"most": float64(lim.Bytes) / 1e6}}
	}
	f, err := sniff(data)
	if err != nil {
		return Picture{}, err
	}
	h, err := f.header(data)
	if err != nil {
		return Picture{}, asError(err)
	}
	// The size comes first: a header that lies about it is refused for that,
	// whatever else is wrong with the file.
	if h.width < 1 || h.height < 1 {
		return Picture{}, fail(DecodeFailed, fmt.Errorf("%s header gives a size of %d x %d", f.name, h.width, h.height))
	}
	if h.width > lim.Pixels/h.height {
		return Picture{}, &Error{Code: TooManyPixels, Message: fmt.Sprintf(
			"The picture has %d x %d pixels; at most %d megapixels are taken. Send a smaller picture: 12 megapixels are plenty.",
			h.width, h.height, lim.Pixels/1_000_000),
			Values: map[string]float64{"width": float64(h.width), "height": float64(h.height), "most": float64(lim.Pixels) / 1e6}}
	}
	if h.truncated {
		return Picture{}, fail(Truncated, fmt.Errorf("%s data ends early", f.name))
	}

	h.reduce = 1
	if f.reduces {
		h.reduce = h.reduction(long)
	}
	mat, err := f.raster(ctx, data, &h)
	if err != nil {
		return Picture{}, asError(err)
	}
	turned := h.turned
	if o := h.exif.orientation; o > 1 {
		upright, err := cvx.Orient(mat, o)
		cvx.Close(&mat)
		if err != nil {
			return Picture{}, fail(DecodeFailed, err)
		}
		mat, turned = upright, true
	}
	p := Picture{
		Mat:                mat,
		Width:              mat.Cols(),
		Height:             mat.Rows(),
		Scale:              1,
		OrientationApplied: turned,
		Format:             f.name,
		Warnings:           h.warnings,
	}
	if h.reduce > 1 {
		p.Width, p.Height, p.Scale = h.width, h.height, 1/float64(h.reduce)
		if h.exif.orientation >= 5 {
			p.Width, p.Height = p.Height, p.Width
		}
	}
	p.Focal35 = h.exif.focal35(p.Width, p.Height)
	return p, nil
}

// header is what a file says about itself before any raster is made.
type header struct {
	width, height int // as stored, before any turn
	truncated     bool
	alpha         bool
	turned        bool // the decoder itself turns the picture upright
	reduce        int  // by which the raster is to be reduced; 1: not
	exif          exif
	warnings      []string
}

// reduction is the whole number by which a picture can be reduced and keep long
// px. Where a turn would bring the last row or column to the front, it must
// stand for as many pixels as the others do.
func (h *header) reduction(long int) int {
	for _, by := range []int{8, 4, 2} {
		whole := h.width%by == 0 && h.height%by == 0
		if max(h.width, h.height)/by >= long && (whole || h.exif.orientation <= 1) {
			return by
		}
	}
	return 1
}

// format is one kind of file.
type format struct {
	name   string
	header func(data []byte) (header, error)
	// raster makes an 8-bit BGR Mat, as stored; the header lets it choose how,
	// and it may add what it learns to it. The caller closes the Mat.
	raster  func(ctx context.Context, data []byte, h *header) (gocv.Mat, error)
	reduces bool // it can make one that is reduced
}

// asError gives any failure a code; one without a code of its own means that
// the data is damaged.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return fail(DecodeFailed, err)
}

func megabytes(n int) string {
	if n%1_000_000 == 0 {
		return fmt.Sprintf("%d MB", n/1_000_000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
