// Package presets knows boards by name and reads board files.
package presets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"crokcam/board"
	"crokcam/configs"
)

// ErrUnknown marks a board that is neither a preset's name nor a file.
var ErrUnknown = errors.New("no such board")

// Names lists the presets in alphabetical order.
func Names() []string {
	files, err := fs.Glob(configs.Boards, "boards/*.yaml")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(filepath.Base(f), ".yaml")
	}
	slices.Sort(names)
	return names
}

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
func ByName(name string) (board.Spec, error) {
	if !slices.Contains(Names(), name) {
		return board.Spec{}, fmt.Errorf("%w: %q (known boards: %s)", ErrUnknown, name, strings.Join(Names(), ", "))
	}
	data, err := configs.Boards.ReadFile("boards/" + name + ".yaml")
	if err != nil {
		return board.Spec{}, fmt.Errorf("board %s: %w", name, err)
	}
	s, err := Parse(data)
	if err != nil {
		return board.Spec{}, fmt.Errorf("board %s: %w", name, err)
	}
	return s, nil
}

// Find returns the preset of that name or else reads the board file there.
func Find(nameOrFile string) (board.Spec, error) {
	if slices.Contains(Names(), nameOrFile) {
		return ByName(nameOrFile)
	}
	data, err := os.ReadFile(nameOrFile)
	if errors.Is(err, fs.ErrNotExist) {
		return board.Spec{}, fmt.Errorf("%w: %q is neither a file nor one of %s", ErrUnknown, nameOrFile, strings.Join(Names(), ", "))
	}
	if err != nil {
		return board.Spec{}, fmt.Errorf("board file: %w", err)
	}
	s, err := Parse(data)
	if err != nil {
		return board.Spec{}, fmt.Errorf("board file %s: %w", nameOrFile, err)
	}
	return s, nil
}

// Parse reads one board from YAML. A key that no board has is an error, and so
// are measures that cannot be a board.
func Parse(data []byte) (board.Spec, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	var s board.Spec
	if err := d.Decode(&s); err != nil {
		if errors.Is(err, io.EOF) {
			return board.Spec{}, fmt.Errorf("%w: the file is empty", board.ErrSpec)
		}
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
