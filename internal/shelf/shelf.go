// Package shelf finds things that are kept as YAML files: those that come with
// the program by their names, others by their paths.
package shelf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"crokcam/internal/textfile"
)

// Shelf is a folder of things of one kind.
type Shelf[T any] struct {
	Files   fs.FS
	Folder  string // in Files; holds NAME.yaml
	Kind    string // what messages call one of them
	Unknown error  // marks a name that is neither here nor a file
	Parse   func([]byte) (T, error)
}

// Names lists what is here in alphabetical order.
func (s *Shelf[T]) Names() []string {
	files, err := fs.Glob(s.Files, s.Folder+"/*.yaml")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(path.Base(f), ".yaml")
	}
	slices.Sort(names)
	return names
}

// ByName returns the one of that name.
func (s *Shelf[T]) ByName(name string) (none T, err error) {
	if !slices.Contains(s.Names(), name) {
		return none, fmt.Errorf("%w: %q (known: %s)", s.Unknown, name, strings.Join(s.Names(), ", "))
	}
	data, err := fs.ReadFile(s.Files, s.Folder+"/"+name+".yaml")
	if err != nil {
		return none, fmt.Errorf("%s %s: %w", s.Kind, name, err)
	}
	v, err := s.Parse(data)
	if err != nil {
		return none, fmt.Errorf("%s %s: %w", s.Kind, name, err)
	}
	return v, nil
}

// Find returns the one of that name or else reads the file there.
func (s *Shelf[T]) Find(nameOrFile string) (none T, err error) {
	if slices.Contains(s.Names(), nameOrFile) {
		return s.ByName(nameOrFile)
	}
	data, err := textfile.Read(nameOrFile)
	if errors.Is(err, fs.ErrNotExist) {
		return none, fmt.Errorf("%w: %q is neither a file nor one of %s", s.Unknown, nameOrFile, strings.Join(s.Names(), ", "))
	}
	if err != nil {
		return none, fmt.Errorf("%s file: %w", s.Kind, err)
	}
	v, err := s.Parse(data)
	if err != nil {
		return none, fmt.Errorf("%s file %s: %w", s.Kind, nameOrFile, err)
	}
	return v, nil
}

// ErrEmpty marks a file with nothing in it.
var ErrEmpty = errors.New("the file is empty")

// Decode reads one value from YAML. A key that it does not have is an error.
func Decode(data []byte, v any) error {
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	err := d.Decode(v)
	if errors.Is(err, io.EOF) {
		return ErrEmpty
	}
	return err
}
