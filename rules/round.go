package rules

import (
	"errors"
	"fmt"

	"crokcam/board"
)

// Points are per side, indexed by board.Side; index 0 is not used.
type Points [board.SideD + 1]int

// RoundResult is a scored round.
type RoundResult struct {
	Totals   Points // discs on the board plus 20 for each 20 set aside (RND-2)
	Twenties Points // 20s set aside (GAM-6)
	Awarded  Points // what the round is worth to each side (RND-3)
	Winner   board.Side
}

// ErrRoundScore marks a way of scoring that the number of sides does not fit.
var ErrRoundScore = errors.New("rules: round score does not fit the number of sides")

const mostSides = int(board.SideD)

// Count adds up what lies on the board and the 20s set aside (RND-2).
func (rs Ruleset) Count(s board.Snapshot, twenties Points) Points {
	l := linesOf(rs.judgedOn())
	var total Points
	for i := range s.Discs {
		d := &s.Discs[i]
		if d.Side > board.NoSide && d.Side <= board.SideD {
			total[d.Side] += l.zone(d.Radius(), d.Rest).Points()
		}
	}
	for side := range total {
		total[side] += 20 * twenties[side]
	}
	return total
}

// Award says what a round with these totals is worth to each of the sides, and
// who won it; NoSide when the highest total is shared (RND-3, RND-4, PLY-3b,
// PLY-4x).
func (r RoundScore) Award(sides int, totals Points) (Points, board.Side, error) {
	var out Points
	if sides < 2 || sides > mostSides {
		return out, board.NoSide, fmt.Errorf("%w: %d sides", ErrRoundScore, sides)
	}
	winner := leader(sides, totals)
	switch r {
	case Difference:
		if sides != 2 {
			return out, board.NoSide, fmt.Errorf("%w: difference is between two sides, not %d", ErrRoundScore, sides)
		}
		if winner != board.NoSide {
			out[winner] = totals[winner] - totals[board.SideA+board.SideB-winner]
		}
	case MatchPoints:
		if sides != 2 {
			return out, board.NoSide, fmt.Errorf("%w: match is between two sides, not %d", ErrRoundScore, sides)
		}
		if winner == board.NoSide {
			out[board.SideA], out[board.SideB] = 1, 1
		} else {
			out[winner] = 2
		}
	case Accumulate:
		for s := board.SideA; int(s) <= sides; s++ {
			out[s] = totals[s]
		}
	case MatchPoints3:
		if sides != 3 {
			return out, board.NoSide, fmt.Errorf("%w: match3 is between three sides, not %d", ErrRoundScore, sides)
		}
		for s := board.SideA; int(s) <= sides; s++ {
			above, level := rank(sides, totals, s)
			switch {
			case above == 0 && level == 1:
				out[s] = 2
			case above == 0: // first is shared, by two or by all three
				out[s] = 1
			case above == 1 && level == 1: // second alone
				out[s] = 1
			}
		}
	case RankPoints4:
		if sides != 4 {
			return out, board.NoSide, fmt.Errorf("%w: rank4 is between four sides, not %d", ErrRoundScore, sides)
		}
		for s := board.SideA; int(s) <= sides; s++ {
			above, level := rank(sides, totals, s)
			sum := 0
			for k := above; k < above+level; k++ {
				sum += 8 - 2*k
			}
			out[s] = sum / level // 8, 6, 4, 2 shared among neighbours: always whole
		}
	default:
		return out, board.NoSide, &OptionError{Option: "round_score", Value: r.String(), Want: roundScoreWords}
	}
	return out, winner, nil
}

// leader is the side with the highest figure, NoSide when it is shared.
func leader(sides int, p Points) board.Side {
	best, shared := board.SideA, false
	for s := board.SideB; int(s) <= sides; s++ {
		switch {
		case p[s] > p[best]:
			best, shared = s, false
		case p[s] == p[best]:
			shared = true
		}
	}
	if shared {
		return board.NoSide
	}
	return best
}

// rank is how many sides stand above s and how many level with it, s included.
func rank(sides int, p Points, s board.Side) (above, level int) {
	for o := board.SideA; int(o) <= sides; o++ {
		switch {
		case p[o] > p[s]:
			above++
		case p[o] == p[s]:
			level++
		}
	}
	return above, level
}

// ScoreRound counts the board at the end of a round and says what it is worth.
func (rs Ruleset) ScoreRound(sides int, s board.Snapshot, twenties Points) (RoundResult, error) {
	totals := rs.Count(s, twenties)
	awarded, winner, err := rs.RoundScore.Award(sides, totals)
	if err != nil {
		return RoundResult{}, err
	}
	return RoundResult{Totals: totals, Twenties: twenties, Awarded: awarded, Winner: winner}, nil
}
