package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"crokcam/api"
	"crokcam/api/access"
	"crokcam/api/problem"
	"crokcam/api/web"
	"crokcam/board"
	"crokcam/calibrate"
	profiles "crokcam/configs/rules"
	"crokcam/match/store"
	"crokcam/rules/profile"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

// recorded is a result of the example picture, kept so that these tests are of
// the service alone.
func recorded(t testing.TB) *photo.Report {
	t.Helper()
	data, err := os.ReadFile("testdata/example.report.json")
	require.NoError(t, err)
	var r photo.Report
	require.NoError(t, json.Unmarshal(data, &r))
	return &r
}

// fakeScorer answers at once, with what a test tells it to.
type fakeScorer struct {
	score func(ctx context.Context, data []byte, o photo.Options) (*photo.Report, error)
}

func (f fakeScorer) Score(ctx context.Context, data []byte, o photo.Options) (*photo.Report, error) {
	return f.score(ctx, data, o)
}

func (f fakeScorer) Annotate(data []byte, _ *photo.Report) ([]byte, error) {
	return append([]byte("drawn "), data...), nil
}

func options(score func(context.Context, []byte, photo.Options) (*photo.Report, error)) api.Options {
	profiles, err := profile.Load(profiles.FS)
	if err != nil {
		panic(err) // the program's own
	}
	return api.Options{
		Scorer:       fakeScorer{score},
		Store:        store.NewMemory(),
		Profiles:     profiles,
		Access:       access.Open,
		Log:          slog.New(slog.DiscardHandler),
		Version:      "test",
		Limits:       decode.Limits{Bytes: 1_000_000},
		Parallel:     2,
		QueueTimeout: time.Minute,
		ScoreTimeout: time.Minute,
	}
}

func start(t testing.TB, o api.Options) *httptest.Server {
	t.Helper()
	service, err := api.New(o)
	require.NoError(t, err)
	return startService(t, service)
}

// startService serves, and checks that every answer keeps to the description.
func startService(t testing.TB, service *api.Service) *httptest.Server {
	t.Helper()
	require.NoError(t, service.Start(t.Context()))
	server := httptest.NewServer(keptTo(t, service))
	t.Cleanup(func() {
		service.Stopping() // ends its streams
		server.Close()
		service.Close()
	})
	return server
}

// keptTo compares what a service answers with what it says it does.
func keptTo(t testing.TB, service *api.Service) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o := service.Document().Find(r.Method, r.URL.Path)
		if o == nil || streams[o.ID] {
			service.ServeHTTP(w, r)
			return
		}
		answered := httptest.NewRecorder()
		service.ServeHTTP(answered, r)
		if err := o.Answer(answered.Code, answered.Header(), answered.Body.Bytes()); err != nil {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
		maps.Copy(w.Header(), answered.Header())
		w.WriteHeader(answered.Code)
		_, _ = w.Write(answered.Body.Bytes())
	})
}

// streams are the operations whose answers have no end.
var streams = map[string]bool{"streamEvents": true, "socketEvents": true, "streamBoard": true}

// scores is a scorer that finds the recorded result in every picture.
func scores(t testing.TB) func(context.Context, []byte, photo.Options) (*photo.Report, error) {
	r := recorded(t)
	return func(context.Context, []byte, photo.Options) (*photo.Report, error) { return r, nil }
}

type answer struct {
	status int
	header http.Header
	body   []byte
}

func send(t testing.TB, method, url, contentType string, body []byte, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	require.NoError(t, err)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	var b bytes.Buffer
	_, err = b.ReadFrom(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, b.Bytes()}
}

// requireProblem checks an error answer and returns it.
func requireProblem(t testing.TB, a answer, status int, code string) problem.Problem {
	t.Helper()
	require.Equal(t, status, a.status, string(a.body))
	require.Equal(t, "application/problem+json", a.header.Get("Content-Type"))
	require.Equal(t, "no-store", a.header.Get("Cache-Control"))
	var p problem.Problem
	require.NoError(t, json.Unmarshal(a.body, &p))
	require.Equal(t, code, p.Code)
	require.Equal(t, status, p.Status)
	require.Equal(t, "urn:crokcam:problem:"+code, p.Type)
	require.NotEmpty(t, p.Title)
	require.NotEmpty(t, p.Detail)
	return p
}

type field struct{ name, value string }

func form(t testing.TB, fields ...field) (contentType string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, f := range fields {
		if f.name == "photo" {
			part, err := w.CreateFormFile("photo", "round.heic.exe")
			require.NoError(t, err)
			_, err = part.Write([]byte(f.value))
			require.NoError(t, err)
		} else {
			require.NoError(t, w.WriteField(f.name, f.value))
		}
	}
	require.NoError(t, w.Close())
	return w.FormDataContentType(), b.Bytes()
}

func TestAPictureSentAsTheBodyOrInAFormIsScored(t *testing.T) {
	var got []byte
	var told photo.Options
	r := recorded(t)
	server := start(t, options(func(_ context.Context, data []byte, o photo.Options) (*photo.Report, error) {
		got, told = data, o
		return r, nil
	}))
	formType, formBody := form(t, field{"sides", "2"}, field{"photo", "picture"}, field{"side", "A=red"}, field{"side", "b=Natural"}, field{"twenties", "A=1"}, field{"board", "octagon-classic"})
	query := "?sides=2&side=A%3Dred&side=b%3DNatural&twenties=A%3D1&board=octagon-classic"
	for name, a := range map[string]func() answer{
		"body": func() answer {
			return send(t, "POST", server.URL+"/api/v1/photos"+query, "image/jpeg", []byte("picture"))
		},
		"body without a type": func() answer { return send(t, "POST", server.URL+"/api/v1/photos"+query, "", []byte("picture")) },
		"body with the type of a form": func() answer {
			return send(t, "POST", server.URL+"/api/v1/photos"+query, "application/x-www-form-urlencoded", []byte("picture"))
		},
		"form": func() answer { return send(t, "POST", server.URL+"/api/v1/photos", formType, formBody) },
	} {
		t.Run(name, func(t *testing.T) {
			got, told = nil, photo.Options{}
			a := a()
			require.Equal(t, http.StatusOK, a.status, string(a.body))
			require.Equal(t, "application/json; charset=utf-8", a.header.Get("Content-Type"))
			var back photo.Report
			require.NoError(t, json.Unmarshal(a.body, &back))
			require.Equal(t, *r, back)
			require.Equal(t, "picture", string(got))
			require.Equal(t, 2, told.Sides)
			require.Equal(t, []photo.SideChoice{{Side: board.SideA, Colour: "red"}, {Side: board.SideB, Colour: "natural"}}, told.Choices)
			require.Equal(t, map[board.Side]int{board.SideA: 1}, told.Twenties)
			require.Equal(t, "octagon-classic", told.Board.Name)
		})
	}
}

func TestTheAnnotatedPictureComesBackAsAJPEG(t *testing.T) {
	server := start(t, options(scores(t)))
	a := send(t, "POST", server.URL+"/api/v1/photos/annotated", "image/jpeg", []byte("picture"))
	require.Equal(t, http.StatusOK, a.status)
	require.Equal(t, "image/jpeg", a.header.Get("Content-Type"))
	require.Equal(t, "drawn picture", string(a.body))
}

func TestTheServersBoardIsUsedUnlessTheRequestNamesAnother(t *testing.T) {
	spec := board.Tournament26()
	var told *board.Spec
	o := options(func(_ context.Context, _ []byte, o photo.Options) (*photo.Report, error) {
		told = o.Board
		return recorded(t), nil
	})
	o.Board = &spec
	server := start(t, o)
	send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x"))
	require.Equal(t, "tournament-26", told.Name)
	send(t, "POST", server.URL+"/api/v1/photos?board=vintage-22", "", []byte("x"))
	require.Equal(t, "vintage-22", told.Name)
	send(t, "POST", server.URL+"/api/v1/photos?board=auto", "", []byte("x"))
	require.Nil(t, told)
}

func TestThePointsAndRingsThatAPersonSeesReachTheScorer(t *testing.T) {
	var told calibrate.Hand
	r := recorded(t)
	server := start(t, options(func(_ context.Context, _ []byte, o photo.Options) (*photo.Report, error) {
		told = o.Hand
		return r, nil
	}))
	query := url.Values{"point": {"start@0=10,20", "centre=30,40.5"}, "ring": {"ten=1,2,3,4,5"}}
	want := calibrate.Hand{
		Points: []calibrate.Point{{Name: "start@0", U: 10, V: 20}, {Name: "centre", U: 30, V: 40.5}},
		Rings:  []calibrate.RingEllipse{{Ring: "ten", CX: 1, CY: 2, A: 3, B: 4, Angle: 5}},
	}
	require.Equal(t, 200, send(t, "POST", server.URL+"/api/v1/photos?"+query.Encode(), "", []byte("x")).status)
	require.Equal(t, want, told)

	kind, body := form(t, field{"photo", "x"}, field{"point", "start@0=10,20"}, field{"point", "centre=30,40.5"}, field{"ring", "ten=1,2,3,4,5"})
	told = calibrate.Hand{}
	require.Equal(t, 200, send(t, "POST", server.URL+"/api/v1/photos", kind, body).status)
	require.Equal(t, want, told, "as a form's fields too")
}

func TestEveryReasonWhyAPictureCannotBeScoredHasItsStatus(t *testing.T) {
	var fail error
	server := start(t, options(func(context.Context, []byte, photo.Options) (*photo.Report, error) { return nil, fail }))
	for _, c := range []struct {
		err    error
		status int
		code   string
	}{
		{&decode.Error{Code: "empty_file", Message: "m"}, 400, "empty_file"},
		{&decode.Error{Code: "not_a_picture", Message: "m"}, 415, "not_a_picture"},
		{&decode.Error{Code: "unsupported_format", Message: "m"}, 415, "unsupported_format"},
		{&decode.Error{Code: "truncated", Message: "m"}, 422, "truncated"},
		{&decode.Error{Code: "too_many_bytes", Message: "m"}, 413, "too_many_bytes"},
		{&decode.Error{Code: "too_many_pixels", Message: "m"}, 413, "too_many_pixels"},
		{&decode.Error{Code: "decode_failed", Message: "m"}, 422, "decode_failed"},
		{fmt.Errorf("score: %w", photo.ErrNoBoard), 422, "board_not_found"},
		{&photo.OptionError{Code: "too_many_twenties", Message: "m"}, 422, "too_many_twenties"},
		{&photo.OptionError{Code: "unknown_colour", Message: "m"}, 422, "unknown_colour"},
		{&calibrate.ManualError{Code: "points_impossible", Message: "m"}, 422, "points_impossible"},
		{context.DeadlineExceeded, 503, "too_slow"},
		{errors.New("/secret/path: out of ink"), 500, "failed"},
	} {
		t.Run(c.code, func(t *testing.T) {
			fail = c.err
			a := send(t, "POST", server.URL+"/api/v1/photos", "image/jpeg", []byte("x"))
			p := requireProblem(t, a, c.status, c.code)
			require.NotContains(t, p.Detail, "secret")
			require.Equal(t, c.status == 503, a.header.Get("Retry-After") != "")
		})
	}
}

func TestAScorerThatPanicsCostsOneAnswerNotTheService(t *testing.T) {
	explode := true
	r := recorded(t)
	server := start(t, options(func(context.Context, []byte, photo.Options) (*photo.Report, error) {
		if explode {
			panic("boom")
		}
		return r, nil
	}))
	for range 3 { // more than there are places
		requireProblem(t, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x")), 500, "failed")
	}
	explode = false
	require.Equal(t, 200, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x")).status)
}

func TestWrongRequestsAreRefusedBeforeTheScorerSeesThem(t *testing.T) {
	server := start(t, options(func(context.Context, []byte, photo.Options) (*photo.Report, error) {
		t.Error("the scorer was asked")
		return nil, photo.ErrNoBoard
	}))
	post := func(query, kind string, body []byte) answer {
		return send(t, "POST", server.URL+"/api/v1/photos"+query, kind, body)
	}
	noPhotoType, noPhoto := form(t, field{"sides", "2"})
	twiceType, twice := form(t, field{"photo", "x"}, field{"photo", "y"})
	cutType, cut := form(t, field{"photo", strings.Repeat("x", 5000)})
	for _, c := range []struct {
		name   string
		a      answer
		status int
		code   string
	}{
		{"no body", post("", "image/jpeg", nil), 400, "photo_missing"},
		{"a form without a picture", post("", noPhotoType, noPhoto), 400, "photo_missing"},
		{"a form with two", post("", twiceType, twice), 400, "bad_form"},
		{"a form that ends early", post("", cutType, cut[:3000]), 400, "cut_off"},
		{"a form without a boundary", post("", "multipart/form-data", []byte("x")), 400, "bad_form"},
		{"sides that are no number", post("?sides=two", "", []byte("x")), 400, "bad_option"},
		{"five sides", post("?sides=5", "", []byte("x")), 400, "bad_option"},
		{"a side that there is not", post("?side=Q%3Dblack", "", []byte("x")), 422, "unknown_side"},
		{"20s that are no number", post("?twenties=A%3Dx", "", []byte("x")), 422, "bad_option"},
		{"an option that there is not", post("?colour=red", "", []byte("x")), 400, "bad_option"},
		{"a place that no board has", post("?point=edge%401%3D3%2C4", "", []byte("x")), 422, "bad_point"},
		{"a point without its pixel", post("?point=start%4090", "", []byte("x")), 422, "bad_point"},
		{"a ring that is no ellipse", post("?ring=start%3D1%2C2", "", []byte("x")), 422, "bad_ring"},
		{"a board that there is not", post("?board=..%2Fetc", "", []byte("x")), 422, "unknown_board"},
		{"an address that there is not", send(t, "GET", server.URL+"/api/v1/nothing", "", nil), 404, "not_found"},
		{"another method", send(t, "PUT", server.URL+"/api/v1/photos", "", nil), 405, "method_not_allowed"},
		{"another website's page", send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x"), "Sec-Fetch-Site", "cross-site"), 403, "cross_origin"},
	} {
		t.Run(c.name, func(t *testing.T) { requireProblem(t, c.a, c.status, c.code) })
	}
}

func TestAPictureThatIsTooLargeIsRefused(t *testing.T) {
	o := options(scores(t))
	o.Limits.Bytes = 2_000_000
	server := start(t, o)
	at := bytes.Repeat([]byte("x"), 2_000_000)
	require.Equal(t, 200, send(t, "POST", server.URL+"/api/v1/photos", "", at).status)
	p := requireProblem(t, send(t, "POST", server.URL+"/api/v1/photos", "", append(at, 'x')), 413, "too_many_bytes")
	require.Contains(t, p.Detail, "2 megabytes")
	kind, body := form(t, field{"photo", string(at)})
	require.Equal(t, 200, send(t, "POST", server.URL+"/api/v1/photos", kind, body).status)
	kind, body = form(t, field{"photo", string(at) + "x"})
	requireProblem(t, send(t, "POST", server.URL+"/api/v1/photos", kind, body), 413, "too_many_bytes")
}

func TestAHundredMegabytesAreRefusedByTheirHeader(t *testing.T) {
	service, err := api.New(options(scores(t)))
	require.NoError(t, err)
	unread := &countingReader{}
	request := httptest.NewRequestWithContext(t.Context(), "POST", "/api/v1/photos", unread)
	request.ContentLength = 100_000_000
	w := httptest.NewRecorder()
	service.ServeHTTP(w, request)
	requireProblem(t, answer{w.Code, w.Header(), w.Body.Bytes()}, 413, "too_many_bytes")
	require.Zero(t, unread.n, "not a byte of it was read")

	// A stream that does not say how long it is ends at the limit.
	request = httptest.NewRequestWithContext(t.Context(), "POST", "/api/v1/photos", unread)
	request.ContentLength = -1
	w = httptest.NewRecorder()
	service.ServeHTTP(w, request)
	requireProblem(t, answer{w.Code, w.Header(), w.Body.Bytes()}, 413, "too_many_bytes")
	require.Less(t, unread.n, 2_000_000)
}

type countingReader struct{ n int }

func (r *countingReader) Read(p []byte) (int, error) {
	r.n += len(p)
	return len(p), nil
}

func TestMorePicturesThanPlacesWaitAndThenAreToldToComeBack(t *testing.T) {
	inside, leave := make(chan struct{}), make(chan struct{})
	r := recorded(t)
	o := options(func(context.Context, []byte, photo.Options) (*photo.Report, error) {
		inside <- struct{}{}
		<-leave
		return r, nil
	})
	o.Parallel, o.QueueTimeout = 1, time.Millisecond
	server := start(t, o)

	first := make(chan answer)
	go func() { first <- send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x")) }()
	<-inside
	var health struct {
		Pictures struct{ Parallel, Busy int }
	}
	require.NoError(t, json.Unmarshal(send(t, "GET", server.URL+"/healthz", "", nil).body, &health))
	require.Equal(t, 1, health.Pictures.Busy)

	a := send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x"))
	requireProblem(t, a, 503, "busy")
	require.Equal(t, "5", a.header.Get("Retry-After"))

	close(leave)
	require.Equal(t, 200, (<-first).status)
	go func() { <-inside }()
	require.Equal(t, 200, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x")).status)
}

func TestWhileABoardIsWatchedACoreIsLeftToIt(t *testing.T) {
	spare := max(1, runtime.GOMAXPROCS(0)-1)
	e := newEvening(t)
	e.board("table-1", "Table 1", "", true)
	inside, leave := make(chan struct{}), make(chan struct{})
	r := recorded(t)
	e.options.Scorer = fakeScorer{func(context.Context, []byte, photo.Options) (*photo.Report, error) {
		inside <- struct{}{}
		<-leave
		return r, nil
	}}
	e.options.Parallel, e.options.QueueTimeout = spare+1, time.Millisecond
	server := start(t, e.options)
	answers := make(chan answer, spare+1)
	enters := func() {
		t.Helper()
		go func() { answers <- send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x")) }()
		select {
		case <-inside:
		case a := <-answers:
			require.Fail(t, "it was not scored", "%d %s", a.status, a.body)
		}
	}
	table := e.table("table-1")
	require.True(t, table.Status().Camera.Connected)
	for range spare {
		enters()
	}
	requireProblem(t, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x")), 503, "busy")
	table.lose()
	enters() // nothing is watched any more
	close(leave)
	for range spare + 1 {
		require.Equal(t, 200, (<-answers).status)
	}
}

func TestASlowPictureIsGivenUpButKeepsItsPlaceUntilItEnds(t *testing.T) {
	inside, leave := make(chan struct{}, 2), make(chan struct{})
	var running atomic.Int32
	o := options(func(context.Context, []byte, photo.Options) (*photo.Report, error) {
		running.Add(1)
		defer running.Add(-1)
		inside <- struct{}{}
		<-leave // image code does not look at the context
		return nil, photo.ErrNoBoard
	})
	o.Parallel, o.QueueTimeout, o.ScoreTimeout = 1, time.Millisecond, time.Millisecond
	server := start(t, o)
	requireProblem(t, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x")), 503, "too_slow")
	<-inside
	require.EqualValues(t, 1, running.Load())
	requireProblem(t, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x")), 503, "busy")
	close(leave)
}

func TestPicturesThatWaitAreBoundedToo(t *testing.T) {
	inside, leave := make(chan struct{}, 100), make(chan struct{})
	r := recorded(t)
	o := options(func(context.Context, []byte, photo.Options) (*photo.Report, error) {
		inside <- struct{}{}
		<-leave
		return r, nil
	})
	o.Parallel = 1
	server := start(t, o)
	answers := make(chan answer, 100)
	const most = 8 // one that is worked on, and seven that wait
	for range most + 3 {
		go func() { answers <- send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x")) }()
	}
	<-inside
	for range 3 {
		requireProblem(t, <-answers, 503, "busy")
	}
	close(leave)
	for range most {
		require.Equal(t, 200, (<-answers).status)
	}
}

func TestOneClientMaySendSoManyPicturesAMinute(t *testing.T) {
	o := options(scores(t))
	o.PicturesPerMinute = 3
	server := start(t, o)
	for range 3 {
		require.Equal(t, 200, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x")).status)
	}
	// Without trusted proxies nobody gets a new allowance by naming another address.
	a := send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x"), "X-Forwarded-For", "192.0.2.7")
	requireProblem(t, a, 429, "too_many_pictures")
	wait, err := strconv.Atoi(a.header.Get("Retry-After"))
	require.NoError(t, err)
	require.InDelta(t, 20, wait, 5)
	require.Equal(t, 200, send(t, "GET", server.URL+"/", "", nil).status, "the page itself is not limited")
}

func TestATrustedProxySpeaksForItsClients(t *testing.T) {
	o := options(scores(t))
	o.PicturesPerMinute = 1
	o.TrustedProxies = []string{"127.0.0.1", "::1"}
	server := start(t, o)
	for client := range 3 {
		require.Equal(t, 200, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x"), "X-Forwarded-For", fmt.Sprintf("192.0.2.%d", client)).status)
	}
	requireProblem(t, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x"), "X-Forwarded-For", "192.0.2.1"), 429, "too_many_pictures")
}

func TestTheExampleIsScoredOnceAndNotAgain(t *testing.T) {
	var asked atomic.Int32
	r := recorded(t)
	server := start(t, options(func(_ context.Context, data []byte, _ photo.Options) (*photo.Report, error) {
		assert.Equal(t, web.Example(), data)
		if asked.Add(1) == 1 {
			return nil, errors.New("not this time")
		}
		return r, nil
	}))
	requireProblem(t, send(t, "GET", server.URL+"/api/v1/example", "", nil), 500, "failed")
	for range 3 {
		require.Equal(t, 200, send(t, "GET", server.URL+"/api/v1/example", "", nil).status)
	}
	require.EqualValues(t, 2, asked.Load(), "a failure is tried again, a result is kept")
	require.Equal(t, web.Example(), send(t, "GET", server.URL+"/example.jpg", "", nil).body)
}

func TestHealthSaysWhetherTheServiceLivesAndIsReady(t *testing.T) {
	service, err := api.New(options(scores(t)))
	require.NoError(t, err)
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		service.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
		return w
	}
	require.Equal(t, 200, get("/livez").Code)
	require.Equal(t, 200, get("/readyz").Code)
	require.JSONEq(t, `{"status":"ok","version":"test","pictures":{"parallel":2,"busy":0},"boards":[]}`, get("/healthz").Body.String())
	service.Stopping()
	require.Equal(t, 200, get("/livez").Code, "it lives until it has stopped")
	require.Equal(t, 503, get("/readyz").Code)
	require.Contains(t, get("/healthz").Body.String(), "stopping")
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	server := start(t, options(scores(t)))
	for _, path := range append(web.Paths(), "/livez", "/healthz", "/api/v1/presets", "/nowhere") {
		a := send(t, "GET", server.URL+path, "", nil)
		require.Contains(t, a.header.Get("Content-Security-Policy"), "default-src 'none'", path)
		require.Equal(t, "nosniff", a.header.Get("X-Content-Type-Options"), path)
		require.Equal(t, "no-referrer", a.header.Get("Referrer-Policy"), path)
	}
}

func TestThePageNeedsNothingFromAnywhereElse(t *testing.T) {
	server := start(t, options(scores(t)))
	for _, path := range web.Paths() {
		a := send(t, "GET", server.URL+path, "", nil)
		require.Equal(t, 200, a.status, path)
		if strings.HasSuffix(path, ".jpg") || strings.Contains(path, "/fonts/") { // no text, but for the licences
			continue
		}
		for _, part := range strings.FieldsFunc(string(a.body), func(r rune) bool { return strings.ContainsRune("\"'`() ", r) }) {
			if u, err := url.Parse(part); err == nil && u.Host != "" {
				require.Equal(t, "www.w3.org", u.Host, "%s names %s", path, part) // an XML name, not a request
			}
		}
	}
}

func TestAnUnchangedFileIsNotSentAgain(t *testing.T) {
	server := start(t, options(scores(t)))
	first := send(t, "GET", server.URL+"/app.css", "", nil)
	require.Equal(t, "text/css; charset=utf-8", first.header.Get("Content-Type"))
	require.Equal(t, "no-cache", first.header.Get("Cache-Control"))
	again := send(t, "GET", server.URL+"/app.css", "", nil, "If-None-Match", first.header.Get("ETag"))
	require.Equal(t, http.StatusNotModified, again.status)
	require.Empty(t, again.body)
}

// unmarshal reads an answer that is good.
func unmarshal(t testing.TB, a answer, to any) {
	t.Helper()
	require.Less(t, a.status, 300, string(a.body))
	require.NoError(t, json.Unmarshal(a.body, to))
}
