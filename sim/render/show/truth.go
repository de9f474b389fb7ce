package show

import (
	"math"

	"crokcam/board"
	"crokcam/rules/say"
	"crokcam/sim"
	"crokcam/sim/render"
)

// FrameTruth is what is true in one frame.
type FrameTruth struct {
	Frame   uint64      `json:"frame"`
	T       float64     `json:"t"`
	HandPx  int         `json:"hand_px"`
	HandTip *[3]float64 `json:"hand_tip_mm"` // of the first hand; null when none is there
	Discs   []DiscAt    `json:"discs"`       // those that are there
}

// DiscAt is one disc in one frame.
type DiscAt struct {
	ID      int        `json:"id"`
	XYZ     [3]float64 `json:"xyz_mm"` // centre of its foot
	V       [2]float64 `json:"v_mm_s"`
	Top     [2]float64 `json:"top_px"`
	Base    [2]float64 `json:"base_px"`
	Visible int        `json:"visible_px"`
	Carried bool       `json:"carried"`
	Place   string     `json:"location"`
}

// ShotTruth is one shot of a show.
type ShotTruth struct {
	Match    int            `json:"match"`
	Round    int            `json:"round"`
	Number   int            `json:"number"`
	Seat     string         `json:"seat"`
	Side     string         `json:"side"`
	Colour   string         `json:"colour"`
	Shooter  int            `json:"shooter"` // id
	Aim      string         `json:"aim"`
	Timeline Timeline       `json:"timeline"`
	Physics  PhysicsTruth   `json:"physics"`
	Contacts []ContactTruth `json:"contacts"`
	Exits    []ExitTruth    `json:"exits"`
	Start    SnapshotTruth  `json:"start"`
	End      SnapshotTruth  `json:"end"`     // at rest, before the verdict is carried out
	Settled  SnapshotTruth  `json:"settled"` // after it
	Verdict  VerdictTruth   `json:"verdict"`
	Result   *RoundTruth    `json:"round_result,omitempty"` // of a round's last shot
}

// RoundTruth is the count of a round, by side.
type RoundTruth struct {
	Totals   map[string]int `json:"totals"`
	Twenties map[string]int `json:"twenties"`
	Awarded  map[string]int `json:"awarded"`
	Winner   string         `json:"winner"` // "" for none
}

// PhysicsTruth is how the disc was shot.
type PhysicsTruth struct {
	Mu       float64 `json:"mu"`
	Speed    float64 `json:"v0_mm_s"`
	Heading  float64 `json:"direction_deg"`
	Duration float64 `json:"duration_s"`
}

// ContactTruth is one contact, its time from the beginning of the show.
type ContactTruth struct {
	T        float64    `json:"t"`
	Type     string     `json:"type"` // disc-disc, disc-post, …
	IDs      [2]int     `json:"ids"`  // of discs; of a post its place
	Point    [2]float64 `json:"point_mm"`
	Normal   [2]float64 `json:"normal"`
	Approach float64    `json:"approach_speed_mm_s"`
	Impulse  float64    `json:"impulse_mn_s"`
	Frame    float64    `json:"frame"`
}

// ExitTruth is a disc that left the surface.
type ExitTruth struct {
	ID       int     `json:"id"`
	T        float64 `json:"t"`
	Returned bool    `json:"returned"`
}

// SnapshotTruth is what lies there.
type SnapshotTruth struct {
	Discs  []render.DiscTruth      `json:"discs"`
	Totals map[string]render.Total `json:"totals"`
}

// VerdictTruth is what the rules make of the shot, told everything.
type VerdictTruth struct {
	Rules    string            `json:"rules"`
	Ruling   string            `json:"ruling"`
	Open     bool              `json:"open_shot"`
	Twenties map[string]int    `json:"twenties"`
	Fates    map[string]string `json:"fates"` // by disc id
	Words    string            `json:"words"`
	Scores   map[string]int    `json:"scores"` // of the game so far, by side
	Scored   bool              `json:"round_ends"`
}

// truth is what is true in the frame of time t.
func (s *Show) truth(t float64, m render.Moment, f *render.Frame) FrameTruth {
	out := FrameTruth{Frame: s.frame, T: round(t, 5), HandPx: f.HandPx, Discs: []DiscAt{}}
	if len(m.Hands) > 0 {
		tip := m.Hands[0].Tip
		out.HandTip = &[3]float64{round(tip[0], 2), round(tip[1], 2), round(tip[2], 2)}
	}
	const dt = 0.002
	before, _ := s.liesAt(t - dt)
	after, _ := s.liesAt(t + dt)
	c := &s.set.Scene().Camera
	for i := range m.Discs {
		d := &m.Discs[i]
		if d.Foot == farAway {
			continue
		}
		top := d.Top()
		a := DiscAt{ID: d.ID, Visible: f.Seen[i], Carried: d.Carried, Place: d.Place.String()}
		for k := range a.XYZ {
			a.XYZ[k] = round(d.Foot[k], 3)
		}
		if !before[i].away && !after[i].away {
			for k := range a.V {
				a.V[k] = round((after[i].foot[k]-before[i].foot[k])/(2*dt), 2)
			}
		}
		u, v := c.Project(top[0], top[1], top[2])
		a.Top = [2]float64{round(u, 2), round(v, 2)}
		u, v = c.Project(d.Foot[0], d.Foot[1], d.Foot[2])
		a.Base = [2]float64{round(u, 2), round(v, 2)}
		out.Discs = append(out.Discs, a)
	}
	return out
}

// shotTruth is what is true of the act that begins.
func (s *Show) shotTruth() *ShotTruth {
	a := s.act
	t, r, v := &a.turn, a.turn.Result, &a.turn.Verdict
	out := &ShotTruth{
		Match: a.match, Round: t.Round, Number: t.Number, Seat: t.Seat.String(), Side: t.Side.String(),
		Colour: s.slots[a.shooter].look.Side, Shooter: a.shooter, Aim: t.Plan.Aim.String(), Timeline: a.timeline,
		Physics:  PhysicsTruth{s.table.Params().Surface.Friction, 0, s.heading(r) * 180 / math.Pi, r.Duration},
		Contacts: []ContactTruth{}, Exits: []ExitTruth{},
	}
	if r.Duration > 0 {
		p, q := r.At(0)[r.Shot], r.At(0.001)[r.Shot]
		out.Physics.Speed = math.Hypot(q.X-p.X, q.Y-p.Y) / 0.001
	}
	id := func(b sim.Body) int {
		if b.Kind == sim.Disc {
			return a.slots[b.Index]
		}
		return b.Index
	}
	for i := range r.Contacts {
		c := &r.Contacts[i]
		at := a.timeline.Release + c.At
		out.Contacts = append(out.Contacts, ContactTruth{
			T: at, Type: c.A.Kind.String() + "-" + c.B.Kind.String(), IDs: [2]int{id(c.A), id(c.B)},
			Point: [2]float64{c.Point.X, c.Point.Y}, Normal: [2]float64{c.Normal.X, c.Normal.Y},
			Approach: c.Approach, Impulse: c.Impulse, Frame: at * s.config.FPS,
		})
	}
	for _, e := range r.Exits {
		out.Exits = append(out.Exits, ExitTruth{a.slots[e.Disc], a.timeline.Release + e.At, e.Returned > 0})
	}
	out.Start, out.End, out.Settled = s.snapshot(a.timeline.Release), s.snapshot(a.timeline.AtRest), s.snapshot(a.end-1e-9)
	out.Verdict = VerdictTruth{
		Rules: s.config.Rules, Ruling: v.Ruling.String(), Open: v.OpenShot, Twenties: map[string]int{},
		Fates: map[string]string{}, Scores: map[string]int{}, Scored: t.Scored != nil,
	}
	for i := range v.Outcomes {
		o := &v.Outcomes[i]
		k := int(o.Before)
		if k < 0 {
			k = r.Shot
		}
		out.Verdict.Fates[itoa(a.slots[k])] = o.Fate.String()
	}
	if t.Scored != nil {
		out.Result = &RoundTruth{Totals: map[string]int{}, Twenties: map[string]int{}, Awarded: map[string]int{}, Winner: t.Scored.Winner.String()}
	}
	for i := range s.format.Layout.Sides() {
		side := board.SideA + board.Side(i)
		name := side.String()
		out.Verdict.Twenties[name] = int(v.Twenties[side])
		out.Verdict.Scores[name] = t.Scores[side]
		if t.Scored != nil {
			out.Result.Totals[name], out.Result.Twenties[name], out.Result.Awarded[name] = t.Scored.Totals[side], t.Scored.Twenties[side], t.Scored.Awarded[side]
		}
	}
	if words, err := say.For("en"); err == nil {
		out.Verdict.Words = words.Explain(*v, say.Names{})
	}
	return out
}

// snapshot is what lies there at time t of the act.
func (s *Show) snapshot(t float64) SnapshotTruth {
	scene := *s.set.Scene()
	for _, d := range s.discsAt(t) {
		if d.Foot != farAway {
			scene.Discs = append(scene.Discs, d)
		}
	}
	truth := render.TruthOf(&scene, s.kind, nil)
	return SnapshotTruth{truth.Discs, truth.Totals}
}
