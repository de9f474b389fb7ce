package match

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// DocumentSchema names the form of Document in JSON.
const DocumentSchema = "crokcam.match/1"

// Document is a whole match in one file: its events, and its pictures where they
// were asked for. Everything else follows from the events.
type Document struct {
	Schema   string            `json:"schema"`
	Match    string            `json:"match"`
	Events   []Event           `json:"events"`
	Pictures map[string][]byte `json:"pictures,omitempty"` // JPEG by name, base64
}

// Export makes the document of a match.
func (s State) Export() Document {
	return Document{Schema: DocumentSchema, Match: s.Setup().Match, Events: s.Events()}
}

// Write writes the document.
func (d Document) Write(w io.Writer) error {
	b, err := plain(d)
	if err != nil {
		return fmt.Errorf("match: export: %w", err)
	}
	if _, err := w.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("match: export: %w", err)
	}
	return nil
}

// ReadDocument reads a document and replays it: what it returns is a match, not
// only a file that looks like one. Errors wrap ErrInvalid, ErrUnknown, or are a
// *RefusedError.
func ReadDocument(data []byte) (Document, State, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Document{}, State{}, fmt.Errorf("match: import: %w: %w", ErrInvalid, err)
	}
	if head.Schema != DocumentSchema {
		return Document{}, State{}, fmt.Errorf("match: import: %w: its schema is %q, not %q", ErrInvalid, head.Schema, DocumentSchema)
	}
	var d Document
	if err := strict(data, &d); err != nil {
		return Document{}, State{}, fmt.Errorf("match: import: %w", orInvalid(err))
	}
	s, err := Fold(d.Events)
	if err != nil {
		return Document{}, State{}, fmt.Errorf("match: import: %w", err)
	}
	if len(d.Events) == 0 || d.Match != s.Setup().Match {
		return Document{}, State{}, fmt.Errorf("match: import: %w: it says it is match %q, its events are of %q", ErrInvalid, d.Match, s.Setup().Match)
	}
	if err := d.plainNames(s.Setup()); err != nil {
		return Document{}, State{}, fmt.Errorf("match: import: %w", err)
	}
	return d, s, nil
}

// plainNames refuses control characters in what people and things are called:
// a terminal would obey them. Matches that are kept already are read with them.
func (d *Document) plainNames(b Started) error {
	names := []string{b.Code, b.Title, b.Profile, b.Board, b.Source, b.Reference}
	for _, p := range b.Players {
		names = append(names, p.Name)
	}
	for _, n := range b.Sides {
		names = append(names, n.Name, n.Colour)
	}
	for _, e := range d.Events {
		names = append(names, e.Actor.Name)
	}
	for _, n := range names {
		if strings.ContainsFunc(n, unicode.IsControl) {
			return fmt.Errorf("%w: the name %q has control characters in it", ErrInvalid, n)
		}
	}
	return nil
}
