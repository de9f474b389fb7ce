package capture

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"crokcam/vision/capture/v4l"
)

var kills = flag.Int("kills", 5, "how often the source is killed and returned")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// leavesNothing checks at the end of a test that no child process, zombie or
// file is left that was not there at its start.
func leavesNothing(t *testing.T) {
	t.Helper()
	before := openFiles(t)
	t.Cleanup(func() {
		require.Empty(t, children(t), "child processes are left")
		require.Equal(t, before, openFiles(t), "files are left open")
	})
}

func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	n := 0
	for _, f := range files {
		target, err := os.Readlink("/proc/self/fd/" + f.Name())
		if err == nil && !strings.HasPrefix(target, "anon_inode:") && !strings.HasPrefix(target, "/proc/") {
			n++
		}
	}
	return n
}

// children are the process numbers of what this process has started, zombies
// included.
func children(t testing.TB) []int {
	t.Helper()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	require.NoError(t, err)
	var pids []int
	for _, list := range lists {
		data, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for word := range strings.FieldsSeq(string(data)) {
			pid, err := strconv.Atoi(word)
			require.NoError(t, err)
			pids = append(pids, pid)
		}
	}
	return pids
}

// running counts the processes of a group that have not ended.
func running(t *testing.T, group int) int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	n := 0
	for _, stat := range stats {
		data, err := os.ReadFile(stat)
		if err != nil {
			continue // it has gone
		}
		_, rest, _ := strings.Cut(string(data), ") ") // the name before may contain anything
		fields := strings.Fields(rest)                // state, parent, group
		if fields[2] == strconv.Itoa(group) && fields[0] != "Z" {
			n++
		}
	}
	return n
}

// events collects what Notify hears.
type events struct {
	mu   sync.Mutex
	all  []Event
	more chan struct{}
}

func newEvents() *events { return &events{more: make(chan struct{}, 1)} }

func (e *events) hear(ev Event) {
	e.mu.Lock()
	e.all = append(e.all, ev)
	e.mu.Unlock()
	select {
	case e.more <- struct{}{}:
	default: // whoever waits will see both
	}
}

func (e *events) of(kinds ...EventKind) []Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []Event
	for _, ev := range e.all {
		for _, k := range kinds {
			if ev.Kind == k {
				out = append(out, ev)
			}
		}
	}
	return out
}

func (e *events) kinds() []EventKind {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]EventKind, len(e.all))
	for i, ev := range e.all {
		out[i] = ev.Kind
	}
	return out
}

// String is the last events with their times.
func (e *events) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var b strings.Builder
	for _, ev := range e.all[max(0, len(e.all)-12):] {
		fmt.Fprintf(&b, "\n%s %s %v", ev.Time.Format("05.000"), ev.Kind, ev.Err)
	}
	return b.String()
}

// wait returns the nth event of a kind, counted from 1, as soon as it is there.
func (e *events) wait(t *testing.T, kind EventKind, n int) Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		if got := e.of(kind); len(got) >= n {
			return got[n-1]
		}
		select {
		case <-e.more:
		case <-ctx.Done():
			require.FailNow(t, "no event", "%s, %d times; there were %v", kind, n, e.kinds())
		}
	}
}

// code is the code of a source's error.
func code(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return fmt.Sprint(err)
}

// open opens a source that must open, and closes it at the test's end.
func open(t *testing.T, name string, o Options) *Stream {
	t.Helper()
	s, err := Open(t.Context(), name, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// next takes a frame that must come.
func next(t *testing.T, s *Stream) *Frame {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	f, err := s.Next(ctx)
	require.NoError(t, err)
	return f
}

// rest takes all the frames to come, and gives each without its picture.
func rest(t *testing.T, s *Stream) []Frame {
	t.Helper()
	var out []Frame
	for {
		f, err := s.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return out
		}
		require.NoError(t, err)
		seen := *f
		seen.Pix, seen.Y, seen.U, seen.V = nil, nil, nil, nil
		out = append(out, seen)
		f.Release()
	}
}

// refused gives the error of a source that must not open.
func refused(t *testing.T, name string, o Options) *Error {
	t.Helper()
	s, err := Open(t.Context(), name, o)
	if err == nil {
		require.NoError(t, s.Close())
	}
	var e *Error
	require.ErrorAs(t, err, &e, name)
	return e
}

// ffmpeg makes a file of what the arguments say.
func ffmpeg(t testing.TB, file string, args ...string) string {
	t.Helper()
	args = append([]string{"-hide_banner", "-nostdin", "-loglevel", "error", "-y"}, append(args, file)...)
	out, err := exec.CommandContext(t.Context(), "ffmpeg", args...).CombinedOutput()
	require.NoError(t, err, string(out))
	return file
}

// child is a decoder of our own: a shell script. Its functions speak as ffmpeg
// does: `frame N WIDTH HEIGHT BYTES` tells of a frame of 1/30 s and gives it.
func childOf(script string) machine {
	const functions = `
		tell() { echo "$*" >&2; }
		frame() {
			tell "[Parsed_showinfo_1 @ 0x1] n:   $1 pts: $1 pts_time:0.1 fmt:yuv420p sar:1/1 s:$2x$3 i:P iskey:1 type:I"
			head -c "$4" /dev/zero
		}
		tell "  Stream #0:0: Video: h264 (High), yuv420p(tv, bt709), 4x2, 30 fps, 30 tbr"
		tell "[Parsed_showinfo_1 @ 0x1] config in time_base: 1/30, frame_rate: 30/1"
	`
	return machine{ffmpeg: []string{"/bin/sh", "-c", functions + script, "ffmpeg"}}
}

// elsewhere is a machine with a device /dev/video0 of our own making.
func elsewhere(t *testing.T, m machine) machine {
	t.Helper()
	root := t.TempDir()
	put := func(path, content string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(root+path), 0o755))
		require.NoError(t, os.WriteFile(root+path, []byte(content), 0o600))
	}
	put("/dev/video0", "")
	put("/sys/class/video4linux/video0/name", "Desk Camera\n")
	put("/sys/class/video4linux/video0/index", "0\n")
	require.NoError(t, os.MkdirAll(root+"/dev/v4l/by-id", 0o755))
	require.NoError(t, os.Symlink("../../video0", root+"/dev/v4l/by-id/usb-Desk_Camera-video-index0"))
	m.v4l = v4l.System{Root: root, Tool: m.v4l.Tool, Env: m.v4l.Env}
	return m
}

// fakeFeed is a plug-in's feed made of a function.
type fakeFeed struct {
	next  func(ctx context.Context, f *Frame) error
	close func()
}

func (f fakeFeed) Next(ctx context.Context, frame *Frame) error { return f.next(ctx, frame) }

func (f fakeFeed) Close() error {
	if f.close != nil {
		f.close()
	}
	return nil
}

// plug makes options with a plug-in "fake".
func plug(open func(ctx context.Context, session int) (Opened, error)) Options {
	session := 0
	return Options{Plugins: map[string]Plugin{"fake": func(ctx context.Context, _ string, _ Mode) (Opened, error) {
		session++
		return open(ctx, session)
	}}}
}

// noisy puts a small picture with a camera's noise into a frame.
func noisy(f *Frame, seed int) error {
	const w, h = 160, 120
	pix := make([]byte, w*h)
	x := uint32(seed)*2654435761 + 1
	for i := range pix {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		pix[i] = byte(60 + i%w/2 + int(x%8))
	}
	return f.Put(pix, w, h, Gray)
}

var errGone = fmt.Errorf("the cable is out")
