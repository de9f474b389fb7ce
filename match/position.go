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
	next     []board.Seat // who may shoot

	// order keeps the turn as package rules has it, for as long as everybody shoots
	// when it is their turn. After a shot out of turn, or from a board that was
	// taken as it lies, regular is false and play goes on clockwise.
	order   rules.Match
	regular bool
	last    board.Seat
	begun   bool // somebody has shot
}

// owned is how many discs a seat has in a round (PLY-2, PLY-3a).
func owned(f rules.Format, s board.Seat) int {
	switch {
	case !slices.Contains(f.Layout.Seats(), s):
		return 0
	case f.Layout == rules.TwoAgainstOne && f.Layout.Side(s) == board.SideB:
		return 2 * f.Discs
	}
	return f.Discs
}

// beginning is a round before its first turn.
func beginning(base rules.Match, lead board.Seat) position {
	g := base.Game()
	f := g.Format()
	p := position{order: base, regular: g.Lead() == lead && g.Phase() == rules.Shooting}
	for _, s := range f.Layout.Seats() {
		p.left[s] = owned(f, s)
	}
	p.due(f, lead)
	return p
}

// due sets next.
func (p *position) due(f rules.Format, lead board.Seat) {
	if p.regular {
		p.next = p.order.Game().Next()
		return
	}
	p.next = nil
	cycle := cycle(f.Layout, lead)
	at := 0
	if p.begun {
		at = slices.Index(cycle, p.last) + 1
	}
	taken, most := p.taken(f), 0
	for _, n := range taken {
		most = max(most, n)
	}
	for k := range cycle {
		s := cycle[(at+k)%len(cycle)]
		if p.left[s] > 0 && (!p.timeUp || taken[f.Layout.Side(s)] < most) {
			p.next = []board.Seat{s}
			return
		}
	}
}

// cycle is the order of turns when a seat leads.
func cycle(l rules.Layout, lead board.Seat) []board.Seat {
	seats := l.Seats()
	solo := -1
	if l == rules.TwoAgainstOne {
		solo = slices.Index(seats, board.West)
	}
	order, err := rules.Cycle(len(seats), slices.Index(seats, lead), solo)
	if err != nil {
		return seats
	}
	return each(order, func(k int) board.Seat { return seats[k] })
}

// taken is how many discs of each side have been shot or forfeited.
func (p *position) taken(f rules.Format) rules.Points {
	var n rules.Points
	for _, s := range f.Layout.Seats() {
		n[f.Layout.Side(s)] += owned(f, s) - p.left[s]
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
func (p *position) spend(s board.Seat, f rules.Format, lead board.Seat) {
	p.left[s%4]--
	p.last, p.begun = s, true
	if p.regular {
		// The turn alone is asked for here, so the disc's fate does not matter.
		m, err := p.order.Apply(rules.ShotForfeited{Seat: s})
		p.order, p.regular = m, err == nil
	}
	p.due(f, lead)
}

// clock ends the time (TIM-1).
func (p *position) clock(f rules.Format, lead board.Seat) {
	p.timeUp = true
	if p.regular {
		m, err := p.order.Apply(rules.TimeUp{})
		p.order, p.regular = m, err == nil
	}
	p.due(f, lead)
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
	p.regular = false
	p.next = []board.Seat{r.Next}
	if p.left[r.Next%4] <= 0 {
		p.next = nil
	}
	// Whoever is next, the one before has shot last.
	seats := f.Layout.Seats()
	if i := slices.Index(seats, r.Next); i >= 0 {
		p.last, p.begun = seats[(i+len(seats)-1)%len(seats)], true
	}
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
