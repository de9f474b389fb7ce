package vision_test

import (
	"image"
	"image/color"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"crokcam/calibrate"
	"crokcam/internal/raster"
	"crokcam/vision"
	"crokcam/vision/eval"

	"github.com/stretchr/testify/require"
	"gocv.io/x/gocv"
)

// The ray-traced boards know their discs to the micrometre.
func TestDiscsAreFoundOnRayTracedBoards(t *testing.T) {
	const folder = "../testdata/renders"
	truths, err := eval.LoadTruths(folder)
	require.NoError(t, err)
	truth, missed, invented := 0, 0, 0
	for _, picture := range truths {
		f := filepath.Join(folder, picture.File)
		m := gocv.IMRead(f, gocv.IMReadColor)
		p, err := raster.FromMat(m, calibrate.WorkingSize)
		require.NoError(t, m.Close())
		require.NoError(t, err)
		cal, err := calibrate.Find(p, calibrate.Options{})
		require.NoError(t, err, f)
		scene, err := vision.Look(p, cal, vision.Options{})
		require.NoError(t, err, f)
		taken := make([]bool, len(scene.Discs))
		for _, w := range picture.Discs {
			hit := false
			for i, d := range scene.Discs {
				u, v := cal.Camera.Project(d.Top.X, d.Top.Y, 0)
				if !taken[i] && math.Hypot(u-w.Px[0], v-w.Px[1])*cal.Quality.MMPerPx < 11 {
					taken[i], hit = true, true
					break
				}
			}
			// A disc in the hole may be asked about instead.
			if w.Optional || w.Points == 20 && scene.Hole == vision.HoleUnclear {
				continue
			}
			truth++
			if !hit {
				missed++
			}
		}
		for _, k := range taken {
			if !k {
				invented++
			}
		}
	}
	require.Greater(t, truth, 50)
	require.LessOrEqual(t, missed, 3*truth/100, "of %d", truth)
	require.LessOrEqual(t, invented, truth/100, "of %d", truth)
}

// load reads one of the ray-traced pictures and its calibration; the Mat is the
// caller's, to draw in and to close.
func load(t *testing.T, name string) (gocv.Mat, *calibrate.Calibration, eval.Truth) {
	t.Helper()
	const folder = "../testdata/renders"
	truths, err := eval.LoadTruths(folder)
	require.NoError(t, err)
	i := slices.IndexFunc(truths, func(p eval.Truth) bool { return p.File == name })
	require.GreaterOrEqual(t, i, 0)
	m := gocv.IMRead(filepath.Join(folder, name), gocv.IMReadColor)
	p, err := raster.FromMat(m, calibrate.WorkingSize)
	require.NoError(t, err)
	cal, err := calibrate.Find(p, calibrate.Options{})
	require.NoError(t, err)
	return m, cal, truths[i]
}

// ring draws a filled or an empty circle on the board, mm.
func ring(m *gocv.Mat, cal *calibrate.Calibration, u, v, radius, stroke float64, ink color.RGBA) {
	px := func(mm float64) int { return int(math.Round(mm / cal.Quality.MMPerPx)) }
	thick := -1
	if stroke > 0 {
		thick = px(stroke)
	}
	gocv.Circle(m, image.Pt(int(math.Round(u)), int(math.Round(v))), px(radius), ink, thick)
}

func look(t *testing.T, m gocv.Mat, cal *calibrate.Calibration) *vision.Scene {
	t.Helper()
	p, err := raster.FromMat(m, calibrate.WorkingSize)
	require.NoError(t, err)
	scene, err := vision.Look(p, cal, vision.Options{})
	require.NoError(t, err)
	return scene
}

func TestDiscsWithStickersAreFound(t *testing.T) {
	m, cal, truth := load(t, "dev_16.jpg")
	defer m.Close()
	plain := look(t, m, cal)
	for _, d := range truth.Discs {
		ring(&m, cal, d.Px[0], d.Px[1], 8, 0, color.RGBA{R: 240, G: 240, B: 235, A: 255})
	}
	marked := look(t, m, cal)
	found := 0
	for _, d := range plain.Discs {
		if slices.ContainsFunc(marked.Discs, func(o vision.Disc) bool { return math.Hypot(o.X-d.X, o.Y-d.Y) < 2 }) {
			found++
		}
	}
	require.LessOrEqual(t, len(marked.Discs), len(plain.Discs))
	require.GreaterOrEqual(t, 10*found, 9*len(plain.Discs), "%d of %d", found, len(plain.Discs))
}

func TestRoundLettersAreNoDiscs(t *testing.T) {
	m, cal, _ := load(t, "dev_07.jpg")
	defer m.Close()
	plain := look(t, m, cal)
	drawn := 0
	for k := range 12 {
		s, c := math.Sincos(2 * math.Pi * float64(k) / 12)
		x, y := 152*c, 152*s // between the 15 line and the 10 line
		if slices.ContainsFunc(plain.Discs, func(d vision.Disc) bool { return math.Hypot(d.X-x, d.Y-y) < 50 }) {
			continue
		}
		u, v := cal.Camera.Project(x, y, 0)
		ring(&m, cal, u, v, 8, 3, color.RGBA{R: 40, G: 40, B: 40, A: 255})
		drawn++
	}
	require.Positive(t, drawn)
	require.Len(t, look(t, m, cal).Discs, len(plain.Discs))
}
