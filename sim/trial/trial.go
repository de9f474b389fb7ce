// Package trial puts the judge to the test: simulated shots are judged twice,
// once from all that truly happened and once from two noisy snapshots with
// nothing in between.
package trial

import (
	"context"
	"fmt"
	"math/rand/v2"

	"crokcam/board"
	"crokcam/rules"
	"crokcam/sim"
	"crokcam/sim/play"
)

// Schema names the form of a Report.
const Schema = "crokcam.sim.judge/1"

// Config says what is tried.
type Config struct {
	Table  *sim.Table
	Format rules.Format
	Shots  int
	Skill  play.Skill
	Noise  float64 // standard deviation of each coordinate in the noisy snapshots, mm
	Seed   uint64
}

// Report is what came of it. A verdict is sure when its ruling is good or failed
// and nothing is flagged for review.
type Report struct {
	Schema  string  `json:"schema"`
	Shots   int     `json:"shots"`
	NoiseMM float64 `json:"noise_mm"`
	// Unsure verdicts from contacts and from snapshots.
	UnsureContacts  int `json:"unsure_contacts"`
	UnsureSnapshots int `json:"unsure_snapshots"`
	Unclear         int `json:"unclear"`  // from snapshots: no ruling at all
	Desynced        int `json:"desynced"` // from snapshots: not believed
	BothSure        int `json:"both_sure"`
	Agree           int `json:"agree"` // of those: the same ruling, discs lifted and 20s
	// Discs on the board of agreeing verdicts, those that count otherwise, and
	// those of them that the snapshots' verdict did not call close.
	Discs           int `json:"discs"`
	Values          int `json:"value_differs"`
	ValuesUnflagged int `json:"value_differs_unflagged"`
	// Doubts are the questions that the snapshots' verdicts raised, by kind.
	Doubts map[string]int `json:"doubts"`
	// Differing are the first few shots on which sure verdicts differ.
	Differing []Differing `json:"differing"`
}

// Differing is a shot on which two sure verdicts differ.
type Differing struct {
	Shot     int    `json:"shot"`
	Contacts string `json:"contacts"`
	Snapshot string `json:"snapshot"`

	Before, After, NoisyBefore, NoisyAfter board.Snapshot `json:"-"`
	Seen, Blind                            rules.Shot     `json:"-"`
}

// mostDiffering bounds what is kept of them.
const mostDiffering = 20

// Agreement is the share of sure pairs that agree, 1 when there are none.
func (r *Report) Agreement() float64 {
	if r.BothSure == 0 {
		return 1
	}
	return float64(r.Agree) / float64(r.BothSure)
}

// Run plays hasty games and judges every shot twice. tell, when not nil, hears
// of every shot that is done.
func Run(ctx context.Context, c Config, tell func()) (*Report, error) {
	out := &Report{Schema: Schema, NoiseMM: c.Noise, Doubts: map[string]int{}, Differing: []Differing{}}
	r := rand.New(rand.NewPCG(c.Seed, 0x6a75646765))
	for game := uint64(0); out.Shots < c.Shots; game++ {
		m, err := play.NewMatch(play.Config{
			Table: c.Table, Format: c.Format, Hasty: true, Seed: c.Seed<<20 + game,
			Skills: [4]play.Skill{c.Skill, c.Skill, c.Skill, c.Skill},
		})
		if err != nil {
			return nil, err
		}
		for over := false; !over && out.Shots < c.Shots; {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("trial: %w", err)
			}
			t, err := m.Next()
			if err != nil {
				return nil, err
			}
			over = t.Over
			if t.Forfeit {
				continue
			}
			if err := out.try(r, m.Game().Format().Rules, &t, c.Noise); err != nil {
				return nil, fmt.Errorf("trial: shot %d: %w", out.Shots, err)
			}
			if tell != nil {
				tell()
			}
		}
	}
	return out, nil
}

// try judges one turn from noisy snapshots and compares.
func (out *Report) try(r *rand.Rand, rs rules.Ruleset, t *play.Turn, noise float64) error {
	out.Shots++
	before, _ := measured(r, t.Setup.Board, noise)
	after, place := measured(r, t.Result.Final, noise)
	blind := rules.Shot{Side: t.Side, Number: t.Number, Owned: t.Shot.Owned}
	v, err := rules.Judge(before, after, blind, rs)
	if err != nil {
		return err
	}
	for i := range v.Doubts {
		out.Doubts[v.Doubts[i].Kind.String()]++
	}
	switch v.Ruling {
	case rules.Unclear:
		out.Unclear++
	case rules.Desynced:
		out.Desynced++
	}
	// As the judge gave it, before the players settled what was left to them.
	truth, err := rules.Judge(t.Setup.Board, t.Result.Final, t.Shot, rs)
	if err != nil {
		return err
	}
	seen := sure(&truth)
	if !seen {
		out.UnsureContacts++
	}
	if !sure(&v) {
		out.UnsureSnapshots++
		return nil
	}
	if !seen {
		return nil
	}
	out.BothSure++
	if a, b := told(&truth, nil), told(&v, place); a != b {
		if len(out.Differing) < mostDiffering {
			out.Differing = append(out.Differing, Differing{
				Shot: out.Shots, Contacts: a, Snapshot: b,
				Before: t.Setup.Board, After: t.Result.Final, NoisyBefore: before, NoisyAfter: after, Seen: t.Shot, Blind: blind,
			})
		}
		return nil
	}
	out.Agree++
	out.values(&truth, &v, place)
	return nil
}

// measured is a snapshot as a camera would give it: every place off by a little,
// and the discs in another order. place tells for each disc where it was listed.
func measured(r *rand.Rand, s board.Snapshot, noise float64) (board.Snapshot, []int) {
	out := board.Snapshot{Discs: make([]board.Disc, len(s.Discs))}
	place := r.Perm(len(s.Discs))
	for i, k := range place {
		d := s.Discs[k]
		if d.Rest != board.InHole {
			d.X += noise * r.NormFloat64()
			d.Y += noise * r.NormFloat64()
		}
		d.Sigma = noise
		out.Discs[i] = d
	}
	return out, place
}

func sure(v *rules.Verdict) bool {
	return (v.Ruling == rules.Good || v.Ruling == rules.Failed) && !v.Review
}

// told is what a verdict comes to: the ruling, what becomes of the disc in every
// place of the snapshot after, and the discs that are put back. place translates
// places of a reordered snapshot; nil is the order as it is.
func told(v *rules.Verdict, place []int) string {
	fates := map[int]string{}
	back := map[board.Side]int{}
	for i := range v.Outcomes {
		o := &v.Outcomes[i]
		if o.Restored {
			back[o.Side]++
		}
		if k := int(o.After); k >= 0 {
			if place != nil {
				k = place[k]
			}
			fates[k] = o.Fate.String()
		}
	}
	s := v.Ruling.String()
	for k := range len(fates) + rules.MaxDiscs {
		if f, ok := fates[k]; ok {
			s += fmt.Sprintf(" %d:%s", k, f)
		}
	}
	for side := board.SideA; side <= board.SideD; side++ {
		if n := back[side]; n > 0 {
			s += fmt.Sprintf(" back:%d%s", n, side)
		}
	}
	return s
}

// values compares what the discs count.
func (out *Report) values(truth, v *rules.Verdict, place []int) {
	zone := map[int]board.Zone{}
	for i := range truth.Outcomes {
		if o := &truth.Outcomes[i]; o.Fate == rules.OnBoard && !o.Restored && o.After >= 0 {
			zone[int(o.After)] = o.Zone
		}
	}
	closely := map[int]bool{}
	for i := range v.Close {
		closely[v.Close[i].Disc] = true
	}
	for i := range v.Outcomes {
		o := &v.Outcomes[i]
		if o.Fate != rules.OnBoard || o.Restored || o.After < 0 {
			continue
		}
		z, ok := zone[place[o.After]]
		if !ok {
			continue
		}
		out.Discs++
		if z != o.Zone {
			out.Values++
			if !closely[i] {
				out.ValuesUnflagged++
			}
		}
	}
}
