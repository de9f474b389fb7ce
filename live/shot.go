package live

import (
	"errors"
	"slices"

	"crokcam/board"
	"crokcam/internal/witness"
	"crokcam/match"
	"crokcam/rules"
	"crokcam/vision"
	"crokcam/vision/shots"
)

// take drafts the oldest of the shots that wait, with its verdict and all that
// follows from it at once.
func (k *keeper) take(d *draft) {
	w := k.waiting[0]
	s := d.state
	for _, q := range s.Questions(true) {
		if !q.Blocking && q.About == match.AboutDoubt {
			// Play went on from the board as called, and so the players agree to it.
			_, _ = d.add(match.QuestionWithdrawn{Question: q.Seq, Reason: "play went on as called"})
		}
	}
	next := s.Next()
	seat := next[0]
	seen := k.fit(s, w)
	side := layoutOf(s).Side(seat)
	shooter := board.NoSide // by its colour, as the match has it
	if c := colourOf(seen, w.placed); c != board.NoSide {
		k.bind(s, c, side)
		shooter = k.colours[c]
	}
	if !k.coloursKnown(s) && len(seen.Before)+len(seen.After) > 0 {
		k.guess(s)
	}
	outOfTurn := false
	if shooter != board.NoSide && shooter != side {
		if other, ok := seatOf(s, shooter, next); ok {
			outOfTurn = !slices.Contains(next, other)
			seat, side = other, shooter
		}
	}
	b := match.ShotDetected{
		Seat: seat, OutOfTurn: outOfTurn, BeforeAt: w.beforeAt, MovedAt: w.moved, RestedAt: w.rested, AfterAt: w.end,
	}
	var shot rules.Shot
	b.Before, b.After, shot = witness.Shot(seen, side, s.ShotOf(seat).Number, k.colours)
	b.Evidence, b.Track = match.Evidence(shot.Evidence), (*match.Track)(shot.Track)
	k.name(s, &b, seen)
	d.took = true
	seq, err := d.add(b)
	if err != nil {
		d.took = false
		reason := "The board before the shot was not as the match has it."
		if !errors.Is(err, match.ErrMismatch) {
			reason = "The shot does not fit the match: " + err.Error()
		}
		k.lose(d, reason)
		return
	}
	if outOfTurn {
		k.doubted = doubted{seq, colourOf(seen, w.placed)}
		_, _ = d.add(match.QuestionAsked{Turn: seq, About: match.AboutShooter, Blocking: true, Choices: []match.Choice{
			{Key: seat.String()},
			{Key: next[0].String(), Change: &match.Change{Shooter: &match.ChangeShooter{Seat: next[0]}}},
		}})
	}
	// What still lies there though it should not goes on lying there.
	r := k.read(s, w.After)
	for i, id := range r.of {
		if slices.Contains(r.stays, id) {
			k.ignored = append(k.ignored, w.After[i].Point)
		}
	}
	k.judge(d, seq)
	k.twenties(d, seq, w)
}

// colourOf is the camera's name for the colour of the shot disc, NoSide where it
// was not seen.
func colourOf(s *shots.Shot, placed *shots.Disc) board.Side {
	switch {
	case s.Shooter >= 0 && s.Shooter < len(s.After):
		return s.After[s.Shooter].Side
	case placed != nil:
		return placed.Side
	}
	return board.NoSide
}

// guess takes the colours in the order in which they were seen where nothing has
// told whose they are: a first shot that left the board unseen.
func (k *keeper) guess(s match.State) {
	for _, side := range sidesOf(s) {
		if !slices.Contains(k.colours[:], side) {
			if c := slices.Index(k.colours[board.SideA:], board.NoSide); c >= 0 {
				k.bind(s, board.SideA+board.Side(c), side)
			}
		}
	}
}

// seatOf is the seat of a side that may have shot: one whose turn it is, or else
// one with discs left.
func seatOf(s match.State, side board.Side, next []board.Seat) (board.Seat, bool) {
	l := layoutOf(s)
	tally, _ := s.Tally()
	for _, list := range [][]board.Seat{next, l.Seats()} {
		for _, seat := range list {
			if l.Side(seat) == side && tally.Left[seat] > 0 {
				return seat, true
			}
		}
	}
	return 0, false
}

// fit makes of a shot as it was seen one of the match's discs: without those
// that are none of the match's or have been taken away, and with those that are
// there unseen.
func (k *keeper) fit(s match.State, w *sighting) *shots.Shot {
	in := w.Shot
	r := k.read(s, in.Before)
	reach := specOf(s).Disc.Radius
	shooter := in.Shooter
	dropBefore := make([]bool, len(in.Before))
	dropAfter := make([]bool, len(in.After))
	for i := range in.Before {
		j := became(in, i)
		switch {
		case slices.Contains(r.stays, r.of[i]) && r.of[i] != "", r.of[i] == "" && k.ignores(in.Before[i].Point, reach):
			dropBefore[i] = true
			if j >= 0 {
				dropAfter[j] = true
			}
		case r.of[i] == "" && shooter < 0 && s.Rules().Value(in.Before[i].Disc).Zone == board.Out:
			// It lay on the starting line when the board was taken as it lay, and was
			// shot from there.
			dropBefore[i], shooter = true, shots.Gone
			if j >= 0 {
				shooter = j
			}
		}
	}
	out := *in
	out.Before, out.After, out.Became, out.Contacts, out.Left, out.Twenties = nil, nil, nil, nil, nil, nil
	before, after := make([]int, len(in.Before)), make([]int, len(in.After))
	for j := range in.After {
		after[j] = shots.Gone
		if !dropAfter[j] {
			after[j] = len(out.After)
			out.After = append(out.After, in.After[j])
		}
	}
	place := func(j int) int {
		if j >= 0 && j < len(after) {
			return after[j]
		}
		return j
	}
	for i := range in.Before {
		before[i] = shots.Gone
		if !dropBefore[i] {
			before[i] = len(out.Before)
			out.Before = append(out.Before, in.Before[i])
			out.Became = append(out.Became, place(became(in, i)))
		}
	}
	out.Shooter = place(shooter)
	for _, c := range in.Contacts {
		if c.Disc >= 0 && c.Disc < len(before) && before[c.Disc] < 0 {
			continue
		}
		if c.Disc >= 0 && c.Disc < len(before) {
			c.Disc = before[c.Disc]
		}
		if c.By >= 0 && c.By < len(before) {
			if c.By = before[c.By]; c.By < 0 {
				c.By = shots.Unknown
			}
		}
		out.Contacts = append(out.Contacts, c)
	}
	for _, i := range in.Left {
		if before[i] >= 0 {
			out.Left = append(out.Left, before[i])
		}
	}
	for _, j := range in.Twenties {
		if after[j] >= 0 {
			out.Twenties = append(out.Twenties, after[j])
		}
	}
	for _, d := range s.Discs() {
		if slices.Contains(k.phantoms, d.ID) && !slices.Contains(r.of, d.ID) {
			ghost := shots.Disc{Disc: d.Disc, Top: d.Point}
			ghost.Side = k.colourFor(d.Side)
			ghost.Sigma = max(ghost.Sigma, 1)
			out.Before = append(out.Before, ghost)
			out.Became = append(out.Became, len(out.After))
			out.After = append(out.After, ghost)
		}
	}
	return &out
}

func became(s *shots.Shot, i int) int {
	if i < len(s.Became) {
		return s.Became[i]
	}
	return shots.Unknown
}

// colourFor is the camera's name for a side's colour.
func (k *keeper) colourFor(side board.Side) board.Side {
	for c, s := range k.colours {
		if s == side && side != board.NoSide {
			return board.Side(c)
		}
	}
	return board.NoSide
}

// name gives the discs of a shot the sides that the match knows them to have:
// whose a disc is was settled when it was shot.
func (k *keeper) name(s match.State, b *match.ShotDetected, seen *shots.Shot) {
	r := k.read(s, seen.Before)
	discs := s.Discs()
	for i, id := range r.of {
		j := slices.IndexFunc(discs, func(m match.Disc) bool { return m.ID == id })
		if j < 0 || i >= len(b.Before.Discs) {
			continue
		}
		b.Before.Discs[i].Side = discs[j].Side
		if to := seen.Became[i]; to >= 0 && to < len(b.After.Discs) && seen.Identified {
			b.After.Discs[to].Side = discs[j].Side
		}
	}
}

// judge drafts the verdict on a shot and what it asks and wants done.
func (k *keeper) judge(d *draft, seq int) {
	v, err := d.state.Judge(seq, nil)
	if err != nil {
		k.lose(d, "The shot cannot be judged: "+err.Error())
		return
	}
	if _, err := d.add(match.ShotJudged{Shot: seq, Verdict: match.Verdict(v)}); err != nil {
		k.lose(d, "The verdict does not fit the match: "+err.Error())
		return
	}
	d.after = append(d.after, func(s match.State) { k.announce(s, seq) })
	if v.Ruling == rules.Desynced {
		k.lose(d, "The two pictures cannot belong to one shot.")
		return
	}
	if turn, _, ok := d.state.Turn(seq); ok && turn.Settled && v.Review {
		k.offer(d, seq, &v)
	}
}

// twenties drafts what was seen in the hole.
func (k *keeper) twenties(d *draft, seq int, w *sighting) {
	if d.state.Desynced() != nil {
		return
	}
	turn, _, ok := d.state.Turn(seq)
	if !ok || turn.Verdict == nil {
		return
	}
	told := false
	for side, n := range turn.Verdict.Twenties {
		for range n {
			_, _ = d.add(match.TwentySeen{Turn: seq, Side: board.Side(side), Confidence: 0.95})
			told = true
		}
	}
	if told || w.Hole != vision.HoleUnclear {
		return
	}
	// Something may lie there. Only a disc that is nowhere else can.
	side := board.NoSide
	switch {
	case w.Shooter == shots.Gone:
		side = turn.Side
	case len(w.Left) > 0:
		side = k.colours[w.Before[w.Left[0]].Side]
	}
	if side == board.NoSide {
		return
	}
	if k.askTwenty(d, seq, side) {
		d.after = append(d.after, func(match.State) { k.tell(TwentyUncertain, w.end, TwentyNotice{seq, side}) })
	}
}

// announce tells what a verdict says beside the verdict itself.
func (k *keeper) announce(s match.State, seq int) {
	turn, _, ok := s.Turn(seq)
	if !ok || turn.Verdict == nil {
		return
	}
	v := turn.Verdict
	for side, n := range v.Twenties {
		for range n {
			k.tell(TwentyScored, k.captured, TwentyNotice{seq, board.Side(side)})
		}
	}
	for _, c := range v.Close {
		n := CallNotice{Shot: seq, Gap: c.Gap, Zone: c.Zone, Other: c.Other, Turns: c.Turns}
		if c.Disc >= 0 && c.Disc < len(v.Outcomes) {
			n.Disc = discNamed(s, turn, v.Outcomes[c.Disc])
		}
		k.tell(CallTooClose, k.captured, n)
	}
}

// discNamed is the match's name of a disc of an outcome.
func discNamed(s match.State, turn match.Turn, o rules.Outcome) match.DiscID {
	if o.Before < 0 {
		return match.ShotDisc(turn.Seq)
	}
	reach := specOf(s).Disc.Radius
	best := match.DiscID("")
	for _, d := range turn.Discs {
		dx, dy := d.X-o.At.X, d.Y-o.At.Y
		if r := dx*dx + dy*dy; r < reach*reach {
			best, reach = d.ID, r/reach
		}
	}
	return best
}
