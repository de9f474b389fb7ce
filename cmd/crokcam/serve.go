package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crokcam/api"
	"crokcam/api/access"
	profiles "crokcam/configs/rules"
	"crokcam/internal/config"
	"crokcam/match/store"
	"crokcam/rules/profile"
)

func newServeCmd(a *app) *cobra.Command {
	var demo bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the pages and the API, and keep the score of the boards",
		Long: `Serve starts the web service: the pages, the API under /api/v1, and the cameras
of the boards that are switched on, where matches are kept by themselves. It
stops on SIGTERM or Ctrl-C after the requests under way have been answered.

Where others than this machine can reach it, it takes a token to be let in: make
the first with crokcam token create --role organiser NAME.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(db *store.DB) error { return a.serve(cmd.Context(), db, demo) })
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&demo, "demo", false, "without boards in the settings, show a simulated match that is scored live")
	flags.String("listen", "", "address and port (default: the server.listen setting)")
	config.BindFlag(flags, "listen", "server.listen")
	flags.String("base-path", "", "path under which a reverse proxy shows the service")
	config.BindFlag(flags, "base-path", "server.base_path")
	flags.Bool("insecure-no-auth", false, "let everybody who can reach it do everything")
	config.BindFlag(flags, "insecure-no-auth", "server.insecure_no_auth")
	return cmd
}

// serviceOptions are the settings for the service.
func (a *app) serviceOptions(db *store.DB) (api.Options, error) {
	s, m := a.settings.Server, a.settings.Matches
	spec, err := findBoard(a.settings.Photo.Board)
	if err != nil {
		return api.Options{}, fmt.Errorf("photo.board: %w", err)
	}
	set, err := profile.Load(profiles.FS)
	if err != nil {
		return api.Options{}, err
	}
	token, err := s.Token()
	if err != nil {
		return api.Options{}, err
	}
	days := func(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }
	return api.Options{
		Scorer: a.scorer, Store: db, Profiles: set, Log: a.log, Version: versionText(), Board: spec,
		Capture: a.captureOptions(), Sources: a.sources, Token: token,
		BasePath: s.BasePath, TrustedProxies: s.TrustedProxies,
		Retention: store.Retention{Matches: days(m.KeepDays), Pictures: days(m.KeepPicturesDays)},
		Limits:    a.limits(), Parallel: s.Parallel, QueueTimeout: s.QueueTimeout, ScoreTimeout: s.ScoreTimeout,
		PicturesPerMinute: s.PicturesPerMinute,
	}, nil
}

// sources are the cameras of this machine.
func (a *app) sources() ([]api.Source, error) {
	devices, err := a.machine.Devices()
	if err != nil {
		return nil, err
	}
	out := []api.Source{}
	for _, d := range devices {
		if d.Pictures {
			out = append(out, api.Source{Source: "camera:" + d.Best(), Name: d.Name})
		}
	}
	return out, nil
}

// mode says who is let in without a token, and refuses to let everybody in by
// mistake.
func (a *app) mode(ctx context.Context, db *store.DB, token string) (access.Mode, error) {
	s := a.settings.Server
	switch {
	case s.InsecureNoAuth:
		a.log.Warn("**********************************************************************")
		a.log.Warn("*  Everybody who can reach this service may do everything: no token   *")
		a.log.Warn("*  is asked for (insecure_no_auth). Cameras, matches and pictures     *")
		a.log.Warn("*  are open to them.                                                  *")
		a.log.Warn("**********************************************************************")
		return access.Open, nil
	case !s.Reachable():
		return access.Local, nil
	}
	tokens, err := access.NewTokens(db, token, nil)
	if err != nil {
		return access.Closed, fmt.Errorf("server.token_file: %w", err)
	}
	organised, err := tokens.Organised(ctx)
	if err != nil {
		return access.Closed, err
	}
	if !organised {
		return access.Closed, wrongUse("serve: others can reach %s, and there is no organiser's token. Make one with "+
			"`crokcam token create --role organiser NAME`, or name a file with one in server.token_file; "+
			"--insecure-no-auth lets everybody in", s.Listen)
	}
	return access.Closed, nil
}

func (a *app) serve(ctx context.Context, db *store.DB, demo bool) error {
	s := a.settings.Server
	options, err := a.serviceOptions(db)
	if err != nil {
		return err
	}
	if options.Access, err = a.mode(ctx, db, options.Token); err != nil {
		return err
	}
	if options.Boards, err = a.boards(demo); err != nil {
		return err
	}
	service, err := api.New(options)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer service.Close()
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
	if err := service.Start(ctx); err != nil {
		return fmt.Errorf("serve: %w", errors.Join(err, listener.Close()))
	}
	a.log.Info("listening", "url", "http://"+listener.Addr().String()+strings.TrimRight(s.BasePath, "/")+"/")

	if demo && len(a.settings.Boards) == 0 {
		go a.demonstrate(ctx, service)
	}
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
