package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"gocv.io/x/gocv"

	"crokcam/internal/cvx"
)

const firstFrame = "The picture has several frames; only the first one was looked at."

// pngHeader walks a PNG's chunks up to its end.
func pngHeader(data []byte) (header, error) {
	var h header
	for at := 8; ; {
		if at+8 > len(data) {
			h.truncated = true
			break
		}
		size := int(binary.BigEndian.Uint32(data[at:]))
		kind := string(data[at+4 : at+8])
		body := data[at+8:]
		if size > len(body) {
			h.truncated = true
			break
		}
		body = body[:size]
		switch kind {
		case "IHDR":
			if size < 13 {
				return h, errors.New("png IHDR is too short")
			}
			h.width = int(binary.BigEndian.Uint32(body))
			h.height = int(binary.BigEndian.Uint32(body[4:]))
			h.alpha = body[9]&4 != 0
		case "tRNS":
			h.alpha = true
		case "acTL":
			h.warnings = append(h.warnings, firstFrame)
		case "eXIf":
			h.exif = readExif(body)
		case "IEND":
			if h.width == 0 {
				return h, errors.New("png has no IHDR")
			}
			return h, nil
		}
		at += 8 + size + 4
	}
	if h.width == 0 {
		return h, fail(Truncated, errors.New("png ends before its header"))
	}
	return h, nil
}

// webpHeader walks a WebP's chunks.
func webpHeader(data []byte) (header, error) {
	var h header
	size := int(binary.LittleEndian.Uint32(data[4:])) + 8
	if size < 12 {
		return h, fmt.Errorf("webp says that it has %d bytes", size)
	}
	h.truncated = size > len(data)
	for kind, body := range riffChunks(data[12:min(size, len(data))]) {
		w, hh, alpha := webpSize(kind, body)
		h.width, h.height, h.alpha = max(h.width, w), max(h.height, hh), h.alpha || alpha
		switch kind {
		case "EXIF":
			h.exif = readExif(bytes.TrimPrefix(body, exifPrefix))
		case "ANMF":
			if !slices.Contains(h.warnings, firstFrame) {
				h.warnings = append(h.warnings, firstFrame)
			}
		}
	}
	if h.width == 0 && h.truncated {
		return h, fail(Truncated, errors.New("webp ends before its header"))
	}
	return h, nil
}

// webpSize reads the size from the chunks that state one.
func webpSize(kind string, b []byte) (w, h int, alpha bool) {
	switch {
	case kind == "VP8X" && len(b) >= 10:
		return 1 + int(le24(b[4:])), 1 + int(le24(b[7:])), b[0]&0x10 != 0
	case kind == "VP8 " && len(b) >= 10 && bytes.Equal(b[3:6], []byte{0x9d, 0x01, 0x2a}):
		return int(binary.LittleEndian.Uint16(b[6:])) & 0x3fff, int(binary.LittleEndian.Uint16(b[8:])) & 0x3fff, false
	case kind == "VP8L" && len(b) >= 5 && b[0] == 0x2f:
		bits := binary.LittleEndian.Uint32(b[1:])
		return 1 + int(bits&0x3fff), 1 + int(bits>>14&0x3fff), bits>>28&1 != 0
	}
	return 0, 0, false
}

// webpRaster decodes a WebP; of a moving one, which the library does not
// take, the first frame by itself.
func webpRaster(ctx context.Context, data []byte, h *header) (gocv.Mat, error) {
	for kind, body := range riffChunks(data[12:]) {
		if kind != "ANMF" {
			continue
		}
		if len(body) < 16 {
			return gocv.Mat{}, errors.New("webp frame is too short")
		}
		still := webpStill(body)
		inner, err := webpHeader(still)
		if err != nil {
			return gocv.Mat{}, err
		}
		if inner.width > h.width || inner.height > h.height {
			return gocv.Mat{}, fmt.Errorf("webp frame of %d x %d is larger than its canvas", inner.width, inner.height)
		}
		return libraryRaster(ctx, still, &inner)
	}
	return libraryRaster(ctx, data, h)
}

// webpStill makes a file of its own of one ANMF chunk.
func webpStill(frame []byte) []byte {
	chunks := frame[16:]
	var alpha byte
	for kind, body := range riffChunks(chunks) {
		if _, _, a := webpSize(kind, body); a || kind == "ALPH" {
			alpha = 0x10
		}
	}
	out := []byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00")
	out = append(out, alpha, 0, 0, 0)
	out = append(out, frame[6:12]...) // width and height, less one, as VP8X has them
	out = append(out, chunks...)
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

// riffChunks yields the chunks of a RIFF body; the last may be cut short.
func riffChunks(b []byte) func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		for len(b) >= 8 {
			size := int(binary.LittleEndian.Uint32(b[4:]))
			body := b[8:]
			if !yield(string(b[:4]), body[:min(size, len(body))]) {
				return
			}
			b = body[min(size+size&1, len(body)):]
		}
	}
}

// libraryRaster decodes what OpenCV reads well, and puts white behind what is
// transparent.
func libraryRaster(_ context.Context, data []byte, h *header) (gocv.Mat, error) {
	if !h.alpha {
		return cvx.DecodeImage(data, cvx.ReadBGR)
	}
	mat, err := cvx.DecodeImage(data, cvx.ReadUnchanged)
	if err != nil {
		return mat, err
	}
	defer cvx.Close(&mat)
	switch mat.Type() {
	case gocv.MatTypeCV8UC4:
		return overWhite(mat)
	case gocv.MatTypeCV16UC4:
		small := cvx.New()
		defer cvx.Close(&small)
		mat.ConvertToWithParams(&small, gocv.MatTypeCV8U, 1/257.0, 0)
		return overWhite(small)
	case gocv.MatTypeCV8UC3: // alpha was announced and is not there
		return cvx.Clone(mat), nil
	}
	return gocv.Mat{}, fmt.Errorf("picture with alpha came as type %d", mat.Type())
}

// overWhite lays an 8-bit BGRA picture on white.
func overWhite(src gocv.Mat) (gocv.Mat, error) {
	from, err := src.DataPtrUint8()
	if err != nil {
		return gocv.Mat{}, fmt.Errorf("lay on white: %w", err)
	}
	dst := cvx.NewSized(src.Rows(), src.Cols(), gocv.MatTypeCV8UC3)
	to, err := dst.DataPtrUint8()
	if err != nil {
		cvx.Close(&dst)
		return gocv.Mat{}, fmt.Errorf("lay on white: %w", err)
	}
	for len(from) >= 4 && len(to) >= 3 {
		a := uint32(from[3])
		for c := range 3 {
			to[c] = byte((uint32(from[c])*a + 255*(255-a) + 127) / 255)
		}
		from, to = from[4:], to[3:]
	}
	return dst, nil
}

func le24(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
}
