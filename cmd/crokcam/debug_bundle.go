package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crokcam/internal/wholefile"
	"crokcam/match/store"
	"crokcam/vision/capture"
)

func newDebugBundleCmd(a *app) *cobra.Command {
	var url, token string
	cmd := &cobra.Command{
		Use:   "debug-bundle FILE",
		Short: "Collect what helps to find a fault into a zip, without secrets",
		Long: `Debug-bundle writes a zip with the program's version, the settings and where
they come from, the machine's cameras and programs, what is kept (counts, no
players' names, no pictures), and, where the service runs, its health and
figures. Names and passwords of cameras, tokens and webhooks are left out; look
into it before you send it anyway.`,
		Args: oneArg("a file to write"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if url == "" {
				ready, err := readyURL(a.settings.Server.Listen)
				if err != nil {
					return err
				}
				url = strings.TrimSuffix(ready, "/readyz")
			}
			b := bundle{a: a, url: strings.TrimRight(url, "/"), token: token}
			data, err := b.write(cmd.Context())
			if err != nil {
				return err
			}
			if err := wholefile.Write(args[0], data); err != nil {
				return err
			}
			fmt.Fprintf(a.err, "Written to %s. It has no secrets that are known of; look into it before you send it.\n", args[0])
			return nil
		},
	}
	cmd.Flags().StringVar(&url, "url", "", "address of the service (default: where server.listen says)")
	cmd.Flags().StringVar(&token, "token", "", "a viewer's token, for the service's figures")
	return cmd
}

// bundle collects what helps to find a fault. What cannot be had is told in its
// place.
type bundle struct {
	a          *app
	url, token string
}

func (b *bundle) write(ctx context.Context) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, part := range []struct {
		name string
		make func(context.Context) ([]byte, error)
	}{
		{"version.txt", b.version}, {"settings.json", b.settings}, {"machine.txt", b.machine}, {"kept.json", b.kept},
		{"healthz.json", func(ctx context.Context) ([]byte, error) { return b.ask(ctx, "/healthz") }},
		{"metrics.txt", func(ctx context.Context) ([]byte, error) { return b.ask(ctx, "/metrics") }},
		{"boards.json", func(ctx context.Context) ([]byte, error) { return b.ask(ctx, "/api/v1/boards") }},
	} {
		data, err := part.make(ctx)
		if err != nil {
			data = append(data, "not to be had: "+err.Error()+"\n"...)
		}
		w, err := z.Create(part.name)
		if err != nil {
			return nil, fmt.Errorf("debug-bundle: %w", err)
		}
		if _, err := w.Write(b.hide(data)); err != nil {
			return nil, fmt.Errorf("debug-bundle: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("debug-bundle: %w", err)
	}
	return out.Bytes(), nil
}

// hide takes out what is secret wherever it stands.
func (b *bundle) hide(data []byte) []byte {
	text := capture.Mask(string(data))
	if b.token != "" {
		text = strings.ReplaceAll(text, b.token, "***")
	}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		text = strings.ReplaceAll(text, home, "~")
	}
	return []byte(text)
}

func (b *bundle) version(context.Context) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "crokcam %s, %s, %s/%s, %d processors, %s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), time.Now().UTC().Format(time.RFC3339))
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			fmt.Fprintln(&out, m.Path, m.Version)
		}
	}
	return out.Bytes(), nil
}

func (b *bundle) settings(context.Context) ([]byte, error) {
	return json.MarshalIndent(b.a.settings.Entries, "", "  ")
}

// machine tells of the cameras and of the programs that are called.
func (b *bundle) machine(ctx context.Context) ([]byte, error) {
	var out bytes.Buffer
	devices, err := b.a.machine.Devices()
	if err != nil {
		fmt.Fprintln(&out, "cameras:", err)
	}
	for _, d := range devices {
		fmt.Fprintf(&out, "camera %s  %s  pictures: %t\n", d.Path, d.Name, d.Pictures)
	}
	for _, program := range [][]string{{"ffmpeg", "-version"}, {"v4l2-ctl", "--version"}, {"uname", "-a"}} {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		text, err := exec.CommandContext(ctx, program[0], program[1:]...).Output()
		cancel()
		first, _, _ := strings.Cut(string(text), "\n")
		if err != nil {
			first = err.Error()
		}
		fmt.Fprintf(&out, "%s: %s\n", program[0], first)
	}
	for _, file := range []string{"/proc/loadavg", "/proc/meminfo"} {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // not on this system
		}
		out.Write(text[:min(len(text), 400)])
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}

// kept counts what is kept, and says of the latest matches how they stand.
func (b *bundle) kept(ctx context.Context) ([]byte, error) {
	path, err := b.a.settings.Matches.Path()
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	type keptMatch struct {
		Match    string `json:"match"`
		Version  int    `json:"version"`
		Phase    string `json:"phase"`
		Pictures int    `json:"pictures"`
		Board    string `json:"board,omitempty"`
		Problem  string `json:"problem,omitempty"`
	}
	var out struct {
		Bytes   int64          `json:"bytes"`
		Check   string         `json:"check"`
		Papers  map[string]int `json:"papers"`
		Matches []keptMatch    `json:"matches"` // the latest
	}
	out.Bytes, out.Check, out.Papers = info.Size(), "good", map[string]int{}
	err = b.a.withStore(ctx, func(db *store.DB) error {
		for _, kind := range []string{"board", "token", "webhook", "delivery"} {
			list, err := db.Papers(ctx, kind)
			if err != nil {
				return err
			}
			out.Papers[kind] = len(list)
		}
		page, err := db.List(ctx, store.Query{Limit: 20})
		if err != nil {
			return err
		}
		for _, m := range page.Matches {
			k := keptMatch{Match: m.Match, Version: m.Version, Phase: string(m.Summary.Phase), Pictures: m.Pictures, Board: m.Board}
			if _, err := store.Load(ctx, db, m.Match); err != nil {
				k.Problem = err.Error()
			}
			out.Matches = append(out.Matches, k)
		}
		return nil
	})
	if err == nil {
		if bad := store.Check(ctx, path); bad != nil {
			out.Check = bad.Error()
		}
	}
	data, err2 := json.MarshalIndent(out, "", "  ")
	return data, errors.Join(err, err2)
}

// ask asks the service that runs.
func (b *bundle) ask(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url+path, nil)
	if err != nil {
		return nil, err
	}
	if b.token != "" {
		request.Header.Set("Authorization", "Bearer "+b.token)
	}
	answer, err := (&http.Client{Timeout: 5 * time.Second}).Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close() //nolint:errcheck // only read from
	data, err := io.ReadAll(io.LimitReader(answer.Body, 4<<20))
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("the service answers %s", answer.Status)
	}
	return data, err
}
