package api_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"crokcam/api/access"
	"crokcam/api/contract"
	"crokcam/live"
	"crokcam/vision/capture"
)

// caller speaks to the service as another program does.
func (e *evening) caller(base string) caller { return caller{e.TB, base} }

// record sends events as a camera's program does; the last shot is judged.
func (c caller) record(code, events string, judge bool) {
	c.Helper()
	a := c.post("matches/"+code+"/events", fmt.Sprintf(`{"judge":%t,"events":[%s]}`, judge, events))
	require.Equal(c, 200, a.status, string(a.body))
}

// newMatch is an evening with one board, on which a match is at its first shot.
func newMatch(t testing.TB) (*evening, caller, string) {
	t.Helper()
	e := newEvening(t)
	e.board("table-1", "Table 1", "", true)
	base := start(t, e.options).URL
	c := e.caller(base)
	a := c.post("matches", `{"board":"table-1","title":"Final","profile":"nca","players":[{"seat":"south","name":"Ann"},{"seat":"north","name":"Bob"}],"sides":[{"side":"A","colour":"black"},{"side":"B","colour":"natural"}]}`)
	require.Equal(t, 201, a.status, string(a.body))
	code := c.view(a).Code
	require.Equal(t, 200, c.post("matches/"+code+"/rounds/start", `{}`).status)
	return e, c, code
}

const annsShot = `{"kind":"shot.detected","data":{"seat":"south","before":{"discs":[]},"after":{"discs":[{"x_mm":40,"y_mm":10,"side":"A","rest":"surface","sigma_mm":0.4,"confidence":0.99}]},"evidence":{}}}`

// bobsMiss is Bob's shot after it, which touched nothing and went to the ditch.
const bobsMiss = `{"kind":"shot.detected","data":{"seat":"north","before":{"discs":[{"x_mm":40,"y_mm":10,"side":"A","rest":"surface","sigma_mm":0.4,"confidence":0.99}]},"after":{"discs":[{"x_mm":40,"y_mm":10,"side":"A","rest":"surface","sigma_mm":0.4,"confidence":0.99}]},"evidence":{}}}`

// bobsTouch is Bob's shot in its place: it moved Ann's disc and lies in the 10. annsOther
// is hers after it.
const (
	bobsTouch = `{"kind":"shot.detected","data":{"seat":"north","before":{"discs":[{"x_mm":40,"y_mm":10,"side":"A","rest":"surface","sigma_mm":0.4,"confidence":0.99}]},"after":{"discs":[{"x_mm":43,"y_mm":12,"side":"A","rest":"surface","sigma_mm":0.4,"confidence":0.99},{"x_mm":0,"y_mm":150,"side":"B","rest":"surface","sigma_mm":0.4,"confidence":0.99}]},"evidence":{}}}`
	annsOther = `{"kind":"shot.detected","data":{"seat":"south","before":{"discs":[{"x_mm":43,"y_mm":12,"side":"A","rest":"surface","sigma_mm":0.4,"confidence":0.99},{"x_mm":0,"y_mm":150,"side":"B","rest":"surface","sigma_mm":0.4,"confidence":0.99}]},"after":{"discs":[{"x_mm":43,"y_mm":12,"side":"A","rest":"surface","sigma_mm":0.4,"confidence":0.99},{"x_mm":0,"y_mm":154,"side":"B","rest":"surface","sigma_mm":0.4,"confidence":0.99},{"x_mm":-60,"y_mm":0,"side":"A","rest":"surface","sigma_mm":0.4,"confidence":0.99}]},"evidence":{}}}`
)

// figures are the points of the round and the 20s of each side, as shown.
func (p *page) figures() string {
	p.Helper()
	return p.text(".round-points") + " / " + p.text("dd.twenties")
}

func (p *page) becomes(js, want string) {
	p.Helper()
	p.wait(fmt.Sprintf("(%s) === %q", js, want))
}

const figures = `[...document.querySelectorAll(".round-points")].map((e) => e.textContent).join(" | ") + " / " + [...document.querySelectorAll("dd.twenties")].map((e) => e.textContent).join(" | ")`

func TestAMatchIsFollowedAndCorrectedWithOneTap(t *testing.T) {
	t.Parallel()
	e, c, code := newMatch(t)
	p := visit(t, c.base+"/boards/table-1", phone)
	p.becomes(`document.querySelector(".waits")?.textContent`, "Ann to shoot")
	require.Equal(t, "0 | 0 / 0 | 0", p.figures())

	// A shot is shown as it is judged, and read out.
	c.record(code, annsShot, true)
	p.becomes(`document.querySelector(".ruling")?.textContent`, "Good shot")
	p.becomes(`document.querySelector(".waits").textContent`, "Bob to shoot")
	require.Equal(t, "15 | 0 / 0 | 0", p.figures())
	require.Equal(t, "polite", evaluate[string](p, `document.querySelector(".reasons").closest("[aria-live]").getAttribute("aria-live")`))
	require.Contains(t, p.text(".reasons"), "No opposing disc was on the board, and the black shot disc in the 15, 3 o'clock ends in or on the 15. OPN-2")

	// The other side of the line is one tap on the disc and one on its value.
	p.click(`[data-disc="3"] .b-disc`)
	require.Equal(t, "10", p.text(".chip.across"), "the zone beyond the nearest line is put forward")
	p.shoot("chosen", true)
	p.click(`[data-do="zone-10"]`)
	p.becomes(figures, "10 | 0 / 0 | 0")
	p.click(`[data-do="undo"]`)
	p.becomes(figures, "15 | 0 / 0 | 0")
	p.click(`[data-do="redo"]`)
	p.becomes(figures, "10 | 0 / 0 | 0")

	// Whose it is: what cannot be is refused in words, what can be is done.
	p.click(`[data-disc="3"] .b-disc`)
	p.click(`[data-do="owner-B"]`)
	p.wait(`document.getElementById("said").textContent.includes("Side B would have 1 discs more than it has shot")`)
	c.record(code, bobsMiss, true)
	p.becomes(`document.querySelector(".ruling").textContent`, "Failed shot")
	p.click(`[data-do="owner-B"]`)
	p.becomes(figures, "0 | 10 / 0 | 0")
	p.click(`[data-do="undo"]`)
	p.becomes(figures, "10 | 0 / 0 | 0")

	// A 20 that was missed, and one too many.
	p.click(`[data-do="more-B"]`)
	p.becomes(figures, "10 | 20 / 0 | 1")
	p.click(`[data-do="less-B"]`)
	p.becomes(figures, "10 | 0 / 0 | 0")

	// Moved by hand, to where is tapped.
	p.click(`[data-disc="3"] .b-disc`)
	p.click(`[data-do="move"]`)
	at := p.onSVG("#board", 250, 0)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	p.becomes(figures, "5 | 0 / 0 | 0")

	// It was never there; and then it was.
	p.click(`[data-disc="3"] .b-disc`)
	p.click(`[data-do="gone"]`)
	p.becomes(figures, "0 | 0 / 0 | 0")
	p.click(`[data-do="add-A"]`)
	at = p.onSVG("#board", -60, 20)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	p.becomes(figures, "15 | 0 / 0 | 0")

	// All of it is in the match with a reason.
	require.Contains(t, string(c.get("matches/"+code+"/corrections").body), "Corrected at the board")

	// A pause, and the board as it lies.
	p.click(`[data-do="pause"]`)
	p.becomes(`document.querySelector(".waits").textContent`, "Paused")
	p.click(`[data-do="resume"]`)
	p.becomes(`document.querySelector(".waits").textContent`, "Ann to shoot")
	p.click(`[data-do="accept"]`)
	p.do(chromedp.SetValue(`dialog [name="next"]`, "north"))
	p.shoot("accept", false)
	p.click(`dialog .primary`)
	p.wait(`!document.querySelector("dialog")`)
	require.Eventually(t, func() bool { return len(e.table("table-1").has()) == 1 }, waitLong, waitStep)
	require.Equal(t, []string{"accept, next north"}, e.table("table-1").has())
}

func TestTwoDiscsThatWereTakenForEachOthersAreSwappedByATapOnEach(t *testing.T) {
	t.Parallel()
	_, c, code := newMatch(t)
	c.record(code, annsShot, true)
	c.record(code, bobsTouch, true)
	p := visit(t, c.base+"/boards/table-1", phone)
	p.becomes(figures, "15 | 10 / 0 | 0")
	p.click(`[data-disc="3"] .b-disc`)
	p.click(`[data-do="swap"]`) // there is only one that it can be
	p.becomes(figures, "10 | 15 / 0 | 0")
	p.click(`[data-do="undo"]`)
	p.becomes(figures, "15 | 10 / 0 | 0")

	c.record(code, annsOther, true)
	p.becomes(figures, "30 | 10 / 0 | 0")
	p.click(`[data-disc="5"] .b-disc`)
	p.click(`[data-do="swap"]`)
	p.becomes(`document.querySelector("#correct .hint").textContent`, "Tap the disc to swap it with.")
	p.click(`[data-disc="3"] .b-disc`)
	p.becomes(figures, "25 | 15 / 0 | 0")
}

func TestTheBoardIsCorrectedWithKeysAlone(t *testing.T) {
	t.Parallel()
	_, c, code := newMatch(t)
	c.record(code, annsShot, true)
	p := visit(t, c.base+"/boards/table-1", laptop)
	before := c.view(c.get("matches/" + code)).Version
	p.wait(`document.querySelector('[data-disc="3"]')`)
	require.Equal(t, "Ann: counts 15", evaluate[string](p, `(document.querySelector('[data-disc="3"]').focus(), document.activeElement.getAttribute("aria-label"))`))
	p.do(chromedp.KeyEvent("\r"))
	p.becomes(`document.activeElement.dataset.do`, "zone-10")
	require.Equal(t, before, c.view(c.get("matches/"+code)).Version, "the key that chooses corrects nothing")
	require.Equal(t, "zone-15", evaluate[string](p, `document.querySelector(".chips button").dataset.do`))
	evaluate[bool](p, `(document.querySelector('[data-do="zone-5"]').focus(), true)`)
	p.do(chromedp.KeyEvent("\r"))
	p.becomes(figures, "5 | 0 / 0 | 0")
}

func TestWhatSomebodyElseHasChangedIsExplainedAndShown(t *testing.T) {
	t.Parallel()
	_, c, code := newMatch(t)
	c.record(code, annsShot, true)
	p := visit(t, c.base+"/boards/table-1", laptop)
	p.becomes(figures, "15 | 0 / 0 | 0")
	// The other tablet is quicker by a hair: its correction comes between the tap
	// here and the request.
	evaluate[bool](p, `(() => {
		const send = window.fetch;
		window.fetch = async (url, o) => {
			if (o?.method === "POST") {
				window.fetch = send;
				await send(String(url).replace(/undo$/, "corrections"), {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({change: {value: {disc: "3", zone: "5"}}, reason: "seen"})});
			}
			return send(url, o);
		};
		return true;
	})()`)
	p.click(`[data-do="undo"]`)
	p.wait(`document.getElementById("said").classList.contains("fault")`)
	require.Contains(t, p.text("#said"), "Somebody else was quicker")
	p.becomes(figures, "5 | 0 / 0 | 0")
}

func TestAnUnclearCallIsAskedWithItsPictureAndAnsweredWithOneTap(t *testing.T) {
	t.Parallel()
	e := full(t)
	p := visit(t, start(t, e.options).URL+"/boards/table-3", phone)
	p.wait(`document.querySelector(".answer")`)
	require.Equal(t, "Please look closely", p.text("#asks h2"))
	require.Equal(t, "5Yes, it touches | 10No, it is clear", p.text(".answer"))
	require.Equal(t, "Play waits for the answer.", p.text(".words .fine:last-child"))
	// What is shown is a piece of the picture, not an empty field.
	p.wait(`(() => { const c = document.querySelector(".cut canvas"); const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
		return new Set(Array.from({length: 200}, (_, i) => d[4 * Math.floor(i * d.length / 800)])).size > 20; })()`)
	require.Equal(t, "asked", evaluate[string](p, `[...document.querySelectorAll(".b-piece.asked")].map(() => "asked").join()`))
	p.click(`.answer[data-choice="10"]`)
	p.wait(`document.getElementById("asks").hidden`)
	p.becomes(`document.querySelector('[data-side="B"] .round-points').textContent`, "90")
}

func TestTheCountIsAgreedAndARoundEnteredByHand(t *testing.T) {
	t.Parallel()
	e := full(t)
	base := start(t, e.options).URL
	p := visit(t, base+"/boards/table-4", laptop)
	p.wait(`document.querySelector('[data-do="agree"]')`)
	p.click(`[data-do="agree"]`)
	p.becomes(`document.querySelector(".waits").textContent`, "Between rounds")
	require.NotEqual(t, "0 | 0", p.text(".card .points"))
	p.click("#tools summary")
	p.click(`[data-do="enter"]`)
	p.do(chromedp.SetValue(`dialog [name="totals-A"]`, "40"), chromedp.SetValue(`dialog [name="totals-B"]`, "65"))
	p.click(`dialog .primary`)
	p.wait(`document.querySelector(".place").textContent.includes("Round 3")`)
}

func TestFromNothingToTheFirstShot(t *testing.T) {
	t.Parallel()
	e := newEvening(t)
	base := start(t, e.options).URL
	p := visit(t, base+"/boards", laptop)
	p.wait(`document.querySelector("#none a")`)
	p.click("#none a")

	p.wait(`document.querySelectorAll(".pick-one").length === 3`)
	require.Contains(t, p.text(".pick-one"), "HD Pro Webcam C920", "the cameras of the machine are there to choose from")
	p.do(chromedp.SetValue(`[name="name"]`, "Table 7"))
	p.click("#source .primary")

	// The board is found and drawn over the picture.
	p.wait(`document.querySelectorAll(".handle").length === 4 && document.querySelectorAll(".over .found").length === 5`)
	require.Contains(t, p.text("#look .condition"), "The camera sees the board")
	table := e.table("table-7")

	// Handles are moved with the pointer and with keys.
	from := evaluate[xy](p, `(() => { const e = document.querySelector(".handle .pin"); e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return {X: r.x + r.width / 2, Y: r.y + r.height / 2}; })()`)
	p.drag(from, xy{from.X + 12, from.Y + 6})
	require.False(t, evaluate[bool](p, `document.querySelector(".camera-stage .loupe").hidden`))
	p.shoot("handles", false)
	p.drop(xy{from.X + 12, from.Y + 6})
	evaluate[bool](p, `(document.querySelectorAll(".handle")[2].focus(), true)`)
	p.do(chromedp.KeyEvent("\u0302"))
	p.click(`[data-do="use"]`)
	p.wait(`document.querySelector('[data-do="turn"]')`)
	require.Equal(t, []string{"points of 1280 × 960: start@45 start@135 start@225 start@315"}, table.has())
	p.click(`[data-do="turn"]`)
	p.wait(`document.querySelector('[data-do="turn"]:not([aria-busy])')`)
	require.Equal(t, "points of 1280 × 960: start@135 start@225 start@315 start@45", table.has()[1])
	p.click(`[data-do="auto"]`)
	p.wait(`document.querySelector('[data-do="auto"]:not([aria-busy])')`)
	require.Equal(t, "calibrate by itself", table.has()[2])

	// The players, and off it goes.
	p.do(chromedp.SetValue(`[name="player-south"]`, "Ann"), chromedp.SetValue(`[name="player-north"]`, "Bob"))
	p.click("#play .primary")
	p.becomes(`document.querySelector(".card .name")?.textContent`, "Ann")
	require.Contains(t, evaluate[string](p, `location.pathname`), "/boards/table-7")
	c := e.caller(base)
	code := c.view(c.get("boards/table-7/match")).Code
	require.Equal(t, 200, c.post("matches/"+code+"/rounds/start", `{}`).status)
	c.record(code, annsShot, true)
	p.becomes(`document.querySelector(".ruling")?.textContent`, "Good shot")
}

func TestAMatchIsToldAgainShotByShot(t *testing.T) {
	t.Parallel()
	e := full(t)
	base := start(t, e.options).URL
	p := visit(t, base+"/matches", laptop)
	p.wait(`document.querySelectorAll("tr[data-match]").length === 5 && document.querySelectorAll(".player").length > 5`)
	p.click(`tr[data-match="VER89"] a`)
	p.wait(`document.querySelector(".shot-chip[aria-current]") && document.querySelectorAll(".player").length === 2`)
	require.Equal(t, "Wim – Zoë", p.text("h1"))
	require.Equal(t, "1 / 64", p.text(".step-of"))
	require.Contains(t, p.text("#verdict .whose"), "Shot 1")
	require.Equal(t, 2, evaluate[int](p, `document.querySelectorAll("#pictures img").length`))
	p.click(`[data-do="on"]`)
	require.Equal(t, "2 / 64", p.text(".step-of"))
	require.Contains(t, p.text("#verdict .whose"), "Shot 2")
	p.do(chromedp.KeyEvent("\u0303"))
	require.Equal(t, "3 / 64", p.text(".step-of"), "the arrow keys go on as well")
	p.click(`[data-do="last"]`)
	require.Equal(t, "64 / 64", p.text(".step-of"))
	last := evaluate[string](p, `location.hash`)
	// The address leads back to the same shot.
	p.do(chromedp.Reload())
	p.wait(`document.querySelector(".shot-chip[aria-current]") && document.querySelectorAll(".heat .bin").length > 0`)
	require.Equal(t, "64 / 64", p.text(".step-of"))
	require.Equal(t, last, evaluate[string](p, `location.hash`))
	require.Equal(t, "32 shots", evaluate[string](p, `document.querySelector(".player p").textContent.split(" · ")[2]`))
	require.NotZero(t, evaluate[int](p, `document.querySelectorAll(".heat .bin").length`))

	// An organiser deletes it, once it is on no board.
	remove := func() {
		p.click(`[data-do="delete"]`)
		p.wait(`document.querySelector("dialog[open]")`)
		p.shoot("match-delete", false)
		p.click("dialog .primary")
	}
	remove()
	p.wait(`document.getElementById("said").textContent.includes("on a board")`)
	require.Equal(t, 204, e.caller(base).send("DELETE", "boards/table-5/match", "").status)
	remove()
	p.wait(`location.pathname === "/matches" && document.querySelectorAll("tr[data-match]").length === 4`)
}

func TestAllBoardsAreOnOnePage(t *testing.T) {
	t.Parallel()
	e := full(t)
	base := start(t, e.options).URL
	p := visit(t, base+"/boards", laptop)
	p.wait(`document.querySelectorAll(".at").length === 6`)
	require.Equal(t, "4 matches are being played", p.text("#total"))
	require.Contains(t, p.text(`[data-board="table-3"]`), "1 question")
	require.Contains(t, p.text(`[data-board="table-5"] .waits`), "wins")
	e.table("table-2").lose()
	p.wait(`document.querySelector('[data-board="table-2"] .condition.fault')`)
	require.Contains(t, p.text(`[data-board="table-2"] .condition`), "the camera was unplugged")
	p.click(`[data-board="table-1"] a`)
	p.wait(`document.querySelectorAll("#cards .card").length === 2`)
	p.click(`nav a[href$="/boards"]`)
	p.wait(`document.querySelectorAll(".at").length === 6`)
}

func TestTheRefereeSeesWhatAVerdictRestsOn(t *testing.T) {
	t.Parallel()
	e := full(t)
	base := start(t, e.options).URL
	p := visit(t, base+"/boards/table-3/referee", laptop)
	p.wait(`["raw", "annotated", "rectified"].every((v) => document.querySelector("#" + v + " img")?.naturalWidth > 100)`)
	p.click("#edges-fold summary")
	p.wait(`document.querySelector("#edges img")?.naturalWidth > 100`)
	p.click("#edges-fold summary")
	p.wait(`!document.querySelector("#edges img")`)
	p.wait(`document.querySelectorAll("#discs tbody tr").length === 18 && document.querySelector("#verdict .reasons")`)
	require.Contains(t, p.text("#verdict .reasons"), "mm from the line")
	require.Contains(t, p.text("#numbers"), "tournament-26")
	c := e.caller(base)
	require.Equal(t, 200, c.post("matches/CLS47/notes", `{"text":"look at this"}`).status)
	p.wait(`document.querySelector("#log").textContent.includes("note.added")`)
}

// cable lies between a browser and the service, and can be cut.
type cable struct {
	net.Listener
	mu    sync.Mutex
	to    string
	conns []net.Conn
	cut   bool
}

func plug(t testing.TB, to string) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	c := &cable{Listener: l, to: to}
	t.Cleanup(func() { l.Close(); c.set(true) })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				continue
			}
			c.mu.Lock()
			if c.cut {
				in.Close()
				out.Close()
			}
			c.conns = append(c.conns, in, out)
			c.mu.Unlock()
			// Both end when the cable is cut.
			go io.Copy(in, out)
			go io.Copy(out, in)
		}
	}()
	return c
}

func (c *cable) set(cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = cut
	if cut {
		for _, conn := range c.conns {
			conn.Close()
		}
		c.conns = nil
	}
}

func TestAPageThatIsCutOffSaysSoAndCatchesUp(t *testing.T) {
	t.Parallel()
	_, c, code := newMatch(t)
	line := plug(t, strings.TrimPrefix(c.base, "http://"))
	p := visit(t, "http://"+line.Addr().String()+"/boards/table-1", laptop)
	p.becomes(`document.querySelector(".waits")?.textContent`, "Ann to shoot")
	require.True(t, evaluate[bool](p, `document.getElementById("line").hidden`))
	line.set(true)
	p.wait(`!document.getElementById("line").hidden`)
	require.Contains(t, p.text("#line"), "Trying again")
	require.Equal(t, "Ann to shoot", p.text(".waits"), "what was known stays in sight")
	c.record(code, annsShot, true)
	line.set(false)
	p.wait(`document.getElementById("line").hidden`)
	p.becomes(figures, "15 | 0 / 0 | 0")
}

func TestWhoeverHasNoTokenSignsInAndSeesWhatTheirRoleMay(t *testing.T) {
	t.Parallel()
	e := full(t)
	e.options.Access = access.Closed
	e.options.Token = "organiser-of-the-evening"
	tokens, err := access.NewTokens(e.options.Store, "", nil)
	require.NoError(t, err)
	secret, _, err := tokens.Create(t.Context(), "hall screen", contract.Viewer, "", noTime)
	require.NoError(t, err)
	p := visit(t, start(t, e.options).URL+"/boards/table-1", phone)
	p.wait(`document.querySelector(".sign")`)
	p.shoot("sign-in", false)
	require.Equal(t, "token", evaluate[string](p, `document.activeElement.id`))
	p.do(chromedp.SendKeys("#token", "not one of theirs"))
	p.click(".sign .primary")
	p.wait(`!document.querySelector(".sign [role=alert]").hidden`)
	p.do(chromedp.SetValue("#token", secret))
	p.click(".sign .primary")
	p.wait(`document.querySelectorAll("#cards .card").length === 2 && document.body.dataset.role === "viewer"`)
	require.False(t, evaluate[bool](p, `document.getElementById("tools").checkVisibility()`), "a viewer looks on")
}

func TestThePagesSpeakFourLanguages(t *testing.T) {
	t.Parallel()
	e := full(t)
	base := start(t, e.options).URL
	p := visit(t, base+"/boards/table-1?lang=fr", laptop)
	p.becomes(`document.querySelector(".waits")?.textContent`, "À Anneke de Vries de tirer")
	require.Contains(t, p.text(".ruling"), "Coup manqué")
	require.Contains(t, p.text(".reasons"), "Aucun disque adverse")
	require.Equal(t, "fr", evaluate[string](p, `document.documentElement.lang`))
	p.shoot("french", true)
	require.Equal(t, []string{"Le match n’attend pas cela maintenant.", "Un match est sur cette planche. Terminez-le ou retirez-l’en d’abord.", "Il n’y a rien de ce nom ici, ou plus rien."},
		evaluate[[]string](p, `import("/js/client.js").then(async ({get, post, request}) => {
			const {match} = await get("boards/table-1");
			const refused = [post("matches/" + match + "/rounds/start"), request("DELETE", "boards/table-1"), get("matches/ZZZZZ")];
			return Promise.all(refused.map((x) => x.then(() => "done", (e) => e.message)));
		})`), "what is refused")

	// So is what an earlier correction has made untrue.
	require.Equal(t, "Une manche compte, mais le jugement d’un de ses tirs attend. Regarder → /matches/K4MR7#shot-7", evaluate[string](p, `import("/js/faults.js").then(({drawFaults}) => {
		const box = document.createElement("section");
		drawFaults(box, {match: "m", code: "K4MR7", problems: [{seq: 7, code: "shot_open", text: "the round counts"}]});
		return box.querySelector("li").textContent + " → " + box.querySelector("a").href.replace(location.origin, "");
	})`))

	// Thai has a font of the page's own, and room on a phone.
	p.to(base + "/boards/table-1?lang=th")
	p.becomes(`document.querySelector(".waits")?.textContent`, "ตาของ Anneke de Vries")
	p.fit(narrow)
	p.wait(`[...document.fonts].some((f) => f.family.includes("Crokcam Thai") && f.status === "loaded")`)
	require.LessOrEqual(t, evaluate[int](p, `document.documentElement.scrollWidth`), int(narrow.width))
	require.Empty(t, evaluate[string](p, tooSmall))
	p.shoot("thai", true)
	p.fit(laptop)

	// What is chosen holds on the next page.
	p.do(chromedp.SetValue(".language select", "nl"))
	p.becomes(`document.querySelector(".waits")?.textContent`, "Anneke de Vries is aan de beurt")
	p.to(base + "/matches")
	p.becomes(`document.querySelector("h1").textContent`, "Wedstrijden")

	// So does the page that scores photos.
	photo := open(t, start(t, options(scores(t))).URL+"/?lang=fr", phone)
	require.Equal(t, "Prendre une photo", photo.text(`label[for="camera"]`))
	require.Equal(t, "Regardez de près", photo.text("#asks-title"))
	require.Contains(t, photo.text("#asks-list .question"), "touche-t-il la ligne")
	require.Equal(t, "fr", evaluate[string](photo, `document.documentElement.lang`))
	photo.shoot("photo-french", true)
	photo.do(chromedp.SetValue("#language select", "th"))
	photo.becomes(`document.querySelector("#asks-title").textContent`, "โปรดดูใกล้ ๆ")
	photo.shoot("photo-thai", true)

	// No sentence is missing in any of them, nor has places that the English has not.
	require.Empty(t, evaluate[string](p, `Promise.all(["en", "fr", "nl", "th"].map((l) => import("/js/words-" + l + ".js"))).then(([en, ...others]) => others.flatMap(({default: o}, i) => {
		const places = (s) => [...new Set(s.match(/\{\w+\}/g) ?? [])].sort().join();
		const lang = ["fr", "nl", "th"][i];
		const forms = (k) => lang === "th" && k.endsWith(".one");
		return [
			...Object.keys(en.default).filter((k) => !(k in o) && !forms(k)).map((k) => lang + " lacks " + k),
			...Object.keys(o).filter((k) => !(k in en.default)).map((k) => lang + " has " + k),
			...Object.keys(o).filter((k) => k in en.default && places(o[k]) !== places(en.default[k])).map((k) => lang + " fills otherwise " + k),
		];
	}).join("\n"))`))
}

func TestWhatTheCameraWantsIsSaidInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	e := full(t)
	base := start(t, e.options).URL
	wants := func(list ...live.Advice) {
		table := e.table("table-1")
		table.mu.Lock()
		defer table.mu.Unlock()
		table.advice = list
	}
	small := live.Advice{Code: "board_small", Level: live.Warning, Text: "A pixel covers 1.6 mm of the board.", Values: map[string]float64{"mm": 1.6, "good": 1.3}}
	wants(small, live.Advice{Code: "picture_black", Level: live.Fault, Text: "The picture is black."},
		live.Advice{Code: "glare", Level: live.Warning, Text: "4 % of the board shines."}, // its figure is not told apart
		live.Advice{Code: "of_tomorrow", Level: live.Note, Text: "Polish the board."})
	p := visit(t, base+"/boards/table-1?lang=fr", laptop)
	p.wait(`document.querySelectorAll(".advice li").length === 4`)
	said := p.text(".advice")
	require.Contains(t, said, "Un pixel couvre 1,6 mm de la planche")
	require.Contains(t, said, "jusqu’à 1,3 mm")
	require.Contains(t, said, "L’image est noire")
	require.Contains(t, said, "4 % of the board shines.", "a sentence whose figure is not known stays as it came")
	require.Contains(t, said, "Polish the board.", "so does one that there are no words for")
	p.shoot("advice-french", true)

	p.to(base + "/setup?board=table-1&lang=th")
	p.wait(`document.querySelectorAll("#look .advice li").length === 4`)
	require.Contains(t, p.text("#look .advice"), "หนึ่งพิกเซลกินพื้นที่ 1.6 มม.")
	p.shoot("advice-thai", true)
	p.to(base + "/boards/table-1?lang=en")
	p.wait(`document.querySelector('.advice [data-code="board_small"]')`)
	require.Equal(t, small.Text, p.text(`.advice [data-code="board_small"]`))

	// There are words for whatever a camera can fail by.
	for _, code := range []string{
		capture.BadSource, capture.NoSuchCamera, capture.CameraBusy, capture.PermissionDenied, capture.NotACamera, capture.NotFound,
		capture.NoVideo, capture.Unreadable, capture.Unauthorized, capture.Unreachable, capture.Stalled, capture.Ended, capture.Crashed,
		capture.NoDecoder, capture.NoSuchFormat, capture.Failed,
	} {
		require.True(t, evaluate[bool](p, `import("/js/words.js").then((w) => w.has("advice.camera_`+code+`"))`), code)
	}
}

func TestThePhotoPageLeadsToTheBoardsWhereThereAreAny(t *testing.T) {
	t.Parallel()
	p := open(t, start(t, options(scores(t))).URL, phone)
	require.True(t, evaluate[bool](p, `document.getElementById("tables").hidden`))
	require.Equal(t, "Live", p.text(".live-link"))
	p = open(t, start(t, full(t).options).URL, phone)
	p.wait(`!document.getElementById("tables").hidden`)
	p.shoot("photo-with-boards", false)
	require.Contains(t, p.text("#tables"), "5 boards")
	p.click("#tables")
	p.wait(`document.querySelectorAll(".at").length === 6`)
}

func TestAMatchIsSeenAndKeptWhileNoCameraWatches(t *testing.T) {
	t.Parallel()
	_, c, code := newMatch(t)
	c.record(code, annsShot, true)
	require.Equal(t, 200, c.send("PATCH", "boards/table-1", `{"open":false}`).status)
	p := visit(t, c.base+"/boards/table-1", phone)
	p.becomes(`document.querySelector(".waits")?.textContent`, "Bob to shoot")
	p.becomes(`document.querySelector(".condition")?.textContent`, "The camera is off")
	require.Equal(t, "15 | 0 / 0 | 0", p.figures())
	p.click(`[data-disc="3"] .b-disc`)
	p.click(`[data-do="zone-10"]`)
	p.becomes(figures, "10 | 0 / 0 | 0")

	// A match that another program records on a board that is not of this hall.
	a := c.post("matches", `{"board":"table-9","players":[{"seat":"south","name":"Cleo"},{"seat":"north","name":"Dan"}]}`)
	require.Equal(t, 201, a.status, string(a.body))
	other := c.view(a)
	require.Equal(t, "table-9", other.Board)
	p.to(c.base + "/boards/table-9")
	p.becomes(`document.querySelector(".waits")?.textContent`, "Between rounds")
	p.becomes(`document.querySelector(".condition")?.textContent`, "No camera of this service watches this board")
	require.Equal(t, 200, c.post("matches/"+other.Code+"/rounds/start", `{}`).status)
	p.becomes(`document.querySelector(".waits")?.textContent`, "Cleo to shoot")
	p.shoot("no-camera", true)
	p.to(c.base + "/boards")
	p.wait(`document.querySelectorAll(".at").length === 2`)
	require.Contains(t, p.text(`[data-board="table-9"]`), "Cleo")
	require.Contains(t, p.text(`[data-board="table-9"] .condition`), "No camera of this service watches this board")
	require.Equal(t, "2 matches are being played", p.text("#total"))
	p.shoot("boards-no-camera", true)
	p.click(`[data-board="table-9"] a`)
	p.becomes(`document.querySelector(".waits")?.textContent`, "Cleo to shoot")
	p.to(c.base + "/matches/" + other.Code)
	p.click(`#sub a`)
	p.becomes(`document.querySelector(".waits")?.textContent`, "Cleo to shoot")

	p.to(c.base + "/overlay/table-9/scorebug")
	p.becomes(`document.querySelector("[data-part=name]")?.textContent`, "Cleo")
}
