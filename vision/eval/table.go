package eval

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteTable prints a result for people: what went wrong, picture by picture
// (or every picture, when each is set), then a row for each set.
func WriteTable(w io.Writer, r Result, each bool) error {
	var b bytes.Buffer
	for _, s := range r.Sets {
		for _, p := range s.all {
			if each || !p.Exact {
				fmt.Fprintf(&b, "%s/%s  %s\n", s.Folder, p.File, p.outcome())
			}
		}
	}
	if b.Len() > 0 {
		fmt.Fprintln(&b)
	}
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "set\texact\tdiscs\tmissed\tinvented\tside wrong\tvalue wrong\tunflagged\tflagged\tradial mm\tp95\tplane mm\t<2 sigma\tcpu ms\t")
	for _, s := range r.Sets {
		d := s.Discs
		fmt.Fprintf(t, "%s\t%d/%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t\n", s.Folder, s.Exact, s.Pictures, d.Truth, d.Missed,
			d.Invented, d.SideWrong, d.ValueWrong, d.ValueWrongUnflagged, d.Flagged,
			number("%.2f", s.RadialMM.Median), number("%.2f", s.RadialMM.P95), number("%.2f", s.PlaneMM.Median),
			percent(s.SigmaWithin2), number("%.0f", s.CPUms.Median))
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("eval: print: %w", err)
	}
	fmt.Fprintln(&b)
	for _, s := range r.Sets {
		fmt.Fprintf(&b, "%s: precision %s, recall %s, sides right %s, values right %s", s.Folder,
			percent(s.Precision), percent(s.Recall), percent(s.SideAccuracy), percent(s.ValueAccuracy))
		if n := s.Discs.NoBoard; n > 0 {
			fmt.Fprintf(&b, "; no result for %d of %d", n, s.Pictures)
		}
		fmt.Fprintln(&b)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("eval: print: %w", err)
	}
	return nil
}

// outcome says in a line how a picture came out.
func (p Picture) outcome() string {
	if p.report == nil {
		return "NO RESULT  " + p.Error
	}
	word := "WRONG"
	switch {
	case p.Flagged:
		word = "ok, flagged"
	case p.Exact:
		word = "ok"
	}
	parts := []string{fmt.Sprintf("%s  want %s got %s", word, totals(p.Want), totals(p.Got))}
	if p.Missed > 0 {
		parts = append(parts, fmt.Sprintf("missed %d", p.Missed))
	}
	if p.Invented > 0 {
		parts = append(parts, fmt.Sprintf("invented %d", p.Invented))
	}
	return strings.Join(append(parts, p.Faults...), "; ")
}

func totals(m map[string]int) string {
	if len(m) == 0 {
		return "nothing"
	}
	var parts []string
	for _, side := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s %d", sideName(side), m[side]))
	}
	return strings.Join(parts, ", ")
}

func number(format string, v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf(format, *v)
}

func percent(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100**v)
}
