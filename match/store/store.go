package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"crokcam/match"
)

// Store keeps matches. All its methods may be called from several goroutines.
type Store interface {
	// Append adds events to a match, all or none. The first events of a match, with
	// Expect 0, create it. Errors: *ConflictError, ErrExists, ErrKeyReused,
	// ErrInvalid, *StorageError.
	Append(ctx context.Context, a Append) (Appended, error)
	// Appended finds what was appended under a key; ok is false when nothing was.
	Appended(ctx context.Context, key string) (a Appended, ok bool, err error)
	// Events are a match's events after a Seq, at most limit of them; limit 0 means
	// all. Errors: ErrNotFound, *match.UnknownError, *StorageError.
	Events(ctx context.Context, id string, after, limit int) ([]match.Event, error)
	// Match is a match's entry in the list. Errors: ErrNotFound.
	Match(ctx context.Context, id string) (Info, error)
	// Find is the match with that id, that code, or an id that begins so. Errors:
	// ErrNotFound, ErrAmbiguous.
	Find(ctx context.Context, word string) (Info, error)
	// List is a page of matches, the newest first. Errors: ErrCursor.
	List(ctx context.Context, q Query) (Page, error)
	// PutPicture keeps a JPEG for a match without what it tells beside the picture
	// (see Clean) and returns its name. Errors: ErrNotFound, ErrPicture.
	PutPicture(ctx context.Context, id string, jpeg []byte) (name string, err error)
	// Picture is a picture by its name. Errors: ErrNotFound.
	Picture(ctx context.Context, name string) ([]byte, error)
	// Delete removes a match with its events and the pictures that no other match
	// has. Errors: ErrNotFound.
	Delete(ctx context.Context, id string) error
	// Prune removes what is older than the retention allows.
	Prune(ctx context.Context, r Retention) (Pruned, error)
	// Close ends the use of the store.
	Close() error
}

// Append is what is added to a match.
type Append struct {
	Match   string
	Expect  int    // the version the writer has seen
	Key     string // of the request, so that it can be sent twice; "" for none
	Events  []match.Event
	Summary match.Summary // of the state after them
}

// Appended is what was added.
type Appended struct {
	Match       string
	First, Last int  // Seqs
	Repeated    bool // the key had been seen before, and nothing was added now
	digest      string
}

// Info is a match in the list.
type Info struct {
	Match     string        `json:"match"`
	Code      string        `json:"code"`
	Title     string        `json:"title,omitempty"`
	Board     string        `json:"board,omitempty"`
	Reference string        `json:"reference,omitempty"`
	Version   int           `json:"version"`
	Started   time.Time     `json:"started"`
	Changed   time.Time     `json:"changed"`
	Pictures  int           `json:"pictures"`
	Summary   match.Summary `json:"summary"`
}

// Query says which matches to list.
type Query struct {
	Cursor string // Page.Next of the page before, "" for the first
	Limit  int    // 50 when it is 0
	Board  string // only of this table, "" for all
}

// Page is a part of the list.
type Page struct {
	Matches []Info
	Next    string // the cursor of the next page, "" when there is none
}

// Retention says how long things are kept after a match has last changed; 0
// means for ever.
type Retention struct {
	Now      time.Time
	Matches  time.Duration
	Pictures time.Duration
}

// Pruned is how much was removed.
type Pruned struct {
	Matches  int `json:"matches"`
	Pictures int `json:"pictures"`
}

// The kinds of refusals that are not failures of the storage.
var (
	ErrNotFound  = errors.New("store: there is no such match or picture")
	ErrAmbiguous = errors.New("store: several matches begin so")
	ErrExists    = errors.New("store: the match or its code is there already")
	ErrKeyReused = errors.New("store: this key was used for something else")
	ErrCursor    = errors.New("store: this is no cursor of a list")
	ErrInvalid   = errors.New("store: these are not the next events of one match")
)

// ConflictError says that somebody else has written to the match: load what is
// new and decide again.
type ConflictError struct {
	Match            string
	Expected, Actual int
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("store: match %s is at event %d, not %d: somebody else has written to it; load it again", e.Match, e.Actual, e.Expected)
}

// check refuses events that cannot be the next ones of a match.
func (a *Append) check() error {
	if len(a.Events) == 0 || a.Match == "" || a.Expect < 0 {
		return fmt.Errorf("%w: %d events after %d for match %q", ErrInvalid, len(a.Events), a.Expect, a.Match)
	}
	for i, e := range a.Events {
		start, isStart := e.Body.(match.Started)
		switch {
		case e.Seq != a.Expect+i+1:
			return fmt.Errorf("%w: event %d after %d", ErrInvalid, e.Seq, a.Expect+i)
		case e.ID == "":
			return fmt.Errorf("%w: event %d has no id", ErrInvalid, e.Seq)
		case isStart != (e.Seq == 1), isStart && start.Match != a.Match:
			return fmt.Errorf("%w: a match begins with its own start", ErrInvalid)
		}
	}
	return nil
}

// digest tells requests apart that have the same key. The names that a new match
// is given differ each time it is tried.
func (a *Append) digest() (string, error) {
	bodies := make([]any, len(a.Events))
	for i, e := range a.Events {
		bodies[i] = e.Body
		if s, ok := e.Body.(match.Started); ok {
			s.Match, s.Code = "", ""
			bodies[i] = s
		}
	}
	b, err := json.Marshal(bodies)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return base64.RawStdEncoding.EncodeToString(sum[:]), nil
}

// repeat answers an append whose key has been seen.
func (a *Append) repeat(was Appended, digest string) (Appended, error) {
	if was.digest != digest {
		return Appended{}, fmt.Errorf("%w: key %q", ErrKeyReused, a.Key)
	}
	was.Repeated = true
	return was, nil
}

// cursor is a place in the list.
type cursor struct {
	started int64 // µs
	match   string
}

func (c cursor) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(c.started, 36) + " " + c.match))
}

func parseCursor(s string) (cursor, error) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	at, id, ok := strings.Cut(string(b), " ")
	n, err2 := strconv.ParseInt(at, 36, 64)
	if err != nil || err2 != nil || !ok || id == "" {
		return cursor{}, fmt.Errorf("%w: %q", ErrCursor, s)
	}
	return cursor{n, id}, nil
}

const pageSize, longestPage = 50, 500

func (q Query) limit() int {
	if q.Limit <= 0 {
		return pageSize
	}
	return min(q.Limit, longestPage)
}

// letters are those of codes: none that is read as another.
const letters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

// NewCode is a short code for people: five letters and digits without I, L, O, 0
// and 1.
func NewCode() string {
	var raw [5]byte
	code := make([]byte, 0, len(raw))
	for len(code) < cap(code) {
		_, _ = rand.Read(raw[:]) // never fails
		for _, b := range raw {
			// The last letters would be rarer otherwise.
			if n := int(b); n < 256/len(letters)*len(letters) && len(code) < cap(code) {
				code = append(code, letters[n%len(letters)])
			}
		}
	}
	return string(code)
}
