package live

import (
	"time"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/match"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// Notice is something that has happened at a table, for whoever shows it or
// passes it on. Everything that is recorded in the match is a notice of the
// event's own kind, after it is on the disk; those that are only seen have the
// kinds below.
type Notice struct {
	Kind       string    `json:"type"`                 // dotted, past tense
	Time       time.Time `json:"time"`                 // when it was noticed
	CapturedAt time.Time `json:"captured_at,omitzero"` // of the frame that showed it; zero where none did
	Board      string    `json:"board"`                // id of the table
	Match      string    `json:"match,omitempty"`      // id of the match on it
	Version    int       `json:"version,omitempty"`    // of the match after it
	Data       any       `json:"data,omitempty"`       // see the kind; a match.Event for those of the match
}

// The kinds of notices beside the events of a match, with the type of their data.
const (
	CameraOpened       = "camera.opened"       // CameraNotice
	CameraLost         = "camera.lost"         // CameraNotice
	CameraRecovered    = "camera.recovered"    // CameraNotice
	CameraChanged      = "camera.changed"      // CameraNotice: another size, the clock, controls
	CameraEnded        = "camera.ended"        // CameraNotice: a file is over, or nothing helps
	StateChanged       = "board.state_changed" // StateNotice
	StateOverdue       = "board.state_overdue" // StateNotice: it lasts longer than it should
	CalibrationUpdated = "calibration.updated" // CalibrationNotice
	CalibrationDrifted = "calibration.drifted" // CalibrationNotice
	DiscPlaced         = "disc.placed"         // DiscsNotice: on the starting line, not yet shot
	DiscsRemoved       = "discs.removed"       // DiscsNotice: by a hand
	DiscsMoved         = "discs.moved"         // DiscsNotice: by a hand
	BoardCleared       = "board.cleared"       // DiscsNotice
	BoardPuzzled       = "board.puzzled"       // DiscsNotice: no shot leaves a board so
	BoardWarned        = "board.warned"        // WarnedNotice: the light makes calls less sure
	BoardDiffered      = "board.differed"      // Difference
	BoardAgreed        = "board.agreed"        // none: it is again as the match has it
	ShotWaiting        = "shot.waiting"        // WaitingNotice
	CallTooClose       = "call.too_close"      // CallNotice
	TwentyScored       = "twenty.scored"       // TwentyNotice
	TwentyUncertain    = "twenty.uncertain"    // TwentyNotice
	RecordingFailed    = "recording.failed"    // FailureNotice
	RecordingRecovered = "recording.recovered" // none
	MatchAttached      = "match.attached"      // none
	MatchDetached      = "match.detached"      // none
)

// CameraNotice is what happened to the source.
type CameraNotice struct {
	Source string       `json:"source"` // without credentials
	Asked  capture.Mode `json:"asked"`
	Got    capture.Mode `json:"got"`
	Code   string       `json:"code,omitempty"`   // of capture.Error
	Reason string       `json:"reason,omitempty"` // for people
	Gap    float64      `json:"gap_s,omitempty"`  // s without a frame
}

// StateNotice is what the board is taken to be doing.
type StateNotice struct {
	From shots.State `json:"from"`
	To   shots.State `json:"to"`
	Note string      `json:"note,omitempty"` // for people
}

// WarnedNotice is what makes calls less sure, told once for as long as it lasts.
type WarnedNotice struct {
	Code string `json:"code"` // colours_close, light_flickers or glare
	Note string `json:"note"` // for people, with what to do
}

// CalibrationNotice is where the board is taken to lie.
type CalibrationNotice struct {
	DriftMM float64           `json:"drift_mm,omitempty"` // the farthest that a line has moved
	Method  string            `json:"method"`
	Quality calibrate.Quality `json:"quality"`
	Note    string            `json:"note,omitempty"`
}

// DiscsNotice is discs as they were seen.
type DiscsNotice struct {
	Discs []SeenDisc `json:"discs"`
	Note  string     `json:"note,omitempty"`
}

// SeenDisc is a disc as the camera sees it. Its side is that of the match, or
// none while it is not known whose colour it has.
type SeenDisc struct {
	board.Disc
	Colour string     `json:"colour"` // of its top, #rrggbb
	Px     [2]float64 `json:"px"`     // centre of its top in the camera's picture
}

// Difference is how the board at rest differs from the match.
type Difference struct {
	Missing []match.DiscID `json:"missing"` // of the match, not seen
	Stays   []match.DiscID `json:"stays"`   // to be taken off the board, still there
	Extra   []SeenDisc     `json:"extra"`   // seen, not the match's
}

// WaitingNotice is how many shots were seen that the match cannot take yet.
type WaitingNotice struct {
	Shots int    `json:"shots"`
	Note  string `json:"note"`
}

// CallNotice is a disc so near to a line that the call may be wrong.
type CallNotice struct {
	Shot  int          `json:"shot"` // Seq of the turn
	Disc  match.DiscID `json:"disc"`
	Gap   float64      `json:"gap_mm"`
	Zone  board.Zone   `json:"zone"`
	Other board.Zone   `json:"other"`
	Turns bool         `json:"turns"` // the ruling or a removal turns on it
}

// TwentyNotice is a 20, or what may be one.
type TwentyNotice struct {
	Shot int        `json:"shot"` // Seq of the turn
	Side board.Side `json:"side"`
}

// FailureNotice is why nothing can be recorded. What was seen is kept in memory
// and tried again.
type FailureNotice struct {
	Reason string `json:"reason"`
}
