package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"crokcam/board/presets"
	"crokcam/calibrate"
	"crokcam/live"
	"crokcam/match"
	"crokcam/match/store"
	"crokcam/vision/capture"
)

// Table is what the hall needs of a live.Table.
type Table interface {
	Run(ctx context.Context) error
	Close() error
	Status() live.Status
	Begin(ctx context.Context, actor match.Actor, key string, setup match.Started) (match.State, error)
	Attach(ctx context.Context, id string) (match.State, error)
	Detach() error
	Do(ctx context.Context, e store.Entry) (match.State, error)
	Pause(ctx context.Context, actor match.Actor, reason string) error
	Resume(ctx context.Context, actor match.Actor) error
	Accept(a live.Acceptance) error
	Recalibrate()
	UseCalibration(hand calibrate.Hand, w, h int) (*calibrate.Calibration, error)
	SetCalibration(c *calibrate.Calibration)
	Calibration() *calibrate.Calibration
	Picture(kind live.PictureKind) ([]byte, error)
	Wait(ctx context.Context, seq uint64) (uint64, error)
}

// Options are what a hall works with.
type Options struct {
	Papers  store.Papers
	Store   store.Store
	Log     *slog.Logger
	Clock   func() time.Time // time.Now when it is nil
	Fixed   []Board          // of the settings
	Capture capture.Options  // what cameras are asked for, unless the board says otherwise

	// Open opens a table; live.Open when it is nil.
	Open func(live.Options) (Table, error)
	// Hear is told what happens at tables, in order and one at a time. It may call the
	// hall and the tables.
	Hear func(live.Notice)
	// Changed is told of each change of a board itself; gone when it was removed.
	Changed func(id string, gone bool)
}

// Hall keeps the boards.
type Hall struct {
	o      Options
	ctx    context.Context
	cancel context.CancelFunc
	done   sync.WaitGroup
	ear    *ear

	changing sync.Mutex // held while boards are opened, changed and closed

	mu     sync.Mutex
	tables map[string]*seat // by board
	on     map[string]*seat // by match
}

// seat is a table that is open.
type seat struct {
	board string
	table Table
	match string
	film  film
	ended chan struct{} // closed when Run has returned
}

// New makes a hall; Start opens its boards.
func New(o Options) *Hall {
	if o.Open == nil {
		o.Open = func(l live.Options) (Table, error) { return live.Open(l) }
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Hear == nil {
		o.Hear = func(live.Notice) {}
	}
	if o.Changed == nil {
		o.Changed = func(string, bool) {}
	}
	h := &Hall{o: o, tables: map[string]*seat{}, on: map[string]*seat{}}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.ear = newEar(h.heard)
	return h
}

// Start opens the boards whose camera is to run. A board that cannot be opened is
// logged, and does not keep the others from it.
func (h *Hall) Start(ctx context.Context) error {
	h.changing.Lock()
	defer h.changing.Unlock()
	for _, b := range h.o.Fixed {
		if err := h.settle(ctx, b); err != nil {
			return err
		}
	}
	boards, err := h.boards(ctx)
	if err != nil {
		return err
	}
	for _, b := range boards {
		if !b.Open {
			continue
		}
		if err := h.open(ctx, &b); err != nil {
			h.o.Log.Error("a board could not be opened", "board", b.ID, "error", capture.Mask(err.Error()))
		}
	}
	return nil
}

// settle keeps a board of the settings, with the match that is on it and where it
// was found to lie.
func (h *Hall) settle(ctx context.Context, b Board) error {
	if b.Name == "" {
		b.Name = b.ID
	}
	if err := b.check(h.schemes()...); err != nil && b.Spec == nil {
		return fmt.Errorf("boards: %s: %w", b.ID, err)
	}
	was, err := h.board(ctx, b.ID)
	switch {
	case err == nil:
		b.Version, b.Match = was.Version, was.Match
		if b.Calibration == nil && b.Source == was.Source && b.Preset == was.Preset {
			b.Calibration = was.Calibration
		}
	case !errors.Is(err, ErrUnknown):
		return err
	}
	return h.keep(ctx, &b)
}

// fixed is a board of the settings.
func (h *Hall) fixed(id string) (*Board, bool) {
	for i := range h.o.Fixed {
		if h.o.Fixed[i].ID == id {
			return &h.o.Fixed[i], true
		}
	}
	return nil, false
}

// schemes are those of plug-in sources.
func (h *Hall) schemes() []string {
	return slices.Collect(maps.Keys(h.o.Capture.Plugins))
}

// Close closes all tables. What they have told before is heard first.
func (h *Hall) Close() error {
	h.changing.Lock()
	defer h.changing.Unlock()
	h.mu.Lock()
	seats := make([]*seat, 0, len(h.tables))
	for _, s := range h.tables {
		seats = append(seats, s)
	}
	h.mu.Unlock()
	var errs []error
	for _, s := range seats {
		errs = append(errs, h.leave(s))
	}
	h.done.Wait()
	h.ear.close()
	h.cancel()
	return errors.Join(errs...)
}

func (h *Hall) boards(ctx context.Context) ([]Board, error) {
	papers, err := h.o.Papers.Papers(ctx, kind)
	if err != nil {
		return nil, fmt.Errorf("hall: read boards: %w", err)
	}
	out := make([]Board, len(papers))
	for i, p := range papers {
		if out[i], err = fromPaper(p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (h *Hall) board(ctx context.Context, id string) (Board, error) {
	p, err := h.o.Papers.Paper(ctx, kind, id)
	if errors.Is(err, store.ErrNotFound) {
		return Board{}, fmt.Errorf("%w: %q", ErrUnknown, id)
	}
	if err != nil {
		return Board{}, fmt.Errorf("hall: read board: %w", err)
	}
	return fromPaper(p)
}

// List is all boards, by id.
func (h *Hall) List(ctx context.Context) ([]View, error) {
	boards, err := h.boards(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]View, len(boards))
	for i := range boards {
		out[i] = h.view(&boards[i])
	}
	return out, nil
}

// Get is one board. Errors: ErrUnknown.
func (h *Hall) Get(ctx context.Context, id string) (View, error) {
	b, err := h.board(ctx, id)
	if err != nil {
		return View{}, err
	}
	return h.view(&b), nil
}

func (h *Hall) view(b *Board) View {
	v := View{
		ID: b.ID, Name: b.Name, Preset: b.Preset, Size: b.Size, FPS: b.FPS, Focus: b.Focus, Exposure: b.Exposure,
		PowerLine: b.PowerLine, Open: b.Open, Match: b.Match, Version: b.Version, Source: h.shown(b.Source),
	}
	_, v.Fixed = h.fixed(b.ID)
	if s := h.seat(b.ID); s != nil {
		status := s.table.Status()
		status.Source = v.Source
		v.Status = &status
	}
	return v
}

// shown is a source without its credentials.
func (h *Hall) shown(source string) string {
	s, err := capture.ParseSource(source, h.schemes()...)
	if err != nil {
		return capture.Mask(source)
	}
	return s.String()
}

// Create adds a board and opens its camera if it is to run. Errors: ErrExists,
// *WrongError.
func (h *Hall) Create(ctx context.Context, b Board) (View, error) {
	h.changing.Lock()
	defer h.changing.Unlock()
	if b.ID == "" {
		b.ID = IDFor(b.Name)
	}
	if b.Preset == "" {
		b.Preset = "auto"
	}
	b.Version, b.Match, b.Calibration = 0, "", nil
	if err := b.check(h.schemes()...); err != nil {
		return View{}, err
	}
	if err := h.keep(ctx, &b); err != nil {
		if conflict := (*store.ConflictError)(nil); errors.As(err, &conflict) {
			return View{}, fmt.Errorf("%w: %s", ErrExists, b.ID)
		}
		return View{}, err
	}
	if b.Open {
		if err := h.open(ctx, &b); err != nil {
			return View{}, err
		}
	}
	h.o.Changed(b.ID, false)
	return h.view(&b), nil
}

// Edit changes a board. version is that which the change was decided on, 0 for
// any. What the camera is asked for applies at once: it is then opened anew.
// Errors: ErrUnknown, ErrFixed, *WrongError, *store.ConflictError.
func (h *Hall) Edit(ctx context.Context, id string, version int, change func(*Board)) (View, error) {
	h.changing.Lock()
	defer h.changing.Unlock()
	was, err := h.board(ctx, id)
	if err != nil {
		return View{}, err
	}
	if _, ok := h.fixed(id); ok {
		return View{}, ErrFixed
	}
	if version != 0 && version != was.Version {
		return View{}, &store.ConflictError{Match: "board " + id, Expected: version, Actual: was.Version}
	}
	b := was
	change(&b)
	b.ID = was.ID
	if err := b.check(h.schemes()...); err != nil {
		return View{}, err
	}
	if b.Source != was.Source || b.Preset != was.Preset {
		b.Calibration = nil // another camera, or another board
	}
	if err := h.keep(ctx, &b); err != nil {
		return View{}, err
	}
	if s := h.seat(id); s != nil && (!b.Open || another(&b, &was)) {
		if err := h.leave(s); err != nil {
			return View{}, err
		}
	}
	if b.Open && h.seat(id) == nil {
		if err := h.open(ctx, &b); err != nil {
			return View{}, err
		}
	}
	h.o.Changed(id, false)
	return h.view(&b), nil
}

// another tells whether a board's camera has to be opened anew.
func another(b, was *Board) bool {
	return b.Source != was.Source || b.Preset != was.Preset || b.Size != was.Size || b.FPS != was.FPS ||
		b.Focus != was.Focus || b.Exposure != was.Exposure || b.PowerLine != was.PowerLine || b.Name != was.Name
}

// Delete removes a board, but not while a match is on it. Errors: ErrUnknown,
// ErrInUse, *store.ConflictError.
func (h *Hall) Delete(ctx context.Context, id string, version int) error {
	h.changing.Lock()
	defer h.changing.Unlock()
	b, err := h.board(ctx, id)
	if err != nil {
		return err
	}
	if _, ok := h.fixed(id); ok {
		return ErrFixed
	}
	if version != 0 && version != b.Version {
		return &store.ConflictError{Match: "board " + id, Expected: version, Actual: b.Version}
	}
	s := h.seat(id)
	if s != nil {
		if st := s.table.Status(); st.Match != "" && st.Phase != match.Over {
			return ErrInUse
		}
		if err := h.leave(s); err != nil {
			return err
		}
	}
	if err := h.o.Papers.DeletePaper(ctx, kind, id); err != nil {
		return err
	}
	h.o.Changed(id, true)
	return nil
}

func (h *Hall) keep(ctx context.Context, b *Board) error {
	p, err := b.paper()
	if err != nil {
		return fmt.Errorf("hall: keep board %s: %w", b.ID, err)
	}
	p, err = h.o.Papers.PutPaper(ctx, p)
	if err != nil {
		return err
	}
	b.Version = p.Version
	return nil
}

// remember changes what is kept of a board beside its settings. It must not fail
// for want of the newest version, so it tries again.
func (h *Hall) remember(ctx context.Context, id string, change func(*Board)) {
	for range 5 {
		b, err := h.board(ctx, id)
		if err != nil {
			return // removed meanwhile
		}
		change(&b)
		err = h.keep(ctx, &b)
		if conflict := (*store.ConflictError)(nil); errors.As(err, &conflict) {
			continue
		}
		if err != nil {
			h.o.Log.Error("a board could not be kept", "board", id, "error", err)
		}
		return
	}
}

// open opens a board's table. Its camera may be unplugged: it is waited for.
func (h *Hall) open(ctx context.Context, b *Board) error {
	o := live.Options{
		ID: b.ID, Name: b.Name, Source: b.Source, Capture: b.capture(h.o.Capture), Calibration: b.Calibration,
		Store: h.o.Store, Clock: h.o.Clock, Log: h.o.Log, Notify: h.ear.say,
	}
	if f, ok := h.fixed(b.ID); ok && f.Spec != nil {
		o.Board = f.Spec
	} else if b.Preset != "auto" {
		spec, err := presets.ByName(b.Preset)
		if err != nil {
			return err
		}
		o.Board = &spec
	}
	t, err := h.o.Open(o)
	if err != nil {
		return err
	}
	s := &seat{board: b.ID, table: t, ended: make(chan struct{})}
	h.mu.Lock()
	h.tables[b.ID] = s
	h.mu.Unlock()
	h.done.Go(func() {
		defer close(s.ended)
		if err := t.Run(h.ctx); err != nil {
			h.o.Log.Error("a board's camera has ended", "board", b.ID, "error", capture.Mask(err.Error()))
		}
	})
	if b.Match == "" {
		return nil
	}
	if _, err := t.Attach(ctx, b.Match); err != nil {
		h.o.Log.Error("the match on a board could not be gone on with", "board", b.ID, "match", b.Match, "error", err)
		return nil
	}
	h.put(s, b.Match)
	return nil
}

// leave closes a table. The match on it stays the board's.
func (h *Hall) leave(s *seat) error {
	err := s.table.Close()
	<-s.ended
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.tables, s.board)
	if s.match != "" && h.on[s.match] == s {
		delete(h.on, s.match)
	}
	return err
}

func (h *Hall) seat(id string) *seat {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tables[id]
}

// put notes which match is on a table, "" for none.
func (h *Hall) put(s *seat, id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.match != "" && h.on[s.match] == s {
		delete(h.on, s.match)
	}
	if s.match = id; id != "" {
		h.on[id] = s
	}
}

// Table is a board's table. Errors: ErrUnknown, ErrNotRunning.
func (h *Hall) Table(ctx context.Context, id string) (Table, error) {
	if s := h.seat(id); s != nil {
		return s.table, nil
	}
	if _, err := h.board(ctx, id); err != nil {
		return nil, err
	}
	return nil, ErrNotRunning
}

// Runs tells whether a board's camera is to run.
func (h *Hall) Runs(id string) bool { return h.seat(id) != nil }

// With is the table that has a match on it.
func (h *Hall) With(match string) (Table, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.on[match]
	if !ok {
		return nil, false
	}
	return s.table, true
}

// Running are the tables that are open, by board.
func (h *Hall) Running() map[string]Table {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make(map[string]Table, len(h.tables))
	for id, s := range h.tables {
		out[id] = s.table
	}
	return out
}

// Begin starts a match on a board. Errors: those of Table and live.Table.Begin.
func (h *Hall) Begin(ctx context.Context, id string, actor match.Actor, key string, setup match.Started) (match.State, error) {
	return h.seated(ctx, id, func(t Table) (match.State, error) { return t.Begin(ctx, actor, key, setup) })
}

// Attach lays a match on a board. Errors: those of Table and live.Table.Attach.
func (h *Hall) Attach(ctx context.Context, id, matchID string) (match.State, error) {
	if other, ok := h.With(matchID); ok {
		if other != nil && other.Status().ID != id {
			return match.State{}, fmt.Errorf("%w: %s", ErrInUse, other.Status().ID)
		}
	}
	return h.seated(ctx, id, func(t Table) (match.State, error) { return t.Attach(ctx, matchID) })
}

func (h *Hall) seated(ctx context.Context, id string, begin func(Table) (match.State, error)) (match.State, error) {
	h.changing.Lock()
	defer h.changing.Unlock()
	if _, err := h.Table(ctx, id); err != nil {
		return match.State{}, err
	}
	s := h.seat(id)
	state, err := begin(s.table)
	if err != nil {
		return state, err
	}
	h.put(s, state.Setup().Match)
	h.remember(ctx, id, func(b *Board) { b.Match = state.Setup().Match })
	h.o.Changed(id, false)
	return state, nil
}

// Detach takes the match off a board. Errors: those of Table, live.ErrNoMatch.
func (h *Hall) Detach(ctx context.Context, id string) error {
	h.changing.Lock()
	defer h.changing.Unlock()
	t, err := h.Table(ctx, id)
	if err != nil {
		return err
	}
	if err := t.Detach(); err != nil {
		return err
	}
	h.put(h.seat(id), "")
	h.remember(ctx, id, func(b *Board) { b.Match = "" })
	h.o.Changed(id, false)
	return nil
}

// heard takes in what a table tells.
func (h *Hall) heard(n live.Notice) {
	if n.Kind == live.CalibrationUpdated {
		if s := h.seat(n.Board); s != nil {
			// It is there again after a restart, so that a match goes on at once.
			if c := s.table.Calibration(); c != nil {
				h.remember(h.ctx, n.Board, func(b *Board) { b.Calibration = clone(c) })
			}
		}
	}
	h.o.Hear(n)
}

// clone copies a calibration: the table goes on with its own.
func clone(c *calibrate.Calibration) *calibrate.Calibration {
	data, err := json.Marshal(c)
	if err != nil {
		return nil
	}
	var out calibrate.Calibration
	if err := json.Unmarshal(data, &out); err != nil {
		return nil
	}
	return &out
}
