package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

var shots = flag.String("shots", "", "folder to put screenshots of the page into")

const picture = "../testdata/renders/dev_07.jpg"

// fairHall is this machine under a name that browsers trust no more than any other
// computer in the network, as a phone in a hall sees it.
const fairHall = "board.test"

// page is the photo page in a headless browser.
type page struct {
	testing.TB
	ctx context.Context
}

type window struct {
	width, height int64
	phone, dark   bool
}

var (
	laptop = window{width: 1366, height: 860}
	phone  = window{width: 390, height: 844, phone: true}
	narrow = window{width: 360, height: 640, phone: true}
)

// bells are what a window of the browser comes with and no test looks at. The lists
// under the address bar are pages of their own, which cost twice what ours does.
const bells = "Translate,SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup"

// chromium is one browser for all tests, started by the first that needs it.
var chromium = sync.OnceValues(func() (context.Context, error) {
	path := os.Getenv("CHROMIUM")
	// The first has no window around the page, and takes two thirds of the time.
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path == "" {
			path, _ = exec.LookPath(name)
		}
	}
	if path == "" {
		return nil, errors.New("no Chromium is installed: scripts/setup installs it")
	}
	ctx, _ := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("host-resolver-rules", "MAP "+fairHall+" 127.0.0.1"), chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-features", bells))...)
	ctx, closeBrowser = chromedp.NewContext(ctx)
	return ctx, chromedp.Do(ctx)
})

var closeBrowser = func() {}

func TestMain(m *testing.M) {
	code := m.Run()
	closeBrowser()
	os.Exit(code)
}

// open opens a service's page in a browser of its own cookies and caches, and
// waits for the example.
func open(t testing.TB, base string, w window) *page {
	t.Helper()
	p := visit(t, base, w)
	p.wait(`document.body.classList.contains("scored") || !document.getElementById("alert").hidden`)
	return p
}

// visit opens a page in a browser of its own cookies and caches.
func visit(t testing.TB, address string, w window) *page {
	t.Helper()
	running, err := chromium()
	if running == nil {
		t.Skip(err)
	}
	require.NoError(t, err)
	ctx, cancel := chromedp.NewContext(running, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	p := &page{t, ctx}

	p.fit(w)
	p.noComplaints()
	p.do(chromedp.Navigate(address))
	return p
}

// fit shows the page in another window, as when a phone is turned or a window drawn
// larger: it is not loaded again.
func (p *page) fit(w window) {
	p.Helper()
	metrics := []chromedp.EmulateViewportOption{}
	if w.phone {
		metrics = append(metrics, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait)
	}
	scheme := "light"
	if w.dark {
		scheme = "dark"
	}
	p.do(chromedp.EmulateViewport(w.width, w.height, metrics...))
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	require.NoError(p, err)
	evaluate[bool](p, `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))`)
}

// noComplaints fails the test if the page throws or breaks its own content
// policy.
func (p *page) noComplaints() {
	var mu sync.Mutex
	var found []string
	messages := chromedp.Console(p.ctx)
	ctx, done := p.ctx, make(chan struct{})
	go func() {
		defer close(done)
		for m, err := range messages {
			if err != nil || ctx.Err() != nil {
				return
			}
			// A refused picture is a refused request, which the browser notes.
			if (m.Type == "error" || m.Type == chromedp.ConsoleException) && !strings.Contains(m.Text, "Failed to load resource") && !strings.Contains(m.Text, "WebSocket connection to") {
				mu.Lock()
				found = append(found, m.Text)
				mu.Unlock()
			}
		}
	}()
	p.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		if len(found) > 0 {
			p.Errorf("the page complains: %s", strings.Join(found, "; "))
		}
	})
}

func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	require.NoError(p, chromedp.Do(p.ctx, steps...))
}

func evaluate[T any](p *page, js string) T {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	require.NoError(p, err, js)
	return v
}

// wait waits until an expression holds, on the next page if it leads there. One that
// throws does not hold yet: what it looks for may be on its way.
func (p *page) wait(js string) {
	p.Helper()
	wait := fmt.Sprintf(`new Promise((ok, fail) => {
		const end = performance.now() + 20000;
		const look = () => {
			let threw;
			try { if (%s) return ok(true); } catch (e) { threw = e; }
			if (performance.now() > end) return threw ? fail(threw) : ok(false);
			setTimeout(look, 15);
		};
		look();
	})`, js)
	ok, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](wait, chromedp.EvalAwaitPromise))
	for err != nil && p.ctx.Err() == nil && (strings.Contains(err.Error(), "navigated") || strings.Contains(err.Error(), "context")) {
		ok, err = chromedp.Run(p.ctx, chromedp.Evaluate[bool](wait, chromedp.EvalAwaitPromise))
	}
	require.NoError(p, err, js)
	require.True(p, ok, "it never came to be that %s; the page says %q", js, p.text("#alert, #hint, #said, #line"))
}

func (p *page) text(selector string) string {
	p.Helper()
	return evaluate[string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => e.textContent.trim()).join(" | ")`, selector))
}

// click clicks; what the page draws anew just as it has been found is found again.
func (p *page) click(selector string) {
	p.Helper()
	err := chromedp.Do(p.ctx, chromedp.Click(selector))
	for err != nil && p.ctx.Err() == nil && strings.Contains(err.Error(), "Could not find node") {
		err = chromedp.Do(p.ctx, chromedp.Click(selector))
	}
	require.NoError(p, err)
}

// upload chooses a picture and waits for its score.
func (p *page) upload() {
	p.Helper()
	path, err := filepath.Abs(picture)
	require.NoError(p, err)
	p.do(chromedp.SetUploadFiles("#file", []string{path}))
	p.wait(`document.getElementById("badge").hidden && document.getElementById("working").hidden`)
}

// points reads the totals as shown.
func (p *page) points() string { p.Helper(); return p.text(".card .points") }

type xy struct{ X, Y float64 }

// at is where a disc is in the window.
func (p *page) at(id string) xy {
	p.Helper()
	return evaluate[xy](p, fmt.Sprintf(`(() => { const e = document.querySelector('[data-id="%s"] .hit'); e.scrollIntoView({block: "center"});
		const r = e.getBoundingClientRect(); return {X: r.x + r.width / 2, Y: r.y + r.height / 2}; })()`, id))
}

// onBoard is where a place on the board, in mm, is in the window.
func (p *page) onBoard(x, y float64) xy {
	p.Helper()
	return evaluate[xy](p, fmt.Sprintf(`(async () => {
		const g = await import("/js/geometry.js"), r = await (await fetch("/api/v1/example")).json();
		const [u, v] = g.apply(g.boardOf(r).toPx, [%g, %g]);
		const q = new DOMPoint(u, v).matrixTransform(document.getElementById("view").getScreenCTM());
		return {X: q.x, Y: q.y};
	})()`, x, y))
}

func (p *page) drag(from, to xy) {
	p.Helper()
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, from.X, from.Y, chromedp.ButtonLeft, once))
	for i := range 5 {
		f := float64(i+1) / 5
		p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, from.X+(to.X-from.X)*f, from.Y+(to.Y-from.Y)*f, chromedp.ButtonLeft))
	}
}

func (p *page) drop(at xy) {
	p.Helper()
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, at.X, at.Y, chromedp.ButtonLeft, once))
}

func once(e *input.DispatchMouseEventParams) { e.ClickCount = 1 }

func (p *page) shoot(name string, full bool) {
	p.Helper()
	if *shots == "" {
		return
	}
	var data []byte
	var err error
	if full {
		data, err = chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	} else {
		data, err = chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	}
	require.NoError(p, err)
	require.NoError(p, os.MkdirAll(*shots, 0o755))
	require.NoError(p, os.WriteFile(filepath.Join(*shots, name+".png"), data, 0o644))
}

func TestThePageShowsAScoredExampleAtOnce(t *testing.T) {
	t.Parallel()
	p := open(t, start(t, options(scores(t))).URL, laptop)
	require.Equal(t, "90 | 85", p.points())
	require.Equal(t, "Red | Natural", p.text(".card .name"))
	require.Equal(t, "Red leads by 5", p.text("#lead"))
	require.Equal(t, "Example", p.text("#badge:not([hidden])"))
	require.Equal(t, 18, evaluate[int](p, `document.querySelectorAll(".disc").length`))
	require.Equal(t, 5, evaluate[int](p, `document.querySelectorAll(".ring").length`))
	p.shoot("example-laptop", false)
}

func TestAPictureIsUploadedScoredCorrectedAndTheTotalsFollow(t *testing.T) {
	t.Parallel()
	r := recorded(t)
	var sent []byte
	server := start(t, options(func(_ context.Context, data []byte, _ photo.Options) (*photo.Report, error) {
		sent = data
		return r, nil
	}))
	p := open(t, server.URL, laptop)
	p.upload()
	want, err := os.ReadFile(picture)
	require.NoError(t, err)
	require.Equal(t, want, sent, "the picture itself is sent, untouched")
	require.Equal(t, "90 | 85", p.points())
	require.Equal(t, "true", evaluate[string](p, `String(document.getElementById("badge").hidden)`))

	// The near-line disc is asked about: 5 or 10? It is clear of the line.
	require.Equal(t, "Does this natural disc touch the 10 line?", p.text(".question"))
	require.Equal(t, "5Yes, it touches | 10No, it is clear", p.text(".answer"))
	p.shoot("ask-laptop", true)
	p.click(".answer:nth-child(2)")
	require.Equal(t, "90 | 90", p.points())
	require.Equal(t, "Level", p.text("#lead"))
	require.Empty(t, p.text(".question"), "it is not asked again")

	// A 20 set aside counts at once.
	p.click(`.card[data-side="A"] .step:last-child`)
	require.Equal(t, "110 | 90", p.points())
	p.click(`.card[data-side="A"] .step:last-child`)
	p.click(`.card[data-side="A"] .step:first-child`)
	require.Equal(t, "110 | 90", p.points())
	require.Equal(t, "Red leads by 20", p.text("#lead"))

	// A disc that belongs to the other side.
	first := r.Discs[0]
	require.Equal(t, "A", first.Side)
	p.click(`[data-id="seen-1"] .hit`)
	p.click(`#selected [data-key="side-B"]`)
	require.Equal(t, fmt.Sprintf("%d | %d", 110-first.Points, 90+first.Points), p.points())
	p.shoot("selected-laptop", false)
	p.click("#undo")
	require.Equal(t, "110 | 90", p.points())

	// A disc that counts for something else.
	p.click(`#selected [data-key="zone-20"]`)
	require.Equal(t, fmt.Sprintf("%d | 90", 110-first.Points+20), p.points())
	p.click("#undo")

	// A disc that is not there.
	p.click(`#selected [data-key="remove"]`)
	require.Equal(t, 17, evaluate[int](p, `document.querySelectorAll(".disc").length`))
	require.Equal(t, fmt.Sprintf("%d | 90", 110-first.Points), p.points())
	p.click("#undo")
	require.Equal(t, 18, evaluate[int](p, `document.querySelectorAll(".disc").length`))

	// A disc that was overlooked, in the 15 zone.
	p.click("#add")
	spot := p.onBoard(-60, 20)
	p.do(chromedp.MouseClickXY(spot.X, spot.Y))
	require.Equal(t, "125 | 90", p.points())
	require.Equal(t, "15 points", p.text("#selected .what strong"))
	p.click(`#selected [data-key="side-B"]`)
	require.Equal(t, "110 | 105", p.points())

	// Dragged into the 10 zone: the totals follow while it moves.
	from := p.at("added-1")
	to := p.onBoard(-150, 20)
	p.drag(from, to)
	require.Equal(t, "110 | 100", p.points())
	require.Equal(t, "10 points", p.text("#selected .what strong"))
	require.False(t, evaluate[bool](p, `document.getElementById("loupe").hidden`), "the loupe shows what is under the finger")
	p.shoot("drag-laptop", false)
	p.drop(to)
	require.True(t, evaluate[bool](p, `document.getElementById("loupe").hidden`))
	require.Equal(t, "110 | 100", p.points())
	require.Contains(t, p.text("#spoken"), "Red 110, Natural 100. Red leads by 10.")

	// Everything can be taken back, one step after the other.
	for !evaluate[bool](p, `document.getElementById("undo").disabled`) {
		p.click("#undo")
	}
	require.Equal(t, "90 | 85", p.points())
	require.Equal(t, 1, evaluate[int](p, `document.querySelectorAll(".question").length`), "the question is open again")
}

func TestOnAPhoneADiscIsMovedWithTheFinger(t *testing.T) {
	t.Parallel()
	p := open(t, strings.Replace(start(t, options(scores(t))).URL, "127.0.0.1", fairHall, 1), phone)
	require.False(t, evaluate[bool](p, `isSecureContext`))
	p.upload()
	require.True(t, evaluate[bool](p, `document.getElementById("alert").hidden`))
	p.shoot("phone", true)
	from := p.at("seen-2")
	to := p.onBoard(0, -150)
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		_, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		require.NoError(t, err)
	}
	before := p.points()
	require.Equal(t, "90 | 85", before)
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: from.X, Y: from.Y})
	for i := range 4 {
		f := float64(i+1) / 4
		touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: from.X + (to.X-from.X)*f, Y: from.Y + (to.Y-from.Y)*f})
	}
	p.shoot("phone-drag", false)
	touch(input.DispatchTouchEventTypeTouchEnd)
	second := recorded(t).Discs[1]
	require.NotEqual(t, 10, second.Points)
	a, b := 90, 85
	if second.Side == "A" {
		a += 10 - second.Points
	} else {
		b += 10 - second.Points
	}
	require.Equal(t, fmt.Sprintf("%d | %d", a, b), p.points())
	require.Equal(t, "10 points", p.text("#selected .what strong"))
	p.shoot("phone-selected", true)
}

func TestThePageIsUsableWithKeysAlone(t *testing.T) {
	t.Parallel()
	p := open(t, start(t, options(scores(t))).URL, laptop)
	r := recorded(t)
	focus := func(id string) {
		evaluate[bool](p, fmt.Sprintf(`(document.querySelector('[data-id="%s"]').focus(), true)`, id))
	}
	key := func(k string) { p.do(chromedp.KeyEvent(k)) }

	// The near-line disc is 0.6 mm over the 10 line: two steps inwards decide.
	near := r.Warnings[0].Disc
	require.NotNil(t, near)
	id := fmt.Sprintf("seen-%d", *near+1)
	focus(id)
	require.Contains(t, evaluate[string](p, `document.activeElement.getAttribute("aria-label")`), "please look closely")
	centre := evaluate[xy](p, `(() => { const e = document.querySelector(".ring.hole"); return {X: +e.getAttribute("cx"), Y: +e.getAttribute("cy")}; })()`)
	disc := r.Discs[*near]
	horizontal, vertical := "\u0302", "\u0304" // left arrow, up arrow
	if centre.X > disc.Px[0] {
		horizontal = "\u0303"
	}
	if centre.Y > disc.Px[1] {
		vertical = "\u0301"
	}
	for range 3 {
		key(horizontal)
		key(vertical)
	}
	require.Equal(t, "90 | 90", p.points())

	focus("seen-1")
	key("c")
	require.Equal(t, fmt.Sprintf("%d | %d", 90-r.Discs[0].Points, 90+r.Discs[0].Points), p.points())
	key("\r")
	require.Equal(t, "chip", evaluate[string](p, `document.activeElement.className`), "Enter leads to what can be done with it")
	focus("seen-1")
	key("\u007f")
	require.Equal(t, fmt.Sprintf("%d | 90", 90-r.Discs[0].Points), p.points())

	evaluate[bool](p, `(document.getElementById("add").focus(), true)`)
	key("\r")
	require.Equal(t, "added-1", evaluate[string](p, `document.activeElement.dataset.id`), "the new disc has the focus, to be moved")
	require.Equal(t, "5 points", p.text("#selected .what strong"))
}

func TestAHoleThatIsUnclearIsAskedAbout(t *testing.T) {
	t.Parallel()
	r := recorded(t)
	r.Discs = []photo.Disc{}
	r.Sides = []photo.Side{}
	r.Differential = nil
	r.Warnings = []photo.Warning{{Code: "hole_unclear", Text: "There may be a disc in the hole."}, {Code: "two_boards", Text: "There are two boards; the larger one is scored."}}
	p := open(t, start(t, options(func(context.Context, []byte, photo.Options) (*photo.Report, error) { return r, nil })).URL, phone)
	require.Equal(t, "0 | 0", p.points())
	require.Equal(t, "Is there a disc in the 20 hole?", p.text(".question"))
	require.Equal(t, "There are two boards; the larger one is scored.", p.text("#notes"))
	p.shoot("hole-phone", true)
	p.click(".answer:nth-child(3)")
	require.Equal(t, "0 | 20", p.points())
	require.Empty(t, p.text(".question"))
	p.click("#undo")
	p.click(".answer:nth-child(1)")
	require.Equal(t, "0 | 0", p.points())
	require.Empty(t, p.text(".question"))
}

func TestAPictureWithoutABoardIsToldInWordsAndTheNextOneWorks(t *testing.T) {
	t.Parallel()
	var fail error
	r := recorded(t)
	server := start(t, options(func(context.Context, []byte, photo.Options) (*photo.Report, error) {
		if fail != nil {
			return nil, fail
		}
		return r, nil
	}))
	p := open(t, server.URL, phone)
	fail = photo.ErrNoBoard
	p.upload()
	require.Contains(t, p.text("#alert"), "No crokinole board was found")
	require.Equal(t, 0, evaluate[int](p, `document.querySelectorAll(".disc").length`), "nothing is left of the picture before")
	require.Equal(t, "none", evaluate[string](p, `getComputedStyle(document.getElementById("score")).display`))
	p.shoot("no-board-phone", true)
	fail = nil
	p.upload()
	require.True(t, evaluate[bool](p, `document.getElementById("alert").hidden`))
	require.Equal(t, "90 | 85", p.points())

	server.Close()
	p.upload()
	require.Contains(t, p.text("#alert"), "could not be reached")
}

func TestWhatIsWrongWithAPictureIsSaidInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	var fail error
	r := *recorded(t)
	r.Warnings = []photo.Warning{
		{Code: "picture", Text: "The picture has several frames."},
		{Code: "stranger", Text: "Something red lies at 812, 64 px.", Colour: "red", Values: map[string]float64{"x": 1812, "y": 64}},
	}
	server := start(t, options(func(context.Context, []byte, photo.Options) (*photo.Report, error) { return &r, fail }))
	p := open(t, server.URL+"/?lang=fr", phone)
	require.Contains(t, p.text("#notes"), "seule la première a été regardée")
	require.Contains(t, p.text("#notes"), "Quelque chose de couleur rouge se trouve à 1812, 64 px")
	p.shoot("warnings-french", true)
	for _, c := range []struct {
		code, want string
		values     map[string]float64
	}{
		{"too_many_bytes", "dépasse 25 mégaoctets", map[string]float64{"most": 25}},
		{"too_many_pixels", "L’image a 60000 × 20 pixels ; 50 mégapixels au plus", map[string]float64{"width": 60000, "height": 20, "most": 50}},
		{"too_many_pixels", "Too many.", nil},
		{"unsupported_format", "Ce genre de fichier ne se lit pas", nil},
	} {
		fail = &decode.Error{Code: c.code, Message: "Too many.", Values: c.values}
		p.upload()
		require.Contains(t, p.text("#alert"), c.want)
	}
	p.shoot("refusal-french", true)

	// So is what is wrong with what was said of it, with its figures and names.
	other := &calibrate.BoardError{Board: "wcc", Fifteen: 0.333, Ten: 0.667, SeenFifteen: 0.3, SeenTen: 0.7}
	_, outside := calibrate.FromPoints(1000, 800, []calibrate.Point{{Name: "start@180", U: -20}}, calibrate.Options{})
	for _, c := range []struct {
		err  error
		want string
	}{
		{outside, "start@180 se trouve hors de l’image de 1000 × 800 pixels"},
		{&photo.OptionError{Code: "board_mismatch", Message: "m", Values: other.Values(), Names: map[string]string{"board": other.Board}}, "la planche wcc : ses lignes de 15 et de 10 sont à 33,3 et 66,7 %"},
		{&photo.OptionError{Code: "bad_option", Message: "Side A is named twice."}, "Side A is named twice."},
	} {
		fail = c.err
		p.upload()
		require.Contains(t, p.text("#alert"), c.want)
	}
}

func TestThePagesGeometryAgreesWithTheBoards(t *testing.T) {
	t.Parallel()
	p := open(t, start(t, options(scores(t))).URL, laptop)
	spec := board.Tournament26()
	places := [][2]float64{{0, 0}}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		r, a := 340*random.Float64(), 2*math.Pi*random.Float64()
		places = append(places, [2]float64{r * math.Cos(a), r * math.Sin(a)})
	}
	given, err := json.Marshal(places)
	require.NoError(t, err)
	type call struct {
		Zone, Other string
		Gap         float64
	}
	calls := evaluate[[]call](p, fmt.Sprintf(`import("/js/geometry.js").then((g) => %s.map((p) => {
		const c = g.callAt(p, {disc: %g, inner: {fifteen: %g, ten: %g, start: %g}});
		return {Zone: c.zone, Other: c.other, Gap: c.gap};
	}))`, given, spec.Disc.Radius, spec.Fifteen.Inner(), spec.Ten.Inner(), spec.Start.Inner()))
	for i, c := range calls {
		want := spec.Call(board.Disc{Point: board.Point{X: places[i][0], Y: places[i][1]}})
		require.Equal(t, want.Zone.String(), c.Zone, places[i])
		require.Equal(t, want.Other.String(), c.Other, places[i])
		require.InDelta(t, want.Gap, c.Gap, 1e-9)
	}

	// A picture's place, to the board and back.
	back := evaluate[float64](p, `Promise.all([import("/js/geometry.js"), fetch("/api/v1/example").then((r) => r.json())]).then(([g, r]) => {
		const b = g.boardOf(r);
		return Math.max(...r.discs.map((d) => {
			const q = g.apply(b.toPx, g.apply(b.toMM, d.px));
			return Math.hypot(q[0] - d.px[0], q[1] - d.px[1]);
		}));
	})`)
	require.Less(t, back, 1e-6)

	// What the report says of each disc is what the page would work out, too.
	wrong := evaluate[string](p, `Promise.all([import("/js/geometry.js"), fetch("/api/v1/example").then((r) => r.json())]).then(([g, r]) => {
		const b = g.boardOf(r);
		return r.discs.filter((d) => d.state === "surface" && Math.abs(d.gap_mm) > 1 && g.callAt(g.apply(b.toMM, d.px), b).zone !== d.zone).map((d) => d.px).join("; ");
	})`)
	require.Empty(t, wrong)
}

func TestThePageFitsEveryWindowAndEveryFinger(t *testing.T) {
	t.Parallel()
	p := open(t, start(t, options(scores(t))).URL, narrow)
	evaluate[bool](p, `(document.querySelectorAll("details").forEach((d) => { d.open = true; }), true)`)
	p.click(`[data-id="seen-5"] .hit`)
	for _, w := range []window{narrow, phone, {width: 768, height: 1024}, laptop, {width: 1920, height: 1080}, {width: 390, height: 844, phone: true, dark: true}, {width: 1366, height: 860, dark: true}} {
		name := fmt.Sprintf("%dx%d", w.width, w.height)
		if w.dark {
			name += "-dark"
		}
		t.Run(name, func(t *testing.T) {
			p := &page{t, p.ctx}
			p.fit(w)
			require.Equal(t, 1, evaluate[int](p, `document.querySelectorAll("#selected .what").length`), "what can be done with a disc is among it")
			p.shoot("fit-"+name, true)
			require.LessOrEqual(t, evaluate[int](p, `document.documentElement.scrollWidth`), int(w.width), "nothing sticks out sideways")
			require.Empty(t, evaluate[string](p, `[...document.querySelectorAll("button, .button, select, summary")]
				.filter((e) => e.checkVisibility() && !e.classList.contains("link") && !e.closest("[hidden]"))
				.map((e) => [e, e.getBoundingClientRect()]).filter(([, r]) => r.height < 43.5 || r.width < 43.5)
				.map(([e, r]) => e.outerHTML.slice(0, 80) + " " + r.width + "x" + r.height).join("\n")`), "too small for a finger")
			require.Empty(t, evaluate[string](p, `[...document.querySelectorAll("button, input, select, [role=button]")]
				.filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML.slice(0, 80)).join("\n")`), "has no name for those who do not see it")
			require.Empty(t, evaluate[string](p, paleText), "too pale to read")
		})
	}
}

// paleText lists text whose contrast to its ground is below 4.5 to 1.
const paleText = `(() => {
	const numbers = (c) => (c.match(/[\d.]+/g) ?? []).map(Number);
	const lum = ([r, g, b]) => { const f = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
	const ground = (e) => { for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor); if (!getComputedStyle(e).backgroundColor.startsWith("color(") && (c.length === 3 || c[3] > 0.99)) return c; } return [255, 255, 255]; };
	const out = [];
	for (const e of document.querySelectorAll("body *")) {
		if (!e.checkVisibility({opacityProperty: true}) || e.closest("svg, canvas, .stage, [disabled]")) continue;
		if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
		const a = lum(numbers(getComputedStyle(e).color)), b = lum(ground(e));
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) out.push(e.tagName + "." + e.className + " " + e.textContent.trim().slice(0, 20) + " " + ratio.toFixed(2));
	}
	return out.join("\n");
})()`

func TestOnPaperOnlyTheBoardAndItsScoreAreLeft(t *testing.T) {
	t.Parallel()
	p := open(t, start(t, options(scores(t))).URL, laptop)
	p.click(`[data-id="seen-1"] .hit`)
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	require.NoError(t, err)
	require.Equal(t, "#score #stage .brand", evaluate[string](p, `[".brand", ".pick", ".tools", ".keep", ".stepper", ".more", "#asks", "#mini", "#score", "#selected", "#stage"]
		.filter((c) => document.querySelector(c).checkVisibility()).sort().join(" ")`))
	require.Equal(t, 18, evaluate[int](p, `[...document.querySelectorAll(".disc")].filter((d) => d.checkVisibility()).length`))
	require.Equal(t, "90 | 85", p.points())
	p.shoot("print", true)
}

func TestThePictureToKeepShowsTheBoardAndTheCorrectedScore(t *testing.T) {
	t.Parallel()
	p := open(t, start(t, options(scores(t))).URL, laptop)
	made := evaluate[string](p, `(async () => {
		const [{ poster, words }, { fold }, { load }] = await Promise.all(["poster", "edits", "picture"].map((m) => import("/js/" + m + ".js")));
		const report = await (await fetch("/api/v1/example")).json();
		const picture = await load(await (await fetch("/example.jpg")).blob());
		const state = fold(report, [{type: "twenties", side: "A", count: 2}]);
		const file = await poster(picture, report, state);
		const size = await createImageBitmap(file);
		const bytes = new Uint8Array(await file.arrayBuffer());
		let text = "";
		for (const b of bytes) text += String.fromCharCode(b);
		return [file.name, file.type, size.width, size.height, words(state), btoa(text)].join("|");
	})()`)
	parts := strings.Split(made, "|")
	require.Equal(t, "crokinole-score.jpg", parts[0])
	require.Equal(t, "image/jpeg", parts[1])
	width, err := strconv.Atoi(parts[2])
	require.NoError(t, err)
	require.Greater(t, width, 1000)
	require.Equal(t, "Red 130 – Natural 85", parts[4])
	if *shots != "" {
		var data []byte
		require.NoError(t, json.Unmarshal([]byte(`"`+parts[5]+`"`), &data))
		require.NoError(t, os.WriteFile(filepath.Join(*shots, "poster.jpg"), data, 0o644))
	}
}
