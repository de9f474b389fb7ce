package shots

import (
	"math"
	"slices"
	"time"

	"crokcam/board"
)

// How near a disc has to pass for the contact to count as seen, mm between their
// edges, beside what it goes in a frame; and how much farther away whatever
// else moves has to be.
const (
	touching = 8.0
	clearly  = 25.0
)

// contacts lists the discs that were touched. What touched one is told from the
// tracks where only one thing was near when it began to move, and else left open.
func (w *Watcher) contacts(s *Shot, d *difference, nudged []int, flew *track) {
	note := func(i int) {
		c := Contact{Disc: i, By: Unknown, Basis: Inferred, Graded: 1}
		if j := d.became[i]; j >= 0 {
			c.Moved = apart(s.Before[i].Point, s.After[j].Point)
		}
		if i < maxDiscs && !w.turn.hidden[i] && s.Watched {
			c.At = w.turn.movedAt[i]
			if by, ok := w.striker(s, i, c.At, flew); ok {
				c.By, c.Basis, c.Graded = by, Seen, seenGrade
			}
		}
		s.Contacts = append(s.Contacts, c)
	}
	for _, i := range d.moved {
		note(i)
	}
	for _, i := range d.left {
		note(i)
	}
	for _, i := range nudged {
		if !slices.Contains(d.moved, i) {
			note(i)
		}
	}
}

// seenGrade is how sure a contact is whose two discs were seen to meet between
// two frames.
const seenGrade = 0.95

// striker is what touched disc i of Before at a moment, where only one thing can
// have: the disc that was shot, or one that had moved before.
func (w *Watcher) striker(s *Shot, i int, at time.Duration, flew *track) (by int, ok bool) {
	if at == 0 {
		return 0, false
	}
	place, r := s.Before[i].Point, w.cal.Board.Disc.Radius
	nearest, second, of := math.Inf(1), math.Inf(1), Unknown
	w.flight.each(func(t *track) {
		from := w.origin(s, t, flew)
		if !t.told() || from == i {
			return
		}
		if gap := t.nearest(place, at-w.period, at) - 2*r; gap < nearest {
			nearest, second, of = gap, nearest, from
		} else {
			second = min(second, gap)
		}
	})
	return of, of != Unknown && nearest < touching && second > nearest+clearly
}

// origin is what a track is of: the disc that was shot, or the disc of Before
// that lay where it begins.
func (w *Watcher) origin(s *Shot, t, flew *track) int {
	if t == flew {
		return ByShooter
	}
	r := w.cal.Board.Disc.Radius
	p := t.start()
	for k := range s.Before {
		if k < maxDiscs && w.turn.movedAt[k] != 0 && apart(p.Point, s.Before[k].Point) < 1.5*r {
			return k
		}
	}
	return Unknown
}

// nearest is how near a track's middle came to a place between two moments, mm.
// Between its points it went straight.
func (t *track) nearest(p board.Point, from, to time.Duration) float64 {
	best := math.Inf(1)
	way := t.known()
	for k := range way {
		if way[k].at >= from && way[k].at <= to {
			best = min(best, apart(way[k].Point, p))
		}
		if k > 0 && way[k].at >= from && way[k-1].at <= to {
			best = min(best, fromLine(p, way[k-1].Point, way[k].Point))
		}
	}
	return best
}

// fromLine is how far a place is from a straight way, mm.
func fromLine(p, a, b board.Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	k := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		k = min(max(((p.X-a.X)*dx+(p.Y-a.Y)*dy)/l, 0), 1)
	}
	return math.Hypot(a.X+k*dx-p.X, a.Y+k*dy-p.Y)
}

// nudgeSure is how far a disc must be seen to have been moved, beside the picture
// before, for it to be certain: a shadow that falls on it makes less, mm.
const nudgeSure = 1.5

// surely lists those of the nudged discs that a shadow cannot have made seem so.
func surely(s *Shot, d *difference, nudged []int) (out []int) {
	for _, i := range nudged {
		if j := d.became[i]; j >= 0 && apart(s.Before[i].Point, s.After[j].Point) >= nudgeSure {
			out = append(out, i)
		}
	}
	return out
}

// passed lists the discs of Before of which it is open whether they were touched:
// they hardly moved, or did not and were passed closely, or have by their places and not
// by their pictures. A disc that is touched in passing moves by more than can be
// overlooked, unless it is passed slowly.
func (w *Watcher) passed(s *Shot, d *difference, stirred stir, flew *track) (out []int) {
	reach := 2 * w.cal.Board.Disc.Radius
	for i := range s.Before {
		switch {
		case slices.Contains(stirred.either, i):
			out = append(out, i)
			continue
		case slices.Contains(d.moved, i), slices.Contains(d.left, i):
			continue
		case slices.Contains(stirred.nudged, i):
			if !slices.Contains(s.Nudged, i) {
				out = append(out, i)
			}
			continue
		case flew == nil:
			continue
		}
		at := board.Point{X: s.Before[i].X - w.lean.by.X, Y: s.Before[i].Y - w.lean.by.Y}
		if slices.Contains(stirred.unmoved, i) && flew.past(at) > fastPass {
			continue
		}
		if gap := flew.nearest(at, 0, math.MaxInt64) - reach; math.Abs(gap) < 2*passSigma {
			out = append(out, i)
		}
	}
	return out
}

// leftAlone lists the discs of Before that were certainly left alone: the shot disc was
// followed, no other disc moved or is gone, and nothing that flew came near them, or so
// fast that it would have sent them off.
func (w *Watcher) leftAlone(s *Shot, d *difference, stirred stir, flew *track) (out []int) {
	if flew == nil || !s.Watched || !d.sure || len(d.moved)+len(d.left)+len(stirred.nudged)+len(stirred.either) > 0 {
		return nil
	}
	reach := 2 * w.cal.Board.Disc.Radius
	for i := range s.Before {
		if i >= maxDiscs || w.turn.hidden[i] || w.turn.movedAt[i] != 0 {
			continue
		}
		at := board.Point{X: s.Before[i].X - w.lean.by.X, Y: s.Before[i].Y - w.lean.by.Y}
		near := s.Shooter >= 0 && apart(s.After[s.Shooter].Point, s.Before[i].Point) < reach+nudgeNear
		w.flight.each(func(t *track) {
			touches := !slices.Contains(stirred.unmoved, i) || t.past(at) < fastPass
			near = near || t.told() && touches && t.nearest(at, 0, math.MaxInt64)-reach < 4*passSigma
		})
		if !near {
			out = append(out, i)
		}
	}
	return out
}

// past is how fast a track passed a place, mm/s.
func (t *track) past(p board.Point) (speed float64) {
	best := math.Inf(1)
	way := t.known()
	for k := 1; k < len(way); k++ {
		a, b := way[k-1], way[k]
		if off, dt := fromLine(p, a.Point, b.Point), (b.at - a.at).Seconds(); off < best && dt > 0 {
			best, speed = off, apart(a.Point, b.Point)/dt
		}
	}
	return speed
}

// fastPass is a speed, mm/s, with which a disc that is touched is sent off by more
// than nudgeFrom but where it is touched by less than a hundredth of the way that
// passSigma leaves open. A push of v mm/s sends a disc v²/2µg far: 30 mm/s for half
// a millimetre on a waxed board (µ about 0.1); so the push must be steeper than one
// in ten to the way, which is less than 0.2 mm of overlap.
const fastPass = 300.0

// passSigma is how well a track tells by how much two discs miss each other, mm.
const passSigma = 3.0

// lean is where a disc lies beside the middle of what it and its shadow cover, mm.
type lean struct {
	by    board.Point
	known bool
}

// learnLean is the share of each shot in what is known of that.
const learnLean = 0.3

// learn takes in where a disc lies that was followed until it did.
func (l *lean) learn(d Disc, t *track, radius float64) {
	by := board.Point{X: d.X - t.at.X, Y: d.Y - t.at.Y}
	if d.Rest != board.OnSurface || by.Radius() > radius {
		return
	}
	share := learnLean
	if !l.known {
		share, l.known = 1, true
	}
	l.by.X += share * (by.X - l.by.X)
	l.by.Y += share * (by.Y - l.by.Y)
}
