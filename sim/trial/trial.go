// Package trial puts the judge to the test: simulated shots are judged twice,
// once from all that truly happened and once from two noisy snapshots.
package trial

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

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
	// Care lets the players look ahead with care instead of glancing at a few
	// shots, which takes thirty times as long.
	Care bool
}

// Report is what came of it. A verdict is sure when its ruling is good or failed
// and nothing is flagged for review.
type Report struct {
	Schema  string  `json:"schema"`
	Shots   int     `json:"shots"`
	NoiseMM float64 `json:"noise_mm"`
	Unsure  int     `json:"unsure"` // from all that happened
	// Views are the second judgements, from the noisy snapshots and what else each
	// view has.
	Views []View `json:"views"`
}

// View is the same shots judged from noisy snapshots, beside the truth.
type View struct {
	Name     string `json:"view"`
	Unclear  int    `json:"unclear"`  // no ruling
	Flagged  int    `json:"flagged"`  // a ruling that asks to be looked at
	Desynced int    `json:"desynced"` // the snapshots were not believed
	BothSure int    `json:"both_sure"`
	Agree    int    `json:"agree"` // of those: the same ruling, discs lifted and 20s
	// Rulings that differ from the truth, sure or not.
	Wrong int `json:"wrong"`
	// Discs on the board of agreeing verdicts, those that count otherwise, and
	// those of them that the view's verdict did not call close.
	Discs           int `json:"discs"`
	Values          int `json:"value_differs"`
	ValuesUnflagged int `json:"value_differs_unflagged"`
	// Doubts are the questions raised, by kind.
	Doubts map[string]int `json:"doubts"`
	// Differing are the first few shots on which two sure verdicts differ.
	Differing []Differing `json:"differing"`

	watched  rules.Watch
	followed bool
}

// views are from least to most that is known beside the snapshots.
func views() []View {
	v := []View{
		{Name: "snapshots"},
		{Name: "snapshots, board in sight", watched: rules.WatchedPlay},
		{Name: "snapshots, edge watched", watched: rules.WatchedPlay | rules.WatchedExits},
		{Name: "snapshots, discs followed", watched: rules.WatchedPlay | rules.WatchedExits, followed: true},
	}
	for i := range v {
		v[i].Doubts, v[i].Differing = map[string]int{}, []Differing{}
	}
	return v
}

// Differing is a shot on which two sure verdicts differ.
type Differing struct {
	Shot     int    `json:"shot"`
	Contacts string `json:"contacts"`
	Snapshot string `json:"snapshots"`

	Before, After, NoisyBefore, NoisyAfter board.Snapshot `json:"-"`
	Seen, Blind                            rules.Shot     `json:"-"`
}

// mostDiffering bounds what is kept of them.
const mostDiffering = 20

// glances is how many shots a player of a trial thinks of.
const glances = 24

// Agreement is the share of sure pairs that agree, 1 when there are none.
func (view *View) Agreement() float64 {
	if view.BothSure == 0 {
		return 1
	}
	return float64(view.Agree) / float64(view.BothSure)
}

// Run plays games and judges every shot twice. tell, when not nil, hears
// of every shot that is done.
func Run(ctx context.Context, c Config, tell func()) (*Report, error) {
	out := &Report{Schema: Schema, NoiseMM: c.Noise, Views: views()}
	r := rand.New(rand.NewPCG(c.Seed, 0x6a75646765))
	looks := glances
	if c.Care {
		looks = 0
	}
	for game := uint64(0); out.Shots < c.Shots; game++ {
		m, err := play.NewMatch(play.Config{
			Table: c.Table, Format: c.Format, Glances: looks, Seed: c.Seed<<20 + game,
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
	// As the judge gives it, before the players settle what is left to them.
	truth, err := rules.Judge(t.Setup.Board, t.Result.Final, t.Shot, rs)
	if err != nil {
		return err
	}
	if !sure(&truth) {
		out.Unsure++
	}
	before, order := measured(r, t.Setup.Board, noise)
	after, place := measured(r, t.Result.Final, noise)
	for i := range out.Views {
		view := &out.Views[i]
		blind := rules.Shot{Side: t.Side, Number: t.Number, Owned: t.Shot.Owned}
		blind.Evidence.Watched = view.watched
		if view.followed {
			blind.Track = followed(t.Shot.Track, order, place)
		}
		if view.watched&rules.WatchedExits != 0 {
			blind.Evidence.Exits = reordered(t.Shot.Evidence.Exits, order)
			blind.Evidence.Crossed = reordered(t.Shot.Evidence.Crossed, order)
			blind.Evidence.Damage = renamed(t.Shot.Evidence.Damage, order)
		}
		v, err := rules.Judge(before, after, blind, rs)
		if err != nil {
			return fmt.Errorf("%s: %w", view.Name, err)
		}
		if view.compare(&truth, &v, place) && len(view.Differing) < mostDiffering {
			view.Differing = append(view.Differing, Differing{
				Shot: out.Shots, Contacts: told(&truth, nil), Snapshot: told(&v, place),
				Before: t.Setup.Board, After: t.Result.Final, NoisyBefore: before, NoisyAfter: after, Seen: t.Shot, Blind: blind,
			})
		}
	}
	return nil
}

// compare takes one more verdict into the view and tells whether both were sure
// and differ.
func (view *View) compare(truth, v *rules.Verdict, place []int) bool {
	for i := range v.Doubts {
		view.Doubts[v.Doubts[i].Kind.String()]++
	}
	same := told(truth, nil) == told(v, place)
	switch {
	case v.Ruling == rules.Unclear:
		view.Unclear++
	case v.Ruling == rules.Desynced:
		view.Desynced++
	case !same:
		view.Wrong++
	}
	if v.Ruling != rules.Unclear && v.Ruling != rules.Desynced && v.Review {
		view.Flagged++
	}
	if !sure(v) || !sure(truth) {
		return false
	}
	view.BothSure++
	if !same {
		return true
	}
	view.Agree++
	view.values(truth, v, place)
	return false
}

// followed is a track between two reordered snapshots.
func followed(t *rules.Track, order, place []int) *rules.Track {
	to := func(k int) int {
		if k < 0 {
			return k
		}
		return slices.Index(place, k)
	}
	out := &rules.Track{Discs: make([]int, len(t.Discs)), Shot: to(t.Shot)}
	for i := range out.Discs {
		out.Discs[i] = to(t.Discs[order[i]])
	}
	return out
}

// name is a disc's name in a reordered snapshot.
func name(b rules.Body, order []int) rules.Body {
	if b < 0 {
		return b
	}
	return rules.Disc(slices.Index(order, int(b)))
}

func reordered(list []rules.Exit, order []int) []rules.Exit {
	out := slices.Clone(list)
	for i := range out {
		out[i].Body = name(out[i].Body, order)
	}
	return out
}

func renamed(list []rules.Contact, order []int) []rules.Contact {
	out := slices.Clone(list)
	for i := range out {
		out[i].Striker, out[i].Struck = name(out[i].Striker, order), name(out[i].Struck, order)
	}
	return out
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
	parts := []string{v.Ruling.String()}
	for _, k := range slices.Sorted(maps.Keys(fates)) {
		parts = append(parts, fmt.Sprintf("%d:%s", k, fates[k]))
	}
	for _, side := range slices.Sorted(maps.Keys(back)) {
		parts = append(parts, fmt.Sprintf("back:%d%s", back[side], side))
	}
	return strings.Join(parts, " ")
}

// values compares what the discs count.
func (view *View) values(truth, v *rules.Verdict, place []int) {
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
		view.Discs++
		if z != o.Zone {
			view.Values++
			if !closely[i] {
				view.ValuesUnflagged++
			}
		}
	}
}
