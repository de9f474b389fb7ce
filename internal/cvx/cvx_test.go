package cvx

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gocv.io/x/gocv"
)

func TestFitEllipseKeepsFractionsOfAPixel(t *testing.T) {
	want := Ellipse{CX: 100.3, CY: 80.7, A: 35.9, B: 20.4, AngleDeg: 30}
	got, err := FitEllipse(outline(want, 64))
	require.NoError(t, err)
	require.InDelta(t, want.CX, got.CX, 0.01)
	require.InDelta(t, want.CY, got.CY, 0.01)
	require.InDelta(t, want.A, got.A, 0.01)
	require.InDelta(t, want.B, got.B, 0.01)
	require.InDelta(t, want.AngleDeg, got.AngleDeg, 0.05)
}

func TestFitEllipseNamesTheLongerAxisFirst(t *testing.T) {
	for _, angle := range []float64{0, 45, 90, 135, 179} {
		got, err := FitEllipse(outline(Ellipse{CX: 50, CY: 50, A: 30, B: 10, AngleDeg: angle}, 40))
		require.NoError(t, err)
		require.Greater(t, got.A, got.B)
		d := math.Mod(got.AngleDeg-angle+270, 180) - 90
		require.InDelta(t, 0, d, 0.1, "angle %v came back as %v", angle, got.AngleDeg)
	}
}

func TestFitEllipseRefusesTooFewPoints(t *testing.T) {
	_, err := FitEllipse(outline(Ellipse{A: 3, B: 2}, 4))
	require.ErrorContains(t, err, "4 points")
}

func TestPicturesSurviveEncodingAndDecoding(t *testing.T) {
	m := ramp(40, 30)
	defer m.Close()
	data, err := EncodeJPEG(m, 95)
	require.NoError(t, err)
	got, err := DecodeImage(data, ReadBGR)
	require.NoError(t, err)
	defer got.Close()
	require.Equal(t, gocv.MatTypeCV8UC3, got.Type())
	require.Equal(t, []int{30, 40}, got.Size())
	require.InDelta(t, m.GetUCharAt(20, 3*30), got.GetUCharAt(20, 3*30), 6)
}

func TestDecodeImageFailsOnWhatIsNoPicture(t *testing.T) {
	for _, data := range [][]byte{nil, {}, []byte("this is text"), {0xff, 0xd8, 0xff}} {
		_, err := DecodeImage(data, ReadBGR)
		require.Error(t, err)
	}
}

func TestToImageKeepsTheColoursInTheirPlaces(t *testing.T) {
	m := ramp(40, 30)
	defer m.Close()
	got, err := ToImage(m)
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 40, 30), got.Rect)
	require.Equal(t, color.RGBA{R: 2 * 30, G: 4 * 20, B: 4 * 10, A: 255}, got.RGBAAt(10, 20))
}

func TestOrientUndoesEachStoredOrientation(t *testing.T) {
	// An upright 3x2 picture whose pixel values are its reading order, as each
	// EXIF orientation stores it.
	stored := [][][]byte{
		1: {{1, 2, 3}, {4, 5, 6}},
		2: {{3, 2, 1}, {6, 5, 4}},
		3: {{6, 5, 4}, {3, 2, 1}},
		4: {{4, 5, 6}, {1, 2, 3}},
		5: {{1, 4}, {2, 5}, {3, 6}},
		6: {{3, 6}, {2, 5}, {1, 4}},
		7: {{6, 3}, {5, 2}, {4, 1}},
		8: {{4, 1}, {5, 2}, {6, 3}},
	}
	for o := 1; o <= 8; o++ {
		rows, cols := len(stored[o]), len(stored[o][0])
		src := gocv.NewMatWithSize(rows, cols, gocv.MatTypeCV8UC1)
		for r, row := range stored[o] {
			for c, v := range row {
				src.SetUCharAt(r, c, v)
			}
		}
		got, err := Orient(src, o)
		src.Close()
		require.NoError(t, err)
		require.Equal(t, []int{2, 3}, got.Size(), "orientation %d", o)
		require.Equal(t, []byte{1, 2, 3, 4, 5, 6}, got.ToBytes(), "orientation %d", o)
		got.Close()
	}
}

func TestWarpTakesEachPixelFromItsPlaceInTheSource(t *testing.T) {
	src := ramp(40, 30)
	defer src.Close()
	got, err := Warp(src, [9]float64{1, 0, 5, 0, 1, 7, 0, 0, 1}, image.Pt(10, 12), gocv.InterpolationLinear)
	require.NoError(t, err)
	defer got.Close()
	require.Equal(t, []int{12, 10}, got.Size())
	require.Equal(t, src.GetVecbAt(7+2, 5+3), got.GetVecbAt(2, 3))
}

// What would abort the process in gocv comes back as an error.
func TestBadInputIsAnErrorAndNotTheEnd(t *testing.T) {
	empty := gocv.NewMat()
	defer empty.Close()
	floats := gocv.NewMatWithSize(4, 4, gocv.MatTypeCV64F)
	defer floats.Close()
	ok := ramp(8, 8)
	defer ok.Close()

	calls := map[string]func() error{
		"colour of nothing":      func() error { _, err := CvtColor(empty, gocv.ColorBGRToGray); return err },
		"colour of doubles":      func() error { _, err := CvtColor(floats, gocv.ColorBGRToGray); return err },
		"colour of a closed Mat": func() error { _, err := CvtColor(gocv.Mat{}, gocv.ColorBGRToGray); return err },
		"resize nothing":         func() error { _, err := Resize(empty, image.Pt(4, 4), gocv.InterpolationArea); return err },
		"resize to nothing":      func() error { _, err := Resize(ok, image.Pt(0, 4), gocv.InterpolationArea); return err },
		"resize oddly":           func() error { _, err := Resize(ok, image.Pt(4, 4), 99); return err },
		"orientation 0":          func() error { _, err := Orient(ok, 0); return err },
		"orientation 9":          func() error { _, err := Orient(ok, 9); return err },
		"orient nothing":         func() error { _, err := Orient(empty, 1); return err },
		"warp nothing":           func() error { _, err := Warp(empty, [9]float64{}, image.Pt(4, 4), 1); return err },
		"warp to a huge size":    func() error { _, err := Warp(ok, [9]float64{}, image.Pt(1<<30, 1<<30), 1); return err },
		"encode nothing":         func() error { _, err := EncodeJPEG(empty, 90); return err },
		"encode doubles":         func() error { _, err := EncodeJPEG(floats, 90); return err },
		"encode at 101":          func() error { _, err := EncodeJPEG(ok, 101); return err },
		"image of doubles":       func() error { _, err := ToImage(floats); return err },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) { require.Error(t, call()) })
	}
}

func outline(e Ellipse, n int) []gocv.Point2f {
	s, c := math.Sincos(e.AngleDeg * math.Pi / 180)
	out := make([]gocv.Point2f, n)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		x, y := e.A*cos, e.B*sin
		out[i] = gocv.Point2f{X: float32(e.CX + c*x - s*y), Y: float32(e.CY + s*x + c*y)}
	}
	return out
}

func ramp(w, h int) gocv.Mat {
	m := gocv.NewMatWithSize(h, w, gocv.MatTypeCV8UC3)
	for y := range h {
		for x := range w {
			m.SetUCharAt(y, 3*x, byte(4*x))
			m.SetUCharAt(y, 3*x+1, byte(4*y))
			m.SetUCharAt(y, 3*x+2, byte(2*(x+y)))
		}
	}
	return m
}
