package streamtest

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"net/textproto"
	"strings"
	"testing"
)

// RTSP is a camera that sends H.264 over RTSP (RFC 2326), its RTP packets
// interleaved into the connection.
type RTSP struct {
	server
	units []Unit
}

// NewRTSP starts a server of the pictures, again and again from the first,
// which must be a key picture.
func NewRTSP(t testing.TB, fps float64, units []Unit) *RTSP {
	t.Helper()
	r := &RTSP{server: server{t: t, fps: fps}, units: units}
	r.serve = r.answer
	r.start()
	return r
}

// URL is where the stream is.
func (r *RTSP) URL() string { return "rtsp://" + r.address + "/board" }

func (r *RTSP) answer(ctx context.Context, c net.Conn) {
	in := textproto.NewReader(bufio.NewReader(c))
	for {
		line, err := in.ReadLine()
		if err != nil {
			return
		}
		header, err := in.ReadMIMEHeader()
		if err != nil {
			return
		}
		method, rest, _ := strings.Cut(line, " ")
		url, _, _ := strings.Cut(rest, " ")
		reply := func(status, extra, body string) {
			if body != "" {
				extra += fmt.Sprintf("Content-Length: %d\r\n", len(body))
			}
			fmt.Fprintf(c, "RTSP/1.0 %s\r\nCSeq: %s\r\n%s\r\n%s", status, header.Get("CSeq"), extra, body)
		}
		switch {
		case !strings.Contains(url, "/board"):
			reply("404 Not Found", "", "")
		case method == "OPTIONS":
			reply("200 OK", "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n", "")
		case method == "DESCRIBE":
			reply("200 OK", "Content-Type: application/sdp\r\nContent-Base: "+url+"/\r\n", r.description())
		case method == "SETUP":
			reply("200 OK", "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n", "")
		case method == "PLAY":
			reply("200 OK", "Session: 1\r\nRange: npt=0-\r\n", "")
			go func() { // the other side hangs up by closing
				for {
					if _, err := in.ReadLine(); err != nil {
						return
					}
				}
			}()
			r.play(ctx, c)
			return
		default:
			reply("200 OK", "Session: 1\r\n", "")
		}
	}
}

// description is the stream in SDP, its parameter sets included.
func (r *RTSP) description() string {
	var sets []string
	for _, nal := range r.units[0] {
		if kind := nal[0] & 31; kind == 7 || kind == 8 {
			sets = append(sets, base64.StdEncoding.EncodeToString(nal))
		}
	}
	return "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=board\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\nc=IN IP4 0.0.0.0\r\n" +
		fmt.Sprintf("a=framerate:%g\r\n", r.fps) +
		"a=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1;sprop-parameter-sets=" + strings.Join(sets, ",") +
		"\r\na=control:trackID=0\r\n"
}

func (r *RTSP) play(ctx context.Context, c net.Conn) {
	var seq uint16
	r.beat(ctx, func(i int) error {
		timestamp := uint32(float64(i) * 90_000 / r.fps)
		for _, p := range r.units[i%len(r.units)].packets(&seq, timestamp) {
			frame := append([]byte{'$', 0, byte(len(p) >> 8), byte(len(p))}, p...)
			if _, err := c.Write(frame); err != nil {
				return err
			}
		}
		return nil
	})
}
