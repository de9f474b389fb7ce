//go:build matprofile

package photo

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"gocv.io/x/gocv"

	"crokcam/vision/decode"
)

func TestAnnotatingLeavesNoMatOpen(t *testing.T) {
	data, r := truthReport(t, "dev_15")
	before, counted := gocv.MatProfile.Count(), decode.OpenMats()
	_, err := Annotate(data, r)
	require.NoError(t, err)
	for _, bad := range [][]byte{nil, []byte("text"), data[:len(data)/2]} {
		_, err := Annotate(bad, r)
		require.Error(t, err)
	}
	if n := gocv.MatProfile.Count(); n != before {
		var stacks bytes.Buffer
		_ = gocv.MatProfile.WriteTo(&stacks, 1)
		t.Fatalf("%d Mats are open, there were %d:\n%s", n, before, stacks.String())
	}
	require.Equal(t, counted, decode.OpenMats(), "and none is counted that is closed")
}
