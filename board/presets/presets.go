// Package presets knows boards by name and reads board files.
package presets

import (
	"errors"
	"fmt"

	"crokcam/board"
	"crokcam/configs"
	"crokcam/internal/shelf"
)

// ErrUnknown marks a board that is neither a preset's name nor a file.
var ErrUnknown = errors.New("no such board")

var boards = shelf.Shelf[board.Spec]{
	Files: configs.Boards, Folder: "boards", Kind: "board", Unknown: ErrUnknown, Parse: Parse,
}

// Names lists the presets in alphabetical order.
func Names() []string { return boards.Names() }

// All returns every preset, in the order of Names.
func All() ([]board.Spec, error) {
	names := Names()
	specs := make([]board.Spec, len(names))
	for i, n := range names {
		s, err := ByName(n)
		if err != nil {
			return nil, err
		}
		specs[i] = s
	}
	return specs, nil
}

// ByName returns a preset.
func ByName(name string) (board.Spec, error) { return boards.ByName(name) }

// Find returns the preset of that name or else reads the board file there.
func Find(nameOrFile string) (board.Spec, error) { return boards.Find(nameOrFile) }

// Parse reads one board from YAML. A key that no board has is an error, and so
// are measures that cannot be a board.
func Parse(data []byte) (board.Spec, error) {
	var s board.Spec
	err := shelf.Decode(data, &s)
	switch {
	case errors.Is(err, shelf.ErrEmpty):
		return board.Spec{}, fmt.Errorf("%w: %w", board.ErrSpec, err)
	case err != nil:
		return board.Spec{}, fmt.Errorf("read board: %w", err)
	}
	if s.Name == "" {
		return board.Spec{}, fmt.Errorf("%w: name is missing", board.ErrSpec)
	}
	if err := s.Validate(); err != nil {
		return board.Spec{}, err
	}
	return s, nil
}
