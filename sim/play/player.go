package play

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"crokcam/board"
	"crokcam/rules"
	"crokcam/sim"
	"crokcam/sim/internal/exact"
)

// Aim is what a player tries.
type Aim uint8

// The aims.
const (
	OpenTwenty  Aim = iota // into the hole, with no opposing disc in play
	Hide                   // to a place behind a post
	TakeOut                // straight at an opposing disc
	Ricochet               // off a post
	Combination            // through an own disc
)

// String is the aim's word: "open_20", "hide", "take_out", "ricochet" or
// "combination".
func (a Aim) String() string {
	return [...]string{"open_20", "hide", "take_out", "ricochet", "combination"}[a]
}

// Plan is what a player means to do.
type Plan struct {
	Aim    Aim
	Target int // disc of Position.Setup.Board, or post; -1 for the hole
	Shot   sim.Shot
}

// Player is somebody at the board. It is not safe for use by several goroutines.
type Player struct {
	// Hasty players take the first shot that comes to mind, without looking ahead:
	// worse, and a hundred times as fast.
	Hasty bool
	// Glances, when not 0, is how many of the shots that come to mind a player
	// tries in thought, each once and as meant, instead of all with care: quicker,
	// and sensible play still.
	Glances int

	hand Hand
	rand *rand.Rand
}

// NewPlayer is a player whose thoughts and hand follow from a seed.
func NewPlayer(s Skill, seed uint64) (*Player, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return &Player{hand: s.Hand(), rand: rand.New(rand.NewPCG(seed, 0x63726f6b))}, nil
}

// Flick carries a plan out, as well as the hand can.
func (pl *Player) Flick(p Plan) sim.Shot { return pl.hand.flick(p.Shot, pl.rand) }

// How a player looks ahead: everything that comes to mind is tried once as meant
// and once with a stray hand, the best of that some more times, and the best of
// those again. Discs are aimed at with care for what happens if they are missed.
var looks = [...]struct{ keep, tries int }{{40, 4}, {8, 16}, {1, 0}}

// Choose picks what to do.
func (pl *Player) Choose(p Position) (Plan, error) {
	plans, err := pl.ideas(&p)
	if err != nil {
		return Plan{}, err
	}
	if pl.Hasty {
		return plans[pl.rand.IntN(len(plans))], nil
	}
	if pl.Glances > 0 {
		return pl.glance(&p, plans)
	}
	type weighed struct {
		Plan
		sum float64
		n   int
	}
	all := make([]weighed, len(plans))
	try := func(w *weighed, shot sim.Shot) error {
		v, err := p.judged(shot)
		if err != nil {
			return err
		}
		w.sum += p.worth(&v)
		w.n++
		return nil
	}
	for i := range plans {
		all[i].Plan = plans[i]
		if err := try(&all[i], plans[i].Shot); err != nil {
			return Plan{}, err
		}
		if err := try(&all[i], pl.Flick(plans[i])); err != nil {
			return Plan{}, err
		}
	}
	for _, l := range looks {
		slices.SortStableFunc(all, func(a, b weighed) int {
			return cmp.Compare(b.sum/float64(b.n), a.sum/float64(a.n))
		})
		all = all[:min(l.keep, len(all))]
		for i := range all {
			for range l.tries {
				if err := try(&all[i], pl.Flick(all[i].Plan)); err != nil {
					return Plan{}, err
				}
			}
		}
	}
	return all[0].Plan, nil
}

// glance picks the best of a few plans, as meant.
func (pl *Player) glance(p *Position, plans []Plan) (Plan, error) {
	var best Plan
	most := math.Inf(-1)
	for i := range min(pl.Glances, len(plans)) {
		k := i + pl.rand.IntN(len(plans)-i)
		plans[i], plans[k] = plans[k], plans[i]
		v, err := p.judged(plans[i].Shot)
		if err != nil {
			return Plan{}, err
		}
		if w := p.worth(&v); w > most {
			best, most = plans[i], w
		}
	}
	return best, nil
}

// ideas are all shots that come to mind. There is always one.
func (pl *Player) ideas(p *Position) ([]Plan, error) {
	places, err := p.places(7)
	if err != nil {
		return nil, fmt.Errorf("seat %s: %w", p.Seat, err)
	}
	var plans []Plan
	open := true
	for i := range p.Setup.Board.Discs {
		if p.Setup.Board.Discs[i].Side != p.Side {
			open = false
		}
	}
	if open {
		plans = pl.open(p, places)
		if pl.Hasty {
			return plans, nil
		}
		return append(plans, pl.hides(p, places)...), nil
	}
	d := 2 * p.Table.Spec().Disc.Radius
	for i := range p.Setup.Board.Discs {
		t := &p.Setup.Board.Discs[i]
		if t.Side != p.Side {
			plans = append(plans, pl.at(p, TakeOut, i, places, t.Point, d, []float64{-0.85, -0.55, -0.25, 0, 0.25, 0.55, 0.85}, []float64{250, 600, 1200, 2000})...)
		}
	}
	if pl.Hasty {
		return plans, nil
	}
	few := everyOther(places)
	for i := range p.Setup.Board.Discs {
		if t := &p.Setup.Board.Discs[i]; t.Side == p.Side {
			plans = append(plans, pl.at(p, Combination, i, few, t.Point, d, []float64{-0.6, -0.3, 0, 0.3, 0.6}, []float64{500, 1200})...)
		}
	}
	gap := p.Table.Spec().Disc.Radius + p.Table.Spec().Posts.Diameter/2
	for i, post := range p.Table.PostCentres() {
		plans = append(plans, pl.at(p, Ricochet, i, few, post, gap, []float64{-0.8, -0.5, -0.2, 0.2, 0.5, 0.8}, []float64{500, 1200})...)
	}
	return plans, nil
}

func everyOther(places []board.Point) []board.Point {
	var out []board.Point
	for i := 0; i < len(places); i += 2 {
		out = append(out, places[i])
	}
	return out
}

// open are shots at the hole, at speeds that would carry the disc somewhat
// beyond it.
func (pl *Player) open(p *Position, places []board.Point) []Plan {
	var out []Plan
	for _, from := range places {
		for _, beyond := range []float64{25, 60, 110} {
			out = append(out, Plan{OpenTwenty, -1, p.slide(from, board.Point{}, distance(from, board.Point{})+beyond)})
		}
	}
	return out
}

// hides are shots that end behind a post, inside the 15.
func (pl *Player) hides(p *Position, places []board.Point) []Plan {
	s := p.Table.Spec()
	behind := s.Posts.Radius - s.Posts.Diameter/2 - s.Disc.Radius - 3
	if s.Posts.Radius == 0 || behind <= 0 {
		return nil
	}
	var out []Plan
	for i, post := range p.Table.PostCentres() {
		k := behind / s.Posts.Radius
		to := board.Point{X: float64(post.X * k), Y: float64(post.Y * k)}
		for _, from := range everyOther(places) {
			out = append(out, Plan{Hide, i, p.slide(from, to, distance(from, to))})
		}
	}
	return out
}

// at are shots at something round: full on and to either side of it, at speeds
// of meeting in mm/s.
func (pl *Player) at(p *Position, aim Aim, target int, places []board.Point, at board.Point, gap float64, aside, speeds []float64) []Plan {
	var out []Plan
	slow := p.deceleration()
	for _, from := range places {
		l := distance(from, at)
		if l <= gap {
			continue
		}
		ux, uy := (at.X-from.X)/l, (at.Y-from.Y)/l
		for _, a := range aside {
			to := board.Point{X: at.X - float64(float64(a*gap)*uy), Y: at.Y + float64(float64(a*gap)*ux)}
			for _, v := range speeds {
				start := sqrt(float64(v*v) + float64(2*slow*(l-gap)))
				out = append(out, Plan{aim, target, p.shot(from, to, start)})
			}
		}
	}
	return out
}

func (p *Position) deceleration() float64 {
	k := p.Table.Params()
	return float64(k.Surface.Friction * float64(k.Gravity*1000))
}

// slide is a shot that would slide so far if nothing were in the way.
func (p *Position) slide(from, to board.Point, far float64) sim.Shot {
	return p.shot(from, to, sqrt(float64(2*p.deceleration()*far)))
}

func (p *Position) shot(from, to board.Point, speed float64) sim.Shot {
	return sim.Shot{Side: p.Side, From: from, Heading: exact.Atan2(to.Y-from.Y, to.X-from.X), Speed: min(speed, sim.MaxSpeed)}
}

// OpenTwenties is how many of n open shots end in the hole.
func (pl *Player) OpenTwenties(t *sim.Table, rs rules.Ruleset, n int) (int, error) {
	rs.Board = t.Spec()
	hits := 0
	for range n {
		p := Position{Table: t, Rules: rs, Seat: board.South, Side: board.SideA, Sides: 2, Number: 1}
		plan, err := pl.Choose(p)
		if err != nil {
			return 0, err
		}
		r, err := t.Shoot(p.Setup, pl.Flick(plan))
		if err != nil {
			return 0, err
		}
		hits += len(r.Twenties)
	}
	return hits, nil
}
