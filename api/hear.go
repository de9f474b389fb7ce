package api

import (
	"context"
	"slices"

	"crokcam/api/desk"
	"crokcam/api/feed"
	"crokcam/api/hall"
	"crokcam/live"
	"crokcam/match"
	"crokcam/match/store"
)

// What the feed hears of boards beside what their tables tell.
const (
	boardChanged = "board.changed" // hall.View: the board as it stands
	boardDeleted = "board.deleted" // its id
)

// heard passes on what a table tells. What it has recorded is read from the store,
// where it is whole and in order.
func (s *Service) heard(n live.Notice) {
	if e, ok := n.Data.(match.Event); ok {
		if err := s.desk.Heard(context.Background(), n.Match, e.Seq, n.CapturedAt); err != nil {
			s.options.Log.Error("a match was not told of", "match", n.Match, "error", err)
		}
		return
	}
	s.publish(feed.News{Type: n.Kind, CapturedAt: n.CapturedAt, Board: n.Board, Match: n.Match, Data: n.Data})
	s.boardChanged(n.Board, false)
}

// boardChanged tells how a board stands, or that it is gone.
func (s *Service) boardChanged(id string, gone bool) {
	if gone {
		s.publish(feed.News{Type: boardDeleted, Board: id, Data: map[string]string{"board": id}})
		return
	}
	v, err := s.hall.Get(context.Background(), id)
	if err != nil {
		return // removed meanwhile
	}
	s.publish(feed.News{Type: boardChanged, Board: id, Match: v.Match, Data: v})
}

func (s *Service) publish(n feed.News) {
	if err := s.hub.Publish(n); err != nil {
		s.options.Log.Error("something was not told", "type", n.Type, "error", err)
	}
}

// table finds the table that has a match on it.
func (s *Service) table(id string) (desk.Writer, bool) {
	t, ok := s.hall.With(id)
	if !ok || t == nil {
		return nil, false
	}
	return atTable{t}, true
}

// atTable is a table with its board's name, which a match goes by in what is told of it.
type atTable struct{ hall.Table }

func (t atTable) Board() string { return t.Status().ID }

// boards are the boards whose camera is to run, as they stand.
func (s *Service) boards() map[string]live.Status {
	out := map[string]live.Status{}
	for id, t := range s.hall.Running() {
		out[id] = t.Status()
	}
	return out
}

// watching tells whether a camera watches a board.
func (s *Service) watching() bool {
	for _, t := range s.hall.Running() {
		if t.Status().Camera.Connected {
			return true
		}
	}
	return false
}

// snapshotBoards are the boards that a listener wants.
func (s *Service) snapshotBoards(ctx context.Context, f feed.Filter) ([]hall.View, error) {
	all, err := s.hall.List(ctx)
	if err != nil || len(f.Boards) == 0 {
		return all, err
	}
	return slices.DeleteFunc(all, func(v hall.View) bool { return !slices.Contains(f.Boards, v.ID) }), nil
}

// How much a snapshot has for a listener that names no match: the latest matches,
// and of the boards of as many matches as are looked at each one's latest; of each
// board that is named its latest.
const (
	snapshotMatches = 20
	snapshotLook    = 200
	snapshotOfBoard = 5
)

// snapshot is how everything stands that a listener wants.
func (s *Service) snapshot(ctx context.Context, f feed.Filter) (any, error) {
	boards, err := s.snapshotBoards(ctx, f)
	if err != nil {
		return nil, err
	}
	ids := f.Matches
	if len(ids) == 0 {
		if ids, err = s.latest(ctx, f, boards); err != nil {
			return nil, err
		}
	}
	views := []match.View{}
	for _, id := range ids {
		if state, err := s.desk.State(ctx, id); err == nil {
			views = append(views, state.View())
		} else if problemOf(err).Status != errNotFound.Status {
			return nil, err
		}
	}
	return map[string]any{"matches": views, "boards": boards}, nil
}

// latest are the matches on the boards that a listener wants, and the latest of
// the others. A board of which only matches are known is one like the others.
func (s *Service) latest(ctx context.Context, f feed.Filter, boards []hall.View) ([]string, error) {
	var ids []string
	add := func(id string) {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, b := range boards {
		add(b.Match)
	}
	for _, b := range f.Boards {
		page, err := s.options.Store.List(ctx, store.Query{Limit: snapshotOfBoard, Board: b})
		if err != nil {
			return nil, err
		}
		for _, m := range page.Matches {
			add(m.Match)
		}
	}
	if len(f.Boards) > 0 {
		return ids, nil
	}
	page, err := s.options.Store.List(ctx, store.Query{Limit: snapshotLook})
	if err != nil {
		return nil, err
	}
	told := map[string]bool{"": true}
	for i, m := range page.Matches {
		if i < snapshotMatches || !told[m.Board] {
			add(m.Match)
		}
		told[m.Board] = true
	}
	return ids, nil
}
