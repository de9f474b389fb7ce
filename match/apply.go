package match

import (
	"fmt"
	"net/url"
	"slices"

	"crokcam/board"
	"crokcam/rules"
)

// Apply returns the state after one more event, or the *RefusedError that says
// why there is none; s is what it was either way.
func (s State) Apply(e Event) (State, error) {
	if e.Body == nil {
		return State{}, &RefusedError{Seq: e.Seq, Event: "none", Reason: ErrInvalid, Detail: "it has no body"}
	}
	refuse := func(err error) (State, error) {
		if r, ok := err.(*refusal); ok { //nolint:errorlint // refusals are made here and never wrapped
			return State{}, &RefusedError{Seq: e.Seq, Event: e.Body.Kind(), Reason: r.reason, Detail: r.detail, Advice: r.advice}
		}
		return State{}, &RefusedError{Seq: e.Seq, Event: e.Body.Kind(), Reason: err}
	}
	if err := s.inOrder(e); err != nil {
		return refuse(err)
	}
	next := s
	next.log = append(slices.Clip(s.log), e)
	next.hidden = append(slices.Clip(s.hidden), 0)
	switch b := e.Body.(type) {
	case Undone:
		if err := next.undo(e.Seq, b.Target); err != nil {
			return refuse(err)
		}
		return next, nil
	case Redone:
		if err := next.bringBack(b.Target); err != nil {
			return refuse(err)
		}
		return next, nil
	case Note:
		return next, nil
	}
	if err := s.admit(e.Body); err != nil {
		return refuse(err)
	}
	next.redo = nil
	next.sheet = s.sheet.clone(e.Body)
	next.sheet.derive(next.sheet.add(e))
	if had, has := s.sheet.faults(), next.sheet.faults(); len(has) > len(had) {
		f := has[len(has)-1]
		return refuse(&refusal{ErrDiscs, f.text, "correct the discs that are wrong, or take the board as it lies"})
	}
	return next, nil
}

// refusal is the reason for which an event is refused.
type refusal struct {
	reason         error
	detail, advice string
}

func (r *refusal) Error() string { return r.reason.Error() + ": " + r.detail }

func no(reason error, advice, detail string, args ...any) error {
	return &refusal{reason, fmt.Sprintf(detail, args...), advice}
}

// inOrder checks the event's place in the list and what every event has.
func (s State) inOrder(e Event) error {
	_, isStart := e.Body.(Started)
	switch {
	case e.Seq != len(s.log)+1:
		return no(ErrOrder, "load the match again", "number %d was expected", len(s.log)+1)
	case isStart != (len(s.log) == 0):
		return no(ErrOrder, "", "a match has one start, its first event")
	case e.ID == "":
		return no(ErrInvalid, "", "it has no id")
	case e.Time.IsZero():
		return no(ErrInvalid, "", "it has no time")
	case e.Actor.Role != Camera && e.Actor.Role != Scorer && e.Actor.Role != System:
		return no(ErrInvalid, "", "%q is not an actor", e.Actor.Role)
	}
	return nil
}

// admit says whether an event fits the match as it stands.
func (s State) admit(body Body) error {
	sh := &s.sheet
	if err := s.awake(body); err != nil {
		return err
	}
	switch b := body.(type) {
	case Started:
		return admitStart(b)
	case RoundStarted:
		if err := s.want(Between); err != nil {
			return err
		}
		if l := s.format().Layout; !slices.Contains(l.Seats(), b.Lead) {
			return no(ErrInvalid, "", "nobody sits at %s in %s", b.Lead, l)
		}
	case RoundEntered:
		if err := s.want(Between); err != nil {
			return err
		}
		if _, err := sh.final.Apply(rules.RoundEntered{Totals: rules.Points(b.Totals), Twenties: rules.Points(b.Twenties)}); err != nil {
			return err
		}
	case ShotDetected:
		return s.admitShot(b)
	case ShotJudged:
		return s.admitVerdict(b)
	case TurnForfeited:
		if err := s.want(Shooting); err != nil {
			return err
		}
		return s.admitSeat(b.Seat, false)
	case TimeEnded:
		r := sh.current()
		switch {
		case r == nil && len(sh.rounds) == 0:
			return no(ErrPhase, "close the match instead", "no round has been played")
		case r == nil:
			return s.want(Between)
		case len(r.turns) == 0:
			return no(ErrPhase, "take the start of the round back first", "no shot of the round has been taken")
		case r.at().timeUp:
			return no(ErrPhase, "", "the time has ended before")
		}
		return s.want(Shooting, Counting, Removing)
	case RoundEnded:
		if err := s.want(Counting); err != nil {
			return err
		}
		totals, twenties := sh.current().count()
		if rules.Points(b.Totals) != totals || rules.Points(b.Twenties) != twenties {
			return no(ErrMismatch, "correct what is wrong first: totals are always derived", "the match counts %v with 20s %v", totals[1:], twenties[1:])
		}
	case RoundAgreed:
		return s.admitAgreement()
	case ShootoutHeld:
		if err := s.want(Shootout); err != nil {
			return err
		}
		_, err := sh.final.Apply(rules.ShootoutHeld{Hits: rules.Points(b.Hits)})
		return err
	case GameEnded:
		return s.admitGameEnd(b)
	case Ended:
		if err := s.want(Over); err != nil {
			return err
		}
		if sh.endTold || b.Winner != s.Winner() {
			return no(ErrMismatch, "", "it has been told before, or not %q but %q has won", b.Winner, s.Winner())
		}
	case Closed:
		if s.Phase() == Over {
			return no(ErrPhase, "", "the match is over")
		}
		if b.Winner > board.Side(s.format().Layout.Sides()) || b.Reason == "" {
			return no(ErrInvalid, "say why, and name a side that plays", "winner %q, reason %q", b.Winner, b.Reason)
		}
	case Desynced:
		if sh.current() == nil {
			return no(ErrPhase, "start the round first", "no round is being played")
		}
		if b.Board != nil {
			return sane("board", *b.Board)
		}
	case Resynced:
		return s.admitSync(b)
	default:
		return s.admitTalk(body)
	}
	return nil
}

// awake checks that a pause or a loss of step does not forbid the event.
func (s State) awake(body Body) error {
	_, resumed := body.(Resumed)
	_, paused := body.(Paused)
	_, desynced := body.(Desynced)
	_, resynced := body.(Resynced)
	switch {
	case resumed != (s.sheet.paused != nil) && resumed:
		return no(ErrPhase, "", "the match is not paused")
	case paused && (s.sheet.paused != nil || s.Phase() == Over):
		return no(ErrPhase, "", "the match is paused already, or over")
	case desynced && s.sheet.desynced != nil:
		return no(ErrPhase, "", "it is known that the board does not agree")
	case resynced && s.sheet.desynced == nil:
		return no(ErrPhase, "say first that it does not", "the board is taken to agree")
	}
	if classOf(body) == correction || resumed || paused || desynced || resynced {
		return nil
	}
	switch body.(type) {
	case QuestionAsked, QuestionAnswered, QuestionWithdrawn, Closed, Started:
		return nil
	}
	switch {
	case s.sheet.paused != nil:
		return no(ErrPhase, "resume first", "the match is paused")
	case s.sheet.desynced != nil:
		return no(ErrPhase, "take the board as it lies first", "the board does not agree with the match")
	}
	return nil
}

// want checks the phase.
func (s State) want(phases ...Phase) error {
	have := s.Phase()
	if slices.Contains(phases, have) {
		return nil
	}
	switch have {
	case Judging:
		return no(ErrOpen, "judge the last shot first", "a shot has no verdict")
	case Asking:
		return no(ErrOpen, "answer the question, or correct the shot", "%s", s.openText())
	case Removing:
		return no(ErrOpen, "check the removal, or answer for the discs that are wrong", "discs have to be taken off the board")
	}
	return no(ErrPhase, "", "it is %s", have)
}

// openText says what is unsure.
func (s State) openText() string {
	for i := range s.sheet.questions {
		if q := &s.sheet.questions[i]; q.open() && q.Blocking {
			return fmt.Sprintf("question %d (%s) is not answered", q.seq, q.About)
		}
	}
	return "the verdict of the last shot is not settled"
}

func admitStart(b Started) error {
	if _, err := rules.NewMatch(rules.Plan(b.Plan)); err != nil {
		return err
	}
	if b.Match == "" {
		return no(ErrInvalid, "", "the match has no id")
	}
	if u, err := url.Parse(b.Source); err == nil && u.User != nil {
		return no(ErrInvalid, "leave them out: the list of events is shown and copied", "the source has a name or password in it")
	}
	seats := b.Plan.Stages[0].Format.Layout.Seats()
	var taken []board.Seat
	for _, p := range b.Players {
		if p.Name == "" || !slices.Contains(seats, p.Seat) || slices.Contains(taken, p.Seat) {
			return no(ErrInvalid, "give each seat of the layout one player with a name", "player %q at %s", p.Name, p.Seat)
		}
		taken = append(taken, p.Seat)
	}
	if len(taken) != len(seats) {
		return no(ErrInvalid, "give each seat of the layout one player with a name", "%d players for %d seats", len(taken), len(seats))
	}
	for _, n := range b.Sides {
		if n.Side == board.NoSide || int(n.Side) > b.Plan.Stages[0].Format.Layout.Sides() {
			return no(ErrInvalid, "", "side %q does not play", n.Side)
		}
	}
	return nil
}

func (s State) admitAgreement() error {
	if err := s.want(Counting); err != nil {
		return err
	}
	r := s.sheet.current()
	totals, twenties := r.count()
	if r.ended == nil || rules.Points(r.ended.Totals) != totals || rules.Points(r.ended.Twenties) != twenties {
		return no(ErrPhase, "put the count forward first", "the count %v with 20s %v has not been put forward", totals[1:], twenties[1:])
	}
	if _, err := r.enter(totals, twenties); err != nil {
		return err
	}
	return nil
}

func (s State) admitGameEnd(b GameEnded) error {
	games := s.sheet.final.Results()
	if s.sheet.gamesTold >= len(games) {
		return no(ErrPhase, "", "no game has ended")
	}
	if g := games[s.sheet.gamesTold]; rules.Points(b.Scores) != g.Scores || b.Winner != g.Winner {
		return no(ErrMismatch, "totals and winners are always derived", "it ended %v, won by %q", g.Scores[1:], g.Winner)
	}
	return nil
}

// faults are the sides of rounds whose discs do not add up.
func (s *sheet) faults() []Problem {
	var out []Problem
	for i := range s.rounds {
		r := &s.rounds[i]
		f := r.format()
		for k := range r.turns {
			p := &r.turns[k].after
			for seat, n := range p.left {
				if n < 0 {
					out = append(out, Problem{Seq: r.turns[k].seq, Code: "discs", text: fmt.Sprintf(
						"%s would have shot %d discs more than it has", board.Seat(seat), -n)})
				}
			}
			ditch := p.ditch(f)
			for side := board.SideA; int(side) <= f.Layout.Sides(); side++ {
				if ditch[side] < 0 || p.twenties[side] < 0 {
					out = append(out, Problem{Seq: r.turns[k].seq, Code: "discs", text: fmt.Sprintf(
						"side %s would have %d discs more than it has shot, with %d 20s", side, -ditch[side], p.twenties[side])})
				}
			}
		}
	}
	return out
}

// Problem is something in a match that does not fit any more since an earlier
// event was corrected or undone. It is shown, and the match goes on.
type Problem struct {
	Seq  int    `json:"seq"` // the event that does not fit
	Code string `json:"code"`
	text string
}

// String says what does not fit.
func (p Problem) String() string { return p.text }

// Problems are the things that do not fit.
func (s State) Problems() []Problem {
	out := s.sheet.faults()
	for i := range s.sheet.rounds {
		r := &s.sheet.rounds[i]
		if r.broken != nil {
			out = append(out, Problem{Seq: r.seq, Code: "round_not_scored", text: "the round does not count: " + r.broken.Error()})
		}
		agrees := true
		for k := range r.turns {
			t := &r.turns[k]
			if r.agreed && !t.settled {
				out = append(out, Problem{Seq: t.seq, Code: "shot_open", text: "the round counts, but the verdict on this shot is open: judge it again"})
			}
			if t.kind == syncTurn {
				agrees = true
			}
			if t.kind == shotTurn && k > 0 && agrees {
				// What does not fit once goes on not fitting: once is told.
				if err := t.fits(&r.turns[k-1].after, r.rules()); err != nil {
					agrees = false
					out = append(out, Problem{Seq: t.seq, Code: "board", text: err.Error()})
				}
			}
		}
	}
	return out
}
