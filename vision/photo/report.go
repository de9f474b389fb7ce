// Package photo turns one picture of a board into its score: decode, find the
// board, find the discs, value them, and say it in a form that programs read.
package photo

import (
	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/vision/decode"
)

// Schema names the contract that Report keeps.
const Schema = "crokcam.photo/1"

// Report is the result of a photo, in the form of the crokcam.photo/1
// contract.
type Report struct {
	Schema       string        `json:"schema"`
	Image        Image         `json:"image"`
	Calibration  Calibration   `json:"calibration"`
	Sides        []Side        `json:"sides"`
	Discs        []Disc        `json:"discs"`
	Ditch        int           `json:"ditch"` // discs in the ditch, which count nothing; not looked for yet: 0
	Differential *Differential `json:"differential"`
	Warnings     []Warning     `json:"warnings"`
}

// Image is the picture as it was read.
type Image struct {
	Width              int  `json:"width"`  // px, after orientation
	Height             int  `json:"height"` // px, after orientation
	OrientationApplied bool `json:"orientation_applied"`
}

// Calibration is how the board was found.
type Calibration struct {
	Method      string     `json:"method"`   // auto, points, rings or file
	RMSmm       float64    `json:"rms_mm"`   // reprojection error of the line points
	TiltDeg     float64    `json:"tilt_deg"` // between the board's normal and the optical axis
	Board       string     `json:"board"`    // the preset it agrees with, or "measured"
	RadiiMM     Radii      `json:"radii_mm"`
	RingsPx     []RingPx   `json:"rings_px"`
	OK          bool       `json:"ok"`
	FocalPx     float64    `json:"focal_px"`
	FocalSource string     `json:"focal_source"` // picture, exif or prior
	FocalSigma  float64    `json:"focal_sigma"`  // px
	K1          float64    `json:"k1"`
	Coverage    float64    `json:"coverage"`  // share of the lines that was seen, 0 to 1
	CentrePx    [2]float64 `json:"centre_px"` // the board's centre
	// HomographyPxToMM maps a picture's pixel, seen as the top of a disc, to the
	// place of the disc's foot on the board, row by row.
	HomographyPxToMM [9]float64 `json:"homography_px_to_mm"`
	LinesInnerMM     LinesInner `json:"lines_inner_mm"`
	HoleMeasured     bool       `json:"hole_measured"` // in the picture; else the hole's radius is a board's by the book
}

// LinesInner are the radii at which a disc begins to touch each line.
type LinesInner struct {
	Fifteen float64 `json:"fifteen"`
	Ten     float64 `json:"ten"`
	Start   float64 `json:"start"`
}

// Radii are the board's measures, each line's outer printed edge.
type Radii struct {
	Hole    float64 `json:"hole"`
	Fifteen float64 `json:"fifteen"`
	Ten     float64 `json:"ten"`
	Start   float64 `json:"start"`
	Surface float64 `json:"surface"`
	Disc    float64 `json:"disc"`
}

// RingPx is the ellipse that a line's inner printed edge makes in the picture.
type RingPx struct {
	Ring     string  `json:"ring"` // hole, fifteen, ten, start or surface
	CX       float64 `json:"cx"`
	CY       float64 `json:"cy"`
	A        float64 `json:"a"` // semi-axes, px
	B        float64 `json:"b"`
	AngleDeg float64 `json:"angle_deg"` // of A, from +u towards +v
}

// Side is one side's total.
type Side struct {
	Side     string `json:"side"` // A, B, C …, darkest first unless the caller named colours
	Name     string `json:"name"`
	RGB      string `json:"rgb"` // #rrggbb
	Points   int    `json:"points"`
	Discs    int    `json:"discs"`
	Twenties int    `json:"twenties"` // discs in the hole, and those the caller added
}

// Disc is one disc on the playing surface or in the hole.
type Disc struct {
	XMM        float64    `json:"x_mm"`
	YMM        float64    `json:"y_mm"`
	Px         [2]float64 `json:"px"` // centre of its visible top
	Side       string     `json:"side"`
	Zone       string     `json:"zone"`
	Points     int        `json:"points"`
	GapMM      float64    `json:"gap_mm"`
	SigmaMM    float64    `json:"sigma_mm"`
	Confidence float64    `json:"confidence"`
	TooClose   bool       `json:"too_close"`
	OtherZone  string     `json:"other_zone,omitempty"` // where it counts across that line, when too close
	State      string     `json:"state"`
}

// Differential is the lead, absent when there are not two or more sides or
// when they are level.
type Differential struct {
	Side   string `json:"side"`
	Points int    `json:"points"`
}

// Warning is something the reader ought to look at.
type Warning struct {
	Code string `json:"code"`
	Disc *int   `json:"disc,omitempty"` // index into Discs
	Text string `json:"text"`
	// What the text names, for whoever says it in another language.
	Colour string             `json:"colour,omitempty"`
	Values map[string]float64 `json:"values,omitempty"`
}

// SideChoice names a side's colour, as in "A=black".
type SideChoice struct {
	Side   board.Side
	Colour string
}

// Options are what the caller may know about a picture. The zero value asks
// for everything to be found out.
type Options struct {
	Sides    int                // how many sides to tell apart; 0: found out
	Choices  []SideChoice       // colours the caller named
	Twenties map[board.Side]int // 20s taken from the board before the picture
	Board    *board.Spec        // nil: measured from the picture
	// Hand is where a person sees the board in this picture, px of the picture
	// once upright; empty: it is looked for.
	Hand calibrate.Hand
	// Calibration of the same camera over the same board, from an earlier
	// picture; nil: from this one.
	Calibration *calibrate.Calibration
	Limits      decode.Limits // the zero value: the usual ones
}
