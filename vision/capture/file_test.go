package capture

import (
	"bytes"
	"context"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/internal/streamtest"
)

func TestEveryFrameOfAVideoComesInOrderAtItsPresentationTime(t *testing.T) {
	leavesNothing(t)
	dir := t.TempDir()
	scene := []string{"-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2"}
	for _, c := range []struct {
		name   string
		args   []string
		times  func(i int) time.Duration
		frames int
		format string
	}{
		{"h264.mp4", []string{"-c:v", "libx264", "-bf", "2"}, func(i int) time.Duration { return time.Duration(i) * 40 * time.Millisecond }, 50, "h264"},
		{"mjpeg.avi", []string{"-c:v", "mjpeg"}, func(i int) time.Duration { return time.Duration(i) * 40 * time.Millisecond }, 50, "mjpeg"},
		// Each third frame is left out, so the steps differ.
		{"uneven.mkv", []string{"-vf", "select=mod(n\\,3)", "-fps_mode", "vfr", "-c:v", "libx264"}, func(i int) time.Duration {
			return time.Duration(i/2*3+i%2) * 40 * time.Millisecond
		}, 33, "h264"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			heard := newEvents()
			s := open(t, ffmpeg(t, filepath.Join(dir, c.name), append(append([]string{}, scene...), c.args...)...), Options{Notify: heard.hear})
			require.False(t, s.Live())
			frames := rest(t, s)
			require.Len(t, frames, c.frames)
			for i, f := range frames {
				require.Equal(t, c.times(i), f.At, "frame %d", i)
				require.Equal(t, uint64(i), f.Seq)
				require.Equal(t, [2]int{96, 64}, [2]int{f.Width, f.Height})
				require.Zero(t, f.Health.Flags, "frame %d: %s", i, f.Health)
			}
			for range 2 {
				_, err := s.Next(t.Context())
				require.ErrorIs(t, err, io.EOF)
			}
			require.Equal(t, []EventKind{EventOpened}, heard.kinds())
			got := heard.all[0].Got
			require.Equal(t, c.format, got.Format)
			require.Equal(t, [2]int{96, 64}, [2]int{got.Width, got.Height})
		})
	}
}

func TestAVideoWaitsForASlowReader(t *testing.T) {
	leavesNothing(t)
	s := open(t, ffmpeg(t, filepath.Join(t.TempDir(), "x.mp4"), "-f", "lavfi", "-i", "testsrc2=s=640x480:r=30:d=1"), Options{})
	held := next(t, s)
	first := bytes.Clone(held.Pix)
	require.Len(t, rest(t, s), 29)
	require.Equal(t, first, held.Pix, "a frame that is held is nobody else's")
	held.Release()
	require.Zero(t, s.Stats().PassedOver)
}

func TestTheColoursOfAVideoAreTold(t *testing.T) {
	dir := t.TempDir()
	one := []string{"-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2"}
	for name, c := range map[string]struct {
		args        []string
		full, bt709 bool
	}{
		"hd.mp4":   {[]string{"-c:v", "libx264", "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_range", "tv"}, false, true},
		"full.mp4": {[]string{"-c:v", "libx264", "-pix_fmt", "yuvj420p"}, true, false},
		"jpeg.avi": {[]string{"-c:v", "mjpeg", "-pix_fmt", "yuvj422p"}, true, false},
		"444.mkv":  {[]string{"-c:v", "libx264", "-pix_fmt", "yuv444p"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, ffmpeg(t, filepath.Join(dir, name), append(append([]string{}, one...), c.args...)...), Options{})
			for _, f := range rest(t, s) {
				require.Equal(t, [2]bool{c.full, c.bt709}, [2]bool{f.FullRange, f.BT709}, "frame %d", f.Seq)
			}
		})
	}
}

func TestAVideoThatChangesSizeGoesOnInTheNewSize(t *testing.T) {
	leavesNothing(t)
	file := filepath.Join(t.TempDir(), "x.mjpeg")
	small, large := streamtest.JPEGs(t, 64, 48, 5), streamtest.JPEGs(t, 128, 96, 5)
	all := append(append([][]byte{}, small...), large...)
	require.NoError(t, os.WriteFile(file, bytes.Join(all, nil), 0o600))
	heard := newEvents()
	frames := rest(t, open(t, file, Options{Notify: heard.hear}))
	require.Len(t, frames, 10)
	for i, f := range frames {
		require.Equal(t, 64*(1+i/5), f.Width, "frame %d", i)
		require.Zero(t, f.Health.Flags, "frame %d: %s", i, f.Health)
	}
	require.Equal(t, []EventKind{EventOpened, EventResized}, heard.kinds())
	require.Equal(t, 128, heard.all[1].Got.Width)
}

func TestAFolderGivesItsPicturesInTheOrderOfTheirNumbers(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"shot 1.jpg", "shot 2.JPG", "shot 10.png", "shot 11.jpg"} {
		data := streamtest.JPEG(t, streamtest.Plain(40, 30, color.Gray{uint8(20 * i)}))
		if filepath.Ext(name) == ".png" {
			var b bytes.Buffer
			require.NoError(t, png.Encode(&b, streamtest.Plain(50, 31, color.Gray{uint8(20 * i)})))
			data = b.Bytes()
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("not a picture"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".hidden.jpg"), []byte("not a picture"), 0o600))

	frames := rest(t, open(t, dir, Options{Mode: Mode{FPS: 10}}))
	require.Len(t, frames, 4)
	for i, f := range frames {
		require.Equal(t, time.Duration(i)*100*time.Millisecond, f.At)
		require.InDelta(t, 20*float64(i)/255, f.Health.Mean, 0.01)
	}
	require.Equal(t, []int{40, 40, 50, 40}, []int{frames[0].Width, frames[1].Width, frames[2].Width, frames[3].Width})
}

func TestAFileThatIsNoVideoIsRefusedInWords(t *testing.T) {
	leavesNothing(t)
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o600))
		return path
	}
	whole, err := os.ReadFile(ffmpeg(t, filepath.Join(dir, "whole.mp4"), "-f", "lavfi", "-i", "testsrc2=s=64x64:d=1"))
	require.NoError(t, err)
	picture := streamtest.JPEG(t, streamtest.Picture(64, 64, 0))
	secret := file("secret.mp4", whole)
	playlist := "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:1/x.ts\n#EXT-X-ENDLIST\n"
	for _, c := range []struct{ name, code, says string }{
		{filepath.Join(dir, "missing.mp4"), NotFound, "There is no such file"},
		{file("empty.mp4", nil), NoVideo, "The file is empty"},
		{file("text.mp4", []byte("not a video at all")), Unreadable, "it is no video at all"},
		{file("text.dat", []byte("not a video at all")), Unreadable, "no video that can be read"},
		{ffmpeg(t, filepath.Join(dir, "sound.wav"), "-f", "lavfi", "-i", "sine=d=0.2"), NoVideo, "There is no video in it"},
		{file("cut.mp4", whole[:len(whole)/2]), Unreadable, "cut off"},
		{file("list.m3u8", []byte(playlist)), Unreadable, ""},
		{filepath.Dir(file("none/notes.txt", nil)), NoVideo, "no pictures in this folder"},
		{filepath.Dir(file("bad/1.jpg", picture[:len(picture)/2])), Unreadable, "1.jpg: Part of the picture is missing"},
		{"", BadSource, "A source is camera:0"},
		{"ftp://host/x.mp4", BadSource, "cannot begin with ftp:"},
		{"concat:" + secret, BadSource, "cannot begin with concat:"},
		{"camera:front", BadSource, "A camera is named by its number"},
		{"rtsp://", BadSource, "address cannot be read"},
	} {
		t.Run(filepath.Base(c.name), func(t *testing.T) {
			t.Parallel()
			e := refused(t, c.name, Options{})
			require.Equal(t, c.code, e.Code, e.Error())
			require.Contains(t, e.Message, c.says)
		})
	}
}

func TestOpeningAVideoCanBeGivenUp(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithCancel(t.Context())
	m := childOf("tell ready; sleep 600 & wait")
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := Open(ctx, ffmpeg(t, filepath.Join(t.TempDir(), "x.mp4"), "-f", "lavfi", "-i", "testsrc2=s=64x64:d=0.1"), Options{machine: m})
	require.ErrorIs(t, err, context.Canceled)
}

func TestWithoutADecoderItIsSaidHowToGetOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.mp4")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	e := refused(t, file, Options{machine: machine{ffmpeg: []string{"no-such-program"}}})
	require.Equal(t, NoDecoder, e.Code)
	require.Contains(t, e.Message, "apt install ffmpeg")
}
