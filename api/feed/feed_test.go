package feed_test

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"crokcam/api/feed"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func say(t testing.TB, h *feed.Hub, types ...string) {
	t.Helper()
	for _, kind := range types {
		require.NoError(t, h.Publish(feed.News{Type: kind, Match: "m1", Board: "table-3", Data: map[string]int{"n": 1}}))
	}
}

// next takes the types of the next messages.
func next(t testing.TB, l *feed.Listener) (types []string, missed int64) {
	t.Helper()
	list, missed, err := l.Next(t.Context())
	require.NoError(t, err)
	for _, m := range list {
		types = append(types, m.Type)
	}
	return types, missed
}

func TestAListenerHearsEverythingFromItsPlaceOnInOrder(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	before := h.Last()
	say(t, h, "a", "b", "c")
	late := h.Listen("test", feed.Filter{}, 0)
	defer late.Close()
	again := h.Listen("test", feed.Filter{}, before+1)
	defer again.Close()
	types, missed := next(t, again)
	require.Equal(t, []string{"b", "c"}, types)
	require.Zero(t, missed)
	say(t, h, "d")
	types, _ = next(t, late)
	require.Equal(t, []string{"d"}, types, "only what is said from now on")
	require.Equal(t, before+4, late.At())
	require.Equal(t, 2, h.Counts().Listeners["test"])
}

func TestAMessageIsAnEnvelopeWhoseNumbersGrowByOne(t *testing.T) {
	h := feed.NewHub(feed.Options{Clock: func() time.Time { return time.Date(2026, 11, 30, 20, 0, 0, 250_000_000, time.FixedZone("", 3600)) }})
	l := h.Listen("test", feed.Filter{}, 0)
	defer l.Close()
	seen := time.Date(2026, 11, 30, 18, 59, 59, 0, time.UTC)
	require.NoError(t, h.Publish(
		feed.News{Type: "shot.detected", CapturedAt: seen, Board: "table-3", Match: "m1", Data: map[string]string{"seat": "south"}},
		feed.News{Type: "camera.lost", Board: "table-3", Version: 2}))
	list, _, err := l.Next(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, list[0].ID+1, list[1].ID)
	require.Less(t, list[1].ID, int64(1)<<53, "exact in a browser")
	line, err := json.Marshal(list[0])
	require.NoError(t, err)
	id, err := json.Marshal(list[0].ID)
	require.NoError(t, err)
	require.JSONEq(t, `{"id":`+string(id)+`,"type":"shot.detected","time":"2026-11-30T19:00:00.25Z","captured_at":"2026-11-30T18:59:59Z",
		"board":"table-3","match":"m1","version":1,"data":{"seat":"south"}}`, string(line))
	line, err = json.Marshal(list[1])
	require.NoError(t, err)
	require.NotContains(t, string(line), "captured_at")
	require.Contains(t, string(line), `"version":2`)
}

func TestTheNumbersGoOnGrowingAfterARestart(t *testing.T) {
	clock := func(s int) func() time.Time { return func() time.Time { return time.Unix(int64(s), 0) } }
	first := feed.NewHub(feed.Options{Clock: clock(1_800_000_000)})
	say(t, first, "a", "b")
	second := feed.NewHub(feed.Options{Clock: clock(1_800_000_001)})
	say(t, second, "c")
	require.Greater(t, second.Last(), first.Last())
	l := second.Listen("test", feed.Filter{}, first.Last())
	defer l.Close()
	_, missed := next(t, l)
	require.Positive(t, missed, "what came between cannot be known")
	say(t, second, "d")
	types, _ := next(t, l)
	require.Equal(t, []string{"d"}, types)
}

func TestWhoIsTooSlowIsToldWhatWasMissedAndHoldsNobodyUp(t *testing.T) {
	h := feed.NewHub(feed.Options{Messages: 4})
	slow := h.Listen("test", feed.Filter{}, 0)
	defer slow.Close()
	quick := h.Listen("test", feed.Filter{}, 0)
	defer quick.Close()
	for range 10 {
		say(t, h, "x")
		types, missed := next(t, quick)
		require.Equal(t, []string{"x"}, types)
		require.Zero(t, missed)
	}
	types, missed := next(t, slow)
	require.Empty(t, types)
	require.EqualValues(t, 10, missed)
	require.EqualValues(t, 10, h.Counts().Dropped)
	say(t, h, "y")
	types, missed = next(t, slow)
	require.Equal(t, []string{"y"}, types)
	require.Zero(t, missed)
}

func TestAPlaceOfTheFutureIsNone(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	l := h.Listen("test", feed.Filter{}, h.Last()+1000)
	defer l.Close()
	_, missed := next(t, l)
	require.Positive(t, missed)
}

func TestWhatIsKeptIsBoundedByItsSizeToo(t *testing.T) {
	h := feed.NewHub(feed.Options{Bytes: 10_000})
	l := h.Listen("test", feed.Filter{}, 0)
	defer l.Close()
	for range 20 {
		require.NoError(t, h.Publish(feed.News{Type: "big", Data: strings.Repeat("x", 1000)}))
	}
	_, missed := next(t, l)
	require.EqualValues(t, 20, missed)
	require.NoError(t, h.Publish(feed.News{Type: "huge", Data: strings.Repeat("x", 20_000)}))
	types, _ := next(t, l)
	require.Equal(t, []string{"huge"}, types, "the newest is always there")
}

func TestAFilterLeavesOutOthersBoardsMatchesAndTypes(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	l := h.Listen("test", feed.Filter{Matches: []string{"m1"}, Types: []string{"a", "b"}}, 0)
	defer l.Close()
	require.NoError(t, h.Publish(
		feed.News{Type: "a", Match: "m1"}, feed.News{Type: "a", Match: "m2"}, feed.News{Type: "c", Match: "m1"}, feed.News{Type: "b", Match: "m1"}))
	types, _ := next(t, l)
	require.Equal(t, []string{"a", "b"}, types)
	l.Narrow(feed.Filter{Boards: []string{"table-4"}})
	require.NoError(t, h.Publish(feed.News{Type: "z"}, feed.News{Type: "y", Board: "table-4"}))
	types, _ = next(t, l)
	require.Equal(t, []string{"y"}, types)
}

func TestTheEndOfTheFeedComesAfterEverythingThatWasSaid(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	l := h.Listen("test", feed.Filter{}, 0)
	defer l.Close()
	say(t, h, "a")
	h.Close()
	h.Close()
	say(t, h, "too late")
	types, _ := next(t, l)
	require.Equal(t, []string{"a"}, types)
	_, _, err := l.Next(t.Context())
	require.ErrorIs(t, err, io.EOF)
}

func TestAListenerThatGivesUpIsLetGo(t *testing.T) {
	h := feed.NewHub(feed.Options{})
	l := h.Listen("test", feed.Filter{}, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := l.Next(ctx)
	require.ErrorIs(t, err, context.Canceled)
	l.Close()
	require.Zero(t, h.Counts().Listeners["test"])
}

// Listeners come and go as they like; each still hears everything once.
func TestManyListenersThatComeAndGoMissNothing(t *testing.T) {
	const listeners, messages = 50, 500
	h := feed.NewHub(feed.Options{Messages: messages})
	from := h.Last()
	var all sync.WaitGroup
	for i := range listeners {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			at := from
			for at < from+messages {
				l := h.Listen("test", feed.Filter{}, at)
				for n := rng.IntN(60); n >= 0 && at < from+messages; n-- {
					list, missed, err := l.Next(t.Context())
					if err != nil || missed != 0 {
						t.Errorf("listener %d: %v, %d missed", i, err, missed)
						l.Close()
						return
					}
					for _, m := range list {
						if m.ID != at+1 {
							t.Errorf("listener %d heard %d after %d", i, m.ID, at)
						}
						at = m.ID
					}
				}
				l.Close()
			}
		})
	}
	for range messages {
		say(t, h, "x")
	}
	all.Wait()
}
