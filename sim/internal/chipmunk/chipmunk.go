//go:build chipmunk

// Package chipmunk plays a shot with the stepping engine of that name, to
// measure the simulator against: discs and posts on an endless surface, with the
// same laws of friction. It is built with the tag chipmunk only and needs
// Debian's chipmunk-dev.
package chipmunk

/*
#cgo LDFLAGS: -lchipmunk -lm
#include <chipmunk/chipmunk.h>
#include <math.h>

typedef struct { double slow, fade, radius; } law;

// The velocity of a sliding disc: even deceleration along the path; the spin
// fades with the root of the speed or evenly.
static void slide(cpBody *body, cpVect gravity, cpFloat damping, cpFloat dt) {
	const law *l = (const law *)cpBodyGetUserData(body);
	cpVect v = cpBodyGetVelocity(body);
	double speed = cpvlength(v), spin = cpBodyGetAngularVelocity(body);
	double after = fmax(0, speed - l->slow * dt);
	if (fabs(spin) * l->radius > speed) {
		spin = copysign(fmax(0, fabs(spin) - l->fade * dt), spin);
	} else if (speed > 0) {
		spin *= sqrt(after / speed);
	}
	cpBodySetVelocity(body, speed > 0 ? cpvmult(v, after / speed) : cpvzero);
	cpBodySetAngularVelocity(body, spin);
}

// play moves the discs until they rest, and gives the number of steps. xy and v
// hold x and y of each disc.
static long play(int n, double *xy, double *v, double *spin, double radius, double mass, double slow, double fade,
                 int posts, const double *post, double postRadius, double elastic, double rough, double postElastic, double postRough, double step) {
	law l = {slow, fade, radius};
	cpSpace *space = cpSpaceNew();
	cpSpaceSetIterations(space, 20);
	cpSpaceSetCollisionSlop(space, 0);
	cpBody *body[64];
	cpShape *shape[64], *peg[64];
	for (int i = 0; i < n; i++) {
		body[i] = cpSpaceAddBody(space, cpBodyNew(mass, cpMomentForCircle(mass, 0, radius, cpvzero)));
		cpBodySetPosition(body[i], cpv(xy[2 * i], xy[2 * i + 1]));
		cpBodySetVelocity(body[i], cpv(v[2 * i], v[2 * i + 1]));
		cpBodySetAngularVelocity(body[i], spin[i]);
		cpBodySetUserData(body[i], &l);
		cpBodySetVelocityUpdateFunc(body[i], slide);
		shape[i] = cpSpaceAddShape(space, cpCircleShapeNew(body[i], radius, cpvzero));
		// The engine multiplies the two shapes' values.
		cpShapeSetElasticity(shape[i], sqrt(elastic));
		cpShapeSetFriction(shape[i], sqrt(rough));
	}
	for (int k = 0; k < posts; k++) {
		peg[k] = cpSpaceAddShape(space, cpCircleShapeNew(cpSpaceGetStaticBody(space), postRadius, cpv(post[2 * k], post[2 * k + 1])));
		cpShapeSetElasticity(peg[k], postElastic / sqrt(elastic));
		cpShapeSetFriction(peg[k], postRough / sqrt(rough));
	}
	long steps = 0;
	for (int moving = 1; moving && steps * step < 20; steps++) {
		cpSpaceStep(space, step);
		moving = 0;
		for (int i = 0; i < n; i++) {
			if (cpvlengthsq(cpBodyGetVelocity(body[i])) > 1e-6) moving = 1;
		}
	}
	for (int i = 0; i < n; i++) {
		cpVect p = cpBodyGetPosition(body[i]);
		xy[2 * i] = p.x;
		xy[2 * i + 1] = p.y;
		cpSpaceRemoveShape(space, shape[i]);
		cpShapeFree(shape[i]);
		cpSpaceRemoveBody(space, body[i]);
		cpBodyFree(body[i]);
	}
	for (int k = 0; k < posts; k++) {
		cpSpaceRemoveShape(space, peg[k]);
		cpShapeFree(peg[k]);
	}
	cpSpaceFree(space);
	return steps;
}
*/
import "C"

import (
	"math"
	"unsafe"

	"crokcam/board"
	"crokcam/sim"
)

// Play gives the places where the discs of Setup.Board and the shot disc come to
// rest when the engine steps by the given time, s. At most 63 discs.
func Play(t *sim.Table, start sim.Setup, shot sim.Shot, step float64) []board.Point {
	s, p := t.Spec(), t.Params()
	n := len(start.Board.Discs) + 1
	xy, v, spin := make([]float64, 2*n), make([]float64, 2*n), make([]float64, n)
	for i, d := range start.Board.Discs {
		xy[2*i], xy[2*i+1] = d.X, d.Y
	}
	xy[2*n-2], xy[2*n-1] = shot.From.X, shot.From.Y
	v[2*n-2], v[2*n-1] = shot.Speed*math.Cos(shot.Heading), shot.Speed*math.Sin(shot.Heading)
	spin[n-1] = shot.Spin
	posts := s.PostCentres()
	slow := p.Surface.Friction * p.Gravity * 1000
	c := func(v []float64) *C.double { return (*C.double)(unsafe.SliceData(v)) }
	pegs := make([]float64, 0, 2*len(posts))
	for _, q := range posts {
		pegs = append(pegs, q.X, q.Y)
	}
	C.play(C.int(n), c(xy), c(v), c(spin), C.double(s.Disc.Radius), C.double(p.Disc.Mass), C.double(slow), C.double(4*slow/(3*s.Disc.Radius)),
		C.int(len(posts)), c(pegs), C.double(s.Posts.Diameter/2), C.double(p.Disc.Restitution), C.double(p.Disc.Friction),
		C.double(p.Posts.Restitution), C.double(p.Posts.Friction), C.double(step))
	out := make([]board.Point, n)
	for i := range out {
		out[i] = board.Point{X: xy[2*i], Y: xy[2*i+1]}
	}
	return out
}
