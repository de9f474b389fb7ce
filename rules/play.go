package rules

import (
	"fmt"
	"math"
	"math/bits"

	"crokcam/board"
)

// play is a shot with its discs told apart: bodies 0 to n-1 are the discs that
// lay on the surface before, body n is the shot disc. Sets of bodies are bit
// masks.
type play struct {
	rs   Ruleset
	shot Shot
	l    lines
	n    int
	b    [MaxDiscs + 1]body
	of   [MaxDiscs]int8 // body of each disc of the snapshot before; -1 for one still in the hole

	sides             [board.SideD + 1]uint64 // every body, by side
	me, all, own, opp uint64                  // the shot disc; everything; the shooter's other discs; opposing discs

	in        uint64 // flat in the hole after
	off       uint64 // not on the board after
	missing   uint64 // part of off: not seen to lie off the surface either
	on        uint64 // on the surface after
	moved     uint64 // not where it was
	movedNear uint64 // whether it moved is within the measurement's doubt
	beyond    uint64 // touches or lies beyond the starting line
	near      uint64 // that is closer than two sigmas
	touch15   uint64 // touches the 15 line or lies inside it
	inside15  uint64 // lies wholly inside the 15 line
	near15    uint64 // one of those two is closer than two sigmas
	nearAny   uint64 // any line is closer than two sigmas
	standing  uint64
	leaning   uint64
}

// set up the bodies from the snapshot before.
func (p *play) load(before []board.Disc, side board.Side) {
	for i := range before {
		d := &before[i]
		if d.Rest == board.InHole {
			// A 20 of an earlier shot that nobody has lifted yet: out of reach (TWN-5).
			p.of[i] = -1
			continue
		}
		b := &p.b[p.n]
		b.side, b.before, b.after = d.Side, int16(i), -1
		b.from, b.fromRest = d.Point, d.Rest
		b.at, b.rest = d.Point, d.Rest
		b.sigma2 = d.Sigma * d.Sigma
		if d.Side == side {
			p.own |= bit(p.n)
		} else {
			p.opp |= bit(p.n)
		}
		p.sides[d.Side] |= bit(p.n)
		p.of[i] = int8(p.n)
		p.n++
	}
	s := &p.b[p.n]
	s.side, s.before, s.after = side, -1, -1
	p.me = bit(p.n)
	p.sides[side] |= p.me
	p.all = p.me | p.own | p.opp
}

// pair tells which disc is which, by the track where there is one. It returns
// the discs after that belong to nobody.
func (p *play) pair(before, after []board.Disc) (stray uint64, err error) {
	everything := uint64(1)<<uint(len(after)) - 1
	var taken uint64
	tr := p.shot.Track
	if tr == nil {
		// Discs that lay in the hole before and still do are no part of the shot.
		for i := range before {
			if before[i].Rest != board.InHole {
				continue
			}
			for j := range after {
				if after[j].Rest == board.InHole && after[j].Side == before[i].Side && taken&bit(j) == 0 {
					taken |= bit(j)
					break
				}
			}
		}
		p.match(after, &taken)
		p.missing = p.all
		return everything &^ taken, nil
	}
	if len(tr.Discs) != len(before) {
		return 0, inputErr("track", "follows %d discs, the snapshot before has %d", len(tr.Discs), len(before))
	}
	take := func(name string, side board.Side, j int) error {
		switch {
		case j >= len(after) || j < Missing:
			return inputErr(name, "place %d is not in the snapshot after", j)
		case j >= 0 && taken&bit(j) != 0:
			return inputErr(name, "place %d is taken twice", j)
		case j >= 0 && after[j].Side != side:
			return inputErr(name, "the disc changes from side %s to side %s", side, after[j].Side)
		}
		if j >= 0 {
			taken |= bit(j)
		}
		return nil
	}
	for i, j := range tr.Discs {
		if err := take(fmt.Sprintf("track.discs[%d]", i), before[i].Side, j); err != nil {
			return 0, err
		}
		k := int(p.of[i])
		switch {
		case k < 0:
		case j >= 0:
			p.settle(k, after, j)
		case j == Missing:
			p.missing |= bit(k)
		}
	}
	if err := take("track.shot", p.b[p.n].side, tr.Shot); err != nil {
		return 0, err
	}
	if tr.Shot >= 0 {
		p.settle(p.n, after, tr.Shot)
	} else if tr.Shot == Missing {
		p.missing |= p.me
	}
	return everything &^ taken, nil
}

// measure sorts the bodies into the sets that the rules ask about.
func (p *play) measure() {
	l := &p.l
	inside := p.rs.OpenBoard == ShooterInside15
	for i := range p.n + 1 {
		b, m := &p.b[i], bit(i)
		if b.after < 0 {
			p.off |= m
			p.moved |= m
			if b.before >= 0 {
				b.r = radius(b.at)
				b.lies, b.line = l.call(b.r, b.rest)
			}
			continue
		}
		b.r = radius(b.at)
		p.missing &^= m
		if i < p.n && b.rest != board.InHole {
			dx, dy := b.at.X-b.from.X, b.at.Y-b.from.Y
			d2 := dx*dx + dy*dy
			if d2 > stillMM*stillMM && d2 > still2(b.sigma2, l.disc) || b.rest != b.fromRest {
				p.moved |= m
			}
			if d2 > stillMM*stillMM && d2 > 4*b.sigma2 && d2 < 16*b.sigma2 {
				p.movedNear |= m
			}
		} else {
			p.moved |= m
		}
		b.lies, b.line = l.call(b.r, b.rest)
		if b.rest == board.InHole {
			p.in |= m
			continue
		}
		p.on |= m
		if b.rest == board.Leaning {
			p.leaning |= m
			p.touch15 |= m
			p.inside15 |= m
			continue
		}
		if b.rest == board.Standing {
			p.standing |= m
		}
		switch b.lies {
		case board.Out:
			p.beyond |= m
		case board.Fifteen:
			p.inside15 |= m
		}
		outer, inner := b.r+l.disc, b.r-l.disc
		if inner <= l.fifteenOut {
			p.touch15 |= m
		}
		t := 2 * b.sigma
		if t == 0 {
			continue
		}
		start, fifteen := abs(outer-l.startIn) < t, abs(outer-l.fifteenIn) < t
		if start {
			p.near |= m
		}
		if start || fifteen || abs(outer-l.tenIn) < t {
			p.nearAny |= m
		}
		if inside && fifteen || !inside && abs(inner-l.fifteenOut) < t {
			p.near15 |= m
		}
	}
}

// desync looks for what cannot be.
func (p *play) desync(after []board.Disc, stray uint64) []Discrepancy {
	var out []Discrepancy
	for s := board.SideA; s <= board.SideD; s++ {
		strays := 0
		for m := stray; m != 0; m &= m - 1 {
			if after[bits.TrailingZeros64(m)].Side == s {
				strays++
			}
		}
		have := bits.OnesCount64(p.sides[s]&(p.on|p.in)) + strays
		if strays > 0 {
			out = append(out, Discrepancy{Kind: FromNowhere, Side: s, Count: have, Most: bits.OnesCount64(p.sides[s])})
		}
		if most := int(p.shot.Owned[s]); most > 0 && have > most {
			out = append(out, Discrepancy{Kind: TooMany, Side: s, Count: have, Most: most})
		}
	}
	if n := bits.OnesCount64(p.in); n > 1 {
		out = append(out, Discrepancy{Kind: TwoTwenties, Count: n, Most: 1})
	}
	return out
}

// touching tells whether two bodies lie against each other, before or after the
// shot, give or take slack mm.
func (p *play) touching(i, j int, after bool, slack float64) bool {
	a, b := p.b[i].from, p.b[j].from
	if after {
		a, b = p.b[i].at, p.b[j].at
	}
	return math.Hypot(a.X-b.X, a.Y-b.Y) <= 2*p.l.disc+contactMM+slack
}

// contactMM is the gap up to which two discs at rest count as lying against
// each other: the rounding of a measurement, no more.
const contactMM = 0.1

// check reports measurements that cannot be measurements.
func check(name string, discs []board.Disc) error {
	if len(discs) > MaxDiscs {
		return inputErr(name, "%d discs are more than a board can hold (%d)", len(discs), MaxDiscs)
	}
	for i := range discs {
		if !sane(&discs[i]) {
			return whyInsane(at(name, i), &discs[i])
		}
	}
	return nil
}

// sane tells whether a disc's figures can be a measurement; NaN passes none of
// the comparisons.
func sane(d *board.Disc) bool {
	return abs(d.X) <= farMM && abs(d.Y) <= farMM && d.Sigma >= 0 && d.Sigma <= farMM &&
		d.Side != board.NoSide && d.Side <= board.SideD && d.Rest <= board.Standing
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

// checkBefore reports discs that lie on top of each other. Only discs in the
// same or neighbouring columns and rows of a grid as wide as a disc can; what
// lies beyond the grid belongs to its outermost cells.
func (p *play) checkBefore(discs []board.Disc) error {
	const cells = 32
	var column, row [cells + 2]uint64 // with an empty one on either side
	scale := 1 / (2 * p.l.disc)
	for i := range discs {
		d := &discs[i]
		if d.Rest != board.OnSurface {
			continue
		}
		x := min(max(int(d.X*scale+cells/2), 1), cells)
		y := min(max(int(d.Y*scale+cells/2), 1), cells)
		for m := (column[x-1] | column[x] | column[x+1]) & (row[y-1] | row[y] | row[y+1]); m != 0; m &= m - 1 {
			if j := bits.TrailingZeros64(m); p.onTop(d, &discs[j]) {
				return onTopErr("before", i, j, discs)
			}
		}
		column[x] |= bit(i)
		row[y] |= bit(i)
	}
	return nil
}

// checkAfter does the same for the discs that are not where one lay before:
// those that are lie on top of each other no more than the places before do.
func (p *play) checkAfter(discs []board.Disc) error {
	fresh := uint64(1)<<uint(len(discs)) - 1
	for m := p.on &^ p.moved; m != 0; m &= m - 1 {
		fresh &^= bit(int(p.b[bits.TrailingZeros64(m)].after))
	}
	for ; fresh != 0; fresh &= fresh - 1 {
		i := bits.TrailingZeros64(fresh)
		d := &discs[i]
		if d.Rest != board.OnSurface {
			continue
		}
		for j := range discs {
			if e := &discs[j]; j != i && e.Rest == board.OnSurface && p.onTop(d, e) {
				return onTopErr("after", i, j, discs)
			}
		}
	}
	return nil
}

// onTop tells whether two measured discs overlap by more than their uncertainty
// allows.
func (p *play) onTop(d, e *board.Disc) bool {
	dx, dy := d.X-e.X, d.Y-e.Y
	if dx*dx+dy*dy >= 4*p.l.disc*p.l.disc {
		return false
	}
	least := 2*p.l.disc - overlapMM - overlapSigma*(d.Sigma+e.Sigma)
	return least > 0 && dx*dx+dy*dy < least*least
}

func onTopErr(name string, i, j int, discs []board.Disc) error {
	d, e := discs[i], discs[j]
	return inputErr(at(name, i), "lies on top of disc %d (%.1f mm apart)", j, math.Hypot(d.X-e.X, d.Y-e.Y))
}

// farMM is further from the centre than any part of any board.
const farMM = 5000

// How far two measured discs may overlap before the picture cannot be right.
const (
	overlapMM    = 2
	overlapSigma = 3
)

func at(name string, i int) string { return fmt.Sprintf("%s.discs[%d]", name, i) }

func finite(v float64) bool { return v-v == 0 }
