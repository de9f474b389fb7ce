package shots

import (
	"math"

	"crokcam/board"
	"crokcam/vision/capture"
)

// A disc that another one only grazes moves by a millimetre or two: less than
// where it lies can be told, but not less than a picture of it can be told from
// the one before.
const (
	nudgeNear  = 10.0 // mm between edges within which something must have come or passed
	nudgeFrom  = 0.5  // mm
	nudgeMost  = 4.0  // mm; farther ones are seen to lie elsewhere
	hidesRim   = 3.0  // mm between edges: what has come so near makes seem what it has not touched as if it had been
	nudgeScale = 10.0 // levels of difference that shadows and noise make
)

// remember keeps the picture of the board as it lies.
func (w *Watcher) remember(f *capture.Frame) {
	if w.lying.SetSize(f.Width, f.Height) == nil {
		copy(w.lying.Pix, f.Pix)
		w.lying.FullRange, w.lying.BT709 = f.FullRange, f.BT709
		w.tonedLying = w.toned
	}
}

// remembers tells whether there is a picture of the board as it lay that a frame can
// be compared with.
func (w *Watcher) remembers(f *capture.Frame) bool {
	return w.lying.Width == f.Width && w.lying.Height == f.Height
}

// stir is what the pictures of discs say of them, which are of Before.
type stir struct {
	nudged  []int // they have been grazed
	unmoved []int // they have certainly not moved
	either  []int // they seem to have moved by one of picture and place, or where another lies now that hides a rim
}

// nudge moves the discs of after that have been grazed to where they lie now, and
// those that have not moved, though something of their places looks otherwise, to where
// they lay.
func (w *Watcher) nudge(f *capture.Frame, before, after []Disc, flew *track) (s stir) {
	if !w.remembers(f) || w.looks.fresh {
		return s
	}
	reach := 2*w.cal.Board.Disc.Radius + nudgeNear
	was := func(d *Disc) int { return nearest(before, nil, d.Point, nudgeMost) }
	for j := range after {
		i := was(&after[j])
		if i < 0 || after[j].Rest != before[i].Rest || after[j].Rest == board.InHole {
			continue
		}
		near, against := flew != nil && flew.nearest(before[i].Point, 0, math.MaxInt64) < reach, false
		for k := range after {
			if k != j && was(&after[k]) < 0 {
				gap := apart(after[k].Point, after[j].Point)
				near, against = near || gap < reach, against || gap < reach-nudgeNear+hidesRim
			}
		}
		if !near && w.touched(before[i].Point) < untouched {
			continue
		}
		by, ok := w.shifted(f, &before[i])
		switch d := math.Hypot(by.X, by.Y); {
		case !ok || d > nudgeMost:
			continue
		case d < nudgeFrom && apart(before[i].Point, after[j].Point) > 2*math.Hypot(before[i].Sigma, after[j].Sigma):
			s.either = append(s.either, i)
			continue
		case d < nudgeFrom:
			by, s.unmoved = board.Point{}, append(s.unmoved, i)
		case against:
			s.either = append(s.either, i)
			continue
		case near && after[j].Rest == board.OnSurface:
			s.nudged = append(s.nudged, i)
		default:
			continue
		}
		after[j].Point = board.Point{X: before[i].X + by.X, Y: before[i].Y + by.Y}
		after[j].Top = board.Point{X: before[i].Top.X + by.X, Y: before[i].Top.Y + by.Y}
	}
	return s
}

// shifted is by how much the picture of a disc has gone since the board was
// remembered, mm: robust least squares over differences and slopes. What has
// changed around it counts little.
func (w *Watcher) shifted(f *capture.Frame, d *Disc) (by board.Point, ok bool) {
	cam := w.cal.Camera
	u0, v0 := cam.Project(d.Top.X, d.Top.Y, 0)
	r := (w.cal.Board.Disc.Radius + 1.5) / w.cal.Quality.MMPerPx
	x0, y0, x1, y1 := int(u0-r), int(v0-r), int(u0+r)+1, int(v0+r)+1
	if x0 < 6 || y0 < 6 || x1 >= f.Width-6 || y1 >= f.Height-6 {
		return by, false
	}
	lying := w.lying.Y
	var dx, dy, lift float64 // px, px, levels
	for range 6 {
		var a [4][4]float64
		var b [4]float64
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				if math.Hypot(float64(x)-u0, float64(y)-v0) > r {
					continue
				}
				k := y*f.Width + x
				gx := (float64(lying[k+1]) - float64(lying[k-1])) / 2
				gy := (float64(lying[k+f.Width]) - float64(lying[k-f.Width])) / 2
				e := lumaAt(f, float64(x)+dx, float64(y)+dy) - lift - float64(lying[k])
				wt := 1 / (1 + e*e/(nudgeScale*nudgeScale+4*(gx*gx+gy*gy)))
				row := [4]float64{gx, gy, -1}
				for i := range row {
					b[i] -= wt * row[i] * e
					for j := range row {
						a[i][j] += wt * row[i] * row[j]
					}
				}
			}
		}
		a[3][3] = 1
		for i := range 2 {
			a[i][i]++
		}
		s, solved := solve(a, b)
		if !solved {
			return by, false
		}
		dx, dy, lift = dx+s[0], dy+s[1], lift+s[2]
		if math.Hypot(dx, dy) > 5 {
			return by, false
		}
		if math.Hypot(s[0], s[1]) < 0.01 {
			break
		}
	}
	// The top has gone on the plan by what it has gone in the picture.
	ax, ay := cam.Unproject(u0, v0, 0)
	bx, by1 := cam.Unproject(u0+dx, v0+dy, 0)
	return board.Point{X: bx - ax, Y: by1 - ay}, true
}

// lumaAt is the luma between pixels.
func lumaAt(f *capture.Frame, u, v float64) float64 {
	x, y := int(u), int(v)
	fx, fy := u-float64(x), v-float64(y)
	k := y*f.Width + x
	top := float64(f.Y[k])*(1-fx) + float64(f.Y[k+1])*fx
	bottom := float64(f.Y[k+f.Width])*(1-fx) + float64(f.Y[k+f.Width+1])*fx
	return top*(1-fy) + bottom*fy
}
