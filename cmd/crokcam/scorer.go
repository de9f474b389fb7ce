package main

import (
	"context"

	"crokcam/board"
	"crokcam/board/presets"
	"crokcam/vision/photo"
)

// realScorer looks at the picture.
type realScorer struct{}

func (realScorer) Score(ctx context.Context, data []byte, o photo.Options) (*photo.Report, error) {
	return photo.Score(ctx, data, o)
}

func (realScorer) Annotate(data []byte, r *photo.Report) ([]byte, error) {
	return photo.Annotate(data, r)
}

// findBoard reads the photo.board setting: nil is a board to be measured.
func findBoard(name string) (*board.Spec, error) {
	if name == "auto" {
		return nil, nil
	}
	spec, err := presets.Find(name)
	if err != nil {
		return nil, usageError{err}
	}
	return &spec, nil
}
