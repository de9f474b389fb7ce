package match

import (
	"encoding/json"

	"crokcam/board"
	"crokcam/rules"
)

// Plan is rules.Plan with its form in JSON: every option by its word, so that a
// match is read years later by the rules it was played by, whatever has become
// of the profile's file.
type Plan rules.Plan

// rulesetWire has the fields of rules.Ruleset. The conversion between the two
// does not compile when they differ: an option that is added needs its place
// here, and a new version of match.started.
type rulesetWire struct {
	OpenBoard            rules.OpenBoard        `json:"open_board"`
	OpenBoardScope       rules.Scope            `json:"open_board_scope"`
	OpenBoardPenalty     rules.OpenBoardPenalty `json:"open_board_penalty"`
	Contact              rules.ContactRule      `json:"contact"`
	ContactPenalty       rules.ContactPenalty   `json:"contact_penalty"`
	InvalidOpponentDiscs rules.OpponentDiscs    `json:"invalid_opponent_discs"`
	Damage               rules.Damage           `json:"damage"`
	Spin                 rules.Spin             `json:"spin"`
	Line                 rules.LineEdge         `json:"line"`
	StartRadial          rules.StartRadial      `json:"start_radial"`
	StartLateral         rules.StartLateral     `json:"start_lateral"`
	RoundScore           rules.RoundScore       `json:"round_score"`
	Starter              rules.Starter          `json:"starter"`
	Board                board.Spec             `json:"board"`
}

type endWire struct {
	Target         int              `json:"target,omitempty"`
	Rounds         int              `json:"rounds,omitempty"`
	WinBy          int              `json:"win_by,omitempty"`
	EvenRoundsFrom int              `json:"even_rounds_from,omitempty"`
	Ties           []rules.TieBreak `json:"ties,omitempty"`
}

type stageWire struct {
	Name         string             `json:"name"`
	Games        int                `json:"games"`
	FirstWin     bool               `json:"first_win,omitempty"`
	Layout       rules.Layout       `json:"layout"`
	Discs        int                `json:"discs"`
	DoublesOrder rules.DoublesOrder `json:"doubles_order"`
	Lead         board.Seat         `json:"lead"`
	End          endWire            `json:"end"`
	Rules        rulesetWire        `json:"rules"`
}

type planWire struct {
	Stages   []stageWire `json:"stages"`
	Shootout bool        `json:"shootout,omitempty"`
}

// MarshalJSON writes the plan.
func (p Plan) MarshalJSON() ([]byte, error) {
	return json.Marshal(planWire{each(p.Stages, func(s rules.Stage) stageWire {
		f := s.Format
		return stageWire{
			Name: s.Name, Games: s.Games, FirstWin: s.FirstWin,
			Layout: f.Layout, Discs: f.Discs, DoublesOrder: f.DoublesOrder, Lead: f.Lead,
			End: endWire(f.End), Rules: rulesetWire(f.Rules),
		}
	}), p.Shootout})
}

// UnmarshalJSON reads a plan.
func (p *Plan) UnmarshalJSON(b []byte) error {
	var w planWire
	if err := strict(b, &w); err != nil {
		return err
	}
	*p = Plan{each(w.Stages, func(s stageWire) rules.Stage {
		return rules.Stage{Name: s.Name, Games: s.Games, FirstWin: s.FirstWin, Format: rules.Format{
			Layout: s.Layout, Discs: s.Discs, DoublesOrder: s.DoublesOrder, Lead: s.Lead,
			End: rules.End(s.End), Rules: rules.Ruleset(s.Rules),
		}}
	}), w.Shootout}
	return nil
}
