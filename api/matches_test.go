package api_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/match"
	"crokcam/match/store"
)

// caller sends requests to one service.
type caller struct {
	testing.TB
	base string
}

func (c caller) post(path, body string, headers ...string) answer {
	c.Helper()
	return send(c, "POST", c.base+"/api/v1/"+path, "application/json", []byte(body), headers...)
}

func (c caller) get(path string, headers ...string) answer {
	c.Helper()
	return send(c, "GET", c.base+"/api/v1/"+path, "", nil, headers...)
}

// view reads a match from an answer that is good.
func (c caller) view(a answer) match.View {
	c.Helper()
	var v match.View
	unmarshal(c, a, &v)
	return v
}

const annAndBob = `{"profile":"nca","rounds":2,"players":[{"seat":"south","name":"Ann"},{"seat":"north","name":"Bob"}]}`

func TestAMatchIsPlayedByHandFromItsStartToItsEnd(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	a := c.post("matches", annAndBob)
	require.Equal(t, 201, a.status, string(a.body))
	at := strings.TrimPrefix(a.header.Get("Location"), "/api/v1/")
	v := c.view(a)
	require.Equal(t, match.Between, v.Phase)
	require.Equal(t, `"1"`, a.header.Get("ETag"))
	c.view(c.post(at+"/rounds", `{"totals":{"A":75,"B":40},"twenties":{"A":1},"actor":"Sam"}`))
	v = c.view(c.post(at+"/rounds", `{"totals":{"A":20,"B":25},"twenties":{}}`))
	require.Equal(t, match.Over, v.Phase)
	requireProblem(t, c.post(at+"/rounds", `{"totals":{"A":20,"B":25},"twenties":{}}`), 409, "not_now")

	var events struct{ Events []match.Event }
	unmarshal(t, c.get(at+"/events"), &events)
	require.Equal(t, match.Actor{Role: match.Scorer, Name: "Sam"}, events.Events[1].Actor)
	v = c.view(c.post(at+"/undo", `{}`))
	require.Equal(t, match.Between, v.Phase)
	require.Equal(t, match.Over, c.view(c.post(at+"/redo", ``)).Phase)
}

func TestARequestThatIsSentTwiceIsCarriedOutOnce(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	key := []string{"Idempotency-Key", "tablet-1"}
	first := c.view(c.post("matches", annAndBob, key...))
	again := c.post("matches", annAndBob, key...)
	require.Equal(t, 201, again.status)
	require.Equal(t, first.Match, c.view(again).Match)
	requireProblem(t, c.post("matches", strings.Replace(annAndBob, "Ann", "Cleo", 1), key...), 422, "key_reused")

	at := "matches/" + first.Match
	note := func(text, key string) answer {
		return c.post(at+"/notes", `{"text":"`+text+`"}`, "Idempotency-Key", key)
	}
	require.Equal(t, 2, c.view(note("wax", "n1")).Version)
	require.Equal(t, 2, c.view(note("wax", "n1")).Version)
	requireProblem(t, note("glue", "n1"), 422, "key_reused")

	requireProblem(t, c.post("matches", annAndBob, "Idempotency-Key", "n1"), 422, "key_reused")

	// What is decided from the match is decided once as well.
	c.view(c.post(at+"/rounds", `{"totals":{"A":75,"B":40},"twenties":{"A":1}}`))
	undo := func(key, body string) answer { return c.post(at+"/undo", body, "Idempotency-Key", key) }
	require.Equal(t, 4, c.view(undo("u1", "")).Version)
	require.Equal(t, 4, c.view(undo("u1", "")).Version)
	requireProblem(t, undo("u1", `{"target":2}`), 422, "key_reused")
	requireProblem(t, undo("u2", ""), 409, "nothing_to_undo")
	requireProblem(t, c.post("matches/K4MR7/notes", `{"text":"wax"}`, "Idempotency-Key", "n1"), 422, "key_reused")
}

func TestOfTwoTabletsThatDecideOnTheSameOneIsToldToLookAgain(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	seen := c.get("matches/CRT78").header.Get("ETag")
	require.Equal(t, http.StatusNotModified, c.get("matches/CRT78", "If-None-Match", seen).status)
	correct := `{"change":{"value":{"disc":"3","zone":"10"}},"reason":"it touches"}`
	var good, late atomic.Int32
	var tablets sync.WaitGroup
	for range 8 {
		tablets.Go(func() {
			switch a := c.post("matches/CRT78/corrections", correct, "If-Match", seen); a.status {
			case 200:
				good.Add(1)
			case 412:
				late.Add(1)
			default:
				t.Errorf("%d: %s", a.status, a.body)
			}
		})
	}
	tablets.Wait()
	require.Equal(t, []int32{1, 7}, []int32{good.Load(), late.Load()})
	requireProblem(t, c.post("matches/CRT78/notes", `{"text":"x"}`, "If-Match", `"none of ours"`), 412, "changed_meanwhile")
	require.Equal(t, 200, c.post("matches/CRT78/notes", `{"text":"x"}`, "If-Match", c.get("matches/CRT78").header.Get("ETag")).status)
}

func TestWhoDoesNotSayWhatTheyHaveSeenIsNotHeldUp(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	before := c.view(c.get("matches/K4MR7")).Version
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			a := c.post("matches/K4MR7/notes", fmt.Sprintf(`{"text":"note %d"}`, i))
			if a.status != 200 {
				t.Errorf("%d: %s", a.status, a.body)
			}
		})
	}
	all.Wait()
	require.Equal(t, before+12, c.view(c.get("matches/K4MR7")).Version)
}

func TestWhatCannotBeIsRefusedWithAReason(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	for _, x := range []struct {
		path, body string
		status     int
		code       string
	}{
		{"matches/K4MR7/rounds", `{"totals":{"A":20},"twenties":{}}`, 409, "not_now"},
		{"matches/ASK9A/forfeits", `{"seat":"north"}`, 409, "still_open"},
		{"matches/K4MR7/forfeits", `{"seat":"north"}`, 409, "not_their_turn"},
		{"matches/CNT56/rounds/agree", `{"totals":{"A":80,"B":40},"twenties":{"A":3}}`, 409, "changed_meanwhile"},
		{"matches/CRT78/rounds/agree", `{"totals":{"A":15},"twenties":{}}`, 409, "not_now"},
		{"matches/CRT78/corrections", `{"change":{"value":{"disc":"99","zone":"10"}},"reason":"x"}`, 422, "no_such_target"},
		{"matches/CRT78/corrections", `{"change":{"twenties":{"side":"A","by":-3}},"reason":"x"}`, 409, "does_not_add_up"},
		{"matches/ASK9A/questions/5/answer", `{"choice":"perhaps"}`, 422, "impossible"},
		{"matches/ASK9A/questions/4/answer", `{"choice":"10"}`, 422, "no_such_target"},
		{"matches/BTWN4/undo", ``, 409, "nothing_to_undo"},
		{"matches/BTWN4/undo", `{"target":77}`, 409, "nothing_to_undo"},
		{"matches/NONE2/undo", ``, 404, "not_found"},
		{"matches/00000000/undo", ``, 409, "ambiguous"},
		{"matches", `{"players":[{"seat":"south","name":"Ann"},{"seat":"west","name":"Bob"}]}`, 422, "impossible"},
		{"matches", strings.Replace(annAndBob, "nca", "unheard_of", 1), 422, "against_rules"},
		{"matches", strings.Replace(annAndBob, `"rounds":2`, `"rounds":2,"target":100`, 1), 422, "against_rules"},
		{"matches", strings.Replace(annAndBob, `"rounds":2`, `"plan":{"stages":[]}`, 1), 422, "against_rules"},
		{"matches/K4MR7/events", `{"events":[{"kind":"dice.rolled","data":{}}]}`, 422, "unknown_event"},
		{"matches/K4MR7/events", `{"events":[{"kind":"match.started","data":{"match":"x","players":null,"plan":{"stages":[]}}}]}`, 409, "not_now"},
		{"matches/K4MR7/events", `{"events":[{"kind":"note.added","data":{"words":"x"}}]}`, 422, "impossible"},
		{"matches/K4MR7/events", `{"judge":true,"events":[{"kind":"note.added","data":{"text":"x"}}]}`, 422, "no_such_target"},
	} {
		p := requireProblem(t, c.post(x.path, x.body), x.status, x.code)
		require.Regexp(t, `^[A-Z].*[.]$`, p.Detail, "a sentence")
	}
	requireProblem(t, c.get("matches?cursor=nonsense"), 400, "bad_cursor")
	requireProblem(t, c.get("matches/DNE23/shots/2"), 404, "not_found")
	requireProblem(t, c.get("matches/DNE23/shots/5/pictures/after"), 404, "not_found")
}

func TestARequestThatDoesNotKeepToTheDescriptionIsToldEverythingThatIsWrong(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	p := requireProblem(t, c.post("matches", `{"players":[{"seat":"middle","name":""}],"title":7,"colour":"red"}`), 422, "bad_body")
	at := map[string]bool{}
	for _, f := range p.Errors {
		at[f.Pointer] = true
		require.NotEmpty(t, f.Detail)
	}
	require.Subset(t, at, map[string]bool{"#/players/0/seat": true, "#/players/0/name": true, "#/title": true})
	p = requireProblem(t, c.get("matches?limit=many&colour=red"), 400, "bad_parameter")
	require.Len(t, p.Errors, 2)
	require.Equal(t, "colour", p.Errors[0].Parameter)
	requireProblem(t, c.get("matches?limit=0"), 400, "bad_parameter")
	requireProblem(t, c.get("matches?limit=1&limit=2"), 400, "bad_parameter")
	requireProblem(t, c.get("matches?limit=%zz"), 400, "bad_query")
	requireProblem(t, c.get("matches/K4MR7/shots/first"), 400, "bad_parameter")
	requireProblem(t, c.post("matches", `{"players":`), 400, "bad_json")
	requireProblem(t, c.post("matches", ``), 400, "body_missing")
	requireProblem(t, send(t, "POST", c.base+"/api/v1/matches", "text/plain", []byte(annAndBob)), 415, "not_json")
	requireProblem(t, c.post("matches", `{"title":"`+strings.Repeat("x", 1<<20)+`"}`), 413, "too_many_bytes")
}

func TestTheListOfMatchesGoesOnWithItsCursor(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	var page struct {
		Matches []store.Info
		Next    string
	}
	seen := map[string]bool{}
	for path := "matches?limit=4"; ; path = "matches?limit=4&cursor=" + page.Next {
		unmarshal(t, c.get(path), &page)
		for _, m := range page.Matches {
			require.False(t, seen[m.Code])
			seen[m.Code] = true
		}
		if page.Next == "" {
			break
		}
	}
	require.Len(t, seen, 9)
}

func TestAMatchOutlivesItsExportAndImport(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	a := c.get("matches/DNE23/export?pictures=1")
	require.Contains(t, a.header.Get("Content-Disposition"), "crokcam-DNE23.json")
	requireProblem(t, c.post("imports", string(a.body)), 409, "exists")
	copied := c.post("imports?copy=1", string(a.body))
	require.Equal(t, 201, copied.status, string(copied.body))
	v := c.view(copied)
	require.NotEqual(t, "DNE23", v.Code)
	require.Equal(t, c.view(c.get("matches/DNE23")).Rounds, v.Rounds)
	picture := c.get("matches/" + v.Match + "/shots/3/pictures/after")
	require.Equal(t, c.get("matches/DNE23/shots/3/pictures/after").body, picture.body)
	require.Equal(t, "image/jpeg", picture.header.Get("Content-Type"))
	requireProblem(t, c.post("imports", `{"schema":"crokcam.match/1","match":"x","events":[]}`), 422, "impossible")
	requireProblem(t, c.post("imports", strings.Replace(string(a.body), `"seq":3`, `"seq":4`, 1)), 422, "bad_document")
}

func TestExportsOfShotsAndRoundsAreTablesThatASpreadsheetReads(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	var shots struct{ Shots []match.TurnView }
	unmarshal(t, c.get("matches/DNE23/shots"), &shots)
	lines, err := csv.NewReader(strings.NewReader(string(c.get("matches/DNE23/export?format=csv").body))).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, 1+len(shots.Shots))
	require.Equal(t, []string{"DNE23", "1", "1", "1", "3", "shot"}, lines[1][:6])

	v := c.view(c.post("matches", strings.Replace(annAndBob, "Ann", "=HYPERLINK(1)", 1)))
	c.view(c.post("matches/"+v.Match+"/rounds", `{"totals":{"A":75,"B":40},"twenties":{"A":1}}`))
	lines, err = csv.NewReader(strings.NewReader(string(c.get("matches/" + v.Match + "/export?format=rounds.csv").body))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, "'=HYPERLINK(1)", lines[1][4], "no formula from a player's name")

	count := 0
	for line := range strings.Lines(string(c.get("matches/DNE23/export?format=jsonl").body)) {
		var e match.Event
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		count++
		require.Equal(t, count, e.Seq)
	}
	require.Equal(t, c.view(c.get("matches/DNE23")).Version, count)
}

func TestAShotTellsWhatWasSeenAndWhyItWasJudgedSo(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	var shot struct {
		Shot      match.TurnView
		Seen      *match.ShotDetected
		Explained []string
	}
	unmarshal(t, c.get("matches/CRT78/shots/3"), &shot)
	require.NotNil(t, shot.Seen)
	require.NotEmpty(t, shot.Explained)
	require.Equal(t, "good", shot.Shot.Ruling)
}

func TestADeletedMatchIsGoneWithItsPictures(t *testing.T) {
	c := caller{t, start(t, clubOptions(t)).URL}
	require.Equal(t, 200, c.get("matches/DNE23/shots/3/pictures/after").status)
	require.Equal(t, 204, send(t, "DELETE", c.base+"/api/v1/matches/DNE23", "", nil).status)
	requireProblem(t, c.get("matches/DNE23"), 404, "not_found")
	requireProblem(t, c.get("matches/DNE23/shots/3/pictures/after"), 404, "not_found")
	requireProblem(t, send(t, "DELETE", c.base+"/api/v1/matches/K4MR7", "", nil), 409, "in_use")
}

func TestWhatIsOlderThanTheRetentionIsRemovedWhileTheServiceRuns(t *testing.T) {
	o := clubOptions(t) // its matches are of the evening of 30 November 2026
	o.Clock = func() time.Time { return time.Date(2026, 12, 10, 0, 0, 0, 0, time.UTC) }
	o.Retention = store.Retention{Matches: 365 * 24 * time.Hour, Pictures: 7 * 24 * time.Hour}
	c := caller{t, start(t, o).URL}
	require.Eventually(t, func() bool { return c.get("matches/DNE23/shots/3/pictures/after").status == 404 }, 10*time.Second, 5*time.Millisecond)
	require.Equal(t, 200, c.get("matches/DNE23").status, "the match itself stays")

	o = clubOptions(t)
	o.Clock = func() time.Time { return time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC) }
	o.Retention = store.Retention{Matches: 365 * 24 * time.Hour}
	c = caller{t, start(t, o).URL}
	require.Eventually(t, func() bool { return c.get("matches/DNE23").status == 404 }, 10*time.Second, 5*time.Millisecond)
}
