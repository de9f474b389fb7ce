package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"gocv.io/x/gocv"
)

// HEIC and AVIF are decoded by libheif's own program, when it is installed:
// such a decoder is best kept out of the process, where it can be given up and
// cannot take anything with it.
const (
	heifTimeout = 20 * time.Second
	heifMemory  = 2 << 30 // of address space, bytes
)

// heifPrograms are the names that it has had, the older first.
var heifPrograms = []string{"heif-convert", "heif-dec"}

const (
	noHEIFMessage = "HEIC and AVIF pictures cannot be read here. Send the photo as JPEG or PNG: on an iPhone, Settings, Camera, Formats, Most Compatible makes JPEG."
	slowMessage   = "The picture took too long to read. Send it as JPEG or PNG instead."
)

// heifHeader finds the largest picture that the file describes. Its turns are
// part of the format and made by the decoder.
func heifHeader(data []byte) (header, error) {
	h := header{truncated: boxesEnd(data) < len(data)}
	meta, ok := findBox(data, "meta")
	if !ok || len(meta) < 4 {
		if h.truncated {
			return h, fail(Truncated, errors.New("no meta box"))
		}
		return h, errors.New("no meta box")
	}
	properties, ok := findBox(meta[4:], "iprp")
	if !ok {
		return h, errors.New("no iprp box")
	}
	properties, ok = findBox(properties, "ipco")
	if !ok {
		return h, errors.New("no ipco box")
	}
	area := uint64(0)
	for kind, b := range boxes(properties) {
		switch {
		case kind == "ispe" && len(b) >= 12:
			w, hh := binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
			if a := uint64(w) * uint64(hh); a > area {
				area, h.width, h.height = a, int(w), int(hh)
			}
		case kind == "irot" && len(b) >= 1 && b[0]&3 != 0, kind == "imir":
			h.turned = true
		}
	}
	return h, nil
}

func heifRaster(ctx context.Context, data []byte, h *header) (gocv.Mat, error) {
	program, err := lookHEIF()
	if err != nil {
		return gocv.Mat{}, unsupported(noHEIFMessage, err)
	}
	converted, err := convertHEIF(ctx, program, data)
	if err != nil {
		return gocv.Mat{}, err
	}
	inner, err := jpegHeader(converted)
	if err != nil {
		return gocv.Mat{}, fmt.Errorf("read converted picture: %w", err)
	}
	if inner.width*inner.height > 2*h.width*h.height {
		return gocv.Mat{}, fmt.Errorf("converted picture is %d x %d, the header said %d x %d", inner.width, inner.height, h.width, h.height)
	}
	h.exif = inner.exif
	h.exif.orientation = 0 // it is upright already, whatever the EXIF block still says
	return jpegRaster(ctx, converted, &inner)
}

func lookHEIF() (path string, err error) {
	for _, name := range heifPrograms {
		if path, err = exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", err
}

// convertHEIF has the program write a JPEG of the file's first picture.
func convertHEIF(ctx context.Context, program string, data []byte) ([]byte, error) {
	dir, err := os.MkdirTemp("", "crokcam-heif-")
	if err != nil {
		return nil, fmt.Errorf("convert heif: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.WriteFile(filepath.Join(dir, "in"), data, 0o600); err != nil {
		return nil, fmt.Errorf("convert heif: %w", err)
	}

	ctx, cancel := context.WithTimeout(ctx, heifTimeout)
	defer cancel()
	// The child must die with us; the kernel ties that to the thread which
	// started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, program, "--quiet", "-q", "95", "in", "out.jpg")
	cmd.Dir = dir
	cmd.Env = []string{"LC_ALL=C"}
	cmd.Stderr = &said
	cmd.WaitDelay = time.Second
	dieWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("convert heif: %w", err)
	}
	limitMemory(cmd.Process.Pid, heifMemory)
	err = cmd.Wait()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, &Error{Code: DecodeFailed, Message: slowMessage, Err: ctx.Err()}
	case ctx.Err() != nil:
		return nil, fail(DecodeFailed, ctx.Err())
	case err != nil:
		return nil, fmt.Errorf("convert heif: %w: %.200s", err, bytes.TrimSpace(said.Bytes()))
	}
	for _, name := range []string{"out.jpg", "out-1.jpg"} { // the latter when there are several
		out, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			return out, nil
		}
	}
	return nil, fmt.Errorf("convert heif: nothing was written: %.200s", bytes.TrimSpace(said.Bytes()))
}

// findBox gives the body of the first box of a kind.
func findBox(b []byte, kind string) ([]byte, bool) {
	for k, body := range boxes(b) {
		if k == kind {
			return body, true
		}
	}
	return nil, false
}

// boxes yields the boxes that lie wholly within b.
func boxes(b []byte) func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		for {
			kind, body, rest, ok := nextBox(b)
			if !ok || !yield(kind, body) {
				return
			}
			b = rest
		}
	}
}

// boxesEnd is where the last whole box of b ends.
func boxesEnd(b []byte) int {
	end := len(b)
	for {
		_, _, rest, ok := nextBox(b)
		if !ok {
			return end - len(b)
		}
		b = rest
	}
}

// nextBox takes the first box off b, if it is all there.
func nextBox(b []byte) (kind string, body, rest []byte, ok bool) {
	if len(b) < 8 {
		return "", nil, nil, false
	}
	size, start := uint64(binary.BigEndian.Uint32(b)), uint64(8)
	switch size {
	case 0: // to the end
		size = uint64(len(b))
	case 1:
		if len(b) < 16 {
			return "", nil, nil, false
		}
		size, start = binary.BigEndian.Uint64(b[8:]), 16
	}
	if size < start || size > uint64(len(b)) {
		return "", nil, nil, false
	}
	return string(b[4:8]), b[start:size], b[size:], true
}
