package rules

import (
	"fmt"
	"math"

	"crokcam/board"
)

// grid holds discs by columns and rows as wide as a disc. Places a whole grid
// apart, which is wider than a board, share their columns and rows: what is found
// need not be near.
type grid struct {
	scale       float64 // cells per mm
	column, row [gridCells]uint64
}

const gridCells = 32

// cell is the column and the row of a place.
func (g *grid) cell(p board.Point) (x, y uint) {
	return uint(int(p.X * g.scale)), uint(int(p.Y * g.scale))
}

func (g *grid) add(disc uint64, x, y uint) {
	g.column[x%gridCells] |= disc
	g.row[y%gridCells] |= disc
}

// around is a set of discs that has all within a disc's width of a place in the
// cell.
func (g *grid) around(x, y uint) uint64 {
	return (g.column[(x-1)%gridCells] | g.column[x%gridCells] | g.column[(x+1)%gridCells]) &
		(g.row[(y-1)%gridCells] | g.row[y%gridCells] | g.row[(y+1)%gridCells])
}

// at is a set of discs that has all within half a disc's width of a place.
func (g *grid) at(p board.Point) uint64 {
	x, y := uint(int(p.X*g.scale-0.5)), uint(int(p.Y*g.scale-0.5))
	return (g.column[x%gridCells] | g.column[(x+1)%gridCells]) & (g.row[y%gridCells] | g.row[(y+1)%gridCells])
}

// How far two measured discs may overlap before the picture cannot be right.
const (
	overlapMM    = 2
	overlapSigma = 3
)

// onTop tells whether two measured discs overlap by more than their uncertainty
// allows.
func onTop(d, e *board.Disc, discRadius float64) bool {
	dx, dy := d.X-e.X, d.Y-e.Y
	if dx*dx+dy*dy >= 4*discRadius*discRadius {
		return false
	}
	least := 2*discRadius - overlapMM - overlapSigma*(d.Sigma+e.Sigma)
	return least > 0 && dx*dx+dy*dy < least*least
}

func onTopErr(name string, i, j int, discs []board.Disc) error {
	d, e := discs[i], discs[j]
	return inputErr(at(name, i), "lies on top of disc %d (%.1f mm apart)", j, math.Hypot(d.X-e.X, d.Y-e.Y))
}

// farMM is further from the centre than any part of any board.
const farMM = 5000

func tooMany(name string, discs []board.Disc) error {
	if len(discs) > MaxDiscs {
		return inputErr(name, "%d discs are more than a board can hold (%d)", len(discs), MaxDiscs)
	}
	return nil
}

// sane tells whether a disc's figures can be a measurement; NaN passes none of
// the comparisons.
func sane(d *board.Disc) bool {
	return d.X*d.X+d.Y*d.Y <= farMM*farMM && d.Sigma >= 0 && d.Sigma <= farMM &&
		d.Side-board.SideA <= board.SideD-board.SideA && d.Rest <= board.Standing
}

// whyInsane says which of the figures cannot be.
func whyInsane(field string, d *board.Disc) error {
	switch {
	case d.Side == board.NoSide || d.Side > board.SideD:
		return inputErr(field, "side %d does not exist", uint8(d.Side))
	case d.Rest > board.Standing:
		return inputErr(field, "rest %d does not exist", uint8(d.Rest))
	case d.Sigma >= 0 && d.Sigma <= farMM:
		return inputErr(field, "the place is %g mm, %g mm: not on any board", d.X, d.Y)
	}
	return inputErr(field, "sigma is %g mm", d.Sigma)
}

func at(name string, i int) string { return fmt.Sprintf("%s.discs[%d]", name, i) }
