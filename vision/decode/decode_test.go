package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

// The test picture: 48 x 32, a colour to each quarter, so that any turn, flip
// or swap of colours shows.
var quarters = [4]color.NRGBA{
	{200, 30, 30, 255}, {30, 150, 50, 255}, // red, green
	{30, 60, 180, 255}, {240, 240, 240, 255}, // blue, white
}

func picture() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 48, 32))
	for y := range 32 {
		for x := range 48 {
			m.SetNRGBA(x, y, quarters[y/16*2+x/24])
		}
	}
	return m
}

// requirePicture checks that p is the test picture, upright.
func requirePicture(t *testing.T, p Picture) {
	t.Helper()
	require.Equal(t, 48, p.Width)
	require.Equal(t, 32, p.Height)
	require.Equal(t, []int{32, 48}, p.Mat.Size())
	require.Equal(t, 3, p.Mat.Channels())
	for i, want := range quarters {
		got := p.Mat.GetVecbAt(8+i/2*16, 12+i%2*24)
		for c, v := range []byte{want.B, want.G, want.R} {
			require.InDelta(t, v, got[c], 12, "quarter %d is BGR %v", i, got)
		}
	}
}

func TestEveryFormatIsReadAlike(t *testing.T) {
	files := map[string]struct {
		data   []byte
		format string
	}{
		"jpeg":                  {encode(t, jpegOf(picture())), "jpeg"},
		"jpeg, progressive":     {file(t, "progressive.jpg"), "jpeg"},
		"jpeg, CMYK":            {file(t, "cmyk.jpg"), "jpeg"},
		"png":                   {encode(t, pngOf(picture())), "png"},
		"png, 16 bits":          {encode(t, pngOf(convert(picture(), image.NewNRGBA64(picture().Rect)))), "png"},
		"png, palette":          {encode(t, pngOf(convert(picture(), palette()))), "png"},
		"webp":                  {file(t, "lossy.webp"), "webp"},
		"webp, lossless":        {file(t, "lossless.webp"), "webp"},
		"tiff":                  {encode(t, tiffOf(picture(), tiff.Uncompressed)), "tiff"},
		"tiff, deflated":        {encode(t, tiffOf(picture(), tiff.Deflate)), "tiff"},
		"tiff, LZW":             {file(t, "lzw.tiff"), "tiff"},
		"tiff, 16 bits":         {encode(t, tiffOf(convert(picture(), image.NewRGBA64(picture().Rect)), tiff.Uncompressed)), "tiff"},
		"bmp":                   {encode(t, bmpOf(picture())), "bmp"},
		"bmp, palette":          {encode(t, bmpOf(convert(picture(), palette()))), "bmp"},
		"gif":                   {encode(t, gifOf(1)), "gif"},
		"jpeg, notes after end": {append(encode(t, jpegOf(picture())), "\x00\x00 MotionPhoto ftypmp42"...), "jpeg"},
		"jpeg, second picture":  {append(encode(t, jpegOf(picture())), encode(t, jpegOf(picture()))...), "jpeg"},
	}
	for name, f := range files {
		t.Run(name, func(t *testing.T) {
			p, err := Decode(f.data, Limits{})
			require.NoError(t, err)
			defer p.Close()
			requirePicture(t, p)
			require.Equal(t, f.format, p.Format)
			require.False(t, p.OrientationApplied)
			require.Zero(t, p.Focal35)
			require.Empty(t, p.Warnings)
		})
	}
}

func TestGreyPicturesBecomeBGR(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 40, 20))
	for i := range grey.Pix {
		grey.Pix[i] = byte(6 * (i % 40))
	}
	for name, data := range map[string][]byte{
		"jpeg": encode(t, jpegOf(grey)),
		"png":  encode(t, pngOf(grey)),
		"tiff": encode(t, tiffOf(grey, tiff.Uncompressed)),
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Decode(data, Limits{})
			require.NoError(t, err)
			defer p.Close()
			require.Equal(t, 3, p.Mat.Channels())
			got := p.Mat.GetVecbAt(10, 30)
			require.InDelta(t, 180, got[0], 3)
			require.Equal(t, got[0], got[1])
			require.Equal(t, got[0], got[2])
		})
	}
}

func TestWhatIsTransparentIsWhite(t *testing.T) {
	// The red quarter is half there, the green one not at all.
	m := picture()
	for y := range 16 {
		for x := range 24 {
			m.SetNRGBA(x, y, color.NRGBA{200, 30, 30, 128})
			m.SetNRGBA(x+24, y, color.NRGBA{30, 150, 50, 0})
		}
	}
	half, none := []byte{142, 142, 227}, []byte{255, 255, 255}
	for name, f := range map[string]struct {
		data       []byte
		red, green []byte
	}{
		"png":            {encode(t, pngOf(m)), half, none},
		"png, 16 bits":   {encode(t, pngOf(convert(m, image.NewNRGBA64(m.Rect)))), half, none},
		"png, palette":   {encode(t, pngOf(convert(m, palette()))), []byte{30, 30, 200}, none},
		"gif":            {encode(t, gifFrames(convert(m, palette()).(*image.Paletted))), []byte{30, 30, 200}, none},
		"tiff":           {encode(t, tiffOf(m, tiff.Uncompressed)), half, none},
		"webp, lossless": {file(t, "alpha.webp"), []byte{30, 30, 200}, none},
		"webp, lossy":    {file(t, "alpha-lossy.webp"), half, []byte{152, 202, 142}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Decode(f.data, Limits{})
			require.NoError(t, err)
			defer p.Close()
			require.Equal(t, 3, p.Mat.Channels())
			for c := range 3 {
				require.InDelta(t, f.red[c], p.Mat.GetVecbAt(8, 12)[c], 12)
				require.InDelta(t, f.green[c], p.Mat.GetVecbAt(8, 36)[c], 12)
			}
		})
	}
}

func TestMovingPicturesGiveTheirFirstFrameAndSaySo(t *testing.T) {
	for name, data := range map[string][]byte{
		"gif":  encode(t, gifOf(3)),
		"webp": file(t, "moving.webp"),
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Decode(data, Limits{})
			require.NoError(t, err)
			defer p.Close()
			requirePicture(t, p)
			require.Equal(t, []string{firstFrame}, p.Warnings)
		})
	}
}

func TestEachOrientationIsAppliedExactlyOnce(t *testing.T) {
	for o := 1; o <= 8; o++ {
		stored := storedAs(picture(), o)
		for name, data := range map[string][]byte{
			"jpeg": jpegWithExif(encode(t, jpegOf(stored)), exifBlock(binary.BigEndian, short(tagOrientation, o))),
			"png":  pngWithExif(encode(t, pngOf(stored)), exifBlock(binary.LittleEndian, short(tagOrientation, o))),
			"tiff": tiffWithOrientation(encode(t, tiffOf(stored, tiff.Uncompressed)), o),
		} {
			t.Run(name+" "+string(rune('0'+o)), func(t *testing.T) {
				p, err := Decode(data, Limits{})
				require.NoError(t, err)
				defer p.Close()
				requirePicture(t, p)
				require.Equal(t, o > 1, p.OrientationApplied)
			})
		}
	}
}

// A large JPEG is read smaller for who needs no more, and says so in the
// picture's own pixels.
func TestALargeJPEGIsReadAsSmallAsWillDo(t *testing.T) {
	big := func(w, h int) *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, w, h))
		for y := range h {
			for x := range w {
				m.SetNRGBA(x, y, quarters[min(y*2/h, 1)*2+min(x*2/w, 1)])
			}
		}
		return m
	}
	for name, c := range map[string]struct {
		w, h, orientation, long int
		matW, matH              int
		scale                   float64
	}{
		"by half":                           {400, 300, 1, 150, 200, 150, 0.5},
		"by a quarter":                      {400, 300, 1, 100, 100, 75, 0.25},
		"not below what is needed":          {400, 300, 1, 201, 400, 300, 1},
		"a last pixel that stands for less": {401, 299, 1, 100, 101, 75, 0.25},
		"on its side":                       {400, 304, 6, 100, 76, 100, 0.25},
		"on its side, and not in whole":     {402, 304, 6, 100, 152, 201, 0.5},
		"upside down, and not in whole":     {401, 300, 3, 100, 401, 300, 1},
	} {
		t.Run(name, func(t *testing.T) {
			upright := big(c.w, c.h)
			if c.orientation >= 5 {
				upright = big(c.h, c.w)
			}
			data := jpegWithExif(encode(t, jpegOf(storedAs(upright, c.orientation))), exifBlock(binary.BigEndian, short(tagOrientation, c.orientation)))
			p, err := DecodeFor(context.Background(), data, Limits{}, c.long)
			require.NoError(t, err)
			defer p.Close()
			require.Equal(t, []int{upright.Bounds().Dx(), upright.Bounds().Dy()}, []int{p.Width, p.Height})
			require.Equal(t, []int{c.matW, c.matH}, []int{p.Mat.Cols(), p.Mat.Rows()})
			require.Equal(t, c.scale, p.Scale)
			for i, want := range quarters {
				got := p.Mat.GetVecbAt(c.matH*(1+i/2*2)/4, c.matW*(1+i%2*2)/4)
				require.InDelta(t, want.R, got[2], 12, "quarter %d", i)
			}
			w, err := p.Work(50)
			require.NoError(t, err)
			require.InDelta(t, 50/float64(max(p.Width, p.Height)), w.Scale, 2e-3)
		})
	}
}

// What is missing of a picture shows in a smaller reading of it as well.
func TestACutJPEGIsRefusedHoweverSmallItIsRead(t *testing.T) {
	whole := encode(t, jpegOf(noise(800, 600)))
	for _, long := range []int{800, 400, 200, 100} {
		_, err := DecodeFor(context.Background(), append(bytes.Clone(whole[:len(whole)/2]), 0xff, 0xd9), Limits{}, long)
		var e *Error
		require.ErrorAs(t, err, &e, "long %d", long)
		require.Equal(t, Truncated, e.Code, "long %d", long)
	}
}

func TestWebPOrientationIsApplied(t *testing.T) {
	p, err := Decode(webpWithExif(file(t, "lossless.webp"), exifBlock(binary.BigEndian, short(tagOrientation, 3))), Limits{})
	require.NoError(t, err)
	defer p.Close()
	require.True(t, p.OrientationApplied)
	require.InDelta(t, 200, p.Mat.GetVecbAt(24, 36)[2], 12, "red belongs at the lower right once turned by half")
}

func TestAnOrientationThatCannotBeIsIgnored(t *testing.T) {
	for _, o := range []int{0, 9, 65535} {
		p, err := Decode(jpegWithExif(encode(t, jpegOf(picture())), exifBlock(binary.BigEndian, short(tagOrientation, o))), Limits{})
		require.NoError(t, err)
		requirePicture(t, p)
		require.False(t, p.OrientationApplied)
		p.Close()
	}
}

func TestHEICAndAVIFAreReadWhereTheProgramIs(t *testing.T) {
	if _, err := lookHEIF(); err != nil {
		t.Skip("libheif's program is not installed")
	}
	for name, format := range map[string]string{"photo.heic": "heic", "photo.avif": "avif"} {
		t.Run(name, func(t *testing.T) {
			p, err := Decode(file(t, name), Limits{})
			require.NoError(t, err)
			defer p.Close()
			requirePicture(t, p)
			require.Equal(t, format, p.Format)
			require.False(t, p.OrientationApplied)
		})
	}
	t.Run("turned once though both the file and its EXIF ask for it", func(t *testing.T) {
		p, err := Decode(file(t, "turned.heic"), Limits{})
		require.NoError(t, err)
		defer p.Close()
		requirePicture(t, p)
		require.True(t, p.OrientationApplied)
		require.Equal(t, 26.0, p.Focal35)
	})
	t.Run("given up when the caller does", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := DecodeContext(ctx, file(t, "photo.heic"), Limits{})
		require.ErrorIs(t, err, context.Canceled)
	})
	t.Run("damaged inside", func(t *testing.T) {
		data := file(t, "photo.heic")
		at := bytes.Index(data, []byte("mdat"))
		for i := at + 4; i < len(data); i++ {
			data[i] = 0xff
		}
		requireCode(t, DecodeFailed, data, Limits{})
	})
}

func TestHEICSaysWhatToDoWhereTheProgramIsNot(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, name := range []string{"photo.heic", "photo.avif"} {
		e := requireCode(t, UnsupportedFormat, file(t, name), Limits{})
		require.Contains(t, e.Message, "JPEG")
	}
}

func TestBadFilesAreRefusedWithTheirReason(t *testing.T) {
	wholeJPEG := encode(t, jpegOf(noise(200, 160)))
	wholePNG := encode(t, pngOf(noise(200, 160)))
	webp := file(t, "lossy.webp")
	wholeTIFF := encode(t, tiffOf(picture(), tiff.Uncompressed))
	wholeBMP := encode(t, bmpOf(picture()))
	wholeGIF := encode(t, gifOf(1))
	heic := file(t, "photo.heic")
	cases := map[string]struct {
		data []byte
		code string
	}{
		"nothing":                     {nil, EmptyFile},
		"text":                        {[]byte("not a picture, whatever its name says"), NotAPicture},
		"one byte":                    {[]byte{0xff}, NotAPicture},
		"zeros":                       {make([]byte, 4096), NotAPicture},
		"html":                        {[]byte("<!doctype html><html>"), NotAPicture},
		"pdf":                         {[]byte("%PDF-1.7\n"), UnsupportedFormat},
		"svg":                         {[]byte("<svg xmlns='…'>"), UnsupportedFormat},
		"jpeg xl":                     {[]byte("\xff\x0a\x00\x00"), UnsupportedFormat},
		"jpeg 2000":                   {[]byte("\x00\x00\x00\x0cjP  \r\n\x87\n"), UnsupportedFormat},
		"mp4":                         {[]byte("\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp42"), UnsupportedFormat},
		"avi":                         {[]byte("RIFF\x00\x10\x00\x00AVI LIST"), UnsupportedFormat},
		"tiff with jpeg inside":       {file(t, "jpeg-inside.tiff"), UnsupportedFormat},
		"camera raw":                  {exifBlock(binary.LittleEndian, short(tagDNGVersion, 1)), UnsupportedFormat},
		"jpeg of 12 bits":             {[]byte("\xff\xd8\xff\xc1\x00\x0b\x0c\x00\x10\x00\x10\x01\x01\x11\x00"), UnsupportedFormat},
		"jpeg, only its first bytes":  {wholeJPEG[:3], Truncated},
		"jpeg, cut in the header":     {wholeJPEG[:100], Truncated},
		"jpeg, cut in half":           {wholeJPEG[:len(wholeJPEG)/2], Truncated},
		"jpeg, without its last byte": {wholeJPEG[:len(wholeJPEG)-1], Truncated},
		"jpeg, cut and then ended":    {append(bytes.Clone(wholeJPEG[:len(wholeJPEG)/2]), 0xff, 0xd9), Truncated},
		"jpeg, cut, then another":     {append(bytes.Clone(wholeJPEG[:len(wholeJPEG)/2]), wholeJPEG...), Truncated},
		"jpeg, zeros for a tail":      {append(bytes.Clone(wholeJPEG[:len(wholeJPEG)/2]), make([]byte, 5000)...), Truncated},
		"jpeg, no frame":              {[]byte("\xff\xd8\xff\xd9"), DecodeFailed},
		"jpeg, height of zero":        {[]byte("\xff\xd8\xff\xc0\x00\x0b\x08\x00\x00\x00\x10\x01\x01\x11\x00\xff\xd9"), DecodeFailed},
		"jpeg, a thousand scans":      {bytes.Join([][]byte{[]byte("\xff\xd8\xff\xc2\x00\x0b\x08\x00\x10\x00\x10\x01\x01\x11\x00"), bytes.Repeat([]byte("\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x12"), 1000), []byte("\xff\xd9")}, nil), DecodeFailed},
		"jpeg, no tables":             {[]byte("\xff\xd8\xff\xc0\x00\x0b\x08\x00\x10\x00\x10\x01\x01\x11\x00\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x12\x34\xff\xd9"), DecodeFailed},
		"png, only its first bytes":   {wholePNG[:8], Truncated},
		"png, cut in half":            {wholePNG[:len(wholePNG)/2], Truncated},
		"png, end missing":            {wholePNG[:len(wholePNG)-12], Truncated},
		"png, bits flipped":           {flipped(wholePNG), DecodeFailed},
		"webp, cut in half":           {webp[:len(webp)/2], Truncated},
		"webp, only its first bytes":  {webp[:14], Truncated},
		"webp, shorter than itself":   {[]byte("RIFF\x00\x00\x00\x00WEBP"), DecodeFailed},
		"webp, scrambled":             {scrambled(webp, 20), DecodeFailed},
		"tiff, cut in half":           {wholeTIFF[:len(wholeTIFF)/2], Truncated},
		"bmp, cut in half":            {wholeBMP[:len(wholeBMP)/2], Truncated},
		"gif, cut in half":            {wholeGIF[:len(wholeGIF)/2], Truncated},
		"gif, only its first bytes":   {wholeGIF[:8], Truncated},
		"heic, cut in half":           {heic[:len(heic)/2], Truncated},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { requireCode(t, c.code, c.data, Limits{}) })
	}
}

func TestAHugeHeaderInASmallFileIsRefusedFromTheHeader(t *testing.T) {
	ispe := binary.BigEndian.AppendUint32(nil, 60_000)
	bigBMP := encode(t, bmpOf(picture()))
	binary.LittleEndian.PutUint32(bigBMP[18:], 60_000)
	binary.LittleEndian.PutUint32(bigBMP[22:], 60_000)
	bigGIF := encode(t, gifOf(1))
	copy(bigGIF[6:], "\x60\xea\x60\xea")
	bigPNG := encode(t, pngOf(picture()))
	binary.BigEndian.PutUint32(bigPNG[16:], 60_000)
	binary.BigEndian.PutUint32(bigPNG[20:], 60_000)
	binary.BigEndian.PutUint32(bigPNG[29:], crc32.ChecksumIEEE(bigPNG[12:29]))
	bigHEIC := file(t, "photo.heic")
	at := bytes.LastIndex(bigHEIC, []byte("ispe")) + 8
	copy(bigHEIC[at:], append(ispe, ispe...))
	bigWebP := file(t, "moving.webp")
	copy(bigWebP[24:], "\x5f\xea\x00\x5f\xea\x00")

	for name, data := range map[string][]byte{
		"jpeg": []byte("\xff\xd8\xff\xc0\x00\x11\x08\xea\x60\xea\x60\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01\xff\xd9"),
		"png":  bigPNG,
		"bmp":  bigBMP,
		"gif":  bigGIF,
		"heic": bigHEIC,
		"webp": bigWebP,
		"tiff": exifBlock(binary.LittleEndian, short(256, 60_000), short(257, 60_000), short(258, 8), short(262, 1)),
	} {
		t.Run(name, func(t *testing.T) {
			e := requireCode(t, TooManyPixels, data, Limits{})
			require.Contains(t, e.Message, "60000 x 60000")
			require.Equal(t, map[string]float64{"width": 60_000, "height": 60_000, "most": float64(Limits{}.orDefault().Pixels) / 1e6}, e.Values)
		})
	}
}

func TestLimitsAreTheCallersToSet(t *testing.T) {
	data := encode(t, jpegOf(picture()))
	e := requireCode(t, TooManyBytes, data, Limits{Bytes: len(data) - 1})
	require.Contains(t, e.Message, "MB")
	requireCode(t, TooManyPixels, data, Limits{Pixels: 48*32 - 1})
	p, err := Decode(data, Limits{Bytes: len(data), Pixels: 48 * 32})
	require.NoError(t, err)
	p.Close()

	e = requireCode(t, TooManyBytes, make([]byte, 100_000_000), Limits{})
	require.Equal(t, "The file has 100 MB; at most 25 MB are taken. Send a smaller picture: 12 megapixels as JPEG are plenty.", e.Message)
	require.Equal(t, map[string]float64{"most": 25}, e.Values)
}

func TestAGreyEndDoesNotMakeAPictureTruncated(t *testing.T) {
	m := picture()
	for y := 16; y < 32; y++ {
		for x := range 48 {
			m.SetNRGBA(x, y, color.NRGBA{128, 128, 128, 255})
		}
	}
	p, err := Decode(encode(t, jpegOf(m)), Limits{})
	require.NoError(t, err)
	require.Equal(t, byte(128), p.Mat.GetVecbAt(31, 47)[0], "the picture must end in the grey that a cut one ends in")
	p.Close()
}

func TestClosingTwiceDoesNothing(t *testing.T) {
	p, err := Decode(encode(t, jpegOf(picture())), Limits{})
	require.NoError(t, err)
	p.Close()
	p.Close()
	var none Picture
	none.Close()
}

// requireCode decodes data and wants it refused with a code and a message.
func requireCode(t *testing.T, code string, data []byte, lim Limits) *Error {
	t.Helper()
	p, err := Decode(data, lim)
	if err == nil {
		p.Close()
	}
	var e *Error
	require.ErrorAs(t, err, &e, "want %s", code)
	require.Equal(t, code, e.Code, "%v", err)
	require.Greater(t, len(e.Message), 30, "a sentence that says what to do")
	return e
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "decode", name))
	require.NoError(t, err)
	return data
}

func encode(t testing.TB, write func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b))
	return b.Bytes()
}

func jpegOf(m image.Image) func(*bytes.Buffer) error {
	return func(b *bytes.Buffer) error { return jpeg.Encode(b, m, &jpeg.Options{Quality: 95}) }
}

func pngOf(m image.Image) func(*bytes.Buffer) error {
	return func(b *bytes.Buffer) error { return png.Encode(b, m) }
}

func tiffOf(m image.Image, c tiff.CompressionType) func(*bytes.Buffer) error {
	return func(b *bytes.Buffer) error { return tiff.Encode(b, m, &tiff.Options{Compression: c}) }
}

func bmpOf(m image.Image) func(*bytes.Buffer) error {
	return func(b *bytes.Buffer) error { return bmp.Encode(b, m) }
}

// gifOf is a GIF of the test picture and, after it, frames of other colours.
func gifOf(frames int) func(*bytes.Buffer) error {
	first := convert(picture(), palette()).(*image.Paletted)
	all := []*image.Paletted{first}
	for range frames - 1 {
		all = append(all, palette())
	}
	return gifFrames(all...)
}

func gifFrames(frames ...*image.Paletted) func(*bytes.Buffer) error {
	return func(b *bytes.Buffer) error {
		return gif.EncodeAll(b, &gif.GIF{Image: frames, Delay: make([]int, len(frames))})
	}
}

func palette() *image.Paletted {
	p := color.Palette{color.Black}
	for _, c := range quarters {
		p = append(p, c)
	}
	return image.NewPaletted(image.Rect(0, 0, 48, 32), append(p, color.Transparent))
}

type settable interface {
	image.Image
	Set(x, y int, c color.Color)
}

// convert redraws m in the form of to; a palette takes what is half
// transparent as it would be opaque.
func convert(m *image.NRGBA, to settable) image.Image {
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			c := m.NRGBAAt(x, y)
			if _, few := to.(*image.Paletted); few {
				if c.A > 0 {
					c.A = 255
				} else {
					c = color.NRGBA{}
				}
			}
			to.Set(x, y, c)
		}
	}
	return to
}

// storedAs is how a camera that needs orientation o to be read upright
// stores m.
func storedAs(m *image.NRGBA, o int) *image.NRGBA {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	if o >= 5 {
		w, h = h, w
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			rx, ry := m.Rect.Dx()-1-x, m.Rect.Dy()-1-y
			at := [...][2]int{1: {x, y}, 2: {rx, y}, 3: {rx, ry}, 4: {x, ry}, 5: {y, x}, 6: {y, rx}, 7: {ry, rx}, 8: {ry, x}}[o]
			out.SetNRGBA(at[0], at[1], m.NRGBAAt(x, y))
		}
	}
	return out
}

func noise(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = byte(r.Uint32()) | 3
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	return m
}

func flipped(data []byte) []byte {
	data = bytes.Clone(data)
	data[len(data)/2] ^= 0xff
	return data
}

func scrambled(data []byte, from int) []byte {
	data = bytes.Clone(data)
	for i := from; i < len(data); i++ {
		data[i] = 0
	}
	return data
}
