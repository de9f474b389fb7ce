package sim

import (
	"math"

	"crokcam/board"
	"crokcam/sim/internal/exact"
)

// overlapMM is how far two discs of a setup may overlap before it cannot be
// right. Less is taken for touching: places that were measured are not exact.
const overlapMM = 2

// load puts the discs down and flicks the shot disc.
func (r *run) load(start Setup, shot Shot) error {
	n := len(start.Board.Discs)
	switch {
	case n+1+len(start.Ditch) > MaxDiscs:
		return setupErr("%d discs are more than can be simulated (%d)", n+1+len(start.Ditch), MaxDiscs)
	case len(start.Angles) > 0 && len(start.Angles) != n:
		return setupErr("%d angles for %d discs", len(start.Angles), n)
	case !(shot.Speed >= 0 && shot.Speed <= MaxSpeed):
		return setupErr("a shot at %g mm/s: it must be from 0 to %d", shot.Speed, MaxSpeed)
	case !(math.Abs(shot.Heading) <= exact.MaxAngle):
		return setupErr("a heading of %g rad", shot.Heading)
	case !(math.Abs(shot.Spin) <= MaxSpeed):
		return setupErr("a spin of %g rad/s", shot.Spin)
	}
	for i := range start.Board.Discs {
		d := &start.Board.Discs[i]
		where := OnSurface
		switch d.Rest {
		case board.InHole:
			where = InHole
		case board.Leaning:
			where = Leaning
		case board.Standing:
			return setupErr("disc %d stands on its rim, which is not simulated", i)
		}
		angle := 0.0
		if len(start.Angles) > 0 {
			angle = start.Angles[i]
		}
		if err := r.put(d.Point, d.Side, angle, where); err != nil {
			return err
		}
	}
	if err := r.put(shot.From, shot.Side, 0, OnSurface); err != nil {
		return err
	}
	for _, d := range start.Ditch {
		if err := r.put(d.Point, d.Side, d.Angle, InDitch); err != nil {
			return err
		}
	}
	r.rested = 0 // nothing moves yet that could meet them
	sin, cos := exact.Sincos(shot.Heading)
	r.launch(n, shot.From.X, shot.From.Y, float64(shot.Speed*cos), float64(shot.Speed*sin), shot.Spin)
	return nil
}

// put lays one disc down.
func (r *run) put(p board.Point, side board.Side, angle float64, where Where) error {
	i := len(r.b)
	if !finite(p.X) || !finite(p.Y) || !finite(angle) {
		return setupErr("disc %d: its place or angle is not a number", i)
	}
	if where == InDitch {
		if l := exact.Hypot(p.X, p.Y); l < r.t.edge || l > r.t.rail+r.t.d {
			return setupErr("disc %d lies %.1f mm from the middle: not in the ditch", i, l)
		}
	} else if err := r.fits(i, p); err != nil {
		return err
	}
	f := flight{x: p.X, y: p.Y, angle: angle, where: where, law: evenly}
	if where == InHole {
		r.filled = true
		f.z = -r.t.spec.Hole.Depth
	}
	f.prev, f.fell = -1, longAgo
	r.b = append(r.b, body{f: f, side: side, x: p.X, y: p.Y, last: int32(len(r.flights))})
	r.flights = append(r.flights, f)
	if where == InDitch {
		r.stack(i, p.X, p.Y)
		r.b[i].f.z = r.floor(&r.b[i])
		r.flights[i].z = r.b[i].f.z
	}
	return nil
}

// fits checks that a disc on the board can lie there.
func (r *run) fits(i int, p board.Point) error {
	if l := exact.Hypot(p.X, p.Y); l > r.t.edge {
		return setupErr("disc %d lies %.1f mm from the middle: off the surface (%.1f mm)", i, l, r.t.edge)
	}
	for k := range r.b {
		if gap := exact.Hypot(r.b[k].x-p.X, r.b[k].y-p.Y) - r.t.d; gap < -overlapMM {
			return setupErr("disc %d overlaps disc %d by %.1f mm", i, k, -gap)
		}
	}
	for k, q := range r.t.posts {
		if gap := exact.Hypot(q.X-p.X, q.Y-p.Y) - r.t.postGap; gap < -overlapMM {
			return setupErr("disc %d overlaps post %d by %.1f mm", i, k, -gap)
		}
	}
	return nil
}
