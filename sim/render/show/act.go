package show

import (
	"math"

	"crokcam/board"
	"crokcam/calibrate/camera"
	"crokcam/rules"
	"crokcam/sim"
	"crokcam/sim/play"
	"crokcam/sim/render"
)

// act is one turn as it is seen: hands, moving discs, and what is cleared away.
type act struct {
	turn     play.Turn
	match    int
	slots    []int // of Result.Discs
	shooter  int   // slot
	timeline Timeline
	visits   []visit
	moves    []move // discs that hands take elsewhere
	end      float64
}

// move is a disc that a hand takes from one place to another.
type move struct {
	slot     int
	up, down float64 // when it is lifted and put down, s
	to       lie
	hidden   bool // it goes under the palm instead of between two fingers
	hand     int  // which visit
}

// lie is how a disc lies.
type lie struct {
	foot  camera.Vec3
	axis  camera.Vec3
	turn  float64
	place render.Place
	away  bool // nowhere to be seen
}

// Timeline is when things happen around one shot, s from the beginning of the
// show.
type Timeline struct {
	HandEnter float64 `json:"hand_enter"`
	Placed    float64 `json:"shooter_placed"`
	Release   float64 `json:"t_release"`
	HandGone  float64 `json:"hand_gone_by"`
	AtRest    float64 `json:"all_at_rest"`
	Settled   float64 `json:"settled"` // the ruling has been carried out and no hand is over the board
}

// lying is a disc of the simulator as the show has it.
func (s *Show) lying(p *sim.Placed) lie {
	l := lie{foot: camera.Vec3{p.X, p.Y, p.Z}, turn: p.Angle}
	if p.Tilt != 0 {
		sin, cos := math.Sincos(p.Tilt)
		sl, cl := math.Sincos(p.Lean)
		l.axis = camera.Vec3{sin * cl, sin * sl, cos}
	}
	switch p.Where {
	case sim.InHole:
		l.place = render.InHole
	case sim.Leaning:
		l.place = render.Leaning
	case sim.InDitch:
		l.place = render.InDitch
	}
	return l
}

// stage plans the act of a turn that begins at time t; after is what lies there
// when it is over.
func (s *Show) stage(turn play.Turn, after sim.Setup, t float64) *act {
	a := &act{turn: turn}
	r := turn.Result
	spec := s.table.Spec()
	seat := seatAngle(spec, turn.Seat)
	hand := s.hands[turn.Seat]
	thick := spec.Disc.Thickness

	a.shooter = s.spare(turn.Seat)
	a.slots = s.slotsOf(turn.Setup, a.shooter)
	from := camera.Vec3{r.At(0)[r.Shot].X, r.At(0)[r.Shot].Y, 0}
	heading := s.heading(r)
	shot := visit{hand: hand}
	away := s.away(seat)
	inward := seat + math.Pi
	add := func(v *visit, dt float64, k key) {
		t += dt
		k.t = t
		v.keys = append(v.keys, k)
	}
	add(&shot, s.between(0.4, 1.1), key{tip: away, toward: inward, do: render.Pinching, holds: a.shooter})
	a.timeline.HandEnter = t
	down := over(hand, inward, from, thick)
	add(&shot, s.between(0.55, 0.85), key{tip: down, toward: inward, do: render.Pinching, holds: -1})
	a.timeline.Placed = t
	add(&shot, s.between(0.12, 0.25), key{tip: camera.Vec3{down[0], down[1], down[2] + 6}, toward: inward, do: render.Pinching, holds: -1})
	// Behind the disc, finger bent; the wrist stays on the player's side.
	back := spec.Disc.Radius + 7
	behind := camera.Vec3{from[0] - back*math.Cos(heading), from[1] - back*math.Sin(heading), 0}
	turned := inward + 0.75*math.Remainder(heading-inward, 2*math.Pi)
	add(&shot, s.between(0.3, 0.5), key{tip: behind, toward: turned, do: render.Flicking, bend: 1, holds: -1})
	add(&shot, s.between(0.15, 0.7), key{tip: behind, toward: turned, do: render.Flicking, bend: 1, holds: -1})
	add(&shot, 0.045, key{tip: behind, toward: turned, do: render.Flicking, holds: -1})
	a.timeline.Release = t
	add(&shot, s.between(0.08, 0.2), key{tip: behind, toward: turned, do: render.Flicking, holds: -1})
	add(&shot, s.between(0.35, 0.6), key{tip: away, toward: inward, do: render.Reaching, holds: -1})
	a.timeline.HandGone = t
	a.visits = append(a.visits, shot)
	a.timeline.AtRest = a.timeline.Release + r.Duration
	t = max(t, a.timeline.AtRest)
	t = s.lifts(a, after, t)
	if turn.Scored != nil {
		t = s.clear(a, t)
	}
	a.timeline.Settled = t
	a.end = t
	return a
}

// heading is the direction in which a shot starts, rad.
func (s *Show) heading(r *sim.Result) float64 {
	p, q := r.At(0)[r.Shot], r.At(min(0.002, r.Duration))[r.Shot]
	return math.Atan2(q.Y-p.Y, q.X-p.X)
}

// away is a fingertip's place out of the camera's sight, beyond the rail.
func (s *Show) away(seat float64) camera.Vec3 {
	sin, cos := math.Sincos(seat)
	return camera.Vec3{s.reach * cos, s.reach * sin, 70}
}

// lifts has the verdict carried out: 20s and dead discs are taken away, others
// put back to where they lay.
func (s *Show) lifts(a *act, after sim.Setup, t float64) float64 {
	r := a.turn.Result
	v := &a.turn.Verdict
	spec := s.table.Spec()
	next := 0
	for i := range r.Discs { // those that lie in the ditch stay there
		if r.Discs[i].Where == sim.InDitch {
			next++
		}
	}
	type job struct {
		k  int
		to lie
	}
	var jobs []job
	for i := range v.Outcomes {
		o := &v.Outcomes[i]
		k := int(o.Before)
		if k < 0 {
			k = r.Shot
		}
		d := &r.Discs[k]
		switch {
		case o.Fate == rules.Scored:
			jobs = append(jobs, job{k, s.home(s.slots[a.slots[k]].side, &s.scored)})
		case o.Fate == rules.Ditched && d.Where != sim.InDitch:
			to := lie{away: true}
			if next < len(after.Ditch) {
				p := after.Ditch[next]
				to = lie{foot: camera.Vec3{p.X, p.Y, -s.table.Params().Ditch.Depth}, turn: d.Angle, place: render.InDitch}
			}
			next++
			jobs = append(jobs, job{k, to})
		case o.Fate == rules.OnBoard && math.Hypot(o.At.X-d.X, o.At.Y-d.Y) > 0.05:
			jobs = append(jobs, job{k, lie{foot: camera.Vec3{o.At.X, o.At.Y, 0}, turn: d.Angle}})
		}
	}
	if len(jobs) == 0 {
		return t
	}
	seat := seatAngle(spec, a.turn.Seat)
	inward := seat + math.Pi
	hand := s.hands[a.turn.Seat]
	out := visit{hand: hand}
	add := func(dt float64, k key) {
		t += dt
		k.t = t
		out.keys = append(out.keys, k)
	}
	add(s.between(0.5, 1), key{tip: s.away(seat), toward: inward, do: render.Pinching, holds: -1})
	for _, j := range jobs {
		slot := a.slots[j.k]
		from := s.lying(&r.Discs[j.k])
		down := over(hand, inward, from.foot, spec.Disc.Thickness)
		add(s.between(0.45, 0.7), key{tip: down, toward: inward, do: render.Pinching, holds: -1})
		add(0.12, key{tip: down, toward: inward, do: render.Pinching, holds: slot})
		m := move{slot: slot, up: t, to: j.to, hand: len(a.visits)}
		to := s.away(seat)
		if !j.to.away {
			to = over(hand, inward, j.to.foot, spec.Disc.Thickness)
		}
		add(s.between(0.45, 0.7), key{tip: to, toward: inward, do: render.Pinching, holds: -1})
		m.down = t
		a.moves = append(a.moves, m)
		add(0.1, key{tip: to, toward: inward, do: render.Pinching, holds: -1})
	}
	add(s.between(0.3, 0.5), key{tip: s.away(seat), toward: inward, do: render.Reaching, holds: -1})
	a.visits = append(a.visits, out)
	return t
}

// clear takes every disc off the board and out of the ditch after a round: two
// players gather those of their side.
func (s *Show) clear(a *act, t float64) float64 {
	spec := s.table.Spec()
	seats := s.format.Layout.Seats()
	begin := t + s.between(0.8, 1.5)
	end := begin
	// How everything lies by then, the 20s set aside included.
	lies := append([]lie(nil), s.lies...)
	for k, slot := range a.slots {
		lies[slot] = s.lying(&a.turn.Result.Discs[k])
	}
	for _, m := range a.moves {
		lies[m.slot] = m.to
	}
	for n, seat := range []board.Seat{seats[0], seats[len(seats)/2]} {
		dir := seatAngle(spec, seat)
		hand := s.hands[seat]
		out := visit{hand: hand}
		now := begin + 0.3*float64(n)
		add := func(dt float64, k key) {
			now += dt
			k.t, k.holds, k.toward, k.do = now, -1, dir+math.Pi, render.Reaching
			out.keys = append(out.keys, k)
		}
		add(0, key{tip: s.away(dir)})
		for slot, at := range lies {
			if at.away || int(s.slots[slot].side-board.SideA)%2 != n {
				continue
			}
			// The palm covers the disc.
			sin, cos := math.Sincos(dir + math.Pi)
			add(s.between(0.24, 0.36), key{tip: camera.Vec3{at.foot[0] + 45*cos, at.foot[1] + 45*sin, at.foot[2] + 16}})
			a.moves = append(a.moves, move{slot: slot, up: now, down: now, to: lie{away: true}, hidden: true, hand: len(a.visits)})
		}
		if len(out.keys) == 1 {
			continue
		}
		add(s.between(0.4, 0.6), key{tip: s.away(dir)})
		a.visits = append(a.visits, out)
		end = max(end, now)
	}
	return end + s.between(0.8, 1.4)
}
