package decode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"io"

	"gocv.io/x/gocv"
	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"crokcam/internal/cvx"
)

// GIF, TIFF and BMP are seldom photos. Go's own readers are fast enough for
// them, and strangers' bytes meet less C.

// gifHeader walks a GIF's blocks as far as its second frame.
func gifHeader(data []byte) (header, error) {
	h := header{truncated: true}
	if len(data) < 13 {
		return h, fail(Truncated, errors.New("gif ends before its header"))
	}
	h.width = int(data[6]) | int(data[7])<<8
	h.height = int(data[8]) | int(data[9])<<8
	frames := 0
	at := 13 + colourTable(data[10])
	for at < len(data) {
		block := data[at]
		at++
		switch block {
		case 0x21: // extension
			at++
		case 0x2c: // frame
			if at+9 > len(data) {
				return h, nil
			}
			frames++
			if frames > 1 {
				h.warnings = append(h.warnings, firstFrame)
				return h, nil
			}
			at += 9 + colourTable(data[at+8]) + 1
		default: // the trailer, or an end that some writers leave
			return h, nil
		}
		for { // the block's body
			if at >= len(data) {
				return h, nil
			}
			n := int(data[at])
			at += 1 + n
			if n == 0 {
				break
			}
		}
		if frames == 1 && at <= len(data) {
			h.truncated = false // all that is needed is there
		}
	}
	return h, nil
}

// colourTable is the length of the table that a GIF's flags announce, bytes.
func colourTable(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

func gifRaster(_ context.Context, data []byte, h *header) (gocv.Mat, error) {
	m, err := gif.Decode(bytes.NewReader(data))
	if err != nil {
		return gocv.Mat{}, cutOr(err)
	}
	return fromImage(m, image.Rect(0, 0, h.width, h.height))
}

func bmpHeader(data []byte) (header, error) {
	c, err := bmp.DecodeConfig(bytes.NewReader(data))
	if errors.Is(err, bmp.ErrUnsupported) {
		return header{}, unsupported("This kind of BMP is not read. Save the picture as JPEG or PNG and send that.", err)
	}
	return header{width: c.Width, height: c.Height}, cutOr(err)
}

func bmpRaster(_ context.Context, data []byte, _ *header) (gocv.Mat, error) {
	m, err := bmp.Decode(bytes.NewReader(data))
	if err != nil {
		return gocv.Mat{}, cutOr(err)
	}
	return fromImage(m, m.Bounds())
}

func tiffHeader(data []byte) (header, error) {
	h := header{exif: readExif(data)} // a TIFF is what EXIF is made of
	if h.exif.raw || len(data) > 10 && string(data[8:10]) == "CR" {
		return h, unsupported(rawMessage, nil)
	}
	if h.exif.nextPage {
		h.warnings = append(h.warnings, "The file has several pages; only the first one was looked at.")
	}
	c, err := tiff.DecodeConfig(bytes.NewReader(data))
	h.width, h.height = c.Width, c.Height
	return h, tiffError(err)
}

func tiffRaster(_ context.Context, data []byte, _ *header) (gocv.Mat, error) {
	m, err := tiff.Decode(bytes.NewReader(data))
	if err != nil {
		return gocv.Mat{}, tiffError(err)
	}
	return fromImage(m, m.Bounds())
}

func tiffError(err error) error {
	if _, ok := errors.AsType[tiff.UnsupportedError](err); ok {
		return unsupported("This kind of TIFF is not read. Save the picture as JPEG or PNG and send that.", err)
	}
	return cutOr(err)
}

// cutOr tells a file that ends early from one that is damaged.
func cutOr(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fail(Truncated, err)
	}
	return err
}

// fromImage lays a Go image on a white canvas.
func fromImage(m image.Image, canvas image.Rectangle) (gocv.Mat, error) {
	rgba := image.NewRGBA(canvas)
	draw.Draw(rgba, canvas, image.White, image.Point{}, draw.Src)
	draw.Draw(rgba, m.Bounds(), m, m.Bounds().Min, draw.Over)

	mat := cvx.NewSized(canvas.Dy(), canvas.Dx(), gocv.MatTypeCV8UC3)
	bgr, err := mat.DataPtrUint8()
	if err != nil {
		cvx.Close(&mat)
		return gocv.Mat{}, fmt.Errorf("copy pixels: %w", err)
	}
	for from := rgba.Pix; len(from) >= 4 && len(bgr) >= 3; from, bgr = from[4:], bgr[3:] {
		bgr[0], bgr[1], bgr[2] = from[2], from[1], from[0]
	}
	return mat, nil
}
