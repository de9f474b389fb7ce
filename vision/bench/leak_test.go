//go:build matprofile

package bench

import (
	"bytes"
	"image"
	"testing"

	"github.com/stretchr/testify/require"
	"gocv.io/x/gocv"
)

func TestMeasuringLeavesNoMatOpen(t *testing.T) {
	before := gocv.MatProfile.Count()
	data, err := Picture()
	require.NoError(t, err)
	require.NoError(t, decodeAndRectify(t.Context(), data, image.Rect(0, 0, 4000, 3000)))
	require.Error(t, decodeAndRectify(t.Context(), data[:1000], image.Rect(0, 0, 4000, 3000)))
	if n := gocv.MatProfile.Count(); n != before {
		var stacks bytes.Buffer
		_ = gocv.MatProfile.WriteTo(&stacks, 1)
		t.Fatalf("%d Mats are open, there were %d:\n%s", n, before, stacks.String())
	}
}
