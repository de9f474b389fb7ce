package sim

import (
	"math"

	"crokcam/board"
	"crokcam/sim/internal/exact"
)

// Restitution is constant, except that a touch slower than a millimetre a
// second loses nothing: wood, like all bodies that are dented only by hard
// blows, bounces the better the softer it is struck. It also keeps discs that
// press on one another from bouncing ever faster in ever shorter times: they
// part at the speed at which they meet, by a fraction of a micrometre, until one
// of them has gone its way. For the same reason no two bodies part more slowly
// than a hundredth of a millimetre a second.
const (
	quietSpeed = 1    // mm/s
	partSpeed  = 0.01 // mm/s
	// lastingTouch is the time within which two quiet contacts of the same bodies
	// are one touch, s.
	lastingTouch = 2e-3
	lastingSpeed = 5 * quietSpeed
)

// parting is the speed at which two bodies part that met at speed v.
func parting(v, restitution float64) float64 {
	if v <= quietSpeed {
		return max(v, partSpeed)
	}
	return max(quietSpeed, float64(restitution*v))
}

// impulse is what a contact does to the first body: along the normal, against
// it, and along the tangent.
type impulse struct {
	normal, tangent float64 // g·mm/s
}

// exchange reckons a contact from the speed of approach and of slip and how
// much of the inverse masses there is along the normal and the tangent.
func exchange(approach, part, slip, friction, byNormal, byTangent float64) impulse {
	n := (approach + part) / byNormal
	t := slip / byTangent
	if most := float64(friction * n); math.Abs(t) > most {
		t = math.Copysign(most, t)
	}
	return impulse{n, t}
}

// strikeDisc is two discs meeting.
func (r *run) strikeDisc(i, j int) {
	a, b := &r.b[i], &r.b[j]
	ax, ay := a.f.placeAt(r.now)
	bx, by := b.f.placeAt(r.now)
	l := exact.Hypot(bx-ax, by-ay)
	nx, ny := 1.0, 0.0
	if l > 0 {
		nx, ny = (bx-ax)/l, (by-ay)/l
	}
	av, bv := a.f.speedAt(r.now), b.f.speedAt(r.now)
	avx, avy := float64(a.f.ux*av), float64(a.f.uy*av)
	bvx, bvy := float64(b.f.ux*bv), float64(b.f.uy*bv)
	aw, bw := a.f.spinAt(r.now), b.f.spinAt(r.now)

	wx, wy := avx-bvx, avy-bvy
	approach := exact.Dot(wx, wy, nx, ny)
	slip := exact.Cross(nx, ny, wx, wy) + float64(r.t.r*(aw+bw))

	// A disc in the hole is held by its wall, the other one is not.
	inv := 1 / r.t.params.Disc.Mass
	bounce := r.t.params.Disc.Bounce
	invA, invB := inv, inv
	if a.f.where == InHole {
		invA, bounce = 0, r.t.params.Hole.Sunk
	}
	if b.f.where == InHole {
		invB, bounce = 0, r.t.params.Hole.Sunk
	}
	p := exchange(approach, parting(approach, bounce.Restitution), slip, bounce.Friction, invA+invB, float64(3*(invA+invB)))

	if av >= bv {
		r.note(i, Body{Disc, j}, nx, ny, approach, p.normal, -p.tangent)
	} else {
		r.note(j, Body{Disc, i}, -nx, -ny, approach, p.normal, -p.tangent)
	}
	fx, fy := float64(p.normal*nx)-float64(p.tangent*ny), float64(p.normal*ny)+float64(p.tangent*nx)
	twist := 2 * p.tangent / r.t.r
	r.restart(i, ax, ay, avx-float64(fx*invA), avy-float64(fy*invA), aw-float64(twist*invA))
	r.restart(j, bx, by, bvx+float64(fx*invB), bvy+float64(fy*invB), bw-float64(twist*invB))
}

// strikePost is a disc meeting a post.
func (r *run) strikePost(i, k int) {
	d, p := &r.b[i], r.t.posts[k]
	x, y := d.f.placeAt(r.now)
	l := exact.Hypot(p.X-x, p.Y-y)
	vx, vy, spin := r.bounceOff(i, (p.X-x)/l, (p.Y-y)/l, r.t.params.Posts, Body{Post, k}, 0)
	r.launch(i, x, y, vx, vy, spin)
}

// strikeWall is a disc in the ditch meeting the rail or the inner wall.
func (r *run) strikeWall(i int, x, y, nx, ny float64, wall Body, least float64) {
	vx, vy, spin := r.bounceOff(i, nx, ny, r.t.params.Ditch.Rail, wall, least)
	d := &r.b[i]
	if r.now-d.walled > rattleTime {
		d.rattles = 0
	}
	d.walled = r.now
	if d.rattles++; d.rattles > mostRattles || vx == 0 && vy == 0 {
		r.settle(i, x, y, InDitch, 0)
		return
	}
	r.slideOff(i, x, y, vx, vy, spin)
}

// bounceOff is the velocity and spin of a disc after it has met something fixed.
// It leaves with at least the share least of its speed along the normal, for
// which the speed along the tangent pays.
func (r *run) bounceOff(i int, nx, ny float64, bounce Bounce, off Body, least float64) (vx, vy, spin float64) {
	d, m := &r.b[i], r.t.params.Disc.Mass
	v := d.f.speedAt(r.now)
	vx, vy = float64(d.f.ux*v), float64(d.f.uy*v)
	spin = d.f.spinAt(r.now)
	approach := exact.Dot(vx, vy, nx, ny)
	along := exact.Cross(nx, ny, vx, vy)
	part := parting(approach, bounce.Restitution)
	p := exchange(approach, part, along+float64(r.t.r*spin), bounce.Friction, 1/m, 3/m)
	r.note(i, off, nx, ny, approach, p.normal, -p.tangent)
	along -= p.tangent / m
	spin -= 2 * p.tangent / float64(r.t.r*m)
	if more := float64(least * math.Abs(along)); part < more {
		kept := float64(along*along) + float64(part*part) - float64(more*more)
		along, part = math.Copysign(math.Sqrt(max(0, kept)), along), more
	}
	return -float64(part*nx) - float64(along*ny), float64(along*nx) - float64(part*ny), spin
}

// note puts a contact down. The normal points away from disc i.
func (r *run) note(i int, other Body, nx, ny, approach, normal, tangent float64) {
	d := &r.b[i]
	off := d.gone || other.Kind == Disc && r.b[other.Index].gone
	if approach < lastingSpeed && r.lasts(i, other, normal, tangent) {
		return
	}
	x, y := d.f.placeAt(r.now)
	r.touched = append(r.touched, r.now)
	r.contacts = append(r.contacts, Contact{
		At: r.now, A: Body{Disc, i}, B: other,
		Point:  board.Point{X: x + float64(r.t.r*nx), Y: y + float64(r.t.r*ny)},
		Normal: board.Point{X: nx, Y: ny}, Approach: approach,
		Impulse: normal / 1000, Friction: tangent / 1000, Off: off,
	})
}

// lasts adds a quiet contact to the one of the same bodies just before.
func (r *run) lasts(i int, other Body, normal, tangent float64) bool {
	for k := len(r.contacts) - 1; k >= 0; k-- {
		c := &r.contacts[k]
		same := c.A == Body{Disc, i} && c.B == other
		swapped := other.Kind == Disc && c.A == other && c.B == Body{Disc, i}
		if same || swapped {
			if r.now-r.touched[k] > lastingTouch {
				return false
			}
			r.touched[k] = r.now
			c.Impulse += normal / 1000
			c.Friction += tangent / 1000
			return true
		}
	}
	return false
}
