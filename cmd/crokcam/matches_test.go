package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/internal/config"
	"crokcam/match"
	"crokcam/match/rehearse"
	"crokcam/match/store"
)

// evening is a command line with two matches kept: K4MR7, played out, and the
// code that is returned, in the middle of a round.
func evening(t *testing.T) (l *line, second string) {
	t.Helper()
	l = in(t)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("USER", "sam")
	whole := rehearse.New(5, rehearse.Singles(2))
	_, err := whole.Play()
	require.NoError(t, err)
	half := rehearse.New(6, rehearse.Singles(2))
	for range 60 {
		_, err := half.Step()
		require.NoError(t, err)
	}
	for name, table := range map[string]*rehearse.Table{"whole.json": whole, "half.json": half} {
		var b bytes.Buffer
		require.NoError(t, table.State.Export().Write(&b))
		l.file(name, b.String())
	}
	l.good("match", "import", "whole.json")
	code := regexp.MustCompile(`^(\w+)  `).FindStringSubmatch(l.good("match", "import", "--copy", "half.json").out)
	require.Len(t, code, 2)
	return l, code[1]
}

func (l *line) good(args ...string) *line {
	l.Helper()
	l.run(args...)
	require.Equal(l, exitGood, l.status, l.err)
	return l
}

func (l *line) fails(status int, says string, args ...string) {
	l.Helper()
	l.run(args...)
	require.Equal(l, status, l.status, l.err)
	require.Contains(l, l.err, says)
}

func TestMatchesAreListedAndShown(t *testing.T) {
	l, half := evening(t)
	l.good("match", "list")
	require.Contains(t, l.out, "K4MR7")
	require.Contains(t, l.out, half)
	l.good("match", "list", "--json", "--limit", "1")
	var page struct {
		Matches []struct{ Code string }
		Next    string
	}
	require.NoError(t, json.Unmarshal([]byte(l.out), &page))
	require.Len(t, page.Matches, 1)
	first := page.Matches[0].Code
	l.good("match", "list", "--json", "--after", page.Next)
	require.NoError(t, json.Unmarshal([]byte(l.out), &page))
	require.Len(t, page.Matches, 1)
	require.NotEqual(t, first, page.Matches[0].Code)
	l.fails(exitWrongUse, "no cursor", "match", "list", "--after", "x")

	l.good("match", "show", half)
	require.Contains(t, l.out, "Waiting:")
	l.good("match", "show", "--json", "k4mr7")
	require.Contains(t, l.out, `"schema": "crokcam.match.state/1"`)
	l.good("match", "show", "--events", half)
	require.Contains(t, l.out, "match.started")
	l.fails(exitWrongUse, "no such match", "match", "show", "XXXXX")
	l.good("match", "stats")
	require.Contains(t, l.out, "Ann")
	l.good("match", "stats", "--json", half)
	require.Contains(t, l.out, `"matches": 1`)
}

// A kept match may be from before names were checked, or put there by hand.
func TestNamesThatATerminalWouldObeyAreShownHarmless(t *testing.T) {
	l, _ := evening(t)
	data, err := os.ReadFile("whole.json")
	require.NoError(t, err)
	d, _, err := match.ReadDocument(data)
	require.NoError(t, err)
	start := d.Events[0].Body.(match.Started)
	start.Match, start.Code, start.Title, start.Board = "evil", "EV1LL", "Final\x1b[2J", "a\tb\nc"
	for i := range start.Players {
		start.Players[i].Name += "\x1b]0;owned\a\u009b"
	}
	for i := range start.Sides {
		start.Sides[i].Name += "\x1b[31m"
	}
	d.Events[0].Body = start
	state, err := match.Fold(d.Events)
	require.NoError(t, err)
	path, err := config.Matches{}.Path()
	require.NoError(t, err)
	db, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	_, err = db.Append(t.Context(), store.Append{Match: "evil", Events: state.Events(), Summary: state.Summary()})
	require.NoError(t, err)
	require.NoError(t, db.Close())

	for _, args := range [][]string{
		{"match", "list"}, {"match", "show", "EV1LL"}, {"match", "show", "--events", "EV1LL"}, {"match", "stats"},
		{"replay", "EV1LL"}, {"match", "undo", "EV1LL"}, {"match", "delete", "EV1LL"},
	} {
		l.run(args...)
		require.Empty(t, regexp.MustCompile(`[^\n\P{Cc}]`).FindAllString(l.out+l.err, -1), args)
	}
	l.good("match", "list")
	require.Regexp(t, `(?m)^EV1LL .* a�b�c +Final�\[2J `, l.out)
	l.good("replay", "EV1LL")
	require.Contains(t, l.out, "�]0;owned�", "the name is there")

	var b bytes.Buffer
	require.NoError(t, state.Export().Write(&b))
	l.file("evil.json", b.String())
	l.fails(exitFailed, "control characters", "match", "import", "--copy", "evil.json")
	require.NotContains(t, l.err, "\x1b")
}

func TestAMatchIsReplayed(t *testing.T) {
	l, half := evening(t)
	l.good("replay", half)
	require.Contains(t, l.out, "Shot 1, side A, Ann (south)")
	require.Contains(t, l.out, "Still being played")
	l.good("replay", "--lang", "nl", "--rows", "0", "K4MR7")
	require.Contains(t, l.out, "schot")
	require.NotContains(t, l.out, "....")
	l.good("replay", "--json", "K4MR7")
	require.Contains(t, l.out, `"schema": "crokcam.replay/1"`)
	l.fails(exitWrongUse, "catalogue", "replay", "--lang", "xx", "K4MR7")
	l.fails(exitWrongUse, "needs a match", "replay")
}

func TestUndoAndRedoFromTheCommandLine(t *testing.T) {
	l, half := evening(t)
	before := l.good("match", "show", half).out
	l.good("match", "undo", half)
	require.NotEqual(t, before, l.out)
	l.good("match", "show", "--events", half)
	require.Contains(t, l.out, "scorer sam")
	require.Contains(t, l.out, "undone")
	require.Equal(t, before, l.good("match", "redo", half).out)
	l.fails(exitFailed, "nothing to undo or redo", "match", "redo", half)
	l.good("match", "undo", "--event", "2", half)
	require.Contains(t, l.out, "Waiting: between")
	l.fails(exitFailed, "cannot be undone", "match", "undo", "--event", "1", half)
}

func TestAMatchGoesOutAndComesBackTheSame(t *testing.T) {
	l, _ := evening(t)
	want, err := os.ReadFile("whole.json")
	require.NoError(t, err)
	require.Equal(t, string(want), l.good("match", "export", "K4MR7").out)
	l.good("match", "export", "--pictures", "K4MR7", "out.json")
	l.fails(exitFailed, "--copy", "match", "import", "out.json")
	l.fails(exitWrongUse, "--yes", "match", "delete", "K4MR7")
	l.good("match", "delete", "--yes", "K4MR7")
	l.fails(exitWrongUse, "no such match", "match", "show", "K4MR7")
	l.good("match", "import", "out.json")
	require.Equal(t, string(want), l.good("match", "export", "K4MR7", "-").out)
	l.fails(exitFailed, "schema", "match", "import", l.file("bad.json", `{"schema":"crokcam.photo/1"}`))
	l.fails(exitFailed, "no such file", "match", "import", "none.json")
	l.fails(exitWrongUse, "needs a match", "match", "export")
}

func TestABackupBringsEverythingBack(t *testing.T) {
	l, half := evening(t)
	l.good("backup", "b.db")
	l.fails(exitFailed, "--force replaces it", "backup", "b.db")
	l.good("match", "delete", "--yes", half)
	l.fails(exitFailed, "--force replaces it", "restore", "b.db")
	l.good("restore", "--force", "b.db")
	require.Contains(t, l.err, "What was there before is now")
	l.good("match", "show", half)
	l.fails(exitFailed, "not one of crokcam's", "restore", "--force", "whole.json")
	t.Setenv("CROKCAM_MATCHES_FILE", filepath.Join("elsewhere", "m.db"))
	l.good("restore", "b.db")
	l.good("match", "show", half)
	require.FileExists(t, filepath.Join("elsewhere", "m.db"))
}

func TestOldMatchesArePruned(t *testing.T) {
	l, _ := evening(t)
	require.Equal(t, "Removed 0 matches and 0 pictures.\n", l.good("match", "prune").out)
	l.fails(exitWrongUse, "matches.keep_days", "--config", l.file("c.yaml", "matches: {keep_days: -1}"), "match", "prune")
}

func TestBenchStorePrintsTheContract(t *testing.T) {
	l := in(t)
	l.good("bench", "store", "--json", "--rounds", "1", ".")
	require.Contains(t, l.out, `"schema": "crokcam.bench/1"`)
	require.Contains(t, l.out, `"name": "store/commits"`)
	l.fails(exitWrongUse, "at least one", "bench", "store", "--rounds", "0")
	l.fails(exitWrongUse, "one folder", "bench", "store", "a", "b")
}
