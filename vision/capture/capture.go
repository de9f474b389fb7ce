// Package capture is where frames come from: cameras, network streams, video
// files, folders of pictures, and whatever else is plugged in. A live source is
// kept up for ever: its newest frame waits to be taken, a read that hangs is
// given up, and a source that is lost is opened again. Of a file every frame
// comes, in order.
//
// Video is decoded by an ffmpeg process over a pipe, so that no camera, driver
// or damaged stream can take the program with it. Addresses go to that process
// as arguments: other users of the same machine can see them while it runs.
package capture

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"crokcam/vision/capture/v4l"
)

// Mode is what a source is asked for, or what it gives.
type Mode struct {
	Width  int     `json:"width"`  // px; 0 is not said
	Height int     `json:"height"` // px
	FPS    float64 `json:"fps"`    // frames a second; 0 is not said
	Format string  `json:"format"` // as the decoder names it, such as mjpeg or h264; "" is not said
}

// String is such as "1920 × 1080, 30 fps, mjpeg".
func (m Mode) String() string {
	text := "any size"
	if m.Width > 0 {
		text = fmt.Sprintf("%d × %d", m.Width, m.Height)
	}
	if m.FPS > 0 {
		text += fmt.Sprintf(", %.4g fps", m.FPS)
	}
	if m.Format != "" {
		text += ", " + m.Format
	}
	return text
}

// Feed is one opening of a source. Its methods are called by one goroutine,
// except that Close may come at any time, and once.
type Feed interface {
	// Next fills f with the next frame, by SetSize or Put, and sets f.At where
	// the feed knows its own time. io.EOF, after the last one, ends the stream; any
	// other error has a live source opened again. It returns when ctx is done.
	Next(ctx context.Context, f *Frame) error
	// Close frees everything and makes a Next that is under way return.
	Close() error
}

// Opened is a feed and what is known of it from the start.
type Opened struct {
	Feed
	Live  bool // frames come by themselves: the newest is kept, and the source is opened again when it fails
	Timed bool // Next sets Frame.At; otherwise the arrival counts
	Asked Mode
	Got   func() Mode                                    // asked after each first frame; nil if nothing is known
	Apply func(ctx context.Context) ([]v4l.State, error) // sets the camera's controls; nil if it has none
}

// Plugin opens a source of a kind of its own. rest is what followed "SCHEME:".
type Plugin func(ctx context.Context, rest string, asked Mode) (Opened, error)

// Options say how a source is opened. The zero value is good.
type Options struct {
	Mode     Mode              // asked of a camera; 1920 × 1080 at 30 frames a second by default. FPS also paces folders
	Controls v4l.Controls      // of a camera, set again after each opening
	Plugins  map[string]Plugin // by the scheme of their sources, such as "sim"
	Patient  bool              // a live source that cannot be opened at first is waited for too

	// Notify hears of what happens to the source, one event at a time and in
	// order. It must not block, nor call the stream's methods.
	Notify func(Event)

	OpenTimeout time.Duration // until the first frame; 10 s by default
	Stall       time.Duration // without a frame until a live source counts as lost; the longer of 2 s and 10 frames by default
	FirstWait   time.Duration // before the first reopening; it grows with each; 250 ms by default
	LongestWait time.Duration // 1 s by default

	machine machine
	now     func() time.Time
}

// machine is the computer that sources are looked for on; tests have their own.
type machine struct {
	ffmpeg []string // the program and its first arguments
	env    []string // of the program, beside our own
	v4l    v4l.System
}

func (m machine) orDefault() machine {
	if len(m.ffmpeg) == 0 {
		m.ffmpeg = []string{"ffmpeg"}
	}
	return m
}

func (o Options) orDefault() Options {
	if o.Mode.Width <= 0 || o.Mode.Height <= 0 {
		o.Mode.Width, o.Mode.Height = 1920, 1080
	}
	if o.Mode.FPS <= 0 {
		o.Mode.FPS = 30
	}
	if o.Notify == nil {
		o.Notify = func(Event) {}
	}
	for d, std := range map[*time.Duration]time.Duration{
		&o.OpenTimeout: 10 * time.Second, &o.FirstWait: 250 * time.Millisecond, &o.LongestWait: time.Second,
	} {
		if *d <= 0 {
			*d = std
		}
	}
	o.machine = o.machine.orDefault()
	if o.now == nil {
		o.now = time.Now
	}
	return o
}

// Stream is an opened source. Next may be called by one goroutine; everything
// else by any.
type Stream struct {
	source Source
	o      Options
	open   func(context.Context) (Opened, error)
	live   bool

	frames chan *Frame // closed at the end, after err is set
	err    error
	pool   pool
	cancel context.CancelFunc
	done   chan struct{}

	// Of the goroutine that follows the sessions.
	start  time.Time // arrival of the first frame
	line   timeline
	health watch
	seq    uint64
	size   [2]int
	period time.Duration // between frames, of late

	telling sync.Mutex     // Notify hears one event at a time
	helpers sync.WaitGroup // controls being set

	mu    sync.Mutex
	stats Stats
}

// Stats is how a stream has fared so far.
type Stats struct {
	Frames     uint64 // that arrived
	PassedOver uint64 // live frames that nobody took in time
	Sessions   int    // openings that gave a frame
	Connected  bool
	Last       time.Time // arrival of the last frame
	FPS        float64   // measured of late, frames a second of stream time; 0 before there are two
	Asked, Got Mode      // of the last opening
}

// Open opens a source and waits for its first frame. The stream lives until
// ctx is done, Close, the end of a file, or an error that no waiting mends.
// Its errors are of type *Error, or ctx's.
func Open(ctx context.Context, name string, o Options) (*Stream, error) {
	var schemes []string
	for scheme := range o.Plugins {
		schemes = append(schemes, scheme)
	}
	source, err := ParseSource(name, schemes...)
	if err != nil {
		return nil, err
	}
	s := &Stream{source: source, o: o.orDefault(), frames: make(chan *Frame, 1), done: make(chan struct{})}
	s.open = s.opener()
	s.live = source.kind.Live()

	ctx, s.cancel = context.WithCancel(ctx)
	watchdog := time.NewTimer(s.o.OpenTimeout)
	n := s.begin(ctx)
	f, err := s.await(ctx, n, watchdog, s.o.OpenTimeout)
	if err != nil {
		n.end()
		if ctx.Err() != nil || !s.live || !s.o.Patient || !temporary(err) {
			s.cancel()
			watchdog.Stop()
			return nil, err
		}
		n = nil
	} else {
		s.live = n.opened.Live
		s.enter(ctx, n, f, 0, 0)
	}
	go s.follow(ctx, watchdog, n, f, err)
	return s, nil
}

func temporary(err error) bool {
	var e *Error
	return !errors.As(err, &e) || e.Temporary()
}

// Source is where the frames come from.
func (s *Stream) Source() Source { return s.source }

// Live says whether frames come by themselves and only the newest is kept.
func (s *Stream) Live() bool { return s.live }

// Next waits for the next frame: of a live source the newest, of any other the
// one that follows. The caller owns it and releases it. While a live source is
// lost, Next waits. At the end of a file the error is io.EOF, after Close
// context.Canceled.
func (s *Stream) Next(ctx context.Context) (*Frame, error) {
	select {
	case f, ok := <-s.frames:
		if !ok {
			return nil, s.err
		}
		return f, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Stats tells how the stream has fared.
func (s *Stream) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stats
}

// Close ends the stream and waits until what it had opened is closed.
func (s *Stream) Close() error {
	s.cancel()
	<-s.done
	for f := range s.frames {
		f.Release()
	}
	return nil
}

// backoff gives the waits between openings: each twice the one before up to
// the longest, give or take a quarter, so that many streams of one host do not
// knock at the same moment.
type backoff struct {
	next, longest time.Duration
}

func (b *backoff) wait() time.Duration {
	w := min(b.next, b.longest)
	b.next = 2 * w
	return time.Duration(float64(w) * (0.75 + 0.5*rand.Float64()))
}
