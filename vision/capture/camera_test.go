package capture

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/vision/capture/v4l"
)

// saying is a decoder that writes its arguments to a file before it does
// anything else.
func saying(file, script string) machine {
	return childOf(`for a in "$@"; do echo "$a"; done >>"` + file + `"; echo END >>"` + file + `"; ` + script)
}

func TestACameraIsAskedForMJPEGFirst(t *testing.T) {
	leavesNothing(t)
	said := filepath.Join(t.TempDir(), "args")
	heard := newEvents()
	s := open(t, "camera:/dev/v4l/by-id/usb-Desk_Camera-video-index0", Options{
		Mode: Mode{Width: 1280, Height: 720, FPS: 25}, Notify: heard.hear,
		machine: elsewhere(t, saying(said, `frame 0 4 2 12; sleep 600`)),
	})
	next(t, s).Release()
	args, err := os.ReadFile(said)
	require.NoError(t, err)
	line := strings.Join(strings.Fields(string(args)), " ")
	require.Contains(t, line, "-input_format mjpeg -f v4l2 -video_size 1280x720 -framerate 25 ")
	require.Regexp(t, `-i \S+/dev/v4l/by-id/usb-Desk_Camera-video-index0 `, line)
	require.Contains(t, line, "-fps_mode passthrough -autoscale 0 ")
	require.Equal(t, Mode{Width: 1280, Height: 720, FPS: 25, Format: "mjpeg"}, heard.all[0].Asked)
	require.Equal(t, Mode{Width: 4, Height: 2, FPS: 30, Format: "h264"}, heard.all[0].Got)
}

// ffmpeg takes these arguments: with a device that is none, it gets as far as
// asking the device.
func TestTheRealDecoderTakesTheCamerasArguments(t *testing.T) {
	e := refused(t, "camera:0", Options{machine: elsewhere(t, machine{})})
	require.Equal(t, NotACamera, e.Code, e.Error())
	require.Contains(t, e.Error(), "Inappropriate ioctl")
}

func TestACameraWithoutMJPEGIsTakenAsItIs(t *testing.T) {
	leavesNothing(t)
	said := filepath.Join(t.TempDir(), "args")
	heard := newEvents()
	s := open(t, "camera:0", Options{Notify: heard.hear, machine: elsewhere(t, saying(said, `
		case "$*" in
		*input_format*) tell "[video4linux2,v4l2 @ 0x1] Cannot find a proper format for codec 'mjpeg' (id 7), pixel format 'none' (id -1)"
			tell "/dev/video0: Invalid argument"; exit 1;;
		esac
		frame 0 4 2 12; sleep 600`))})
	next(t, s).Release()
	require.Equal(t, "mjpeg", heard.all[0].Asked.Format, "what was asked for is told all the same")
	args, err := os.ReadFile(said)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(args), "END"))
}

func TestACameraThatCannotBeOpenedSaysWhy(t *testing.T) {
	leavesNothing(t)
	busy := elsewhere(t, childOf(`tell "/dev/video0: Device or resource busy"; exit 1`))
	root := busy.v4l.Root
	require.NoError(t, os.MkdirAll(root+"/proc/4711/fd", 0o755))
	require.NoError(t, os.Symlink(root+"/dev/video0", root+"/proc/4711/fd/12"))
	require.NoError(t, os.WriteFile(root+"/proc/4711/comm", []byte("obs\n"), 0o600))

	bare := machine{v4l: v4l.System{Root: t.TempDir()}}
	for name, c := range map[string]struct {
		source string
		m      machine
		code   string
		says   []string
	}{
		"busy":        {"camera:0", busy, CameraBusy, []string{"in use by obs (process 4711)"}},
		"busy, by id": {"camera:/dev/v4l/by-id/usb-Desk_Camera-video-index0", busy, CameraBusy, []string{"obs"}},
		"busy, by whom is hidden": {"camera:0", elsewhere(t, childOf(`tell "/dev/video0: Device or resource busy"; exit 1`)),
			CameraBusy, []string{"Another program uses the camera"}},
		"another there is": {"camera:7", busy, NoSuchCamera, []string{"There are:", "camera:/dev/v4l/by-id/usb-Desk_Camera-video-index0  Desk Camera"}},
		"none at all":      {"camera:0", bare, NoSuchCamera, []string{"no such camera, and no other"}},
		"denied": {"camera:0", elsewhere(t, childOf(`tell "/dev/video0: Permission denied"; exit 1`)),
			PermissionDenied, []string{"group video", "sudo usermod -aG video $USER", "group_add"}},
		"data only": {"camera:0", elsewhere(t, childOf(`tell "[v4l2] Not a video capture device."; tell "/dev/video0: No such device"; exit 1`)),
			NotACamera, []string{"crokcam cameras list"}},
		"unplugged meanwhile": {"camera:0", elsewhere(t, childOf(`tell "/dev/video0: No such file or directory"; exit 1`)),
			NoSuchCamera, []string{"There is no such camera"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := refused(t, c.source, Options{machine: c.m})
			require.Equal(t, c.code, e.Code, e.Error())
			for _, says := range c.says {
				require.Contains(t, e.Message, says)
			}
		})
	}
}

func TestAUserWithoutThePermissionIsToldWhichGroupToJoin(t *testing.T) {
	// Root may open everything, so somebody else tries: this test in a process
	// of user nobody.
	const mark = "CROKCAM_TEST_DEVICE"
	if root := os.Getenv(mark); root != "" {
		e := refused(t, "camera:0", Options{machine: machine{v4l: v4l.System{Root: root}}})
		require.Equal(t, PermissionDenied, e.Code)
		require.Contains(t, e.Message, "usermod -aG")
		return
	}
	if os.Getuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	root, err := os.MkdirTemp("/tmp", "crokcam-") //nolint:usetesting // t.TempDir is closed to others
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(root)) })
	require.NoError(t, os.Chmod(root, 0o755))
	require.NoError(t, os.MkdirAll(root+"/dev", 0o755))
	require.NoError(t, os.WriteFile(root+"/dev/video0", nil, 0o660))
	program := filepath.Join(root, "test")
	data, err := os.ReadFile(os.Args[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(program, data, 0o755))
	require.NoError(t, os.Chmod(program, 0o755))
	cmd := exec.CommandContext(t.Context(), program, "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Dir, cmd.Env = root, []string{mark + "=" + root, "TMPDIR=" + root}
	as(cmd, 65534)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "--- PASS: "+t.Name())
}

// A camera's controls are set after each opening, also after it was lost, and
// what it made of them is told.
func TestControlsAreSetAgainAfterEachOpening(t *testing.T) {
	leavesNothing(t)
	dir := t.TempDir()
	calls := filepath.Join(dir, "calls")
	tool := []string{"/bin/sh", "-c", `
		case "$2" in
		--list-ctrls)
			echo "           power_line_frequency 0x00980918 (menu)   : min=0 max=2 default=2 value=1"
			echo "                 focus_absolute 0x009a090a (int)    : min=0 max=250 step=5 default=0 value=35"
			echo "     focus_automatic_continuous 0x009a090c (bool)   : default=1 value=0";;
		*) echo "$2" >>"` + calls + `";;
		esac`, "v4l2-ctl"}
	m := childOf(`frame 0 4 2 12; while [ ! -e "` + dir + `/pull" ]; do sleep 0.01; done; rm "` + dir + `/pull"; tell "/dev/video0: No such device"; exit 1`)
	m.v4l.Tool = tool
	heard := newEvents()
	open(t, "camera:0", Options{
		machine: elsewhere(t, m), Notify: heard.hear, FirstWait: 10 * time.Millisecond,
		Stall: 10 * time.Second, Controls: v4l.Controls{Focus: "40", PowerLine: 50},
	})
	for i := range 3 {
		e := heard.wait(t, EventControls, i+1)
		require.NoError(t, e.Err)
		require.Equal(t, i+1, e.Session)
		require.Equal(t, []v4l.State{
			{Name: "focus_automatic_continuous", Asked: 0, Got: 0},
			{Name: "focus_absolute", Asked: 40, Got: 35},
			{Name: "power_line_frequency", Asked: 1, Got: 1},
		}, e.Controls)
		require.False(t, e.Controls[1].Kept())
		require.NoError(t, os.WriteFile(dir+"/pull", nil, 0o600))
	}
	set, err := os.ReadFile(calls)
	require.NoError(t, err)
	require.Contains(t, string(set), strings.Repeat("--set-ctrl=focus_automatic_continuous=0\n--set-ctrl=focus_absolute=40\n--set-ctrl=power_line_frequency=1\n", 3))
}
