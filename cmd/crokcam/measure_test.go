package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/vision/photo"
)

// oneDisc says of every picture that one disc worth 15 lies at (100, 100).
type oneDisc struct{}

func (oneDisc) Score(context.Context, []byte, photo.Options) (*photo.Report, error) {
	return &photo.Report{
		Image: photo.Image{Width: 320, Height: 240},
		Sides: []photo.Side{{Side: "A", Name: "dark", RGB: "#202020", Points: 15, Discs: 1}},
		Discs: []photo.Disc{{Px: [2]float64{100, 100}, Side: "A", Points: 15, State: "surface"}},
	}, nil
}

func (oneDisc) Annotate(data []byte, r *photo.Report) ([]byte, error) { return photo.Annotate(data, r) }

// measured runs a command line with that scorer.
func measured(t *testing.T, args ...string) (status int, out, told string) {
	t.Helper()
	var o, e bytes.Buffer
	a := newApp(strings.NewReader(""), &o, &e)
	a.scorer = oneDisc{}
	status = run(context.Background(), a, args)
	return status, o.String(), e.String()
}

// twoPictures is a folder of two pictures, for one of which oneDisc is right.
func twoPictures(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	var pic bytes.Buffer
	require.NoError(t, jpeg.Encode(&pic, image.NewGray(image.Rect(0, 0, 320, 240)), nil))
	for name, data := range map[string][]byte{
		"right.jpg": pic.Bytes(), "wrong.jpg": pic.Bytes(),
		"truth.json": []byte(`{"pictures": [
			{"file": "right.jpg", "discs": [{"px": [100, 100], "side": "dark", "points": 15}]},
			{"file": "wrong.jpg", "discs": [{"px": [100, 100], "side": "dark", "points": 10}]}]}`),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), data, 0o644))
	}
	return folder
}

func TestEvalTellsWhatWentWrong(t *testing.T) {
	folder := twoPictures(t)
	status, out, told := measured(t, "eval", folder)
	require.Equal(t, exitGood, status, told)
	require.Contains(t, out, "wrong.jpg  WRONG  want dark 10 got dark 15")
	require.NotContains(t, out, "right.jpg")
	require.Contains(t, out, "1/2")

	_, out, _ = measured(t, "eval", "--each", "--jobs", "2", folder)
	require.Contains(t, out, "right.jpg  ok")
}

func TestEvalPrintsItsContractAndASheet(t *testing.T) {
	folder := twoPictures(t)
	sheet := filepath.Join(t.TempDir(), "sheet.jpg")
	status, out, told := measured(t, "eval", "--json", "--sheet", sheet, folder)
	require.Equal(t, exitGood, status, told)
	var got struct {
		Schema string
		Sets   []struct{ Pictures, Exact int }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, "crokcam.eval/1", got.Schema)
	require.Equal(t, 2, got.Sets[0].Pictures)
	require.Equal(t, 1, got.Sets[0].Exact)
	data, err := os.ReadFile(sheet)
	require.NoError(t, err)
	_, err = jpeg.DecodeConfig(bytes.NewReader(data))
	require.NoError(t, err)
}

func TestBenchMeasuresAGivenPhoto(t *testing.T) {
	file := filepath.Join(twoPictures(t), "right.jpg")
	status, out, told := measured(t, "bench", "photo", "--rounds", "1", "--json", file)
	require.Equal(t, exitGood, status, told)
	require.Contains(t, out, `"schema": "crokcam.bench/1"`)
	require.Contains(t, out, `"name": "photo/score"`)
	status, out, told = measured(t, "bench", "photo", "--rounds", "1", file)
	require.Equal(t, exitGood, status, told)
	require.Contains(t, out, "decode + rectify")
}

func TestBenchMeasuresTheJudge(t *testing.T) {
	status, out, told := measured(t, "bench", "judge", "--rounds", "1", "--json")
	require.Equal(t, exitGood, status, told)
	require.Contains(t, out, `"schema": "crokcam.bench/1"`)
	require.Contains(t, out, `"name": "judge/verdicts"`)
}

func TestMeasuringWantsItsArguments(t *testing.T) {
	for _, args := range [][]string{
		{"eval"}, {"eval", "--jobs", "0", "."}, {"bench", "photo", "a", "b"}, {"bench", "photo", "--rounds", "0"}, {"bench", "judge", "--rounds", "0"}, {"bench", "judge", "x"}, {"bench", "video"},
	} {
		status, _, told := measured(t, args...)
		require.Equal(t, exitWrongUse, status, "%v: %s", args, told)
		require.NotEmpty(t, told)
	}
	status, _, told := measured(t, "eval", t.TempDir())
	require.Equal(t, exitFailed, status)
	require.Contains(t, told, "truth")
}
