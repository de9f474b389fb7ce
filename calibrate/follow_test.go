package calibrate_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"gocv.io/x/gocv"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
)

// picture is one of the ray-traced pictures, at its working size.
func picture(t testing.TB, name string) *raster.Picture {
	t.Helper()
	m := gocv.IMRead("../testdata/renders/"+name+".jpg", gocv.IMReadColor)
	defer m.Close()
	p, err := raster.FromMat(m, calibrate.WorkingSize)
	require.NoError(t, err)
	return p
}

// truthOf is the camera that a ray-traced picture was taken with, over the
// board as its players see it.
func truthOf(t testing.TB, name string) camera.Camera {
	t.Helper()
	data, err := os.ReadFile("../testdata/renders/" + name + ".json")
	require.NoError(t, err)
	var v struct {
		Size   [2]int
		Camera struct {
			K          camera.Mat3
			Distortion struct{ K1 float64 }
			R          camera.Mat3
			T          camera.Vec3 `json:"t_mm"`
		}
		Board struct {
			Rotation float64 `json:"rotation_deg"` // of a quadrant line
		}
	}
	require.NoError(t, json.Unmarshal(data, &v))
	c := v.Camera
	cam := camera.Camera{Width: v.Size[0], Height: v.Size[1], F: c.K[0][0], CX: c.K[0][2], CY: c.K[1][2], K1: c.Distortion.K1, R: c.R, T: c.T}
	require.NoError(t, cam.Validate())
	return cam.Turned((v.Board.Rotation - 45) * math.Pi / 180)
}

func TestRoughPointsAreEnoughToFollowTheLines(t *testing.T) {
	spec := board.Tournament26()
	for _, name := range []string{"dev_02", "dev_07", "dev_12"} {
		t.Run(name, func(t *testing.T) {
			truth := truthOf(t, name)
			var pts []calibrate.Point
			for i, place := range []string{"start@0", "start@90", "start@180", "start@270", "ten@45", "ten@225"} {
				s, c := math.Sincos([]float64{0, 90, 180, 270, 45, 225}[i] * math.Pi / 180)
				r := spec.Start.Inner()
				if i > 3 {
					r = spec.Ten.Inner()
				}
				u, v := truth.Project(r*c, r*s, 0)
				off := 5 * float64(i%2*2-1) // px
				pts = append(pts, calibrate.Point{Name: place, U: u + off, V: v - 0.6*off})
			}
			rough, err := calibrate.FromPoints(truth.Width, truth.Height, pts, calibrate.Options{})
			require.NoError(t, err)
			require.Greater(t, farthest(truth, rough.Camera, spec, false), 5.0, "as rough as it is meant to be")
			c, err := calibrate.Refine(picture(t, name), rough, calibrate.Options{})
			require.NoError(t, err)
			require.Equal(t, "points", c.Method)
			require.False(t, c.Quality.Posed)
			require.Less(t, farthest(truth, c.Camera, spec, true), 1.5)
			require.Less(t, farthest(truth, c.Camera, spec, false), 5.0, "turned as the points say")
			require.Greater(t, c.Quality.Coverage, 0.7)
		})
	}
}

func TestRoughRingsAreEnoughToFollowTheLines(t *testing.T) {
	spec := board.Tournament26()
	truth := truthOf(t, "dev_07")
	rings := ellipses(truth, spec, "ten", "start")
	rings[0].CX += 3
	rings[1].A += 4
	rough, err := calibrate.FromRings(truth.Width, truth.Height, rings, calibrate.Options{})
	require.NoError(t, err)
	c, err := calibrate.Refine(picture(t, "dev_07"), rough, calibrate.Options{})
	require.NoError(t, err)
	require.Equal(t, "rings", c.Method)
	require.Less(t, farthest(truth, c.Camera, spec, true), 1.5)
}

func TestLinesThatAreNotThereAreNotFollowed(t *testing.T) {
	truth := truthOf(t, "dev_07")
	elsewhere := truth
	elsewhere.T[0] += 150
	spec := board.Tournament26()
	c := &calibrate.Calibration{Schema: calibrate.Schema, Method: "points", Camera: elsewhere, Board: spec}
	_, err := calibrate.Refine(picture(t, "dev_07"), c, calibrate.Options{})
	require.ErrorIs(t, err, calibrate.ErrNotFound)
}
