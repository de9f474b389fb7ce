package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/internal/scenes"
)

// The whole program, on pictures of other things.
func TestWhatIsNoBoardIsNothingToScore(t *testing.T) {
	things := scenes.NotBoards()
	for i, name := range []string{"a chess board", "a smaller dartboard", "a plate with three blue rims"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "photo.jpg")
			require.NoError(t, os.WriteFile(file, scenes.JPEG(scenes.Photograph(things[name], scenes.Views[i])), 0o644))
			var out, told bytes.Buffer
			status := run(context.Background(), newApp(strings.NewReader(""), &out, &told), []string{"score", file})
			require.Equal(t, exitNothingSeen, status)
			require.Contains(t, told.String(), "No crokinole board was found")
		})
	}
}
