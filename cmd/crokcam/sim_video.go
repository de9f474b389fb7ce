package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"crokcam/sim/play"
	"crokcam/sim/render/photos"
	"crokcam/sim/render/show"
)

func newSimVideoCmd(a *app) *cobra.Command {
	c := show.Default()
	c.Width, c.Height = 1280, 720
	c.Rounds = 1
	var out, size, layout string
	skill := float64(c.Skill)
	cmd := &cobra.Command{
		Use:   "video --out FILE.mp4",
		Short: "Record a match whose truth is known",
		Long: `Sim video plays a match in front of a simulated camera (hands place discs, flick
them and take dead ones away) and records it: FILE.mp4 (H.264, made by ffmpeg)
and FILE.json, the truth of every frame and shot with every contact and the
verdict. The same settings give the same match. When it is interrupted, neither
file is left behind.`,
		Example: `  crokcam sim video --rounds 1 --out match.mp4
  crokcam sim video --shots 1 --size 640x480 --fps 25 --out shot.mp4`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return wrongUse("sim video needs --out, the video's file")
			}
			if !strings.EqualFold(filepath.Ext(out), ".mp4") {
				return wrongUse("--out %q must end in .mp4", out)
			}
			if c.Shots < 0 || c.Rounds < 0 || c.Shots+c.Rounds == 0 {
				return wrongUse("--shots or --rounds must say where the video ends")
			}
			var err error
			if size != "" {
				if c.Width, c.Height, err = show.ParseSize(size); err != nil {
					return wrongUse("--size %q: %w", size, err)
				}
			}
			if layout != "" {
				if err := c.Layout.UnmarshalText([]byte(layout)); err != nil {
					return wrongUse("--layout: %w", err)
				}
			}
			c.Skill = play.Skill(skill)
			bar, seen := a.progressOf("recording shots", -1), 0
			err = show.Record(cmd.Context(), c, out, func(p show.Progress) {
				for ; seen < p.Shots; seen++ {
					bar.add()
				}
			})
			bar.clear()
			if errors.Is(err, show.ErrConfig) {
				return usageError{err}
			}
			if err != nil {
				return fmt.Errorf("sim video: %w", err)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&out, "out", "", "the video's file, which must end in .mp4; the truth is beside it")
	flags.IntVar(&c.Rounds, "rounds", c.Rounds, "how many rounds; 0 for no limit")
	flags.IntVar(&c.Shots, "shots", 0, "how many shots at most; 0 for no limit")
	flags.Uint64Var(&c.Seed, "seed", c.Seed, "of match, board, light and camera")
	flags.Float64Var(&skill, "skill", skill, "of the players, 0 to 1")
	flags.BoolVar(&c.Hasty, "hasty", false, "players who do not look ahead: worse play, made faster")
	flags.StringVar(&size, "size", "1280x720", "of the picture")
	flags.Float64Var(&c.FPS, "fps", c.FPS, "frames a second")
	flags.StringVar(&c.Board, "board", c.Board, "a known board or a board file")
	flags.StringVar(&c.Physics, "physics", c.Physics, "known physics or a file of them")
	flags.StringVar(&c.Rules, "rules", c.Rules, "the rules that are played by")
	flags.StringVar(&layout, "layout", "", "who plays: 2p, 4p, 3p_2v1, 3p_ffa or 4p_ffa")
	flags.StringVar(&c.View, "view", "", "the camera's view: "+strings.Join(photos.Views, ", "))
	flags.StringVar(&c.Light, "light", "", "the light: "+strings.Join(photos.Lights, ", "))
	flags.BoolVar(&c.Unsteady, "unsteady", false, "light that changes now and then, as clouds and switches do")
	flags.StringVar(&c.Look, "look", "", "how the board looks: "+strings.Join(photos.Boards, ", "))
	return cmd
}
