// Package bench measures what the eye of the program costs, each job against
// the least that it could cost.
package bench

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"image"
	"io"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"gocv.io/x/gocv"

	"crokcam/internal/cvx"
	"crokcam/internal/usage"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

// Schema names the contract that Report keeps.
const Schema = "crokcam.bench/1"

// Report is what was measured.
type Report struct {
	Schema  string   `json:"schema"`
	Results []Result `json:"results"`
}

// Result is one job's cost beside its floor's. The times are medians.
type Result struct {
	Name      string  `json:"name"`
	Unit      string  `json:"unit"` // of the times
	Wall      float64 `json:"wall"`
	CPU       float64 `json:"cpu"` // of all threads
	Floor     string  `json:"floor"`
	FloorWall float64 `json:"floor_wall"`
	FloorCPU  float64 `json:"floor_cpu"`
	Ratio     float64 `json:"ratio"` // of the processor times
	PeakRSSMB float64 `json:"peak_rss_mb"`
	Rounds    int     `json:"rounds"`
	Input     string  `json:"input"`
}

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
	defer big.Close()
	data, err := cvx.EncodeJPEG(big, madeQuality)
	if err != nil {
		return nil, fmt.Errorf("bench: make picture: %w", err)
	}
	return data, nil
}

// Photo measures score on a picture against its floor, decoding the picture
// and warping the board's part of it to working scale once. The two take turns
// for a number of rounds, so that whatever else the machine does falls on both.
func Photo(ctx context.Context, data []byte, score func(context.Context, []byte) (*photo.Report, error), rounds int) (Result, error) {
	r, err := score(ctx, data) // also warms up
	if err != nil {
		return Result{}, fmt.Errorf("bench: score: %w", err)
	}
	region := boardRegion(r)
	result := Result{
		Name: "photo/score", Floor: "decode + rectify",
		Input: fmt.Sprintf("%d x %d, %.1f MB", r.Image.Width, r.Image.Height, float64(len(data))/1e6),
	}
	job := func() error {
		_, err := score(ctx, data)
		return err
	}
	floor := func() error { return decodeAndRectify(ctx, data, region) }
	return compare(ctx, result, rounds, job, floor)
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
	return flat.Close()
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

// compare runs a job and its floor in turns and fills the figures in.
func compare(ctx context.Context, r Result, rounds int, job, floor func() error) (Result, error) {
	if rounds < 1 {
		return Result{}, fmt.Errorf("bench: %s: %d rounds measure nothing", r.Name, rounds)
	}
	var walls, cpus, floorWalls, floorCPUs []float64
	usage.ResetPeak()
	for range rounds {
		if err := ctx.Err(); err != nil {
			return Result{}, fmt.Errorf("bench: %s: %w", r.Name, err)
		}
		wall, cpu, err := timed(floor)
		if err != nil {
			return Result{}, fmt.Errorf("bench: %s: %w", r.Floor, err)
		}
		floorWalls, floorCPUs = append(floorWalls, wall), append(floorCPUs, cpu)
		if wall, cpu, err = timed(job); err != nil {
			return Result{}, fmt.Errorf("bench: %s: %w", r.Name, err)
		}
		walls, cpus = append(walls, wall), append(cpus, cpu)
	}
	r.Unit, r.Rounds = "ms", rounds
	r.Wall, r.CPU = median(walls), median(cpus)
	r.FloorWall, r.FloorCPU = median(floorWalls), median(floorCPUs)
	if r.FloorCPU > 0 {
		r.Ratio = r.CPU / r.FloorCPU
	}
	r.PeakRSSMB = float64(usage.PeakRSS()) / (1 << 20)
	return r, nil
}

// timed runs f and gives its time on the clock and on the processors, ms.
func timed(f func() error) (wall, cpu float64, err error) {
	start, used := time.Now(), usage.CPU()
	err = f()
	return ms(time.Since(start)), ms(usage.CPU() - used), err
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// WriteTable prints a report for people.
func WriteTable(w io.Writer, r Report) error {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "job\twall ms\tcpu ms\tfloor\twall ms\tcpu ms\tratio\tpeak MB\trounds\tinput\t")
	for _, x := range r.Results {
		fmt.Fprintf(t, "%s\t%.0f\t%.0f\t%s\t%.0f\t%.0f\t%.2f\t%.0f\t%d\t%s\t\n",
			x.Name, x.Wall, x.CPU, x.Floor, x.FloorWall, x.FloorCPU, x.Ratio, x.PeakRSSMB, x.Rounds, x.Input)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("bench: print: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("bench: print: %w", err)
	}
	return nil
}
