package trial_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/live/trial"
	"crokcam/match/store"
	"crokcam/sim/render/show"
)

var (
	soak = flag.Duration("soak", 0, "how long a simulated match is kept, to see that nothing grows")
	size = flag.String("soak.size", "1280x720", "size of the pictures")
)

// TestAShotIsKeptFromItsPictures is the whole way from pictures to the match, once.
func TestAShotIsKeptFromItsPictures(t *testing.T) {
	c := show.Default()
	c.Seed, c.Width, c.Height, c.FPS, c.Hasty, c.View, c.Light, c.Shots = 3, 960, 540, 25, true, "overhead", "panels", 2
	r, err := trial.Run(t.Context(), trial.Options{Show: c, Answer: true})
	require.NoError(t, err)
	require.Equal(t, trial.Shots{Truth: 2, Recorded: 2}, r.Shots)
	require.Zero(t, r.Desyncs)
}

// sample is what a program holds at one moment.
type sample struct {
	rss        int // kB
	heap       uint64
	goroutines int
	files      int
	mats       int
}

// TestNothingGrowsWhileAMatchIsKept keeps matches for -soak, into a file, as fast
// as frames can be drawn.
func TestNothingGrowsWhileAMatchIsKept(t *testing.T) {
	if *soak == 0 {
		t.Skip("-soak 30m says how long to keep matches")
	}
	db, err := store.Open(t.Context(), t.TempDir()+"/matches.db", store.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	c := show.Default()
	c.Hasty = true
	c.Width, c.Height, err = show.ParseSize(*size)
	require.NoError(t, err)
	c.Matches = 100000
	begun, last := time.Now(), time.Now()
	var samples []sample
	stream := time.Duration(0)
	_, err = trial.Run(t.Context(), trial.Options{Show: c, Answer: true, Store: db, Frame: func(f *show.Frame) {
		stream = f.At
		if time.Since(last) > *soak/60 {
			last = time.Now()
			samples = append(samples, take(t))
			fmt.Printf("%s, %s of the stream: %+v\n", time.Since(begun).Round(time.Second), stream.Round(time.Second), samples[len(samples)-1])
		}
	}, Until: func() bool { return time.Since(begun) >= *soak }})
	require.NoError(t, err)
	n := len(samples)
	require.Greater(t, n, 20)
	// The first third is warming up.
	early, late := middle(samples[n/3:n*2/3]), middle(samples[n*2/3:])
	t.Logf("%s at %.1f × speed; early %+v, late %+v", soak, stream.Seconds()/soak.Seconds(), early, late)
	require.LessOrEqual(t, late.goroutines, early.goroutines+2)
	require.LessOrEqual(t, late.files, early.files+2)
	require.LessOrEqual(t, late.mats, early.mats)
	require.Less(t, float64(late.rss), 1.1*float64(early.rss)+10_000, "kB")
}

func middle(list []sample) sample {
	at := func(f func(s sample) int) int {
		v := make([]int, len(list))
		for i, s := range list {
			v[i] = f(s)
		}
		slices.Sort(v)
		return v[len(v)/2]
	}
	return sample{
		rss: at(func(s sample) int { return s.rss }), heap: uint64(at(func(s sample) int { return int(s.heap) })),
		goroutines: at(func(s sample) int { return s.goroutines }), files: at(func(s sample) int { return s.files }), mats: at(func(s sample) int { return s.mats }),
	}
}

func take(t *testing.T) sample {
	t.Helper()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s := sample{heap: m.HeapInuse >> 10, goroutines: runtime.NumGoroutine(), mats: openMats()}
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			s.rss, _ = strconv.Atoi(strings.Fields(rest)[0])
		}
	}
	files, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	s.files = len(files)
	return s
}
