package simcam_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/internal/simcam"
	"crokcam/vision/capture"
)

func TestOnASlowMachineNoFrameIsLeftOut(t *testing.T) {
	// A hundred times as fast as 240 frames a second can be drawn nowhere.
	o, err := simcam.Open(t.Context(), "?seed=1&size=320x180&fps=240&speed=100&hasty=1", capture.Mode{})
	require.NoError(t, err)
	defer func() { require.NoError(t, o.Feed.Close()) }()
	var f capture.Frame
	for n := range 12 {
		require.NoError(t, o.Feed.Next(t.Context(), &f))
		require.InDelta(t, (time.Duration(n) * time.Second / 240).Seconds(), f.At.Seconds(), 1e-6)
	}
}
