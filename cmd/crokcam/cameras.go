package main

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crokcam/internal/config"
	"crokcam/internal/simcam"
	"crokcam/internal/wholefile"
	"crokcam/vision/capture"
	"crokcam/vision/capture/v4l"
)

func newCamerasCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cameras",
		Short: "Find cameras and look at what they give",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCamerasListCmd(a), newCamerasProbeCmd(a))
	return cmd
}

// listedCamera is a camera with the name that it is given to other commands by.
type listedCamera struct {
	Source string `json:"source"`
	v4l.Device
}

func newCamerasListCmd(a *app) *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the cameras of this machine",
		Long: `List prints the cameras that are plugged into this machine, each with the name
that stays the same when it is plugged in elsewhere or the machine is started
again. Many cameras have a second device that gives no pictures; --all lists
those too.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			devices, err := a.machine.Devices()
			if err != nil {
				return err
			}
			cameras := []listedCamera{}
			for _, d := range devices {
				if d.Pictures || all {
					cameras = append(cameras, listedCamera{"camera:" + d.Best(), d})
				}
			}
			if asJSON {
				return writeJSON(a.out, cameras, "  ")
			}
			if len(cameras) == 0 {
				fmt.Fprintln(a.err, "There is no camera. Network cameras, videos and folders of pictures need not be listed: see `crokcam cameras probe --help`.")
				return nil
			}
			t := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(t, "name\tdevice\tsource")
			for _, c := range cameras {
				fmt.Fprintf(t, "%s\t%s\t%s\n", c.Name, c.Path, c.Source)
			}
			if err := t.Flush(); err != nil {
				return fmt.Errorf("print: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	cmd.Flags().BoolVar(&all, "all", false, "list devices without pictures too")
	return cmd
}

func newCamerasProbeCmd(a *app) *cobra.Command {
	var asJSON bool
	var frames int
	var within time.Duration
	var picture string
	cmd := &cobra.Command{
		Use:   "probe SOURCE",
		Short: "Open a camera or another source and measure what it gives",
		Long: `Probe opens a source, takes some frames and prints what was asked for and what
came: size, frame rate, brightness and sharpness, and what deserves attention.

SOURCE is camera:0 or, better, camera:/dev/v4l/by-id/…, which stays the same
(see crokcam cameras list); rtsp://… or http://… of a network camera; a video
file; a folder of pictures; or sim: (a simulated match). With --picture the last frame is kept as JPEG.`,
		Example: `  crokcam cameras probe camera:0 --size 1280x720
  crokcam cameras probe rtsp://scorer:secret@10.0.0.7/stream1 --picture table.jpg
  crokcam cameras probe evening.mp4 --json`,
		Args: oneArg("a source"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if frames < 1 {
				return wrongUse("--frames %d: at least one is needed", frames)
			}
			o := a.captureOptions()
			o.OpenTimeout = within
			p, err := capture.Probe(cmd.Context(), args[0], o, frames)
			if err != nil {
				return err
			}
			if picture != "" {
				var b bytes.Buffer
				if err := jpeg.Encode(&b, p.Picture, &jpeg.Options{Quality: 92}); err != nil {
					return fmt.Errorf("encode picture: %w", err)
				}
				if err := wholefile.Write(picture, b.Bytes()); err != nil {
					return err
				}
			}
			if asJSON {
				return writeJSON(a.out, p, "  ")
			}
			_, err = fmt.Fprint(a.out, p)
			return err
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	flags.IntVar(&frames, "frames", 60, "how many frames are taken")
	flags.DurationVar(&within, "within", 10*time.Second, "how long the first frame may take")
	flags.StringVar(&picture, "picture", "", "keep the last frame in this file, as JPEG")
	bindCamera(flags)
	return cmd
}

// bindCamera declares the flags that stand for camera settings.
func bindCamera(flags *pflag.FlagSet) {
	flags.String("size", "", "ask the camera for this size, such as 1280x720")
	config.BindFlag(flags, "size", "camera.size")
	flags.Int("fps", 0, "ask the camera for so many frames a second")
	config.BindFlag(flags, "fps", "camera.fps")
	flags.String("focus", "", "auto, hold, or the control's number")
	config.BindFlag(flags, "focus", "camera.focus")
	flags.String("exposure", "", "auto, hold, or the control's number")
	config.BindFlag(flags, "exposure", "camera.exposure")
	flags.Int("power-line", 0, "50 or 60, the mains of the lamps in Hz")
	config.BindFlag(flags, "power-line", "camera.power_line")
}

// captureOptions are the settings for opening a source.
func (a *app) captureOptions() capture.Options {
	c := a.settings.Camera
	w, h := c.Pixels()
	return capture.Options{
		Mode:     capture.Mode{Width: w, Height: h, FPS: float64(c.FPS)},
		Controls: v4l.Controls{Focus: v4l.Setting(c.Focus), Exposure: v4l.Setting(c.Exposure), PowerLine: c.PowerLine},
		Plugins:  simcam.Plugins(),
	}
}
