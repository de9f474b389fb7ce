package live

import (
	"context"
	"flag"
	"math"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/calibrate/camera"
	"crokcam/internal/streamtest"
	"crokcam/match"
	"crokcam/match/store"
	"crokcam/rules"
	"crokcam/sim/render"
	"crokcam/sim/render/photos"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

var losses = flag.Int("live.losses", 3, "how often the camera is killed and returned")

// photographer makes pictures of a board with discs on it.
type photographer struct {
	t     *testing.T
	stage *render.Stage
	discs []render.Disc // of both sides, in turn
	seed  uint32
}

func newPhotographer(t *testing.T) *photographer {
	spec := board.Tournament26()
	scene, _, disc := photos.DrawEmpty(3, photos.Options{Width: 800, Height: 450, View: "overhead", Light: "panels", Board: "", Spec: &spec}, 2)
	p := &photographer{t: t}
	for i := range 24 {
		d := disc(i % 2)
		d.ID = i
		p.discs = append(p.discs, d)
	}
	var err error
	p.stage, err = render.NewStage(t.Context(), scene)
	require.NoError(t, err)
	return p
}

// of is some pictures of discs at places, by their numbers.
func (p *photographer) of(places map[int]board.Point) [][]byte {
	m := render.Moment{}
	for i, d := range p.discs {
		at, ok := places[i]
		d.Foot, d.Place = camera.Vec3{at.X, at.Y, 0}, render.OnSurface
		if !ok {
			d.Foot, d.Place = camera.Vec3{1e5, 1e5, -500}, render.OnTable
		}
		m.Discs = append(m.Discs, d)
	}
	var out [][]byte
	for range 5 {
		p.seed++
		drawn, err := p.stage.Draw(p.seed*7919, m)
		require.NoError(p.t, err)
		var f capture.Frame
		require.NoError(p.t, f.Put(drawn.I420, drawn.W, drawn.H, capture.I420))
		out = append(out, streamtest.JPEG(p.t, f.Image()))
	}
	return out
}

// ear hears a table's notices and lets a test wait for one.
type ear struct {
	mu   sync.Mutex
	all  []Notice
	more chan struct{}
}

func newEar() *ear { return &ear{more: make(chan struct{}, 1)} }

func (e *ear) hear(n Notice) {
	e.mu.Lock()
	e.all = append(e.all, n)
	e.mu.Unlock()
	select {
	case e.more <- struct{}{}:
	default:
	}
}

// wait waits for the first notice from place from on that is wanted, and gives its
// place.
func (e *ear) wait(t *testing.T, from int, what string, wanted func(n Notice) bool) int {
	t.Helper()
	late := time.NewTimer(40 * time.Second)
	defer late.Stop()
	for {
		e.mu.Lock()
		for i := from; i < len(e.all); i++ {
			if wanted(e.all[i]) {
				e.mu.Unlock()
				return i
			}
		}
		e.mu.Unlock()
		select {
		case <-e.more:
		case <-late.C:
			var kinds []string
			for _, n := range e.all[max(0, len(e.all)-25):] {
				k := n.Kind
				if s, ok := n.Data.(StateNotice); ok {
					k += " " + s.To.String()
				}
				kinds = append(kinds, k)
			}
			require.FailNow(t, what+" did not come", "%v", kinds)
		}
	}
}

func (e *ear) kind(t *testing.T, from int, kind string) int {
	t.Helper()
	return e.wait(t, from, kind, func(n Notice) bool { return n.Kind == kind })
}

func (e *ear) state(t *testing.T, from int, s ...shots.State) int {
	t.Helper()
	return e.wait(t, from, s[0].String(), func(n Notice) bool {
		d, ok := n.Data.(StateNotice)
		for _, x := range s {
			if ok && n.Kind == StateChanged && d.To == x {
				return true
			}
		}
		return false
	})
}

// TestALostCameraComesBackAndNothingIsLostOrDoubled has a shot played, or a disc
// taken away, each time the camera is gone.
func TestALostCameraComesBackAndNothingIsLostOrDoubled(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed: scripts/setup installs it")
	}
	p := newPhotographer(t)
	places := map[int]board.Point{}
	server := streamtest.NewMJPEG(t, 20, p.of(places))
	news := newEar()
	table, err := Open(Options{ID: "table", Source: server.URL(), Store: store.NewMemory(), Notify: news.hear})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { require.NoError(t, table.Run(ctx)) })
	defer running.Wait()
	defer stop()

	news.kind(t, 0, CalibrationUpdated)
	f := format(t, "nca", rules.TwoPlayers)
	f.End = rules.End{Rounds: 1000}
	setup := match.Started{Plan: match.Plan(rules.BestOf(1, f)), Players: []match.Player{{Seat: board.South, Name: "Ann"}, {Seat: board.North, Name: "Bob"}}}
	_, err = table.Begin(t.Context(), sam, "", setup)
	require.NoError(t, err)
	at := news.kind(t, 0, "round.started")

	// Whoever leads the round shoots into the 15; the other, out in the 5, touches
	// nothing, and those discs are taken away as the rules want.
	var want []string
	leader, other := 0, 1 // numbers of their next discs
	var gaps []float64    // s without a picture
	for loss := range *losses {
		server.Kill()
		at = news.kind(t, at, CameraLost)
		var told []string
		switch loss % 3 {
		case 0:
			sin, cos := math.Sincos(float64(leader/2) * 2 * math.Pi / 12)
			places[leader] = board.Point{X: 78 * cos, Y: 78 * sin}
			leader += 2
			told = []string{"shot.detected", "shot.judged"}
		case 1:
			places[other] = board.Point{X: 0, Y: 240}
			told = []string{"shot.detected", "shot.judged", "removal.expected"}
		case 2:
			delete(places, other)
			other += 2
			told = []string{"removal.checked"}
		}
		want = append(want, told...)
		server.Show(p.of(places))
		server.Return()
		back := news.kind(t, at, CameraRecovered)
		gaps = append(gaps, news.all[back].Data.(CameraNotice).Gap)
		news.kind(t, back, told[len(told)-1])
		at = news.state(t, back, shots.Idle, shots.Settled, shots.RoundOver)
		if loss%10 == 9 {
			t.Logf("%d losses", loss+1)
		}
		if len(places) == f.Discs && loss%3 == 2 { // each has shot all
			places, leader, other = map[int]board.Point{}, other%2, leader%2
			want = append(want, "round.ended")
			server.Show(p.of(places))
			at = news.kind(t, back, "round.started")
			want = append(want, "round.agreed", "round.started")
		}
	}
	var got []string
	s, _ := table.Match()
	for _, e := range s.Events()[2:] {
		switch e.Body.(type) {
		case match.QuestionAsked, match.QuestionWithdrawn: // nobody saw the shots
		default:
			got = append(got, e.Body.Kind())
		}
	}
	require.Equal(t, want, got)
	slices.Sort(gaps)
	t.Logf("%d losses: pictures again after %.1f s (median), %.1f s at the longest; %d events, none lost or doubled",
		*losses, gaps[len(gaps)/2], gaps[len(gaps)-1], len(got))
}
