// Package streamtest is the cameras that tests have: an MJPEG server and an
// RTSP server that can be killed, brought back, made to hang or to break their
// pictures, and the pictures that they send.
package streamtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"os/exec"
	"testing"
)

// Picture is a scene with a bar that moves on with i, and a camera's noise.
func Picture(w, h, i int) *image.YCbCr {
	img := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
	noise := rand.New(rand.NewPCG(uint64(i), uint64(w)))
	for y := range h {
		for x := range w {
			v := 60 + 100*x/w + 40*y/h
			if d := (x - 5*i%w + w) % w; d < w/10 {
				v = 220
			}
			img.Y[y*img.YStride+x] = uint8(v + noise.IntN(9) - 4)
		}
	}
	for j := range img.Cb {
		img.Cb[j], img.Cr[j] = uint8(110+j%20), 140
	}
	return img
}

// JPEGs are n pictures, each encoded.
func JPEGs(t testing.TB, w, h, n int) [][]byte {
	t.Helper()
	out := make([][]byte, n)
	for i := range out {
		out[i] = JPEG(t, Picture(w, h, i))
	}
	return out
}

// JPEG encodes one picture.
func JPEG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 80}); err != nil {
		t.Fatalf("encode picture: %v", err)
	}
	return b.Bytes()
}

// Plain is a picture of one colour.
func Plain(w, h int, c color.Color) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, c)
		}
	}
	return img
}

// Unit is what H.264 needs for one picture: its NAL units, without start codes.
type Unit [][]byte

// H264 encodes n pictures of ffmpeg's test scene, with a key picture every ten.
func H264(t testing.TB, w, h, n int) []Unit {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error",
		"-f", "lavfi", "-i", fmt.Sprintf("testsrc2=s=%dx%d:r=30,noise=alls=8:allf=t", w, h), "-frames:v", fmt.Sprint(n),
		"-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "10", "-pix_fmt", "yuv420p",
		"-x264-params", "aud=1:repeat-headers=1:slices=1:sliced-threads=0", "-f", "h264", "pipe:1")
	var said bytes.Buffer
	cmd.Stderr = &said
	stream, err := cmd.Output()
	if err != nil {
		t.Fatalf("encode test stream: %v: %s", err, said.String())
	}
	var units []Unit
	for nal := range bytes.SplitSeq(stream, []byte{0, 0, 1}) {
		nal = bytes.TrimRight(nal, "\x00")
		switch {
		case len(nal) == 0:
		case nal[0]&31 == 9: // a delimiter: a picture begins
			units = append(units, Unit{})
		case len(units) > 0:
			units[len(units)-1] = append(units[len(units)-1], nal)
		}
	}
	if len(units) != n {
		t.Fatalf("the test stream has %d pictures, not %d", len(units), n)
	}
	return units
}

// rtpLimit is the largest RTP payload sent, bytes.
const rtpLimit = 1400

// packets are the RTP packets of a picture (RFC 6184: a unit that is too large
// goes as FU-A fragments). *seq counts them.
func (u Unit) packets(seq *uint16, timestamp uint32) [][]byte {
	var out [][]byte
	packet := func(last bool, parts ...[]byte) {
		p := make([]byte, 12, 12+rtpLimit+2)
		p[0], p[1] = 0x80, 96
		if last {
			p[1] |= 0x80
		}
		binary.BigEndian.PutUint16(p[2:], *seq)
		binary.BigEndian.PutUint32(p[4:], timestamp)
		binary.BigEndian.PutUint32(p[8:], 0x43524f4b)
		*seq++
		for _, part := range parts {
			p = append(p, part...)
		}
		out = append(out, p)
	}
	for i, nal := range u {
		final := i == len(u)-1
		if len(nal) <= rtpLimit {
			packet(final, nal)
			continue
		}
		head, body := nal[0], nal[1:]
		for first := true; len(body) > 0; first = false {
			n := min(len(body), rtpLimit)
			kind := head & 31
			if first {
				kind |= 0x80
			}
			if n == len(body) {
				kind |= 0x40
			}
			packet(final && n == len(body), []byte{head&0xe0 | 28, kind}, body[:n])
			body = body[n:]
		}
	}
	return out
}
