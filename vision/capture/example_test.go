package capture_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"crokcam/vision/capture"
)

// painter is a feed of three pictures that are made, not filmed.
type painter struct{ n int }

func (p *painter) Next(_ context.Context, f *capture.Frame) error {
	if p.n == 3 {
		return io.EOF
	}
	pix := make([]byte, 8*8*3) // blue, green, red
	for i := range pix {
		pix[i] = byte(80 * p.n)
	}
	f.At = time.Duration(p.n) * 40 * time.Millisecond
	p.n++
	return f.Put(pix, 8, 8, capture.BGR)
}

func (p *painter) Close() error { return nil }

// Any other place frames come from is plugged in under a scheme of its own.
func ExamplePlugin() {
	paint := func(context.Context, string, capture.Mode) (capture.Opened, error) {
		return capture.Opened{Feed: &painter{}, Timed: true}, nil
	}
	ctx := context.Background()
	stream, err := capture.Open(ctx, "paint:?shade=grey", capture.Options{Plugins: map[string]capture.Plugin{"paint": paint}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stream.Close()
	for {
		frame, err := stream.Next(ctx)
		if errors.Is(err, io.EOF) {
			return
		}
		fmt.Printf("%d × %d at %s, brightness %.1f, %s\n", frame.Width, frame.Height, frame.At, frame.Health.Mean, frame.Health.Flags)
		frame.Release()
	}
	// Output:
	// 8 × 8 at 0s, brightness 0.0, black
	// 8 × 8 at 40ms, brightness 0.3, grey
	// 8 × 8 at 80ms, brightness 0.6, grey
}
