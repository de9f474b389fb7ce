package rules

import (
	"errors"
	"fmt"

	"crokcam/board"
)

// MaxDiscs is the most discs a snapshot may hold: four sides of twelve and a
// margin for stray ones.
const MaxDiscs = 52

// Body names a thing that took part in a contact. Discs on the board are named
// by their place in the snapshot before the shot.
type Body int16

// The bodies that are not discs of the snapshot before.
const (
	ShotDisc  Body = -1 // the disc being shot
	DitchDisc Body = -2 // a disc lying in the ditch, which counts for nothing (CON-7, OUT-4)
	postBase  Body = -16
)

// Disc is the i-th disc of the snapshot before the shot.
func Disc(i int) Body { return Body(i) }

// Post is the i-th post, counted as board.Spec.PostCentres does.
func Post(i int) Body { return postBase - Body(i) }

// IsPost tells whether the body is a post.
func (b Body) IsPost() bool { return b <= postBase }

// IsDisc tells whether the body is a disc in play at some moment of the shot.
func (b Body) IsDisc() bool { return b >= ShotDisc }

// Contact is one touch between two bodies.
type Contact struct {
	Striker Body    // the one that was moving, where that was seen
	Struck  Body    // the other one
	At      float64 // s since the finger moved the disc; 0 when not timed
	// Confidence is how sure it is that they touched, 0 to 1; 0 means it was not
	// graded and counts as certain.
	Confidence float64
}

// The bounds between which a seen contact is counted but asked about, and below
// which it is not counted.
const (
	sureContact     = 0.9
	probableContact = 0.5
)

// Exit is a disc that left the raised surface, or crossed the starting line.
type Exit struct {
	Body Body
	At   float64 // s since the finger moved the disc; 0 when not timed
}

// Watch says what somebody or something had eyes on during the shot.
type Watch uint8

// What can be watched. Lists of unwatched things are ignored when empty, and
// "nothing listed" then means "not known".
const (
	WatchedContacts Watch = 1 << iota // Contacts is complete
	WatchedExits                      // Damage, Exits and Crossed are complete
	WatchedPlay                       // the board was in sight throughout, though some contact or exit may have been missed
)

// Evidence is what was seen between the two snapshots.
type Evidence struct {
	Watched  Watch
	Contacts []Contact // touches while both discs were in play, in order
	Damage   []Contact // touches after one of the two had left the surface (DMG-2)
	Exits    []Exit    // discs that left the raised surface at any time (OUT-2)
	Crossed  []Exit    // discs that crossed the starting line and came back without leaving the surface (OUT-3)
	Hand     []Body    // discs that a hand or a knock to the board moved (DST-1)
	HandOver bool      // a hand was over the board between the snapshots
	// Still is discs that nothing came near, in sight throughout: where they lie in
	// the two snapshots differs by measurement alone.
	Still []Body
	// Nudged is discs that were seen to be moved, though where they lie in the two
	// snapshots may not tell.
	Nudged []Body
}

// Places in a Track for discs that are not in the snapshot after.
const (
	Gone    = -1 // seen to lie off the surface
	Missing = -2 // not found anywhere
)

// Track says which disc is which in the two snapshots, where that was followed.
type Track struct {
	Discs []int // for each disc before: its place in the snapshot after, or Gone, or Missing
	Shot  int   // the same for the shot disc
}

// Shot is one shot as it was seen.
type Shot struct {
	Side     board.Side // who shot
	Number   int        // place in the round, from 1; 0 when not known (OPN-4)
	Evidence Evidence
	Track    *Track // nil: the discs are matched by side and place
	// Owned is how many discs of each side can be on the board after the shot,
	// indexed by side: those owned less 20s set aside, discs in the ditch and
	// discs not yet shot. 0 means not known.
	Owned [board.SideD + 1]uint8
}

// ErrInput marks a shot that cannot be judged because what was handed over
// makes no sense as a measurement. What is a measurement but cannot be crokinole
// is not an error but a Desynced verdict.
var ErrInput = errors.New("rules: unusable input")

// InputError says what is wrong with the input. It wraps ErrInput.
type InputError struct {
	Field  string // snapshot or field, with the disc's place where there is one
	Reason string
}

func (e *InputError) Error() string { return fmt.Sprintf("rules: %s: %s", e.Field, e.Reason) }

// Unwrap makes errors.Is(err, ErrInput) hold.
func (e *InputError) Unwrap() error { return ErrInput }

func inputErr(field, format string, args ...any) error {
	return &InputError{Field: field, Reason: fmt.Sprintf(format, args...)}
}
