package physics_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board/presets"
	"crokcam/configs"
	"crokcam/sim"
	"crokcam/sim/physics"
)

func TestEveryPresetIsPossibleOnEveryBoard(t *testing.T) {
	require.Contains(t, physics.Names(), physics.Default)
	specs, err := presets.All()
	require.NoError(t, err)
	for _, name := range physics.Names() {
		p, err := physics.ByName(name)
		require.NoError(t, err)
		require.Equal(t, name, p.Name, "named after its file")
		require.GreaterOrEqual(t, p.Surface.Friction, 0.06)
		require.LessOrEqual(t, p.Surface.Friction, 0.16)
		for _, s := range specs {
			_, err := sim.NewTable(s, p)
			require.NoError(t, err, "%s on %s", name, s.Name)
		}
	}
}

func TestPhysicsAreFoundByNameOrByFile(t *testing.T) {
	data, err := configs.Physics.ReadFile("physics/attic.yaml")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "mine.yaml")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	byFile, err := physics.Find(file)
	require.NoError(t, err)
	byName, err := physics.Find("attic")
	require.NoError(t, err)
	require.Equal(t, byName, byFile)

	_, err = physics.Find("marble")
	require.ErrorIs(t, err, physics.ErrUnknown)
	require.ErrorContains(t, err, "attic, championship, club")
	_, err = physics.ByName("marble")
	require.ErrorIs(t, err, physics.ErrUnknown)
	_, err = physics.Find(t.TempDir())
	require.ErrorContains(t, err, "physics file")
}

func TestWrongFilesSayWhatIsWrong(t *testing.T) {
	club, err := configs.Physics.ReadFile("physics/club.yaml")
	require.NoError(t, err)
	for name, c := range map[string]struct{ yaml, says string }{
		"empty":          {"", "empty"},
		"a key too many": {string(club) + "colour: brown\n", "colour"},
		"no name":        {"gravity: 9.81", "name is missing"},
		"no friction":    {"name: ice\ngravity: 9.81\ndisc: {mass: 5}", "surface.friction is 0 but must be from 0.001 to 2"},
		"too lively":     {"name: x\ngravity: 9.81\ndisc: {mass: 5, restitution: 1.2}", "disc.restitution is 1.2"},
		"not a number":   {"name: x\ngravity: .nan", "gravity is NaN m/s²"},
		"not YAML":       {"name: [", "read physics"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := physics.Parse([]byte(c.yaml))
			require.ErrorContains(t, err, c.says)
			file := filepath.Join(t.TempDir(), "x.yaml")
			require.NoError(t, os.WriteFile(file, []byte(c.yaml), 0o600))
			_, err = physics.Find(file)
			require.ErrorContains(t, err, file)
		})
	}
}
