package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"crokcam/match/store"
	"crokcam/vision/capture"
)

// pending is a message that is still to be taken.
type pending struct {
	Hook     string          `json:"hook"`
	ID       string          `json:"id"` // the same at each try
	Type     string          `json:"type"`
	Body     json.RawMessage `json:"body"`
	Attempts int             `json:"attempts"` // so far
	Next     time.Time       `json:"next"`
}

func (p *pending) key() string { return p.Hook + " " + p.ID }

// sender sends messages.
type sender struct {
	client *http.Client
	clock  func() time.Time
}

// send tries once. wait is how long the receiver asks to be left alone.
func (s *sender) send(ctx context.Context, k *kept, p pending) (d Delivery, wait time.Duration) {
	began := s.clock()
	d = Delivery{Message: p.ID, Type: p.Type, Time: began.UTC(), Attempt: p.Attempts + 1}
	answer, err := s.post(ctx, k, p, began)
	d.TookMS = s.clock().Sub(began).Milliseconds()
	if err != nil {
		d.Error = capture.Mask(err.Error())
		return d, 0
	}
	defer answer.Body.Close() //nolint:errcheck // only the status counts
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10))
	if d.Status = answer.StatusCode; !d.Good() {
		d.Error = answer.Status
	}
	if n, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && n > 0 && n < 86400 {
		wait = time.Duration(n) * time.Second
	}
	return d, wait
}

func (s *sender) post(ctx context.Context, k *kept, p pending, at time.Time) (*http.Response, error) {
	signer, err := standardwebhooks.NewWebhook(k.Secret)
	if err != nil {
		return nil, fmt.Errorf("hooks: sign: %w", err)
	}
	signature, err := signer.Sign(p.ID, at, p.Body)
	if err != nil {
		return nil, fmt.Errorf("hooks: sign: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, k.URL, bytes.NewReader(p.Body))
	if err != nil {
		return nil, fmt.Errorf("hooks: send: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "crokcam")
	request.Header.Set(standardwebhooks.HeaderWebhookID, p.ID)
	request.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(at.Unix(), 10))
	request.Header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	return s.client.Do(request)
}

// try sends a message, and keeps it to be tried again where it was not taken.
func (h *Hooks) try(k *kept, p pending) {
	if h.ctx.Err() != nil { // the service stops
		h.later(p, 0)
		return
	}
	d, wait := h.sender.send(h.ctx, k, p)
	switch {
	case d.Good():
	case h.ctx.Err() != nil:
		h.later(p, 0)
		return
	case d.Status == http.StatusGone:
		h.end(k, "the receiver answered 410: it is gone")
	case p.Attempts >= len(h.o.Waits):
		h.o.Log.Warn("a webhook's message was given up", "webhook", k.ID, "message", p.ID, "tries", d.Attempt, "error", d.Error)
	default:
		p.Attempts++
		if wait == 0 {
			wait = h.o.Waits[p.Attempts-1]
			wait += time.Duration(rand.Int64N(int64(wait)/10 + 1)) // so that not all come at once
		}
		d.Again = h.later(p, wait).UTC()
		h.log(k.ID, d)
		return
	}
	h.forget(p)
	h.log(k.ID, d)
}

// mostPending is how many messages are kept to be tried again; of more the oldest
// are given up.
const mostPending = 2000

// later keeps a message to be tried again.
func (h *Hooks) later(p pending, wait time.Duration) time.Time {
	p.Next = h.o.Clock().Add(wait)
	data, err := json.Marshal(p)
	if err == nil {
		_ = h.o.Papers.DeletePaper(context.Background(), kindPending, p.key()) // it may not be there
		_, err = h.o.Papers.PutPaper(context.Background(), store.Paper{Kind: kindPending, ID: p.key(), Data: data})
	}
	if err != nil {
		h.o.Log.Error("a webhook's message could not be kept", "webhook", p.Hook, "error", err)
	}
	h.mu.Lock()
	h.queue = append(h.queue, p)
	var oldest *pending
	if len(h.queue) > mostPending {
		oldest = &h.queue[0]
		h.queue = h.queue[1:]
	}
	h.mu.Unlock()
	if oldest != nil {
		h.forget(*oldest)
	}
	select {
	case h.wake <- struct{}{}:
	default:
	}
	return p.Next
}

// forget drops a message that is kept.
func (h *Hooks) forget(p pending) {
	if p.Attempts > 0 || p.Next != (time.Time{}) {
		_ = h.o.Papers.DeletePaper(context.Background(), kindPending, p.key()) // it may not be there
	}
}

func (h *Hooks) loadPending(ctx context.Context) error {
	papers, err := h.o.Papers.Papers(ctx, kindPending)
	if err != nil {
		return fmt.Errorf("hooks: read what is to be sent: %w", err)
	}
	for _, paper := range papers {
		var p pending
		if err := json.Unmarshal(paper.Data, &p); err != nil {
			return fmt.Errorf("hooks: read what is to be sent: %s: %w", paper.ID, err)
		}
		h.queue = append(h.queue, p)
	}
	return nil
}

// retry tries again what is due, until the service stops.
func (h *Hooks) retry() {
	for {
		due, wait := h.due()
		for _, p := range due {
			k, err := h.get(h.ctx, p.Hook)
			switch {
			case h.ctx.Err() != nil: // it stays kept
			case err != nil || !k.Active:
				h.forget(p)
			default:
				h.try(&k, p)
			}
		}
		if len(due) > 0 {
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-h.wake:
		case <-h.ctx.Done():
			timer.Stop()
			return
		}
		timer.Stop()
	}
}

// due takes what is due out of the queue, and says how long until there is more.
func (h *Hooks) due() (due []pending, wait time.Duration) {
	if h.ctx.Err() != nil {
		return nil, time.Hour
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.o.Clock()
	wait = time.Hour
	rest := h.queue[:0]
	for _, p := range h.queue {
		if left := p.Next.Sub(now); left > 0 {
			wait = min(wait, left)
			rest = append(rest, p)
		} else {
			due = append(due, p)
		}
	}
	h.queue = rest
	return due, wait
}

// end stops a webhook for good, as its receiver wishes.
func (h *Hooks) end(k *kept, why string) {
	h.o.Log.Warn("a webhook has ended", "webhook", k.ID, "reason", why)
	if _, err := h.Edit(context.Background(), k.ID, 0, func(x *Hook) { x.Active, x.Ended = false, why }); err != nil {
		h.o.Log.Error("a webhook could not be ended", "webhook", k.ID, "error", err)
	}
}
