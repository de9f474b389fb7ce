package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"crokcam/api/hall"
	"crokcam/api/problem"
	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/live"
	"crokcam/match"
)

func (s *Service) listBoards(c *gin.Context) error {
	all, err := s.hall.List(c.Request.Context())
	if err != nil {
		return err
	}
	who := whoOf(c)
	out := []hall.View{}
	for _, b := range all {
		if who.Sees(b.ID) == nil {
			out = append(out, b)
		}
	}
	c.JSON(http.StatusOK, gin.H{"boards": out})
	return nil
}

// boardID is the board that a request names and its sender may see.
func boardID(c *gin.Context) (string, error) {
	id := c.Param("board")
	return id, whoOf(c).Sees(id)
}

// board answers with a board as it stands.
func (s *Service) board(c *gin.Context, id string) error {
	v, err := s.hall.Get(c.Request.Context(), id)
	if err != nil {
		return err
	}
	c.Header("ETag", etag(v.Version))
	c.JSON(http.StatusOK, v)
	return nil
}

func (s *Service) getBoard(c *gin.Context) error {
	id, err := boardID(c)
	if err != nil {
		return err
	}
	return s.board(c, id)
}

// boardSettings is what can be said of a board; nil leaves it as it is.
type boardSettings struct {
	ID        string  `json:"id"`
	Name      *string `json:"name"`
	Source    *string `json:"source"`
	Preset    *string `json:"preset"`
	Size      *string `json:"size"`
	FPS       *int    `json:"fps"`
	Focus     *string `json:"focus"`
	Exposure  *string `json:"exposure"`
	PowerLine *int    `json:"power_line"`
	Open      *bool   `json:"open"`
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func (x *boardSettings) apply(b *hall.Board) {
	set(&b.Name, x.Name)
	set(&b.Source, x.Source)
	set(&b.Preset, x.Preset)
	set(&b.Size, x.Size)
	set(&b.FPS, x.FPS)
	set(&b.Focus, x.Focus)
	set(&b.Exposure, x.Exposure)
	set(&b.PowerLine, x.PowerLine)
	set(&b.Open, x.Open)
}

func (s *Service) createBoard(c *gin.Context) error {
	x, err := bodyOf[boardSettings](c)
	if err != nil {
		return err
	}
	b := hall.Board{ID: x.ID}
	x.apply(&b)
	v, err := s.hall.Create(c.Request.Context(), b)
	if err != nil {
		return err
	}
	c.Header("Location", s.where("boards/"+v.ID))
	c.Header("ETag", etag(v.Version))
	c.JSON(http.StatusCreated, v)
	return nil
}

func (s *Service) editBoard(c *gin.Context) error {
	x, err := bodyOf[boardSettings](c)
	if err != nil {
		return err
	}
	v, err := s.hall.Edit(c.Request.Context(), c.Param("board"), expected(c), x.apply)
	if err != nil {
		return changed(c, err)
	}
	c.Header("ETag", etag(v.Version))
	c.JSON(http.StatusOK, v)
	return nil
}

func (s *Service) deleteBoard(c *gin.Context) error {
	if err := s.hall.Delete(c.Request.Context(), c.Param("board"), expected(c)); err != nil {
		return changed(c, err)
	}
	c.Status(http.StatusNoContent)
	return nil
}

// onTable does something with the table of the board that a request names, and
// answers with the board as it then stands.
func (s *Service) onTable(c *gin.Context, do func(hall.Table) error) error {
	id := c.Param("board")
	t, err := s.hall.Table(c.Request.Context(), id)
	if err != nil {
		return err
	}
	if err := do(t); err != nil {
		return err
	}
	return s.board(c, id)
}

func (s *Service) getStatus(c *gin.Context) error {
	id, err := boardID(c)
	if err != nil {
		return err
	}
	v, err := s.hall.Get(c.Request.Context(), id)
	if err != nil {
		return err
	}
	if v.Status == nil {
		return hall.ErrNotRunning
	}
	c.JSON(http.StatusOK, v.Status)
	return nil
}

func (s *Service) getCalibration(c *gin.Context) error {
	t, err := s.hall.Table(c.Request.Context(), c.Param("board"))
	if err != nil {
		return err
	}
	list := []*calibrate.Calibration{}
	if cal := t.Calibration(); cal != nil {
		list = append(list, cal)
	}
	c.JSON(http.StatusOK, gin.H{"calibrations": list})
	return nil
}

// calibration is the body of a request to find the board.
type calibration struct {
	Method string `json:"method"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Points []struct {
		Place string  `json:"place"`
		U     float64 `json:"u"`
		V     float64 `json:"v"`
	} `json:"points"`
	Rings []struct {
		Ring  string  `json:"ring"`
		CX    float64 `json:"cx"`
		CY    float64 `json:"cy"`
		A     float64 `json:"a"`
		B     float64 `json:"b"`
		Angle float64 `json:"angle_deg"`
	} `json:"rings"`
	Calibration json.RawMessage `json:"calibration"`
}

func (s *Service) calibrateBoard(c *gin.Context) error {
	b, err := bodyOf[calibration](c)
	if err != nil {
		return err
	}
	missing := func(what string) error {
		return problem.New(http.StatusUnprocessableEntity, "bad_body", "The request's body says something that cannot be.").
			With(problem.Fault{Pointer: "#/" + what, Detail: "the method " + b.Method + " needs it"})
	}
	var hand calibrate.Hand
	switch b.Method {
	case "points":
		for _, p := range b.Points {
			hand.Points = append(hand.Points, calibrate.Point{Name: p.Place, U: p.U, V: p.V})
		}
		if len(b.Points) == 0 {
			return missing("points")
		}
	case "rings":
		for _, r := range b.Rings {
			hand.Rings = append(hand.Rings, calibrate.RingEllipse(r))
		}
		if len(b.Rings) == 0 {
			return missing("rings")
		}
	case "file":
		cal, err := calibrate.Load(b.Calibration)
		if err != nil {
			return problem.New(http.StatusUnprocessableEntity, "bad_body", "The request's body says something that cannot be.").
				With(problem.Fault{Pointer: "#/calibration", Detail: err.Error()})
		}
		return s.onTable(c, func(t hall.Table) error { t.SetCalibration(cal); return nil })
	default:
		return s.onTable(c, func(t hall.Table) error { t.Recalibrate(); return nil })
	}
	if b.Width == 0 || b.Height == 0 {
		return missing("width")
	}
	return s.onTable(c, func(t hall.Table) error {
		_, err := t.UseCalibration(hand, b.Width, b.Height)
		return err
	})
}

func (s *Service) getBoardMatch(c *gin.Context) error {
	id, err := boardID(c)
	if err != nil {
		return err
	}
	v, err := s.hall.Get(c.Request.Context(), id)
	if err != nil {
		return err
	}
	if v.Match == "" {
		return errNotFound
	}
	state, err := s.desk.State(c.Request.Context(), v.Match)
	if err != nil {
		return err
	}
	return stands(c, state)
}

func (s *Service) attachMatch(c *gin.Context) error {
	b, err := bodyOf[struct {
		Match string `json:"match"`
	}](c)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	id, err := s.desk.Find(ctx, b.Match)
	if err != nil {
		return err
	}
	if _, err := s.desk.State(ctx, id); err != nil { // at hand, so that what follows is told in full
		return err
	}
	if _, err := s.hall.Attach(ctx, c.Param("board"), id); err != nil {
		return err
	}
	state, err := s.desk.State(ctx, id)
	if err != nil {
		return err
	}
	return stands(c, state)
}

func (s *Service) detachMatch(c *gin.Context) error {
	if err := s.hall.Detach(c.Request.Context(), c.Param("board")); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

func (s *Service) pauseBoard(c *gin.Context) error {
	b, err := bodyOf[struct {
		Reason string `json:"reason"`
		Actor  string `json:"actor"`
	}](c)
	if err != nil {
		return err
	}
	return s.onTable(c, func(t hall.Table) error { return t.Pause(c.Request.Context(), actor(c, b.Actor), b.Reason) })
}

func (s *Service) resumeBoard(c *gin.Context) error {
	b, err := bodyOf[onlyActor](c)
	if err != nil {
		return err
	}
	return s.onTable(c, func(t hall.Table) error { return t.Resume(c.Request.Context(), actor(c, b.Actor)) })
}

func (s *Service) acceptBoard(c *gin.Context) error {
	b, err := bodyOf[struct {
		Twenties *match.Points `json:"twenties"`
		Left     *match.Left   `json:"left"`
		Next     *board.Seat   `json:"next"`
		Actor    string        `json:"actor"`
	}](c)
	if err != nil {
		return err
	}
	return s.onTable(c, func(t hall.Table) error {
		return t.Accept(live.Acceptance{Actor: actor(c, b.Actor), Twenties: b.Twenties, Left: b.Left, Next: b.Next})
	})
}

func view(c *gin.Context) live.PictureKind {
	return live.PictureKind(c.DefaultQuery("view", string(live.Raw)))
}

// pictureWait is how long a picture may be waited for when none has come yet.
const pictureWait = 2 * time.Second

func (s *Service) getPicture(c *gin.Context) error {
	id, err := boardID(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), pictureWait)
	defer cancel()
	jpeg, _, err := s.hall.Next(ctx, id, view(c), 0)
	if errors.Is(err, context.DeadlineExceeded) {
		err = live.ErrNoPicture
	}
	if err != nil {
		return err
	}
	c.Data(http.StatusOK, "image/jpeg", jpeg)
	return nil
}

// frameBoundary parts the pictures of a stream.
const frameBoundary = "crokcam-frame"

// framePatience is how long a client may take for a picture.
const framePatience = 10 * time.Second

func (s *Service) streamBoard(c *gin.Context) error {
	id, err := boardID(c)
	if err != nil {
		return err
	}
	if _, err := s.hall.Table(c.Request.Context(), id); err != nil {
		return err
	}
	holds, checked := s.holds(whoOf(c)), time.Now()
	pause := time.Second / time.Duration(number(c, "fps", 10))
	out := http.NewResponseController(c.Writer)
	c.Header("Content-Type", "multipart/x-mixed-replace; boundary="+frameBoundary)
	c.Header("Cache-Control", "no-store")
	c.Header("X-Accel-Buffering", "no")
	ctx, cancel := s.untilStopped(c.Request.Context())
	defer cancel()
	s.videos.Add(1)
	defer s.videos.Add(-1)

	var seq uint64
	var b bytes.Buffer
	for {
		began := time.Now()
		jpeg, now, err := s.hall.Next(ctx, id, view(c), seq)
		switch {
		case errors.Is(err, live.ErrNotCalibrated) || errors.Is(err, live.ErrNoPicture):
			seq = now // there may be one later
		case err != nil:
			if !c.Writer.Written() && ctx.Err() == nil {
				return err
			}
			return nil
		default:
			seq = now
			b.Reset()
			fmt.Fprintf(&b, "--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n", frameBoundary, len(jpeg))
			b.Write(jpeg)
			b.WriteString("\r\n")
			if err := out.SetWriteDeadline(time.Now().Add(framePatience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
				return nil // the client has gone
			}
			if _, err := c.Writer.Write(b.Bytes()); err != nil {
				return nil // the client has gone or is too slow
			}
			if err := out.Flush(); err != nil {
				return nil
			}
		}
		if holds != nil && time.Since(checked) > 15*time.Second {
			if checked = time.Now(); !holds(ctx) {
				return nil
			}
		}
		select {
		case <-time.After(pause - time.Since(began)):
		case <-ctx.Done():
			return nil
		}
	}
}

func (s *Service) listSources(c *gin.Context) error {
	list := []Source{}
	if s.options.Sources != nil {
		var err error
		if list, err = s.options.Sources(); err != nil {
			return err
		}
	}
	c.JSON(http.StatusOK, gin.H{"sources": list})
	return nil
}
