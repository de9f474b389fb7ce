// Package live measures how well shots are found in streams of frames and
// judged, against streams whose truth is known.
package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"crokcam/sim/render/show"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// Schema names the contract that Result keeps.
const Schema = "crokcam.eval.live/1"

// Result is what was measured.
type Result struct {
	Schema   string   `json:"schema"`
	Clips    int      `json:"clips"`
	Shots    Shots    `json:"shots"`
	Verdicts Verdicts `json:"verdicts"`
	Twenties Twenties `json:"twenties"`
	Contacts Contacts `json:"contacts"`
	Rounds   Rounds   `json:"rounds"`
	Latency  Latency  `json:"latency_ms"`
	Desyncs  int      `json:"desyncs"` // times that somebody would have had to say how the board lies
	Frames   Frames   `json:"frames"`
	Each     []Found  `json:"each,omitempty"`

	late []float64
}

// Shots counts shots. Right ones have every disc before and after where it lay,
// with its side.
type Shots struct {
	Truth     int     `json:"truth"`
	Found     int     `json:"found"` // reported, whether or not there was one
	Matched   int     `json:"matched"`
	Right     int     `json:"right"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}

// Verdicts counts what the rules made of the shots that were found. A shot that
// was not found counts as wrong.
type Verdicts struct {
	Right          int `json:"right"`
	WrongUnflagged int `json:"wrong_unflagged"`
	Flagged        int `json:"flagged"`
	// Again is how many of the flagged ones are so only because of a disc near a
	// line that has not moved: whoever was asked when it came there has said.
	Again int `json:"flagged_again"`
}

// Twenties counts 20s.
type Twenties struct {
	Truth int `json:"truth"`
	Right int `json:"right"`
	Asked int `json:"asked"`
}

// Contacts counts pairs of discs that touched: those that did, and those that
// were seen to.
type Contacts struct {
	Truth int `json:"truth"`
	Seen  int `json:"seen"`
	Right int `json:"right"` // of those seen
}

// Rounds counts rounds whose totals came out right without anybody's help.
type Rounds struct {
	Truth int `json:"truth"`
	Exact int `json:"exact"`
}

// Latency is from when all is at rest and no hand is over the board to the
// verdict, in ms of stream time.
type Latency struct {
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
}

// Frames is how many frames were watched and what that cost, decoding and
// drawing left out.
type Frames struct {
	Count int     `json:"count"`
	CPUms float64 `json:"cpu_ms"` // of a frame, on average
}

// Found is what came of one shot.
type Found struct {
	Clip    string   `json:"clip"`
	Round   int      `json:"round"`
	Number  int      `json:"number"`
	At      float64  `json:"t"` // of the flick, s
	Found   bool     `json:"found"`
	Right   bool     `json:"right"`
	Flagged bool     `json:"flagged"`
	Faults  []string `json:"faults,omitempty"`
}

// clip is one stream of frames and what is true of it.
type clip interface {
	// next fills a frame; io.EOF after the last one.
	next(ctx context.Context, f *capture.Frame) error
	// truth is what was shot, complete once next has said io.EOF.
	truth() truth
	close() error
}

// truth is what is true of a clip.
type truth struct {
	shots  []*show.ShotTruth
	rules  string // the profile it was played by; "" where no verdict is known
	layout string
	sides  []string // of the discs, by id; empty where only colours are known
}

// Options say how to run.
type Options struct {
	Each     bool              // list every shot in the result, not only the failures
	Shots    int               // of each sim: source
	Seeds    int               // of each sim: source, one after the other; 0 is one
	Watch    func(shots.Event) // hears of everything that is noticed
	Progress func(frames int)
}

// Run watches every clip of the sources, which are folders of videos with their
// truth beside them, or sim:… for matches that are played on the spot.
func Run(ctx context.Context, sources []string, o Options) (Result, error) {
	r := Result{Schema: Schema}
	for _, source := range sources {
		clips, err := find(source, o)
		if err != nil {
			return r, err
		}
		for _, c := range clips {
			if err := r.watch(ctx, c, o); err != nil {
				return r, fmt.Errorf("eval live: %s: %w", c.name, err)
			}
			r.Clips++
		}
	}
	r.finish()
	return r, nil
}

// watch runs one clip through a Watcher and counts what it found.
func (r *Result) watch(ctx context.Context, n named, o Options) (err error) {
	c, err := n.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	w := shots.New(shots.Options{})
	judge, err := judgeFor(c.truth())
	if err != nil {
		return err
	}
	var heard []heard
	var f capture.Frame
	for {
		err := c.next(ctx, &f)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		puzzled, before := false, threadCPU()
		events, err := w.Frame(&f)
		r.Frames.CPUms += (threadCPU() - before).Seconds() * 1000
		r.Frames.Count++
		if err != nil {
			return err
		}
		for _, e := range events {
			if o.Watch != nil {
				o.Watch(e)
			}
			switch e.Kind {
			case shots.ShotFound:
				heard = append(heard, heardOf(e.Shot, w.Calibration()))
				w.ExpectGone(goes(c.truth(), heard, judge))
			case shots.Puzzled:
				r.Desyncs++
				puzzled = true
			}
		}
		if puzzled { // somebody says that the board lies as it lies
			w.Accept()
		}
		if o.Progress != nil {
			o.Progress(r.Frames.Count)
		}
	}
	return r.count(n.name, c.truth(), heard, o.Each)
}

func (r *Result) finish() {
	s := &r.Shots
	if s.Found > 0 {
		s.Precision = float64(s.Matched) / float64(s.Found)
	}
	if s.Truth > 0 {
		s.Recall = float64(s.Matched) / float64(s.Truth)
	}
	if n := len(r.late); n > 0 {
		slices.Sort(r.late)
		r.Latency = Latency{r.late[n/2], r.late[min(n-1, n*95/100)]}
	}
	if r.Frames.Count > 0 {
		r.Frames.CPUms /= float64(r.Frames.Count)
	}
}

func seconds(d time.Duration) float64 { return d.Seconds() }
