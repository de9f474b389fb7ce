package board

import "math"

// Point is a place on the board, mm.
type Point struct {
	X float64 `json:"x_mm" yaml:"x"`
	Y float64 `json:"y_mm" yaml:"y"`
}

// Radius is the distance from the board's centre, mm.
func (p Point) Radius() float64 { return math.Hypot(p.X, p.Y) }

// Angle is the direction from the board's centre, rad.
func (p Point) Angle() float64 { return math.Atan2(p.Y, p.X) }

// Side is a scoring party: a player in singles, a partnership in doubles, one
// of the players in a free-for-all. The zero value means not known.
type Side uint8

// The sides in the order in which they are named.
const (
	NoSide Side = iota
	SideA
	SideB
	SideC
	SideD
)

// String is the side's letter, or "" when it is not known.
func (s Side) String() string {
	if s == NoSide {
		return ""
	}
	return string(rune('A' + s - 1))
}

// Other is the side that plays against this one where there are two; NoSide of
// any that is neither.
func (s Side) Other() Side {
	switch s {
	case SideA:
		return SideB
	case SideB:
		return SideA
	}
	return NoSide
}

// Zone is where a disc counts: its value before any rule looks at it.
type Zone uint8

// The zones from outside in.
const (
	Out Zone = iota
	Five
	Ten
	Fifteen
	Twenty
)

// Points is the zone's value.
func (z Zone) Points() int { return int(z) * 5 }

// String is the name players use: "20", "15", "10", "5" or "out".
func (z Zone) String() string {
	return [...]string{"out", "5", "10", "15", "20"}[z]
}

// Rest says how a disc lies.
type Rest uint8

// The ways a disc can lie on a board.
const (
	OnSurface Rest = iota // flat on the playing surface
	InHole                // flat in the hole: a 20
	Leaning               // over the hole's rim, neither in nor out: counts as a 15
	Standing              // on its rim, which no rule provides for: somebody has to say
)

// String is the word used in results: "surface", "hole", "leaning" or
// "standing".
func (r Rest) String() string {
	return [...]string{"surface", "hole", "leaning", "standing"}[r]
}

// Disc is one disc at rest.
type Disc struct {
	Point              // centre of the disc's foot
	Side       Side    `json:"side"`       // whose it is
	Rest       Rest    `json:"rest"`       // how it lies
	Sigma      float64 `json:"sigma_mm"`   // one standard deviation of the radial position, mm
	Confidence float64 `json:"confidence"` // that there is such a disc, 0 to 1
}

// Snapshot is the discs at rest at one moment. Discs in the ditch and beside
// the board are not part of it.
type Snapshot struct {
	Discs []Disc `json:"discs"`
}

// Call is where a disc counts and how close the call is.
type Call struct {
	Zone     Zone
	Gap      float64 // signed distance from the disc's edge to the nearest line's inner edge, mm; negative when it touches
	TooClose bool    // |Gap| is less than two sigmas: offer the call, do not hide it
	Other    Zone    // what it would count on the other side of that line
}

// Call values a disc by the lower-value rule: a disc that touches a line, even
// a hair of its inner printed edge, counts for the zone outside that line
// (NCA rule 4; the gap is to the line's inner edge).
func (s Spec) Call(d Disc) Call {
	switch d.Rest {
	case InHole:
		return Call{Zone: Twenty, Gap: s.Hole.Radius - s.Disc.Radius, Other: Fifteen}
	case Leaning:
		return Call{Zone: Fifteen, Gap: 0, TooClose: true, Other: Twenty}
	}
	edge := d.Radius() + s.Disc.Radius
	limits := [...]struct {
		inner  float64
		inside Zone
	}{{s.Fifteen.Inner(), Fifteen}, {s.Ten.Inner(), Ten}, {s.Start.Inner(), Five}}

	c := Call{Zone: Out, Gap: math.Inf(-1)}
	for _, l := range limits {
		gap := l.inner - edge
		if math.Abs(gap) < math.Abs(c.Gap) {
			c.Gap = gap
			c.Other = l.inside
			if gap > 0 {
				c.Other = l.inside - 1
			}
		}
		if gap > 0 && l.inside > c.Zone {
			c.Zone = l.inside
		}
	}
	c.TooClose = math.Abs(c.Gap) < 2*d.Sigma
	return c
}

// MostDiscs is how many discs a side has at most (NCA: twelve in singles).
const MostDiscs = 12
