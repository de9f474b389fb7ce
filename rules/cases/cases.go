// Package cases reads rule cases: small JSON descriptions of a shot, a line
// call, a placing, a round, a game, an order of play, a table or an event, and
// runs them through package rules. The form is that of testdata/rules: an object
// with "meta", which gives the board, and "cases".
package cases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"crokcam/board"
	"crokcam/rules"
)

// ErrCase marks a case, or a file of them, that cannot be read.
var ErrCase = errors.New("cases: unreadable")

func errCase(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrCase, fmt.Errorf(format, args...))
}

// File is a file of cases.
type File struct {
	Board board.Spec
	Cases []Case
	Rules func(profile string) (rules.Ruleset, bool) // looks profiles up; may be nil
}

// Case is one case, read but not yet run.
type Case struct {
	ID   string
	Kind string
	raw  json.RawMessage
}

// Result is the answer to a case: its keys are those of the case's expect, and
// more.
type Result struct {
	ID     string         `json:"id"`
	Kind   string         `json:"kind"`
	Result map[string]any `json:"result"`
	Error  string         `json:"error,omitempty"`

	// Verdict and Names are set for shots, for those who want to tell them in
	// words. Names are the discs' ids in the order of the verdict's outcomes.
	Verdict *rules.Verdict `json:"-"`
	Names   []string       `json:"-"`
}

type metaBoard struct {
	DiscRadius    *float64           `json:"disc_radius"`
	Rings         map[string]float64 `json:"rings_line_centre"`
	LineWidth     *float64           `json:"line_width"`
	SurfaceRadius *float64           `json:"surface_radius"`
	HoleRadius    *float64           `json:"hole_radius"`
	Posts         *struct {
		Count    int     `json:"count"`
		Circle   float64 `json:"radius_of_circle"`
		FirstDeg float64 `json:"first_deg"`
		StepDeg  float64 `json:"step_deg"`
		Radius   float64 `json:"post_radius"`
	} `json:"posts"`
	Quadrants []float64 `json:"quadrant_lines_deg"`
}

// Parse reads a file of cases. The lines of the cases' board are given by their
// middle, those of a board.Spec by their outer edge.
func Parse(data []byte) (*File, error) {
	var in struct {
		Meta struct {
			Board metaBoard `json:"board"`
		} `json:"meta"`
		Cases []json.RawMessage `json:"cases"`
	}
	var other *json.UnmarshalTypeError
	switch err := json.Unmarshal(data, &in); {
	case errors.As(err, &other):
		return nil, errCase("%s stands where an object with \"cases\" and perhaps \"meta\" is wanted", other.Value)
	case err != nil:
		return nil, errCase("%w", err)
	case in.Cases == nil:
		return nil, errCase("there are no \"cases\" in it")
	}
	f := &File{Board: board.Tournament26()}
	if err := in.Meta.Board.apply(&f.Board); err != nil {
		return nil, err
	}
	for i, raw := range in.Cases {
		var head struct {
			ID   string `json:"id"`
			Kind string `json:"kind"`
		}
		if err := json.Unmarshal(raw, &head); err != nil {
			return nil, errCase("case %d: %w", i+1, err)
		}
		f.Cases = append(f.Cases, Case{ID: head.ID, Kind: head.Kind, raw: raw})
	}
	return f, nil
}

func (m metaBoard) apply(s *board.Spec) error {
	width := 1.6
	if m.LineWidth != nil {
		width = *m.LineWidth
	}
	set := func(to *float64, from *float64) {
		if from != nil {
			*to = *from
		}
	}
	set(&s.Disc.Radius, m.DiscRadius)
	set(&s.Surface, m.SurfaceRadius)
	set(&s.Hole.Radius, m.HoleRadius)
	middle := map[string]float64{"15": 101.6, "10": 203.2, "5_start": 304.8}
	for k, v := range m.Rings {
		if _, ok := middle[k]; !ok {
			return errCase("meta.board.rings_line_centre: no ring %q", k)
		}
		middle[k] = v
	}
	s.Fifteen = board.Ring{Outer: middle["15"] + width/2, Width: width}
	s.Ten = board.Ring{Outer: middle["10"] + width/2, Width: width}
	s.Start = board.Ring{Outer: middle["5_start"] + width/2, Width: width}
	s.Quadrants.Width = width
	if len(m.Quadrants) > 0 {
		s.Quadrants.Angle = radians(m.Quadrants[0])
	}
	if p := m.Posts; p != nil {
		s.Posts.Count, s.Posts.Radius, s.Posts.Diameter = p.Count, p.Circle, 2*p.Radius
		s.Posts.Angle = radians(p.FirstDeg) - s.Quadrants.Angle
		if p.Count < 0 || p.Count > 64 {
			return errCase("meta.board.posts: %d posts", p.Count)
		}
	}
	if err := s.Validate(); err != nil {
		return errCase("meta.board: %w", err)
	}
	return nil
}

func radians(deg float64) float64 { return deg * math.Pi / 180 }

// Run runs one case. A case that cannot be run gives a Result with Error set and
// an empty result.
func (f *File) Run(c Case) Result {
	r := Result{ID: c.ID, Kind: c.Kind, Result: map[string]any{}}
	var err error
	switch c.Kind {
	case "shot":
		err = f.shot(c, &r)
	case "line":
		err = f.line(c, &r)
	case "placement":
		err = f.placement(c, &r)
	case "round":
		err = f.round(c, &r)
	case "game":
		err = f.game(c, &r)
	case "order":
		err = f.order(c, &r)
	case "standings":
		err = f.standings(c, &r)
	case "event":
		err = f.event(c, &r)
	default:
		err = errCase("kind %q is not known", c.Kind)
	}
	if err != nil {
		r.Error = err.Error()
	}
	return r
}

// options reads the rule options of a case onto the default ruleset, or onto the
// profile it names.
func (f *File) options(raw json.RawMessage) (rules.Ruleset, map[string]json.RawMessage, error) {
	rs := rules.Ruleset{Board: f.Board}
	var opts map[string]json.RawMessage
	if len(raw) > 0 && !bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		if err := json.Unmarshal(raw, &opts); err != nil {
			return rs, nil, errCase("options: %w", err)
		}
	}
	if p, ok := opts["profile"]; ok {
		var name string
		if err := json.Unmarshal(p, &name); err != nil {
			return rs, nil, errCase("options.profile: %w", err)
		}
		found := false
		if f.Rules != nil {
			rs, found = f.Rules(name)
		}
		if !found {
			return rs, nil, errCase("options.profile: no profile %q", name)
		}
		rs.Board = f.Board
	}
	for name, to := range map[string]any{
		"open_board": &rs.OpenBoard, "open_board_scope": &rs.OpenBoardScope, "open_board_penalty": &rs.OpenBoardPenalty,
		"contact": &rs.Contact, "contact_penalty": &rs.ContactPenalty, "invalid_opponent_discs": &rs.InvalidOpponentDiscs,
		"damage": &rs.Damage, "spin": &rs.Spin, "line": &rs.Line, "start_radial": &rs.StartRadial,
		"start_lateral": &rs.StartLateral, "round_score": &rs.RoundScore, "starter": &rs.Starter,
	} {
		if v, ok := opts[name]; ok {
			if err := json.Unmarshal(v, to); err != nil {
				return rs, nil, errCase("options.%s: %w", name, err)
			}
		}
	}
	return rs, opts, nil
}

// usualSides are the sides of a case that names none, by its mode.
var usualSides = map[string]string{
	"": `["A", "B"]`, "2p": `["A", "B"]`, "4p": `{"SN": ["S", "N"], "WE": ["W", "E"]}`,
	"3p_2v1": `{"P": ["P1", "P2"], "Q": ["Q"]}`, "3p_ffa": `["A", "B", "C"]`, "4p_ffa": `["A", "B", "C", "D"]`,
}

// usualSeats are the players of a mode, clockwise from south.
var usualSeats = map[string][]string{
	"2p": {"A", "-", "B"}, "4p": {"S", "W", "N", "E"}, "3p_2v1": {"P1", "Q", "P2"}, "3p_ffa": {"A", "B", "C"}, "4p_ffa": {"A", "B", "C", "D"},
}

// parties tells sides and players apart: the file's "sides" is an object of
// player lists, or a plain list of sides.
type parties struct {
	names []string // by side, from A
	of    map[string]board.Side
}

func readParties(raw json.RawMessage, mode string) (parties, error) {
	p := parties{of: map[string]board.Side{}}
	if len(raw) == 0 || raw[0] == 'n' {
		usual, ok := usualSides[mode]
		if !ok {
			return p, errCase("sides are missing")
		}
		raw = json.RawMessage(usual)
	}
	add := func(name string, players []string) error {
		if len(p.names) == int(board.SideD) {
			return errCase("more than %d sides", int(board.SideD))
		}
		p.names = append(p.names, name)
		side := board.Side(len(p.names))
		for _, n := range append(players, name) {
			if s, ok := p.of[n]; ok && s != side {
				return errCase("%q is on two sides", n)
			}
			p.of[n] = side
		}
		return nil
	}
	if raw[0] == '[' {
		var list []string
		if err := json.Unmarshal(raw, &list); err != nil {
			return p, errCase("sides: %w", err)
		}
		for _, n := range list {
			if err := add(n, nil); err != nil {
				return p, err
			}
		}
		return p, nil
	}
	// Object keys in the order they are written: the first side is A.
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return p, errCase("sides: neither a list nor an object")
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return p, errCase("sides: %w", err)
		}
		var players []string
		if err := dec.Decode(&players); err != nil {
			return p, errCase("sides: %w", err)
		}
		if err := add(t.(string), players); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p parties) side(name string) (board.Side, error) {
	if s, ok := p.of[name]; ok {
		return s, nil
	}
	return board.NoSide, errCase("%q plays for no side", name)
}

// points reads a map of figures by side or player; those of partners add up.
func (p parties) points(m map[string]int) (rules.Points, error) {
	var out rules.Points
	for name, n := range m {
		s, err := p.side(name)
		if err != nil {
			return out, err
		}
		out[s] += n
	}
	return out, nil
}

func (p parties) byName(pts rules.Points) map[string]int {
	out := make(map[string]int, len(p.names))
	for i, n := range p.names {
		out[n] = pts[i+1]
	}
	return out
}

func (p parties) name(s board.Side) any {
	if s == board.NoSide {
		return nil
	}
	return p.names[s-1]
}

type place struct {
	ID    string   `json:"id"`
	Owner string   `json:"owner"`
	X     *float64 `json:"x_mm"`
	Y     *float64 `json:"y_mm"`
	Sigma float64  `json:"sigma_mm"`
	State string   `json:"state"`
	In    bool     `json:"in_hole"`
	Off   bool     `json:"off_board"`
}

func (d place) disc(side board.Side) (board.Disc, error) {
	out := board.Disc{Side: side, Sigma: d.Sigma, Confidence: 1}
	if d.X != nil && d.Y != nil {
		out.Point = board.Point{X: *d.X, Y: *d.Y}
	} else if !d.In {
		return out, errCase("disc %q has no place", d.ID)
	}
	switch d.State {
	case "", "flat", "surface":
	case "leaning":
		out.Rest = board.Leaning
	case "hanging": // flat, over the edge of the hole: counts by where it lies
	case "standing":
		out.Rest = board.Standing
	case "hole":
		out.Rest = board.InHole
	default:
		return out, errCase("disc %q: state %q is not known", d.ID, d.State)
	}
	if d.In {
		out.Rest = board.InHole
	}
	return out, nil
}

func (f *File) line(c Case, r *Result) error {
	var in struct {
		Options  json.RawMessage `json:"options"`
		Position place           `json:"position"`
		State    string          `json:"state"`
	}
	if err := json.Unmarshal(c.raw, &in); err != nil {
		return errCase("%w", err)
	}
	rs, _, err := f.options(in.Options)
	if err != nil {
		return err
	}
	if in.Position.State == "" {
		in.Position.State = in.State
	}
	d, err := in.Position.disc(board.SideA)
	if err != nil {
		return err
	}
	call := rs.Value(d)
	r.Result["value"] = call.Zone.Points()
	r.Result["on_board"] = d.Rest != board.InHole && call.Zone != board.Out
	// A disc whose middle is over the hole and that is not flat in it leans; one
	// that only reaches over the rim hangs.
	switch radius := d.Radius(); {
	case d.Rest == board.InHole:
		r.Result["state"] = "hole"
	case d.Rest == board.Leaning || radius < f.Board.Hole.Radius:
		r.Result["state"] = "leaning"
	case d.Rest == board.Standing:
		r.Result["state"] = "standing"
	case radius < f.Board.Hole.Radius+f.Board.Disc.Radius:
		r.Result["state"] = "hanging"
	default:
		r.Result["state"] = "flat"
	}
	return nil
}

func (f *File) placement(c Case, r *Result) error {
	var in struct {
		Options  json.RawMessage `json:"options"`
		Mode     string          `json:"mode"`
		Shooter  string          `json:"shooter"`
		Quadrant []float64       `json:"quadrant_deg"`
		Placed   place           `json:"placed"`
	}
	if err := json.Unmarshal(c.raw, &in); err != nil {
		return errCase("%w", err)
	}
	rs, _, err := f.options(in.Options)
	if err != nil {
		return err
	}
	d, err := in.Placed.disc(board.SideA)
	if err != nil {
		return err
	}
	var quadrant rules.Quadrant
	switch seat := slices.Index(usualSeats[in.Mode], in.Shooter); {
	case len(in.Quadrant) == 2:
		quadrant = rules.Quadrant{From: radians(in.Quadrant[0]), To: radians(in.Quadrant[1])}
	case len(in.Quadrant) == 0 && seat >= 0:
		quadrant = rules.QuadrantOf(f.Board, board.Seat(seat))
	default:
		return errCase("quadrant_deg has %d angles, and %q has no seat", len(in.Quadrant), in.Shooter)
	}
	fault, _, err := rs.CheckPlacement(d.Point, quadrant)
	if err != nil {
		return err
	}
	legal := fault == rules.Placed && d.Rest == board.OnSurface // flat (PLC-1)
	r.Result["legal"] = legal
	if fault != rules.Placed {
		r.Result["fault"] = fault.String()
	}
	return nil
}

func (f *File) round(c Case, r *Result) error {
	var in struct {
		Options  json.RawMessage `json:"options"`
		Mode     string          `json:"mode"`
		Sides    json.RawMessage `json:"sides"`
		Board    []place         `json:"board"`
		Twenties map[string]int  `json:"twenties"`
	}
	if err := json.Unmarshal(c.raw, &in); err != nil {
		return errCase("%w", err)
	}
	rs, _, err := f.options(in.Options)
	if err != nil {
		return err
	}
	p, err := readParties(in.Sides, in.Mode)
	if err != nil {
		return err
	}
	twenties, err := p.points(in.Twenties)
	if err != nil {
		return err
	}
	var snap board.Snapshot
	for _, d := range in.Board {
		if d.Off {
			continue
		}
		side, err := p.side(d.Owner)
		if err != nil {
			return err
		}
		disc, err := d.disc(side)
		if err != nil {
			return err
		}
		snap.Discs = append(snap.Discs, disc)
	}
	res, err := rs.ScoreRound(len(p.names), snap, twenties)
	if err != nil {
		return err
	}
	r.Result["totals"] = p.byName(res.Totals)
	r.Result["awarded"] = p.byName(res.Awarded)
	r.Result["winner"] = p.name(res.Winner)
	return nil
}

func (f *File) standings(c Case, r *Result) error {
	var in struct {
		Options struct {
			TieBreak []rules.Criterion `json:"tie_break"`
		} `json:"options"`
		Players []struct {
			Name     string            `json:"name"`
			Points   int               `json:"points"`
			Twenties int               `json:"twenties"`
			Shootout int               `json:"shootout"`
			Beat     map[string][2]int `json:"beat"`
		} `json:"players"`
	}
	if err := json.Unmarshal(c.raw, &in); err != nil {
		return errCase("%w", err)
	}
	by := in.Options.TieBreak
	if by == nil {
		by = []rules.Criterion{rules.ByPoints, rules.ByTwenties}
	}
	var list []rules.Entrant
	for _, p := range in.Players {
		list = append(list, rules.Entrant{Name: p.Name, Points: p.Points, Twenties: p.Twenties, Shootout: p.Shootout, Games: p.Beat})
	}
	groups, err := rules.Standings(list, by)
	if err != nil {
		return err
	}
	ranking, level := []string{}, [][]string{}
	for _, g := range groups {
		var names []string
		for _, e := range g {
			names = append(names, e.Name)
		}
		ranking = append(ranking, names...)
		if len(names) > 1 {
			level = append(level, names)
		}
	}
	r.Result["ranking"] = ranking
	if len(level) > 0 {
		r.Result["level"] = level
	}
	return nil
}
