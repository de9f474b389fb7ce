package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"crokcam/sim/render/photos"
	"crokcam/sim/render/show"
)

func newSimPhotosCmd(a *app) *cobra.Command {
	var out string
	var n, workers int
	var first uint64
	var o photos.Options
	var size string
	cmd := &cobra.Command{
		Use:   "photos --out DIR",
		Short: "Make photos of boards whose truth is known",
		Long: `Sim photos makes pictures of boards in every kind of view, colour and light,
each with its truth beside it: NAME.jpg and NAME.json, as crokcam eval reads
them. Picture k is that of the seed --seed + k: the same seed, the same picture.
When it is interrupted, only whole files are left.`,
		Example: `  crokcam sim photos --n 200 --seed 1 --out pictures && crokcam eval pictures
  crokcam sim photos --n 20 --light glare --view strong --out pictures`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case out == "":
				return wrongUse("sim photos needs --out, the folder for the pictures")
			case n < 1 || n > 100_000:
				return wrongUse("--n %d: from 1 to 100000 pictures can be made", n)
			case workers < 1:
				return wrongUse("--workers %d: at least one picture is made at a time", workers)
			}
			if size != "" {
				var err error
				if o.Width, o.Height, err = show.ParseSize(size); err != nil {
					return wrongUse("--size %q: %w", size, err)
				}
			}
			for _, f := range []struct {
				flag, value string
				known       []string
			}{
				{"view", o.View, photos.Views}, {"light", o.Light, photos.Lights},
				{"board", o.Board, photos.Boards}, {"load", o.Load, photos.Loads},
			} {
				if f.value != "" && !slices.Contains(f.known, f.value) {
					return wrongUse("--%s %q must be one of %s", f.flag, f.value, strings.Join(f.known, ", "))
				}
			}
			bar := a.progressOf("making", n)
			err := photos.Write(cmd.Context(), out, n, first, workers, o, func(int, int) { bar.add() })
			bar.clear()
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&out, "out", "", "the folder to write to; made when it is not there")
	flags.IntVar(&n, "n", 24, "how many pictures")
	flags.Uint64Var(&first, "seed", 1, "the first picture's seed")
	flags.IntVar(&workers, "workers", 1, "pictures made at a time; each uses every core")
	flags.StringVar(&size, "size", "", "of every picture, such as 1280x960; drawn by lot otherwise")
	flags.StringVar(&o.View, "view", "", "only this view: "+strings.Join(photos.Views, ", "))
	flags.StringVar(&o.Light, "light", "", "only this light: "+strings.Join(photos.Lights, ", "))
	flags.StringVar(&o.Board, "board", "", "only this board: "+strings.Join(photos.Boards, ", "))
	flags.StringVar(&o.Load, "load", "", "only this load: "+strings.Join(photos.Loads, ", "))
	return cmd
}
