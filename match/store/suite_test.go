package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/match"
	"crokcam/match/rehearse"
	"crokcam/match/store"
)

// both runs a test with either kind of store.
func both(t *testing.T, f func(t *testing.T, s store.Store)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { f(t, store.NewMemory()) })
	t.Run("sqlite", func(t *testing.T) { f(t, openDB(t, filepath.Join(t.TempDir(), "matches.db"))) })
}

func openDB(t *testing.T, path string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

var (
	evening = time.Date(2026, 11, 30, 19, 0, 0, 0, time.UTC)
	sam     = match.Actor{Role: match.Scorer, Name: "Sam"}
	camera  = match.Actor{Role: match.Camera, Name: "camera:0"}
)

// ticking is a clock that goes on by a second each time it is looked at.
func ticking(from time.Time) func() time.Time {
	var mu sync.Mutex
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		from = from.Add(time.Second)
		return from
	}
}

func setup(title string) match.Started {
	return match.Started{
		Title: title, Board: "table 1", Plan: match.Plan(rehearse.Singles(2)),
		Players: []match.Player{{Seat: board.South, Name: "Ann"}, {Seat: board.North, Name: "Bob"}},
	}
}

func start(t *testing.T, s store.Store, at time.Time, title string) *store.Recorder {
	t.Helper()
	r, err := store.Start(t.Context(), s, ticking(at), sam, "", setup(title))
	require.NoError(t, err)
	return r
}

// picture is a small JPEG of one colour.
func picture(t testing.TB, grey uint8) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 16, 16))
	for i := range img.Pix {
		img.Pix[i] = grey
	}
	img.Set(3, 3, color.White)
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, img, nil))
	return b.Bytes()
}

func TestAMatchIsReadBackAsItWasRecorded(t *testing.T) {
	both(t, func(t *testing.T, s store.Store) {
		table := rehearse.New(3, rehearse.Singles(2))
		table.Noise = 0.1
		events, err := table.Play()
		require.NoError(t, err)
		id := table.State.Setup().Match
		for i, e := range events {
			_, err := s.Append(t.Context(), store.Append{Match: id, Expect: i, Events: []match.Event{e}, Summary: table.State.Summary()})
			require.NoError(t, err)
		}
		state, err := store.Load(t.Context(), s, id)
		require.NoError(t, err)
		require.Equal(t, table.State.View(), state.View())

		part, err := s.Events(t.Context(), id, 5, 3)
		require.NoError(t, err)
		require.Len(t, part, 3)
		require.Equal(t, 6, part[0].Seq)

		info, err := s.Match(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, len(events), info.Version)
		require.Equal(t, "Club night", info.Title)
		require.Equal(t, match.Over, info.Summary.Phase)
		require.Equal(t, []string{"Ann"}, info.Summary.Sides[0].Players)
	})
}

func TestARecorderRefusesWhatDoesNotFitAndKeepsNothingOfIt(t *testing.T) {
	both(t, func(t *testing.T, s store.Store) {
		r := start(t, s, evening, "final")
		_, err := r.Record(t.Context(), store.Entry{Actor: camera, Bodies: []match.Body{
			match.RoundStarted{Lead: board.South}, match.RoundAgreed{}, // the second cannot be
		}})
		var refused *match.RefusedError
		require.ErrorAs(t, err, &refused)
		require.ErrorIs(t, err, match.ErrPhase)
		require.Equal(t, 1, r.State().Version())
		events, err := s.Events(t.Context(), r.State().Setup().Match, 0, 0)
		require.NoError(t, err)
		require.Len(t, events, 1)
	})
}

func TestTwoWhoWriteAtOnceDoNotOverwriteEachOther(t *testing.T) {
	both(t, func(t *testing.T, s store.Store) {
		one := start(t, s, evening, "final")
		id := one.State().Setup().Match
		two, err := store.Resume(t.Context(), s, ticking(evening), id)
		require.NoError(t, err)

		_, err = one.Record(t.Context(), store.Entry{Actor: sam, Bodies: []match.Body{match.RoundStarted{Lead: board.South}}})
		require.NoError(t, err)
		_, err = two.Record(t.Context(), store.Entry{Actor: sam, Bodies: []match.Body{match.RoundStarted{Lead: board.North}}})
		var conflict *store.ConflictError
		require.ErrorAs(t, err, &conflict)
		require.Equal(t, store.ConflictError{Match: id, Expected: 1, Actual: 2}, *conflict)
		// It now sees what was written, and can decide again.
		require.Equal(t, 2, two.State().Version())
		_, err = two.Record(t.Context(), store.Entry{Actor: sam, Expect: 2, Bodies: []match.Body{match.Note{Text: "good luck"}}})
		require.NoError(t, err)
		_, err = one.Record(t.Context(), store.Entry{Actor: sam, Expect: 2, Bodies: []match.Body{match.Note{Text: "late"}}})
		require.ErrorAs(t, err, &conflict)
		require.Equal(t, 3, conflict.Actual)
	})
}

func TestManyWritersLoseNothing(t *testing.T) {
	both(t, func(t *testing.T, s store.Store) {
		id := start(t, s, evening, "final").State().Setup().Match
		var wg sync.WaitGroup
		const writers, notes = 4, 10
		for w := range writers {
			wg.Go(func() {
				r, err := store.Resume(t.Context(), s, ticking(evening), id)
				if err != nil {
					t.Error(err)
					return
				}
				for n := 0; n < notes; {
					_, err := r.Record(t.Context(), store.Entry{Actor: sam, Bodies: []match.Body{match.Note{Text: fmt.Sprint(w, n)}}})
					if _, ok := errors.AsType[*store.ConflictError](err); ok {
						continue
					}
					if err != nil {
						t.Error(err)
						return
					}
					n++
				}
			})
		}
		wg.Wait()
		state, err := store.Load(t.Context(), s, id)
		require.NoError(t, err)
		require.Equal(t, 1+writers*notes, state.Version())
		told := map[string]bool{}
		for _, e := range state.Events() {
			if n, ok := e.Body.(match.Note); ok {
				told[n.Text] = true
			}
		}
		require.Len(t, told, writers*notes)
	})
}

func TestARequestSentTwiceIsCarriedOutOnce(t *testing.T) {
	both(t, func(t *testing.T, s store.Store) {
		one, err := store.Start(t.Context(), s, ticking(evening), sam, "create-7", setup("final"))
		require.NoError(t, err)
		two, err := store.Start(t.Context(), s, ticking(evening), sam, "create-7", setup("final"))
		require.NoError(t, err)
		require.Equal(t, one.State().Setup(), two.State().Setup())
		_, err = store.Start(t.Context(), s, ticking(evening), sam, "create-7", setup("another"))
		require.ErrorIs(t, err, store.ErrKeyReused)

		entry := store.Entry{Actor: sam, Key: "start-1", Expect: 1, Bodies: []match.Body{match.RoundStarted{Lead: board.South}}}
		for range 3 {
			state, err := one.Record(t.Context(), entry)
			require.NoError(t, err)
			require.Equal(t, 2, state.Version())
		}
		// Another program sends it again.
		state, err := two.Record(t.Context(), entry)
		require.NoError(t, err)
		require.Equal(t, 2, state.Version())

		entry.Bodies = []match.Body{match.Note{Text: "something else"}}
		_, err = one.Record(t.Context(), entry)
		require.ErrorIs(t, err, store.ErrKeyReused)
		other := start(t, s, evening, "other")
		_, err = other.Record(t.Context(), store.Entry{Actor: sam, Key: "start-1", Bodies: []match.Body{match.RoundStarted{Lead: board.South}}})
		require.ErrorIs(t, err, store.ErrKeyReused)
	})
}

func TestTheListGoesOnWhereACursorPoints(t *testing.T) {
	both(t, func(t *testing.T, s store.Store) {
		var want []string
		for i := range 7 {
			// Some begin at the same moment.
			r := start(t, s, evening.Add(time.Duration(i/2)*time.Hour), fmt.Sprint("match ", i))
			want = append(want, r.State().Setup().Match)
		}
		seen := map[string]bool{}
		var order []store.Info
		q := store.Query{Limit: 3}
		for {
			page, err := s.List(t.Context(), q)
			require.NoError(t, err)
			for _, m := range page.Matches {
				require.False(t, seen[m.Match], "twice")
				seen[m.Match] = true
				order = append(order, m)
			}
			if page.Next == "" {
				break
			}
			q.Cursor = page.Next
			start(t, s, evening.Add(24*time.Hour), "begun meanwhile") // shifts nothing
		}
		require.Len(t, order, len(want))
		for i := 1; i < len(order); i++ {
			require.False(t, order[i].Started.After(order[i-1].Started), "the newest first")
		}
		_, err := s.List(t.Context(), store.Query{Cursor: "tomorrow"})
		require.ErrorIs(t, err, store.ErrCursor)
		none, err := s.List(t.Context(), store.Query{Board: "table 9"})
		require.NoError(t, err)
		require.Empty(t, none.Matches)
	})
}

func TestAMatchIsFoundByWhatPeopleTypeOfIt(t *testing.T) {
	both(t, func(t *testing.T, s store.Store) {
		one, two := start(t, s, evening, "one"), start(t, s, evening, "two")
		id, code := one.State().Setup().Match, one.State().Setup().Code
		for _, word := range []string{id, code, strings.ToLower(code)} {
			info, err := s.Find(t.Context(), word)
			require.NoError(t, err, word)
			require.Equal(t, id, info.Match)
		}
		_, err := s.Find(t.Context(), commonPrefix(id, two.State().Setup().Match))
		require.ErrorIs(t, err, store.ErrAmbiguous)
		for _, word := range []string{"", "%", "nothing"} {
			_, err = s.Find(t.Context(), word)
			require.ErrorIs(t, err, store.ErrNotFound, word)
		}
	})
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

func TestPicturesAreKeptOnceAndGoWithTheLastMatchThatHasThem(t *testing.T) {
	both(t, func(t *testing.T, s store.Store) {
		one, two := start(t, s, evening, "one"), start(t, s, evening, "two")
		a, b := one.State().Setup().Match, two.State().Setup().Match
		name, err := s.PutPicture(t.Context(), a, picture(t, 100))
		require.NoError(t, err)
		again, err := s.PutPicture(t.Context(), b, picture(t, 100))
		require.NoError(t, err)
		require.Equal(t, name, again)
		mine, err := s.PutPicture(t.Context(), a, picture(t, 200))
		require.NoError(t, err)
		got, err := s.Picture(t.Context(), mine)
		require.NoError(t, err)
		require.Equal(t, picture(t, 200), got)
		info, err := s.Match(t.Context(), a)
		require.NoError(t, err)
		require.Equal(t, 2, info.Pictures)

		require.NoError(t, s.Delete(t.Context(), a))
		_, err = s.Picture(t.Context(), mine)
		require.ErrorIs(t, err, store.ErrNotFound)
		_, err = s.Picture(t.Context(), name)
		require.NoError(t, err)
		_, err = s.Events(t.Context(), a, 0, 0)
		require.ErrorIs(t, err, store.ErrNotFound)
		require.ErrorIs(t, s.Delete(t.Context(), a), store.ErrNotFound)
		_, err = s.PutPicture(t.Context(), a, picture(t, 1))
		require.ErrorIs(t, err, store.ErrNotFound)
		_, err = s.PutPicture(t.Context(), b, []byte("no picture"))
		require.ErrorIs(t, err, store.ErrPicture)
	})
}

func TestWhatIsOldEnoughIsPruned(t *testing.T) {
	both(t, func(t *testing.T, s store.Store) {
		day := 24 * time.Hour
		now := evening.Add(100 * day)
		old := start(t, s, now.Add(-90*day), "old").State().Setup().Match
		older := start(t, s, now.Add(-40*day), "not so old").State().Setup().Match
		fresh := start(t, s, now.Add(-2*day), "fresh").State().Setup().Match
		for i, id := range []string{old, older, fresh} {
			_, err := s.PutPicture(t.Context(), id, picture(t, uint8(i)))
			require.NoError(t, err)
		}
		p, err := s.Prune(t.Context(), store.Retention{Now: now})
		require.NoError(t, err)
		require.Zero(t, p, "without limits everything stays")
		p, err = s.Prune(t.Context(), store.Retention{Now: now, Matches: 60 * day, Pictures: 30 * day})
		require.NoError(t, err)
		require.Equal(t, store.Pruned{Matches: 1, Pictures: 2}, p)
		page, err := s.List(t.Context(), store.Query{})
		require.NoError(t, err)
		require.Len(t, page.Matches, 2)
		info, err := s.Match(t.Context(), fresh)
		require.NoError(t, err)
		require.Equal(t, 1, info.Pictures)
	})
}

func TestWhatIsNoNextEventIsNotAppended(t *testing.T) {
	both(t, func(t *testing.T, s store.Store) {
		table := rehearse.New(1, rehearse.Singles(1))
		events, err := table.Play()
		require.NoError(t, err)
		id := table.State.Setup().Match
		for name, a := range map[string]store.Append{
			"nothing":             {Match: id},
			"a gap":               {Match: id, Expect: 0, Events: events[1:2]},
			"no start":            {Match: id, Expect: 1, Events: events[2:3]},
			"another's start":     {Match: "other", Events: events[:1]},
			"a second start":      {Match: id, Expect: 1, Events: []match.Event{{Seq: 2, ID: "x", Body: events[0].Body}}},
			"an event with no id": {Match: id, Events: []match.Event{{Seq: 1, Body: events[0].Body}}},
		} {
			_, err := s.Append(t.Context(), a)
			require.ErrorIs(t, err, store.ErrInvalid, name)
		}
		_, err = s.Append(t.Context(), store.Append{Match: id, Expect: 1, Events: events[1:2]})
		require.ErrorIs(t, err, store.ErrNotFound)
		_, err = s.Append(t.Context(), store.Append{Match: id, Events: events[:2]})
		require.NoError(t, err)
		_, err = s.Append(t.Context(), store.Append{Match: id, Events: events[:2]})
		require.ErrorIs(t, err, store.ErrExists)
	})
}

func TestCodesAreEasyToReadOut(t *testing.T) {
	seen := map[string]bool{}
	for range 200 {
		c := store.NewCode()
		require.Len(t, c, 5)
		require.False(t, strings.ContainsAny(c, "ILO01"), c)
		seen[c] = true
	}
	require.Greater(t, len(seen), 190)
}

func TestAnEndedContextEndsTheWork(t *testing.T) {
	db := openDB(t, filepath.Join(t.TempDir(), "matches.db"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := store.Start(ctx, db, nil, sam, "", setup("final"))
	require.ErrorIs(t, err, context.Canceled)
}
