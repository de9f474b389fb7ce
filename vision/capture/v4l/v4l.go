// Package v4l knows the cameras of a Linux machine: which there are, who uses
// them, who may, and how their focus, exposure and power-line filter are set.
package v4l

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// System is the machine that is looked at. The zero value is this one.
type System struct {
	Root string   // a folder that stands for /, "" for / itself
	Tool []string // v4l2-ctl and its first arguments
	Env  []string // of the tool, beside our own
}

// Path is where a device, named by its absolute path, is found.
func (s System) Path(device string) string {
	if s.Root == "" {
		return device
	}
	return filepath.Join(s.Root, device)
}

// Device is a video device. A camera often has several, of which the first
// gives the pictures.
type Device struct {
	Path     string `json:"path"`         // such as /dev/video0; changes with the order of plugging in
	ID       string `json:"id,omitempty"` // such as /dev/v4l/by-id/usb-…-index0; stays; "" if it has none
	Name     string `json:"name"`         // as the driver tells, such as "HD Pro Webcam C920"
	Pictures bool   `json:"pictures"`     // false for a device that accompanies another: data, not pictures
}

// Best is the name to keep: the one that stays, where there is one.
func (d Device) Best() string { return cmp.Or(d.ID, d.Path) }

// Devices lists the video devices in the order of their numbers.
func (s System) Devices() ([]Device, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	class := s.Path("/sys/class/video4linux")
	entries, err := os.ReadDir(class)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list cameras: %w", err)
	}
	type numbered struct {
		Device
		number int
	}
	var found []numbered
	for _, e := range entries {
		number, err := strconv.Atoi(strings.TrimPrefix(e.Name(), "video"))
		if err != nil {
			continue // a radio, a subdevice
		}
		path := "/dev/" + e.Name()
		index := readLine(filepath.Join(class, e.Name(), "index"))
		found = append(found, numbered{Device{
			Path: path, ID: ids[path],
			Name:     cmp.Or(readLine(filepath.Join(class, e.Name(), "name")), e.Name()),
			Pictures: index == "" || index == "0",
		}, number})
	}
	slices.SortFunc(found, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	devices := make([]Device, len(found))
	for i, f := range found {
		devices[i] = f.Device
	}
	return devices, nil
}

// ids maps devices to their lasting names.
func (s System) ids() (map[string]string, error) {
	const dir = "/dev/v4l/by-id"
	entries, err := os.ReadDir(s.Path(dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list cameras: %w", err)
	}
	ids := map[string]string{}
	for _, e := range entries {
		target, err := os.Readlink(filepath.Join(s.Path(dir), e.Name()))
		if err != nil {
			continue
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		ids[target] = filepath.Join(dir, e.Name())
	}
	return ids, nil
}

func readLine(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// Check tells what stands against opening a device: an error that is
// fs.ErrNotExist, fs.ErrPermission, or says that it is no device.
func (s System) Check(device string) error {
	path := s.Path(device)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if s.Root == "" && info.Mode()&fs.ModeCharDevice == 0 {
		return fmt.Errorf("%s is not a device", path)
	}
	if err := unix.Access(path, unix.R_OK|unix.W_OK); err != nil {
		return &fs.PathError{Op: "access", Path: path, Err: err}
	}
	return nil
}

// Group is the name of the group that a device belongs to; "video" where it
// cannot be told.
func (s System) Group(device string) string {
	const usual = "video"
	info, err := os.Stat(s.Path(device))
	if err != nil {
		return usual
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Gid == 0 {
		return usual // root's own group is not one to join
	}
	id := strconv.FormatUint(uint64(stat.Gid), 10)
	if g, err := user.LookupGroupId(id); err == nil {
		return g.Name
	}
	return id
}

// Holder is a process that has a device open.
type Holder struct {
	PID  int
	Name string
}

// String is such as "obs (process 4711)".
func (h Holder) String() string { return fmt.Sprintf("%s (process %d)", h.Name, h.PID) }

// Holders finds who has a device open, ourselves left out. Other users'
// processes are hidden from all but root.
func (s System) Holders(device string) []Holder {
	path := s.Path(device)
	if device, err := filepath.EvalSymlinks(path); err == nil {
		path = device
	}
	processes, err := os.ReadDir(s.Path("/proc"))
	if err != nil {
		return nil
	}
	var holders []Holder
	for _, p := range processes {
		pid, err := strconv.Atoi(p.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		dir := s.Path("/proc/" + p.Name())
		files, err := os.ReadDir(dir + "/fd")
		if err != nil {
			continue
		}
		for _, f := range files {
			if target, err := os.Readlink(dir + "/fd/" + f.Name()); err == nil && target == path {
				holders = append(holders, Holder{pid, cmp.Or(readLine(dir+"/comm"), "a program")})
				break
			}
		}
	}
	slices.SortFunc(holders, func(a, b Holder) int { return cmp.Compare(a.PID, b.PID) })
	return holders
}
