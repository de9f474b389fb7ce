package render_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/calibrate/camera"
	"crokcam/sim/render"
	"crokcam/sim/render/photos"
)

// still is a scene without noise.
func still(seed uint64, o photos.Options) render.Scene {
	s, _ := photos.Draw(seed, o)
	s.Lens.Noise, s.Lens.Sharpen, s.Lens.Saturation = 0, 0, 0
	s.Hands = nil
	return s
}

// meanDiff is how far two pictures are apart, of 255.
func meanDiff(a, b *render.Picture) float64 {
	sum := 0.0
	for i := range a.BGR {
		sum += math.Abs(float64(a.BGR[i]) - float64(b.BGR[i]))
	}
	return sum / float64(len(a.BGR))
}

// both is a scene as a careful picture and as a stage show it.
func both(t *testing.T, s render.Scene) (*render.Shot, *render.Frame) {
	careful, err := render.Shoot(t.Context(), &s)
	require.NoError(t, err)
	g, err := render.NewStage(t.Context(), s)
	require.NoError(t, err)
	f, err := g.Draw(0, render.Moment{Discs: s.Discs, Hands: s.Hands})
	require.NoError(t, err)
	return careful, f
}

var small = photos.Options{Width: 320, Height: 240, View: "mild", Light: "two_lamps", Board: "maple", Load: "mid"}

func TestAStageShowsWhatACarefulPictureShows(t *testing.T) {
	s := still(3, small)
	hand := render.Hand{Tip: camera.Vec3{60, -240, 10}, Toward: 1.4, Do: render.Flicking, Bend: 1, Skin: render.RGB{220, 170, 140}}
	s.Hands = []render.Hand{hand}
	careful, f := both(t, s)
	// The stage has metered the empty board, so the exposures differ a little.
	require.Less(t, meanDiff(careful.Picture, f.Picture()), 5.0)
	for i, px := range f.Seen {
		require.InDelta(t, careful.Seen[i], float64(px), 0.12*careful.Seen[i]+6, "disc %d", i)
	}
	require.InDelta(t, careful.HandSeen, float64(f.HandPx), 0.05*careful.HandSeen+20)
}

func TestAFrameDependsOnWhatIsThereAlone(t *testing.T) {
	// Whatever was drawn before, a frame is that of a fresh stage: nothing stays
	// behind that has gone.
	s := still(7, small)
	hand := func(x float64) []render.Hand {
		return []render.Hand{{Tip: camera.Vec3{x, -150, 14}, Toward: 1.6, Skin: render.RGB{220, 170, 140}, Sleeve: render.Paint{Colour: render.RGB{40, 60, 90}, Opacity: 1}}}
	}
	shifted := func(by float64) []render.Disc {
		out := append([]render.Disc(nil), s.Discs...)
		for i := range min(3, len(out)) {
			out[i].Foot[0] += by
			out[i].Foot[1] -= by / 2
		}
		return out
	}
	frames := [][]render.Moment{
		{{Discs: s.Discs}},
		{{Discs: shifted(4), Hands: hand(-20)}},
		{{Discs: shifted(20)}, {Discs: shifted(26)}, {Discs: shifted(32)}},
		{{Discs: shifted(60), Hands: hand(40)}},
		{{Discs: shifted(60), Hands: hand(43)}},
		{{Discs: s.Discs[:2]}},
		{{Discs: shifted(12)}},
		{{}},
	}
	used, err := render.NewStage(t.Context(), s)
	require.NoError(t, err)
	for i, m := range frames {
		got, err := used.Draw(0, m...)
		require.NoError(t, err)
		fresh, err := render.NewStage(t.Context(), s)
		require.NoError(t, err)
		want, err := fresh.Draw(0, m...)
		require.NoError(t, err)
		require.Equal(t, want.Seen, got.Seen, "frame %d", i)
		worst, off := 0, 0
		for k := range want.I420 {
			if d := int(want.I420[k]) - int(got.I420[k]); d != 0 {
				worst = max(worst, d, -d)
				off++
			}
		}
		require.LessOrEqual(t, worst, 1, "frame %d: %d bytes differ", i, off)
	}
}

func TestAStageRefusesWhatCannotBeShown(t *testing.T) {
	s := still(1, small)
	odd := s
	odd.Camera.Width = 481
	_, err := render.NewStage(t.Context(), odd)
	require.ErrorIs(t, err, render.ErrScene)

	g, err := render.NewStage(t.Context(), s)
	require.NoError(t, err)
	_, err = g.Draw(0, render.Moment{Discs: s.Discs}, render.Moment{})
	require.ErrorIs(t, err, render.ErrScene)
	_, err = g.Draw(0, render.Moment{Discs: []render.Disc{{}}})
	require.ErrorIs(t, err, render.ErrScene)
	_, err = g.Draw(0, render.Moment{Hands: make([]render.Hand, 5)})
	require.ErrorIs(t, err, render.ErrScene)

	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = render.NewStage(ctx, s)
	require.ErrorIs(t, err, context.Canceled)
	_, err = render.Shoot(ctx, &s)
	require.ErrorIs(t, err, context.Canceled)
}

func TestAsManyHandsAsAreAllowedAreShown(t *testing.T) {
	s := still(1, small)
	s.Hands = nil
	for i := range 4 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 2)
		s.Hands = append(s.Hands, render.Hand{
			Tip: camera.Vec3{150 * cos, 150 * sin, 10}, Toward: math.Pi + float64(i)*math.Pi/2,
			Skin: render.RGB{220, 180, 150}, Sleeve: render.Paint{Colour: render.RGB{40, 60, 90}, Opacity: 1},
		})
	}
	careful, f := both(t, s)
	require.InEpsilon(t, careful.HandSeen, f.HandPx, 0.05)
}

func TestImpossibleScenesAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*render.Scene){
		"a camera without focal length": func(s *render.Scene) { s.Camera.F = 0 },
		"a camera in the board":         func(s *render.Scene) { s.Camera.T[2] = 10 },
		"no board":                      func(s *render.Scene) { s.Board.Surface = 0 },
		"a lamp on the board":           func(s *render.Scene) { s.Lights[0].At[2] = 5 },
		"too many lights":               func(s *render.Scene) { s.Lights = append(s.Lights, make([]render.Light, 9)...) },
		"too many hands":                func(s *render.Scene) { s.Hands = make([]render.Hand, 5) },
		"a disc all bevel":              func(s *render.Scene) { s.Discs[0].Bevel = 9 },
		"a disc nowhere":                func(s *render.Scene) { s.Discs[0].Foot[0] = math.NaN() },
	} {
		t.Run(name, func(t *testing.T) {
			s := still(2, small)
			s.Discs = append([]render.Disc(nil), s.Discs...)
			spoil(&s)
			_, err := render.Shoot(t.Context(), &s)
			require.ErrorIs(t, err, render.ErrScene)
		})
	}
}
