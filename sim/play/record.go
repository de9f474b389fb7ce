package play

import (
	"fmt"
	"math"

	"crokcam/board"
	"crokcam/rules"
	"crokcam/sim"
)

// RecordSchema names the form of a Record.
const RecordSchema = "crokcam.sim.match/1"

// Record is a match written down: every shot with what truly happened.
type Record struct {
	Schema   string         `json:"schema"`
	Board    string         `json:"board"`
	Physics  string         `json:"physics"`
	Rules    string         `json:"rules"`
	Layout   rules.Layout   `json:"layout"`
	Seed     uint64         `json:"seed"`
	Players  []RecordPlayer `json:"players"`
	Shots    []RecordShot   `json:"shots"`
	Rounds   []RecordRound  `json:"rounds"`
	Scores   map[string]int `json:"scores"`
	Winner   string         `json:"winner"` // "" for a draw
	OpenShot map[string]int `json:"open_20s_tried"`
	OpenHits map[string]int `json:"open_20s_made"`
}

// RecordPlayer is somebody at the board.
type RecordPlayer struct {
	Seat  string  `json:"seat"`
	Side  string  `json:"side"`
	Skill float64 `json:"skill"`
}

// RecordShot is one shot.
type RecordShot struct {
	Round      int             `json:"round"`
	Shot       int             `json:"shot"`
	Seat       string          `json:"seat"`
	Side       string          `json:"side"`
	Forfeit    bool            `json:"forfeit"`
	Aim        string          `json:"aim"`
	FromMM     [2]float64      `json:"from_mm"`
	HeadingDeg float64         `json:"heading_deg"`
	SpeedMMS   float64         `json:"speed_mm_s"`
	SpinRadS   float64         `json:"spin_rad_s"`
	DurationS  float64         `json:"duration_s"`
	Contacts   []RecordContact `json:"contacts"`
	Ruling     string          `json:"ruling"`
	Text       string          `json:"text"`
	Discs      []RecordDisc    `json:"discs"` // after the ruling has been carried out
	Twenties   map[string]int  `json:"twenties"`
	Points     map[string]int  `json:"points"`
}

// RecordContact is one touch. Bodies are "shot", "disc 2" by the place among the
// discs before the shot, "ditch 1", "post 3", "rail", "wall" or "lip".
type RecordContact struct {
	T           float64    `json:"t"`
	A           string     `json:"a"`
	B           string     `json:"b"`
	PointMM     [2]float64 `json:"point_mm"`
	ApproachMMS float64    `json:"approach_mm_s"`
	ImpulseMNS  float64    `json:"impulse_mns"`
	Off         bool       `json:"off_surface"`
}

// RecordDisc is a disc on the board.
type RecordDisc struct {
	Side  string     `json:"side"`
	XYMM  [2]float64 `json:"xy_mm"`
	Zone  string     `json:"zone"`
	State string     `json:"state"`
}

// RecordRound is one scored round.
type RecordRound struct {
	Round    int            `json:"round"`
	Totals   map[string]int `json:"totals"`
	Twenties map[string]int `json:"twenties"`
	Awarded  map[string]int `json:"awarded"`
}

// NewRecord begins a record of a match that has not begun.
func NewRecord(c Config, ruleset string) *Record {
	r := &Record{
		Schema: RecordSchema, Board: c.Table.Spec().Name, Physics: c.Table.Params().Name, Rules: ruleset,
		Layout: c.Format.Layout, Seed: c.Seed, Shots: []RecordShot{}, Rounds: []RecordRound{},
		OpenShot: map[string]int{}, OpenHits: map[string]int{},
	}
	for _, s := range c.Format.Layout.Seats() {
		r.Players = append(r.Players, RecordPlayer{s.String(), c.Format.Layout.Side(s).String(), float64(c.Skills[s])})
	}
	return r
}

// Add writes a turn down.
func (r *Record) Add(t *Turn, rs rules.Ruleset, sides int) {
	s := RecordShot{
		Round: t.Round, Shot: t.Number, Seat: t.Seat.String(), Side: t.Side.String(), Forfeit: t.Forfeit,
		Contacts: []RecordContact{}, Discs: []RecordDisc{}, Text: t.Tell(rs),
		Twenties: bySide(sides, t.Twenties), Points: bySide(sides, t.Points(rs)),
	}
	if !t.Forfeit {
		s.Aim, s.Ruling = t.Plan.Aim.String(), t.Verdict.Ruling.String()
		s.FromMM = [2]float64{t.Flick.From.X, t.Flick.From.Y}
		s.HeadingDeg, s.SpeedMMS, s.SpinRadS = float64(t.Flick.Heading*180)/math.Pi, t.Flick.Speed, t.Flick.Spin
		s.DurationS = t.Result.Duration
		for i := range t.Result.Contacts {
			c := &t.Result.Contacts[i]
			s.Contacts = append(s.Contacts, RecordContact{
				T: c.At, A: bodyName(t.Result, c.A), B: bodyName(t.Result, c.B), PointMM: [2]float64{c.Point.X, c.Point.Y},
				ApproachMMS: c.Approach, ImpulseMNS: c.Impulse, Off: c.Off,
			})
		}
		if t.Plan.Aim == OpenTwenty {
			r.OpenShot[s.Side]++
			if t.Result.Discs[t.Result.Shot].Where == sim.InHole {
				r.OpenHits[s.Side]++
			}
		}
	}
	for _, d := range t.Board.Discs {
		s.Discs = append(s.Discs, RecordDisc{d.Side.String(), [2]float64{d.X, d.Y}, rs.Value(d).Zone.String(), d.Rest.String()})
	}
	r.Shots = append(r.Shots, s)
	if t.Scored != nil {
		r.Rounds = append(r.Rounds, RecordRound{
			t.Round, bySide(sides, t.Scored.Totals), bySide(sides, t.Scored.Twenties), bySide(sides, t.Scored.Awarded),
		})
	}
	r.Scores, r.Winner = bySide(sides, t.Scores), t.Winner.String()
}

func bySide(sides int, p rules.Points) map[string]int {
	out := map[string]int{}
	for s := board.SideA; int(s) <= sides; s++ {
		out[s.String()] = p[s]
	}
	return out
}

func bodyName(r *sim.Result, b sim.Body) string {
	switch {
	case b.Kind == sim.Post:
		return fmt.Sprintf("post %d", b.Index)
	case b.Kind != sim.Disc:
		return b.Kind.String()
	case b.Index == r.Shot:
		return "shot"
	case b.Index > r.Shot:
		return fmt.Sprintf("ditch %d", b.Index-r.Shot-1)
	}
	return fmt.Sprintf("disc %d", b.Index)
}
