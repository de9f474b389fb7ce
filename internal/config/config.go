// Package config reads the settings: flag, environment, file, default, in
// that order, with the place each value came from.
package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"crokcam/vision/capture"
)

// Config is every setting. The mapstructure tags make up the keys, such as
// server.listen; configs/crokcam.yaml explains them.
type Config struct {
	Log     Log     `mapstructure:"log"`
	Photo   Photo   `mapstructure:"photo"`
	Camera  Camera  `mapstructure:"camera"`
	Boards  []Board `mapstructure:"boards"`
	Limits  Limits  `mapstructure:"limits"`
	Matches Matches `mapstructure:"matches"`
	Server  Server  `mapstructure:"server"`
}

// Log says what is logged and how.
type Log struct {
	Level  string `mapstructure:"level"`
	Format string `mapstructure:"format"`
}

// Photo is how pictures are scored unless the caller says otherwise.
type Photo struct {
	Board string `mapstructure:"board"`
}

// Camera is what a camera is asked for.
type Camera struct {
	Size      string `mapstructure:"size"` // px, such as 1920x1080
	FPS       int    `mapstructure:"fps"`
	Focus     string `mapstructure:"focus"`
	Exposure  string `mapstructure:"exposure"`
	PowerLine int    `mapstructure:"power_line"` // Hz
}

// Board is a camera over a board that the service keeps matches at.
type Board struct {
	ID          string `mapstructure:"id"`
	Name        string `mapstructure:"name"`
	Source      string `mapstructure:"source"`
	Board       string `mapstructure:"board"`       // as photo.board; "" is that
	Calibration string `mapstructure:"calibration"` // file; "" for none
}

// String is the board as it is shown: without the credentials of its source.
func (b Board) String() string { return b.ID + "=" + capture.Mask(b.Source) }

// MarshalText is String.
func (b Board) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads ID=SOURCE.
func (b *Board) UnmarshalText(text []byte) error {
	id, source, ok := strings.Cut(string(text), "=")
	if !ok || id == "" || source == "" {
		return fmt.Errorf("%q is not ID=SOURCE", capture.Mask(string(text)))
	}
	*b = Board{ID: id, Source: source}
	return nil
}

// Pixels is the size as two numbers.
func (c Camera) Pixels() (width, height int) {
	if m := pixels.FindStringSubmatch(c.Size); m != nil {
		width, _ = strconv.Atoi(m[1]) // at most five digits
		height, _ = strconv.Atoi(m[2])
	}
	return width, height
}

var (
	pixels  = regexp.MustCompile(`^([1-9]\d{1,4})x([1-9]\d{1,4})$`)
	control = regexp.MustCompile(`^(auto|hold|-?\d{1,9})?$`)

	basePath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)*/?$`)
	boardID  = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$`)
)

// Limits bound what one picture may cost.
type Limits struct {
	MaxMegabytes  int `mapstructure:"max_megabytes"`
	MaxMegapixels int `mapstructure:"max_megapixels"`
}

// MaxBytes is the largest picture file that is read.
func (l Limits) MaxBytes() int64 { return int64(l.MaxMegabytes) * 1_000_000 }

// MaxPixels is the largest picture that is unpacked.
func (l Limits) MaxPixels() int64 { return int64(l.MaxMegapixels) * 1_000_000 }

// Matches says where matches are kept and for how long.
type Matches struct {
	File             string `mapstructure:"file"`
	KeepDays         int    `mapstructure:"keep_days"`
	KeepPicturesDays int    `mapstructure:"keep_pictures_days"`
}

// Path is the file that matches are kept in: File, or else matches.db in the
// user's state folder.
func (m Matches) Path() (string, error) {
	if m.File != "" {
		return m.File, nil
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "crokcam", "matches.db"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("%w: matches.file: name the file that matches are kept in: %w", ErrWrong, err)
	}
	return filepath.Join(home, ".local", "state", "crokcam", "matches.db"), nil
}

// Server is the web service.
type Server struct {
	Listen            string        `mapstructure:"listen"`
	BasePath          string        `mapstructure:"base_path"`
	TokenFile         string        `mapstructure:"token_file"`
	InsecureNoAuth    bool          `mapstructure:"insecure_no_auth"`
	TrustedProxies    []string      `mapstructure:"trusted_proxies"`
	Parallel          int           `mapstructure:"parallel"`
	QueueTimeout      time.Duration `mapstructure:"queue_timeout"`
	ScoreTimeout      time.Duration `mapstructure:"score_timeout"`
	ReadTimeout       time.Duration `mapstructure:"read_timeout"`
	PicturesPerMinute int           `mapstructure:"pictures_per_minute"`
	StopTimeout       time.Duration `mapstructure:"stop_timeout"`
}

// Token is the organiser's token in TokenFile, "" where none is named.
func (s Server) Token() (string, error) {
	if s.TokenFile == "" {
		return "", nil
	}
	data, err := os.ReadFile(s.TokenFile)
	if err != nil {
		return "", fmt.Errorf("%w: server.token_file: %w", ErrWrong, err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", fmt.Errorf("%w: server.token_file: %s is empty", ErrWrong, s.TokenFile)
	}
	return token, nil
}

// Reachable tells whether others than this machine can reach the service: by its
// address, or through a proxy.
func (s Server) Reachable() bool {
	if len(s.TrustedProxies) > 0 || strings.Trim(s.BasePath, "/") != "" {
		return true
	}
	host, _, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return true
	}
	if host == "localhost" {
		return false
	}
	a, err := netip.ParseAddr(host)
	return err != nil || !a.IsLoopback()
}

// Default is the settings when nobody says anything.
func Default() Config {
	return Config{
		Log:    Log{Level: "info", Format: "text"},
		Photo:  Photo{Board: "auto"},
		Camera: Camera{Size: "1920x1080", FPS: 30},
		Boards: []Board{},
		Limits: Limits{MaxMegabytes: 25, MaxMegapixels: 64},
		Server: Server{
			Listen:            "127.0.0.1:8080",
			TrustedProxies:    []string{},
			Parallel:          2,
			QueueTimeout:      5 * time.Second,
			ScoreTimeout:      60 * time.Second,
			ReadTimeout:       60 * time.Second,
			PicturesPerMinute: 60,
			StopTimeout:       10 * time.Second,
		},
	}
}

// validate names every setting that cannot be.
func (c Config) validate() error {
	var errs []error
	wrong := func(key, format string, args ...any) {
		errs = append(errs, fmt.Errorf(key+": "+format, args...))
	}
	oneOf := func(key, value string, allowed ...string) {
		if !slices.Contains(allowed, value) {
			wrong(key, "%q must be one of %s", value, strings.Join(allowed, ", "))
		}
	}
	within := func(key string, value, low, high int) {
		if value < low || value > high {
			wrong(key, "%d must be from %d to %d", value, low, high)
		}
	}
	positive := func(key string, d time.Duration) {
		if d <= 0 {
			wrong(key, "%s must be more than nothing", d)
		}
	}
	oneOf("log.level", c.Log.Level, "debug", "info", "warn", "error")
	oneOf("log.format", c.Log.Format, "text", "json")
	if c.Photo.Board == "" {
		wrong("photo.board", "must be auto, a board's name or a board file")
	}
	if !pixels.MatchString(c.Camera.Size) {
		wrong("camera.size", "%q must be width and height in pixels, such as 1280x720", c.Camera.Size)
	}
	within("camera.fps", c.Camera.FPS, 1, 240)
	cameraControl := func(key, value string) {
		if !control.MatchString(value) {
			wrong(key, "%q must be auto, hold, a number, or nothing", value)
		}
	}
	cameraControl("camera.focus", c.Camera.Focus)
	cameraControl("camera.exposure", c.Camera.Exposure)
	if hz := c.Camera.PowerLine; hz != 0 && hz != 50 && hz != 60 {
		wrong("camera.power_line", "%d must be 50 or 60, or 0 to leave it", hz)
	}
	seen := map[string]bool{}
	for i, b := range c.Boards {
		key := fmt.Sprintf("boards[%d]", i)
		switch {
		case !boardID.MatchString(b.ID):
			wrong(key+".id", "%q must be small letters, digits and hyphens, at most 32", b.ID)
		case seen[b.ID]:
			wrong(key+".id", "%q is there twice", b.ID)
		case b.Source == "":
			wrong(key+".source", "name the camera of %s", b.ID)
		}
		seen[b.ID] = true
	}
	if _, port, err := net.SplitHostPort(c.Server.Listen); err != nil {
		wrong("server.listen", "%q must be an address and a port, such as 127.0.0.1:8080", c.Server.Listen)
	} else if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		wrong("server.listen", "%q must be a port from 0 to 65535", port)
	}
	within("limits.max_megabytes", c.Limits.MaxMegabytes, 1, 500)
	within("limits.max_megapixels", c.Limits.MaxMegapixels, 1, 500)
	within("matches.keep_days", c.Matches.KeepDays, 0, 36500)
	within("matches.keep_pictures_days", c.Matches.KeepPicturesDays, 0, 36500)
	within("server.parallel", c.Server.Parallel, 1, 64)
	within("server.pictures_per_minute", c.Server.PicturesPerMinute, 0, 100_000)
	positive("server.queue_timeout", c.Server.QueueTimeout)
	positive("server.score_timeout", c.Server.ScoreTimeout)
	positive("server.read_timeout", c.Server.ReadTimeout)
	positive("server.stop_timeout", c.Server.StopTimeout)
	if p := c.Server.BasePath; !basePath.MatchString(p) {
		wrong("server.base_path", "%q must be nothing, or a path such as /crokinole", p)
	}
	for _, p := range c.Server.TrustedProxies {
		_, errAddr := netip.ParseAddr(p)
		_, errNet := netip.ParsePrefix(p)
		if errAddr != nil && errNet != nil {
			wrong("server.trusted_proxies", "%q is neither an address nor a network", p)
		}
	}
	return errors.Join(errs...)
}

// SlogLevel is the level as slog knows it.
func (l Log) SlogLevel() slog.Level {
	return map[string]slog.Level{"debug": slog.LevelDebug, "warn": slog.LevelWarn, "error": slog.LevelError}[l.Level]
}

// setting is one leaf of Config: its key and its value there.
type setting struct {
	key   string
	value any
}

// settings lists every leaf of c in the order of the struct.
func settings(c Config) []setting {
	var out []setting
	var walk func(prefix string, v reflect.Value)
	walk = func(prefix string, v reflect.Value) {
		for i := range v.NumField() {
			key := prefix + v.Type().Field(i).Tag.Get("mapstructure")
			if f := v.Field(i); f.Kind() == reflect.Struct {
				walk(key+".", f)
			} else {
				out = append(out, setting{key, f.Interface()})
			}
		}
	}
	walk("", reflect.ValueOf(c))
	return out
}
