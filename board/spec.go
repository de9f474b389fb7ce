// Package board holds the geometry and the vocabulary of a crokinole board:
// its measures, its zones, its sides, and the discs that lie on it.
//
// All lengths are millimetres in the board frame: the origin is the centre of
// the 20-hole, x points right and y away from the south player, z is up and
// zero on the playing surface. Angles are radians, counter-clockwise from +x.
package board

import (
	"errors"
	"fmt"
	"math"
)

// Ring is a printed circle about the centre. The printed band reaches from
// Inner to Outer; a disc touches the line as soon as it passes Inner.
type Ring struct {
	Outer float64 `yaml:"outer" json:"outer"` // radius of the band's outer edge, mm
	Width float64 `yaml:"width" json:"width"` // printed width, mm
}

// Inner is the radius of the line's inner printed edge, mm: the limit of the
// zone inside it.
func (r Ring) Inner() float64 { return r.Outer - r.Width }

// Hole is the 20-hole in the middle of the board.
type Hole struct {
	Radius float64 `yaml:"radius" json:"radius"` // mm
	Depth  float64 `yaml:"depth" json:"depth"`   // mm
}

// Posts are the pegs around the 15 zone, evenly spaced, the first one at
// Angle from the first quadrant line.
type Posts struct {
	Count    int     `yaml:"count" json:"count"`
	Radius   float64 `yaml:"radius" json:"radius"`     // of the circle their centres stand on, mm
	Diameter float64 `yaml:"diameter" json:"diameter"` // mm
	Height   float64 `yaml:"height" json:"height"`     // above the surface, mm
	Angle    float64 `yaml:"angle" json:"angle"`       // rad
}

// Quadrants are the four lines that divide the 5 zone.
type Quadrants struct {
	Angle float64 `yaml:"angle" json:"angle"` // of the first line, rad from +x
	Width float64 `yaml:"width" json:"width"` // printed width, mm
}

// DiscSize is the size of the discs played with.
type DiscSize struct {
	Radius    float64 `yaml:"radius" json:"radius"`       // mm
	Thickness float64 `yaml:"thickness" json:"thickness"` // mm
}

// Spec is one kind of board. The zero value is no board; see Validate.
type Spec struct {
	Name      string    `yaml:"name" json:"name"`
	Hole      Hole      `yaml:"hole" json:"hole"`
	Fifteen   Ring      `yaml:"fifteen" json:"fifteen"` // limit of the 15 zone
	Ten       Ring      `yaml:"ten" json:"ten"`         // limit of the 10 zone
	Start     Ring      `yaml:"start" json:"start"`     // starting line, limit of the 5 zone
	Surface   float64   `yaml:"surface" json:"surface"` // radius of the playing surface, mm
	Ditch     float64   `yaml:"ditch" json:"ditch"`     // width of the ditch between surface and rail, mm
	Posts     Posts     `yaml:"posts" json:"posts"`
	Quadrants Quadrants `yaml:"quadrants" json:"quadrants"`
	Disc      DiscSize  `yaml:"disc" json:"disc"`
}

// ErrSpec marks a Spec whose measures cannot be a board.
var ErrSpec = errors.New("board: impossible measures")

// rising are the names of the radii that grow outwards.
var rising = [...]string{"zero", "hole.radius", "fifteen.inner", "fifteen.outer", "ten.inner", "ten.outer", "start.inner", "start.outer", "surface"}

// Validate reports the first measure that cannot be, wrapped in ErrSpec.
func (s Spec) Validate() error {
	last := 0.0
	for i, r := range [...]float64{
		s.Hole.Radius, s.Fifteen.Inner(), s.Fifteen.Outer, s.Ten.Inner(), s.Ten.Outer, s.Start.Inner(), s.Start.Outer, s.Surface,
	} {
		if !finite(r) || r <= last {
			return fmt.Errorf("%w: %s is %g mm but must be more than %s (%g mm)", ErrSpec, rising[i+1], r, rising[i], last)
		}
		last = r
	}
	if !finite(s.Disc.Radius) || s.Disc.Radius <= 0 || s.Disc.Radius >= s.Hole.Radius+2 {
		return fmt.Errorf("%w: disc.radius is %g mm but must be positive and fit the hole (%g mm)", ErrSpec, s.Disc.Radius, s.Hole.Radius)
	}
	if !finite(s.Disc.Thickness) || s.Disc.Thickness <= 0 {
		return fmt.Errorf("%w: disc.thickness is %g mm but must be positive", ErrSpec, s.Disc.Thickness)
	}
	if s.Posts.Count < 0 || s.Posts.Count > 0 && (!finite(s.Posts.Radius) || s.Posts.Radius <= 0 || !finite(s.Posts.Diameter) || s.Posts.Diameter <= 0) {
		return fmt.Errorf("%w: posts need a positive radius and diameter", ErrSpec)
	}
	if !finite(s.Ditch) || s.Ditch < 0 {
		return fmt.Errorf("%w: ditch is %g mm but must not be negative", ErrSpec, s.Ditch)
	}
	return nil
}

func finite(v float64) bool { return v-v == 0 }

// PostCentres are the posts' centres on the surface, in the board frame.
func (s Spec) PostCentres() []Point {
	out := make([]Point, s.Posts.Count)
	for i := range out {
		a := s.Quadrants.Angle + s.Posts.Angle + 2*math.Pi*float64(i)/float64(s.Posts.Count)
		out[i] = Point{s.Posts.Radius * math.Cos(a), s.Posts.Radius * math.Sin(a)}
	}
	return out
}

// Tournament26 is the 26-inch board of the clubs: rings of 8, 16 and 24
// inches, as every preset measured to the outer printed edge.
func Tournament26() Spec {
	return Spec{
		Name:      "tournament-26",
		Hole:      Hole{Radius: 17.4625, Depth: 6.35},
		Fifteen:   Ring{Outer: 101.6, Width: 1.6},
		Ten:       Ring{Outer: 203.2, Width: 1.6},
		Start:     Ring{Outer: 304.8, Width: 1.6},
		Surface:   330.2,
		Ditch:     57,
		Posts:     Posts{Count: 8, Radius: 101.6, Diameter: 9.525, Height: 16, Angle: math.Pi / 8},
		Quadrants: Quadrants{Angle: math.Pi / 4, Width: 1.6},
		Disc:      DiscSize{Radius: 15.875, Thickness: 10},
	}
}
