package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"crokcam/vision/decode"
)

// folder is a Feed of the pictures in a folder, in the order of their names
// with numbers counted as numbers.
type folder struct {
	source Source
	names  []string // paths
	next   int
	step   time.Duration
}

// pictureSuffixes are the names that pictures have; other files in the folder
// are passed over.
var pictureSuffixes = []string{".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif", ".heic", ".heif", ".avif"}

func (s *Stream) openFolder(context.Context) (Opened, error) {
	entries, err := os.ReadDir(s.source.at)
	if err != nil {
		return Opened{}, s.source.fail(NotFound, "This folder cannot be read.", err)
	}
	d := &folder{source: s.source, step: time.Duration(float64(time.Second) / s.o.Mode.FPS)}
	for _, e := range entries {
		suffix := strings.ToLower(filepath.Ext(e.Name()))
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") && slices.Contains(pictureSuffixes, suffix) {
			d.names = append(d.names, filepath.Join(s.source.at, e.Name()))
		}
	}
	if len(d.names) == 0 {
		return Opened{}, s.source.fail(NoVideo, "There are no pictures in this folder.", nil)
	}
	slices.SortFunc(d.names, byNumber)
	got := Mode{FPS: s.o.Mode.FPS, Format: "pictures"}
	return Opened{Feed: d, Timed: true, Got: func() Mode { return got }}, nil
}

// Next reads the next picture.
func (d *folder) Next(ctx context.Context, f *Frame) error {
	if d.next == len(d.names) {
		return io.EOF
	}
	name := d.names[d.next]
	if err := d.read(ctx, name, f); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		message := "It cannot be read."
		if e, ok := errors.AsType[*decode.Error](err); ok {
			message = e.Message
		}
		return d.source.fail(Unreadable, filepath.Base(name)+": "+message, fmt.Errorf("%s: %w", name, err))
	}
	f.At = time.Duration(d.next) * d.step
	d.next++
	return nil
}

func (d *folder) read(ctx context.Context, name string, f *Frame) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	p, err := decode.DecodeContext(ctx, data, decode.Limits{})
	if err != nil {
		return err
	}
	defer p.Close()
	pix, err := p.Mat.DataPtrUint8()
	if err != nil {
		return fmt.Errorf("read pixels: %w", err)
	}
	return f.Put(pix, p.Width, p.Height, BGR)
}

// Close has nothing to free.
func (d *folder) Close() error { return nil }

// byNumber orders names as people do: 2 before 10.
func byNumber(a, b string) int {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na > 0 && nb > 0 {
			x, y := strings.TrimLeft(a[:na], "0"), strings.TrimLeft(b[:nb], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
