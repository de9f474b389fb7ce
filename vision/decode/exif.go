package decode

import (
	"encoding/binary"
	"math"
)

var exifPrefix = []byte("Exif\x00\x00")

// exif is what the scorer wants to know from a file's EXIF block.
type exif struct {
	found       bool
	orientation int // 1 to 8; 0 when not told

	film          float64 // focal length on 35 mm film, mm
	focal         float64 // true focal length, mm
	perMM         float64 // sensor pixels a mm
	width, height int     // of the picture as the camera wrote it, px

	raw      bool // the block belongs to a camera's raw file
	nextPage bool // a second directory follows the first
}

// The tags that are read.
const (
	tagOrientation  = 0x0112
	tagExifIFD      = 0x8769
	tagFocalLength  = 0x920a
	tagPixelXDim    = 0xa002
	tagPixelYDim    = 0xa003
	tagFocalPlaneX  = 0xa20e
	tagFocalPlaneU  = 0xa210
	tagFocal35      = 0xa405
	tagDNGVersion   = 0xc612
	filmDiagonal    = 43.2666 // mm, of a 36 x 24 mm frame
	maxExifEntries  = 512
	shortestFocal35 = 8.0 // mm; wider is no lens that sees straight
	longestFocal35  = 1200.0
)

// readExif reads a TIFF structure as EXIF has it. Nothing in it is trusted:
// what cannot be read is left at zero.
func readExif(b []byte) exif {
	e := exif{found: true}
	var order binary.ByteOrder
	switch {
	case len(b) < 8:
		return e
	case string(b[:4]) == "II*\x00":
		order = binary.LittleEndian
	case string(b[:4]) == "MM\x00*":
		order = binary.BigEndian
	default:
		return e
	}
	t := tiffReader{b, order}
	var sub uint32
	planeUnit, planeRes := 2.0, 0.0
	visit := func(tag uint16, v value) {
		switch tag {
		case tagOrientation:
			if o := v.number(); o >= 1 && o <= 8 {
				e.orientation = int(o)
			}
		case tagExifIFD:
			sub = uint32(v.number())
		case tagDNGVersion:
			e.raw = true
		case tagFocal35:
			e.film = v.number()
		case tagFocalLength:
			e.focal = v.number()
		case tagPixelXDim:
			e.width = int(v.number())
		case tagPixelYDim:
			e.height = int(v.number())
		case tagFocalPlaneX:
			planeRes = v.number()
		case tagFocalPlaneU:
			planeUnit = v.number()
		}
	}
	next := t.directory(order.Uint32(b[4:]), visit)
	e.nextPage = next != 0
	if sub != 0 {
		t.directory(sub, visit)
	}
	if mm, ok := map[float64]float64{2: 25.4, 3: 10, 4: 1, 5: 0.001}[planeUnit]; ok {
		e.perMM = planeRes / mm
	}
	return e
}

// focal35 is the focal length on 35 mm film, by the diagonal, or 0 when the
// file does not tell or what it tells cannot be. The size is the picture's.
func (e exif) focal35(width, height int) float64 {
	// A picture that lost its sides to an editor looks as if taken by a longer
	// lens than the file says.
	if e.width > 0 && e.height > 0 {
		was, is := aspect(e.width, e.height), aspect(width, height)
		if math.Abs(was/is-1) > 0.02 {
			return 0
		}
	}
	f := e.film
	if f <= 0 && e.perMM > 0 && e.width > 0 && e.height > 0 {
		diagonal := math.Hypot(float64(e.width), float64(e.height)) / e.perMM // mm
		if diagonal > 2 && diagonal < 80 {                                    // from the smallest phone to medium format
			f = e.focal * filmDiagonal / diagonal
		}
	}
	if !(f >= shortestFocal35 && f <= longestFocal35) {
		return 0
	}
	return f
}

// aspect is the long side over the short one: a turn does not change it.
func aspect(w, h int) float64 {
	return float64(max(w, h)) / float64(min(w, h))
}

// tiffReader reads a TIFF structure within its bounds.
type tiffReader struct {
	b     []byte
	order binary.ByteOrder
}

// value is an entry's value.
type value struct {
	kind uint16
	b    []byte // of its first element; nil when it lies out of bounds
	o    binary.ByteOrder
}

// directory calls visit for each entry of the directory at offset and returns
// the offset of the directory after it.
func (t tiffReader) directory(offset uint32, visit func(uint16, value)) (next uint32) {
	at := int64(offset)
	size := int64(len(t.b))
	if at < 8 || at+2 > size {
		return 0
	}
	n := int64(t.order.Uint16(t.b[at:]))
	at += 2
	for i := range min(n, maxExifEntries) {
		p := at + 12*i
		if p+12 > size {
			return 0
		}
		entry := t.b[p : p+12]
		kind := t.order.Uint16(entry[2:])
		count := int64(t.order.Uint32(entry[4:]))
		width := int64(kindWidth(kind))
		if width == 0 || count == 0 {
			continue
		}
		v := value{kind: kind, o: t.order}
		if width*count <= 4 {
			v.b = entry[8 : 8+width]
		} else if where := int64(t.order.Uint32(entry[8:])); where+width <= size {
			v.b = t.b[where : where+width]
		}
		visit(t.order.Uint16(entry), v)
	}
	if p := at + 12*n; p+4 <= size {
		return t.order.Uint32(t.b[p:])
	}
	return 0
}

// The kinds of value that are read.
const (
	kindByte     = 1
	kindShort    = 3
	kindLong     = 4
	kindRational = 5
	kindIFD      = 13
)

func kindWidth(kind uint16) int {
	switch kind {
	case kindByte:
		return 1
	case kindShort:
		return 2
	case kindLong, kindIFD:
		return 4
	case kindRational:
		return 8
	}
	return 0
}

// number is the value, or 0 when there is none.
func (v value) number() float64 {
	if v.b == nil {
		return 0
	}
	switch v.kind {
	case kindByte:
		return float64(v.b[0])
	case kindShort:
		return float64(v.o.Uint16(v.b))
	case kindLong, kindIFD:
		return float64(v.o.Uint32(v.b))
	case kindRational:
		if d := v.o.Uint32(v.b[4:]); d != 0 {
			return float64(v.o.Uint32(v.b)) / float64(d)
		}
	}
	return 0
}
