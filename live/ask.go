package live

import (
	"math"
	"slices"
	"time"

	"crokcam/board"
	"crokcam/match"
	"crokcam/rules"
	"crokcam/vision/shots"
)

// ask drafts a question about what keeps the match waiting, unless it is asked
// already.
func (k *keeper) ask(d *draft) {
	s := d.state
	if k.settleRemoval(d) {
		return
	}
	for _, q := range s.Questions(true) {
		if q.Blocking {
			return
		}
	}
	turn, ok := unsettled(s)
	if !ok {
		k.askUntold(d)
		return
	}
	v := turn.Verdict
	switch {
	case v == nil:
		k.judge(d, turn.Seq)
		return
	case v.Shooter != turn.Side: // somebody else has shot than was judged
		again, err := s.Judge(turn.Seq, nil)
		if err != nil || again.Ruling == rules.Desynced {
			k.lose(d, "The shot cannot be another player's.")
			return
		}
		_, _ = d.add(match.Corrected{Target: turn.Seq, Reason: "judged again for another player", Change: match.Change{
			Verdict: &match.ChangeVerdict{Verdict: match.Verdict(again)}}})
		if again.Ruling == rules.Unclear {
			k.askDoubt(d, turn.Seq, &again, true)
		}
		return
	case v.Ruling == rules.Desynced:
		k.lose(d, "The two pictures cannot belong to one shot.")
		return
	}
	k.askDoubt(d, turn.Seq, v, true)
}

// unsettled is the first shot of the round whose verdict is open, since the board
// was last taken as it lay.
func unsettled(s match.State) (match.Turn, bool) {
	rounds := s.Rounds()
	if len(rounds) == 0 {
		return match.Turn{}, false
	}
	turns := rounds[len(rounds)-1].Turns
	from := 0
	for i := range turns {
		if turns[i].Kind == match.SyncTurn {
			from = i
		}
	}
	for _, t := range turns[from:] {
		if t.Kind == match.ShotTurn && !t.Settled {
			return t, true
		}
	}
	return match.Turn{}, false
}

// askDoubt asks about the first of a verdict's doubts that has answers, and where
// none has for a ruling.
func (k *keeper) askDoubt(d *draft, seq int, v *rules.Verdict, blocking bool) {
	for i := range v.Doubts {
		if len(v.Doubts[i].Answers) > 0 && !(v.Doubts[i].Remote && v.Ruling != rules.Unclear) {
			k.addDoubt(d, seq, v, i, blocking)
			return
		}
	}
	choice := func(key string, ruling rules.Ruling, hole rules.Fate, shot rules.Fate) match.Choice {
		out := *v
		out.Ruling, out.Doubts, out.Review = ruling, nil, false
		out.Outcomes = slices.Clone(v.Outcomes)
		out.Twenties = [board.SideD + 1]uint8{}
		for i := range out.Outcomes {
			o := &out.Outcomes[i]
			if o.Fate == rules.Awaiting {
				o.Fate = hole
			}
			if o.Before < 0 && o.Fate == rules.OnBoard {
				o.Fate = shot
			}
			if o.Fate == rules.Ditched && o.Why == rules.NotDitched {
				o.Why, o.Zone = rules.InvalidShot, board.Out
			}
			if o.Fate == rules.Scored {
				out.Twenties[o.Side]++
			}
		}
		return match.Choice{Key: key, Change: &match.Change{Verdict: &match.ChangeVerdict{Verdict: match.Verdict(out)}}}
	}
	_, _ = d.add(match.QuestionAsked{Turn: seq, About: match.AboutDoubt, Blocking: blocking, Choices: []match.Choice{
		choice("good", rules.Good, rules.Scored, rules.OnBoard), choice("failed", rules.Failed, rules.Ditched, rules.Ditched),
	}})
}

func (k *keeper) addDoubt(d *draft, seq int, v *rules.Verdict, i int, blocking bool) {
	q := match.QuestionAsked{Turn: seq, About: match.AboutDoubt, Doubt: i, Blocking: blocking}
	for j, a := range v.Doubts[i].Answers {
		q.Choices = append(q.Choices, match.Choice{Key: a.Key, Change: &match.Change{Answer: &match.ChangeAnswer{Doubt: i, Answer: j}}})
	}
	turn, _, _ := d.state.Turn(seq)
	for _, at := range v.Doubts[i].Discs {
		if at < len(v.Outcomes) {
			if id := discNamed(d.state, turn, v.Outcomes[at]); id != "" {
				q.Discs = append(q.Discs, id)
			}
		}
	}
	if _, err := d.add(q); err != nil {
		q.Discs = nil
		_, _ = d.add(q)
	}
}

// offer asks, without holding anybody up, about what a verdict that stands may
// have got wrong.
func (k *keeper) offer(d *draft, seq int, v *rules.Verdict) {
	for i := range v.Doubts {
		if len(v.Doubts[i].Answers) > 0 && !v.Doubts[i].Remote {
			k.addDoubt(d, seq, v, i, false)
			return
		}
	}
}

// askTwenty asks whether there was a 20.
func (k *keeper) askTwenty(d *draft, seq int, side board.Side) bool {
	_, err := d.add(match.QuestionAsked{Turn: seq, About: match.AboutTwenty, Blocking: true, Choices: []match.Choice{
		{Key: "yes", Change: &match.Change{Twenties: &match.ChangeTwenties{Side: side, By: 1}}}, {Key: "no"},
	}})
	return err == nil
}

// askUntold asks about a 20 that was seen and that the verdict does not have.
func (k *keeper) askUntold(d *draft) {
	s := d.state
	last := s.LastTurn()
	for _, e := range s.Events() {
		if b, ok := e.Body.(match.TwentySeen); ok && b.Turn == last && s.InForce(e.Seq) {
			k.askTwenty(d, last, b.Side)
			return
		}
	}
}

// expected tells whether what a turn wants taken away has been said.
func expected(s match.State, turn int) bool {
	for _, e := range slices.Backward(s.Events()) {
		if b, ok := e.Body.(match.RemovalExpected); ok && b.Turn == turn && s.InForce(e.Seq) {
			want := s.Removal(turn)
			return sameIDs(b.Remove, want.Remove) && sameIDs(b.Restore, want.Restore)
		}
		if e.Seq <= turn {
			break
		}
	}
	return false
}

func sameIDs(a, b []match.DiscID) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// expect says which discs the last turn wants taken away, once, and tells whether
// it had to.
func (k *keeper) expect(d *draft) bool {
	last := d.state.LastTurn()
	want := d.state.Removal(last)
	if len(want.Remove)+len(want.Restore) == 0 || expected(d.state, last) {
		return false
	}
	_, err := d.add(want)
	return err == nil
}

// removal looks whether the players have done what the verdict says.
func (k *keeper) removal(d *draft, now time.Duration) {
	s := d.state
	turn := s.LastTurn()
	stays, gone, cleared, seen := k.unremoved(s)
	switch {
	case !seen:
		return
	case cleared:
		k.checked(d, turn)
		// What was called out and yet lay there until all was cleared away may have
		// counted for the players.
		if len(k.waiting) == 0 {
			k.askedByBoard(d, turn, k.cleared, false)
		}
		k.settle()
		return
	case len(stays)+len(gone) == 0:
		k.done(d, turn)
		k.checked(d, turn)
		k.settle()
		return
	}
	if len(gone) == 0 {
		k.settle()
	} else if k.differed < 0 {
		k.differed = now
	}
	wrong := len(gone) > 0 && now-k.differed >= patience
	if wrong {
		k.different = true
	}
	if len(k.waiting) == 0 && !k.acted && !k.overdue && !wrong {
		return
	}
	lies := k.lies
	if len(k.waiting) > 0 {
		lies = k.waiting[0].Before
	}
	if !k.askedByBoard(d, turn, lies, true) {
		k.askGone(d, turn, stays, gone)
	}
}

// askedByBoard asks about the doubt whose other answer leaves the board as it
// lies: the players have made of the shot what the verdict thought less
// likely. It tells whether there is one.
func (k *keeper) askedByBoard(d *draft, seq int, lies []shots.Disc, blocking bool) bool {
	turn, _, ok := d.state.Turn(seq)
	if !ok || turn.Verdict == nil {
		return false
	}
	v := turn.Verdict
	if k.leaves(d.state, v.Outcomes, lies) {
		return false
	}
	for i := range v.Doubts {
		if slices.ContainsFunc(d.state.Questions(false), func(q match.Question) bool {
			return q.Turn == seq && q.About == match.AboutDoubt && q.Doubt == i && (q.Blocking || !blocking)
		}) {
			continue
		}
		for _, a := range v.Doubts[i].Answers {
			if k.leaves(d.state, a.Outcome, lies) {
				k.addDoubt(d, seq, v, i, blocking)
				return true
			}
		}
	}
	return false
}

// leaves tells whether outcomes leave just the discs on the board that are seen.
func (k *keeper) leaves(s match.State, outcomes []rules.Outcome, seen []shots.Disc) bool {
	reach := specOf(s).Disc.Radius
	left := 0
	for _, d := range seen {
		if d.Rest != board.InHole && !k.ignores(d.Point, reach) {
			left++
		}
	}
	for _, o := range outcomes {
		if o.Fate != rules.OnBoard {
			continue
		}
		left--
		if !slices.ContainsFunc(seen, func(d shots.Disc) bool { return math.Hypot(d.X-o.At.X, d.Y-o.At.Y) < reach }) {
			return false
		}
	}
	return left == 0
}

// unremoved is what stays though it should go, and is gone though it should stay,
// after the last turn. cleared tells that everything was taken away after the
// last shot of a round; seen is false where the board is not at rest.
func (k *keeper) unremoved(s match.State) (stays, gone []match.DiscID, cleared, seen bool) {
	if len(k.waiting) > 0 {
		w := k.waiting[0]
		r := k.read(s, w.Before)
		for i, id := range r.of {
			// One that is gone after the shot was taken away by the hand that shot.
			if slices.Contains(r.stays, id) && became(w.Shot, i) >= 0 {
				stays = append(stays, id)
			}
		}
		return stays, r.missing, left(s) == 0 && r.empty, true
	}
	if !k.known {
		return nil, nil, false, false
	}
	r := k.read(s, k.lies)
	return r.stays, r.missing, left(s) == 0 && r.empty, true
}

// done withdraws what was asked about a shot without holding anybody up, once the
// players have taken off what the verdict says: they agree to it.
func (k *keeper) done(d *draft, turn int) {
	if len(d.state.Removal(turn).Remove) == 0 {
		return
	}
	for _, q := range d.state.Questions(true) {
		if q.Turn == turn && q.About == match.AboutDoubt && !q.Blocking {
			_, _ = d.add(match.QuestionWithdrawn{Question: q.Seq, Reason: "carried out as called"})
		}
	}
}

// checked says that the players have done what the verdict wants.
func (k *keeper) checked(d *draft, turn int) {
	t, _, _ := d.state.Turn(turn)
	want := d.state.Removal(turn)
	for _, r := range t.Removed {
		if r.Fate == rules.Scored && slices.Contains(want.Remove, r.ID) {
			_, _ = d.add(match.TwentyLifted{Turn: turn, Side: r.Side})
		}
	}
	_, _ = d.add(match.RemovalChecked{Turn: turn})
}

// askGone says what stays and what is gone, and asks about each disc.
func (k *keeper) askGone(d *draft, turn int, stays, gone []match.DiscID) {
	if !expected(d.state, turn) {
		if _, err := d.add(d.state.Removal(turn)); err != nil {
			k.lose(d, "Discs are gone that were not shot off the board.")
			return
		}
	}
	if _, err := d.add(match.RemovalChecked{Turn: turn, Stays: stays, Gone: gone}); err != nil {
		k.lose(d, "The board is not as the match has it.")
		return
	}
	fate := func(key string, id match.DiscID, f rules.Fate) match.Choice {
		return match.Choice{Key: key, Change: &match.Change{Fate: &match.ChangeFate{Disc: id, Fate: match.Fate(f)}}}
	}
	t, _, _ := d.state.Turn(turn)
	for _, id := range stays {
		choices := []match.Choice{{Key: "removed"}}
		if i := slices.IndexFunc(t.Removed, func(r match.Removed) bool { return r.ID == id }); i >= 0 && t.Removed[i].Rest != board.InHole {
			choices = append(choices, fate("stays", id, rules.OnBoard))
		}
		_, _ = d.add(match.QuestionAsked{Turn: turn, About: match.AboutRemoval, Discs: []match.DiscID{id}, Blocking: true, Choices: choices})
	}
	for _, id := range gone {
		_, _ = d.add(match.QuestionAsked{Turn: turn, About: match.AboutRemoval, Discs: []match.DiscID{id}, Blocking: true, Choices: []match.Choice{
			{Key: "put_back"}, fate("ditch", id, rules.Ditched), fate("twenty", id, rules.Scored),
		}})
	}
}

// settleRemoval withdraws questions about discs that have been put right
// meanwhile, and tells whether there were any.
func (k *keeper) settleRemoval(d *draft) bool {
	s := d.state
	last := s.LastTurn()
	var open []match.Question
	for _, q := range s.Questions(true) {
		if q.About == match.AboutRemoval && q.Turn == last {
			open = append(open, q)
		}
	}
	if len(open) == 0 {
		return false
	}
	stays, gone, cleared, seen := k.unremoved(s)
	if !seen || !cleared && len(stays)+len(gone) > 0 {
		return false
	}
	for _, q := range open {
		_, _ = d.add(match.QuestionWithdrawn{Question: q.Seq, Reason: "the board is as it should be"})
	}
	k.checked(d, last)
	k.settle()
	return true
}
