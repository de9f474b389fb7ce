package capture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"crokcam/vision/capture/v4l"
)

// opener is the function that opens the stream's source, once for each session.
func (s *Stream) opener() func(context.Context) (Opened, error) {
	switch s.source.kind {
	case KindPlugin:
		plugin := s.o.Plugins[s.source.name]
		return func(ctx context.Context) (Opened, error) { return plugin(ctx, s.source.at, s.o.Mode) }
	case KindCamera:
		return s.openCamera
	case KindFolder:
		return s.openFolder
	case KindFile:
		return s.openFile
	}
	return func(ctx context.Context) (Opened, error) { return s.decode(ctx, s.source.input(s.o)) }
}

// openFile has a video file decoded, if it can be opened at all.
func (s *Stream) openFile(ctx context.Context) (Opened, error) {
	f, err := os.Open(s.source.at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Opened{}, s.source.fail(NotFound, "There is no such file or folder.", err)
	case errors.Is(err, fs.ErrPermission):
		return Opened{}, s.source.fail(PermissionDenied, "This file may not be read by this user.", err)
	case err != nil:
		return Opened{}, s.source.fail(Unreadable, "This file cannot be read.", err)
	}
	info, err := f.Stat()
	_ = f.Close()
	if err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return Opened{}, s.source.fail(NoVideo, "The file is empty.", nil)
	}
	return s.decode(ctx, s.source.input(s.o))
}

// openCamera asks a camera for MJPEG, since at larger sizes few have another
// format at full rate over USB, and takes what it has otherwise.
func (s *Stream) openCamera(ctx context.Context) (Opened, error) {
	if err := s.checkCamera(); err != nil {
		return Opened{}, err
	}
	in := s.source.input(s.o)
	opened, err := s.decode(ctx, in.as("mjpeg"))
	var e *Error
	if errors.As(err, &e) && e.Code == NoSuchFormat {
		opened, err = s.decode(ctx, in)
		opened.Asked.Format = "mjpeg"
	}
	if err != nil {
		return Opened{}, s.explain(err)
	}
	if !s.o.Controls.Empty() {
		opened.Apply = func(ctx context.Context) ([]v4l.State, error) {
			return s.o.machine.v4l.Apply(ctx, s.source.at, s.o.Controls)
		}
	}
	return opened, nil
}

// checkCamera finds out what the system itself can tell before a decoder is
// bothered.
func (s *Stream) checkCamera() error {
	err := s.o.machine.v4l.Check(s.source.at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.source.fail(NoSuchCamera, s.whichThereAre(), err)
	case errors.Is(err, fs.ErrPermission):
		return s.source.fail(PermissionDenied, s.howToJoin(), err)
	case err != nil:
		return s.source.fail(NotACamera, "This is not a camera's device. "+s.whichThereAre(), err)
	}
	return nil
}

// explain adds to the decoder's words what the system knows.
func (s *Stream) explain(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case CameraBusy:
		if holders := s.o.machine.v4l.Holders(s.source.at); len(holders) > 0 {
			names := make([]string, len(holders))
			for i, h := range holders {
				names[i] = h.String()
			}
			e.Message = fmt.Sprintf("The camera is in use by %s. Close it there and try again.", strings.Join(names, " and "))
		}
	case PermissionDenied:
		e.Message = s.howToJoin()
	case NotFound:
		e.Code, e.Message = NoSuchCamera, s.whichThereAre()
	}
	return e
}

func (s *Stream) whichThereAre() string {
	cameras, err := s.o.machine.v4l.Devices()
	if err != nil || len(cameras) == 0 {
		return "There is no such camera, and no other. Plug one in, and see `crokcam cameras list`."
	}
	var b strings.Builder
	b.WriteString("There is no such camera. There are:")
	for _, c := range cameras {
		if c.Pictures {
			fmt.Fprintf(&b, "\n  camera:%s  %s", c.Best(), c.Name)
		}
	}
	return b.String()
}

func (s *Stream) howToJoin() string {
	group := s.o.machine.v4l.Group(s.source.at)
	return fmt.Sprintf("This user may not open the camera: it belongs to the group %[1]s. Join it with `sudo usermod -aG %[1]s $USER` and log in again; "+
		"in a container, give it the device and `group_add: [%[1]s]`.", group)
}
