// Package eval measures a scorer against pictures whose truth is known.
package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Truth is what is known about one picture.
type Truth struct {
	File   string       `json:"file"` // beside the truth
	Discs  []TrueDisc   `json:"discs"`
	Ignore [][3]float64 `json:"ignore"`   // circles x, y, r (px) in which reported discs do not count
	Reach  float64      `json:"reach_px"` // how far a disc may be from its truth; 0: from the size of a disc
}

// TrueDisc is a disc on the playing surface or in the hole.
type TrueDisc struct {
	Px       [2]float64  `json:"px"`     // centre of its visible top
	Side     string      `json:"side"`   // a name for its colour
	Points   int         `json:"points"` // by the lower-value rule
	Optional bool        `json:"optional"`
	MM       *[2]float64 `json:"mm"` // centre on the board, where it is known
}

// LoadTruths reads a folder's truth: truth.json, or one file of the same name
// beside each ray-traced picture.
func LoadTruths(folder string) ([]Truth, error) {
	data, err := os.ReadFile(filepath.Join(folder, "truth.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return loadScenes(folder)
	}
	if err != nil {
		return nil, fmt.Errorf("read truth: %w", err)
	}
	var t struct{ Pictures []Truth }
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, fmt.Errorf("read truth of %s: %w", folder, err)
	}
	return nonEmpty(folder, t.Pictures)
}

func loadScenes(folder string) ([]Truth, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("read truth: %w", err)
	}
	slices.Sort(names)
	var out []Truth
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read truth: %w", err)
		}
		var s scene
		if err := json.Unmarshal(data, &s); err != nil {
			return nil, fmt.Errorf("read truth %s: %w", name, err)
		}
		if s.Camera != nil { // other JSON files may lie about
			out = append(out, s.truth())
		}
	}
	return nonEmpty(folder, out)
}

func nonEmpty(folder string, t []Truth) ([]Truth, error) {
	if len(t) == 0 {
		return nil, fmt.Errorf("read truth: %s has no truth.json and no picture with a label file", folder)
	}
	return t, nil
}

// leastVisible is the share of a disc that must be seen for it to be asked for.
const leastVisible = 0.6

// scene is the label file of a ray-traced picture.
type scene struct {
	Image  string
	Camera *struct{}
	Discs  []struct {
		Colour   string
		Location string
		Score    int
		XY       [2]float64 `json:"xy_mm"`
		Top      [2]float64 `json:"top_centre_px"`
		Visible  *float64   `json:"visible_fraction"`
		Tilted   bool
	}
}

func (s scene) truth() Truth {
	t := Truth{File: s.Image}
	for _, d := range s.Discs {
		if d.Location != "surface" && d.Location != "hole" {
			continue
		}
		t.Discs = append(t.Discs, TrueDisc{
			Px: d.Top, Side: d.Colour, Points: d.Score, MM: &d.XY,
			Optional: d.Tilted || d.Visible != nil && *d.Visible < leastVisible,
		})
	}
	return t
}
