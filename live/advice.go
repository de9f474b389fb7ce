package live

import (
	"fmt"
	"math"

	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// Advice is something about the camera, the light or the board that could be
// better, in words for the person who sets the table up.
type Advice struct {
	Code  string `json:"code"`  // "too_dark", "board_small", …
	Level Level  `json:"level"` //
	Text  string `json:"text"`  // what is so and what to do
}

// Level says how much an advice matters.
type Level string

// The levels.
const (
	Note    Level = "note"    // it could be better
	Warning Level = "warning" // calls get less sure
	Fault   Level = "fault"   // nothing can be scored so
)

// Limits of what is good, and of what can be used.
const (
	goodMMPerPx, mostMMPerPx = 1.3, 2.2  // at the board's centre
	goodTilt, mostTilt       = 35.0, 55. // degrees
	goodFPS, leastFPS        = 24.0, 12. // frames a second
	goodRMS                  = 0.8       // mm
	darkMean, leastContrast  = 0.15, 0.2 // shares of the scale
	goodEdge, mostEdge       = 3.0, 5.5  // mm, from dark to light over a sharp edge
	goodGlare                = 0.01      // of the board's picture, burnt out
	goodFlicker              = 0.02      // of the brightness, from frame to frame
)

// picture follows what the frames are like.
type picture struct {
	known    bool
	mean     float64 // brightness of late
	contrast float64
	flags    capture.Flag
	flicker  float64 // mean change of brightness between frames, as a share of it
	last     float64
	edge     float64 // mm; 0 while it is not known
	burnt    float64 // share of the surface without any tone left
	colours  float64 // how different the two sides' discs look, Lab; 0 while it is not known
}

const pictureFrames = 60

// follow takes in a frame.
func (p *picture) follow(f *capture.Frame) {
	h := f.Health
	if !p.known {
		p.known, p.mean, p.contrast, p.last = true, h.Mean, h.High-h.Low, h.Mean
	}
	p.flags = h.Flags
	p.mean += (h.Mean - p.mean) / pictureFrames
	p.contrast += (h.High - h.Low - p.contrast) / pictureFrames
	if h.Mean > 0 {
		p.flicker += (math.Abs(h.Mean-p.last)/h.Mean - p.flicker) / pictureFrames
	}
	p.last = h.Mean
}

// advice is what could be better.
func (p *picture) advice(s *Status) []Advice {
	out := []Advice{}
	add := func(level Level, code, format string, args ...any) {
		out = append(out, Advice{code, level, fmt.Sprintf(format, args...)})
	}
	level := func(bad bool) Level {
		if bad {
			return Fault
		}
		return Warning
	}
	if s.Camera.Code != "" && !s.Camera.Connected {
		add(Fault, "camera_"+s.Camera.Code, "%s", s.Camera.Reason)
	}
	if !p.known {
		return out
	}
	switch {
	case p.flags&capture.Black != 0:
		add(Fault, "picture_black", "The picture is black. Is the lens covered, or the light out?")
	case p.flags&capture.White != 0:
		add(Fault, "picture_white", "The picture is white. Shorten the exposure, or turn a lamp away from the camera.")
	case p.flags&capture.Grey != 0:
		add(Fault, "picture_grey", "There is nothing in the picture. Is the lens covered?")
	case p.flags&capture.Frozen != 0:
		add(Fault, "picture_frozen", "The picture has stood still to the last bit for a while. Unplug the camera and plug it in again.")
	case p.mean < darkMean:
		add(Warning, "too_dark", "The picture is dark (%.0f %% of full brightness). More light makes calls surer.", 100*p.mean)
	case p.contrast < leastContrast:
		add(Warning, "flat_light", "The picture has little contrast. Is there haze on the lens, or light straight into it?")
	}
	if p.flicker > goodFlicker {
		add(Warning, "flicker", "The light flickers by %.1f %% from frame to frame. Set camera.power_line to the mains' frequency (50 or 60).", 100*p.flicker)
	}
	c := s.Camera
	if c.FPS > 0 && c.FPS < goodFPS && c.Frames > 60 {
		add(level(c.FPS < leastFPS), "few_frames", "Only %.0f frames come a second; fast shots may not be followed. Ask for a smaller picture, or use another USB port.", c.FPS)
	}
	if c.Asked.Width > c.Got.Width && c.Got.Width > 0 {
		add(Note, "smaller_than_asked", "The camera gives %s where %s was asked for.", c.Got, c.Asked)
	}
	if s.Calibration == nil {
		if s.State == shots.Calibrating && s.Overdue != "" {
			add(Fault, "no_board", "%s", s.Overdue)
		}
		return out
	}
	q := s.Calibration.Quality
	if q.MMPerPx > goodMMPerPx {
		add(level(q.MMPerPx > mostMMPerPx), "board_small", "A pixel covers %.1f mm of the board. Move the camera nearer, or ask it for a larger picture: up to 1.3 mm is good.", q.MMPerPx)
	}
	if q.Tilt > goodTilt {
		add(level(q.Tilt > mostTilt), "camera_slanted", "The camera looks at the board at a slant of %.0f°. From straight above calls are surest; up to %.0f° is good.", q.Tilt, goodTilt)
	}
	if q.RMS > goodRMS {
		add(Warning, "board_rough", "The board's lines are found to only %.1f mm. Check the focus, or point at the board by hand.", q.RMS)
	}
	if p.edge > goodEdge {
		add(level(p.edge > mostEdge), "out_of_focus", "Edges are smeared over %.1f mm. Focus the camera on the board, and hold the focus.", p.edge)
	}
	if p.burnt > goodGlare {
		add(Warning, "glare", "%.0f %% of the board shines so that nothing can be seen there. Move the lamp, or the camera.", 100*p.burnt)
	}
	if p.colours > 0 && p.colours < closeColours {
		add(Warning, "colours_close", "The two sides' discs look much alike in this light. More light, or other discs, help.")
	}
	return out
}

// closeColours is how different (Lab) two sides' discs should look.
const closeColours = 15
