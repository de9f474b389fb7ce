package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/api"
	"crokcam/api/hall"
	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/live"
	"crokcam/match"
	"crokcam/match/rehearse"
	"crokcam/match/store"
	"crokcam/rules"
	"crokcam/vision/decode"
	watch "crokcam/vision/shots"
)

// evening is a club night: a table in each state that a page has to show, under a
// camera that sees the photographed board.
type evening struct {
	testing.TB
	options api.Options
	store   *store.Memory
	tables  *sync.Map // by board: *nightTable
	n       int
}

// seen is the photographed board, where it lies, and its discs.
var seen = sync.OnceValues(func() (*calibrate.Calibration, error) {
	data, err := os.ReadFile(picture)
	if err != nil {
		return nil, err
	}
	pic, err := decode.DecodeFor(context.Background(), data, decode.Limits{}, calibrate.WorkingSize)
	if err != nil {
		return nil, err
	}
	defer pic.Close()
	work, err := pic.Work(calibrate.WorkingSize)
	if err != nil {
		return nil, err
	}
	return calibrate.Find(work, calibrate.Options{})
})

// nightTable is a table whose camera always sees the photographed board.
type nightTable struct {
	*fakeTable
	night  *evening
	advice []live.Advice
	asked  []string // what it was told to do
}

func (n *nightTable) Status() live.Status {
	s := n.fakeTable.Status()
	n.mu.Lock()
	defer n.mu.Unlock()
	s.State, s.Advice = watch.Idle, n.advice
	if n.lost {
		s.State, s.Camera.Code, s.Camera.Reason = watch.Offline, "gone", "the camera was unplugged"
	}
	if n.cal != nil {
		s.Calibration = &live.Calibration{Method: n.cal.Method, Board: n.cal.Board.Name, Known: true, Quality: n.cal.Quality}
	}
	s.Camera.FPS, s.Camera.Frames, s.Camera.Sessions, s.Camera.AnalysisMS = 29.97, 4021, 1, 12.5
	s.Camera.Got.Width, s.Camera.Got.Height = 1920, 1080
	for _, d := range recorded(n.night).Discs {
		sd := live.SeenDisc{Disc: board.Disc{Point: board.Point{X: d.XMM, Y: d.YMM}, Sigma: d.SigmaMM, Confidence: d.Confidence}, Colour: "#c03028", Px: d.Px}
		if d.Side == "B" {
			sd.Colour = "#d9b06f"
		}
		s.Discs = append(s.Discs, sd)
	}
	return s
}

func (n *nightTable) told(what string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, what)
}

func (n *nightTable) has() []string { n.mu.Lock(); defer n.mu.Unlock(); return slices.Clone(n.asked) }

func (n *nightTable) Accept(a live.Acceptance) error {
	next := "as worked out"
	if a.Next != nil {
		next = a.Next.String()
	}
	n.told("accept, next " + next)
	return nil
}

func (n *nightTable) Recalibrate() {
	n.told("calibrate by itself")
	n.SetCalibration(n.Calibration())
}

func (n *nightTable) UseCalibration(hand calibrate.Hand, w, h int) (*calibrate.Calibration, error) {
	names := make([]string, len(hand.Points))
	for i, p := range hand.Points {
		names[i] = p.Name
	}
	n.told(fmt.Sprintf("points of %d × %d: %s", w, h, strings.Join(names, " ")))
	c := *n.Calibration()
	c.Method = "points"
	n.SetCalibration(&c)
	return &c, nil
}

func (n *nightTable) Resume(ctx context.Context, actor match.Actor) error {
	_, err := n.Do(ctx, store.Entry{Actor: actor, Bodies: []match.Body{match.Resumed{}}})
	return err
}

func newEvening(t testing.TB) *evening {
	t.Helper()
	e := &evening{TB: t, store: store.NewMemory(), tables: new(sync.Map)}
	e.options = options(scores(t))
	e.options.Store = copied{e.store}
	e.options.Sources = func() ([]api.Source, error) {
		return []api.Source{{Source: "camera:/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920-video-index0", Name: "HD Pro Webcam C920"}}, nil
	}
	fake := openFake(t, new(sync.Map))
	cal, err := seen()
	require.NoError(t, err)
	photo, err := os.ReadFile(picture)
	require.NoError(t, err)
	e.options.OpenTable = func(o live.Options) (hall.Table, error) {
		f, err := fake(o)
		if err != nil {
			return nil, err
		}
		n := &nightTable{fakeTable: f.(*fakeTable), night: e, advice: []live.Advice{}}
		n.cal, n.picture = cal, photo
		e.tables.Store(o.ID, n)
		return n, nil
	}
	return e
}

// table is a board's, once it is open.
func (e *evening) table(id string) *nightTable {
	e.Helper()
	v, ok := e.tables.Load(id)
	require.True(e, ok, id)
	return v.(*nightTable)
}

// board puts one up, with a match on it if one is named.
func (e *evening) board(id, name, matchID string, open bool) {
	e.Helper()
	paper, err := json.Marshal(hall.Board{ID: id, Name: name, Source: "camera:0", Preset: "auto", Open: open, Match: matchID})
	require.NoError(e, err)
	_, err = e.store.PutPaper(e.Context(), store.Paper{Kind: "board", ID: id, Data: paper})
	require.NoError(e, err)
}

// rehearsed keeps a match that was played until it is as wished.
func (e *evening) rehearsed(code, title, on string, seed uint64, plan rules.Plan, names []string, until func(match.State) bool) string {
	e.Helper()
	play := rehearse.New(seed, plan)
	for {
		more, err := play.Step()
		require.NoError(e, err)
		if !more || until(play.State) {
			break
		}
	}
	events := slices.Clone(play.State.Events())
	e.n++
	start := events[0].Body.(match.Started)
	start.Match, start.Code, start.Title, start.Board = fmt.Sprintf("00000000-0000-7000-8000-0000000001%02d", e.n), code, title, on
	start.Players = slices.Clone(start.Players)
	for i := range start.Players {
		start.Players[i].Name = names[i]
	}
	start.Sides = []match.SideName{{Side: board.SideA, Colour: "black"}, {Side: board.SideB, Colour: "natural"}}
	events[0].Body = start
	photo, err := os.ReadFile(picture)
	require.NoError(e, err)
	state, err := match.Fold(events[:1])
	require.NoError(e, err)
	_, err = e.store.Append(e.Context(), store.Append{Match: start.Match, Events: events[:1], Summary: state.Summary()})
	require.NoError(e, err)
	name, err := e.store.PutPicture(e.Context(), start.Match, photo)
	require.NoError(e, err)
	for i := range events {
		if shot, ok := events[i].Body.(match.ShotDetected); ok {
			shot.Pictures = match.Pictures{Before: name, After: name}
			events[i].Body = shot
		}
	}
	state, err = match.Fold(events)
	require.NoError(e, err)
	_, err = e.store.Append(e.Context(), store.Append{Match: start.Match, Expect: 1, Events: events[1:], Summary: state.Summary()})
	require.NoError(e, err)
	return start.Match
}

// close keeps a match in which the photographed board has come about, with the
// question about the disc that lies too close to the line.
func (e *evening) close(on string) string {
	e.Helper()
	r := recorded(e)
	near := *r.Warnings[0].Disc
	var before []board.Disc
	var last board.Disc
	for i, d := range r.Discs {
		disc := board.Disc{Point: board.Point{X: d.XMM, Y: d.YMM}, Side: board.SideA, Sigma: 0.4, Confidence: 0.99}
		if d.Side == "B" {
			disc.Side = board.SideB
		}
		if i == near {
			last = disc
		} else {
			before = append(before, disc)
		}
	}
	seat := board.South
	if last.Side == board.SideB {
		seat = board.North
	}
	plan := rehearse.Singles(4)
	plan.Stages[0].Format.Discs = 12
	id := "00000000-0000-7000-8000-000000000099"
	rec, err := store.Start(e.Context(), e.store, func() time.Time { return time.Date(2026, 11, 30, 19, 0, 0, 0, time.UTC) }, match.Actor{Role: match.Scorer, Name: "Sam"}, "", match.Started{
		Match: id, Code: "CLS47", Title: "Semi-final", Plan: match.Plan(plan), Board: on,
		Players: []match.Player{{Seat: board.South, Name: "Ingrid"}, {Seat: board.North, Name: "Somchai"}},
		Sides:   []match.SideName{{Side: board.SideA, Colour: "red"}, {Side: board.SideB, Colour: "natural"}},
	})
	require.NoError(e, err)
	add := func(b match.Body) match.State {
		s, err := rec.Record(e.Context(), store.Entry{Actor: match.Actor{Role: match.Camera, Name: "camera 3"}, Bodies: []match.Body{b}})
		require.NoError(e, err, b.Kind())
		return s
	}
	add(match.RoundStarted{Lead: seat})
	add(match.Desynced{Reason: "set up"})
	add(match.Resynced{Board: board.Snapshot{Discs: before}, Twenties: match.Points{board.SideA: 1}, Left: match.Left{board.South: 1, board.North: 1}, Next: seat})
	photo, err := os.ReadFile(picture)
	require.NoError(e, err)
	name, err := e.store.PutPicture(e.Context(), id, photo)
	require.NoError(e, err)
	s := add(match.ShotDetected{
		Seat: seat, Before: board.Snapshot{Discs: before}, After: board.Snapshot{Discs: append(slices.Clone(before), last)}, Pictures: match.Pictures{Before: name, After: name},
	})
	shot := s.LastTurn()
	v, err := s.Judge(shot, nil)
	require.NoError(e, err)
	if v.Ruling != rules.Good {
		v = good(v)
	}
	add(match.ShotJudged{Shot: shot, Verdict: match.Verdict(v)})
	d := r.Discs[near]
	zone := map[string]board.Zone{"5": board.Five, "10": board.Ten, "15": board.Fifteen}
	other := d.OtherZone
	add(match.QuestionAsked{Turn: shot, About: match.AboutClose, Discs: []match.DiscID{match.ShotDisc(shot)}, Blocking: true, Choices: []match.Choice{
		{Key: d.Zone}, {Key: other, Change: &match.Change{Value: &match.ChangeValue{Disc: match.ShotDisc(shot), Zone: zone[other]}}},
	}})
	return id
}

// good is a verdict on which nobody has anything to say.
func good(v rules.Verdict) rules.Verdict {
	v.Ruling, v.Doubts, v.Review, v.Outcomes = rules.Good, nil, false, slices.Clone(v.Outcomes)
	for i := range v.Outcomes {
		v.Outcomes[i].Fate = rules.OnBoard
	}
	v.Reasons = []rules.Reason{{Rule: "CON-1", Key: "contact.hit", Disc: 0, Other: -1}}
	return v
}

// full is a whole club night.
func full(t testing.TB) *evening {
	t.Helper()
	e := newEvening(t)
	singles := rehearse.Singles(4)
	shotsIn := func(round, shots int) func(match.State) bool {
		return func(s match.State) bool {
			v := s.View()
			return v.Round == round && v.Last != nil && v.Last.Number >= shots && v.Phase == match.Shooting
		}
	}
	phase := func(p match.Phase) func(match.State) bool { return func(s match.State) bool { return s.Phase() == p } }
	doubles := rules.BestOf(3, rules.Format{
		Layout: rules.Doubles, Discs: 6, End: rules.End{Target: 100}, Rules: rules.Ruleset{RoundScore: rules.MatchPoints, Board: board.Tournament26()},
	})
	e.board("table-1", "Table 1", e.rehearsed("FNL23", "Final", "table-1", 3, singles, []string{"Anneke de Vries", "Bob Tremblay"}, shotsIn(2, 9)), true)
	e.board("table-2", "Table 2", e.rehearsed("DBL45", "Doubles", "table-2", 5, doubles, []string{"Ann", "Bob", "Cleo", "Dan"}, shotsIn(2, 11)), true)
	e.board("table-3", "Table 3", e.close("table-3"), true)
	e.board("table-4", "Table 4", e.rehearsed("CNT67", "Pool B", "table-4", 8, singles, []string{"ปิยะ", "Émile"}, phase(match.Counting)), true)
	e.board("table-5", "Table 5", e.rehearsed("VER89", "Pool A", "table-5", 9, singles, []string{"Wim", "Zoë"}, phase(match.Over)), true)
	e.board("table-6", "Table 6", "", false)
	return e
}

// How long something may take at most that another goroutine does, and how often
// it is looked at.
const waitLong, waitStep = 10 * time.Second, 10 * time.Millisecond

// noTime is of a token that holds for ever.
var noTime time.Time

// onSVG is where a place of a drawn board, mm, is in the window.
func (p *page) onSVG(selector string, x, y float64) xy {
	p.Helper()
	return evaluate[xy](p, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"});
		const q = new DOMPoint(%g, %g).matrixTransform(e.getScreenCTM()); return {X: q.x, Y: q.y}; })()`, selector, x, -y))
}
