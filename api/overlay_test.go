package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"crokcam/api"
	"crokcam/api/access"
	"crokcam/board"
	"crokcam/match"
	"crokcam/match/rehearse"
)

var (
	fullHD = window{width: 1920, height: 1080}
	hd     = window{width: 1280, height: 720}
)

// studio is a service with a match of many rounds on table-5, in its first round.
type studio struct {
	caller
	options api.Options
	rounds  int // agreed
	shots   int // of the round
}

const onAir = "MKT5V" // the match's code

func newStudio(t testing.TB) *studio {
	t.Helper()
	s := club(t)
	c := &clubhouse{t: t, s: s, board: "table-5", now: time.Date(2026, 11, 30, 19, 0, 0, 0, time.UTC), n: 100}
	c.match(onAir, rehearse.Singles(20), match.RoundStarted{Lead: board.South})
	o := options(scores(t))
	o.Store, o.OpenTable = copied{s}, openFake(t, new(sync.Map))
	return &studio{caller: caller{t, start(t, o).URL}, options: o}
}

// onTable puts the match on its table.
func (s *studio) onTable() *studio {
	s.Helper()
	a := s.send("PUT", "boards/table-5/match", `{"match":"`+onAir+`"}`)
	require.Equal(s, 200, a.status, string(a.body))
	return s
}

// twenty has whoever's turn it is make an open 20. At a round's end it is agreed,
// and the next one begins.
func (s *studio) twenty() match.View {
	s.Helper()
	seat, side := "south", "A"
	if (s.rounds+s.shots)%2 == 1 {
		seat, side = "north", "B"
	}
	v := s.view(s.post("matches/"+onAir+"/events", `{"actor":"camera","judge":true,"events":[{"kind":"shot.detected","data":{"seat":"`+seat+`",
		"before":{"discs":[]},"after":{"discs":[{"x_mm":0,"y_mm":0,"side":"`+side+`","rest":"hole","sigma_mm":0.3,"confidence":0.99}]},"evidence":{}}}]}`))
	if s.shots++; s.shots == 16 {
		s.agree()
		s.view(s.post("matches/"+onAir+"/rounds/start", ``))
		s.rounds, s.shots = s.rounds+1, 0
	}
	return v
}

func (s *studio) agree() {
	s.Helper()
	s.view(s.post("matches/"+onAir+"/rounds/agree", `{"totals":{"A":160,"B":160},"twenties":{"A":8,"B":8}}`))
}

// overlay opens one and waits until it shows the match.
func (s *studio) overlay(where string, w window) *page {
	s.Helper()
	p := visit(s.TB, "about:blank", w)
	p.overlay(s.base + "/overlay/" + where)
	return p
}

// overlay turns to one and waits until it shows the match.
func (p *page) overlay(address string) {
	p.Helper()
	p.to(address)
	p.wait(`document.querySelector("[data-part=overlay]")?.dataset.version > 0 || document.querySelector("[data-part=table]")`)
}

const names = `[data-part=name], [data-part=round-name]`

func TestEachOverlayShowsTheMatchAndFollowsIt(t *testing.T) {
	t.Parallel()
	s := newStudio(t).onTable()
	kinds := []struct{ where, names, before, selector, after string }{
		{"table-5/scorebug", "Ann | Bob", "0 | 0", "[data-part=twenties] span", "1 | 0"},
		{"table-5/board", "", "Ann to shoot", "[data-part=caption]", "Bob to shoot"},
		{"table-5/rounds", "Ann | Bob", "0 | 0", "[data-part=round-sum]:not(:empty)", ""},
		{"table-5/lower-third", "Ann | Bob", "20 × 0 | 20 × 0   ·   Hammer", "[data-part=more]", "20 × 1 | 20 × 0   ·   Hammer"},
		{"all/wall", "Ann | Bob", "20 × 0 | 20 × 0", `[data-columns] > :nth-child(3) [data-part=twenties]`, "20 × 1 | 20 × 0"},
		{"table-5/all", "Ann | Bob | Ann | Bob | Ann | Bob", "0 | 0", "[data-part=twenties] span", "1 | 0"},
	}
	pages := make([]*page, len(kinds))
	for i, k := range kinds {
		pages[i] = s.overlay(k.where, fullHD)
		if k.names != "" && !strings.Contains(k.where, "wall") {
			require.Equal(t, k.names, pages[i].text(names), k.where)
		}
		if k.after != "" {
			require.Equal(t, k.before, pages[i].text(k.selector), k.where)
		}
		if !strings.Contains(k.where, "wall") {
			require.Equal(t, "rgba(0, 0, 0, 0)", evaluate[string](pages[i], `getComputedStyle(document.documentElement).backgroundColor`), k.where)
		}
	}
	s.twenty()
	for i, k := range kinds {
		if k.after != "" {
			pages[i].wait(fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => e.textContent.trim()).join(" | ") === %q`, k.selector, k.after))
		}
	}
	pages[0].wait(`document.querySelector("[data-part=tag]").dataset.kind === "twenty" && document.querySelector("[data-part=tag-text]").textContent === "Ann"`)
	pages[0].shoot("overlay-twenty", false)
	// A board that another program's matches name is one of the hall's as well.
	s.view(s.post("matches", strings.Replace(annAndBob, `"profile"`, `"board":"upstairs","profile"`, 1)))
	pages[4].wait(`[...document.querySelectorAll("[data-part=table-name]")].at(-1).textContent === "upstairs"`)
	for s.rounds == 0 {
		s.twenty()
	}
	pages[2].wait(`[...document.querySelectorAll("[data-part=round-total]")].map((e) => e.textContent).filter(Boolean).join(" ") === "160 160"`)
	pages[0].wait(`document.querySelector("[data-part=tag]").dataset.kind === "round" && document.querySelector("[data-part=tag-figures]").textContent === "160 – 160"`)
}

func TestAnOverlaysOptions(t *testing.T) {
	t.Parallel()
	s := newStudio(t).onTable()
	p := s.overlay("table-5/scorebug?swap=1&lang=nl&hide=pips,title&left=00ff88&accent=f0f&pos=br&scale=1.5&safe=0&font=DejaVu+Sans&theme=light", hd)
	require.Equal(t, "Bob | Ann", p.text("[data-part=name]"))
	require.Equal(t, "Ronde 1", p.text("[data-part=stage]"))
	require.Equal(t, "none none", evaluate[string](p, `["pips", "title"].map((n) => getComputedStyle(document.querySelector("[data-part=" + n + "]")).display).join(" ")`))
	require.Equal(t, "rgb(0, 255, 136)", evaluate[string](p, `getComputedStyle(document.querySelector("[data-part=edge]")).backgroundColor`))
	require.Equal(t, "1280 720 600", evaluate[string](p, `(() => { const r = document.querySelector("[data-part=scorebug]").getBoundingClientRect();
		return [r.right, r.bottom, r.width].map(Math.round).join(" "); })()`), "in the corner, half as large again, on two thirds of the stage")
	require.Contains(t, evaluate[string](p, `getComputedStyle(document.body).fontFamily`), "DejaVu Sans")
	p.shoot("overlay-options", false)

	p.overlay(s.base + "/overlay/table-5/board?rotate=90&bg=00ff00")
	require.Equal(t, "rotate(90)", evaluate[string](p, `document.querySelector("svg g").getAttribute("transform")`))
	require.Equal(t, "rgb(0, 255, 0)", evaluate[string](p, `getComputedStyle(document.documentElement).backgroundColor`))

	p.overlay(s.base + "/overlay/table-5/scorebug?debug=1&delay=soon&colour=red")
	p.wait(`document.querySelector("[data-part=debug]").textContent.includes("delay=soon cannot be")`)
	require.Contains(t, p.text("[data-part=debug]"), "there is no option colour")
}

// What streamers write into OBS comes as a style element, which the page's policy
// must let through.
func TestAnOverlayTakesTheStreamersOwnStyle(t *testing.T) {
	t.Parallel()
	p := newStudio(t).onTable().overlay("table-5/scorebug", hd)
	evaluate[bool](p, `(() => { const s = document.createElement("style");
		s.textContent = ':root { --ck-panel: rgb(1, 2, 3); --ck-logo: url("data:image/svg+xml,<svg/>"); } [data-part=hammer] { display: none }'; document.head.append(s); return true; })()`)
	require.Equal(t, "rgb(1, 2, 3) none", evaluate[string](p, `getComputedStyle(document.querySelector("[data-part=score]")).backgroundColor + " " + getComputedStyle(document.querySelector("[data-part=hammer]")).display`))
}

func TestAnOverlayWaitsForThePictureItBelongsTo(t *testing.T) {
	t.Parallel()
	const delay = 1500
	s := newStudio(t).onTable()
	p := s.overlay("table-5/scorebug?delay="+strconv.Itoa(delay), hd)
	evaluate[bool](p, `(() => { new MutationObserver(() => { window.shown ??= Date.now(); }).observe(document.querySelector("[data-part=twenties] span"), { childList: true, characterData: true, subtree: true }); return true; })()`)
	at := time.Now()
	s.twenty()
	p.wait(`window.shown`)
	late := evaluate[int64](p, `window.shown`) - at.UnixMilli()
	require.GreaterOrEqual(t, late, int64(delay-20))
}

func TestAnOverlayThatIsCutOffKeepsWhatItShowsAndComesBack(t *testing.T) {
	t.Parallel()
	s := newStudio(t).onTable()
	line := newWire(t, s.base)
	p := (&studio{caller: caller{t, line.url}}).overlay("table-5/scorebug", hd)
	evaluate[bool](p, `window.same = true`)
	s.twenty()
	p.wait(`document.querySelector("[data-part=twenties] span").textContent === "1"`)
	line.cut()
	p.wait(`document.querySelector("[data-part=stale]").classList.contains("cut")`)
	require.Equal(t, "1 | 0", p.text("[data-part=twenties] span"))
	s.twenty()
	line.mend(s.base)
	p.wait(`document.querySelectorAll("[data-part=twenties] span")[1].textContent === "1" && !document.querySelector("[data-part=stale]").classList.contains("cut")`)
	require.True(t, evaluate[bool](p, `window.same`), "it was not loaded anew")

	newer := s.options
	newer.Version = "newer"
	line.cut()
	line.mend(start(t, newer).URL)
	require.Eventually(t, func() bool {
		fresh, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](`!window.same && document.querySelector("[data-part=overlay]")?.dataset.version > 0`))
		return err == nil && fresh
	}, 40*time.Second, 50*time.Millisecond)
	require.Equal(t, "1 | 1", p.text("[data-part=twenties] span"))
}

func TestAnOverlayThatCannotShowAnythingSaysWhyOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	p := visit(t, "about:blank", hd)
	for where, why := range map[string]string{
		"table-5/scorebord": "There is no overlay “scorebord”",
		"table-99/scorebug": "There is no board “table-99”.",
		"table-4/scorebug":  "There is no match on this board yet.",
	} {
		p.to(s.base + "/overlay/" + where + "?debug=1")
		p.wait(fmt.Sprintf(`document.querySelector("[data-part=debug]")?.textContent.includes(%q)`, why))
		p.to(s.base + "/overlay/" + where)
		p.wait(`document.querySelector("[data-part=overlay]")`)
		require.Empty(t, evaluate[string](p, `document.body.innerText.trim()`), where)
	}
	require.Equal(t, 404, send(t, "GET", s.base+"/overlay/table-5/scorebord", "", nil).status)
}

func TestALinkIsWhatAnOverlayNeeds(t *testing.T) {
	t.Parallel()
	s := newStudio(t).onTable()
	o := s.options
	o.Access, o.Token = access.Closed, "organiser-organiser-organiser"
	c := caller{t, start(t, o).URL}
	authorised := []string{"Authorization", "Bearer " + o.Token}
	var link struct{ ID, Token string }
	unmarshal(t, c.post("tokens", `{"name":"stream","role":"link","board":"table-5"}`, authorised...), &link)

	p := (&studio{caller: c}).overlay("table-5/scorebug?token="+link.Token, hd)
	require.Equal(t, "Ann | Bob", p.text("[data-part=name]"))
	p = visit(t, c.base+"/overlay/table-5/scorebug?debug=1&token=wrong", hd)
	p.wait(`/refused/.test(document.querySelector("[data-part=debug]")?.textContent)`)
	require.Equal(t, 204, c.send("DELETE", "tokens/"+link.ID, "", authorised...).status)
	p = visit(t, c.base+"/overlay/table-5/scorebug?debug=1&token="+link.Token, hd)
	p.wait(`/refused/.test(document.querySelector("[data-part=debug]")?.textContent)`)
}

func TestTheDemoNeedsNoMatch(t *testing.T) {
	t.Parallel()
	base := newStudio(t).base
	p := visit(t, "about:blank", fullHD)
	for _, kind := range []string{"all", "wall"} {
		p.overlay(base + "/overlay/anything/" + kind + "?demo=1")
		p.wait(`document.fonts.status === "loaded"`)
		require.Contains(t, p.text(names), "Ingrid Vos")
		p.shoot("overlay-demo-"+kind, false)
	}
}

// A mixer that is started before the service stays blank for good, unless it is
// given this page.
func TestAPageOnTheStreamersDiskWaitsForTheService(t *testing.T) {
	t.Parallel()
	s := newStudio(t).onTable()
	line := newWire(t, s.base)
	a := send(t, "GET", line.url+"/overlay/table-5/scorebug/wait.html?lang=fr&hide=a%22%3C", "", nil)
	require.Equal(t, 200, a.status)
	require.Contains(t, a.header.Get("Content-Disposition"), "crokcam-scorebug.html")
	file := filepath.Join(t.TempDir(), "crokcam-scorebug.html")
	require.NoError(t, os.WriteFile(file, a.body, 0o644))
	line.cut()
	p := visit(t, "file://"+file, hd)
	p.wait(`performance.getEntriesByType("resource").length > 0 || document.readyState === "complete"`)
	line.mend(s.base)
	require.Eventually(t, func() bool { // the page goes away under whoever waits in it
		shows, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](`document.querySelector("[data-part=stage]")?.textContent ?? ""`))
		return err == nil && shows == "Manche 1"
	}, 20*time.Second, 50*time.Millisecond)
	require.Contains(t, evaluate[string](p, `location.href`), "/overlay/table-5/scorebug?lang=fr")
	require.Equal(t, 404, send(t, "GET", line.url+"/overlay/table-5/nothing/wait.html", "", nil).status)
}

func TestAMixerKeepsTheFilesButNotThePage(t *testing.T) {
	base := newStudio(t).base
	a := send(t, "GET", base+"/overlay/table-5/scorebug", "", nil)
	require.Equal(t, "no-store", a.header.Get("Cache-Control"))
	_, style, _ := strings.Cut(string(a.body), `rel="stylesheet" href="../..`)
	style, _, _ = strings.Cut(style, `"`)
	require.Contains(t, send(t, "GET", base+style, "", nil).header.Get("Cache-Control"), "immutable")
	require.Equal(t, "no-cache", send(t, "GET", base+"/overlays/main.js?v=older", "", nil).header.Get("Cache-Control"))
	var b struct{ Build string }
	got := send(t, "GET", base+"/overlay/build", "", nil)
	require.NoError(t, json.Unmarshal(got.body, &b))
	require.Contains(t, string(a.body), `data-build="`+b.Build+`"`)
	require.Equal(t, "*", got.header.Get("Access-Control-Allow-Origin"))
}

func TestTheBoardsPicturesAreAStreamThatBrowsersShow(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	p := visit(t, s.base+"/overlay/table-5/none", hd)
	evaluate[bool](p, `(() => { window.video = new Image(); video.src = "/api/v1/boards/table-5/stream.mjpeg?view=raw"; document.body.append(video); return true; })()`)
	p.wait(`window.video.naturalWidth === 16`)
	evaluate[bool](p, `(() => { video.src = "data:,"; return true; })()`)
}

// BenchmarkOverlay measures how long it takes from a verdict's being sent to the
// service to its being drawn by a browser: run it with -benchtime 120x.
func BenchmarkOverlay(b *testing.B) {
	s := newStudio(b).onTable()
	p := s.overlay("table-5/all", fullHD)
	evaluate[bool](p, `(() => { const stage = document.querySelector("[data-part=overlay]"); window.seen = {};
		new MutationObserver(() => { const v = stage.dataset.version; requestAnimationFrame(() => {
			const c = new MessageChannel(); c.port1.onmessage = () => { seen[v] ??= performance.timeOrigin + performance.now(); }; c.port2.postMessage(0); }); })
			.observe(stage, { attributes: true, attributeFilter: ["data-version"] }); return true; })()`)
	var took []float64
	for b.Loop() {
		began := time.Now()
		v := s.twenty()
		p.wait("seen[" + strconv.Itoa(v.Version) + "]")
		took = append(took, evaluate[float64](p, "seen["+strconv.Itoa(v.Version)+"]")-float64(began.UnixMicro())/1000)
	}
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(took[len(took)/2], "ms-p50")
	b.ReportMetric(took[len(took)*95/100], "ms-p95")
	b.ReportMetric(took[len(took)-1], "ms-max")
}

// wire is a connection to a service that can be cut, and lead to another one
// afterwards.
type wire struct {
	url string
	mu  sync.Mutex
	to  string // host and port, "" while it is cut
	up  map[net.Conn]bool
}

func newWire(t testing.TB, base string) *wire {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	c := &wire{url: "http://" + l.Addr().String(), up: map[net.Conn]bool{}}
	c.mend(base)
	t.Cleanup(func() { l.Close(); c.cut() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			go c.carry(near)
		}
	}()
	return c
}

func (c *wire) carry(near net.Conn) {
	defer near.Close()
	c.mu.Lock()
	to := c.to
	c.up[near] = to != ""
	c.mu.Unlock()
	if to == "" {
		return
	}
	far, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer far.Close()
	go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
	_, _ = io.Copy(near, far)
}

func (c *wire) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.to = ""
	for conn := range c.up {
		_ = conn.Close()
	}
	clear(c.up)
}

func (c *wire) mend(base string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.to = strings.TrimPrefix(base, "http://")
}
