package console

import (
	"fmt"
	"strings"

	"crokcam/board"
	"crokcam/live"
	"crokcam/match"
	"crokcam/rules"
	"crokcam/rules/say"
)

// namesOf are the sides' names and colours in sentences.
func namesOf(v match.View) say.Names {
	var n say.Names
	for _, side := range v.Sides {
		n.Name[side.Side], n.Colour[side.Side] = side.Name, side.Colour
	}
	return n
}

// Choice is one answer to a question as it is shown.
type Choice struct {
	Key, Text string
}

// Ask is a question with its answers in words.
func Ask(w *say.Words, s match.State, q match.Question) (text string, choices []Choice) {
	v := s.View()
	names := namesOf(v)
	turn, _, _ := s.Turn(q.Turn)
	disc := "A disc"
	if len(q.Discs) > 0 {
		disc = discOf(turn, q.Discs[0], names)
	}
	for _, c := range q.Choices {
		choices = append(choices, Choice{c.Key, strings.ReplaceAll(c.Key, "_", " ")})
	}
	switch q.About {
	case match.AboutDoubt:
		text = "Was the shot good?"
		if turn.Verdict != nil && q.Doubt < len(turn.Verdict.Doubts) {
			d := turn.Verdict.Doubts[q.Doubt]
			if len(d.Answers) > 0 || len(d.Discs) > 0 {
				text = w.Question(*turn.Verdict, d, names)
			}
			for i := range choices {
				if i < len(d.Answers) {
					choices[i].Text = w.Answer(*turn.Verdict, d.Answers[i], names)
				}
			}
		}
	case match.AboutClose:
		text = disc + " is too close to a line. What does it count?"
	case match.AboutTwenty:
		text = fmt.Sprintf("Did %s score a 20?", names.Name[turn.Side])
	case match.AboutRemoval:
		text = disc + " is not where the verdict has it. What is right?"
		for i := range choices {
			choices[i].Text = removals[choices[i].Key]
		}
	case match.AboutShooter:
		text = "It looks as if a player shot out of turn. Who shot?"
		for i, c := range q.Choices {
			for _, p := range s.Setup().Players {
				if p.Seat.String() == c.Key {
					choices[i].Text = p.Name
				}
			}
		}
	case match.AboutBoard:
		text = "The board is not as the match has it."
	}
	return text, choices
}

var removals = map[string]string{
	"removed": "it has been taken away", "stays": "it stays on the board", "put_back": "it has been put back",
	"ditch": "it is in the ditch", "twenty": "it was a 20",
}

// discOf names a disc by its side and zone.
func discOf(t match.Turn, id match.DiscID, n say.Names) string {
	for _, d := range t.Discs {
		if d.ID == id {
			return fmt.Sprintf("%s's disc in the %s (%.0f, %.0f mm)", n.Name[d.Side], d.Zone, d.X, d.Y)
		}
	}
	for _, r := range t.Removed {
		if r.ID == id {
			return fmt.Sprintf("%s's disc (%.0f, %.0f mm)", n.Name[r.Side], r.X, r.Y)
		}
	}
	return "A disc"
}

// Line is a notice as one line of text, "" for those that say nothing to people.
func Line(w *say.Words, n live.Notice, s match.State) string {
	text := ""
	switch d := n.Data.(type) {
	case match.Event:
		text = eventLine(w, d, s)
	case live.CameraNotice:
		text = strings.TrimSpace(d.Source + " " + d.Got.String() + " " + d.Reason)
	case live.CalibrationNotice:
		text = fmt.Sprintf("to %.2f mm, %.2f mm a pixel, tilt %.0f°. %s", d.Quality.RMS, d.Quality.MMPerPx, d.Quality.Tilt, d.Note)
		if d.DriftMM > 0 {
			text = fmt.Sprintf("by %.1f mm. %s", d.DriftMM, d.Note)
		}
	case live.StateNotice:
		if n.Kind != live.StateOverdue {
			return ""
		}
		text = d.Note
	case live.WaitingNotice:
		text = fmt.Sprintf("%d shots. %s", d.Shots, d.Note)
	case live.CallNotice:
		text = fmt.Sprintf("%.1f mm between %s and %s", d.Gap, d.Zone, d.Other)
	case live.TwentyNotice:
		if d.Side != board.NoSide {
			text = "side " + d.Side.String()
		}
	case live.FailureNotice:
		text = d.Reason
	case live.DiscsNotice:
		if n.Kind != live.BoardPuzzled {
			return ""
		}
		text = d.Note
	}
	return strings.TrimSpace(fmt.Sprintf("%s  %s  %s", n.Time.Local().Format("15:04:05.0"), n.Kind, text))
}

// Verdict is the ruling and its reasons, without what it leaves open.
func Verdict(w *say.Words, v rules.Verdict, n say.Names) []string {
	ruling, _, _ := strings.Cut(w.Explain(v, n), "\n")
	out := []string{ruling}
	for _, r := range v.Reasons {
		out = append(out, w.Reason(v, r, n))
	}
	for _, d := range v.Desync {
		out = append(out, w.Discrepancy(d, n))
	}
	return out
}

// eventLine is an event of the match in a few words.
func eventLine(w *say.Words, e match.Event, s match.State) string {
	names := namesOf(s.View())
	switch b := e.Body.(type) {
	case match.ShotJudged:
		return strings.Join(Verdict(w, rules.Verdict(b.Verdict), names), " ")
	case match.ShotDetected:
		for _, p := range s.Setup().Players {
			if p.Seat == b.Seat {
				return p.Name
			}
		}
	case match.QuestionAsked:
		text, choices := Ask(w, s, match.Question{Seq: e.Seq, QuestionAsked: b, Open: true})
		for _, c := range choices {
			text += "  [" + c.Text + "]"
		}
		return text
	case match.QuestionAnswered:
		return b.Choice
	case match.RoundEnded:
		return points(rules.Points(b.Totals), names)
	case match.GameEnded:
		return points(rules.Points(b.Scores), names)
	case match.Ended:
		if b.Winner == board.NoSide {
			return "nobody has won"
		}
		return names.Name[b.Winner] + " has won"
	case match.Desynced:
		return b.Reason
	case match.Paused:
		return b.Reason
	case match.Closed:
		return b.Reason
	}
	return ""
}

// points is "Ann 35, Bob 20".
func points(p rules.Points, n say.Names) string {
	var parts []string
	for side := board.SideA; side <= board.SideD; side++ {
		if n.Name[side] != "" {
			parts = append(parts, fmt.Sprintf("%s %d", n.Name[side], p[side]))
		}
	}
	return strings.Join(parts, ", ")
}
