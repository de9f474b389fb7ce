package main

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// serving starts crokcam serve and gives its address and a way to end it, which
// gives its exit status.
func serving(l *line, args ...string) (url string, stop func() int) {
	l.Helper()
	ctx, cancel := context.WithCancel(l.Context())
	messages, logged := io.Pipe()
	a := newApp(strings.NewReader(""), io.Discard, logged)
	a.scorer = fakeScorer{report(l), &l.told}
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, a, append([]string{"serve", "--log-format", "json"}, args...))
		logged.Close()
	}()
	records := json.NewDecoder(messages)
	var record struct{ Msg, URL string }
	for record.Msg != "listening" {
		require.NoError(l, records.Decode(&record))
	}
	go io.Copy(io.Discard, io.MultiReader(records.Buffered(), messages))
	return record.URL, func() int { cancel(); return <-ended }
}

func asked(t testing.TB, url, token string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	require.NoError(t, err)
	return a.StatusCode, string(body)
}

func TestTheServiceIsNotOpenedToOthersByMistake(t *testing.T) {
	l := in(t)
	for _, args := range [][]string{
		{"--listen", "0.0.0.0:0"}, {"--listen", "[::]:0"}, {"--listen", ":0"}, {"--listen", "127.0.0.1:0", "--base-path", "/club"},
	} {
		l.run(append([]string{"serve"}, args...)...)
		require.Equal(t, exitWrongUse, l.status, args)
		require.Contains(t, l.err, "crokcam token create --role organiser")
	}
	l.run("token", "create", "--role", "scorer", "tablet 1")
	require.Equal(t, exitGood, l.status)
	l.run("serve", "--listen", "0.0.0.0:0")
	require.Equal(t, exitWrongUse, l.status, "a scorer's token is no organiser's")

	url, stop := serving(l, "--listen", "0.0.0.0:0", "--insecure-no-auth")
	url = strings.Replace(url, "[::]", "127.0.0.1", 1)
	status, _ := asked(t, url+"api/v1/tokens", "")
	require.Equal(t, 200, status)
	require.Equal(t, exitGood, stop())
}

func TestTokensLetPeopleInUntilTheyAreRevoked(t *testing.T) {
	l := in(t)
	l.run("token", "create", "--role", "organiser", "--json", "Sam")
	require.Equal(t, exitGood, l.status, l.err)
	var sam struct{ ID, Token string }
	require.NoError(t, json.Unmarshal([]byte(l.out), &sam))
	l.run("token", "create", "--role", "viewer", "--days", "3", "Ann")
	require.Equal(t, exitGood, l.status)
	ann := strings.TrimSpace(l.out)

	url, stop := serving(l, "--listen", "127.0.0.1:0", "--base-path", "/club")
	url += "api/v1/"
	status, _ := asked(t, url+"tokens", "")
	require.Equal(t, 401, status)
	status, _ = asked(t, url+"tokens", ann)
	require.Equal(t, 403, status)
	status, body := asked(t, url+"tokens", sam.Token)
	require.Equal(t, 200, status)
	require.NotContains(t, body, ann)

	l.run("token", "list")
	require.Regexp(t, `(?m)^\S+ +organiser +Sam .* never$`, l.out)
	require.NotContains(t, l.out, ann)
	require.NotContains(t, l.out, sam.Token)
	l.run("token", "revoke", sam.ID)
	require.Equal(t, exitGood, l.status)
	status, _ = asked(t, url+"tokens", sam.Token)
	require.Equal(t, 401, status, "also in a service that runs")
	l.run("token", "revoke", sam.ID)
	require.Equal(t, exitWrongUse, l.status)
	require.Equal(t, exitGood, stop())

	l.run("token", "create", "--role", "king", "Bob")
	require.Equal(t, exitWrongUse, l.status)
	require.Contains(t, l.err, "organiser, machine, link")
	l.run("token", "create", "--role", "viewer", "--board", "table-1", "Bob")
	require.Equal(t, exitWrongUse, l.status)
}

func TestWhatAStreamIsToldIsHeardBeforeTheServiceStops(t *testing.T) {
	l := in(t)
	url, stop := serving(l, "--listen", "127.0.0.1:0")
	stream, err := http.Get(url + "api/v1/events?types=match.started")
	require.NoError(t, err)
	defer stream.Body.Close()
	answer, err := http.Post(url+"api/v1/matches", "application/json", strings.NewReader(
		`{"players":[{"seat":"south","name":"Ann"},{"seat":"north","name":"Bob"}]}`))
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, 201, answer.StatusCode)
	require.Equal(t, exitGood, stop())
	heard, err := io.ReadAll(stream.Body)
	require.NoError(t, err, "it ends, and is not cut off")
	require.Contains(t, string(heard), "match.started")
}

func TestABundleForFindingFaultsHasNoSecrets(t *testing.T) {
	l := in(t)
	l.file("crokcam.yaml", "boards:\n  - {id: table-1, source: 'rtsp://scorer:hunter2@127.0.0.1:1/live'}\n")
	l.run("token", "create", "--role", "organiser", "Sam")
	secret := strings.TrimSpace(l.out)
	url, stop := serving(l, "--listen", "127.0.0.1:0", "--config", "crokcam.yaml")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"api/v1/webhooks", strings.NewReader(`{"url":"http://127.0.0.1:1/?key=opensesame","types":["match.ended"]}`))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+secret)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, 201, answer.StatusCode)

	l.run("debug-bundle", "--config", "crokcam.yaml", "--url", url, "--token", secret, "bundle.zip")
	require.Equal(t, exitGood, l.status, l.err)
	require.Equal(t, exitGood, stop())
	z, err := zip.OpenReader("bundle.zip")
	require.NoError(t, err)
	defer z.Close()
	all := ""
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NotEmpty(t, data, f.Name)
		all += string(data)
	}
	for _, word := range []string{"hunter2", "scorer:", "opensesame", secret, "whsec_"} {
		require.NotContains(t, all, word)
	}
	for _, word := range []string{"server.listen", "table-1", "crokcam_camera_connected", `"token": 1`, "degraded"} {
		require.Contains(t, all, word)
	}
	l.run("debug-bundle", "--config", "crokcam.yaml", "--url", url, "later.zip")
	require.Equal(t, exitGood, l.status, "what cannot be had is told in its place")
	_, err = os.Stat("later.zip")
	require.NoError(t, err)
}
