package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"crokcam/api/fanout"
)

func newBenchEventsCmd(a *app) *cobra.Command {
	var f benchFlags
	o := fanout.Options{Crowd: a.crowd, Drain: a.drain}
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Measure telling a match to many overlays beside the least it could cost",
		Long: `Bench events plays a match before many listeners, half of them by WebSocket and
half by server-sent events, each of which is cut off at random moments and comes
back. Every one must hear every message once and in order, or it fails. The
floor is the same bytes written to as many plain connections. The listeners are
another program: the times are the service's own.

With --json it prints one crokcam.bench/1 object.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if o.Listeners < 1 || o.Disconnects < 0 || o.Entries < 1 || o.Rate <= 0 {
				return wrongUse("there has to be at least one listener, one entry, and some rate")
			}
			result, _, err := fanout.Events(cmd.Context(), o, f.rounds)
			if err != nil {
				return err
			}
			return f.write(a, result)
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.Lookup("rounds").DefValue = "1"
	f.rounds = 1
	flags.IntVar(&o.Listeners, "listeners", 500, "how many listen")
	flags.IntVar(&o.Disconnects, "disconnects", 10, "how often each is cut off")
	flags.IntVar(&o.Entries, "entries", 100, "how many entries are recorded in the match")
	flags.Float64Var(&o.Rate, "rate", 5, "entries a second; a match has about one")
	return cmd
}

// The listeners' program is this one, with one of these jobs.
const (
	crowdListens = "listen"
	crowdDrains  = "drain"
)

func newBenchCrowdCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:    "crowd",
		Short:  "Be the listeners of bench events",
		Hidden: true,
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var job struct {
				Kind        string
				Crowd       fanout.Crowd
				Address     string
				Connections int
			}
			if err := json.NewDecoder(a.in).Decode(&job); err != nil {
				return wrongUse("crowd: %w", err)
			}
			ready := func() { fmt.Fprintln(a.out, "ready") }
			if job.Kind == crowdDrains {
				return fanout.Drain(cmd.Context(), job.Address, job.Connections, ready)
			}
			report, err := job.Crowd.Listen(cmd.Context(), ready)
			if err != nil {
				return err
			}
			return writeJSON(a.out, report, "")
		},
	}
}

// crowd has another program listen.
func (a *app) crowd(ctx context.Context, c fanout.Crowd, ready func()) (fanout.Report, error) {
	var r fanout.Report
	last, err := a.other(ctx, map[string]any{"Kind": crowdListens, "Crowd": c}, ready)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(last, &r); err != nil {
		return r, fmt.Errorf("bench: the listeners' report: %w", err)
	}
	return r, nil
}

func (a *app) drain(ctx context.Context, address string, connections int, ready func()) error {
	_, err := a.other(ctx, map[string]any{"Kind": crowdDrains, "Address": address, "Connections": connections}, ready)
	return err
}

// other runs the listeners' program and gives the last line that it prints. It
// says ready first.
func (a *app) other(ctx context.Context, job any, ready func()) (last []byte, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	child := exec.CommandContext(ctx, self, "bench", "crowd")
	child.Stderr = a.err
	in, err := child.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if err := child.Start(); err != nil {
		return nil, fmt.Errorf("bench: listeners: %w", err)
	}
	if err := json.NewEncoder(in).Encode(job); err != nil {
		return nil, fmt.Errorf("bench: listeners: %w", err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if lines.Text() == "ready" {
			ready()
			continue
		}
		last = append(last[:0], lines.Bytes()...)
	}
	if err := child.Wait(); err != nil {
		return nil, fmt.Errorf("bench: listeners: %w", err)
	}
	return last, lines.Err()
}
