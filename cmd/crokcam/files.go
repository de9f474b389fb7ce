package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"crokcam/vision/decode"
)

// readPicture reads a picture of at most limit bytes; "-" is standard input.
func (a *app) readPicture(name string, limit int64) ([]byte, error) {
	source := a.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close() //nolint:errcheck // only read from
		source = f
	}
	data, err := io.ReadAll(io.LimitReader(source, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	if int64(len(data)) > limit {
		return nil, &decode.Error{Code: "too_many_bytes", Message: fmt.Sprintf(
			"This file is larger than %d megabytes. Save the picture smaller, or raise limits.max_megabytes.", limit/1_000_000)}
	}
	return data, nil
}

// writeFile puts data at path whole or not at all.
func writeFile(path string, data []byte) (err error) {
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
	return os.Rename(tmp.Name(), path)
}
