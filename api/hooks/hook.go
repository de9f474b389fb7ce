// Package hooks sends what happens to other programs' addresses, after Standard
// Webhooks: signed, tried again when it fails, and ended when the receiver says
// that it is gone.
package hooks

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"crokcam/api/feed"
	"crokcam/match/store"
)

// Hook is an address that wants to hear.
type Hook struct {
	ID      string    `json:"id"`
	Name    string    `json:"name,omitempty"`
	URL     string    `json:"url"`
	Types   []string  `json:"types"` // of messages; "*" for all
	Boards  []string  `json:"boards,omitempty"`
	Active  bool      `json:"active"`
	Ended   string    `json:"ended,omitempty"` // why it is not active, where the receiver said so
	Created time.Time `json:"created"`
	Version int       `json:"version"`
}

// kept is a hook with its secret.
type kept struct {
	Hook
	Secret string `json:"secret"` // whsec_…
}

// The kinds of papers.
const (
	kindHook    = "webhook"
	kindPending = "delivery"
)

// The refusals.
var (
	ErrUnknown = errors.New("hooks: there is no such webhook")
	ErrURL     = errors.New("hooks: a webhook's address is http://… or https://… without a name and password")
)

func checkURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return ErrURL
	}
	return nil
}

// newSecret makes a key for signatures.
func newSecret() string {
	raw := make([]byte, 24)
	_, _ = rand.Read(raw) // never fails
	return "whsec_" + base64.StdEncoding.EncodeToString(raw)
}

func (k *kept) filter() feed.Filter {
	f := feed.Filter{Boards: k.Boards, Types: k.Types}
	if slices.Contains(k.Types, "*") {
		f.Types = nil
	}
	return f
}

func (k *kept) paper() (store.Paper, error) {
	data, err := json.Marshal(k)
	return store.Paper{Kind: kindHook, ID: k.ID, Version: k.Version, Data: data}, err
}

func fromPaper(p store.Paper) (kept, error) {
	var k kept
	if err := json.Unmarshal(p.Data, &k); err != nil {
		return k, fmt.Errorf("hooks: webhook %s: %w", p.ID, err)
	}
	k.Version = p.Version
	return k, nil
}

// Delivery is one try to send a message.
type Delivery struct {
	Message string    `json:"message"` // the webhook-id
	Type    string    `json:"type"`
	Time    time.Time `json:"time"`
	Attempt int       `json:"attempt"` // from 1
	Status  int       `json:"status"`  // of the answer, 0 for none
	Error   string    `json:"error,omitempty"`
	TookMS  int64     `json:"took_ms"`
	Again   time.Time `json:"again,omitzero"` // when it is tried again
}

// Good tells whether the receiver has taken the message.
func (d Delivery) Good() bool { return d.Status >= 200 && d.Status < 300 }
