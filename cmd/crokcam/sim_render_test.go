package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSimPhotosMakesPicturesThatEvalReads(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "pictures")
	status, out, told := measured(t, "sim", "photos", "--n", "2", "--seed", "4", "--size", "240x200", "--view", "mild", "--light", "panels", "--board", "maple", "--load", "mid", "--out", folder)
	require.Equal(t, exitGood, status, told)
	require.Empty(t, out)
	for _, name := range []string{"sim_0000.jpg", "sim_0000.json", "sim_0001.jpg", "sim_0001.json"} {
		require.FileExists(t, filepath.Join(folder, name))
	}
	status, out, told = measured(t, "eval", folder)
	require.Equal(t, exitGood, status, told)
	require.Contains(t, out, "pictures")
}

func TestSimVideoRecordsAShotWithItsTruth(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed: scripts/setup installs it")
	}
	out := filepath.Join(t.TempDir(), "shot.mp4")
	status, _, told := measured(t, "sim", "video", "--shots", "1", "--size", "160x160", "--fps", "4", "--hasty", "--out", out)
	require.Equal(t, exitGood, status, told)
	require.FileExists(t, out)
	require.FileExists(t, filepath.Join(filepath.Dir(out), "shot.json"))
}

func TestSimPicturesWantTheirArguments(t *testing.T) {
	folder := t.TempDir()
	for _, args := range [][]string{
		{"photos"}, {"photos", "--out", folder, "--n", "0"}, {"photos", "--out", folder, "--workers", "0"},
		{"photos", "--out", folder, "--size", "12"}, {"photos", "--out", folder, "--size", "10x10"},
		{"photos", "--out", folder, "--view", "below"}, {"photos", "--out", folder, "--light", "none"},
		{"photos", "--out", folder, "--board", "marble"}, {"photos", "--out", folder, "--load", "heavy"}, {"photos", "x"},
		{"video"}, {"video", "--out", filepath.Join(folder, "x.avi")}, {"video", "--out", filepath.Join(folder, "x.mp4"), "--rounds", "0"},
		{"video", "--out", filepath.Join(folder, "x.mp4"), "--shots", "-1"}, {"video", "--out", filepath.Join(folder, "x.mp4"), "--size", "9"},
		{"video", "--out", filepath.Join(folder, "x.mp4"), "--skill", "2"}, {"video", "--out", filepath.Join(folder, "x.mp4"), "--layout", "nine"},
		{"video", "--out", filepath.Join(folder, "x.mp4"), "--board", "none"}, {"video", "--out", filepath.Join(folder, "x.mp4"), "--rules", "none"},
	} {
		status, _, told := measured(t, append([]string{"sim"}, args...)...)
		require.Equal(t, exitWrongUse, status, "%v: %s", args, told)
		require.NotEmpty(t, told, args)
	}
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, left)
}
