package vision

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
)

// aslope is a plain board seen from a slope (rad), with discs on it whose edges are
// rounded by so much, mm: nothing is drawn of their walls but the upright middle.
func aslope(slope, rounding float64, feet ...board.Point) (*raster.Picture, *calibrate.Calibration) {
	sin, cos := math.Sincos(slope)
	const w, h, away = 1280, 960, 1100.0
	c := &calibrate.Calibration{
		Camera: camera.Camera{
			Width: w, Height: h, F: 1150, CX: w / 2, CY: h / 2,
			R: camera.Mat3{{1, 0, 0}, {0, -cos, -sin}, {0, sin, -cos}}, T: camera.Vec3{0, 0, away},
		},
		Board: board.Tournament26(), Known: true,
	}
	c.Quality.MMPerPx, c.Quality.Tilt = away/1150, slope*180/math.Pi
	spec := c.Board
	p := &raster.Picture{W: w, H: h, Scale: 1, Pix: make([]float32, 3*w*h)}
	seed := uint32(1)
	for i := range w * h {
		u, v := float64(i%w), float64(i/w)
		colour := [3]float32{90, 130, 160}
		for _, f := range feet {
			if fu, fv := c.Camera.Project(f.X, f.Y, 0); math.Hypot(fu-u, fv-v) > 40 {
				continue
			}
			for z := rounding; z <= spec.Disc.Thickness-rounding+1e-9; z += (spec.Disc.Thickness-2*rounding)/8 + 1e-9 {
				if x, y := c.Camera.Unproject(u, v, z); math.Hypot(x-f.X, y-f.Y) < spec.Disc.Radius {
					colour = [3]float32{40, 40, 190}
				}
			}
		}
		seed = seed*1664525 + 1013904223
		for ch := range colour {
			p.Pix[3*i+ch] = colour[ch] + float32(seed>>28)/4
		}
	}
	return p, c
}

// How much a disc is rounded cannot always be told from a straightened picture: where
// it stands is uncertain then, and said to be.
func TestRoundedDiscsStandWhereTheyAreSaidToStand(t *testing.T) {
	feet := []board.Point{{X: -150, Y: 30}, {X: 60, Y: 140}, {X: 140, Y: -60}, {X: -60, Y: -150}, {X: 20, Y: 250}, {X: 240, Y: 60}}
	for _, slope := range []float64{0.5, 0.7} {
		for _, rounding := range []float64{0.5, 2, 3} {
			p, c := aslope(slope, rounding, feet...)
			scene, err := Look(p, c, Options{})
			require.NoError(t, err)
			require.Len(t, scene.Discs, len(feet))
			for _, f := range feet {
				k := slices.IndexFunc(scene.Discs, func(d Disc) bool { return math.Hypot(d.X-f.X, d.Y-f.Y) < 8 })
				require.GreaterOrEqual(t, k, 0, "%v", f)
				d := scene.Discs[k]
				off := math.Abs(d.Radius() - f.Radius())
				require.Less(t, off, 2*d.Sigma+0.5, "%v, %.0f mm rounded, %.1f rad", f, rounding, slope)
				require.Less(t, off, 5.0)
			}
		}
	}
}

// A disc with a sticker has one colour, whether it was known by its rim or by its middle.
func TestTheColourOfAWholeTopIsThatOfItsMarkAndItsRim(t *testing.T) {
	foot := board.Point{X: -60, Y: 90}
	p, c := aslope(0, 0.5, foot)
	for i := range p.W * p.H {
		u, v := float64(i%p.W), float64(i/p.W)
		if x, y := c.Camera.Unproject(u, v, c.Board.Disc.Thickness); math.Hypot(x-foot.X, y-foot.Y) < 0.6*c.Board.Disc.Radius {
			copy(p.Pix[3*i:], []float32{240, 240, 240})
		}
	}
	cam := working(c, p)
	pl := lay(p, &cam, c.Board)
	r, h := c.Board.Disc.Radius, c.Board.Disc.Thickness
	at := place{board.Point{X: foot.X * (1 + pl.lean(h)), Y: foot.Y * (1 + pl.lean(h))}, plentyOfVotes}
	rim, middle := pl.settleTop(at, r, h, markShare*r), pl.settleTop(at, r, h, 0)
	require.Greater(t, dist(rim.colour, middle.colour), 150.0)
	mix := pl.whole(&rim, r)
	require.InDeltaSlice(t, []float64{150, 150, 213}, mix[:], 15)
	require.InDelta(t, 0, dist(mix, pl.whole(&middle, r)), 10)
}
