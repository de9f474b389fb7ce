package live

import (
	"crokcam/board"
	"crokcam/rules"
	"testing"
)

func TestOne(t *testing.T) {
	for _, c := range []struct {
		l    rules.Layout
		seed uint64
		n    string
	}{{rules.TwoPlayers, 13, "nca"}, {rules.ThreeFree, 7, "mayday"}} {
		r := newRig(t, c.seed, c.n, c.l)
		r.answer = r.honest
		r.begin()
		for r.next() {
			s := r.state()
			tally, ok := s.Tally()
			if !ok {
				x := s.Rounds()
				tally.Points = x[len(x)-1].Totals
				if x[len(x)-1].Totals != r.truth.Scored.Totals {
					t.Logf("ROUND %v %v %s", x[len(x)-1].Totals, r.truth.Scored.Totals, r.last(14))
					for _, e := range s.Events()[s.Version()-14:] {
						t.Logf("%T %+v", e.Body, e.Body)
					}
					break
				}
				continue
			}
			bad := false
			if true {
				tp := r.truth.Points(r.match.Game().Format().Rules)
				for i := range tp {
					if tp[i] != tally.Points[i] {
						bad = true
					}
				}
				if bad || s.Desynced() != nil {
					tn, _, _ := s.Turn(s.LastTurn())
					t.Logf("seed %d r%d s%d truth %v have %v twenties %v lasts %s", c.seed, r.truth.Round, r.truth.Number, tp, tally.Points, tally.Twenties, r.last(8))
					t.Logf("  truth ruling %v outcomes", r.truth.Verdict.Ruling)
					for _, o := range r.truth.Verdict.Outcomes {
						t.Logf("    b%d a%d %v %v %v at %.1f rest %v", o.Before, o.After, o.Side, o.Fate, o.Why, o.At, o.Rest)
					}
					if tn.Verdict != nil {
						t.Logf("  ours %v review %v doubts %d", tn.Verdict.Ruling, tn.Verdict.Review, len(tn.Verdict.Doubts))
						for _, o := range tn.Verdict.Outcomes {
							t.Logf("    b%d a%d %v %v %v at %.1f rest %v", o.Before, o.After, o.Side, o.Fate, o.Why, o.At, o.Rest)
						}
						for _, d := range tn.Verdict.Doubts {
							t.Logf("    doubt %v remote %v answers %d discs %v", d.Kind, d.Remote, len(d.Answers), d.Discs)
						}
					}
					for _, q := range s.Questions(false) {
						if q.Turn == s.LastTurn() {
							t.Logf("  q %v %v block %v answer %v", q.About, q.Choices, q.Blocking, q.Answer)
						}
					}
					_ = board.SideA
					break
				}
			}
		}
	}
}
