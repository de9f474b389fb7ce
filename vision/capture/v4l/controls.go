package v4l

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Setting is how a control is to stand: "" leaves it as it is, "auto" has the
// camera see to it, "hold" stops the camera from changing what it has now, and a
// number is the control's own value.
type Setting string

// The settings that are words.
const (
	Leave Setting = ""
	Auto  Setting = "auto"
	Hold  Setting = "hold"
)

func (s Setting) check(what string) error {
	switch s {
	case Leave, Auto, Hold:
		return nil
	}
	if _, err := strconv.Atoi(string(s)); err != nil {
		return fmt.Errorf("%s %q: it is auto, hold or a number", what, string(s))
	}
	return nil
}

// Controls are a camera's controls that matter for a board.
type Controls struct {
	Focus     Setting
	Exposure  Setting
	PowerLine int // Hz of the lamps' mains: 50 or 60; 0 leaves it
}

// Empty says that nothing is to be set.
func (c Controls) Empty() bool { return c == Controls{} }

// Validate names what cannot be set.
func (c Controls) Validate() error {
	errs := []error{c.Focus.check("focus"), c.Exposure.check("exposure")}
	if c.PowerLine != 0 && c.PowerLine != 50 && c.PowerLine != 60 {
		errs = append(errs, fmt.Errorf("power line %d: it is 50 or 60 Hz, or 0 to leave it", c.PowerLine))
	}
	return errors.Join(errs...)
}

// State is a control that was set and read back.
type State struct {
	Name  string `json:"name"` // as the driver names it
	Asked int    `json:"asked"`
	Got   int    `json:"got"`
}

// Kept says that the camera has taken what it was asked for.
func (s State) Kept() bool { return s.Asked == s.Got }

// ErrNoTool says that v4l2-ctl is not installed.
var ErrNoTool = errors.New("v4l2-ctl is not installed: sudo apt install v4l-utils")

// control is one that the camera has.
type control struct {
	name            string
	min, max, value int
}

// Drivers have named the same control differently over the years: the newer
// name first.
var (
	autofocus    = []string{"focus_automatic_continuous", "focus_auto"}
	focus        = []string{"focus_absolute"}
	autoexposure = []string{"auto_exposure", "exposure_auto"}
	exposure     = []string{"exposure_time_absolute", "exposure_absolute"}
	powerLine    = []string{"power_line_frequency"}
)

// The values of the autoexposure menu (V4L2_EXPOSURE_…): cameras that see to
// the exposure alone do so by aperture priority.
const (
	exposureManual   = 1
	exposureAperture = 3
)

// toolTimeout is how long the tool may take; a camera that hangs makes it hang.
const toolTimeout = 3 * time.Second

// Apply sets a camera's controls and reads them back. What the camera does not
// have is an error, and the rest is set all the same.
func (s System) Apply(ctx context.Context, device string, want Controls) ([]State, error) {
	if err := want.Validate(); err != nil {
		return nil, fmt.Errorf("set controls: %w", err)
	}
	there, err := s.list(ctx, device)
	if err != nil {
		return nil, fmt.Errorf("set controls: %w", err)
	}
	plan, missing := plan(want, there)
	errs := []error{missing}
	for _, p := range plan {
		// One by one, and in order: a fixed value is refused while the camera
		// sees to it itself.
		if _, err := s.run(ctx, device, fmt.Sprintf("--set-ctrl=%s=%d", p.Name, p.Asked)); err != nil {
			errs = append(errs, fmt.Errorf("set %s to %d: %w", p.Name, p.Asked, err))
		}
	}
	now, err := s.list(ctx, device)
	if err != nil {
		return nil, errors.Join(append(errs, fmt.Errorf("read controls back: %w", err))...)
	}
	for i := range plan {
		if c, ok := find(now, []string{plan[i].Name}); ok {
			plan[i].Got = c.value
		}
	}
	return plan, errors.Join(errs...)
}

// plan says which controls to set, in order, to what.
func plan(want Controls, there []control) ([]State, error) {
	var steps []State
	var missing []error
	set := func(what string, names []string, value func(control) int) {
		c, ok := find(there, names)
		if !ok {
			missing = append(missing, fmt.Errorf("the camera has no control for its %s", what))
			return
		}
		steps = append(steps, State{Name: c.name, Asked: value(c)})
	}
	fixed := func(v int) func(control) int { return func(control) int { return v } }

	if want.Focus != Leave {
		_, switchable := find(there, autofocus)
		switch n, err := strconv.Atoi(string(want.Focus)); {
		case want.Focus == Auto:
			set("autofocus", autofocus, fixed(1))
		case switchable: // otherwise the focus is fixed by its make
			set("autofocus", autofocus, fixed(0))
			fallthrough
		default:
			if err == nil {
				set("focus", focus, func(c control) int { return min(max(n, c.min), c.max) })
			}
		}
	}
	if want.Exposure != Leave {
		mode := fixed(exposureManual)
		if want.Exposure == Auto {
			mode = fixed(exposureAperture)
		}
		set("automatic exposure", autoexposure, mode)
		if n, err := strconv.Atoi(string(want.Exposure)); err == nil {
			set("exposure", exposure, func(c control) int { return min(max(n, c.min), c.max) })
		} else if c, ok := find(there, exposure); ok && want.Exposure == Hold {
			// By itself the camera would fall back to the last fixed value.
			steps = append(steps, State{Name: c.name, Asked: c.value})
		}
	}
	if want.PowerLine != 0 {
		set("power-line frequency", powerLine, fixed((want.PowerLine-40)/10)) // 1 is 50 Hz, 2 is 60 Hz
	}
	return steps, errors.Join(missing...)
}

func find(there []control, names []string) (control, bool) {
	for _, name := range names {
		for _, c := range there {
			if c.name == name {
				return c, true
			}
		}
	}
	return control{}, false
}

// listed is a line such as
//
//	focus_absolute 0x009a090a (int)    : min=0 max=250 step=5 default=0 value=30 flags=inactive
var (
	listed  = regexp.MustCompile(`^\s*(\w+) 0x[0-9a-f]+ \((?:int|bool|menu|intmenu)\)\s*:(.*)$`)
	figures = regexp.MustCompile(`(min|max|value)=(-?\d+)`)
)

func (s System) list(ctx context.Context, device string) ([]control, error) {
	out, err := s.run(ctx, device, "--list-ctrls")
	if err != nil {
		return nil, err
	}
	return parseControls(out), nil
}

func parseControls(out string) []control {
	var controls []control
	for line := range strings.Lines(out) {
		m := listed.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		c := control{name: m[1], max: 1} // a switch is listed without its ends
		for _, f := range figures.FindAllStringSubmatch(m[2], -1) {
			n, _ := strconv.Atoi(f[2])
			switch f[1] {
			case "min":
				c.min = n
			case "max":
				c.max = n
			case "value":
				c.value = n
			}
		}
		controls = append(controls, c)
	}
	return controls
}

// run has v4l2-ctl do something with a device.
func (s System) run(ctx context.Context, device string, args ...string) (string, error) {
	tool := s.Tool
	if len(tool) == 0 {
		tool = []string{"v4l2-ctl"}
	}
	program, err := exec.LookPath(tool[0])
	if err != nil {
		return "", ErrNoTool
	}
	ctx, cancel := context.WithTimeout(ctx, toolTimeout)
	defer cancel()
	args = append(append(tool[1:len(tool):len(tool)], "--device="+s.Path(device)), args...)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(append(os.Environ(), "LC_ALL=C"), s.Env...)
	cmd.WaitDelay = time.Second
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("v4l2-ctl does not answer within %s", toolTimeout)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("v4l2-ctl: %s (%w)", cmp.Or(strings.TrimSpace(said.String()), strings.TrimSpace(out.String()), "it failed"), err)
	}
	return out.String(), nil
}
