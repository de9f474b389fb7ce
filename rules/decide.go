package rules

// world is one full account of what happened during a shot. Where the evidence
// leaves something open there are several, and the verdict is firm only when
// the rules say the same of all of them.
type world struct {
	struck  uint64 // discs touched in play by the moving shot, at first or second hand
	direct  uint64 // of these, the ones the shot disc touched itself
	left    uint64 // discs that left the surface at any time
	crossed uint64 // discs that crossed the starting line and came back over the surface
	damaged uint64 // discs touched by a disc that had left
	beyond  uint64 // discs that touch or lie beyond the starting line at the end
	reach15 uint64 // discs that satisfy the open-board rule by where they lie

	directOpp bool // the shot disc itself hit an opposing disc
	firstOpp  bool // the first disc it touched was an opposing one
	banked    bool // it touched a post before that
	firstShot bool // it was the first shot of the round
}

// cause says which rule settled the ruling.
type cause uint8

const (
	hit       cause = iota // an opposing disc was hit as the rules ask
	miss                   // no opposing disc was touched
	indirect               // hit, but only through other discs, under contact=direct
	notFirst               // hit, but something else was touched first
	offBank                // hit, but off a post
	reached                // open board: the 15 was reached
	short                  // open board: it was not
	free                   // open board: no restriction
	suspended              // damage: no rule is applied to the shot
)

// decision is what the rules make of one world.
type decision struct {
	good  bool
	cause cause
	// The discs by their fate. A disc is in one set only, save for damaged20.
	off, reentry, crossed, lifted, outer uint64
	twenty, restored, board              uint64
	damaged20                            uint64 // sunk by damage after having moved in play: where it belongs is not known
}

func (d *decision) removed() uint64 { return d.off | d.reentry | d.crossed | d.lifted | d.outer }

// same tells whether two decisions come to the same on the board, whatever the
// grounds.
func (d *decision) same(e *decision) bool {
	return d.good == e.good && d.removed() == e.removed() && d.twenty == e.twenty &&
		d.restored == e.restored && d.board == e.board && d.damaged20 == e.damaged20
}

// decide applies the rules to one world. It is the whole of the judging; all
// else is finding out which worlds are possible.
func (p *play) decide(w *world) decision {
	var d decision
	rs := &p.rs

	left := w.left | p.off
	dead := left
	if rs.Spin == SpinOut {
		dead |= w.crossed
	}
	// Damage put back (DMG-2): what a dead disc disturbed, unless it had already
	// moved in play, in which case neither snapshot shows where it belongs. The
	// shot disc has no place to go back to, and what did not move is there already.
	if rs.Damage == DamageRestored {
		d.restored = w.damaged & p.moved &^ w.struck &^ p.me
		d.damaged20 = w.damaged & (w.struck | p.me) & p.in &^ w.left
	}

	opponents := w.struck & p.opp
	switch {
	case rs.Damage == DamageSuspends && w.damaged != 0: // DMG-3
		d.good, d.cause = true, suspended
	case p.opp != 0: // CON-1, CON-2
		switch {
		case opponents == 0:
			d.cause = miss
		case rs.Contact == Combination:
			d.good = true
		case rs.Contact == Direct:
			d.good, d.cause = w.directOpp, indirect
		case !w.firstOpp:
			d.cause = notFirst
		case rs.Contact == OpponentFirstNoBank && w.banked:
			d.cause = offBank
		default:
			d.good = true
		}
		if d.good {
			d.cause = hit
		}
	case rs.OpenBoard == OpenBoardFree || rs.OpenBoardScope == FirstShot && !w.firstShot: // OPN-4
		d.good, d.cause = true, free
	default: // OPN-2, OPN-5
		candidates := p.me
		if rs.OpenBoard == InvolvedTouch15 {
			candidates |= w.struck & p.own
		}
		d.good, d.cause = candidates&(w.reach15|p.in)&^dead != 0, short
		if d.good {
			d.cause = reached
		}
	}

	var penalty uint64
	if !d.good {
		penalty = p.me
		switch {
		case p.opp == 0: // OPN-3
			if rs.OpenBoardPenalty == OpenStruck {
				penalty |= w.struck & p.own
			}
		case rs.ContactPenalty == Struck: // CON-3
			penalty |= w.struck & p.own
		case rs.ContactPenalty == StruckByShooter:
			penalty |= w.direct & p.own
		}
		if rs.InvalidOpponentDiscs == OpponentsRestored { // CON-5
			d.restored |= opponents & p.moved
		}
	}

	rest := p.all &^ d.restored
	take := func(set uint64) uint64 {
		set &= rest
		rest &^= set
		return set
	}
	d.off = take(p.off)                  // OUT-2
	d.reentry = take(w.left)             // DMG-1
	d.crossed = take(dead)               // OUT-3
	d.lifted = take(penalty)             // CON-3, OPN-3, TWN-3
	d.outer = take(w.beyond)             // OUT-1
	d.twenty = take(p.in &^ d.damaged20) // TWN-1, TWN-2
	d.damaged20 &= rest                  // DMG-4
	d.board = rest&^d.damaged20 | d.restored
	return d
}
