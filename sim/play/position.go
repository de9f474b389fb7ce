package play

import (
	"errors"
	"fmt"
	"math"

	"crokcam/board"
	"crokcam/rules"
	"crokcam/sim"
	"crokcam/sim/internal/exact"
)

// Position is what a player faces.
type Position struct {
	Table  *sim.Table
	Rules  rules.Ruleset
	Setup  sim.Setup
	Seat   board.Seat
	Side   board.Side
	Sides  int  // how many play
	Number int  // of the shot in the round, from 1
	Last   bool // nobody else shoots after this shot
}

// ErrNoPlace marks a starting line on which no disc can be placed.
var ErrNoPlace = errors.New("play: there is no room on the starting line")

func sqrt(v float64) float64 { return math.Sqrt(v) }

// places are the legal places for a disc on the seat's part of the starting
// line, n of them where there is room, evenly spread.
func (p *Position) places(n int) ([]board.Point, error) {
	s := p.Table.Spec()
	q := rules.QuadrantOf(s, p.Seat)
	line := s.Start.Outer - s.Start.Width/2
	// A disc may reach over the quadrant line in some rules.
	const steps = 120
	spare := (s.Disc.Radius + s.Quadrants.Width) / line
	from, span := q.From-spare, q.To-q.From+float64(2*spare)
	var legal []board.Point
	for k := range steps + 1 {
		sin, cos := exact.Sincos(from + float64(span*float64(k))/steps)
		at := board.Point{X: float64(line * cos), Y: float64(line * sin)}
		fault, _, err := p.Rules.CheckPlacement(at, q)
		if err != nil {
			return nil, fmt.Errorf("play: place a disc: %w", err)
		}
		if fault == rules.Placed && p.free(at) {
			legal = append(legal, at)
		}
	}
	if len(legal) == 0 {
		return nil, ErrNoPlace
	}
	if n >= len(legal) {
		return legal, nil
	}
	out := make([]board.Point, n)
	for k := range out {
		out[k] = legal[(2*k+1)*len(legal)/(2*n)]
	}
	return out, nil
}

// free tells whether a disc can lie at a place.
func (p *Position) free(at board.Point) bool {
	d := 2 * p.Table.Spec().Disc.Radius
	for i := range p.Setup.Board.Discs {
		if distance(at, p.Setup.Board.Discs[i].Point) < d {
			return false
		}
	}
	return true
}

func distance(a, b board.Point) float64 { return exact.Hypot(a.X-b.X, a.Y-b.Y) }

// judged simulates a shot and has it judged.
func (p *Position) judged(shot sim.Shot) (rules.Verdict, error) {
	r, err := p.Table.Shoot(p.Setup, shot)
	if err != nil {
		return rules.Verdict{}, err
	}
	seen := Witnessed(r, p.Side)
	seen.Number = p.Number
	v, err := rules.Judge(p.Setup.Board, r.Final, seen, p.Rules)
	if err != nil {
		return rules.Verdict{}, fmt.Errorf("play: judge: %w", err)
	}
	return v, nil
}

// exposedShare is what a disc is worth that an opponent can still shoot at.
const exposedShare = 0.7

// worth is what a verdict is worth to the player: points on the board and 20s,
// less those of the others. Discs that others can still shoot at count less.
func (p *Position) worth(v *rules.Verdict) float64 {
	sum := 0.0
	for i := range v.Outcomes {
		o := &v.Outcomes[i]
		points := 0.0
		switch o.Fate {
		case rules.OnBoard:
			points = float64(o.Zone.Points())
			if o.Side == p.Side && !p.Last && !p.hidden(o.At) {
				points = float64(points * exposedShare)
			}
		case rules.Scored:
			points = 20
		}
		if o.Side != p.Side {
			points = -points / float64(p.Sides-1)
		}
		sum += points
	}
	return sum
}

// hidden tells whether posts stand in all the ways to a disc from the opposite
// side of the board.
func (p *Position) hidden(at board.Point) bool {
	s := p.Table.Spec()
	q := rules.QuadrantOf(s, p.Seat.Opposite())
	posts := p.Table.PostCentres()
	gap := s.Disc.Radius + s.Posts.Diameter/2
	for k := range 5 { // from one end of the starting line to the other
		sin, cos := exact.Sincos(q.From + float64((q.To-q.From)*float64(k))/4)
		from := board.Point{X: float64(s.Start.Outer * cos), Y: float64(s.Start.Outer * sin)}
		open := true
		for i := range posts {
			if beside(posts[i], from, at) < gap {
				open = false
				break
			}
		}
		if open {
			return false
		}
	}
	return true
}

// beside is how far a place lies from the line between two others; infinity when
// it lies behind either.
func beside(p, a, b board.Point) float64 {
	l := distance(a, b)
	if l == 0 {
		return math.Inf(1)
	}
	ux, uy := (b.X-a.X)/l, (b.Y-a.Y)/l
	along := exact.Dot(p.X-a.X, p.Y-a.Y, ux, uy)
	if along < 0 || along > l {
		return math.Inf(1)
	}
	return math.Abs(exact.Cross(ux, uy, p.X-a.X, p.Y-a.Y))
}
