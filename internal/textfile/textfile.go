// Package textfile reads the small files that people write or programs keep for
// them: settings of a board, calibrations, rule cases.
package textfile

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Most is how many bytes such a file may have: far more than any has.
const Most = 64 << 20

// ErrTooLarge marks a file of more than Most bytes, or one that never ends.
var ErrTooLarge = errors.New("the file is larger than 64 megabytes: it cannot be what is meant")

// Read returns what is in a file, or ErrTooLarge.
func Read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	return ReadFrom(f, name)
}

// ReadFrom returns all that r has, or ErrTooLarge; name is for the error.
func ReadFrom(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, Most+1))
	if err != nil {
		return nil, err
	}
	if len(data) > Most {
		return nil, fmt.Errorf("read %s: %w", name, ErrTooLarge)
	}
	return data, nil
}
