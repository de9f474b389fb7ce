package live

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"io"
	"math"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/match"
	"crokcam/match/store"
	"crokcam/rules"
	"crokcam/sim/render"
	"crokcam/sim/render/photos"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// emptyBoard is some frames of an empty board, drawn once for all tests.
var emptyBoard = sync.OnceValues(func() (frames []capture.Frame, err error) {
	spec := board.Tournament26()
	scene, _, _ := photos.DrawEmpty(3, photos.Options{Width: 800, Height: 450, View: "overhead", Light: "panels", Spec: &spec}, 2)
	stage, err := render.NewStage(context.Background(), scene)
	if err != nil {
		return nil, err
	}
	for i := range 8 {
		drawn, err := stage.Draw(uint32(i)*7919, render.Moment{})
		if err != nil {
			return nil, err
		}
		var f capture.Frame
		if err := f.Put(drawn.I420, drawn.W, drawn.H, capture.I420); err != nil {
			return nil, err
		}
		frames = append(frames, f)
	}
	return frames, nil
})

// film is a feed of an empty board, so many frames long, with something done to
// each.
type film struct {
	frames []capture.Frame
	n, end int
	change func(n int, f *capture.Frame)
}

func (s *film) Close() error { return nil }

func (s *film) Next(_ context.Context, f *capture.Frame) error {
	if s.n >= s.end {
		return io.EOF
	}
	src := &s.frames[s.n%len(s.frames)]
	if err := f.Put(src.Pix, src.Width, src.Height, capture.I420); err != nil {
		return err
	}
	f.At = time.Duration(s.n) * time.Second / 30
	if s.change != nil {
		s.change(s.n, f)
	}
	s.n++
	return nil
}

// filmed is a table before which a film has been shown.
func filmed(t *testing.T, n int, change func(n int, f *capture.Frame)) (*Table, []Notice) {
	t.Helper()
	frames, err := emptyBoard()
	require.NoError(t, err)
	var news []Notice
	table, err := Open(Options{
		ID: "t", Source: "film:", Store: store.NewMemory(), Notify: func(n Notice) { news = append(news, n) },
		Capture: capture.Options{Plugins: map[string]capture.Plugin{"film": func(context.Context, string, capture.Mode) (capture.Opened, error) {
			return capture.Opened{Feed: &film{frames: frames, end: n, change: change}, Timed: true}, nil
		}}},
	})
	require.NoError(t, err)
	require.NoError(t, table.Run(t.Context()))
	t.Cleanup(func() { require.NoError(t, table.Close()) })
	return table, news
}

func TestATableFindsItsBoardAndShowsIt(t *testing.T) {
	table, news := filmed(t, 20, nil)
	require.NotNil(t, table.Calibration())
	s := table.Status()
	require.Equal(t, "t", s.Name)
	require.Equal(t, uint64(20), s.Camera.Frames)
	require.Equal(t, 800, s.Camera.Got.Width)
	require.Less(t, s.Calibration.Quality.RMS, 1.0)
	require.Positive(t, s.Camera.AnalysisMS)
	require.Equal(t, CameraEnded, news[len(news)-1].Kind)

	for kind, width := range map[PictureKind]int{Raw: 800, Annotated: 800, Rectified: 720, Edges: 800} {
		data, err := table.Picture(kind)
		require.NoError(t, err)
		img, err := jpeg.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		require.Equal(t, width, img.Bounds().Dx(), kind)
	}
	// A way is drawn over what is found where it went: from (-200, -200) to the hole.
	f, o, err := table.view.copy()
	require.NoError(t, err)
	plain := annotate(f.Image(), o)
	o.ways = [][]board.Point{{{X: -200, Y: -200}, {X: -100, Y: -100}, {}}}
	u, v := o.cal.Camera.Project(-100, -100, o.cal.Board.Disc.Thickness)
	at := image.Pt(int(math.Round(u)), int(math.Round(v)))
	require.NotEqual(t, plain.At(at.X, at.Y), annotate(f.Image(), o).At(at.X, at.Y))

	_, err = table.Picture("x-ray")
	require.ErrorIs(t, err, ErrPictureKind)

	seq, err := table.Wait(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, uint64(20), seq)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = table.Wait(ctx, seq)
	require.ErrorIs(t, err, context.Canceled)
}

func TestWhatIsWrongWithAPictureIsSaid(t *testing.T) {
	has := func(t *testing.T, code string, level Level, change func(n int, f *capture.Frame)) {
		t.Helper()
		table, _ := filmed(t, 75, change)
		var codes []string
		for _, a := range table.Status().Advice {
			codes = append(codes, a.Code)
			if a.Code == code {
				require.Equal(t, level, a.Level)
				require.NotContains(t, a.Text, "{")
				for name, v := range a.Values {
					require.Contains(t, a.Text, strconv.FormatFloat(v, 'f', -1, 64), name)
				}
				return
			}
		}
		require.Failf(t, "nothing was said", "%s is not among %v", code, codes)
	}
	scale := func(k func(n int) float64) func(n int, f *capture.Frame) {
		return func(n int, f *capture.Frame) {
			for i, v := range f.Y {
				f.Y[i] = byte(min(16+(float64(v)-16)*k(n), 235))
			}
		}
	}
	has(t, "picture_black", Fault, scale(func(int) float64 { return 0.02 }))
	has(t, "too_dark", Warning, scale(func(int) float64 { return 0.22 }))
	has(t, "flicker", Warning, scale(func(n int) float64 { return 0.8 + 0.05*float64(n%2) }))
	smeared := map[int][]byte{}
	has(t, "out_of_focus", Warning, func(n int, f *capture.Frame) {
		if smeared[n%8] == nil {
			smear(f, 1)
			smeared[n%8] = bytes.Clone(f.Y)
		}
		copy(f.Y, smeared[n%8])
	})
	has(t, "glare", Warning, func(_ int, f *capture.Frame) {
		for y := 180; y < 240; y++ {
			for x := 420; x < 480; x++ {
				f.Y[y*f.Width+x] = 235
			}
		}
	})
}

// smear twice takes each pixel to be the mean of those around it.
func smear(f *capture.Frame, r int) {
	src := bytes.Clone(f.Y)
	for range 2 {
		for y := r; y < f.Height-r; y++ {
			for x := r; x < f.Width-r; x++ {
				sum, n := 0, 0
				for dy := -r; dy <= r; dy++ {
					for dx := -r; dx <= r; dx++ {
						sum += int(src[(y+dy)*f.Width+x+dx])
						n++
					}
				}
				f.Y[y*f.Width+x] = byte(sum / n)
			}
		}
		copy(src, f.Y)
	}
}

func TestABoardIsWhereAPersonPointsAtIt(t *testing.T) {
	table, _ := filmed(t, 20, nil)
	found := table.Calibration()
	var hand calibrate.Hand
	for _, name := range []string{"start@0", "start@90", "start@180", "start@270", "centre"} {
		p, err := calibrate.ParsePoint(name + "=0,0")
		require.NoError(t, err)
		r, a := found.Board.Start.Inner(), map[string][2]float64{"start@0": {1, 0}, "start@90": {0, 1}, "start@180": {-1, 0}, "start@270": {0, -1}, "centre": {0, 0}}[name]
		p.U, p.V = found.Camera.Project(r*a[0], r*a[1], 0)
		hand.Points = append(hand.Points, p)
	}
	got, err := table.UseCalibration(hand, 800, 450)
	require.NoError(t, err)
	require.Equal(t, "points", got.Method)
	mm, err := found.Drift(got)
	require.NoError(t, err)
	require.Less(t, mm, 2.0)
	require.Same(t, got, table.Calibration())
	_, err = table.UseCalibration(calibrate.Hand{Points: hand.Points[:2]}, 800, 450)
	var manual *calibrate.ManualError
	require.ErrorAs(t, err, &manual)

	table.Recalibrate()
	require.Nil(t, table.Calibration())
}

func TestATableWithoutAMatchRefusesWhatNeedsOne(t *testing.T) {
	table, err := Open(Options{ID: "t", Source: "camera:0", Store: store.NewMemory()})
	require.NoError(t, err)
	_, err = table.Do(t.Context(), store.Entry{Actor: sam, Bodies: []match.Body{match.Note{Text: "x"}}})
	require.ErrorIs(t, err, ErrNoMatch)
	require.ErrorIs(t, table.Detach(), ErrNoMatch)
	_, err = table.Picture(Raw)
	require.ErrorIs(t, err, ErrNoPicture)
	setup := match.Started{Plan: match.Plan(rules.BestOf(1, format(t, "nca", rules.TwoPlayers)))}
	_, err = table.Begin(t.Context(), sam, "", setup)
	require.ErrorIs(t, err, ErrNotCalibrated)
	_, err = table.Attach(t.Context(), "none")
	require.ErrorIs(t, err, store.ErrNotFound)
	require.Equal(t, shots.Offline, table.Status().State)
	require.NoError(t, table.Close())
	_, err = table.Wait(t.Context(), 0)
	require.ErrorIs(t, err, ErrClosed)

	for _, o := range []Options{{ID: "t", Source: "tape:"}, {Source: "camera:0", Store: store.NewMemory()}, {ID: "t", Source: "camera:0"}} {
		_, err := Open(o)
		require.Error(t, err)
	}
}
