package capture

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// scene is a run of frames, ten a second, before the watch.
type scene struct {
	require *require.Assertions
	w       watch
	n       int
	before  []byte
}

func newScene(t require.TestingT) *scene {
	s := &scene{require: require.New(t)}
	s.w.restart()
	return s
}

// look has the watch see the next frame of a noisy scene, after edit has been
// at it; before is the frame before.
func (s *scene) look(edit func(f *Frame, before []byte)) Health {
	var f Frame
	s.require.NoError(noisy(&f, s.n))
	if edit != nil {
		edit(&f, s.before)
	}
	f.At = time.Duration(s.n) * 100 * time.Millisecond
	s.n++
	s.before = f.Y
	return s.w.look(&f)
}

// settle shows good frames, of which none may be marked.
func (s *scene) settle(frames int) {
	for range frames {
		h := s.look(nil)
		s.require.Zero(h.Flags, "%s", h)
	}
}

// tone makes the whole frame one tone with a little noise.
func tone(v uint8) func(*Frame, []byte) {
	return func(f *Frame, _ []byte) {
		for i := range f.Y {
			f.Y[i] = v + f.Y[i]%5
		}
	}
}

func TestAFrameWithNothingInItIsMarked(t *testing.T) {
	for flag, v := range map[Flag]uint8{Black: 6, Grey: 128, White: 248} {
		s := newScene(t)
		s.settle(3)
		h := s.look(tone(v))
		require.Equal(t, flag, h.Flags, "%s", h)
		require.InDelta(t, float64(v+2)/255, h.Mean, 0.01)
		s.settle(3)
	}
}

func TestAPictureThatStandsStillIsMarkedInTime(t *testing.T) {
	s := newScene(t)
	s.settle(3)
	for i := range 100 {
		h := s.look(func(f *Frame, before []byte) { copy(f.Y, before) })
		require.Equal(t, time.Duration(i+1)*100*time.Millisecond, h.Unchanged)
		require.Equal(t, h.Unchanged >= FrozenAfter, h.Flags == Frozen, "%s", h)
	}
	s.settle(1)
}

func TestAPictureOfTwoMomentsIsMarked(t *testing.T) {
	s := newScene(t)
	s.settle(livelyAfter + 5)
	h := s.look(func(f *Frame, before []byte) { copy(f.Y[60*f.Width:], before[60*f.Width:]) })
	require.Equal(t, Torn, h.Flags)
	require.InDelta(t, 0.5, h.StaleShare, 0.1)
	s.settle(1)
}

func TestAPartThatComesToRestIsNotTorn(t *testing.T) {
	s := newScene(t)
	s.settle(livelyAfter)
	marked := 0
	for range 200 {
		if s.look(func(f *Frame, before []byte) { copy(f.Y[60*f.Width:], before[60*f.Width:]) }).Flags != 0 {
			marked++
		}
	}
	require.Less(t, marked, 10, "a quiet part of a strongly compressed stream is soon known")
}

func TestAPictureWhoseEndIsMissingIsMarked(t *testing.T) {
	s := newScene(t)
	s.settle(3)
	h := s.look(func(f *Frame, _ []byte) { fill(f.Y[72*f.Width:], 128) })
	require.Equal(t, Torn, h.Flags)
	require.InDelta(t, 0.4, h.EmptyShare, 0.1)
	s.settle(1)

	bars := newScene(t)
	for range 20 {
		h := bars.look(func(f *Frame, _ []byte) { fill(f.Y[72*f.Width:], 16) })
		require.Zero(t, h.Flags, "a stream whose foot is always empty")
	}
}

func TestWhatTheDecoderComplainsAboutIsTorn(t *testing.T) {
	h := newScene(t).look(func(f *Frame, _ []byte) { f.damaged = true })
	require.Equal(t, Torn, h.Flags)
	require.True(t, h.Damaged)
}

func TestADecoderThatAlwaysComplainsIsNotBelieved(t *testing.T) {
	s := newScene(t)
	torn := 0
	for range 500 {
		if s.look(func(f *Frame, _ []byte) { f.damaged = true }).Flags == Torn {
			torn++
		}
	}
	require.InDelta(t, 100, torn, 10)
}

func TestASharperPictureMeasuresSharper(t *testing.T) {
	s := newScene(t)
	blurred := s.look(func(f *Frame, _ []byte) {
		for i := 4; i < len(f.Y); i++ {
			f.Y[i] = uint8((4*int(f.Y[i-1]) + int(f.Y[i])) / 5)
		}
	})
	require.Greater(t, s.look(nil).Sharpness, 1.5*blurred.Sharpness)
}

// Frames of every size are measured, and shares stay shares.
func TestFramesOfAnySizeAreMeasured(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w watch
		w.restart()
		for range 3 {
			var f Frame
			width, height := rapid.IntRange(1, 40).Draw(t, "w"), rapid.IntRange(1, 40).Draw(t, "h")
			require.NoError(t, f.SetSize(width, height))
			copy(f.Y, rapid.SliceOfN(rapid.Byte(), len(f.Y), len(f.Y)).Draw(t, "pixels"))
			h := w.look(&f)
			for _, share := range []float64{h.Low, h.High, h.Mean, h.StaleShare, h.EmptyShare} {
				require.GreaterOrEqual(t, share, 0.0)
				require.LessOrEqual(t, share, 1.0)
			}
			require.LessOrEqual(t, h.Low, h.High)
		}
	})
}
