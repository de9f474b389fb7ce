package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What the figures are is no matter for a test; that they are of what they say is.
func TestFramesAreMeasured(t *testing.T) {
	r, err := Frames(t.Context(), 2)
	require.NoError(t, err)
	require.Len(t, r, 2)
	require.Equal(t, "frame/quiet", r[0].Name)
	require.Positive(t, r[0].CPU)
	require.Equal(t, "frame/full", r[1].Name)
	require.Greater(t, r[1].CPU, r[0].CPU)
}

func TestStreamsAreWatchedAsTheyCome(t *testing.T) {
	r, err := Streams(t.Context(), 2, 1500*time.Millisecond)
	require.NoError(t, err)
	require.Positive(t, r.Wall)
	require.Contains(t, r.Input, "2 streams")
}
