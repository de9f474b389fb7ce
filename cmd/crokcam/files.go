package main

import (
	"fmt"
	"io"
	"os"

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
