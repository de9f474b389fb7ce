package match

import (
	"math"
	"slices"

	"crokcam/board"
	"crokcam/rules"
)

// admitShot checks a shot that was seen.
func (s State) admitShot(b ShotDetected) error {
	if err := s.want(Shooting); err != nil {
		return err
	}
	if err := s.admitSeat(b.Seat, b.OutOfTurn); err != nil {
		return err
	}
	for name, snap := range map[string]board.Snapshot{"before": b.Before, "after": b.After} {
		if err := sane(name, snap); err != nil {
			return err
		}
	}
	if err := saneEvidence(rules.Evidence(b.Evidence)); err != nil {
		return err
	}
	r := s.sheet.current()
	t := turn{shot: &b}
	if err := t.fits(r.at(), r.rules()); err != nil {
		return no(err, "say that the board does not agree, and take it as it lies", "")
	}
	return nil
}

// admitSeat checks that a seat may shoot.
func (s State) admitSeat(seat board.Seat, outOfTurn bool) error {
	r := s.sheet.current()
	p := r.at()
	switch {
	case !slices.Contains(r.format().Layout.Seats(), seat):
		return no(ErrInvalid, "", "nobody sits at seat %d", seat)
	case p.left[seat] <= 0:
		return no(ErrTurn, "correct who shot before", "%s has no discs left", seat)
	case !outOfTurn && !slices.Contains(p.next(), seat):
		return no(ErrTurn, "ask who shot; a shot out of turn has to be marked as one", "%v, not %s", p.next(), seat)
	}
	return nil
}

// admitVerdict checks that a verdict is about the last shot.
func (s State) admitVerdict(b ShotJudged) error {
	r := s.sheet.current()
	var t *turn
	if r != nil {
		t = r.last()
	}
	if t == nil || t.kind != shotTurn || t.seq != b.Shot {
		return no(ErrTarget, "judge the last shot", "%d is not the last shot", b.Shot)
	}
	if t.judged != nil {
		return no(ErrPhase, "correct it instead", "the shot has its verdict")
	}
	return t.about(rules.Verdict(b.Verdict), r.format().Layout.Side(t.who))
}

// about checks that a verdict is about this shot.
func (t *turn) about(v rules.Verdict, side board.Side) error {
	if v.Shooter != side {
		return no(ErrMismatch, "", "the verdict is about a shot of side %q, not %q", v.Shooter, side)
	}
	if v.Ruling == rules.Desynced {
		return nil
	}
	if err := t.outcomes(v.Outcomes); err != nil {
		return err
	}
	for _, d := range v.Doubts {
		for _, a := range d.Answers {
			if err := t.outcomes(a.Outcome); err != nil {
				return err
			}
		}
	}
	return nil
}

// outcomes checks that every disc before the shot and the shot disc have one.
func (t *turn) outcomes(list []rules.Outcome) error {
	before := t.shot.Before.Discs
	seen := make([]bool, len(before)+1)
	for i := range list {
		o := &list[i]
		k := int(o.Before) + 1
		if k < 0 || k > len(before) || seen[k] || int(o.After) >= len(t.shot.After.Discs) || o.After < -1 {
			return no(ErrMismatch, "judge the shot that was seen", "outcome %d is about no disc of the shot, or one that has one", i)
		}
		if !finite(o.At) || !(o.Sigma >= 0) || o.Fate > rules.Awaiting || o.Zone > board.Twenty || o.Rest > board.Standing {
			return no(ErrInvalid, "", "outcome %d has impossible figures", i)
		}
		seen[k] = true
	}
	for k, ok := range seen {
		if !ok && (k == 0 || before[k-1].Rest != board.InHole) {
			return no(ErrMismatch, "judge the shot that was seen", "disc %d of the snapshot before has no outcome", k-1)
		}
	}
	return nil
}

// admitSync checks a board taken as it lies.
func (s State) admitSync(b Resynced) error {
	r := s.sheet.current()
	if r == nil {
		return no(ErrPhase, "", "no round is being played")
	}
	if err := sane("board", b.Board); err != nil {
		return err
	}
	f := r.format()
	left := 0
	for seat, n := range b.Left {
		if n < 0 || n > f.DiscsOf(board.Seat(seat)) {
			return no(ErrDiscs, "", "%s cannot have %d discs left", board.Seat(seat), n)
		}
		left += n
	}
	if left > 0 && (b.Next > board.East || b.Left[b.Next] == 0) {
		return no(ErrTurn, "", "%s has no discs left to shoot next", b.Next)
	}
	for i, d := range b.Board.Discs {
		switch {
		case d.Rest == board.InHole:
			return no(ErrInvalid, "count it among the 20s", "disc %d lies in the hole", i)
		case !s.plays(d.Side):
			return no(ErrInvalid, "", "disc %d is of side %q, which does not play", i, d.Side)
		}
	}
	for side, n := range b.Twenties {
		if n != 0 && !s.plays(board.Side(side)) {
			return no(ErrInvalid, "", "20s of side %q, which does not play", board.Side(side))
		}
	}
	return nil
}

// admitTalk checks questions, removals, 20s and corrections.
func (s State) admitTalk(body Body) error {
	sh := &s.sheet
	switch b := body.(type) {
	case QuestionAsked:
		return s.admitQuestion(b)
	case QuestionAnswered:
		q := sh.question(b.Question)
		if q == nil || !q.open() {
			return no(ErrTarget, "", "question %d is not open", b.Question)
		}
		if !slices.ContainsFunc(q.Choices, func(c Choice) bool { return c.Key == b.Choice }) {
			return no(ErrInvalid, "", "%q is not one of the answers", b.Choice)
		}
	case QuestionWithdrawn:
		if q := sh.question(b.Question); q == nil || !q.open() {
			return no(ErrTarget, "", "question %d is not open", b.Question)
		}
	case RemovalExpected:
		t, err := s.shotInPlay(b.Turn)
		if err != nil {
			return err
		}
		want := s.Removal(b.Turn)
		if !t.settled || !sameDiscs(want.Remove, b.Remove) || !sameDiscs(want.Restore, b.Restore) {
			return no(ErrMismatch, "ask State.Removal", "the verdict removes %v and restores %v", want.Remove, want.Restore)
		}
	case RemovalChecked:
		t, err := s.shotInPlay(b.Turn)
		if err != nil {
			return err
		}
		if t.removal == nil {
			return no(ErrPhase, "say first what is expected", "no removal is awaited")
		}
		known := t.known()
		for _, d := range append(slices.Clone(b.Stays), b.Gone...) {
			if !slices.Contains(known, d) {
				return no(ErrTarget, "", "there is no disc %q after this shot", d)
			}
		}
	case TwentySeen:
		_, err := s.shotInPlay(b.Turn)
		if err == nil && !s.plays(b.Side) {
			return no(ErrInvalid, "", "side %q does not play", b.Side)
		}
		return err
	case TwentyLifted:
		_, err := s.shotInPlay(b.Turn)
		return err
	case Corrected:
		return s.admitChange(b.Target, b.Change)
	}
	return nil
}

func sameDiscs(a, b []DiscID) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func (s State) plays(side board.Side) bool {
	return side != board.NoSide && int(side) <= s.format().Layout.Sides()
}

// shotInPlay finds a shot of the round in play.
func (s State) shotInPlay(seq int) (*turn, error) {
	r, t, _ := s.sheet.turn(seq)
	if t == nil || t.kind != shotTurn || r.agreed {
		return nil, no(ErrTarget, "", "%d is no shot of the round in play", seq)
	}
	return t, nil
}

func (s *sheet) question(seq int) *question {
	for i := range s.questions {
		if s.questions[i].seq == seq {
			return &s.questions[i]
		}
	}
	return nil
}

// known are the discs that are on the board after a turn or were taken off by it.
func (t *turn) known() []DiscID {
	var out []DiscID
	for _, d := range t.after.discs {
		out = append(out, d.ID)
	}
	for _, g := range t.removed {
		out = append(out, g.ID)
	}
	return out
}

// restored are the discs that the verdict puts back.
func (t *turn) restored() []DiscID {
	if t.verdict == nil {
		return nil
	}
	var out []DiscID
	for i := range t.verdict.Outcomes {
		o := &t.verdict.Outcomes[i]
		if !o.Restored {
			continue
		}
		for _, d := range t.after.discs {
			if d.Point == o.At {
				out = append(out, d.ID)
			}
		}
	}
	return out
}

func (s State) admitQuestion(b QuestionAsked) error {
	_, t, _ := s.sheet.turn(b.Turn)
	if t == nil {
		return no(ErrTarget, "", "%d is no shot or other turn", b.Turn)
	}
	var keys []string
	for _, c := range b.Choices {
		if c.Key == "" || slices.Contains(keys, c.Key) {
			return no(ErrInvalid, "", "choice %q is empty or there twice", c.Key)
		}
		keys = append(keys, c.Key)
		if c.Change != nil {
			if err := s.admitChange(b.Turn, *c.Change); err != nil {
				return err
			}
		}
	}
	known := t.known()
	for _, d := range b.Discs {
		if !slices.Contains(known, d) {
			return no(ErrTarget, "", "there is no disc %q after this turn", d)
		}
	}
	switch b.About {
	case AboutDoubt, AboutClose, AboutTwenty, AboutRemoval, AboutShooter, AboutBoard:
		return nil
	}
	return no(ErrInvalid, "", "nothing is called %q to ask about", b.About)
}

// admitChange checks a change and that its target has what it is about.
func (s State) admitChange(target int, c Change) error {
	if c.What() == "" {
		return no(ErrInvalid, "", "a change has exactly one of its fields")
	}
	i := s.sheet.begun(target)
	r, t, _ := s.sheet.turn(target)
	if i >= 0 {
		r = &s.sheet.rounds[i]
	}
	if r == nil {
		return no(ErrTarget, "name a shot or other turn, or the start of a round", "there is no event %d to correct", target)
	}
	sides := r.format().Layout.Sides()
	if c.Round != nil {
		if t != nil {
			return no(ErrTarget, "name the start of the round", "%d is not the start of a round", target)
		}
		_, err := r.base.Apply(rules.RoundEntered{Totals: rules.Points(c.Round.Totals), Twenties: rules.Points(c.Round.Twenties)})
		return err
	}
	if r.entered != nil {
		return no(ErrTarget, "correct the whole round", "the round was entered without its shots")
	}
	if t != nil && !t.settled && c.Verdict == nil && c.Answer == nil && c.Shooter == nil {
		return no(ErrOpen, "settle the verdict first", "what became of the discs is not decided")
	}
	known := r.begin.ids()
	if t != nil {
		known = t.known()
	}
	for _, d := range c.about() {
		if !slices.Contains(known, d) {
			return no(ErrTarget, "name the last shot after which it lay there", "there is no disc %q then", d)
		}
	}
	if c.Swap != nil {
		return r.admitSwap(t, c.Swap.Discs)
	}
	switch {
	case c.Value != nil && c.Value.Zone > board.Fifteen:
		return no(ErrInvalid, "a 20 is a fate", "a disc on the board cannot count %s", c.Value.Zone)
	case c.Owner != nil && (c.Owner.Side == board.NoSide || int(c.Owner.Side) > sides),
		c.Added != nil && (c.Added.Side == board.NoSide || int(c.Added.Side) > sides),
		c.Twenties != nil && (c.Twenties.Side == board.NoSide || int(c.Twenties.Side) > sides):
		return no(ErrInvalid, "", "there is no such side")
	case c.Place != nil && !finite(c.Place.Place), c.Added != nil && !finite(c.Added.Place):
		return no(ErrInvalid, "", "that place is on no board")
	case c.Fate != nil && rules.Fate(c.Fate.Fate) == rules.Awaiting:
		return no(ErrInvalid, "", "a fate is board, ditch or twenty")
	case c.Twenties != nil && c.Twenties.By == 0:
		return no(ErrInvalid, "", "no 20s to add or take away")
	}
	return s.admitVerdictChange(r, t, c)
}

// admitSwap checks that two discs lie on the board that can be taken for each
// other's.
func (r *round) admitSwap(t *turn, discs [2]DiscID) error {
	at := &r.begin
	if t != nil {
		at = &t.after
	}
	i, k := at.find(discs[0]), at.find(discs[1])
	switch {
	case i < 0 || k < 0:
		return no(ErrTarget, "name two discs that lay on the board", "one of %q and %q was off it", discs[0], discs[1])
	case at.discs[i].Side == at.discs[k].Side:
		return no(ErrInvalid, "name a disc of each of two sides", "both are side %s's", at.discs[i].Side)
	}
	return nil
}

// admitVerdictChange checks the changes that only a shot can have.
func (s State) admitVerdictChange(r *round, t *turn, c Change) error {
	if c.Verdict == nil && c.Answer == nil && c.Shooter == nil {
		return nil
	}
	if t == nil || t.kind != shotTurn {
		return no(ErrTarget, "name a shot", "it is no shot")
	}
	switch {
	case c.Verdict != nil:
		v := rules.Verdict(c.Verdict.Verdict)
		if v.Ruling != rules.Good && v.Ruling != rules.Failed {
			return no(ErrInvalid, "rule the shot good or failed", "a corrected verdict is %s", v.Ruling)
		}
		return t.about(v, r.format().Layout.Side(t.who))
	case c.Answer != nil:
		if t.verdict == nil {
			return no(ErrOpen, "judge the shot first", "it has no verdict")
		}
		if _, err := t.verdict.Answered(c.Answer.Doubt, c.Answer.Answer); err != nil {
			return no(ErrTarget, "", "%v", err)
		}
	case c.Shooter != nil:
		if !slices.Contains(r.format().Layout.Seats(), c.Shooter.Seat) {
			return no(ErrInvalid, "", "nobody sits at seat %d", c.Shooter.Seat)
		}
	}
	return nil
}

func (p *position) ids() []DiscID { return each(p.discs, func(d Disc) DiscID { return d.ID }) }

// farMM is further from the centre than any part of any board.
const farMM = 5000

func finite(p board.Point) bool { return math.Abs(p.X) <= farMM && math.Abs(p.Y) <= farMM }

// sane checks that a snapshot is one.
func sane(name string, s board.Snapshot) error {
	if len(s.Discs) > rules.MaxDiscs {
		return no(ErrInvalid, "", "%s: %d discs are more than a board can hold", name, len(s.Discs))
	}
	for i, d := range s.Discs {
		if !finite(d.Point) || !(d.Sigma >= 0 && d.Sigma <= farMM) || !(d.Confidence >= 0 && d.Confidence <= 1) ||
			d.Side == board.NoSide || d.Side > board.SideD || d.Rest > board.Standing {
			return no(ErrInvalid, "", "%s: disc %d has impossible figures", name, i)
		}
	}
	return nil
}

// saneEvidence checks that evidence can be written and read again.
func saneEvidence(ev rules.Evidence) error {
	good := func(v float64) bool { return v >= 0 && v <= math.MaxFloat32 }
	for _, c := range slices.Concat(ev.Contacts, ev.Damage) {
		if !good(c.At) || !good(c.Confidence) {
			return no(ErrInvalid, "", "a contact at %g s of confidence %g", c.At, c.Confidence)
		}
	}
	for _, x := range slices.Concat(ev.Exits, ev.Crossed) {
		if !good(x.At) {
			return no(ErrInvalid, "", "an exit at %g s", x.At)
		}
	}
	return nil
}
