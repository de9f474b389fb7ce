package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"crokcam/api/access"
	"crokcam/api/contract"
	"crokcam/api/hall"
	"crokcam/match/store"
)

// newTokenCmd is the command that says who may use the service.
func newTokenCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Say who may use the service",
		Long: `Token makes, lists and revokes the tokens that let people and programs use the
service. Only a hash of each is kept. Roles: viewer looks on, scorer keeps the
score of matches, organiser may do everything, machine is a program that scores
and records, link looks on and may stand in the address of an overlay or a
stream.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTokenCreateCmd(a), newTokenListCmd(a), newTokenRevokeCmd(a))
	return cmd
}

// withTokens runs f with the tokens.
func (a *app) withTokens(cmd *cobra.Command, f func(*access.Tokens) error) error {
	return a.withStore(cmd.Context(), func(db *store.DB) error {
		t, err := access.NewTokens(db, "", nil)
		if err != nil {
			return err
		}
		return f(t)
	})
}

func newTokenCreateCmd(a *app) *cobra.Command {
	var asJSON bool
	var role, board string
	var days int
	cmd := &cobra.Command{
		Use:   "create NAME",
		Short: "Make a token and print it, this once",
		Example: `  crokcam token create --role organiser Sam
  crokcam token create --role scorer "tablet 1"
  crokcam token create --role link --board table-3 --days 3 stream`,
		Args: oneArg("a name: whose token it is"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if days < 0 {
				return wrongUse("--days %d: a token cannot hold so long", days)
			}
			if board != "" && contract.Role(role) != contract.Link {
				return wrongUse("--board: only a link can be for one board alone")
			}
			if board != "" && !hall.IsID(board) {
				return wrongUse("--board %q: a board's id is small letters, digits and hyphens, at most 32", board)
			}
			var expires time.Time
			if days > 0 {
				expires = time.Now().Add(time.Duration(days) * 24 * time.Hour)
			}
			return a.withTokens(cmd, func(tokens *access.Tokens) error {
				secret, t, err := tokens.Create(cmd.Context(), args[0], contract.Role(role), board, expires)
				if errors.Is(err, access.ErrRole) {
					return wrongUse("--role %q: it is not one of %s", role, roleWords())
				}
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(a.out, struct {
						access.Token
						Secret string `json:"token"`
					}{t, secret}, "  ")
				}
				if _, err := fmt.Fprintln(a.out, secret); err != nil {
					return fmt.Errorf("print: %w", err)
				}
				fmt.Fprintf(a.err, "This is the %s's token of %s. It is not kept and cannot be shown again; `crokcam token revoke %s` ends it.\n", t.Role, t.Name, t.ID)
				return nil
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	flags.StringVar(&role, "role", string(contract.Scorer), roleWords())
	flags.StringVar(&board, "board", "", "a link may be for one board alone")
	flags.IntVar(&days, "days", 0, "how many days it holds, 0 for ever")
	return cmd
}

func roleWords() string {
	var words []string
	for _, r := range contract.Roles() {
		words = append(words, string(r))
	}
	return strings.Join(words, ", ")
}

func newTokenListCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tokens, without what is secret",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTokens(cmd, func(tokens *access.Tokens) error {
				list, err := tokens.List(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(a.out, list, "  ")
				}
				t := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(t, "id\trole\tname\tboard\tmade\texpires")
				for _, x := range list {
					expires := "never"
					if !x.Expires.IsZero() {
						expires = x.Expires.Local().Format("2006-01-02 15:04")
					}
					fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", x.ID, x.Role, x.Name, x.Board, x.Created.Local().Format("2006-01-02"), expires)
				}
				if err := t.Flush(); err != nil {
					return fmt.Errorf("print: %w", err)
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	return cmd
}

func newTokenRevokeCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID",
		Short: "End a token at once, also in a service that runs",
		Args:  oneArg("a token's id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withTokens(cmd, func(tokens *access.Tokens) error {
				err := tokens.Revoke(cmd.Context(), args[0])
				if errors.Is(err, access.ErrUnknown) {
					return wrongUse("there is no token %q: see crokcam token list", args[0])
				}
				return err
			})
		},
	}
}
