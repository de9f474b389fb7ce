package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"crokcam/board/presets"
	"crokcam/match"
	"crokcam/rules"
)

// crowd is a hall where more than two sides play, on boards of several kinds.
func crowd(t testing.TB) *evening {
	t.Helper()
	e := newEvening(t)
	plan := func(layout rules.Layout, kind rules.RoundScore, preset string) rules.Plan {
		spec, err := presets.ByName(preset)
		require.NoError(t, err)
		return rules.BestOf(1, rules.Format{Layout: layout, Discs: 6, End: rules.End{Rounds: 4}, Rules: rules.Ruleset{RoundScore: kind, Board: spec}})
	}
	playing := func(round, shots int) func(match.State) bool {
		return func(s match.State) bool {
			v := s.View()
			return v.Round >= round && v.Last != nil && v.Last.Number >= shots && v.Phase == match.Shooting
		}
	}
	e.board("table-1", "Table 1", e.rehearsed("THREE", "Three-handed", "table-1", 3, plan(rules.ThreeFree, rules.MatchPoints3, "vintage-22"), []string{"Anneke de Vries", "Bob Tremblay", "ปิยะ"}, playing(3, 8)), true)
	e.board("table-2", "Table 2", e.rehearsed("FQUR4", "Everybody for themselves", "table-2", 5, plan(rules.FourFree, rules.RankPoints4, "octagon-classic"), []string{"Ann", "Bob", "Cleopatra Papadopoulou", "Dan"}, playing(2, 10)), true)
	e.board("table-3", "Table 3", e.rehearsed("PA2RS", "Pairs", "table-3", 6, plan(rules.Doubles, rules.MatchPoints, "tournament-26"), []string{"Ann", "Bob", "Cleo", "Dan"}, playing(2, 10)), true)
	e.board("table-4", "Table 4", "", false)
	return e
}

func TestMoreThanTwoSidesAndOtherBoardsAreShownAsTheyAre(t *testing.T) {
	t.Parallel()
	base := start(t, crowd(t).options).URL
	p := visit(t, "about:blank", fullHD)
	for _, table := range []struct {
		id     string
		sides  int
		preset string
	}{{"table-1", 3, "vintage-22"}, {"table-2", 4, "octagon-classic"}} {
		spec, err := presets.ByName(table.preset)
		require.NoError(t, err)
		kinds := []string{"scorebug", "board"}
		if *shots != "" {
			kinds = append(kinds, "rounds", "lower-third", "all")
		}
		p.fit(fullHD)
		for _, kind := range kinds {
			p.to(base + "/overlay/" + table.id + "/" + kind + "?bg=445566")
			p.wait(`document.querySelector("[data-part=overlay]")?.dataset.version > 0`)
			p.shoot("sides-"+table.id+"-"+kind, false)
			if kind == "scorebug" {
				assert.Equal(t, table.sides, evaluate[int](p, `document.querySelectorAll("[data-part=scorebug] [data-part=name]").length`))
			}
			if kind == "board" {
				assert.InDelta(t, spec.Ten.Outer-spec.Ten.Width/2, evaluate[float64](p, `document.querySelector(".b-ten").r.baseVal.value`), 0.01)
			}
		}
		p.fit(phone)
		p.to(base + "/boards/" + table.id)
		p.wait(fmt.Sprintf(`document.querySelectorAll("#cards .card").length === %d`, table.sides))
		p.shoot("sides-"+table.id+"-phone", true)
		assert.InDelta(t, spec.Ten.Outer-spec.Ten.Width/2, evaluate[float64](p, `document.querySelector("#board .b-ten").r.baseVal.value`), 0.01)
		assert.LessOrEqual(t, evaluate[int](p, `document.documentElement.scrollWidth`), int(phone.width), "nothing sticks out sideways")
	}
	p.fit(fullHD)
	p.to(base + "/overlay/all/wall")
	p.wait(`document.querySelectorAll("[data-part=table]").length === 4`)
	p.shoot("sides-wall", false)
}
