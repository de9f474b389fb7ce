package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"

	"crokcam/vision/capture/internal/child"
)

// input is a way to have ffmpeg read a source.
type input struct {
	options []string // before -i
	name    string   // after it
	asked   Mode
	timed   bool // its presentation times count
}

// arguments are ffmpeg's, all of them: bare frames to standard output, each in
// the size that it has, none doubled or left out; one line about each to
// standard error.
func (i input) arguments() []string {
	args := []string{"-hide_banner", "-nostdin", "-nostats", "-loglevel", "repeat+info"}
	args = append(args, i.options...)
	return append(args, "-i", i.name,
		"-map", "0:V:0", // the first video that is no cover picture
		"-fps_mode", "passthrough",
		"-autoscale", "0", // otherwise all frames are brought to the first one's size
		"-vf", "format=pix_fmts=yuv420p|yuvj420p,showinfo=checksum=0",
		"-f", "rawvideo", "pipe:1")
}

// The decoder of a live source works on one frame at a time: several at once
// would each add a frame's delay. A stream's size may only come with its next key
// picture, which is worth waiting for, but its frame rate is not.
var liveOptions = []string{"-threads", "1", "-fflags", "nobuffer", "-flags", "low_delay", "-analyzeduration", "5000000", "-fpsprobesize", "2"}

// networkTimeout is how long ffmpeg waits for an answer. It names the reason
// better than our own watchdog can, which comes into play where ffmpeg itself
// hangs.
const networkTimeout = 5 * time.Second

func (s Source) input(o Options) input {
	micros := strconv.FormatInt(networkTimeout.Microseconds(), 10)
	switch s.kind {
	case KindRTSP:
		return input{name: s.at, options: append([]string{"-rtsp_transport", "tcp", "-timeout", micros}, liveOptions...)}
	case KindHTTP:
		return input{name: s.at, options: append([]string{"-rw_timeout", micros}, liveOptions...)}
	case KindCamera:
		return input{
			name: o.machine.v4l.Path(s.at), asked: o.Mode,
			options: append([]string{
				"-f", "v4l2",
				"-video_size", fmt.Sprintf("%dx%d", o.Mode.Width, o.Mode.Height),
				"-framerate", strconv.FormatFloat(o.Mode.FPS, 'f', -1, 64),
			}, liveOptions...),
		}
	}
	// A video file that is really a list of addresses must not reach out.
	return input{name: "file:" + s.at, timed: true, options: []string{"-protocol_whitelist", "file"}}
}

// as is the same input in a given format.
func (i input) as(format string) input {
	i.options = append([]string{"-input_format", format}, i.options...)
	i.asked.Format = format
	return i
}

// decoder is a Feed that an ffmpeg process fills.
type decoder struct {
	source Source
	timed  bool
	proc   *child.Process
	talk   talk
	first  *frameInfo // has been told of, not been read
	frames int
	close  func()
}

// decode has a process read the input and waits until it tells of the first
// frame.
func (s *Stream) decode(ctx context.Context, in input) (Opened, error) {
	m := s.o.machine
	program, err := exec.LookPath(m.ffmpeg[0])
	if err != nil {
		return Opened{}, s.source.fail(NoDecoder, "The program ffmpeg is needed to read video, and is not installed. On Debian, Ubuntu and Raspberry Pi OS: sudo apt install ffmpeg", err)
	}
	proc, err := child.Start(program, append(m.ffmpeg[1:len(m.ffmpeg):len(m.ffmpeg)], in.arguments()...), m.env)
	if err != nil {
		return Opened{}, s.source.fail(Failed, "The program ffmpeg could not be started.", err)
	}
	quit, listened := make(chan struct{}), make(chan struct{})
	d := &decoder{source: s.source, timed: in.timed, proc: proc, talk: talk{frames: make(chan frameInfo, 64)}}
	d.close = sync.OnceFunc(func() {
		close(quit)
		proc.Close()
		<-listened
	})
	go func() {
		defer close(listened)
		d.talk.listen(proc.Err, quit)
	}()
	stop := context.AfterFunc(ctx, d.close)
	defer stop()
	info, ok := <-d.talk.frames
	if !ok {
		err := d.reason()
		d.close()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return Opened{}, err
	}
	d.first = &info
	return Opened{Feed: d, Live: s.source.kind.Live(), Timed: in.timed, Asked: in.asked, Got: d.got}, nil
}

// got is what ffmpeg announced. JPEGs over HTTP come without a rate, for which
// ffmpeg takes 25.
func (d *decoder) got() Mode {
	m := d.talk.mode()
	if d.source.kind == KindHTTP && m.Format == "mjpeg" {
		m.FPS = 0
	}
	return m
}

// Next reads a frame from the pipe into f.
func (d *decoder) Next(ctx context.Context, f *Frame) error {
	var info frameInfo
	if d.first != nil {
		info, d.first = *d.first, nil
	} else {
		var ok bool
		if info, ok = <-d.talk.frames; !ok {
			return d.ended(ctx)
		}
	}
	if err := f.SetSize(info.w, info.h); err != nil {
		return d.source.fail(Failed, "The decoder gives frames that cannot be.", err)
	}
	if _, err := io.ReadFull(d.proc.Out, f.Pix); err != nil {
		return d.ended(ctx)
	}
	f.FullRange, f.BT709, f.damaged, f.At = info.fullRange, info.bt709, info.damaged, info.at
	d.frames++
	return nil
}

// Close ends the process.
func (d *decoder) Close() error {
	d.close()
	return nil
}

func (d *decoder) ended(ctx context.Context) error {
	err := d.reason()
	switch {
	case ctx.Err() != nil:
		return ctx.Err() // it was ended by us
	case errors.Is(err, io.EOF) && d.source.kind.Live():
		return d.source.fail(Ended, "The source ended the stream.", nil)
	}
	return err
}

// exitGrace is how long a decoder that says no more may take to end.
const exitGrace = time.Second

// reason finds out why there are no more frames: io.EOF if all is well.
func (d *decoder) reason() error {
	err := d.proc.Exit(exitGrace)
	lines := d.talk.last()
	var exit *exec.ExitError
	switch {
	case err == nil && d.frames > 0:
		return io.EOF
	case err == nil:
		return d.source.fail(NoVideo, "There is not a single picture in it.", nil)
	case errors.As(err, &exit) && signalled(exit):
		return d.source.fail(Crashed, "The decoder crashed.", &said{d.source.mask(lastOf(lines)), err})
	}
	if d.frames > 0 && len(lines) > endLines {
		lines = lines[len(lines)-endLines:] // what was said at the start is no reason to end
	}
	return d.source.diagnose(lines, err)
}

// endLines are how many of the last lines can be about the end.
const endLines = 6

func signalled(e *exec.ExitError) bool {
	status, ok := e.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}

func lastOf(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[len(lines)-1]
}
