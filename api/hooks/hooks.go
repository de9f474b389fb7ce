package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"crokcam/api/feed"
	"crokcam/match/store"
)

// Options are what hooks work with.
type Options struct {
	Papers store.Papers
	Hub    *feed.Hub
	Log    *slog.Logger
	Clock  func() time.Time // time.Now when it is nil
	// Waits are the times before a message is tried again; when they are used up it
	// is given up. Half a day in all when it is nil.
	Waits []time.Duration
	// Timeout is how long a receiver may take, 15 s when it is 0.
	Timeout time.Duration
}

// usualWaits are those that Standard Webhooks proposes, up to half a day.
var usualWaits = []time.Duration{5 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 8 * time.Hour}

// Hooks are the webhooks of a service.
type Hooks struct {
	o      Options
	sender *sender

	mu     sync.Mutex
	ears   map[string]*ear // by hook
	queue  []pending
	logs   map[string][]Delivery
	wake   chan struct{}
	ctx    context.Context // of sending
	stop   context.CancelFunc
	goes   sync.WaitGroup
	closed bool
}

// ear listens for a hook.
type ear struct {
	hook  kept
	stop  context.CancelFunc // at once: the hook is gone or another
	ended chan struct{}
}

// logged is how many tries are remembered for each hook.
const logged = 100

// New makes the webhooks; Start begins to send.
func New(o Options) *Hooks {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Waits == nil {
		o.Waits = usualWaits
	}
	if o.Timeout == 0 {
		o.Timeout = 15 * time.Second
	}
	h := &Hooks{o: o, ears: map[string]*ear{}, logs: map[string][]Delivery{}, wake: make(chan struct{}, 1)}
	h.sender = &sender{client: &http.Client{
		Timeout: o.Timeout,
		// Where it is sent to is what an organiser has entered, and nowhere else.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, clock: o.Clock}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// Start goes on with the webhooks and messages that are kept.
func (h *Hooks) Start(ctx context.Context) error {
	hooks, err := h.all(ctx)
	if err != nil {
		return err
	}
	if err := h.loadPending(ctx); err != nil {
		return err
	}
	for _, k := range hooks {
		h.listen(k)
	}
	h.goes.Go(h.retry)
	return nil
}

// Close ends the sending, after the feed has ended. What has not been taken is
// kept and sent after the next start.
func (h *Hooks) Close() {
	h.stop()
	h.mu.Lock()
	h.closed = true
	ears := h.ears
	h.ears = map[string]*ear{}
	h.mu.Unlock()
	for _, e := range ears {
		<-e.ended
	}
	h.goes.Wait()
	h.sender.client.CloseIdleConnections()
}

func (h *Hooks) all(ctx context.Context) ([]kept, error) {
	papers, err := h.o.Papers.Papers(ctx, kindHook)
	if err != nil {
		return nil, fmt.Errorf("hooks: read webhooks: %w", err)
	}
	out := make([]kept, len(papers))
	for i, p := range papers {
		if out[i], err = fromPaper(p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (h *Hooks) get(ctx context.Context, id string) (kept, error) {
	p, err := h.o.Papers.Paper(ctx, kindHook, id)
	if errors.Is(err, store.ErrNotFound) {
		return kept{}, fmt.Errorf("%w: %q", ErrUnknown, id)
	}
	if err != nil {
		return kept{}, fmt.Errorf("hooks: read webhook: %w", err)
	}
	return fromPaper(p)
}

// List is all webhooks.
func (h *Hooks) List(ctx context.Context) ([]Hook, error) {
	all, err := h.all(ctx)
	out := make([]Hook, len(all))
	for i := range all {
		out[i] = all[i].Hook
	}
	return out, err
}

// Get is one. Errors: ErrUnknown.
func (h *Hooks) Get(ctx context.Context, id string) (Hook, error) {
	k, err := h.get(ctx, id)
	return k.Hook, err
}

// Create adds a webhook. The secret is told this once. Errors: ErrURL.
func (h *Hooks) Create(ctx context.Context, x Hook) (_ Hook, secret string, err error) {
	if err := checkURL(x.URL); err != nil {
		return Hook{}, "", err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Hook{}, "", fmt.Errorf("hooks: create: %w", err)
	}
	x.ID, x.Active, x.Ended, x.Version = id.String(), true, "", 0
	x.Created = h.o.Clock().UTC().Truncate(time.Second)
	k := kept{Hook: x, Secret: newSecret()}
	if err := h.keep(ctx, &k); err != nil {
		return Hook{}, "", err
	}
	h.listen(k)
	return k.Hook, k.Secret, nil
}

// Edit changes a webhook. version is that which the change was decided on, 0 for
// any. Errors: ErrUnknown, ErrURL, *store.ConflictError.
func (h *Hooks) Edit(ctx context.Context, id string, version int, change func(*Hook)) (Hook, error) {
	k, err := h.get(ctx, id)
	if err != nil {
		return Hook{}, err
	}
	if version != 0 && version != k.Version {
		return Hook{}, &store.ConflictError{Match: "webhook " + id, Expected: version, Actual: k.Version}
	}
	was := k.Hook
	change(&k.Hook)
	k.ID, k.Created, k.Version = was.ID, was.Created, was.Version
	if k.Active {
		k.Ended = ""
	}
	if err := checkURL(k.URL); err != nil {
		return Hook{}, err
	}
	if err := h.keep(ctx, &k); err != nil {
		return Hook{}, err
	}
	h.deafen(id)
	h.listen(k)
	return k.Hook, nil
}

// Delete removes a webhook with what was still to be sent. Errors: ErrUnknown.
func (h *Hooks) Delete(ctx context.Context, id string) error {
	err := h.o.Papers.DeletePaper(ctx, kindHook, id)
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("%w: %q", ErrUnknown, id)
	}
	if err != nil {
		return err
	}
	h.deafen(id)
	h.mu.Lock()
	delete(h.logs, id)
	h.mu.Unlock()
	return nil
}

func (h *Hooks) keep(ctx context.Context, k *kept) error {
	p, err := k.paper()
	if err != nil {
		return fmt.Errorf("hooks: keep: %w", err)
	}
	if p, err = h.o.Papers.PutPaper(ctx, p); err != nil {
		return err
	}
	k.Version = p.Version
	return nil
}

// Deliveries are the latest tries to send to a webhook, the newest first. Errors:
// ErrUnknown.
func (h *Hooks) Deliveries(ctx context.Context, id string) ([]Delivery, error) {
	if _, err := h.get(ctx, id); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	out := slices.Clone(h.logs[id])
	slices.Reverse(out)
	return out, nil
}

// Test sends a message of the type webhook.test and tells what came of it; it is
// not tried again. Errors: ErrUnknown.
func (h *Hooks) Test(ctx context.Context, id string) (Delivery, error) {
	k, err := h.get(ctx, id)
	if err != nil {
		return Delivery{}, err
	}
	at := h.o.Clock().UTC()
	body, err := json.Marshal(feed.Message{Type: "webhook.test", Time: at, Version: 1, Data: json.RawMessage(`{"text":"It works."}`)})
	if err != nil {
		return Delivery{}, fmt.Errorf("hooks: test: %w", err)
	}
	d, _ := h.sender.send(ctx, &k, pending{Hook: id, ID: "test_" + strconv.FormatInt(at.UnixMicro(), 10), Type: "webhook.test", Body: body})
	h.log(id, d)
	return d, nil
}

func (h *Hooks) log(id string, d Delivery) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.logs[id] = append(h.logs[id], d)
	if n := len(h.logs[id]); n > logged {
		h.logs[id] = slices.Clone(h.logs[id][n-logged:])
	}
}

// listen begins to listen for a hook.
func (h *Hooks) listen(k kept) {
	if !k.Active {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	e := &ear{hook: k, stop: stop, ended: make(chan struct{})}
	h.ears[k.ID] = e
	l := h.o.Hub.Listen("webhooks", k.filter(), 0)
	go func() {
		defer close(e.ended)
		defer stop()
		defer l.Close()
		for {
			list, missed, err := l.Next(ctx)
			if err != nil {
				return
			}
			if missed > 0 {
				h.o.Log.Warn("a webhook's receiver is too slow", "webhook", k.ID, "missed", missed)
			}
			for _, m := range list {
				if ctx.Err() != nil {
					return
				}
				h.first(&k, m)
			}
		}
	}()
}

// deafen ends listening for a hook.
func (h *Hooks) deafen(id string) {
	h.mu.Lock()
	e := h.ears[id]
	delete(h.ears, id)
	h.mu.Unlock()
	if e != nil {
		e.stop()
	}
}

// first tries to send a message for the first time.
func (h *Hooks) first(k *kept, m *feed.Message) {
	body, err := json.Marshal(m)
	if err != nil {
		h.o.Log.Error("a webhook's message could not be written", "error", err)
		return
	}
	h.try(k, pending{Hook: k.ID, ID: "msg_" + strconv.FormatInt(m.ID, 10), Type: m.Type, Body: body})
}
