package api

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"crokcam/api/desk"
	"crokcam/api/problem"
	"crokcam/board"
	"crokcam/match"
	"crokcam/match/store"
)

// anyTime stands in where an event is only tried out.
var anyTime = time.Unix(1, 0)

// optionalTime is a time, or none.
type optionalTime struct{ time.Time }

func (t *optionalTime) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	return t.Time.UnmarshalJSON(b)
}

// write records what decide says in the match that a request names, and answers
// with the match as it then stands.
func (s *Service) write(c *gin.Context, e store.Entry, decide desk.Decide) error {
	id, err := s.desk.Find(c.Request.Context(), c.Param("match"))
	if err != nil {
		return err
	}
	e.Key, e.Expect = idempotency(c), expected(c)
	state, err := s.desk.Do(c.Request.Context(), id, e, decide)
	if err != nil {
		return changed(c, err)
	}
	return stands(c, state)
}

// says records what a person says.
func (s *Service) says(c *gin.Context, name string, decide desk.Decide) error {
	return s.write(c, store.Entry{Actor: actor(c, name)}, decide)
}

// one is a decision for a body that does not depend on the match.
func one(b match.Body) desk.Decide {
	return func(match.State) ([]match.Body, error) { return []match.Body{b}, nil }
}

// onlyActor is the body of a request that says nothing but who says it.
type onlyActor struct {
	Actor string `json:"actor"`
}

// saying answers a request whose body is all that an event of the match needs.
func saying[T any](s *Service, of func(T) (name string, b match.Body)) handler {
	return func(c *gin.Context) error {
		b, err := bodyOf[T](c)
		if err != nil {
			return err
		}
		name, body := of(b)
		return s.says(c, name, one(body))
	}
}

// remarks are the events that need no more than the request says.
func (s *Service) remarks() map[string]handler {
	type remark struct {
		Reason string     `json:"reason"`
		Text   string     `json:"text"`
		Winner board.Side `json:"winner"`
		Seat   board.Seat `json:"seat"`
		Actor  string     `json:"actor"`
	}
	say := func(of func(remark) match.Body) handler {
		return saying(s, func(b remark) (string, match.Body) { return b.Actor, of(b) })
	}
	return map[string]handler{
		"pauseMatch":  say(func(b remark) match.Body { return match.Paused{Reason: b.Reason} }),
		"resumeMatch": say(func(remark) match.Body { return match.Resumed{} }),
		"closeMatch":  say(func(b remark) match.Body { return match.Closed{Winner: b.Winner, Reason: b.Reason} }),
		"forfeitTurn": say(func(b remark) match.Body { return match.TurnForfeited{Seat: b.Seat} }),
		"endTime":     say(func(remark) match.Body { return match.TimeEnded{} }),
		"addNote":     say(func(b remark) match.Body { return match.Note{Text: b.Text} }),
		"enterRound": saying(s, func(b counted) (string, match.Body) {
			return b.Actor, match.RoundEntered{Totals: b.Totals, Twenties: b.Twenties}
		}),
		"holdShootout": saying(s, func(b struct {
			Hits  match.Points `json:"hits"`
			Actor string       `json:"actor"`
		}) (string, match.Body) {
			return b.Actor, match.ShootoutHeld{Hits: b.Hits}
		}),
	}
}

func (s *Service) startRound(c *gin.Context) error {
	b, err := bodyOf[struct {
		Lead  *board.Seat `json:"lead"`
		Actor string      `json:"actor"`
	}](c)
	if err != nil {
		return err
	}
	return s.says(c, b.Actor, func(state match.State) ([]match.Body, error) {
		lead := state.Lead()
		if b.Lead != nil {
			lead = *b.Lead
		}
		return []match.Body{match.RoundStarted{Lead: lead}}, nil
	})
}

// counted is the body of a round's count.
type counted struct {
	Totals   match.Points `json:"totals"`
	Twenties match.Points `json:"twenties"`
	Actor    string       `json:"actor"`
}

// agreeRound puts the count forward, if that has not been done, and agrees to it.
func (s *Service) agreeRound(c *gin.Context) error {
	b, err := bodyOf[counted](c)
	if err != nil {
		return err
	}
	return s.says(c, b.Actor, func(state match.State) ([]match.Body, error) {
		if state.Phase() != match.Counting {
			return []match.Body{match.RoundAgreed{}}, nil // refused, with the reason
		}
		rounds := state.Rounds()
		r := rounds[len(rounds)-1]
		totals, twenties := match.Points(r.Totals), match.Points(r.Twenties)
		if totals != b.Totals || twenties != b.Twenties {
			return nil, problem.New(http.StatusConflict, "changed_meanwhile",
				fmt.Sprintf("The match has come to another count: %s. Look at the board again, then agree or correct.", countText(state, totals, twenties)))
		}
		out := []match.Body{match.RoundEnded{Totals: totals, Twenties: twenties}, match.RoundAgreed{}}
		for _, e := range state.Events()[r.Seq:] {
			if told, ok := e.Body.(match.RoundEnded); ok && state.InForce(e.Seq) {
				out = []match.Body{match.RoundAgreed{}}
				if told.Totals != totals || told.Twenties != twenties {
					out = []match.Body{match.RoundEnded{Totals: totals, Twenties: twenties}, match.RoundAgreed{}}
				}
			}
		}
		return out, nil
	})
}

// countText is "A 75 with 1 twenties, B 40 with 0".
func countText(state match.State, totals, twenties match.Points) string {
	text := ""
	for _, side := range state.View().Sides {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%s %d with %d × 20", side.Name, totals[side.Side], twenties[side.Side])
	}
	return text
}

func (s *Service) correct(c *gin.Context) error {
	b, err := bodyOf[struct {
		Target int          `json:"target"`
		Change match.Change `json:"change"`
		Reason string       `json:"reason"`
		Actor  string       `json:"actor"`
	}](c)
	if err != nil {
		return err
	}
	return s.says(c, b.Actor, func(state match.State) ([]match.Body, error) {
		target := b.Target
		if target == 0 {
			target = state.LastTurn()
		}
		return []match.Body{match.Corrected{Target: target, Change: b.Change, Reason: b.Reason}}, nil
	})
}

// correction is one in the list of corrections.
type correction struct {
	Seq    int         `json:"seq"`
	Time   time.Time   `json:"time"`
	Actor  match.Actor `json:"actor"`
	Target int         `json:"target"`
	Change any         `json:"change"`
	Reason string      `json:"reason,omitempty"`
	Holds  bool        `json:"in_force"`
}

func (s *Service) listCorrections(c *gin.Context) error {
	state, err := s.state(c)
	if err != nil {
		return err
	}
	out := []correction{}
	for _, e := range state.Events() {
		if b, ok := e.Body.(match.Corrected); ok {
			out = append(out, correction{e.Seq, e.Time, e.Actor, b.Target, b.Change, b.Reason, state.InForce(e.Seq)})
		}
	}
	c.JSON(http.StatusOK, gin.H{"corrections": out})
	return nil
}

func (s *Service) listQuestions(c *gin.Context) error {
	state, err := s.state(c)
	if err != nil {
		return err
	}
	questions := state.Questions(!flag(c, "answered"))
	if questions == nil {
		questions = []match.Question{}
	}
	c.JSON(http.StatusOK, gin.H{"questions": questions})
	return nil
}

func (s *Service) answerQuestion(c *gin.Context) error {
	b, err := bodyOf[struct {
		Choice string `json:"choice"`
		Actor  string `json:"actor"`
	}](c)
	if err != nil {
		return err
	}
	question, _ := strconv.Atoi(c.Param("question")) // checked to be a number
	return s.says(c, b.Actor, one(match.QuestionAnswered{Question: question, Choice: b.Choice}))
}

func (s *Service) undo(c *gin.Context) error {
	b, err := bodyOf[struct {
		Target int    `json:"target"`
		Actor  string `json:"actor"`
	}](c)
	if err != nil {
		return err
	}
	return s.says(c, b.Actor, func(state match.State) ([]match.Body, error) {
		target := b.Target
		if target == 0 {
			target, _ = state.UndoTarget() // 0 is refused
		}
		return []match.Body{match.Undone{Target: target}}, nil
	})
}

func (s *Service) redo(c *gin.Context) error {
	b, err := bodyOf[onlyActor](c)
	if err != nil {
		return err
	}
	return s.says(c, b.Actor, func(state match.State) ([]match.Body, error) {
		target, _ := state.RedoTarget() // 0 is refused
		return []match.Body{match.Redone{Target: target}}, nil
	})
}

// takeBoard takes the board as it lies, saying first that it differs where that
// is not known yet.
func (s *Service) takeBoard(c *gin.Context) error {
	b, err := bodyOf[struct {
		Discs []struct {
			board.Point
			Side board.Side `json:"side"`
		} `json:"discs"`
		Twenties match.Points `json:"twenties"`
		Left     match.Left   `json:"left"`
		Next     board.Seat   `json:"next"`
		Reason   string       `json:"reason"`
		Actor    string       `json:"actor"`
	}](c)
	if err != nil {
		return err
	}
	sync := match.Resynced{Twenties: b.Twenties, Left: b.Left, Next: b.Next}
	for _, d := range b.Discs {
		sync.Board.Discs = append(sync.Board.Discs, board.Disc{Point: d.Point, Side: d.Side, Confidence: 1})
	}
	return s.says(c, b.Actor, func(state match.State) ([]match.Body, error) {
		if state.Desynced() != nil {
			return []match.Body{sync}, nil
		}
		return []match.Body{match.Desynced{Reason: b.Reason}, sync}, nil
	})
}
