package sim

import (
	"errors"
	"fmt"
	"math"

	"crokcam/board"
)

// Table is a board with its physical properties. It is immutable and may be
// used by several goroutines at once.
type Table struct {
	spec   board.Spec
	params Params
	derived
}

// ErrTable marks a board that cannot be simulated.
var ErrTable = errors.New("sim: unusable board")

// NewTable prepares a board. An error wraps board.ErrSpec, ErrParams or
// ErrTable.
func NewTable(spec board.Spec, p Params) (*Table, error) {
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("sim: %w", err)
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	t := &Table{spec: spec, params: p}
	if err := t.derive(); err != nil {
		return nil, err
	}
	return t, nil
}

// Spec is the board's measures.
func (t *Table) Spec() board.Spec { return t.spec }

// PostCentres are the posts' centres, the same to the last bit on every machine.
// The slice is not to be changed.
func (t *Table) PostCentres() []board.Point { return t.posts }

// Params are the board's physical properties.
func (t *Table) Params() Params { return t.params }

// Setup is what lies on a board and in its ditch before a shot.
type Setup struct {
	Board  board.Snapshot // on the surface, leaning, or still in the hole from an earlier shot
	Angles []float64      // how far each disc of Board is turned, rad; empty means not at all
	Ditch  []Lying        // in the ditch, where a disc that goes off may meet them
}

// Lying is a disc that lies in the ditch.
type Lying struct {
	board.Point
	Side  board.Side
	Angle float64 // how far it is turned, rad
}

// Shot is one flick: a disc, where it is placed and how it starts.
type Shot struct {
	Side    board.Side
	From    board.Point // centre of the placed disc
	Heading float64     // direction of the flick, rad
	Speed   float64     // mm/s
	Spin    float64     // rad/s, counter-clockwise
}

// MaxSpeed is the fastest shot that is simulated, mm/s: four times the hardest
// flick that players manage.
const MaxSpeed = 20_000

// ErrSetup marks a setup or a shot that cannot be simulated.
var ErrSetup = errors.New("sim: unusable setup")

func setupErr(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSetup, fmt.Sprintf(format, args...))
}

// Kind says what a body is.
type Kind uint8

// The kinds of bodies.
const (
	Disc Kind = iota // Index is its place in Result.Discs
	Post             // Index is its place in board.Spec.PostCentres
	Rail             // the outer wall of the ditch
	Wall             // the inner wall of the ditch, below the edge of the surface
	Lip              // the far edge of the hole, which a disc that passes over it bumps
)

// String is the kind's word: "disc", "post", "rail", "wall" or "lip".
func (k Kind) String() string {
	return [...]string{"disc", "post", "rail", "wall", "lip"}[k]
}

// Body is a thing that takes part in a contact.
type Body struct {
	Kind  Kind
	Index int // 0 for the rail, the wall and the lip
}

// Contact is one touch between two bodies. A touch that lasts is one contact,
// with its impulses added up.
type Contact struct {
	At       float64     // s since the finger moved the disc
	A, B     Body        // A is a disc and the faster of two
	Point    board.Point // where they touched
	Normal   board.Point // unit vector from A towards B
	Approach float64     // speed at which they closed in on each other, mm/s
	Impulse  float64     // along the normal, mN·s
	Friction float64     // along the tangent, a quarter turn counter-clockwise of the normal, on A, mN·s
	// Off tells that one of the two discs had left the surface before.
	Off bool
}

// Exit is a disc that left the surface.
type Exit struct {
	Disc     int     // place in Result.Discs
	At       float64 // s since the finger moved the disc
	Returned float64 // when it came back over the edge; 0 when it did not
}

// Where says how a disc lies or moves.
type Where uint8

// The places a disc can be in.
const (
	OnSurface Where = iota
	InHole          // in the hole, or dropping into it
	Leaning         // over the hole's rim, neither in nor out
	InDitch         // in the ditch, or falling into it
)

// String is the word for it: "surface", "hole", "leaning" or "ditch".
func (w Where) String() string {
	return [...]string{"surface", "hole", "leaning", "ditch"}[w]
}

// Placed is a disc at one moment.
type Placed struct {
	X, Y   float64 // centre of its foot, mm
	Z      float64 // height of its foot above the surface, mm; negative in hole and ditch
	Angle  float64 // how far it is turned, rad
	Tilt   float64 // how far its axis leans, rad; 0 unless Leaning or on the way there
	Lean   float64 // towards which direction its top leans, rad
	Side   board.Side
	Where  Where
	Moving bool // slides, spins or falls
}

// Result is what became of a shot. Discs are counted as follows: those of
// Setup.Board in their order, the shot disc, those of Setup.Ditch in theirs.
type Result struct {
	Discs    []Placed       // at the end
	Shot     int            // place of the shot disc in Discs
	Final    board.Snapshot // discs at rest on the surface, leaning and in the hole
	Place    []int          // place in Final.Discs of every disc, -1 for those in the ditch
	Contacts []Contact      // in the order of time
	Exits    []Exit         // in the order of time
	Twenties []int          // discs that dropped into the hole in this shot
	Duration float64        // until nothing moves any more, s

	table   *Table
	flights []flight
	last    []int32 // for each disc its last flight, which links to the one before
}

// Left lists the discs that lie in the ditch because of this shot.
func (r *Result) Left() []int {
	var out []int
	for i := range r.Discs {
		if i <= r.Shot && r.Discs[i].Where == InDitch {
			out = append(out, i)
		}
	}
	return out
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Point is where the centre of the disc's foot is, seen from above.
func (p Placed) Point() board.Point { return board.Point{X: p.X, Y: p.Y} }
