package shots

import (
	"math"
	"slices"
	"time"

	"crokcam/board"
)

// flight follows what has a disc's size and no hand on it, from frame to frame.
type flight struct {
	tracks []track
	ended  []track // that went far enough to tell of a shot
	news   int     // grows when the tracks change

	ways   [][]board.Point // as they were asked for last
	waysAt int             // what news was then
}

// track is one thing that moves by itself.
type track struct {
	way    [maxPoints]point // the first of them
	at     board.Point      // mm, last
	v      board.Point      // mm/s, last
	speed  float64          // mm/s, the greater of the last two
	to     time.Duration
	points int
	solid  int // points at which it looked like more than a shade
	side   board.Side
	sided  int     // of the last points at which it had a side's colour: for how many it was this side's
	reach  float64 // mm, farthest from its start
	lost   int     // frames without it
}

// sight is something that is seen in a frame.
type sight struct {
	board.Point
	solid bool       // it cannot be a shade or a light that moves over the board
	side  board.Side // whose colour it clearly has
}

// point is where something was at a moment.
type point struct {
	board.Point // mm
	at          time.Duration
}

const (
	surelySided = 2      // points
	maxPoints   = 90     // of a track that are kept: three seconds of it
	maxTracks   = 48     // at a time
	maxEnded    = 16     //
	fastest     = 3200.0 // mm/s that a track may begin with
	swerve      = 45.0   // mm that a disc may be from where it was going: a contact turns it
	lostAfter   = 2      // frames
	// flown is how far something of a disc's size has to move by itself to have
	// been shot, mm. A hand lets go of a disc where it lies.
	flown = 55.0
	// fromStart is how far inside the starting line a shot disc may first be
	// seen beside the hand, mm, where it is followed back by a frame or two.
	fromStart   = 60.0
	slowestShot = 250.0           // mm/s with which a disc may be shot
	slowing     = 2 * 0.16 * 9810 // mm/s²: twice what friction takes on an unwaxed board
	lying       = 4.0             // mm: how far something that lies still may seem to move
)

func (f *flight) restart() {
	f.tracks, f.ended = f.tracks[:0], f.ended[:0]
	f.news++
}

// see takes in what a frame shows.
func (f *flight) see(at time.Duration, seen []sight) {
	f.news++
	seen = seen[:min(len(seen), 64)]
	used := uint64(0)
	match := func(t *track, want board.Point, gate float64) bool {
		best, least := -1, gate
		for k, p := range seen {
			if d := apart(p.Point, want); used&(1<<k) == 0 && d < least {
				best, least = k, d
			}
		}
		if best >= 0 {
			used |= 1 << best
			t.follow(seen[best], at)
		}
		return best >= 0
	}
	for i := range f.tracks {
		t := &f.tracks[i]
		dt := (at - t.to).Seconds()
		gate := swerve
		if t.points == 1 {
			gate = fastest * dt
		}
		want := board.Point{X: t.at.X + t.v.X*dt, Y: t.at.Y + t.v.Y*dt}
		if dt <= 0 || !match(t, want, gate) {
			t.lost++
		}
	}
	// A post, or a disc, may have sent it anywhere that it could reach.
	for i := range f.tracks {
		if t := &f.tracks[i]; t.lost == 1 && t.points > 1 && match(t, t.at, t.speed*(at-t.to).Seconds()) {
			t.lost = 0
		}
	}
	keep := f.tracks[:0]
	for i := range f.tracks {
		if t := &f.tracks[i]; t.lost <= lostAfter {
			keep = append(keep, *t)
		} else if t.told() && len(f.ended) < maxEnded {
			f.ended = append(f.ended, *t)
		}
	}
	f.tracks = keep
	for k, p := range seen {
		if used&(1<<k) == 0 && len(f.tracks) < maxTracks {
			t := track{at: p.Point, to: at}
			t.add(p, at)
			f.tracks = append(f.tracks, t)
		}
	}
}

// follow has it be where it is seen now.
func (t *track) follow(p sight, at time.Duration) {
	dt := (at - t.to).Seconds()
	was := math.Hypot(t.v.X, t.v.Y)
	t.v = board.Point{X: (p.X - t.at.X) / dt, Y: (p.Y - t.at.Y) / dt}
	t.speed = max(was, math.Hypot(t.v.X, t.v.Y))
	t.at, t.to, t.lost = p.Point, at, 0
	t.add(p, at)
	t.reach = max(t.reach, apart(p.Point, t.way[0].Point))
}

func (t *track) add(p sight, at time.Duration) {
	if t.points < maxPoints {
		t.way[t.points] = point{p.Point, at}
	}
	if p.solid {
		t.solid++
	}
	switch {
	case p.side == board.NoSide:
	case p.side == t.side:
		t.sided++
	default:
		t.side, t.sided = p.side, 1
	}
	t.points++
}

// shade tells whether what flew looked like no more than a shade for the most part.
func (t *track) shade() bool { return 2*t.solid < t.points }

// whose is the side whose colour it has shown, as often as tells it from a chance; else
// none. It may have become another disc's track where the two met.
func (t *track) whose() board.Side {
	if t.sided < surelySided {
		return board.NoSide
	}
	return t.side
}

// known is the points of a track that were kept.
func (t *track) known() []point { return t.way[:min(t.points, maxPoints)] }

// start is where and when it began to move: a disc that waits to be shot may be seen
// lying beside the hand.
func (t *track) start() point { return t.way[t.leaves()] }

// leaves is the last of a track's points at which it lay where it was first seen.
func (t *track) leaves() int {
	way := t.known()
	for i := 1; i < len(way)-1; i++ {
		if apart(way[i].Point, way[0].Point) > lying {
			return i - 1
		}
	}
	return max(0, len(way)-2)
}

// bound is where it was to come to rest, had nothing met it, on the slowest board.
func (t *track) bound() board.Point {
	v := math.Hypot(t.v.X, t.v.Y)
	return board.Point{X: t.at.X + t.v.X*v/slowing, Y: t.at.Y + t.v.Y*v/slowing}
}

// free is how far it was to go on the slowest board from where it set off, mm, had
// nothing met it.
func (t *track) free() float64 {
	v := t.launch()
	return v * v / slowing
}

// stoppedShort tells whether it ended far sooner than a disc slides, though nothing was
// on its way: it kept outside a radius (mm) within which there may be something. Fingers
// that put a disc down do so.
func (t *track) stoppedShort(outside float64) bool {
	return t.reach < t.free()/2 && !slices.ContainsFunc(t.known(), func(p point) bool { return p.Radius() < outside })
}

// told says that the track is that of something that flew.
func (t *track) told() bool { return t.points >= 3 && t.reach >= flown }

// shot says that something flew as a disc does that has been shot: from the
// starting line (its outer radius is given, mm), and not slowly.
func (t *track) shot(startLine float64) bool {
	if !t.told() || t.launch() < slowestShot {
		return false
	}
	for _, p := range t.before() {
		if p.Radius() > startLine-fromStart {
			return true
		}
	}
	return false
}

// before is where it set off, and where it was one and two frames before that, when
// something else may still have been beside it, such as the hand that shot it.
func (t *track) before() (out [3]board.Point) {
	p, q := t.way[t.leaves()], t.way[t.leaves()+1]
	for back := range out {
		out[back] = board.Point{X: p.X - float64(back)*(q.X-p.X), Y: p.Y - float64(back)*(q.Y-p.Y)}
	}
	return out
}

// launch is how fast it sets off, mm/s: the faster of its first two steps, as it may be
// shot at any moment of the first.
func (t *track) launch() (fastest float64) {
	way, k := t.known(), t.leaves()
	for i := k + 1; i < min(k+3, len(way)); i++ {
		if dt := (way[i].at - way[i-1].at).Seconds(); dt > 0 {
			fastest = max(fastest, apart(way[i-1].Point, way[i].Point)/dt)
		}
	}
	return fastest
}

// onward tells whether anything flew on from where a track ends.
func (f *flight) onward(from *track) (on bool) {
	f.each(func(t *track) {
		on = on || t != from && t.points > 1 && t.way[0].at >= from.to && apart(t.way[0].Point, from.at) < fromStart+swerve && t.reach > swerve
	})
	return on
}

// each calls f for every track.
func (f *flight) each(do func(*track)) {
	for i := range f.ended {
		do(&f.ended[i])
	}
	for i := range f.tracks {
		do(&f.tracks[i])
	}
}

// shooter is the track of the disc that was shot: of those that began at the
// starting line the one that went farthest, a shade only where nothing else flew; nil
// when none flew.
func (f *flight) shooter(startLine float64) (best *track) {
	f.each(func(t *track) {
		if t.shot(startLine) && (best == nil || best.shade() && !t.shade() || best.shade() == t.shade() && t.reach > best.reach) {
			best = t
		}
	})
	return best
}

// rebound is the track of a disc that flew out from the middle of the board, and was
// to go over the edge of its surface (the starting line's outer radius and the
// surface's are given, mm): one that has come back from a post, or from another disc.
func (f *flight) rebound(startLine, edge float64) (best *track) {
	f.each(func(t *track) {
		if t.told() && !t.shade() && t.start().Radius() < startLine-fromStart && t.bound().Radius() > edge && t.launch() >= slowestShot && (best == nil || t.reach > best.reach) {
			best = t
		}
	})
	return best
}

// returned is the track of a disc that flew out from the middle of the board (the
// starting line's outer radius is given, mm) and came to rest at a place, within reach
// (mm), where nothing but a post sends one that was shot.
func (f *flight) returned(startLine float64, to board.Point, reach float64) (best *track) {
	f.each(func(t *track) {
		if t.told() && !t.shade() && t.lost == 0 && t.start().Radius() < startLine-fromStart && apart(t.at, to) < reach && (best == nil || t.reach > best.reach) {
			best = t
		}
	})
	return best
}

// struck tells whether something of a disc's size was seen to fly from a place, within
// reach (mm), and was to go over the edge of the surface, as no hand takes a disc away.
func (f *flight) struck(from board.Point, reach, edge float64) (flew bool) {
	f.each(func(t *track) {
		if !t.told() || t.shade() || t.launch() < slowestShot || t.bound().Radius() < edge {
			return
		}
		for _, p := range t.before() {
			flew = flew || apart(p, from) < reach
		}
	})
	return flew
}

// elsewhere tells whether what lies at a place now, within reach (mm), was followed
// to it and was away from another place, by three times that, about a moment.
func (f *flight) elsewhere(now, from board.Point, at, around time.Duration, reach float64) bool {
	for i := range f.tracks {
		t := &f.tracks[i]
		if t.start().at >= at-around || apart(t.at, now) > reach {
			continue
		}
		if off := t.nearest(from, at-around, at+around); off > 3*reach && !math.IsInf(off, 1) {
			return true
		}
	}
	return false
}

// any tells whether anything flew, wherever it began.
func (f *flight) any() (flew bool) {
	f.each(func(t *track) { flew = flew || t.told() })
	return flew
}

// solid tells whether anything flew that was more than a shade.
func (f *flight) solid() (flew bool) {
	f.each(func(t *track) { flew = flew || t.told() && !t.shade() })
	return flew
}

// Ways are where what flew was seen, frame by frame, mm: in the shot that goes on, or
// in the last one until something new happens on the board. They are not to be changed.
func (w *Watcher) Ways() [][]board.Point {
	f := &w.flight
	if f.waysAt == f.news {
		return f.ways
	}
	var out [][]board.Point // others may still look at the last ones
	f.each(func(t *track) {
		if !t.told() {
			return
		}
		way := make([]board.Point, len(t.known()))
		for i, p := range t.known() {
			way[i] = p.Point
		}
		out = append(out, way)
	})
	f.ways, f.waysAt = out, f.news
	return out
}

func apart(a, b board.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
