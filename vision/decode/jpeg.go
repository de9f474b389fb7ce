package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image/jpeg"

	"gocv.io/x/gocv"

	"crokcam/internal/cvx"
)

// mostScans is many times what any encoder uses.
const mostScans = 100

// jpegHeader walks a JPEG's markers from end to end. libjpeg paints what is
// missing grey and says nothing, so that the end of the picture has to be seen
// here. Whatever follows the end (a second picture, a clip, an editor's notes)
// is of no interest.
func jpegHeader(data []byte) (header, error) {
	var h header
	scans := 0
	cut := func() (header, error) {
		h.truncated = true
		if h.width == 0 { // there is no size to refuse it for
			return h, fail(Truncated, errors.New("jpeg ends before its frame header"))
		}
		return h, nil
	}
	for at := 2; ; {
		skip := bytes.IndexByte(data[at:], 0xff)
		if skip < 0 {
			return cut()
		}
		for at += skip; at < len(data) && data[at] == 0xff; at++ {
		}
		if at >= len(data) {
			return cut()
		}
		marker := data[at]
		at++
		switch {
		case marker == 0xd9: // end of picture
			if h.width == 0 {
				return h, errors.New("jpeg has no frame header")
			}
			return h, nil
		case marker == 0xd8: // another picture starts before this one ends
			return cut()
		case marker <= 0x01 || marker >= 0xd0 && marker <= 0xd7: // data, or markers without a body
			continue
		}
		if at+2 > len(data) {
			return cut()
		}
		size := int(binary.BigEndian.Uint16(data[at:]))
		if size < 2 {
			return h, fmt.Errorf("jpeg marker %#x has a length of %d", marker, size)
		}
		if at+size > len(data) {
			return cut()
		}
		body := data[at+2 : at+size]
		at += size
		switch {
		case marker == 0xda:
			// Each scan of a progressive picture goes over the whole raster: a
			// small file can ask for hours.
			if scans++; scans > mostScans {
				return h, fmt.Errorf("jpeg has more than %d scans", mostScans)
			}
		case marker == 0xe1 && bytes.HasPrefix(body, exifPrefix):
			if !h.exif.found {
				h.exif = readExif(body[len(exifPrefix):])
			}
		case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			if len(body) < 6 {
				return h, errors.New("jpeg frame header is too short")
			}
			if h.width > 0 {
				return h, errors.New("jpeg has two frame headers")
			}
			h.height = int(binary.BigEndian.Uint16(body[1:]))
			h.width = int(binary.BigEndian.Uint16(body[3:]))
			if body[0] != 8 {
				return h, unsupported("This JPEG has more than 8 bits a colour. Save it as an ordinary JPEG or as PNG and send that.", nil)
			}
		}
	}
}

func jpegRaster(_ context.Context, data []byte, h *header) (gocv.Mat, error) {
	mat, err := cvx.DecodeImage(data, cvx.ReadReduced(h.reduce))
	if err != nil {
		return mat, err
	}
	// A file can be cut in the middle of its raster and still have an end:
	// what is missing is then filled with exactly this grey, down to the last
	// pixel. Few pictures end in it, and for those a stricter reader decides.
	if last := mat.GetVecbAt(mat.Rows()-1, mat.Cols()-1); bytes.Equal(last, []byte{128, 128, 128}) {
		_, err := jpeg.Decode(bytes.NewReader(data))
		if _, unknown := errors.AsType[jpeg.UnsupportedError](err); err != nil && !unknown {
			cvx.Close(&mat)
			return gocv.Mat{}, fail(Truncated, err)
		}
	}
	return mat, nil
}
