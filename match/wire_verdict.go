package match

import (
	"encoding/json"
	"fmt"

	"crokcam/board"
	"crokcam/rules"
)

// Verdict is a rules.Verdict with a form in JSON that outlives changes to the
// Go type.
type Verdict rules.Verdict

type verdictWire struct {
	Ruling   string            `json:"ruling"`
	Review   bool              `json:"review,omitempty"`
	OpenShot bool              `json:"open_shot,omitempty"`
	Basis    string            `json:"basis"`
	Shooter  board.Side        `json:"shooter"`
	Outcomes []outcomeWire     `json:"outcomes"`
	Twenties Points            `json:"twenties"`
	Reasons  []reasonWire      `json:"reasons,omitempty"`
	Close    []closeWire       `json:"close,omitempty"`
	Doubts   []doubtWire       `json:"doubts,omitempty"`
	Desync   []discrepancyWire `json:"desync,omitempty"`
}

type outcomeWire struct {
	board.Point
	Sigma    float32    `json:"sigma_mm,omitempty"`
	Before   int8       `json:"before"`
	After    int8       `json:"after"`
	Side     board.Side `json:"side"`
	Fate     string     `json:"fate"`
	Why      string     `json:"why,omitempty"`
	Rest     board.Rest `json:"rest"`
	Zone     board.Zone `json:"zone"`
	Lies     board.Zone `json:"lies"`
	Line     board.Zone `json:"line"`
	Struck   bool       `json:"struck,omitempty"`
	Restored bool       `json:"restored,omitempty"`
}

type reasonWire struct {
	Rule  string  `json:"rule"`
	Key   string  `json:"key"`
	Disc  int     `json:"disc"`
	Other int     `json:"other"`
	Gap   float64 `json:"gap_mm,omitempty"`
}

type closeWire struct {
	Disc  int        `json:"disc"`
	Gap   float64    `json:"gap_mm"`
	Zone  board.Zone `json:"zone"`
	Other board.Zone `json:"other"`
	Turns bool       `json:"turns,omitempty"`
}

type doubtWire struct {
	Kind    string       `json:"kind"`
	Rule    string       `json:"rule"`
	Discs   []int        `json:"discs,omitempty"`
	Remote  bool         `json:"remote,omitempty"`
	Answers []answerWire `json:"answers,omitempty"`
}

type answerWire struct {
	Key     string        `json:"key"`
	Ruling  string        `json:"ruling"`
	Outcome []outcomeWire `json:"outcomes"`
}

type discrepancyWire struct {
	Kind  string     `json:"kind"`
	Side  board.Side `json:"side"`
	Count int        `json:"count"`
	Most  int        `json:"most"`
}

// each maps a list; nil stays nil.
func each[A, B any](list []A, f func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = f(a)
	}
	return out
}

// MarshalJSON writes the verdict.
func (v Verdict) MarshalJSON() ([]byte, error) {
	w := verdictWire{
		Ruling: v.Ruling.String(), Review: v.Review, OpenShot: v.OpenShot, Basis: v.Basis.String(), Shooter: v.Shooter,
		Outcomes: each(v.Outcomes, outcomeTo),
		Reasons:  each(v.Reasons, func(r rules.Reason) reasonWire { return reasonWire(r) }),
		Close:    each(v.Close, func(c rules.CloseCall) closeWire { return closeWire(c) }),
		Doubts: each(v.Doubts, func(d rules.Doubt) doubtWire {
			return doubtWire{
				Kind: d.Kind.String(), Rule: d.Rule, Discs: d.Discs, Remote: d.Remote,
				Answers: each(d.Answers, func(a rules.Answer) answerWire {
					return answerWire{Key: a.Key, Ruling: a.Ruling.String(), Outcome: each(a.Outcome, outcomeTo)}
				}),
			}
		}),
		Desync: each(v.Desync, func(d rules.Discrepancy) discrepancyWire {
			return discrepancyWire{Kind: d.Kind.String(), Side: d.Side, Count: d.Count, Most: d.Most}
		}),
	}
	for s, n := range v.Twenties {
		w.Twenties[s] = int(n)
	}
	return json.Marshal(w)
}

func outcomeTo(o rules.Outcome) outcomeWire {
	return outcomeWire{
		Point: o.At, Sigma: o.Sigma, Before: o.Before, After: o.After, Side: o.Side, Fate: o.Fate.String(), Why: o.Why.String(),
		Rest: o.Rest, Zone: o.Zone, Lies: o.Lies, Line: o.Line, Struck: o.Struck, Restored: o.Restored,
	}
}

// UnmarshalJSON reads a verdict.
func (v *Verdict) UnmarshalJSON(b []byte) error {
	var w verdictWire
	if err := strict(b, &w); err != nil {
		return err
	}
	r := reader{}
	out := rules.Verdict{
		Ruling: word(&r, rulingWords, w.Ruling), Review: w.Review, OpenShot: w.OpenShot,
		Basis: word(&r, basisWords, w.Basis), Shooter: w.Shooter,
		Outcomes: each(w.Outcomes, r.outcome),
		Reasons:  each(w.Reasons, func(x reasonWire) rules.Reason { return rules.Reason(x) }),
		Close:    each(w.Close, func(x closeWire) rules.CloseCall { return rules.CloseCall(x) }),
		Doubts: each(w.Doubts, func(d doubtWire) rules.Doubt {
			return rules.Doubt{
				Kind: word(&r, doubtWords, d.Kind), Rule: d.Rule, Discs: d.Discs, Remote: d.Remote,
				Answers: each(d.Answers, func(a answerWire) rules.Answer {
					return rules.Answer{Key: a.Key, Ruling: word(&r, rulingWords, a.Ruling), Outcome: each(a.Outcome, r.outcome)}
				}),
			}
		}),
		Desync: each(w.Desync, func(d discrepancyWire) rules.Discrepancy {
			return rules.Discrepancy{Kind: word(&r, desyncWords, d.Kind), Side: d.Side, Count: d.Count, Most: d.Most}
		}),
	}
	for s, n := range w.Twenties {
		if n < 0 || n > 255 {
			r.fail(fmt.Errorf("%d 20s", n))
		}
		out.Twenties[s] = uint8(n)
	}
	*v = Verdict(out)
	return r.err
}

// reader keeps the first error of many small readings.
type reader struct{ err error }

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func word[T ~uint8](r *reader, w words[T], s string) T {
	v, err := w.read(s)
	if err != nil {
		r.fail(err)
	}
	return v
}

func (r *reader) outcome(w outcomeWire) rules.Outcome {
	return rules.Outcome{
		At: w.Point, Sigma: w.Sigma, Before: w.Before, After: w.After, Side: w.Side,
		Fate: word(r, fateWords, w.Fate), Why: word(r, whyWords, w.Why),
		Rest: w.Rest, Zone: w.Zone, Lies: w.Lies, Line: w.Line, Struck: w.Struck, Restored: w.Restored,
	}
}
