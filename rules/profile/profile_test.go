package profile_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	profiles "crokcam/configs/rules"
	"crokcam/rules"
	"crokcam/rules/profile"
)

// The profiles that come with the program, as their sources have them.
func TestShippedProfiles(t *testing.T) {
	set, err := profile.Load(profiles.FS)
	require.NoError(t, err)
	require.Equal(t, []string{"article", "depot", "house", "mayday", "mayday_blog", "mayday_match", "nca", "video", "wcc", "wcc_final",
		"woodworkers", "woodworkers_variation"}, set.Names())

	nca := rules.Ruleset{StartLateral: rules.StartTouchDivider, RoundScore: rules.MatchPoints}
	require.Equal(t, nca, set["nca"].Rules)
	require.Equal(t, nca, set["wcc"].Rules)
	require.Equal(t, rules.End{Rounds: 4}, set["wcc"].End)
	require.Equal(t, rules.End{Target: 5}, set["wcc_final"].End)
	mayday := rules.Ruleset{ContactPenalty: rules.StruckByShooter, Damage: rules.DamageRestored, StartLateral: rules.StartHalf, RoundScore: rules.Difference}
	require.Equal(t, mayday, set["mayday"].Rules)
	require.Equal(t, rules.Ruleset{OpenBoard: rules.ShooterTouch15, OpenBoardPenalty: rules.OpenShooter}, set["article"].Rules)
	require.Equal(t, rules.Ruleset{OpenBoard: rules.OpenBoardFree, ContactPenalty: rules.StruckByShooter}, set["video"].Rules)
	require.Equal(t, rules.OpponentFirstNoBank, set["mayday_blog"].Rules.Contact)
	require.Equal(t, rules.Direct, set["woodworkers"].Rules.Contact)
	require.Equal(t, rules.FirstShot, set["woodworkers_variation"].Rules.OpenBoardScope)

	p, ok := set.Find("mayday_rulebook")
	require.True(t, ok)
	require.Equal(t, "mayday", p.Name)
	_, ok = set.Find("nobody")
	require.False(t, ok)

	f, err := set["mayday"].Format(rules.ThreeFree)
	require.NoError(t, err)
	require.Equal(t, rules.MatchPoints3, f.Rules.RoundScore)
	require.Equal(t, 8, f.End.Target)
	f, err = set["depot"].Format(rules.FourFree)
	require.NoError(t, err)
	require.Equal(t, rules.RankPoints4, f.Rules.RoundScore)
	_, err = set["nca"].Format(rules.ThreeFree)
	require.ErrorIs(t, err, profile.ErrProfile)
	f, err = set["nca"].Format(rules.TwoPlayers)
	require.NoError(t, err)
	require.Equal(t, 8, f.Discs)
}

// Single options can be changed; unknown words and keys are refused.
func TestOverride(t *testing.T) {
	set, err := profile.Load(profiles.FS)
	require.NoError(t, err)
	rs, err := set["nca"].Override([]byte("contact: direct\ndamage: restore\n"))
	require.NoError(t, err)
	require.Equal(t, rules.Direct, rs.Contact)
	require.Equal(t, rules.DamageRestored, rs.Damage)
	require.Equal(t, rules.StartTouchDivider, rs.StartLateral)
	_, err = set["nca"].Override([]byte("contact: shout"))
	require.ErrorIs(t, err, profile.ErrProfile)
	var o *rules.OptionError
	require.ErrorAs(t, err, &o)
	_, err = set["nca"].Override([]byte("contacts: direct"))
	require.ErrorIs(t, err, profile.ErrProfile)
}

// Profiles that cannot be used are refused when they are read.
func TestUnusableProfiles(t *testing.T) {
	ok := "title: T\nend: {rounds: 4}\ndiscs: {singles: 8}\n"
	good, err := profile.Parse(map[string][]byte{"x": []byte(ok), "y": []byte("title: Y\nextends: x\nrules: {spin: out}")})
	require.NoError(t, err)
	require.Equal(t, rules.SpinOut, good["y"].Rules.Spin)
	require.Equal(t, 8, good["y"].Discs.Singles)
	for name, files := range map[string]map[string]string{
		"not YAML":                        {"x": "\t{"},
		"unknown key":                     {"x": ok + "colour: red"},
		"unknown option":                  {"x": ok + "rules: {contacts: direct}"},
		"unknown word":                    {"x": ok + "rules: {contact: shout}"},
		"unknown end":                     {"x": "title: T\nend: {sometime: 4}\ndiscs: {singles: 8}\n"},
		"no title":                        {"x": "end: {rounds: 4}\ndiscs: {singles: 8}\n"},
		"no end":                          {"x": "title: T\ndiscs: {singles: 8}\n"},
		"no discs":                        {"x": "title: T\nend: {rounds: 4}\n"},
		"too many discs":                  {"x": "title: T\nend: {rounds: 4}\ndiscs: {singles: 80}\n"},
		"extends nothing":                 {"x": ok + "extends: z"},
		"extends itself":                  {"x": ok + "extends: x"},
		"extends in circle":               {"x": ok + "extends: y", "y": ok + "extends: x"},
		"three-player points between two": {"x": "title: T\nrules: {round_score: match3}\nend: {rounds: 4}\ndiscs: {singles: 8}\n"},
	} {
		b := map[string][]byte{}
		for k, v := range files {
			b[k] = []byte(v)
		}
		_, err := profile.Parse(b)
		require.ErrorIs(t, err, profile.ErrProfile, name)
	}
	_, err = profile.Load(fstest.MapFS{"x.yaml": {Data: []byte("title: [")}})
	require.ErrorIs(t, err, profile.ErrProfile)
}
