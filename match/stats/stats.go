// Package stats counts what players did, over any number of matches. Everything
// is a function of the matches' states: a shot that was undone never was, and a
// corrected one counts as corrected.
package stats

import (
	"cmp"
	"math"
	"slices"

	"crokcam/board"
	"crokcam/match"
	"crokcam/rules"
)

// Schema names the form of Report in JSON.
const Schema = "crokcam.stats/1"

// Report is what the players of some matches did.
type Report struct {
	Schema  string   `json:"schema"`
	Matches int      `json:"matches"`
	Players []Player `json:"players"` // by name
}

// Player is what one player did. Players are told apart by name.
type Player struct {
	Name    string `json:"name"`
	Matches int    `json:"matches"`
	Won     int    `json:"won"`
	Rounds  int    `json:"rounds"` // with at least one shot of this player
	Shots   int    `json:"shots"`  // settled ones
	Failed  int    `json:"failed"` // of them, not valid
	// Twenties are own shot discs that were 20s, of all shots and of shots at a
	// board without an opposing disc.
	Twenties     Share `json:"twenties"`
	OpenTwenties Share `json:"open_twenties"`
	// Hits are shots at a board with opposing discs that were valid.
	Hits Share `json:"hits"`
	// Rests is where the shot discs came to rest and what they then counted:
	// "20", "15", "10", "5", and "out" for those that left the board or were
	// taken off it.
	Rests map[string]int `json:"rests"`
	// Points are by zone what the player's discs brought at the end of the rounds,
	// the 20s among them.
	Points map[string]int `json:"points"`
	Heat   Heat           `json:"heat"`
}

// Share is a part of a whole.
type Share struct {
	Of    int `json:"of"`
	Count int `json:"count"`
	// Rate is Count/Of, with the interval that holds the true rate in 19 of 20
	// cases (Wilson's): eight shots say little. All are 0 when Of is.
	Rate float64 `json:"rate"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Heat counts where shot discs came to rest, in squares of the board frame seen
// from the player's own seat: the player at the bottom, y away.
type Heat struct {
	BinMM float64 `json:"bin_mm"`
	Side  int     `json:"side"` // squares along each side; the middle square has the centre in its middle
	Bins  []int   `json:"bins"` // row by row from the lowest y, each from the lowest x
	// Spec has the measures of the board; left out: those of the tournament board,
	// or, when Mixed, of several boards that differ.
	Spec  *board.Spec `json:"spec,omitempty"`
	Mixed bool        `json:"mixed,omitempty"`
}

// HeatBin is the side of a heat map's squares, mm: about a disc.
const HeatBin = 30

// Of counts the matches.
func Of(states []match.State) Report {
	players := map[string]*Player{}
	for _, s := range states {
		count(s, players)
	}
	r := Report{Schema: Schema, Matches: len(states), Players: []Player{}}
	for _, p := range players {
		for _, share := range []*Share{&p.Twenties, &p.OpenTwenties, &p.Hits} {
			share.rate()
		}
		if h := &p.Heat; h.Mixed || h.Spec != nil && *h.Spec == board.Tournament26() {
			h.Spec = nil
		}
		r.Players = append(r.Players, *p)
	}
	slices.SortFunc(r.Players, func(a, b Player) int { return cmp.Compare(a.Name, b.Name) })
	return r
}

func count(s match.State, players map[string]*Player) {
	setup := s.Setup()
	if len(setup.Plan.Stages) == 0 {
		return
	}
	layout := setup.Plan.Stages[0].Format.Layout
	at := map[board.Seat]*Player{}
	for _, who := range setup.Players {
		p := players[who.Name]
		if p == nil {
			p = &Player{Name: who.Name, Rests: map[string]int{}, Points: map[string]int{}, Heat: newHeat()}
			players[who.Name] = p
		}
		at[who.Seat] = p
		p.Matches++
		if w := s.Winner(); w != board.NoSide && layout.Side(who.Seat) == w {
			p.Won++
		}
	}
	measures := s.Spec()
	for _, r := range s.Rounds() {
		countRound(r, at, &measures)
	}
}

func countRound(r match.Round, at map[board.Seat]*Player, measures *board.Spec) {
	played := map[*Player]bool{}
	shooter := map[match.DiscID]*Player{}
	for _, t := range r.Turns {
		if t.Kind != match.ShotTurn || !t.Settled || at[t.Seat] == nil {
			continue
		}
		p := at[t.Seat]
		shooter[shotDisc(t)] = p
		if !played[p] {
			played[p] = true
			p.Rounds++
		}
		p.shot(t, measures)
	}
	if !r.Agreed || len(r.Turns) == 0 {
		return
	}
	for _, d := range r.Turns[len(r.Turns)-1].Discs {
		if p := shooter[d.ID]; p != nil && d.Zone != board.Out {
			p.Points[d.Zone.String()] += d.Zone.Points()
		}
	}
	for _, t := range r.Turns {
		for _, g := range t.Removed {
			if p := shooter[g.ID]; p != nil && g.Fate == rules.Scored {
				p.Points["20"] += board.Twenty.Points()
			}
		}
	}
}

// shotDisc is the name of the disc that a shot brought onto the board.
func shotDisc(t match.Turn) match.DiscID { return match.ShotDisc(t.Seq) }

func (p *Player) shot(t match.Turn, measures *board.Spec) {
	p.Shots++
	good := t.Verdict.Ruling == rules.Good
	if !good {
		p.Failed++
	}
	own, zone, place, placed := rest(t)
	p.Rests[zone.String()]++
	p.Twenties.add(own)
	if t.Verdict.OpenShot {
		p.OpenTwenties.add(own)
	} else {
		p.Hits.add(good)
	}
	if placed {
		p.Heat.add(place, t.Seat)
		p.Heat.on(measures)
	}
}

// rest is where a shot disc came to rest: whether it is a 20, what it counts, and
// its place, where it has one on the board.
func rest(t match.Turn) (twenty bool, zone board.Zone, place board.Point, placed bool) {
	id := shotDisc(t)
	for _, d := range t.Discs {
		if d.ID == id {
			return false, d.Zone, d.Point, true
		}
	}
	for _, g := range t.Removed {
		if g.ID != id {
			continue
		}
		if g.Fate == rules.Scored {
			return true, board.Twenty, board.Point{}, true
		}
		return false, board.Out, g.Point, g.Seen
	}
	return false, board.Out, board.Point{}, false
}

func (s *Share) add(yes bool) {
	s.Of++
	if yes {
		s.Count++
	}
}

// rate works out the share and Wilson's interval of it (E. B. Wilson, Journal of
// the American Statistical Association 22, 1927).
func (s *Share) rate() {
	if s.Of == 0 {
		return
	}
	const z = 1.96
	n, p := float64(s.Of), float64(s.Count)/float64(s.Of)
	mid, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	s.Rate, s.Low, s.High = p, max(0, (mid-half)/(1+z*z/n)), min(1, (mid+half)/(1+z*z/n))
}

// newHeat covers the surface of every board.
func newHeat() Heat {
	const side = 25 // ±375 mm
	return Heat{BinMM: HeatBin, Side: side, Bins: make([]int, side*side)}
}

func (h *Heat) add(p board.Point, seat board.Seat) {
	p = Facing(p, seat)
	col, row := h.bin(p.X), h.bin(p.Y)
	if col >= 0 && col < h.Side && row >= 0 && row < h.Side {
		h.Bins[row*h.Side+col]++
	}
}

// on notes the board that a place was on.
func (h *Heat) on(measures *board.Spec) {
	if h.Spec == nil {
		h.Spec = measures
	}
	h.Mixed = h.Mixed || *h.Spec != *measures
}

func (h *Heat) bin(v float64) int { return int(math.Floor(v/h.BinMM+0.5)) + h.Side/2 }

// Facing is a place as the player in a seat sees it: turned so that the seat is
// at the bottom.
func Facing(p board.Point, seat board.Seat) board.Point {
	switch seat {
	case board.West:
		return board.Point{X: -p.Y, Y: p.X}
	case board.North:
		return board.Point{X: -p.X, Y: -p.Y}
	case board.East:
		return board.Point{X: p.Y, Y: -p.X}
	}
	return p
}
