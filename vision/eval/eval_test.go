package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/vision/photo"
)

// The truth that most tests speak about: two sides, a 20 in the hole, a disc
// that may be left out, and a moving one to ignore.
func truth() Truth {
	return Truth{
		File: "a.jpg",
		Discs: []TrueDisc{
			{Px: [2]float64{100, 100}, Side: "red", Points: 15, MM: &[2]float64{50, 0}},
			{Px: [2]float64{200, 100}, Side: "red", Points: 20, MM: &[2]float64{0, 0}},
			{Px: [2]float64{300, 100}, Side: "black", Points: 10, MM: &[2]float64{0, 150}},
			{Px: [2]float64{400, 100}, Side: "black", Points: 0, Optional: true},
		},
		Ignore: [][3]float64{{600, 600, 50}},
	}
}

// report is a faultless report on truth, its sides named otherwise and its
// board frame turned by a quarter.
func report() *photo.Report {
	return &photo.Report{
		Image: photo.Image{Width: 640, Height: 480},
		Calibration: photo.Calibration{
			RadiiMM: photo.Radii{Start: 304.8},
			RingsPx: []photo.RingPx{{Ring: "start", CX: 250, CY: 240, A: 304.8, B: 304.8}}, // 1 px is 1 mm
		},
		Discs: []photo.Disc{
			{Px: [2]float64{101, 100}, Side: "B", Points: 15, XMM: 0, YMM: 50.5, SigmaMM: 0.4, State: "surface"},
			{Px: [2]float64{200, 101}, Side: "B", Points: 20, XMM: 0, YMM: 0, SigmaMM: 0.4, State: "hole"},
			{Px: [2]float64{300, 100}, Side: "A", Points: 10, XMM: -151, YMM: 0, SigmaMM: 0.4, State: "surface"},
			{Px: [2]float64{400, 100}, Side: "A", Points: 0, State: "surface"},
			{Px: [2]float64{610, 590}, Side: "A", Points: 5, State: "surface"},
		},
	}
}

func TestAReportIsJudgedAgainstTheTruth(t *testing.T) {
	cases := map[string]struct {
		change func(r *photo.Report)
		want   Counts
		exact  bool
		right  bool
	}{
		"faultless":                {func(*photo.Report) {}, Counts{Truth: 3, Found: 4, hit: 4}, true, true},
		"an optional disc missing": {func(r *photo.Report) { r.Discs = append(r.Discs[:3], r.Discs[4:]...) }, Counts{Truth: 3, Found: 3, hit: 3}, true, true},
		"a disc missed":            {func(r *photo.Report) { r.Discs = r.Discs[1:] }, Counts{Truth: 3, Found: 3, Missed: 1, hit: 3}, false, false},
		"a worthless disc invented": {func(r *photo.Report) {
			r.Discs = append(r.Discs, photo.Disc{Px: [2]float64{50, 300}, Side: "A"})
		}, Counts{Truth: 3, Found: 5, Invented: 1, hit: 4}, false, false},
		"one disc reported twice": {func(r *photo.Report) { r.Discs = append(r.Discs, r.Discs[0]) }, Counts{Truth: 3, Found: 5, Invented: 1, hit: 4}, false, false},
		"a disc out of reach": {func(r *photo.Report) { r.Discs[0].Px[0] = 112 }, // 0.7 radii are 11.1 mm
			Counts{Truth: 3, Found: 4, Missed: 1, Invented: 1, hit: 3}, false, false},
		"a wrong value": {func(r *photo.Report) { r.Discs[2].Points = 15 },
			Counts{Truth: 3, Found: 4, ValueWrong: 1, ValueWrongUnflagged: 1, hit: 4}, false, false},
		"a wrong value that is offered": {func(r *photo.Report) { r.Discs[2].Points, r.Discs[2].TooClose = 15, true },
			Counts{Truth: 3, Found: 4, ValueWrong: 1, Flagged: 1, hit: 4}, true, false},
		"a right value that is offered": {func(r *photo.Report) { r.Discs[2].TooClose = true },
			Counts{Truth: 3, Found: 4, Flagged: 1, hit: 4}, true, true},
		"a wrong side": {func(r *photo.Report) { r.Discs[0].Side = "A" },
			Counts{Truth: 3, Found: 4, SideWrong: 1, hit: 4}, false, false},
		"a side too many": {func(r *photo.Report) { r.Discs[0].Side = "C" },
			Counts{Truth: 3, Found: 4, SideWrong: 1, hit: 4}, false, false},
		"the hole asked about, disc not reported": {func(r *photo.Report) {
			r.Discs = append(r.Discs[:1], r.Discs[2:]...)
			r.Warnings = []photo.Warning{{Code: "hole_unclear"}}
		}, Counts{Truth: 3, Found: 3, Flagged: 1, hit: 3}, true, true},
		"the hole asked about, disc reported": {func(r *photo.Report) {
			r.Warnings = []photo.Warning{{Code: "hole_unclear"}}
		}, Counts{Truth: 3, Found: 4, Flagged: 1, hit: 4}, true, true},
		"nothing reported": {func(r *photo.Report) { r.Discs = nil }, Counts{Truth: 3, Missed: 3}, false, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := report()
			c.change(r)
			v := judge(truth(), r)
			require.Equal(t, c.want, v.counts)
			require.Equal(t, c.exact, v.exact)
			require.Equal(t, c.right, v.right)
		})
	}
}

func TestAnUnansweredHoleInventsNothing(t *testing.T) {
	r := report()
	tr := truth()
	tr.Discs = append(tr.Discs[:1], tr.Discs[2:]...) // the hole is empty
	require.False(t, judge(tr, r).exact)
	r.Warnings = []photo.Warning{{Code: "hole_unclear"}}
	require.True(t, judge(tr, r).exact)
}

func TestPositionErrorsAreInMillimetresWithTheTurnTakenOut(t *testing.T) {
	v := judge(truth(), report())
	require.InDeltaSlice(t, []float64{0, 0.5, 1}, sorted(v.radial), 1e-9)
	require.InDeltaSlice(t, []float64{0, 0.5, 1}, sorted(v.plane), 1e-9)
	require.Equal(t, 2, v.within2, "0 and 0.5 are below 0.8, 1 is not")
}

func TestTwoSidesAreNamedByWhatAgreesMost(t *testing.T) {
	v := judge(truth(), report())
	require.Equal(t, map[string]string{"A": "black", "B": "red"}, v.names)
	require.Equal(t, map[string]int{"red": 35, "black": 10}, v.want)
	require.Equal(t, v.want, v.got)
}

func TestBothFormsOfTruthAreRead(t *testing.T) {
	photos := t.TempDir()
	write(t, photos, "truth.json", `{"pictures": [{"file": "a.jpg", "board": "wood",
		"discs": [{"px": [1, 2], "side": "red", "points": 15, "close": true}, {"px": [3, 4], "side": "black", "points": 0, "optional": true}],
		"ignore": [[5, 6, 7]], "start_px": [1, 2, 3, 4, 5]}]}`)
	got, err := LoadTruths(photos)
	require.NoError(t, err)
	require.Equal(t, []Truth{{
		File: "a.jpg",
		Discs: []TrueDisc{
			{Px: [2]float64{1, 2}, Side: "red", Points: 15},
			{Px: [2]float64{3, 4}, Side: "black", Optional: true},
		},
		Ignore: [][3]float64{{5, 6, 7}},
	}}, got)

	renders := t.TempDir()
	write(t, renders, "b.json", `{"image": "b.jpg", "camera": {"k1": 0}, "discs": []}`)
	write(t, renders, "notes.json", `{"about": "not a picture"}`)
	write(t, renders, "a.json", `{"image": "a.jpg", "camera": {}, "discs": [
		{"colour": "red", "location": "surface", "score": 10, "xy_mm": [1, 2], "top_centre_px": [3, 4], "visible_fraction": 0.9},
		{"colour": "red", "location": "surface", "score": 5, "xy_mm": [1, 2], "top_centre_px": [3, 4], "visible_fraction": 0.59},
		{"colour": "red", "location": "hole", "score": 20, "xy_mm": [0, 0], "top_centre_px": [3, 4]},
		{"colour": "red", "location": "surface", "score": 15, "xy_mm": [1, 2], "top_centre_px": [3, 4], "tilted": true},
		{"colour": "red", "location": "ditch", "score": 0, "xy_mm": [1, 2], "top_centre_px": [3, 4]}]}`)
	got, err = LoadTruths(renders)
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Equal(t, "a.jpg", got[0].File)
	require.Len(t, got[0].Discs, 4, "what lies in the ditch is not to be found")
	require.Equal(t, []bool{false, true, false, true}, []bool{got[0].Discs[0].Optional, got[0].Discs[1].Optional, got[0].Discs[2].Optional, got[0].Discs[3].Optional})
	require.Equal(t, [2]float64{1, 2}, *got[0].Discs[0].MM)

	for name, folder := range map[string]string{"no folder": filepath.Join(photos, "none"), "no truth": t.TempDir()} {
		_, err = LoadTruths(folder)
		require.Error(t, err, name)
	}
	write(t, photos, "truth.json", `{"pictures": [`)
	_, err = LoadTruths(photos)
	require.ErrorContains(t, err, photos)
}

func TestRunKeepsItsOrderWhateverTheJobs(t *testing.T) {
	folder := t.TempDir()
	var pictures []Truth
	for i := range 20 {
		tr := truth()
		tr.File = fmt.Sprintf("%02d.jpg", 19-i)
		pictures = append(pictures, tr)
	}
	raw, err := json.Marshal(map[string]any{"pictures": pictures})
	require.NoError(t, err)
	write(t, folder, "truth.json", string(raw))

	score := func(_ context.Context, path string) (*photo.Report, time.Duration, error) {
		switch filepath.Base(path) {
		case "03.jpg":
			return nil, 0, errors.New("no board here")
		case "04.jpg":
			r := report()
			r.Discs[2].Points = 15
			return r, 20 * time.Millisecond, nil
		}
		return report(), 10 * time.Millisecond, nil
	}
	var first Result
	for _, jobs := range []int{1, 4} {
		calls := 0
		got, err := Run(context.Background(), []string{folder}, score, Options{Jobs: jobs, Each: true, Progress: func(done, total int) {
			calls++
			require.Equal(t, calls, done)
			require.Equal(t, 20, total)
		}})
		require.NoError(t, err)
		require.Equal(t, 20, calls)
		if jobs == 1 {
			first = got
		}
		require.Equal(t, first, got)
	}
	s := first.Sets[0]
	require.Equal(t, 20, s.Pictures)
	require.Equal(t, 18, s.Exact)
	require.Equal(t, Counts{Truth: 60, Found: 76, Missed: 3, ValueWrong: 1, ValueWrongUnflagged: 1, NoBoard: 1, hit: 76}, s.Discs)
	require.InDelta(t, 1, *s.Precision, 1e-9)
	require.InDelta(t, 57.0/60, *s.Recall, 1e-9)
	require.InDelta(t, 1, *s.SideAccuracy, 1e-9)
	require.InDelta(t, 75.0/76, *s.ValueAccuracy, 1e-9)
	require.InDelta(t, 2.0/3, *s.SigmaWithin2, 1e-9)
	require.InDelta(t, 0.5, *s.RadialMM.Median, 1e-9)
	require.InDelta(t, 1, *s.RadialMM.P95, 1e-9)
	require.InDelta(t, 10, *s.CPUms.Median, 1e-9)
	require.Equal(t, "19.jpg", s.Each[0].File)
	require.Equal(t, "no board here", s.Each[16].Error)
	require.Equal(t, []string{"15 for 10 at (300, 100)"}, s.Each[15].Faults)
}

func TestRunEndsWithItsContext(t *testing.T) {
	folder := t.TempDir()
	raw, err := json.Marshal(map[string]any{"pictures": []Truth{truth(), truth(), truth()}})
	require.NoError(t, err)
	write(t, folder, "truth.json", string(raw))
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err = Run(ctx, []string{folder}, func(context.Context, string) (*photo.Report, time.Duration, error) {
		calls++
		cancel()
		return nil, 0, ctx.Err()
	}, Options{})
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, calls, 3)
	_, err = Run(context.Background(), nil, nil, Options{})
	require.Error(t, err)
}

func TestFoldersThatEndAlikeKeepApart(t *testing.T) {
	all := []string{"photos/dev/", "renders/dev", "photos/variants"}
	require.Equal(t, "photos/dev", folderName(all[0], all))
	require.Equal(t, "renders/dev", folderName(all[1], all))
	require.Equal(t, "variants", folderName(all[2], all))
}

func TestJSONKeepsTheContract(t *testing.T) {
	r := Result{Schema: Schema, Sets: []Set{sum([]Picture{judged(truth(), report())})}}
	r.Sets[0].Folder = "dev"
	raw, err := json.Marshal(r)
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(raw, &got))
	require.Equal(t, "crokcam.eval/1", got["schema"])
	set := got["sets"].([]any)[0].(map[string]any)
	require.Equal(t, "dev", set["folder"])
	require.Equal(t, 1.0, set["pictures"])
	require.Equal(t, 1.0, set["exact"])
	discs := set["discs"].(map[string]any)
	for _, key := range []string{"truth", "found", "missed", "invented", "side_wrong", "value_wrong", "value_wrong_unflagged", "flagged"} {
		require.Contains(t, discs, key)
	}
	require.InDelta(t, 0.5, set["radial_mm"].(map[string]any)["median"], 1e-9)
	require.InDelta(t, 1, set["radial_mm"].(map[string]any)["p95"], 1e-9)
	require.InDelta(t, 2.0/3, set["sigma_within_2"], 1e-9)
	require.Nil(t, set["cpu_ms"].(map[string]any)["median"], "it was not measured")
}

func TestTheTableNamesWhatWentWrong(t *testing.T) {
	bad := report()
	bad.Discs[2].Points = 15
	r := Result{Sets: []Set{sum([]Picture{judged(truth(), report()), judged(truth(), bad), judged(truth(), nil)})}}
	r.Sets[0].Folder = "dev"
	var b bytes.Buffer
	require.NoError(t, WriteTable(&b, r, false))
	require.Contains(t, b.String(), "dev/a.jpg  WRONG  want black 10, red 35 got black 15, red 35; 15 for 10 at (300, 100)")
	require.Contains(t, b.String(), "NO RESULT")
	require.Contains(t, b.String(), "no result for 1 of 3")
	require.NotContains(t, b.String(), "  ok  ")
	b.Reset()
	require.NoError(t, WriteTable(&b, r, true))
	require.Contains(t, b.String(), "dev/a.jpg  ok  ")
}

func TestTheSheetHasACellForEachFailure(t *testing.T) {
	folder := t.TempDir()
	var pic bytes.Buffer
	require.NoError(t, jpeg.Encode(&pic, image.NewGray(image.Rect(0, 0, 640, 480)), nil))
	write(t, folder, "a.jpg", pic.String())
	bad := report()
	bad.Discs[2].Points = 15
	bad.Discs[0].Side = "A"
	bad.Discs = append(bad.Discs, photo.Disc{Px: [2]float64{30, 30}, Side: "A"})
	good := judged(truth(), report())
	failures := []Picture{judged(truth(), bad), judged(truth(), nil), judged(truth(), nil), judged(truth(), bad)}
	for i := range failures {
		failures[i].path = filepath.Join(folder, "a.jpg")
	}
	failures[2].path = filepath.Join(folder, "is-not-there.jpg")

	size := func(pictures ...Picture) image.Point {
		data, err := Result{Sets: []Set{sum(pictures)}}.Sheet()
		require.NoError(t, err)
		c, err := jpeg.DecodeConfig(bytes.NewReader(data))
		require.NoError(t, err)
		return image.Pt(c.Width, c.Height)
	}
	none := size(good)
	one := size(good, failures[0])
	four := size(append(failures, good)...)
	require.Equal(t, headHeight, none.Y)
	require.Equal(t, headHeight+cellHeight+gutter, one.Y)
	require.Equal(t, headHeight+2*(cellHeight+gutter), four.Y)
	require.Equal(t, gutter+3*(cellWidth+gutter), four.X)
}

// judged is a picture that has been scored.
func judged(tr Truth, r *photo.Report) Picture {
	p := Picture{File: tr.File, truth: tr}
	p.score(context.Background(), func(context.Context, string) (*photo.Report, time.Duration, error) {
		if r == nil {
			return nil, 0, errors.New("no board here")
		}
		return r, 0, nil
	})
	return p
}

func sorted(v []float64) []float64 { return slices.Sorted(slices.Values(v)) }

func write(t *testing.T, folder, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
}
