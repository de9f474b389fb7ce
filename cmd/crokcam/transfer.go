package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"crokcam/internal/wholefile"
	"crokcam/match"
	"crokcam/match/store"
)

func newMatchExportCmd(a *app) *cobra.Command {
	var pictures bool
	cmd := &cobra.Command{
		Use:   "export MATCH [FILE.json]",
		Short: "Write a match to one JSON file, or to standard output",
		Long: `Export writes one crokcam.match/1 object: all events of the match, and with
--pictures its pictures. Everything else follows from the events.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return wrongUse("%s needs a match and perhaps a file", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withMatch(cmd.Context(), args[0], func(db *store.DB, info store.Info) error {
				d, err := store.Export(cmd.Context(), db, info.Match, pictures)
				if err != nil {
					return err
				}
				if len(args) == 1 || args[1] == "-" {
					return d.Write(a.out)
				}
				var b bytes.Buffer
				if err := d.Write(&b); err != nil {
					return err
				}
				return wholefile.Write(args[1], b.Bytes())
			})
		},
	}
	cmd.Flags().BoolVar(&pictures, "pictures", false, "with the pictures")
	return cmd
}

func newMatchImportCmd(a *app) *cobra.Command {
	var asCopy bool
	cmd := &cobra.Command{
		Use:   "import FILE.json",
		Short: "Keep a match from a file that export wrote",
		Long: `Import replays the match before it keeps it: a file that is no match is refused.
"-" is standard input. A match that is there already is not touched; --copy keeps
the file's under an id and a code of its own.`,
		Args: oneArg("a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := readInput(a.in, args[0])
			if err != nil {
				return err
			}
			return a.withStore(cmd.Context(), func(db *store.DB) error {
				id, err := store.Import(cmd.Context(), db, data, asCopy)
				if errors.Is(err, store.ErrExists) {
					return fmt.Errorf("%w; --copy keeps it under another id", err)
				}
				if errors.Is(err, match.ErrInvalid) {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				if err != nil {
					return err
				}
				info, err := db.Match(cmd.Context(), id)
				if err != nil {
					return err
				}
				fmt.Fprintf(a.out, "%s  %s\n", info.Code, info.Match)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asCopy, "copy", false, "under an id and a code of its own")
	return cmd
}

func newBackupCmd(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy all matches and pictures into one file",
		Long: `Backup copies everything as it is at one moment; matches may go on meanwhile. The
copy is checked, and there whole or not at all.`,
		Args: oneArg("a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withStore(cmd.Context(), func(db *store.DB) error {
				return askForce(db.Backup(cmd.Context(), args[0], force))
			})
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace a file of that name")
	return cmd
}

func newRestoreCmd(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of all matches",
		Long: `Restore checks the backup and puts it in the place of the matches that are kept
now, which needs --force and stays beside it under another name. End crokcam serve
and other commands first: a file in use is not replaced.`,
		Args: oneArg("a backup"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := a.settings.Matches.Path()
			if err != nil {
				return err
			}
			kept, err := store.Restore(cmd.Context(), args[0], path, force, time.Now())
			if err != nil {
				return askForce(err)
			}
			if kept != "" {
				fmt.Fprintf(a.err, "What was there before is now %s\n", kept)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace the matches that are kept now")
	return cmd
}

// askForce says how to replace what is there.
func askForce(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; --force replaces it", err)
	}
	return err
}
