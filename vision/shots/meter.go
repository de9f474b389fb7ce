package shots

import (
	"math"
)

// meter measures how far the board has moved in the picture since it was last
// known where it lies, from the squares alone: to a fraction of one, and at a
// small part of what following the lines costs.
type meter struct {
	anchor []float32 // brightness of the squares then
	known  bool
}

func (m *meter) restart(n int) { *m = meter{anchor: make([]float32, n)} }

// set makes the board as it is the one to compare with.
func (m *meter) set(now []float32) {
	copy(m.anchor, now)
	m.known = true
}

// meterEvery is one in how many squares counts.
const meterEvery = 2

// moved is how far the board's squares have gone at the starting line, at the
// farthest, in squares: by least squares over their differences and slopes (Lucas
// and Kanade's way), for a shift, a turn and a change of size together. It is
// good for less than a square; ok is false where too little shows.
func (m *meter) moved(c *changes, g *grid, ch *chart) (squares float64, ok bool) {
	if !m.known {
		return 0, false
	}
	l := c.lightBetween(m.anchor, c.now)
	// Centre and size of the board in squares.
	var n, cx, cy, far float64
	for k, p := range ch.part {
		if p&surface != 0 {
			n, cx, cy = n+1, cx+float64(k%g.w), cy+float64(k/g.w)
		}
	}
	if n < 100 {
		return 0, false
	}
	cx, cy = cx/n, cy/n
	far = math.Sqrt(n / math.Pi)
	var a [4][4]float64
	var b [4]float64
	used := 0.0
	for y := 1; y < g.h-1; y++ {
		for x := 1 + y%meterEvery; x < g.w-1; x += meterEvery {
			k := y*g.w + x
			if ch.part[k]&(surface|between) == 0 || c.changed[k] || c.moved[k] {
				continue
			}
			gx := float64(l.gain*(m.anchor[k+1]-m.anchor[k-1])) / 2
			gy := float64(l.gain*(m.anchor[k+g.w]-m.anchor[k-g.w])) / 2
			d := float64(c.now[k] - l.gain*m.anchor[k] - l.offset)
			if w := 3*math.Hypot(gx, gy) + 6; d > w || d < -w {
				continue // no shift of less than a square or so makes that
			}
			// now = anchor − slope · shift
			px, py := (float64(x)-cx)/far, (float64(y)-cy)/far
			row := [4]float64{gx, gy, gx*px + gy*py, gy*px - gx*py}
			for i := range row {
				b[i] -= row[i] * d
				for j := i; j < 4; j++ {
					a[i][j] += row[i] * row[j]
				}
			}
			used++
		}
	}
	if used < n/4/meterEvery {
		return 0, false
	}
	for i := range a {
		for j := range i {
			a[i][j] = a[j][i]
		}
		a[i][i] += used * 0.02 // where nothing shows, nothing has moved
	}
	v, ok := solve(a, b)
	if !ok {
		return 0, false
	}
	for k := range 8 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 4)
		squares = max(squares, math.Hypot(v[0]+v[2]*cos-v[3]*sin, v[1]+v[2]*sin+v[3]*cos))
	}
	return squares, true
}

// solve is Gaussian elimination.
func solve(a [4][4]float64, b [4]float64) (x [4]float64, ok bool) {
	for i := range b {
		p := i
		for k := i + 1; k < len(b); k++ {
			if math.Abs(a[k][i]) > math.Abs(a[p][i]) {
				p = k
			}
		}
		if math.Abs(a[p][i]) < 1e-9 {
			return x, false
		}
		a[i], a[p], b[i], b[p] = a[p], a[i], b[p], b[i]
		for k := i + 1; k < len(b); k++ {
			f := a[k][i] / a[i][i]
			for q := i; q < len(b); q++ {
				a[k][q] -= f * a[i][q]
			}
			b[k] -= f * b[i]
		}
	}
	for i := len(b) - 1; i >= 0; i-- {
		x[i] = b[i]
		for k := i + 1; k < len(b); k++ {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x, true
}
