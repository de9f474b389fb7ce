package show

import (
	"math"

	"crokcam/calibrate/camera"
	"crokcam/sim/render"
)

// farAway is where discs are that are nowhere to be seen.
var farAway = camera.Vec3{1e5, 1e5, -500}

// moments is what moves at time t, several times while the shutter is open when
// discs are fast, and which of them is the middle one.
func (s *Show) moments(t float64) ([]render.Moment, int) {
	open := shutter / s.config.FPS
	n := 1
	if px := s.fastest(t) * open * s.pxPerMM(); px > 0.7 {
		n = min(7, 1+2*int(math.Ceil(px/5)))
	}
	out := make([]render.Moment, n)
	for k := range out {
		dt := 0.0
		if n > 1 {
			dt = open * (float64(k)/float64(n-1) - 0.5)
		}
		out[k].Discs = s.discsAt(t + dt)
	}
	hands := s.handsAt(t)
	for k := range out {
		out[k].Hands = hands
	}
	return out, n / 2
}

// pxPerMM is how large a millimetre is at the board's centre.
func (s *Show) pxPerMM() float64 {
	c := s.set.Scene().Camera
	o := c.Centre()
	return c.F / math.Sqrt(o[0]*o[0]+o[1]*o[1]+o[2]*o[2])
}

// fastest is the speed of the fastest disc at time t, mm/s.
func (s *Show) fastest(t float64) float64 {
	a := s.act
	if t < a.timeline.Release-0.02 || t > a.timeline.AtRest {
		return 0
	}
	const dt = 0.004
	since := max(0, t-a.timeline.Release)
	p, q := a.turn.Result.At(since), a.turn.Result.At(since+dt)
	most := 0.0
	for i := range p {
		most = max(most, math.Hypot(q[i].X-p[i].X, q[i].Y-p[i].Y)/dt)
	}
	return most
}

// handsAt is the hands that are there at time t.
func (s *Show) handsAt(t float64) []render.Hand {
	var out []render.Hand
	for i := range s.act.visits {
		if h, _, there := s.act.visits[i].at(t); there {
			out = append(out, h)
		}
	}
	return out
}

// discsAt is every disc of the show at time t.
func (s *Show) discsAt(t float64) []render.Disc {
	lies, held := s.liesAt(t)
	out := make([]render.Disc, len(s.slots))
	for i := range s.slots {
		d := s.slots[i].look
		l := &lies[i]
		d.ID, d.Foot, d.Axis, d.Place, d.Carried = i, l.foot, l.axis, l.place, held[i]
		d.Turn += l.turn
		if l.away {
			d.Foot, d.Place = farAway, render.OnTable
		}
		out[i] = d
	}
	return out
}

// liesAt is how the slots lie at time t, and which of them a hand holds.
func (s *Show) liesAt(t float64) (lies []lie, held []bool) {
	a := s.act
	r := a.turn.Result
	lies, held = append([]lie(nil), s.lies...), make([]bool, len(s.lies))
	if t >= a.timeline.Release {
		now := r.At(t - a.timeline.Release)
		for k, slot := range a.slots {
			lies[slot] = s.lying(&now[k])
		}
	} else {
		// The shot disc comes with the hand.
		start := r.At(0)[r.Shot]
		lies[a.shooter] = lie{away: true}
		h, k, there := a.visits[0].at(t)
		switch {
		case t >= a.timeline.Placed:
			lies[a.shooter] = s.lying(&start)
		case there && k.holds == a.shooter:
			lies[a.shooter] = lie{foot: grip(h, s.table.Spec().Disc.Thickness), turn: start.Angle}
			held[a.shooter] = true
		}
	}
	for _, m := range a.moves {
		switch {
		case t >= m.down:
			lies[m.slot] = m.to
		case t >= m.up:
			held[m.slot] = true
			if h, _, there := a.visits[m.hand].at(t); there && !m.hidden {
				lies[m.slot] = lie{foot: grip(h, s.table.Spec().Disc.Thickness), turn: lies[m.slot].turn}
			} else {
				lies[m.slot] = lie{away: true}
			}
		}
	}
	return lies, held
}
