package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"crokcam/internal/usage"
	"crokcam/internal/wholefile"
	"crokcam/vision/eval"
	"crokcam/vision/photo"
)

func newEvalCmd(a *app) *cobra.Command {
	var asJSON, each bool
	var sheet string
	var jobs int
	cmd := &cobra.Command{
		Use:   "eval FOLDER…",
		Short: "Measure the scorer against pictures whose truth is known",
		Long: `Eval scores every picture of the folders and compares it with its truth: a
truth.json in the folder, or a NAME.json beside each ray-traced picture.

With --json it prints one crokcam.eval/1 object. Processor time is measured
only while pictures are scored one at a time.`,
		Example: `  crokcam eval testdata/renders
  crokcam eval --sheet failures.jpg pictures/indoors pictures/outdoors`,
		Args: someArgs("a folder"),
		RunE: func(cmd *cobra.Command, folders []string) error {
			if jobs < 1 {
				return wrongUse("--jobs %d: at least one picture is scored at a time", jobs)
			}
			bar := a.progress(0)
			result, err := eval.Run(cmd.Context(), folders, a.evalScore(jobs == 1), eval.Options{
				Jobs: jobs, Each: each,
				Progress: func(done, total int) {
					if done == 1 {
						bar = a.progress(total)
					}
					bar.add()
				},
			})
			bar.clear()
			if err != nil {
				return err
			}
			if sheet != "" {
				jpeg, err := result.Sheet()
				if err != nil {
					return err
				}
				if err := wholefile.Write(sheet, jpeg); err != nil {
					return err
				}
			}
			if asJSON {
				return writeJSON(a.out, result, "  ")
			}
			return eval.WriteTable(a.out, result, each)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	flags.StringVar(&sheet, "sheet", "", "write one picture of all failures to `OUT.jpg`")
	flags.BoolVar(&each, "each", false, "list every picture, not only the failures")
	flags.IntVar(&jobs, "jobs", 1, "pictures scored at a time")
	cmd.AddCommand(newEvalLiveCmd(a), newEvalTableCmd(a))
	return cmd
}

// evalScore scores a file. The processor time of the process is a picture's
// own only when it is scored alone.
func (a *app) evalScore(alone bool) eval.Score {
	return func(ctx context.Context, path string) (*photo.Report, time.Duration, error) {
		data, err := a.readPicture(path, a.settings.Limits.MaxBytes())
		if err != nil {
			return nil, 0, err
		}
		before := usage.CPU()
		r, err := a.scorer.Score(ctx, data, photo.Options{})
		if err != nil {
			return nil, 0, fmt.Errorf("score: %w", err)
		}
		if !alone {
			return r, 0, nil
		}
		return r, usage.CPU() - before, nil
	}
}
