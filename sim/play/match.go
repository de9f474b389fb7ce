package play

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"crokcam/board"
	"crokcam/rules"
	"crokcam/sim"
	"crokcam/sim/internal/exact"
)

// Config says what match is played.
type Config struct {
	Table  *sim.Table
	Format rules.Format // its ruleset's board is set to the table's
	// Skills are those of the seats, indexed by board.Seat; those of empty seats
	// count for nothing.
	Skills [4]Skill
	Seed   uint64
	// Hasty and Glances are those of every Player.
	Hasty   bool
	Glances int
}

// Match is a game being played on a simulated board.
type Match struct {
	table   *sim.Table
	game    rules.Game
	players [4]*Player
	rand    *rand.Rand
	angles  []float64   // of the discs on the board
	ditch   []sim.Lying // this round's
}

// Turn is one shot of a match.
type Turn struct {
	Round    int
	Number   int // of the shot in the round, from 1
	Seat     board.Seat
	Side     board.Side
	Plan     Plan
	Flick    sim.Shot    // what the hand made of it
	Setup    sim.Setup   // what lay there before
	Result   *sim.Result // what happened; nil when there was no room to place a disc
	Shot     rules.Shot  // what the judge was told
	Verdict  rules.Verdict
	Forfeit  bool               // there was no room on the starting line, so the disc went unshot
	Board    board.Snapshot     // after the ruling has been carried out
	Twenties rules.Points       // 20s set aside in this round so far
	Scored   *rules.RoundResult // the round, when this was its last shot
	Scores   rules.Points       // of the game so far
	Over     bool               // the game is over
	Winner   board.Side         // NoSide for a draw
}

// ErrOver is returned when a match that is over is asked for more.
var ErrOver = errors.New("play: the match is over")

// NewMatch starts a match.
func NewMatch(c Config) (*Match, error) {
	c.Format.Rules.Board = c.Table.Spec()
	g, err := rules.NewGame(c.Format)
	if err != nil {
		return nil, fmt.Errorf("play: %w", err)
	}
	m := &Match{table: c.Table, game: g, rand: rand.New(rand.NewPCG(c.Seed, 0x626f617264))}
	for _, s := range c.Format.Layout.Seats() {
		if m.players[s], err = NewPlayer(c.Skills[s], c.Seed<<2+uint64(s)); err != nil {
			return nil, err
		}
		m.players[s].Hasty, m.players[s].Glances = c.Hasty, c.Glances
	}
	return m, nil
}

// Game is the state of the match.
func (m *Match) Game() rules.Game { return m.game }

// Setup is what lies on the board and in the ditch now.
func (m *Match) Setup() sim.Setup {
	return sim.Setup{
		Board:  m.game.Board(),
		Angles: append([]float64(nil), m.angles...),
		Ditch:  append([]sim.Lying(nil), m.ditch...),
	}
}

// Next plays the next shot, and counts the round after its last one. After the
// last shot of the match it returns ErrOver.
func (m *Match) Next() (Turn, error) {
	if m.game.Phase() == rules.Over {
		return Turn{}, ErrOver
	}
	t, err := m.shoot()
	if err != nil {
		return Turn{}, fmt.Errorf("play: round %d, shot %d: %w", t.Round, t.Number, err)
	}
	if m.game.Phase() == rules.Counting {
		if err := m.apply(rules.CountAgreed{}); err != nil {
			return Turn{}, err
		}
		rounds := m.game.Rounds()
		t.Scored = &rounds[len(rounds)-1]
		m.angles, m.ditch = nil, nil
	}
	for m.game.Phase() == rules.ShootingOut {
		if err := m.shootOut(); err != nil {
			return Turn{}, err
		}
	}
	t.Scores, t.Over, t.Winner = m.game.Scores(), m.game.Phase() == rules.Over, m.game.Winner()
	return t, nil
}

func (m *Match) apply(e rules.Event) error {
	g, err := m.game.Apply(e)
	if err != nil {
		return fmt.Errorf("play: %w", err)
	}
	m.game = g
	return nil
}

// shoot plays one shot and has it judged.
func (m *Match) shoot() (Turn, error) {
	next := m.game.Next()
	seat := next[0]
	if len(next) > 1 { // either partner may
		seat = next[m.rand.IntN(len(next))]
	}
	f := m.game.Format()
	t := Turn{
		Round: m.game.Round(), Number: m.game.ShotNumber(), Seat: seat, Side: f.Layout.Side(seat), Setup: m.Setup(),
	}
	p := Position{
		Table: m.table, Rules: f.Rules, Setup: t.Setup, Seat: seat, Side: t.Side, Sides: f.Layout.Sides(), Number: t.Number,
		Last: m.left() == 1,
	}
	plan, err := m.players[seat].Choose(p)
	if errors.Is(err, ErrNoPlace) {
		t.Forfeit = true
		if err := m.apply(rules.ShotForfeited{Seat: seat}); err != nil {
			return t, err
		}
		t.Board, t.Twenties = m.game.Board(), m.game.RoundTwenties()
		m.layInDitch(sim.Lying{Side: t.Side}, seat)
		return t, nil
	}
	if err != nil {
		return t, err
	}
	t.Plan, t.Flick = plan, m.players[seat].Flick(plan)
	if t.Result, err = m.table.Shoot(t.Setup, t.Flick); err != nil {
		return t, err
	}
	t.Shot = Witnessed(t.Result, t.Side)
	t.Shot.Number, t.Shot.Owned = t.Number, m.game.Owned(t.Side)
	if t.Verdict, err = rules.Judge(t.Setup.Board, t.Result.Final, t.Shot, f.Rules); err != nil {
		return t, err
	}
	settled, err := m.settle(t.Verdict)
	if err != nil {
		return t, err
	}
	t.Verdict = settled
	if err := m.apply(rules.ShotJudged{Seat: seat, Verdict: settled}); err != nil {
		return t, err
	}
	t.Board, t.Twenties = m.game.Board(), m.game.RoundTwenties()
	m.carryOut(&t)
	return t, nil
}

// left is how many shots the round still has.
func (m *Match) left() int {
	n := 0
	for s := board.South; s <= board.East; s++ {
		n += m.game.Left(s)
	}
	return n
}

// settle is what players do where the rules ask them to agree: a disc that
// cannot go back to where it lay goes to the nearest free place, and one in the
// hole that nobody can rule on is lifted.
func (m *Match) settle(v rules.Verdict) (rules.Verdict, error) {
	if v.Ruling == rules.Desynced {
		return v, fmt.Errorf("the judge does not believe the snapshots: %v", v.Desync)
	}
	if v.Ruling == rules.Unclear {
		for i := range v.Doubts {
			if len(v.Doubts[i].Answers) > 0 {
				var err error
				if v, err = v.Answered(i, 0); err != nil {
					return v, err
				}
				break
			}
		}
	}
	out := v
	out.Outcomes = append([]rules.Outcome(nil), v.Outcomes...)
	for i := range out.Outcomes {
		o := &out.Outcomes[i]
		switch {
		case o.Fate == rules.Awaiting:
			o.Fate, o.Why, o.Zone = rules.Ditched, rules.OffSurface, board.Out
		case o.Restored:
			o.At = m.nearestFree(out.Outcomes, i)
		}
	}
	return out, nil
}

// nearestFree is the free place nearest to where a disc should go.
func (m *Match) nearestFree(all []rules.Outcome, i int) board.Point {
	want := all[i].At
	s := m.table.Spec()
	free := func(p board.Point) bool {
		for k := range all {
			if k != i && all[k].Fate == rules.OnBoard && distance(p, all[k].At) < 2*s.Disc.Radius {
				return false
			}
		}
		for _, q := range m.table.PostCentres() {
			if distance(p, q) < s.Disc.Radius+s.Posts.Diameter/2 {
				return false
			}
		}
		return true
	}
	if free(want) {
		return want
	}
	for step := 1; step < 400; step++ {
		for k := range 24 {
			sin, cos := exact.Sincos(float64(float64(k)*math.Pi) / 12)
			p := board.Point{X: want.X + float64(float64(step)*cos), Y: want.Y + float64(float64(step)*sin)}
			if exact.Hypot(p.X, p.Y) < s.Start.Inner()-s.Disc.Radius && free(p) {
				return p
			}
		}
	}
	return want
}

// carryOut puts the discs where the verdict has them: lifted ones into the ditch,
// 20s away.
func (m *Match) carryOut(t *Turn) {
	r := t.Result
	m.ditch, m.angles = nil, nil
	for i := range r.Discs {
		if d := &r.Discs[i]; d.Where == sim.InDitch {
			m.ditch = append(m.ditch, sim.Lying{Point: board.Point{X: d.X, Y: d.Y}, Side: d.Side, Angle: d.Angle})
		}
	}
	for i := range t.Verdict.Outcomes {
		o := &t.Verdict.Outcomes[i]
		k := int(o.Before)
		if k < 0 {
			k = r.Shot
		}
		switch {
		case o.Fate == rules.OnBoard:
			m.angles = append(m.angles, r.Discs[k].Angle)
		case o.Fate == rules.Ditched && r.Discs[k].Where != sim.InDitch:
			m.layInDitch(sim.Lying{Side: o.Side, Angle: r.Discs[k].Angle}, t.Seat)
		}
	}
}

// layInDitch lays a lifted disc into the ditch in front of a seat, beside those
// that lie there.
func (m *Match) layInDitch(d sim.Lying, seat board.Seat) {
	s := m.table.Spec()
	middle := s.Surface + s.Ditch/2
	q := rules.QuadrantOf(s, seat)
	for k := range 64 {
		// From the middle of the quadrant to the right and to the left in turn.
		turn := float64((k+1)/2) / 10
		if k%2 == 1 {
			turn = -turn
		}
		sin, cos := exact.Sincos((q.From+q.To)/2 + turn)
		d.Point = board.Point{X: float64(middle * cos), Y: float64(middle * sin)}
		free := true
		for i := range m.ditch {
			free = free && distance(d.Point, m.ditch[i].Point) >= 2*s.Disc.Radius
		}
		if free {
			break
		}
	}
	m.ditch = append(m.ditch, d)
}

// shotsEach is how many open 20s each side tries in a shoot-out (GAM-5).
const shotsEach = 12

// shootOut holds a shoot-out of open 20s.
func (m *Match) shootOut() error {
	f := m.game.Format()
	hits := rules.Points{}
	for _, s := range f.Layout.Seats() {
		n, err := m.players[s].OpenTwenties(m.table, f.Rules, shotsEach)
		if err != nil {
			return err
		}
		hits[f.Layout.Side(s)] += n
	}
	return m.apply(rules.ShootoutHeld{Hits: hits})
}
