package capture

import (
	"time"

	"crokcam/vision/capture/v4l"
)

// EventKind is what happened to a source.
type EventKind string

// The kinds of events.
const (
	EventOpened    EventKind = "opened"     // the first frame is here: Asked, Got
	EventLost      EventKind = "lost"       // frames have ceased: Err; the next opening follows after Wait
	EventStillLost EventKind = "still_lost" // an opening failed: Err, Attempt; the next follows after Wait
	EventReopened  EventKind = "reopened"   // frames come again: Asked, Got, Attempt, Gap
	EventResized   EventKind = "resized"    // the frames have another size: Got
	EventClockBack EventKind = "clock_back" // the source's or the machine's clock went back by Gap; stream time did not
	EventControls  EventKind = "controls"   // the controls were set and read back: Controls, Err
)

// Event is something that happened to a source.
type Event struct {
	Kind       EventKind
	Source     Source
	Time       time.Time
	Session    int // which opening it is about, from 1; 0 before the first
	Asked, Got Mode
	Err        error
	Attempt    int           // openings tried since the loss
	Wait       time.Duration // until the next opening
	Gap        time.Duration
	Controls   []v4l.State
}
