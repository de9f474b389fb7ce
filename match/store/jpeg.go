package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"image/jpeg"
)

// ErrPicture marks a picture that is not kept: not a whole JPEG, or too large.
var ErrPicture = errors.New("store: this picture cannot be kept")

// MaxPicture is the largest picture that is kept, bytes.
const MaxPicture = 8 << 20

// prepare makes a picture ready to be kept and names it by its contents.
func prepare(data []byte) (clean []byte, name string, err error) {
	if clean, err = Clean(data); err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256(clean)
	return clean, hex.EncodeToString(sum[:]) + ".jpg", nil
}

// The markers of a JPEG file that matter here (ITU-T T.81, table B.1).
const (
	mSOI, mEOI, mSOS = 0xd8, 0xd9, 0xda
	mAPP0, mAPP1     = 0xe0, 0xe1
	mAPP2, mAPP14    = 0xe2, 0xee
	mAPP15, mCOM     = 0xef, 0xfe
	mTEM, mRST0      = 0x01, 0xd0
	mRST7            = 0xd7
)

// Clean returns a JPEG without what it tells beside the picture: where and when
// it was taken and by what, thumbnails, remarks, whatever follows its end. What
// is needed to show it stays: the colour profile and which way up it is. Errors
// wrap ErrPicture.
func Clean(data []byte) ([]byte, error) {
	bad := func(what string) error { return fmt.Errorf("%w: %s", ErrPicture, what) }
	if len(data) > MaxPicture {
		return nil, bad(fmt.Sprintf("%d bytes are more than %d", len(data), MaxPicture))
	}
	if len(data) < 4 || data[0] != 0xff || data[1] != mSOI {
		return nil, bad("it is not a JPEG")
	}
	if _, err := jpeg.DecodeConfig(bytes.NewReader(data)); err != nil {
		return nil, bad(err.Error())
	}
	var body bytes.Buffer
	turn := uint16(1)
	rest := data[2:]
	for {
		if len(rest) < 2 || rest[0] != 0xff {
			return nil, bad("its parts do not follow one another")
		}
		for len(rest) > 2 && rest[1] == 0xff { // fill bytes
			rest = rest[1:]
		}
		marker := rest[1]
		if marker == mEOI {
			break
		}
		if marker == mTEM || marker >= mRST0 && marker <= mRST7 {
			rest = rest[2:]
			continue
		}
		if len(rest) < 4 {
			return nil, bad("it is cut off")
		}
		n := 2 + int(binary.BigEndian.Uint16(rest[2:]))
		if n < 4 || n > len(rest) {
			return nil, bad("it is cut off")
		}
		segment := rest[:n]
		rest = rest[n:]
		switch {
		case marker == mAPP1:
			if t, ok := orientation(segment[4:]); ok {
				turn = t
			}
			continue
		case marker == mAPP0 && !bytes.HasPrefix(segment[4:], []byte("JFIF\x00")),
			marker == mAPP2 && !bytes.HasPrefix(segment[4:], []byte("ICC_PROFILE\x00")),
			marker > mAPP2 && marker <= mAPP15 && marker != mAPP14,
			marker == mCOM:
			continue
		}
		body.Write(segment)
		if marker == mSOS {
			end := scanEnd(rest)
			if end < 0 {
				return nil, bad("it is cut off")
			}
			body.Write(rest[:end])
			rest = rest[end:]
		}
	}
	out := append(make([]byte, 0, body.Len()+64), 0xff, mSOI)
	if turn != 1 {
		out = append(out, exifTurn(turn)...)
	}
	out = append(out, body.Bytes()...)
	return append(out, 0xff, mEOI), nil
}

// scanEnd is where the coded part of a scan ends: at the next marker that is
// neither a stuffed byte nor a restart. It is -1 when there is none.
func scanEnd(b []byte) int {
	for i := 0; i+1 < len(b); i++ {
		if b[i] == 0xff && b[i+1] != 0 && b[i+1] != 0xff && (b[i+1] < mRST0 || b[i+1] > mRST7) {
			return i
		}
	}
	return -1
}

const exifHead = "Exif\x00\x00"

// orientation reads which way up the picture is from an Exif segment (tag 0x0112
// of the first directory).
func orientation(b []byte) (uint16, bool) {
	tiff, ok := bytes.CutPrefix(b, []byte(exifHead))
	if !ok || len(tiff) < 8 {
		return 0, false
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 0, false
	}
	entries := tiff[at+2:]
	for n := order.Uint16(tiff[at:]); n > 0 && len(entries) >= 12; n-- {
		if order.Uint16(entries) == 0x0112 {
			v := order.Uint16(entries[8:])
			return v, v >= 1 && v <= 8
		}
		entries = entries[12:]
	}
	return 0, false
}

// exifTurn is an Exif segment that says which way up the picture is and nothing
// else.
func exifTurn(turn uint16) []byte {
	b := []byte{0xff, mAPP1, 0, 0}
	b = append(b, exifHead...)
	b = append(b, "MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01"...)
	b = binary.BigEndian.AppendUint16(b, turn)
	b = append(b, 0, 0, 0, 0, 0, 0)
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)-2))
	return b
}
