package photo_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/vision/photo"
)

func TestSidesAndTwentiesAreReadAsPeopleWriteThem(t *testing.T) {
	c, err := photo.ParseChoice(" b = Light Wood ")
	require.NoError(t, err)
	require.Equal(t, photo.SideChoice{Side: board.SideB, Colour: "light wood"}, c)

	n, err := photo.ParseTwenties("A=2, b=1")
	require.NoError(t, err)
	require.Equal(t, map[board.Side]int{board.SideA: 2, board.SideB: 1}, n)

	n, err = photo.ParseTwenties("")
	require.NoError(t, err)
	require.Empty(t, n)
}

func TestWrongSidesAndTwentiesSayWhatToWrite(t *testing.T) {
	choice := func(s string) error { _, err := photo.ParseChoice(s); return err }
	twenties := func(s string) error { _, err := photo.ParseTwenties(s); return err }
	for _, c := range []struct {
		err  error
		code string
	}{
		{choice("black"), "bad_option"},
		{choice("A="), "bad_option"},
		{choice("E=black"), "unknown_side"},
		{choice("=black"), "unknown_side"},
		{twenties("E=1"), "unknown_side"},
		{twenties("A"), "bad_option"},
		{twenties("A=-1"), "bad_option"},
		{twenties("A=many"), "bad_option"},
		{twenties("A=1,A=2"), "bad_option"},
	} {
		var wrong *photo.OptionError
		require.ErrorAs(t, c.err, &wrong)
		require.Equal(t, c.code, wrong.Code, wrong.Message)
	}
}
