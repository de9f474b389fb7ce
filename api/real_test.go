package api_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/api"
	"crokcam/board"
	"crokcam/vision/photo"
)

// realScorer looks at the picture.
type realScorer struct{}

func (realScorer) Score(ctx context.Context, data []byte, o photo.Options) (*photo.Report, error) {
	return photo.Score(ctx, data, o)
}

func (realScorer) Annotate(data []byte, r *photo.Report) ([]byte, error) {
	return photo.Annotate(data, r)
}

func realOptions() api.Options {
	o := options(nil)
	o.Scorer = realScorer{}
	o.Limits.Bytes = 0
	return o
}

func TestWhatTheScorerSaysIsWhatThePageReliesOn(t *testing.T) {
	server := start(t, realOptions())
	report := schema(t, document(t, server.URL), "Report")
	for _, name := range []string{"dev_02", "dev_07", "dev_12"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("../testdata/renders/" + name + ".jpg")
			require.NoError(t, err)
			a := send(t, "POST", server.URL+"/api/v1/photos", "image/jpeg", data)
			require.Equal(t, 200, a.status, string(a.body))
			require.NoError(t, report.Validate(parse(t, a.body)))

			var r photo.Report
			require.NoError(t, json.Unmarshal(a.body, &r))
			require.NotEmpty(t, r.Discs)
			h, c := r.Calibration.HomographyPxToMM, r.Calibration
			spec := board.Tournament26()
			spec.Disc.Radius = c.RadiiMM.Disc
			for ring, inner := range map[*board.Ring]float64{&spec.Fifteen: c.LinesInnerMM.Fifteen, &spec.Ten: c.LinesInnerMM.Ten, &spec.Start: c.LinesInnerMM.Start} {
				ring.Outer = inner + ring.Width
			}
			for _, d := range r.Discs {
				if d.State == "hole" {
					continue // it lies deeper than the discs that the map is for
				}
				// The top's pixel leads to the foot's place, so that a disc put
				// down by hand is valued like one that was seen. Top and foot
				// are measured apart, so they may differ by a little.
				w := h[6]*d.Px[0] + h[7]*d.Px[1] + h[8]
				x, y := (h[0]*d.Px[0]+h[1]*d.Px[1]+h[2])/w, (h[3]*d.Px[0]+h[4]*d.Px[1]+h[5])/w
				require.Less(t, math.Hypot(x-d.XMM, y-d.YMM), 2.0, "disc at %v", d.Px)
				if d.State == "surface" && !d.TooClose {
					call := spec.Call(board.Disc{Point: board.Point{X: d.XMM, Y: d.YMM}})
					require.Equal(t, call.Zone.String(), d.Zone, "disc at %v", d.Px)
					require.InDelta(t, call.Gap, d.GapMM, 0.1)
				}
			}
			for _, s := range r.Sides {
				points := 20 * s.Twenties
				for _, d := range r.Discs {
					if d.Side == s.Side && d.State != "hole" {
						points += d.Points
					}
				}
				require.Equal(t, points, s.Points, "the sum of side %s", s.Side)
			}
		})
	}
}

func TestTheExampleAndItsAnnotatedPictureComeFromTheScorer(t *testing.T) {
	t.Parallel()
	server := start(t, realOptions())
	p := open(t, server.URL, laptop)
	require.NotEmpty(t, p.points())
	require.GreaterOrEqual(t, evaluate[int](p, `document.querySelectorAll(".disc").length`), 16)
	p.shoot("real-laptop", false)

	data, err := os.ReadFile(picture)
	require.NoError(t, err)
	a := send(t, "POST", server.URL+"/api/v1/photos/annotated", "", data)
	require.Equal(t, 200, a.status)
	require.Equal(t, "image/jpeg", a.header.Get("Content-Type"))
	require.Greater(t, len(a.body), 10_000)
	requireProblem(t, send(t, "POST", server.URL+"/api/v1/photos?twenties=A%3D12", "", data), 422, "too_many_twenties")
	requireProblem(t, send(t, "POST", server.URL+"/api/v1/photos?side=A%3Dmauve-ish", "", data), 422, "unknown_colour")
	requireProblem(t, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("not a picture at all")), 415, "not_a_picture")
}
