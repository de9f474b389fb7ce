package photo

import (
	"context"
	"errors"
)

// ErrNoBoard marks a picture without a crokinole board in it.
var ErrNoBoard = errors.New("no crokinole board found in this picture")

// OptionError is an option that cannot be.
type OptionError struct{ Code, Message string }

func (e *OptionError) Error() string { return e.Message }

// Score scores a picture.
func Score(context.Context, []byte, Options) (*Report, error) { return nil, ErrNoBoard }
