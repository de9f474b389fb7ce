package board_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
)

func TestADiscReadsTheSameBackFromJSON(t *testing.T) {
	discs := []board.Disc{
		{Point: board.Point{X: -120.4, Y: 88.1}, Side: board.SideB, Rest: board.Leaning, Sigma: 0.4, Confidence: 0.99},
		{Side: board.SideD, Rest: board.InHole},
	}
	b, err := json.Marshal(board.Snapshot{Discs: discs})
	require.NoError(t, err)
	require.JSONEq(t, `{"discs":[{"x_mm":-120.4,"y_mm":88.1,"side":"B","rest":"leaning","sigma_mm":0.4,"confidence":0.99},`+
		`{"x_mm":0,"y_mm":0,"side":"D","rest":"hole","sigma_mm":0,"confidence":0}]}`, string(b))
	var back board.Snapshot
	require.NoError(t, json.Unmarshal(b, &back))
	require.Equal(t, discs, back.Discs)
}

func TestWordsThatNameNothingAreRefused(t *testing.T) {
	var d struct {
		Side board.Side
		Zone board.Zone
		Rest board.Rest
		Seat board.Seat
	}
	require.NoError(t, json.Unmarshal([]byte(`{"Side":"","Zone":"out","Rest":"standing","Seat":"east"}`), &d))
	require.Equal(t, board.East, d.Seat)
	for _, bad := range []string{`{"Side":"E"}`, `{"Zone":"25"}`, `{"Rest":""}`, `{"Seat":"up"}`} {
		require.ErrorIs(t, json.Unmarshal([]byte(bad), &d), board.ErrWord, bad)
	}
	_, err := json.Marshal(board.Side(5))
	require.ErrorIs(t, err, board.ErrWord)
	_, err = json.Marshal(board.Seat(4))
	require.ErrorIs(t, err, board.ErrWord)
}
