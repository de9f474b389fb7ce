package main

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/spf13/cobra"
)

func newHealthcheckCmd(a *app) *cobra.Command {
	var url string
	cmd := &cobra.Command{
		Use:   "healthcheck",
		Short: "Ask a running service whether it is ready",
		Long:  `Healthcheck exits with 0 if the service answers that it is ready, with 1 if not.`,
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if url == "" {
				var err error
				if url, err = readyURL(a.settings.Server.Listen); err != nil {
					return err
				}
			}
			request, err := http.NewRequestWithContext(cmd.Context(), http.MethodGet, url, nil)
			if err != nil {
				return wrongUse("--url: %w", err)
			}
			answer, err := (&http.Client{Timeout: 5 * time.Second}).Do(request)
			if err != nil {
				return fmt.Errorf("healthcheck: %w", err)
			}
			defer answer.Body.Close() //nolint:errcheck // only the status counts
			if answer.StatusCode != http.StatusOK {
				return fmt.Errorf("healthcheck: %s answers %s", url, answer.Status)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&url, "url", "", "address to ask (default: /readyz where server.listen says)")
	return cmd
}

// readyURL is where a service that listens there can be asked from the same
// machine: a wildcard address is no place to connect to.
func readyURL(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", wrongUse("server.listen: %w", err)
	}
	if addr, err := netip.ParseAddr(host); host == "" || err == nil && addr.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + "/readyz", nil
}
