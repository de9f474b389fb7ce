package live

import (
	"crokcam/match"
	"crokcam/rules"
	"testing"
)

func TestMany(t *testing.T) {
	rounds, exact, des, q, shots := 0, 0, 0, 0, 0
	for _, l := range []rules.Layout{rules.TwoPlayers, rules.Doubles, rules.ThreeFree, rules.TwoAgainstOne, rules.FourFree} {
		for seed := range uint64(30) {
			r := newRig(t, seed, map[bool]string{true: "nca", false: "house"}[l == rules.TwoPlayers || l == rules.Doubles], l)
			r.answer = r.honest
			r.begin()
			var want []rules.Points
			for r.next() {
				shots++
				if r.truth.Scored != nil {
					want = append(want, r.truth.Scored.Totals)
				}
				if r.state().Desynced() != nil {
					des++
					t.Logf("%v seed %d round %d shot %d: %s %v", l, seed, r.truth.Round, r.truth.Number, r.last(8), r.state().Desynced().Reason)
					break
				}
			}
			for _, k := range r.kinds() {
				if k == "question.asked" {
					q++
				}
			}
			got := r.rounds()
			for i := range want {
				rounds++
				if i < len(got) && got[i] == want[i] {
					exact++
				} else if i < len(got) {
					t.Logf("%v seed %d round %d got %v want %v", l, seed, i+1, got[i], want[i])
				} else {
					t.Logf("%v seed %d round %d missing phase %v %s", l, seed, i+1, r.state().Phase(), r.last(8))
					break
				}
			}
			if r.state().Desynced() == nil && r.state().Phase() != match.Over {
				t.Logf("%v seed %d stuck %v %s", l, seed, r.state().Phase(), r.last(10))
			}
		}
	}
	t.Log("rounds", rounds, "exact", exact, "desync", des, "questions", q, "shots", shots)
}
