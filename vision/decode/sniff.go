package decode

import (
	"bytes"
	"encoding/binary"
	"slices"
)

var formats = struct{ jpeg, png, webp, gif, tiff, bmp, heic, avif format }{
	jpeg: format{"jpeg", jpegHeader, jpegRaster, true},
	png:  format{"png", pngHeader, libraryRaster, false},
	webp: format{"webp", webpHeader, webpRaster, false},
	gif:  format{"gif", gifHeader, gifRaster, false},
	tiff: format{"tiff", tiffHeader, tiffRaster, false},
	bmp:  format{"bmp", bmpHeader, bmpRaster, false},
	heic: format{"heic", heifHeader, heifRaster, false},
	avif: format{"avif", heifHeader, heifRaster, false},
}

// known are kinds of file that people send and that are not read, each with
// the bytes it starts with and what to do instead.
var known = []struct{ magic, message string }{
	{"%PDF-", "This is a PDF. Send the photo itself as JPEG, PNG or WebP."},
	{"\xff\x0a", "JPEG XL pictures are not read. Send the photo as JPEG, PNG or WebP."},
	{"\x00\x00\x00\x0cJXL ", "JPEG XL pictures are not read. Send the photo as JPEG, PNG or WebP."},
	{"\x00\x00\x00\x0cjP  ", "JPEG 2000 pictures are not read. Send the photo as JPEG, PNG or WebP."},
	{"8BPS", "This is a Photoshop file. Save it as JPEG or PNG and send that."},
	{"<svg", "This is a drawing (SVG). Send a photo of the board as JPEG, PNG or WebP."},
	{"FUJIFILMCCD-RAW", rawMessage},
	{"\x1aE\xdf\xa3", videoMessage},
}

const (
	videoMessage = "This is a video. Send a photo of the board as JPEG, PNG or WebP."
	rawMessage   = "This is a camera's raw file. Save it as JPEG and send that."
)

// sniff finds the format from the first bytes.
func sniff(data []byte) (format, error) {
	has := func(magic string) bool { return bytes.HasPrefix(data, []byte(magic)) }
	switch {
	case has("\xff\xd8\xff"):
		return formats.jpeg, nil
	case has("\x89PNG\r\n\x1a\n"):
		return formats.png, nil
	case has("GIF87a"), has("GIF89a"):
		return formats.gif, nil
	case has("RIFF") && len(data) >= 12 && string(data[8:12]) == "WEBP":
		return formats.webp, nil
	case has("RIFF"):
		return format{}, unsupported(videoMessage, nil)
	case has("II*\x00"), has("MM\x00*"):
		return formats.tiff, nil
	case has("BM") && len(data) >= 18 && slices.Contains([]uint32{12, 40, 52, 56, 64, 108, 124}, binary.LittleEndian.Uint32(data[14:])):
		return formats.bmp, nil
	case len(data) >= 12 && string(data[4:8]) == "ftyp":
		return sniffBrand(data)
	}
	for _, k := range known {
		if has(k.magic) {
			return format{}, unsupported(k.message, nil)
		}
	}
	return format{}, fail(NotAPicture, nil)
}

// sniffBrand tells the pictures from the videos among files that start with
// an ftyp box: by the main brand, else by those it is compatible with.
func sniffBrand(data []byte) (format, error) {
	size := min(int(binary.BigEndian.Uint32(data)), len(data))
	brands := []string{string(data[8:12])}
	for at := 16; at+4 <= size; at += 4 {
		brands = append(brands, string(data[at:at+4]))
	}
	for _, b := range brands {
		switch b {
		case "avif", "avis":
			return formats.avif, nil
		case "heic", "heix", "heim", "heis", "hevc", "hevx":
			return formats.heic, nil
		case "crx ":
			return format{}, unsupported(rawMessage, nil)
		}
	}
	if slices.Contains(brands, "mif1") {
		return formats.heic, nil
	}
	return format{}, unsupported(videoMessage, nil)
}
