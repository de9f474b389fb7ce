package show_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/rules"
	"crokcam/sim/render/show"
)

// tiny is a match in a small picture.
func tiny() show.Config {
	c := show.Default()
	c.Width, c.Height, c.FPS, c.Hasty = 200, 160, 5, true
	return c
}

func TestASourcesNameSaysWhatIsShown(t *testing.T) {
	want := show.Default()
	got, err := show.Parse("")
	require.NoError(t, err)
	require.Equal(t, want, got)

	want.Seed, want.Skill, want.Board, want.FPS, want.Width, want.Height = 7, 0.4, "octagon-classic", 25, 1280, 720
	want.Rules, want.Layout, want.View, want.Light, want.Look, want.Hasty, want.Unsteady = "wcc", rules.Doubles, "mild", "window", "maple", true, true
	for _, name := range []string{
		"?seed=7&skill=0.4&board=octagon-classic&fps=25&size=1280x720&rules=wcc&layout=4p&view=mild&light=window&look=maple&hasty=true&unsteady=true",
		"//?seed=7&skill=0.4&board=octagon-classic&fps=25&size=1280x720&rules=wcc&layout=4p&view=mild&light=window&look=maple&hasty=1&unsteady=1",
	} {
		got, err = show.Parse(name)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}

	for _, wrong := range []string{
		"?seed=-1", "?seed=1&seed=2", "?skill=2", "?skill=x", "?fps=0", "?fps=nan", "?size=1920", "?size=1921x1080", "?size=10x10",
		"?layout=five", "?view=below", "?light=none", "?look=marble", "?colour=red", "?%zz",
	} {
		_, err := show.Parse(wrong)
		require.ErrorIs(t, err, show.ErrConfig, wrong)
	}
	for _, wrong := range []string{"?board=none&size=200x160", "?rules=none&size=200x160", "?physics=none&size=200x160"} {
		c, err := show.Parse(wrong)
		require.NoError(t, err)
		_, err = show.New(t.Context(), c)
		require.ErrorIs(t, err, show.ErrConfig, wrong)
	}
}

// all is every frame of a show that ends.
func all(t *testing.T, c show.Config) (frames []*show.Frame, shots []*show.ShotTruth) {
	s, err := show.New(t.Context(), c)
	require.NoError(t, err)
	for {
		f, err := s.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return frames, shots
		}
		require.NoError(t, err)
		shots = append(shots, f.Shots...)
		frames = append(frames, f)
	}
}

func TestTheSameSeedShowsTheSameMatch(t *testing.T) {
	c := tiny()
	c.Shots = 2
	a, shotsA := all(t, c)
	b, shotsB := all(t, c)
	require.Len(t, b, len(a))
	require.Equal(t, shotsA, shotsB)
	for i := range a {
		require.Equal(t, a[i].I420, b[i].I420, "frame %d", i)
		require.Equal(t, a[i].Truth, b[i].Truth)
	}
	c.Seed++
	_, other := all(t, c)
	require.NotEqual(t, shotsA[0].Physics, other[0].Physics)
}

// bright is the mean brightness of a frame.
func bright(f *show.Frame) float64 {
	sum := 0
	for _, v := range f.I420[:f.W*f.H] {
		sum += int(v)
	}
	return float64(sum) / float64(f.W*f.H)
}

func TestUnsteadyLightChangesThePictureAndNothingElse(t *testing.T) {
	c := tiny()
	c.Shots = 4
	steady, shots := all(t, c)
	c.Unsteady = true
	unsteady, same := all(t, c)
	require.Equal(t, shots, same)
	require.Len(t, unsteady, len(steady))
	low, high := math.Inf(1), 0.0
	for i := range steady {
		require.Equal(t, steady[i].Truth.HandPx, unsteady[i].Truth.HandPx)
		times := bright(unsteady[i]) / bright(steady[i])
		low, high = min(low, times), max(high, times)
	}
	require.InDelta(t, 1, bright(unsteady[0])/bright(steady[0]), 1e-9, "it begins as it is")
	require.Less(t, low, 0.95)
	require.Greater(t, low, 0.6, "%g to %g", low, high)
	require.Less(t, high, 1.2)
}

func TestARoundIsShownFromTheFirstDiscToTheEmptyBoard(t *testing.T) {
	c := tiny()
	c.Rounds = 1
	frames, shots := all(t, c)

	require.Len(t, shots, 16, "two players with eight discs each")
	last := shots[len(shots)-1]
	require.NotNil(t, last.Result)
	points := map[string]int{"A": 20 * last.Result.Twenties["A"], "B": 20 * last.Result.Twenties["B"]}
	gone := map[int]bool{}
	for i, s := range shots {
		require.Equal(t, i+1, s.Number)
		tl := s.Timeline
		require.True(t, tl.HandEnter < tl.Placed && tl.Placed < tl.Release && tl.Release < tl.HandGone && tl.Release <= tl.AtRest && tl.AtRest <= tl.Settled, "%+v", tl)
		if i > 0 {
			require.GreaterOrEqual(t, tl.HandEnter, shots[i-1].Timeline.Settled, "one shot after the other")
			if i < len(shots)-1 {
				require.Len(t, s.Start.Discs, len(shots[i-1].Settled.Discs)+1, "nothing comes or goes between shots but the disc to be shot")
			}
		}
		for _, k := range s.Contacts {
			require.True(t, k.T >= tl.Release && k.T <= tl.AtRest)
		}
		for id, fate := range s.Verdict.Fates {
			gone[number(t, id)] = fate != "board"
		}
	}
	// What lies there after the last ruling is what was counted.
	for _, s := range last.End.Discs {
		if !gone[s.ID] && s.Location == "surface" {
			points[sideOf(shots, s.ID)] += s.Score
		}
	}
	require.Equal(t, last.Result.Totals, points)

	end := frames[len(frames)-1].Truth
	require.Empty(t, end.Discs, "the board is cleared after the round")
	require.Nil(t, end.HandTip)
	before := map[int]show.DiscAt{}
	for _, f := range frames {
		now := map[int]show.DiscAt{}
		for _, d := range f.Truth.Discs {
			now[d.ID] = d
			if was, ok := before[d.ID]; ok && !d.Carried && !was.Carried {
				step := math.Hypot(d.XYZ[0]-was.XYZ[0], d.XYZ[1]-was.XYZ[1])
				require.Less(t, step, 4000/c.FPS, "frame %d: disc %d jumps", f.Truth.Frame, d.ID)
			}
		}
		before = now
	}
}

func number(t *testing.T, s string) (n int) {
	require.NoError(t, json.Unmarshal([]byte(s), &n))
	return n
}

func sideOf(shots []*show.ShotTruth, id int) string {
	for _, s := range shots {
		if s.Shooter == id {
			return s.Side
		}
	}
	return ""
}

func TestARecordingIsAVideoWithItsTruth(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed: scripts/setup installs it")
	}
	c := tiny()
	c.Shots = 1
	path := filepath.Join(t.TempDir(), "shot.mp4")
	frames := 0
	require.NoError(t, show.Record(t.Context(), c, path, func(p show.Progress) { frames = p.Frame }))

	data, err := os.ReadFile(strings.TrimSuffix(path, ".mp4") + ".json")
	require.NoError(t, err)
	var truth show.VideoTruth
	require.NoError(t, json.Unmarshal(data, &truth))
	require.Equal(t, "shot.mp4", truth.Video)
	require.Equal(t, frames, truth.Frames)
	require.Len(t, truth.PerFrame, frames)
	require.Len(t, truth.Shots, 1)
	require.NotNil(t, truth.Timeline)
	require.Equal(t, "shot_started", truth.Events[0].Type)

	out, err := exec.Command("ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
		"stream=codec_name,width,height,nb_read_frames", "-of", "csv=p=0", path).Output()
	require.NoError(t, err)
	var want = []string{"h264", "200", "160"}
	require.Equal(t, want, strings.Split(strings.TrimSpace(string(out)), ",")[:3])
	require.Contains(t, string(out), "160,"+itoa(frames))
}

func itoa(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

func TestAnInterruptedRecordingLeavesNothing(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed: scripts/setup installs it")
	}
	folder := t.TempDir()
	c := tiny()
	c.Rounds = 1
	ctx, stop := context.WithCancel(t.Context())
	err := show.Record(ctx, c, filepath.Join(folder, "match.mp4"), func(p show.Progress) {
		if p.Frame == 10 {
			stop()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestARecordingNeedsAnEndAndAnEncoder(t *testing.T) {
	c := tiny()
	require.ErrorIs(t, show.Record(t.Context(), c, filepath.Join(t.TempDir(), "x.mp4"), nil), show.ErrConfig)
	c.Shots = 1
	require.Error(t, show.Record(t.Context(), c, filepath.Join(t.TempDir(), "none", "x.mp4"), nil))
	t.Setenv("PATH", "")
	folder := t.TempDir()
	require.ErrorIs(t, show.Record(t.Context(), c, filepath.Join(folder, "x.mp4"), nil), show.ErrNoEncoder)
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, left)
}
