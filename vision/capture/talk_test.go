package capture

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hear gives what a decoder's words tell of the frames, and the talk itself.
func hear(t *testing.T, words string) ([]frameInfo, *talk) {
	t.Helper()
	k := &talk{frames: make(chan frameInfo, 100)}
	k.listen(strings.NewReader(words), nil)
	var out []frameInfo
	for f := range k.frames {
		out = append(out, f)
	}
	return out, k
}

func TestTheDecodersTalkIsUnderstood(t *testing.T) {
	frames, k := hear(t, `
Input #0, rtsp, from 'rtsp://10.0.0.7/h264':
  Stream #0:1(und): Audio: aac (LC), 48000 Hz, stereo, fltp
  Stream #0:0[0x100](eng): Video: h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709, progressive), 1920x1080 [SAR 1:1 DAR 16:9], 1234 kb/s, 29.97 fps, 30 tbr, 90k tbn (default)
[Parsed_showinfo_1 @ 0x55] config in time_base: 1/90000, frame_rate: 30/1
[Parsed_showinfo_1 @ 0x55] config out time_base: 0/0, frame_rate: 0/0
[Parsed_showinfo_1 @ 0x55] n:   0 pts:      0 pts_time:0       pos:      -1 fmt:yuv420p sar:1/1 s:1920x1080 i:P iskey:1 type:I
[Parsed_showinfo_1 @ 0x55]   side data - GOP timecode - 00:00:00:00
[Parsed_showinfo_1 @ 0x55] color_range:tv color_space:bt709 color_primaries:unknown color_trc:unknown
[mjpeg @ 0x66] unable to decode APP fields: Invalid data found when processing input
[Parsed_showinfo_1 @ 0x55] n:   1 pts:      9 pts_time:0.0001 fmt:yuv420p sar:1/1 s:1920x1080 i:P iskey:0 type:P
[h264 @ 0x66] error while decoding MB 3 4, bytestream -7
[Parsed_showinfo_1 @ 0x55] n:   1 pts:12345678901 pts_time:137174 fmt:yuv420p sar:1/1 s:1920x1080 i:P iskey:0 type:P
[Parsed_showinfo_1 @ 0x55] color_range:pc color_space:smpte170m color_primaries:unknown color_trc:unknown
[Parsed_showinfo_1 @ 0x77] config in time_base: 1001/30000, frame_rate: 30000/1001
[Parsed_showinfo_1 @ 0x77] n:   0 pts:NOPTS pts_time:NOPTS fmt:yuv420p sar:1/1 s:640x361 i:P iskey:0 type:P
[Parsed_showinfo_1 @ 0x77] n:   1 pts:     -3 pts_time:-0.1001 fmt:yuvj420p sar:1/1 s:640x361 i:P iskey:0 type:P
`)
	require.Equal(t, []frameInfo{
		{at: 0, w: 1920, h: 1080, bt709: true},
		{at: 100 * time.Microsecond, w: 1920, h: 1080, bt709: true},
		{at: 137174210011111 * time.Nanosecond, w: 1920, h: 1080, bt709: true, damaged: true},
		{at: noTime, w: 640, h: 361, fullRange: true},
		{at: -100100 * time.Microsecond, w: 640, h: 361, fullRange: true},
	}, frames)
	require.Equal(t, Mode{Width: 1920, Height: 1080, FPS: 29.97, Format: "h264"}, k.mode())
}

func TestOnlyTheLastWordsAreKept(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	_, k := hear(t, strings.Repeat("something\n", 500)+long+"\nlast")
	lines := k.last()
	require.Len(t, lines, lineKept)
	require.Equal(t, "last", lines[len(lines)-1])
	for _, l := range lines {
		require.LessOrEqual(t, len(l), lineBytes)
	}
}

func FuzzTalk(f *testing.F) {
	f.Add("[Parsed_showinfo_1 @ 0x55] n:   0 pts:      0 s:1920x1080\n")
	f.Add("[Parsed_showinfo_1 @ 0x55] config in time_base: 0/0\n  Stream #0:0: Video: h264, yuv420p, 1x1, 1k fps")
	f.Fuzz(func(t *testing.T, words string) {
		k := &talk{frames: make(chan frameInfo)}
		go k.listen(strings.NewReader(words), nil)
		for i := range k.frames {
			require.LessOrEqual(t, max(i.w, i.h), maxSide)
		}
	})
}
