package hall

import (
	"context"
	"sync"

	"crokcam/live"
)

// film keeps the newest picture of each kind, so that it is drawn and encoded
// once however many watch.
type film struct {
	mu    sync.Mutex
	kinds map[live.PictureKind]*still
}

type still struct {
	mu   sync.Mutex
	seq  uint64
	jpeg []byte
	err  error
}

func (f *film) kind(k live.PictureKind) *still {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kinds == nil {
		f.kinds = map[live.PictureKind]*still{}
	}
	if f.kinds[k] == nil {
		f.kinds[k] = &still{}
	}
	return f.kinds[k]
}

// Next waits for a picture of a board that is newer than number seq, and gives it
// with its own number; 0 is before the first. The JPEG is shared and not to be
// written to. Errors: those of Table, live.Table.Wait and live.Table.Picture.
func (h *Hall) Next(ctx context.Context, id string, k live.PictureKind, seq uint64) ([]byte, uint64, error) {
	t, err := h.Table(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	now, err := t.Wait(ctx, seq)
	if err != nil {
		return nil, now, err
	}
	s := h.seat(id)
	if s == nil {
		return nil, now, ErrNotRunning
	}
	p := s.film.kind(k)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seq < now || p.err != nil {
		p.jpeg, p.err = t.Picture(k)
		p.seq = now
	}
	return p.jpeg, p.seq, p.err
}
