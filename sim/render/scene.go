package render

import (
	"errors"
	"fmt"
	"math"

	"crokcam/board"
	"crokcam/calibrate/camera"
)

// Scene is everything a picture shows.
type Scene struct {
	Camera  camera.Camera
	Board   board.Spec
	Look    Look
	Lights  []Light
	Ambient RGB     // colour of the light that comes from everywhere
	Fill    float64 // its strength; a Light of strength 1 lights the board's centre as much as a Fill of 1
	Discs   []Disc
	Hands   []Hand
	Things  []Thing // what else stands about
	Lens    Lens
}

// Look is how a board and what it stands on look.
type Look struct {
	Wood     Texture    // the playing surface
	Zones    [4]Paint   // paint over it: the 15, 10 and 5 zones and the rim outside the starting line
	Line     Paint      // circles and quadrant lines
	Numbers  Paint      // printed values; none where Opacity is 0
	NumberMM float64    // their height, mm; 0 for the usual
	Centre   float64    // quadrant lines reach in to this radius, mm; 0: to the 10 line
	Hole     Texture    // the hole's floor
	HoleRing Paint      // a printed ring around the hole
	Finish   Finish     // of the playing surface
	Wear     float64    // stains and scratches, 0 to 1
	Seed     uint32     // where they are
	Posts    PostKind   //
	Ditch    Texture    //
	Rail     Texture    //
	Shape    RailShape  //
	RailMM   RailSize   //
	Table    Texture    //
	TableTop [2]float64 // half length and width of the table, mm
	TableAt  [3]float64 // its centre x, y (mm) and its turn (rad)
	Floor    Texture    // what is seen beyond the table
}

// Paint is a colour laid over a surface. Opacity 0 is none, 1 hides what is
// beneath.
type Paint struct {
	Colour  RGB
	Opacity float64
}

// Finish is how a surface shines.
type Finish struct {
	Coat  float64 // how much of a clear coat there is, 0 to 1
	Rough float64 // its roughness: 0.02 a mirror, 0.1 lacquer, 0.25 satin, 0.5 matt
	Wave  float64 // how uneven it is, rad
}

// RailShape is the rail's shape seen from above.
type RailShape uint8

// The shapes of a rail.
const (
	RoundRail RailShape = iota
	OctagonRail
)

// String is "round" or "octagon".
func (s RailShape) String() string {
	return [...]string{"round", "octagon"}[s]
}

// RailSize is a rail's measures, mm; angles in rad.
type RailSize struct {
	Width      float64 // of the rail's top
	Height     float64 // of its top above the playing surface
	DitchDepth float64 // of the ditch below the playing surface
	Base       float64 // of the table below the ditch's floor
	Turn       float64 // of the octagon's first flat
}

// PostKind is what the posts are made of.
type PostKind uint8

// The kinds of posts.
const (
	RubberBlack PostKind = iota
	RubberBrown
	RubberWhite
	WoodPeg
	Screw // bare metal
	Brass
)

// String is the kind's name in a picture's truth.
func (k PostKind) String() string {
	return [...]string{"rubber_black", "rubber_brown", "rubber_white", "wood_peg", "screw", "brass"}[k]
}

// Disc is one disc of a scene.
type Disc struct {
	ID        int
	Side      string      // the name of its colour: discs of one side share it
	Foot      camera.Vec3 // centre of its foot, mm
	Axis      camera.Vec3 // from foot to top; the zero value is straight up
	Turn      float64     // rad, which way its grain runs
	Radius    float64     // its largest, mm
	Thickness float64     // mm
	Bevel     float64     // width of the rounded edge, mm
	Dish      float64     // how deep its top is hollowed, mm
	Groove    float64     // radius of a turned groove, mm; 0 for none
	Face      Texture     // of the top
	Flank     Paint       // over the face's texture on side and bevel
	Sticker   Paint       // a round sticker or print on the top …
	StickerMM float64     // … of this radius, mm
	Finish    Finish
	Velocity  [2]float64 // mm/s, for its blur
	Place     Place
	Case      string // why it lies where it lies, for the truth
	Carried   bool   // held by a hand
}

// Place is where a disc is.
type Place uint8

// The places.
const (
	OnSurface Place = iota
	InHole
	Leaning
	InDitch
	OnTable
)

// String is the place's name in a picture's truth.
func (p Place) String() string {
	return [...]string{"surface", "hole", "surface", "ditch", "table"}[p]
}

// Light is a lamp or a window.
type Light struct {
	At       camera.Vec3 // mm
	Radius   float64     // of a round lamp, mm
	Half     [2]float64  // half width and height of a window or panel, mm; a round lamp has none
	Facing   camera.Vec3 // of a window or panel
	Colour   RGB
	Strength float64 // of its light on the board's centre, before the angle at which it falls
	Spot     float64 // half angle of a lamp shade's cone about the direction to the centre, rad; 0 for none
}

// ThingKind is what stands about.
type ThingKind uint8

// The kinds of things.
const (
	Coin ThingKind = iota
	Mug
	Phone
	Sheet
	Cup // holds the 20s
)

// String is the kind's name in a picture's truth.
func (k ThingKind) String() string {
	return [...]string{"coin", "mug", "phone", "score_sheet", "cup"}[k]
}

// Thing stands on the table.
type Thing struct {
	Kind   ThingKind
	At     [2]float64 // mm
	Turn   float64    // rad
	Size   float64    // radius or half length, mm
	Colour RGB
}

// ErrScene marks a scene that cannot be shown.
var ErrScene = errors.New("render: impossible scene")

// Validate reports what cannot be, wrapped in ErrScene.
func (s *Scene) Validate() error {
	if err := s.Camera.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrScene, err)
	}
	if err := s.Board.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrScene, err)
	}
	if n := s.Camera.Width * s.Camera.Height; n > 64_000_000 {
		return fmt.Errorf("%w: %d × %d px is more than 64 megapixels", ErrScene, s.Camera.Width, s.Camera.Height)
	}
	if c := s.Camera.Centre(); c[2] < 100 {
		return fmt.Errorf("%w: the camera is %.0f mm above the board, at least 100 are needed", ErrScene, c[2])
	}
	for i, l := range s.Lights {
		if !(l.At[2] > 60) || !(l.Strength >= 0) || !(l.Radius > 0 || l.Half[0] > 0 && l.Half[1] > 0) {
			return fmt.Errorf("%w: light %d needs a size, a strength and a place at least 60 mm above the board", ErrScene, i)
		}
	}
	if len(s.Lights) > maxLights {
		return fmt.Errorf("%w: %d lights, at most %d are possible", ErrScene, len(s.Lights), maxLights)
	}
	if len(s.Hands) > maxHands {
		return fmt.Errorf("%w: %d hands, at most %d are possible", ErrScene, len(s.Hands), maxHands)
	}
	for _, d := range s.Discs {
		if !(d.Radius > 0) || !(d.Thickness > 0) || d.Bevel < 0 || 2*d.Bevel > d.Thickness || d.Bevel >= d.Radius {
			return fmt.Errorf("%w: disc %d has a radius of %g, a thickness of %g and a bevel of %g mm", ErrScene, d.ID, d.Radius, d.Thickness, d.Bevel)
		}
		for _, v := range d.Foot {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%w: disc %d is nowhere", ErrScene, d.ID)
			}
		}
	}
	return nil
}

// axis is the unit vector from foot to top.
func (d *Disc) axis() vec {
	if d.Axis == (camera.Vec3{}) {
		return vec{0, 0, 1}
	}
	return from(d.Axis).unit()
}

// Top is the centre of the disc's top.
func (d *Disc) Top() camera.Vec3 {
	a := d.axis()
	return camera.Vec3{d.Foot[0] + a.x*d.Thickness, d.Foot[1] + a.y*d.Thickness, d.Foot[2] + a.z*d.Thickness}
}

func (d *Disc) solid() solid {
	a := d.axis()
	return solid{
		foot: from(d.Foot), f: frameAlong(a), r: d.Radius, h: d.Thickness,
		bevel: d.Bevel, dish: d.Dish, groove: d.Groove, up: a.z > 1-1e-12,
	}
}
