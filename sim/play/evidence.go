package play

import (
	"crokcam/board"
	"crokcam/rules"
	"crokcam/sim"
)

// Witnessed is a simulated shot as the judge is told of it by one who saw
// everything: every contact, every exit, and which disc is which. The snapshots
// that go with it are that of the setup and Result.Final.
func Witnessed(r *sim.Result, side board.Side) rules.Shot {
	s := rules.Shot{Side: side, Track: &rules.Track{Discs: make([]int, r.Shot)}}
	for i := range s.Track.Discs {
		s.Track.Discs[i] = placeOf(r, i)
	}
	s.Track.Shot = placeOf(r, r.Shot)

	ev := &s.Evidence
	ev.Watched = rules.WatchedContacts | rules.WatchedExits
	for i := range r.Contacts {
		c := &r.Contacts[i]
		struck, ok := bodyOf(r, c.B)
		if !ok {
			continue
		}
		striker, _ := bodyOf(r, c.A)
		// 0 would mean that nobody knows when.
		seen := rules.Contact{Striker: striker, Struck: struck, At: max(c.At, 1e-9)}
		switch {
		case striker == rules.DitchDisc:
			if struck == rules.DitchDisc {
				continue
			}
			seen.Striker, seen.Struck = struck, striker
			fallthrough
		case c.Off:
			ev.Damage = append(ev.Damage, seen)
		default:
			ev.Contacts = append(ev.Contacts, seen)
		}
	}
	var gone uint64
	for _, e := range r.Exits {
		if e.Disc <= r.Shot && gone&(1<<uint(e.Disc)) == 0 {
			gone |= 1 << uint(e.Disc)
			ev.Exits = append(ev.Exits, rules.Exit{Body: discOf(r, e.Disc), At: max(e.At, 1e-9)})
		}
	}
	for _, c := range r.Crossings() {
		ev.Crossed = append(ev.Crossed, rules.Exit{Body: discOf(r, c.Disc), At: max(c.At, 1e-9)})
	}
	return s
}

func placeOf(r *sim.Result, i int) int {
	if r.Place[i] < 0 {
		return rules.Gone
	}
	return r.Place[i]
}

// bodyOf is the judge's name for a body; rail, wall and lip have none.
func bodyOf(r *sim.Result, b sim.Body) (rules.Body, bool) {
	switch b.Kind {
	case sim.Disc:
		return discOf(r, b.Index), true
	case sim.Post:
		return rules.Post(b.Index), true
	}
	return 0, false
}

func discOf(r *sim.Result, i int) rules.Body {
	switch {
	case i < r.Shot:
		return rules.Disc(i)
	case i == r.Shot:
		return rules.ShotDisc
	}
	return rules.DitchDisc
}
