package live_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/vision/eval/live"
)

func TestShotsOfASimulatedMatchAreFoundAndJudged(t *testing.T) {
	r, err := live.Run(t.Context(), []string{"sim:?seed=1&size=960x540&fps=20&hasty=true"}, live.Options{Shots: 3})
	require.NoError(t, err)
	require.Equal(t, 3, r.Shots.Truth)
	require.Equal(t, 3, r.Shots.Right, "%+v", r.Each)
	require.Equal(t, 1.0, r.Shots.Precision)
	require.Equal(t, 3, r.Verdicts.Right, "%+v", r.Each)
	require.Equal(t, 1, r.Twenties.Right, "the first shot goes in")
	require.Less(t, r.Latency.P95, 800.0)
}

func TestAShotIsFoundInARayTracedClip(t *testing.T) {
	const folder = "../../../../shared/clips"
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the ray-traced clips are not here")
	}
	r, err := live.Run(t.Context(), []string{folder}, live.Options{})
	require.NoError(t, err)
	require.Equal(t, r.Shots.Truth, r.Shots.Right, "%+v", r.Each)
	require.Equal(t, 1.0, r.Shots.Precision)
}

func TestAFolderWithoutClipsIsAnError(t *testing.T) {
	_, err := live.Run(t.Context(), []string{t.TempDir()}, live.Options{})
	require.ErrorIs(t, err, live.ErrNoClips)
	_, err = live.Run(t.Context(), []string{"sim:?size=none"}, live.Options{})
	require.Error(t, err)
}
