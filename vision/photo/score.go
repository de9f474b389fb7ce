package photo

import (
	"context"
	"errors"
	"fmt"
	"math"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/internal/raster"
	"crokcam/vision"
	"crokcam/vision/decode"
)

// ErrNoBoard marks a picture without a crokinole board in it.
var ErrNoBoard = errors.New("no crokinole board found in this picture")

// OptionError is an option that cannot be.
type OptionError struct {
	Code, Message string
	Values        map[string]float64 // figures in the message, by what they are
	Names         map[string]string  // what else it names
}

func (e *OptionError) Error() string { return e.Message }

// Score scores a picture: the bytes of an image file. Its errors are
// *decode.Error for what cannot be read, ErrNoBoard, *OptionError, and
// *calibrate.ManualError for points or rings that no camera sees so.
func Score(ctx context.Context, data []byte, o Options) (*Report, error) {
	pic, err := decode.DecodeFor(ctx, data, o.Limits, calibrate.WorkingSize)
	if err != nil {
		return nil, err
	}
	defer pic.Close()
	work, err := pic.Work(calibrate.WorkingSize)
	if err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	cal, err := fitted(o.Calibration, pic.Width, pic.Height)
	if err != nil {
		return nil, err
	}
	if cal == nil {
		cal, err = calibrate.FindWith(o.Hand, work, pic.Width, pic.Height, calibrate.Options{Focal35: pic.Focal35, Board: o.Board})
		if errors.Is(err, calibrate.ErrNotFound) {
			return nil, fmt.Errorf("score: %w", ErrNoBoard)
		}
		if e, ok := errors.AsType[*calibrate.BoardError](err); ok {
			return nil, &OptionError{Code: "board_mismatch", Message: e.Error(), Values: e.Values(), Names: map[string]string{"board": e.Board}}
		}
		if err != nil {
			return nil, fmt.Errorf("score: %w", err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	scene, err := vision.Look(work, cal, vision.Options{Sides: o.Sides})
	if err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	cal, holeMeasured := withHole(cal, work, scene)
	r := report(&pic, cal, scene)
	r.Calibration.HoleMeasured = holeMeasured
	if err := r.apply(o); err != nil {
		return nil, err
	}
	return r, nil
}

// fitted is a saved calibration for a picture of a size: the same picture may
// have been saved smaller, but a picture of another shape is another view.
func fitted(c *calibrate.Calibration, width, height int) (*calibrate.Calibration, error) {
	if c == nil {
		return nil, nil
	}
	scale := float64(width) / float64(c.Camera.Width)
	if math.Abs(scale*float64(c.Camera.Height)-float64(height)) > 2 {
		return nil, &OptionError{Code: "calibration_mismatch", Message: fmt.Sprintf(
			"The calibration is for pictures of %d × %d pixels; this one has %d × %d.", c.Camera.Width, c.Camera.Height, width, height),
			Values: map[string]float64{"for_width": float64(c.Camera.Width), "for_height": float64(c.Camera.Height), "width": float64(width), "height": float64(height)}}
	}
	f := *c
	f.Camera = c.Camera.Scaled(scale)
	f.Method = "file"
	return &f, nil
}

// playInHole is how much wider (mm, in radius) than a disc a hole is at least:
// what is narrower may be a disc that lies in it.
const playInHole = 1

// withHole is the calibration with the hole as the picture shows it, where it
// does and the board is not one whose hole is known.
func withHole(c *calibrate.Calibration, p *raster.Picture, s *vision.Scene) (_ *calibrate.Calibration, measured bool) {
	if c.Known || s.Hole == vision.HoleTaken {
		return c, false
	}
	mm, ok := c.HoleRadius(p)
	if !ok || mm < s.Radius+playInHole {
		return c, false
	}
	seen := *c
	seen.Board.Hole.Radius = mm
	return &seen, true
}

// report puts a scene into the contract's form.
func report(pic *decode.Picture, cal *calibrate.Calibration, s *vision.Scene) *Report {
	spec := cal.Board
	spec.Disc.Radius = s.Radius
	r := &Report{
		Schema: Schema,
		Image:  Image{Width: pic.Width, Height: pic.Height, OrientationApplied: pic.OrientationApplied},
		Calibration: Calibration{
			Method: cal.Method, RMSmm: round(cal.Quality.RMS, 3), TiltDeg: round(cal.Quality.Tilt, 2), Board: spec.Name,
			RadiiMM: Radii{
				Hole: round(spec.Hole.Radius, 2), Fifteen: round(spec.Fifteen.Outer, 2), Ten: round(spec.Ten.Outer, 2),
				Start: round(spec.Start.Outer, 2), Surface: round(spec.Surface, 2), Disc: round(spec.Disc.Radius, 2),
			},
			LinesInnerMM: LinesInner{
				Fifteen: round(spec.Fifteen.Inner(), 2), Ten: round(spec.Ten.Inner(), 2), Start: round(spec.Start.Inner(), 2),
			},
			RingsPx: ringsPx(cal), OK: cal.Quality.Coverage >= 0.7,
			FocalPx: round(cal.Camera.F, 1), FocalSource: cal.Quality.FocalSource, FocalSigma: round(cal.Quality.FocalSigma, 1),
			K1: round(cal.Camera.K1, 4), Coverage: round(cal.Quality.Coverage, 3),
			HomographyPxToMM: footHomography(cal),
		},
		Discs: []Disc{}, Sides: []Side{}, Warnings: []Warning{},
	}
	cx, cy := cal.Camera.Project(0, 0, 0)
	r.Calibration.CentrePx = [2]float64{round(cx, 1), round(cy, 1)}
	for _, w := range pic.Warnings {
		r.Warnings = append(r.Warnings, Warning{Code: "picture", Text: w})
	}
	if !r.Calibration.OK {
		r.Warnings = append(r.Warnings, Warning{Code: "calibration_weak",
			Text: "The board's lines are hard to see. Check that the rings drawn over the picture lie on them."})
	}
	if cal.Two && cal.Method == "auto" {
		r.Warnings = append(r.Warnings, Warning{Code: "two_boards",
			Text: "There is more than one board in the picture. The larger one is scored: check that it is the one you mean."})
	}
	colours := map[board.Side][][3]float64{}
	for _, d := range s.Discs {
		call := spec.Call(d.Disc)
		u, v := cal.Camera.Project(d.Top.X, d.Top.Y, 0)
		if d.Stranger {
			colour := ColourName(d.Colour)
			r.Warnings = append(r.Warnings, Warning{Code: "stranger", Colour: colour, Values: map[string]float64{"x": round(u, 0), "y": round(v, 0)},
				Text: fmt.Sprintf("Something %s lies at %.0f, %.0f px, and no other disc has its colour. It is not counted: add it if it is a disc in play.",
					colour, u, v)})
			continue
		}
		out := Disc{
			XMM: round(d.X, 2), YMM: round(d.Y, 2), Px: [2]float64{round(u, 1), round(v, 1)},
			Side: d.Side.String(), Zone: call.Zone.String(), Points: call.Zone.Points(), GapMM: round(call.Gap, 2),
			SigmaMM: round(d.Sigma, 2), Confidence: round(d.Confidence, 2), TooClose: call.TooClose, State: d.Rest.String(),
		}
		if call.TooClose {
			out.OtherZone = call.Other.String()
			i := len(r.Discs)
			r.Warnings = append(r.Warnings, Warning{Code: "disc_too_close", Disc: &i,
				Text: fmt.Sprintf("A disc lies %s a line: it counts %s, or %s if you see it otherwise.", apartText(call.Gap), call.Zone, call.Other)})
		}
		r.Discs = append(r.Discs, out)
		colours[d.Side] = append(colours[d.Side], d.Colour)
	}
	if s.Hole == vision.HoleUnclear {
		r.Warnings = append(r.Warnings, Warning{Code: "hole_unclear",
			Text: "It is not certain whether a disc lies in the hole. Enter the 20 if there is one."})
	}
	for side := board.SideA; side <= board.SideD; side++ {
		if cs := colours[side]; len(cs) > 0 {
			r.Sides = append(r.Sides, Side{Side: side.String(), Name: ColourName(mean(cs)), RGB: hex(mean(cs))})
		}
	}
	return r
}

func apartText(gap float64) string {
	if gap >= 0 {
		return fmt.Sprintf("%.1f mm from", gap)
	}
	return fmt.Sprintf("%.1f mm over", -gap)
}

func round(v float64, digits int) float64 {
	p := math.Pow10(digits)
	v = math.Round(v*p) / p
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0 // JSON knows neither -0 nor the others
	}
	return v
}

func mean(cs [][3]float64) (m [3]float64) {
	for _, c := range cs {
		for ch := range m {
			m[ch] += c[ch] / float64(len(cs))
		}
	}
	return m
}

func hex(bgr [3]float64) string {
	b := func(v float64) uint8 { return uint8(math.Min(math.Max(v, 0), 255) + 0.5) }
	return fmt.Sprintf("#%02x%02x%02x", b(bgr[2]), b(bgr[1]), b(bgr[0]))
}
