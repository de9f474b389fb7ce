package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/api"
	"crokcam/board"
	"crokcam/match"
	"crokcam/match/rehearse"
	"crokcam/match/store"
	"crokcam/rules"
)

// club is a store with the matches that the description's examples speak of: each
// in the state that its example needs.
func club(t testing.TB) *store.Memory {
	t.Helper()
	s := store.NewMemory()
	c := &clubhouse{t: t, s: s, board: "table-3", now: time.Date(2026, 11, 30, 19, 0, 0, 0, time.UTC)}
	singles := rehearse.Singles(4)
	shot := match.ShotDetected{Seat: board.South, After: board.Snapshot{Discs: []board.Disc{disc(60, 30, board.SideA)}}}

	c.match("K4MR7", singles, match.RoundStarted{Lead: board.South})
	c.match("BTWN4", singles)
	c.match("CRT78", singles, match.RoundStarted{Lead: board.South}, shot, judge{})
	c.match("ASK9A", singles, match.RoundStarted{Lead: board.South}, shot, judge{}, match.QuestionAsked{
		Turn: 3, About: match.AboutClose, Discs: []match.DiscID{"3"}, Blocking: true,
		Choices: []match.Choice{{Key: "15"}, {Key: "10", Change: &match.Change{Value: &match.ChangeValue{Disc: "3", Zone: board.Ten}}}},
	})
	c.match("CNT56", singles, match.RoundStarted{Lead: board.South}, match.Desynced{Reason: "bumped"}, match.Resynced{
		Board: board.Snapshot{Discs: []board.Disc{
			disc(60, 30, board.SideA), disc(0, 260, board.SideA), disc(-60, 30, board.SideB), disc(60, -40, board.SideB), disc(-60, -40, board.SideB),
		}},
		Twenties: match.Points{board.SideA: 3},
	})
	c.match("UND4C", singles, match.RoundStarted{Lead: board.South}, match.Undone{Target: 2})
	c.match("PSE5D", singles, match.Paused{Reason: "coffee"})
	level := rehearse.Singles(1)
	level.Stages[0].Format.End.Ties = []rules.TieBreak{rules.Shootout}
	c.match("SHT6E", level, match.RoundEntered{Totals: match.Points{0, 40, 40}})
	c.played("DNE23", 7)

	k4mr7, err := s.Find(t.Context(), "K4MR7")
	require.NoError(t, err)
	for id, paper := range map[string]string{
		"table-3": `"open":true,"match":"` + k4mr7.Match + `"`, "table-4": `"open":false`, "table-5": `"open":true`,
	} {
		_, err := s.PutPaper(t.Context(), store.Paper{Kind: "board", ID: id, Data: json.RawMessage(
			`{"id":"` + id + `","name":"` + id + `","source":"rtsp://scorer:secret@10.0.0.7/` + id + `","preset":"auto",` + paper + `}`)})
		require.NoError(t, err)
	}
	_, err = s.PutPaper(t.Context(), store.Paper{Kind: "webhook", ID: "tournament", Data: json.RawMessage(
		`{"id":"tournament","url":"http://127.0.0.1:1/","types":["match.ended"],"active":true,"created":"2026-11-30T19:00:00Z","secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}`)})
	require.NoError(t, err)
	return s
}

type clubhouse struct {
	t     testing.TB
	s     *store.Memory
	board string
	now   time.Time
	n     int
}

// judge stands for the verdict on the shot before.
type judge struct{ match.Note }

func disc(x, y float64, side board.Side) board.Disc {
	return board.Disc{Point: board.Point{X: x, Y: y}, Side: side, Sigma: 0.4, Confidence: 0.99}
}

// match begins a match and records what happened in it.
func (c *clubhouse) match(code string, plan rules.Plan, bodies ...match.Body) {
	c.t.Helper()
	c.n++
	clock := func() time.Time { c.now = c.now.Add(time.Second); return c.now }
	r, err := store.Start(c.t.Context(), c.s, clock, match.Actor{Role: match.Scorer, Name: "Sam"}, "", match.Started{
		Match: fmt.Sprintf("00000000-0000-7000-8000-%012d", c.n), Code: code, Title: "Club night", Plan: match.Plan(plan), Board: c.board,
		Players: []match.Player{{Seat: board.South, Name: "Ann"}, {Seat: board.North, Name: "Bob"}},
		Sides:   []match.SideName{{Side: board.SideA, Colour: "black"}, {Side: board.SideB, Colour: "natural"}},
	})
	require.NoError(c.t, err, code)
	for _, b := range bodies {
		if _, ok := b.(judge); ok {
			v, err := r.State().Judge(r.State().LastTurn(), nil)
			require.NoError(c.t, err, code)
			b = match.ShotJudged{Shot: r.State().LastTurn(), Verdict: match.Verdict(v)}
		}
		_, err := r.Record(c.t.Context(), store.Entry{Actor: match.Actor{Role: match.Camera, Name: "camera 1"}, Bodies: []match.Body{b}})
		require.NoError(c.t, err, "%s: %s", code, b.Kind())
	}
}

// played keeps a whole match, with the pictures of its first shot.
func (c *clubhouse) played(code string, seed uint64) {
	c.t.Helper()
	events, err := rehearse.New(seed, rehearse.Singles(2)).Play()
	require.NoError(c.t, err)
	start := events[0].Body.(match.Started)
	start.Code, start.Board = code, "table-1"
	events[0].Body = start
	add := func(list []match.Event) {
		state, err := match.Fold(list)
		require.NoError(c.t, err)
		_, err = c.s.Append(c.t.Context(), store.Append{Match: start.Match, Expect: 0, Events: list, Summary: state.Summary()})
		require.NoError(c.t, err)
	}
	add(events[:1])
	shot := events[2].Body.(match.ShotDetected)
	for i, to := range []*string{&shot.Pictures.Before, &shot.Pictures.After} {
		*to, err = c.s.PutPicture(c.t.Context(), start.Match, smallJPEG(c.t, uint8(50*i)))
		require.NoError(c.t, err)
	}
	events[2].Body = shot
	state, err := match.Fold(events)
	require.NoError(c.t, err)
	_, err = c.s.Append(c.t.Context(), store.Append{Match: start.Match, Expect: 1, Events: events[1:], Summary: state.Summary()})
	require.NoError(c.t, err)
}

func smallJPEG(t testing.TB, grey uint8) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 16, 16))
	for i := range img.Pix {
		img.Pix[i] = grey
	}
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, img, nil))
	return b.Bytes()
}

// clubOptions are those of a service that has the club's matches.
func clubOptions(t testing.TB) api.Options {
	o := options(scores(t))
	o.Store = copied{club(t)}
	o.OpenTable = openFake(t, new(sync.Map))
	return o
}

// copied is a store that can be backed up.
type copied struct{ *store.Memory }

func (copied) Backup(_ context.Context, to string, _ bool) error {
	return os.WriteFile(to, []byte("all of it"), 0o600)
}
