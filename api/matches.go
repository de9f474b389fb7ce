package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"crokcam/api/hall"
	"crokcam/api/problem"
	"crokcam/board"
	"crokcam/match"
	"crokcam/match/replay"
	"crokcam/match/stats"
	"crokcam/match/store"
	"crokcam/rules"
	"crokcam/rules/say"
)

func (s *Service) listMatches(c *gin.Context) error {
	q := store.Query{Cursor: c.Query("cursor"), Limit: number(c, "limit", 0), Board: c.Query("board")}
	if who := whoOf(c); who.Board != "" { // a link for one board
		if q.Board != "" && q.Board != who.Board {
			return who.Sees(q.Board)
		}
		q.Board = who.Board
	}
	page, err := s.options.Store.List(c.Request.Context(), q)
	if err != nil {
		return err
	}
	if page.Matches == nil {
		page.Matches = []store.Info{}
	}
	c.JSON(http.StatusOK, gin.H{"matches": page.Matches, "next": page.Next})
	return nil
}

// newMatch is the body of a new match.
type newMatch struct {
	Title     string           `json:"title"`
	Players   []match.Player   `json:"players"`
	Sides     []match.SideName `json:"sides"`
	Profile   string           `json:"profile"`
	Layout    rules.Layout     `json:"layout"`
	Games     int              `json:"games"`
	Rounds    int              `json:"rounds"`
	Target    int              `json:"target"`
	Discs     int              `json:"discs"`
	Lead      board.Seat       `json:"lead"`
	Plan      *match.Plan      `json:"plan"`
	Board     string           `json:"board"`
	Reference string           `json:"reference"`
	Actor     string           `json:"actor"`
}

func (s *Service) startMatch(c *gin.Context) error {
	b, err := bodyOf[newMatch](c)
	if err != nil {
		return err
	}
	setup := match.Started{
		Title: b.Title, Players: b.Players, Sides: b.Sides, Profile: b.Profile, Board: b.Board, Reference: b.Reference,
	}
	if b.Plan != nil {
		setup.Plan = *b.Plan
	} else if setup.Plan, err = s.plan(&b); err != nil {
		return err
	} else if setup.Profile == "" {
		setup.Profile = usualProfile
	}
	ctx, key := c.Request.Context(), idempotency(c)
	if s.hall.Runs(b.Board) {
		state, err := s.hall.Begin(ctx, b.Board, actor(c, b.Actor), key, setup)
		if err != nil {
			return err
		}
		id := state.Setup().Match
		if err := s.desk.Heard(ctx, id, 1, time.Time{}); err != nil {
			return err
		}
		if state, err = s.desk.State(ctx, id); err != nil {
			return err
		}
		return s.begun(c, state)
	}
	state, err := s.desk.Start(ctx, actor(c, b.Actor), key, setup)
	if err != nil {
		return err
	}
	return s.begun(c, state)
}

// usualProfile is how a match is played whose beginner says nothing of it.
const usualProfile = "nca"

// plan is how a match is decided by a profile and what differs from it.
func (s *Service) plan(b *newMatch) (match.Plan, error) {
	name := b.Profile
	if name == "" {
		name = usualProfile
	}
	p, ok := s.options.Profiles.Find(name)
	if !ok {
		return match.Plan{}, unplayable("#/profile", fmt.Sprintf("there is no profile %q", name))
	}
	f, err := p.Format(b.Layout)
	if err != nil {
		return match.Plan{}, unplayable("#/layout", err.Error())
	}
	f.Lead = b.Lead
	if b.Discs > 0 {
		f.Discs = b.Discs
	}
	switch {
	case b.Rounds > 0 && b.Target > 0:
		return match.Plan{}, unplayable("#/target", "a game ends after so many rounds or at so many points, one of the two")
	case b.Rounds > 0:
		f.End.Rounds, f.End.Target = b.Rounds, 0
	case b.Target > 0:
		f.End.Rounds, f.End.Target = 0, b.Target
	}
	if err := f.Validate(); err != nil {
		return match.Plan{}, unplayable("#", err.Error())
	}
	return match.Plan(rules.BestOf(max(1, b.Games), f)), nil
}

func unplayable(pointer, detail string) error {
	return problem.New(http.StatusUnprocessableEntity, "against_rules", "A match cannot be played so.").
		With(problem.Fault{Pointer: pointer, Detail: detail})
}

// begun answers with a match that is new.
func (s *Service) begun(c *gin.Context, state match.State) error {
	setup := state.Setup()
	c.Header("Location", s.where("matches/"+setup.Match))
	c.Header("ETag", etag(state.Version()))
	c.JSON(http.StatusCreated, state.View())
	return nil
}

// stands answers with a match as it stands.
func stands(c *gin.Context, state match.State) error {
	tag := etag(state.Version())
	c.Header("ETag", tag)
	if c.Request.Method == http.MethodGet && c.GetHeader("If-None-Match") == tag {
		c.Status(http.StatusNotModified)
		c.Writer.WriteHeaderNow()
		return nil
	}
	c.JSON(http.StatusOK, state.View())
	return nil
}

// state is the match that a request names.
func (s *Service) state(c *gin.Context) (match.State, error) {
	id, err := s.desk.Find(c.Request.Context(), c.Param("match"))
	if err != nil {
		return match.State{}, err
	}
	state, err := s.desk.State(c.Request.Context(), id)
	if err != nil {
		return state, err
	}
	return state, whoOf(c).Sees(state.Setup().Board)
}

func (s *Service) getMatch(c *gin.Context) error {
	state, err := s.state(c)
	if err != nil {
		return err
	}
	return stands(c, state)
}

func (s *Service) deleteMatch(c *gin.Context) error {
	id, err := s.desk.Find(c.Request.Context(), c.Param("match"))
	if err != nil {
		return err
	}
	if _, on := s.hall.With(id); on {
		return hall.ErrInUse
	}
	if err := s.desk.Delete(c.Request.Context(), id); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

func (s *Service) listEvents(c *gin.Context) error {
	state, err := s.state(c)
	if err != nil {
		return err
	}
	events := state.Events()
	events = events[min(number(c, "after", 0), len(events)):]
	events = events[:min(number(c, "limit", 50), len(events))]
	c.JSON(http.StatusOK, gin.H{"events": events, "version": state.Version()})
	return nil
}

func (s *Service) listRounds(c *gin.Context) error {
	state, err := s.state(c)
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, gin.H{"rounds": replay.Of(state).Rounds})
	return nil
}

func (s *Service) listShots(c *gin.Context) error {
	state, err := s.state(c)
	if err != nil {
		return err
	}
	turns := []match.TurnView{}
	only := number(c, "round", 0)
	for _, r := range state.Rounds() {
		if only != 0 && r.Seq != only {
			continue
		}
		for _, t := range r.Turns {
			turns = append(turns, t.View())
		}
	}
	c.JSON(http.StatusOK, gin.H{"shots": turns})
	return nil
}

// turn is the turn that a request names.
func (s *Service) turn(c *gin.Context) (match.State, match.Turn, error) {
	state, err := s.state(c)
	if err != nil {
		return state, match.Turn{}, err
	}
	seq, _ := strconv.Atoi(c.Param("shot"))
	t, _, ok := state.Turn(seq)
	if !ok {
		return state, t, errNotFound
	}
	return state, t, nil
}

func (s *Service) getShot(c *gin.Context) error {
	state, t, err := s.turn(c)
	if err != nil {
		return err
	}
	out := struct {
		Shot      match.TurnView      `json:"shot"`
		Seen      *match.ShotDetected `json:"seen,omitempty"`
		Explained []string            `json:"explained"`
	}{t.View(), t.Shot, []string{}}
	if t.Verdict != nil {
		words, err := say.For("en")
		if err != nil {
			return err
		}
		var names say.Names
		for _, side := range state.View().Sides {
			names.Name[side.Side], names.Colour[side.Side] = side.Name, side.Colour
		}
		for _, r := range t.Verdict.Reasons {
			out.Explained = append(out.Explained, words.Reason(*t.Verdict, r, names))
		}
	}
	c.JSON(http.StatusOK, out)
	return nil
}

func (s *Service) getShotPicture(c *gin.Context) error {
	_, t, err := s.turn(c)
	if err != nil {
		return err
	}
	name := ""
	if t.Shot != nil {
		name = t.Shot.Pictures.Before
		if c.Param("moment") == "after" {
			name = t.Shot.Pictures.After
		}
	}
	if name == "" {
		return errNotFound
	}
	jpeg, err := s.options.Store.Picture(c.Request.Context(), name)
	if err != nil {
		return err
	}
	// A picture's name is the hash of its bytes: it never changes.
	c.Header("Cache-Control", "private, max-age=86400, immutable")
	c.Data(http.StatusOK, "image/jpeg", jpeg)
	return nil
}

// latestForStatistics is how many matches are counted when none is named.
const latestForStatistics = 500

func (s *Service) statistics(c *gin.Context) error {
	ctx := c.Request.Context()
	words, onBoard := list(c, "match"), c.Query("board")
	if len(words) == 0 {
		page, err := s.options.Store.List(ctx, store.Query{Limit: latestForStatistics, Board: onBoard})
		if err != nil {
			return err
		}
		for _, m := range page.Matches {
			words = append(words, m.Match)
		}
	}
	var states []match.State
	for _, w := range words {
		id, err := s.desk.Find(ctx, w)
		if err != nil {
			return err
		}
		state, err := store.Load(ctx, s.options.Store, id)
		if errors.Is(err, store.ErrNotFound) {
			continue // removed meanwhile
		}
		if err != nil {
			return err
		}
		if onBoard == "" || state.Setup().Board == onBoard {
			states = append(states, state)
		}
	}
	c.JSON(http.StatusOK, stats.Of(states))
	return nil
}

// recorded is the body of events that a program has seen.
type recorded struct {
	Events []struct {
		Kind    string          `json:"kind"`
		Version int             `json:"version"`
		Data    json.RawMessage `json:"data"`
	} `json:"events"`
	Judge bool         `json:"judge"`
	Time  optionalTime `json:"time"`
	Actor string       `json:"actor"`
}

func (s *Service) recordEvents(c *gin.Context) error {
	b, err := bodyOf[recorded](c)
	if err != nil {
		return err
	}
	bodies := make([]match.Body, len(b.Events))
	for i, e := range b.Events {
		if bodies[i], err = match.ReadBody(e.Kind, max(1, e.Version), e.Data); err != nil {
			return problemOf(err).With(problem.Fault{Pointer: fmt.Sprintf("#/events/%d/data", i), Detail: err.Error()})
		}
		if _, ok := bodies[i].(match.Started); ok {
			return problem.New(http.StatusConflict, "not_now", "A match begins once. Begin another with POST /api/v1/matches.")
		}
	}
	e := store.Entry{Actor: match.Actor{Role: match.Camera, Name: b.Actor}, Time: b.Time.Time}
	if b.Actor == "" {
		e.Actor.Name = whoOf(c).Name
	}
	return s.write(c, e, func(state match.State) ([]match.Body, error) {
		if !b.Judge {
			return bodies, nil
		}
		return judged(state, bodies)
	})
}

// judged adds the verdict on the last shot among the bodies.
func judged(state match.State, bodies []match.Body) ([]match.Body, error) {
	shot := 0
	for i, b := range bodies {
		var err error
		e := match.Event{Seq: state.Version() + 1, ID: "to be judged", Time: anyTime, Actor: match.Actor{Role: match.Camera}, Body: b}
		if state, err = state.Apply(e); err != nil {
			return nil, err
		}
		if _, ok := b.(match.ShotDetected); ok {
			shot = e.Seq
			if i < len(bodies)-1 {
				shot = 0 // what follows it was decided without its verdict
			}
		}
	}
	if shot == 0 {
		return nil, problem.New(http.StatusUnprocessableEntity, "no_such_target", "To be judged, the last of the events has to be a shot.")
	}
	v, err := state.Judge(shot, nil)
	if err != nil {
		return nil, problem.New(http.StatusUnprocessableEntity, "impossible", sentence(err.Error()))
	}
	return append(bodies, match.ShotJudged{Shot: shot, Verdict: match.Verdict(v)}), nil
}
