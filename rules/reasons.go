package rules

import (
	"math/bits"

	"crokcam/board"
)

// reasons writes down why the verdict is what it is: first the ruling, then the
// fate of each disc it changes.
func (q *inquiry) reasons(d *decision) {
	leans := q.leaning & d.board &^ d.restored & q.moved
	damaged := q.damaged &^ (q.left | d.restored)
	removed := d.removed()
	n := 1 + bits.OnesCount64(removed|d.twenty|d.restored|leans)
	if damaged != 0 {
		n++
	}
	out := make([]Reason, 0, n)
	say := func(rule, key string, disc, other int) {
		out = append(out, Reason{Rule: rule, Key: key, Disc: disc, Other: other})
	}
	if q.open {
		say(q.openRule(), "unclear", -1, -1)
	} else {
		rule, key, disc, other := q.ground(d)
		say(rule, key, disc, other)
	}

	for m := removed; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		this := m & -m
		switch {
		case d.off&this != 0:
			say("OUT-2", "disc.off_surface", i, -1)
		case d.reentry&this != 0:
			say("DMG-1", "disc.reentry", i, -1)
		case d.crossed&this != 0:
			say("OUT-3", "disc.crossed_line", i, -1)
		case d.lifted&this != 0:
			rule := "CON-3"
			if q.opp == 0 {
				rule = "OPN-3"
			}
			key := "disc.lifted"
			switch {
			case q.in&this != 0:
				rule, key = "TWN-3", "disc.twenty_void"
			case this == q.me:
				key = "disc.lifted_shot"
			}
			say(rule, key, i, -1)
		default:
			say("OUT-1", "disc.outer_line", i, -1)
			out[len(out)-1].Gap = q.l.in[board.Five] - q.l.disc - radius(q.b[i].At)
		}
	}
	for m := d.twenty; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if q.opp&m&-m != 0 {
			say("TWN-2", "disc.twenty_owner", i, -1)
		} else {
			say("TWN-1", "disc.twenty", i, -1)
		}
	}
	for m := d.restored; m != 0; m &= m - 1 {
		rule := "DMG-2"
		if q.damaged&m&-m == 0 {
			rule = "CON-5"
		}
		say(rule, "disc.restored", bits.TrailingZeros64(m), -1)
	}
	for m := leans; m != 0; m &= m - 1 {
		say("TWN-4", "disc.leaning", bits.TrailingZeros64(m), -1)
	}
	if damaged != 0 {
		say("DMG-2", "disc.damage_stays", bits.TrailingZeros64(damaged), -1)
	}
	q.v.Reasons = out
}

// openRule is the rule of the doubt that left the ruling open.
func (q *inquiry) openRule() string {
	for i := range q.v.Doubts {
		switch q.v.Doubts[i].Kind {
		case DoubtDirect, DoubtFirst, DoubtBank, DoubtContact, DoubtShot:
			return q.v.Doubts[i].Rule
		}
	}
	return "INF-4"
}

// ground is the rule that settled the ruling and the discs it turned on.
func (q *inquiry) ground(d *decision) (rule, key string, disc, other int) {
	first := func(m uint64) int {
		if m == 0 {
			return -1
		}
		return bits.TrailingZeros64(m)
	}
	opp := first(q.struck & q.opp)
	switch d.cause {
	case hit:
		if q.rs.Contact == Combination && q.direct&q.opp == 0 && q.struck&q.own != 0 {
			return "CON-2", "contact.combination", opp, first(q.struck & q.own)
		}
		if m := q.direct & q.opp; m != 0 {
			opp = first(m)
		}
		return "CON-1", "contact.hit", opp, -1
	case miss:
		return "CON-3", "contact.miss", -1, -1
	case indirect:
		return "CON-2", "contact.indirect", opp, -1
	case notFirst:
		return "CON-2", "contact.not_first", opp, -1
	case offBank:
		return "CON-7", "contact.bank", opp, -1
	case reached:
		c := q.me
		if q.rs.OpenBoard == InvolvedTouch15 {
			c |= q.struck & q.own
		}
		c &= (q.reach15 | q.in) &^ (q.left | q.off)
		if c&q.in != 0 {
			return "OPN-5", "open.twenty", first(c & q.in), -1
		}
		return "OPN-2", "open.reached", first(c), -1
	case short:
		return "OPN-2", "open.short", q.n, -1
	case free:
		return "OPN-4", "open.free", -1, -1
	}
	return "DMG-3", "damage.suspended", -1, -1
}
