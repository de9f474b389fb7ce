package play_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	profiles "crokcam/configs/rules"
	"crokcam/rules"
	"crokcam/rules/profile"
	"crokcam/sim/play"
)

// A match that is written down tells the same as the match.
func TestARecordTellsTheMatch(t *testing.T) {
	set, err := profile.Load(profiles.FS)
	require.NoError(t, err)
	f, err := set["house"].Format(rules.ThreeFree)
	require.NoError(t, err)
	f.End = rules.End{Rounds: 2}
	c := play.Config{Table: table(t), Format: f, Seed: 9, Hasty: true, Skills: [4]play.Skill{0.9, 0.9, 0.9, 0.9}}
	m, err := play.NewMatch(c)
	require.NoError(t, err)
	r := play.NewRecord(c, "house")
	lines := ""
	for {
		turn, err := m.Next()
		require.NoError(t, err)
		r.Add(&turn, m.Game().Format().Rules, 3)
		lines += turn.Tell(m.Game().Format().Rules) + "\n"
		if turn.Over {
			break
		}
	}
	require.Len(t, r.Shots, 72)
	require.Len(t, r.Rounds, 2)
	for k, round := range r.Rounds {
		last := r.Shots[36*(k+1)-1]
		require.Equal(t, round.Totals, last.Points)
		require.Equal(t, round.Twenties, last.Twenties)
	}
	require.Equal(t, m.Game().Scores()[board.SideC], r.Scores["C"])
	for _, word := range []string{"open 20", "at A's 1", "off the board", "lifted", "good", "failed", "west"} {
		require.Contains(t, lines, word)
	}
	require.Equal(t, 72, strings.Count(lines, "m/s"))
	data, err := json.Marshal(r)
	require.NoError(t, err)
	for _, name := range []string{`"crokcam.sim.match/1"`, `"a":"shot"`, `"b":"rail"`, `"b":"disc 0"`, `"layout":"3p_ffa"`, `"open_20s_made"`} {
		require.Contains(t, string(data), name)
	}
	_, err = m.Next()
	require.ErrorIs(t, err, play.ErrOver)
}

// A game that is level in the end goes to a shoot-out of open 20s where the
// format says so.
func TestAShootOutEndsALevelGame(t *testing.T) {
	f := rules.Format{Layout: rules.TwoPlayers, Discs: 1, End: rules.End{Rounds: 1, Ties: []rules.TieBreak{rules.Shootout}}}
	level := 0
	for seed := range uint64(12) {
		m, err := play.NewMatch(play.Config{Table: table(t), Format: f, Seed: seed, Hasty: true, Skills: [4]play.Skill{0.9, 0.9, 0.9, 0.9}})
		require.NoError(t, err)
		for over := false; !over; {
			turn, err := m.Next()
			require.NoError(t, err)
			if over = turn.Over; over {
				require.NotEqual(t, board.NoSide, turn.Winner)
				if turn.Scores[board.SideA] == turn.Scores[board.SideB] {
					level++
				}
			}
		}
	}
	require.Positive(t, level)
}

func TestImpossibleMatchesAreRefused(t *testing.T) {
	f := rules.Format{Layout: rules.TwoPlayers, Discs: 8, End: rules.End{Rounds: 1}}
	_, err := play.NewMatch(play.Config{Table: table(t), Format: f, Skills: [4]play.Skill{2, 0, 0, 0}})
	require.ErrorContains(t, err, "a skill of 2")
	f.Discs = 0
	_, err = play.NewMatch(play.Config{Table: table(t), Format: f})
	require.ErrorIs(t, err, rules.ErrFormat)
}
