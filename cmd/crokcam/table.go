package main

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"

	"crokcam/vision/photo"
)

// writeTable prints a report for people.
func writeTable(w io.Writer, name string, r *photo.Report) error {
	var b bytes.Buffer
	c := r.Calibration
	fmt.Fprintf(&b, "%s\n%s board, seen %.0f° from straight above, lines fit to %.2f mm\n\n", name, c.Board, c.TiltDeg, c.RMSmm)

	if len(r.Sides) == 0 {
		fmt.Fprintln(&b, "No disc on the board.")
	} else {
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "side\t \t20\t15\t10\t5\tout\tpoints\t")
		for _, s := range r.Sides {
			n := zones(r, s.Side)
			fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", s.Side, s.Name, s.Twenties, n["15"], n["10"], n["5"], n["out"], s.Points)
		}
		if err := t.Flush(); err != nil {
			return fmt.Errorf("print: %w", err)
		}
		fmt.Fprintln(&b)
		switch {
		case r.Differential != nil:
			fmt.Fprintf(&b, "%s leads by %d.\n", r.Differential.Side, r.Differential.Points)
		case len(r.Sides) > 1:
			fmt.Fprintln(&b, "The sides are level.")
		}
	}
	if r.Ditch > 0 {
		fmt.Fprintf(&b, "In the ditch: %d.\n", r.Ditch)
	}
	if len(r.Warnings) > 0 {
		fmt.Fprintln(&b, "\nPlease look at:")
		for _, warning := range r.Warnings {
			fmt.Fprintf(&b, "  - %s\n", warning.Text)
		}
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// zones counts a side's discs by the zone they count for.
func zones(r *photo.Report, side string) map[string]int {
	n := map[string]int{}
	for _, d := range r.Discs {
		if d.Side == side {
			n[d.Zone]++
		}
	}
	return n
}
