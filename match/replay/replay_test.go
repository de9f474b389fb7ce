package replay_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/match"
	"crokcam/match/rehearse"
	"crokcam/match/replay"
	"crokcam/rules/say"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "go test -update writes it")
	require.Equal(t, string(want), string(got))
}

func TestAMatchIsToldShotByShot(t *testing.T) {
	table := rehearse.New(11, rehearse.Singles(1))
	_, err := table.Play()
	require.NoError(t, err)
	words, err := say.For("en")
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, replay.Write(&b, table.State, replay.Options{Words: words, Rows: 13}))
	golden(t, "match.txt", b.Bytes())

	r := replay.Of(table.State)
	require.Len(t, r.Rounds, 1)
	require.Len(t, r.Rounds[0].Turns, len(table.State.Rounds()[0].Turns))
	require.Equal(t, table.State.View(), r.Outcome)
	_, err = json.Marshal(r)
	require.NoError(t, err)
}

func TestABoardIsDrawnAsTheSouthPlayerSeesIt(t *testing.T) {
	at := func(id match.DiscID, side board.Side, x, y float64) match.Disc {
		return match.Disc{ID: id, Disc: board.Disc{Point: board.Point{X: x, Y: y}, Side: side}}
	}
	lines := replay.Board(board.Tournament26(), []match.Disc{
		at("1", board.SideA, -250, 0), at("2", board.SideB, 0, 250), at("3", board.SideC, 250, -100),
		{ID: "4", Disc: board.Disc{Point: board.Point{X: 9999}, Side: board.SideD}},
	}, 21, "2")
	golden(t, "board.txt", []byte(join(lines)))
}

func join(lines []string) string {
	out := ""
	for _, l := range lines {
		out += l + "\n"
	}
	return out
}
