package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSimMatchPrintsAGameShotByShot(t *testing.T) {
	status, out, told := measured(t, "sim", "match", "--rounds", "1", "--skill", "0.9,0.4", "--explain")
	require.Equal(t, exitGood, status, told)
	require.Contains(t, out, "south plays for A, skill 0.9")
	require.Contains(t, out, "Round 1, south leads\n 1  south A  ")
	require.Contains(t, out, "\n16  north B  ")
	require.Contains(t, out, "CON-")
	require.Contains(t, out, "Open 20s of A: ")
	require.Regexp(t, `Side [AB] wins|drawn`, out)
	_, again, _ := measured(t, "sim", "match", "--rounds", "1", "--skill", "0.9,0.4", "--explain")
	require.Equal(t, out, again, "the same seed plays the same game")
}

func TestSimMatchPrintsItsContract(t *testing.T) {
	status, out, told := measured(t, "sim", "match", "--rounds", "1", "--rules", "house", "--layout", "3p_ffa", "--physics", "attic", "--json")
	require.Equal(t, exitGood, status, told)
	var got struct {
		Schema, Physics, Rules, Layout string
		Players                        []struct{ Seat, Side string }
		Shots                          []struct {
			Seat     string
			Contacts []struct{ A, B string }
			Points   map[string]int
		}
		Rounds []struct{ Totals map[string]int }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, "crokcam.sim.match/1", got.Schema)
	require.Equal(t, []string{"attic", "house", "3p_ffa"}, []string{got.Physics, got.Rules, got.Layout})
	require.Len(t, got.Players, 3)
	require.Len(t, got.Shots, 36)
	require.Len(t, got.Rounds, 1)
	require.Equal(t, got.Rounds[0].Totals, got.Shots[35].Points)
	touched := false
	for _, s := range got.Shots {
		for _, c := range s.Contacts {
			touched = touched || c.A == "shot"
		}
	}
	require.True(t, touched)
}

func TestSimJudgeComparesTwoJudgements(t *testing.T) {
	status, out, told := measured(t, "sim", "judge", "--shots", "200", "--board", "octagon-classic")
	require.Equal(t, exitGood, status, told)
	require.Contains(t, out, "200 shots under nca, snapshots off by 0.5 mm; from true contacts 0 verdicts were unsure")
	require.Contains(t, out, "snapshots, discs followed")
	status, out, told = measured(t, "sim", "judge", "--shots", "100", "--noise", "0", "--json")
	require.Equal(t, exitGood, status, told)
	require.Contains(t, out, `"schema": "crokcam.sim.judge/1"`)
}

func TestSimSkillPrintsARateForEachSkill(t *testing.T) {
	status, out, told := measured(t, "sim", "skill", "--shots", "3")
	require.Equal(t, exitGood, status, told)
	require.Contains(t, out, "skill 0.0  open 20s ")
	require.Contains(t, out, "skill 1.0  open 20s ")
}

func TestBenchPhysicsPrintsItsContract(t *testing.T) {
	status, out, told := measured(t, "bench", "physics", "--rounds", "1", "--json")
	require.Equal(t, exitGood, status, told)
	require.Contains(t, out, `"name": "physics/shots"`)
	require.Contains(t, out, `"per_second": `)
}

func TestSimulatingWantsWhatThereIs(t *testing.T) {
	for _, c := range []struct{ says, args []string }{
		{[]string{"has no command"}, []string{"sim", "tournament"}},
		{[]string{"--board", "no such board"}, []string{"sim", "match", "--board", "moon"}},
		{[]string{"--physics", "no such physics"}, []string{"sim", "match", "--physics", "moon"}},
		{[]string{"--rules", "nca"}, []string{"sim", "match", "--rules", "moon"}},
		{[]string{"--layout"}, []string{"sim", "match", "--layout", "5p"}},
		{[]string{"is not played as"}, []string{"sim", "match", "--layout", "3p_ffa"}},
		{[]string{"--skill", "from 0 to 1"}, []string{"sim", "match", "--skill", "1.5"}},
		{[]string{"--skill", "not a number"}, []string{"sim", "match", "--skill", "good"}},
		{[]string{"--skill", "one for each"}, []string{"sim", "match", "--skill", "0.5,0.5,0.5"}},
		{[]string{"--rounds"}, []string{"sim", "match", "--rounds", "-1"}},
		{[]string{"--shots"}, []string{"sim", "judge", "--shots", "0"}},
		{[]string{"--noise"}, []string{"sim", "judge", "--noise", "-1"}},
		{[]string{"--skill"}, []string{"sim", "judge", "--skill", "2"}},
		{[]string{"--shots"}, []string{"sim", "skill", "--shots", "0"}},
		{[]string{"--rounds"}, []string{"bench", "physics", "--rounds", "0"}},
	} {
		status, _, told := measured(t, c.args...)
		require.Equal(t, exitWrongUse, status, "%v: %s", c.args, told)
		for _, words := range c.says {
			require.Contains(t, told, words, c.args)
		}
	}
}
