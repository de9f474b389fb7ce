package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"crokcam/api"
	"crokcam/api/feed"
	"crokcam/match"
	"crokcam/match/store"
)

func (c caller) send(method, path, body string, headers ...string) answer {
	c.Helper()
	kind := ""
	if body != "" {
		kind = "application/json"
	}
	return send(c, method, c.base+"/api/v1/"+path, kind, []byte(body), headers...)
}

// listen opens a stream of events and gives its messages.
func (c caller) listen(query string, headers ...string) func() feed.Message {
	c.Helper()
	request, err := http.NewRequestWithContext(c.Context(), http.MethodGet, c.base+"/api/v1/events?"+query, nil)
	require.NoError(c, err)
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	a, err := http.DefaultClient.Do(request)
	require.NoError(c, err)
	require.Equal(c, 200, a.StatusCode)
	c.Cleanup(func() { a.Body.Close() })
	lines := bufio.NewScanner(a.Body)
	lines.Buffer(nil, 4<<20)
	return func() feed.Message {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				var m feed.Message
				require.NoError(c, json.Unmarshal([]byte(data), &m))
				return m
			}
		}
		require.Fail(c, "the stream has ended")
		return feed.Message{}
	}
}

func TestASourcesPasswordIsKeptAndNeverShown(t *testing.T) {
	o := clubOptions(t)
	c := caller{t, start(t, o).URL}
	a := c.post("boards", `{"name":"Table 9","source":"rtsp://scorer:hunter2@10.0.0.7/live","open":true}`)
	require.Equal(t, 201, a.status, string(a.body))
	require.Equal(t, "/api/v1/boards/table-9", a.header.Get("Location"))
	etag := a.header.Get("ETag")
	shown := string(a.body)
	for _, path := range []string{"boards", "boards/table-9", "boards/table-9/status"} {
		shown += string(c.get(path).body)
	}
	a = c.send("PATCH", "boards/table-9", `{"name":"Table 9, by the window"}`, "If-Match", etag)
	require.Equal(t, 200, a.status, string(a.body))
	shown += string(a.body)
	require.NotContains(t, shown, "hunter2")
	require.NotContains(t, shown, "scorer:")
	p, err := o.Store.Paper(t.Context(), "board", "table-9")
	require.NoError(t, err)
	require.Contains(t, string(p.Data), "hunter2", "it is still there for the camera")
	requireProblem(t, c.send("PATCH", "boards/table-9", `{"name":"late"}`, "If-Match", etag), 412, "changed_meanwhile")
}

func TestABoardThatCannotBeIsRefusedWhole(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	for body, at := range map[string]string{
		`{"name":"x","source":"pigeon:1"}`:                             "#/source",
		`{"name":"x","source":"camera:0","preset":"round"}`:            "#/preset",
		`{"name":"x","source":"camera:0","size":"big"}`:                "#/size",
		`{"name":"x","source":"camera:0","focus":"sharp"}`:             "#/focus",
		`{"name":"???","source":"camera:0"}`:                           "#/id",
		`{"name":"x","source":"http://a:secretword@/nothing"}`:         "#/source",
		`{"name":"x","source":"camera:0","power_line":55}`:             "#/power_line",
		`{"name":"x","source":"camera:0","exposure":"1; rm -rf /tmp"}`: "#/exposure",
	} {
		p := requireProblem(t, c.post("boards", body), 422, "bad_body")
		require.Equal(t, at, p.Errors[0].Pointer, body)
		require.NotContains(t, p.Errors[0].Detail, "secretword")
	}
	requireProblem(t, c.post("boards", `{"id":"table-3","name":"x","source":"camera:0"}`), 409, "exists")
	requireProblem(t, c.get("boards/none"), 404, "not_found")
	requireProblem(t, c.get("boards/table-4/status"), 409, "not_running")
	requireProblem(t, c.get("boards/table-4/picture"), 409, "not_running")
	requireProblem(t, c.post("boards/table-4/pause", `{}`), 409, "not_running")
	requireProblem(t, c.send("DELETE", "boards/table-3", ""), 409, "in_use")
	requireProblem(t, c.post("boards/table-3/calibrations", `{"method":"rings"}`), 422, "bad_body")
	requireProblem(t, c.post("boards/table-3/calibrations", `{"method":"file","calibration":{"schema":"other"}}`), 422, "bad_body")
	requireProblem(t, c.post("boards/table-3/calibrations", `{"method":"points","width":640,"height":480,
		"points":[{"place":"edge@1","u":1,"v":1},{"place":"start@90","u":1,"v":2},{"place":"start@180","u":3,"v":1},{"place":"start@270","u":4,"v":4}]}`), 422, "bad_point")
}

func TestAMatchOnABoardIsWrittenThroughItsTableAndToldOnce(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	next := c.listen("snapshot=1&board=table-5&types=snapshot,match.started,round.started,match.changed,note.added")
	require.Equal(t, feed.Snapshot, next().Type)
	a := c.post("matches", strings.Replace(annAndBob, `"profile"`, `"board":"table-5","profile"`, 1))
	require.Equal(t, 201, a.status, string(a.body))
	id := c.view(a).Match
	require.Equal(t, "match.started", next().Type)
	require.Equal(t, "match.changed", next().Type)
	require.Equal(t, id, c.view(c.get("boards/table-5/match")).Match)

	c.view(c.post("matches/"+id+"/rounds/start", ``))
	require.Equal(t, "round.started", next().Type)
	changed := next()
	require.Equal(t, "match.changed", changed.Type)
	require.Equal(t, "table-5", changed.Board)
	var v match.View
	require.NoError(t, json.Unmarshal(changed.Data, &v))
	require.Equal(t, 2, v.Version)

	requireProblem(t, c.post("matches", strings.Replace(annAndBob, `"profile"`, `"board":"table-5","profile"`, 1)), 409, "in_use")
	require.Equal(t, 204, c.send("DELETE", "boards/table-5/match", "").status)
	requireProblem(t, c.get("boards/table-5/match"), 404, "not_found")
	requireProblem(t, c.send("DELETE", "boards/table-5/match", ""), 409, "no_match")
	c.view(c.post("matches/"+id+"/notes", `{"text":"off the board"}`))
	require.Equal(t, "note.added", next().Type)
	requireProblem(t, c.send("PUT", "boards/table-5/match", `{"match":"K4MR7"}`), 409, "in_use")
}

func TestASnapshotHasEveryBoardOfTheHallHoweverManyMatchesAreNewer(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	begin := func(on string) {
		c.view(c.post("matches", strings.Replace(annAndBob, `"profile"`, `"board":"`+on+`","profile"`, 1)))
	}
	for i := range 24 {
		begin(fmt.Sprintf("upstairs-%02d", i))
	}
	for range 24 {
		begin("cellar")
	}
	boards := func(query string) map[string]int {
		var data struct{ Matches []match.View }
		require.NoError(t, json.Unmarshal(c.listen(query)().Data, &data))
		n := map[string]int{}
		for _, v := range data.Matches {
			n[v.Board]++
		}
		return n
	}
	all := boards("snapshot=1")
	for i := range 24 {
		require.Equal(t, 1, all[fmt.Sprintf("upstairs-%02d", i)], i)
	}
	require.Equal(t, map[string]int{"upstairs-03": 1}, boards("snapshot=1&board=upstairs-03"))
}

func TestABoardGoesOnAfterARestartWhereItWas(t *testing.T) {
	o := clubOptions(t)
	var tables sync.Map
	o.OpenTable = openFake(t, &tables)
	service, err := api.New(o)
	require.NoError(t, err)
	c := caller{t, startService(t, service).URL}
	next := c.listen("types=board.changed&board=table-3")
	saved := c.get("boards/table-3/calibrations")
	var list struct{ Calibrations []json.RawMessage }
	unmarshal(t, saved, &list)
	a := c.post("boards/table-3/calibrations", `{"method":"auto"}`)
	require.Equal(t, 200, a.status)
	f, _ := tables.Load("table-3")
	cal := f.(*fakeTable).Calibration()
	cal.Quality.RMS = 0.25
	f.(*fakeTable).SetCalibration(cal)
	next()
	b, err := o.Store.Paper(t.Context(), "board", "table-3")
	require.NoError(t, err)
	require.Contains(t, string(b.Data), `"rms_mm":0.25`)

	service.Stopping()
	tables.Clear()
	again := caller{t, start(t, o).URL}
	f, _ = tables.Load("table-3")
	require.Equal(t, 0.25, f.(*fakeTable).o.Calibration.Quality.RMS)
	require.Equal(t, "K4MR7", again.view(again.get("boards/table-3/match")).Code)
}

func TestALostCameraIsToldAndDegradesTheServiceWithoutKillingIt(t *testing.T) {
	o := clubOptions(t)
	var tables sync.Map
	o.OpenTable = openFake(t, &tables)
	server := start(t, o)
	c := caller{t, server.URL}
	next := c.listen("types=camera.lost,board.changed")
	f, _ := tables.Load("table-3")
	f.(*fakeTable).lose()
	require.Equal(t, "camera.lost", next().Type)
	var v struct {
		Status struct{ Camera struct{ Connected bool } }
	}
	require.NoError(t, json.Unmarshal(next().Data, &v))
	require.False(t, v.Status.Camera.Connected)
	a := send(t, "GET", server.URL+"/healthz", "", nil)
	require.Equal(t, 200, a.status, "to start it again would help nobody")
	var health struct {
		Status string
		Boards []struct{ ID, Camera string }
	}
	unmarshal(t, a, &health)
	require.Equal(t, "degraded", health.Status)
	require.Equal(t, "lost", health.Boards[0].Camera)
	require.Equal(t, "ok", health.Boards[1].Camera)
	figures := string(send(t, "GET", server.URL+"/metrics", "", nil).body)
	require.Contains(t, figures, `crokcam_camera_connected{board="table-3"} 0`)
	require.Contains(t, figures, `crokcam_camera_connected{board="table-5"} 1`)
	for _, name := range []string{
		"camera_frames_total", "camera_fps", "frame_age_seconds", "analysis_seconds", "settle_to_verdict_seconds_count", "camera_reconnects_total",
		"corrections_total", "too_close_total", "open_mats", "ws_clients", "dropped_events_total",
	} {
		require.Contains(t, figures, "crokcam_"+name)
	}
}

func TestTheStreamOfPicturesIsJPEGsOneAfterTheOther(t *testing.T) {
	server := start(t, clubOptions(t))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/api/v1/boards/table-3/stream.mjpeg?fps=30&view=annotated", nil)
	require.NoError(t, err)
	a, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer a.Body.Close()
	kind, params, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	require.NoError(t, err)
	require.Equal(t, "multipart/x-mixed-replace", kind)
	parts := multipart.NewReader(a.Body, params["boundary"])
	for range 3 {
		part, err := parts.NextPart()
		require.NoError(t, err)
		require.Equal(t, "image/jpeg", part.Header.Get("Content-Type"))
	}
}

func TestEventsGoOnWhereAStreamWasCutOffWhateverItWas(t *testing.T) {
	server := start(t, clubOptions(t))
	c := caller{t, server.URL}
	next := c.listen("match=BTWN4&types=note.added")
	for _, text := range []string{"one", "two", "three"} {
		c.view(c.post("matches/BTWN4/notes", `{"text":"`+text+`"}`))
	}
	c.view(c.post("matches/CRT78/notes", `{"text":"another match"}`))
	first := next()
	rest := []feed.Message{next(), next()}
	for name, again := range map[string]func() feed.Message{
		"since":         c.listen("match=BTWN4&types=note.added&since=" + itoa(first.ID)),
		"Last-Event-ID": c.listen("match=BTWN4&types=note.added", "Last-Event-ID", itoa(first.ID)),
	} {
		got := []feed.Message{again(), again()}
		require.Equal(t, rest, got, name)
	}
	ws, _, err := websocket.Dial(t.Context(), strings.Replace(server.URL, "http", "ws", 1)+"/api/v1/ws?match=BTWN4&types=note.added&since="+itoa(first.ID), nil) //nolint:bodyclose // the connection closes it
	require.NoError(t, err)
	defer ws.CloseNow()
	for _, want := range rest {
		_, data, err := ws.Read(t.Context())
		require.NoError(t, err)
		var m feed.Message
		require.NoError(t, json.Unmarshal(data, &m))
		require.Equal(t, want, m, "the same envelope")
	}
	requireProblem(t, c.get("events?match=NONE2"), 404, "not_found")
	requireProblem(t, c.get("ws"), 426, "not_a_socket")
}

func TestWhatAnotherProgramWritesIsToldToo(t *testing.T) {
	o := clubOptions(t)
	c := caller{t, start(t, o).URL}
	v := c.view(c.get("matches/BTWN4"))
	next := c.listen("match=BTWN4")
	r, err := store.Resume(t.Context(), o.Store, nil, v.Match)
	require.NoError(t, err)
	_, err = r.Record(t.Context(), store.Entry{Actor: match.Actor{Role: match.Scorer}, Bodies: []match.Body{match.Note{Text: "from the command line"}}})
	require.NoError(t, err)
	require.Equal(t, v.Version+1, c.view(c.get("matches/BTWN4")).Version)
	require.Equal(t, "note.added", next().Type)
}

func TestARevokedLinkLosesItsStream(t *testing.T) {
	server, secrets, tokens := guarded(t, func(o *api.Options) { o.Beat = time.Millisecond })
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/events?token="+secrets["link"], nil)
	require.NoError(t, err)
	a, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer a.Body.Close()
	list, err := tokens.List(t.Context())
	require.NoError(t, err)
	for _, x := range list {
		if x.Role == "link" {
			require.NoError(t, tokens.Revoke(t.Context(), x.ID))
		}
	}
	lines := bufio.NewScanner(a.Body)
	for lines.Scan() { // up to its end
	}
	require.NoError(t, lines.Err())
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
