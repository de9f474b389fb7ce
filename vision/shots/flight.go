package shots

import (
	"math"
	"time"

	"crokcam/board"
)

// flight follows what has a disc's size and no hand on it, from frame to frame.
type flight struct {
	tracks []track
	ended  []track // that went far enough to tell of a shot
}

// track is one thing that moves by itself.
type track struct {
	start, at board.Point // mm
	v         board.Point // mm/s
	from, to  time.Duration
	points    int
	reach     float64 // mm, farthest from its start
	lost      int     // frames without it
}

const (
	fastest   = 3200.0 // mm/s that a track may begin with
	swerve    = 45.0   // mm that a disc may be from where it was going: a contact turns it
	lostAfter = 2      // frames
	// flown is how far something of a disc's size has to move by itself to have
	// been shot, mm. A hand lets go of a disc where it lies.
	flown = 55.0
)

func (f *flight) restart() { f.tracks, f.ended = f.tracks[:0], f.ended[:0] }

// see takes in what a frame shows.
func (f *flight) see(at time.Duration, seen []board.Point) {
	used := uint64(0)
	for i := range f.tracks {
		t := &f.tracks[i]
		dt := (at - t.to).Seconds()
		gate := swerve
		if t.points == 1 {
			gate = fastest * dt
		}
		want := board.Point{X: t.at.X + t.v.X*dt, Y: t.at.Y + t.v.Y*dt}
		best, least := -1, gate
		for k, p := range seen {
			if k < 64 && used&(1<<k) == 0 {
				if d := math.Hypot(p.X-want.X, p.Y-want.Y); d < least {
					best, least = k, d
				}
			}
		}
		if best < 0 {
			t.lost++
			continue
		}
		used |= 1 << best
		p := seen[best]
		t.v = board.Point{X: (p.X - t.at.X) / dt, Y: (p.Y - t.at.Y) / dt}
		t.at, t.to, t.lost = p, at, 0
		t.points++
		t.reach = max(t.reach, math.Hypot(p.X-t.start.X, p.Y-t.start.Y))
	}
	keep := f.tracks[:0]
	for _, t := range f.tracks {
		if t.lost <= lostAfter {
			keep = append(keep, t)
		} else if t.told() {
			f.ended = append(f.ended, t)
		}
	}
	f.tracks = keep
	for k, p := range seen {
		if k < 64 && used&(1<<k) == 0 {
			f.tracks = append(f.tracks, track{start: p, at: p, from: at, to: at, points: 1})
		}
	}
}

// told says that the track is that of something that flew.
func (t *track) told() bool { return t.points >= 3 && t.reach >= flown }

// farthest is the track that went farthest; nil when none flew.
func (f *flight) farthest() *track {
	var best *track
	for _, list := range [][]track{f.ended, f.tracks} {
		for i := range list {
			if t := &list[i]; t.told() && (best == nil || t.reach > best.reach) {
				best = t
			}
		}
	}
	return best
}

// first is when something was first seen to fly.
func (f *flight) first() (at time.Duration, ok bool) {
	for _, list := range [][]track{f.ended, f.tracks} {
		for i := range list {
			if t := &list[i]; t.told() && (!ok || t.from < at) {
				at, ok = t.from, true
			}
		}
	}
	return at, ok
}
