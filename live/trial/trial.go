// Package trial measures a whole table: simulated matches are played before its
// camera, and what the match has in the end is compared with what truly happened.
package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"crokcam/board"
	profiles "crokcam/configs/rules"
	"crokcam/live"
	"crokcam/match"
	"crokcam/match/store"
	"crokcam/rules"
	"crokcam/rules/profile"
	"crokcam/sim/render/show"
	"crokcam/vision/capture"
)

// Schema names the form of Result in JSON.
const Schema = "crokcam.eval.table/1"

// Options say what is played.
type Options struct {
	Show   show.Config // Rounds is how many rounds are played
	Answer bool        // the players answer what they are asked, truthfully
	Store  store.Store // nil: in memory
	Notify func(live.Notice)
	// Frame hears of every frame before the table sees it, with the truth in it.
	Frame func(f *show.Frame)
	// Until, if it is not nil, ends the trial once it says so.
	Until func() bool
}

// Result is what came of the rounds.
type Result struct {
	Schema    string  `json:"schema"`
	Rounds    Rounds  `json:"rounds"`
	Shots     Shots   `json:"shots"`
	Questions int     `json:"questions"` // asked
	Blocking  int     `json:"blocking"`  // of them those that held play up
	Desyncs   int     `json:"desyncs"`   // times that the board had to be taken as it lay
	Frames    int     `json:"frames"`
	Seconds   float64 `json:"seconds"` // of the stream
	Each      []Round `json:"each"`
}

// Rounds counts rounds by their totals.
type Rounds struct {
	Truth   int `json:"truth"`
	Exact   int `json:"exact"`   // counted, with the right totals
	Wrong   int `json:"wrong"`   // counted, with others
	Waiting int `json:"waiting"` // not counted, since a question was open
}

// Shots counts shots recorded.
type Shots struct {
	Truth    int `json:"truth"`
	Recorded int `json:"recorded"`
}

// Round is one round.
type Round struct {
	Seed  uint64         `json:"seed"`
	Match int            `json:"match"`
	Round int            `json:"round"`
	Truth map[string]int `json:"truth"`
	Got   map[string]int `json:"got"` // null when it was not counted
	Notes []string       `json:"notes,omitempty"`
}

// Add adds another result.
func (r *Result) Add(o Result) {
	r.Schema = Schema
	r.Rounds.Truth += o.Rounds.Truth
	r.Rounds.Exact += o.Rounds.Exact
	r.Rounds.Wrong += o.Rounds.Wrong
	r.Rounds.Waiting += o.Rounds.Waiting
	r.Shots.Truth += o.Shots.Truth
	r.Shots.Recorded += o.Shots.Recorded
	r.Questions += o.Questions
	r.Blocking += o.Blocking
	r.Desyncs += o.Desyncs
	r.Frames += o.Frames
	r.Seconds += o.Seconds
	r.Each = append(r.Each, o.Each...)
}

// trial is a show with the people at it.
type trial struct {
	o      Options
	table  *live.Table
	show   *show.Show
	format rules.Format
	err    error

	mu     sync.Mutex
	shots  []*show.ShotTruth
	sides  map[int]string // of discs, by id
	now    time.Duration
	start  time.Time
	begun  int // match of the show for which the table's has been begun
	ids    []string
	result Result
	notes  []string
	last   *show.Frame
	after  time.Duration // since the show was over
}

// unhurried is how long a frame may take to draw on a busy machine: nobody waits at
// a camera.
const unhurried = 10 * time.Minute

// afterwards is how long the board is watched after a show.
const afterwards = 2 * time.Second

var player = match.Actor{Role: match.Scorer, Name: "players"}

// Run plays the rounds before a table.
func Run(ctx context.Context, o Options) (Result, error) {
	t := &trial{o: o, sides: map[int]string{}, start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	t.result.Schema = Schema
	if t.o.Store == nil {
		t.o.Store = store.NewMemory()
	}
	var err error
	if t.format, err = formatOf(o.Show); err != nil {
		return t.result, err
	}
	if t.show, err = show.New(ctx, o.Show); err != nil {
		return t.result, err
	}
	t.table, err = live.Open(live.Options{
		ID: "trial", Source: "trial:", Store: t.o.Store, Notify: t.hear,
		Clock: func() time.Time { return t.start.Add(t.stream()) },
		Capture: capture.Options{OpenTimeout: unhurried, Stall: unhurried, Plugins: map[string]capture.Plugin{
			"trial": func(context.Context, string, capture.Mode) (capture.Opened, error) {
				return capture.Opened{Feed: feed{t}, Timed: true}, nil
			},
		}},
	})
	if err != nil {
		return t.result, err
	}
	err = t.table.Run(ctx)
	if err == nil {
		err = errors.Join(t.err, ctx.Err())
	}
	if err == nil {
		err = t.count(ctx)
	}
	return t.result, errors.Join(err, t.table.Close())
}

func (t *trial) stream() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

func formatOf(c show.Config) (rules.Format, error) {
	set, err := profile.Load(profiles.FS)
	if err != nil {
		return rules.Format{}, fmt.Errorf("trial: %w", err)
	}
	p, ok := set.Find(c.Rules)
	if !ok {
		return rules.Format{}, fmt.Errorf("trial: there are no rules %q", c.Rules)
	}
	return p.Format(c.Layout)
}

// feed shows the table the next frame once it is done with the last.
type feed struct{ t *trial }

func (f feed) Close() error { return nil }

func (f feed) Next(ctx context.Context, out *capture.Frame) error {
	t := f.t
	if err := t.people(ctx); err != nil {
		t.err = err
		return io.EOF
	}
	if t.o.Until != nil && t.o.Until() {
		return io.EOF
	}
	p, err := t.show.Next(ctx)
	if errors.Is(err, io.EOF) && t.last != nil && t.after < afterwards {
		// The board goes on lying there once the show is over.
		t.after += seconds(1 / t.o.Show.FPS)
		out.At = t.stream() + t.after
		return out.Put(t.last.I420, t.last.W, t.last.H, capture.I420)
	}
	if err != nil {
		return err
	}
	t.last = p
	if t.o.Frame != nil {
		t.o.Frame(p)
	}
	t.mu.Lock()
	t.now = p.At
	for _, s := range p.Shots {
		t.sides[s.Shooter] = s.Side
		slim := *s // where each disc lay is of no use here, and large
		slim.Start, slim.End, slim.Settled, slim.Contacts = show.SnapshotTruth{}, show.SnapshotTruth{}, show.SnapshotTruth{}, nil
		t.shots = append(t.shots, &slim)
	}
	t.result.Frames++
	t.mu.Unlock()
	out.At = p.At
	return out.Put(p.I420, p.W, p.H, capture.I420)
}

// people begin matches, take the board as it lies when it has lost step, and
// answer.
func (t *trial) people(ctx context.Context) error {
	current := t.current()
	if current == nil || t.table.Calibration() == nil {
		return nil
	}
	s, on := t.table.Match()
	if on && current.Match != t.begun && s.Phase() != match.Over {
		if _, err := t.table.Do(ctx, entry(match.Closed{Reason: "the next match is being played"})); err != nil {
			return fmt.Errorf("trial: close: %w", err)
		}
		on = false
	}
	if current.Match != t.begun {
		return t.begin(ctx, current)
	}
	if !on || !t.o.Answer {
		return nil
	}
	if s.Desynced() != nil && t.at() > seconds(current.Timeline.AtRest) {
		return t.table.Accept(live.Acceptance{Actor: player})
	}
	for _, q := range s.Questions(true) {
		if key := t.answer(s, q); key != "" {
			if _, err := t.table.Do(ctx, entry(match.QuestionAnswered{Question: q.Seq, Choice: key})); err != nil {
				t.note("answer %d %s: %v", q.Seq, key, err)
			}
			return nil
		}
	}
	return nil
}

func entry(b ...match.Body) store.Entry { return store.Entry{Actor: player, Bodies: b} }

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func (t *trial) at() time.Duration { return t.stream() }

// current is the act that is on.
func (t *trial) current() *show.ShotTruth {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.shots) == 0 {
		return nil
	}
	return t.shots[len(t.shots)-1]
}

func (t *trial) begin(ctx context.Context, c *show.ShotTruth) error {
	f := t.format
	f.Lead = f.Layout.Seats()[(c.Match-1)%len(f.Layout.Seats())]
	setup := match.Started{Profile: t.o.Show.Rules, Plan: match.Plan(rules.BestOf(1, f)), Title: fmt.Sprintf("seed %d, match %d", t.o.Show.Seed, c.Match)}
	for _, seat := range f.Layout.Seats() {
		setup.Players = append(setup.Players, match.Player{Seat: seat, Name: seat.String()})
	}
	s, err := t.table.Begin(ctx, player, "", setup)
	if err != nil {
		return fmt.Errorf("trial: begin: %w", err)
	}
	t.begun = c.Match
	t.ids = append(t.ids, s.Setup().Match)
	return nil
}

func (t *trial) note(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notes = append(t.notes, fmt.Sprintf("%.1f s: ", t.now.Seconds())+fmt.Sprintf(format, args...))
}

func (t *trial) hear(n live.Notice) {
	if t.o.Notify != nil {
		t.o.Notify(n)
	}
	e, ok := n.Data.(match.Event)
	if !ok {
		return
	}
	switch b := e.Body.(type) {
	case match.QuestionAsked:
		t.mu.Lock()
		t.result.Questions++
		if b.Blocking {
			t.result.Blocking++
		}
		t.mu.Unlock()
		t.note("%s asked (event %d, blocking %v)", b.About, b.Turn, b.Blocking)
	case match.Desynced:
		t.mu.Lock()
		t.result.Desyncs++
		t.mu.Unlock()
		t.note("out of step: %s", b.Reason)
	case match.RoundAgreed:
		t.note("round agreed")
	case match.RoundStarted:
		t.note("round started")
	}
}

// shotOf is the true shot that a turn of the match is.
func (t *trial) shotOf(s match.State, seq int) *show.ShotTruth {
	turn, round, ok := s.Turn(seq)
	if !ok {
		return nil
	}
	number := 0
	for _, r := range s.Rounds() {
		number++
		if r.Seq == round.Seq {
			break
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, x := range t.shots {
		if x.Match == t.begun && x.Round == number && x.Number == turn.Number {
			return x
		}
	}
	return nil
}

// answer is what players say who have seen what happened; "" while they cannot.
func (t *trial) answer(s match.State, q match.Question) string {
	truth := t.shotOf(s, q.Turn)
	if truth == nil || t.at() < seconds(truth.Timeline.AtRest) {
		return ""
	}
	turn, _, _ := s.Turn(q.Turn)
	last := q.Choices[len(q.Choices)-1].Key
	switch q.About {
	case match.AboutDoubt:
		for _, c := range q.Choices {
			var out []rules.Outcome
			switch {
			case c.Change != nil && c.Change.Answer != nil && turn.Verdict != nil && c.Change.Answer.Doubt < len(turn.Verdict.Doubts):
				out = turn.Verdict.Doubts[c.Change.Answer.Doubt].Answers[c.Change.Answer.Answer].Outcome
			case c.Change != nil && c.Change.Verdict != nil:
				out = c.Change.Verdict.Verdict.Outcomes
			default:
				continue
			}
			if t.asItWas(truth, out) {
				return c.Key
			}
		}
		return last
	case match.AboutTwenty:
		want, got := 0, 0
		for _, n := range truth.Verdict.Twenties {
			want += n
		}
		for _, n := range turn.Verdict.Twenties {
			got += int(n)
		}
		if want > got {
			return "yes"
		}
		return "no"
	case match.AboutClose:
		return t.nearest(s, q, truth)
	case match.AboutRemoval:
		return t.removed(q, turn, truth)
	case match.AboutShooter:
		for _, c := range q.Choices {
			if c.Key == truth.Seat {
				return c.Key
			}
		}
	}
	return q.Choices[0].Key
}

// asItWas tells whether outcomes leave as many discs and 20s of each side as
// there truly were.
func (t *trial) asItWas(truth *show.ShotTruth, out []rules.Outcome) bool {
	type count struct{ board, twenty int }
	want, got := map[string]count{}, map[string]count{}
	t.mu.Lock()
	for id, fate := range truth.Verdict.Fates {
		var n int
		_, _ = fmt.Sscan(id, &n)
		c := want[t.sides[n]]
		if fate == rules.OnBoard.String() {
			c.board++
		}
		want[t.sides[n]] = c
	}
	t.mu.Unlock()
	for side, n := range truth.Verdict.Twenties {
		c := want[side]
		c.twenty = n
		want[side] = c
	}
	for _, o := range out {
		c := got[o.Side.String()]
		switch o.Fate {
		case rules.OnBoard:
			c.board++
		case rules.Scored:
			c.twenty++
		}
		got[o.Side.String()] = c
	}
	for side, c := range want {
		if got[side] != c {
			return false
		}
	}
	return true
}

// nearest answers a close call so that the side's count comes nearest to the
// true one.
func (t *trial) nearest(s match.State, q match.Question, truth *show.ShotTruth) string {
	if truth.Result == nil {
		return q.Choices[0].Key
	}
	rounds := s.Rounds()
	totals := rounds[len(rounds)-1].Totals
	for _, d := range s.Discs() {
		if d.ID != q.Discs[0] {
			continue
		}
		best, least := q.Choices[0].Key, 1<<30
		for _, c := range q.Choices {
			zone := d.Zone
			if c.Change != nil && c.Change.Value != nil {
				zone = c.Change.Value.Zone
			}
			off := totals[d.Side] - d.Zone.Points() + zone.Points() - truth.Result.Totals[d.Side.String()]
			if off = max(off, -off); off < least {
				best, least = c.Key, off
			}
		}
		return best
	}
	return q.Choices[0].Key
}

// removed answers a question about a disc that stays or is gone by how many discs
// of its side are truly on the board after the shot.
func (t *trial) removed(q match.Question, turn match.Turn, truth *show.ShotTruth) string {
	var side board.Side
	on := false
	for _, d := range turn.Discs {
		if d.ID == q.Discs[0] {
			side, on = d.Side, true
		}
	}
	for _, d := range turn.Removed {
		if d.ID == q.Discs[0] {
			side = d.Side
		}
	}
	want, got := 0, 0
	t.mu.Lock()
	for id, fate := range truth.Verdict.Fates {
		var n int
		_, _ = fmt.Sscan(id, &n)
		if t.sides[n] == side.String() && fate == rules.OnBoard.String() {
			want++
		}
	}
	t.mu.Unlock()
	for _, d := range turn.Discs {
		if d.Side == side {
			got++
		}
	}
	key := q.Choices[0].Key
	if on && got > want {
		key = "ditch"
	}
	if !on && got < want {
		key = "stays"
	}
	twenties := 0
	for _, n := range truth.Verdict.Twenties {
		twenties += n
	}
	if q.Choices[len(q.Choices)-1].Key == "no_twenty" && twenties == 0 {
		key = "no_twenty"
	}
	if !slices.ContainsFunc(q.Choices, func(c match.Choice) bool { return c.Key == key }) {
		key = q.Choices[0].Key
	}
	return key
}

// count compares the rounds of the matches with what truly happened.
func (t *trial) count(ctx context.Context) error {
	r := &t.result
	r.Seconds = t.now.Seconds()
	counted := map[[2]int]match.Round{}
	for i, id := range t.ids {
		s, err := store.Load(ctx, t.o.Store, id)
		if err != nil {
			return fmt.Errorf("trial: %w", err)
		}
		for n, x := range s.Rounds() {
			counted[[2]int{i + 1, n + 1}] = x
			for _, turn := range x.Turns {
				if turn.Kind == match.ShotTurn {
					r.Shots.Recorded++
				}
			}
		}
	}
	r.Shots.Truth = len(t.shots)
	for _, s := range t.shots {
		if s.Result == nil {
			continue
		}
		r.Rounds.Truth++
		out := Round{Seed: t.o.Show.Seed, Match: s.Match, Round: s.Round, Truth: s.Result.Totals}
		x, ok := counted[[2]int{s.Match, s.Round}]
		if !ok || !x.Agreed {
			r.Rounds.Waiting++
			r.Each = append(r.Each, out)
			continue
		}
		out.Got = map[string]int{}
		exact := true
		for i := range t.format.Layout.Sides() {
			side := board.SideA + board.Side(i)
			out.Got[side.String()] = x.Totals[side]
			exact = exact && x.Totals[side] == s.Result.Totals[side.String()]
		}
		if exact {
			r.Rounds.Exact++
		} else {
			r.Rounds.Wrong++
		}
		r.Each = append(r.Each, out)
	}
	if len(r.Each) > 0 {
		r.Each[len(r.Each)-1].Notes = t.notes
	}
	return nil
}
