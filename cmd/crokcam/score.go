package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"crokcam/internal/config"
	"crokcam/internal/wholefile"
	"crokcam/vision/photo"
)

// scoreFlags are the flags of score.
type scoreFlags struct {
	json     bool
	annotate string
	sides    int
	side     []string
	twenties string
	camera   string
}

func newScoreCmd(a *app) *cobra.Command {
	var f scoreFlags
	cmd := &cobra.Command{
		Use:   "score PHOTO…",
		Short: "Say the score of a photographed board",
		Long: `Score finds the board and the discs in each photo and prints every side's
total. "-" reads a photo from standard input.

With --json it prints one crokcam.photo/1 object; for several photos one object
a line, each with its "file", and with "error" in place of a result that could
not be had.`,
		Example: `  crokcam score round.jpg
  crokcam score --twenties A=2,B=1 --annotate scored.jpg round.jpg
  crokcam score --json --annotate scored/ evening/*.jpg > evening.jsonl`,
		Args: someArgs("a photo"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.score(cmd.Context(), f, args) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print JSON instead of a table")
	flags.StringVar(&f.annotate, "annotate", "", "draw the result into `OUT.jpg`; for several photos a folder, or a name with {name} in it")
	flags.IntVar(&f.sides, "sides", 0, "how many sides to tell apart (default: found out)")
	flags.StringArrayVar(&f.side, "side", nil, "a side's colour, as in `A=black`; may be given several times")
	flags.StringVar(&f.twenties, "twenties", "", "20s taken off the board before the photo, as in `A=2,B=1`")
	flags.StringVar(&f.camera, "calibration", "", "use the calibration saved in `FILE` instead of looking for the board")
	flags.String("board", "", "auto, a board's name or a board file (default: the photo.board setting)")
	config.BindFlag(flags, "board", "photo.board")
	return cmd
}

// options turns the flags into what the scorer is told.
func (f scoreFlags) options(boardName string) (photo.Options, error) {
	o := photo.Options{Sides: f.sides}
	if f.sides < 0 || f.sides > 4 {
		return o, wrongUse("--sides %d: there can be 1 to 4 sides, or 0 to find out", f.sides)
	}
	for _, s := range f.side {
		c, err := photo.ParseChoice(s)
		if err != nil {
			return o, fmt.Errorf("--side: %w", err)
		}
		o.Choices = append(o.Choices, c)
	}
	var err error
	if o.Twenties, err = photo.ParseTwenties(f.twenties); err != nil {
		return o, fmt.Errorf("--twenties: %w", err)
	}
	if o.Board, err = findBoard(boardName); err != nil {
		return o, fmt.Errorf("--board: %w", err)
	}
	return o, nil
}

func (a *app) score(ctx context.Context, f scoreFlags, names []string) error {
	o, err := f.options(a.settings.Photo.Board)
	if err != nil {
		return err
	}
	o.Limits = a.limits()
	if f.camera != "" {
		if o.Calibration, err = loadCalibration(f.camera); err != nil {
			return fmt.Errorf("--calibration: %w", err)
		}
	}
	outputs, err := annotatedNames(f.annotate, names)
	if err != nil {
		return err
	}
	if len(names) == 1 {
		r, err := a.scoreOne(ctx, names[0], outputs, o)
		if err != nil {
			code, text := faultOf(err)
			fmt.Fprintf(a.err, "crokcam: %s: %s (%s)\n", names[0], text, code)
			return toldError{exitStatus(err)}
		}
		if f.json {
			return writeJSON(a.out, r, "  ")
		}
		return writeTable(a.out, names[0], r)
	}

	bar := a.progress(len(names))
	worst := exitGood
	for i, name := range names {
		r, err := a.scoreOne(ctx, name, outputs, o)
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("stopped before %s", name)
		}
		bar.clear()
		var out error
		switch {
		case err != nil:
			code, text := faultOf(err)
			fmt.Fprintf(a.err, "crokcam: %s: %s (%s)\n", name, text, code)
			worst = worse(worst, exitStatus(err))
			if f.json {
				out = writeJSON(a.out, failedPhoto{File: name, Error: fault{code, text}}, "")
			}
		case f.json:
			out = writeJSON(a.out, scoredPhoto{File: name, Report: r}, "")
		default:
			if i > 0 {
				fmt.Fprintln(a.out)
			}
			out = writeTable(a.out, name, r)
		}
		if out != nil {
			return out
		}
		bar.add()
	}
	bar.clear()
	if worst != exitGood {
		return toldError{worst}
	}
	return nil
}

// scoreOne scores one photo and writes its annotated picture, if wanted.
func (a *app) scoreOne(ctx context.Context, name string, outputs map[string]string, o photo.Options) (*photo.Report, error) {
	data, err := a.readPicture(name, a.settings.Limits.MaxBytes())
	if err != nil {
		return nil, err
	}
	r, err := a.scorer.Score(ctx, data, o)
	if err != nil {
		return nil, err
	}
	if out := outputs[name]; out != "" {
		jpeg, err := a.scorer.Annotate(data, r)
		if err != nil {
			return nil, fmt.Errorf("annotate: %w", err)
		}
		if err := wholefile.Write(out, jpeg); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// worse keeps the status that says more: a failure over a picture of no board.
func worse(a, b int) int {
	rank := map[int]int{exitGood: 0, exitNothingSeen: 1, exitWrongUse: 2, exitFailed: 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// annotatedNames says where each photo's annotated picture goes, and refuses
// what would write over a photo or over another annotated picture.
func annotatedNames(pattern string, names []string) (map[string]string, error) {
	out := map[string]string{}
	if pattern == "" {
		return out, nil
	}
	info, err := os.Stat(pattern)
	folder := strings.HasSuffix(pattern, "/") || err == nil && info.IsDir()
	named := strings.Contains(pattern, "{name}")
	if len(names) > 1 && !folder && !named {
		return nil, wrongUse("--annotate %s: for several photos name a folder (scored/) or a pattern ({name}-scored.jpg)", pattern)
	}
	if folder {
		if err := os.MkdirAll(pattern, 0o755); err != nil {
			return nil, fmt.Errorf("--annotate: %w", err)
		}
		pattern = filepath.Join(pattern, "{name}.scored.jpg")
	}
	switch ending := filepath.Ext(pattern); strings.ToLower(ending) {
	case ".jpg", ".jpeg", "":
	default:
		return nil, wrongUse("--annotate %s: the picture is written as JPEG: let its name end in .jpg, not in %s", pattern, ending)
	}
	photos, taken := map[string]bool{}, map[string]string{}
	for _, n := range names {
		photos[filepath.Clean(n)] = true
	}
	for _, n := range names {
		base := strings.TrimSuffix(filepath.Base(n), filepath.Ext(n))
		if n == "-" {
			base = "stdin"
		}
		to := filepath.Clean(strings.ReplaceAll(pattern, "{name}", base))
		if photos[to] {
			return nil, wrongUse("--annotate: %s would be written over the photo of that name", to)
		}
		if other, twice := taken[to]; twice && other != n {
			return nil, wrongUse("--annotate: %s and %s would both be written to %s", other, n, to)
		}
		taken[to] = n
		out[n] = to
	}
	return out, nil
}

// fault is a failure in JSON.
type fault struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// scoredPhoto and failedPhoto are the lines printed for several photos.
type scoredPhoto struct {
	File string `json:"file"`
	*photo.Report
}

type failedPhoto struct {
	File  string `json:"file"`
	Error fault  `json:"error"`
}

func writeJSON(w io.Writer, v any, indent string) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// progress shows how far a long list has come, on a terminal only.
type progress struct{ bar *progressbar.ProgressBar }

func (a *app) progress(n int) progress { return a.progressOf("scoring", n) }

// progressOf is progress with a word for what is done; n is -1 when nobody knows
// how much there is to do.
func (a *app) progressOf(what string, n int) progress {
	f, ok := a.err.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progress{}
	}
	return progress{progressbar.NewOptions(n,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(30))}
}

func (p progress) add() {
	if p.bar != nil {
		_ = p.bar.Add(1) // a bar that cannot be drawn is no failure
	}
}

func (p progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
