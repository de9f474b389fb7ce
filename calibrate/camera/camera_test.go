package camera_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/calibrate/camera"
)

// anyCamera looks at a board from up to 50° off straight above.
func anyCamera(t *rapid.T) camera.Camera {
	tilt := rapid.Float64Range(0, 50*math.Pi/180).Draw(t, "tilt")
	round := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "round")
	s, c := math.Sincos(tilt)
	sr, cr := math.Sincos(round)
	w := rapid.SampledFrom([]int{640, 1600, 4032}).Draw(t, "width")
	cam := camera.Camera{
		Width: w, Height: w * 3 / 4,
		F:  rapid.Float64Range(0.7, 1.6).Draw(t, "focal length") * float64(w),
		K1: rapid.Float64Range(-0.12, 0.06).Draw(t, "distortion"),
		CX: float64(w-1)/2 + 3, CY: float64(w)*3/8 - 4,
		R: camera.Facing(camera.Vec3{s * cr, s * sr, -c}),
		T: camera.Vec3{40, -30, rapid.Float64Range(1000, 2500).Draw(t, "distance")},
	}
	return cam.Turned(rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "turn"))
}

func place(t *rapid.T) (x, y, z float64) {
	return rapid.Float64Range(-330, 330).Draw(t, "x"), rapid.Float64Range(-330, 330).Draw(t, "y"), rapid.Float64Range(0, 20).Draw(t, "z")
}

func TestAPixelLeadsBackToThePlaceItShows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCamera(t)
		require.NoError(t, c.Validate())
		x, y, z := place(t)
		u, v := c.Project(x, y, z)
		x2, y2 := c.Unproject(u, v, z)
		require.InDelta(t, x, x2, 1e-6)
		require.InDelta(t, y, y2, 1e-6)
	})
}

func TestAResizedPictureShowsTheSamePlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCamera(t)
		half := c.Scaled(0.5)
		require.Equal(t, c.Width/2, half.Width)
		x, y, z := place(t)
		u, v := c.Project(x, y, z)
		us, vs := half.Project(x, y, z)
		// Pixel centres are whole numbers: the corner of both pictures is at -0.5.
		require.InDelta(t, (u+0.5)/2-0.5, us, 1e-9)
		require.InDelta(t, (v+0.5)/2-0.5, vs, 1e-9)
	})
}

func TestATurnedBoardLooksTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCamera(t)
		a := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "by")
		turned := c.Turned(a)
		require.InDelta(t, c.Tilt(), turned.Tilt(), 1e-9)
		r, at, z := rapid.Float64Range(0, 330).Draw(t, "r"), rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "at"), 7.0
		u, v := c.Project(r*math.Cos(at), r*math.Sin(at), z)
		ut, vt := turned.Project(r*math.Cos(at-a), r*math.Sin(at-a), z)
		require.InDelta(t, u, ut, 1e-6)
		require.InDelta(t, v, vt, 1e-6)
	})
}

func TestTheCameraIsWhereItsOwnPictureHasNoDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCamera(t)
		o := c.Centre()
		for i := range 3 {
			require.InDelta(t, 0, c.R[i][0]*o[0]+c.R[i][1]*o[1]+c.R[i][2]*o[2]+c.T[i], 1e-6)
		}
		require.Positive(t, o[2], "above the board")
	})
}

func TestRotationsStayRotations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCamera(t)
		angle := rapid.Float64Range(-3, 3)
		c.R = camera.Rotate(c.R, camera.Vec3{angle.Draw(t, "a"), angle.Draw(t, "b"), angle.Draw(t, "c")})
		c.R = camera.Rotate(c.R, camera.Vec3{})
		for i := range 3 {
			for j := range 3 {
				dot := 0.0
				for k := range 3 {
					dot += c.R[i][k] * c.R[j][k]
				}
				want := 0.0
				if i == j {
					want = 1
				}
				require.InDelta(t, want, dot, 1e-9)
			}
		}
	})
}

func TestWhatIsNotInViewHasNoPixelAndNoPlace(t *testing.T) {
	c := camera.Camera{Width: 1600, Height: 1200, F: 1500, CX: 799.5, CY: 599.5, K1: -0.2, R: camera.Facing(camera.Vec3{0, 0, -1}), T: camera.Vec3{0, 0, 1500}}
	u, _ := c.Project(0, 0, 2000)
	require.True(t, math.IsNaN(u), "behind the camera")
	x, _ := c.Unproject(9e4, 0, 0)
	require.True(t, math.IsNaN(x), "past what the lens can show")
	flat := c
	flat.R = camera.Facing(camera.Vec3{0, -math.Sqrt(0.75), -0.5})
	flat.K1 = 0
	x, _ = flat.Unproject(800, -5000, 0)
	require.True(t, math.IsNaN(x), "above the horizon")
}

func TestACameraThatCannotBeIsRefused(t *testing.T) {
	good := camera.Camera{Width: 1600, Height: 1200, F: 1500, CX: 799.5, CY: 599.5, R: camera.Facing(camera.Vec3{0, 0, -1}), T: camera.Vec3{0, 0, 1500}}
	require.NoError(t, good.Validate())
	for name, spoil := range map[string]func(*camera.Camera){
		"no picture":              func(c *camera.Camera) { c.Width = 0 },
		"no focal length":         func(c *camera.Camera) { c.F = 0 },
		"not a number":            func(c *camera.Camera) { c.K1 = math.NaN() },
		"a mirror":                func(c *camera.Camera) { c.R[0][0] = 2 },
		"a board behind":          func(c *camera.Camera) { c.T[2] = -1500 },
		"a board seen from below": func(c *camera.Camera) { c.R = camera.Mat3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} },
	} {
		t.Run(name, func(t *testing.T) {
			c := good
			spoil(&c)
			require.ErrorIs(t, c.Validate(), camera.ErrCamera)
		})
	}
}

// The derivatives say what a small change of each parameter does to the place
// that a pixel shows.
func TestSensitivityIsTheDerivativeOfUnproject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCamera(t)
		x, y := rapid.Float64Range(-330, 330).Draw(t, "x"), rapid.Float64Range(-330, 330).Draw(t, "y")
		u, v := c.Project(x, y, 0)
		ay, ax := math.Sincos(rapid.Float64Range(0, 2*math.Pi).Draw(t, "direction"))
		s := c.Sensitivity(x, y, ax, ay)
		same := func(what string, derivative, step float64, change func(c *camera.Camera, h float64)) {
			move := func(h float64) float64 {
				n := c
				change(&n, h)
				x2, y2 := n.Unproject(u, v, 0)
				return (x2-x)*ax + (y2-y)*ay
			}
			want := (move(step) - move(-step)) / (2 * step)
			require.InDelta(t, want, derivative, 1e-3*(1+math.Abs(want)), what)
		}
		for i, axis := range []string{"x", "y", "z"} {
			same("turn about "+axis, s.Turn[i], 1e-5, func(c *camera.Camera, h float64) {
				var w camera.Vec3
				w[i] = h
				c.R = camera.Rotate(c.R, w)
			})
			same("shift along "+axis, s.Shift[i], 1e-3, func(c *camera.Camera, h float64) { c.T[i] += h })
		}
		same("focal length", s.LogF, 1e-5, func(c *camera.Camera, h float64) { c.F *= math.Exp(h) })
		same("k1", s.K1, 1e-5, func(c *camera.Camera, h float64) { c.K1 += h })
		same("principal point, u", s.Centre[0], 1e-2, func(c *camera.Camera, h float64) { c.CX += h })
		same("principal point, v", s.Centre[1], 1e-2, func(c *camera.Camera, h float64) { c.CY += h })
	})
}
