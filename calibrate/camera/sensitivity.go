package camera

// Sensitivity says how the place on the surface that a pixel shows moves, mm
// in one direction of the board, when a parameter of the camera changes.
type Sensitivity struct {
	Turn   [3]float64 // per rad of the board's turn about the camera's x, y and z axes, as Rotate has it
	Shift  [3]float64 // per mm of T
	LogF   float64    // per unit of the focal length's logarithm
	K1     float64
	Centre [2]float64 // per px of the principal point
}

// Sensitivity is that of the pixel that shows the place (x, y) on the surface,
// in the direction of the unit vector (ax, ay). It is the derivative of
// Unproject, by way of that of Project: the pixel stays, so that whatever the
// place's projection gains by the camera's change, the place must undo.
func (c *Camera) Sensitivity(x, y, ax, ay float64) Sensitivity {
	// The place in the camera frame, from the board's centre.
	q := Vec3{c.R[0][0]*x + c.R[0][1]*y, c.R[1][0]*x + c.R[1][1]*y, c.R[2][0]*x + c.R[2][1]*y}
	z := q[2] + c.T[2]
	xn, yn := (q[0]+c.T[0])/z, (q[1]+c.T[1])/z

	// (gx, gy): mm in the wanted direction per unit of the normalised image
	// plane, by inverting the plane's 2 × 2 derivative by the place.
	j00, j01 := c.R[0][0]-xn*c.R[2][0], c.R[0][1]-xn*c.R[2][1]
	j10, j11 := c.R[1][0]-yn*c.R[2][0], c.R[1][1]-yn*c.R[2][1]
	k := z / (j00*j11 - j01*j10)
	gx, gy := k*(j11*ax-j10*ay), k*(j00*ay-j01*ax)

	var s Sensitivity
	// A move of the place by p in the camera frame is seen as h·p.
	h := Vec3{-gx / z, -gy / z, (gx*xn + gy*yn) / z}
	s.Shift = h
	s.Turn = Vec3{h[2]*q[1] - h[1]*q[2], h[0]*q[2] - h[2]*q[0], h[1]*q[0] - h[0]*q[1]}

	// The lens: where the pixel lies on the normalised plane.
	rr := xn*xn + yn*yn
	d := 1 + c.K1*rr
	e := d + 2*c.K1*rr // of the distorted radius, per undistorted
	along := gx*xn + gy*yn
	s.LogF = -along * d / e
	s.K1 = -along * rr / e
	s.Centre[0] = -(gx - 2*c.K1*xn*along/e) / (d * c.F)
	s.Centre[1] = -(gy - 2*c.K1*yn*along/e) / (d * c.F)
	return s
}
