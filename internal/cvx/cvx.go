// Package cvx is the checked way into OpenCV: what gocv lacks, what it rounds
// to whole pixels, and what must not end the process when a picture is odd.
// A C++ exception becomes a Go error here; gocv itself would abort.
//
// A function that returns a gocv.Mat hands it over: the caller closes it. On
// an error there is nothing to close.
package cvx

/*
#cgo pkg-config: opencv4
#cgo CXXFLAGS: -std=c++11
#include <stdlib.h>
#include "cvx.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"image"
	"math"
	"unsafe"

	"gocv.io/x/gocv"
)

// ReadFlag says how DecodeImage treats a picture.
type ReadFlag int

// The ways to read a picture. None of them turns it: see Orient.
const (
	ReadBGR       = ReadFlag(gocv.IMReadColor | gocv.IMReadIgnoreOrientation) // 8 bits, three channels
	ReadUnchanged = ReadFlag(gocv.IMReadUnchanged)                            // depth and channels as stored, alpha included
)

// ReadReduced reads a JPEG in colour at a half, a quarter or an eighth of its
// size, rounded up: each pixel stands for by × by of the picture's. That costs
// less than reading it whole.
func ReadReduced(by int) ReadFlag {
	switch by {
	case 2:
		return ReadFlag(gocv.IMReadReducedColor2 | gocv.IMReadIgnoreOrientation)
	case 4:
		return ReadFlag(gocv.IMReadReducedColor4 | gocv.IMReadIgnoreOrientation)
	case 8:
		return ReadFlag(gocv.IMReadReducedColor8 | gocv.IMReadIgnoreOrientation)
	}
	return ReadBGR
}

// DecodeImage reads a JPEG, PNG or WebP. Whoever calls it has looked at the
// header and thinks the size affordable.
func DecodeImage(data []byte, flag ReadFlag) (gocv.Mat, error) {
	if len(data) == 0 || len(data) > math.MaxInt32 {
		return gocv.Mat{}, fmt.Errorf("cvx: decode: cannot take %d bytes", len(data))
	}
	return into("decode", func(dst unsafe.Pointer) *C.char {
		return C.cvx_decode(unsafe.Pointer(unsafe.SliceData(data)), C.int(len(data)), C.int(flag), dst)
	})
}

// EncodeJPEG writes an 8-bit grey or BGR picture; quality is 1 to 100.
func EncodeJPEG(src gocv.Mat, quality int) ([]byte, error) {
	if t := typeOf(src); t != gocv.MatTypeCV8UC3 && t != gocv.MatTypeCV8UC1 {
		return nil, errors.New("cvx: encode jpeg: needs an 8-bit grey or BGR picture")
	}
	if quality < 1 || quality > 100 {
		return nil, fmt.Errorf("cvx: encode jpeg: quality %d is not 1 to 100", quality)
	}
	var bytes *C.uchar
	var size C.size_t
	if err := check("encode jpeg", C.cvx_encode_jpeg(unsafe.Pointer(src.Ptr()), C.int(quality), &bytes, &size)); err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(bytes))
	return C.GoBytes(unsafe.Pointer(bytes), C.int(size)), nil
}

// CvtColor converts between colour spaces.
func CvtColor(src gocv.Mat, code gocv.ColorConversionCode) (gocv.Mat, error) {
	if typeOf(src) < 0 {
		return gocv.Mat{}, errNoPicture("convert colour")
	}
	return into("convert colour", func(dst unsafe.Pointer) *C.char {
		return C.cvx_cvt_color(unsafe.Pointer(src.Ptr()), dst, C.int(code))
	})
}

// Resize scales a picture to size.
func Resize(src gocv.Mat, size image.Point, how gocv.InterpolationFlags) (gocv.Mat, error) {
	if typeOf(src) < 0 {
		return gocv.Mat{}, errNoPicture("resize")
	}
	if size.X < 1 || size.Y < 1 {
		return gocv.Mat{}, fmt.Errorf("cvx: resize: %v is no size", size)
	}
	return into("resize", func(dst unsafe.Pointer) *C.char {
		return C.cvx_resize(unsafe.Pointer(src.Ptr()), dst, C.int(size.X), C.int(size.Y), C.int(how))
	})
}

// Orient turns a picture upright from the way an EXIF orientation of 1 to 8
// says that it was stored.
func Orient(src gocv.Mat, orientation int) (gocv.Mat, error) {
	if typeOf(src) < 0 {
		return gocv.Mat{}, errNoPicture("orient")
	}
	return into("orient", func(dst unsafe.Pointer) *C.char {
		return C.cvx_orient(unsafe.Pointer(src.Ptr()), dst, C.int(orientation))
	})
}

// Warp samples src through a homography that maps each pixel of the result to
// its place in src (row by row).
func Warp(src gocv.Mat, toSrc [9]float64, size image.Point, how gocv.InterpolationFlags) (gocv.Mat, error) {
	if typeOf(src) < 0 {
		return gocv.Mat{}, errNoPicture("warp")
	}
	if size.X < 1 || size.Y < 1 {
		return gocv.Mat{}, fmt.Errorf("cvx: warp: %v is no size", size)
	}
	return into("warp", func(dst unsafe.Pointer) *C.char {
		return C.cvx_warp(unsafe.Pointer(src.Ptr()), dst, (*C.double)(&toSrc[0]), C.int(size.X), C.int(size.Y), C.int(how))
	})
}

// ToImage copies an 8-bit BGR picture into a Go image.
func ToImage(src gocv.Mat) (*image.RGBA, error) {
	if typeOf(src) != gocv.MatTypeCV8UC3 {
		return nil, errors.New("cvx: to image: needs an 8-bit BGR picture")
	}
	rgba, err := CvtColor(src, gocv.ColorBGRToRGBA)
	if err != nil {
		return nil, err
	}
	defer Close(&rgba)
	m := image.NewRGBA(image.Rect(0, 0, src.Cols(), src.Rows()))
	pix, err := rgba.DataPtrUint8()
	if err != nil {
		return nil, fmt.Errorf("cvx: to image: %w", err)
	}
	copy(m.Pix, pix)
	return m, nil
}

// Floats is a picture of three floats a pixel, row by row.
type Floats struct {
	W, H int
	Pix  []float32
}

func (f *Floats) check(what string) error {
	if f.W <= 0 || f.H <= 0 || f.W > math.MaxInt32/f.H/3 || len(f.Pix) != 3*f.W*f.H {
		return fmt.Errorf("cvx: %s: %d values for %d × %d pixels", what, len(f.Pix), f.W, f.H)
	}
	return nil
}

// Smooth smooths a picture by a Gaussian of sigma px that reaches three sigmas.
// Beyond its border the picture goes on as it ends.
func Smooth(src Floats, sigma float64) (Floats, error) {
	if err := src.check("smooth"); err != nil {
		return Floats{}, err
	}
	if !(sigma > 0 && sigma < 100) {
		return Floats{}, fmt.Errorf("cvx: smooth: a sigma of %g px", sigma)
	}
	dst := Floats{src.W, src.H, make([]float32, len(src.Pix))}
	size := 2*max(1, int(math.Ceil(3*sigma))) + 1
	return dst, check("smooth", C.cvx_smooth((*C.float)(&src.Pix[0]), (*C.float)(&dst.Pix[0]),
		C.int(src.W), C.int(src.H), C.int(size), C.double(sigma)))
}

// Shrink averages a picture down to a size that is no larger.
func Shrink(src Floats, width, height int) (Floats, error) {
	if err := src.check("shrink"); err != nil {
		return Floats{}, err
	}
	if width <= 0 || height <= 0 || width > src.W || height > src.H {
		return Floats{}, fmt.Errorf("cvx: shrink: from %d × %d to %d × %d pixels", src.W, src.H, width, height)
	}
	dst := Floats{width, height, make([]float32, 3*width*height)}
	return dst, check("shrink", C.cvx_shrink((*C.float)(&src.Pix[0]), (*C.float)(&dst.Pix[0]),
		C.int(src.W), C.int(src.H), C.int(width), C.int(height)))
}

// Ellipse is an ellipse in the pixel frame.
type Ellipse struct {
	CX, CY   float64
	A, B     float64 // semi-axes, A the longer
	AngleDeg float64 // of A, from +u towards +v, 0 to 180
}

// FitEllipse fits an ellipse to five points or more, to a fraction of a pixel.
func FitEllipse(points []gocv.Point2f) (Ellipse, error) {
	if len(points) < 5 {
		return Ellipse{}, fmt.Errorf("cvx: fit ellipse: %d points, needs 5", len(points))
	}
	xy := make([]C.float, 0, 2*len(points))
	for _, p := range points {
		xy = append(xy, C.float(p.X), C.float(p.Y))
	}
	var e [5]C.double
	err := check("fit ellipse", C.cvx_fit_ellipse(&xy[0], C.int(len(points)), &e[0]))
	if err != nil {
		return Ellipse{}, err
	}
	r := Ellipse{float64(e[0]), float64(e[1]), float64(e[2]), float64(e[3]), float64(e[4])}
	for _, v := range [...]float64{r.CX, r.CY, r.A, r.B, r.AngleDeg} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Ellipse{}, errors.New("cvx: fit ellipse: the points lie on no ellipse")
		}
	}
	if r.A < r.B {
		r.A, r.B, r.AngleDeg = r.B, r.A, r.AngleDeg+90
	}
	r.AngleDeg = math.Mod(r.AngleDeg+360, 180)
	return r, nil
}

// into runs a call that fills a new Mat and closes that Mat if the call fails.
func into(what string, call func(dst unsafe.Pointer) *C.char) (gocv.Mat, error) {
	dst := New()
	if err := check(what, call(unsafe.Pointer(dst.Ptr()))); err != nil {
		Close(&dst)
		return gocv.Mat{}, err
	}
	return dst, nil
}

// typeOf is the Mat's type, or -1 when there is no picture in it.
func typeOf(m gocv.Mat) gocv.MatType {
	if m.Ptr() == nil || m.Empty() {
		return -1
	}
	return m.Type()
}

func errNoPicture(what string) error {
	return fmt.Errorf("cvx: %s: the picture is empty", what)
}

func check(what string, msg *C.char) error {
	if msg == nil {
		return nil
	}
	defer C.free(unsafe.Pointer(msg))
	return fmt.Errorf("cvx: %s: %s", what, C.GoString(msg))
}
