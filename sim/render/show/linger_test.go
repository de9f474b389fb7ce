package show

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFramesComeWhileThePlayersThink(t *testing.T) {
	c := Default()
	c.Width, c.Height, c.FPS, c.Hasty = 200, 160, 5, true
	s, err := New(t.Context(), c)
	require.NoError(t, err)
	s.Linger()
	f, err := s.Next(t.Context())
	require.NoError(t, err)
	require.Len(t, f.Shots, 1)

	thought := <-s.ahead // the second turn is not told yet
	s.ahead = make(chan coming, 1)
	end := s.act.end
	for f.At.Seconds() < end+2 {
		f, err = s.Next(t.Context())
		require.NoError(t, err)
		require.Empty(t, f.Shots)
	}
	s.ahead <- thought
	f, err = s.Next(t.Context())
	require.NoError(t, err)
	require.Len(t, f.Shots, 1)
	require.Equal(t, 2, s.shots)
}
