package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"crokcam/match"
)

// Memory is a Store for as long as the program runs.
type Memory struct {
	mu       sync.RWMutex
	matches  map[string]*kept
	requests map[string]Appended
	pictures map[string][]byte
	papers   map[string]map[string]Paper // by kind and id
}

type kept struct {
	info     Info
	events   []match.Event
	pictures map[string]bool
}

// NewMemory is an empty store.
func NewMemory() *Memory {
	return &Memory{matches: map[string]*kept{}, requests: map[string]Appended{}, pictures: map[string][]byte{}, papers: map[string]map[string]Paper{}}
}

// Append adds events to a match.
func (m *Memory) Append(_ context.Context, a Append) (Appended, error) {
	if err := a.check(); err != nil {
		return Appended{}, err
	}
	digest, err := a.digest()
	if err != nil {
		return Appended{}, fmt.Errorf("store: append: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if was, ok := m.requests[a.Key]; ok && a.Key != "" {
		return a.repeat(was, digest)
	}
	k, there := m.matches[a.Match]
	start, isStart := a.Events[0].Body.(match.Started)
	switch {
	case isStart && (there || m.taken(orID(start))):
		return Appended{}, fmt.Errorf("%w: %s, code %s", ErrExists, a.Match, start.Code)
	case !isStart && !there:
		return Appended{}, fmt.Errorf("%w: %s", ErrNotFound, a.Match)
	case !isStart && k.info.Version != a.Expect:
		return Appended{}, &ConflictError{Match: a.Match, Expected: a.Expect, Actual: k.info.Version}
	}
	if isStart {
		k = &kept{pictures: map[string]bool{}, info: Info{
			Match: a.Match, Code: orID(start), Title: start.Title, Board: start.Board, Reference: start.Reference, Started: a.Events[0].Time.UTC(),
		}}
		m.matches[a.Match] = k
	}
	last := a.Events[len(a.Events)-1]
	k.events = append(k.events, a.Events...)
	k.info.Version, k.info.Changed, k.info.Summary = last.Seq, last.Time.UTC(), a.Summary
	out := Appended{Match: a.Match, First: a.Expect + 1, Last: last.Seq, digest: digest}
	if a.Key != "" {
		m.requests[a.Key] = out
	}
	return out, nil
}

func (m *Memory) taken(code string) bool {
	for _, k := range m.matches {
		if k.info.Code == code {
			return true
		}
	}
	return false
}

// Appended finds what was appended under a key.
func (m *Memory) Appended(_ context.Context, key string) (Appended, bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	a, ok := m.requests[key]
	return a, ok, nil
}

func (m *Memory) get(id string) (*kept, error) {
	k, ok := m.matches[id]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	return k, nil
}

// Events are a match's events after a Seq.
func (m *Memory) Events(_ context.Context, id string, after, limit int) ([]match.Event, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	k, err := m.get(id)
	if err != nil {
		return nil, err
	}
	events := k.events[min(max(after, 0), len(k.events)):]
	if limit > 0 && limit < len(events) {
		events = events[:limit]
	}
	return slices.Clone(events), nil
}

// Match is a match's entry in the list.
func (m *Memory) Match(_ context.Context, id string) (Info, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	k, err := m.get(id)
	if err != nil {
		return Info{}, err
	}
	return k.entry(), nil
}

func (k *kept) entry() Info {
	k.info.Pictures = len(k.pictures)
	return k.info
}

// Find is the match with that id, code or beginning of an id.
func (m *Memory) Find(_ context.Context, word string) (Info, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var found []Info
	for id, k := range m.matches {
		switch exact := id == word || k.info.Code == strings.ToUpper(word); {
		case exact:
			return k.entry(), nil
		case strings.HasPrefix(id, word):
			found = append(found, k.entry())
		}
	}
	return only(word, found)
}

// List is a page of matches.
func (m *Memory) List(_ context.Context, q Query) (Page, error) {
	at := cursor{started: 1 << 62}
	if q.Cursor != "" {
		var err error
		if at, err = parseCursor(q.Cursor); err != nil {
			return Page{}, err
		}
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	var all []Info
	for _, k := range m.matches {
		t := k.info.Started.UnixMicro()
		if (q.Board == "" || q.Board == k.info.Board) && (t < at.started || t == at.started && k.info.Match < at.match) {
			all = append(all, k.entry())
		}
	}
	slices.SortFunc(all, func(a, b Info) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.Match, a.Match))
	})
	if n := q.limit() + 1; len(all) > n {
		all = all[:n]
	}
	return pageOf(all, q.limit()), nil
}

// PutPicture keeps a picture for a match.
func (m *Memory) PutPicture(_ context.Context, id string, jpeg []byte) (string, error) {
	clean, name, err := prepare(jpeg)
	if err != nil {
		return "", err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.get(id)
	if err != nil {
		return "", err
	}
	m.pictures[name] = clean
	k.pictures[name] = true
	return name, nil
}

// Picture is a picture by its name.
func (m *Memory) Picture(_ context.Context, name string) ([]byte, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	b, ok := m.pictures[name]
	if !ok {
		return nil, fmt.Errorf("%w: picture %s", ErrNotFound, name)
	}
	return slices.Clone(b), nil
}

// Delete removes a match.
func (m *Memory) Delete(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.get(id); err != nil {
		return err
	}
	m.drop(id)
	m.dropUnused()
	return nil
}

func (m *Memory) drop(id string) {
	delete(m.matches, id)
	maps.DeleteFunc(m.requests, func(_ string, a Appended) bool { return a.Match == id })
}

func (m *Memory) dropUnused() int {
	n := len(m.pictures)
	maps.DeleteFunc(m.pictures, func(name string, _ []byte) bool {
		for _, k := range m.matches {
			if k.pictures[name] {
				return false
			}
		}
		return true
	})
	return n - len(m.pictures)
}

// Prune removes what is older than the retention allows.
func (m *Memory) Prune(_ context.Context, r Retention) (Pruned, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var p Pruned
	for id, k := range m.matches {
		if r.Matches > 0 && k.info.Changed.Before(r.Now.Add(-r.Matches)) {
			m.drop(id)
			p.Matches++
		} else if r.Pictures > 0 && k.info.Changed.Before(r.Now.Add(-r.Pictures)) {
			clear(k.pictures)
		}
	}
	p.Pictures = m.dropUnused()
	return p, nil
}

// Close does nothing.
func (m *Memory) Close() error { return nil }
