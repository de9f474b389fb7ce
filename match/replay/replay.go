// Package replay tells a match again, shot by shot, for people and for programs.
// It tells it as it stands: without what was undone, and as corrected.
package replay

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"crokcam/board"
	"crokcam/match"
	"crokcam/rules"
	"crokcam/rules/say"
)

// Schema names the form of Report in JSON.
const Schema = "crokcam.replay/1"

// Report is a match told again.
type Report struct {
	Schema  string     `json:"schema"`
	Rounds  []Round    `json:"rounds"`
	Outcome match.View `json:"match"` // as it stands at the end
}

// Round is one round told again.
type Round struct {
	Game     int              `json:"game"`
	Number   int              `json:"number"`
	Lead     board.Seat       `json:"lead"`
	Entered  bool             `json:"entered,omitempty"`
	Agreed   bool             `json:"agreed"`
	Override bool             `json:"corrected,omitempty"`
	Totals   match.Points     `json:"totals"`
	Twenties match.Points     `json:"twenties"`
	Awarded  match.Points     `json:"awarded"`
	Winner   board.Side       `json:"winner"`
	Turns    []match.TurnView `json:"turns"`
}

// Of tells a match.
func Of(s match.State) Report {
	r := Report{Schema: Schema, Rounds: []Round{}, Outcome: s.View()}
	for _, x := range s.Rounds() {
		round := Round{
			Game: x.Game, Number: x.Number, Lead: x.Lead, Entered: x.Entered, Agreed: x.Agreed, Override: x.Override,
			Totals: match.Points(x.Totals), Twenties: match.Points(x.Twenties), Awarded: match.Points(x.Awarded), Winner: x.Winner,
			Turns: []match.TurnView{},
		}
		for _, t := range x.Turns {
			round.Turns = append(round.Turns, t.View())
		}
		r.Rounds = append(r.Rounds, round)
	}
	return r
}

// Options are how a match is told in text.
type Options struct {
	Words *say.Words
	Rows  int // lines of a board; 0 for none
}

// Write tells a match in text.
func Write(w io.Writer, s match.State, o Options) error {
	var b bytes.Buffer
	setup, view := s.Setup(), s.View()
	names := namesOf(s)
	fmt.Fprintln(&b, title(setup))
	for _, x := range s.Rounds() {
		fmt.Fprintf(&b, "\nGame %d, round %d: %s leads.\n", x.Game, x.Number, playerAt(setup, x.Lead))
		if x.Entered {
			fmt.Fprintln(&b, "Entered by hand, without its shots.")
		}
		for _, t := range x.Turns {
			writeTurn(&b, t, x, setup, names, o)
		}
		writeCount(&b, x, view)
	}
	fmt.Fprintln(&b)
	writeScore(&b, view)
	for _, p := range s.Problems() {
		fmt.Fprintf(&b, "! event %d: %s\n", p.Seq, p)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

func title(s match.Started) string {
	parts := []string{s.Match}
	for _, p := range []string{s.Code, s.Title, s.Board} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "  ")
}

// namesOf are the sides' names and colours in sentences.
func namesOf(s match.State) say.Names {
	var n say.Names
	for _, side := range s.View().Sides {
		n.Name[side.Side], n.Colour[side.Side] = side.Name, side.Colour
	}
	return n
}

func playerAt(s match.Started, seat board.Seat) string {
	for _, p := range s.Players {
		if p.Seat == seat {
			return fmt.Sprintf("%s (%s)", p.Name, seat)
		}
	}
	return seat.String()
}

func writeTurn(b *bytes.Buffer, t match.Turn, r match.Round, setup match.Started, names say.Names, o Options) {
	fmt.Fprintln(b)
	switch t.Kind {
	case match.TimeTurn:
		fmt.Fprintln(b, "The time is up.")
		return
	case match.SyncTurn:
		fmt.Fprintln(b, "The board was taken as it lay.")
	case match.ForfeitTurn:
		fmt.Fprintf(b, "Shot %d, side %s, %s: forfeited.\n", t.Number, t.Side, playerAt(setup, t.Seat))
		return
	case match.ShotTurn:
		fmt.Fprintf(b, "Shot %d, side %s, %s", t.Number, t.Side, playerAt(setup, t.Seat))
		if t.Corrected {
			b.WriteString(", corrected")
		}
		b.WriteString("\n")
		switch {
		case t.Verdict == nil:
			fmt.Fprintln(b, "  not judged")
		case o.Words == nil:
			fmt.Fprintln(b, "  "+t.Verdict.Ruling.String())
		default:
			for line := range strings.Lines(o.Words.Explain(*t.Verdict, names)) {
				fmt.Fprint(b, "  ", line)
			}
		}
	}
	if o.Rows > 1 {
		spec := r.Rules.Board
		if spec.Surface == 0 {
			spec = board.Tournament26()
		}
		for _, line := range Board(spec, t.Discs, o.Rows, match.ShotDisc(t.Seq)) {
			fmt.Fprintln(b, strings.TrimRight("    "+line, " "))
		}
	}
	fmt.Fprintf(b, "  %s\n", tallyLine(t.Totals, t.Twenties, names))
}

// tallyLine is "Ann 35 (1 × 20), Bob 20".
func tallyLine(totals, twenties rules.Points, names say.Names) string {
	var parts []string
	for s := board.SideA; s <= board.SideD; s++ {
		if names.Name[s] == "" { // does not play
			continue
		}
		part := fmt.Sprintf("%s %d", names.Name[s], totals[s])
		if twenties[s] > 0 {
			part += fmt.Sprintf(" (%d × 20)", twenties[s])
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func writeCount(b *bytes.Buffer, r match.Round, v match.View) {
	var names say.Names
	for _, s := range v.Sides {
		names.Name[s.Side] = s.Name
	}
	state := "Still being played"
	if r.Agreed {
		state = "Agreed"
	}
	if r.Override {
		state += ", corrected as a whole"
	}
	fmt.Fprintf(b, "\n%s: %s.", state, tallyLine(r.Totals, r.Twenties, names))
	if r.Agreed {
		fmt.Fprintf(b, " Worth %s.", tallyLine(r.Awarded, rules.Points{}, names))
	}
	b.WriteString("\n")
}

func writeScore(b *bytes.Buffer, v match.View) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "side\tname\tgames\tpoints\t20s")
	for _, s := range v.Sides {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\n", s.Side, s.Name, s.Games, s.Points, s.Twenties)
	}
	_ = t.Flush() // a buffer does not fail
	switch {
	case v.Winner != board.NoSide:
		for _, s := range v.Sides {
			if s.Side == v.Winner {
				fmt.Fprintf(b, "%s has won.\n", s.Name)
			}
		}
	case v.Phase == match.Over:
		b.WriteString("Nobody has won.\n")
	case v.Paused:
		b.WriteString("Paused.\n")
	case v.Desynced:
		b.WriteString("Waiting for the board to be taken as it lies.\n")
	default:
		fmt.Fprintf(b, "Waiting: %s.\n", v.Phase)
	}
}

// WriteState tells a match as it stands: the score, and the round in play with
// its board.
func WriteState(w io.Writer, s match.State) error {
	var b bytes.Buffer
	setup, view := s.Setup(), s.View()
	fmt.Fprintln(&b, title(setup))
	if tally, ok := s.Tally(); ok {
		spec := s.Rules().Board
		if spec.Surface == 0 {
			spec = board.Tournament26()
		}
		fmt.Fprintf(&b, "\nGame %d, round %d: %s leads.\n", view.Game, view.Round, playerAt(setup, view.Lead))
		for _, line := range Board(spec, s.Discs(), stateRows) {
			fmt.Fprintln(&b, strings.TrimRight("    "+line, " "))
		}
		fmt.Fprintf(&b, "  %s\n", tallyLine(tally.Points, tally.Twenties, namesOf(s)))
	}
	fmt.Fprintln(&b)
	writeScore(&b, view)
	for _, p := range view.Problems {
		fmt.Fprintf(&b, "! event %d: %s\n", p.Seq, p.Text)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

const stateRows = 15
