package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

// fakeScorer tells by a picture's bytes what to answer.
type fakeScorer struct {
	report *photo.Report
	told   *photo.Options
}

func (f fakeScorer) Score(_ context.Context, data []byte, o photo.Options) (*photo.Report, error) {
	*f.told = o
	switch string(data) {
	case "no board":
		return nil, photo.ErrNoBoard
	case "text":
		return nil, &decode.Error{Code: "not_a_picture", Message: "This file is not a picture."}
	case "too many 20s":
		return nil, &photo.OptionError{Code: "too_many_twenties", Message: "Side A has only 4 discs left."}
	}
	return f.report, nil
}

func (fakeScorer) Annotate(data []byte, _ *photo.Report) ([]byte, error) {
	if string(data) == "cannot be drawn" {
		return nil, errors.New("no ink")
	}
	return append([]byte("drawn: "), data...), nil
}

// line is a command line under test, in a folder of its own.
type line struct {
	*testing.T
	in       string
	told     photo.Options
	out, err string
	status   int
}

func in(t *testing.T) *line {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	return &line{T: t}
}

func (l *line) file(name, content string) string {
	l.Helper()
	require.NoError(l, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(l, os.WriteFile(name, []byte(content), 0o600))
	return name
}

func (l *line) run(args ...string) *line {
	l.Helper()
	var out, errs bytes.Buffer
	a := newApp(strings.NewReader(l.in), &out, &errs)
	a.scorer = fakeScorer{report(l), &l.told}
	l.status = run(l.Context(), a, args)
	l.out, l.err = out.String(), errs.String()
	return l
}

// report is a board with two sides, a 20 and a close call.
func report(t testing.TB) *photo.Report {
	t.Helper()
	var r photo.Report
	require.NoError(t, json.Unmarshal([]byte(sampleReport), &r))
	return &r
}

const sampleReport = `
{"schema": "crokcam.photo/1", "image": {"width": 4032, "height": 3024, "orientation_applied": true},
 "calibration": {"method": "auto", "rms_mm": 0.41, "tilt_deg": 12.3, "board": "tournament-26", "rings_px": [], "ok": true},
 "sides": [{"side": "A", "name": "black", "rgb": "#2b2622", "points": 35, "discs": 2, "twenties": 1},
           {"side": "B", "name": "natural", "rgb": "#d8b98a", "points": 5, "discs": 1, "twenties": 0}],
 "discs": [{"x_mm": 0, "y_mm": 0, "px": [1, 2], "side": "A", "zone": "20", "points": 20, "state": "hole"},
           {"x_mm": 50, "y_mm": 0, "px": [1, 2], "side": "A", "zone": "15", "points": 15, "state": "surface"},
           {"x_mm": 186, "y_mm": 0, "px": [1, 2], "side": "B", "zone": "5", "points": 5, "gap_mm": -0.3, "sigma_mm": 0.4, "too_close": true, "other_zone": "10", "state": "surface"}],
 "ditch": 2, "differential": {"side": "A", "points": 30},
 "warnings": [{"code": "disc_too_close", "disc": 2, "text": "Disc 3 (B) is 0.3 mm over the 10 line: 5 or 10?"}]}`

func TestScorePrintsATableForPeople(t *testing.T) {
	l := in(t)
	l.run("score", l.file("round.jpg", "picture"))
	require.Equal(t, exitGood, l.status, l.err)
	require.Equal(t, `round.jpg
tournament-26 board, seen 12° from straight above, lines fit to 0.41 mm

  side           20  15  10  5  out  points
     A    black   1   1   0  0    0      35
     B  natural   0   0   0  1    0       5

A leads by 30.
In the ditch: 2.

Please look at:
  - Disc 3 (B) is 0.3 mm over the 10 line: 5 or 10?
`, l.out)
	require.Empty(t, l.err)
}

func TestScorePrintsTheContractForPrograms(t *testing.T) {
	l := in(t)
	l.run("score", "--json", l.file("round.jpg", "picture"))
	require.Equal(t, exitGood, l.status)
	var back photo.Report
	require.NoError(t, json.Unmarshal([]byte(l.out), &back))
	require.Equal(t, *report(t), back)
}

func TestScoreReadsAPhotoFromStandardInput(t *testing.T) {
	l := in(t)
	l.in = "picture"
	l.run("score", "-")
	require.Equal(t, exitGood, l.status)
	require.Contains(t, l.out, "A leads by 30.")
}

func TestScoreHandsOnWhatTheCallerKnows(t *testing.T) {
	l := in(t)
	l.run("score", "--sides", "2", "--side", "A=black", "--side", "b=natural", "--twenties", "A=2,B=1", "--board", "octagon-classic", l.file("x.jpg", "picture"))
	require.Equal(t, exitGood, l.status, l.err)
	require.Equal(t, 2, l.told.Sides)
	require.Equal(t, []photo.SideChoice{{Side: board.SideA, Colour: "black"}, {Side: board.SideB, Colour: "natural"}}, l.told.Choices)
	require.Equal(t, map[board.Side]int{board.SideA: 2, board.SideB: 1}, l.told.Twenties)
	require.Equal(t, "octagon-classic", l.told.Board.Name)
	require.Equal(t, decode.Limits{Bytes: 25_000_000, Pixels: 64_000_000}, l.told.Limits)

	l.run("score", "x.jpg")
	require.Nil(t, l.told.Board, "measured unless somebody says otherwise")
	t.Setenv("CROKCAM_PHOTO_BOARD", "vintage-22")
	l.run("score", "x.jpg")
	require.Equal(t, "vintage-22", l.told.Board.Name)
	l.run("score", "--board", "auto", "x.jpg")
	require.Nil(t, l.told.Board)
}

func TestSeveralPhotosEachGetALineAndTheWorstDecidesTheStatus(t *testing.T) {
	l := in(t)
	good, none, text := l.file("good.jpg", "picture"), l.file("none.jpg", "no board"), l.file("text.jpg", "text")

	l.run("score", "--json", good, none, good)
	require.Equal(t, exitNothingSeen, l.status)
	lines := strings.Split(strings.TrimSpace(l.out), "\n")
	require.Len(t, lines, 3)
	for i, want := range []string{"good.jpg", "none.jpg", "good.jpg"} {
		var v struct {
			File, Schema string
			Error        *fault
		}
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &v))
		require.Equal(t, want, v.File)
		require.Equal(t, want == "none.jpg", v.Error != nil)
		require.Equal(t, want == "good.jpg", v.Schema == photo.Schema)
	}
	require.Contains(t, lines[1], `"code":"board_not_found"`)

	l.run("score", none, text, good)
	require.Equal(t, exitFailed, l.status)
	require.Contains(t, l.err, "none.jpg")
	require.Contains(t, l.err, "text.jpg: This file is not a picture. (not_a_picture)")
	require.Contains(t, l.out, "good.jpg\n")
	require.NotContains(t, l.out, "text.jpg")
}

func TestTheExitStatusTellsWhatWentWrong(t *testing.T) {
	l := in(t)
	good := l.file("good.jpg", "picture")
	l.file("wrong.yaml", "name: x\ncolour: brown\n")
	l.file("crokcam.yaml", "sever: {listen: x}\n")
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"score", good}, exitGood, ""},
		{[]string{"score", l.file("none.jpg", "no board")}, exitNothingSeen, "board_not_found"},
		{[]string{"score", l.file("text.jpg", "text")}, exitFailed, "This file is not a picture. (not_a_picture)"},
		{[]string{"score", "missing.jpg"}, exitFailed, "missing.jpg"},
		{[]string{"score", "."}, exitFailed, "."},
		{[]string{"score", l.file("many.jpg", "too many 20s")}, exitWrongUse, "too_many_twenties"},
		{[]string{"score"}, exitWrongUse, "needs a photo"},
		{[]string{"score", "--sidez", "2", good}, exitWrongUse, "--sidez"},
		{[]string{"score", "--sides", "two", good}, exitWrongUse, "sides"},
		{[]string{"score", "--sides", "9", good}, exitWrongUse, "1 to 4"},
		{[]string{"score", "--side", "black", good}, exitWrongUse, "A=black"},
		{[]string{"score", "--side", "Q=black", good}, exitWrongUse, "A, B, C and D"},
		{[]string{"score", "--twenties", "A=x", good}, exitWrongUse, "A=2,B=1"},
		{[]string{"score", "--board", "tournamnet", good}, exitWrongUse, "tournament-26"},
		{[]string{"score", "--board", "wrong.yaml", good}, exitWrongUse, "colour"},
		{[]string{"score", "--annotate", "one.jpg", good, good}, exitWrongUse, "{name}"},
		{[]string{"score", "--annotate", "one.txt", good}, exitWrongUse, "let its name end in .jpg, not in .txt"},
		{[]string{"score", "--annotate", "{name}.PNG", good, good}, exitWrongUse, "written as JPEG"},
		{[]string{"scoer", good}, exitWrongUse, `did you mean "score"?`},
		{[]string{"judge"}, exitWrongUse, "needs a file of cases"},
		{[]string{"judge", "missing.json"}, exitFailed, "missing.json"},
		{[]string{"rules", "lits"}, exitWrongUse, `did you mean "list"?`},
		{[]string{"rules", "show"}, exitWrongUse, "needs the id of a rule"},
		{[]string{"rules", "show", "XYZ-1"}, exitWrongUse, "XYZ-1"},
		{[]string{"version", "now"}, exitWrongUse, "takes no arguments"},
		{[]string{"--config", "crokcam.yaml", "version"}, exitWrongUse, "sever.listen"},
		{[]string{"serve", "--listen", "foo"}, exitWrongUse, "address and a port"},
		{[]string{"serve", "--listen", "127.0.0.1:99999"}, exitWrongUse, "from 0 to 65535"},
		{[]string{"token", "create", "--role", "link", "--board", "a b", "stream"}, exitWrongUse, "small letters"},
		{[]string{"--log-level", "loud", "version"}, exitWrongUse, "log.level"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			l.run(c.args...)
			require.Equal(t, c.status, l.status, l.err)
			require.Contains(t, l.err, c.says)
			if c.status != exitGood {
				require.Empty(t, l.out, "messages go to standard error")
			}
		})
	}
}

func TestAPhotoThatIsTooLargeIsNotEvenLookedAt(t *testing.T) {
	l := in(t)
	t.Setenv("CROKCAM_LIMITS_MAX_MEGABYTES", "1")
	l.run("score", l.file("large.jpg", strings.Repeat("x", 1_000_001)))
	require.Equal(t, exitFailed, l.status)
	require.Contains(t, l.err, "too_many_bytes")
	require.Contains(t, l.err, "limits.max_megabytes")
}

func TestAnnotatedPicturesAreWrittenWhereTheCallerSaid(t *testing.T) {
	l := in(t)
	a, b := l.file("day/a.jpg", "picture a"), l.file("day/b.png", "picture b")
	read := func(name string) string {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		return string(data)
	}
	l.run("score", "--annotate", "one.jpg", a)
	require.Equal(t, exitGood, l.status, l.err)
	require.Equal(t, "drawn: picture a", read("one.jpg"))

	l.run("score", "--annotate", "scored/", a, b)
	require.Equal(t, "drawn: picture a", read("scored/a.scored.jpg"))
	require.Equal(t, "drawn: picture b", read("scored/b.scored.jpg"))

	l.run("score", "--annotate", "{name}-marked.jpg", a, b)
	require.Equal(t, "drawn: picture b", read("b-marked.jpg"))

	l.in = "picture"
	l.run("score", "--annotate", "scored", "-")
	require.Equal(t, "drawn: picture", read("scored/stdin.scored.jpg"))
}

func TestAnnotatingNeverSpoilsAFile(t *testing.T) {
	l := in(t)
	a := l.file("a.jpg", "picture")
	l.run("score", "--annotate", "./a.jpg", a)
	require.Equal(t, exitWrongUse, l.status)
	require.Contains(t, l.err, "written over the photo")

	l.run("score", "--annotate", "out/", a, l.file("other/a.jpg", "picture"))
	require.Equal(t, exitWrongUse, l.status)
	require.Contains(t, l.err, "would both be written")

	bad := l.file("bad.jpg", "cannot be drawn")
	l.file("old.jpg", "the old one")
	l.run("score", "--annotate", "old.jpg", bad)
	require.Equal(t, exitFailed, l.status)
	data, err := os.ReadFile("old.jpg")
	require.NoError(t, err)
	require.Equal(t, "the old one", string(data))

	l.run("score", "--annotate", "nowhere/out.jpg", a)
	require.Equal(t, exitFailed, l.status)
	left, err := filepath.Glob(".crokcam-*")
	require.NoError(t, err)
	require.Empty(t, left, "no half-written file is left behind")
}

func TestCalibrateFindsTheBoardAndSavesWhatItFound(t *testing.T) {
	picture, err := filepath.Abs("../../testdata/renders/dev_07.jpg")
	require.NoError(t, err)
	l := in(t)
	l.run("calibrate", "--out", "table.json", picture)
	require.Equal(t, exitGood, l.status, l.err)
	require.Regexp(t, `(?m)^board +tournament-26$`, l.out)
	require.Regexp(t, `(?m)^10 line +20[0-9]\.\d mm +0\.6[67]\d of the starting line$`, l.out)

	var saved, printed calibrate.Calibration
	data, err := os.ReadFile("table.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &saved))
	require.Equal(t, calibrate.Schema, saved.Schema)
	require.NoError(t, saved.Camera.Validate())
	l.run("calibrate", "--json", picture)
	require.NoError(t, json.Unmarshal([]byte(l.out), &printed))
	require.Equal(t, saved, printed, "the same picture gives the same calibration")

	l.run("calibrate", "--check", "table.json", picture)
	require.Equal(t, exitGood, l.status, l.err)
	require.Contains(t, l.err, "nothing has moved")
	l.run("calibrate", "--check", "table.json", filepath.Join(filepath.Dir(picture), "dev_12.jpg"))
	require.Equal(t, exitFailed, l.status)
	require.Contains(t, l.err, "has moved")
	l.run("calibrate", "--check", "none.json", picture)
	require.Equal(t, exitWrongUse, l.status)

	l.run("score", "--calibration", "table.json", picture)
	require.Equal(t, exitGood, l.status, l.err)
	require.Equal(t, &saved, l.told.Calibration, "score is handed what was saved")
	l.run("score", "--calibration", "none.json", picture)
	require.Equal(t, exitWrongUse, l.status)

	require.NoError(t, os.WriteFile("text.jpg", []byte("not a picture"), 0o600))
	l.run("calibrate", "text.jpg")
	require.Equal(t, exitFailed, l.status)
	require.Contains(t, l.err, "not_a_picture")
	plate := filepath.Join(filepath.Dir(picture), "../decode/cmyk.jpg")
	l.run("calibrate", plate)
	require.Equal(t, exitNothingSeen, l.status)
	require.Contains(t, l.err, "board_not_found")
	l.run("calibrate")
	require.Equal(t, exitWrongUse, l.status)
}

func TestCalibrateTakesAPersonsWordForWhereTheBoardIs(t *testing.T) {
	picture, err := filepath.Abs("../../testdata/renders/dev_07.jpg")
	require.NoError(t, err)
	l := in(t)
	l.run("calibrate", "--json", picture)
	require.Equal(t, exitGood, l.status, l.err)
	var found calibrate.Calibration
	require.NoError(t, json.Unmarshal([]byte(l.out), &found))

	// A person sees the same board, a few pixels off.
	var points []string
	for i, at := range []struct{ x, y float64 }{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
		r := found.Board.Start.Inner()
		u, v := found.Camera.Project(r*at.x, r*at.y, 0)
		points = append(points, "--point", fmt.Sprintf("start@%d=%.0f,%.0f", 90*i, u+3, v-2))
	}
	l.run(append([]string{"calibrate", "--json", picture}, points...)...)
	require.Equal(t, exitGood, l.status, l.err)
	require.Empty(t, l.err)
	var pointed calibrate.Calibration
	require.NoError(t, json.Unmarshal([]byte(l.out), &pointed))
	require.Equal(t, "points", pointed.Method)
	mm, err := found.Drift(&pointed)
	require.NoError(t, err)
	require.Less(t, mm, 0.5, "the lines are followed")
	l.run(append([]string{"calibrate", picture}, points...)...)
	require.Regexp(t, `(?m)^found +from the points`, l.out)

	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{points[:6], exitWrongUse, "points_too_few"},
		{[]string{"--point", "start=1,2"}, exitWrongUse, "start@90"},
		{[]string{"--ring", "start=1,2"}, exitWrongUse, "5 numbers"},
		{[]string{"--ring", "start=640,480,300,300,0"}, exitWrongUse, "rings_too_few"},
		{append([]string{"--ring", "start=640,480,300,300,0"}, points...), exitWrongUse, "either --point or --ring"},
		// Places on a lawn, so to speak: what was pointed at stands, with a warning.
		{[]string{"--ring", "start=300,300,60,60,0", "--ring", "ten=300,300,40,40,0"}, exitGood, "could not be followed"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			l.run(append([]string{"calibrate", picture}, c.args...)...)
			require.Equal(t, c.status, l.status, l.err)
			require.Contains(t, l.err, c.says)
		})
	}
}

func TestConfigShowSaysWhereEachValueCameFrom(t *testing.T) {
	l := in(t)
	l.file("mine.yaml", "server: {parallel: 3}\n")
	t.Setenv("CROKCAM_SERVER_LISTEN", "127.0.0.1:1")
	l.run("--config", "mine.yaml", "--log-level", "warn", "config", "show")
	require.Equal(t, exitGood, l.status, l.err)
	for _, want := range []string{
		`log\.level +warn +flag --log-level`,
		`server\.listen +127\.0\.0\.1:1 +environment CROKCAM_SERVER_LISTEN`,
		`server\.parallel +3 +file mine\.yaml`,
		`photo\.board +auto +default`,
	} {
		require.Regexp(t, `(?m)^`+want+`$`, l.out)
	}
	l.run("config", "show", "--json")
	var entries []map[string]any
	require.NoError(t, json.Unmarshal([]byte(l.out), &entries))
	require.Equal(t, "environment CROKCAM_SERVER_LISTEN", entries[indexOf(entries, "server.listen")]["from"])
}

func indexOf(entries []map[string]any, key string) int {
	for i, e := range entries {
		if e["key"] == key {
			return i
		}
	}
	return -1
}

func TestServeAnswersUntilItIsToldToStop(t *testing.T) {
	l := in(t)
	url, stop := serving(l, "--listen", "127.0.0.1:0")
	l.run("healthcheck", "--url", url+"readyz")
	require.Equal(t, exitGood, l.status, l.err)
	answer, err := http.Post(url+"api/v1/photos", "image/jpeg", strings.NewReader("picture"))
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode)

	require.Equal(t, exitGood, stop())
	l.run("healthcheck", "--url", url+"readyz")
	require.Equal(t, exitFailed, l.status)
}

func TestServeSaysWhyItCannotListen(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	taken := httptest.NewServer(http.NotFoundHandler())
	defer taken.Close()
	l := in(t)
	l.run("serve", "--listen", strings.TrimPrefix(taken.URL, "http://"))
	require.Equal(t, exitFailed, l.status)
	require.Contains(t, l.err, "address already in use")
}

func TestHealthcheckAsksWhereTheServiceListens(t *testing.T) {
	for listen, url := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080/readyz",
		"0.0.0.0:80":     "http://127.0.0.1:80/readyz",
		":9000":          "http://127.0.0.1:9000/readyz",
		"[::]:9000":      "http://127.0.0.1:9000/readyz",
		"[fe80::1]:9000": "http://[fe80::1]:9000/readyz",
		"board.local:80": "http://board.local:80/readyz",
	} {
		got, err := readyURL(listen)
		require.NoError(t, err)
		require.Equal(t, url, got)
	}
	_, err := readyURL("8080")
	require.Equal(t, exitWrongUse, exitStatus(err))

	ill := httptest.NewServer(http.NotFoundHandler())
	defer ill.Close()
	l := in(t)
	t.Setenv("CROKCAM_SERVER_LISTEN", strings.TrimPrefix(ill.URL, "http://"))
	l.run("healthcheck")
	require.Equal(t, exitFailed, l.status)
	require.Contains(t, l.err, "404")
}

func TestEveryCommandExplainsItself(t *testing.T) {
	l := in(t)
	l.run()
	require.Equal(t, exitGood, l.status)
	require.Contains(t, l.out, "Exit status: 0 good, 1 failed, 2 wrong use, 3 nothing to score.")
	for _, c := range newRootCmd(newApp(nil, nil, nil)).Commands() {
		l.run(c.Name(), "--help")
		require.Equal(t, exitGood, l.status)
		require.Contains(t, l.out, "crokcam "+c.Name())
	}
	l.run("version")
	require.Regexp(t, `^crokcam .+ \(go1\.\d+.* \w+/\w+\)\n$`, l.out)
}
