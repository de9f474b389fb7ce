package rules

import (
	"errors"
	"fmt"
	"slices"

	"crokcam/board"
)

// Stage is a part of a match: games of one format.
type Stage struct {
	Name   string // "game", "pair": names the game that decided
	Games  int    // how many at most
	Format Format
	// FirstWin ends the match with the first game won; otherwise it takes more
	// wins than the other side can still reach, and drawn games count for
	// nobody.
	FirstWin bool
}

// Plan is how a match is decided: stage after stage while level, and at last,
// if so agreed, by a shoot-out of open 20s (GAM-4).
type Plan struct {
	Stages   []Stage
	Shootout bool
}

// ErrPlan marks a Plan that cannot be played.
var ErrPlan = errors.New("rules: unusable match plan")

// BestOf is a match of at most n games.
func BestOf(n int, f Format) Plan {
	return Plan{Stages: []Stage{{Name: "game", Games: n, Format: f}}}
}

// Quinte is the play-off of a Belleville club: best of three four-round games
// that may be drawn, then at most four pairs of rounds, then a shoot-out.
func Quinte(rs Ruleset, discs int) Plan {
	rs.RoundScore = MatchPoints
	four := Format{Layout: TwoPlayers, Rules: rs, Discs: discs, End: End{Rounds: 4}}
	two := four
	two.End.Rounds = 2
	return Plan{Stages: []Stage{
		{Name: "game", Games: 3, Format: four},
		{Name: "pair", Games: 4, Format: two, FirstWin: true},
	}, Shootout: true}
}

// Match is the state of a match. Like a Game it is a value.
type Match struct {
	plan    Plan
	stage   int
	game    Game
	wins    [][5]int // by stage and side
	results []GameResult
	played  int // in the current stage
	over    bool
	await   bool // a shoot-out
	winner  board.Side
	decided string
}

// GameResult is a game that has been played to its end.
type GameResult struct {
	Scores Points
	Winner board.Side // NoSide when it was drawn
	Rounds []RoundResult
}

// NewMatch starts a match.
func NewMatch(p Plan) (Match, error) {
	if len(p.Stages) == 0 {
		return Match{}, fmt.Errorf("%w: it has no stages", ErrPlan)
	}
	for i, s := range p.Stages {
		if s.Games < 1 || s.Name == "" {
			return Match{}, fmt.Errorf("%w: stage %d has %d games and the name %q", ErrPlan, i+1, s.Games, s.Name)
		}
		if err := s.Format.Validate(); err != nil {
			return Match{}, fmt.Errorf("%w: stage %d: %w", ErrPlan, i+1, err)
		}
		if s.Format.Layout.Sides() != p.Stages[0].Format.Layout.Sides() {
			return Match{}, fmt.Errorf("%w: stage %d has other sides", ErrPlan, i+1)
		}
	}
	p.Stages = slices.Clone(p.Stages)
	g, err := NewGame(p.Stages[0].Format)
	if err != nil {
		return Match{}, err
	}
	return Match{plan: p, game: g, wins: make([][5]int, len(p.Stages))}, nil
}

// Game is the game being played, or the last one.
func (m Match) Game() Game { return m.game }

// Results are the games played so far.
func (m Match) Results() []GameResult { return slices.Clone(m.results) }

// Over tells whether the match is decided or drawn.
func (m Match) Over() bool { return m.over }

// AwaitsShootout tells whether a shoot-out has to decide.
func (m Match) AwaitsShootout() bool { return m.await }

// Winner is who won the match; NoSide while it runs and when it was drawn.
func (m Match) Winner() board.Side { return m.winner }

// DecidedIn names what decided: "game 2", "pair 1", "shootout"; "" while the
// match runs.
func (m Match) DecidedIn() string { return m.decided }

// Apply returns the match after an event of the running game, or after the
// shoot-out of the match.
func (m Match) Apply(e Event) (Match, error) {
	if m.over {
		return Match{}, &EventError{Event: fmt.Sprintf("%T", e), Kind: ErrPhase, Detail: "the match is over"}
	}
	if m.await {
		s, ok := e.(ShootoutHeld)
		if !ok {
			return Match{}, &EventError{Event: fmt.Sprintf("%T", e), Kind: ErrPhase, Detail: "the match waits for a shoot-out"}
		}
		for side, n := range s.Hits {
			if n < 0 {
				return Match{}, &EventError{Event: "shootout", Kind: ErrTotals, Detail: fmt.Sprintf("side %s: %d 20s", board.Side(side), n)}
			}
		}
		if w := leader(m.sides(), s.Hits); w != board.NoSide {
			m.over, m.await, m.winner = true, false, w
		}
		return m, nil
	}
	g, err := m.game.Apply(e)
	if err != nil {
		return Match{}, err
	}
	m.game = g
	if g.Phase() == Over {
		m.finish()
	}
	return m, nil
}

func (m *Match) sides() int { return m.plan.Stages[0].Format.Layout.Sides() }

// finish books a finished game and begins the next one, or ends the match.
func (m *Match) finish() {
	st := m.plan.Stages[m.stage]
	m.results = append(slices.Clip(m.results), GameResult{m.game.Scores(), m.game.Winner(), m.game.Rounds()})
	m.played++
	m.wins = slices.Clone(m.wins)
	wins := &m.wins[m.stage]
	if w := m.game.Winner(); w != board.NoSide {
		wins[w]++
	}

	won := Points(*wins)
	best := leader(m.sides(), won)
	done := best != board.NoSide && (st.FirstWin || m.played == st.Games || m.outOfReach(won, best, st.Games-m.played))
	if done {
		m.over, m.winner, m.decided = true, best, fmt.Sprintf("%s %d", st.Name, m.played)
		return
	}
	if m.played == st.Games {
		m.stage++
		m.played = 0
	}
	if m.stage == len(m.plan.Stages) {
		m.decided = "drawn"
		m.over = !m.plan.Shootout
		if m.plan.Shootout {
			m.await, m.decided = true, "shootout"
		}
		return
	}
	// The lead passes on from game to game as it does from round to round.
	f := m.plan.Stages[m.stage].Format
	f.Lead = m.game.NextLead()
	if g, err := NewGame(f); err == nil { // NewMatch has checked the format
		m.game = g
	}
}

// outOfReach tells whether nobody can still catch the leader.
func (m *Match) outOfReach(won Points, best board.Side, left int) bool {
	for s := board.SideA; int(s) <= m.sides(); s++ {
		if s != best && won[s]+left >= won[best] {
			return false
		}
	}
	return true
}
