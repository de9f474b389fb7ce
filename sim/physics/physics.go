// Package physics knows the properties of discs and boards by name and reads
// files of them.
package physics

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

	"crokcam/configs"
	"crokcam/sim"
)

// Default is the name of the preset that stands for an ordinary board.
const Default = "club"

// ErrUnknown marks physics that are neither a preset's name nor a file.
var ErrUnknown = errors.New("no such physics")

// Names lists the presets in alphabetical order.
func Names() []string {
	files, err := fs.Glob(configs.Physics, "physics/*.yaml")
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

// ByName returns a preset.
func ByName(name string) (sim.Params, error) {
	if !slices.Contains(Names(), name) {
		return sim.Params{}, fmt.Errorf("%w: %q (known: %s)", ErrUnknown, name, strings.Join(Names(), ", "))
	}
	data, err := configs.Physics.ReadFile("physics/" + name + ".yaml")
	if err != nil {
		return sim.Params{}, fmt.Errorf("physics %s: %w", name, err)
	}
	p, err := Parse(data)
	if err != nil {
		return sim.Params{}, fmt.Errorf("physics %s: %w", name, err)
	}
	return p, nil
}

// Find returns the preset of that name or else reads the file there.
func Find(nameOrFile string) (sim.Params, error) {
	if slices.Contains(Names(), nameOrFile) {
		return ByName(nameOrFile)
	}
	data, err := os.ReadFile(nameOrFile)
	if errors.Is(err, fs.ErrNotExist) {
		return sim.Params{}, fmt.Errorf("%w: %q is neither a file nor one of %s", ErrUnknown, nameOrFile, strings.Join(Names(), ", "))
	}
	if err != nil {
		return sim.Params{}, fmt.Errorf("physics file: %w", err)
	}
	p, err := Parse(data)
	if err != nil {
		return sim.Params{}, fmt.Errorf("physics file %s: %w", nameOrFile, err)
	}
	return p, nil
}

// Parse reads physics from YAML. A key that there is not is an error, and so are
// properties that cannot be.
func Parse(data []byte) (sim.Params, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	var p sim.Params
	if err := d.Decode(&p); err != nil {
		if errors.Is(err, io.EOF) {
			return sim.Params{}, fmt.Errorf("%w: the file is empty", sim.ErrParams)
		}
		return sim.Params{}, fmt.Errorf("read physics: %w", err)
	}
	if err := p.Validate(); err != nil {
		return sim.Params{}, err
	}
	return p, nil
}
