package main

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
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

// A lens cap, a white wall: not one edge in the whole picture.
func TestAPictureOfOneColourIsNothingToScore(t *testing.T) {
	for name, c := range map[string]color.Color{"black": color.Black, "white": color.White, "grey": color.Gray{Y: 128}, "red": color.NRGBA{R: 200, A: 255}} {
		t.Run(name, func(t *testing.T) {
			picture := image.NewNRGBA(image.Rect(0, 0, 640, 480))
			draw.Draw(picture, picture.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
			var data bytes.Buffer
			require.NoError(t, png.Encode(&data, picture))
			file := filepath.Join(t.TempDir(), "photo.png")
			require.NoError(t, os.WriteFile(file, data.Bytes(), 0o600))
			for _, command := range []string{"score", "calibrate"} {
				var out, told bytes.Buffer
				status := run(context.Background(), newApp(strings.NewReader(""), &out, &told), []string{command, file})
				require.Equal(t, exitNothingSeen, status, command)
				require.Contains(t, told.String(), "No crokinole board was found", command)
			}
		})
	}
}
