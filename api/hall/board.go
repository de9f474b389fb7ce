// Package hall looks after the boards of a club night: which there are, the
// camera over each, and the live table of each that is open.
package hall

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"crokcam/board"
	"crokcam/board/presets"
	"crokcam/calibrate"
	"crokcam/live"
	"crokcam/match/store"
	"crokcam/vision/capture"
	"crokcam/vision/capture/v4l"
)

// Board is a camera over a physical board, as it is kept.
type Board struct {
	ID          string                 `json:"id"`
	Name        string                 `json:"name"`
	Source      string                 `json:"source"` // with its credentials: never shown
	Preset      string                 `json:"preset"` // a known board, or "auto"
	Size        string                 `json:"size,omitempty"`
	FPS         int                    `json:"fps,omitempty"`
	Focus       string                 `json:"focus,omitempty"`
	Exposure    string                 `json:"exposure,omitempty"`
	PowerLine   int                    `json:"power_line,omitempty"`
	Open        bool                   `json:"open"`            // the camera is to run
	Match       string                 `json:"match,omitempty"` // id of the match on it
	Calibration *calibrate.Calibration `json:"calibration,omitempty"`
	Version     int                    `json:"-"`

	Spec *board.Spec `json:"-"` // of a board of the settings; nil: what Preset says
}

// View is a board as it is shown.
type View struct {
	ID        string       `json:"id"`
	Name      string       `json:"name"`
	Source    string       `json:"source"` // without credentials
	Preset    string       `json:"preset"`
	Size      string       `json:"size,omitempty"`
	FPS       int          `json:"fps,omitempty"`
	Focus     string       `json:"focus,omitempty"`
	Exposure  string       `json:"exposure,omitempty"`
	PowerLine int          `json:"power_line,omitempty"`
	Open      bool         `json:"open"`
	Match     string       `json:"match,omitempty"`
	Version   int          `json:"version"`
	Fixed     bool         `json:"fixed,omitempty"` // it stands in the settings, and is changed there
	Status    *live.Status `json:"status"`          // null while the camera is off
}

// The refusals.
var (
	ErrUnknown    = errors.New("hall: there is no such board")
	ErrExists     = errors.New("hall: there is a board of that id already")
	ErrNotRunning = errors.New("hall: the board's camera is off")
	ErrFixed      = errors.New("hall: the board stands in the settings")
	ErrInUse      = errors.New("hall: there is a match on the board")
)

// WrongError is a board that cannot be: which property, and why.
type WrongError struct{ Property, Why string }

func (e *WrongError) Error() string { return fmt.Sprintf("hall: %s: %s", e.Property, e.Why) }

// kind is that of a board's paper.
const kind = "board"

var (
	idForm   = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$`)
	sizeForm = regexp.MustCompile(`^([1-9]\d{1,4})x([1-9]\d{1,4})$`)
	control  = regexp.MustCompile(`^(auto|hold|-?\d{1,9})?$`)
)

// IsID tells whether a board could have that id.
func IsID(id string) bool { return idForm.MatchString(id) }

// check refuses a board that cannot be, before anything of it applies.
func (b *Board) check(schemes ...string) error {
	if !IsID(b.ID) {
		return &WrongError{"id", "small letters, digits and hyphens, at most 32"}
	}
	if strings.TrimSpace(b.Name) == "" {
		return &WrongError{"name", "it needs a name"}
	}
	if _, err := capture.ParseSource(b.Source, schemes...); err != nil {
		if e := (*capture.Error)(nil); errors.As(err, &e) {
			return &WrongError{"source", e.Message}
		}
		return &WrongError{"source", capture.Mask(err.Error())}
	}
	if b.Preset != "auto" {
		if _, err := presets.ByName(b.Preset); err != nil {
			return &WrongError{"preset", "auto, or one of " + strings.Join(presets.Names(), ", ")}
		}
	}
	if b.Size != "" && !sizeForm.MatchString(b.Size) {
		return &WrongError{"size", "width and height in pixels, such as 1280x720"}
	}
	if b.FPS < 0 || b.FPS > 240 {
		return &WrongError{"fps", "from 1 to 240"}
	}
	if !control.MatchString(b.Focus) {
		return &WrongError{"focus", "auto, hold or a number"}
	}
	if !control.MatchString(b.Exposure) {
		return &WrongError{"exposure", "auto, hold or a number"}
	}
	if b.PowerLine != 0 && b.PowerLine != 50 && b.PowerLine != 60 {
		return &WrongError{"power_line", "50 or 60"}
	}
	return nil
}

// capture is what the camera is asked for.
func (b *Board) capture(usual capture.Options) capture.Options {
	if m := sizeForm.FindStringSubmatch(b.Size); m != nil {
		usual.Mode.Width, _ = strconv.Atoi(m[1]) // at most five digits
		usual.Mode.Height, _ = strconv.Atoi(m[2])
	}
	if b.FPS != 0 {
		usual.Mode.FPS = float64(b.FPS)
	}
	if b.Focus != "" {
		usual.Controls.Focus = v4l.Setting(b.Focus)
	}
	if b.Exposure != "" {
		usual.Controls.Exposure = v4l.Setting(b.Exposure)
	}
	if b.PowerLine != 0 {
		usual.Controls.PowerLine = b.PowerLine
	}
	return usual
}

func (b *Board) paper() (store.Paper, error) {
	data, err := json.Marshal(b)
	return store.Paper{Kind: kind, ID: b.ID, Version: b.Version, Data: data}, err
}

func fromPaper(p store.Paper) (Board, error) {
	var b Board
	if err := json.Unmarshal(p.Data, &b); err != nil {
		return b, fmt.Errorf("hall: board %s: %w", p.ID, err)
	}
	b.Version = p.Version
	return b, nil
}

// IDFor makes an id of a name: "Table 3" becomes table-3.
func IDFor(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == 32 {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}
