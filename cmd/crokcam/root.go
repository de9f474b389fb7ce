package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"crokcam/api"
	"crokcam/internal/config"
	"crokcam/vision/capture/v4l"
)

// app is what every command works with.
type app struct {
	in       io.Reader
	out, err io.Writer
	scorer   api.Scorer

	machine    v4l.System
	configFile string // --config
	settings   *config.Loaded
	log        *slog.Logger
}

func newApp(in io.Reader, out, err io.Writer) *app {
	return &app{in: in, out: out, err: err, scorer: realScorer{}}
}

// run runs one command line and returns its exit status. Messages go to a.err.
func run(ctx context.Context, a *app, args []string) int {
	root := newRootCmd(a)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if text := message(err); text != "" {
		fmt.Fprintln(a.err, "crokcam: "+text)
	}
	return exitStatus(err)
}

func newRootCmd(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "crokcam",
		Short: "Keep the score of crokinole through a camera",
		Long: `Crokcam looks at a crokinole board and says the score: every disc with its
side and value, and which calls are too close to leave to a camera.

Exit status: 0 good, 1 failed, 2 wrong use, 3 nothing to score.`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              noArgs,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.load(cmd) },
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return wrongUse("%w; `%s --help` shows how it is used", err, cmd.CommandPath())
	})
	flags := root.PersistentFlags()
	flags.StringVar(&a.configFile, "config", "", "settings file (see configs/crokcam.yaml)")
	flags.String("log-level", "", "debug, info, warn or error")
	config.BindFlag(flags, "log-level", "log.level")
	flags.String("log-format", "", "text or json")
	config.BindFlag(flags, "log-format", "log.format")

	root.AddCommand(
		// photographs
		newScoreCmd(a),
		newCalibrateCmd(a),
		// cameras
		newCamerasCmd(a),
		newDoctorCmd(a),
		newLiveCmd(a),
		// measurements
		newEvalCmd(a),
		newBenchCmd(a),
		// matches
		newMatchCmd(a),
		newReplayCmd(a),
		newBackupCmd(a),
		newRestoreCmd(a),
		// simulation
		newSimCmd(a),
		// rules
		newJudgeCmd(),
		newRulesCmd(),
		// service
		newServeCmd(a),
		newTokenCmd(a),
		newHealthcheckCmd(a),
		newDebugBundleCmd(a),
		// the program itself
		newConfigCmd(a),
		newVersionCmd(a),
	)
	return root
}

// load reads the settings, this command's own flags among them.
func (a *app) load(cmd *cobra.Command) error {
	loaded, err := config.Load(a.configFile, cmd.Flags())
	if err != nil {
		return err
	}
	a.settings = loaded
	options := &slog.HandlerOptions{Level: loaded.Log.SlogLevel()}
	if loaded.Log.Format == "json" {
		a.log = slog.New(slog.NewJSONHandler(a.err, options))
	} else {
		a.log = slog.New(slog.NewTextHandler(a.err, options))
	}
	for _, w := range loaded.Warnings {
		a.log.Warn(w)
	}
	return nil
}
