package match

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// envelope is an event as it is written.
type envelope struct {
	Seq     int             `json:"seq"`
	ID      string          `json:"id"`
	Time    time.Time       `json:"time"`
	Actor   Actor           `json:"actor"`
	Kind    string          `json:"kind"`
	Version int             `json:"version"`
	Data    json.RawMessage `json:"data"`
}

// MarshalJSON writes the event with its kind and the version of its form. The
// form of a kind and version never changes.
func (e Event) MarshalJSON() ([]byte, error) {
	if e.Body == nil {
		return nil, fmt.Errorf("match: event %d: %w: it has no body", e.Seq, ErrInvalid)
	}
	k, ok := kinds[e.Body.Kind()]
	if !ok {
		return nil, &UnknownError{Seq: e.Seq, Event: e.Body.Kind()}
	}
	data, err := plain(e.Body)
	if err != nil {
		return nil, fmt.Errorf("match: event %d (%s): %w", e.Seq, e.Body.Kind(), err)
	}
	return plain(envelope{
		Seq: e.Seq, ID: e.ID, Time: e.Time.UTC(), Actor: e.Actor,
		Kind: e.Body.Kind(), Version: k.version, Data: data,
	})
}

// UnmarshalJSON reads an event. One that a newer program wrote is refused with an
// *UnknownError: to skip it could change who has won.
func (e *Event) UnmarshalJSON(b []byte) error {
	var w envelope
	if err := strict(b, &w); err != nil {
		return fmt.Errorf("match: %w: %w", ErrInvalid, err)
	}
	k, ok := kinds[w.Kind]
	if !ok || w.Version > k.version {
		return &UnknownError{Seq: w.Seq, Event: w.Kind, Version: w.Version, Known: k.version}
	}
	if w.Version < 1 {
		return fmt.Errorf("match: event %d (%s): %w: version %d", w.Seq, w.Kind, ErrInvalid, w.Version)
	}
	body, err := k.decode(w.Data)
	if err != nil {
		return fmt.Errorf("match: event %d (%s): %w: %w", w.Seq, w.Kind, ErrInvalid, err)
	}
	*e = Event{Seq: w.Seq, ID: w.ID, Time: w.Time.UTC(), Actor: w.Actor, Body: body}
	return nil
}

// ReadBody reads what an event tells, as it stands in an event's data. Errors:
// *UnknownError, ErrInvalid.
func ReadBody(kind string, version int, data []byte) (Body, error) {
	k, ok := kinds[kind]
	if !ok || version > k.version {
		return nil, &UnknownError{Event: kind, Version: version, Known: k.version}
	}
	body, err := k.decode(data)
	if err != nil {
		return nil, fmt.Errorf("match: %s: %w: %w", kind, ErrInvalid, err)
	}
	return body, nil
}

func into[T Body](data []byte) (Body, error) {
	var v T
	if err := strict(data, &v); err != nil {
		return nil, err
	}
	return v, nil
}

// strict reads one JSON value and refuses what it does not know: a field that is
// skipped might have meant something.
func strict(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one value")
	}
	return nil
}

// plain is JSON without HTML's escapes.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// orInvalid marks an error of reading as ErrInvalid unless it says more.
func orInvalid(err error) error {
	if errors.Is(err, ErrUnknown) || errors.Is(err, ErrInvalid) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrInvalid, err)
}
