package match

import (
	"crokcam/board"
)

// ViewSchema names the form of View in JSON.
const ViewSchema = "crokcam.match.state/1"

// View is a state as pages and programs read it. Every figure in it is derived.
type View struct {
	Schema    string        `json:"schema"`
	Match     string        `json:"match"`
	Code      string        `json:"code,omitempty"`
	Title     string        `json:"title,omitempty"`
	Board     string        `json:"board,omitempty"` // the id of the board it was begun on
	Spec      *board.Spec   `json:"spec,omitempty"`  // the board's measures; left out: those of the tournament board
	Version   int           `json:"version"`
	Phase     Phase         `json:"phase"`
	Paused    bool          `json:"paused"`
	Desynced  bool          `json:"desynced"`
	Game      int           `json:"game"`  // from 1
	Round     int           `json:"round"` // of the game, from 1: the one in play or the next
	Lead      board.Seat    `json:"lead"`
	Next      []board.Seat  `json:"next"`
	Hammer    *board.Seat   `json:"hammer,omitempty"`
	Sides     []SideView    `json:"sides"`
	Discs     []Disc        `json:"discs"`
	Rounds    []RoundView   `json:"rounds"` // agreed ones
	Games     []Points      `json:"games"`  // final scores of the games played
	Last      *TurnView     `json:"last,omitempty"`
	Questions []Question    `json:"questions"` // open ones
	Problems  []ProblemView `json:"problems"`
	Winner    board.Side    `json:"winner"`
	Closed    bool          `json:"closed,omitempty"` // somebody ended it before its end
	Undo      int           `json:"undo,omitempty"`   // what a plain undo would take back
	Redo      int           `json:"redo,omitempty"`   // what a plain redo would bring back
}

// SideView is one side's score.
type SideView struct {
	Side     board.Side `json:"side"`
	Name     string     `json:"name"`
	Colour   string     `json:"colour,omitempty"`
	Players  []Player   `json:"players"`
	Games    int        `json:"games"`    // won
	Points   int        `json:"points"`   // in the game
	Twenties int        `json:"twenties"` // in the game, the round in play included
	InRound  RoundSide  `json:"round"`
}

// RoundSide is a side's share of the round in play.
type RoundSide struct {
	Points   int `json:"points"`
	Twenties int `json:"twenties"`
	Board    int `json:"board"` // discs on the board
	Ditch    int `json:"ditch"`
	Left     int `json:"left"` // discs not yet shot
}

// RoundView is a round that counts.
type RoundView struct {
	Seq      int        `json:"seq"`
	Game     int        `json:"game"`
	Number   int        `json:"number"`
	Lead     board.Seat `json:"lead"`
	Totals   Points     `json:"totals"`
	Twenties Points     `json:"twenties"`
	Awarded  Points     `json:"awarded"`
	Winner   board.Side `json:"winner"`
	Entered  bool       `json:"entered,omitempty"`   // by hand
	Override bool       `json:"corrected,omitempty"` // whatever its shots say
}

// TurnView is a turn as pages show it.
type TurnView struct {
	Seq       int        `json:"seq"`
	Kind      TurnKind   `json:"kind"`
	Number    int        `json:"number,omitempty"`
	Seat      board.Seat `json:"seat"`
	Side      board.Side `json:"side"`
	Ruling    string     `json:"ruling,omitempty"`
	Verdict   *Verdict   `json:"verdict,omitempty"`
	Settled   bool       `json:"settled"`
	Corrected bool       `json:"corrected,omitempty"`
	Removed   []GoneView `json:"removed"`
	Discs     []Disc     `json:"discs"`
	Totals    Points     `json:"totals"`
	Twenties  Points     `json:"twenties"`
	Pictures  Pictures   `json:"pictures,omitzero"`
}

// GoneView is a disc that left the board.
type GoneView struct {
	Disc
	Fate Fate `json:"fate"`
}

// ProblemView is a Problem with its words.
type ProblemView struct {
	Problem
	Text string `json:"text"`
}

// View is the state as pages and programs read it.
func (s State) View() View {
	setup := s.Setup()
	v := View{
		Schema: ViewSchema, Match: setup.Match, Code: setup.Code, Title: setup.Title, Board: setup.Board, Version: s.Version(),
		Phase: s.Phase(), Paused: s.Paused() != nil, Desynced: s.Desynced() != nil, Lead: s.Lead(),
		Next: orEmpty(s.Next()), Discs: orEmpty(s.Discs()), Questions: orEmpty(s.Questions(true)),
		Winner: s.Winner(), Closed: s.sheet.closed != nil, Sides: []SideView{}, Rounds: []RoundView{}, Games: []Points{},
		Problems: each(s.Problems(), func(p Problem) ProblemView { return ProblemView{p, p.String()} }),
	}
	v.Problems = orEmpty(v.Problems)
	v.Undo, _ = s.UndoTarget()
	v.Redo, _ = s.RedoTarget()
	if v.Phase == Unstarted {
		return v
	}
	if h, ok := s.Hammer(); ok {
		v.Hammer = &h
	}
	if measures := s.Spec(); measures != board.Tournament26() {
		v.Spec = &measures
	}
	score := s.Score()
	for _, g := range score.Results() {
		v.Games = append(v.Games, Points(g.Scores))
	}
	v.Game, v.Round = len(v.Games)+1, score.Game().Round()
	if score.Over() || score.AwaitsShootout() {
		v.Game, v.Round = max(1, len(v.Games)), len(score.Game().Rounds())
	}
	for i := range s.sheet.rounds {
		if r := s.sheet.rounds[i].record(); r.Agreed {
			v.Rounds = append(v.Rounds, RoundView{
				r.Seq, r.Game, r.Number, r.Lead, Points(r.Totals), Points(r.Twenties), Points(r.Awarded), r.Winner, r.Entered, r.Override,
			})
		}
	}
	v.Sides = s.sides()
	if r := s.sheet.current(); r != nil && len(r.turns) > 0 {
		turns := r.record().Turns
		last := turns[len(turns)-1].View()
		v.Last = &last
	}
	return v
}

func (s State) sides() []SideView {
	f := s.format()
	score, setup := s.Score(), s.Setup()
	tally, playing := s.Tally()
	var out []SideView
	for side := board.SideA; int(side) <= f.Layout.Sides(); side++ {
		v := SideView{Side: side, Points: score.Game().Scores()[side], Twenties: score.Game().Twenties()[side]}
		for _, p := range setup.Players {
			if f.Layout.Side(p.Seat) != side {
				continue
			}
			v.Players = append(v.Players, p)
			if v.Name != "" {
				v.Name += " & "
			}
			v.Name += p.Name
			if playing {
				v.InRound.Left += tally.Left[p.Seat]
			}
		}
		for _, n := range setup.Sides {
			if n.Side == side {
				v.Colour = n.Colour
				if n.Name != "" {
					v.Name = n.Name
				}
			}
		}
		for _, g := range s.Score().Results() {
			if g.Winner == side {
				v.Games++
			}
		}
		if playing {
			v.Twenties += tally.Twenties[side]
			v.InRound.Points, v.InRound.Twenties = tally.Points[side], tally.Twenties[side]
			v.InRound.Board, v.InRound.Ditch = tally.Board[side], tally.Ditch[side]
		}
		out = append(out, v)
	}
	return out
}

// View is the turn as pages show it.
func (t Turn) View() TurnView {
	v := TurnView{
		Seq: t.Seq, Kind: t.Kind, Number: t.Number, Seat: t.Seat, Side: t.Side, Settled: t.Settled, Corrected: t.Corrected,
		Discs: orEmpty(t.Discs), Totals: Points(t.Totals), Twenties: Points(t.Twenties),
		Removed: orEmpty(each(t.Removed, func(r Removed) GoneView { return GoneView{r.Disc, Fate(r.Fate)} })),
	}
	if t.Verdict != nil {
		v.Ruling = t.Verdict.Ruling.String()
		v.Verdict = (*Verdict)(t.Verdict)
	}
	if t.Shot != nil {
		v.Pictures = t.Shot.Pictures
	}
	return v
}

// orEmpty makes a list that JSON writes as [], not null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
