// Package feed tells many listeners what happens, each in order and without
// gaps: a hub that programs publish to, and server-sent events and WebSockets
// that read from it.
//
// Listeners have no queue of their own. The hub keeps the latest messages once
// for all, and each listener has a place in them; whoever is so slow that its
// place is no longer kept is told to start afresh. So one listener cannot hold
// up another, nor take memory.
package feed

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Message is one thing that happened, in the envelope that every way of
// listening uses.
type Message struct {
	// ID orders messages: it grows by one from message to message, and from one run
	// of the program to the next.
	ID         int64           `json:"id"`
	Type       string          `json:"type"`
	Time       time.Time       `json:"time"`                 // when it was told, UTC
	CapturedAt time.Time       `json:"captured_at,omitzero"` // of the frame it was seen in
	Board      string          `json:"board,omitempty"`      // id of the board
	Match      string          `json:"match,omitempty"`      // id of the match
	Version    int             `json:"version"`              // of the form of Data
	Data       json.RawMessage `json:"data"`

	line []byte // the message as JSON
}

// MarshalJSON writes the envelope.
func (m Message) MarshalJSON() ([]byte, error) {
	if m.line != nil {
		return m.line, nil
	}
	type plain Message
	return json.Marshal(plain(m))
}

// News is what a publisher has to say.
type News struct {
	Type       string
	CapturedAt time.Time
	Board      string
	Match      string
	Version    int // of the form of Data; 0 counts as 1
	Data       any
}

// The types of messages that the feed itself makes.
const (
	Snapshot = "snapshot" // how everything stands, for a listener that begins
	Resync   = "resync"   // messages were missed: what follows does not connect
)

// Hub keeps the latest messages for all listeners.
type Hub struct {
	now      func() time.Time
	maxCount int
	maxBytes int

	mu      sync.Mutex
	kept    []*Message // the latest, oldest first
	bytes   int        // of their lines
	last    int64      // ID of the newest message ever
	waiting chan struct{}
	closed  bool
	counts  Counts
}

// Counts are figures for the program's metrics.
type Counts struct {
	Listeners map[string]int // now, by how they listen
	Published int64          // messages
	Dropped   int64          // messages that a listener was too slow for
}

// Options are how much a hub keeps.
type Options struct {
	Messages int              // kept for those that come back; 4096 when it is 0
	Bytes    int              // of them at most; 32 MB when it is 0
	Clock    func() time.Time // time.Now when it is nil
}

// NewHub makes a hub.
func NewHub(o Options) *Hub {
	h := &Hub{now: o.Clock, maxCount: o.Messages, maxBytes: o.Bytes, waiting: make(chan struct{}), counts: Counts{Listeners: map[string]int{}}}
	if h.now == nil {
		h.now = time.Now
	}
	if h.maxCount <= 0 {
		h.maxCount = 4096
	}
	if h.maxBytes <= 0 {
		h.maxBytes = 32 << 20
	}
	// Numbers go on growing after a restart without being kept: no run makes a
	// million messages a second. As whole microseconds they are exact in a float64.
	h.last = h.now().UnixMicro()
	return h
}

// Publish tells all listeners something, several things in a row and nothing in
// between. Nothing is published once the hub is closed.
func (h *Hub) Publish(news ...News) error {
	if len(news) == 0 {
		return nil
	}
	made := make([]*Message, len(news))
	for i, n := range news {
		data, err := json.Marshal(n.Data)
		if err != nil {
			return fmt.Errorf("feed: publish %s: %w", n.Type, err)
		}
		made[i] = &Message{Type: n.Type, CapturedAt: n.CapturedAt.UTC(), Board: n.Board, Match: n.Match, Version: max(1, n.Version), Data: data}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil
	}
	for _, m := range made {
		m.ID, m.Time = h.last+1, h.now().UTC()
		line, err := json.Marshal(*m)
		if err != nil {
			return fmt.Errorf("feed: publish %s: %w", m.Type, err)
		}
		m.line = line
		h.last = m.ID
		h.kept = append(h.kept, m)
		h.bytes += len(line)
		h.counts.Published++
	}
	for len(h.kept) > h.maxCount || h.bytes > h.maxBytes && len(h.kept) > 1 {
		h.bytes -= len(h.kept[0].line)
		h.kept[0] = nil
		h.kept = h.kept[1:]
	}
	close(h.waiting)
	h.waiting = make(chan struct{})
	return nil
}

// Last is the ID of the newest message.
func (h *Hub) Last() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}

// Counts are the figures at this moment.
func (h *Hub) Counts() Counts {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.counts
	c.Listeners = maps.Clone(h.counts.Listeners)
	return c
}

// Close ends the feed: listeners get what has been published and then end.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.closed = true
		close(h.waiting)
	}
}

// batch is how many messages a listener is handed at once.
const batch = 64

// after gives the next messages after an ID, at most a batch. missed is how many
// are no longer kept (1 for an ID that is none of this run); there are then none,
// and the listener goes on from last. wait is closed when there are more.
func (h *Hub) after(id int64) (list []*Message, missed, last int64, wait <-chan struct{}, closed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := h.last + 1 - int64(len(h.kept))
	switch {
	case id > h.last:
		missed = 1
	case id+1 < first:
		missed = h.last - id
	default:
		from := int(id + 1 - first)
		list = slices.Clone(h.kept[from:min(len(h.kept), from+batch)])
	}
	h.counts.Dropped += missed
	return list, missed, h.last, h.waiting, h.closed
}

func (h *Hub) count(kind string, by int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts.Listeners[kind] += by
}
