package feed_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"crokcam/api/feed"
)

// served is a feed over HTTP: /events and /ws, with the query read as a wish.
func served(t *testing.T, s *feed.Serving, wish feed.Wish) string {
	t.Helper()
	if s.Snapshot == nil {
		s.Snapshot = func(context.Context, feed.Filter) (any, error) { return map[string]string{"state": "whole"}, nil }
	}
	if s.Narrow == nil {
		s.Narrow = func(_ context.Context, f feed.Filter) (feed.Filter, error) {
			if len(f.Matches) > 0 && f.Matches[0] == "none" {
				return f, errors.New("there is none")
			}
			return f, nil
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Events(w, r, wish); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("/ws", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Socket(w, r, wish); err != nil {
			t.Error(err)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		s.Hub.Close()
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

// stream opens a stream of events and gives its lines.
func stream(t *testing.T, ctx context.Context, url string) (*http.Response, *bufio.Scanner) { //nolint:revive // t first
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/events", nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	t.Cleanup(func() { answer.Body.Close(); http.DefaultClient.CloseIdleConnections() })
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	return answer, lines
}

// message reads lines up to the next message.
func message(t *testing.T, lines *bufio.Scanner) feed.Message {
	t.Helper()
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var m feed.Message
			require.NoError(t, json.Unmarshal([]byte(data), &m))
			return m
		}
	}
	require.Fail(t, "the stream has ended", lines.Err())
	return feed.Message{}
}

func dial(t *testing.T, url string) *websocket.Conn {
	t.Helper()
	c, _, err := websocket.Dial(t.Context(), strings.Replace(url, "http", "ws", 1)+"/ws", nil) //nolint:bodyclose // the connection closes it
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.CloseNow(); http.DefaultClient.CloseIdleConnections() })
	return c
}

func receive(t *testing.T, c *websocket.Conn) feed.Message {
	t.Helper()
	_, data, err := c.Read(t.Context())
	require.NoError(t, err)
	var m feed.Message
	require.NoError(t, json.Unmarshal(data, &m))
	return m
}

func TestAStreamOfEventsIsWhatBrowsersExpect(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	url := served(t, &feed.Serving{Hub: h}, feed.Wish{Since: h.Last()})
	say(t, h, "shot.detected")
	answer, lines := stream(t, t.Context(), url) //nolint:bodyclose // the test's end closes it
	require.Equal(t, "text/event-stream", answer.Header.Get("Content-Type"))
	require.Equal(t, "no-cache", answer.Header.Get("Cache-Control"))
	require.Equal(t, "no", answer.Header.Get("X-Accel-Buffering"), "a proxy has to pass each event on at once")
	require.True(t, lines.Scan())
	require.Equal(t, "retry: 2000", lines.Text())
	for lines.Scan() && lines.Text() == "" { // blank lines part events
	}
	require.Regexp(t, `^id: \d+$`, lines.Text())
	require.True(t, lines.Scan())
	require.Regexp(t, `^data: \{"id":\d+,"type":"shot.detected",`, lines.Text())
}

func TestAListenerMayBeginWithHowEverythingStands(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	url := served(t, &feed.Serving{Hub: h}, feed.Wish{Snapshot: true})
	say(t, h, "before")
	_, lines := stream(t, t.Context(), url) //nolint:bodyclose // the test's end closes it
	c := dial(t, url)
	for _, first := range []feed.Message{message(t, lines), receive(t, c)} {
		require.Equal(t, feed.Snapshot, first.Type)
		require.JSONEq(t, `{"state":"whole"}`, string(first.Data))
		require.Equal(t, h.Last(), first.ID, "going on after it misses nothing")
	}
	say(t, h, "after")
	require.Equal(t, "after", message(t, lines).Type)
	require.Equal(t, "after", receive(t, c).Type)
}

func TestAfterAGapTheListenerStartsAfresh(t *testing.T) {
	h := feed.NewHub(feed.Options{Messages: 2})
	since := h.Last()
	say(t, h, "a", "b", "c", "d")
	url := served(t, &feed.Serving{Hub: h}, feed.Wish{Since: since, Snapshot: true})
	_, lines := stream(t, t.Context(), url) //nolint:bodyclose // the test's end closes it
	require.Equal(t, feed.Snapshot, message(t, lines).Type)
	gap := message(t, lines)
	require.Equal(t, feed.Resync, gap.Type)
	require.JSONEq(t, `{"missed":4}`, string(gap.Data))
	require.Equal(t, feed.Snapshot, message(t, lines).Type)
	say(t, h, "e")
	require.Equal(t, "e", message(t, lines).Type)
}

func TestASilentStreamBeats(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	url := served(t, &feed.Serving{Hub: h, Beat: time.Millisecond}, feed.Wish{})
	_, lines := stream(t, t.Context(), url) //nolint:bodyclose // the test's end closes it
	beats := 0
	for beats < 3 && lines.Scan() {
		if strings.HasPrefix(lines.Text(), ":") {
			beats++
		}
	}
	require.Equal(t, 3, beats)
}

func TestWhoseTokenEndsIsSentAway(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	var revoked atomic.Bool
	url := served(t, &feed.Serving{Hub: h, Beat: time.Millisecond}, feed.Wish{Holds: func(context.Context) bool { return !revoked.Load() }})
	_, lines := stream(t, t.Context(), url) //nolint:bodyclose // the test's end closes it
	c := dial(t, url)
	reading := c.CloseRead(t.Context()) // answers the pings
	require.True(t, lines.Scan())
	revoked.Store(true)
	for lines.Scan() { // up to its end
	}
	require.NoError(t, lines.Err())
	<-reading.Done()
}

func TestASubscriptionChangesWhatASocketHears(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	url := served(t, &feed.Serving{Hub: h}, feed.Wish{Filter: feed.Filter{Types: []string{"never", "ready"}}})
	c := dial(t, url)
	require.NoError(t, c.Write(t.Context(), websocket.MessageText, []byte(`{"action":"subscribe","types":["b"]}`)))
	// It applies some time soon: said until it is heard.
	heard := make(chan feed.Message)
	go func() { heard <- receive(t, c) }()
	for {
		say(t, h, "a", "b")
		select {
		case m := <-heard:
			require.Equal(t, "b", m.Type)
			return
		case <-time.After(time.Millisecond):
		}
	}
}

func TestASocketThatSaysNonsenseIsClosedWithTheReason(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	url := served(t, &feed.Serving{Hub: h}, feed.Wish{})
	for _, words := range []string{`hello`, `{"action":"dance"}`, `{"action":"subscribe","matches":["none"]}`} {
		c := dial(t, url)
		require.NoError(t, c.Write(t.Context(), websocket.MessageText, []byte(words)))
		_, _, err := c.Read(t.Context())
		require.Equal(t, websocket.StatusPolicyViolation, websocket.CloseStatus(err), words)
	}
}

func TestWhenTheServiceStopsEverybodyIsToldEverythingFirst(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	url := served(t, &feed.Serving{Hub: h}, feed.Wish{})
	_, lines := stream(t, t.Context(), url) //nolint:bodyclose // the test's end closes it
	c := dial(t, url)
	require.True(t, lines.Scan())
	say(t, h, "last")
	h.Close()
	require.Equal(t, "last", message(t, lines).Type)
	for lines.Scan() { // up to its end
	}
	require.NoError(t, lines.Err(), "it ends, and is not cut off")
	require.Equal(t, "last", receive(t, c).Type)
	_, _, err := c.Read(t.Context())
	require.Equal(t, websocket.StatusGoingAway, websocket.CloseStatus(err))
}

func TestAClientThatDoesNotReadIsCutOff(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	url := served(t, &feed.Serving{Hub: h, Patience: 20 * time.Millisecond}, feed.Wish{})
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.Write([]byte("GET /events HTTP/1.1\r\nHost: board\r\n\r\n"))
	require.NoError(t, err)
	_, err = conn.Read(make([]byte, 1)) // it has begun, and is not read from again
	require.NoError(t, err)
	big := strings.Repeat("x", 1<<20)
	require.Eventually(t, func() bool {
		require.NoError(t, h.Publish(feed.News{Type: "big", Data: big}))
		return h.Counts().Listeners["events"] == 0
	}, 20*time.Second, time.Millisecond)
}
