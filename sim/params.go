package sim

import (
	"errors"
	"fmt"
)

// Params are the physical properties of discs and board.
type Params struct {
	Name    string        `yaml:"name" json:"name"`
	Gravity float64       `yaml:"gravity" json:"gravity"` // m/s²
	Disc    DiscParams    `yaml:"disc" json:"disc"`
	Surface SurfaceParams `yaml:"surface" json:"surface"`
	Posts   Bounce        `yaml:"posts" json:"posts"`
	Hole    HoleParams    `yaml:"hole" json:"hole"`
	Ditch   DitchParams   `yaml:"ditch" json:"ditch"`
}

// Bounce is how a disc's rim meets something.
type Bounce struct {
	Restitution float64 `yaml:"restitution" json:"restitution"` // speed of parting over speed of meeting, 0 to 1
	Friction    float64 `yaml:"friction" json:"friction"`       // coefficient of friction between the two rims
}

// DiscParams are the discs' properties.
type DiscParams struct {
	Mass   float64 `yaml:"mass" json:"mass"` // g
	Bounce `yaml:",inline"`
}

// SurfaceParams are the playing surface's properties.
type SurfaceParams struct {
	Friction float64 `yaml:"friction" json:"friction"` // coefficient of sliding friction
}

// HoleParams say when a disc drops into the hole; see hole.go.
type HoleParams struct {
	// Catch is how far the leading edge of a disc over the hole has to fall before
	// it meets the far lip, for the disc to be caught, mm.
	Catch float64 `yaml:"catch" json:"catch"`
	// Lean is the share of Catch above it within which a caught disc comes to lean
	// on the lip instead of dropping.
	Lean float64 `yaml:"lean" json:"lean"`
	// Sunk is how a disc meets one that lies in the hole and stands proud of it.
	Sunk Bounce `yaml:"sunk" json:"sunk"`
}

// DitchParams are the ditch's properties; see ditch.go.
type DitchParams struct {
	Depth    float64 `yaml:"depth" json:"depth"`       // of its floor below the surface, mm
	Friction float64 `yaml:"friction" json:"friction"` // coefficient of sliding friction of its floor
	Climb    float64 `yaml:"climb" json:"climb"`       // how far a disc may have fallen and still jump back over the edge, mm
	Rail     Bounce  `yaml:"rail" json:"rail"`
}

// ErrParams marks properties that cannot be.
var ErrParams = errors.New("sim: impossible physics")

// Validate reports the first property that cannot be, wrapped in ErrParams.
func (p Params) Validate() error {
	if p.Name == "" {
		return fmt.Errorf("%w: name is missing", ErrParams)
	}
	for _, v := range []struct {
		name      string
		value     float64
		low, high float64
		unit      string
	}{
		{"gravity", p.Gravity, 0.1, 100, " m/s²"},
		{"disc.mass", p.Disc.Mass, 0.1, 1000, " g"},
		{"disc.restitution", p.Disc.Restitution, 0, 1, ""},
		{"disc.friction", p.Disc.Friction, 0, 2, ""},
		{"surface.friction", p.Surface.Friction, 0.001, 2, ""},
		{"posts.restitution", p.Posts.Restitution, 0, 1, ""},
		{"posts.friction", p.Posts.Friction, 0, 2, ""},
		{"hole.catch", p.Hole.Catch, 0.01, 20, " mm"},
		{"hole.lean", p.Hole.Lean, 0, 1, ""},
		{"hole.sunk.restitution", p.Hole.Sunk.Restitution, 0, 1, ""},
		{"hole.sunk.friction", p.Hole.Sunk.Friction, 0, 2, ""},
		{"ditch.depth", p.Ditch.Depth, 1, 200, " mm"},
		{"ditch.friction", p.Ditch.Friction, 0.001, 5, ""},
		{"ditch.climb", p.Ditch.Climb, 0, 20, " mm"},
		{"ditch.rail.restitution", p.Ditch.Rail.Restitution, 0, 1, ""},
		{"ditch.rail.friction", p.Ditch.Rail.Friction, 0, 2, ""},
	} {
		if !(v.value >= v.low && v.value <= v.high) {
			return fmt.Errorf("%w: %s is %g%s but must be from %g to %g", ErrParams, v.name, v.value, v.unit, v.low, v.high)
		}
	}
	return nil
}
