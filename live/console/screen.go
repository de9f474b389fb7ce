// Package console shows a live table in a terminal: a scoreboard with the board
// drawn in it, the last verdict with its reason, and the open questions with the
// keys that answer them.
package console

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"crokcam/board"
	"crokcam/live"
	"crokcam/match"
	"crokcam/match/replay"
	"crokcam/rules/say"
)

// Screen is the table as so many lines of at most so many columns.
func Screen(w *say.Words, st live.Status, s match.State, playing bool, width, height int) []string {
	width, height = max(width, 40), max(height, 12)
	var head, side, foot []string
	head = append(head, fit(title(st, s, playing), width), strings.Repeat("─", width))
	if playing {
		side = score(w, s)
	} else {
		side = []string{"No match on this table."}
	}
	side = append(side, "", condition(st))
	if playing {
		foot = append(foot, questions(w, s, width)...)
	}
	for _, a := range st.Advice {
		foot = append(foot, wrap("! "+a.Text, width)...)
	}
	if st.Failure != "" {
		foot = append(foot, wrap("! Nothing can be recorded: "+st.Failure, width)...)
	}
	foot = append(foot, fit(keys(s, playing), width))

	room := height - len(head) - len(foot) - 1
	rows := min(room, 27, (width/2-2)/2)
	lines := head
	drawn := drawBoard(st, s, playing, max(rows, 3))
	left := 0
	for _, l := range drawn {
		left = max(left, utf8.RuneCountInString(l))
	}
	var wrapped []string
	for _, l := range side {
		wrapped = append(wrapped, wrap(l, max(width-left-3, 20))...)
	}
	for i := range max(len(drawn), min(len(wrapped), room)) {
		a, b := "", ""
		if i < len(drawn) {
			a = drawn[i]
		}
		if i < len(wrapped) {
			b = wrapped[i]
		}
		lines = append(lines, strings.TrimRight(fit(a+strings.Repeat(" ", left-utf8.RuneCountInString(a))+"   "+b, width), " "))
	}
	lines = append(lines, "")
	lines = append(lines, foot...)
	if len(lines) > height {
		lines = append(lines[:height-1], lines[len(lines)-1])
	}
	return lines
}

func title(st live.Status, s match.State, playing bool) string {
	parts := []string{st.Name, st.Source}
	if playing {
		v := s.View()
		parts = append(parts, fmt.Sprintf("game %d, round %d", v.Game, v.Round), v.Code)
	}
	c := st.Camera
	switch {
	case !c.Connected && c.Reason != "":
		parts = append(parts, "camera lost")
	case c.Connected:
		parts = append(parts, fmt.Sprintf("%d × %d, %.0f fps", c.Got.Width, c.Got.Height, c.FPS))
	}
	return strings.Join(parts, " · ")
}

// score is the score, whose turn it is, and the last verdict.
func score(w *say.Words, s match.State) []string {
	v := s.View()
	var out []string
	for _, side := range v.Sides {
		line := fmt.Sprintf("%s %-14s %3d", side.Side, fit(side.Name, 14), side.Points)
		if len(v.Games) > 0 {
			line += fmt.Sprintf("  games %d", side.Games)
		}
		out = append(out, line, fmt.Sprintf("    round %d, 20s %d, left %d", side.InRound.Points, side.InRound.Twenties, side.InRound.Left))
	}
	out = append(out, "")
	switch {
	case v.Paused:
		out = append(out, "Paused.")
	case v.Desynced:
		out = append(out, "The board is not as the match has it: "+s.Desynced().Reason)
	case v.Phase == match.Over && v.Winner != board.NoSide:
		for _, side := range v.Sides {
			if side.Side == v.Winner {
				out = append(out, side.Name+" has won.")
			}
		}
	case v.Phase == match.Over:
		out = append(out, "The match is over.")
	case v.Phase == match.Between:
		out = append(out, "The round begins once the board is empty.")
	case v.Phase == match.Removing:
		out = append(out, "Take off what the verdict says.")
	case v.Phase == match.Counting:
		out = append(out, "The round is over: clear the board if the count is right.")
	case v.Phase == match.Asking:
		out = append(out, "A question is open.")
	default:
		for _, seat := range v.Next {
			for _, p := range s.Setup().Players {
				if p.Seat == seat {
					out = append(out, p.Name+" to shoot.")
				}
			}
		}
	}
	if v.Last != nil && v.Last.Verdict != nil {
		out = append(out, "")
		turn, _, ok := s.Turn(v.Last.Seq)
		if ok && turn.Verdict != nil {
			out = append(out, Verdict(w, *turn.Verdict, namesOf(v))...)
		}
	}
	return out
}

// condition is what the board is doing.
func condition(st live.Status) string {
	text := "Board: " + strings.ReplaceAll(st.State.String(), "_", " ")
	switch {
	case st.Waiting > 0:
		text += fmt.Sprintf("; %d shots wait for an answer", st.Waiting)
	case st.Held:
		text += "; waiting after an undo"
	case st.Differs != nil:
		d := st.Differs
		text += fmt.Sprintf("; %d missing, %d to go, %d too many", len(d.Missing), len(d.Stays), len(d.Extra))
	}
	return text
}

// questions are the open questions with the numbers that answer the first.
func questions(w *say.Words, s match.State, width int) (out []string) {
	for i, q := range s.Questions(true) {
		text, choices := Ask(w, s, q)
		out = append(out, wrap("? "+text, width)...)
		if i > 0 {
			continue
		}
		for n, c := range choices {
			out = append(out, fit(fmt.Sprintf("   %d  %s", n+1, c.Text), width))
		}
	}
	return out
}

func keys(s match.State, playing bool) string {
	if !playing {
		return "b begin  c find the board again  q quit"
	}
	text := "u undo  r redo  a accept the board as it lies  p pause"
	if s.Paused() != nil {
		text = strings.Replace(text, "p pause", "p go on", 1)
	}
	if s.Phase() == match.Counting {
		text += "  e agree the round"
	}
	if len(s.Questions(true)) > 0 {
		text = "1… answer  " + text
	}
	return text + "  q quit"
}

// drawBoard is the board by the match, or as it is seen where there is none.
func drawBoard(st live.Status, s match.State, playing bool, rows int) []string {
	spec := board.Tournament26()
	var discs []match.Disc
	var fresh []match.DiscID
	if playing {
		if b := s.Rules().Board; b.Surface != 0 {
			spec = b
		}
		discs = s.Discs()
		if last := s.LastTurn(); last > 0 {
			fresh = append(fresh, match.ShotDisc(last))
		}
	} else {
		for _, d := range st.Discs {
			if d.Side == board.NoSide {
				d.Side = board.SideA
			}
			discs = append(discs, match.Disc{Disc: d.Disc})
		}
	}
	return replay.Board(spec, discs, rows-1+rows%2, fresh...)
}

// fit cuts a text to a width.
func fit(s string, width int) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	r := []rune(s)
	return string(r[:max(width-1, 0)]) + "…"
}

// wrap breaks a text into lines of at most so many columns.
func wrap(s string, width int) []string {
	indent := s[:len(s)-len(strings.TrimLeft(s, " "))]
	var out []string
	line := indent
	for word := range strings.FieldsSeq(s) {
		if n := utf8.RuneCountInString(line); n > len(indent) && n+1+utf8.RuneCountInString(word) > width {
			out = append(out, line)
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return append(out, fit(line, width))
}
