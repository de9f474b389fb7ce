// Package show plays simulated matches in front of a simulated camera: players'
// hands place discs, flick them and take them away, and every frame comes with
// what is true in it.
package show

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"crokcam/board"
	"crokcam/board/presets"
	profiles "crokcam/configs/rules"
	"crokcam/rules"
	"crokcam/rules/profile"
	"crokcam/sim"
	"crokcam/sim/physics"
	"crokcam/sim/play"
	"crokcam/sim/render/photos"
)

// Config says what is shown.
type Config struct {
	Seed          uint64
	Skill         play.Skill // of every player
	Hasty         bool       // nobody looks ahead: a match that costs less
	Board         string     // a preset or a board file
	Physics       string     // a preset or a file
	Rules         string     // a profile
	Layout        rules.Layout
	Width, Height int     // px
	FPS           float64 // frames a second
	View          string  // overhead, mild or strong; drawn where it is empty
	Light         string  // a name from photos.Lights; drawn where it is empty
	Unsteady      bool    // the light changes now and then
	Look          string  // a name from photos.Boards; drawn where it is empty
	Wait          float64 // s before the first shot, of the empty board
	Shots         int     // at most so many; 0 is no limit
	Rounds        int     // at most so many; 0 is no limit
	Matches       int     // at most so many; 0 is no limit
}

// Default is a match on a club board.
func Default() Config {
	return Config{
		Seed: 1, Skill: 0.7, Board: "tournament-26", Physics: physics.Default, Rules: "nca",
		Width: 1920, Height: 1080, FPS: 30,
	}
}

// ErrConfig marks a Config that cannot be shown.
var ErrConfig = errors.New("show: unusable settings")

// Parse reads what follows "sim:" in a source's name, such as
// ?seed=1&skill=0.7&board=tournament-26&fps=30&size=1920x1080. Further keys are
// rules, layout, physics, view, light, unsteady, look, hasty and wait; what is not given is as
// in Default. Its errors wrap ErrConfig.
func Parse(rest string) (Config, error) {
	c := Default()
	values, err := url.ParseQuery(strings.TrimPrefix(strings.TrimPrefix(rest, "//"), "?"))
	if err != nil {
		return c, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	for key, all := range values {
		if len(all) != 1 {
			return c, fmt.Errorf("%w: %s is given %d times", ErrConfig, key, len(all))
		}
		if err := c.set(key, all[0]); err != nil {
			return c, fmt.Errorf("%w: %s=%s: %w", ErrConfig, key, all[0], err)
		}
	}
	return c, c.Validate()
}

func (c *Config) set(key, v string) (err error) {
	switch key {
	case "seed":
		c.Seed, err = strconv.ParseUint(v, 10, 64)
	case "skill":
		var f float64
		f, err = strconv.ParseFloat(v, 64)
		c.Skill = play.Skill(f)
	case "hasty":
		c.Hasty, err = strconv.ParseBool(v)
	case "fps":
		c.FPS, err = strconv.ParseFloat(v, 64)
	case "wait":
		c.Wait, err = strconv.ParseFloat(v, 64)
	case "size":
		c.Width, c.Height, err = ParseSize(v)
	case "layout":
		err = c.Layout.UnmarshalText([]byte(v))
	case "board":
		c.Board = v
	case "physics":
		c.Physics = v
	case "rules":
		c.Rules = v
	case "view":
		c.View = v
	case "light":
		c.Light = v
	case "unsteady":
		c.Unsteady, err = strconv.ParseBool(v)
	case "look":
		c.Look = v
	default:
		err = errors.New("there is no such key; known are seed, skill, hasty, fps, wait, size, layout, board, physics, rules, view, light, unsteady and look")
	}
	return err
}

// ParseSize reads WIDTHxHEIGHT, px.
func ParseSize(s string) (w, h int, err error) {
	a, b, ok := strings.Cut(s, "x")
	w, errW := strconv.Atoi(a)
	h, errH := strconv.Atoi(b)
	if !ok || errW != nil || errH != nil || min(w, h) < 160 || max(w, h) > 8000 {
		return 0, 0, errors.New("a size is WIDTHxHEIGHT, each from 160 to 8000")
	}
	return w, h, nil
}

// Validate reports what cannot be shown, wrapped in ErrConfig.
func (c *Config) Validate() error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrConfig, fmt.Sprintf(format, args...))
	}
	if err := c.Skill.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if !(c.FPS >= 1 && c.FPS <= 240) {
		return wrong("%g frames a second; from 1 to 240 are possible", c.FPS)
	}
	if !(c.Wait >= 0 && c.Wait <= 3600) {
		return wrong("a wait of %g s; up to an hour is possible", c.Wait)
	}
	if min(c.Width, c.Height) < 160 || max(c.Width, c.Height) > 8000 || c.Width%2 != 0 || c.Height%2 != 0 {
		return wrong("a size of %d × %d px; each must be even and from 160 to 8000", c.Width, c.Height)
	}
	for _, w := range []struct {
		name, value string
		known       []string
	}{{"view", c.View, photos.Views}, {"light", c.Light, photos.Lights}, {"look", c.Look, photos.Boards}} {
		if w.value != "" && !slices.Contains(w.known, w.value) {
			return wrong("the %s %q is not one of %s", w.name, w.value, strings.Join(w.known, ", "))
		}
	}
	return nil
}

// table is the board that is played on.
func (c *Config) table() (*sim.Table, error) {
	spec, err := presets.Find(c.Board)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	p, err := physics.Find(c.Physics)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	t, err := sim.NewTable(spec, p)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return t, nil
}

// format is the game that is played.
func (c *Config) format() (rules.Format, error) {
	set, err := profile.Load(profiles.FS)
	if err != nil {
		return rules.Format{}, fmt.Errorf("show: %w", err)
	}
	p, ok := set[c.Rules]
	if !ok {
		return rules.Format{}, fmt.Errorf("%w: there are no rules %q", ErrConfig, c.Rules)
	}
	f, err := p.Format(c.Layout)
	if err != nil {
		return f, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return f, nil
}

// match is one match of the show.
func (c *Config) match(t *sim.Table, f rules.Format, n int) (*play.Match, error) {
	f.Lead = f.Layout.Seats()[n%len(f.Layout.Seats())]
	m := play.Config{Table: t, Format: f, Seed: c.Seed*1_000_003 + uint64(n), Hasty: c.Hasty}
	for i := range m.Skills {
		m.Skills[i] = c.Skill
	}
	return play.NewMatch(m)
}

// seatAngle is the direction from the centre to a seat, rad.
func seatAngle(spec board.Spec, s board.Seat) float64 {
	q := rules.QuadrantOf(spec, s)
	return (q.From + q.To) / 2
}
