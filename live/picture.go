package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"sync"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/internal/raster"
	"crokcam/internal/witness"
	"crokcam/rules"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// PictureKind is how a frame is shown.
type PictureKind string

// The kinds of pictures.
const (
	Raw       PictureKind = "raw"       // as it came
	Annotated PictureKind = "annotated" // with the board's lines, the discs at rest and the ways of those that flew drawn over it
	Rectified PictureKind = "rectified" // the board from straight above, its south below
	Edges     PictureKind = "edges"     // where the picture's brightness changes, with the board's lines
)

// The refusals of pictures.
var (
	ErrNoPicture   = errors.New("live: no picture has come yet")
	ErrPictureKind = errors.New("live: there is no such kind of picture")
	ErrClosed      = errors.New("live: the table is closed")
)

// overlay is what is known of a frame.
type overlay struct {
	cal     *calibrate.Calibration
	discs   []shots.Disc
	ways    [][]board.Point // of what flew, mm
	colours witness.Sides   // whose the camera's colours are
	rules   rules.Ruleset   // by which discs count; the zero value without a match
}

// view is the newest frame, for whoever wants to see it.
type view struct {
	mu      sync.Mutex
	frame   *capture.Frame // nil before the first
	seq     uint64         // frames so far
	overlay overlay
	more    chan struct{} // closed at the next frame; nil while nobody waits
	closed  bool
	plan    plan
}

// put makes a frame, which is the view's from here on, the newest.
func (v *view) put(f *capture.Frame, o overlay) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.frame != nil {
		v.frame.Release()
	}
	if v.closed {
		f.Release()
		v.frame = nil
		return
	}
	v.frame, v.overlay = f, o
	v.seq++
	v.wake()
}

func (v *view) wake() {
	if v.more != nil {
		close(v.more)
		v.more = nil
	}
}

func (v *view) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = true
	if v.frame != nil {
		v.frame.Release()
		v.frame = nil
	}
	v.wake()
}

// Wait waits until there is a frame after number seq, and gives the newest one's:
// 0 is before the first. Errors: ctx's, ErrClosed.
func (t *Table) Wait(ctx context.Context, seq uint64) (uint64, error) {
	v := &t.view
	for {
		v.mu.Lock()
		now, closed := v.seq, v.closed
		if now == seq && !closed && v.more == nil {
			v.more = make(chan struct{})
		}
		more := v.more
		v.mu.Unlock()
		switch {
		case closed:
			return now, ErrClosed
		case now != seq:
			return now, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return seq, ctx.Err()
		}
	}
}

// Picture is the newest frame as JPEG, as wide as it came or, of the board from
// above, 720 px. Errors: ErrNoPicture, ErrNotCalibrated, ErrPictureKind.
func (t *Table) Picture(kind PictureKind) ([]byte, error) {
	f, o, err := t.view.copy()
	if err != nil {
		return nil, err
	}
	var img image.Image
	switch kind {
	case Raw:
		img = f.Image()
	case Annotated:
		img = annotate(f.Image(), o)
	case Edges:
		img = edges(f.Image(), o)
	case Rectified:
		if o.cal == nil {
			return nil, ErrNotCalibrated
		}
		img = t.view.rectify(f, o.cal)
	default:
		return nil, fmt.Errorf("%w: %q is none of raw, annotated, edges and rectified", ErrPictureKind, kind)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("live: encode picture: %w", err)
	}
	return b.Bytes(), nil
}

// copy is a copy of the newest frame: the next one comes while it is being
// encoded.
func (v *view) copy() (*capture.Frame, overlay, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.frame == nil {
		return nil, overlay{}, ErrNoPicture
	}
	f := new(capture.Frame)
	if err := f.SetSize(v.frame.Width, v.frame.Height); err != nil {
		return nil, overlay{}, err
	}
	copy(f.Pix, v.frame.Pix)
	f.FullRange, f.BT709 = v.frame.FullRange, v.frame.BT709
	return f, v.overlay, nil
}

// picture is the newest frame for a search of the board.
func (v *view) picture() (*raster.Picture, error) {
	f, _, err := v.copy()
	if err != nil {
		return nil, err
	}
	p, err := raster.FromI420(f.Y, f.U, f.V, f.Width, f.Height, raster.YUV{FullRange: f.FullRange, BT709: f.BT709}, nil)
	if err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	return p, nil
}
