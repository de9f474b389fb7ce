package main

import (
	"github.com/spf13/cobra"

	"crokcam/board/presets"
	"crokcam/sim"
	"crokcam/sim/physics"
)

// newSimCmd is the command for boards made of numbers.
func newSimCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "Play crokinole on a simulated board",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	return cmd
}

// tableFlags say which board is simulated.
type tableFlags struct{ board, physics string }

func (f *tableFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.board, "board", "tournament-26", "a known board or a board file")
	flags.StringVar(&f.physics, "physics", physics.Default, "known physics or a file of them (see configs/physics)")
}

func (f *tableFlags) table() (*sim.Table, error) {
	spec, err := presets.Find(f.board)
	if err != nil {
		return nil, wrongUse("--board: %w", err)
	}
	p, err := physics.Find(f.physics)
	if err != nil {
		return nil, wrongUse("--physics: %w", err)
	}
	t, err := sim.NewTable(spec, p)
	if err != nil {
		return nil, wrongUse("--board %s, --physics %s: %w", f.board, f.physics, err)
	}
	return t, nil
}
