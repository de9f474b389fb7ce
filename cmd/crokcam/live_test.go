package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/internal/streamtest"
	"crokcam/match/store"
	"crokcam/vision/capture/v4l"
)

// The test's own program is also the one that runs in a terminal.
const programVar = "CROKCAM_TEST_ARGS"

func TestMain(m *testing.M) {
	if args := os.Getenv(programVar); args != "" {
		_ = os.Unsetenv(programVar)
		os.Exit(run(context.Background(), newApp(os.Stdin, os.Stdout, os.Stderr), strings.Split(args, "\n")))
	}
	os.Exit(m.Run())
}

// simulated is a small match that is quickly drawn.
const simulated = "sim:?seed=3&size=640x360&fps=15&hasty=1&view=overhead&light=panels"

// pane is a terminal with a program in it.
type pane struct {
	t      *testing.T
	socket string
}

// inTerminal runs a command line in a terminal of its own.
func inTerminal(t *testing.T, state string, args ...string) *pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: scripts/setup installs it")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	p := &pane{t, filepath.Join(t.TempDir(), "tmux")}
	// What the program prints at its end stays to be read.
	script := filepath.Join(t.TempDir(), "run")
	require.NoError(t, os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\n%s='%s' XDG_STATE_HOME='%s' '%s'\necho status $?\nread line\n",
		programVar, strings.Join(args, "\n"), state, self), 0o700))
	p.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "34", script)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", p.socket, "kill-server").Run() })
	return p
}

func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	out, err := exec.CommandContext(p.t.Context(), "tmux", append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	require.NoError(p.t, err, string(out))
	return string(out)
}

// shows waits until the terminal shows a text.
func (p *pane) shows(text string) string {
	p.t.Helper()
	screen := ""
	ok := func() bool {
		screen = p.tmux("capture-pane", "-p")
		return strings.Contains(screen, text)
	}
	for late := time.Now().Add(60 * time.Second); !ok(); {
		require.True(p.t, time.Now().Before(late), "%q is not shown:\n%s", text, screen)
	}
	return screen
}

func TestTheScoreboardInATerminalListensToKeys(t *testing.T) {
	state := t.TempDir()
	p := inTerminal(t, state, "live", simulated, "--players", "Ann,Bob", "--title", "Final")
	screen := p.shows("Ann to shoot.")
	require.Contains(t, screen, "A Ann")
	require.Contains(t, screen, "B Bob")
	require.Contains(t, screen, "game 1, round 1")
	require.Contains(t, screen, "+", "the board's posts are drawn")
	require.Contains(t, screen, "u undo")

	p.tmux("send-keys", "p")
	p.shows("Paused.")
	p.tmux("send-keys", "p")
	p.shows("p pause")
	p.tmux("send-keys", "u") // takes back that play went on
	p.shows("Paused.")
	p.tmux("send-keys", "r")
	p.shows("p pause")
	p.tmux("send-keys", "q")
	screen = p.shows("status 0")
	require.Contains(t, screen, "Go on with it: crokcam live SOURCE --match")

	db, err := store.Open(t.Context(), filepath.Join(state, "crokcam", "matches.db"), store.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	page, err := db.List(t.Context(), store.Query{})
	require.NoError(t, err)
	require.Len(t, page.Matches, 1)
	require.Equal(t, "Final", page.Matches[0].Title)
}

// doctored runs a command line on a machine without a camera.
func doctored(t *testing.T, args ...string) (out, said string, status int) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	var o, e bytes.Buffer
	a := newApp(strings.NewReader(""), &o, &e)
	a.machine = v4l.System{Root: t.TempDir()}
	status = run(t.Context(), a, args)
	return o.String(), e.String(), status
}

func TestTheDoctorSaysWhatIsGoodAndWhatIsNot(t *testing.T) {
	out, _, status := doctored(t, "doctor")
	require.Equal(t, exitGood, status)
	require.Contains(t, out, "No camera is plugged into this machine.")
	require.Contains(t, out, "Matches are kept in ")

	out, _, status = doctored(t, "doctor", strings.Replace(simulated, "640x360", "800x450", 1)+"&speed=max", "--frames", "30", "--json")
	require.Equal(t, exitGood, status, out)
	var d diagnosis
	require.NoError(t, json.Unmarshal([]byte(out), &d))
	require.Equal(t, doctorSchema, d.Schema)
	require.True(t, d.Good)
	require.NotNil(t, d.Camera.Calibration)
	require.Greater(t, d.Camera.BoardPx, 200.0)
	codes := map[string]bool{}
	for _, c := range d.Checks {
		codes[c.Code] = true
		require.NotEmpty(t, c.Text)
	}
	require.True(t, codes["board_small"], "at 800 px a pixel covers two millimetres: %v", codes)
	require.False(t, codes["out_of_focus"])
}

func TestTheDoctorDoesNotFindABoardWhereThereIsNone(t *testing.T) {
	folder := t.TempDir()
	for i := range 4 {
		require.NoError(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.jpg", i)), streamtest.JPEG(t, streamtest.Picture(320, 240, i)), 0o600))
	}
	out, _, status := doctored(t, "doctor", folder)
	require.Equal(t, exitNothingSeen, status)
	require.Contains(t, out, "No crokinole board can be made out.")

	out, _, status = doctored(t, "doctor", filepath.Join(folder, "none.mp4"))
	require.Equal(t, exitFailed, status)
	require.Contains(t, out, "There is no such file or folder.")
	_, said, status := doctored(t, "doctor", "tape:1")
	require.Equal(t, exitWrongUse, status)
	require.Contains(t, said, "A source cannot begin with tape:")
}

func TestLiveIsRefusedWhatItCannotPlay(t *testing.T) {
	for _, args := range [][]string{
		{"live"}, {"live", "tape:1"}, {"live", simulated, "--rules", "none"}, {"live", simulated, "--players", "Ann"},
		{"live", simulated, "--players", "Ann,"}, {"live", simulated, "--players", "Ann,\x1b[2JBob"},
		{"live", simulated, "--layout", "5p"}, {"live", simulated, "--match", "ABCDE"}, {"live", "sim:?colour=red"},
		{"eval", "table", "clips"}, {"eval", "table", "sim:", "--rounds", "0"},
	} {
		_, said, status := doctored(t, args...)
		require.Equal(t, exitWrongUse, status, "%v: %s", args, said)
		require.NotEmpty(t, said)
	}
}
