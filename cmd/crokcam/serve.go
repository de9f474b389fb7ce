package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"crokcam/api"
	"crokcam/internal/config"
	"crokcam/match/store"
)

func newServeCmd(a *app) *cobra.Command {
	var demo bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the photo page and the API",
		Long: `Serve starts the web service: the page at /, the API under /api/v1. It stops
on SIGTERM or Ctrl-C after the requests under way have been answered. Matches at
the boards of the settings are kept by themselves.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), demo) },
	}
	cmd.Flags().BoolVar(&demo, "demo", false, "without boards in the settings, show a simulated match that is scored live")
	cmd.Flags().String("listen", "", "address and port (default: the server.listen setting)")
	config.BindFlag(cmd.Flags(), "listen", "server.listen")
	return cmd
}

func (a *app) serve(ctx context.Context, demo bool) error {
	return a.withStore(ctx, func(db *store.DB) error {
		tables, err := a.openTables(context.WithoutCancel(ctx), db, demo, a.tell)
		if err != nil {
			return err
		}
		return errors.Join(a.answer(ctx), tables.Close())
	})
}

// answer answers requests until ctx is done.
func (a *app) answer(ctx context.Context) error {
	s := a.settings.Server
	spec, err := findBoard(a.settings.Photo.Board)
	if err != nil {
		return fmt.Errorf("photo.board: %w", err)
	}
	service, err := api.New(api.Options{
		Scorer:            a.scorer,
		Log:               a.log,
		Version:           versionText(),
		Board:             spec,
		TrustedProxies:    s.TrustedProxies,
		Limits:            a.limits(),
		Parallel:          s.Parallel,
		QueueTimeout:      s.QueueTimeout,
		ScoreTimeout:      s.ScoreTimeout,
		PicturesPerMinute: s.PicturesPerMinute,
	})
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.Listen)
	if err != nil {
		return fmt.Errorf("serve: listen: %w", err)
	}
	server := &http.Server{
		Handler:           service,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       s.ReadTimeout,
		WriteTimeout:      s.ReadTimeout + s.QueueTimeout + s.ScoreTimeout + 10*time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	a.log.Info("listening", "url", "http://"+listener.Addr().String()+"/")

	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}

	a.log.Info("stopping")
	service.Stopping()
	// The context that ended must not cut short the requests under way.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.StopTimeout)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return fmt.Errorf("serve: requests were cut off after %s: %w", s.StopTimeout, errors.Join(err, server.Close()))
	}
	return nil
}
