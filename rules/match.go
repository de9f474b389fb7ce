package rules

import (
	"math"
	"math/bits"

	"crokcam/board"
)

// How far apart two sightings of a disc may be for it to count as not having
// moved: half a millimetre, or three standard deviations of the difference
// where positions carry their sigma.
const (
	stillMM    = 0.5
	stillSigma = 3
)

// bit is the set of the i-th body; there are fewer than 64.
func bit(i int) uint64 { return 1 << (uint(i) & 63) }

// radius is the distance from the centre. Places have been checked to lie near a
// board, so nothing can overflow.
func radius(p board.Point) float64 { return math.Sqrt(p.X*p.X + p.Y*p.Y) }

func square(v float64) float64 { return v * v }

// apart2 is the square of the distance between two places, mm².
func apart2(a, b board.Point) float64 { return square(a.X-b.X) + square(a.Y-b.Y) }

// still2 is the square of the distance within which two sightings are the same
// place. It is capped well below a disc's radius: two discs cannot lie so near,
// so at most one disc can be "still" at a place, whatever the sigma.
func still2(sigma2, discRadius float64) float64 {
	d2, most := stillSigma*stillSigma*sigma2, discRadius*discRadius/4
	switch {
	case d2 < stillMM*stillMM:
		return stillMM * stillMM
	case d2 > most:
		return most
	}
	return d2
}

// match pairs the discs before with the discs after, side by side, so that as
// few discs as possible have moved and, among those pairings, the paths they
// moved along are shortest in sum. It returns the discs after that belong to
// nobody.
//
// Pairing a disc with a sighting at its own place never costs anything: were
// the two paired elsewhere, two discs would have moved where one need have.
// Those pairs are therefore fixed first and only the rest is optimised.
func (p *play) match() (stray uint64) {
	before, after := p.before, p.after
	var loose [board.SideD + 1]uint64 // discs after that are at no disc's place, by side
	p.exited = p.set(p.shot.Evidence.Exits)
	paired := p.exited // they do not come back to their places
	for j := range after {
		d := &after[j]
		if i := p.stillAt(d, paired); i >= 0 {
			p.settle(i, j, p.b[i].Rest == d.Rest)
			paired |= bit(i)
		} else {
			loose[d.Side] |= bit(j)
		}
	}
	paired &^= p.exited
	// Discs that lay in the hole before and still do are no part of the shot.
	for i := range before {
		if p.n == len(before) {
			break // none did
		}
		if p.of[i] >= 0 {
			continue
		}
		for m := loose[before[i].Side]; m != 0; m &= m - 1 {
			if j := bits.TrailingZeros64(m); after[j].Rest == board.InHole {
				loose[before[i].Side] &^= bit(j)
				break
			}
		}
	}
	for side := board.SideA; side <= board.SideD; side++ {
		if gone := p.sides[side] &^ paired; gone != 0 && loose[side] != 0 {
			loose[side] = p.matchMoved(gone, loose[side])
		}
		stray |= loose[side]
	}
	return stray
}

// stillAt is the disc before at whose place a disc after lies, -1 for none.
// Those in the set are spoken for.
func (p *play) stillAt(d *board.Disc, taken uint64) int {
	if d.Rest == board.InHole {
		return -1
	}
	nearest, least := -1, math.Inf(1)
	for m := p.g.at(d.Point) & p.sides[d.Side] &^ taken; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		d2 := apart2(p.b[i].At, d.Point)
		if d2 < least && (d2 <= stillMM*stillMM || d2 <= still2(square(p.was(i).Sigma)+square(d.Sigma), p.l.disc)) {
			nearest, least = i, d2
		}
	}
	return nearest
}

// matchMoved pairs the discs of one side that are no longer at their places with
// the places of that side that are left over, and returns those that still are.
func (p *play) matchMoved(gone, loose uint64) uint64 {
	if gone&(gone-1) == 0 {
		i, j := bits.TrailingZeros64(gone), bits.TrailingZeros64(loose)
		p.settle(i, j, p.lies(i, j))
		return loose & (loose - 1)
	}
	var rowBuf, colBuf [MaxDiscs + 1]int8
	rows, cols := rowBuf[:0], colBuf[:0]
	for ; gone != 0; gone &= gone - 1 {
		rows = append(rows, int8(bits.TrailingZeros64(gone)))
	}
	for m := loose; m != 0 && len(cols) < len(rows); m &= m - 1 {
		cols = append(cols, int8(bits.TrailingZeros64(m)))
	}
	n := len(rows)
	var costBuf [64]float64
	cost := costBuf[:]
	if n > 8 {
		cost = make([]float64, n*n)
	}
	for a, i := range rows {
		exited := p.exited&bit(int(i)) != 0
		for c := range n {
			on, way := c < len(cols), 0.0
			switch {
			case int(i) == p.n: // it may come from anywhere on its arc: no path to compare
			case on:
				way = math.Sqrt(apart2(p.after[cols[c]].Point, p.was(int(i)).Point))
			default:
				way = p.l.surface + p.l.disc - radius(p.was(int(i)).Point)
			}
			if on && exited { // it lies in the ditch rather than another does
				way += unlikely
			}
			cost[a*n+c] = way
		}
	}
	var pairBuf [MaxDiscs + 1]int8
	pair := pairBuf[:n]
	assign(cost, n, pair)
	for a, c := range pair {
		if int(c) < len(cols) {
			i, j := int(rows[a]), int(cols[c])
			p.settle(i, j, p.lies(i, j))
			loose &^= bit(int(cols[c]))
		}
	}
	return loose
}

// unlikely is more than all ways on a board together, mm.
const unlikely = 1e6

// assign finds the cheapest pairing of n rows with n columns (the Hungarian
// method with potentials, O(n³)). cost holds the rows one after the other.
func assign(cost []float64, n int, pair []int8) {
	var u, v, least [MaxDiscs + 2]float64
	var row, way [MaxDiscs + 2]int8 // row paired with a column; column it was reached from
	for i := 1; i <= n; i++ {
		row[0] = int8(i)
		j0 := 0
		var seen uint64
		for j := range n + 1 {
			least[j] = math.Inf(1)
		}
		for {
			seen |= bit(j0)
			i0, delta, j1 := int(row[j0]), math.Inf(1), 0
			for j := 1; j <= n; j++ {
				if seen&bit(j) != 0 {
					continue
				}
				if c := cost[(i0-1)*n+j-1] - u[i0] - v[j]; c < least[j] {
					least[j] = c
					way[j] = int8(j0)
				}
				if least[j] < delta {
					delta, j1 = least[j], j
				}
			}
			for j := 0; j <= n; j++ {
				if seen&bit(j) != 0 {
					u[row[j]] += delta
					v[j] -= delta
				} else {
					least[j] -= delta
				}
			}
			j0 = j1
			if row[j0] == 0 {
				break
			}
		}
		for j0 != 0 {
			row[j0] = row[way[j0]]
			j0 = int(way[j0])
		}
	}
	for j := 1; j <= n; j++ {
		pair[row[j]-1] = int8(j - 1)
	}
}
