package match

import "crokcam/rules"

// derive works out what follows from the sheet, from a turn of a round on.
func (s *sheet) derive(fromRound, fromTurn int) {
	if fromRound < 0 || s.setup == nil {
		return
	}
	if fromRound == 0 && fromTurn == 0 {
		m, err := rules.NewMatch(rules.Plan(s.setup.Plan))
		if err != nil {
			return // refused when the match was started
		}
		s.final = m
	}
	for i := fromRound; i < len(s.rounds); i++ {
		r := &s.rounds[i]
		if i > fromRound || fromTurn == 0 {
			if i > 0 {
				r.base = s.rounds[i-1].score()
			} else {
				r.base = s.first()
			}
			r.number, r.game = r.base.Game().Round(), len(r.base.Results())+1
			r.begin = beginning(r.base.Game(), r.lead)
			r.begin.amend(r.changes, nil, r.rules())
		}
		from := 0
		if i == fromRound {
			from = fromTurn
		}
		r.derive(from)
	}
	if n := len(s.rounds); n > 0 {
		s.final = s.rounds[n-1].score()
	} else {
		s.final = s.first()
	}
}

// first is the match before the first round.
func (s *sheet) first() rules.Match {
	m, err := rules.NewMatch(rules.Plan(s.setup.Plan))
	if err != nil {
		return rules.Match{} // refused when the match was started
	}
	return m
}

func (r *round) format() rules.Format { return r.base.Game().Format() }

func (r *round) rules() rules.Ruleset { return r.format().Rules }

// derive works out the round's turns from one on.
func (r *round) derive(from int) {
	f := r.format()
	for k := from; k < len(r.turns); k++ {
		p := r.begin
		if k > 0 {
			p = r.turns[k-1].after
		}
		r.turns[k].play(p, f)
	}
}

// play carries out a turn at a position.
func (t *turn) play(p position, f rules.Format) {
	t.removed, t.settled = nil, true
	switch t.kind {
	case shotTurn:
		t.rule(f)
		t.carryOut(&p, f)
		p.spend(t.who)
	case forfeitTurn:
		t.who = t.seat
		p.spend(t.seat)
	case timeTurn:
		p.clock()
	case syncTurn:
		p.sync(t.sync, t.seq, f)
	}
	p.amend(t.changes, t, f.Rules)
	t.after = p
}

// rule finds the verdict and the shooter in force: as first given, changed by
// corrections and answers.
func (t *turn) rule(f rules.Format) {
	t.who, t.verdict = t.seat, t.judged
	t.proof = (*rules.Evidence)(&t.shot.Evidence)
	for _, c := range t.changes {
		switch {
		case c.Shooter != nil:
			t.who = c.Shooter.Seat
		case c.Change.Verdict != nil:
			v := rules.Verdict(c.Change.Verdict.Verdict)
			t.verdict = &v
			if e := c.Change.Verdict.Evidence; e != nil {
				t.proof = (*rules.Evidence)(e)
			}
		case c.Answer != nil && t.verdict != nil:
			if v, err := t.verdict.Answered(c.Answer.Doubt, c.Answer.Answer); err == nil {
				t.verdict = &v
			}
		}
	}
	// A verdict on somebody else's shot cannot stand: it has to be judged again.
	t.settled = t.verdict != nil && final(t.verdict) && t.verdict.Shooter == f.Layout.Side(t.who)
}

// final tells whether a verdict leaves nothing open.
func final(v *rules.Verdict) bool {
	if v.Ruling != rules.Good && v.Ruling != rules.Failed {
		return false
	}
	for i := range v.Outcomes {
		if v.Outcomes[i].Fate == rules.Awaiting {
			return false
		}
	}
	return true
}

// score is the match after the round, or before it while it is not agreed.
func (r *round) score() rules.Match {
	r.broken, r.result = nil, rules.RoundResult{}
	if !r.agreed {
		return r.base
	}
	m, err := r.enter(r.count())
	if err != nil {
		r.broken = err
		return r.base
	}
	for _, e := range r.after {
		if after, err := m.Apply(e); err == nil {
			m = after
		}
	}
	rounds := m.Game().Rounds()
	if games := m.Results(); len(games) > len(r.base.Results()) { // it ended its game
		rounds = games[len(games)-1].Rounds
	}
	r.result = rounds[len(rounds)-1]
	return m
}

// enter is the match with the round's count entered.
func (r *round) enter(totals, twenties rules.Points) (rules.Match, error) {
	m := r.base
	if r.entered == nil && r.lead != m.Game().Lead() {
		var err error
		if m, err = m.Apply(rules.LeadChosen{Seat: r.lead}); err != nil {
			return m, err
		}
	}
	return m.Apply(rules.RoundEntered{Totals: totals, Twenties: twenties, TimeUp: r.at().timeUp})
}

// count is what the round comes to: as agreed by correction, entered by hand, or
// counted.
func (r *round) count() (totals, twenties rules.Points) {
	if r.entered != nil {
		totals, twenties = rules.Points(r.entered.Totals), rules.Points(r.entered.Twenties)
	} else {
		totals, twenties = r.at().count()
	}
	for _, c := range r.changes {
		if c.Round != nil {
			totals, twenties = rules.Points(c.Round.Totals), rules.Points(c.Round.Twenties)
		}
	}
	return totals, twenties
}

// count adds up the board and the 20s set aside (RND-2).
func (p *position) count() (totals, twenties rules.Points) {
	for i := range p.discs {
		totals[p.discs[i].Side] += p.discs[i].Zone.Points()
	}
	for s := range totals {
		totals[s] += 20 * p.twenties[s]
	}
	return totals, p.twenties
}
