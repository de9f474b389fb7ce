package rules

import (
	"errors"
	"math"

	"crokcam/board"
)

// Quadrant is the part of the board a player shoots from, from one quadrant line
// counter-clockwise to the next, rad from +x.
type Quadrant struct {
	From, To float64
}

// QuadrantOf is the quadrant in front of a seat on the given board.
func QuadrantOf(b board.Spec, s board.Seat) Quadrant {
	// The first quadrant line is the one between east and north.
	first := b.Quadrants.Angle
	from := first + float64((board.North+4-s%4)%4)*math.Pi/2
	return Quadrant{From: from, To: from + math.Pi/2}
}

// ErrQuadrant marks a quadrant that is not between nothing and half a board.
var ErrQuadrant = errors.New("rules: a quadrant must be wider than nothing and narrower than half the board")

// PlacementFault says why a disc may not be shot from where it lies.
type PlacementFault uint8

// The faults.
const (
	Placed        PlacementFault = iota
	ClearInFront                 // in front of the starting line without touching it (PLC-1)
	ClearBehind                  // behind the line without touching it (PLC-1)
	OffTheSurface                // its middle is not over the surface, so it cannot lie flat (PLC-1)
	TooFarOver                   // too far over a quadrant line (PLC-2)
)

// String is the fault's word in results, "" for none.
func (f PlacementFault) String() string {
	return enumString([]string{"", "clear_in_front", "clear_behind", "off_surface", "too_far_over"}, f)
}

// placementMM is the precision of a placing judgement: "exactly half over" is
// legal, and no measurement is better than a micrometre.
const placementMM = 1e-3

// CheckPlacement says whether a disc lying flat at p may be shot from quadrant q
// (PLC-1, PLC-2), and how far it is on the legal side of the limit it is nearest
// to (mm, negative when over).
func (rs Ruleset) CheckPlacement(p board.Point, q Quadrant) (PlacementFault, float64, error) {
	span := math.Mod(q.To-q.From, 2*math.Pi)
	if span < 0 {
		span += 2 * math.Pi
	}
	if !(span > 0 && span < math.Pi) {
		return 0, 0, ErrQuadrant
	}
	if !finite(p.X) || !finite(p.Y) {
		return 0, 0, inputErr("placement", "the place is not a number")
	}
	l := linesOf(rs.judgedOn())
	r := p.Radius()

	fault, margin := Placed, math.Inf(1)
	limit := func(f PlacementFault, m float64) {
		margin = min(margin, m)
		if fault == Placed && m < -placementMM {
			fault = f
		}
	}
	limit(ClearInFront, r+l.disc-l.in[board.Five])
	if rs.StartRadial == StartTouch {
		limit(ClearBehind, l.out[board.Five]-(r-l.disc))
	} else {
		limit(OffTheSurface, l.surface-r)
	}
	// Signed distances from the two lines, positive on the own side.
	from := p.Y*math.Cos(q.From) - p.X*math.Sin(q.From)
	to := p.X*math.Sin(q.To) - p.Y*math.Cos(q.To)
	reach := 0.0 // how far inside the centre has to be
	switch rs.StartLateral {
	case StartTouchDivider:
		reach = -(l.disc + l.quadrantHalf)
	case StartInside:
		reach = l.disc + l.quadrantHalf
	}
	limit(TooFarOver, from-reach)
	limit(TooFarOver, to-reach)
	return fault, margin, nil
}
