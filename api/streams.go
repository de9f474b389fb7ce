package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"

	"github.com/gin-gonic/gin"

	"crokcam/api/access"
	"crokcam/api/feed"
	"crokcam/api/problem"
	"crokcam/match/store"
)

func (s *Service) streamEvents(c *gin.Context) error {
	wish, err := s.wish(c)
	if err != nil {
		return err
	}
	return s.told(c, s.feed.Events(c.Writer, c.Request, wish))
}

var errNoSocket = problem.New(http.StatusUpgradeRequired, "not_a_socket", "Open this address as a WebSocket.")

func (s *Service) socketEvents(c *gin.Context) error {
	if !c.IsWebsocket() {
		c.Header("Upgrade", "websocket")
		return errNoSocket
	}
	wish, err := s.wish(c)
	if err != nil {
		return err
	}
	if !s.sockets.enter() {
		return errStopping
	}
	defer s.sockets.leave()
	return s.told(c, s.feed.Socket(c.Writer, c.Request, wish))
}

// gate counts the connections that the server itself does not wait for, so that
// they are told everything before the program ends.
type gate struct {
	mu     sync.Mutex
	closed bool
	inside sync.WaitGroup
}

func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.inside.Add(1)
	}
	return !g.closed
}

func (g *gate) leave() { g.inside.Done() }

// close lets nobody in any more and waits for those inside.
func (g *gate) close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.inside.Wait()
}

// told logs what ended a stream: its answer has long begun.
func (s *Service) told(c *gin.Context, err error) error {
	if err != nil {
		_ = c.Error(err)
	}
	return nil
}

// wish is what a listener asks for.
func (s *Service) wish(c *gin.Context) (feed.Wish, error) {
	w := feed.Wish{Snapshot: flag(c, "snapshot"), Since: int64(number(c, "since", 0))}
	if id, err := strconv.ParseInt(c.GetHeader("Last-Event-ID"), 10, 64); err == nil && id > 0 {
		w.Since = id // a browser that comes back says where it was
	}
	who := whoOf(c)
	f := feed.Filter{Boards: list(c, "board"), Matches: list(c, "match"), Types: list(c, "types")}
	if who.Board != "" {
		if len(f.Boards) == 0 {
			f.Boards = []string{who.Board}
		}
		for _, b := range f.Boards {
			if err := who.Sees(b); err != nil {
				return w, err
			}
		}
	}
	var err error
	if w.Filter, err = s.narrow(c.Request.Context(), f); err != nil {
		return w, err
	}
	w.Holds = s.holds(who)
	return w, nil
}

// holds tells whether whoever opened a stream may still have it.
func (s *Service) holds(who access.Who) func(context.Context) bool {
	if who.Free || who.ID == "settings" {
		return nil
	}
	return func(ctx context.Context) bool {
		list, err := s.tokens.List(ctx)
		if err != nil {
			return true // the storage does not answer; that is no reason to send them away
		}
		for _, t := range list {
			if t.ID == who.ID {
				return t.Expires.IsZero() || s.now().Before(t.Expires)
			}
		}
		return false
	}
}

// narrow makes ids of the codes in a filter.
func (s *Service) narrow(ctx context.Context, f feed.Filter) (feed.Filter, error) {
	ids := make([]string, 0, len(f.Matches))
	for _, word := range f.Matches {
		id, err := s.desk.Find(ctx, word)
		if errors.Is(err, store.ErrNotFound) {
			return f, errNotFound
		}
		if err != nil {
			return f, err
		}
		ids = append(ids, id)
	}
	f.Matches = ids
	return f, nil
}
