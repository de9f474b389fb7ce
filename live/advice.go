package live

import (
	"math"
	"strconv"
	"strings"

	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// Advice is something about the camera, the light or the board that could be
// better, in words for the person who sets the table up.
type Advice struct {
	Code  string `json:"code"`  // "too_dark", "board_small", …
	Level Level  `json:"level"` //
	Text  string `json:"text"`  // what is so and what to do
	// Values are the figures in the text by what they are, rounded as they stand
	// there, for whoever says it in another language.
	Values map[string]float64 `json:"values,omitempty"`
}

// figures are what a text says {name} for.
type figures = map[string]float64

// advise makes an advice. Figures are told to a tenth.
func advise(level Level, code, text string, values figures) Advice {
	for name, v := range values {
		values[name] = math.Round(10*v) / 10
		text = strings.ReplaceAll(text, "{"+name+"}", strconv.FormatFloat(values[name], 'f', -1, 64))
	}
	return Advice{Code: code, Level: level, Text: text, Values: values}
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
	add := func(level Level, code, text string) { out = append(out, advise(level, code, text, nil)) }
	addWith := func(level Level, code string, values figures, text string) {
		out = append(out, advise(level, code, text, values))
	}
	level := func(bad bool) Level {
		if bad {
			return Fault
		}
		return Warning
	}
	if s.Camera.Code != "" && !s.Camera.Connected {
		add(Fault, "camera_"+s.Camera.Code, s.Camera.Reason)
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
		addWith(Warning, "too_dark", figures{"percent": math.Round(100 * p.mean)},
			"The picture is dark ({percent} % of full brightness). More light makes calls surer.")
	case p.contrast < leastContrast:
		add(Warning, "flat_light", "The picture has little contrast. Is there haze on the lens, or light straight into it?")
	}
	if p.flicker > goodFlicker {
		addWith(Warning, "flicker", figures{"percent": 100 * p.flicker},
			"The light flickers by {percent} % from frame to frame. Set camera.power_line to the mains' frequency (50 or 60).")
	}
	c := s.Camera
	if c.FPS > 0 && c.FPS < goodFPS && c.Frames > 60 {
		addWith(level(c.FPS < leastFPS), "few_frames", figures{"fps": math.Round(c.FPS)},
			"Only {fps} frames come a second; fast shots may not be followed. Ask for a smaller picture, or use another USB port.")
	}
	if c.Asked.Width > c.Got.Width && c.Got.Width > 0 {
		addWith(Note, "smaller_than_asked",
			figures{"width": float64(c.Got.Width), "height": float64(c.Got.Height), "asked_width": float64(c.Asked.Width), "asked_height": float64(c.Asked.Height)},
			"The camera gives {width} × {height} where {asked_width} × {asked_height} was asked for.")
	}
	if s.Calibration == nil {
		if s.State == shots.Calibrating && s.Overdue != "" {
			add(Fault, "no_board", s.Overdue)
		}
		return out
	}
	q := s.Calibration.Quality
	if q.MMPerPx > goodMMPerPx {
		addWith(level(q.MMPerPx > mostMMPerPx), "board_small", figures{"mm": q.MMPerPx, "good": goodMMPerPx},
			"A pixel covers {mm} mm of the board. Move the camera nearer, or ask it for a larger picture: up to {good} mm is good.")
	}
	if q.Tilt > goodTilt {
		addWith(level(q.Tilt > mostTilt), "camera_slanted", figures{"degrees": math.Round(q.Tilt), "good": goodTilt},
			"The camera looks at the board at a slant of {degrees}°. From straight above calls are surest; up to {good}° is good.")
	}
	if q.RMS > goodRMS {
		addWith(Warning, "board_rough", figures{"mm": q.RMS},
			"The board's lines are found to only {mm} mm. Check the focus, or point at the board by hand.")
	}
	if p.edge > goodEdge {
		addWith(level(p.edge > mostEdge), "out_of_focus", figures{"mm": p.edge},
			"Edges are smeared over {mm} mm. Focus the camera on the board, and hold the focus.")
	}
	if p.burnt > goodGlare {
		addWith(Warning, "glare", figures{"percent": math.Round(100 * p.burnt)},
			"{percent} % of the board shines so that nothing can be seen there. Move the lamp, or the camera.")
	}
	if p.colours > 0 && p.colours < closeColours {
		add(Warning, "colours_close", "The two sides' discs look much alike in this light. More light, or other discs, help.")
	}
	return out
}

// closeColours is how different (Lab) two sides' discs should look.
const closeColours = 15
