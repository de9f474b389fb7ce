package api

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"crokcam/api/problem"
	"crokcam/board"
	"crokcam/match"
	"crokcam/match/store"
)

func (s *Service) exportMatch(c *gin.Context) error {
	state, err := s.state(c)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	format := c.DefaultQuery("format", "json")
	media, err := s.writeExport(c.Request.Context(), &b, state, format, flag(c, "pictures"))
	if err != nil {
		return err
	}
	c.Header("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "crokcam-"+state.Setup().Code+"."+format))
	c.Data(http.StatusOK, media, b.Bytes())
	return nil
}

// writeExport writes a match in a format and says what that is.
func (s *Service) writeExport(ctx context.Context, w io.Writer, state match.State, format string, pictures bool) (media string, err error) {
	switch format {
	case "jsonl":
		return "application/jsonl", writeLines(w, state)
	case "csv":
		return "text/csv; charset=utf-8", writeShots(w, state)
	case "rounds.csv":
		return "text/csv; charset=utf-8", writeRounds(w, state)
	}
	d, err := store.Export(ctx, s.options.Store, state.Setup().Match, pictures)
	if err != nil {
		return "", err
	}
	return "application/json", d.Write(w)
}

// writeLines writes a match's events, one a line.
func writeLines(w io.Writer, state match.State) error {
	for _, e := range state.Events() {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// table writes lines of a CSV file. A cell that a spreadsheet would take for a
// formula is made plain text.
type table struct{ w *csv.Writer }

func (t table) line(cells ...any) {
	text := make([]string, len(cells))
	for i, c := range cells {
		switch v := c.(type) {
		case string:
			if v != "" && (v[0] == '=' || v[0] == '+' || v[0] == '-' || v[0] == '@' || v[0] == '\t' || v[0] == '\r') {
				v = "'" + v
			}
			text[i] = v
		case time.Time:
			if !v.IsZero() {
				text[i] = v.UTC().Format(time.RFC3339Nano)
			}
		case float64:
			text[i] = strconv.FormatFloat(v, 'f', 2, 64)
		default:
			text[i] = fmt.Sprint(v)
		}
	}
	_ = t.w.Write(text) // Flush tells
}

func (t table) end() error {
	t.w.Flush()
	return t.w.Error()
}

// writeShots writes a match's turns, one a line.
func writeShots(w io.Writer, state match.State) error {
	t := table{csv.NewWriter(w)}
	t.line("match", "game", "round", "shot", "event", "kind", "seat", "side", "player", "ruling", "corrected", "open",
		"zone", "x_mm", "y_mm", "twenties", "moved_at", "rested_at", "total_A", "total_B", "total_C", "total_D")
	setup := state.Setup()
	player := map[board.Seat]string{}
	for _, p := range setup.Players {
		player[p.Seat] = p.Name
	}
	for _, r := range state.Rounds() {
		for _, turn := range r.Turns {
			var ruling, zone string
			var x, y any = "", ""
			var moved, rested time.Time
			open, twenties := false, 0
			if v := turn.Verdict; v != nil {
				ruling, open = v.Ruling.String(), v.OpenShot
				twenties = int(v.Twenties[turn.Side])
			}
			if turn.Shot != nil {
				moved, rested = turn.Shot.MovedAt, turn.Shot.RestedAt
			}
			for _, d := range turn.Discs {
				if d.ID == match.ShotDisc(turn.Seq) {
					zone, x, y = d.Zone.String(), d.X, d.Y
				}
			}
			t.line(setup.Code, r.Game, r.Number, turn.Number, turn.Seq, string(turn.Kind), turn.Seat.String(), turn.Side.String(), player[turn.Seat],
				ruling, turn.Corrected, open, zone, x, y, twenties, moved, rested,
				turn.Totals[board.SideA], turn.Totals[board.SideB], turn.Totals[board.SideC], turn.Totals[board.SideD])
		}
	}
	return t.end()
}

// writeRounds writes a match's rounds, one a line and side.
func writeRounds(w io.Writer, state match.State) error {
	t := table{csv.NewWriter(w)}
	t.line("match", "game", "round", "side", "name", "total", "twenties", "awarded", "won", "lead", "agreed", "entered", "corrected")
	view := state.View()
	for _, r := range state.Rounds() {
		for _, side := range view.Sides {
			t.line(view.Code, r.Game, r.Number, side.Side.String(), side.Name, r.Totals[side.Side], r.Twenties[side.Side], r.Awarded[side.Side],
				r.Winner == side.Side, r.Lead.String(), r.Agreed, r.Entered, r.Override)
		}
	}
	return t.end()
}

// longestImport is the largest document that is read: a long match with its
// pictures.
const longestImport = 256 << 20

func (s *Service) importMatch(c *gin.Context) error {
	data, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, longestImport))
	if big := (*http.MaxBytesError)(nil); errors.As(err, &big) {
		return problem.New(http.StatusRequestEntityTooLarge, "too_many_bytes", "This file is too large.")
	}
	if err != nil {
		return errCutOff
	}
	id, err := store.Import(c.Request.Context(), s.options.Store, data, flag(c, "copy"))
	if refused := (*match.RefusedError)(nil); errors.As(err, &refused) {
		return problem.New(http.StatusUnprocessableEntity, "bad_document", sentence(err.Error()))
	}
	if err != nil {
		return err
	}
	state, err := s.desk.State(c.Request.Context(), id)
	if err != nil {
		return err
	}
	return s.begun(c, state)
}
