package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"crokcam/match"
)

// Export makes the document of a match, with its pictures if asked for. A picture
// that is no longer kept is left out.
func Export(ctx context.Context, s Store, id string, pictures bool) (match.Document, error) {
	state, err := Load(ctx, s, id)
	if err != nil {
		return match.Document{}, err
	}
	d := state.Export()
	if !pictures {
		return d, nil
	}
	d.Pictures = map[string][]byte{}
	for _, name := range state.PictureNames() {
		b, err := s.Picture(ctx, name)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return match.Document{}, err
		}
		d.Pictures[name] = b
	}
	return d, nil
}

// Import keeps a match from a document. asCopy gives it an id and a code of its
// own, so that it may be kept beside the original. It returns the match's id.
//
// Errors: those of match.ReadDocument, ErrExists, ErrPicture when a picture is
// not the one it is called, *StorageError.
func Import(ctx context.Context, s Store, data []byte, asCopy bool) (string, error) {
	d, state, err := match.ReadDocument(data)
	if err != nil {
		return "", err
	}
	for name, jpeg := range d.Pictures {
		if _, is, err := prepare(jpeg); err != nil || is != name {
			return "", fmt.Errorf("store: import: %w: picture %s is not what its name says", ErrPicture, name)
		}
	}
	if asCopy {
		if state, err = renamed(d.Events); err != nil {
			return "", err
		}
	}
	id := state.Setup().Match
	if _, err := s.Append(ctx, Append{Match: id, Events: state.Events(), Summary: state.Summary()}); err != nil {
		return "", err
	}
	for _, jpeg := range d.Pictures {
		if _, err := s.PutPicture(ctx, id, jpeg); err != nil {
			// Without its pictures the match would look whole and not be.
			return "", errors.Join(err, s.Delete(context.WithoutCancel(ctx), id))
		}
	}
	return id, nil
}

// renamed is the same match under another id and code.
func renamed(events []match.Event) (match.State, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return match.State{}, fmt.Errorf("store: import: %w", err)
	}
	start := events[0].Body.(match.Started)
	start.Match, start.Code = id.String(), NewCode()
	events[0].Body = start
	return match.Fold(events)
}
