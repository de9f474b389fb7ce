package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"crokcam/live"
	"crokcam/match/store"
	"crokcam/vision/capture"
)

// doctorSchema names the form of a diagnosis in JSON.
const doctorSchema = "crokcam.doctor/1"

// diagnosis is what the doctor has found.
type diagnosis struct {
	Schema string        `json:"schema"`
	Good   bool          `json:"good"` // no fault
	Checks []live.Advice `json:"checks"`
	Camera *live.Health  `json:"camera"` // null where none was examined
}

// good is the level of a check that has found nothing wrong.
const good live.Level = "good"

func newDoctorCmd(a *app) *cobra.Command {
	var asJSON bool
	var frames int
	cmd := &cobra.Command{
		Use:   "doctor [SOURCE]",
		Short: "Find out what keeps crokcam from scoring, and what to do",
		Long: `Doctor looks at the programs, the disk and the store that crokcam needs and then,
through the camera, at the light, the focus, the size of the board in the
picture, flicker and glare, and says in plain words what could be better.

Without a SOURCE the first camera of this machine is examined. Exit status: 0
all is usable, 1 something is not, 3 no board is in the picture.`,
		Example: `  crokcam doctor
  crokcam doctor camera:0 --size 1280x720
  crokcam doctor rtsp://scorer:secret@10.0.0.7/board --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if frames < 1 {
				return wrongUse("--frames %d: at least one is needed", frames)
			}
			source := ""
			if len(args) == 1 {
				source = args[0]
			}
			return a.doctor(cmd.Context(), source, frames, asJSON)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print JSON instead of text")
	flags.IntVar(&frames, "frames", 90, "how many frames are looked at")
	bindCamera(flags)
	return cmd
}

func (a *app) doctor(ctx context.Context, source string, frames int, asJSON bool) error {
	d := diagnosis{Schema: doctorSchema, Good: true}
	say := func(level live.Level, code, format string, args ...any) {
		d.Checks = append(d.Checks, live.Advice{Code: code, Level: level, Text: fmt.Sprintf(format, args...)})
	}
	a.checkPrograms(say)
	a.checkStore(ctx, say)
	if source == "" {
		source = a.firstCamera(say)
	}
	status := exitGood
	if source != "" {
		var err error
		if status, err = a.examine(ctx, source, frames, &d, say); err != nil {
			return err
		}
	}
	for _, c := range d.Checks {
		if c.Level == live.Fault {
			d.Good = false
		}
	}
	if !d.Good && status == exitGood {
		status = exitFailed
	}
	if err := a.printDiagnosis(&d, asJSON); err != nil {
		return err
	}
	if status != exitGood {
		return toldError{status}
	}
	return nil
}

// saying notes what a check has found.
type saying func(level live.Level, code, format string, args ...any)

func (a *app) checkPrograms(say saying) {
	if path, err := exec.LookPath("ffmpeg"); err != nil {
		say(live.Fault, "no_decoder", "ffmpeg is not installed: no camera and no video can be read. Install it (apt install ffmpeg).")
	} else {
		say(good, "decoder", "ffmpeg reads cameras and videos (%s).", path)
	}
	if _, err := exec.LookPath("v4l2-ctl"); err != nil {
		say(live.Note, "no_controls", "v4l2-ctl is not installed: focus and exposure of a USB camera cannot be held (apt install v4l-utils).")
	}
}

// leastRoom is the room on the disk below which there is a word of it: about so
// much takes a club night of a few tables.
const leastRoom = 2 << 30

func (a *app) checkStore(ctx context.Context, say saying) {
	path, err := a.settings.Matches.Path()
	if err != nil {
		say(live.Fault, "store", "%v", err)
		return
	}
	_, missing := os.Stat(path)
	if missing == nil {
		if err := store.Check(ctx, path); err != nil {
			say(live.Fault, "store", "The matches cannot be read: %v", err)
			return
		}
	}
	folder := filepath.Dir(path)
	for errors.Is(missing, fs.ErrNotExist) { // the nearest folder that is there
		if _, missing = os.Stat(folder); missing != nil && folder != filepath.Dir(folder) {
			folder = filepath.Dir(folder)
			continue
		}
		break
	}
	f, err := os.CreateTemp(folder, ".crokcam-doctor-*")
	if err != nil {
		say(live.Fault, "store", "Matches cannot be kept in %s: %v", path, err)
		return
	}
	_ = f.Close()
	_ = os.Remove(f.Name())
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err == nil {
		if free := disk.Bavail * uint64(disk.Bsize); free < leastRoom {
			say(live.Warning, "disk", "Only %.1f GB are free where matches are kept (%s). `crokcam match prune` removes old ones.", float64(free)/1e9, path)
			return
		}
	}
	say(good, "store", "Matches are kept in %s.", path)
}

// firstCamera is the first camera of this machine, "" for none.
func (a *app) firstCamera(say saying) string {
	devices, err := a.machine.Devices()
	if err != nil {
		say(live.Fault, "cameras", "The cameras of this machine cannot be listed: %v", err)
		return ""
	}
	for _, c := range devices {
		if c.Pictures {
			return "camera:" + c.Best()
		}
	}
	say(live.Warning, "no_camera", "No camera is plugged into this machine. Name a network camera, a video or a folder to have it examined.")
	return ""
}

// examine looks at a camera, and gives the exit status that follows.
func (a *app) examine(ctx context.Context, source string, frames int, d *diagnosis, say saying) (int, error) {
	spec, err := findBoard(a.settings.Photo.Board)
	if err != nil {
		return 0, fmt.Errorf("photo.board: %w", err)
	}
	h, err := live.Examine(ctx, source, a.captureOptions(), spec, frames)
	var failed *capture.Error
	switch {
	case errors.As(err, &failed):
		if failed.Code == capture.BadSource {
			return 0, err
		}
		say(live.Fault, "camera_"+failed.Code, "%s: %s", failed.Source, failed.Message)
		return exitFailed, nil
	case err != nil:
		return 0, err
	}
	d.Camera = &h
	say(good, "camera", "%s gives %s.", h.Source, h.Camera.Got)
	status := exitGood
	for _, advice := range h.Advice {
		if advice.Code == "no_board" || advice.Code == "board_mismatch" {
			status = exitNothingSeen
		}
		d.Checks = append(d.Checks, advice)
	}
	if c := h.Calibration; c != nil {
		say(good, "board", "The board is found to %.2f mm (%s), %.0f px across, %.2f mm a pixel, seen at a slant of %.0f°.",
			c.Quality.RMS, c.Board, h.BoardPx, c.Quality.MMPerPx, c.Quality.Tilt)
		if h.EdgeMM > 0 {
			say(good, "focus", "Edges are smeared over %.1f mm; brightness %.0f %%, contrast %.0f %%.", h.EdgeMM, 100*h.Light, 100*h.Contrast)
		}
	}
	return status, nil
}

func (a *app) printDiagnosis(d *diagnosis, asJSON bool) error {
	if asJSON {
		return writeJSON(a.out, d, "  ")
	}
	marks := map[live.Level]string{good: "ok", live.Note: "note", live.Warning: "warning", live.Fault: "FAULT"}
	for _, c := range d.Checks {
		if _, err := fmt.Fprintf(a.out, "%-8s %s\n", marks[c.Level], c.Text); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}
