package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"crokcam/sim/render/show"
	"crokcam/vision/capture"
)

// named is a clip that can be opened.
type named struct {
	name string
	open func(ctx context.Context) (clip, error)
}

// ErrNoClips marks a folder without a video whose truth is beside it.
var ErrNoClips = errors.New("eval live: no videos with their truth beside them")

// find lists the clips of a source.
func find(source string, o Options) ([]named, error) {
	if rest, ok := strings.CutPrefix(source, "sim:"); ok {
		c, err := show.Parse(rest)
		if err != nil {
			return nil, fmt.Errorf("eval live: %w", err)
		}
		if c.Shots = o.Shots; c.Shots == 0 {
			c.Rounds = 1
		}
		out := []named{{source, func(ctx context.Context) (clip, error) { return stage(ctx, c) }}}
		for k := 1; k < o.Seeds; k++ {
			next := c
			next.Seed += uint64(k)
			out = append(out, named{fmt.Sprintf("%s, with seed %d", source, next.Seed), func(ctx context.Context) (clip, error) { return stage(ctx, next) }})
		}
		return out, nil
	}
	files, err := filepath.Glob(filepath.Join(source, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("eval live: %s: %w", source, err)
	}
	var out []named
	for _, beside := range files {
		video := strings.TrimSuffix(beside, ".json") + ".mp4"
		if _, err := os.Stat(video); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		out = append(out, named{filepath.Base(video), func(ctx context.Context) (clip, error) { return play(ctx, video, beside) }})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w in %s; `crokcam sim video` makes some", ErrNoClips, source)
	}
	return out, nil
}

// staged is a show that is drawn as it is watched.
type staged struct {
	show  *show.Show
	c     show.Config
	seen  []*show.ShotTruth
	last  *show.Frame
	after time.Duration // since the show was over
}

// afterwards is how long the board is watched once a show is over, which may end
// with the last disc's coming to rest.
const afterwards = time.Second

func stage(ctx context.Context, c show.Config) (clip, error) {
	s, err := show.New(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("stage: %w", err)
	}
	return &staged{show: s, c: c}, nil
}

func (s *staged) next(ctx context.Context, f *capture.Frame) error {
	p, err := s.show.Next(ctx)
	switch {
	case errors.Is(err, io.EOF) && s.last != nil && s.after < afterwards:
		p = s.last
		s.after += time.Duration(float64(time.Second) / s.c.FPS)
	case err != nil:
		return err
	default:
		s.seen, s.last = append(s.seen, p.Shots...), p
	}
	if err := f.Put(p.I420, p.W, p.H, capture.I420); err != nil {
		return err
	}
	f.Seq, f.Session, f.At = p.Truth.Frame, 1, p.At+s.after
	f.Health = capture.Health{High: 1}
	return nil
}

func (s *staged) truth() truth {
	t := truth{shots: s.seen, rules: s.c.Rules, layout: s.c.Layout.String()}
	for _, x := range s.seen { // a disc that lies there has been shot
		for len(t.sides) <= x.Shooter {
			t.sides = append(t.sides, "")
		}
		t.sides[x.Shooter] = x.Side
	}
	return t
}

func (s *staged) close() error { return nil }

// played is a video file.
type played struct {
	stream *capture.Stream
	t      truth
}

// unhurried is how long a frame of a file may take on a busy machine: nobody waits
// at a camera.
const unhurried = 10 * time.Minute

func play(ctx context.Context, video, beside string) (clip, error) {
	data, err := os.ReadFile(beside)
	if err != nil {
		return nil, err
	}
	var v show.VideoTruth
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, fmt.Errorf("read %s: %w", beside, err)
	}
	p := &played{t: truth{shots: v.Shots, rules: v.Rules, layout: v.Layout, sides: v.Sides}}
	if len(v.Shots) == 0 && v.Timeline != nil && v.Start != nil && v.End != nil {
		p.t.shots = []*show.ShotTruth{{Round: 1, Number: 0, Timeline: *v.Timeline, Contacts: v.Contacts, Start: *v.Start, End: *v.End}}
	}
	if p.stream, err = capture.Open(ctx, video, capture.Options{OpenTimeout: unhurried, Stall: unhurried}); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *played) next(ctx context.Context, f *capture.Frame) error {
	g, err := p.stream.Next(ctx)
	if err != nil {
		return err
	}
	defer g.Release()
	if err := f.Put(g.Pix, g.Width, g.Height, capture.I420); err != nil {
		return err
	}
	f.FullRange, f.BT709, f.Seq, f.Session, f.At, f.Health = g.FullRange, g.BT709, g.Seq, g.Session, g.At, g.Health
	return nil
}

func (p *played) truth() truth { return p.t }

func (p *played) close() error { return p.stream.Close() }

// threadCPU is the processor time of the process itself, its children left out.
func threadCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
