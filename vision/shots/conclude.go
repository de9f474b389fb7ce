package shots

import (
	"fmt"
	"math"

	"crokcam/board"
	"crokcam/internal/raster"
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
// its place; what has moved, by its side.
func compareDiscs(before, after []Disc) difference {
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
				if taken[j] || before[i].Side != after[j].Side {
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

// conclude says what the turn was, now that the board is at rest.
func (w *Watcher) conclude(f *capture.Frame, p *raster.Picture) error {
	before, after, t := w.discs, w.looks.discs, w.turn
	scene, accept := w.looks.scene, w.looks.accept
	w.whose(after)
	d := compareDiscs(before, after)
	flew := w.flight.farthest()
	end := func(next State) error {
		w.discs, w.placed, w.hole = after, nil, scene.Hole
		w.changes.accept(w.passing)
		w.turn, w.looks = turn{handGone: t.handGone}, looks{}
		w.enter(next)
		w.check(f, p)
		return nil
	}
	same := len(d.came)+len(d.moved)+len(d.left) == 0
	switch {
	case accept:
		return end(Idle)
	case same && flew == nil:
		if w.hole != scene.Hole && scene.Hole == vision.HoleUnclear {
			w.say(Event{Kind: HoleDoubt, Note: "It is not certain whether a disc lies in the hole."})
		}
		return end(Idle)
	case len(d.came) > 1 && flew == nil:
		w.say(Event{Kind: Puzzled, Discs: after, Note: fmt.Sprintf("%d more discs lie on the board than before; a shot brings one.", len(d.came))})
		return end(Desynced)
	case len(after) == 0 && len(before) > 0 && flew == nil:
		w.expect = false
		w.say(Event{Kind: Cleared, Discs: before})
		if len(before) > 1 {
			return end(RoundOver)
		}
		return end(Idle)
	case len(d.came) == 0 && flew == nil:
		w.expect = false
		if len(d.left) > 0 {
			w.say(Event{Kind: Removed, Discs: pick(before, d.left)})
		}
		if len(d.moved) > 0 {
			w.say(Event{Kind: Shifted, Discs: pick(before, d.moved)})
		}
		return end(Idle)
	case len(d.came) == 1 && len(d.moved)+len(d.left) == 0 && flew == nil && w.onStart(after[d.came[0]]):
		// It waits to be shot: the board before the shot is without it.
		w.say(Event{Kind: Placed, Discs: pick(after, d.came)})
		w.discs, w.placed, w.hole = append([]Disc(nil), before...), pick(after, d.came), scene.Hole
		w.turn.handGone, w.looks = t.handGone, looks{}
		w.changes.accept(w.passing)
		w.turn.on = false
		w.enter(Idle)
		return nil
	}
	w.expect = false
	w.say(Event{Kind: ShotFound, Shot: w.shot(before, after, d, t, flew, scene, f)})
	return end(Settled)
}

// whose gives the discs of a look their sides: those that lie where they lay
// keep theirs, the others have that of their colour.
func (w *Watcher) whose(after []Disc) {
	for i := range after {
		k := nearest(w.discs, nil, after[i].Point, 3*math.Hypot(after[i].Sigma, after[i].Sigma))
		if k >= 0 && w.touched(after[i].Point) < untouched {
			after[i].Side = w.discs[k].Side
			w.palette.learn(after[i].Side, after[i].Colour)
			continue
		}
		after[i].Side = w.palette.side(after[i].Colour, w.o.Sides)
	}
}

// onStart tells whether a disc lies as one does before it is shot: over the
// starting line.
func (w *Watcher) onStart(d Disc) bool {
	s := w.cal.Board
	r := d.Radius()
	return r+s.Disc.Radius > s.Start.Inner()-2 && r < s.Start.Outer+2
}

func pick(discs []Disc, which []int) []Disc {
	out := make([]Disc, len(which))
	for i, k := range which {
		out[i] = discs[k]
	}
	return out
}

// shot writes down a shot.
func (w *Watcher) shot(before, after []Disc, d difference, t turn, flew *track, scene *vision.Scene, f *capture.Frame) *Shot {
	s := &Shot{
		Before: before, After: after, Became: d.became, Shooter: Gone, Identified: d.sure, Left: d.left, Hole: scene.Hole,
		Began: t.began, Start: t.began, End: w.active, Settled: f.At, Watched: t.watched,
	}
	if len(d.came) == 1 {
		s.Shooter = d.came[0]
	}
	if flew != nil {
		s.Flight = flew.reach
		s.Start, _ = w.flight.first()
	}
	s.HandBack = t.back
	for j := range after {
		if after[j].Rest == board.InHole {
			s.Twenties = append(s.Twenties, j)
		}
	}
	for _, i := range d.moved {
		j := d.became[i]
		s.Contacts = append(s.Contacts, Contact{
			Disc: i, By: Unknown, Basis: Inferred, Graded: 1,
			Moved: math.Hypot(before[i].X-after[j].X, before[i].Y-after[j].Y),
		})
	}
	for _, i := range d.left {
		s.Contacts = append(s.Contacts, Contact{Disc: i, By: Unknown, Basis: Inferred, Graded: 1})
	}
	return s
}
