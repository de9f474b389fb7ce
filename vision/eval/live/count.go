package live

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"crokcam/board"
	"crokcam/calibrate"
	profiles "crokcam/configs/rules"
	"crokcam/internal/witness"
	"crokcam/rules"
	"crokcam/rules/profile"
	"crokcam/sim/render"
	"crokcam/sim/render/show"
	"crokcam/vision"
	"crokcam/vision/shots"
)

// heard is a shot that was reported, its discs also where the picture shows
// them.
type heard struct {
	*shots.Shot
	before, after [][2]float64 // px of the tops
	mm            float64      // of a pixel
	cal           *calibrate.Calibration
}

func heardOf(s *shots.Shot, cal *calibrate.Calibration) heard {
	place := func(discs []shots.Disc) (out [][2]float64) {
		for _, d := range discs {
			u, v := cal.Camera.Project(d.Top.X, d.Top.Y, 0)
			out = append(out, [2]float64{u, v})
		}
		return out
	}
	return heard{s, place(s.Before), place(s.After), cal.Quality.MMPerPx, cal}
}

// near is how far from its true place a disc may be reported, mm.
const near = 8

// paired finds the true disc of each reported one; -1 for none. missed are the
// true discs that none was reported for.
func paired(px [][2]float64, mm float64, truth []render.DiscTruth, skip int) (of []int, missed []int) {
	of = make([]int, len(px))
	for i := range of {
		of[i] = -1
	}
	type pair struct {
		i, k int
		d    float64
	}
	var all []pair
	there := map[int]bool{}
	for k := range truth {
		t := &truth[k]
		if t.ID == skip || t.Location != "surface" && t.Location != "hole" && t.Location != "leaning" {
			continue
		}
		there[k] = true
		for i, p := range px {
			if d := math.Hypot(p[0]-t.TopPx[0], p[1]-t.TopPx[1]) * mm; d < near {
				all = append(all, pair{i, k, d})
			}
		}
	}
	sort.Slice(all, func(a, b int) bool { return all[a].d < all[b].d })
	for _, p := range all {
		if of[p.i] < 0 && there[p.k] {
			of[p.i] = p.k
			delete(there, p.k)
		}
	}
	for k := range truth {
		if there[k] {
			missed = append(missed, k)
		}
	}
	return of, missed
}

// matched finds which of what was heard each true shot is (-1: none), and which
// are any.
func matched(t truth, found []heard) (match []int, used []bool) {
	match, used = make([]int, len(t.shots)), make([]bool, len(found))
	for k, s := range t.shots {
		match[k] = -1
		until := math.Inf(1)
		if k+1 < len(t.shots) {
			until = t.shots[k+1].Timeline.Release
		}
		for i := range found {
			if at := seconds(found[i].Settled); !used[i] && at >= s.Timeline.Release && at < until {
				match[k], used[i] = i, true
				break
			}
		}
	}
	return match, used
}

// goes is which discs of After of the shot that was heard last are to be taken
// away, as whoever keeps the score would know.
func goes(t truth, found []heard, judge judging) (after []int) {
	if judge == nil {
		return nil
	}
	match, _ := matched(t, found)
	last := len(found) - 1
	k := slices.Index(match, last)
	if k < 0 {
		return nil
	}
	v, err := judge(&found[last], t.shots[k], colours(t, found, match))
	if err != nil || v == nil {
		return nil // whoever keeps the score would ask
	}
	for _, o := range v.Outcomes {
		if o.After >= 0 && (o.Fate == rules.Scored || o.Fate == rules.Ditched) {
			after = append(after, int(o.After))
		}
	}
	return after
}

// count compares what was heard of a clip with its truth.
func (r *Result) count(name string, t truth, found []heard, each bool) error {
	match, used := matched(t, found)
	r.Shots.Truth += len(t.shots)
	r.Shots.Found += len(found)
	for i := range found {
		if !used[i] {
			r.Each = append(r.Each, Found{Clip: name, At: seconds(found[i].Settled), Faults: []string{fmt.Sprintf(
				"a shot was reported that there was not (%d discs before, %d after, flight %.0f mm)", len(found[i].Before), len(found[i].After), found[i].Flight)}})
		}
	}
	of := colours(t, found, match)
	judge, err := judgeFor(t)
	if err != nil {
		return err
	}
	sum := round{exact: true}
	for k, s := range t.shots {
		out := Found{Clip: name, Round: s.Round, Number: s.Number, At: s.Timeline.Release}
		var v *rules.Verdict
		if i := match[k]; i >= 0 {
			h := &found[i]
			out.Found = true
			r.Shots.Matched++
			rest := max(s.Timeline.AtRest, s.Timeline.HandGone)
			r.late = append(r.late, 1000*(seconds(h.Settled)-rest))
			out.Faults = append(out.Faults, differences("before", h.before, h.Before, h.mm, s.Start.Discs, s.Shooter, of, t.sides)...)
			out.Faults = append(out.Faults, differences("after", h.after, h.After, h.mm, s.End.Discs, -1, of, t.sides)...)
			if out.Right = len(out.Faults) == 0; out.Right {
				r.Shots.Right++
			}
			if judge != nil {
				if v, err = judge(h, s, of); err != nil {
					out.Faults = append(out.Faults, err.Error())
				}
			}
			r.verdict(&out, h, s, v, judge != nil)
			r.contacts(h, s)
		} else {
			out.Faults = append(out.Faults, fmt.Sprintf("not found (%d contacts, %d discs after)", len(s.Contacts), len(s.End.Discs)))
			if judge != nil {
				r.Verdicts.WrongUnflagged++
			}
		}
		for _, n := range s.Verdict.Twenties {
			r.Twenties.Truth += n
		}
		sum.add(v)
		if s.Result != nil {
			r.Rounds.Truth++
			if wrong := sum.wrong(s); wrong == "" {
				r.Rounds.Exact++
			} else {
				out.Faults = append(out.Faults, wrong)
			}
			sum = round{exact: true}
		}
		if each || len(out.Faults) > 0 {
			r.Each = append(r.Each, out)
		}
	}
	return nil
}

// differences says in words how a snapshot differs from the truth.
func differences(when string, px [][2]float64, discs []shots.Disc, mm float64, truth []render.DiscTruth, skip int, of witness.Sides, sides []string) (faults []string) {
	pairs, missed := paired(px, mm, truth, skip)
	for i, k := range pairs {
		switch {
		case k < 0:
			faults = append(faults, fmt.Sprintf("%s: invented a disc at %.0f, %.0f mm (%s, confidence %.2f)", when, discs[i].X, discs[i].Y, discs[i].Rest, discs[i].Confidence))
		case len(sides) > 0 && of[discs[i].Side].String() != sides[truth[k].ID]:
			faults = append(faults, fmt.Sprintf("%s: the disc at %.0f, %.0f mm is taken for the other side's", when, discs[i].X, discs[i].Y))
		case truth[k].InHole != (discs[i].Rest == board.InHole):
			faults = append(faults, fmt.Sprintf("%s: a disc is %s that is %s", when, discs[i].Rest, truth[k].Location))
		}
	}
	for _, k := range missed {
		faults = append(faults, fmt.Sprintf("%s: missed a disc at %.0f, %.0f mm (%s)", when, truth[k].XY[0], truth[k].XY[1], truth[k].Location))
	}
	return faults
}

// colours finds out which side has which colour, by what most discs say.
func colours(t truth, found []heard, match []int) (of witness.Sides) {
	if len(t.sides) == 0 {
		return witness.Sides{board.NoSide, board.SideA, board.SideB, board.SideC, board.SideD}
	}
	var votes [board.SideD + 1][board.SideD + 1]int
	for k, i := range match {
		if i < 0 {
			continue
		}
		h := &found[i]
		pairs, _ := paired(h.after, h.mm, t.shots[k].End.Discs, -1)
		for j, p := range pairs {
			if p >= 0 {
				votes[h.After[j].Side][sideCalled(t.sides[t.shots[k].End.Discs[p].ID])]++
			}
		}
	}
	for range board.SideD {
		best, from, to := 0, board.NoSide, board.NoSide
		for a := board.SideA; a <= board.SideD; a++ {
			for b := board.SideA; b <= board.SideD; b++ {
				if votes[a][b] > best {
					best, from, to = votes[a][b], a, b
				}
			}
		}
		if best == 0 {
			break
		}
		of[from] = to
		for k := range votes {
			votes[from][k], votes[k][to] = 0, 0
		}
	}
	for a := board.SideA; a <= board.SideB; a++ {
		if of[a] == board.NoSide { // its discs never lay there at the end
			of[a] = of[a.Other()].Other()
		}
	}
	return of
}

func sideCalled(s string) board.Side {
	for k := board.SideA; k <= board.SideD; k++ {
		if k.String() == s {
			return k
		}
	}
	return board.NoSide
}

type judging func(h *heard, s *show.ShotTruth, of witness.Sides) (*rules.Verdict, error)

// judgeFor is the judge of a clip; nil where no verdict is known.
func judgeFor(t truth) (judging, error) {
	if t.rules == "" {
		return nil, nil
	}
	set, err := profile.Load(profiles.FS)
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	p, ok := set[t.rules]
	if !ok {
		return nil, fmt.Errorf("there are no rules %q", t.rules)
	}
	return func(h *heard, s *show.ShotTruth, of witness.Sides) (*rules.Verdict, error) {
		rs := p.Rules
		rs.Board = h.cal.Board
		before, after, shot := witness.Shot(h.Shot, sideCalled(s.Side), s.Number, of)
		v, err := rules.Judge(before, after, shot, rs)
		if err != nil {
			return nil, err
		}
		return &v, nil
	}, nil
}

// verdict counts a verdict.
func (r *Result) verdict(out *Found, h *heard, s *show.ShotTruth, v *rules.Verdict, judged bool) {
	if !judged {
		return
	}
	if v == nil {
		r.Verdicts.WrongUnflagged++
		return
	}
	asked := h.Hole == vision.HoleUnclear
	out.Flagged = v.Review || asked
	wrong := faults(h, s, v)
	if out.Flagged {
		r.Verdicts.Flagged++
		if settled(h, v) {
			r.Verdicts.Again++
		}
		var why []string
		for _, d := range v.Doubts {
			why = append(why, d.Kind.String())
		}
		for _, d := range v.Desync {
			why = append(why, d.Kind.String())
		}
		out.Faults = append(out.Faults, fmt.Sprintf("flagged: %v %v hole unclear %v", v.Ruling, why, asked))
	}
	switch {
	case len(wrong) == 0:
		r.Verdicts.Right++
	case !out.Flagged:
		r.Verdicts.WrongUnflagged++
	}
	out.Faults = append(out.Faults, wrong...)
	for side := board.SideA; side <= board.SideD; side++ {
		want, got := s.Verdict.Twenties[side.String()], int(v.Twenties[side])
		r.Twenties.Right += min(want, got)
		if got < want && out.Flagged {
			r.Twenties.Asked += want - got
		}
	}
}

// contacts counts the contacts of a shot.
func (r *Result) contacts(h *heard, s *show.ShotTruth) {
	type pair [2]int
	of := func(a, b int) pair { return pair{min(a, b), max(a, b)} }
	touched := map[pair]bool{}
	for _, c := range s.Contacts {
		if c.Type == "disc-disc" {
			touched[of(c.IDs[0], c.IDs[1])] = true
		}
	}
	r.Contacts.Truth += len(touched)
	ids, _ := paired(h.before, h.mm, s.Start.Discs, s.Shooter)
	id := func(i int) int {
		switch {
		case i == shots.ByShooter:
			return s.Shooter
		case i >= 0 && ids[i] >= 0:
			return s.Start.Discs[ids[i]].ID
		}
		return -1
	}
	for _, c := range h.Shot.Contacts {
		if c.Basis == shots.Seen {
			r.Contacts.Seen++
			if touched[of(id(c.Disc), id(c.By))] {
				r.Contacts.Right++
			}
		}
	}
}

// settled tells whether all that is asked is whether discs touch a line that lay
// there before the shot.
func settled(h *heard, v *rules.Verdict) bool {
	if h.Hole == vision.HoleUnclear || len(v.Desync) > 0 {
		return false
	}
	for _, d := range v.Doubts {
		if d.Remote {
			continue
		}
		if d.Kind != rules.DoubtLine {
			return false
		}
		for _, k := range d.Discs {
			o := v.Outcomes[k]
			if o.Before < 0 || o.After < 0 {
				return false
			}
			p, q := h.Shot.Before[o.Before].Point, h.Shot.After[o.After].Point
			if math.Hypot(p.X-q.X, p.Y-q.Y) > 1 {
				return false
			}
		}
	}
	return true
}

// faults says in words how a verdict differs from the true one.
func faults(h *heard, s *show.ShotTruth, v *rules.Verdict) (out []string) {
	if got := v.Ruling.String(); got != s.Verdict.Ruling {
		out = append(out, fmt.Sprintf("ruled %s, not %s", got, s.Verdict.Ruling))
	}
	for side := board.SideA; side <= board.SideD; side++ {
		if want, got := s.Verdict.Twenties[side.String()], int(v.Twenties[side]); want != got {
			out = append(out, fmt.Sprintf("%d 20s for %s, not %d", got, side, want))
		}
	}
	// Discs of a side are alike: which one went where counts for nothing.
	after, _ := paired(h.after, h.mm, s.End.Discs, -1)
	colour := map[int]string{s.Shooter: s.Colour}
	for _, d := range s.Start.Discs {
		colour[d.ID] = d.Colour
	}
	sides := map[string]board.Side{s.Colour: sideCalled(s.Side)}
	before, _ := paired(h.before, h.mm, s.Start.Discs, s.Shooter)
	for _, o := range v.Outcomes {
		if o.Before >= 0 && before[o.Before] >= 0 {
			sides[s.Start.Discs[before[o.Before]].Colour] = o.Side
		}
	}
	gone := maps.Clone(colour) // what the verdict does not say to lie anywhere
	for _, o := range v.Outcomes {
		if o.After < 0 || after[o.After] < 0 {
			continue
		}
		id := s.End.Discs[after[o.After]].ID
		delete(gone, id)
		if want, got := s.Verdict.Fates[strconv.Itoa(id)], o.Fate.String(); want != got && want != "" {
			out = append(out, fmt.Sprintf("disc %d goes to %s, not %s", id, got, want))
		}
	}
	for _, o := range v.Outcomes {
		if o.After >= 0 {
			continue
		}
		same, other := -1, -1
		for id, c := range gone {
			switch want := s.Verdict.Fates[strconv.Itoa(id)]; {
			case sides[c] != o.Side || want == "":
			case want == o.Fate.String():
				same = id
			default:
				other = id
			}
		}
		switch {
		case same >= 0:
			delete(gone, same)
		case other >= 0:
			delete(gone, other)
			out = append(out, fmt.Sprintf("disc %d goes to %s, not %s", other, o.Fate, s.Verdict.Fates[strconv.Itoa(other)]))
		}
	}
	return out
}

// round adds up what a round came to.
type round struct {
	exact    bool
	twenties [board.SideD + 1]int
	last     *rules.Verdict
}

func (r *round) add(v *rules.Verdict) {
	if r.last = v; v == nil {
		r.exact = false
		return
	}
	for side, n := range v.Twenties {
		r.twenties[side] += int(n)
	}
}

// wrong says how the totals differ from those of the round that ends with s; it is
// empty where they are right.
func (r *round) wrong(s *show.ShotTruth) string {
	if !r.exact {
		return "the round was not counted: a shot of it is missing"
	}
	got := r.twenties
	for k := range got {
		got[k] *= 20
	}
	for _, o := range r.last.Outcomes {
		if o.Fate == rules.OnBoard {
			got[o.Side] += o.Zone.Points()
		}
	}
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(s.Result.Totals)) {
		if n, want := got[sideCalled(name)], s.Result.Totals[name]; n != want {
			wrong = append(wrong, fmt.Sprintf("%s has %d, not %d", name, n, want))
		}
	}
	if wrong == nil {
		return ""
	}
	return "the round comes to something else: " + strings.Join(wrong, ", ")
}
