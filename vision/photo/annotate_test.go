package photo

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gocv.io/x/gocv"
	"golang.org/x/image/draw"

	"crokcam/internal/cvx"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

func TestAnnotatedPicturesLookAsTheyShould(t *testing.T) {
	for _, name := range []string{"dev_05", "dev_08", "dev_13", "dev_15", "dev_16", "dev_19"} {
		t.Run(name, func(t *testing.T) {
			data, r := truthReport(t, name)
			out, err := Annotate(data, r)
			require.NoError(t, err)
			requireGolden(t, name, out)
		})
	}
}

func TestAnnotatingKeepsWithinItsSize(t *testing.T) {
	for name, size := range map[string]image.Point{"small": {300, 200}, "large": {3000, 2400}, "upright": {900, 1600}, "a sliver": {2500, 1}} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, jpeg.Encode(&b, image.NewGray(image.Rectangle{Max: size}), nil))
			out, err := Annotate(b.Bytes(), &Report{Image: Image{Width: size.X, Height: size.Y}})
			require.NoError(t, err)
			c, err := jpeg.DecodeConfig(bytes.NewReader(out))
			require.NoError(t, err)
			require.LessOrEqual(t, c.Width, longestAnnotated)
			long := max(c.Width, c.Height-int(rowHeight))
			require.GreaterOrEqual(t, long, shortestAnnotated)
			require.LessOrEqual(t, long, longestAnnotated)
		})
	}
}

func TestAnnotatingWhatIsNoPictureFails(t *testing.T) {
	_, err := Annotate([]byte("text"), &Report{})
	require.Error(t, err)
}

// Whatever a report says, there is a picture at the end.
func TestOddReportsAreDrawnAsFarAsTheyGo(t *testing.T) {
	data, r := truthReport(t, "dev_15")
	odd := map[string]func(r *Report){
		"no rings":               func(r *Report) { r.Calibration.RingsPx = nil },
		"a ring of no size":      func(r *Report) { r.Calibration.RingsPx = []RingPx{{Ring: "start"}} },
		"a ring without end":     func(r *Report) { r.Calibration.RingsPx[0].A = math.Inf(1) },
		"a ring of no number":    func(r *Report) { r.Calibration.RingsPx[0].A = math.NaN() },
		"no centre":              func(r *Report) { r.Calibration.CentrePx = [2]float64{} },
		"a centre far away":      func(r *Report) { r.Calibration.CentrePx = [2]float64{1e6, 1e6} },
		"discs outside":          func(r *Report) { r.Discs[0].Px = [2]float64{-500, 1e7} },
		"a disc of no side":      func(r *Report) { r.Discs[0].Side = "" },
		"a side of no colour":    func(r *Report) { r.Sides[0].RGB = "beige" },
		"a name as long as this": func(r *Report) { r.Sides[0].Name = string(bytes.Repeat([]byte("long "), 60)) },
	}
	for name, spoil := range odd {
		t.Run(name, func(t *testing.T) {
			raw, err := json.Marshal(r)
			require.NoError(t, err)
			var copied Report
			require.NoError(t, json.Unmarshal(raw, &copied))
			spoil(&copied)
			_, err = Annotate(data, &copied)
			require.NoError(t, err)
		})
	}
}

func TestAPlaneIsToldByARingAndItsCentre(t *testing.T) {
	cam := loadScene(t, "dev_13")
	r := cam.report()
	p, ok := planeOf(r.Calibration.RingsPx[0], r.Calibration.CentrePx[0], r.Calibration.CentrePx[1])
	require.True(t, ok)
	for _, radius := range []float64{50, 150, 250} {
		for deg := 0.0; deg < 360; deg += 30 {
			s, k := math.Sincos(deg * math.Pi / 180)
			px := cam.project(radius*k, radius*s, 0)
			x, y := p.board(px[0], px[1])
			require.InDelta(t, radius, cam.Board.Lines["line5"].Inner*math.Hypot(x, y), 1.5, "lens distortion aside")
			u, v := p.pixel(x, y)
			require.InDelta(t, px[0], u, 1e-6)
			require.InDelta(t, px[1], v, 1e-6)
		}
	}
}

// requireGolden compares with the picture that was once found good: small
// differences of rounding and fonts pass, a mark in another place does not.
func requireGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	m, err := jpeg.Decode(bytes.NewReader(got))
	require.NoError(t, err)
	const width = 800
	small := image.NewRGBA(image.Rect(0, 0, width, m.Bounds().Dy()*width/m.Bounds().Dx()))
	draw.ApproxBiLinear.Scale(small, small.Rect, m, m.Bounds(), draw.Src, nil)

	path := filepath.Join("..", "..", "testdata", "golden", "annotate-"+name+".jpg")
	if *update {
		var b bytes.Buffer
		require.NoError(t, jpeg.Encode(&b, small, &jpeg.Options{Quality: 88}))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
		return
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err, "run with -update to make it")
	want, err := jpeg.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, want.Bounds(), small.Rect)
	var sum, far, n float64
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			r, g, b, _ := want.At(x, y).RGBA()
			c := small.RGBAAt(x, y)
			d := (math.Abs(float64(r>>8)-float64(c.R)) + math.Abs(float64(g>>8)-float64(c.G)) + math.Abs(float64(b>>8)-float64(c.B))) / 3
			sum += d
			n++
			if d > 60 {
				far++
			}
		}
	}
	if sum/n > 3 || far/n > 0.0005 {
		out := filepath.Join(t.ArtifactDir(), name+".jpg")
		require.NoError(t, os.WriteFile(out, got, 0o644))
		t.Fatalf("differs from %s: mean %.2f, far off %.3f%%; what was drawn is in %s", path, sum/n, 100*far/n, out)
	}
}

// scene is what the label file of a ray-traced picture says about it.
type scene struct {
	Image  string
	Size   [2]int
	Camera struct {
		K          [3][3]float64
		R          [3][3]float64
		T          [3]float64 `json:"t_mm"`
		Distortion struct{ K1 float64 }
		Tilt       float64 `json:"tilt_deg"`
	}
	Board struct {
		Surface float64 `json:"surface_radius_mm"`
		Hole    float64 `json:"hole_radius_mm"`
		Lines   map[string]struct {
			Inner float64 `json:"inner_radius_mm"`
			Outer float64 `json:"outer_radius_mm"`
		}
	}
	Shape struct {
		Radius float64 `json:"nominal_radius_mm"`
	} `json:"disc_shape"`
	Discs []struct {
		Colour   string
		RGB      [3]int     `json:"rgb"`
		XY       [2]float64 `json:"xy_mm"`
		Location string
		Score    int
		Gap      float64    `json:"gap_mm"`
		Top      [2]float64 `json:"top_centre_px"`
	}
}

func loadScene(t *testing.T, name string) scene {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "renders", name+".json"))
	require.NoError(t, err)
	var s scene
	require.NoError(t, json.Unmarshal(raw, &s))
	return s
}

func (s scene) project(x, y, z float64) [2]float64 {
	var c [3]float64
	for i := range c {
		c[i] = s.Camera.R[i][0]*x + s.Camera.R[i][1]*y + s.Camera.R[i][2]*z + s.Camera.T[i]
	}
	u, v := c[0]/c[2], c[1]/c[2]
	d := 1 + s.Camera.Distortion.K1*(u*u+v*v)
	k := s.Camera.K
	return [2]float64{k[0][0]*u*d + k[0][2], k[1][1]*v*d + k[1][2]}
}

func (s scene) ring(name string, radius float64) RingPx {
	pts := make([]gocv.Point2f, 90)
	for i := range pts {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(pts)))
		p := s.project(radius*cos, radius*sin, 0)
		pts[i] = gocv.Point2f{X: float32(p[0]), Y: float32(p[1])}
	}
	e, err := cvx.FitEllipse(pts)
	if err != nil {
		panic(err)
	}
	return RingPx{name, e.CX, e.CY, e.A, e.B, e.AngleDeg}
}

// report is what a faultless scorer would say about the scene.
func (s scene) report() *Report {
	r := &Report{Schema: Schema, Image: Image{Width: s.Size[0], Height: s.Size[1]}}
	lines := s.Board.Lines
	r.Calibration = Calibration{
		Method: "auto", OK: true, TiltDeg: s.Camera.Tilt, CentrePx: s.project(0, 0, 0),
		RadiiMM: Radii{s.Board.Hole, lines["line15"].Outer, lines["line10"].Outer, lines["line5"].Outer, s.Board.Surface, s.Shape.Radius},
		RingsPx: []RingPx{
			s.ring("start", lines["line5"].Inner), s.ring("ten", lines["line10"].Inner),
			s.ring("fifteen", lines["line15"].Inner), s.ring("hole", s.Board.Hole),
		},
	}
	sides := map[string]int{}
	for _, d := range s.Discs {
		if d.Location != "surface" && d.Location != "hole" {
			continue
		}
		i, ok := sides[d.Colour]
		if !ok {
			i = len(r.Sides)
			sides[d.Colour] = i
			rgb := fmt.Sprintf("#%02x%02x%02x", d.RGB[0], d.RGB[1], d.RGB[2])
			r.Sides = append(r.Sides, Side{Side: string(rune('A' + i)), Name: d.Colour, RGB: rgb})
		}
		r.Sides[i].Points += d.Score
		r.Sides[i].Discs++
		if d.Score == 20 {
			r.Sides[i].Twenties++
		}
		r.Discs = append(r.Discs, Disc{
			XMM: d.XY[0], YMM: d.XY[1], Px: d.Top, Side: r.Sides[i].Side, Points: d.Score,
			GapMM: d.Gap, SigmaMM: 0.4, TooClose: d.Location == "surface" && math.Abs(d.Gap) < 0.8, State: d.Location,
		})
	}
	if len(r.Sides) == 2 {
		a, b := r.Sides[0], r.Sides[1]
		if a.Points < b.Points {
			a, b = b, a
		}
		if a.Points > b.Points {
			r.Differential = &Differential{a.Side, a.Points - b.Points}
		}
	}
	return r
}

func truthReport(t *testing.T, name string) ([]byte, *Report) {
	t.Helper()
	s := loadScene(t, name)
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "renders", s.Image))
	require.NoError(t, err)
	return data, s.report()
}
