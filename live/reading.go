package live

import (
	"math"
	"slices"
	"sort"

	"crokcam/board"
	"crokcam/internal/witness"
	"crokcam/match"
	"crokcam/rules"
	"crokcam/vision/shots"
)

// reading is the board as it is seen beside the board as the match has it.
type reading struct {
	of      []match.DiscID // of each disc seen, "" for none of the match's
	missing []match.DiscID // of the match, not seen
	stays   []match.DiscID // to be taken off after the last turn, still there
	extra   []int          // places among the discs seen
	empty   bool           // nothing is seen but what is to be ignored
}

func (r *reading) differs() bool { return len(r.missing)+len(r.extra) > 0 }

// read lays discs that are seen beside those of the match.
func (k *keeper) read(s match.State, discs []shots.Disc) reading {
	type known struct {
		id   match.DiscID
		at   board.Point
		hole bool
		goes bool
	}
	var all []known
	for _, d := range s.Discs() {
		all = append(all, known{id: d.ID, at: d.Point, hole: d.Rest == board.InHole})
	}
	last := s.LastTurn()
	if goes := s.Removal(last).Remove; len(goes) > 0 {
		turn, _, _ := s.Turn(last)
		for _, r := range turn.Removed {
			if slices.Contains(goes, r.ID) {
				all = append(all, known{id: r.ID, at: r.Point, hole: r.Rest == board.InHole, goes: true})
			}
		}
	}
	type pair struct {
		d    float64
		i, j int
	}
	var pairs []pair
	reach := specOf(s).Disc.Radius
	for i := range discs {
		for j := range all {
			d := math.Hypot(discs[i].X-all[j].at.X, discs[i].Y-all[j].at.Y)
			if all[j].hole && discs[i].Rest == board.InHole {
				d = 0
			}
			if d <= reach {
				pairs = append(pairs, pair{d, i, j})
			}
		}
	}
	sort.SliceStable(pairs, func(a, b int) bool { return pairs[a].d < pairs[b].d })
	r := reading{of: make([]match.DiscID, len(discs)), empty: true}
	found := make([]bool, len(all))
	for _, p := range pairs {
		if r.of[p.i] == "" && !found[p.j] {
			r.of[p.i], found[p.j] = all[p.j].id, true
		}
	}
	for j, a := range all {
		switch {
		case a.goes && found[j]:
			r.stays = append(r.stays, a.id)
		case !a.goes && !found[j] && !slices.Contains(k.phantoms, a.id):
			r.missing = append(r.missing, a.id)
		}
	}
	for i := range discs {
		if r.of[i] != "" || !k.ignores(discs[i].Point, reach) {
			r.empty = false
		}
		if r.of[i] == "" && !k.ignores(discs[i].Point, reach) {
			r.extra = append(r.extra, i)
		}
	}
	return r
}

// ignores tells whether a disc that is seen at a place is none of the match's, as
// somebody said.
func (k *keeper) ignores(p board.Point, reach float64) bool {
	return slices.ContainsFunc(k.ignored, func(q board.Point) bool { return math.Hypot(p.X-q.X, p.Y-q.Y) < reach })
}

// bless takes the differences that were not there before, and all those about a
// question's discs, to be meant.
func (k *keeper) bless(now, before reading, q *match.Question) {
	about := func(id match.DiscID) bool {
		return q != nil && q.About == match.AboutRemoval && slices.Contains(q.Discs, id)
	}
	for _, id := range now.missing {
		if about(id) || !slices.Contains(before.missing, id) {
			k.phantoms = append(k.phantoms, id)
		}
	}
	for i, id := range now.of {
		extra := slices.Contains(now.extra, i)
		if extra && !slices.Contains(before.extra, i) || about(id) && slices.Contains(now.stays, id) {
			k.ignored = append(k.ignored, k.lies[i].Point)
		}
	}
}

// prune forgets what was to be ignored and is not seen any more, and what was
// not seen and is now.
func (k *keeper) prune(s match.State, r reading) {
	reach := specOf(s).Disc.Radius
	k.ignored = slices.DeleteFunc(k.ignored, func(p board.Point) bool {
		return !slices.ContainsFunc(k.lies, func(d shots.Disc) bool { return math.Hypot(d.X-p.X, d.Y-p.Y) < reach })
	})
	discs := s.Discs()
	k.phantoms = slices.DeleteFunc(k.phantoms, func(id match.DiscID) bool {
		return slices.Contains(r.of, id) || !slices.ContainsFunc(discs, func(d match.Disc) bool { return d.ID == id })
	})
}

// learn finds out whose discs have which colour, where that is not known and
// the board tells: after a restart, the discs lie where the match has them.
func (k *keeper) learn(s match.State) {
	if k.coloursKnown(s) {
		return
	}
	votes := k.votes(s)
	for seen := board.SideA; seen <= board.SideD; seen++ {
		best := board.NoSide
		for side := board.SideA; side <= board.SideD; side++ {
			if votes[seen][side] > votes[seen][best] {
				best = side
			}
		}
		if best != board.NoSide {
			k.bind(s, seen, best)
		}
	}
}

// votes is how many discs at rest have each of the camera's colours, by the side
// that the match has them for, and the disc of the last shot that was asked about.
func (k *keeper) votes(s match.State) (votes [board.SideD + 1][board.SideD + 1]int) {
	r := k.read(s, k.lies)
	discs := s.Discs()
	for i, id := range r.of {
		j := slices.IndexFunc(discs, func(d match.Disc) bool { return d.ID == id })
		if j >= 0 {
			votes[k.lies[i].Side][discs[j].Side]++
		}
	}
	if turn, _, ok := s.Turn(k.doubted.turn); ok {
		votes[k.doubted.colour][turn.Side]++
	}
	return votes
}

// relearn finds out anew whose the colours are where somebody has said what more
// of the discs speak against than for.
func (k *keeper) relearn(s match.State) {
	votes := k.votes(s)
	agree, others := 0, 0
	for seen, of := range votes {
		for side, n := range of {
			switch {
			case k.colours[seen] == board.NoSide:
			case k.colours[seen] == board.Side(side):
				agree += n
			default:
				others += n
			}
		}
	}
	if others > agree {
		k.colours = witness.Sides{}
		k.learn(s)
	}
}

// bind takes a colour to be a side's, and with it the last colour to be the last
// side's.
func (k *keeper) bind(s match.State, seen, side board.Side) {
	if seen == board.NoSide || k.colours[seen] != board.NoSide || slices.Contains(k.colours[:], side) && side != board.NoSide {
		return
	}
	k.colours[seen] = side
	n := board.Side(layoutOf(s).Sides())
	var freeColour, freeSide []board.Side
	for x := board.SideA; x <= n; x++ {
		if k.colours[x] == board.NoSide {
			freeColour = append(freeColour, x)
		}
		if !slices.Contains(k.colours[board.SideA:n+1], x) {
			freeSide = append(freeSide, x)
		}
	}
	if len(freeColour) == 1 && len(freeSide) == 1 {
		k.colours[freeColour[0]] = freeSide[0]
	}
}

// coloursKnown tells whether every colour is a side's.
func (k *keeper) coloursKnown(s match.State) bool {
	return !slices.Contains(k.colours[board.SideA:board.Side(layoutOf(s).Sides())+1], board.NoSide)
}

// snapshot is the board at rest in the match's sides; a disc of the match keeps
// its own. Discs in the hole are left out and counted by side. ok is false where
// it is not known whose a disc is.
func (k *keeper) snapshot(s match.State, r reading) (snap board.Snapshot, holed rules.Points, ok bool) {
	discs := s.Discs()
	ok = true
	reach := specOf(s).Disc.Radius
	for i, d := range k.lies {
		if r.of[i] == "" && k.ignores(d.Point, reach) || slices.Contains(r.stays, r.of[i]) && r.of[i] != "" {
			continue
		}
		side := k.colours[d.Side]
		if j := slices.IndexFunc(discs, func(m match.Disc) bool { return m.ID == r.of[i] }); j >= 0 {
			side = discs[j].Side
		}
		if side == board.NoSide {
			ok = false
			continue
		}
		b := d.Disc
		b.Side = side
		switch {
		case b.Rest == board.InHole:
			if r.of[i] == "" {
				holed[side]++
			}
		case s.Rules().Value(b).Zone == board.Out && r.of[i] == "":
			// On the starting line, waiting to be shot.
		default:
			snap.Discs = append(snap.Discs, b)
		}
	}
	return snap, holed, ok
}
