package capture

import (
	"context"
	"io"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// gone is a source whose openings fail, as from the second on.
func gone(live func(ctx context.Context, f *Frame) error) Options {
	return plug(func(_ context.Context, session int) (Opened, error) {
		if session > 1 {
			return Opened{}, errGone
		}
		return Opened{Live: true, Feed: fakeFeed{next: live}}, nil
	})
}

// once gives one frame and then fails.
func once() func(context.Context, *Frame) error {
	n := 0
	return func(_ context.Context, f *Frame) error {
		if n++; n > 1 {
			return errGone
		}
		return noisy(f, n)
	}
}

func TestALostSourceIsTriedForEverWithGrowingWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		heard := newEvents()
		o := gone(once())
		o.Notify = heard.hear
		o.FirstWait, o.LongestWait = time.Second, time.Minute
		s := open(t, "fake:", o)
		next(t, s).Release()
		time.Sleep(24 * time.Hour) // of the bubble's own clock

		lost, still := heard.of(EventLost), heard.of(EventStillLost)
		require.Len(t, lost, 1)
		require.ErrorIs(t, lost[0].Err, errGone)
		require.Greater(t, len(still), 24*60*60/75)
		waits := slices.Concat(lost, still)
		varied := false
		for i, e := range waits {
			nominal := min(time.Second<<min(i, 30), time.Minute)
			require.GreaterOrEqual(t, e.Wait, nominal*3/4)
			require.LessOrEqual(t, e.Wait, nominal*5/4)
			require.Equal(t, i, e.Attempt)
			varied = varied || e.Wait != nominal
			if i > 0 {
				require.Equal(t, waits[i-1].Wait, e.Time.Sub(waits[i-1].Time), "it waits as long as it says")
			}
		}
		require.True(t, varied, "the waits have no jitter")
	})
}

func TestWaitsBeginSmallAgainAfterASteadySession(t *testing.T) {
	for frames, grows := range map[int]bool{1: true, steadyFrames: false} {
		synctest.Test(t, func(t *testing.T) {
			heard := newEvents()
			o := plug(func(context.Context, int) (Opened, error) {
				n := 0
				return Opened{Live: true, Feed: fakeFeed{next: func(_ context.Context, f *Frame) error {
					if n++; n > frames {
						return errGone
					}
					return noisy(f, n)
				}}}, nil
			})
			o.Notify = heard.hear
			o.FirstWait, o.LongestWait = time.Second, time.Hour
			open(t, "fake:", o)
			time.Sleep(time.Minute)
			lost := heard.of(EventLost)
			require.Greater(t, len(lost), 3)
			require.Equal(t, grows, lost[3].Wait > 5*time.Second, "%d frames, wait %s", frames, lost[3].Wait)
			require.ErrorIs(t, lost[3].Err, errGone)
		})
	}
}

func TestALivePlugInMayEnd(t *testing.T) {
	n := 0
	s := open(t, "fake:", plug(func(context.Context, int) (Opened, error) {
		return Opened{Live: true, Feed: fakeFeed{next: func(_ context.Context, f *Frame) error {
			if n++; n > 5 {
				return io.EOF
			}
			return noisy(f, n)
		}}}, nil
	}))
	frames := rest(t, s)
	require.Equal(t, uint64(4), frames[len(frames)-1].Seq, "the last frame is not lost")
}

func TestAReadThatNeverReturnsIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		heard := newEvents()
		stuck := make(chan struct{})
		o := plug(func(_ context.Context, session int) (Opened, error) {
			n := 0
			return Opened{Live: true, Feed: fakeFeed{next: func(_ context.Context, f *Frame) error {
				if n++; session == 1 && n > 3 {
					<-stuck // hears of nothing
					return errGone
				}
				time.Sleep(33 * time.Millisecond)
				return noisy(f, n)
			}}}, nil
		})
		o.Notify = heard.hear
		s := open(t, "fake:", o)
		for f := next(t, s); f.Session == 1; f = next(t, s) {
			f.Release()
		}
		require.Equal(t, []EventKind{EventOpened, EventLost, EventReopened}, heard.kinds())
		lost := heard.of(EventLost)[0]
		require.Equal(t, Stalled, code(lost.Err))
		require.Less(t, heard.of(EventReopened)[0].Time.Sub(lost.Time), 5*time.Second)
		close(stuck)
	})
}

func TestTheWatchdogWaitsForTenFramesOfASlowSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		heard := newEvents()
		n := 0
		o := plug(func(context.Context, int) (Opened, error) {
			return Opened{Live: true, Got: func() Mode { return Mode{FPS: 0.5} }, Feed: fakeFeed{next: func(ctx context.Context, f *Frame) error {
				if n++; n == 2 {
					time.Sleep(19 * time.Second)
				}
				if n == 3 {
					<-ctx.Done()
					return ctx.Err()
				}
				return noisy(f, n)
			}}}, nil
		})
		o.Notify = heard.hear
		s := open(t, "fake:", o)
		next(t, s).Release()
		next(t, s).Release()
		require.Empty(t, heard.of(EventLost))
		heard.wait(t, EventLost, 1)
	})
}

// backAndForth are the times that a clock which is set back in between tells of
// frames 33 ms apart, ms.
var backAndForth = []int64{0, 33, 66, -3_600_000, -3_599_967, -3_599_934, -3_599_935, -3_599_902}

func TestStreamTimeGoesOnWhereAClockGoesBack(t *testing.T) {
	for whose, timed := range map[string]bool{"the source's": true, "the machine's": false} {
		t.Run(whose, func(t *testing.T) {
			heard := newEvents()
			var clock atomic.Int64 // ms
			n := 0
			o := plug(func(context.Context, int) (Opened, error) {
				return Opened{Timed: timed, Got: func() Mode { return Mode{FPS: 1000. / 33} }, Feed: fakeFeed{next: func(_ context.Context, f *Frame) error {
					if n == len(backAndForth) {
						return io.EOF
					}
					clock.Store(backAndForth[n])
					f.At = time.Duration(backAndForth[n]) * time.Millisecond
					n++
					return noisy(f, n)
				}}}, nil
			})
			o.now = func() time.Time { return time.UnixMilli(1_800_000_000_000 + clock.Load()) } // without a monotonic part
			o.Notify = heard.hear
			frames := rest(t, open(t, "fake:", o))
			require.Len(t, frames, len(backAndForth))
			for i, f := range frames {
				require.InDelta(t, float64(33*i), float64(f.At)/1e6, 1.5, "frame %d", i)
			}
			back := heard.of(EventClockBack)
			require.Len(t, back, 2)
			require.Equal(t, 3_600_066*time.Millisecond, back[0].Gap)
			require.Equal(t, time.Millisecond, back[1].Gap)
		})
	}
}

func TestStreamTimeNeverGoesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var line timeline
		last, now := time.Duration(-1), time.Duration(0)
		for range rapid.IntRange(1, 5).Draw(t, "sessions") {
			now += time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "away"))
			for i, at := range rapid.SliceOfN(rapid.Int64Range(-int64(time.Hour), int64(time.Hour)), 1, 20).Draw(t, "times") {
				if i == 0 {
					line.begin(time.Duration(at), now)
				}
				stream, back := line.stamp(time.Duration(at), 33*time.Millisecond)
				require.GreaterOrEqual(t, stream, last)
				require.GreaterOrEqual(t, back, time.Duration(0))
				last, now = stream, max(now, stream)
			}
		}
	})
}

func TestClosingEndsAReadAndLeavesNothing(t *testing.T) {
	leavesNothing(t)
	for name, script := range map[string]string{
		"that waits for a frame": `frame 0 4 2 12; sleep 600`,
		"of half a frame":        `frame 0 4 2 12; frame 1 4 2 5; sleep 600`,
		"of a helper's helper":   `frame 0 4 2 12; (sleep 600 & sleep 600) & wait`,
		"that heeds no signal":   `trap "" TERM INT HUP; frame 0 4 2 12; while :; do sleep 1; done`,
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Open(t.Context(), "rtsp://127.0.0.1:1/", Options{machine: childOf(script)})
			require.NoError(t, err)
			next(t, s).Release()
			ended := make(chan error, 1)
			go func() {
				_, err := s.Next(context.Background())
				ended <- err
			}()
			group := children(t)[0]
			require.NoError(t, s.Close())
			require.ErrorIs(t, <-ended, context.Canceled)
			_, err = s.Next(t.Context())
			require.ErrorIs(t, err, context.Canceled)
			require.Eventually(t, func() bool { return running(t, group) == 0 }, 5*time.Second, time.Millisecond, "the whole group is gone")
		})
	}
}

func TestAnEndedContextEndsTheStream(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Open(ctx, "rtsp://127.0.0.1:1/", Options{machine: childOf(`frame 0 4 2 12; sleep 600`)})
	require.NoError(t, err)
	next(t, s).Release()
	cancel()
	_, err = s.Next(context.Background())
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, s.Close())
}

func TestWhatADecoderSaysBecomesTheReason(t *testing.T) {
	leavesNothing(t)
	for name, c := range map[string]struct{ script, code string }{
		"nothing":            {`sleep 600`, Stalled},
		"no frames":          {`exit 0`, NoVideo},
		"a crash":            {`kill -SEGV $$`, Crashed},
		"a strange error":    {`tell "something new"; exit 7`, Failed},
		"no route":           {`tell "x: No route to host"; exit 1`, Unreachable},
		"a frame too large":  {`frame 0 999999 2 12; sleep 600`, Failed},
		"a frame of nothing": {`frame 0 0 0 0; sleep 600`, Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := Options{machine: childOf(c.script)}
			if c.code == Stalled {
				o.OpenTimeout = 300 * time.Millisecond
			}
			e := refused(t, "rtsp://127.0.0.1:1/", o)
			require.Equal(t, c.code, e.Code, e.Error())
			require.NotEmpty(t, e.Message)
		})
	}
}

func TestAfterTheFirstFrameOldWordsAreNoReason(t *testing.T) {
	leavesNothing(t)
	heard := newEvents()
	m := childOf(`
		tell "Permission denied, said long ago"
		frame 0 4 2 12; frame 1 4 2 12
		for i in 1 2 3 4 5 6; do tell "line $i"; done
		tell "x: Connection reset by peer"
		exit 1`)
	s := open(t, "rtsp://127.0.0.1:1/", Options{machine: m, Notify: heard.hear})
	next(t, s).Release()
	require.Equal(t, Ended, code(heard.wait(t, EventLost, 1).Err))
}
