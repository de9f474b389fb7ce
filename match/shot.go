package match

import (
	"fmt"
	"math"
	"slices"

	"crokcam/board"
	"crokcam/rules"
)

// carryOut makes of the position what the verdict makes of the board.
//
// The verdict speaks of the discs as they were seen; the match knows them by
// name. A disc seen before the shot is the nearest one of the match, whatever
// colour it was seen in: whose it is was settled when it was shot, or corrected
// since. A value or place that was corrected holds until the disc is seen to
// move.
func (t *turn) carryOut(p *position, f rules.Format) {
	if t.verdict == nil || t.verdict.Ruling == rules.Desynced {
		return
	}
	names := t.names(p, f.Rules)
	discs := make([]Disc, 0, len(p.discs)+1)
	spoken := make([]bool, len(p.discs))
	for i := range t.verdict.Outcomes {
		o := &t.verdict.Outcomes[i]
		d := Disc{ID: ShotDisc(t.seq), Disc: board.Disc{Side: f.Layout.Side(t.who), Confidence: 1}}
		moved := true
		if o.Before >= 0 {
			k := -1
			if int(o.Before) < len(names) {
				k = names[o.Before]
			}
			if k < 0 || spoken[k] {
				continue // a disc that the match does not have
			}
			spoken[k] = true
			d = p.discs[k]
			moved = !still(t.shot.Before.Discs[o.Before], lying(o), f.Rules)
		}
		if !d.Fixed || moved {
			d.Fixed, d.seen = false, nil
			d.Point, d.Rest, d.Sigma = o.At, o.Rest, float64(o.Sigma)
			d.value(f.Rules)
		}
		if o.Fate == rules.OnBoard {
			discs = append(discs, d)
			continue
		}
		if o.Fate == rules.Scored {
			p.twenties[d.Side]++
		}
		t.removed = append(t.removed, gone{Disc: d, fate: o.Fate, lies: o.After >= 0, placed: o.Before >= 0 || o.After >= 0})
	}
	for k := range p.discs {
		if !spoken[k] { // nobody has seen it move
			discs = append(discs, p.discs[k])
		}
	}
	p.discs = discs
}

// lying is an outcome as a disc at rest.
func lying(o *rules.Outcome) board.Disc {
	return board.Disc{Point: o.At, Side: o.Side, Rest: o.Rest, Sigma: float64(o.Sigma)}
}

// names pairs the discs seen before the shot with those of the match: for each
// its place in p.discs, -1 for none and for a 20 that was not yet lifted. A disc
// whose place was corrected may be seen at either place.
func (t *turn) names(p *position, rs rules.Ruleset) []int {
	places := each(p.discs, func(d Disc) board.Disc { return d.Disc })
	var corrected []int // which discs the places beyond len(p.discs) belong to
	for k := range p.discs {
		if at := p.discs[k].seen; at != nil {
			d := p.discs[k].Disc
			d.Point = *at
			places, corrected = append(places, d), append(corrected, k)
		}
	}
	out := nearest(t.shot.Before.Discs, places, radius(rs), false)
	for i, j := range out {
		if j >= len(p.discs) {
			if out[i] = corrected[j-len(p.discs)]; slices.Contains(out[:i], out[i]) || slices.Contains(out[i+1:], out[i]) {
				out[i] = -1 // it was seen where it was corrected to
			}
		}
	}
	return out
}

// nearest pairs two pictures of the same discs, the nearest ones first, none
// further apart than reach: two discs cannot lie within a disc's radius of one
// place. For each of a it gives the place in b, or -1. Discs in the hole are no
// part of it.
func nearest(a, b []board.Disc, reach float64, sameSide bool) []int {
	type pair struct {
		d    float64
		i, j int
	}
	var pairs []pair
	for i := range a {
		for j := range b {
			if a[i].Rest == board.InHole || b[j].Rest == board.InHole || sameSide && a[i].Side != b[j].Side {
				continue
			}
			if d := math.Hypot(a[i].X-b[j].X, a[i].Y-b[j].Y); d <= reach {
				pairs = append(pairs, pair{d, i, j})
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int {
		switch {
		case x.d < y.d:
			return -1
		case x.d > y.d:
			return 1
		}
		return 0
	})
	out := slices.Repeat([]int{-1}, len(a))
	taken := make([]bool, len(b))
	for _, q := range pairs {
		if out[q.i] < 0 && !taken[q.j] {
			out[q.i], taken[q.j] = q.j, true
		}
	}
	return out
}

// fits tells whether a shot's snapshot before shows the discs of the match, and
// what is wrong if it does not.
func (t *turn) fits(p *position, rs rules.Ruleset) error {
	names := t.names(p, rs)
	seen := 0
	for i, k := range names {
		d := t.shot.Before.Discs[i]
		switch {
		case d.Rest == board.InHole:
		case k < 0:
			return fmt.Errorf("%w: a disc of side %s at %s is not in the match", ErrMismatch, d.Side, place(d.Point))
		case d.Side != p.discs[k].Side && !p.discs[k].Owned:
			return fmt.Errorf("%w: the disc at %s is seen as side %s's, the match has side %s's there", ErrMismatch, place(d.Point), d.Side, p.discs[k].Side)
		default:
			seen++
		}
	}
	if seen < len(p.discs) {
		for k, d := range p.discs {
			if !slices.Contains(names, k) {
				return fmt.Errorf("%w: the disc of side %s at %s was not seen", ErrMismatch, d.Side, place(d.Point))
			}
		}
	}
	return nil
}

func place(p board.Point) string { return fmt.Sprintf("(%.0f, %.0f) mm", p.X, p.Y) }
