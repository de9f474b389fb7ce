package rules

import (
	"math/bits"
)

// account is the nominal world with the doubts about it that the evidence
// itself raises.
type account struct {
	world
	basis Basis
	hand  uint64 // moved by a hand: no evidence of anything
	loose uint64 // discs that moved though no seen contact explains it
	// open is set when the evidence does not choose between the world as it is
	// and the other: then no nominal ruling is given.
	open bool
	kind DoubtKind
}

// other is the world in which what an account leaves open was the other way round.
func (a *account) other() world {
	w := a.world
	w.directOpp, w.firstOpp, w.banked = a.kind != DoubtDirect, a.kind != DoubtFirst, a.kind == DoubtBank
	return w
}

// bodyIndex is a body's place in p.b; -1 for a post, the ditch, or a 20 of an
// earlier shot.
func (p *play) bodyIndex(b Body) int {
	switch {
	case b == ShotDisc:
		return p.n
	case b >= 0:
		return int(p.of[b])
	}
	return -1
}

// checkEvidence reports what was seen of discs that were not there, or at no time.
func (p *play) checkEvidence() error {
	ev := &p.shot.Evidence
	if err := p.checkContacts("evidence.contacts", ev.Contacts); err != nil {
		return err
	}
	if err := p.checkContacts("evidence.damage", ev.Damage); err != nil {
		return err
	}
	if err := p.checkExits("evidence.exits", ev.Exits); err != nil {
		return err
	}
	if err := p.checkExits("evidence.crossed", ev.Crossed); err != nil {
		return err
	}
	if err := p.checkDiscs("evidence.hand", ev.Hand); err != nil {
		return err
	}
	if err := p.checkDiscs("evidence.nudged", ev.Nudged); err != nil {
		return err
	}
	return p.checkDiscs("evidence.still", ev.Still)
}

func (p *play) checkDiscs(name string, list []Body) error {
	for i, b := range list {
		if !p.known(b) || !b.IsDisc() {
			return inputErr(name, "entry %d names a disc that is not in the snapshot before", i)
		}
	}
	return nil
}

// known tells whether there is such a body.
func (p *play) known(b Body) bool {
	return int(b) < len(p.before) && (b >= ShotDisc || b == DitchDisc || b.IsPost())
}

func (p *play) checkContacts(name string, list []Contact) error {
	for i := range list {
		c := &list[i]
		switch {
		case !p.known(c.Striker) || !p.known(c.Struck):
			return inputErr(name, "contact %d names a disc that is not in the snapshot before", i)
		case c.Striker == c.Struck && c.Striker.IsDisc():
			return inputErr(name, "contact %d is of a disc with itself", i)
		case !(c.At >= 0) || !finite(c.At):
			return inputErr(name, "contact %d happened at %g s", i, c.At)
		case !(c.Confidence >= 0 && c.Confidence <= 1):
			return inputErr(name, "contact %d has confidence %g", i, c.Confidence)
		}
	}
	return nil
}

func (p *play) checkExits(name string, list []Exit) error {
	for i := range list {
		e := &list[i]
		if !p.known(e.Body) || !e.Body.IsDisc() {
			return inputErr(name, "entry %d names a disc that is not in the snapshot before", i)
		}
		if !(e.At >= 0) || !finite(e.At) {
			return inputErr(name, "entry %d happened at %g s", i, e.At)
		}
	}
	return nil
}

// set is the mask of the discs a list names.
func (p *play) set(list []Exit) uint64 {
	var m uint64
	for i := range list {
		if k := p.bodyIndex(list[i].Body); k >= 0 {
			m |= bit(k)
		}
	}
	return m
}

// deadAt is when a body went dead, 0 when it did not or no time is known.
func (p *play) deadAt(k int) float64 {
	ev := &p.shot.Evidence
	t := timeOf(ev.Exits, p, k)
	if p.rs.Spin == SpinOut {
		if u := timeOf(ev.Crossed, p, k); u > 0 && (t == 0 || u < t) {
			t = u
		}
	}
	return t
}

func timeOf(list []Exit, p *play, k int) float64 {
	for i := range list {
		if p.bodyIndex(list[i].Body) == k {
			return list[i].At
		}
	}
	return 0
}

// certain says how sure the seen contacts must be to be counted in a world.
type certain float64

// told is what every world starts from: what was told of the shot beside its
// contacts.
func (p *play) told(from Basis) (a account) {
	ev := &p.shot.Evidence
	a.basis = from
	a.beyond, a.reach15 = p.beyond, p.at15
	a.firstShot = p.shot.Number <= 1
	a.left = p.set(ev.Exits)
	a.crossed = p.set(ev.Crossed)
	a.hand = p.bodies(ev.Hand)
	return a
}

// bodies is the mask of the bodies in a list.
func (p *play) bodies(list []Body) (m uint64) {
	for _, b := range list {
		if k := p.bodyIndex(b); k >= 0 {
			m |= bit(k)
		}
	}
	return m
}

// nudged is the discs that were seen to be moved.
func (p *play) nudged() uint64 { return p.bodies(p.shot.Evidence.Nudged) & p.on }

// atRest is the discs that nothing has touched, as far as that was told.
func (p *play) atRest() uint64 { return p.bodies(p.shot.Evidence.Still) & p.still }

// seen builds the world that the contacts in sight make, counting those of at
// least the given confidence.
func (p *play) seen(least certain) (a account) {
	a = p.told(FromContacts)
	p.follow(&a, least)

	// A disc that moved without a seen touch was touched all the same (INF-1),
	// unless damage or a hand did it.
	for m := p.moved &^ (a.struck | a.damaged | a.hand | p.me); m != 0; m &= m - 1 {
		if p.pushed(bits.TrailingZeros64(m)) > sureOdds {
			a.loose |= m & -m
		}
	}
	if a.loose != 0 {
		a.basis = FromBoth
		a.struck |= a.loose
	}
	return a
}

// follow traces what the moving shot set off: each contact passes "moved by the
// shot" or, from a disc that had left the surface, "moved by damage" on to the
// other disc. A contact in play whose discs neither had yet reached was caused
// by something unseen; in play that can only be the shot.
func (p *play) follow(a *account, least certain) {
	ev := &p.shot.Evidence
	timed := true
	for i := range ev.Contacts {
		if ev.Contacts[i].At == 0 {
			timed = false
		}
	}
	var order [64]int16
	list := order[:0]
	for i := range ev.Contacts {
		c := &ev.Contacts[i]
		if c.Confidence > 0 && certain(c.Confidence) < least {
			continue
		}
		list = append(list, int16(i))
		if timed {
			for k := len(list) - 1; k > 0 && ev.Contacts[list[k]].At < ev.Contacts[list[k-1]].At; k-- {
				list[k], list[k-1] = list[k-1], list[k]
			}
		}
	}

	reached := p.me
	started := false // the shot disc has touched another disc
	touch := func(x, y int) {
		m := bit(x) | bit(y)
		if m&p.me != 0 {
			other := m &^ p.me
			a.direct |= other
			a.directOpp = a.directOpp || other&p.opp != 0
			if !started {
				started = true
				a.firstOpp = other&p.opp != 0
			}
		}
		reached |= m
	}
	// What the shot reached in play. A contact that it has not reached yet waits
	// for another pass: lists without times need not be in order.
	for again := true; again; {
		again = false
		waiting := list[:0]
		for _, i := range list {
			c := &ev.Contacts[i]
			x, y := p.bodyIndex(c.Striker), p.bodyIndex(c.Struck)
			switch {
			case x < 0 || y < 0:
				// A post matters only before the shot disc's first disc (CON-7).
				if !started && (x == p.n && c.Struck.IsPost() || y == p.n && c.Striker.IsPost()) {
					a.banked = true
				}
			case !p.late(c, x, y) && reached&(bit(x)|bit(y)) != 0:
				touch(x, y)
				again = true
			default:
				waiting = append(waiting, i)
			}
		}
		list = waiting
	}
	// What discs that had left reached.
	for i := range ev.Damage {
		if x, y := p.bodyIndex(ev.Damage[i].Striker), p.bodyIndex(ev.Damage[i].Struck); x >= 0 && y >= 0 {
			p.damage(a, reached, x, y)
		}
	}
	for again := true; again; {
		again = false
		waiting := list[:0]
		for _, i := range list {
			c := &ev.Contacts[i]
			x, y := p.bodyIndex(c.Striker), p.bodyIndex(c.Struck)
			switch {
			case p.late(c, x, y):
				p.damage(a, reached, x, y)
				again = true
			case a.damaged&(bit(x)|bit(y)) != 0:
				a.damaged |= bit(x) | bit(y)
				again = true
			default:
				waiting = append(waiting, i)
			}
		}
		list = waiting
	}
	// What is left was set off by something unseen; in play that is the shot.
	for _, i := range list {
		touch(p.bodyIndex(ev.Contacts[i].Striker), p.bodyIndex(ev.Contacts[i].Struck))
	}
	a.struck |= reached &^ p.me
}

// damage notes a touch between two discs of which one had left the surface: the
// other is damaged. reached are the discs that the shot moved in play.
func (p *play) damage(a *account, reached uint64, x, y int) {
	mx, my := bit(x), bit(y)
	dead := a.left
	if p.rs.Spin == SpinOut {
		dead |= a.crossed
	}
	hurt := my
	switch {
	case dead&mx != 0 && dead&my != 0:
		// Both left in the end. The one that the shot itself had moved went first;
		// of two such, or of none, the moving one.
		if reached&my != 0 && reached&mx == 0 {
			hurt = mx
		}
	case dead&mx != 0, a.damaged&mx != 0 && dead&my == 0:
	case dead&my != 0, a.damaged&my != 0:
		hurt = mx
	default:
		// Neither is known to have left, but one did, and it was the moving one.
		a.left |= mx
	}
	a.damaged |= hurt
}

// late tells whether a contact came after one of its discs had gone dead.
func (p *play) late(c *Contact, x, y int) bool {
	if c.At == 0 {
		return false
	}
	dx, dy := p.deadAt(x), p.deadAt(y)
	return dx > 0 && c.At > dx || dy > 0 && c.At > dy
}

// inferred builds the world that the two snapshots alone suggest: what moved was
// touched (INF-1), and what lies against the shot disc, or against a disc that
// moved, was touched (INF-2). moved may differ from p.moved to try the other
// side of a measurement, and sigmas does the same for discs at rest.
func (p *play) inferred(moved uint64, sigmas float64) (a account) {
	a = p.told(FromSnapshots)
	ev := &p.shot.Evidence
	for i := range ev.Damage {
		x, y := p.bodyIndex(ev.Damage[i].Striker), p.bodyIndex(ev.Damage[i].Struck)
		if x >= 0 && y >= 0 {
			p.damage(&a, p.me, x, y)
		}
	}

	a.struck = moved &^ (a.damaged | a.hand | p.me)
	movers := a.struck | p.me
	for i := range p.n + 1 {
		if movers&bit(i)&p.on == 0 {
			continue
		}
		for j := range p.n {
			m := bit(j)
			if i == j || p.on&m == 0 || (a.damaged|a.hand)&m != 0 || !p.touching(i, j, sigmas) {
				continue
			}
			switch {
			case i == p.n:
				a.direct |= m
				a.struck |= m
			case a.struck&m == 0 && !p.touched(i, j, sigmas):
				a.struck |= m
			}
		}
	}
	own, opp := a.struck&p.own, a.struck&p.opp
	if a.struck != 0 && a.struck&(a.struck-1) == 0 && !p.cradle(a.struck) {
		a.direct |= a.struck // the only disc touched was touched by the shot disc
	}
	a.directOpp = a.direct&p.opp != 0
	a.firstOpp = own == 0
	if opp == 0 {
		return a
	}
	switch p.rs.Contact {
	case Direct:
		switch {
		case a.directOpp:
		case own == 0 && !p.cradle(opp):
			a.directOpp = true // the first opposing disc to move was hit by the shot disc
		default:
			a.open, a.kind = true, DoubtDirect
		}
	case OpponentFirst, OpponentFirstNoBank:
		a.open, a.kind = own != 0, DoubtFirst
		if p.rs.Contact == OpponentFirstNoBank && !a.open && p.rs.playedOn().Posts.Count > 0 {
			a.open, a.kind = true, DoubtBank
		}
	}
	if a.open {
		a.directOpp, a.firstOpp, a.banked = true, true, false
	}
	return a
}

// cradle tells whether one of these discs lay against an own disc that did not
// move: a blow passes through such a pair and leaves no trace.
func (p *play) cradle(set uint64) bool {
	for i := range p.n {
		if set&bit(i) == 0 {
			continue
		}
		for j := range p.n {
			if p.own&bit(j)&^p.moved != 0 && p.touched(i, j, 0) {
				return true
			}
		}
	}
	return false
}
