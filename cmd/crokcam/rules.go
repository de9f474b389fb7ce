package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	profiles "crokcam/configs/rules"
	"crokcam/rules/book"
	"crokcam/rules/profile"
)

// newRulesCmd is the command that prints the rule book.
func newRulesCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Print the rules the program plays by",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRulesListCmd(), newRulesShowCmd())
	return cmd
}

func newRulesListCmd() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the rules, one a line",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch format {
			case "text":
				return printRuleList(cmd.OutOrStdout())
			case "markdown":
				set, err := profile.Load(profiles.FS)
				if err != nil {
					return err
				}
				return book.WriteMarkdown(cmd.OutOrStdout(), set)
			}
			return wrongUse("--format %q: it is not text or markdown", format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, or markdown for the whole book")
	return cmd
}

func printRuleList(out io.Writer) error {
	for _, r := range book.All() {
		if _, err := fmt.Fprintf(out, "%-7s %s\n", r.ID, r.Title); err != nil {
			return err
		}
	}
	return nil
}

func newRulesShowCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show one rule, its variants and who plays them, or a profile",
		Args:  oneArg("the id of a rule or the name of a profile"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if r, ok := book.Get(args[0]); ok {
				_, err := io.WriteString(cmd.OutOrStdout(), r.Text())
				return err
			}
			set, err := profile.Load(profiles.FS)
			if err != nil {
				return err
			}
			if p, ok := set.Find(args[0]); ok {
				return book.WriteProfile(cmd.OutOrStdout(), p)
			}
			return wrongUse("there is no rule or profile %q", args[0])
		},
	}
}
