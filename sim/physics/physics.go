// Package physics knows the properties of discs and boards by name and reads
// files of them.
package physics

import (
	"errors"
	"fmt"

	"crokcam/configs"
	"crokcam/internal/shelf"
	"crokcam/sim"
)

// Default is the name of the preset that stands for an ordinary board.
const Default = "club"

// ErrUnknown marks physics that are neither a preset's name nor a file.
var ErrUnknown = errors.New("no such physics")

var presets = shelf.Shelf[sim.Params]{
	Files: configs.Physics, Folder: "physics", Kind: "physics", Unknown: ErrUnknown, Parse: Parse,
}

// Names lists the presets in alphabetical order.
func Names() []string { return presets.Names() }

// ByName returns a preset.
func ByName(name string) (sim.Params, error) { return presets.ByName(name) }

// Find returns the preset of that name or else reads the file there.
func Find(nameOrFile string) (sim.Params, error) { return presets.Find(nameOrFile) }

// Parse reads physics from YAML. A key that there is not is an error, and so are
// properties that cannot be.
func Parse(data []byte) (sim.Params, error) {
	var p sim.Params
	err := shelf.Decode(data, &p)
	switch {
	case errors.Is(err, shelf.ErrEmpty):
		return sim.Params{}, fmt.Errorf("%w: %w", sim.ErrParams, err)
	case err != nil:
		return sim.Params{}, fmt.Errorf("read physics: %w", err)
	}
	if err := p.Validate(); err != nil {
		return sim.Params{}, err
	}
	return p, nil
}
