package live

import (
	"slices"
	"time"

	"crokcam/board"
	"crokcam/match"
	"crokcam/rules"
)

// next drafts what follows by itself from the match as it stands and the board
// as it was seen; nothing where nothing does.
func (k *keeper) next(d *draft, now time.Duration) {
	s := d.state
	if s.Paused() != nil {
		return
	}
	if s.Desynced() != nil {
		k.agreeAgain(d)
		return
	}
	if len(k.waiting) > mostWaiting {
		k.lose(d, "Many shots were seen that could not be taken, since a question is open.")
		return
	}
	switch s.Phase() {
	case match.Between:
		k.begin(d)
	case match.Judging:
		k.judge(d, s.LastTurn())
	case match.Asking:
		k.ask(d)
	case match.Removing:
		k.removal(d, now)
	case match.Shooting:
		if k.expect(d) {
			return
		}
		if len(k.waiting) > 0 {
			k.take(d)
			return
		}
		k.compare(d, now)
	case match.Counting:
		if !k.expect(d) {
			k.count(d, now)
		}
	case match.Over:
		k.close(d)
	}
}

// begin begins a round on an empty board.
func (k *keeper) begin(d *draft) {
	k.close(d)
	empty := k.known && k.read(d.state, k.lies).empty
	if len(k.waiting) > 0 { // the board is ahead of the match
		empty = k.read(d.state, k.waiting[0].Before).empty
		if !empty {
			k.waiting = nil // play before the board was cleared is no round
		}
	}
	if empty {
		_, _ = d.add(match.RoundStarted{Lead: d.state.Lead()})
	}
}

// close marks games and the match that have ended by the rules.
func (k *keeper) close(d *draft) {
	told, over := 0, false
	for _, e := range d.state.Events() {
		if d.state.InForce(e.Seq) {
			switch e.Body.(type) {
			case match.GameEnded:
				told++
			case match.Ended, match.Closed:
				over = true
			}
		}
	}
	games := d.state.Score().Results()
	for ; told < len(games); told++ {
		for _, winner := range append(sidesOf(d.state), board.NoSide) {
			if _, err := d.add(match.GameEnded{Scores: match.Points(games[told].Scores), Winner: winner}); err == nil {
				break // the match knows who has won, and takes no other
			}
		}
	}
	if d.state.Phase() == match.Over && !over {
		_, _ = d.add(match.Ended{Winner: d.state.Winner()})
	}
}

func sidesOf(s match.State) []board.Side {
	var out []board.Side
	for i := range layoutOf(s).Sides() {
		out = append(out, board.SideA+board.Side(i))
	}
	return out
}

// lose says that board and match do not agree, so that nothing is scored until
// somebody says how it lies.
func (k *keeper) lose(d *draft, reason string) {
	b := match.Desynced{Reason: reason}
	if snap, _, ok := k.snapshot(d.state, k.read(d.state, k.lies)); k.known && ok {
		b.Board = &snap
	}
	if _, err := d.add(b); err != nil {
		b.Board = nil
		if _, err := d.add(b); err != nil {
			return
		}
	}
	n := len(k.waiting)
	d.after = append(d.after, func(match.State) {
		k.lost += n
		k.waiting = nil
	})
}

// agreeAgain goes on after a loss of step when the board lies as the match has
// it, and no shot was seen since.
func (k *keeper) agreeAgain(d *draft) {
	s := d.state
	if !k.known || k.lost > 0 || len(k.waiting) > 0 || s.Phase() != match.Shooting {
		return
	}
	if r := k.read(s, k.lies); r.differs() || len(r.stays) > 0 {
		return
	}
	tally, _ := s.Tally()
	next := s.Next()
	if len(next) == 0 {
		next = dueIn(s)
	}
	if len(next) == 0 {
		return
	}
	_, _ = d.add(match.Resynced{Board: s.Board(), Twenties: match.Points(tally.Twenties), Left: tally.Left, Next: next[0]})
}

// dueIn is whose turn it is by the discs that are left, clockwise after whoever
// has shot last.
func dueIn(s match.State) []board.Seat {
	tally, ok := s.Tally()
	if !ok {
		return nil
	}
	seats := layoutOf(s).Seats()
	from := 0
	if t, _, ok := s.Turn(s.LastTurn()); ok && (t.Kind == match.ShotTurn || t.Kind == match.ForfeitTurn) {
		from = slices.Index(seats, t.Seat) + 1
	}
	for i := range seats {
		if seat := seats[(from+i)%len(seats)]; tally.Left[seat] > 0 {
			return []board.Seat{seat}
		}
	}
	return nil
}

// compare looks whether the board at rest is as the match has it, when no shot
// says why it should not be. A single disc that is gone is asked about; about
// more nobody could be asked in one sentence.
func (k *keeper) compare(d *draft, now time.Duration) {
	if !k.known || k.restoring {
		return
	}
	r := k.read(d.state, k.lies)
	if !r.differs() {
		k.settle()
		return
	}
	if k.differed < 0 {
		k.differed = now
	}
	if now-k.differed < patience {
		return
	}
	k.different = true
	turn, _, ok := d.state.Turn(d.state.LastTurn())
	shot := ok && turn.Kind == match.ShotTurn
	if shot && k.askedByBoard(d, turn.Seq, k.lies, true) {
		return
	}
	if len(r.missing) == 1 && len(r.extra) == 0 && shot {
		k.askGone(d, turn.Seq, nil, r.missing)
		return
	}
	switch {
	case len(r.extra) == 0:
		k.lose(d, "Discs are gone that were not shot off the board.")
	case len(r.missing) == 0:
		k.lose(d, "There are more discs on the board than were shot.")
	default:
		k.lose(d, "Discs lie elsewhere than they did, and no shot was seen.")
	}
}

// settle notes that the board is as the match has it.
func (k *keeper) settle() { k.differed, k.different = -1, false }

// left is how many discs are still to be shot in the round.
func left(s match.State) int {
	tally, _ := s.Tally()
	n := 0
	for _, l := range tally.Left {
		n += l
	}
	return n
}

// count puts the count of a round forward and, once the players have cleared the
// board, takes it to be agreed (RND-1): they do so when they are agreed. Where a
// call is too close it is asked about before, and the round waits for the answer
// until the next one is being played.
func (k *keeper) count(d *draft, now time.Duration) {
	rs, turn := d.state.Rules(), d.state.LastTurn()
	for _, disc := range d.state.Discs() {
		call := rs.Value(disc.Disc)
		if disc.Fixed || !call.TooClose || k.asked(d.state, turn, match.AboutClose, disc.ID) {
			continue
		}
		other := call.Other
		_, _ = d.add(match.QuestionAsked{Turn: turn, About: match.AboutClose, Discs: []match.DiscID{disc.ID}, Choices: []match.Choice{
			{Key: call.Zone.String()},
			{Key: other.String(), Change: &match.Change{Value: &match.ChangeValue{Disc: disc.ID, Zone: other}}},
		}})
	}
	r := d.state.Rounds()[len(d.state.Rounds())-1]
	count := match.RoundEnded{Totals: match.Points(r.Totals), Twenties: match.Points(r.Twenties)}
	if !putForward(d.state, r.Seq, count) {
		_, _ = d.add(count)
	}
	if !k.agreed(d.state, now) {
		return
	}
	for _, q := range d.state.Questions(true) {
		if len(k.waiting) == 0 {
			return
		}
		// The next round is being played: the players have agreed on what lay there.
		_, _ = d.add(match.QuestionWithdrawn{Question: q.Seq, Reason: "play went on as called"})
	}
	if _, err := d.add(match.RoundAgreed{}); err == nil {
		k.close(d)
	}
}

// agreedAfter is how long a count of a board on which nothing lies stands before
// it is taken to be agreed: there is nothing that the players could clear away.
const agreedAfter = 10 * time.Second

// agreed tells whether the players have cleared the board after a round, or
// gone on to the next where there was nothing to clear.
func (k *keeper) agreed(s match.State, now time.Duration) bool {
	if len(k.waiting) > 0 {
		return k.read(s, k.waiting[0].Before).empty
	}
	if !k.known || !k.read(s, k.lies).empty {
		return false
	}
	return len(s.Discs()) > len(k.phantoms) || k.acted || now-k.at >= agreedAfter
}

// asked tells whether something about a disc has been asked after a turn.
func (k *keeper) asked(s match.State, turn int, about match.About, disc match.DiscID) bool {
	return slices.ContainsFunc(s.Questions(false), func(q match.Question) bool {
		return q.Turn == turn && q.About == about && slices.Contains(q.Discs, disc)
	})
}

// putForward tells whether a round's count stands as put forward last.
func putForward(s match.State, round int, count match.RoundEnded) bool {
	var told match.RoundEnded
	done := false
	for _, e := range s.Events()[round:] {
		if b, ok := e.Body.(match.RoundEnded); ok && s.InForce(e.Seq) {
			told, done = b, true
		}
	}
	return done && told.Totals == count.Totals && told.Twenties == count.Twenties
}

// resync takes the board as it lies.
func (k *keeper) resync(s match.State, a Acceptance) (b match.Resynced, ok bool) {
	r := k.read(s, k.lies)
	snap, holed, ok := k.snapshot(s, r)
	tally, playing := s.Tally()
	if !ok || !playing || !k.known {
		return b, false
	}
	b = match.Resynced{Board: snap, Twenties: match.Points(tally.Twenties), Left: tally.Left}
	for side, n := range holed {
		b.Twenties[side] += n
	}
	if a.Twenties != nil {
		b.Twenties = *a.Twenties
	}
	next := s.Next()
	if len(next) == 0 {
		next = dueIn(s)
	}
	f := s.Score().Game().Format()
	seats := f.Layout.Seats()
	at := 0
	if len(next) > 0 {
		at = slices.Index(seats, next[0])
	}
	spend := func() {
		for i := range seats {
			if seat := seats[(at+i)%len(seats)]; b.Left[seat] > 0 {
				b.Left[seat]--
				at = (at + i + 1) % len(seats)
				return
			}
		}
	}
	if a.Left != nil {
		b.Left = *a.Left
	} else {
		for range max(k.lost, len(r.extra)-len(r.missing)) {
			spend()
		}
		// A disc that lies there has been shot.
		for n := 0; n < 64 && !k.addsUp(f, b); n++ {
			spend()
		}
	}
	for i := range seats {
		if seat := seats[(at+i)%len(seats)]; b.Left[seat] > 0 {
			b.Next = seat
			break
		}
	}
	if a.Next != nil {
		b.Next = *a.Next
	}
	return b, true
}

// addsUp tells whether no side has more discs on the board and set aside than it
// has shot.
func (k *keeper) addsUp(f rules.Format, b match.Resynced) bool {
	var spare rules.Points
	for _, seat := range f.Layout.Seats() {
		spare[f.Layout.Side(seat)] += discsOf(f, seat) - b.Left[seat]
	}
	for _, d := range b.Board.Discs {
		spare[d.Side]--
	}
	for side, n := range b.Twenties {
		spare[side] -= n
	}
	return !slices.ContainsFunc(spare[:], func(n int) bool { return n < 0 })
}

// discsOf is how many discs a seat has in a round (PLY-2, PLY-3a).
func discsOf(f rules.Format, seat board.Seat) int {
	if f.Layout == rules.TwoAgainstOne && f.Layout.Side(seat) == board.SideB {
		return 2 * f.Discs
	}
	return f.Discs
}
