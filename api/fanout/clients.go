// Package fanout measures how the service tells many listeners what happens:
// overlays of one match that come and go as they like.
package fanout

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"crokcam/api/feed"
)

// Crowd is many listeners of one match.
type Crowd struct {
	URL         string // of the service
	Match       string // its code or id
	Listeners   int    // every other one by a WebSocket, the rest by server-sent events
	Disconnects int    // of each, at random moments
	Messages    int    // about how many there will be, to spread the moments over
	Last        string // type of the message after which there is none
}

// Report is what a crowd has heard.
type Report struct {
	Listeners   int     `json:"listeners"`
	Messages    int     `json:"messages"` // of each
	Connections int     `json:"connections"`
	Bytes       int64   `json:"bytes"`
	Wrong       int     `json:"wrong"` // messages out of order, twice or missed
	P50MS       float64 `json:"p50_ms"`
	P95MS       float64 `json:"p95_ms"` // from being told to being heard, those told while cut off left out
}

// listener is one of a crowd.
type listener struct {
	crowd   *Crowd
	client  *http.Client
	socket  bool
	breaks  []int // after how many messages it is cut off
	last    int64 // ID of the last message
	heard   int
	report  Report
	delays  []float64
	resumed bool // what is heard now was told while it was cut off
}

var errCut = errors.New("cut off")

// Listen has a crowd listen until the last message. ready is called once all are
// connected. Errors: the first of any listener.
func (c *Crowd) Listen(ctx context.Context, ready func()) (Report, error) {
	transport := &http.Transport{MaxIdleConns: 1, DisableCompression: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	var connected, all sync.WaitGroup
	connected.Add(c.Listeners)
	listeners := make([]*listener, c.Listeners)
	errs := make([]error, c.Listeners)
	for i := range listeners {
		rng := rand.New(rand.NewPCG(uint64(i), 0xfa))
		l := &listener{crowd: c, client: client, socket: i%2 == 1}
		for range c.Disconnects {
			l.breaks = append(l.breaks, 1+rng.IntN(max(1, c.Messages-1)))
		}
		slices.Sort(l.breaks)
		l.breaks = slices.Compact(l.breaks)
		listeners[i] = l
		all.Go(func() { errs[i] = l.run(ctx, sync.OnceFunc(connected.Done)) })
	}
	connected.Wait()
	if ready != nil {
		ready()
	}
	all.Wait()
	r := Report{Listeners: c.Listeners, Messages: listeners[0].heard}
	var delays []float64
	for _, l := range listeners {
		r.Connections += l.report.Connections
		r.Bytes += l.report.Bytes
		r.Wrong += l.report.Wrong
		if l.heard != r.Messages {
			r.Wrong++
		}
		delays = append(delays, l.delays...)
	}
	if slices.Sort(delays); len(delays) > 0 {
		r.P50MS, r.P95MS = delays[len(delays)/2], delays[len(delays)*95/100]
	}
	return r, errors.Join(errs...)
}

// run listens until the last message, cut off now and then.
func (l *listener) run(ctx context.Context, connected func()) error {
	defer connected()
	for {
		l.report.Connections++
		l.resumed = l.heard > 0
		query := "?match=" + l.crowd.Match
		if l.last > 0 {
			query += "&since=" + strconv.FormatInt(l.last, 10)
		}
		connection, cut := context.WithCancel(ctx)
		var err error
		if l.socket {
			err = l.throughSocket(connection, query, connected)
		} else {
			err = l.throughEvents(connection, query, connected)
		}
		cut()
		if !errors.Is(err, errCut) {
			return err
		}
	}
}

func (l *listener) throughEvents(ctx context.Context, query string, connected func()) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.crowd.URL+"/api/v1/events"+query, nil)
	if err != nil {
		return fmt.Errorf("fanout: %w", err)
	}
	answer, err := l.client.Do(request)
	if err != nil {
		return fmt.Errorf("fanout: %w", err)
	}
	defer answer.Body.Close() //nolint:errcheck // only read from
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("fanout: events answer %s", answer.Status)
	}
	connected()
	lines := bufio.NewReaderSize(answer.Body, 64<<10)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return fmt.Errorf("fanout: events: %w", err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			if more, err := l.hear([]byte(data)); !more {
				return err
			}
		}
	}
}

func (l *listener) throughSocket(ctx context.Context, query string, connected func()) error {
	c, _, err := websocket.Dial(ctx, strings.Replace(l.crowd.URL, "http", "ws", 1)+"/api/v1/ws"+query, &websocket.DialOptions{HTTPClient: l.client}) //nolint:bodyclose // the connection closes it
	if err != nil {
		return fmt.Errorf("fanout: %w", err)
	}
	defer c.CloseNow() //nolint:errcheck // cut off on purpose
	c.SetReadLimit(8 << 20)
	connected()
	for {
		_, data, err := c.Read(ctx)
		if err != nil {
			return fmt.Errorf("fanout: socket: %w", err)
		}
		if more, err := l.hear(data); !more {
			return err
		}
	}
}

// hear takes in a message and says whether there is more to hear this way.
func (l *listener) hear(data []byte) (more bool, err error) {
	var m feed.Message
	if err := json.Unmarshal(data, &m); err != nil {
		return false, fmt.Errorf("fanout: %w", err)
	}
	l.heard++
	l.report.Bytes += int64(len(data))
	if m.Type == feed.Resync || l.last != 0 && m.ID != l.last+1 {
		l.report.Wrong++
	}
	l.last = m.ID
	delay := float64(time.Since(m.Time)) / float64(time.Millisecond)
	if !l.resumed {
		l.delays = append(l.delays, delay)
	} else if delay < 20 {
		l.resumed = false // it has caught up
	}
	switch {
	case m.Type == l.crowd.Last:
		return false, nil
	case len(l.breaks) > 0 && l.heard >= l.breaks[0]:
		l.breaks = l.breaks[1:]
		return false, errCut
	}
	return true, nil
}

// Drain opens plain connections and reads whatever comes: the least that
// listeners could do. ready is called once all are connected.
func Drain(ctx context.Context, address string, connections int, ready func()) error {
	var all sync.WaitGroup
	errs := make([]error, connections)
	for i := range connections {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err != nil {
			return fmt.Errorf("fanout: %w", err)
		}
		all.Go(func() {
			_, errs[i] = io.Copy(io.Discard, c)
			_ = c.Close()
		})
	}
	ready()
	all.Wait()
	return errors.Join(errs...)
}
