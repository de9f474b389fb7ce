package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/api"
	"crokcam/api/access"
	"crokcam/api/contract"
)

// allowed is who may do what: v for viewers, s for scorers, o for organisers, m
// for machines, l for links, and 0 for somebody without a token.
var allowed = map[string]string{
	"openapi": "vsoml0", "docs": "vsoml0", "docsStyle": "vsoml0", "example": "vsoml0", "presets": "vsoml0",
	"listRules": "vsoml0", "getRule": "vsoml0", "whoAmI": "vsoml0", "signIn": "vsoml0", "signOut": "vsoml0",

	"listMatches": "vsoml", "getMatch": "vsoml", "listRounds": "vsoml", "listShots": "vsoml", "getShot": "vsoml",
	"getShotPicture": "vsoml", "listQuestions": "vsoml", "streamEvents": "vsoml", "socketEvents": "vsoml",
	"listBoards": "vsoml", "getBoard": "vsoml", "getStatus": "vsoml", "getBoardMatch": "vsoml", "getPicture": "vsoml", "streamBoard": "vsoml",

	"scorePhoto": "vsom", "annotatePhoto": "vsom", "scorePhotos": "vsom", "listEvents": "vsom", "exportMatch": "vsom",
	"statistics": "vsom", "listCorrections": "vsom", "getCalibration": "vsom",
	"listJobs": "vsom", "getJob": "vsom", "removeJob": "vsom", "getJobResult": "vsom",

	"startMatch": "som", "startRound": "som", "enterRound": "som", "agreeRound": "som", "correct": "som", "answerQuestion": "som",
	"undo": "som", "redo": "som", "pauseMatch": "som", "resumeMatch": "som", "closeMatch": "som", "forfeitTurn": "som",
	"endTime": "som", "holdShootout": "som", "takeBoard": "som", "addNote": "som",
	"calibrateBoard": "som", "attachMatch": "som", "detachMatch": "som", "pauseBoard": "som", "resumeBoard": "som", "acceptBoard": "som",

	"recordEvents": "om",

	"deleteMatch": "o", "importMatch": "o", "createBoard": "o", "editBoard": "o", "deleteBoard": "o", "listSources": "o",
	"listTokens": "o", "createToken": "o", "revokeToken": "o",
	"listWebhooks": "o", "createWebhook": "o", "getWebhook": "o", "editWebhook": "o", "deleteWebhook": "o", "testWebhook": "o", "listDeliveries": "o",
	"startJob": "o",
}

// guarded is a service that asks for tokens, and a token of each role.
func guarded(t testing.TB, change ...func(*api.Options)) (*httptest.Server, map[contract.Role]string, *access.Tokens) {
	t.Helper()
	o := clubOptions(t)
	o.Access = access.Closed
	for _, f := range change {
		f(&o)
	}
	tokens, err := access.NewTokens(o.Store, "", o.Clock)
	require.NoError(t, err)
	secrets := map[contract.Role]string{}
	for _, role := range contract.Roles() {
		secrets[role], _, err = tokens.Create(t.Context(), "the "+string(role), role, "", time.Time{})
		require.NoError(t, err)
	}
	return start(t, o), secrets, tokens
}

func TestEveryRouteIsForWhomItIsMeantFor(t *testing.T) {
	server, secrets, _ := guarded(t)
	service, err := api.New(clubOptions(t))
	require.NoError(t, err)
	letters := map[contract.Role]string{
		contract.Viewer: "v", contract.Scorer: "s", contract.Organiser: "o", contract.Machine: "m", contract.Link: "l", "": "0",
	}
	seen := map[string]bool{}
	for _, o := range service.Document().Operations {
		seen[o.ID] = true
		want, ok := allowed[o.ID]
		require.True(t, ok, "the test does not say who may %s", o.ID)
		for role, letter := range letters {
			status := tried(t, server.URL, o, secrets[role])
			switch {
			case strings.Contains(want, letter):
				require.NotContains(t, []int{401, 403}, status, "%s as %q", o.ID, role)
			case role == "":
				require.Equal(t, 401, status, "%s by a stranger", o.ID)
			default:
				require.Equal(t, 403, status, "%s as %q", o.ID, role)
			}
		}
	}
	for id := range allowed {
		require.True(t, seen[id], "%s is no operation", id)
	}
}

// tried sends a request for an operation with a token and gives the answer's
// status. What it asks for may not be there.
func tried(t *testing.T, base string, o *contract.Operation, token string) int {
	t.Helper()
	path, body := strings.NewReplacer("{token}", "none", "{job}", "none", "{match}", "K4MR7", "{board}", "table-3").Replace(o.Path), ""
	if len(o.Examples) > 0 {
		path, body = address(o, o.Examples[0]), string(o.Examples[0].Body)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, o.Method, base+path, strings.NewReader(body))
	require.NoError(t, err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	return answer.StatusCode
}

func TestMetricsAreForThoseWhoLookOnAndHealthForAll(t *testing.T) {
	server, secrets, _ := guarded(t)
	for _, path := range []string{"/livez", "/readyz", "/healthz"} {
		require.Equal(t, 200, send(t, "GET", server.URL+path, "", nil).status)
	}
	requireProblem(t, send(t, "GET", server.URL+"/metrics", "", nil), 401, "token_missing")
	require.Equal(t, 200, send(t, "GET", server.URL+"/metrics", "", nil, "Authorization", "Bearer "+secrets[contract.Machine]).status)
}

func TestATokenMayBeShownInItsOwnWayOnly(t *testing.T) {
	server, secrets, _ := guarded(t)
	get := func(path string, headers ...string) answer {
		return send(t, "GET", server.URL+path, "", nil, headers...)
	}
	link, machine, viewer := secrets[contract.Link], secrets[contract.Machine], secrets[contract.Viewer]

	require.Equal(t, 200, get("/api/v1/matches/K4MR7?token="+link).status, "a link's in the address")
	require.Equal(t, 200, get("/api/v1/matches", "X-Api-Key", machine).status)
	requireProblem(t, get("/api/v1/matches?token="+viewer), 401, "token_in_address")
	requireProblem(t, get("/api/v1/matches/K4MR7/events?token="+link), 401, "token_in_address")
	requireProblem(t, get("/api/v1/matches", "X-Api-Key", viewer), 401, "key_not_machine")
	requireProblem(t, get("/api/v1/matches", "Authorization", "Basic "+viewer), 401, "token_unknown")
	requireProblem(t, get("/api/v1/matches", "Authorization", "Bearer "+viewer+"x"), 401, "token_unknown")
	requireProblem(t, send(t, "POST", server.URL+"/api/v1/matches/K4MR7/undo?token="+link, "", nil), 401, "token_in_address")
	require.Contains(t, get("/api/v1/matches").header.Get("WWW-Authenticate"), "Bearer")
}

func TestARevokedOrExpiredTokenLetsNobodyIn(t *testing.T) {
	now := time.Date(2026, 11, 30, 19, 0, 0, 0, time.UTC)
	server, secrets, tokens := guarded(t, func(o *api.Options) { o.Clock = func() time.Time { return now } })
	as := func(secret string) answer {
		return send(t, "GET", server.URL+"/api/v1/matches", "", nil, "Authorization", "Bearer "+secret)
	}
	brief, _, err := tokens.Create(t.Context(), "for tonight", contract.Viewer, "", now.Add(time.Hour))
	require.NoError(t, err)
	require.Equal(t, 200, as(brief).status)
	now = now.Add(2 * time.Hour)
	requireProblem(t, as(brief), 401, "token_unknown")

	viewer := secrets[contract.Viewer]
	require.Equal(t, 200, as(viewer).status)
	var list struct{ Tokens []access.Token }
	organiser := []string{"Authorization", "Bearer " + secrets[contract.Organiser]}
	a := send(t, "GET", server.URL+"/api/v1/tokens", "", nil, organiser...)
	unmarshal(t, a, &list)
	for _, x := range list.Tokens {
		if x.Role == contract.Viewer && x.Name == "the viewer" {
			require.Equal(t, 204, send(t, "DELETE", server.URL+"/api/v1/tokens/"+x.ID, "", nil, organiser...).status)
		}
	}
	requireProblem(t, as(viewer), 401, "token_unknown")
}

func TestTokensAreKeptAsHashesOnly(t *testing.T) {
	o := clubOptions(t)
	server := start(t, o)
	a := send(t, "POST", server.URL+"/api/v1/tokens", "application/json", []byte(`{"name":"tablet 1","role":"scorer"}`))
	require.Equal(t, 201, a.status)
	var made struct{ Token string }
	unmarshal(t, a, &made)
	require.NotEmpty(t, made.Token)
	papers, err := o.Store.Papers(t.Context(), "token")
	require.NoError(t, err)
	require.NotContains(t, string(papers[0].Data), made.Token)
	require.NotContains(t, string(papers[0].Data), made.Token[len(made.Token)-20:])
	require.NotContains(t, string(send(t, "GET", server.URL+"/api/v1/tokens", "", nil).body), made.Token)
	requireProblem(t, send(t, "POST", server.URL+"/api/v1/tokens", "application/json", []byte(`{"name":"x","role":"scorer","board":"table-3"}`)), 422, "bad_body")
}

func TestABrowserSignsInWithACookieThatOthersCannotUse(t *testing.T) {
	server, secrets, _ := guarded(t)
	a := send(t, "POST", server.URL+"/api/v1/session", "application/json", []byte(`{"token":"`+secrets[contract.Scorer]+`"}`))
	require.Equal(t, 200, a.status, string(a.body))
	cookie := a.header.Get("Set-Cookie")
	for _, part := range []string{"HttpOnly", "SameSite=Strict", "Path=/"} {
		require.Contains(t, cookie, part)
	}
	require.NotContains(t, cookie, "Secure", "this is http")
	shown := []string{"Cookie", strings.SplitN(cookie, ";", 2)[0]}
	require.JSONEq(t, `{"role":"scorer","name":"the scorer","open":false}`, string(send(t, "GET", server.URL+"/api/v1/session", "", nil, shown...).body))
	undo := server.URL + "/api/v1/matches/CRT78/undo"
	requireProblem(t, send(t, "POST", undo, "", nil, append(shown, "Origin", "http://elsewhere.example")...), 403, "cross_origin")
	require.Equal(t, 200, send(t, "POST", undo, "", nil, shown...).status)

	out := send(t, "DELETE", server.URL+"/api/v1/session", "", nil, shown...)
	require.Equal(t, 204, out.status)
	require.Contains(t, out.header.Get("Set-Cookie"), "Max-Age=0")
	requireProblem(t, send(t, "POST", server.URL+"/api/v1/session", "application/json", []byte(`{"token":"`+secrets[contract.Link]+`"}`)), 422, "not_for_browsers")
	require.JSONEq(t, `{"role":"","name":"","open":false}`, string(send(t, "GET", server.URL+"/api/v1/session", "", nil, "Cookie", access.Cookie+"=ck_gone_x").body))
}

func TestGuessingTokensIsSlow(t *testing.T) {
	server, secrets, _ := guarded(t)
	guess := func() answer {
		return send(t, "POST", server.URL+"/api/v1/session", "application/json", []byte(`{"token":"ck_aaaaaaaaaa_guess"}`))
	}
	for range 10 {
		requireProblem(t, guess(), 401, "token_unknown")
	}
	a := guess()
	requireProblem(t, a, 429, "too_many_tries")
	require.NotEmpty(t, a.header.Get("Retry-After"))
	requireProblem(t, send(t, "GET", server.URL+"/api/v1/matches", "", nil, "Authorization", "Bearer "+secrets[contract.Viewer]), 429, "too_many_tries")
	require.Equal(t, 200, send(t, "GET", server.URL+"/api/v1/session", "", nil).status, "who shows none is not concerned")
}

func TestOnItsOwnMachineTheServiceIsOpenUntilThereIsAnOrganiser(t *testing.T) {
	o := clubOptions(t)
	o.Access = access.Local
	server := start(t, o)
	require.Equal(t, 200, send(t, "GET", server.URL+"/api/v1/tokens", "", nil).status)
	require.JSONEq(t, `{"role":"organiser","name":"","open":true}`, string(send(t, "GET", server.URL+"/api/v1/session", "", nil).body))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/tokens", nil)
	require.NoError(t, err)
	request.Host = "rebound.example" // a name of another site that leads here
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, 403, answer.StatusCode)

	require.Equal(t, 201, send(t, "POST", server.URL+"/api/v1/tokens", "application/json", []byte(`{"name":"stream","role":"link"}`)).status)
	require.Equal(t, 200, send(t, "GET", server.URL+"/api/v1/tokens", "", nil).status, "a link closes nothing")
	require.Equal(t, 201, send(t, "POST", server.URL+"/api/v1/tokens", "application/json", []byte(`{"name":"Sam","role":"organiser"}`)).status)
	requireProblem(t, send(t, "GET", server.URL+"/api/v1/tokens", "", nil), 401, "token_missing")
}

func TestTheTokenOfTheSettingsIsAnOrganisers(t *testing.T) {
	const secret = "a word of one's own, long enough"
	server, _, _ := guarded(t, func(o *api.Options) { o.Token = secret })
	require.Equal(t, 200, send(t, "GET", server.URL+"/api/v1/tokens", "", nil, "Authorization", "Bearer "+secret).status)
	o := clubOptions(t)
	o.Token = "short"
	_, err := api.New(o)
	require.ErrorIs(t, err, access.ErrWeak)
}

func TestALinkForOneBoardShowsThatBoardAlone(t *testing.T) {
	server, _, tokens := guarded(t)
	secret, _, err := tokens.Create(t.Context(), "stream", contract.Link, "table-3", time.Time{})
	require.NoError(t, err)
	get := func(path string) answer {
		return send(t, "GET", server.URL+path, "", nil, "Authorization", "Bearer "+secret)
	}
	require.Equal(t, 200, get("/api/v1/boards/table-3").status)
	require.Equal(t, 200, get("/api/v1/matches/K4MR7").status)
	for _, path := range []string{
		"/api/v1/boards/table-5", "/api/v1/boards/table-5/picture", "/api/v1/boards/table-5/match", "/api/v1/boards/table-5/stream.mjpeg",
		"/api/v1/matches/DNE23", "/api/v1/matches?board=table-1", "/api/v1/events?board=table-5", "/api/v1/boards/table-5/status",
	} {
		requireProblem(t, get(path), 403, "not_allowed")
	}
	require.NotContains(t, string(get("/api/v1/boards").body), "table-5")
	require.NotContains(t, string(get("/api/v1/matches").body), "DNE23")
}
