package fanout_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/api/fanout"
)

func TestACrowdThatComesAndGoesHearsEverythingInOrder(t *testing.T) {
	o := fanout.Options{
		Listeners: 40, Disconnects: 10, Entries: 60, Rate: 400,
		Crowd: func(ctx context.Context, c fanout.Crowd, ready func()) (fanout.Report, error) {
			return c.Listen(ctx, ready)
		},
		Drain: fanout.Drain,
	}
	r, f, err := fanout.Events(t.Context(), o, 1)
	require.NoError(t, err)
	require.Zero(t, f.Wrong)
	require.Equal(t, 40, f.Listeners)
	require.Greater(t, f.Messages, 120, "an event and the match as it stands for each entry")
	require.Greater(t, f.Connections, 40*8)
	require.Equal(t, "events/fanout", r.Name)
	require.Positive(t, r.FloorCPU)
}
