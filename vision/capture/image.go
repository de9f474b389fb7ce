package capture

import "image"

// Image is a copy of the frame as pictures are kept in JPEG files: BT.601, 0 to
// 255.
func (f *Frame) Image() *image.YCbCr {
	img := image.NewYCbCr(image.Rect(0, 0, f.Width, f.Height), image.YCbCrSubsampleRatio420)
	copy(img.Y, f.Y)
	copy(img.Cb, f.U)
	copy(img.Cr, f.V)
	if !f.FullRange {
		stretch(img.Y, 16, 219)
		stretch(img.Cb, 128, 224)
		stretch(img.Cr, 128, 224)
	}
	if f.BT709 {
		remix(img)
	}
	return img
}

// stretch brings a plane whose values lie about a fixed one (16 or 128), from
// 16 to the top, to the whole range.
func stretch(plane []byte, fixed, span int) {
	var table [256]byte
	to := 0
	if fixed == 128 {
		to = 128
	}
	for v := range table {
		table[v] = byte(min(max(to+((v-fixed)*255*2+span)/(2*span), 0), 255))
	}
	for i, v := range plane {
		plane[i] = table[v]
	}
}

// remix turns colours mixed by BT.709 into colours mixed by BT.601. Both are
// linear in the same primaries, so that a fixed matrix does it (its numbers
// follow from the luma weights 0.2126, 0.7152, 0.0722 and 0.299, 0.587, 0.114;
// the range stays as it is.
func remix(img *image.YCbCr) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	cw := img.CStride
	for y := range h {
		for x := range w {
			i, c := y*w+x, y/2*cw+x/2
			cb, cr := float64(img.Cb[c])-128, float64(img.Cr[c])-128
			img.Y[i] = clip(float64(img.Y[i]) + 0.1016*cb + 0.1961*cr)
		}
	}
	for c := range img.Cb {
		cb, cr := float64(img.Cb[c])-128, float64(img.Cr[c])-128
		img.Cb[c] = clip(128 + 0.9899*cb - 0.1107*cr)
		img.Cr[c] = clip(128 - 0.0725*cb + 0.9834*cr)
	}
}

func clip(v float64) byte { return byte(min(max(v+0.5, 0), 255)) }
