package rules

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"crokcam/board"
)

// play is a shot with its discs told apart: bodies 0 to n-1 are the discs that
// lay on the surface before, body n is the shot disc. Sets of bodies are bit
// masks.
type play struct {
	rs            Ruleset
	shot          Shot
	before, after []board.Disc
	l             lines
	g             grid // the bodies by where they lay before
	n             int
	b             []Outcome      // what becomes of each body as far as the snapshots tell it
	of            [MaxDiscs]int8 // body of each disc of the snapshot before; -1 for one still in the hole

	sides             [board.SideD + 1]uint64 // every body, by side
	me, all, own, opp uint64                  // the shot disc; everything; the shooter's other discs; opposing discs

	exited  uint64 // seen to leave the surface, though they may have come back
	missing uint64 // not on the board after, and not seen to lie off the surface either
	sets
}

// sets are the bodies by where and how they lie after the shot.
type sets struct {
	in       uint64 // flat in the hole
	off      uint64 // not on the board
	on       uint64 // on the surface
	still    uint64 // where and as it was
	moved    uint64 // not so
	filled   uint64 // not bodies but places after: those where a disc lay before
	beyond   uint64 // touches or lies beyond the starting line
	near     uint64 // that is closer than two sigmas
	at15     uint64 // lies where an open shot has to bring a disc
	near15   uint64 // that is closer than two sigmas
	nearAny  uint64 // any line is closer than two sigmas
	standing uint64
	leaning  uint64
}

// load sets up the bodies from the snapshot before. It reports the first disc
// whose figures cannot be a measurement, or that lies on top of another.
func (p *play) load() error {
	if err := tooMany("before", p.before); err != nil {
		return err
	}
	before := p.before
	b := make([]Outcome, len(before)+1)
	p.g.scale = 1 / (2 * p.l.disc)
	var flat uint64
	n := 0
	for i := range before {
		d := &before[i]
		if !sane(d) {
			return whyInsane(at("before", i), d)
		}
		if d.Rest == board.InHole {
			// A 20 of an earlier shot that nobody has lifted yet: out of reach (TWN-5).
			p.of[i] = -1
			continue
		}
		m := bit(n)
		x, y := p.g.cell(d.Point)
		if d.Rest == board.OnSurface {
			for near := p.g.around(x, y) & flat; near != 0; near &= near - 1 {
				if j := int(b[bits.TrailingZeros64(near)].Before); onTop(d, &before[j], p.l.disc) {
					return onTopErr("before", i, j, before)
				}
			}
			flat |= m
		}
		p.g.add(m, x, y)
		p.sides[d.Side] |= m
		p.of[i] = int8(n)
		o := &b[n]
		o.At, o.Rest, o.Side, o.Before, o.After = d.Point, d.Rest, d.Side, int8(i), -1
		n++
	}
	b = b[:n+1]
	b[n] = Outcome{Side: p.shot.Side, Before: -1, After: -1}
	p.n, p.b = n, b
	p.me, p.all = bit(p.n), bit(p.n+1)-1
	p.own = p.sides[p.shot.Side]
	p.opp = p.all &^ (p.own | p.me)
	p.sides[p.shot.Side] |= p.me
	return nil
}

// was is body i in the snapshot before; the shot disc was in none.
func (p *play) was(i int) *board.Disc { return &p.before[p.b[i].Before] }

// pair tells which disc is which, by the track where there is one. It returns
// the discs after that belong to nobody.
func (p *play) pair() (stray uint64, err error) {
	if err := tooMany("after", p.after); err != nil {
		return 0, err
	}
	for j := range p.after {
		if !sane(&p.after[j]) {
			return 0, whyInsane(at("after", j), &p.after[j])
		}
	}
	if p.shot.Track != nil {
		stray, err = p.track()
	} else {
		p.missing = p.all
		stray = p.match()
	}
	if err == nil {
		p.sort()
	}
	return stray, err
}

// track pairs the discs as they were followed through the shot.
func (p *play) track() (stray uint64, err error) {
	tr, before, after := p.shot.Track, p.before, p.after
	if len(tr.Discs) != len(before) {
		return 0, inputErr("track", "follows %d discs, the snapshot before has %d", len(tr.Discs), len(before))
	}
	stray = bit(len(after)) - 1
	for i := range len(before) + 1 {
		j, side, k := tr.Shot, p.b[p.n].Side, p.n
		if i < len(before) {
			j, side, k = tr.Discs[i], before[i].Side, int(p.of[i])
		}
		switch {
		case j >= len(after) || j < Missing:
			return 0, inputErr(trackName(i, before), "place %d is not in the snapshot after", j)
		case j >= 0 && stray&bit(j) == 0:
			return 0, inputErr(trackName(i, before), "place %d is taken twice", j)
		case j >= 0 && after[j].Side != side:
			return 0, inputErr(trackName(i, before), "the disc changes from side %s to side %s", side, after[j].Side)
		case j >= 0:
			stray &^= bit(j)
			if k >= 0 {
				p.settle(k, j, p.lies(k, j))
			}
		case j == Missing && k >= 0:
			p.missing |= bit(k)
		}
	}
	return stray, nil
}

func trackName(i int, before []board.Disc) string {
	if i == len(before) {
		return "track.shot"
	}
	return fmt.Sprintf("track.discs[%d]", i)
}

// lies tells whether body i, when it is the j-th disc after, lies where and as it
// did before.
func (p *play) lies(i, j int) bool {
	if i == p.n {
		return false
	}
	was, is := p.was(i), &p.after[j]
	return was.Rest == is.Rest && apart2(was.Point, is.Point) <= still2(square(was.Sigma)+square(is.Sigma), p.l.disc)
}

// settle records that body i lies at the j-th place after, still or not.
func (p *play) settle(i, j int, still bool) {
	p.b[i].After = int8(j)
	if still {
		p.still |= bit(i)
		p.filled |= bit(j)
	}
}

// sort looks how each body lies after the shot, and sorts it into the sets that
// the rules ask about.
func (p *play) sort() {
	l, b, after := &p.l, p.b, p.after
	for i := range b {
		o, m := &b[i], bit(i)
		if o.After < 0 {
			p.off |= m
			continue
		}
		d := &after[o.After]
		o.At, o.Rest, o.Sigma = d.Point, d.Rest, float32(d.Sigma)
		r := radius(d.Point)
		if d.Rest != board.OnSurface {
			o.Lies, o.Line = l.call(r, d.Rest)
			o.Zone = o.Lies
			switch d.Rest {
			case board.InHole:
				p.in |= m
				continue
			case board.Leaning:
				p.leaning |= m
				continue
			case board.Standing:
				p.standing |= m
			}
		}
		lies, line := l.flat(r)
		o.Lies, o.Line, o.Zone = lies, line, lies
		if lies == board.Out {
			p.beyond |= m
		}
		// The line that is nearest is one of the two around the zone.
		outer, near2 := r+l.disc, square(2*d.Sigma)
		if square(outer-l.in[lies]) < near2 || square(outer-l.in[lies+1]) < near2 {
			p.nearAny |= m
			if square(outer-l.in[board.Five]) < near2 {
				p.near |= m
			}
		}
	}
	p.on = p.all &^ (p.off | p.in)
	p.still &^= p.nudged()
	p.moved = p.all &^ p.still
	p.missing &= p.off
	for m := p.off &^ p.me; m != 0; m &= m - 1 {
		o := &b[bits.TrailingZeros64(m)]
		o.Lies, o.Line = l.call(radius(o.At), o.Rest)
	}
	if p.opp == 0 {
		p.sortOpen()
	}
}

// sortOpen sorts the bodies into those that lie where an open shot has to bring one
// and those that do not. Elsewhere nothing has to reach the 15 (CON-4).
func (p *play) sortOpen() {
	for m := p.on; m != 0; m &= m - 1 {
		o := &p.b[bits.TrailingZeros64(m)]
		if o.Rest == board.Leaning {
			p.at15 |= m & -m
			continue
		}
		r := radius(o.At)
		over := r - p.l.disc - p.l.out[board.Fifteen]
		reaches := over <= 0
		if p.rs.OpenBoard == ShooterInside15 {
			over = r + p.l.disc - p.l.in[board.Fifteen]
			reaches = over < 0
		}
		if reaches {
			p.at15 |= m & -m
		}
		if square(over) < square(2*p.after[o.After].Sigma) {
			p.near15 |= m & -m
		}
	}
}

// swap lets the shot disc and body k change places after the shot.
func (p *play) swap(k int) {
	p.b = slices.Clone(p.b)
	a, b := &p.b[k], &p.b[p.n]
	a.After, b.After = b.After, a.After
	a.At, a.Rest, a.Sigma = p.was(k).Point, p.was(k).Rest, 0
	p.sets = sets{}
	for i := range p.b {
		if j := int(p.b[i].After); j >= 0 {
			p.settle(i, j, p.lies(i, j))
		}
	}
	p.sort()
}

// desync looks for what cannot be.
func (p *play) desync(stray uint64) []Discrepancy {
	var out []Discrepancy
	for s := board.SideA; s <= board.SideD; s++ {
		if stray == 0 && p.sides[s] == 0 {
			continue
		}
		strays := 0
		for m := stray; m != 0; m &= m - 1 {
			if p.after[bits.TrailingZeros64(m)].Side == s {
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

// touching tells whether two bodies lie against each other after the shot, give
// or take so many standard deviations of the gap.
func (p *play) touching(i, j int, sigmas float64) bool {
	a, b := &p.b[i], &p.b[j]
	return p.beside(a.At, b.At, sigmas*gapSigma(float64(a.Sigma), float64(b.Sigma)))
}

// touched tells the same of two discs before the shot.
func (p *play) touched(i, j int, sigmas float64) bool {
	a, b := p.was(i), p.was(j)
	return p.beside(a.Point, b.Point, sigmas*gapSigma(a.Sigma, b.Sigma))
}

// beside tells whether discs at two places are no further than a gap from each
// other.
func (p *play) beside(a, b board.Point, gap float64) bool {
	most := 2*p.l.disc + contactMM + gap
	return most > 0 && apart2(a, b) <= most*most
}

// gapSigma is the standard deviation of the gap between two discs, mm.
func gapSigma(a, b float64) float64 { return math.Sqrt(a*a + b*b) }

// contactMM is the gap up to which two discs at rest count as lying against
// each other: the rounding of a measurement, no more.
const contactMM = 0.1

// checkFresh reports discs after that lie on top of others. Those that are where
// a disc lay before do so no more than the discs before did.
func (p *play) checkFresh() error {
	fresh := (bit(len(p.after)) - 1) &^ p.filled
	for m := fresh; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		d := &p.after[i]
		if d.Rest != board.OnSurface {
			continue
		}
		others := fresh &^ bit(i)
		for near := p.g.around(p.g.cell(d.Point)) & p.still; near != 0; near &= near - 1 {
			others |= bit(int(p.b[bits.TrailingZeros64(near)].After))
		}
		for ; others != 0; others &= others - 1 {
			j := bits.TrailingZeros64(others)
			if e := &p.after[j]; e.Rest == board.OnSurface && onTop(d, e, p.l.disc) {
				return onTopErr("after", i, j, p.after)
			}
		}
	}
	return nil
}

func finite(v float64) bool { return v-v == 0 }
