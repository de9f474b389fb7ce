package feed

import (
	"context"
	"io"
	"slices"
	"sync"
)

// Filter says what a listener wants to hear; an empty list wants all.
type Filter struct {
	Boards  []string `json:"boards,omitempty"`
	Matches []string `json:"matches,omitempty"`
	Types   []string `json:"types,omitempty"`
}

func (f Filter) wants(m *Message) bool {
	return wanted(f.Types, m.Type) && wanted(f.Boards, m.Board) && wanted(f.Matches, m.Match)
}

func wanted(list []string, word string) bool { return len(list) == 0 || slices.Contains(list, word) }

// Listener reads from a hub at its own pace. One goroutine reads; the filter may
// be changed by another.
type Listener struct {
	hub  *Hub
	at   int64 // ID of the last message it has had
	kind string

	mu     sync.Mutex
	filter Filter
}

// Listen begins to listen after the message with an ID, or with what is said from
// now on when since is 0. kind is how it listens, for the figures. The listener
// has to be closed.
func (h *Hub) Listen(kind string, f Filter, since int64) *Listener {
	h.count(kind, 1)
	l := &Listener{hub: h, kind: kind, filter: f, at: since}
	if since == 0 {
		l.at = h.Last()
	}
	return l
}

// Close ends the listening.
func (l *Listener) Close() { l.hub.count(l.kind, -1) }

// Narrow changes what the listener wants from now on.
func (l *Listener) Narrow(f Filter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.filter = f
}

// Filter is what the listener wants.
func (l *Listener) Filter() Filter {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.filter
}

// At is the ID of the last message that the listener has had or passed over.
func (l *Listener) At() int64 { return l.at }

// Next waits for the next messages. missed tells how many were dropped because
// they are no longer kept, with no messages then: what comes next does not
// connect with what came before. Errors: that of the context, io.EOF when the
// feed has ended.
func (l *Listener) Next(ctx context.Context) (list []*Message, missed int64, err error) {
	for {
		all, missed, last, wait, closed := l.hub.after(l.at)
		if missed > 0 {
			l.at = last
			return nil, missed, nil
		}
		f := l.Filter()
		for _, m := range all {
			l.at = m.ID
			if f.wants(m) {
				list = append(list, m)
			}
		}
		switch {
		case len(list) > 0:
			return list, 0, nil
		case len(all) > 0:
			continue
		case closed:
			return nil, 0, io.EOF
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		}
	}
}
