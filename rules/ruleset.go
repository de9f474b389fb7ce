package rules

import (
	"errors"
	"fmt"
	"math"

	"crokcam/board"
)

// Ruleset is what a table has agreed to play by: one value for every point on
// which the sources differ. The zero value of each option is the NCA/WCC
// reading, except that the placing options and the round score differ between
// bodies and are worth setting.
type Ruleset struct {
	OpenBoard            OpenBoard        `yaml:"open_board"`             // OPN-2: what must reach the 15
	OpenBoardScope       Scope            `yaml:"open_board_scope"`       // OPN-4: which open shots are bound
	OpenBoardPenalty     OpenBoardPenalty `yaml:"open_board_penalty"`     // OPN-3: what a failed open shot costs
	Contact              ContactRule      `yaml:"contact"`                // CON-2: what counts as a hit
	ContactPenalty       ContactPenalty   `yaml:"contact_penalty"`        // CON-3: what a miss costs
	InvalidOpponentDiscs OpponentDiscs    `yaml:"invalid_opponent_discs"` // CON-5: opposing discs a failed shot disturbed
	Damage               Damage           `yaml:"damage"`                 // DMG-2, DMG-3: discs disturbed by a disc that had left
	Spin                 Spin             `yaml:"spin"`                   // OUT-3: over the line and back
	Line                 LineEdge         `yaml:"line"`                   // VAL-3: which part of a line counts
	StartRadial          StartRadial      `yaml:"start_radial"`           // PLC-1: placing, outwards
	StartLateral         StartLateral     `yaml:"start_lateral"`          // PLC-2: placing, sideways
	RoundScore           RoundScore       `yaml:"round_score"`            // RND-3: what a round is worth
	Starter              Starter          `yaml:"starter"`                // STR-2: who leads the next round

	Board board.Spec `yaml:"-"` // the board played on; the zero value stands for board.Tournament26
}

// ErrRuleset marks a Ruleset that cannot be played by.
var ErrRuleset = errors.New("rules: unusable ruleset")

// Validate reports the first option out of range, or a board whose measures
// cannot be, wrapped in ErrRuleset.
func (rs Ruleset) Validate() error { return rs.validate() }

// validate is Validate without a copy of the ruleset: this is asked for each
// verdict.
func (rs *Ruleset) validate() error {
	if rs.OpenBoard > OpenBoardFree || rs.OpenBoardScope > FirstShot || rs.OpenBoardPenalty > OpenShooter ||
		rs.Contact > OpponentFirstNoBank || rs.ContactPenalty > ShooterOnly || rs.InvalidOpponentDiscs > OpponentsRestored ||
		rs.Damage > DamageRestored || rs.Spin > SpinOut || rs.Line > LineCentre || rs.StartRadial > StartTouchOrBehind ||
		rs.StartLateral > StartInside || rs.RoundScore > RankPoints4 || rs.Starter > WinnerStarts {
		return rs.outOfRange()
	}
	if !rs.noBoard() {
		if err := rs.Board.Validate(); err != nil {
			return fmt.Errorf("%w: %w", ErrRuleset, err)
		}
	}
	return nil
}

// outOfRange names the first option that has no such value.
func (rs *Ruleset) outOfRange() error {
	for _, o := range [...]struct {
		name  string
		value uint8
		words []string
	}{
		{"open_board", uint8(rs.OpenBoard), openBoardWords},
		{"open_board_scope", uint8(rs.OpenBoardScope), scopeWords},
		{"open_board_penalty", uint8(rs.OpenBoardPenalty), openBoardPenaltyWords},
		{"contact", uint8(rs.Contact), contactRuleWords},
		{"contact_penalty", uint8(rs.ContactPenalty), contactPenaltyWords},
		{"invalid_opponent_discs", uint8(rs.InvalidOpponentDiscs), opponentDiscsWords},
		{"damage", uint8(rs.Damage), damageWords},
		{"spin", uint8(rs.Spin), spinWords},
		{"line", uint8(rs.Line), lineEdgeWords},
		{"start_radial", uint8(rs.StartRadial), startRadialWords},
		{"start_lateral", uint8(rs.StartLateral), startLateralWords},
		{"round_score", uint8(rs.RoundScore), roundScoreWords},
		{"starter", uint8(rs.Starter), starterWords},
	} {
		if int(o.value) >= len(o.words) {
			return fmt.Errorf("%w: %w", ErrRuleset, &OptionError{Option: o.name, Value: fmt.Sprint(o.value), Want: o.words})
		}
	}
	return ErrRuleset
}

// lines are the radii that decide where a disc counts, mm.
type lines struct {
	// The edges of the line around each zone: the 5's is the starting line. None
	// is printed around the hole.
	in, out      [board.Twenty + 1]float64
	quadrantHalf float64 // half the width of a quadrant line that counts
	disc         float64
	hole         float64
	surface      float64
}

// noBoard tells whether no board was given. Two measures that every board has are
// looked at instead of all.
func (rs *Ruleset) noBoard() bool { return rs.Board.Surface == 0 && rs.Board.Start.Outer == 0 }

// playedOn is the board given, or else the usual one.
func (rs *Ruleset) playedOn() *board.Spec {
	if rs.noBoard() {
		return &tournament26
	}
	return &rs.Board
}

var tournament26 = board.Tournament26()

// judgedOn is the board played on as the option line reads it: by the middle of
// the ink every line is as if it had no width (VAL-3).
func (rs *Ruleset) judgedOn() *board.Spec {
	if rs.Line == PrintedLine {
		return rs.playedOn()
	}
	b := *rs.playedOn()
	for _, r := range []*board.Ring{&b.Start, &b.Ten, &b.Fifteen} {
		*r = board.Ring{Outer: r.Outer - r.Width/2}
	}
	b.Quadrants.Width = 0
	return &b
}

// linesOf gives the limits on a board.
func linesOf(b *board.Spec) lines {
	return lines{
		in:           [...]float64{board.Out: math.Inf(1), board.Five: b.Start.Inner(), board.Ten: b.Ten.Inner(), board.Fifteen: b.Fifteen.Inner(), board.Twenty: math.Inf(-1)},
		out:          [...]float64{board.Out: math.Inf(1), board.Five: b.Start.Outer, board.Ten: b.Ten.Outer, board.Fifteen: b.Fifteen.Outer, board.Twenty: math.Inf(-1)},
		quadrantHalf: b.Quadrants.Width / 2,
		disc:         b.Disc.Radius, hole: b.Hole.Radius, surface: b.Surface,
	}
}

// zone is the lowest region a disc at radius r touches (VAL-1, VAL-2).
func (l *lines) zone(r float64, rest board.Rest) board.Zone {
	lies, _ := l.call(r, rest)
	return lies
}

// call is where a disc lies and the zone whose outer line it touches there, Out
// for none. It touches at most one: the zones are wider than a disc.
func (l *lines) call(r float64, rest board.Rest) (lies, line board.Zone) {
	switch rest {
	case board.InHole:
		return board.Twenty, board.Out
	case board.Leaning:
		return board.Fifteen, board.Out
	}
	return l.flat(r)
}

// flat is call for a disc that lies flat on the surface.
func (l *lines) flat(r float64) (lies, line board.Zone) {
	outer := r + l.disc
	switch {
	case outer < l.in[board.Fifteen]:
		return board.Fifteen, board.Out
	case outer < l.in[board.Ten]:
		lies = board.Ten
	case outer < l.in[board.Five]:
		lies = board.Five
	}
	if r-l.disc <= l.out[lies+1] {
		line = lies + 1 // the line belongs to the zone inside it
	}
	return lies, line
}

// Value is what one disc counts under the ruleset's line option, and how close
// that call is.
func (rs Ruleset) Value(d board.Disc) board.Call { return rs.judgedOn().Call(d) }
