package match

import (
	"fmt"
	"slices"

	"crokcam/board"
	"crokcam/rules"
)

// Judge asks package rules for the verdict on a shot of this match, as it stands:
// shot by whoever shot it, with whose disc is whose as corrected. evidence
// replaces what is in force, nil to keep it. It is for whoever writes a ShotJudged
// or a ChangeVerdict; the fold itself never judges, so that an old match stays
// what it was when the rules' judge learns.
func (s State) Judge(shot int, evidence *rules.Evidence) (rules.Verdict, error) {
	r, t, place := s.sheet.turn(shot)
	if t == nil || t.kind != shotTurn {
		return rules.Verdict{}, fmt.Errorf("match: judge: %w: %d is no shot", ErrTarget, shot)
	}
	p := &r.begin
	if place > 0 {
		p = &r.turns[place-1].after
	}
	asked := r.shotAt(p, t.who)
	asked.Track = (*rules.Track)(t.shot.Track)
	if asked.Evidence = *t.proof; evidence != nil {
		asked.Evidence = *evidence
	}
	before, after := t.recoloured(p, r.format())
	v, err := rules.Judge(before, after, asked, r.rules())
	if err != nil {
		return v, fmt.Errorf("match: judge shot %d: %w", shot, err)
	}
	return v, nil
}

// recoloured are the shot's two snapshots with the discs in the colours that the
// match knows them to have.
func (t *turn) recoloured(p *position, f rules.Format) (before, after board.Snapshot) {
	before.Discs, after.Discs = slices.Clone(t.shot.Before.Discs), slices.Clone(t.shot.After.Discs)
	track := t.follow(f)
	for i, k := range t.names(p, f.Rules) {
		if k < 0 {
			continue
		}
		before.Discs[i].Side = p.discs[k].Side
		if j := track.Discs[i]; j >= 0 {
			after.Discs[j].Side = p.discs[k].Side
		}
	}
	if track.Shot >= 0 {
		after.Discs[track.Shot].Side = f.Layout.Side(t.who)
	}
	return before, after
}

// follow says which disc is which in the two snapshots as far as that is plain:
// as tracked, or else the discs that have not moved, and the shot disc where it
// is the only one of its side left over.
func (t *turn) follow(f rules.Format) rules.Track {
	before, after := t.shot.Before.Discs, t.shot.After.Discs
	if tr := t.shot.Track; tr != nil && len(tr.Discs) == len(before) && tr.Shot < len(after) &&
		!slices.ContainsFunc(tr.Discs, func(j int) bool { return j >= len(after) }) {
		return rules.Track(*tr)
	}
	tr := rules.Track{Discs: nearest(before, after, radius(f.Rules)/2, true), Shot: rules.Missing}
	for i, j := range tr.Discs {
		if j >= 0 && !still(before[i], after[j], f.Rules) {
			tr.Discs[i] = rules.Missing
		}
	}
	side := f.Layout.Side(t.seat)
	for j, d := range after {
		if d.Side != side || slices.Contains(tr.Discs, j) {
			continue
		}
		if tr.Shot >= 0 { // two of them: either may be the shot disc
			tr.Shot = rules.Missing
			break
		}
		tr.Shot = j
	}
	return tr
}
