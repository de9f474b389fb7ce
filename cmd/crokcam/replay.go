package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"crokcam/match"
	"crokcam/match/replay"
	"crokcam/match/store"
	"crokcam/rules/say"
)

// newReplayCmd is the command that tells a match again.
func newReplayCmd(a *app) *cobra.Command {
	var asJSON bool
	var lang string
	var rows int
	cmd := &cobra.Command{
		Use:   "replay MATCH",
		Short: "Tell a match again, shot by shot",
		Long: `Replay prints each shot of a match with its verdict, the board after it and the
round's count: as the match stands, corrected and without what was undone. On
the boards a letter is a disc of that side, a small one the disc just shot.

With --json it prints one crokcam.replay/1 object.`,
		Args: oneArg("a match"),
		RunE: func(cmd *cobra.Command, args []string) error {
			words, err := say.For(lang)
			if err != nil {
				return usageError{err}
			}
			return a.withMatch(cmd.Context(), args[0], func(db *store.DB, info store.Info) error {
				state, err := store.Load(cmd.Context(), db, info.Match)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(a.out, replay.Of(state), "  ")
				}
				return replay.Write(plainly{a.out}, state, replay.Options{Words: words, Rows: rows})
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print JSON instead of text")
	flags.StringVar(&lang, "lang", "en", "language of the verdicts: en, fr, nl or th")
	flags.IntVar(&rows, "rows", 21, "lines of a board, 0 for none")
	return cmd
}

// printState prints a match as it stands.
func (a *app) printState(s match.State) error {
	if err := replay.WriteState(plainly{a.out}, s); err != nil {
		return err
	}
	if n := len(s.Questions(true)); n > 0 {
		fmt.Fprintf(a.err, "%d questions are open.\n", n)
	}
	return nil
}
