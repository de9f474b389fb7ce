package photo_test

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gocv.io/x/gocv"

	"crokcam/vision/photo"
)

// read is a ray-traced picture; the caller closes it.
func read(t *testing.T, name string) gocv.Mat {
	t.Helper()
	m := gocv.IMRead("../../testdata/renders/"+name+".jpg", gocv.IMReadColor)
	require.False(t, m.Empty())
	return m
}

func score(t *testing.T, m gocv.Mat) *photo.Report {
	t.Helper()
	png, err := gocv.IMEncode(gocv.PNGFileExt, m)
	require.NoError(t, err)
	defer png.Close()
	r, err := photo.Score(t.Context(), slices.Clone(png.GetBytes()), photo.Options{})
	require.NoError(t, err)
	return r
}

// change is a picture's pixels moved: (u, v) to a·(u, v) + b.
type change struct {
	a    [2][2]float64
	b    [2]float64
	size image.Point
}

func (c change) at(p [2]float64) [2]float64 {
	return [2]float64{c.a[0][0]*p[0] + c.a[0][1]*p[1] + c.b[0], c.a[1][0]*p[0] + c.a[1][1]*p[1] + c.b[1]}
}

// of is the changed picture, on grey where it was not; the caller closes it.
func (c change) of(m gocv.Mat) gocv.Mat {
	k := gocv.NewMatWithSize(2, 3, gocv.MatTypeCV64F)
	defer k.Close()
	for i := range 2 {
		for j := range 2 {
			k.SetDoubleAt(i, j, c.a[i][j])
		}
		k.SetDoubleAt(i, 2, c.b[i])
	}
	out := gocv.NewMat()
	gocv.WarpAffineWithParams(m, &out, k, c.size, gocv.InterpolationCubic, gocv.BorderConstant, color.RGBA{R: 120, G: 120, B: 120})
	return out
}

// turned is the picture turned about its middle, on a canvas that holds it.
func turned(m gocv.Mat, degrees float64) change {
	s, k := math.Sincos(degrees * math.Pi / 180)
	w, h := float64(m.Cols()-1), float64(m.Rows()-1)
	wide, high := math.Ceil(w*math.Abs(k)+h*math.Abs(s)), math.Ceil(w*math.Abs(s)+h*math.Abs(k))
	return change{
		a:    [2][2]float64{{k, s}, {-s, k}},
		b:    [2]float64{wide/2 - k*w/2 - s*h/2, high/2 + s*w/2 - k*h/2},
		size: image.Pt(int(wide)+1, int(high)+1),
	}
}

func mirrored(m gocv.Mat) change {
	return change{a: [2][2]float64{{-1, 0}, {0, 1}}, b: [2]float64{float64(m.Cols() - 1), 0}, size: image.Pt(m.Cols(), m.Rows())}
}

func moved(m gocv.Mat, right, down int) change {
	return change{a: [2][2]float64{{1, 0}, {0, 1}}, b: [2]float64{float64(right), float64(down)}, size: image.Pt(m.Cols()+300, m.Rows()+220)}
}

// requireSameCalls wants each disc of one report in the other, at its changed
// place, with the same side and value, and no more than those. What is offered
// as a close call in either may differ.
func requireSameCalls(t *testing.T, before, after *photo.Report, to func([2]float64) [2]float64) {
	t.Helper()
	open := func(r *photo.Report, d photo.Disc) bool {
		return d.TooClose || d.State != "surface" && slices.ContainsFunc(r.Warnings, func(w photo.Warning) bool { return w.Code == "hole_unclear" })
	}
	taken := map[int]bool{}
	for _, d := range before.Discs {
		at := to(d.Px)
		best, near := -1, 8.0 // px
		for i, e := range after.Discs {
			if away := math.Hypot(e.Px[0]-at[0], e.Px[1]-at[1]); away < near {
				best, near = i, away
			}
		}
		if best < 0 {
			require.NotEqual(t, "surface", d.State, "the disc at %.0f is gone", d.Px)
			continue
		}
		taken[best] = true
		e := after.Discs[best]
		require.Equal(t, d.Side, e.Side, "the disc at %.0f", d.Px)
		if !open(before, d) && !open(after, e) {
			require.Equal(t, d.Points, e.Points, "the disc at %.0f", d.Px)
		}
	}
	for i, e := range after.Discs {
		require.True(t, taken[i] || e.State != "surface", "a disc at %.0f that was not there", e.Px)
	}
}

func TestAPictureTurnedMirroredOrMovedScoresTheSame(t *testing.T) {
	for _, name := range []string{"dev_07", "dev_08", "dev_16"} {
		m := read(t, name)
		defer m.Close()
		before := score(t, m)
		for what, c := range map[string]change{
			"by 17°": turned(m, 17), "by 90°": turned(m, 90), "by 180°": turned(m, 180), "by 251°": turned(m, 251),
			"mirrored": mirrored(m), "moved left": moved(m, 0, 180), "moved right": moved(m, 290, 30),
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				after := c.of(m)
				defer after.Close()
				requireSameCalls(t, before, score(t, after), c.at)
			})
		}
	}
}

// foot is where on the board a pixel of a disc's top stands, mm.
func foot(r *photo.Report, u, v float64) (x, y float64) {
	h := r.Calibration.HomographyPxToMM
	w := h[6]*u + h[7]*v + h[8]
	return (h[0]*u + h[1]*v + h[2]) / w, (h[3]*u + h[4]*v + h[5]) / w
}

func TestADiscMoreNeverChangesTheOthers(t *testing.T) {
	for _, name := range []string{"dev_12", "dev_16"} {
		t.Run(name, func(t *testing.T) {
			m := read(t, name)
			defer m.Close()
			before := score(t, m)
			added := 0
			for i, d := range before.Discs {
				if i%7 != 0 || d.State != "surface" || d.TooClose {
					continue
				}
				u, v, ok := freePlace(before, d, m.Cols(), m.Rows())
				if !ok {
					continue
				}
				more := m.Clone()
				copyDisc(t, m, &more, d.Px, [2]float64{u, v}, discPx(before, d))
				after := score(t, more)
				more.Close()
				added++
				after.Discs = slices.DeleteFunc(after.Discs, func(e photo.Disc) bool { return math.Hypot(e.Px[0]-u, e.Px[1]-v) < 8 })
				requireSameCalls(t, before, after, func(p [2]float64) [2]float64 { return p })
			}
			require.Positive(t, added)
		})
	}
}

// discPx is how many pixels a disc's radius spans.
func discPx(r *photo.Report, d photo.Disc) float64 {
	x0, _ := foot(r, d.Px[0], d.Px[1])
	x1, _ := foot(r, d.Px[0]+1, d.Px[1])
	return r.Calibration.RadiiMM.Disc / math.Abs(x1-x0)
}

// freePlace is a pixel as far from the middle as a disc, and clear of all.
func freePlace(r *photo.Report, like photo.Disc, w, h int) (u, v float64, ok bool) {
	far := math.Hypot(like.XMM, like.YMM)
	for v := 0.0; v < float64(h); v += 2 {
		for u := 0.0; u < float64(w); u += 2 {
			x, y := foot(r, u, v)
			if math.Abs(math.Hypot(x, y)-far) > 1 {
				continue
			}
			if !slices.ContainsFunc(r.Discs, func(d photo.Disc) bool { return math.Hypot(d.XMM-x, d.YMM-y) < 3.2*r.Calibration.RadiiMM.Disc }) {
				return u, v, true
			}
		}
	}
	return 0, 0, false
}

// copyDisc copies the pixels of a disc and its rim from one place to another.
func copyDisc(t *testing.T, from gocv.Mat, to *gocv.Mat, at, there [2]float64, radius float64) {
	t.Helper()
	reach := int(1.15*radius) + 1
	for dv := -reach; dv <= reach; dv++ {
		for du := -reach; du <= reach; du++ {
			if math.Hypot(float64(du), float64(dv)) > 1.15*radius {
				continue
			}
			for ch := range 3 {
				to.SetUCharAt(int(there[1])+dv, 3*(int(there[0])+du)+ch, from.GetUCharAt(int(math.Round(at[1]))+dv, 3*(int(math.Round(at[0]))+du)+ch))
			}
		}
	}
}
