package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func newConfigCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Look at the settings",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var asJSON bool
	show := &cobra.Command{
		Use:   "show",
		Short: "Print every setting and where its value came from",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return writeJSON(a.out, a.settings.Entries, "  ")
			}
			t := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			for _, e := range a.settings.Entries {
				fmt.Fprintf(t, "%s\t%v\t%s\n", e.Key, e.Value, e.From)
			}
			if err := t.Flush(); err != nil {
				return fmt.Errorf("print: %w", err)
			}
			return nil
		},
	}
	show.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	cmd.AddCommand(show)
	return cmd
}
