package fanout

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"crokcam/api"
	"crokcam/api/access"
	"crokcam/internal/bench"
	"crokcam/internal/usage"
	"crokcam/match"
	"crokcam/match/rehearse"
	"crokcam/match/store"
)

// Options say what is measured.
type Options struct {
	Listeners   int
	Disconnects int     // of each listener
	Entries     int     // recorded in the match
	Rate        float64 // entries a second
	// Crowd has a crowd listen, in another program so that its cost is not the
	// service's, and gives what it has heard. It calls ready once all are connected.
	Crowd func(ctx context.Context, c Crowd, ready func()) (Report, error)
	// Drain reads from plain connections, in another program too.
	Drain func(ctx context.Context, address string, connections int, ready func()) error
}

// last is the message after which a crowd goes home.
const last = "match.closed"

// Figures are what the service cost and the crowd heard.
type Figures struct {
	Report
	Cores  float64 // used by the service on average
	GrewMB float64 // of its memory, from when all were connected to the end
}

// Events measures the telling of a match to a crowd, beside the least it could
// cost: the same bytes written to as many plain connections.
func Events(ctx context.Context, o Options, rounds int) (bench.Result, Figures, error) {
	var f Figures
	var each int64 // bytes for each listener
	job := func() error {
		var err error
		f, err = o.tell(ctx)
		each = f.Bytes / int64(max(1, o.Listeners))
		return err
	}
	// The floor needs to know how much there is to be written.
	if err := job(); err != nil {
		return bench.Result{}, f, err
	}
	if f.Wrong > 0 {
		return bench.Result{}, f, fmt.Errorf("fanout: %d messages were heard out of order, twice or not at all", f.Wrong)
	}
	chunk := int(each) / max(1, f.Messages)
	r, err := bench.CompareOwn(ctx, bench.Result{
		Name: "events/fanout", Floor: "the same bytes to plain connections",
	}, rounds, job, func() error { return o.floor(ctx, chunk, f.Messages) })
	r.Input = fmt.Sprintf("%d listeners, %d messages of %d bytes, %d connections, %.2f cores, heard after %.0f ms (p95 %.0f ms), memory %+.0f MB",
		f.Listeners, f.Messages, chunk, f.Connections, f.Cores, f.P50MS, f.P95MS, f.GrewMB)
	return r, f, err
}

// tell plays a match before a crowd.
func (o Options) tell(ctx context.Context) (Figures, error) {
	service, err := api.New(api.Options{
		Store: store.NewMemory(), Log: slog.New(slog.DiscardHandler), Version: "bench", Access: access.Open, Parallel: 1,
	})
	if err != nil {
		return Figures{}, err
	}
	defer service.Close()
	if err := service.Start(ctx); err != nil {
		return Figures{}, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return Figures{}, fmt.Errorf("fanout: %w", err)
	}
	server := &http.Server{Handler: service, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener) //nolint:errcheck // ends with Close
	defer server.Close()      //nolint:errcheck // likewise
	p := &player{url: "http://" + listener.Addr().String(), table: rehearse.New(1, rehearse.Singles(40))}
	if err := p.start(ctx); err != nil {
		return Figures{}, err
	}

	ready := make(chan struct{})
	heard := make(chan error, 1)
	var f Figures
	go func() {
		var err error
		f.Report, err = o.Crowd(ctx, Crowd{
			URL: p.url, Match: p.id, Listeners: o.Listeners, Disconnects: o.Disconnects, Messages: 2 * o.Entries, Last: last,
		}, sync.OnceFunc(func() { close(ready) }))
		heard <- err
	}()
	select {
	case <-ready:
	case err := <-heard:
		return f, errors.Join(err, errors.New("fanout: the crowd went before it began"))
	}
	began, used, had := time.Now(), usage.Own(), usage.RSS()
	if err := p.play(ctx, o.Entries, o.Rate); err != nil {
		return f, err
	}
	if err := <-heard; err != nil {
		return f, err
	}
	f.Cores = float64(usage.Own()-used) / float64(time.Since(began))
	f.GrewMB = float64(usage.RSS()-had) / (1 << 20)
	return f, nil
}

// floor writes as many bytes to as many connections.
func (o Options) floor(ctx context.Context, chunk, messages int) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("fanout: %w", err)
	}
	defer listener.Close() //nolint:errcheck // nothing was written to it
	ready, drained := make(chan struct{}), make(chan error, 1)
	go func() { drained <- o.Drain(ctx, listener.Addr().String(), o.Listeners, func() { close(ready) }) }()
	conns := make([]net.Conn, o.Listeners)
	for i := range conns {
		if conns[i], err = listener.Accept(); err != nil {
			return fmt.Errorf("fanout: %w", err)
		}
	}
	<-ready
	data := bytes.Repeat([]byte("x"), max(1, chunk))
	for range messages {
		for _, c := range conns {
			if _, err := c.Write(data); err != nil {
				return fmt.Errorf("fanout: %w", err)
			}
		}
	}
	for _, c := range conns {
		_ = c.Close()
	}
	return <-drained
}

// player records a match over the API, as a program does that has a camera.
type player struct {
	url   string
	table *rehearse.Table
	id    string
}

func (p *player) post(ctx context.Context, path string, body any, answer any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("fanout: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/api/v1/"+path, bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("fanout: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	a, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("fanout: %w", err)
	}
	defer a.Body.Close() //nolint:errcheck // only read from
	got, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode >= 300 {
		return errors.Join(err, fmt.Errorf("fanout: %s: %s: %s", path, a.Status, got))
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(got, answer)
}

func (p *player) start(ctx context.Context) error {
	start, _ := p.table.Next().(match.Started)
	if err := p.table.Record(start); err != nil {
		return err
	}
	var v match.View
	err := p.post(ctx, "matches", map[string]any{"players": start.Players, "plan": start.Plan, "title": start.Title}, &v)
	p.id = v.Match
	return err
}

// play records so many entries, and ends the match.
func (p *player) play(ctx context.Context, entries int, rate float64) error {
	beat := time.NewTicker(time.Duration(float64(time.Second) / rate))
	defer beat.Stop()
	for range entries {
		<-beat.C
		b := p.table.Next()
		if b == nil {
			break
		}
		if err := p.table.Record(b); err != nil {
			return err
		}
		event := map[string]any{"kind": b.Kind(), "data": b}
		if err := p.post(ctx, "matches/"+p.id+"/events", map[string]any{"events": []any{event}}, nil); err != nil {
			return err
		}
	}
	return p.post(ctx, "matches/"+p.id+"/close", map[string]string{"reason": "measured"}, nil)
}
