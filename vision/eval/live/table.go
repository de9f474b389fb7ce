package live

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// WriteTable prints a result for people: the shots that are listed, then the
// counts.
func WriteTable(w io.Writer, r Result) error {
	var b bytes.Buffer
	for _, f := range r.Each {
		word := "right"
		switch {
		case f.Round == 0:
			word = "INVENTED"
		case !f.Found:
			word = "NOT FOUND"
		case !f.Right:
			word = "WRONG"
		case len(f.Faults) > 0:
			word = "see"
		}
		fmt.Fprintf(&b, "%s  round %d shot %d at %.2f s  %s  %s\n", f.Clip, f.Round, f.Number, f.At, word, strings.Join(f.Faults, "; "))
	}
	if b.Len() > 0 {
		fmt.Fprintln(&b)
	}
	s := r.Shots
	fmt.Fprintf(&b, "clips     %d, %d frames, %.1f ms each\n", r.Clips, r.Frames.Count, r.Frames.CPUms)
	fmt.Fprintf(&b, "shots     %d, found %d of them (recall %.4f) in %d reports (precision %.4f), %d with every disc right\n", s.Truth, s.Matched, s.Recall, s.Found, s.Precision, s.Right)
	v := r.Verdicts
	fmt.Fprintf(&b, "verdicts  %d right, %d wrong and not flagged, %d flagged (%d of them again for a disc that had not moved)\n", v.Right, v.WrongUnflagged, v.Flagged, v.Again)
	fmt.Fprintf(&b, "20s       %d, %d right, %d asked about\n", r.Twenties.Truth, r.Twenties.Right, r.Twenties.Asked)
	fmt.Fprintf(&b, "contacts  %d, %d seen, %d of these right\n", r.Contacts.Truth, r.Contacts.Seen, r.Contacts.Right)
	fmt.Fprintf(&b, "rounds    %d, %d exact\n", r.Rounds.Truth, r.Rounds.Exact)
	fmt.Fprintf(&b, "desynced  %d times\n", r.Desyncs)
	fmt.Fprintf(&b, "rest to verdict  median %.0f ms, 95 %% within %.0f ms\n", r.Latency.Median, r.Latency.P95)
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("eval live: print: %w", err)
	}
	return nil
}
