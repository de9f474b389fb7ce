package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/tiff"
)

func TestFocalLengthIsReadFromEXIF(t *testing.T) {
	const w, h = 4000, 3000
	sized := func(entries ...entry) []entry {
		return append(entries, long(tagPixelXDim, w), long(tagPixelYDim, h))
	}
	for name, c := range map[string]struct {
		entries []entry
		want    float64
	}{
		"as on film":                          {[]entry{short(tagFocal35, 26)}, 26},
		"from the sensor, inches":             {sized(rational(tagFocalLength, 42, 10), rational(tagFocalPlaneX, 18143, 1), short(tagFocalPlaneU, 2)), 26},
		"from the sensor, cm":                 {sized(rational(tagFocalLength, 42, 10), rational(tagFocalPlaneX, 7143, 1), short(tagFocalPlaneU, 3)), 26},
		"film before sensor":                  {sized(short(tagFocal35, 28), rational(tagFocalLength, 42, 10), rational(tagFocalPlaneX, 18143, 1)), 28},
		"nothing told":                        {nil, 0},
		"true length alone says nothing":      {sized(rational(tagFocalLength, 42, 10)), 0},
		"a sensor of a metre":                 {sized(rational(tagFocalLength, 42, 10), rational(tagFocalPlaneX, 72, 1)), 0},
		"divided by zero":                     {sized(rational(tagFocalLength, 42, 0), rational(tagFocalPlaneX, 18143, 1)), 0},
		"too short for a lens":                {[]entry{short(tagFocal35, 2)}, 0},
		"too long for a lens":                 {[]entry{short(tagFocal35, 60000)}, 0},
		"a picture cut to another shape":      {[]entry{short(tagFocal35, 26), long(tagPixelXDim, 4000), long(tagPixelYDim, 2000)}, 0},
		"a picture made smaller":              {[]entry{short(tagFocal35, 26), long(tagPixelXDim, 8000), long(tagPixelYDim, 6000)}, 26},
		"a picture turned, sizes not changed": {[]entry{short(tagFocal35, 26), long(tagPixelXDim, 3000), long(tagPixelYDim, 4000)}, 26},
	} {
		t.Run(name, func(t *testing.T) {
			for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
				got := readExif(exifBlock(order, c.entries...)).focal35(w, h)
				require.InDelta(t, c.want, got, 0.05)
			}
		})
	}
}

func TestDamagedEXIFIsReadAsFarAsItGoes(t *testing.T) {
	block := exifBlock(binary.BigEndian, short(tagOrientation, 6), short(tagFocal35, 26), rational(tagFocalLength, 42, 10))
	for n := range block {
		readExif(block[:n])
	}
	loop := bytes.Clone(block)
	binary.BigEndian.PutUint32(loop[len(loop)-4:], 8)
	require.Equal(t, 6, readExif(loop).orientation)
}

func TestReadersNeverPanicOnCutOrScrambledFiles(t *testing.T) {
	for _, name := range []string{"progressive.jpg", "lossy.webp", "moving.webp", "alpha.webp", "photo.heic", "photo.avif", "jpeg-inside.tiff"} {
		data := file(t, name)
		for n := range data {
			headerOf(data[:n])
			headerOf(flippedAt(data, n))
		}
	}
}

// headerOf reads what can be read without making a raster.
func headerOf(data []byte) (header, bool) {
	f, err := sniff(data)
	if err != nil {
		return header{}, false
	}
	h, err := f.header(data)
	return h, err == nil
}

func flippedAt(data []byte, i int) []byte {
	data = bytes.Clone(data)
	data[i] ^= 0xff
	return data
}

func FuzzHeader(f *testing.F) {
	for _, name := range []string{"progressive.jpg", "cmyk.jpg", "lossy.webp", "moving.webp", "alpha.webp", "photo.heic", "turned.heic", "photo.avif", "jpeg-inside.tiff"} {
		f.Add(file(f, name))
	}
	f.Add(encode(f, pngOf(picture())))
	f.Add(encode(f, gifOf(2)))
	f.Add(encode(f, bmpOf(picture())))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, ok := headerOf(data)
		if ok && (h.exif.orientation < 0 || h.exif.orientation > 8) {
			t.Fatalf("orientation %d", h.exif.orientation)
		}
	})
}

// FuzzDecode goes all the way, libraries included; HEIC alone is left out,
// since its decoder is another program.
func FuzzDecode(f *testing.F) {
	f.Setenv("PATH", f.TempDir())
	for _, name := range []string{"progressive.jpg", "cmyk.jpg", "lossy.webp", "lossless.webp", "moving.webp", "alpha.webp", "alpha-lossy.webp", "jpeg-inside.tiff"} {
		f.Add(file(f, name))
	}
	f.Add(encode(f, jpegOf(picture())))
	f.Add(encode(f, pngOf(picture())))
	f.Add(encode(f, gifOf(2)))
	f.Add(encode(f, bmpOf(picture())))
	f.Add(encode(f, tiffOf(picture(), tiff.Deflate)))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode(data, Limits{Pixels: 200_000})
		if err != nil {
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Fatalf("error without a code: %v", err)
			}
			return
		}
		defer p.Close()
		if p.Width != p.Mat.Cols() || p.Height != p.Mat.Rows() || p.Width*p.Height > 200_000 {
			t.Fatalf("%d x %d, Mat %v", p.Width, p.Height, p.Mat.Size())
		}
	})
}

func FuzzEXIF(f *testing.F) {
	f.Add(exifBlock(binary.BigEndian, short(tagOrientation, 6), short(tagFocal35, 26)))
	f.Add(exifBlock(binary.LittleEndian, rational(tagFocalLength, 42, 10), rational(tagFocalPlaneX, 18143, 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		e := readExif(data)
		if v := e.focal35(4000, 3000); v != 0 && !(v >= shortestFocal35 && v <= longestFocal35) {
			t.Fatalf("focal length %v", v)
		}
		if e.orientation < 0 || e.orientation > 8 {
			t.Fatalf("orientation %d", e.orientation)
		}
	})
}

// entry is one EXIF entry to write.
type entry struct {
	tag, kind int
	a, b      int // the value, or a fraction's two parts
}

func short(tag, v int) entry       { return entry{tag, kindShort, v, 0} }
func long(tag, v int) entry        { return entry{tag, kindLong, v, 0} }
func rational(tag, a, b int) entry { return entry{tag, kindRational, a, b} }

// exifBlock writes a TIFF structure whose first directory holds the tags below
// 0x8000 and points to a second one with the rest, as EXIF has it.
func exifBlock(order binary.AppendByteOrder, entries ...entry) []byte {
	b := []byte("II*\x00\x08\x00\x00\x00")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		b = []byte("MM\x00*\x00\x00\x00\x08")
	}
	var first, second []entry
	for _, e := range entries {
		if e.tag < 0x8000 || e.tag == tagDNGVersion {
			first = append(first, e)
		} else {
			second = append(second, e)
		}
	}
	if len(second) > 0 {
		first = append(first, long(tagExifIFD, 8+6+12*(len(first)+1)))
	}
	b = directory(b, order, first)
	if len(second) > 0 {
		b = directory(b, order, second)
	}
	return b
}

func directory(b []byte, order binary.AppendByteOrder, entries []entry) []byte {
	end := len(b) + 6 + 12*len(entries)
	var tail []byte
	b = order.AppendUint16(b, uint16(len(entries)))
	for _, e := range entries {
		b = order.AppendUint16(b, uint16(e.tag))
		b = order.AppendUint16(b, uint16(e.kind))
		b = order.AppendUint32(b, 1)
		switch e.kind {
		case kindShort:
			b = order.AppendUint16(b, uint16(e.a))
			b = order.AppendUint16(b, 0)
		case kindLong:
			b = order.AppendUint32(b, uint32(e.a))
		case kindRational:
			b = order.AppendUint32(b, uint32(end+len(tail)))
			tail = order.AppendUint32(tail, uint32(e.a))
			tail = order.AppendUint32(tail, uint32(e.b))
		}
	}
	b = order.AppendUint32(b, 0)
	return append(b, tail...)
}

func jpegWithExif(data, block []byte) []byte {
	body := append(bytes.Clone(exifPrefix), block...)
	out := append([]byte{}, data[:2]...)
	out = append(out, 0xff, 0xe1)
	out = binary.BigEndian.AppendUint16(out, uint16(len(body)+2))
	out = append(out, body...)
	return append(out, data[2:]...)
}

func pngWithExif(data, block []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(block)))
	chunk = append(append(chunk, "eXIf"...), block...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	const afterIHDR = 8 + 25
	out := append([]byte{}, data[:afterIHDR]...)
	return append(append(out, chunk...), data[afterIHDR:]...)
}

// webpWithExif appends an EXIF chunk to a simple lossless 48 x 32 WebP.
func webpWithExif(data, block []byte) []byte {
	out := []byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x08\x00\x00\x00\x2f\x00\x00\x1f\x00\x00")
	out = append(out, data[12:]...)
	out = append(out, "EXIF"...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(block)))
	out = append(out, block...)
	if len(block)%2 == 1 {
		out = append(out, 0)
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

// tiffWithOrientation moves the directory of a TIFF to its end with one more
// entry.
func tiffWithOrientation(data []byte, o int) []byte {
	le := binary.LittleEndian
	at := int(le.Uint32(data[4:]))
	n := int(le.Uint16(data[at:]))
	dir := le.AppendUint16(nil, uint16(n+1))
	added := false
	add := func() {
		dir = le.AppendUint16(dir, tagOrientation)
		dir = le.AppendUint16(dir, kindShort)
		dir = le.AppendUint32(dir, 1)
		dir = le.AppendUint32(dir, uint32(o))
		added = true
	}
	for i := range n {
		e := data[at+2+12*i:][:12]
		if !added && le.Uint16(e) > tagOrientation { // entries are sorted
			add()
		}
		dir = append(dir, e...)
	}
	if !added {
		add()
	}
	dir = le.AppendUint32(dir, 0)
	out := bytes.Clone(data)
	le.PutUint32(out[4:], uint32(len(out)))
	return append(out, dir...)
}
