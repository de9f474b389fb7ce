package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"crokcam/vision/eval"
	"crokcam/vision/photo"
)

// evalFlags are the flags of eval.
type evalFlags struct {
	json  bool
	each  bool
	sheet string
	jobs  int
}

func newEvalCmd(a *app) *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval FOLDER…",
		Short: "Measure the scorer on pictures whose truth is known",
		Long: `Eval scores every picture of each folder and compares the result with the truth
beside it: a NAME.json for each picture, or one truth.json for all.`,
		Example: `  crokcam eval testdata/renders
  crokcam eval --json --sheet failures.jpg testdata/renders > eval.json`,
		Args: someArgs("a folder"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.eval(cmd.Context(), f, args) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print crokcam.eval/1 instead of a table")
	flags.BoolVar(&f.each, "each", false, "list every picture, not only those that went wrong")
	flags.StringVar(&f.sheet, "sheet", "", "put the pictures that went wrong into one picture, `FILE.jpg`")
	flags.IntVar(&f.jobs, "jobs", 1, "pictures at a time; processor time is measured only with one")
	return cmd
}

func (a *app) eval(ctx context.Context, f evalFlags, folders []string) error {
	if f.jobs < 1 {
		return wrongUse("--jobs %d: must be 1 or more", f.jobs)
	}
	var o photo.Options
	var err error
	if o.Board, err = findBoard(a.settings.Photo.Board); err != nil {
		return fmt.Errorf("photo.board: %w", err)
	}
	var bar progress
	result, err := eval.Run(ctx, folders, func(ctx context.Context, path string) (*photo.Report, time.Duration, error) {
		data, err := a.readPicture(path, a.settings.Limits.MaxBytes())
		if err != nil {
			return nil, 0, err
		}
		start := processorTime()
		r, err := a.scorer.Score(ctx, data, o)
		if f.jobs > 1 {
			return r, 0, err // the other pictures' time would be in it
		}
		return r, processorTime() - start, err
	}, eval.Options{Jobs: f.jobs, Each: f.each, Progress: func(done, total int) {
		if done == 1 {
			bar = a.progress(total)
		}
		bar.add()
	}})
	bar.clear()
	if err != nil {
		return err
	}
	if f.sheet != "" {
		sheet, err := result.Sheet()
		if err != nil {
			return err
		}
		if err := writeFile(f.sheet, sheet); err != nil {
			return err
		}
	}
	if f.json {
		return writeJSON(a.out, result, "  ")
	}
	return eval.WriteTable(a.out, result, f.each)
}

// processorTime is what this process has used up so far, on all cores.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
