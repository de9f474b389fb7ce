package capture

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"
	"strings"
	"time"

	"crokcam/vision/capture/v4l"
)

// ProbeSchema names the form of a Probed in JSON.
const ProbeSchema = "crokcam.camera/1"

// Probed is what a look at a source found out.
type Probed struct {
	Schema     string         `json:"schema"`
	Source     string         `json:"source"` // without credentials
	Kind       Kind           `json:"kind"`
	Live       bool           `json:"live"`
	Asked      Mode           `json:"asked,omitzero"`
	Got        Mode           `json:"got"`
	OpenMS     float64        `json:"open_ms"` // until the first frame
	Frames     int            `json:"frames"`
	FPS        float64        `json:"fps"` // measured, in stream time; 0 for a single frame
	LongestGap float64        `json:"longest_gap_ms"`
	Brightness Range          `json:"brightness"`
	Sharpness  float64        `json:"sharpness"` // the median; comparable for one scene only
	Marked     map[string]int `json:"marked"`    // frames by what is wrong with them
	Lost       int            `json:"lost"`      // how often the source was lost meanwhile
	Controls   []v4l.State    `json:"controls,omitempty"`
	Notes      []string       `json:"notes,omitempty"` // what deserves attention

	Picture *image.YCbCr `json:"-"` // the last frame
}

// Range is a brightness, 0 black to 1 white: the mean, and the 2nd and the 98th
// hundredth; medians over the frames.
type Range struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Probe opens a source, takes a number of frames, and measures them. A source
// with fewer is measured by those that there are.
func Probe(ctx context.Context, name string, o Options, frames int) (*Probed, error) {
	o = o.orDefault()
	p := &Probed{Schema: ProbeSchema, Marked: map[string]int{}}
	controls := make(chan Event, 1)
	tell := o.Notify
	o.Notify = func(e Event) {
		if e.Kind == EventControls {
			select {
			case controls <- e:
			default:
			}
		}
		if e.Kind == EventLost {
			p.Lost++ // read after Close
		}
		tell(e)
	}
	began := o.now()
	s, err := Open(ctx, name, o)
	if err != nil {
		return nil, err
	}
	err = p.measure(ctx, s, frames, began)
	stats := s.Stats()
	if err == nil && s.source.kind == KindCamera && !o.Controls.Empty() {
		select {
		case e := <-controls:
			p.Controls = e.Controls
			if e.Err != nil {
				p.Notes = append(p.Notes, "Not all controls could be set: "+e.Err.Error()+".")
			}
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if closed := s.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, err
	}
	p.Source, p.Kind, p.Live = s.source.String(), s.source.kind, s.live
	p.Asked, p.Got = stats.Asked, stats.Got
	p.remark()
	return p, nil
}

// measure takes the frames.
func (p *Probed) measure(ctx context.Context, s *Stream, frames int, began time.Time) error {
	var mean, low, high, sharp []float64
	var first, last, longest time.Duration
	var held *Frame // the last one
	defer func() {
		if held != nil {
			p.Picture = held.Image()
			held.Release()
		}
	}()
	for p.Frames < frames {
		f, err := s.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if p.Frames == 0 {
			p.OpenMS = float64(f.Arrived.Sub(began).Microseconds()) / 1000
			first = f.At
		} else {
			longest = max(longest, f.At-last)
		}
		last = f.At
		p.Frames++
		h := f.Health
		mean, low, high, sharp = append(mean, h.Mean), append(low, h.Low), append(high, h.High), append(sharp, h.Sharpness)
		for flag := Black; flag <= Torn; flag <<= 1 {
			if h.Flags&flag != 0 {
				p.Marked[flag.String()]++
			}
		}
		if held != nil {
			held.Release()
		}
		held = f
	}
	if last > first {
		p.FPS = float64(p.Frames-1) / (last - first).Seconds()
	}
	p.LongestGap = float64(longest.Microseconds()) / 1000
	p.Brightness = Range{median(mean), median(low), median(high)}
	p.Sharpness = median(sharp)
	return nil
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// Shares of the frame rate and of the frames below and above which a probe
// remarks on them, and rows below which a board's lines become thin: 720 rows
// are 1.1 mm a pixel with the whole board in view.
const (
	slowShare   = 0.8
	markedShare = 0.02
	fewRows     = 720
	dim, bright = 0.15, 0.85
)

// remark says in words what deserves attention.
func (p *Probed) remark() {
	note := func(format string, args ...any) { p.Notes = append(p.Notes, fmt.Sprintf(format, args...)) }
	if a, g := p.Asked, p.Got; a.Width > 0 && g.Width > 0 && (a.Width != g.Width || a.Height != g.Height) {
		note("It was asked for %d × %d and gives %d × %d.", a.Width, a.Height, g.Width, g.Height)
	}
	if a := p.Asked.Format; a != "" && p.Got.Format != "" && a != p.Got.Format {
		note("It gives %s instead of %s: at larger sizes that is often slow over USB.", p.Got.Format, a)
	}
	if want := p.Asked.FPS; p.Live && want > 0 && p.FPS > 0 && p.FPS < slowShare*want {
		note("Only %.1f of %.4g frames a second arrive. In dim light cameras slow down: more light helps, or a shorter exposure; a USB hub may be too slow.", p.FPS, want)
	}
	if p.Got.Height > 0 && p.Got.Height < fewRows {
		note("The picture has only %d rows: with fewer than %d, close calls are rarely sure.", p.Got.Height, fewRows)
	}
	switch {
	case p.Frames == 0:
	case p.Brightness.Mean < dim:
		note("The picture is dark: give the board more light.")
	case p.Brightness.Mean > bright:
		note("The picture is too bright: shorten the exposure or turn the light down.")
	}
	for _, c := range p.Controls {
		if !c.Kept() {
			note("The camera keeps %s at %d, though %d was asked.", c.Name, c.Got, c.Asked)
		}
	}
	for flag := Black; flag <= Torn; flag <<= 1 {
		if n := p.Marked[flag.String()]; float64(n) > markedShare*float64(p.Frames) {
			note("%d of %d frames are %s.", n, p.Frames, flag)
		}
	}
	if p.Lost > 0 {
		note("It was lost %d times meanwhile.", p.Lost)
	}
}

// String is for a terminal.
func (p *Probed) String() string {
	var b strings.Builder
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s %s\n", what, fmt.Sprintf(format, args...))
	}
	line("source", "%s (%s)", p.Source, p.Kind)
	if p.Asked != (Mode{}) {
		line("asked", "%s", p.Asked)
	}
	line("got", "%s", p.Got)
	line("opened", "in %.0f ms", p.OpenMS)
	line("measured", "%d frames, %.1f a second, at most %.0f ms apart", p.Frames, p.FPS, p.LongestGap)
	line("brightness", "mean %.2f, from %.2f to %.2f (0 black, 1 white)", p.Brightness.Mean, p.Brightness.Low, p.Brightness.High)
	line("sharpness", "%.3f (for comparison while you turn the lens)", p.Sharpness)
	for _, c := range p.Controls {
		line("control", "%s: asked %d, is %d", c.Name, c.Asked, c.Got)
	}
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "  - %s\n", n)
	}
	return b.String()
}
