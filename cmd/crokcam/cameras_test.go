package main

import (
	"bytes"
	"encoding/json"
	"image"
	_ "image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/internal/streamtest"
	"crokcam/vision/capture"
	"crokcam/vision/capture/v4l"
)

// cameras runs a command line on a machine with a camera that has two devices.
func cameras(t *testing.T, args ...string) (out, said string, status int) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	root := t.TempDir()
	put := func(path, content string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(root+path), 0o755))
		require.NoError(t, os.WriteFile(root+path, []byte(content), 0o600))
	}
	for _, index := range []string{"0", "1"} {
		put("/sys/class/video4linux/video"+index+"/name", "Desk Camera\n")
		put("/sys/class/video4linux/video"+index+"/index", index+"\n")
		put("/dev/video"+index, "")
	}
	require.NoError(t, os.MkdirAll(root+"/dev/v4l/by-id", 0o755))
	require.NoError(t, os.Symlink("../../video0", root+"/dev/v4l/by-id/usb-Desk_Camera-video-index0"))
	var o, e bytes.Buffer
	a := newApp(strings.NewReader(""), &o, &e)
	a.machine = v4l.System{Root: root}
	status = run(t.Context(), a, append([]string{"cameras"}, args...))
	return o.String(), e.String(), status
}

func TestCamerasAreListedWithTheNameThatStays(t *testing.T) {
	out, _, status := cameras(t, "list")
	require.Equal(t, exitGood, status)
	require.Equal(t, `name         device       source
Desk Camera  /dev/video0  camera:/dev/v4l/by-id/usb-Desk_Camera-video-index0
`, out)

	out, _, _ = cameras(t, "list", "--all")
	require.Contains(t, out, "camera:/dev/video1")

	out, _, _ = cameras(t, "list", "--json")
	var listed []listedCamera
	require.NoError(t, json.Unmarshal([]byte(out), &listed))
	require.Equal(t, []listedCamera{{"camera:/dev/v4l/by-id/usb-Desk_Camera-video-index0",
		v4l.Device{Path: "/dev/video0", ID: "/dev/v4l/by-id/usb-Desk_Camera-video-index0", Name: "Desk Camera", Pictures: true}}}, listed)
}

func TestProbeMeasuresASourceAndKeepsAPicture(t *testing.T) {
	server := streamtest.NewMJPEG(t, 50, streamtest.JPEGs(t, 320, 240, 12))
	file := filepath.Join(t.TempDir(), "table.jpg")
	out, said, status := cameras(t, "probe", server.With("scorer", "secretword"), "--frames", "20", "--picture", file, "--json")
	require.Equal(t, exitGood, status, said)
	require.NotContains(t, out+said, "secretword")
	var p capture.Probed
	require.NoError(t, json.Unmarshal([]byte(out), &p))
	require.Equal(t, capture.ProbeSchema, p.Schema)
	require.True(t, p.Live)
	require.Equal(t, 20, p.Frames)
	require.Equal(t, [2]int{320, 240}, [2]int{p.Got.Width, p.Got.Height})
	require.Positive(t, p.FPS)
	require.InDelta(t, 0.5, p.Brightness.Mean, 0.2)
	require.Contains(t, strings.Join(p.Notes, "\n"), "only 240 rows")
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	size, _, err := image.DecodeConfig(f)
	require.NoError(t, err)
	require.Equal(t, [2]int{320, 240}, [2]int{size.Width, size.Height})

	out, _, status = cameras(t, "probe", server.URL(), "--frames", "3")
	require.Equal(t, exitGood, status)
	require.Regexp(t, `(?m)^got +320 × 240, mjpeg$`, out)
	require.Regexp(t, `(?m)^measured +3 frames, [\d.]+ a second`, out)
}

func TestASourceThatCannotBeProbedIsAnErrorInWords(t *testing.T) {
	for args, c := range map[string]struct {
		status int
		says   string
	}{
		"probe":                                   {exitWrongUse, "needs a source"},
		"probe ftp://x":                           {exitWrongUse, "(bad_source)"},
		"probe missing.mp4":                       {exitFailed, "missing.mp4: There is no such file or folder. (not_found)"},
		"probe --frames 0 camera:0":               {exitWrongUse, "--frames 0"},
		"probe --size big camera:0":               {exitWrongUse, "camera.size"},
		"probe --focus sharp camera:0":            {exitWrongUse, "camera.focus"},
		"probe --power-line 55 camera:0":          {exitWrongUse, "camera.power_line"},
		"probe rtsp://u:secretword@127.0.0.1:1/x": {exitFailed, "rtsp://***@127.0.0.1:1/x: The host refuses the connection."},
		"lits": {exitWrongUse, `did you mean "list"?`},
	} {
		_, said, status := cameras(t, strings.Fields(args)...)
		require.Equal(t, c.status, status, "%s: %s", args, said)
		require.Contains(t, said, c.says, args)
		require.NotContains(t, said, "secretword")
	}
}
