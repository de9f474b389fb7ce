package match

import (
	"fmt"
	"math"
	"slices"

	"crokcam/board"
	"crokcam/rules"
)

// position is a round between two turns. Its slices are never written to once
// it is made: positions share them.
type position struct {
	discs    []Disc
	twenties rules.Points
	left     Left
	timeUp   bool

	// order is the game as package rules has it, which knows whose turn it is. What
	// it makes of the discs is not asked for: the match has them by name.
	order rules.Game
}

// beginning is a round before its first turn.
func beginning(base rules.Game, lead board.Seat) position {
	p := position{order: base}
	p.pass(rules.LeadChosen{Seat: lead})
	f := base.Format()
	for _, s := range f.Layout.Seats() {
		p.left[s] = f.DiscsOf(s)
	}
	return p
}

// pass passes the turn on. A turn that cannot be, which a correction of an earlier
// one may bring about, leaves it where it is: the discs that then do not add up
// are told of.
func (p *position) pass(e rules.Event) {
	if g, err := p.order.Apply(e); err == nil {
		p.order = g
	}
}

// next are the seats that may shoot.
func (p *position) next() []board.Seat { return p.order.Next() }

// taken is how many discs of each side have been shot or forfeited.
func (p *position) taken(f rules.Format) rules.Points {
	var n rules.Points
	for _, s := range f.Layout.Seats() {
		n[f.Layout.Side(s)] += f.DiscsOf(s) - p.left[s]
	}
	return n
}

// ditch is how many discs of each side lie in the ditch: those taken that are
// neither on the board nor set aside. Nothing else keeps count of them, so the
// discs of a side always add up; a negative figure says that the board cannot be.
func (p *position) ditch(f rules.Format) rules.Points {
	n := p.taken(f)
	for i := range p.discs {
		n[p.discs[i].Side]--
	}
	for s := range n {
		n[s] -= p.twenties[s]
	}
	return n
}

// spend takes a disc off a seat's unshot ones and passes the turn on.
func (p *position) spend(s board.Seat) {
	p.left[s%4]--
	p.pass(rules.ShotForfeited{Seat: s, OutOfTurn: true})
}

// clock ends the time (TIM-1).
func (p *position) clock() {
	p.timeUp = true
	p.pass(rules.TimeUp{})
}

// sync takes the board as it lies. Discs that lie where the match has one of the
// same side keep their name.
func (p *position) sync(r *Resynced, seq int, f rules.Format) {
	was := p.discs
	p.discs = make([]Disc, 0, len(r.Board.Discs))
	pairs := nearest(each(was, func(d Disc) board.Disc { return d.Disc }), r.Board.Discs, radius(f.Rules), true)
	for i, d := range r.Board.Discs {
		n := Disc{ID: DiscID(fmt.Sprintf("%d.%d", seq, i+1)), Disc: d}
		if k := slices.Index(pairs, i); k >= 0 {
			n.ID, n.Owned = was[k].ID, was[k].Owned
			if was[k].Fixed && still(was[k].Disc, d, f.Rules) {
				n = was[k]
			}
		}
		n.value(f.Rules)
		p.discs = append(p.discs, n)
	}
	p.twenties = rules.Points(r.Twenties)
	p.left = r.Left
	p.pass(rules.BoardTaken{Board: r.Board, Twenties: p.twenties, Left: p.left, Next: r.Next})
}

// value sets what the disc counts where it lies, unless that was fixed.
func (d *Disc) value(rs rules.Ruleset) {
	if !d.Fixed {
		d.Zone = rs.Value(d.Disc).Zone
	}
}

// amend makes the changes of discs. t is the turn they are pinned to, nil for the
// start of a round.
func (p *position) amend(changes []change, t *turn, rs rules.Ruleset) {
	if len(changes) == 0 {
		return
	}
	p.discs = slices.Clone(p.discs)
	for _, c := range changes {
		p.change(c, t, rs)
	}
}

func (p *position) change(c change, t *turn, rs rules.Ruleset) {
	if c.Added != nil {
		d := Disc{ID: DiscID(fmt.Sprint(c.seq)), Disc: board.Disc{Point: c.Added.Place, Side: c.Added.Side, Confidence: 1}}
		d.value(rs)
		p.discs = append(p.discs, d)
		return
	}
	if c.Twenties != nil {
		p.twenties[c.Twenties.Side] += c.Twenties.By
		return
	}
	if c.Swap != nil {
		// One that has been taken away by an earlier change leaves both as they are.
		if i, k := p.find(c.Swap.Discs[0]), p.find(c.Swap.Discs[1]); i >= 0 && k >= 0 {
			a, b := &p.discs[i], &p.discs[k]
			a.Side, b.Side, a.Owned, b.Owned = b.Side, a.Side, true, true
		}
		return
	}
	i := p.find(c.disc())
	if c.Fate != nil {
		p.decide(i, c.Fate, t)
		return
	}
	if i < 0 {
		return
	}
	d := &p.discs[i]
	switch {
	case c.Value != nil:
		d.Zone, d.Fixed = c.Value.Zone, true
	case c.Owner != nil:
		d.Side, d.Owned = c.Owner.Side, true
	case c.Place != nil:
		if d.seen == nil {
			was := d.Point
			d.seen = &was
		}
		d.Point, d.Rest, d.Fixed = c.Place.Place, board.OnSurface, false
		d.value(rs)
		d.Fixed = true
	}
}

func (p *position) find(id DiscID) int {
	return slices.IndexFunc(p.discs, func(d Disc) bool { return d.ID == id && id != "" })
}

// decide says what became of a disc that is on the board (at place i) or that the
// turn has taken off it.
func (p *position) decide(i int, c *ChangeFate, t *turn) {
	fate := rules.Fate(c.Fate)
	if i >= 0 {
		if fate == rules.OnBoard {
			return
		}
		d := p.discs[i]
		p.discs = slices.Delete(p.discs, i, i+1)
		if t != nil {
			t.removed = append(slices.Clip(t.removed), gone{Disc: d, fate: fate, lies: true, placed: true})
		}
		if fate == rules.Scored {
			p.twenties[d.Side]++
		}
		return
	}
	if t == nil {
		return
	}
	k := slices.IndexFunc(t.removed, func(g gone) bool { return g.ID == c.Disc })
	if k < 0 || t.removed[k].fate == fate {
		return
	}
	g := &t.removed[k]
	if g.fate == rules.Scored {
		p.twenties[g.Side]--
	}
	switch g.fate = fate; fate {
	case rules.Scored:
		p.twenties[g.Side]++
	case rules.OnBoard:
		p.discs = append(p.discs, g.Disc)
		t.removed = slices.Delete(slices.Clone(t.removed), k, k+1)
	}
}

// spec is the board played on.
func spec(rs rules.Ruleset) board.Spec {
	if rs.Board.Surface == 0 {
		return board.Tournament26()
	}
	return rs.Board
}

// radius is that of the board's discs, mm.
func radius(rs rules.Ruleset) float64 { return spec(rs).Disc.Radius }

// How far apart two sightings of a disc may be for it to count as not having
// moved: half a millimetre, or three standard deviations of the difference, and
// never as much as half a disc's radius.
const (
	stillMM    = 0.5
	stillSigma = 3
)

func still(a, b board.Disc, rs rules.Ruleset) bool {
	d := math.Hypot(a.X-b.X, a.Y-b.Y)
	return a.Rest == b.Rest && d <= min(max(stillMM, stillSigma*math.Hypot(a.Sigma, b.Sigma)), radius(rs)/2)
}
