package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"crokcam/board"
	"crokcam/match"
	"crokcam/match/stats"
	"crokcam/match/store"
)

// newMatchCmd is the command that looks after the matches that are kept.
func newMatchCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "match",
		Short: "Look after the matches that are kept",
		Long: `Match lists, shows, corrects, copies and removes matches. MATCH is a match's
code, its id, or the beginning of its id.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newMatchListCmd(a), newMatchShowCmd(a), newMatchStatsCmd(a), newMatchExportCmd(a), newMatchImportCmd(a),
		newMatchUndoCmd(a), newMatchRedoCmd(a), newMatchDeleteCmd(a), newMatchPruneCmd(a))
	return cmd
}

// withStore runs f with the matches.
func (a *app) withStore(ctx context.Context, f func(*store.DB) error) (err error) {
	path, err := a.settings.Matches.Path()
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return f(db)
}

// withMatch runs f with the match that a word means.
func (a *app) withMatch(ctx context.Context, word string, f func(*store.DB, store.Info) error) error {
	return a.withStore(ctx, func(db *store.DB) error {
		info, err := db.Find(ctx, word)
		if err != nil {
			return err
		}
		return f(db, info)
	})
}

func newMatchListCmd(a *app) *cobra.Command {
	var asJSON bool
	var q store.Query
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the matches, the newest first",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(db *store.DB) error {
				page, err := db.List(cmd.Context(), q)
				if errors.Is(err, store.ErrCursor) {
					return usageError{err}
				}
				if err != nil {
					return err
				}
				if asJSON {
					if page.Matches == nil {
						page.Matches = []store.Info{}
					}
					return writeJSON(a.out, map[string]any{"matches": page.Matches, "next": page.Next}, "  ")
				}
				return a.printMatches(page)
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	flags.IntVar(&q.Limit, "limit", 50, "how many to list")
	flags.StringVar(&q.Cursor, "after", "", "go on after a page: what that page printed")
	flags.StringVar(&q.Board, "board", "", "only those of a table")
	return cmd
}

func (a *app) printMatches(page store.Page) error {
	t := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "code\tstarted\ttable\ttitle\tscore\tstate")
	for _, m := range page.Matches {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", m.Code, m.Started.Local().Format("2006-01-02 15:04"), plain(m.Board), plain(m.Title), scoreLine(m.Summary), stateWord(m.Summary))
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	if page.Next != "" {
		fmt.Fprintf(a.err, "More: crokcam match list --after %s\n", page.Next)
	}
	return nil
}

// scoreLine is "Ann 4, Bob 2".
func scoreLine(s match.Summary) string {
	var parts []string
	for _, side := range s.Sides {
		parts = append(parts, fmt.Sprintf("%s %d", plain(side.Name), side.Points))
	}
	return strings.Join(parts, ", ")
}

func stateWord(s match.Summary) string {
	switch {
	case s.Phase != match.Over:
		return string(s.Phase)
	case s.Winner == board.NoSide:
		return "over, nobody won"
	}
	for _, side := range s.Sides {
		if side.Side == s.Winner {
			return plain(side.Name) + " won"
		}
	}
	return "over"
}

func newMatchShowCmd(a *app) *cobra.Command {
	var asJSON, events bool
	cmd := &cobra.Command{
		Use:   "show MATCH",
		Short: "Show a match as it stands, or all its events",
		Args:  oneArg("a match"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withMatch(cmd.Context(), args[0], func(db *store.DB, info store.Info) error {
				state, err := store.Load(cmd.Context(), db, info.Match)
				if err != nil {
					return err
				}
				switch {
				case asJSON && events:
					return writeJSON(a.out, state.Events(), "")
				case asJSON:
					return writeJSON(a.out, state.View(), "  ")
				case events:
					return a.printEvents(state)
				}
				return a.printState(state)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&events, "events", false, "list the events, those undone included")
	return cmd
}

// printEvents lists what has been recorded.
func (a *app) printEvents(s match.State) error {
	t := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, e := range s.Events() {
		mark := ""
		switch e.Body.(type) {
		case match.Undone, match.Redone:
		default:
			if !s.InForce(e.Seq) {
				mark = "undone"
			}
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\n", e.Seq, e.Time.Local().Format("2006-01-02 15:04:05"), actorName(e.Actor), e.Body.Kind(), mark)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

func actorName(a match.Actor) string {
	if a.Name == "" {
		return string(a.Role)
	}
	return string(a.Role) + " " + plain(a.Name)
}

func newMatchStatsCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats [MATCH…]",
		Short: "Count what the players did, in some matches or in all",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withStore(cmd.Context(), func(db *store.DB) error {
				states, err := loadMatches(cmd.Context(), db, args)
				if err != nil {
					return err
				}
				report := stats.Of(states)
				if asJSON {
					return writeJSON(a.out, report, "  ")
				}
				return a.printStats(report)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, heat maps included")
	return cmd
}

// loadMatches loads the matches that words mean, all without any.
func loadMatches(ctx context.Context, db *store.DB, words []string) ([]match.State, error) {
	var ids []string
	for _, w := range words {
		info, err := db.Find(ctx, w)
		if err != nil {
			return nil, err
		}
		ids = append(ids, info.Match)
	}
	for q := (store.Query{}); len(words) == 0; {
		page, err := db.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, m := range page.Matches {
			ids = append(ids, m.Match)
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	var states []match.State
	for _, id := range ids {
		s, err := store.Load(ctx, db, id)
		if err != nil {
			return nil, err
		}
		states = append(states, s)
	}
	return states, nil
}

func (a *app) printStats(r stats.Report) error {
	t := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "player\tmatches\twon\tshots\t20s\topen 20s\thits\t15\t10\t5\tout\t")
	for _, p := range r.Players {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t\n", plain(p.Name), p.Matches, p.Won, p.Shots,
			share(p.Twenties), share(p.OpenTwenties), share(p.Hits), p.Rests["15"], p.Rests["10"], p.Rests["5"], p.Rests["out"])
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// share is "12 % of 34".
func share(s stats.Share) string {
	if s.Of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %% of %d", 100*s.Rate, s.Of)
}

func newMatchUndoCmd(a *app) *cobra.Command {
	var to int
	cmd := &cobra.Command{
		Use:   "undo MATCH",
		Short: "Take back the last step of a match",
		Long: `Undo takes back the last shot, answer, correction or other step. Nothing is lost:
redo brings it back. With --event it takes back that event and the play after
it, or that correction alone ("match show --events" has the numbers).`,
		Args: oneArg("a match"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.amend(cmd.Context(), args[0], func(s match.State) (match.Body, error) {
				if to != 0 {
					return match.Undone{Target: to}, nil
				}
				seq, ok := s.UndoTarget()
				if !ok {
					return nil, match.ErrNothing
				}
				return match.Undone{Target: seq}, nil
			})
		},
	}
	cmd.Flags().IntVar(&to, "event", 0, "number of the event to take back")
	return cmd
}

func newMatchRedoCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "redo MATCH",
		Short: "Bring back what the last undo took",
		Args:  oneArg("a match"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.amend(cmd.Context(), args[0], func(s match.State) (match.Body, error) {
				seq, ok := s.RedoTarget()
				if !ok {
					return nil, match.ErrNothing
				}
				return match.Redone{Target: seq}, nil
			})
		},
	}
}

// amend records one event of a person at this machine and prints the state after
// it.
func (a *app) amend(ctx context.Context, word string, decide func(match.State) (match.Body, error)) error {
	return a.withMatch(ctx, word, func(db *store.DB, info store.Info) error {
		r, err := store.Resume(ctx, db, nil, info.Match)
		if err != nil {
			return err
		}
		body, err := decide(r.State())
		if err != nil {
			return err
		}
		name := os.Getenv("USER")
		state, err := r.Record(ctx, store.Entry{Actor: match.Actor{Role: match.Scorer, Name: name}, Bodies: []match.Body{body}})
		if err != nil {
			return err
		}
		return a.printState(state)
	})
}

func newMatchDeleteCmd(a *app) *cobra.Command {
	var sure bool
	cmd := &cobra.Command{
		Use:   "delete MATCH",
		Short: "Remove a match and its pictures for good",
		Args:  oneArg("a match"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withMatch(cmd.Context(), args[0], func(db *store.DB, info store.Info) error {
				if !sure {
					return wrongUse("match %s (%s, %s) would be gone for good: say --yes", info.Code, plain(info.Title), scoreLine(info.Summary))
				}
				return db.Delete(cmd.Context(), info.Match)
			})
		},
	}
	cmd.Flags().BoolVar(&sure, "yes", false, "really remove it")
	return cmd
}

func newMatchPruneCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "prune",
		Short: "Remove what the settings matches.keep_days and matches.keep_pictures_days no longer keep",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(db *store.DB) error {
				const day = 24 * time.Hour
				m := a.settings.Matches
				p, err := db.Prune(cmd.Context(), store.Retention{
					Now: time.Now(), Matches: time.Duration(m.KeepDays) * day, Pictures: time.Duration(m.KeepPicturesDays) * day,
				})
				if err != nil {
					return err
				}
				fmt.Fprintf(a.out, "Removed %d matches and %d pictures.\n", p.Matches, p.Pictures)
				return nil
			})
		},
	}
}
