package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"crokcam/internal/simcam"
	"crokcam/live/trial"
	"crokcam/sim/render/show"
)

func newEvalTableCmd(a *app) *cobra.Command {
	var asJSON, answer bool
	var rounds, seeds int
	cmd := &cobra.Command{
		Use:   "table sim:…",
		Short: "Measure whether whole rounds are counted right at a live table",
		Long: `Eval table plays simulated matches before a live table, hands and all, and
compares each round that the table has counted with what truly happened: frames,
shots, verdicts, removals and counts, as at a camera. Without --answer nobody
answers what is asked; with it the players do, truthfully.

With --json it prints one crokcam.eval.table/1 object.`,
		Example: `  crokcam eval table --rounds 2 --seeds 5 'sim:?seed=1&size=1280x720'`,
		Args:    oneArg("sim:"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rest, ok := strings.CutPrefix(args[0], simcam.Scheme+":")
			if !ok || rounds < 1 || seeds < 1 {
				return wrongUse("eval table plays --rounds and --seeds of a sim: source, at least one of each")
			}
			c, err := show.Parse(rest)
			if err != nil {
				return usageError{err}
			}
			c.Rounds = rounds
			bar := a.progressOf("playing rounds", rounds*seeds)
			total := trial.Result{Schema: trial.Schema}
			for range seeds {
				r, err := trial.Run(cmd.Context(), trial.Options{Show: c, Answer: answer})
				if err != nil {
					bar.clear()
					return err
				}
				for range r.Each {
					bar.add()
				}
				total.Add(r)
				c.Seed++
			}
			bar.clear()
			if asJSON {
				return writeJSON(a.out, total, "  ")
			}
			return a.printTrial(total)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	flags.BoolVar(&answer, "answer", false, "have the players answer what they are asked")
	flags.IntVar(&rounds, "rounds", 1, "how many rounds of each match are played")
	flags.IntVar(&seeds, "seeds", 1, "how many matches, each of the seed after the last one's")
	return cmd
}

func (a *app) printTrial(r trial.Result) error {
	t := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "rounds\t%d\texact %d, wrong %d, waiting %d\n", r.Rounds.Truth, r.Rounds.Exact, r.Rounds.Wrong, r.Rounds.Waiting)
	fmt.Fprintf(t, "shots\t%d\trecorded %d\n", r.Shots.Truth, r.Shots.Recorded)
	fmt.Fprintf(t, "questions\t%d\t%d held play up, out of step %d times\n", r.Questions, r.Blocking, r.Desyncs)
	fmt.Fprintf(t, "frames\t%d\t%.0f s\n", r.Frames, r.Seconds)
	for _, x := range r.Each {
		fmt.Fprintf(t, "seed %d, match %d, round %d\ttruth %v\tcounted %v\n", x.Seed, x.Match, x.Round, x.Truth, x.Got)
		for _, n := range x.Notes {
			fmt.Fprintf(t, "\t\t%s\n", n)
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
