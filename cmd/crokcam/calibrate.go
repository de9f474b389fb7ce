package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"crokcam/calibrate"
	"crokcam/internal/config"
	"crokcam/internal/textfile"
	"crokcam/internal/wholefile"
	"crokcam/vision/decode"
)

// calibrateFlags are the flags of calibrate.
type calibrateFlags struct {
	json  bool
	out   string
	check string

	points, rings []string
}

func newCalibrateCmd(a *app) *cobra.Command {
	var f calibrateFlags
	cmd := &cobra.Command{
		Use:   "calibrate IMAGE",
		Short: "Find the board in a picture, and say how well it is known",
		Long: `Calibrate turns one picture of a board into a camera: the map between its pixels
and the board's millimetres, with the board's own measures. The board is the
target; nothing is printed.

With --check it compares the picture with a calibration that was saved before,
and fails when the board or the camera has moved since.

Where the board is not found by itself, point at it. With --point name at least
four places and their pixels: start@90 is on the starting line, 90°
counter-clockwise from the right of the south player, that is at the far side;
the circles are hole, fifteen, ten, start and surface. The board's centre and
the feet of the posts, post@0 to post@7, may be named too. Or give two or more
circles with --ring, as ellipses: centre, semi-axes, and the angle of the first.
Of a printed line the inner edge is meant. The lines are then followed from
there, so that pointing roughly will do.`,
		Example: `  crokcam calibrate board.jpg
  crokcam calibrate --out table-1.json board.jpg
  crokcam calibrate --check table-1.json later.jpg
  crokcam calibrate board.jpg --point start@0=1170,500 --point start@90=640,120 \
    --point start@180=120,490 --point start@270=630,900
  crokcam calibrate board.jpg --ring start=640,500,520,390,0 --ring ten=640,496,345,258,0`,
		Args: oneArg("a picture"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.calibrate(cmd.Context(), f, args[0]) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print the calibration as JSON instead of a table")
	flags.StringVar(&f.out, "out", "", "save the calibration as `FILE`")
	flags.StringVar(&f.check, "check", "", "compare with the calibration saved in `FILE`")
	flags.StringArrayVar(&f.points, "point", nil, "point at a place of the board, as `NAME=u,v` (at least four times)")
	flags.StringArrayVar(&f.rings, "ring", nil, "give one of the board's circles, as `NAME=cx,cy,a,b,degrees` (at least twice)")
	flags.String("board", "", "auto, a board's name or a board file (default: the photo.board setting)")
	config.BindFlag(flags, "board", "photo.board")
	return cmd
}

func (a *app) calibrate(ctx context.Context, f calibrateFlags, name string) error {
	spec, err := findBoard(a.settings.Photo.Board)
	if err != nil {
		return fmt.Errorf("--board: %w", err)
	}
	hand, err := f.hand()
	if err != nil {
		return err
	}
	var earlier *calibrate.Calibration
	if f.check != "" {
		if earlier, err = loadCalibration(f.check); err != nil {
			return fmt.Errorf("--check: %w", err)
		}
	}
	data, err := a.readPicture(name, a.settings.Limits.MaxBytes())
	if err != nil {
		return err
	}
	c, err := findCamera(ctx, data, a.limits(), hand, calibrate.Options{Board: spec})
	if err != nil {
		code, text := faultOf(err)
		fmt.Fprintf(a.err, "crokcam: %s: %s (%s)\n", name, text, code)
		return toldError{exitStatus(err)}
	}
	if c.Quality.Posed {
		a.log.Warn("the lines could not be followed from there: the camera is that of what was pointed at, as exact as that")
	}
	if f.out != "" {
		saved, err := json.MarshalIndent(c, "", "  ")
		if err != nil {
			return fmt.Errorf("save: %w", err)
		}
		if err := wholefile.Write(f.out, append(saved, '\n')); err != nil {
			return err
		}
	}
	show := func() error { return writeCalibration(a.out, name, c) }
	if f.json {
		show = func() error { return writeJSON(a.out, c, "  ") }
	}
	if err := show(); err != nil || earlier == nil {
		return err
	}
	mm, err := earlier.Drift(c)
	switch {
	case err != nil:
		return fmt.Errorf("--check %s: %w", f.check, err)
	case mm > mostDrift:
		return fmt.Errorf("the board or the camera has moved since %s: the lines lie up to %.1f mm elsewhere", f.check, mm)
	}
	a.log.Info("nothing has moved", "since", f.check, "drift_mm", math.Round(10*mm)/10)
	return nil
}

// mostDrift is how far, in mm, two calibrations of a board that has not moved
// may be apart at the worst place of its lines.
const mostDrift = 2.5

// loadCalibration reads a calibration's file.
func loadCalibration(file string) (*calibrate.Calibration, error) {
	data, err := textfile.Read(file)
	if err != nil {
		return nil, usageError{err}
	}
	c, err := calibrate.Load(data)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", file, err)}
	}
	return c, nil
}

func (f calibrateFlags) hand() (h calibrate.Hand, err error) {
	if len(f.points) > 0 && len(f.rings) > 0 {
		return h, wrongUse("give either --point or --ring, not both")
	}
	if h.Points, err = each(f.points, calibrate.ParsePoint); err != nil {
		return h, fmt.Errorf("--point: %w", err)
	}
	if h.Rings, err = each(f.rings, calibrate.ParseRing); err != nil {
		return h, fmt.Errorf("--ring: %w", err)
	}
	return h, nil
}

func each[T any](texts []string, parse func(string) (T, error)) ([]T, error) {
	out := make([]T, len(texts))
	for i, s := range texts {
		var err error
		if out[i], err = parse(s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// findCamera calibrates from a picture's bytes, and from what a person has
// pointed at in it, if anything.
func findCamera(ctx context.Context, data []byte, lim decode.Limits, h calibrate.Hand, o calibrate.Options) (*calibrate.Calibration, error) {
	picture, err := decode.DecodeFor(ctx, data, lim, calibrate.WorkingSize)
	if err != nil {
		return nil, err
	}
	defer picture.Close()
	working, err := picture.Work(calibrate.WorkingSize)
	if err != nil {
		return nil, err
	}
	o.Focal35 = picture.Focal35
	return calibrate.FindWith(h, working, picture.Width, picture.Height, o)
}

// limits are what one picture may cost.
func (a *app) limits() decode.Limits {
	return decode.Limits{Bytes: int(a.settings.Limits.MaxBytes()), Pixels: int(a.settings.Limits.MaxPixels())}
}

// methods are the words for how a board was found.
var methods = map[string]string{"auto": "by itself", "points": "from the points", "rings": "from the rings"}

// writeCalibration prints a calibration for people.
func writeCalibration(w io.Writer, name string, c *calibrate.Calibration) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n", name)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	start := c.Board.Start.Outer
	fmt.Fprintf(t, "board\t%s\n", c.Board.Name)
	fmt.Fprintf(t, "15 line\t%.1f mm\t%.3f of the starting line\n", c.Board.Fifteen.Outer, c.Board.Fifteen.Outer/start)
	fmt.Fprintf(t, "10 line\t%.1f mm\t%.3f of the starting line\n", c.Board.Ten.Outer, c.Board.Ten.Outer/start)
	fmt.Fprintf(t, "starting line\t%.1f mm\n", start)
	fmt.Fprintf(t, "surface\t%.1f mm\n", c.Board.Surface)
	q := c.Quality
	fmt.Fprintf(t, "found\t%s\t%.0f %% of the lines seen\n", methods[c.Method], 100*q.Coverage)
	fmt.Fprintf(t, "lines fit to\t%.2f mm\tone pixel is %.2f mm\n", q.RMS, q.MMPerPx)
	fmt.Fprintf(t, "seen from\t%.1f°\toff straight above\n", q.Tilt)
	fmt.Fprintf(t, "focal length\t%.0f px\t± %.0f, from %s\n", c.Camera.F, q.FocalSigma, map[string]string{"picture": "the picture", "exif": "the file", "prior": "what is usual"}[q.FocalSource])
	fmt.Fprintf(t, "distortion\t%.3f\n", c.Camera.K1)
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	if q.RMS > 1 || math.IsNaN(q.RMS) {
		fmt.Fprintln(&b, "\nThe lines fit badly: calls near a line are not to be relied on.")
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
