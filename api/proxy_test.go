package api_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"crokcam/api"
	"crokcam/api/access"
	"crokcam/api/contract"
)

// behind serves a service behind nginx and gives the address that nginx has. location
// is the block that leads to the service, with %s for its address.
func behind(t *testing.T, o api.Options, location string) string {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		program, err = exec.LookPath("/usr/sbin/nginx") // not on everybody's path
	}
	if err != nil {
		t.Skip("nginx is not installed: scripts/setup installs it")
	}
	o.TrustedProxies = []string{"127.0.0.1"}
	upstream := start(t, o)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := free.Addr().String()
	require.NoError(t, free.Close())
	dir := t.TempDir()
	settings := fmt.Sprintf(`
daemon off; master_process off; pid %[1]s/pid; error_log stderr warn;
events {}
http {
  access_log off;
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  server {
    listen %[2]s;
    client_max_body_size 30m;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto https;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_upgrade;
    %[3]s
  }
}`, dir, address, fmt.Sprintf(location, upstream.URL))
	file := filepath.Join(dir, "nginx.conf")
	require.NoError(t, os.WriteFile(file, []byte(settings), 0o600))
	child := exec.Command(program, "-p", dir, "-c", file)
	child.Stderr = os.Stderr
	require.NoError(t, child.Start())
	t.Cleanup(func() {
		_ = child.Process.Kill()
		_ = child.Wait()
	})
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
		}
		return err == nil
	}, 10*time.Second, 10*time.Millisecond)
	return "http://" + address
}

func TestBehindAProxyEverythingWorksUnderItsPath(t *testing.T) {
	for name, location := range map[string]string{
		"the proxy leaves the path": "location /club/ { proxy_pass %s; }",
		"the proxy takes it off":    "location /club/ { proxy_pass %s/; }",
	} {
		t.Run(name, func(t *testing.T) {
			o := clubOptions(t)
			o.BasePath = "/club/"
			base := behind(t, o, location)
			c := caller{t, base + "/club"}

			require.Contains(t, string(send(t, "GET", base+"/club/", "", nil).body), "Crokcam")
			require.Equal(t, 200, send(t, "GET", base+"/club/js/main.js", "", nil).status)
			require.Contains(t, string(c.get("openapi.json").body), `"servers":[{"url":"/club/"}]`)
			a := c.post("matches", annAndBob)
			require.Equal(t, 201, a.status)
			require.True(t, strings.HasPrefix(a.header.Get("Location"), "/club/api/v1/matches/"))
			require.Equal(t, 200, send(t, "GET", base+a.header.Get("Location"), "", nil).status)

			next := c.listen("match=BTWN4&types=note.added")
			ws, _, err := websocket.Dial(t.Context(), strings.Replace(base, "http", "ws", 1)+"/club/api/v1/ws?match=BTWN4&types=note.added", //nolint:bodyclose // the connection closes it
				&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {base}}})
			require.NoError(t, err)
			defer ws.CloseNow()
			c.view(c.post("matches/BTWN4/notes", `{"text":"through the proxy"}`, "Origin", base, "Sec-Fetch-Site", "same-origin"))
			require.Equal(t, "note.added", next().Type, "an event is passed on at once")
			_, data, err := ws.Read(t.Context())
			require.NoError(t, err)
			require.Contains(t, string(data), "through the proxy")
		})
	}
}

func TestBehindAProxyClientsAreToldApartAndCookiesAreForHTTPS(t *testing.T) {
	o := clubOptions(t)
	o.Access, o.BasePath = access.Closed, "/club"
	tokens, err := access.NewTokens(o.Store, "", nil)
	require.NoError(t, err)
	secret, _, err := tokens.Create(t.Context(), "Sam", contract.Organiser, "", time.Time{})
	require.NoError(t, err)
	c := caller{t, behind(t, o, "location /club/ { proxy_pass %s; }") + "/club"}
	guess := func(client string) answer {
		return c.post("session", `{"token":"ck_aaaaaaaaaa_guess"}`, "X-Forwarded-For", client)
	}
	for range 10 {
		requireProblem(t, guess("192.0.2.1"), 401, "token_unknown")
	}
	requireProblem(t, guess("192.0.2.1"), 429, "too_many_tries")
	requireProblem(t, guess("192.0.2.2"), 401, "token_unknown")
	a := c.post("session", `{"token":"`+secret+`"}`, "X-Forwarded-For", "192.0.2.3")
	require.Equal(t, 200, a.status, string(a.body))
	require.Contains(t, a.header.Get("Set-Cookie"), "Path=/club/")
	require.Contains(t, a.header.Get("Set-Cookie"), "Secure", "the proxy is reached by https")
}
