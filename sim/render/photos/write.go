package photos

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"crokcam/internal/wholefile"
	"crokcam/sim/render"
)

// Take makes the picture of a seed and its truth: a JPEG file and a JSON file.
func Take(ctx context.Context, seed uint64, name string, o Options) (jpeg, truth []byte, err error) {
	s, kind := Draw(seed, o)
	shot, err := render.Shoot(ctx, &s)
	if err != nil {
		return nil, nil, fmt.Errorf("photos: seed %d: %w", seed, err)
	}
	if jpeg, err = shot.EncodeJPEG(s.Lens.JPEG); err != nil {
		return nil, nil, fmt.Errorf("photos: seed %d: %w", seed, err)
	}
	t := render.TruthOf(&s, kind, shot)
	t.Image, t.Seed = name+".jpg", seed
	if truth, err = json.MarshalIndent(t, "", " "); err != nil {
		return nil, nil, fmt.Errorf("photos: seed %d: %w", seed, err)
	}
	return jpeg, append(truth, '\n'), nil
}

// Write makes n pictures of the seeds from first on into a folder, several at a
// time, and calls progress after each. A picture that stands there with its
// truth is made again all the same: the seed decides. When it ends early, only
// whole files are left, and no picture without its truth.
func Write(ctx context.Context, folder string, n int, first uint64, workers int, o Options, progress func(done, total int)) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("photos: %w", err)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range max(1, workers) {
		wg.Go(func() {
			for i := range next {
				name := fmt.Sprintf("sim_%04d", i)
				jpeg, truth, err := Take(ctx, first+uint64(i), name, o)
				if err == nil {
					err = save(folder, name, jpeg, truth)
				}
				if err != nil {
					stop(err)
					continue
				}
				mu.Lock()
				done++
				if progress != nil {
					progress(done, n)
				}
				mu.Unlock()
			}
		})
	}
feed:
	for i := range n {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return nil
}

// save puts a picture and its truth into the folder, the picture last and each
// whole or not at all.
func save(folder, name string, jpeg, truth []byte) error {
	for _, f := range []struct {
		name string
		data []byte
	}{{name + ".json", truth}, {name + ".jpg", jpeg}} {
		if err := wholefile.Write(filepath.Join(folder, f.name), f.data); err != nil {
			return fmt.Errorf("photos: %w", err)
		}
	}
	return nil
}
