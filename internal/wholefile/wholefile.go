// Package wholefile writes files whole or not at all.
package wholefile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrFolder marks a folder that stands where a file is to be written.
var ErrFolder = errors.New("there is a folder of that name")

// Write puts data at path. Where it fails, what was there before stays.
func Write(path string, data []byte) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".crokcam-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			_ = tmp.Close()
			_ = os.Remove(tmp.Name())
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	if _, err = tmp.Write(data); err != nil {
		return err
	}
	if err = tmp.Chmod(0o644); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	if err = os.Rename(tmp.Name(), path); err != nil {
		if info, no := os.Stat(path); no == nil && info.IsDir() {
			return ErrFolder // what rename says of it depends on the system
		}
	}
	return err
}
