package calibrate_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/calibrate/camera"
)

// anyView is a camera that has a whole board in view, tilted by up to 50° in
// any direction and turned in any way.
func anyView(t *rapid.T, spec board.Spec, lens float64) camera.Camera {
	const w, h = 2000, 1500
	tilt := rapid.Float64Range(0, 50*math.Pi/180).Draw(t, "tilt")
	s, c := math.Sincos(tilt)
	sr, cr := math.Sincos(rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "towards"))
	cam := camera.Camera{
		Width: w, Height: h, CX: (w - 1) / 2.0, CY: (h - 1) / 2.0,
		F:  w * rapid.Float64Range(0.7, 1.2).Draw(t, "focal length"),
		K1: lens * rapid.Float64Range(-0.12, 0.05).Draw(t, "distortion"),
		R:  camera.Facing(camera.Vec3{s * cr, s * sr, -c}),
	}
	cam = cam.Turned(rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "turn"))
	// As near as shows all of the surface.
	for cam.T[2] = 800; ; cam.T[2] *= 1.05 {
		whole := true
		for i := range 36 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / 36)
			u, v := cam.Project(1.02*spec.Surface*cos, 1.02*spec.Surface*sin, 0)
			whole = whole && u > 0 && v > 0 && u < w && v < h
		}
		if whole {
			return cam
		}
	}
}

// farthest is how far apart, mm, two cameras have the same pixel on the board,
// at worst; with free, the boards may be turned against each other.
func farthest(truth, c camera.Camera, spec board.Spec, free bool) float64 {
	if free {
		u, v := truth.Project(spec.Start.Outer, 0, 0)
		x, y := c.Unproject(u, v, 0)
		c = c.Turned(math.Atan2(y, x))
	}
	most := 0.0
	for r := 0.0; r <= spec.Surface; r += spec.Surface / 8 {
		for i := range 36 {
			s, k := math.Sincos(2 * math.Pi * float64(i) / 36)
			u, v := truth.Project(r*k, r*s, 0)
			x, y := c.Unproject(u, v, 0)
			most = max(most, math.Hypot(x-r*k, y-r*s))
		}
	}
	return most
}

// edges are the radii at which circles are pointed at.
func edges(s board.Spec) map[string]float64 {
	return map[string]float64{"hole": s.Hole.Radius, "fifteen": s.Fifteen.Inner(), "ten": s.Ten.Inner(), "start": s.Start.Inner(), "surface": s.Surface}
}

// click points at places as a person does who is off by sigma px each way.
func click(t *rapid.T, cam camera.Camera, spec board.Spec, sigma float64, names ...string) []calibrate.Point {
	var out []calibrate.Point
	noise := rapid.Float64Range(-sigma*math.Sqrt(3), sigma*math.Sqrt(3))
	for _, name := range names {
		x, y := 0.0, 0.0
		var k, deg float64
		circle, _, _ := strings.Cut(name, "@")
		if n, _ := fmt.Sscanf(name, "post@%g", &k); n == 1 {
			s, c := math.Sincos((22.5 + 45*k) * math.Pi / 180)
			x, y = spec.Posts.Radius*c, spec.Posts.Radius*s
		} else if r, ok := edges(spec)[circle]; ok {
			fmt.Sscanf(name, circle+"@%g", &deg)
			s, c := math.Sincos(deg * math.Pi / 180)
			x, y = r*c, r*s
		}
		u, v := cam.Project(x, y, 0)
		if sigma > 0 {
			u, v = u+noise.Draw(t, name+" u"), v+noise.Draw(t, name+" v")
		}
		out = append(out, calibrate.Point{Name: name, U: u, V: v})
	}
	return out
}

// around names a circle's points, n of them.
func around(circle string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("%s@%g", circle, float64(i)*360/float64(n)))
	}
	return out
}

var wellChosen = append(append(around("start", 8), around("ten", 4)...), "centre", "fifteen@45", "fifteen@225", "post@0", "post@3", "surface@10", "surface@130", "surface@250")

func TestExactPointsGiveTheCamera(t *testing.T) {
	spec := board.Tournament26()
	rapid.Check(t, func(t *rapid.T) {
		truth := anyView(t, spec, 1)
		c, err := calibrate.FromPoints(truth.Width, truth.Height, click(t, truth, spec, 0, wellChosen...), calibrate.Options{Board: &spec})
		require.NoError(t, err)
		require.Less(t, farthest(truth, c.Camera, spec, false), 0.05)
		require.Less(t, c.Quality.RMS, 0.05)
		require.InDelta(t, truth.Tilt()*180/math.Pi, c.Quality.Tilt, 1)
		require.Equal(t, "points", c.Method)
		require.True(t, c.Known && c.Quality.Posed)
	})
}

func TestFourPointsOfTheStartingLineWillDo(t *testing.T) {
	spec := board.Tournament26()
	rapid.Check(t, func(t *rapid.T) {
		truth := anyView(t, spec, 0)
		c, err := calibrate.FromPoints(truth.Width, truth.Height, click(t, truth, spec, 0, around("start", 4)...), calibrate.Options{})
		require.NoError(t, err)
		require.Less(t, farthest(truth, c.Camera, spec, false), 2.0, "an unknown lens bends the rest by a millimetre")
		require.InDelta(t, 1.0/9, c.Quality.Coverage, 0.02)
	})
}

func TestPointsThatAreHalfAPixelOffGiveASensibleCamera(t *testing.T) {
	spec := board.Tournament26()
	rapid.Check(t, func(t *rapid.T) {
		truth := anyView(t, spec, 1)
		c, err := calibrate.FromPoints(truth.Width, truth.Height, click(t, truth, spec, 0.5, wellChosen...), calibrate.Options{})
		require.NoError(t, err)
		require.Less(t, farthest(truth, c.Camera, spec, false), 2.5)
		require.Less(t, c.Quality.RMS, 1.0)
		require.True(t, c.Known, "taken for a tournament board")
	})
}

func TestThePointsOfAnUnknownBoardTellItsRings(t *testing.T) {
	spec := board.Tournament26()
	spec.Ten.Outer, spec.Fifteen.Outer, spec.Posts.Radius = 219.5, 98.8, 98.8
	rapid.Check(t, func(t *rapid.T) {
		truth := anyView(t, spec, 0)
		names := append(append(around("start", 8), around("ten", 8)...), around("fifteen", 8)...)
		c, err := calibrate.FromPoints(truth.Width, truth.Height, click(t, truth, spec, 0, names...), calibrate.Options{})
		require.NoError(t, err)
		require.Equal(t, "measured", c.Board.Name)
		// From straight above, a lens may be taken for other rings a little.
		require.InDelta(t, spec.Ten.Outer, c.Board.Ten.Outer, 0.8)
		require.InDelta(t, spec.Fifteen.Outer, c.Board.Fifteen.Outer, 0.8)
		require.Less(t, farthest(truth, c.Camera, spec, false), 0.8)
	})
}

// ellipse is a circle's picture under a lens without distortion. The dual of
// the circle's conic maps by the homography itself, and shows the ellipse's
// centre and its spread about it.
func ellipse(cam camera.Camera, ring string, r float64) calibrate.RingEllipse {
	var h [3][3]float64
	for j := range 3 {
		col := [3]float64{cam.T[0], cam.T[1], cam.T[2]}
		if j < 2 {
			col = [3]float64{cam.R[0][j], cam.R[1][j], cam.R[2][j]}
		}
		h[0][j], h[1][j], h[2][j] = cam.F*col[0]+cam.CX*col[2], cam.F*col[1]+cam.CY*col[2], col[2]
	}
	dual := func(i, j int) float64 { return r*r*(h[i][0]*h[j][0]+h[i][1]*h[j][1]) - h[i][2]*h[j][2] }
	k := -dual(2, 2)
	cu, cv := -dual(0, 2)/k, -dual(1, 2)/k
	uu, uv, vv := dual(0, 0)/k+cu*cu, dual(0, 1)/k+cu*cv, dual(1, 1)/k+cv*cv
	mid, half := (uu+vv)/2, math.Hypot((uu-vv)/2, uv)
	return calibrate.RingEllipse{Ring: ring, CX: cu, CY: cv, A: math.Sqrt(mid + half), B: math.Sqrt(mid - half), Angle: math.Atan2(2*uv, uu-vv) / 2 * 180 / math.Pi}
}

func ellipses(cam camera.Camera, spec board.Spec, names ...string) []calibrate.RingEllipse {
	var out []calibrate.RingEllipse
	for _, name := range names {
		out = append(out, ellipse(cam, name, edges(spec)[name]))
	}
	return out
}

func TestExactRingsGiveTheCamera(t *testing.T) {
	spec := board.Tournament26()
	rapid.Check(t, func(t *rapid.T) {
		truth := anyView(t, spec, 0)
		names := rapid.SampledFrom([][]string{{"start", "ten"}, {"ten", "fifteen", "start"}, {"surface", "fifteen"}, {"hole", "fifteen", "ten", "start", "surface"}}).Draw(t, "rings")
		c, err := calibrate.FromRings(truth.Width, truth.Height, ellipses(truth, spec, names...), calibrate.Options{Board: &spec})
		require.NoError(t, err)
		// Between few rings the lens is a guess.
		limit := map[int]float64{2: 0.6, 3: 0.3, 5: 0.1}[len(names)]
		require.Less(t, farthest(truth, c.Camera, spec, true), limit)
		require.Less(t, c.Quality.RMS, 0.2)
		require.Equal(t, "rings", c.Method)
		require.InDelta(t, truth.Tilt()*180/math.Pi, c.Quality.Tilt, 1)
	})
}

func TestRingsDrawnHalfAPixelOffGiveASensibleCamera(t *testing.T) {
	spec := board.Tournament26()
	rapid.Check(t, func(t *rapid.T) {
		truth := anyView(t, spec, 0)
		rings := ellipses(truth, spec, "fifteen", "ten", "start")
		off := rapid.Float64Range(-0.85, 0.85)
		for i := range rings {
			r := &rings[i]
			for _, v := range []*float64{&r.CX, &r.CY, &r.A, &r.B} {
				*v += off.Draw(t, "off")
			}
		}
		c, err := calibrate.FromRings(truth.Width, truth.Height, rings, calibrate.Options{})
		require.NoError(t, err)
		require.Less(t, farthest(truth, c.Camera, spec, true), 4.0)
		require.InDelta(t, 1, c.Quality.Coverage, 1e-9)
	})
}

func TestPointsThatCannotBeSayWhatToDo(t *testing.T) {
	four := []calibrate.Point{{Name: "start@0", U: 900, V: 500}, {Name: "start@90", U: 500, V: 100}, {Name: "start@180", U: 100, V: 500}, {Name: "start@270", U: 500, V: 900}}
	with := func(i int, p calibrate.Point) []calibrate.Point {
		out := append([]calibrate.Point(nil), four...)
		out[i] = p
		return out
	}
	_, err := calibrate.FromPoints(1000, 1000, four, calibrate.Options{})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		pts  []calibrate.Point
		code string
		says string
	}{
		"no points":            {nil, "points_too_few", "at least four"},
		"three":                {four[:3], "points_too_few", "start@270"},
		"one of them twice":    {with(3, four[0]), "points_collinear", "all different"},
		"on a straight line":   {[]calibrate.Point{four[0], {Name: "ten@0", U: 800, V: 500}, {Name: "centre", U: 500, V: 500}, four[2]}, "points_collinear", "straight line"},
		"all at one pixel":     {[]calibrate.Point{{Name: "start@0"}, {Name: "start@90"}, {Name: "start@180"}, {Name: "start@270"}}, "points_collinear", ""},
		"beside the picture":   {with(2, calibrate.Point{Name: "start@180", U: -20, V: 500}), "point_outside", "start@180"},
		"a pixel that is none": {with(2, calibrate.Point{Name: "start@180", U: math.NaN(), V: 500}), "point_outside", "start@180"},
		"clockwise":            {[]calibrate.Point{four[0], {Name: "start@90", U: 500, V: 900}, four[2], {Name: "start@270", U: 500, V: 100}}, "points_impossible", "counter-clockwise"},
		"one far astray":       {append(with(0, four[0]), calibrate.Point{Name: "ten@45", U: 300, V: 700}, calibrate.Point{Name: "centre", U: 500, V: 500}, calibrate.Point{Name: "ten@270", U: 500, V: 766}), "points_impossible", "ten@45"},
		"one of five astray":   {append(with(0, four[0]), calibrate.Point{Name: "ten@45", U: 300, V: 700}), "points_impossible", "heck"},
		"an unknown circle":    {with(0, calibrate.Point{Name: "five@0", U: 900, V: 500}), "bad_point", "fifteen"},
		"no angle":             {with(0, calibrate.Point{Name: "start", U: 900, V: 500}), "bad_point", "start@90"},
		"the ninth post":       {with(0, calibrate.Point{Name: "post@8", U: 900, V: 500}), "bad_point", "post@7"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := calibrate.FromPoints(1000, 1000, c.pts, calibrate.Options{})
			var wrong *calibrate.ManualError
			require.ErrorAs(t, err, &wrong)
			require.Equal(t, c.code, wrong.Code, wrong.Message)
			require.Contains(t, wrong.Message, c.says)
		})
	}
}

func TestRingsThatCannotBeSayWhatToDo(t *testing.T) {
	start := calibrate.RingEllipse{Ring: "start", CX: 500, CY: 500, A: 400, B: 399}
	ten := calibrate.RingEllipse{Ring: "ten", CX: 500, CY: 500, A: 266, B: 265.5}
	_, err := calibrate.FromRings(1000, 1000, []calibrate.RingEllipse{start, ten}, calibrate.Options{})
	require.NoError(t, err)
	change := func(r calibrate.RingEllipse, f func(*calibrate.RingEllipse)) calibrate.RingEllipse { f(&r); return r }
	for name, c := range map[string]struct {
		rings []calibrate.RingEllipse
		code  string
		says  string
	}{
		"one alone":           {[]calibrate.RingEllipse{start}, "rings_too_few", "at least two"},
		"one of them twice":   {[]calibrate.RingEllipse{start, start}, "bad_ring", "twice"},
		"an unknown one":      {[]calibrate.RingEllipse{start, {Ring: "five", CX: 1, CY: 1, A: 1, B: 1}}, "bad_ring", "fifteen"},
		"no size":             {[]calibrate.RingEllipse{start, {Ring: "ten", CX: 1, CY: 1}}, "bad_ring", "positive"},
		"beside the picture":  {[]calibrate.RingEllipse{start, change(ten, func(r *calibrate.RingEllipse) { r.CX = 1200 })}, "ring_outside", "1000"},
		"names changed about": {[]calibrate.RingEllipse{change(start, func(r *calibrate.RingEllipse) { r.Ring = "ten" }), change(ten, func(r *calibrate.RingEllipse) { r.Ring = "start" })}, "rings_impossible", "inside"},
		"about two centres":   {[]calibrate.RingEllipse{start, change(ten, func(r *calibrate.RingEllipse) { r.CX += 100 })}, "rings_impossible", ""},
		"a wrong name":        {[]calibrate.RingEllipse{start, change(ten, func(r *calibrate.RingEllipse) { r.Ring = "hole" }), change(ten, func(r *calibrate.RingEllipse) { r.A, r.B = 300, 299 })}, "rings_impossible", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := calibrate.FromRings(1000, 1000, c.rings, calibrate.Options{})
			var wrong *calibrate.ManualError
			require.ErrorAs(t, err, &wrong)
			require.Equal(t, c.code, wrong.Code, wrong.Message)
			require.Contains(t, wrong.Message, c.says)
		})
	}
}

func TestPointsAndRingsAreReadAsPeopleWriteThem(t *testing.T) {
	p, err := calibrate.ParsePoint("start@-22.5 = 812, 64.5")
	require.NoError(t, err)
	require.Equal(t, calibrate.Point{Name: "start@-22.5", U: 812, V: 64.5}, p)
	r, err := calibrate.ParseRing("ten=800,600,420.5,300,-12")
	require.NoError(t, err)
	require.Equal(t, calibrate.RingEllipse{Ring: "ten", CX: 800, CY: 600, A: 420.5, B: 300, Angle: -12}, r)
	var wrong *calibrate.ManualError
	for _, s := range []string{"", "start@90", "start@90=1", "start@90=1,2,3", "start@90=a,b", "start@x=1,2", "rim@9=1,2", "post@one=1,2", "start@90=NaN,1"} {
		_, err := calibrate.ParsePoint(s)
		require.ErrorAs(t, err, &wrong, s)
		require.Equal(t, "bad_point", wrong.Code)
	}
	for _, s := range []string{"", "start=1,2,3,4", "start=1,2,0,4,5", "rim=1,2,3,4,5", "start=1,2,3,4,x"} {
		_, err := calibrate.ParseRing(s)
		require.ErrorAs(t, err, &wrong, s)
		require.Equal(t, "bad_ring", wrong.Code)
	}
}
