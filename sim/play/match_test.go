package play_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	profiles "crokcam/configs/rules"
	"crokcam/rules"
	"crokcam/rules/profile"
	"crokcam/sim"
	"crokcam/sim/physics"
	"crokcam/sim/play"
)

func table(t testing.TB) *sim.Table {
	t.Helper()
	p, err := physics.ByName(physics.Default)
	require.NoError(t, err)
	table, err := sim.NewTable(board.Tournament26(), p)
	require.NoError(t, err)
	return table
}

func match(t testing.TB, name string, l rules.Layout, seed uint64, hasty bool) *play.Match {
	t.Helper()
	set, err := profile.Load(profiles.FS)
	require.NoError(t, err)
	f, err := set[name].Format(l)
	require.NoError(t, err)
	m, err := play.NewMatch(play.Config{Table: table(t), Format: f, Seed: seed, Hasty: hasty, Skills: [4]play.Skill{0.7, 0.7, 0.7, 0.7}})
	require.NoError(t, err)
	return m
}

// Whole games under every profile and layout come to an end, and at every turn
// the board is where the simulator and the ruling put it.
func TestGamesUnderAllRules(t *testing.T) {
	set, err := profile.Load(profiles.FS)
	require.NoError(t, err)
	shots, rounds := 0, 0
	kinds := map[rules.Ruling]int{}
	for _, name := range set.Names() {
		for _, l := range []rules.Layout{rules.TwoPlayers, rules.Doubles, rules.TwoAgainstOne, rules.ThreeFree, rules.FourFree} {
			if _, err := set[name].Format(l); err != nil {
				continue
			}
			m := match(t, name, l, uint64(shots), true)
			for {
				before := m.Setup()
				turn, err := m.Next()
				if errors.Is(err, play.ErrOver) {
					break
				}
				require.NoError(t, err, "%s as %s", name, l)
				require.Equal(t, before, turn.Setup)
				shots++
				kinds[turn.Verdict.Ruling]++
				q := rules.QuadrantOf(board.Tournament26(), turn.Seat)
				if !turn.Forfeit {
					fault, _, err := m.Game().Format().Rules.CheckPlacement(turn.Result.At(0)[turn.Result.Shot].Point(), q)
					require.NoError(t, err)
					require.Equal(t, rules.Placed, fault)
					require.Empty(t, turn.Verdict.Desync)
				}
				if turn.Scored != nil {
					rounds++
				} else {
					require.Len(t, m.Setup().Angles, len(turn.Board.Discs))
					require.Equal(t, turn.Board, m.Setup().Board)
				}
				if turn.Over {
					break
				}
			}
		}
	}
	t.Logf("%d shots in %d rounds: %v", shots, rounds, kinds)
	require.Positive(t, kinds[rules.Good])
	require.Positive(t, kinds[rules.Failed])
}

// The same seed plays the same match, another seed another.
func TestAMatchFollowsFromItsSeed(t *testing.T) {
	first := func(seed uint64) []play.Turn {
		m := match(t, "nca", rules.TwoPlayers, seed, false)
		var out []play.Turn
		for range 6 {
			turn, err := m.Next()
			require.NoError(t, err)
			out = append(out, turn)
		}
		return out
	}
	three := first(3)
	require.Equal(t, three, first(3))
	require.NotEqual(t, three[0].Plan, first(4)[0].Plan)
}

// Who looks ahead beats who does not, and a steadier hand beats a shakier one.
func TestSkillPays(t *testing.T) {
	set, err := profile.Load(profiles.FS)
	require.NoError(t, err)
	f, err := set["nca"].Format(rules.TwoPlayers)
	require.NoError(t, err)
	sum := rules.Points{}
	for seed := range uint64(2) {
		m, err := play.NewMatch(play.Config{Table: table(t), Format: f, Seed: seed, Skills: [4]play.Skill{board.South: 0.9, board.North: 0.3}})
		require.NoError(t, err)
		for {
			turn, err := m.Next()
			require.NoError(t, err)
			if turn.Scored != nil {
				for s, n := range turn.Scored.Totals {
					sum[s] += n
				}
			}
			if turn.Over {
				break
			}
		}
	}
	require.Greater(t, sum[board.SideA], sum[board.SideB]+100, "%v", sum)
}

// Strong players make 55 to 75 % of open 20s.
func TestOpenTwenties(t *testing.T) {
	last := 0
	for _, c := range []struct {
		skill     play.Skill
		low, high int // of 300
	}{{0.1, 10, 100}, {0.7, 150, 185}, {0.9, 205, 245}, {1, 230, 290}} {
		pl, err := play.NewPlayer(c.skill, 5)
		require.NoError(t, err)
		n, err := pl.OpenTwenties(table(t), rules.Ruleset{}, 300)
		require.NoError(t, err)
		t.Logf("skill %.1f: %.1f %%", float64(c.skill), float64(n)/3)
		require.Greater(t, n, last)
		require.GreaterOrEqual(t, n, c.low, "skill %g", float64(c.skill))
		require.LessOrEqual(t, n, c.high, "skill %g", float64(c.skill))
		last = n
	}
	for _, bad := range []play.Skill{-0.1, 1.1, play.Skill(math.NaN())} {
		_, err := play.NewPlayer(bad, 1)
		require.ErrorContains(t, err, "from 0 to 1")
	}
}
