package photo_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board/presets"
	"crokcam/internal/scenes"
	"crokcam/vision/photo"
)

// What is round or chequered is no crokinole board, and is never scored.
func TestOtherGamesAndTablewareAreNotScored(t *testing.T) {
	things := scenes.NotBoards()
	for i, name := range []string{"a chess board with its men", "a dartboard", "a dinner plate"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := scenes.JPEG(scenes.Photograph(things[name], scenes.Views[i]))
			r, err := photo.Score(t.Context(), data, photo.Options{})
			require.ErrorIs(t, err, photo.ErrNoBoard, "%+v", r)
		})
	}
}

// A board that is not the one that was named is told from no board at all.
func TestABoardOtherThanTheNamedOneIsSaidToBe(t *testing.T) {
	data, err := os.ReadFile("../../testdata/renders/dev_07.jpg") // of a tournament board
	require.NoError(t, err)
	for name, fits := range map[string]bool{"tournament-26": true, "octagon-classic": false} {
		spec, err := presets.ByName(name)
		require.NoError(t, err)
		r, err := photo.Score(t.Context(), data, photo.Options{Board: &spec})
		if fits {
			require.NoError(t, err)
			require.Equal(t, name, r.Calibration.Board)
			continue
		}
		var other *photo.OptionError
		require.ErrorAs(t, err, &other)
		require.Equal(t, "board_mismatch", other.Code)
		require.Len(t, other.Values, 4)
		require.Contains(t, other.Message, "0.34 and 0.72")
		require.Contains(t, other.Message, "0.33 and 0.66", "by the middles of the lines")
	}
}
