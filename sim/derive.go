package sim

import (
	"fmt"
	"math"

	"crokcam/board"
	"crokcam/sim/internal/exact"
)

// derived are a table's figures in the units of the computation: mm, s, g.
type derived struct {
	r, d       float64       // radius and diameter of a disc
	g          float64       // gravity, mm/s²
	slow       float64       // deceleration on the surface, mm/s²
	spinFade   float64       // of a disc spinning on the spot, rad/s²
	ditchSlow  float64       // deceleration on the ditch's floor
	ditchFade  float64       //
	posts      []board.Point // centres
	postGap    float64       // between the centres of a disc and a post that touch
	tip        float64       // radius within which a disc's centre is not held up; 0 when it does not fit the hole
	play       float64       // of a disc in the hole, all round
	catchTime  float64       // to fall by Hole.Catch, s
	leanTime   float64       // the longest delay of the lip at which a caught disc leans, s
	settleTime float64       // from being caught to lying flat, s
	proud      bool          // a disc in the hole stands out of it
	edge       float64       // radius of the surface
	wall       float64       // radius of a disc's centre when it touches the inner wall of the ditch
	rail       float64       // the same for the rail
	landTime   float64       // to fall to the ditch's floor, s
	clearTime  float64       // to fall by a disc's thickness, s
	lowTime    float64       // to fall below the tops of the discs in the ditch, s
	tipSpeed   float64       // least outward speed of a disc that goes over the edge, mm/s
}

// derive works out the figures, or says why the board cannot be simulated.
func (t *Table) derive() error {
	s, p := &t.spec, &t.params
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrTable, fmt.Sprintf(format, args...))
	}
	switch {
	case !(s.Hole.Depth > 0):
		return bad("the hole's depth is %g mm but must be more than nothing", s.Hole.Depth)
	case s.Ditch <= 2*s.Disc.Radius:
		return bad("the ditch is %g mm wide: a disc of %g mm does not fit", s.Ditch, 2*s.Disc.Radius)
	case p.Ditch.Depth < s.Disc.Thickness:
		return bad("the ditch is %g mm deep: less than a disc is thick (%g mm)", p.Ditch.Depth, s.Disc.Thickness)
	case p.Ditch.Depth < s.Disc.Radius/2:
		return bad("the ditch is %g mm deep: less than half a disc's radius (%g mm)", p.Ditch.Depth, s.Disc.Radius)
	}
	t.r, t.d = s.Disc.Radius, 2*s.Disc.Radius
	t.g = float64(1000 * p.Gravity)
	t.slow = float64(p.Surface.Friction * t.g)
	t.ditchSlow = float64(p.Ditch.Friction * t.g)
	t.spinFade = float64(4*t.slow) / float64(3*t.r)
	t.ditchFade = float64(4*t.ditchSlow) / float64(3*t.r)

	t.posts = make([]board.Point, s.Posts.Count)
	for i := range t.posts {
		sin, cos := exact.Sincos(s.Quadrants.Angle + s.Posts.Angle + 2*math.Pi*float64(i)/float64(s.Posts.Count))
		t.posts[i] = board.Point{X: float64(s.Posts.Radius * cos), Y: float64(s.Posts.Radius * sin)}
	}
	t.postGap = t.r + s.Posts.Diameter/2

	if room := float64(s.Hole.Radius*s.Hole.Radius) - float64(t.r*t.r); room > 0 {
		t.tip = math.Sqrt(room)
	}
	t.play = s.Hole.Radius - t.r
	t.catchTime = t.fallTime(p.Hole.Catch)
	t.leanTime = float64(t.catchTime * (math.Sqrt(1+p.Hole.Lean) - 1))
	t.settleTime = t.fallTime(s.Hole.Depth)
	t.proud = s.Disc.Thickness > s.Hole.Depth

	t.edge = s.Surface
	t.wall = s.Surface + t.r
	t.rail = s.Surface + s.Ditch - t.r
	t.landTime = t.fallTime(p.Ditch.Depth)
	t.clearTime = t.fallTime(s.Disc.Thickness)
	t.lowTime = t.fallTime(p.Ditch.Depth - s.Disc.Thickness)
	t.tipSpeed = t.r / t.landTime
	return nil
}

// fallTime is the time that a fall by h mm takes, s.
func (t *Table) fallTime(h float64) float64 { return math.Sqrt(2 * h / t.g) }
