package show

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"crokcam/sim/render"
)

func itoa(i int) string { return strconv.Itoa(i) }

func round(v float64, digits int) float64 {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', digits, 64), 64)
	return f
}

// note explains a video's truth to whoever opens the file.
const note = "Camera, board and discs are as in the truth of a picture. Frame k shows time k/fps; the shutter is centred on it and open for 0.35 of a frame. Discs keep their id; an id that per_frame does not list is nowhere to be seen. shots[].start is the moment of the flick, end when all discs rest, settled when the verdict has been carried out. A shot disc is carried until timeline.shooter_placed. contacts[].ids are disc ids, for a post its number. hand_tip_mm is the forefinger's tip of the first hand."

// VideoTruth is what is known about a video, as it is written beside it.
type VideoTruth struct {
	Video     string             `json:"video"`
	Size      [2]int             `json:"size"`
	FPS       float64            `json:"fps"`
	Frames    int                `json:"frames"`
	Seed      uint64             `json:"seed"`
	View      string             `json:"view"`
	Lighting  string             `json:"lighting"`
	Colours   []string           `json:"colours"`
	Note      string             `json:"note"`
	Rules     string             `json:"rules"`
	Layout    string             `json:"layout"`
	Timeline  *Timeline          `json:"timeline,omitempty"` // of a video of one shot
	Contacts  []ContactTruth     `json:"contacts"`           // of all shots
	Camera    render.CameraTruth `json:"camera"`
	Board     render.BoardTruth  `json:"board"`
	Radius    float64            `json:"disc_radius_mm"`
	Thickness float64            `json:"disc_thickness_mm"`
	Discs     []string           `json:"disc_colours"` // by id
	Sides     []string           `json:"disc_sides"`   // by id
	Start     *SnapshotTruth     `json:"start,omitempty"`
	End       *SnapshotTruth     `json:"end,omitempty"`
	Shots     []*ShotTruth       `json:"shots"`
	Events    []Event            `json:"events"`
	PerFrame  []FrameTruth       `json:"per_frame"`
}

// Event is something that happens in a video.
type Event struct {
	T      float64 `json:"t"`
	Type   string  `json:"type"` // shot_started, shot_ended, twenty, removed, round_ended
	Match  int     `json:"match"`
	Round  int     `json:"round"`
	Number int     `json:"number"`
	Disc   *int    `json:"disc,omitempty"`
}

// ErrNoEncoder marks a machine without ffmpeg.
var ErrNoEncoder = errors.New("show: video needs the program ffmpeg, which is not installed")

// Record writes the show of c to an H.264 file and its truth beside it, and
// calls progress after each frame with how far it is. When it ends early,
// neither file is left behind. The truth's path is the video's with .json.
func Record(ctx context.Context, c Config, path string, progress func(Progress)) error {
	if c.Shots == 0 && c.Rounds == 0 && c.Matches == 0 {
		return fmt.Errorf("%w: a recording must have an end", ErrConfig)
	}
	s, err := New(ctx, c)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	tmp, err := os.CreateTemp(dir, ".crokcam-*"+filepath.Ext(path))
	if err != nil {
		return fmt.Errorf("show: %w", err)
	}
	_ = tmp.Close()
	defer os.Remove(tmp.Name()) //nolint:errcheck // gone already when all went well
	truth, err := s.encode(ctx, tmp.Name(), progress)
	if err != nil {
		return err
	}
	truth.Video = filepath.Base(path)
	data, err := json.Marshal(truth)
	if err != nil {
		return fmt.Errorf("show: write truth: %w", err)
	}
	beside := strings.TrimSuffix(path, filepath.Ext(path)) + ".json"
	note, err := os.CreateTemp(dir, ".crokcam-*.json")
	if err != nil {
		return fmt.Errorf("show: %w", err)
	}
	defer os.Remove(note.Name()) //nolint:errcheck // gone already when all went well
	_, err = note.Write(append(data, '\n'))
	if err := errors.Join(err, note.Chmod(0o644), note.Close()); err != nil {
		return fmt.Errorf("show: write truth: %w", err)
	}
	if err := os.Chmod(tmp.Name(), 0o644); err != nil {
		return fmt.Errorf("show: %w", err)
	}
	if err := os.Rename(note.Name(), beside); err != nil {
		return fmt.Errorf("show: %w", err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		_ = os.Remove(beside)
		return fmt.Errorf("show: %w", err)
	}
	return nil
}

// Progress is how far a recording is.
type Progress struct {
	Frame  int
	Shots  int // begun
	Rounds int // ended
}

// encode pipes the show through ffmpeg into a file.
func (s *Show) encode(ctx context.Context, path string, progress func(Progress)) (*VideoTruth, error) {
	program, err := exec.LookPath("ffmpeg")
	if err != nil {
		return nil, ErrNoEncoder
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := &s.config
	cmd := exec.CommandContext(ctx, program, "-hide_banner", "-loglevel", "error", "-y",
		"-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", fmt.Sprintf("%dx%d", c.Width, c.Height), "-r", strconv.FormatFloat(c.FPS, 'f', -1, 64), "-i", "pipe:0",
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-pix_fmt", "yuv420p",
		"-color_range", "tv", "-colorspace", "smpte170m", "-movflags", "+faststart", path)
	cmd.WaitDelay = 5 * time.Second
	var complaint strings.Builder
	cmd.Stderr = &complaint
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("show: start ffmpeg: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("show: start ffmpeg: %w", err)
	}
	truth, err := s.pour(ctx, pipe, progress)
	if err != nil {
		stop()
	}
	closed := pipe.Close()
	if ended := cmd.Wait(); ended != nil && (err == nil || errors.Is(err, errPipe)) {
		return nil, fmt.Errorf("show: ffmpeg: %w: %s", ended, strings.TrimSpace(complaint.String()))
	}
	if err != nil {
		return nil, err
	}
	if closed != nil {
		return nil, fmt.Errorf("show: ffmpeg: %w", closed)
	}
	return truth, nil
}

// errPipe marks that the encoder takes no more.
var errPipe = errors.New("show: write frame")

// pour writes every frame and gathers the truth.
func (s *Show) pour(ctx context.Context, to io.Writer, progress func(Progress)) (*VideoTruth, error) {
	t := s.videoTruth()
	for {
		f, err := s.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(f.I420); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fmt.Errorf("%w: %w", errPipe, err)
		}
		t.PerFrame = append(t.PerFrame, f.Truth)
		for _, shot := range f.Shots {
			t.add(shot)
		}
		if progress != nil {
			progress(Progress{len(t.PerFrame), s.shots, s.rounds})
		}
	}
	t.Frames = len(t.PerFrame)
	if n := len(t.Shots); n > 0 {
		t.Start, t.End = &t.Shots[0].Start, &t.Shots[n-1].End
		if n == 1 {
			t.Timeline = &t.Shots[0].Timeline
		}
	}
	return t, nil
}

// videoTruth is what is known before the first frame.
func (s *Show) videoTruth() *VideoTruth {
	scene := s.set.Scene()
	picture := render.TruthOf(scene, s.kind, nil)
	t := &VideoTruth{
		Size: picture.Size, FPS: s.config.FPS, Seed: s.config.Seed, View: s.kind.View, Lighting: s.kind.Lighting,
		Colours: s.kind.Colours, Note: note, Rules: s.config.Rules, Layout: s.format.Layout.String(),
		Contacts: []ContactTruth{}, Camera: picture.Camera, Board: picture.Board,
		Radius: scene.Board.Disc.Radius, Thickness: scene.Board.Disc.Thickness,
		Shots: []*ShotTruth{}, Events: []Event{}, PerFrame: []FrameTruth{},
	}
	for i := range s.slots {
		t.Discs = append(t.Discs, s.slots[i].look.Side)
		t.Sides = append(t.Sides, s.slots[i].side.String())
	}
	return t
}

// add lists a shot and the events it consists of.
func (t *VideoTruth) add(s *ShotTruth) {
	t.Shots = append(t.Shots, s)
	t.Contacts = append(t.Contacts, s.Contacts...)
	event := func(at float64, kind string, disc *int) {
		t.Events = append(t.Events, Event{T: at, Type: kind, Match: s.Match, Round: s.Round, Number: s.Number, Disc: disc})
	}
	event(s.Timeline.Release, "shot_started", &s.Shooter)
	event(s.Timeline.AtRest, "shot_ended", nil)
	for id := range t.Discs {
		switch fate := s.Verdict.Fates[itoa(id)]; fate {
		case "twenty":
			event(s.Timeline.AtRest, "twenty", &id)
		case "ditch":
			event(s.Timeline.AtRest, "removed", &id)
		}
	}
	if s.Verdict.Scored {
		event(s.Timeline.Settled, "round_ended", nil)
	}
}
