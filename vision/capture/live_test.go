package capture

import (
	"context"
	"image/color"
	"math/rand/v2"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/internal/streamtest"
)

// cam is a server that can be killed and brought back.
type cam interface {
	URL() string
	Kill()
	Return()
	Stall(bool)
	Served() int
}

// cams are one of each kind of network camera.
func cams(t *testing.T, fps float64) map[string]cam {
	t.Helper()
	return map[string]cam{
		"mjpeg": streamtest.NewMJPEG(t, fps, streamtest.JPEGs(t, 64, 48, 12)),
		"rtsp":  streamtest.NewRTSP(t, fps, streamtest.H264(t, 64, 48, 30)),
	}
}

func TestALiveSourceStampsFramesOnArrivalAndTellsWhatItGives(t *testing.T) {
	leavesNothing(t)
	for name, c := range cams(t, 30) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			heard := newEvents()
			s := open(t, c.URL(), Options{Notify: heard.hear})
			require.True(t, s.Live())
			last := Frame{At: -1}
			for i := range 20 {
				f := next(t, s)
				require.Greater(t, f.At, last.At)
				require.False(t, f.Arrived.Before(last.Arrived))
				require.Equal(t, [2]int{64, 48}, [2]int{f.Width, f.Height})
				if i > 0 {
					require.InDelta(t, f.Arrived.Sub(last.Arrived), f.At-last.At, float64(time.Microsecond), "stream time is the time of arrival")
				}
				last = *f
				f.Release()
			}
			opened := heard.of(EventOpened)
			require.Len(t, opened, 1)
			require.Equal(t, 64, opened[0].Got.Width)
			require.Equal(t, map[string]string{"mjpeg": "mjpeg", "rtsp": "h264"}[name], opened[0].Got.Format)
			require.Positive(t, s.Stats().FPS)
		})
	}
}

func TestALiveSourceKeepsTheNewestFrameForASlowReader(t *testing.T) {
	leavesNothing(t)
	arrived := make(chan struct{})
	proceed := make(chan struct{})
	o := plug(func(_ context.Context, _ int) (Opened, error) {
		n := 0
		return Opened{Live: true, Feed: fakeFeed{next: func(ctx context.Context, f *Frame) error {
			select {
			case <-proceed:
			case <-ctx.Done():
				return ctx.Err()
			}
			n++
			if n == 51 { // the one before has been handed on by now
				close(arrived)
			}
			if n > 50 {
				<-ctx.Done()
				return ctx.Err()
			}
			return noisy(f, n)
		}}}, nil
	})
	close(proceed)
	s := open(t, "fake:", o)
	<-arrived
	require.Eventually(t, func() bool { return s.Stats().Frames == 50 && s.Stats().PassedOver == 49 }, 5*time.Second, time.Millisecond)
	f := next(t, s)
	require.Equal(t, uint64(49), f.Seq)
	f.Release()
}

// Killed and brought back again and again (a hundred times with -kills 100), a
// source is there again within five
// seconds of its return, its frames' stamps never go back, and each loss and
// each return is told once.
func TestASourceThatIsKilledAndReturnsIsRecovered(t *testing.T) {
	leavesNothing(t)
	within, stall := 5*time.Second, time.Duration(0)
	if *kills < 100 { // a few times among other tests: how fast is no question then
		within, stall = time.Minute, 20*time.Second
	}
	for name, c := range cams(t, 60) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			heard := newEvents()
			s := open(t, c.URL(), Options{Notify: heard.hear, Stall: stall})
			line := &forward{T: t, last: Frame{At: -1}}
			line.take(next(t, s))
			longest := time.Duration(0)
			for i := range *kills {
				for range 1 + rand.IntN(20) {
					line.take(next(t, s))
				}
				c.Kill()
				heard.wait(t, EventLost, i+1)
				if i%3 == 2 { // away for longer: some openings fail too
					heard.wait(t, EventStillLost, len(heard.of(EventStillLost))+2)
				}
				c.Return()
				back := time.Now()
				for {
					f := next(t, s)
					session := f.Session
					line.take(f)
					if session == i+2 {
						break
					}
				}
				took := time.Since(back)
				require.Less(t, took, within, "the %d. time; there were %s", i+1, heard)
				longest = max(longest, took)
			}
			require.Len(t, heard.of(EventOpened), 1)
			require.Len(t, heard.of(EventLost), *kills)
			require.Len(t, heard.of(EventReopened), *kills)
			require.Empty(t, heard.of(EventClockBack))
			for _, e := range heard.of(EventLost) {
				require.Contains(t, []string{Ended, Unreachable, Stalled}, code(e.Err), e.Err.Error())
				require.Positive(t, e.Wait)
			}
			t.Logf("%d times, recovered at most %s after the return", *kills, longest.Round(time.Millisecond))
		})
	}
}

// forward checks that frames only ever go forward.
type forward struct {
	*testing.T
	last Frame
}

func (l *forward) take(f *Frame) {
	l.Helper()
	require.GreaterOrEqual(l, f.At, l.last.At)
	require.GreaterOrEqual(l, f.Session, l.last.Session)
	if l.last.Session > 0 {
		require.Greater(l, f.Seq, l.last.Seq)
	}
	l.last = *f
	f.Release()
}

func TestADecoderThatIsKilledIsReplaced(t *testing.T) {
	leavesNothing(t)
	heard := newEvents()
	c := streamtest.NewMJPEG(t, 30, streamtest.JPEGs(t, 64, 48, 12))
	s := open(t, c.URL(), Options{Notify: heard.hear})
	next(t, s).Release()
	pids := children(t)
	require.Len(t, pids, 1)
	require.NoError(t, syscall.Kill(pids[0], syscall.SIGSEGV))
	require.Equal(t, Crashed, code(heard.wait(t, EventLost, 1).Err))
	heard.wait(t, EventReopened, 1)
	next(t, s).Release()
}

func TestASourceThatFallsSilentIsLostAndComesBack(t *testing.T) {
	leavesNothing(t)
	for name, c := range cams(t, 30) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			heard := newEvents()
			s := open(t, c.URL(), Options{Notify: heard.hear, Stall: 400 * time.Millisecond})
			next(t, s).Release()
			c.Stall(true)
			require.Equal(t, Stalled, code(heard.wait(t, EventLost, 1).Err))
			c.Stall(false)
			heard.wait(t, EventReopened, 1)
		})
	}
}

func TestALiveStreamThatChangesSizeGoesOnInTheNewSize(t *testing.T) {
	leavesNothing(t)
	heard := newEvents()
	c := streamtest.NewMJPEG(t, 60, streamtest.JPEGs(t, 64, 48, 12))
	s := open(t, c.URL(), Options{Notify: heard.hear})
	next(t, s).Release()
	c.Show(streamtest.JPEGs(t, 96, 80, 12))
	require.Equal(t, [2]int{96, 80}, [2]int{heard.wait(t, EventResized, 1).Got.Width, heard.all[1].Got.Height})
	for {
		f := next(t, s)
		w, h, n := f.Width, f.Height, len(f.Pix)
		f.Release()
		require.Equal(t, w*h*3/2, n)
		if w == 96 {
			require.Equal(t, 80, h)
			break
		}
	}
	require.Empty(t, heard.of(EventLost))
}

func TestBadPicturesOfALiveSourceAreMarked(t *testing.T) {
	leavesNothing(t)
	good := streamtest.JPEGs(t, 160, 120, 12)
	cut := append([][]byte{}, good...)
	for i := range cut {
		if i%2 == 1 {
			cut[i] = cut[i][:len(cut[i])/2]
		}
	}
	for flag, pictures := range map[Flag][][]byte{
		Torn:  cut,
		Black: {streamtest.JPEG(t, streamtest.Plain(160, 120, color.Gray{3}))},
		White: {streamtest.JPEG(t, streamtest.Plain(160, 120, color.Gray{253}))},
		Grey:  {streamtest.JPEG(t, streamtest.Plain(160, 120, color.Gray{128}))},
	} {
		t.Run(flag.String(), func(t *testing.T) {
			t.Parallel()
			c := streamtest.NewMJPEG(t, 60, good)
			s := open(t, c.URL(), Options{})
			f := next(t, s)
			require.Zero(t, f.Health.Flags, f.Health)
			f.Release()
			c.Show(pictures)
			for range 60 {
				f := next(t, s)
				flags := f.Health.Flags
				f.Release()
				if flags&flag != 0 {
					return
				}
			}
			require.Fail(t, "never marked")
		})
	}
}

func TestANetworkSourceThatCannotBeOpenedSaysWhy(t *testing.T) {
	leavesNothing(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	nobody := listener.Addr().String()
	require.NoError(t, listener.Close())
	web := streamtest.NewMJPEG(t, 30, streamtest.JPEGs(t, 64, 48, 3))
	web.Ask("opensesame")
	rtsp := streamtest.NewRTSP(t, 30, streamtest.H264(t, 64, 48, 10))
	silent := streamtest.NewMJPEG(t, 30, streamtest.JPEGs(t, 64, 48, 3))
	silent.Stall(true)
	for _, c := range []struct{ url, code, says string }{
		{silent.URL(), Stalled, "No picture came for 1s"},
		{"rtsp://" + nobody + "/board", Unreachable, "refuses the connection"},
		{"http://" + nobody + "/stream", Unreachable, "refuses the connection"},
		{web.URL(), Unauthorized, "name and a password"},
		{web.With("scorer", "wrongword"), Unauthorized, "name and a password"},
		{web.With("scorer", "opensesame") + "/other", NotFound, "no stream under this path"},
		{rtsp.URL()[:len(rtsp.URL())-len("/board")] + "/nothing", NotFound, "no stream under this path"},
	} {
		var o Options
		if c.code == Stalled {
			o.OpenTimeout = time.Second
		}
		e := refused(t, c.url, o)
		require.Equal(t, c.code, e.Code, e.Error())
		require.Contains(t, e.Message, c.says)
		require.NotContains(t, e.Error()+e.Message, "opensesame")
		require.NotContains(t, e.Error()+e.Message, "wrongword")
	}
	s := open(t, web.With("scorer", "opensesame"), Options{})
	next(t, s).Release()
}

func TestAPatientStreamWaitsForASourceThatIsNotThereYet(t *testing.T) {
	leavesNothing(t)
	heard := newEvents()
	c := streamtest.NewMJPEG(t, 30, streamtest.JPEGs(t, 64, 48, 12))
	c.Kill()
	s := open(t, c.URL(), Options{Notify: heard.hear, Patient: true})
	require.Equal(t, Unreachable, code(heard.wait(t, EventLost, 1).Err))
	c.Return()
	f := next(t, s)
	require.Equal(t, 1, f.Session)
	require.Zero(t, f.At)
	f.Release()
	require.Len(t, heard.of(EventOpened), 1)
	require.Empty(t, heard.of(EventReopened))
}
