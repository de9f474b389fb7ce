package presets_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/board/presets"
)

const tiny = `
name: kitchen
hole: {radius: 16, depth: 6}
fifteen: {outer: 90, width: 2}
ten: {outer: 180, width: 2}
start: {outer: 270, width: 2}
surface: 290
disc: {radius: 15, thickness: 9}
`

func TestEveryPresetIsAPossibleBoardNamedAfterItsFile(t *testing.T) {
	require.Contains(t, presets.Names(), "tournament-26")
	specs, err := presets.All()
	require.NoError(t, err)
	for i, s := range specs {
		require.NoError(t, s.Validate())
		require.Equal(t, presets.Names()[i], s.Name)
		require.Less(t, s.Disc.Radius, s.Hole.Radius, "%s: its disc goes into its hole", s.Name)
		require.InDelta(t, s.Fifteen.Outer, s.Posts.Radius, 0.1, "%s: posts stand on the 15 line", s.Name)
	}
}

func TestTheTournamentFileAgreesWithTheCode(t *testing.T) {
	s, err := presets.ByName("tournament-26")
	require.NoError(t, err)
	require.Equal(t, board.Tournament26(), s)
}

func TestPresetsTellRingsAtOtherRatiosApart(t *testing.T) {
	s, err := presets.ByName("octagon-classic")
	require.NoError(t, err)
	require.InDelta(t, 0.339, s.Fifteen.Outer/s.Start.Outer, 0.001)
	require.InDelta(t, 0.717, s.Ten.Outer/s.Start.Outer, 0.001)
}

func TestABoardIsFoundByNameOrByFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kitchen.yaml")
	require.NoError(t, os.WriteFile(file, []byte(tiny), 0o600))

	byFile, err := presets.Find(file)
	require.NoError(t, err)
	require.Equal(t, "kitchen", byFile.Name)
	require.Equal(t, 270.0, byFile.Start.Outer)

	byName, err := presets.Find("recreational-24")
	require.NoError(t, err)
	require.Equal(t, "recreational-24", byName.Name)
}

func TestWrongBoardFilesSayWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct{ yaml, says string }{
		"empty":            {"", "empty"},
		"no name":          {"hole: {radius: 16, depth: 6}", "name is missing"},
		"a key too many":   {tiny + "colour: brown\n", "colour"},
		"rings inside out": {"name: x\nhole: {radius: 160, depth: 6}\nfifteen: {outer: 90, width: 2}\n", "fifteen.inner is 88 mm but must be more than hole.radius"},
		"not YAML":         {"name: [", "read board"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := presets.Parse([]byte(c.yaml))
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestAnUnknownBoardIsToldTheKnownOnes(t *testing.T) {
	_, err := presets.Find("tournament")
	require.ErrorIs(t, err, presets.ErrUnknown)
	require.ErrorContains(t, err, "tournament-26")
	_, err = presets.ByName("tournament")
	require.ErrorIs(t, err, presets.ErrUnknown)
}
