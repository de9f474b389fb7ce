package main

import (
	"context"

	"github.com/spf13/cobra"

	"crokcam/vision/bench"
	"crokcam/vision/photo"
)

func newBenchCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure what the program costs",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBenchPhotoCmd(a))
	return cmd
}

func newBenchPhotoCmd(a *app) *cobra.Command {
	var asJSON bool
	var rounds int
	cmd := &cobra.Command{
		Use:   "photo [FILE]",
		Short: "Measure scoring a photo beside the least it could cost",
		Long: `Bench photo scores a photo again and again, in turns with its floor: decoding
the same photo and rectifying the board once at working scale. Without FILE it
makes a 12-megapixel JPEG. The times are medians; the ratio is that of the
processor times.

With --json it prints one crokcam.bench/1 object.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongUse("%s takes one photo, but got %d", cmd.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if rounds < 1 {
				return wrongUse("--rounds %d: at least one is needed", rounds)
			}
			data, err := a.benchPicture(args)
			if err != nil {
				return err
			}
			result, err := bench.Photo(cmd.Context(), data, func(ctx context.Context, data []byte) (*photo.Report, error) {
				return a.scorer.Score(ctx, data, photo.Options{})
			}, rounds)
			if err != nil {
				return err
			}
			report := bench.Report{Schema: bench.Schema, Results: []bench.Result{result}}
			if asJSON {
				return writeJSON(a.out, report, "  ")
			}
			return bench.WriteTable(a.out, report)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	flags.IntVar(&rounds, "rounds", 9, "how often each is measured")
	return cmd
}

// benchPicture is the picture that was named, or one that is made.
func (a *app) benchPicture(args []string) ([]byte, error) {
	if len(args) == 1 {
		return a.readPicture(args[0], a.settings.Limits.MaxBytes())
	}
	return bench.Picture()
}
