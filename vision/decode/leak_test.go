//go:build matprofile

package decode

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gocv.io/x/gocv"
)

// No Mat stays open on any path: good pictures, each of them cut at many
// places, and each with its bytes spoilt.
func TestNoMatStaysOpen(t *testing.T) {
	pictures := [][]byte{
		encode(t, jpegOf(picture())), encode(t, jpegOf(noise(64, 48))), encode(t, pngOf(picture())),
		encode(t, gifOf(2)), encode(t, bmpOf(picture())),
		jpegWithExif(encode(t, jpegOf(picture())), exifBlock(binary.BigEndian, short(tagOrientation, 6))),
	}
	names, err := filepath.Glob("../../testdata/decode/*")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		pictures = append(pictures, data)
	}

	before, counted := gocv.MatProfile.Count(), OpenMats()
	try := func(data []byte) {
		if p, err := Decode(data, Limits{Pixels: 1_000_000}); err == nil {
			p.Close()
		}
	}
	for _, data := range pictures {
		try(data)
		for i := range 12 {
			at := len(data) * i / 12
			try(data[:at])
			try(append(bytes.Clone(data[:at]), 0xff, 0xd9))
			try(flippedAt(data, at))
		}
	}
	if n := gocv.MatProfile.Count(); n != before {
		var stacks bytes.Buffer
		_ = gocv.MatProfile.WriteTo(&stacks, 1)
		t.Fatalf("%d Mats are open, there were %d:\n%s", n, before, stacks.String())
	}
	require.Equal(t, counted, OpenMats(), "and none is counted that is closed")
}
