package shots

import (
	"time"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/vision"
)

// State is what a Watcher takes the board to be doing.
type State uint8

// The states.
const (
	Offline     State = iota // no usable frames come
	Calibrating              // waiting for a quiet frame with a board in it
	Idle                     // the board lies as it was last seen, ready for a shot
	Hand                     // a hand or an arm is over the board
	Moving                   // something moves on the board and no hand is over it
	Settling                 // nothing moves any more: looked at until two looks agree
	Settled                  // a shot was found; nobody has touched the board since
	Removing                 // a hand takes away what the verdict said
	RoundOver                // the board was cleared
	Desynced                 // the board lies as no shot can leave it: somebody has to say
	Paused                   // nothing is scored until somebody says so
)

var stateNames = [...]string{
	"offline", "calibrating", "idle", "hand", "moving", "settling", "settled", "removing", "round_over", "desynced", "paused",
}

// String is the state's word in events, such as "round_over".
func (s State) String() string { return stateNames[s] }

// MarshalText is String.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// EventKind is what a Watcher has to say.
type EventKind string

// The kinds of events.
const (
	StateChanged EventKind = "state_changed" // From, To
	TimedOut     EventKind = "timed_out"     // From has lasted longer than it should; To is what follows
	Calibrated   EventKind = "calibrated"    // Calibration, Scene
	Drifted      EventKind = "drifted"       // Drift mm; Calibration is the new one where it was followed
	ShotFound    EventKind = "shot"          // Shot
	Placed       EventKind = "placed"        // a disc lies on the starting line and has not been shot yet
	Removed      EventKind = "removed"       // Discs were taken away by a hand
	Shifted      EventKind = "shifted"       // Discs were moved by a hand
	Cleared      EventKind = "cleared"       // Discs were taken away, and nothing is left
	HoleDoubt    EventKind = "hole_unclear"  // something may or may not lie in the hole
	Puzzled      EventKind = "desynced"      // Note says what cannot be; Discs is what was seen

	// Warnings: each is told once for as long as it lasts, with advice in Note.
	ColoursClose EventKind = "colours_close"  // two sides' discs look much alike
	Flicker      EventKind = "light_flickers" // from frame to frame
	Glare        EventKind = "glare"          // covers part of a ring
)

// Event is something that a Watcher has noticed.
type Event struct {
	Kind        EventKind
	At          time.Duration // stream time of the frame that showed it
	From, To    State
	Shot        *Shot
	Discs       []Disc
	Calibration *calibrate.Calibration
	Drift       float64 // mm, the farthest that any of the board's lines has moved
	Note        string  // for people
}

// Disc is a disc at rest, with its looks.
type Disc = vision.Disc

// Places of discs that are not in a later snapshot.
const (
	Gone    = -1 // not on the board
	Unknown = -2 // it cannot be told which one it is
)

// Shot is everything between two snapshots.
type Shot struct {
	Before, After []Disc // Before is without the disc that was shot
	// Became says where each disc of Before is in After: its index, or Gone.
	Became []int
	// Shooter is the disc of After that was shot, Gone when it left the board,
	// or Unknown.
	Shooter int
	// Identified says that Became and Shooter follow from what was seen and not
	// only from what lies nearest.
	Identified bool
	Contacts   []Contact
	Left       []int // discs of Before that are no longer on the board
	// Unseen are those of Left that a hand may have taken: nobody saw them go.
	// ShooterUnseen says the same of the disc that was shot where Shooter is Gone.
	Unseen        []int
	ShooterUnseen bool
	// Passed are those discs of Before that may or may not have been touched: the
	// shot disc went by closely, and they moved hardly or not at all.
	Passed []int
	// Still are those of Before that were in sight all the time, and that nothing came
	// near.
	Still []int
	// Nudged are those of Before that were seen to be moved, by little: beside the
	// picture before, which shows less than where they lie does.
	Nudged   []int
	Twenties []int // discs of After that lie flat in the hole
	// Hole is what the shot has left in the hole, as far as can be told: HoleEmpty too
	// where it is unclear, and was before, and nothing came near it.
	Hole vision.Hole

	Began   time.Duration // when the hand came
	Start   time.Duration // when the disc was first seen to move by itself; Began where it was not
	End     time.Duration // when nothing moved any more and no hand was over the board
	Settled time.Duration // when the second of two looks agreed
	// Watched says that frames came throughout and none was spoilt, and nothing lies
	// there that cannot be made out, so that nothing large can have happened unseen.
	Watched  bool
	HandBack bool    // a hand came over the board after the disc had been shot
	Flight   float64 // mm, the longest way that something of a disc's size was seen to move freely
}

// Basis says how a contact is known.
type Basis string

// The ways to know of a contact.
const (
	Seen     Basis = "seen"     // the tracks met
	Inferred Basis = "inferred" // the disc moved, so it was touched
)

// Contact is a disc of Before that was touched.
type Contact struct {
	Disc   int           // index in Before
	By     int           // index in Before of what touched it, or Shooter, or Unknown
	At     time.Duration // stream time; 0 when not known
	Basis  Basis
	Moved  float64 // mm; 0 when it left
	Graded float64 // how sure it is, 0 to 1
}

// ByShooter in Contact.By is the disc that was shot.
const ByShooter = -3

// Snapshot is discs without their looks.
func Snapshot(discs []Disc) board.Snapshot {
	s := board.Snapshot{Discs: make([]board.Disc, len(discs))}
	for i := range discs {
		s.Discs[i] = discs[i].Disc
	}
	return s
}
