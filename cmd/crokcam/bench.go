package main

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"crokcam/internal/bench"
	storebench "crokcam/match/store/bench"
	"crokcam/rules"
	judgebench "crokcam/rules/bench"
	simbench "crokcam/sim/bench"
	photobench "crokcam/vision/bench"
	"crokcam/vision/photo"
	framebench "crokcam/vision/shots/bench"
)

func newBenchCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure what the program costs",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBenchPhotoCmd(a), newBenchFrameCmd(a), newBenchJudgeCmd(a), newBenchPhysicsCmd(a), newBenchStoreCmd(a), newBenchEventsCmd(a), newBenchCrowdCmd(a))
	return cmd
}

// benchFlags are the flags of every measurement.
type benchFlags struct {
	asJSON bool
	rounds int
}

func (f *benchFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.asJSON, "json", false, "print JSON instead of a table")
	flags.IntVar(&f.rounds, "rounds", 9, "how often each is measured")
}

func (f *benchFlags) check() error {
	if f.rounds < 1 {
		return wrongUse("--rounds %d: at least one is needed", f.rounds)
	}
	return nil
}

func (f *benchFlags) write(a *app, results ...bench.Result) error {
	report := bench.Report{Schema: bench.Schema, Results: results}
	if f.asJSON {
		return writeJSON(a.out, report, "  ")
	}
	return bench.WriteTable(a.out, report)
}

func newBenchJudgeCmd(a *app) *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "judge",
		Short: "Measure judging a shot beside counting the board",
		Long: `Bench judge judges one shot at a board of 24 discs again and again, in turns
with its floor: counting the points on that board as often. The times are
medians; the ratio is that of the processor times.

With --json it prints one crokcam.bench/1 object.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			result, err := judgebench.Judge(cmd.Context(), rules.Ruleset{}, f.rounds)
			if err != nil {
				return err
			}
			return f.write(a, result)
		},
	}
	f.add(cmd)
	return cmd
}

func newBenchPhysicsCmd(a *app) *cobra.Command {
	var f benchFlags
	var t tableFlags
	cmd := &cobra.Command{
		Use:   "physics",
		Short: "Measure simulating a shot beside one on an empty board",
		Long: `Bench physics simulates shots at boards of twelve discs, in turns with their
floor: the same shots on boards without any. The times are medians; the ratio
is that of the processor times.

With --json it prints one crokcam.bench/1 object.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			table, err := t.table()
			if err != nil {
				return err
			}
			result, err := simbench.Shots(cmd.Context(), table, f.rounds)
			if err != nil {
				return err
			}
			return f.write(a, result)
		},
	}
	f.add(cmd)
	t.add(cmd)
	return cmd
}

func newBenchPhotoCmd(a *app) *cobra.Command {
	var f benchFlags
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
			if err := f.check(); err != nil {
				return err
			}
			data, err := a.benchPicture(args)
			if err != nil {
				return err
			}
			result, err := photobench.Photo(cmd.Context(), data, func(ctx context.Context, data []byte) (*photo.Report, error) {
				return a.scorer.Score(ctx, data, photo.Options{})
			}, f.rounds)
			if err != nil {
				return err
			}
			return f.write(a, result)
		},
	}
	f.add(cmd)
	return cmd
}

func newBenchStoreCmd(a *app) *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "store [FOLDER]",
		Short: "Measure keeping events beside the least it could cost",
		Long: `Bench store keeps the events of a match one by one, each on the disk before the
next, in turns with its floor: the same bytes written to a file and synced one by
one. FOLDER is on the disk to be measured, the temporary folder without one. The
times are medians; the ratio is that of the processor times.

With --json it prints one crokcam.bench/1 object.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongUse("%s takes one folder, but got %d", cmd.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			folder := os.TempDir()
			if len(args) == 1 {
				folder = args[0]
			}
			result, err := storebench.Commits(cmd.Context(), folder, f.rounds)
			if err != nil {
				return err
			}
			return f.write(a, result)
		},
	}
	f.add(cmd)
	return cmd
}

func newBenchFrameCmd(a *app) *cobra.Command {
	var f benchFlags
	var streams int
	var long time.Duration
	cmd := &cobra.Command{
		Use:   "frame",
		Short: "Measure watching the frames of a camera",
		Long: `Bench frame measures watching a frame of 1920 x 1080 in which nothing happens,
in turns with its floor: reading its luma once; and one on which the board is
looked at after a shot, in turns with its floor: making a colour picture of the
frame. Decoding is left out. The times are medians; the ratio is that of the
processor times.

With --streams it watches so many streams of 1280 x 720 at 30 frames a second at
once, and says how old frames were when they had been dealt with.

With --json it prints one crokcam.bench/1 object.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if streams > 0 {
				result, err := framebench.Streams(cmd.Context(), streams, long)
				if err != nil {
					return err
				}
				return f.write(a, result)
			}
			results, err := framebench.Frames(cmd.Context(), f.rounds)
			if err != nil {
				return err
			}
			return f.write(a, results...)
		},
	}
	f.add(cmd)
	cmd.Flags().IntVar(&streams, "streams", 0, "how many streams to watch at once, instead of single frames")
	cmd.Flags().DurationVar(&long, "long", 20*time.Second, "for how long to watch streams")
	return cmd
}

// benchPicture is the picture that was named, or one that is made.
func (a *app) benchPicture(args []string) ([]byte, error) {
	if len(args) == 1 {
		return a.readPicture(args[0], a.settings.Limits.MaxBytes())
	}
	return photobench.Picture()
}
