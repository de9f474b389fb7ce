package match

import (
	"strconv"
	"time"
)

// Event is one entry in a match's list.
type Event struct {
	Seq   int       // place in the list, from 1
	ID    string    // of its own, the same in every copy of the match
	Time  time.Time // when it was recorded
	Actor Actor     // who recorded it
	Body  Body      // what happened
}

// Role is what an actor is.
type Role string

// The roles.
const (
	Camera Role = "camera" // the program's eye
	Scorer Role = "scorer" // a person
	System Role = "system" // the program itself: a start, a time-out, an import
)

// Actor is who or what recorded an event.
type Actor struct {
	Role Role   `json:"role"`
	Name string `json:"name,omitempty"` // of the camera or the person
}

// Body is what an event tells: one of the types of this package that have a
// Kind.
type Body interface {
	// Kind is the event's name, as in streams of events: "shot.judged".
	Kind() string
}

// DiscID names a disc through a whole match, however often it is measured: the
// Seq of the shot that brought it onto the board, or of the event that added it
// and its number there.
type DiscID string

// ShotDisc is the name of the disc that a shot brings onto the board.
func ShotDisc(shot int) DiscID { return DiscID(strconv.Itoa(shot)) }
