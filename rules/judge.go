package rules

import (
	"math"
	"math/bits"
	"slices"

	"crokcam/board"
)

// Judge says what the rules make of one shot: before are the discs at rest when
// the shot disc was placed, without it; after are the discs at rest when all had
// stopped, before anybody touched them. The shot disc is found by elimination
// unless shot.Track names it.
//
// An error wraps ErrInput or ErrRuleset. Snapshots that can be measured but not
// come from one shot are no error: the verdict is Desynced.
func Judge(before, after board.Snapshot, shot Shot, rs Ruleset) (Verdict, error) {
	if err := rs.validate(); err != nil {
		return Verdict{}, err
	}
	var p play
	p.rs, p.shot, p.before, p.after, p.l = rs, shot, before.Discs, after.Discs, linesOf(rs.judgedOn())
	if shot.Side == board.NoSide || shot.Side > board.SideD {
		return Verdict{}, inputErr("shot.side", "side %d does not exist", uint8(shot.Side))
	}
	if shot.Number < 0 {
		return Verdict{}, inputErr("shot.number", "%d is less than 0", shot.Number)
	}
	if err := p.load(); err != nil {
		return Verdict{}, err
	}
	if err := p.checkEvidence(); err != nil {
		return Verdict{}, err
	}
	stray, err := p.pair()
	if err != nil {
		return Verdict{}, err
	}
	if err := p.checkFresh(); err != nil {
		return Verdict{}, err
	}

	v := Verdict{Shooter: shot.Side, OpenShot: p.opp == 0}
	v.Desync = p.desync(stray)
	q := inquiry{play: &p, v: &v}
	q.account = q.hear(&p)
	if len(v.Desync) == 0 {
		q.vanished()
	}
	if len(v.Desync) > 0 {
		q.desynced()
		return v, nil
	}
	q.rule()
	return v, nil
}

// inquiry is the judging of one play: the nominal account, what the rules make
// of it, and the verdict being written.
type inquiry struct {
	*play
	account
	base decision
	v    *Verdict
	open bool // a doubt was found that leaves the ruling itself undecided
	alt  decision
}

// hear takes the evidence: contacts where they were watched, else the snapshots.
func (q *inquiry) hear(p *play) account {
	if p.shot.Evidence.Watched&WatchedContacts != 0 {
		return p.seen(probableContact)
	}
	return p.inferred(p.moved, 0)
}

func (q *inquiry) rule() {
	p, v := q.play, q.v
	q.base = p.decide(&q.world)
	v.Basis = q.basis

	if q.account.open {
		q.undecided(q.kind, "INF-4", q.struck, q.other())
	}
	if p.rs.OpenBoardScope == FirstShot && p.shot.Number == 0 && p.opp == 0 {
		w := q.world
		w.firstShot = false
		q.undecidedKey(DoubtShot, "OPN-4", 0, w, "no")
	}
	if q.basis == FromSnapshots {
		q.doubtSnapshots()
	} else {
		q.doubtContacts()
	}
	if p.shot.Evidence.Watched&WatchedExits == 0 {
		q.doubtExits()
	} else if p.rs.Spin == SpinOut && q.crossed != 0 {
		q.doubtCrossed()
	}
	q.doubtLines()
	if p.shot.Track == nil && p.moved&p.own != 0 {
		q.doubtIdentity()
	}
	q.doubtAlways()

	d := q.base
	switch {
	case q.open:
		v.Ruling = Unclear
		d = q.common()
	case d.good:
		v.Ruling = Good
	default:
		v.Ruling = Failed
	}
	for m := d.twenty; m != 0; m &= m - 1 {
		v.Twenties[p.b[bits.TrailingZeros64(m)].Side]++
	}
	q.closeCalls()
	v.Review = q.flagged()
	q.reasons(&d)
	v.Outcomes = q.carryOut(&d, p.b)
}

// flagged tells whether somebody should look. Two pictures and nothing between
// them leave room for anything; where the shot was watched, what is rare would
// most likely have been seen.
func (q *inquiry) flagged() bool {
	watched := q.shot.Evidence.Watched != 0
	for i := range q.v.Doubts {
		if !q.v.Doubts[i].Remote || !watched {
			return true
		}
	}
	return q.open
}

// consider asks what the verdict would be in another world, and raises a doubt
// when it would not be the same.
func (q *inquiry) consider(k DoubtKind, rule string, discs uint64, remote bool, w world, key string) (decision, bool) {
	d := q.decide(&w)
	// A disc that left the surface is out for another reason than a lifted one,
	// and the players should hear the right one.
	if d.same(&q.base) && (k != DoubtReturn && k != DoubtCrossing || d == q.base) {
		return d, false
	}
	other := "no"
	if key == "no" {
		other = "yes"
	}
	q.v.Doubts = append(q.v.Doubts, Doubt{Kind: k, Rule: rule, Discs: list(discs), Remote: remote, Answers: []Answer{
		{Key: key, Ruling: rulingOf(d.good), Outcome: q.outcomes(&d)},
		{Key: other, Ruling: rulingOf(q.base.good), Outcome: q.outcomes(&q.base)},
	}})
	return d, true
}

// undecided is consider for a doubt that leaves no nominal ruling.
func (q *inquiry) undecided(k DoubtKind, rule string, discs uint64, w world) {
	q.undecidedKey(k, rule, discs, w, map[bool]string{true: "yes", false: "no"}[k == DoubtBank])
}

func (q *inquiry) undecidedKey(k DoubtKind, rule string, discs uint64, w world, key string) {
	if d, differs := q.consider(k, rule, discs, false, w, key); differs {
		q.open, q.alt = true, d
	}
}

func rulingOf(good bool) Ruling {
	if good {
		return Good
	}
	return Failed
}

func list(m uint64) []int {
	out := make([]int, 0, bits.OnesCount64(m))
	for ; m != 0; m &= m - 1 {
		out = append(out, bits.TrailingZeros64(m))
	}
	return out
}

// common is what holds whichever way the open question is answered, the discs
// lying where they lie.
func (q *inquiry) common() decision {
	d, e := q.base, q.alt
	if !d.good && e.good {
		d, e = e, d
	}
	d.lifted &= e.removed()
	d.twenty &= e.twenty
	d.restored &= e.restored
	d.off = q.off &^ d.restored
	gone := d.removed() | d.twenty
	d.damaged20 = q.in &^ (gone | d.restored)
	d.board = q.all &^ (gone | d.damaged20)
	return d
}

// doubtSnapshots asks about what two snapshots cannot show.
func (q *inquiry) doubtSnapshots() {
	p := q.play
	// Touched without moving (INF-3).
	still := p.on &^ (p.moved | q.struck | q.damaged | q.hand | p.atRest())
	if m := still & p.opp; m != 0 {
		w := q.world
		w.struck |= m
		w.directOpp = true
		w.firstOpp = true // it may have been touched before any other
		q.consider(DoubtGraze, "INF-3", m, q.rareGraze(m), w, "yes")
	}
	if m := still & p.own; m != 0 {
		w := q.world
		w.struck |= m
		w.direct |= m
		w.firstOpp = false
		q.consider(DoubtGraze, "INF-3", m, q.rareGraze(m), w, "yes")
	}
	// Which discs the shot disc touched itself (INF-4).
	if p.rs.ContactPenalty == StruckByShooter && !q.base.good && p.opp != 0 {
		for m := q.struck & p.own &^ q.direct; m != 0; m &= m - 1 {
			w := q.world
			w.direct |= m & -m
			q.consider(DoubtStruckBy, "CON-3", m&-m, false, w, "yes")
		}
	}
	// The other side of the measurement.
	for _, side := range [...]uint64{p.opp, p.own} {
		unsure := p.unsureMoved(side &^ (q.damaged | q.hand))
		for _, moved := range [...]uint64{p.moved | unsure, p.moved &^ unsure} {
			if moved != p.moved {
				a := p.inferred(moved, 0)
				q.consider(DoubtMoved, "INF-1", moved^p.moved, false, a.world, answerIf(moved > p.moved))
			}
		}
	}
	for _, sigmas := range [...]float64{2, -2} {
		a := p.inferred(p.moved, sigmas)
		if changed := a.struck ^ q.struck; changed != 0 {
			q.consider(DoubtTouching, "INF-2", changed, false, a.world, answerIf(sigmas > 0))
		}
	}
}

func (q *inquiry) inSight() bool { return q.shot.Evidence.Watched&WatchedPlay != 0 }

// grazeMM is the gap at rest below which a disc that did not move may well have
// been touched.
const grazeMM = 1

// rareGraze tells whether it would be a rare chance that one of these discs was
// touched and did not move: the board was in sight, and none of them lies beside
// a disc that came to rest there.
func (q *inquiry) rareGraze(set uint64) bool {
	if !q.inSight() {
		return false
	}
	movers := (q.struck | q.me) & q.on
	for ; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		for m := movers; m != 0; m &= m - 1 {
			j := bits.TrailingZeros64(m)
			// Whoever is struck with the last of a striker's way is pushed about as
			// far as the striker then lies from where it was. That may be further
			// than a graze where a push has to be long to be seen.
			a, b := &q.b[i], &q.b[j]
			sigma := gapSigma(float64(a.Sigma), float64(b.Sigma))
			if q.beside(a.At, b.At, max(grazeMM, stillSigma*sigma)+2*sigma) {
				return false
			}
		}
	}
	return true
}

func answerIf(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// doubtContacts asks about what the seen contacts leave open.
func (q *inquiry) doubtContacts() {
	p := q.play
	graded := false
	for i := range p.shot.Evidence.Contacts {
		if c := p.shot.Evidence.Contacts[i].Confidence; c > 0 && c < sureContact {
			graded = true
		}
	}
	if graded {
		for _, least := range [...]certain{sureContact, math.SmallestNonzeroFloat64} {
			a := p.seen(least)
			q.undecidedKey(DoubtContact, "INF-3", a.struck^q.struck, a.world, answerIf(least < probableContact))
		}
	}
	if q.loose == 0 {
		return
	}
	// A disc moved and no seen contact says what touched it. That it was touched
	// is certain; by what, and when, is not.
	w := q.world
	w.struck &^= q.loose
	q.consider(DoubtHand, "DST-1", q.loose, false, w, "yes")
	if m := q.loose & p.opp; m != 0 && p.rs.Contact != Combination {
		w = q.world
		w.directOpp, w.firstOpp, w.banked = true, true, false
		q.undecidedKey(DoubtDirect, "INF-4", m, w, "yes")
	}
	if m := q.loose & p.own; m != 0 {
		w = q.world
		w.direct |= m
		w.firstOpp = false
		q.consider(DoubtStruckBy, "CON-3", m, false, w, "yes")
	}
}

// doubtExits asks about discs that may have left the surface while nobody
// watched the edge.
func (q *inquiry) doubtExits() {
	p := q.play
	if q.damaged == 0 {
		worlds := [...]struct {
			possible bool
			damaged  uint64
		}{
			{p.off&p.me != 0, q.struck},                     // all was done by the shot disc coming back
			{p.off&(p.me|p.own) != 0, q.struck & p.opp},     // own discs were struck, the opposing ones by one coming back
			{p.off&^p.me != 0, q.struck &^ p.off},           // the discs that left were struck, the rest by them coming back
			{p.off&p.me != 0, q.struck & p.own &^ q.direct}, // only own discs at second hand
			// Damage that moved nothing would suspend the other rules all the same.
			{p.off != 0 && p.rs.Damage == DamageSuspends, (p.own | p.opp) &^ (p.off | q.struck)},
		}
		last := uint64(0)
		for _, x := range worlds {
			if !x.possible || x.damaged == 0 || x.damaged == last {
				continue
			}
			last = x.damaged
			w := q.world
			w.damaged = x.damaged
			w.struck &^= x.damaged
			w.direct &^= x.damaged
			w.directOpp = w.directOpp && w.direct&p.opp != 0
			q.consider(DoubtDamage, "DMG-3", x.damaged, true, w, "yes")
		}
	}
	for i := range p.n + 1 {
		m := bit(i)
		if (p.on|p.in)&p.moved&m == 0 || (q.left|q.crossed|q.hand)&m != 0 {
			continue
		}
		w := q.world
		w.left |= m
		q.consider(DoubtReturn, "DMG-1", m, true, w, "yes")
		if p.rs.Spin == SpinOut {
			w = q.world
			w.crossed |= m
			q.consider(DoubtCrossing, "OUT-3", m, true, w, "yes")
		}
	}
}

// doubtCrossed asks, under spin=out, whether a disc that crossed the line had
// already done so when it struck another (OUT-3).
func (q *inquiry) doubtCrossed() {
	p, ev := q.play, &q.shot.Evidence
	for i := range ev.Crossed {
		k := p.bodyIndex(ev.Crossed[i].Body)
		if k < 0 || ev.Crossed[i].At > 0 {
			continue
		}
		var hit uint64
		for j := range ev.Contacts {
			c := &ev.Contacts[j]
			if y := p.bodyIndex(c.Struck); p.bodyIndex(c.Striker) == k && y >= 0 {
				hit |= bit(y)
			}
		}
		if hit &= q.struck; hit == 0 {
			continue
		}
		w := q.world
		w.struck &^= hit
		w.direct &^= hit
		w.damaged |= hit
		w.directOpp = w.directOpp && w.direct&p.opp != 0
		q.consider(DoubtCrossing, "OUT-3", bit(k)|hit, false, w, "yes")
	}
}

// doubtLines asks about discs closer to a line than two sigmas, where the ruling
// or a removal turns on it.
func (q *inquiry) doubtLines() {
	for m := q.near; m != 0; m &= m - 1 {
		w := q.world
		w.beyond ^= m & -m
		touches := w.beyond&m&-m != 0
		if _, differs := q.consider(DoubtLine, "OUT-1", m&-m, false, w, answerIf(touches)); differs && !touches {
			q.otherwise(m, board.Five)
		}
	}
	if q.opp != 0 {
		return // nothing has to reach the 15 (CON-4)
	}
	for m := q.near15; m != 0; m &= m - 1 {
		w := q.world
		w.reach15 ^= m & -m
		reaches := w.reach15&m&-m != 0
		if q.rs.OpenBoard != ShooterInside15 {
			q.consider(DoubtLine, "OPN-2", m&-m, false, w, answerIf(reaches))
			continue
		}
		if _, differs := q.consider(DoubtLine, "OPN-2", m&-m, false, w, answerIf(!reaches)); differs && reaches {
			q.otherwise(m, board.Fifteen)
		}
	}
}

// otherwise values the first disc of the set, in the other answer to the last
// doubt, as lying clear of the line.
func (q *inquiry) otherwise(m uint64, z board.Zone) {
	d := &q.v.Doubts[len(q.v.Doubts)-1]
	o := &d.Answers[0].Outcome[bits.TrailingZeros64(m)]
	o.Lies, o.Line = z, board.Out
	if o.Fate != Ditched {
		o.Zone = z
	}
}

// doubtIdentity asks which disc was shot, where discs were told apart only by
// their places and the shot disc might be one of the own discs that moved.
func (q *inquiry) doubtIdentity() {
	p := q.play
	was := q.onPlaces(&q.base)
	for m := p.moved & p.own; m != 0; m &= m - 1 {
		k := bits.TrailingZeros64(m)
		r := *p
		r.swap(k)
		a := q.hear(&r)
		d := r.decide(&a.world)
		alt := inquiry{play: &r, account: a, base: d, v: q.v}
		if alt.onPlaces(&d) == was {
			continue
		}
		q.v.Doubts = append(q.v.Doubts, Doubt{Kind: DoubtIdentity, Rule: "INF-5", Discs: []int{k, p.n}, Answers: []Answer{
			{Key: "yes", Ruling: rulingOf(d.good), Outcome: alt.outcomes(&d)},
			{Key: "no", Ruling: rulingOf(q.base.good), Outcome: q.outcomes(&q.base)},
		}})
	}
}

// places is a decision told by the places on the board rather than by which
// disc is which.
type places struct {
	good           bool
	kept, twenties uint64
	restored       uint64
}

func (q *inquiry) onPlaces(d *decision) places {
	s := places{good: d.good, restored: d.restored}
	for i := range q.n + 1 {
		if j := q.b[i].After; j >= 0 {
			if d.board&^d.restored&bit(i) != 0 {
				s.kept |= bit(int(j))
			}
			if d.twenty&bit(i) != 0 {
				s.twenties |= bit(int(j))
			}
		}
	}
	return s
}

// vanished deals with discs that are nowhere to be seen. Where the edge was
// watched and nothing was seen to leave, a disc can only have been taken by a
// hand; otherwise it is taken to lie in the ditch, except that one that was near
// the hole, or the shot disc, may have dropped in and been lifted.
func (q *inquiry) vanished() {
	p, ev := q.play, &q.shot.Evidence
	lost := p.missing &^ (q.left | q.hand)
	if lost == 0 {
		return
	}
	if ev.Watched&WatchedExits != 0 && !ev.HandOver {
		for i := range p.n + 1 {
			if lost&bit(i) != 0 {
				q.v.Desync = append(q.v.Desync, Discrepancy{Kind: Vanished, Side: p.b[i].Side, Count: 0, Most: 1})
			}
		}
	}
}

// doubtAlways raises what no reading of the evidence can settle.
func (q *inquiry) doubtAlways() {
	p, ev := q.play, &q.shot.Evidence
	raise := func(k DoubtKind, rule string, discs uint64) {
		if discs != 0 {
			q.v.Doubts = append(q.v.Doubts, Doubt{Kind: k, Rule: rule, Discs: list(discs)})
		}
	}
	if lost := p.missing &^ (q.left | q.hand); lost != 0 {
		if ev.HandOver {
			raise(DoubtVanished, "DST-1", lost)
		}
		// May it have been a 20? (INF-5) A disc that is gone has most often left the
		// board, and in its sight a hand would have been seen to lift it from the
		// hole; but one that hung over the hole has most often dropped in.
		for m := lost; m != 0 && p.in == 0; m &= m - 1 {
			i := bits.TrailingZeros64(m)
			if i != p.n && radius(p.was(i).Point) > p.l.in[board.Fifteen]-p.l.disc {
				continue
			}
			hung := i != p.n && radius(p.was(i).Point) < p.l.hole+p.l.disc
			r := *p
			r.in |= bit(i)
			r.off &^= bit(i)
			r.b = slices.Clone(p.b)
			o := &r.b[i]
			o.Rest, o.Lies, o.Line, o.Zone = board.InHole, board.Twenty, board.Out, board.Twenty
			d := r.decide(&q.world)
			alt := inquiry{play: &r, account: q.account, base: d, v: q.v}
			q.v.Doubts = append(q.v.Doubts, Doubt{Kind: DoubtVanished, Rule: "INF-5", Discs: []int{i}, Remote: !hung && q.inSight() && !ev.HandOver, Answers: []Answer{
				{Key: "yes", Ruling: rulingOf(d.good), Outcome: alt.outcomes(&d)},
				{Key: "no", Ruling: rulingOf(q.base.good), Outcome: q.outcomes(&q.base)},
			}})
		}
	}
	raise(DoubtHand, "DST-1", q.hand)
	raise(DoubtStanding, "OUT-5", p.standing&q.base.board)
	if p.rs.Damage == DamageRestored {
		raise(DoubtPlace, "DMG-2", q.damaged&(q.struck|p.me)&(q.base.board|q.base.damaged20))
	}
	if q.base.restored != 0 {
		raise(DoubtPlace, "DMG-2", q.crowded())
	}
	if p.leaning == 0 {
		return
	}
	filled := p.in != 0
	for j := range p.after {
		filled = filled || p.after[j].Rest == board.InHole
	}
	for m := p.leaning; m != 0 && filled; m &= m - 1 {
		if radius(p.b[bits.TrailingZeros64(m)].At) < 2*p.l.disc-overlapMM {
			raise(DoubtStacked, "TWN-6", m&-m)
		}
	}
}

// crowded is the set of discs that cannot be put back because another lies there.
func (q *inquiry) crowded() uint64 {
	p := q.play
	var out uint64
	for i := range p.n {
		if q.base.restored&bit(i) == 0 {
			continue
		}
		for j := range p.n + 1 {
			if i == j || q.base.board&bit(j) == 0 {
				continue
			}
			if q.base.restored&bit(j) != 0 {
				continue // both lay there before
			}
			if apart2(p.b[j].At, p.was(i).Point) < square(2*p.l.disc-contactMM) {
				out |= bit(i)
			}
		}
	}
	return out
}

// closeCalls lists the discs nearer to a line than two sigmas.
func (q *inquiry) closeCalls() {
	p := q.play
	for m := p.nearAny | p.near15; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		b, turns := &p.b[i], q.turnsOnLine(i)
		call := p.rs.judgedOn().Call(board.Disc{Point: b.At})
		c := CloseCall{Disc: i, Gap: call.Gap, Zone: b.Lies, Other: call.Other, Turns: turns}
		if p.nearAny&m&-m == 0 { // near the 15 line from outside
			if !turns {
				continue // which decides nothing here
			}
			c.Gap, c.Other = radius(b.At)-p.l.disc-p.l.out[board.Fifteen], board.Fifteen
		}
		q.v.Close = append(q.v.Close, c)
	}
}

func (q *inquiry) turnsOnLine(i int) bool {
	for k := range q.v.Doubts {
		if q.v.Doubts[k].Kind == DoubtLine && q.v.Doubts[k].Discs[0] == i {
			return true
		}
	}
	return false
}

// outcomes writes a decision out disc by disc.
func (q *inquiry) outcomes(d *decision) []Outcome { return q.carryOut(d, slices.Clone(q.b)) }

// carryOut gives each of the outcomes, which are as the snapshots tell them, the
// fate that was decided.
func (q *inquiry) carryOut(d *decision, out []Outcome) []Outcome {
	p := q.play
	struck := q.struck | q.direct
	if struck != 0 {
		struck |= p.me
	}
	for m := struck; m != 0; m &= m - 1 {
		out[bits.TrailingZeros64(m)].Struck = true
	}
	for _, gone := range [...]struct {
		set uint64
		why Why
	}{{d.off, OffSurface}, {d.reentry, Reentry}, {d.crossed, CrossedLine}, {d.lifted, InvalidShot}, {d.outer, OuterLine}} {
		for m := gone.set; m != 0; m &= m - 1 {
			o := &out[bits.TrailingZeros64(m)]
			o.Fate, o.Why, o.Zone = Ditched, gone.why, board.Out
		}
	}
	for m := d.twenty; m != 0; m &= m - 1 {
		out[bits.TrailingZeros64(m)].Fate = Scored
	}
	for m := d.damaged20; m != 0; m &= m - 1 {
		out[bits.TrailingZeros64(m)].Fate = Awaiting
	}
	for m := d.restored; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		o, was := &out[i], p.was(i)
		o.Restored, o.At, o.Rest, o.Sigma = true, was.Point, was.Rest, float32(was.Sigma)
		o.Lies, o.Line = p.l.call(radius(was.Point), was.Rest)
		o.Zone = o.Lies
	}
	return out
}

// desynced writes the verdict for snapshots that cannot be: the discs as they
// lie, nothing carried out.
func (q *inquiry) desynced() {
	v := q.v
	v.Ruling, v.Review, v.Basis = Desynced, true, q.basis
	d := decision{off: q.off, damaged20: q.in, board: q.on}
	v.Outcomes = q.carryOut(&d, q.b)
	for i := range v.Desync {
		v.Reasons = append(v.Reasons, Reason{Rule: "INF-5", Key: "desync." + v.Desync[i].Kind.String(), Disc: -1, Other: -1})
	}
}
