package live

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	profiles "crokcam/configs/rules"
	"crokcam/match"
	"crokcam/match/store"
	"crokcam/rules"
	"crokcam/rules/profile"
	"crokcam/sim"
	"crokcam/sim/physics"
	"crokcam/sim/play"
	"crokcam/vision/shots"
)

// sam is the person at the table.
var sam = match.Actor{Role: match.Scorer, Name: "Sam"}

// tester is a test, or a program of its own that ends at the first fault.
type tester interface {
	require.TestingT
	Helper()
	Context() context.Context
}

// rig is a table whose watcher is a test: what it would see of a simulated
// match is told to the keeper, so that a whole match takes no time.
type rig struct {
	t       tester
	table   *Table
	store   store.Store
	rng     *rand.Rand
	noise   float64 // of every position, mm
	at      time.Duration
	format  rules.Format
	match   *play.Match
	sim     *sim.Table
	colour  [board.SideD + 1]board.Side // the camera's, by side
	lies    []shots.Disc
	answer  func(q match.Question, s match.State) string // "" leaves it open
	truth   *play.Turn
	told    func(Notice) // hears of everything
	picture []byte       // that every shot has
}

// format is a profile's game for two.
func format(t tester, name string, layout rules.Layout) rules.Format {
	t.Helper()
	set, err := profile.Load(profiles.FS)
	require.NoError(t, err)
	p, ok := set.Find(name)
	require.True(t, ok)
	f, err := p.Format(layout)
	require.NoError(t, err)
	return f
}

func newRig(t tester, seed uint64, name string, layout rules.Layout) *rig {
	t.Helper()
	r := &rig{t: t, store: store.NewMemory(), rng: rand.New(rand.NewPCG(seed, 7)), noise: 0.3, format: format(t, name, layout)}
	p, err := physics.Find(physics.Default)
	require.NoError(t, err)
	r.sim, err = sim.NewTable(board.Tournament26(), p)
	require.NoError(t, err)
	c := play.Config{Table: r.sim, Format: r.format, Seed: seed, Hasty: true}
	for i := range c.Skills {
		c.Skills[i] = 0.75
	}
	r.match, err = play.NewMatch(c)
	require.NoError(t, err)
	seats := layout.Seats()
	for i, seat := range seats { // the camera names colours as they come
		if side := layout.Side(seat); r.colour[side] == board.NoSide {
			r.colour[side] = board.SideA + board.Side(i)
		}
	}
	if seed%2 == 1 { // and somebody may have seen the other side's first
		r.colour[board.SideA], r.colour[board.SideB] = r.colour[board.SideB], r.colour[board.SideA]
	}
	r.open()
	return r
}

// open sets the table up, as after a start of the program.
func (r *rig) open() {
	start := time.Date(2026, 11, 30, 19, 0, 0, 0, time.UTC)
	table, err := Open(Options{
		ID: "table-3", Name: "Table 3", Source: "camera:0", Store: r.store,
		Clock: func() time.Time { return start.Add(r.at) },
		Notify: func(n Notice) {
			if r.told != nil {
				r.told(n)
			}
		},
	})
	require.NoError(r.t, err)
	r.table = table
}

// begin starts the match.
func (r *rig) begin() {
	names := []string{"Ann", "Bob", "Cleo", "Dan"}
	rs := r.format
	rs.Rules.Board = board.Tournament26()
	setup := match.Started{Plan: match.Plan(rules.BestOf(1, rs)), Profile: "nca"}
	for i, seat := range r.format.Layout.Seats() {
		setup.Players = append(setup.Players, match.Player{Seat: seat, Name: names[i]})
	}
	_, err := r.table.Begin(r.t.Context(), sam, "", setup)
	require.NoError(r.t, err)
	r.rest(nil)
}

func (r *rig) state() match.State {
	s, ok := r.table.Match()
	require.True(r.t, ok)
	return s
}

// see is how discs look to the camera.
func (r *rig) see(discs []board.Disc) []shots.Disc {
	out := make([]shots.Disc, len(discs))
	for i, d := range discs {
		out[i] = shots.Disc{Disc: d}
		out[i].Side = r.colour[d.Side]
		out[i].Confidence = 0.99
		if d.Rest != board.InHole {
			out[i].Sigma = max(r.noise, 0.05)
			out[i].X += r.rng.NormFloat64() * r.noise
			out[i].Y += r.rng.NormFloat64() * r.noise
		}
		out[i].Top = out[i].Point
	}
	return out
}

// keep is the keeper under the table's lock, as a frame has it.
func (r *rig) keep(f func(k *keeper)) {
	r.table.mu.Lock()
	defer r.table.mu.Unlock()
	r.table.clock = instant{r.at, r.table.o.Clock()}
	f(r.table.keep)
	r.table.advance(r.t.Context())
	require.False(r.t, r.table.failing)
}

// rest shows the board at rest; discs that lie where they lay look the same.
func (r *rig) rest(discs []board.Disc) {
	r.at += time.Second
	r.lies = r.see(discs)
	r.keep(func(k *keeper) { k.rests(r.lies, r.at, r.table.o.Clock(), nil) })
	// Patience runs out where the board stays as it is.
	r.at += 2 * time.Second
	r.keep(func(k *keeper) { k.ticks(r.at) })
	r.answers()
	if r.truth != nil && r.truth.Over && len(discs) == 0 {
		r.at += agreedAfter
		r.keep(func(k *keeper) { k.ticks(r.at) })
	}
}

// answers has the players answer what is open.
func (r *rig) answers() {
	for n := 0; r.answer != nil && n < 50; n++ {
		said := false
		for _, q := range r.state().Questions(true) {
			if key := r.answer(q, r.state()); key != "" {
				_, err := r.table.Do(r.t.Context(), store.Entry{Actor: sam, Bodies: []match.Body{match.QuestionAnswered{Question: q.Seq, Choice: key}}})
				require.NoError(r.t, err)
				said = true
				break
			}
		}
		if !said {
			return
		}
	}
}

// shot is how the watcher would see a turn. lies is the board as seen before.
func (r *rig) shot(turn *play.Turn) *sighting {
	res := turn.Result
	s := &shots.Shot{Watched: true, Identified: true, Shooter: shots.Gone}
	s.Before = r.see(turn.Setup.Board.Discs)
	s.After = r.see(res.Final.Discs)
	for i := range s.Before {
		j := res.Place[i]
		s.Became = append(s.Became, j)
		if j < 0 {
			s.Left = append(s.Left, i)
			continue
		}
		b, a := turn.Setup.Board.Discs[i], res.Final.Discs[j]
		if b.Point == a.Point && b.Rest == a.Rest {
			s.After[j].Disc = s.Before[i].Disc // the watcher knows that it was not touched
		}
	}
	s.Shooter = max(res.Place[res.Shot], shots.Gone)
	for j, d := range res.Final.Discs {
		if d.Rest == board.InHole {
			s.Twenties = append(s.Twenties, j)
		}
	}
	return &sighting{Shot: s, end: r.table.o.Clock(), before: r.picture, after: r.picture}
}

// next plays the next turn of the simulated match, false when it is over.
func (r *rig) next() bool {
	turn, err := r.match.Next()
	if err != nil {
		require.ErrorIs(r.t, err, play.ErrOver)
		return false
	}
	r.truth = &turn
	if turn.Result == nil {
		_, err := r.table.Do(r.t.Context(), store.Entry{Actor: sam, Bodies: []match.Body{match.TurnForfeited{Seat: turn.Seat}}})
		require.NoError(r.t, err)
	} else {
		w := r.shot(&turn)
		r.at += 5 * time.Second
		r.keep(func(k *keeper) {
			k.saw(w)
			k.rests(w.After, r.at, r.table.o.Clock(), nil)
		})
		r.answers()
	}
	// The players do what the rules truly want, and the next one places a disc.
	r.rest(turn.Board.Discs)
	if turn.Scored == nil {
		r.keep(func(k *keeper) { k.acts() })
		r.answers()
	}
	if turn.Scored != nil {
		r.rest(nil)
	}
	return true
}

// honest answers as players do who have seen what happened.
func (r *rig) honest(q match.Question, s match.State) string {
	if r.truth == nil { // nothing was shot before these eyes: it is of a match that was left
		return q.Choices[0].Key
	}
	turn, _, ok := s.Turn(q.Turn)
	require.True(r.t, ok)
	switch q.About {
	case match.AboutDoubt:
		v := turn.Verdict
		for _, c := range q.Choices {
			switch {
			case c.Change.Answer != nil:
				a := v.Doubts[c.Change.Answer.Doubt].Answers[c.Change.Answer.Answer]
				if r.asItWas(a.Outcome) {
					return c.Key
				}
			case c.Change.Verdict != nil:
				if r.asItWas(c.Change.Verdict.Verdict.Outcomes) {
					return c.Key
				}
			}
		}
		return q.Choices[len(q.Choices)-1].Key // as it was called
	case match.AboutTwenty:
		n := 0
		for _, t := range r.truth.Verdict.Twenties {
			n += int(t)
		}
		if n > 0 {
			return "yes"
		}
		return "no"
	case match.AboutRemoval:
		there := r.truly(s, q)
		for _, c := range q.Choices {
			switch c.Key {
			case "put_back", "removed":
				if there == (c.Key == "put_back") {
					return c.Key
				}
			case "stays":
				if there {
					return c.Key
				}
			case "ditch":
				if !there {
					return c.Key
				}
			}
		}
	case match.AboutClose:
		for _, d := range s.Discs() {
			for _, was := range r.truth.Board.Discs {
				if dx, dy := d.X-was.X, d.Y-was.Y; d.ID == q.Discs[0] && dx*dx+dy*dy < 100 {
					return r.format.Rules.Value(was).Zone.String()
				}
			}
		}
		return q.Choices[0].Key
	case match.AboutShooter:
		return q.Choices[0].Key
	}
	return ""
}

// truly tells whether the disc of a question is truly on the board after the turn.
func (r *rig) truly(s match.State, q match.Question) bool {
	turn, _, _ := s.Turn(q.Turn)
	at := board.Point{X: 1e6}
	for _, d := range turn.Discs {
		if d.ID == q.Discs[0] {
			at = d.Point
		}
	}
	for _, d := range turn.Removed {
		if d.ID == q.Discs[0] {
			at = d.Point
		}
	}
	return slices.ContainsFunc(r.truth.Board.Discs, func(d board.Disc) bool {
		dx, dy := d.X-at.X, d.Y-at.Y
		return dx*dx+dy*dy < 100
	})
}

// asItWas tells whether outcomes leave the discs on the board that truly stay.
func (r *rig) asItWas(outcomes []rules.Outcome) bool {
	n := 0
	for _, o := range outcomes {
		if o.Fate != rules.OnBoard {
			continue
		}
		n++
		if !slices.ContainsFunc(r.truth.Board.Discs, func(d board.Disc) bool {
			dx, dy := d.X-o.At.X, d.Y-o.At.Y
			return d.Side == o.Side && dx*dx+dy*dy < 100
		}) {
			return false
		}
	}
	twenties := 0
	for _, o := range outcomes {
		if o.Fate == rules.Scored {
			twenties++
		}
	}
	want := 0
	for _, t := range r.truth.Verdict.Twenties {
		want += int(t)
	}
	return n == len(r.truth.Board.Discs) && twenties == want
}

// rounds are the rounds that count, as points by side.
func (r *rig) rounds() (out []rules.Points) {
	for _, x := range r.state().Rounds() {
		if x.Agreed {
			out = append(out, x.Totals)
		}
	}
	return out
}

// kinds are the kinds of the match's events in force.
func (r *rig) kinds() (out []string) {
	s := r.state()
	for _, e := range s.Events() {
		out = append(out, e.Body.Kind())
	}
	return out
}

func (r *rig) last(n int) string {
	k := r.kinds()
	return fmt.Sprint(k[max(0, len(k)-n):])
}
