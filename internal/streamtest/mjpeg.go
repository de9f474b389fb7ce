package streamtest

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
)

// MJPEG is a camera that sends JPEGs over HTTP, as multipart/x-mixed-replace.
type MJPEG struct {
	server
	pictures atomic.Pointer[[][]byte]
	password string
}

// NewMJPEG starts a server of the pictures, again and again from the first.
func NewMJPEG(t testing.TB, fps float64, pictures [][]byte) *MJPEG {
	t.Helper()
	m := &MJPEG{server: server{t: t, fps: fps}}
	m.Show(pictures)
	m.serve = m.answer
	m.start()
	return m
}

// Show has the server send other pictures from now on, to those already
// connected too.
func (m *MJPEG) Show(pictures [][]byte) { m.pictures.Store(&pictures) }

// Ask has the server want the name "scorer" and a password.
func (m *MJPEG) Ask(password string) { m.password = password }

// URL is where the stream is.
func (m *MJPEG) URL() string { return "http://" + m.address + "/stream" }

// With is the URL with a name and a password.
func (m *MJPEG) With(name, password string) string {
	return "http://" + name + ":" + password + "@" + m.address + "/stream"
}

func (m *MJPEG) answer(ctx context.Context, c net.Conn) {
	request, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	if _, password, ok := request.BasicAuth(); m.password != "" && (!ok || password != m.password) {
		fmt.Fprint(c, "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"camera\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		return
	}
	if request.URL.Path != "/stream" {
		fmt.Fprint(c, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		return
	}
	fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\nCache-Control: no-store\r\n\r\n")
	m.beat(ctx, func(i int) error {
		pictures := *m.pictures.Load()
		p := pictures[i%len(pictures)]
		if _, err := fmt.Fprintf(c, "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n", len(p)); err != nil {
			return err
		}
		_, err := c.Write(append(slices.Clip(p), "\r\n"...))
		return err
	})
}
