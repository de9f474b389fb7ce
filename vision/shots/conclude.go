package shots

import (
	"fmt"
	"math"
	"slices"

	"crokcam/board"
	"crokcam/vision"
	"crokcam/vision/capture"
)

// difference is what has changed between two boards at rest.
type difference struct {
	became []int // of each disc before
	came   []int // discs after that no disc before is known to have become
	moved  []int // discs before that lie elsewhere now
	left   []int // discs before that are gone
	sure   bool  // it is certain which disc is which
}

// compareDiscs finds out which disc is which. What has not moved is known by
// its place; what has moved, by its side. never says, where it is not nil, that a
// disc before cannot have become one after.
func compareDiscs(before, after []Disc, never func(i, j int) bool) difference {
	d := difference{became: make([]int, len(before)), sure: true}
	taken := make([]bool, len(after))
	for i := range before {
		d.became[i] = Gone
		best, least := -1, 0.0
		for j := range after {
			if taken[j] || before[i].Side != after[j].Side || before[i].Rest != after[j].Rest {
				continue
			}
			gap := math.Hypot(before[i].X-after[j].X, before[i].Y-after[j].Y)
			if gap <= 3*math.Hypot(before[i].Sigma, after[j].Sigma) && (best < 0 || gap < least) {
				best, least = j, gap
			}
		}
		if best >= 0 {
			taken[best], d.became[i] = true, best
		}
	}
	// Those that are left, side by side: the pairs that lie nearest first.
	for {
		bi, bj, least := -1, -1, math.Inf(1)
		options := 0
		for i := range before {
			if d.became[i] != Gone {
				continue
			}
			for j := range after {
				if taken[j] || before[i].Side != after[j].Side || never != nil && never(i, j) {
					continue
				}
				options++
				if gap := math.Hypot(before[i].X-after[j].X, before[i].Y-after[j].Y); gap < least {
					bi, bj, least = i, j, gap
				}
			}
		}
		if bi < 0 {
			break
		}
		if options > 1 {
			d.sure = false
		}
		taken[bj], d.became[bi] = true, bj
		d.moved = append(d.moved, bi)
	}
	for i, j := range d.became {
		if j == Gone {
			d.left = append(d.left, i)
		}
	}
	for j := range after {
		if !taken[j] {
			d.came = append(d.came, j)
		}
	}
	return d
}

// ruledOut tells whether what lies at a place now is certainly not the i-th disc
// before, which lay at was: it was somewhere else when that one began to move. When
// that was is not known where a hand was over it.
func (w *Watcher) ruledOut(was board.Point, i int, now board.Point) bool {
	if i >= maxDiscs || w.turn.movedAt[i] == 0 || w.turn.hidden[i] {
		return false
	}
	return w.flight.elsewhere(now, was, w.turn.movedAt[i], w.period, w.cal.Board.Disc.Radius)
}

// conclude says what the turn was, now that the board is at rest.
func (w *Watcher) conclude(f *capture.Frame) {
	after, t := w.looks.discs, w.turn
	scene, accept := w.looks.scene, w.looks.accept
	w.whose(after)
	for _, d := range after {
		if d.Rest == board.InHole {
			w.emptyHole.hold(d.Side)
		}
	}
	end := func(next State) {
		w.discs, w.placed, w.hole = after, nil, scene.Hole
		w.acceptBoard()
		w.remember(f)
		w.turn, w.looks = turn{handGone: t.handGone}, looks{}
		w.enter(next)
	}
	if accept {
		end(Idle)
		return
	}
	before := w.takenAway(after)
	tidied := len(w.discs) - len(before)
	w.first = false
	flew := w.flew()
	stirred := w.nudge(f, before, after, flew)
	d := compareDiscs(before, after, func(i, j int) bool { return w.ruledOut(before[i].Point, i, after[j].Point) })
	if (flew == nil || flew.shade()) && t.handed && (len(d.came)+len(d.left)+len(d.moved) == 0 || w.struck(pick(before, d.left))) {
		if back := w.flight.rebound(w.cal.Board.Start.Outer, w.cal.Board.Surface); back != nil {
			flew = back
		}
	}
	if flew == nil && t.handed && len(d.came) == 1 && w.onStart(after[d.came[0]]) {
		flew = w.flight.returned(w.cal.Board.Start.Outer, after[d.came[0]].Point, 1.5*w.cal.Board.Disc.Radius)
	}
	was := w.shotWas(after, &d, &t, flew, tidied, f)
	if tidied > 0 && len(d.came)+len(d.left)+len(d.moved) == 0 {
		was = nothing // fingers fly as discs do
	}
	switch {
	case w.strange(after, f):
		w.puzzled(after, "Something lies on the board that is no disc.")
		return
	case w.stranger(after, &d) >= 0:
		w.puzzled(after, "A disc has come that has the colour of no side.")
		return
	}
	switch was {
	case nothing:
		waiting := w.waiting()
		if w.hole != scene.Hole && scene.Hole == vision.HoleUnclear {
			w.say(Event{Kind: HoleDoubt, Note: "It is not certain whether a disc lies in the hole."})
		}
		end(Idle)
		w.placed = waiting
	case puzzle:
		w.puzzled(after, odds(&d))
	case clearing:
		w.Expect(false)
		w.say(Event{Kind: Cleared, Discs: before})
		w.shotLast = board.NoSide
		if len(before) > 1 {
			end(RoundOver)
		} else {
			end(Idle)
		}
	case tidying:
		w.Expect(false)
		if len(d.left) > 0 {
			w.say(Event{Kind: Removed, Discs: pick(before, d.left)})
		}
		if len(d.moved) > 0 {
			w.say(Event{Kind: Shifted, Discs: pick(before, d.moved)})
		}
		end(Idle)
	case placing:
		// It waits to be shot: the board before the shot is without it.
		came := pick(after, d.came)
		if nearest(w.placed, nil, came[0].Point, w.cal.Board.Disc.Radius/2) < 0 {
			w.say(Event{Kind: Placed, Discs: came})
		}
		w.discs, w.placed, w.hole = before, came, scene.Hole
		w.acceptBoard()
		w.remember(f)
		w.turn, w.looks = turn{handGone: t.handGone}, looks{}
		w.enter(Idle)
	default:
		w.Expect(false)
		s := w.shot(before, after, d, stirred, &t, flew, was, scene, f)
		w.turns = s.Shooter >= 0 && after[s.Shooter].Side == board.SideA
		switch {
		case s.Shooter >= 0:
			w.shotLast = after[s.Shooter].Side
		case w.o.Sides == 2:
			w.shotLast = w.shotLast.Other()
		}
		w.say(Event{Kind: ShotFound, Shot: s})
		end(Settled)
	}
}

// waiting is the disc that still waits on the starting line to be shot.
func (w *Watcher) waiting() (still []Disc) {
	for _, d := range w.placed {
		if !w.looks.fresh && w.touched(d.Point) < untouched {
			still = append(still, d)
		}
	}
	return still
}

// puzzled waits for somebody to say how the board lies.
func (w *Watcher) puzzled(after []Disc, note string) {
	w.say(Event{Kind: Puzzled, Discs: after, Note: note})
	w.looks = looks{}
	w.enter(Desynced)
}

// odds says what cannot be.
func odds(d *difference) string {
	if n := len(d.came); n > 1 {
		return fmt.Sprintf("%d more discs lie on the board than before; a shot brings one.", n)
	}
	return fmt.Sprintf("%d discs lie elsewhere, and no shot was seen.", len(d.moved))
}

// acceptBoard makes the board as it lies the one that frames are compared with.
func (w *Watcher) acceptBoard() {
	for i, changed := range w.changes.changed {
		if changed && !w.passing(i) {
			w.meter.anchor[i] = w.changes.now[i]
		}
	}
	w.changes.accept(w.passing)
}

// takenAway says which discs have gone as the verdict wanted, and gives the
// board that was left by that.
func (w *Watcher) takenAway(after []Disc) (before []Disc) {
	if len(w.gone) == 0 {
		return w.discs
	}
	r := w.cal.Board.Disc.Radius
	var taken []Disc
	t := w.turn
	for i, d := range w.discs {
		expected := slices.ContainsFunc(w.gone, func(p board.Point) bool { return apart(p, d.Point) < r/2 })
		shot := i < maxDiscs && t.movedAt[i] != 0 && !t.hidden[i] // no hand was there when it went
		if expected && !shot && nearest(after, nil, d.Point, r/2) < 0 {
			taken = append(taken, d)
			continue
		}
		if k := len(before); k < maxDiscs && i < maxDiscs {
			w.turn.movedAt[k], w.turn.hidden[k] = t.movedAt[i], t.hidden[i]
		}
		before = append(before, d)
	}
	if len(taken) == 0 {
		w.turn.movedAt, w.turn.hidden = t.movedAt, t.hidden
		return w.discs
	}
	w.say(Event{Kind: Removed, Discs: taken})
	w.gone = slices.DeleteFunc(w.gone, func(p board.Point) bool { return nearest(taken, nil, p, r/2) >= 0 })
	w.expect = len(w.gone) > 0
	return before
}

// kind is what a turn was.
type kind uint8

const (
	nothing  kind = iota
	puzzle        // no turn can have done that
	placing       // a disc was put on the starting line
	tidying       // discs were taken away or pushed about by a hand
	clearing      // all were taken away
	shooting      // a disc was shot
	unseen        // a disc must have been shot, though nobody saw it fly
)

// manyMoved is how many discs a hand pushes about without asking.
const manyMoved = 2

// manyTaken is how many discs that are gone from the ditch nobody has shot away.
const manyTaken = 2

// manyGone is how many discs one shot does not send off the board.
const manyGone = 4

// shotWas tells what a turn was by what has changed, and, where a hand may have
// done the same as a shot, by what was seen between. So many discs were tidied away
// as the verdict wanted.
func (w *Watcher) shotWas(after []Disc, d *difference, t *turn, flew *track, tidied int, f *capture.Frame) kind {
	came, left, moved := len(d.came), len(d.left), len(d.moved)
	// A disc that waited to be shot and is gone now, and discs that have come to
	// lie in the ditch beside those that have left the surface.
	shotGone := t.handed && came == 0 && len(w.placed) == 1
	inDitch, taken := 0, 0
	if t.handed && came == 0 {
		inDitch, taken = w.ditched(f, left+tidied+1)
	}
	ditched := inDitch > left+tidied
	// Hands move as discs fly where they gather what lay in the ditch.
	gathered := taken >= manyTaken && inDitch == 0 && !shotGone && len(after) == 0
	// An arm's shadow passed, and no disc was shot.
	inHole := w.restsAt(board.Point{}) && w.touched(board.Point{}) > mostlyTouched
	shade := flew != nil && flew.shade() && !shotGone && !ditched && !inHole && !w.landed(f)
	// No hand takes what crosses the board.
	crossed := flew != nil && !flew.shade() && flew.reach > w.cal.Board.Start.Outer
	waits := came == 1 && moved+left == 0 && w.onStart(after[d.came[0]])
	lifted := left > 0 && moved == 0 && !slices.ContainsFunc(d.left, func(i int) bool { return i >= maxDiscs || !w.turn.hidden[i] })
	switch {
	case came == 0 && w.expect && left+moved > 0 && !(flew != nil && shotGone) && !crossed:
		return tidying
	case len(after) == 0 && (left > 2 || left > 1 && t.handed && inDitch == 0):
		return clearing
	case left >= manyGone && came == 0:
		return tidying
	case shade && waits:
		return placing
	case shade && came+left+moved == 0:
		return nothing
	case shade && came == 0 && len(after) == 0 && (lifted || t.handed):
		return clearing
	case shade && came == 0 && lifted:
		return tidying
	case gathered && left+moved == 0:
		return nothing
	case gathered:
		return clearing
	case waits && flew != nil && flew.stoppedShort(w.cal.Board.Posts.Radius+2*w.cal.Board.Disc.Radius):
		return placing
	case flew != nil:
		return shooting
	case len(after) == 0 && left > 0:
		return clearing
	case shotGone || ditched:
		return shooting
	case came > 1, came == 0 && moved > manyMoved:
		return puzzle
	case came+left+moved == 0:
		return nothing
	case came == 0:
		return tidying
	case waits:
		return placing
	case w.flight.any():
		return shooting
	}
	return unseen
}

// What of a disc's area has to be seen in the ditch, and how much the discs there
// may cover beside their shadows, as shares of it.
const leastDitched, mostDitched = 0.3, 2.5

// ditched counts the discs that have come to lie in the ditch. What may be shadow for
// the most part counts only where something flew that was more than a shade. Where a
// disc was taken away, the ditch may look like one of a like colour, but less than what
// lay there; where more has changed than a shot can have brought, and nothing flew,
// hands were at work. taken is how many discs have gone from there.
func (w *Watcher) ditched(f *capture.Frame, most int) (n, taken int) {
	spec := w.cal.Board
	disc := math.Pi * spec.Disc.Radius * spec.Disc.Radius
	flew, changed := w.flight.solid(), 0
	for i := range w.blobs.list {
		b := &w.blobs.list[i]
		if b.reachesOut() || b.part&between == 0 || b.all < leastDitched*disc || b.all > bulk*disc || b.middle.Radius() < spec.Surface {
			continue
		}
		changed++
		unlike, was := w.ditchAt(f, b.middle)
		if was < min(unlike, another) {
			taken++
			continue
		}
		if b.all < mostDitched*disc && unlike < another {
			n++
		} else if like := w.discLike(f, int32(i+1)); flew && like > leastDitched*disc && like < mostDitched*disc {
			n++ // with a shadow longer than itself
		}
	}
	if !flew && changed > most {
		return 0, taken
	}
	return n, taken
}

// ditchAt is how unlike discs the ditch looks at a place, and how unlike them it was as
// the board last lay: endless where nobody knows.
func (w *Watcher) ditchAt(f *capture.Frame, p board.Point) (unlike, was float64) {
	u, v := w.cal.Camera.Project(p.X, p.Y, w.cal.Board.Disc.Thickness/2)
	unlike, was = w.unlikeDiscs(f, u, v), math.Inf(1)
	if w.remembers(f) {
		was = w.unlikeDiscs(&w.lying, u, v)
	}
	return unlike, was
}

// struck tells whether one of the discs was seen to fly off the board.
func (w *Watcher) struck(discs []Disc) bool {
	spec := w.cal.Board
	return slices.ContainsFunc(discs, func(d Disc) bool { return w.flight.struck(d.Point, 1.5*spec.Disc.Radius, spec.Surface) })
}

// landed tells whether something of a disc's size has come to lie in the ditch just
// where what flew was going, and none lay there: whatever it looks like, it is no shade.
func (w *Watcher) landed(f *capture.Frame) (landed bool) {
	spec := w.cal.Board
	disc := math.Pi * spec.Disc.Radius * spec.Disc.Radius
	for i := range w.blobs.list {
		b := &w.blobs.list[i]
		if b.reachesOut() || b.part&between == 0 || b.all < leastDitched*disc || b.all > mostDitched*disc || b.middle.Radius() < spec.Surface {
			continue
		}
		if unlike, was := w.ditchAt(f, b.middle); was < min(unlike, another) {
			continue
		}
		w.flight.each(func(t *track) {
			landed = landed || t.told() && t.launch() >= slowestShot && t.at.Radius() > t.start().Radius() && apart(t.at, b.middle) < 3*spec.Disc.Radius
		})
	}
	return landed
}

// unlikeDiscs is how unlike the discs of the side that it is most like a place in a
// frame looks.
func (w *Watcher) unlikeDiscs(f *capture.Frame, u, v float64) float64 {
	if colour, ok := w.colourAt(f, u, v); ok {
		return w.palette.plain(colour)
	}
	return math.Inf(1)
}

// discLike is how much of a blob has clearly the colour of a side's discs, mm².
func (w *Watcher) discLike(f *capture.Frame, id int32) (mm2 float64) {
	size := float64(w.grid.size)
	for k, of := range w.blobs.of {
		if of == id && w.unlikeDiscs(f, (float64(k%w.grid.w)+0.5)*size, (float64(k/w.grid.w)+0.5)*size) < another/2 {
			mm2 += float64(w.chart.mm2[k])
		}
	}
	return mm2
}

// sureOfColour is the confidence from which on a disc that was made out shows its
// side's colour: one that was not may be all lamp.
const sureOfColour = 0.7

// whose gives the discs of a look their sides: those that lie where they lay
// keep theirs, the others have that of their colour. One whose colour tells little, as
// it mirrors a lamp, is of the side of the disc that lay there or was seen to go there,
// and one that was shot of the side whose turn it was.
func (w *Watcher) whose(after []Disc) {
	var fresh []int
	var colours [][3]float64
	lay := func(i int) int {
		return nearest(w.discs, nil, after[i].Point, 3*math.Hypot(after[i].Sigma, after[i].Sigma))
	}
	for i := range after {
		if k := lay(i); k >= 0 && (w.alone() || w.touched(after[i].Point) < untouched) {
			after[i].Side = w.discs[k].Side
			if after[i].Confidence >= sureOfColour {
				w.palette.learn(after[i].Side, after[i].Whole)
			}
			continue
		}
		fresh, colours = append(fresh, i), append(colours, after[i].Whole)
	}
	if w.turns && w.o.Sides > 1 && w.flew() != nil {
		w.palette.turn(colours)
	}
	for _, i := range fresh {
		if s := w.waited(after, i); s != board.NoSide && int(w.palette.n) < w.o.Sides {
			after[i].Side = s // where it lies now a lamp may give it a colour that seems another's
			continue
		}
		after[i].Side = w.palette.side(after[i].Whole, w.o.Sides)
		if w.palette.clear(after[i].Whole) && !w.glared(after[i]) {
			continue
		}
		if k := lay(i); k >= 0 && after[i].Rest == w.discs[k].Rest {
			after[i].Side = w.discs[k].Side
		} else if s := w.followed(after, i); s != board.NoSide {
			after[i].Side = s
		} else if s := w.shotLast.Other(); s != board.NoSide && w.o.Sides == 2 && w.shotTo(after) == i {
			after[i].Side = s
		} else if s := w.displaced(after, i); s != board.NoSide {
			after[i].Side = s
		}
	}
}

// displaced is the side of the discs that no longer lie where they lay, if it is one
// side's, and if what was shot was followed to where another disc lies than i: then i
// has to be one of them.
func (w *Watcher) displaced(after []Disc, i int) (side board.Side) {
	if shot := w.shotTo(after); shot < 0 || shot == i {
		return board.NoSide
	}
	for _, d := range w.discs {
		switch {
		case nearest(after, nil, d.Point, w.cal.Board.Disc.Radius/2) >= 0:
		case side != board.NoSide && side != d.Side:
			return board.NoSide
		default:
			side = d.Side
		}
	}
	return side
}

// shotTo is the disc that lies where what was shot was followed to; -1 for none.
func (w *Watcher) shotTo(after []Disc) int {
	flew := w.flew()
	if flew == nil || flew.lost > 0 {
		return -1
	}
	return nearest(after, nil, flew.at, 1.5*w.cal.Board.Disc.Radius)
}

// waited is the side of the disc that waited to be shot, where it was followed to where
// disc i lies; else none.
func (w *Watcher) waited(after []Disc, i int) board.Side {
	if len(w.placed) == 1 && w.shotTo(after) == i {
		return w.placed[0].Side
	}
	return board.NoSide
}

// followed is the side of the one disc that was seen to go to where disc i lies: whose
// colour it showed on its way, or that of a disc that waited to be shot, or of one that
// lay on the board; none where it is not certain.
func (w *Watcher) followed(after []Disc, i int) board.Side {
	var side, shown board.Side
	r := w.cal.Board.Disc.Radius
	here := func(t *track) bool { return t.lost == 0 && nearest(after, nil, t.at, 1.5*r) == i }
	beside := func(t *track) bool { // another lies so near that the two may have been seen as one
		return slices.ContainsFunc(after, func(d Disc) bool { return d.Point != after[i].Point && apart(d.Point, t.at) < 2*r })
	}
	n := 0
	w.flight.each(func(t *track) {
		if s := t.whose(); s != board.NoSide && t.told() && here(t) && !beside(t) {
			shown = s
		}
		if k := nearest(w.discs, nil, t.start().Point, r/2); k >= 0 && t.told() && here(t) {
			side = w.discs[k].Side
			n++
		}
	})
	switch s := w.waited(after, i); {
	case shown != board.NoSide:
		return shown
	case s != board.NoSide:
		return s
	case n == 1:
		return side
	}
	return board.NoSide
}

// onStart tells whether a disc lies as one does before it is shot: over the
// starting line, as far as that can be told.
func (w *Watcher) onStart(d Disc) bool {
	s := w.cal.Board
	r, slack := d.Radius(), 2+2*d.Sigma
	return r+s.Disc.Radius > s.Start.Inner()-slack && r < s.Start.Outer+slack
}

func pick(discs []Disc, which []int) []Disc {
	out := make([]Disc, len(which))
	for i, k := range which {
		out[i] = discs[k]
	}
	return out
}

// lostInHole is how near the board's centre a disc may have been seen last for
// it to have gone into the hole, mm.
const lostInHole = 25

// shot writes down a shot.
func (w *Watcher) shot(before, after []Disc, d difference, stirred stir, t *turn, flew *track, was kind, scene *vision.Scene, f *capture.Frame) *Shot {
	s := &Shot{
		Before: before, After: after, Became: d.became, Shooter: Gone, Identified: d.sure, Left: d.left, Hole: scene.Hole,
		Began: t.began, Start: t.began, End: w.active, Settled: f.At, Watched: t.watched && was == shooting, HandBack: t.back,
	}
	if s.Hole == vision.HoleUnclear && w.hole == vision.HoleUnclear && w.touched(board.Point{}) < untouched {
		s.Hole = vision.HoleEmpty // what is unclear there was so before, and this shot has nothing to do with it
	}
	if len(d.came) == 1 {
		s.Shooter = d.came[0]
	}
	if flew != nil {
		s.Flight, s.Start = flew.reach, flew.start().at
	}
	for j := range after {
		if after[j].Rest == board.InHole {
			s.Twenties = append(s.Twenties, j)
		}
	}
	for _, i := range d.left {
		if i < maxDiscs && w.turn.hidden[i] && (w.turn.movedAt[i] == 0 || t.back) {
			s.Unseen = append(s.Unseen, i)
		}
	}
	s.ShooterUnseen = s.Shooter == Gone && t.back
	vague := func(i int) bool { return before[i].Confidence < sureOfColour && !w.struck(before[i:i+1]) }
	if (s.Shooter == Gone || len(d.left) > 0) && (w.unmade(after, f) || w.glimpsed(after, scene.Faint, f)) || slices.ContainsFunc(d.left, vague) {
		s.Watched = false // one of them, or it, may still lie there
	}
	if s.Shooter == Gone && flew != nil && flew.at.Radius() < lostInHole && len(s.Twenties) == 0 && (t.back || w.touched(board.Point{}) >= untouched || !w.flight.onward(flew)) {
		s.Hole = vision.HoleUnclear // it was last seen at the hole, and may have been lifted out of it
	}
	if flew != nil && s.Shooter >= 0 {
		w.lean.learn(after[s.Shooter], flew, w.cal.Board.Disc.Radius)
	}
	s.Nudged = surely(s, &d, stirred.nudged)
	s.Passed = w.passed(s, &d, stirred, flew)
	s.Still = w.leftAlone(s, &d, stirred, flew)
	w.contacts(s, &d, stirred.nudged, flew)
	return s
}
