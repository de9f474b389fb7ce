// Package bench measures what the eye of the program costs, each job against
// the least that it could cost.
package bench

import (
	"context"
	_ "embed"
	"fmt"
	"image"
	"math"

	"gocv.io/x/gocv"

	"crokcam/internal/bench"
	"crokcam/internal/cvx"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

// The picture that is made when none is given: 12 megapixels, as phones take.
const (
	madeWidth, madeHeight = 4000, 3000
	madeQuality           = 92
	workingSize           = 800 // px, of the rectified board
)

//go:embed board.jpg
var board []byte

// Picture makes a 12-megapixel JPEG of a board.
func Picture() ([]byte, error) {
	p, err := decode.Decode(board, decode.Limits{})
	if err != nil {
		return nil, fmt.Errorf("bench: make picture: %w", err)
	}
	defer p.Close()
	big, err := cvx.Resize(p.Mat, image.Pt(madeWidth, madeHeight), gocv.InterpolationCubic)
	if err != nil {
		return nil, fmt.Errorf("bench: make picture: %w", err)
	}
	defer cvx.Close(&big)
	data, err := cvx.EncodeJPEG(big, madeQuality)
	if err != nil {
		return nil, fmt.Errorf("bench: make picture: %w", err)
	}
	return data, nil
}

// Photo measures score on a picture against its floor, decoding the picture
// and warping the board's part of it to working scale once.
func Photo(ctx context.Context, data []byte, score func(context.Context, []byte) (*photo.Report, error), rounds int) (bench.Result, error) {
	r, err := score(ctx, data) // also warms up
	if err != nil {
		return bench.Result{}, fmt.Errorf("bench: score: %w", err)
	}
	region := boardRegion(r)
	result := bench.Result{
		Name: "photo/score", Floor: "decode + rectify",
		Input: fmt.Sprintf("%d x %d, %.1f MB", r.Image.Width, r.Image.Height, float64(len(data))/1e6),
	}
	job := func() error {
		_, err := score(ctx, data)
		return err
	}
	floor := func() error { return decodeAndRectify(ctx, data, region) }
	return bench.Compare(ctx, result, rounds, job, floor)
}

// decodeAndRectify is the least that any scorer has to do.
func decodeAndRectify(ctx context.Context, data []byte, region image.Rectangle) error {
	p, err := decode.DecodeContext(ctx, data, decode.Limits{})
	if err != nil {
		return err
	}
	defer p.Close()
	sx, sy := float64(region.Dx())/workingSize, float64(region.Dy())/workingSize
	toSrc := [9]float64{sx, 0, float64(region.Min.X), 0, sy, float64(region.Min.Y), 0, 0, 1}
	flat, err := cvx.Warp(p.Mat, toSrc, image.Pt(workingSize, workingSize), gocv.InterpolationLinear)
	if err != nil {
		return err
	}
	cvx.Close(&flat)
	return nil
}

// boardRegion is the part of the picture that holds the board.
func boardRegion(r *photo.Report) image.Rectangle {
	whole := image.Rect(0, 0, r.Image.Width, r.Image.Height)
	region := image.Rectangle{}
	for _, e := range r.Calibration.RingsPx {
		a := int(math.Ceil(1.12 * math.Max(e.A, e.B)))
		c := image.Pt(int(e.CX), int(e.CY))
		region = region.Union(image.Rectangle{c, c}.Inset(-a))
	}
	if region = region.Intersect(whole); region.Empty() {
		return whole
	}
	return region
}
