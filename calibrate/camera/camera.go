// Package camera is the pinhole model that ties a picture to a board: project
// board millimetres to pixels, and pixels back to a plane above the board.
//
// The board frame is that of package board. The camera frame has x right, y
// down and z forward; pixel centres are whole numbers.
package camera

import (
	"errors"
	"fmt"
	"math"
)

// Vec3 is a point or a direction in three dimensions, mm.
type Vec3 [3]float64

// Mat3 is a 3×3 matrix, row by row.
type Mat3 [3][3]float64

// Camera is a pinhole with square pixels and one term of radial distortion:
// x' = x·(1 + k1·|x|²) on the normalised image plane, as OpenCV has it.
type Camera struct {
	Width  int     `json:"width"`  // px
	Height int     `json:"height"` // px
	F      float64 `json:"f"`      // focal length, px
	CX     float64 `json:"cx"`     // principal point, px
	CY     float64 `json:"cy"`
	K1     float64 `json:"k1"`
	R      Mat3    `json:"r"` // board to camera
	T      Vec3    `json:"t"` // mm
}

// ErrCamera marks a camera that cannot have taken a picture of a board.
var ErrCamera = errors.New("camera: impossible parameters")

// Validate reports what is wrong with the camera, wrapped in ErrCamera.
func (c Camera) Validate() error {
	for _, v := range []float64{c.F, c.CX, c.CY, c.K1, c.T[0], c.T[1], c.T[2]} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: a parameter is not a number", ErrCamera)
		}
	}
	if c.F <= 0 {
		return fmt.Errorf("%w: the focal length is %g px", ErrCamera, c.F)
	}
	if c.Width <= 0 || c.Height <= 0 {
		return fmt.Errorf("%w: the picture is %d × %d px", ErrCamera, c.Width, c.Height)
	}
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
			if !(math.Abs(dot-want) < 1e-3) {
				return fmt.Errorf("%w: r is no rotation", ErrCamera)
			}
		}
	}
	if c.T[2] <= 0 || c.Centre()[2] <= 0 {
		return fmt.Errorf("%w: the board is not in front of the camera", ErrCamera)
	}
	return nil
}

// Project maps a point in the board frame (mm) to the picture (px). Points
// behind the camera give NaN.
func (c *Camera) Project(x, y, z float64) (u, v float64) {
	xc := c.R[0][0]*x + c.R[0][1]*y + c.R[0][2]*z + c.T[0]
	yc := c.R[1][0]*x + c.R[1][1]*y + c.R[1][2]*z + c.T[1]
	zc := c.R[2][0]*x + c.R[2][1]*y + c.R[2][2]*z + c.T[2]
	if zc <= 0 {
		return math.NaN(), math.NaN()
	}
	xn, yn := xc/zc, yc/zc
	d := 1 + c.K1*(xn*xn+yn*yn)
	return c.F*xn*d + c.CX, c.F*yn*d + c.CY
}

// Ray is a straight line on the surface, from the board's centre outwards.
type Ray struct {
	c       *Camera
	forward Vec3 // per mm of radius, in the camera frame
}

// Ray is the one at angle a (rad).
func (c *Camera) Ray(a float64) Ray {
	s, k := math.Sincos(a)
	var f Vec3
	for i := range 3 {
		f[i] = c.R[i][0]*k + c.R[i][1]*s
	}
	return Ray{c, f}
}

// Project is the pixel of the ray's point r mm from the centre.
func (y *Ray) Project(r float64) (u, v float64) {
	c := y.c
	z := c.T[2] + r*y.forward[2]
	if z <= 0 {
		return math.NaN(), math.NaN()
	}
	k := 1 / z
	xn, yn := (c.T[0]+r*y.forward[0])*k, (c.T[1]+r*y.forward[1])*k
	d := c.F * (1 + c.K1*(xn*xn+yn*yn))
	return d*xn + c.CX, d*yn + c.CY
}

// Unproject maps a pixel to the board-frame point (mm) at height z above the
// surface. Rays that miss the plane give NaN.
func (c *Camera) Unproject(u, v, z float64) (x, y float64) {
	xn, yn := c.undistort((u-c.CX)/c.F, (v-c.CY)/c.F)
	// The ray in the board frame: centre + s·Rᵀ(xn, yn, 1).
	o := c.Centre()
	dx := c.R[0][0]*xn + c.R[1][0]*yn + c.R[2][0]
	dy := c.R[0][1]*xn + c.R[1][1]*yn + c.R[2][1]
	dz := c.R[0][2]*xn + c.R[1][2]*yn + c.R[2][2]
	s := (z - o[2]) / dz
	if !(s > 0) {
		return math.NaN(), math.NaN()
	}
	return o[0] + s*dx, o[1] + s*dy
}

// undistort inverts the radial term by Newton's method on the radius.
func (c *Camera) undistort(x, y float64) (float64, float64) {
	if c.K1 == 0 {
		return x, y
	}
	rd := math.Sqrt(x*x + y*y)
	if rd == 0 {
		return x, y
	}
	r := rd
	for range 12 {
		g := r*(1+c.K1*r*r) - rd
		h := 1 + 3*c.K1*r*r
		if h < 0.1 { // past the fold of a strong barrel: no such ray
			return math.NaN(), math.NaN()
		}
		step := g / h
		r -= step
		if math.Abs(step) < 1e-7 { // what is left is its square
			break
		}
	}
	k := r / rd
	return x * k, y * k
}

// Centre is the camera's position in the board frame, mm.
func (c *Camera) Centre() Vec3 {
	var o Vec3
	for i := range 3 {
		o[i] = -(c.R[0][i]*c.T[0] + c.R[1][i]*c.T[1] + c.R[2][i]*c.T[2])
	}
	return o
}

// Tilt is the angle between the optical axis and the board's normal, rad.
func (c *Camera) Tilt() float64 {
	return math.Acos(math.Max(-1, math.Min(1, -c.R[2][2])))
}

// Turned is the camera with the board frame turned by a (rad,
// counter-clockwise): what was at angle a is then at angle 0.
func (c Camera) Turned(a float64) Camera {
	s, k := math.Sincos(a)
	for i := range 3 {
		x, y := c.R[i][0], c.R[i][1]
		c.R[i][0] = k*x + s*y
		c.R[i][1] = -s*x + k*y
	}
	return c
}

// Scaled is the camera of the same picture resized by s.
func (c Camera) Scaled(s float64) Camera {
	c.Width = int(math.Round(float64(c.Width) * s))
	c.Height = int(math.Round(float64(c.Height) * s))
	c.F *= s
	// Pixel centres are whole numbers, so the picture's corner is at -0.5.
	c.CX = (c.CX+0.5)*s - 0.5
	c.CY = (c.CY+0.5)*s - 0.5
	return c
}

// Facing is the rotation whose board normal is n (a unit vector in the camera
// frame that points towards the camera) and whose x axis is as close to the
// picture's right as the plane allows.
func Facing(n Vec3) Mat3 {
	x := Vec3{1 - n[0]*n[0], -n[0] * n[1], -n[0] * n[2]}
	l := math.Sqrt(x[0]*x[0] + x[1]*x[1] + x[2]*x[2])
	for i := range x {
		x[i] /= l
	}
	y := Vec3{n[1]*x[2] - n[2]*x[1], n[2]*x[0] - n[0]*x[2], n[0]*x[1] - n[1]*x[0]}
	return Mat3{{x[0], y[0], n[0]}, {x[1], y[1], n[1]}, {x[2], y[2], n[2]}}
}

// Rotate turns the camera-side of a rotation by the rotation vector w (rad).
func Rotate(r Mat3, w Vec3) Mat3 {
	th := math.Sqrt(w[0]*w[0] + w[1]*w[1] + w[2]*w[2])
	if th < 1e-15 {
		return r
	}
	k := Vec3{w[0] / th, w[1] / th, w[2] / th}
	s, c := math.Sincos(th)
	v := 1 - c
	q := Mat3{
		{c + k[0]*k[0]*v, k[0]*k[1]*v - k[2]*s, k[0]*k[2]*v + k[1]*s},
		{k[1]*k[0]*v + k[2]*s, c + k[1]*k[1]*v, k[1]*k[2]*v - k[0]*s},
		{k[2]*k[0]*v - k[1]*s, k[2]*k[1]*v + k[0]*s, c + k[2]*k[2]*v},
	}
	var out Mat3
	for i := range 3 {
		for j := range 3 {
			out[i][j] = q[i][0]*r[0][j] + q[i][1]*r[1][j] + q[i][2]*r[2][j]
		}
	}
	return out
}
