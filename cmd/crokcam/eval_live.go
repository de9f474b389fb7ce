package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"crokcam/vision/eval/live"
	"crokcam/vision/shots"
)

func newEvalLiveCmd(a *app) *cobra.Command {
	var asJSON, each, events bool
	var shotsOf, seeds int
	cmd := &cobra.Command{
		Use:   "live FOLDER|sim:…",
		Short: "Measure how well shots are found and judged in videos whose truth is known",
		Long: `Eval live watches every video of the folders that has its truth beside it, as
` + "`crokcam sim video`" + ` makes them, or a match that is played on the spot, and
compares the shots that it finds, and the verdicts on them, with what happened.

With --json it prints one crokcam.eval.live/1 object.`,
		Example: `  crokcam eval live clips/
  crokcam eval live --shots 10 'sim:?seed=3&size=1280x720'
  crokcam eval live --seeds 60 'sim:?seed=1&size=1280x720&hasty=1&unsteady=1'`,
		Args: someArgs("a folder or sim:"),
		RunE: func(cmd *cobra.Command, sources []string) error {
			if seeds < 1 || shotsOf < 0 {
				return wrongUse("eval live plays at least one of --seeds, and of --shots none or some")
			}
			o := live.Options{Each: each, Shots: shotsOf, Seeds: seeds}
			if events {
				o.Watch = func(e shots.Event) { fmt.Fprintln(a.err, said(e)) }
			}
			r, err := live.Run(cmd.Context(), sources, o)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.out, r, "  ")
			}
			return live.WriteTable(a.out, r)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	flags.BoolVar(&each, "each", false, "list every shot, not only those with a fault or a question")
	flags.BoolVar(&events, "events", false, "print what is noticed, as it is noticed, to stderr")
	flags.IntVar(&shotsOf, "shots", 0, "how many shots of a sim: source to watch; 0 is one round")
	flags.IntVar(&seeds, "seeds", 1, "how many matches of a sim: source to watch, each of the seed after the last one's")
	return cmd
}

// said is an event in a line.
func said(e shots.Event) string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	add("%9.3f s  %s", e.At.Seconds(), e.Kind)
	switch e.Kind {
	case shots.StateChanged:
		add(" %s → %s", e.From, e.To)
	case shots.ShotFound:
		s := e.Shot
		for _, d := range s.After {
			add(" %s(%.0f, %.0f)", d.Side, d.X, d.Y)
		}
		add(" %d discs before, %d after, shooter %d, %d contacts, flight %.0f mm, rest at %.3f s", len(s.Before), len(s.After), s.Shooter, len(s.Contacts), s.Flight, s.End.Seconds())
	case shots.Drifted:
		add(" by %.2f mm", e.Drift)
	}
	for _, d := range e.Discs {
		add(" %s(%.0f, %.0f)", d.Side, d.X, d.Y)
	}
	if e.Note != "" {
		add(": %s", e.Note)
	}
	return b.String()
}
