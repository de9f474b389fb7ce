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

// body is one disc of a shot with both its places.
type body struct {
	side           board.Side
	before, after  int16 // places in the snapshots, -1 for none
	from, at       board.Point
	fromRest, rest board.Rest
	sigma2         float64    // variance of the displacement, mm²
	sigma          float64    // of the place after, mm
	r              float64    // radius of the place after, mm
	lies, line     board.Zone // zone of that place, and the zone whose outer line the disc touches there
}

func bit(i int) uint64 { return 1 << uint(i) }

// radius is the distance from the centre. Places have been checked to lie near a
// board, so nothing can overflow.
func radius(p board.Point) float64 { return math.Sqrt(p.X*p.X + p.Y*p.Y) }

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
// moved along are shortest in sum. taken marks discs after that are spoken for.
//
// Pairing a disc with a sighting at its own place never costs anything: were
// the two paired elsewhere, two discs would have moved where one need have.
// Those pairs are therefore fixed first and only the rest is optimised.
func (p *play) match(after []board.Disc, taken *uint64) {
	next := 0
	var unsettled [board.SideD + 1]int
	unsettled[p.b[p.n].side] = 1 // the shot disc
	for i := range p.n {
		b := &p.b[i]
		for k := range after {
			j := next + k
			if j >= len(after) {
				j -= len(after)
			}
			d := &after[j]
			if d.Side != b.side || d.Rest == board.InHole || *taken&bit(j) != 0 {
				continue
			}
			dx, dy := d.X-b.from.X, d.Y-b.from.Y
			d2 := dx*dx + dy*dy
			if d2 <= stillMM*stillMM || d2 <= still2(b.sigma2+d.Sigma*d.Sigma, p.l.disc) {
				p.settle(i, after, j)
				*taken |= bit(j)
				next = j + 1
				break
			}
		}
		if b.after < 0 {
			unsettled[b.side]++
		}
	}
	for side := board.SideA; side <= board.SideD; side++ {
		switch unsettled[side] {
		case 0:
		case 1:
			p.matchOnly(side, after, taken)
		default:
			p.matchMoved(side, after, taken)
		}
	}
}

// matchOnly pairs the one disc of a side that is not at its place with the one
// sighting that is left, if there is one.
func (p *play) matchOnly(side board.Side, after []board.Disc, taken *uint64) {
	for j := range after {
		if after[j].Side != side || *taken&bit(j) != 0 {
			continue
		}
		for m := p.sides[side]; m != 0; m &= m - 1 {
			if i := bits.TrailingZeros64(m); p.b[i].after < 0 {
				p.settle(i, after, j)
				*taken |= bit(j)
				return
			}
		}
	}
}

// matchMoved pairs the discs of one side that are no longer at their places.
func (p *play) matchMoved(side board.Side, after []board.Disc, taken *uint64) {
	var rowBuf, colBuf [MaxDiscs + 1]int8
	rows, cols := rowBuf[:0], colBuf[:0]
	for i := range p.n {
		if p.b[i].side == side && p.b[i].after < 0 {
			rows = append(rows, int8(i))
		}
	}
	if side == p.b[p.n].side {
		rows = append(rows, int8(p.n))
	}
	for j := range after {
		if after[j].Side == side && *taken&bit(j) == 0 {
			cols = append(cols, int8(j))
		}
	}
	n := len(rows)
	if len(cols) > n { // discs from nowhere: reported by the count
		cols = cols[:n]
	}
	if len(cols) == 0 {
		return
	}
	var costBuf [64]float64
	cost := costBuf[:]
	if n > 8 {
		cost = make([]float64, n*n)
	}
	for a, i := range rows {
		for c := range n {
			switch {
			case int(i) == p.n:
				// The shot disc may come from anywhere on its arc: no path to compare.
				cost[a*n+c] = 0
			case c < len(cols):
				cost[a*n+c] = math.Hypot(after[cols[c]].X-p.b[i].from.X, after[cols[c]].Y-p.b[i].from.Y)
			default: // off the board
				cost[a*n+c] = p.l.surface + p.l.disc - radius(p.b[i].from)
			}
		}
	}
	var pairBuf [MaxDiscs + 1]int8
	pair := pairBuf[:n]
	assign(cost, n, pair)
	for a, c := range pair {
		if int(c) < len(cols) {
			p.settle(int(rows[a]), after, int(cols[c]))
			*taken |= bit(int(cols[c]))
		}
	}
}

// assign finds the cheapest pairing of n rows with n columns (the Hungarian
// method with potentials, O(n³)). cost holds the rows one after the other.
func assign(cost []float64, n int, pair []int8) {
	if n == 1 {
		pair[0] = 0
		return
	}
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

// settle records that body i lies at the j-th place after.
func (p *play) settle(i int, after []board.Disc, j int) {
	b, d := &p.b[i], &after[j]
	b.after, b.at, b.rest = int16(j), d.Point, d.Rest
	b.sigma = d.Sigma
	b.sigma2 += d.Sigma * d.Sigma
}
