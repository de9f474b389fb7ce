package cases

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"crokcam/board"
	"crokcam/rules"
)

// end is how a game case says when the game is over.
type end struct {
	Type           string          `json:"type"`
	Points         int             `json:"points"`
	N              int             `json:"n"`
	Tie            json.RawMessage `json:"tie"`
	WinBy          int             `json:"win_by"`
	EvenRoundsFrom int             `json:"even_rounds_from"`
}

func (e end) read() (rules.End, error) {
	out := rules.End{WinBy: e.WinBy, EvenRoundsFrom: e.EvenRoundsFrom}
	switch e.Type {
	case "target":
		out.Target = e.Points
	case "rounds":
		out.Rounds = e.N
	default:
		return out, errCase("options.end.type %q is not known", e.Type)
	}
	if len(e.Tie) == 0 {
		return out, nil
	}
	var words []string
	if err := json.Unmarshal(e.Tie, &words); err != nil {
		var word string
		if err := json.Unmarshal(e.Tie, &word); err != nil {
			return out, errCase("options.end.tie: %w", err)
		}
		words = []string{word}
	}
	for _, w := range words {
		if w == "drawn" {
			continue // what happens when nothing settles it
		}
		var t rules.TieBreak
		if err := t.UnmarshalText([]byte(w)); err != nil {
			return out, errCase("options.end.tie: %w", err)
		}
		out.Ties = append(out.Ties, t)
	}
	return out, nil
}

func layout(mode string, sides int) (rules.Layout, error) {
	if mode == "" {
		mode = map[int]string{2: "2p", 3: "3p_ffa", 4: "4p_ffa"}[sides]
	}
	var l rules.Layout
	if err := l.UnmarshalText([]byte(mode)); err != nil {
		return l, errCase("mode: %w", err)
	}
	return l, nil
}

func (f *File) game(c Case, r *Result) error {
	var in struct {
		Options json.RawMessage  `json:"options"`
		Mode    string           `json:"mode"`
		Sides   json.RawMessage  `json:"sides"`
		Rounds  []map[string]int `json:"rounds"`
		// 20s by round, for formats that break ties by them.
		Twenties []map[string]int `json:"twenties"`
		Shootout map[string]int   `json:"shootout"`
	}
	if err := json.Unmarshal(c.raw, &in); err != nil {
		return errCase("%w", err)
	}
	rs, opts, err := f.options(in.Options)
	if err != nil {
		return err
	}
	var e end
	if raw, ok := opts["end"]; ok {
		if err := json.Unmarshal(raw, &e); err != nil {
			return errCase("options.end: %w", err)
		}
	}
	ends, err := e.read()
	if err != nil {
		return err
	}
	p, err := readParties(in.Sides, in.Mode)
	if err != nil {
		return err
	}
	l, err := layout(in.Mode, len(p.names))
	if err != nil {
		return err
	}
	if l.Sides() != len(p.names) {
		return errCase("mode %s has %d sides, not %d", l, l.Sides(), len(p.names))
	}
	discs := 12
	if l == rules.Doubles || l == rules.TwoAgainstOne {
		discs = 6
	}
	g, err := rules.NewGame(rules.Format{Layout: l, Rules: rs, Discs: discs, End: ends})
	if err != nil {
		return err
	}
	for i, totals := range in.Rounds {
		var ev rules.RoundEntered
		if ev.Totals, err = p.points(totals); err != nil {
			return err
		}
		if i < len(in.Twenties) {
			if ev.Twenties, err = p.points(in.Twenties[i]); err != nil {
				return err
			}
		}
		if g.Phase() == rules.Over { // rounds after the end count for nothing
			r.Result["rounds_ignored"] = len(in.Rounds) - i
			break
		}
		if g, err = next(g, ev); err != nil {
			return fmt.Errorf("round %d: %w", i+1, err)
		}
	}
	if in.Shootout != nil {
		hits, err := p.points(in.Shootout)
		if err != nil {
			return err
		}
		if g, err = next(g, rules.ShootoutHeld{Hits: hits}); err != nil {
			return err
		}
	}
	r.Result["scores"] = p.byName(g.Scores())
	r.Result["over"] = g.Phase() == rules.Over
	r.Result["winner"] = p.name(g.Winner())
	r.Result["phase"] = g.Phase().String()
	return nil
}

// next keeps the game as it was when an event is refused.
func next(g rules.Game, e rules.Event) (rules.Game, error) {
	after, err := g.Apply(e)
	if err != nil {
		return g, err
	}
	return after, nil
}

func (f *File) order(c Case, r *Result) error {
	var in struct {
		Options   json.RawMessage `json:"options"`
		Mode      string          `json:"mode"`
		Clockwise []string        `json:"clockwise"`
		Starter   string          `json:"starter"`
		Discs     map[string]int  `json:"discs"`
		Sides     json.RawMessage `json:"sides"`
		Winner    json.RawMessage `json:"round_winner"`
	}
	if err := json.Unmarshal(c.raw, &in); err != nil {
		return errCase("%w", err)
	}
	rs, _, err := f.options(in.Options)
	if err != nil {
		return err
	}
	n := len(in.Clockwise)
	l, err := layout(in.Mode, n)
	if err != nil {
		return err
	}
	if n != len(l.Seats()) {
		return errCase("mode %s has %d players, not %d", l, len(l.Seats()), n)
	}
	lead := slices.Index(in.Clockwise, in.Starter)
	discs := make([]int, n)
	for i, name := range in.Clockwise {
		discs[i] = in.Discs[name]
		if discs[i] < 0 || discs[i] > 24 {
			return errCase("%d discs for %q", discs[i], name)
		}
	}
	solo := -1
	if l == rules.TwoAgainstOne { // the one with the most discs is alone
		for i := range discs {
			if solo < 0 || discs[i] > discs[solo] {
				solo = i
			}
		}
	}
	cycle, err := rules.Cycle(n, lead, solo)
	if err != nil {
		return err
	}
	shots := rules.Shots(cycle, discs)

	// Under starter=winner a case that does not say who won shows what follows
	// when the leader did.
	winner, assumed := "", false
	if len(in.Winner) > 0 {
		var w *string
		if err := json.Unmarshal(in.Winner, &w); err != nil {
			return errCase("round_winner: %w", err)
		}
		if w != nil {
			winner = *w
		}
	} else if rs.Starter == rules.WinnerStarts {
		winner, assumed = in.Starter, true
	}
	sideOf := func(p int) string { return in.Clockwise[p] }
	if len(in.Sides) > 0 {
		parties, err := readParties(in.Sides, in.Mode)
		if err != nil {
			return err
		}
		sideOf = func(p int) string {
			side, err := parties.side(in.Clockwise[p])
			if err != nil {
				return in.Clockwise[p]
			}
			return parties.names[side-1]
		}
	}
	var won func(int) bool
	if winner != "" {
		won = func(p int) bool { return in.Clockwise[p] == winner || sideOf(p) == winner }
	}
	first := min(max(4, len(cycle)+1), len(shots))
	names := make([]string, first)
	for i := range names {
		names[i] = in.Clockwise[shots[i]]
	}
	r.Result["first_shots"] = names
	r.Result["total_shots"] = len(shots)
	r.Result["last_shooter"] = nil
	if len(shots) > 0 {
		r.Result["last_shooter"] = in.Clockwise[shots[len(shots)-1]]
	}
	r.Result["next_starter"] = in.Clockwise[rs.Starter.Next(n, lead, won)]
	r.Result["round_winner"] = nil
	if winner != "" {
		r.Result["round_winner"] = winner
	}
	if assumed {
		r.Result["round_winner_assumed"] = true
	}
	return nil
}

// event runs the examples of things that happen at a table besides shots.
func (f *File) event(c Case, r *Result) error {
	var in struct {
		Options struct {
			Timed        string `json:"timed"`
			Playoff      string `json:"playoff"`
			ShotClock    string `json:"shot_clock"`
			Discs        int    `json:"discs"`
			DoublesOrder string `json:"doubles_order"`
			Disturbance  string `json:"disturbance"`
			Damage       string `json:"damage"`
		} `json:"options"`
		Mode      string         `json:"mode"`
		Taken     map[string]int `json:"shots_taken"`
		Attempt   string         `json:"attempt"`
		Games     [][2]int       `json:"games"`
		Pairs     [][2]int       `json:"pairs"`
		Shooter   string         `json:"shooter"`
		ShotDisc  string         `json:"shot_disc"`
		Clockwise []string       `json:"clockwise"`
		Last      string         `json:"last_shooter"`
		Left      map[string]int `json:"discs_left"`
		Hand      []string       `json:"moved_by_hand"`
		Damaged   []string       `json:"moved_legally_then_damaged"`
	}
	if err := json.Unmarshal(c.raw, &in); err != nil {
		return errCase("%w", err)
	}
	switch {
	case in.Options.Playoff == "quinte":
		return f.quinte(in.Games, in.Pairs, r)
	case in.Options.Disturbance != "" || len(in.Hand) > 0:
		return f.disturbed(r)
	case in.Options.Damage != "" && len(in.Damaged) > 0:
		return f.damaged(in.Options.Damage, r)
	case in.Options.DoublesOrder != "":
		return f.either(in.Options.DoublesOrder, in.Clockwise, in.Last, in.Attempt, in.Left, r)
	}

	l, err := layout(in.Mode, 2)
	if err != nil {
		return err
	}
	if l != rules.TwoPlayers {
		return errCase("this event is for two players")
	}
	discs := in.Options.Discs
	if discs == 0 {
		discs = 12
	}
	format := rules.Format{Layout: l, Rules: rules.Ruleset{Board: f.Board}, Discs: discs, End: rules.End{Rounds: 4}}
	seat := map[string]board.Seat{"A": board.South, "B": board.North}
	name := map[board.Seat]string{board.South: "A", board.North: "B"}
	if in.Taken["B"] > in.Taken["A"] || in.Shooter == "B" {
		format.Lead = board.North
	}
	g, err := rules.NewGame(format)
	if err != nil {
		return err
	}
	for s := format.Lead; in.Taken["A"]+in.Taken["B"] > 0; s = board.North - s { // south, north, south, …
		if in.Taken[name[s]] <= 0 {
			continue
		}
		in.Taken[name[s]]--
		// Where one side is behind by more than one the shots were not taken in turn.
		if g, err = next(g, rules.ShotForfeited{Seat: s, OutOfTurn: true}); err != nil {
			return err
		}
	}
	if in.Options.Timed != "" {
		if g, err = next(g, rules.TimeUp{}); err != nil {
			return err
		}
		extra := g.Extra()
		r.Result["extra_shots"] = map[string]int{"A": extra[board.SideA], "B": extra[board.SideB]}
	}
	if in.Options.ShotClock == "forfeit_disc" {
		if g, err = next(g, rules.ShotForfeited{Seat: seat[in.Shooter]}); err != nil {
			return err
		}
		r.Result["removed"] = []string{in.ShotDisc}
	}
	if in.Attempt != "" {
		s, ok := seat[in.Attempt]
		if !ok {
			return errCase("nobody is called %q", in.Attempt)
		}
		_, err := g.Apply(rules.ShotForfeited{Seat: s})
		var refused *rules.EventError
		if err != nil && !errors.As(err, &refused) {
			return err
		}
		r.Result["allowed"] = err == nil
	}
	if to := g.Next(); len(to) > 0 {
		r.Result["next"] = name[to[0]]
	}
	r.Result["round_over"] = g.Phase() == rules.Counting
	return nil
}

// quinte plays a play-off from the match points of its games and pairs.
func (f *File) quinte(games, pairs [][2]int, r *Result) error {
	m, err := rules.NewMatch(rules.Quinte(rules.Ruleset{Board: f.Board}, 8))
	if err != nil {
		return err
	}
	for i, score := range append(slices.Clone(games), pairs...) {
		n := 4
		if i >= len(games) {
			n = 2
		}
		if score[0] < 0 || score[1] < 0 || score[0]+score[1] != 2*n {
			return errCase("%d:%d is no result of %d rounds", score[0], score[1], n)
		}
		for k := range n {
			// Wins first, a level round where a point is left over.
			var e rules.RoundEntered
			switch a := score[0] - 2*k; {
			case a >= 2:
				e.Totals = rules.Points{0, 20, 0}
			case a == 1:
				e.Totals = rules.Points{0, 20, 20}
			default:
				e.Totals = rules.Points{0, 0, 20}
			}
			if m, err = m.Apply(e); err != nil {
				return err
			}
		}
	}
	r.Result["winner"] = nil
	if w := m.Winner(); w != board.NoSide {
		r.Result["winner"] = w.String()
	}
	r.Result["decided_in"] = m.DecidedIn()
	return nil
}

// disturbed asks the judge about a disc that a hand moved.
func (f *File) disturbed(r *Result) error {
	at := func(x, y float64) board.Disc {
		return board.Disc{Point: board.Point{X: x, Y: y}, Side: board.SideB, Confidence: 1}
	}
	v, err := rules.Judge(
		board.Snapshot{Discs: []board.Disc{at(0, 150)}},
		board.Snapshot{Discs: []board.Disc{at(60, 150)}},
		rules.Shot{Side: board.SideA, Track: &rules.Track{Discs: []int{0}, Shot: rules.Gone}, Evidence: rules.Evidence{
			Watched: rules.WatchedContacts | rules.WatchedExits, Hand: []rules.Body{rules.Disc(0)}, HandOver: true,
		}},
		rules.Ruleset{Board: f.Board})
	if err != nil {
		return err
	}
	for _, d := range v.Doubts {
		if d.Kind == rules.DoubtHand {
			r.Result["ruling"] = "referee or agreement of the players"
		}
	}
	r.Result["review"] = v.Review
	return nil
}

// damaged asks the judge about a disc that had moved in play before a disc that
// had left the surface moved it again.
func (f *File) damaged(option string, r *Result) error {
	rs := rules.Ruleset{Board: f.Board}
	if err := rs.Damage.UnmarshalText([]byte(option)); err != nil {
		return errCase("options.damage: %w", err)
	}
	disc := func(x, y float64, s board.Side) board.Disc {
		return board.Disc{Point: board.Point{X: x, Y: y}, Side: s, Confidence: 1}
	}
	v, err := rules.Judge(
		board.Snapshot{Discs: []board.Disc{disc(150, 0, board.SideA), disc(220, 0, board.SideB)}},
		board.Snapshot{Discs: []board.Disc{disc(170, 60, board.SideA), disc(100, 0, board.SideA)}},
		rules.Shot{Side: board.SideA, Track: &rules.Track{Discs: []int{0, rules.Gone}, Shot: 1}, Evidence: rules.Evidence{
			Watched:  rules.WatchedContacts | rules.WatchedExits,
			Contacts: []rules.Contact{{Striker: rules.ShotDisc, Struck: rules.Disc(0)}, {Striker: rules.Disc(0), Struck: rules.Disc(1)}},
			Exits:    []rules.Exit{{Body: rules.Disc(1)}},
			Damage:   []rules.Contact{{Striker: rules.Disc(1), Struck: rules.Disc(0)}},
		}}, rs)
	if err != nil {
		return err
	}
	r.Result["review"] = v.Review
	return nil
}

// either asks whether a player may take a side's turn.
func (f *File) either(order string, clockwise []string, last, attempt string, left map[string]int, r *Result) error {
	format := rules.Format{Layout: rules.Doubles, Rules: rules.Ruleset{Board: f.Board}, Discs: 12, End: rules.End{Rounds: 4}}
	if err := format.DoublesOrder.UnmarshalText([]byte(order)); err != nil {
		return errCase("options.doubles_order: %w", err)
	}
	lead, to := slices.Index(clockwise, last), slices.Index(clockwise, attempt)
	if len(clockwise) != 4 || lead < 0 || to < 0 {
		return errCase("clockwise does not name %q and %q", last, attempt)
	}
	if n, ok := left[attempt]; ok && n <= 0 {
		r.Result["allowed"] = false
		return nil
	}
	format.Lead = board.Seat(lead)
	g, err := rules.NewGame(format)
	if err != nil {
		return err
	}
	if g, err = next(g, rules.ShotForfeited{Seat: board.Seat(lead)}); err != nil {
		return err
	}
	r.Result["allowed"] = slices.Contains(g.Next(), board.Seat(to))
	return nil
}
