package shots_test

import (
	"context"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/sim/render/show"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// camera is a simulated camera over an empty board, whose pictures a test
// paints on.
type camera struct {
	t     *testing.T
	empty []byte
	dim   float64 // how much of the light has gone
	veil  float64 // how much of it has gone on the right half alone
	w, h  int
	at    time.Duration
	seed  uint32
	watch *shots.Watcher
	said  []shots.Event
}

const period = time.Second / 30

// emptyBoard is one picture of an empty board, drawn once for all tests.
var emptyBoard = sync.OnceValues(func() ([]byte, error) {
	c := show.Default()
	c.Seed, c.Width, c.Height, c.Hasty, c.View, c.Light, c.Shots = 3, 640, 360, true, "overhead", "panels", 1
	s, err := show.New(context.Background(), c)
	if err != nil {
		return nil, err
	}
	f, err := s.Next(context.Background())
	if err != nil {
		return nil, err
	}
	return f.I420, nil
})

func overBoard(t *testing.T) *camera {
	empty, err := emptyBoard()
	require.NoError(t, err)
	return &camera{t: t, empty: empty, w: 640, h: 360, watch: shots.New(shots.Options{})}
}

// paint changes the picture's brightness; x and y are px.
type paint func(x, y int, luma float64) float64

// frame shows the board with what is painted over it, and the sensor's noise.
func (c *camera) frame(p paint) {
	var f capture.Frame
	require.NoError(c.t, f.Put(c.empty, c.w, c.h, capture.I420))
	for i := range f.Y {
		c.seed = c.seed*1664525 + 1013904223
		v := float64(f.Y[i])
		if p != nil {
			v = p(i%c.w, i/c.w, v)
		}
		f.Y[i] = byte(min(max(v+float64(c.seed>>29)/2-1.75, 0), 255))
	}
	c.show(&f)
}

func (c *camera) show(f *capture.Frame) {
	f.At, f.Session = c.at, 1
	if f.Health.High == 0 {
		f.Health.High = 1
	}
	c.at += period
	events, err := c.watch.Frame(f)
	require.NoError(c.t, err)
	c.said = append(c.said, events...)
}

func (c *camera) frames(n int, p paint) {
	for range n {
		c.frame(p)
	}
}

// heard is what was said since the last call, state changes as "from → to".
func (c *camera) heard() (out []string) {
	for _, e := range c.said {
		if e.Kind == shots.StateChanged {
			out = append(out, e.From.String()+" → "+e.To.String())
		} else {
			out = append(out, string(e.Kind))
		}
	}
	c.said = nil
	return out
}

func (c *camera) state() shots.State {
	s, _ := c.watch.State()
	return s
}

// arm reaches in from the picture's right edge to the board's middle.
func (c *camera) arm(x, y int, luma float64) float64 {
	if x > c.w/2 && y > c.h*2/5 && y < c.h*3/5 {
		return 120 + 25*math.Sin(float64(x)/9)
	}
	return luma
}

func TestAWatcherGoesFromAHandBackToTheBoard(t *testing.T) {
	c := overBoard(t)
	require.Equal(t, shots.Offline, c.state())
	c.frames(12, nil)
	require.Equal(t, []string{"offline → calibrating", "calibrated", "calibrating → idle"}, c.heard())
	require.Empty(t, c.watch.Discs())
	require.NotNil(t, c.watch.Calibration())

	c.frames(10, c.arm)
	require.Equal(t, shots.Hand, c.state(), "an arm that lies still is a hand all the same")
	c.heard()
	c.frames(12, nil)
	heard := c.heard()
	require.Equal(t, shots.Idle, c.state())
	require.NotContains(t, heard, string(shots.ShotFound), "a hand that comes and goes is no shot")

	// Nobody has to wait for a state to end by itself.
	require.Equal(t, shots.Paused, c.watch.Pause()[0].To)
	c.frames(5, c.arm)
	c.frames(5, nil)
	require.Equal(t, shots.Paused, c.state())
	c.watch.Resume()
	c.frames(12, nil)
	require.Equal(t, shots.Idle, c.state())
}

func TestLightIsNotMotion(t *testing.T) {
	c := overBoard(t)
	c.frames(20, nil)
	c.heard()
	for k := range 40 { // a cloud, then a lamp that is switched on
		gain := 1 - 0.25*math.Min(1, float64(k)/20)
		if k > 30 {
			gain = 0.95
		}
		c.frame(func(_, _ int, luma float64) float64 { return luma * gain })
	}
	require.Empty(t, c.heard())
	require.Equal(t, shots.Idle, c.state())
}

func TestFramesThatShowNothingTakeTheBoardOffline(t *testing.T) {
	c := overBoard(t)
	c.frames(12, nil)
	c.heard()
	black := func() {
		var f capture.Frame
		require.NoError(t, f.Put(make([]byte, c.w*c.h), c.w, c.h, capture.Gray))
		f.Health = capture.Health{Flags: capture.Black}
		c.show(&f)
	}
	for range 10 {
		black()
	}
	require.Equal(t, shots.Idle, c.state(), "a short spell is passed over")
	for range 30 {
		black()
	}
	require.Equal(t, shots.Offline, c.state())
	c.frames(15, nil)
	require.Equal(t, shots.Idle, c.state(), "the board lies as it did")
	require.NotContains(t, c.heard(), string(shots.ShotFound))
}

func TestAStateThatLastsTooLongIsToldOnce(t *testing.T) {
	c := overBoard(t)
	c.frames(12, nil)
	c.frames(3, c.arm)
	c.heard()
	c.at += 31 * time.Second
	c.frames(30, c.arm)
	require.Equal(t, []string{"timed_out"}, c.heard())
	require.Equal(t, shots.Hand, c.state(), "what lies there is still there")
}

// bumped shows the board n px further to the right.
func (c *camera) bumped(n int) {
	var f capture.Frame
	require.NoError(c.t, f.Put(c.empty, c.w, c.h, capture.I420))
	for y := range c.h {
		copy(f.Y[y*c.w+n:(y+1)*c.w], c.empty[y*c.w:(y+1)*c.w-n])
	}
	for y := range c.h / 2 {
		row := y * c.w / 2
		copy(f.U[row+n/2:row+c.w/2], c.empty[c.w*c.h+row:])
		copy(f.V[row+n/2:row+c.w/2], c.empty[c.w*c.h*5/4+row:])
	}
	c.show(&f)
}

func TestABumpIsNoticedAndASmallOneFollowed(t *testing.T) {
	for name, test := range map[string]struct {
		px   int
		want shots.State
	}{"small": {2, shots.Idle}, "large": {14, shots.Paused}} {
		t.Run(name, func(t *testing.T) {
			c := overBoard(t)
			c.frames(40, nil)
			c.heard()
			u, _ := c.watch.Calibration().Camera.Project(0, 0, 0)
			for range 60 {
				c.bumped(test.px)
			}
			require.Contains(t, c.heard(), string(shots.Drifted), "within two seconds")
			v, _ := c.watch.Calibration().Camera.Project(0, 0, 0)
			require.InDelta(t, float64(test.px), v-u, 0.5)
			require.Equal(t, test.want, c.state())
		})
	}
}

func TestABrokenFrameIsAnError(t *testing.T) {
	w := shots.New(shots.Options{})
	for _, f := range []*capture.Frame{{}, {Width: 100, Height: 100, Y: make([]byte, 5)}, {Width: 10, Height: 10, Y: make([]byte, 100)}} {
		_, err := w.Frame(f)
		require.Error(t, err)
	}
}

func TestQuietFramesAllocateNothing(t *testing.T) {
	c := overBoard(t)
	c.frames(30, nil)
	var f capture.Frame
	require.NoError(t, f.Put(c.empty, c.w, c.h, capture.I420))
	f.Session, f.Health.High = 1, 1
	require.Zero(t, testing.AllocsPerRun(50, func() {
		c.at += period
		f.At = c.at
		if events, err := c.watch.Frame(&f); err != nil || len(events) > 0 {
			t.Errorf("%v, %v", events, err)
		}
	}))
}
