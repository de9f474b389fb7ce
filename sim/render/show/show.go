package show

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"crokcam/board"
	"crokcam/calibrate/camera"
	"crokcam/rules"
	"crokcam/sim"
	"crokcam/sim/play"
	"crokcam/sim/render"
	"crokcam/sim/render/photos"
)

// shutter is how long the camera's shutter is open, as a share of a frame.
const shutter = 0.35

// Show is a match (and then another) in front of a camera. It is not safe for
// use by several goroutines.
type Show struct {
	config  Config
	table   *sim.Table
	format  rules.Format
	match   *play.Match
	matches int         // begun
	ahead   chan coming // the next turn, once it has been thought out
	rounds  int         // ended
	shots   int         // begun

	set    *render.Stage
	kind   render.Kind
	light  *weather // nil: it stays as it is
	rand   *rand.Rand
	hands  map[board.Seat]render.Hand
	reach  float64 // of a fingertip that is away, mm from the centre
	slots  []slot
	lies   []lie // of the slots, before the act
	scored [board.SideD + 1]int
	act    *act
	done   bool // the act is the last one
	linger bool // see Linger

	frame uint64
}

// slot is one disc of the show.
type slot struct {
	side board.Side
	seat board.Seat
	look render.Disc
}

// Frame is one picture of a show and what is true in it.
type Frame struct {
	*render.Frame
	At    time.Duration // since the show began
	Truth FrameTruth
	Shots []*ShotTruth // those whose act begins with this frame
}

// New prepares a show.
func New(ctx context.Context, c Config) (*Show, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	s := &Show{config: c, rand: rand.New(rand.NewPCG(c.Seed, 0x73686f77)), hands: map[board.Seat]render.Hand{}}
	var err error
	if s.table, err = c.table(); err != nil {
		return nil, err
	}
	if s.format, err = c.format(); err != nil {
		return nil, err
	}
	spec := s.table.Spec()
	o := photos.Options{Width: c.Width, Height: c.Height, View: c.View, Light: c.Light, Board: c.Look, Spec: &spec}
	if o.View == "" {
		o.View = []string{"overhead", "mild"}[s.rand.IntN(2)]
	}
	if o.Light == "" { // a match is not played in the dark, nor into a lamp
		o.Light = []string{"window", "two_lamps", "panels", "overhead_hard"}[s.rand.IntN(4)]
	}
	scene, kind, disc := photos.DrawEmpty(c.Seed, o, s.format.Layout.Sides())
	scene.Look.RailMM.DitchDepth = s.table.Params().Ditch.Depth
	s.kind = kind
	if c.Unsteady {
		s.light = newWeather(c.Seed)
	}
	s.reach = spec.Surface + spec.Ditch + scene.Look.RailMM.Width + 420
	for _, seat := range s.format.Layout.Seats() {
		side := s.format.Layout.Side(seat)
		for range s.discsOf(seat) {
			s.slots = append(s.slots, slot{side: side, seat: seat, look: disc(int(side - board.SideA))})
			s.lies = append(s.lies, lie{away: true})
		}
		h := render.Hand{Left: s.rand.Float64() < 0.15, Skin: photos.Skins[s.rand.IntN(len(photos.Skins))], Size: s.between(0.9, 1.08), Cuff: s.between(10, 110)}
		if s.rand.Float64() < 0.7 {
			h.Sleeve = render.Paint{Colour: render.RGB{uint8(30 + s.rand.IntN(160)), uint8(30 + s.rand.IntN(120)), uint8(30 + s.rand.IntN(160))}, Opacity: 1}
		}
		s.hands[seat] = h
	}
	if s.set, err = render.NewStage(ctx, scene); err != nil {
		return nil, err
	}
	return s, nil
}

// discsOf is how many discs a player has.
func (s *Show) discsOf(seat board.Seat) int {
	n := s.format.Discs
	if s.format.Layout == rules.TwoAgainstOne {
		alone := true
		for _, other := range s.format.Layout.Seats() {
			if other != seat && s.format.Layout.Side(other) == s.format.Layout.Side(seat) {
				alone = false
			}
		}
		if alone {
			n *= 2
		}
	}
	return n
}

func (s *Show) between(low, high float64) float64 { return low + (high-low)*s.rand.Float64() }

// Next makes the next frame. After the last one of a show that ends it returns
// io.EOF. The frame's picture is the caller's.
func (s *Show) Next(ctx context.Context) (*Frame, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := float64(s.frame) / s.config.FPS
	f := &Frame{At: time.Duration(t * float64(time.Second))}
	for s.act == nil || t >= s.act.end {
		if s.done {
			return nil, io.EOF
		}
		if s.linger && s.act != nil && s.ahead != nil && len(s.ahead) == 0 {
			s.act.end = t
			break
		}
		started, err := s.advance(ctx)
		if err != nil {
			return nil, err
		}
		if started == nil {
			return nil, io.EOF
		}
		f.Shots = append(f.Shots, started)
	}
	if s.light != nil {
		s.set.Light(s.light.at(t))
	}
	moments, n := s.moments(t)
	picture, err := s.set.Draw(uint32(s.frame)*2654435761+uint32(s.config.Seed), moments...)
	if err != nil {
		return nil, err
	}
	f.Frame = picture
	f.Truth = s.truth(t, moments[n], picture)
	s.frame++
	return f, nil
}

// Linger has the board lie at rest for as long as the next turn is being thought
// out, where Next would have waited for it: a camera gives pictures while players
// think. When a shot is shown then depends on the machine.
func (s *Show) Linger() { s.linger = true }

// Skip passes over n frames without drawing them.
func (s *Show) Skip(n uint64) { s.frame += n }

// advance goes on to the next act, which begins at the end of the last one.
func (s *Show) advance(ctx context.Context) (*ShotTruth, error) {
	n, err := s.next(ctx)
	if err != nil {
		return nil, err
	}
	begin := s.config.Wait
	if s.act != nil {
		begin = s.act.end
		s.carryOver()
		s.act = nil
	}
	if n.turn == nil {
		s.done = true
		return nil, nil
	}
	if n.turn.Number == 1 {
		s.scored = [board.SideD + 1]int{}
	}
	s.act = s.stage(*n.turn, n.after, begin)
	s.act.match = n.match
	return s.shotTruth(), nil
}

// coming is a turn that has been played but not yet shown.
type coming struct {
	turn  *play.Turn // nil: no more matches
	after sim.Setup  // what lies there after it
	match int        // which one, from 1
	err   error
}

// next is the next turn in which a disc is shot; without one the show is over.
// The turn after it is thought out meanwhile: players take their time.
func (s *Show) next(ctx context.Context) (coming, error) {
	c := &s.config
	over := func() bool { return c.Shots > 0 && s.shots >= c.Shots || c.Rounds > 0 && s.rounds >= c.Rounds }
	if over() {
		return coming{}, nil
	}
	if s.ahead == nil {
		s.think()
	}
	var n coming
	select {
	case n = <-s.ahead:
	case <-ctx.Done():
		return n, ctx.Err()
	}
	s.ahead = nil
	if n.err != nil {
		return n, fmt.Errorf("show: %w", n.err)
	}
	if n.turn != nil {
		s.shots++
		if n.turn.Scored != nil {
			s.rounds++
		}
		if !over() {
			s.think()
		}
	}
	return n, nil
}

// think has the next turn played on the side. Nothing else touches the match
// until it has been received from ahead.
func (s *Show) think() {
	ahead := make(chan coming, 1)
	s.ahead = ahead
	go func() { ahead <- s.play() }()
}

// play plays on to the next turn in which a disc is shot, in a new match when
// one is over.
func (s *Show) play() coming {
	c := &s.config
	for {
		if s.match == nil {
			if c.Matches > 0 && s.matches >= c.Matches {
				return coming{}
			}
			m, err := c.match(s.table, s.format, s.matches)
			if err != nil {
				return coming{err: err}
			}
			s.match = m
			s.matches++
		}
		turn, err := s.match.Next()
		switch {
		case errors.Is(err, play.ErrOver):
			s.match = nil
			continue
		case err != nil:
			return coming{err: err}
		case turn.Result == nil:
			continue // nobody saw anything
		}
		return coming{&turn, s.match.Setup(), s.matches, nil}
	}
}

// carryOver leaves the discs as the act has left them.
func (s *Show) carryOver() {
	r := s.act.turn.Result
	for k, slot := range s.act.slots {
		s.lies[slot] = s.lying(&r.Discs[k])
	}
	for _, m := range s.act.moves {
		s.lies[m.slot] = m.to
	}
	if s.act.turn.Scored != nil {
		for i := range s.lies {
			s.lies[i] = lie{away: true}
		}
	}
}

// spare is a disc of a seat that has not been shot yet.
func (s *Show) spare(seat board.Seat) int {
	best := -1
	for i := range s.slots {
		if s.slots[i].side == s.format.Layout.Side(seat) && s.lies[i].away {
			if s.slots[i].seat == seat {
				return i
			}
			best = i
		}
	}
	return max(best, 0)
}

// slotsOf finds the slots of the discs of a setup and of the shot disc, in the
// order of a Result: each is the one of its side that lies nearest.
func (s *Show) slotsOf(setup sim.Setup, shooter int) []int {
	taken := map[int]bool{shooter: true}
	nearest := func(side board.Side, p board.Point) int {
		best, least := -1, math.Inf(1)
		for i := range s.slots {
			if taken[i] || s.slots[i].side != side {
				continue
			}
			d := 1e9
			if l := &s.lies[i]; !l.away && l.place != render.OnTable {
				d = math.Hypot(l.foot[0]-p.X, l.foot[1]-p.Y)
			}
			if d < least {
				best, least = i, d
			}
		}
		taken[best] = true
		return best
	}
	var out []int
	for _, d := range setup.Board.Discs {
		out = append(out, nearest(d.Side, d.Point))
	}
	out = append(out, shooter)
	for _, d := range setup.Ditch {
		out = append(out, nearest(d.Side, d.Point))
	}
	return out
}

// home is where the next 20 of a side is set aside: on the table beside its
// player.
func (s *Show) home(side board.Side, count *[board.SideD + 1]int) lie {
	n := count[side]
	count[side]++
	for _, seat := range s.format.Layout.Seats() {
		if s.format.Layout.Side(seat) != side {
			continue
		}
		look := s.set.Scene().Look
		spec := s.table.Spec()
		a := seatAngle(spec, seat) + 0.42
		r := spec.Surface + spec.Ditch + look.RailMM.Width + 2.2*spec.Disc.Radius
		if look.Shape == render.OctagonRail {
			r *= 1.06
		}
		a += float64(n) * 2.1 * spec.Disc.Radius / r
		return lie{foot: camera.Vec3{r * math.Cos(a), r * math.Sin(a), -look.RailMM.DitchDepth - look.RailMM.Base}, place: render.OnTable}
	}
	return lie{away: true}
}
