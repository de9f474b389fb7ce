package hooks_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"crokcam/api/feed"
	"crokcam/api/hooks"
	"crokcam/match/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sent is a message that a receiver got.
type sent struct {
	header http.Header
	body   []byte
}

// receiver answers messages with the statuses that it is given, the last one from
// then on.
func receiver(t *testing.T, statuses ...int) (string, <-chan sent) {
	t.Helper()
	got := make(chan sent, 100)
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		status := statuses[min(n, len(statuses)-1)]
		n++
		if status == http.StatusFound {
			w.Header().Set("Location", "/elsewhere")
		}
		w.WriteHeader(status)
		got <- sent{r.Header.Clone(), body}
	}))
	t.Cleanup(server.Close)
	return server.URL, got
}

// service is webhooks over a feed.
type service struct {
	*hooks.Hooks
	hub *feed.Hub
}

func started(t *testing.T, papers store.Papers, waits ...time.Duration) service {
	t.Helper()
	if waits == nil {
		waits = []time.Duration{time.Millisecond, time.Millisecond}
	}
	s := service{hub: feed.NewHub(feed.Options{})}
	s.Hooks = hooks.New(hooks.Options{Papers: papers, Hub: s.hub, Log: slog.New(slog.DiscardHandler), Waits: waits, Timeout: 5 * time.Second})
	require.NoError(t, s.Start(t.Context()))
	t.Cleanup(s.end)
	return s
}

func (s service) end() {
	s.hub.Close()
	s.Close()
}

func (s service) say(t *testing.T, kind string) {
	t.Helper()
	require.NoError(t, s.hub.Publish(feed.News{Type: kind, Board: "table-3", Match: "m1", Data: map[string]int{"n": 1}}))
}

func TestAMessageIsSentAsStandardWebhooksHasIt(t *testing.T) {
	s := started(t, store.NewMemory())
	url, got := receiver(t, 204)
	h, secret, err := s.Create(t.Context(), hooks.Hook{URL: url, Types: []string{"match.ended"}})
	require.NoError(t, err)
	require.True(t, h.Active)
	s.say(t, "shot.detected")
	s.say(t, "match.ended")
	m := <-got
	check, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	require.NoError(t, check.Verify(m.body, m.header))
	require.Error(t, check.Verify(append(m.body, ' '), m.header))
	require.Equal(t, "application/json", m.header.Get("Content-Type"))
	var envelope feed.Message
	require.NoError(t, json.Unmarshal(m.body, &envelope))
	require.Equal(t, "match.ended", envelope.Type, "what it did not ask for is not sent")
	require.Equal(t, "table-3", envelope.Board)
	deliveries := logged(t, s, h.ID, 1)
	require.Equal(t, 204, deliveries[0].Status)
	require.Equal(t, m.header.Get("webhook-id"), deliveries[0].Message)
}

// logged waits for so many tries in a webhook's log.
func logged(t *testing.T, s service, id string, n int) []hooks.Delivery {
	t.Helper()
	var list []hooks.Delivery
	require.Eventually(t, func() bool {
		var err error
		list, err = s.Deliveries(t.Context(), id)
		require.NoError(t, err)
		return len(list) >= n
	}, 10*time.Second, time.Millisecond)
	return list
}

func TestWhatIsNotTakenIsTriedAgainUnderTheSameName(t *testing.T) {
	s := started(t, store.NewMemory())
	url, got := receiver(t, 500, 302, 200)
	h, _, err := s.Create(t.Context(), hooks.Hook{URL: url, Types: []string{"*"}})
	require.NoError(t, err)
	s.say(t, "match.ended")
	first, second, third := <-got, <-got, <-got
	require.Equal(t, first.header.Get("webhook-id"), third.header.Get("webhook-id"))
	require.Equal(t, first.body, second.body)
	require.Equal(t, first.body, third.body)
	list := logged(t, s, h.ID, 3)
	require.Equal(t, []int{200, 302, 500}, []int{list[0].Status, list[1].Status, list[2].Status}, "a redirection is not followed")
	require.Equal(t, []int{3, 2, 1}, []int{list[0].Attempt, list[1].Attempt, list[2].Attempt})
	require.False(t, list[2].Again.IsZero())
	require.True(t, list[0].Again.IsZero())
}

func TestAMessageThatNobodyTakesIsGivenUpInTheEnd(t *testing.T) {
	papers := store.NewMemory()
	s := started(t, papers)
	url, got := receiver(t, 500)
	h, _, err := s.Create(t.Context(), hooks.Hook{URL: url, Types: []string{"*"}})
	require.NoError(t, err)
	s.say(t, "match.ended")
	for range 3 {
		<-got
	}
	require.Len(t, logged(t, s, h.ID, 3), 3)
	kept, err := papers.Papers(t.Context(), "delivery")
	require.NoError(t, err)
	require.Empty(t, kept)
}

func TestAReceiverThatIsGoneEndsItsWebhook(t *testing.T) {
	s := started(t, store.NewMemory())
	url, got := receiver(t, 410)
	h, _, err := s.Create(t.Context(), hooks.Hook{URL: url, Types: []string{"*"}})
	require.NoError(t, err)
	s.say(t, "match.ended")
	<-got
	require.Eventually(t, func() bool {
		h, err = s.Get(t.Context(), h.ID)
		require.NoError(t, err)
		return !h.Active
	}, 10*time.Second, time.Millisecond)
	require.Contains(t, h.Ended, "410")
	s.say(t, "match.ended")
	h, err = s.Edit(t.Context(), h.ID, h.Version, func(x *hooks.Hook) { x.Active = true })
	require.NoError(t, err)
	require.Empty(t, h.Ended)
	require.Empty(t, got, "nothing was sent meanwhile")
}

func TestWhatWasNotTakenIsSentAfterARestart(t *testing.T) {
	papers := store.NewMemory()
	s := started(t, papers, time.Hour)
	url, got := receiver(t, 503, 200)
	_, _, err := s.Create(t.Context(), hooks.Hook{URL: url, Types: []string{"*"}})
	require.NoError(t, err)
	s.say(t, "match.ended")
	first := <-got
	require.Eventually(t, func() bool {
		kept, err := papers.Papers(t.Context(), "delivery")
		require.NoError(t, err)
		return len(kept) == 1
	}, 10*time.Second, time.Millisecond)
	s.end()

	// An hour later.
	late := service{hub: feed.NewHub(feed.Options{})}
	late.Hooks = hooks.New(hooks.Options{
		Papers: papers, Hub: late.hub, Log: slog.New(slog.DiscardHandler), Clock: func() time.Time { return time.Now().Add(2 * time.Hour) },
	})
	require.NoError(t, late.Start(t.Context()))
	t.Cleanup(late.end)
	second := <-got
	require.Equal(t, first.header.Get("webhook-id"), second.header.Get("webhook-id"))
}

func TestATestTellsAtOnceWhatCameOfIt(t *testing.T) {
	s := started(t, store.NewMemory())
	url, got := receiver(t, 418)
	h, secret, err := s.Create(t.Context(), hooks.Hook{URL: url, Types: []string{"match.ended"}})
	require.NoError(t, err)
	d, err := s.Test(t.Context(), h.ID)
	require.NoError(t, err)
	require.Equal(t, 418, d.Status)
	require.Equal(t, "webhook.test", d.Type)
	m := <-got
	check, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	require.NoError(t, check.Verify(m.body, m.header))
	_, err = s.Test(t.Context(), "none")
	require.ErrorIs(t, err, hooks.ErrUnknown)
}

func TestAnAddressThatIsNoneIsRefused(t *testing.T) {
	s := started(t, store.NewMemory())
	for _, url := range []string{"", "ftp://a/", "file:///etc/passwd", "http://", "http://name:word@host/", "javascript:alert(1)"} {
		_, _, err := s.Create(t.Context(), hooks.Hook{URL: url, Types: []string{"*"}})
		require.ErrorIs(t, err, hooks.ErrURL, url)
	}
}

func TestADeletedWebhookHearsNothingMore(t *testing.T) {
	s := started(t, store.NewMemory())
	url, got := receiver(t, 200)
	h, _, err := s.Create(t.Context(), hooks.Hook{URL: url, Types: []string{"*"}})
	require.NoError(t, err)
	require.NoError(t, s.Delete(t.Context(), h.ID))
	s.say(t, "match.ended")
	other, _, err := s.Create(t.Context(), hooks.Hook{URL: url, Types: []string{"*"}})
	require.NoError(t, err)
	s.say(t, "match.closed")
	var m feed.Message
	require.NoError(t, json.Unmarshal((<-got).body, &m))
	require.Equal(t, "match.closed", m.Type)
	list, err := s.List(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, other.ID, list[0].ID)
	require.ErrorIs(t, s.Delete(t.Context(), h.ID), hooks.ErrUnknown)
}
