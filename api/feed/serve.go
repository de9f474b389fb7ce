package feed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/coder/websocket"
)

// Serving is how listeners are served over HTTP.
type Serving struct {
	Hub *Hub
	// Snapshot is how everything stands that a listener wants, the data of its
	// first message.
	Snapshot func(context.Context, Filter) (any, error)
	// Narrow makes the filter of a WebSocket's subscribe message one of ids.
	Narrow func(context.Context, Filter) (Filter, error)
	// Beat is how long a stream of events is silent before a comment keeps it open,
	// and how often a WebSocket is asked whether it is there: 15 s and 20 s when 0.
	Beat time.Duration
	// Patience is how long a listener may take for what it is sent, 10 s when it
	// is 0. A slower one is cut off, and may come back.
	Patience time.Duration
}

// Wish is what a listener asks for as it begins.
type Wish struct {
	Filter   Filter
	Since    int64 // ID of the last message it has had, 0 for none
	Snapshot bool  // first how everything stands
	// Holds tells, each time the stream beats, whether it may go on; nil for always.
	Holds func(context.Context) bool
}

func (w Wish) holds(ctx context.Context) bool { return w.Holds == nil || w.Holds(ctx) }

// retry is how long a browser waits before it comes back, ms.
const retry = 2000

func (s *Serving) patience() time.Duration {
	if s.Patience > 0 {
		return s.Patience
	}
	return 10 * time.Second
}

func (s *Serving) beat(usual time.Duration) time.Duration {
	if s.Beat > 0 {
		return s.Beat
	}
	return usual
}

// begin makes the first message of a listener: how everything stands. It is as of
// the listener's place or later, so that nothing falls between.
func (s *Serving) begin(ctx context.Context, l *Listener) (*Message, error) {
	data, err := s.Snapshot(ctx, l.Filter())
	if err != nil {
		return nil, fmt.Errorf("feed: snapshot: %w", err)
	}
	raw, err := json.Marshal(data)
	if err != nil {
		return nil, fmt.Errorf("feed: snapshot: %w", err)
	}
	return s.made(l, Snapshot, raw)
}

// made is a message for one listener alone. It has the number of the listener's
// place, so that going on after it misses nothing.
func (s *Serving) made(l *Listener, kind string, data json.RawMessage) (*Message, error) {
	m := Message{ID: l.At(), Type: kind, Time: s.Hub.now().UTC(), Version: 1, Data: data}
	line, err := json.Marshal(m)
	m.line = line
	return &m, err
}

// each gives a listener's messages to send until it ends: first how everything
// stands if that is wished, and again after messages were missed.
func (s *Serving) each(ctx context.Context, l *Listener, w Wish, send func([]*Message) error) error {
	if w.Snapshot {
		m, err := s.begin(ctx, l)
		if err != nil {
			return err
		}
		if err := send([]*Message{m}); err != nil {
			return err
		}
	}
	for {
		list, missed, err := l.Next(ctx)
		if err != nil {
			return err
		}
		if missed > 0 {
			m, err := s.made(l, Resync, json.RawMessage(`{"missed":`+strconv.FormatInt(missed, 10)+`}`))
			if err != nil {
				return err
			}
			list = []*Message{m}
			if w.Snapshot {
				now, err := s.begin(ctx, l)
				if err != nil {
					return err
				}
				list = append(list, now)
			}
		}
		if err := send(list); err != nil {
			return err
		}
	}
}

// Events serves server-sent events until the client goes or the feed ends.
func (s *Serving) Events(w http.ResponseWriter, r *http.Request, wish Wish) error {
	out := http.NewResponseController(w)
	l := s.Hub.Listen("events", wish.Filter, wish.Since)
	defer l.Close()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()

	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	write := func(b []byte) error {
		// The server's own time limit is for answers that end.
		if err := out.SetWriteDeadline(time.Now().Add(s.patience())); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		return out.Flush()
	}
	if err := write(fmt.Appendf(nil, "retry: %d\n\n", retry)); err != nil {
		return nil // the client has gone
	}

	// What is to be written comes from one goroutine, the beats from another; the
	// handler alone writes.
	batches := make(chan []*Message)
	ended := make(chan error, 1)
	go func() {
		ended <- s.each(ctx, l, wish, func(list []*Message) error {
			select {
			case batches <- list:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	beat := time.NewTicker(s.beat(15 * time.Second))
	defer beat.Stop()
	var b bytes.Buffer
	for {
		b.Reset()
		select {
		case list := <-batches:
			for _, m := range list {
				fmt.Fprintf(&b, "id: %d\ndata: %s\n\n", m.ID, m.line)
			}
		case <-beat.C:
			if !wish.holds(ctx) {
				return nil
			}
			b.WriteString(": still here\n\n")
		case err := <-ended:
			return quiet(err)
		}
		if err := write(b.Bytes()); err != nil {
			cancel()
			<-ended    //nolint:errcheck // it ends because of this
			return nil // the client has gone or is too slow
		}
	}
}

// quiet leaves only errors that are not the end of the listening.
func quiet(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// Socket serves a WebSocket until the client goes or the feed ends.
func (s *Serving) Socket(w http.ResponseWriter, r *http.Request, wish Wish) error {
	// From before the client knows that it is connected: it then misses nothing.
	l := s.Hub.Listen("socket", wish.Filter, wish.Since)
	defer l.Close()
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return nil // it has answered the request
	}
	defer c.CloseNow() //nolint:errcheck // closed before unless something failed
	c.SetReadLimit(16 << 10)
	// The request's context ends with the handler alone once the connection is
	// taken over.
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()

	reading := make(chan struct{})
	go func() {
		defer close(reading)
		defer cancel()
		if reason := s.read(ctx, c, l); reason != "" {
			_ = c.Close(websocket.StatusPolicyViolation, reason)
		}
	}()
	go s.ping(ctx, c, wish, cancel)

	err = s.each(ctx, l, wish, func(list []*Message) error {
		for _, m := range list {
			timed, done := context.WithTimeout(ctx, s.patience())
			err := c.Write(timed, websocket.MessageText, m.line)
			done()
			if err != nil {
				return context.Canceled // the client has gone or is too slow
			}
		}
		return nil
	})
	if errors.Is(err, io.EOF) {
		_ = c.Close(websocket.StatusGoingAway, "the service stops")
	}
	cancel()
	_ = c.CloseNow()
	<-reading
	return quiet(err)
}

// read takes subscribe messages until the client goes, and says what was wrong
// with one.
func (s *Serving) read(ctx context.Context, c *websocket.Conn, l *Listener) (wrong string) {
	for {
		_, data, err := c.Read(ctx)
		if err != nil {
			return ""
		}
		var m struct {
			Action string `json:"action"`
			Filter
		}
		if err := json.Unmarshal(data, &m); err != nil || m.Action != "subscribe" {
			return `send {"action": "subscribe", "boards": […], "matches": […], "types": […]}`
		}
		f, err := s.Narrow(ctx, m.Filter)
		if err != nil {
			return "there is no such board or match"
		}
		l.Narrow(f)
	}
}

// ping asks the client whether it is there, and ends the listening if not.
func (s *Serving) ping(ctx context.Context, c *websocket.Conn, wish Wish, cancel func()) {
	beat := time.NewTicker(s.beat(20 * time.Second))
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			timed, done := context.WithTimeout(ctx, s.patience())
			err := c.Ping(timed)
			done()
			if err != nil || !wish.holds(ctx) {
				cancel()
				return
			}
		}
	}
}
