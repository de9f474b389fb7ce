package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/internal/raster"
	"crokcam/vision/capture"
)

// Health is what an examination of a camera over a board has found.
type Health struct {
	Source      string       `json:"source"` // without credentials
	Camera      Camera       `json:"camera"`
	Calibration *Calibration `json:"calibration"`        // null where no board was found
	BoardPx     float64      `json:"board_px,omitempty"` // of the playing surface's diameter
	Light       float64      `json:"light"`              // mean brightness, 0 to 1
	Contrast    float64      `json:"contrast"`           // 0 to 1
	Flicker     float64      `json:"flicker"`            // mean change of brightness from frame to frame, as a share of it
	EdgeMM      float64      `json:"edge_mm,omitempty"`  // over which a sharp edge is smeared
	Glare       float64      `json:"glare"`              // share of the surface that is burnt out
	Advice      []Advice     `json:"advice"`
}

// Examine opens a source, takes frames for a while and says what could be
// better. Errors are those of capture.Open: without a picture there is nothing
// to examine.
func Examine(ctx context.Context, source string, o capture.Options, spec *board.Spec, frames int) (Health, error) {
	h := Health{Source: capture.Mask(source), Advice: []Advice{}}
	if o.OpenTimeout == 0 {
		o.OpenTimeout = setUpTime
	}
	s, err := capture.Open(ctx, source, o)
	if err != nil {
		return h, err
	}
	defer func() { _ = s.Close() }()
	h.Source = s.Source().String()
	var p picture
	last := new(capture.Frame)
	for range frames {
		f, err := s.Next(ctx)
		if errors.Is(err, io.EOF) && p.known {
			break
		}
		if err != nil {
			return h, fmt.Errorf("live: examine %s: %w", h.Source, err)
		}
		p.follow(f)
		if err := last.SetSize(f.Width, f.Height); err != nil {
			f.Release()
			return h, fmt.Errorf("live: examine: %w", err)
		}
		copy(last.Pix, f.Pix)
		last.FullRange, last.BT709, last.Health = f.FullRange, f.BT709, f.Health
		f.Release()
	}
	st := s.Stats()
	h.Camera = Camera{Connected: true, Asked: st.Asked, Got: st.Got, FPS: st.FPS, Frames: st.Frames, PassedOver: st.PassedOver, Sessions: st.Sessions}
	status := Status{Camera: h.Camera}
	if !s.Live() {
		status.Camera.FPS = 0 // a file's rate says nothing of a camera
	}
	status.Camera.Frames = max(st.Frames, 61)
	whole, err := raster.FromI420(last.Y, last.U, last.V, last.Width, last.Height, raster.YUV{FullRange: last.FullRange, BT709: last.BT709}, nil)
	if err != nil {
		return h, fmt.Errorf("live: examine: %w", err)
	}
	cal, err := calibrate.Find(whole.Shrink(calibrate.WorkingSize), calibrate.Options{Board: spec})
	var other *calibrate.BoardError
	switch {
	case err == nil:
		h.Calibration = &Calibration{Method: cal.Method, Board: cal.Board.Name, Known: cal.Known, Quality: cal.Quality}
		status.Calibration = h.Calibration
		h.BoardPx = 2 * cal.Board.Surface / cal.Quality.MMPerPx
		p.edge, p.burnt = edgeOf(last, cal), burntOf(last, cal)
	case errors.Is(err, calibrate.ErrNotFound):
		h.Advice = append(h.Advice, advise(Fault, "no_board", "No crokinole board can be made out. Is all of it in the picture, lit, and no hand over it?", nil))
	case errors.As(err, &other):
		h.Advice = append(h.Advice, advise(Fault, "board_mismatch", other.Error(), nil))
	default:
		return h, fmt.Errorf("live: examine: %w", err)
	}
	h.Light, h.Contrast, h.Flicker, h.EdgeMM, h.Glare = p.mean, p.contrast, p.flicker, p.edge, p.burnt
	h.Advice = append(h.Advice, p.advice(&status)...)
	return h, nil
}

// edgeSteps are the angles at which an edge is crossed, and edgeReach how far to
// either side of it it is looked at, mm.
const (
	edgeSteps = 180
	edgeReach = 16.0
	edgeStep  = 0.25
)

// edgeOf is how wide the steps in brightness at the edge of the playing surface
// are, mm, from a fifth to four fifths of the step: the sharpest quarter of them,
// since others are shadows and hands. It is 0 where there is no such step.
func edgeOf(f *capture.Frame, cal *calibrate.Calibration) float64 {
	cam := cal.Camera
	if cam.Width != f.Width && cam.Width > 0 {
		cam = cam.Scaled(float64(f.Width) / float64(cam.Width))
	}
	at := func(x, y float64) (float64, bool) {
		u, v := cam.Project(x, y, 0)
		x0, y0 := int(math.Floor(u)), int(math.Floor(v))
		if x0 < 0 || y0 < 0 || x0+1 >= f.Width || y0+1 >= f.Height {
			return 0, false
		}
		fx, fy := u-float64(x0), v-float64(y0)
		row, next := f.Y[y0*f.Width:], f.Y[(y0+1)*f.Width:]
		top := float64(row[x0])*(1-fx) + float64(row[x0+1])*fx
		bottom := float64(next[x0])*(1-fx) + float64(next[x0+1])*fx
		return top*(1-fy) + bottom*fy, true
	}
	contrast := (f.Health.High - f.Health.Low) * 219
	var widths []float64
	n := int(2 * edgeReach / edgeStep)
	profile := make([]float64, n)
	for k := range edgeSteps {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / edgeSteps)
		whole := true
		for i := range profile {
			d := cal.Board.Surface - edgeReach + float64(i)*edgeStep
			v, ok := at(d*cos, d*sin)
			profile[i], whole = v, whole && ok
		}
		if w, ok := stepOf(profile, 0.12*contrast); whole && ok {
			widths = append(widths, w*edgeStep)
		}
	}
	if len(widths) < 10 {
		return 0
	}
	slices.Sort(widths)
	return widths[len(widths)/4]
}

// stepOf is how many samples the steepest step of a profile takes from a fifth to
// four fifths of its height; ok is false where no step is as high as least.
func stepOf(profile []float64, least float64) (width float64, ok bool) {
	steepest, most := 0, 0.0
	for i := 1; i < len(profile); i++ {
		if d := math.Abs(profile[i] - profile[i-1]); d > most {
			steepest, most = i, d
		}
	}
	if most == 0 {
		return 0, false
	}
	rising := profile[steepest] > profile[steepest-1]
	goes := func(a, b float64) bool { return rising == (b > a) && a != b }
	from, to := steepest-1, steepest
	for from > 0 && goes(profile[from-1], profile[from]) {
		from--
	}
	for to+1 < len(profile) && goes(profile[to], profile[to+1]) {
		to++
	}
	low, high := profile[from], profile[to]
	if math.Abs(high-low) < least {
		return 0, false
	}
	crossing := func(share float64) float64 {
		want := low + share*(high-low)
		for i := from; i < to; i++ {
			a, b := profile[i], profile[i+1]
			if (a-want)*(b-want) <= 0 && a != b {
				return float64(i) + (want-a)/(b-a)
			}
		}
		return float64(to)
	}
	return crossing(0.8) - crossing(0.2), true
}

// burntOf is the share of the playing surface that is as bright as the picture can
// be.
func burntOf(f *capture.Frame, cal *calibrate.Calibration) float64 {
	cam := cal.Camera
	if cam.Width != f.Width && cam.Width > 0 {
		cam = cam.Scaled(float64(f.Width) / float64(cam.Width))
	}
	white := byte(233)
	if f.FullRange {
		white = 253
	}
	seen, burnt := 0, 0
	for y := -cal.Board.Surface; y <= cal.Board.Surface; y += 4 {
		for x := -cal.Board.Surface; x <= cal.Board.Surface; x += 4 {
			if math.Hypot(x, y) > cal.Board.Surface {
				continue
			}
			u, v := cam.Project(x, y, 0)
			if px, py := int(u+0.5), int(v+0.5); px >= 0 && py >= 0 && px < f.Width && py < f.Height {
				seen++
				if f.Y[py*f.Width+px] >= white {
					burnt++
				}
			}
		}
	}
	if seen == 0 {
		return 0
	}
	return float64(burnt) / float64(seen)
}

// examine looks, now and then, at what only a look at the board tells.
func (s *status) examine(f *capture.Frame, cal *calibrate.Calibration, at time.Duration) {
	s.mu.Lock()
	due := at-s.examined >= examineEvery || s.examined == 0
	if due {
		s.examined = at
	}
	s.mu.Unlock()
	if !due || cal == nil {
		return
	}
	edge, burnt := edgeOf(f, cal), burntOf(f, cal)
	s.mu.Lock()
	s.picture.edge, s.picture.burnt = edge, burnt
	s.mu.Unlock()
}

// examineEvery is how long what a look at the board has told holds.
const examineEvery = 10 * time.Second
