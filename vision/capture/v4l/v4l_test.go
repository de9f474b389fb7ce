package v4l

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// files makes a machine of paths and what is in them; "-> x" is a link.
func files(t *testing.T, content map[string]string) System {
	t.Helper()
	root := t.TempDir()
	for path, text := range content {
		require.NoError(t, os.MkdirAll(filepath.Dir(root+path), 0o755))
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			require.NoError(t, os.Symlink(target, root+path))
			continue
		}
		require.NoError(t, os.WriteFile(root+path, []byte(text), 0o600))
	}
	return System{Root: root}
}

const class = "/sys/class/video4linux/"

func TestCamerasAreListedByNumberWithTheNameThatStays(t *testing.T) {
	s := files(t, map[string]string{
		class + "video10/name":                "HD Pro Webcam C920\n",
		class + "video10/index":               "0\n",
		class + "video2/name":                 "Integrated Camera: Integrated C\n",
		class + "video2/index":                "0\n",
		class + "video3/name":                 "Integrated Camera: Integrated C\n",
		class + "video3/index":                "1\n",
		class + "video4/index":                "0\n",
		class + "v4l-subdev0/name":            "a part of one\n",
		class + "radio0/name":                 "a radio\n",
		"/dev/v4l/by-id/usb-046d_C920-index0": "-> ../../video10",
		"/dev/v4l/by-id/usb-Int-index1":       "-> /dev/video3",
		"/dev/v4l/by-id/not-a-link":           "",
	})
	devices, err := s.Devices()
	require.NoError(t, err)
	require.Equal(t, []Device{
		{Path: "/dev/video2", Name: "Integrated Camera: Integrated C", Pictures: true},
		{Path: "/dev/video3", ID: "/dev/v4l/by-id/usb-Int-index1", Name: "Integrated Camera: Integrated C"},
		{Path: "/dev/video4", Name: "video4", Pictures: true},
		{Path: "/dev/video10", ID: "/dev/v4l/by-id/usb-046d_C920-index0", Name: "HD Pro Webcam C920", Pictures: true},
	}, devices)
	require.Equal(t, "/dev/v4l/by-id/usb-046d_C920-index0", devices[3].Best())
	require.Equal(t, "/dev/video2", devices[0].Best())
}

func TestAMachineWithoutCamerasHasNone(t *testing.T) {
	devices, err := files(t, nil).Devices()
	require.NoError(t, err)
	require.Empty(t, devices)
}

func TestADeviceIsCheckedBeforeItIsOpened(t *testing.T) {
	s := files(t, map[string]string{"/dev/video0": ""})
	require.NoError(t, s.Check("/dev/video0"))
	require.ErrorIs(t, s.Check("/dev/video1"), fs.ErrNotExist)
	require.ErrorContains(t, System{}.Check("/etc/passwd"), "not a device")
	require.NoError(t, System{}.Check("/dev/null"), "as far as the system can tell")
}

func TestTheGroupOfADeviceIsNamed(t *testing.T) {
	s := files(t, map[string]string{"/dev/video0": "", "/dev/video1": "", "/dev/video2": ""})
	require.Equal(t, "video", s.Group("/dev/missing"))
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	require.Equal(t, "video", s.Group("/dev/video0"), "root's own group is none to join")
	require.NoError(t, os.Chown(s.Path("/dev/video1"), 0, 1)) // on every Unix this is daemon or bin
	require.NotEqual(t, "video", s.Group("/dev/video1"))
	require.NoError(t, os.Chown(s.Path("/dev/video2"), 0, 54321))
	require.Equal(t, "54321", s.Group("/dev/video2"))
}

func TestWhoHoldsADeviceIsFound(t *testing.T) {
	s := files(t, map[string]string{
		"/dev/video0":               "",
		"/dev/v4l/by-id/cam-index0": "-> ../../video0",
		"/proc/20/comm":             "zoom\n",
		"/proc/7/comm":              "obs\n",
		"/proc/7/fd/0":              "-> /dev/null",
		"/proc/9/comm":              "bash\n",
		"/proc/9/fd/0":              "-> /dev/null",
		"/proc/self/fd/0":           "-> /dev/null",
		"/proc/uptime":              "1",
	})
	require.NoError(t, os.MkdirAll(s.Path("/proc/20/fd"), 0o755))
	for _, link := range []string{"/proc/20/fd/5", "/proc/7/fd/8", "/proc/7/fd/9"} {
		require.NoError(t, os.Symlink(s.Path("/dev/video0"), s.Path(link)))
	}
	for _, device := range []string{"/dev/video0", "/dev/v4l/by-id/cam-index0"} {
		require.Equal(t, []Holder{{7, "obs"}, {20, "zoom"}}, s.Holders(device))
	}
	require.Equal(t, "obs (process 7)", s.Holders("/dev/video0")[0].String())
	require.Empty(t, s.Holders("/dev/video1"))
}

// listings are what v4l2-ctl prints for a camera of today and for one of an
// older kernel.
const listing = `
User Controls

                     brightness 0x00980900 (int)    : min=0 max=255 step=1 default=128 value=128
           power_line_frequency 0x00980918 (menu)   : min=0 max=2 default=2 value=2 (60 Hz)

Camera Controls

                  auto_exposure 0x009a0901 (menu)   : min=0 max=3 default=3 value=3 (Aperture Priority Mode)
         exposure_time_absolute 0x009a0902 (int)    : min=3 max=2047 step=1 default=250 value=333 flags=inactive
                 focus_absolute 0x009a090a (int)    : min=0 max=250 step=5 default=0 value=35 flags=inactive
     focus_automatic_continuous 0x009a090c (bool)   : default=1 value=1
`

const oldListing = `
           power_line_frequency 0x00980918 (menu)   : min=0 max=2 default=2 value=2
                  exposure_auto 0x009a0901 (menu)   : min=0 max=3 default=3 value=3
              exposure_absolute 0x009a0902 (int)    : min=3 max=2047 step=1 default=250 value=333 flags=inactive
                 focus_absolute 0x009a090a (int)    : min=-10 max=250 step=5 default=0 value=35 flags=inactive
                     focus_auto 0x009a090c (bool)   : default=1 value=1
`

func TestControlsArePlannedByWhatTheCameraHas(t *testing.T) {
	for name, c := range map[string]struct {
		listing string
		want    Controls
		plan    []State
		missing string
	}{
		"nothing":             {listing, Controls{}, nil, ""},
		"autofocus":           {listing, Controls{Focus: Auto}, []State{{Name: "focus_automatic_continuous", Asked: 1}}, ""},
		"the focus it has":    {listing, Controls{Focus: Hold}, []State{{Name: "focus_automatic_continuous", Asked: 0}}, ""},
		"a focus":             {listing, Controls{Focus: "40"}, []State{{Name: "focus_automatic_continuous", Asked: 0}, {Name: "focus_absolute", Asked: 40}}, ""},
		"a focus beyond":      {listing, Controls{Focus: "4000"}, []State{{Name: "focus_automatic_continuous", Asked: 0}, {Name: "focus_absolute", Asked: 250}}, ""},
		"of an older kernel":  {oldListing, Controls{Focus: "-4"}, []State{{Name: "focus_auto", Asked: 0}, {Name: "focus_absolute", Asked: -4}}, ""},
		"automatic exposure":  {listing, Controls{Exposure: Auto}, []State{{Name: "auto_exposure", Asked: 3}}, ""},
		"the exposure it has": {listing, Controls{Exposure: Hold}, []State{{Name: "auto_exposure", Asked: 1}, {Name: "exposure_time_absolute", Asked: 333}}, ""},
		"an exposure":         {oldListing, Controls{Exposure: "100"}, []State{{Name: "exposure_auto", Asked: 1}, {Name: "exposure_absolute", Asked: 100}}, ""},
		"lamps of 50 Hz":      {listing, Controls{PowerLine: 50}, []State{{Name: "power_line_frequency", Asked: 1}}, ""},
		"lamps of 60 Hz":      {listing, Controls{PowerLine: 60}, []State{{Name: "power_line_frequency", Asked: 2}}, ""},
		"a fixed lens":        {"", Controls{Focus: "40", PowerLine: 50}, nil, "no control for its focus\nthe camera has no control for its power-line frequency"},
		"a fixed lens, held":  {"", Controls{Focus: Hold}, nil, ""},
		"no autofocus":        {"", Controls{Focus: Auto}, nil, "no control for its autofocus"},
	} {
		t.Run(name, func(t *testing.T) {
			steps, missing := plan(c.want, parseControls(c.listing))
			require.Equal(t, c.plan, steps)
			if c.missing == "" {
				require.NoError(t, missing)
			} else {
				require.ErrorContains(t, missing, c.missing)
			}
		})
	}
}

func TestOnlySettingsThatCanBeAreTaken(t *testing.T) {
	for _, good := range []Controls{{}, {Focus: Auto, Exposure: Hold}, {Focus: "0", Exposure: "250", PowerLine: 60}} {
		require.NoError(t, good.Validate())
	}
	for says, bad := range map[string]Controls{
		`focus "sharp"`:     {Focus: "sharp"},
		`exposure "1/50"`:   {Exposure: "1/50"},
		"power line 55":     {PowerLine: 55},
		`focus "40;reboot"`: {Focus: "40;reboot"},
	} {
		require.ErrorContains(t, bad.Validate(), says)
		_, err := System{}.Apply(t.Context(), "/dev/video0", bad)
		require.ErrorContains(t, err, says)
	}
}

// tool is a v4l2-ctl of our own.
func tool(script string) System {
	return System{Tool: []string{"/bin/sh", "-c", script, "v4l2-ctl"}}
}

func TestWhatTheToolSaysIsTold(t *testing.T) {
	want := Controls{PowerLine: 50}
	for name, c := range map[string]struct {
		s    System
		says string
	}{
		"it is not installed":  {System{Tool: []string{"no-such-tool"}}, "sudo apt install v4l-utils"},
		"no such device":       {tool(`echo "Cannot open device $1, exiting." >&2; exit 1`), "Cannot open device --device=/dev/video0, exiting."},
		"it says nothing":      {tool(`exit 3`), "it failed (exit status 3)"},
		"a setting is refused": {tool(`case "$2" in --list-ctrls) echo "power_line_frequency 0x1 (menu) : min=0 max=2 value=2";; *) echo "VIDIOC_S_EXT_CTRLS: failed: Invalid argument" >&2; exit 255;; esac`), "set power_line_frequency to 1: v4l2-ctl: VIDIOC_S_EXT_CTRLS: failed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.s.Apply(t.Context(), "/dev/video0", want)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestARefusedSettingIsReadBack(t *testing.T) {
	states, err := tool(`case "$2" in --list-ctrls) echo "power_line_frequency 0x1 (menu) : min=0 max=2 value=2";; *) exit 255;; esac`).
		Apply(t.Context(), "/dev/video0", Controls{PowerLine: 50})
	require.Error(t, err)
	require.Equal(t, []State{{Name: "power_line_frequency", Asked: 1, Got: 2}}, states)
	require.False(t, states[0].Kept())
}

func TestAToolThatHangsIsGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	fifo := filepath.Join(t.TempDir(), "began")
	s := tool(`echo >"` + fifo + `"; sleep 600`)
	done := make(chan error)
	go func() {
		_, err := s.Apply(ctx, "/dev/video0", Controls{PowerLine: 50})
		done <- err
	}()
	require.Eventually(t, func() bool { _, err := os.Stat(fifo); return err == nil }, 10*time.Second, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
}

// The real tool takes the arguments: it gets as far as the device.
func TestTheRealToolTakesTheArguments(t *testing.T) {
	_, err := System{}.Apply(t.Context(), "/dev/no-such-video", Controls{PowerLine: 50})
	if err != nil && strings.Contains(err.Error(), ErrNoTool.Error()) {
		t.Skip(err)
	}
	require.ErrorContains(t, err, "Cannot open device /dev/no-such-video")
}

func TestAnyListingIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom(strings.Split(listing+oldListing, "\n")).Draw(t, "line")
		cut := rapid.IntRange(0, len(line)).Draw(t, "cut")
		parseControls(line[:cut] + rapid.String().Draw(t, "rest"))
	})
}
