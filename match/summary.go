package match

import "crokcam/board"

// Summary is what a list of matches shows of one.
type Summary struct {
	Phase  Phase         `json:"phase"`
	Game   int           `json:"game"`
	Round  int           `json:"round"`
	Sides  []SideSummary `json:"sides"`
	Winner board.Side    `json:"winner"`
	Closed bool          `json:"closed,omitempty"` // somebody ended it before its end
}

// SideSummary is one side in a list of matches.
type SideSummary struct {
	Side     board.Side `json:"side"`
	Name     string     `json:"name"`
	Players  []string   `json:"players"`
	Games    int        `json:"games"`
	Points   int        `json:"points"`
	Twenties int        `json:"twenties"`
}

// Summary is what a list of matches shows of this one.
func (s State) Summary() Summary {
	v := s.View()
	return Summary{
		Phase: v.Phase, Game: v.Game, Round: v.Round, Winner: v.Winner, Closed: v.Closed,
		Sides: each(v.Sides, func(x SideView) SideSummary {
			return SideSummary{
				Side: x.Side, Name: x.Name, Games: x.Games, Points: x.Points, Twenties: x.Twenties,
				Players: each(x.Players, func(p Player) string { return p.Name }),
			}
		}),
	}
}
