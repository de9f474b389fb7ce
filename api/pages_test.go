package api_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// axe is the library that looks for what keeps people from using a page.
var axe = sync.OnceValues(func() (string, error) {
	f, err := os.Open("testdata/axe/axe.min.js.gz")
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(z)
	return string(text), err
})

// barriers are axe's serious and critical findings, of some of its rules if they
// are named.
func (p *page) barriers(rules string) string {
	p.Helper()
	if !evaluate[bool](p, `"axe" in window`) {
		text, err := axe()
		require.NoError(p, err)
		evaluate[bool](p, "(() => {"+text+"\n; return true; })()")
	}
	return evaluate[string](p, `axe.run(document, {resultTypes: ["violations"], ...`+rules+`}).then((r) => r.violations
		.filter((v) => v.impact === "serious" || v.impact === "critical")
		.map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ") + " " + (n.any[0]?.message ?? n.all[0]?.message ?? "")).join("; ")).join("\n"))`)
}

// tooSmall are what a finger cannot hit.
const tooSmall = `[...document.querySelectorAll("button, .button, select, summary, nav a, input:not(.away, [type=radio])")]
	.filter((e) => e.checkVisibility() && !e.classList.contains("link"))
	.map((e) => [e, e.getBoundingClientRect()]).filter(([, r]) => r.height < 43.5 || r.width < 43.5)
	.map(([e, r]) => e.outerHTML.slice(0, 90) + " " + r.width + "x" + r.height).join("\n")`

// allPages are the pages of a club night, with what shows that they are there.
var allPages = map[string]struct{ path, there string }{
	"boards":  {"/boards", `document.querySelectorAll(".at").length === 6`},
	"live":    {"/boards/table-1", `document.querySelectorAll("#cards .card").length === 2 && document.querySelector(".ruling")`},
	"doubles": {"/boards/table-2", `document.querySelectorAll("#cards .card").length === 2`},
	"ask":     {"/boards/table-3", `document.querySelector(".answer")`},
	"count":   {"/boards/table-4", `document.querySelector('[data-do="agree"]')`},
	"over":    {"/boards/table-5", `document.querySelector(".card.won")`},
	"off":     {"/boards/table-6", `document.querySelector(".condition.off")`},
	"setup":   {"/setup", `document.querySelectorAll(".pick-one").length === 3`},
	"look":    {"/setup?board=table-3", `document.querySelectorAll(".handle").length === 4 && document.querySelector("[name=player-north]")`},
	"matches": {"/matches", `document.querySelectorAll("tr[data-match]").length === 5 && document.querySelector(".player")`},
	"match":   {"/matches/FNL23", `document.querySelector(".shot-chip[aria-current]") && document.querySelector(".player")`},
	"referee": {"/boards/table-3/referee", `document.querySelector("#verdict .reasons") && document.querySelector("#discs table")`},
}

func TestThePagesFitEveryWindowAndKeepNobodyOut(t *testing.T) {
	t.Parallel()
	server := start(t, full(t).options)
	type look struct {
		window
		rules string // of axe
	}
	// All that axe knows, and once more what depends on the colours alone.
	windows := []look{{window{width: 360, height: 780, phone: true}, "{}"}, {window{width: 1366, height: 768, dark: true}, `{runOnly: ["color-contrast"]}`}}
	if *shots != "" { // all that are looked at
		for _, w := range []window{
			{width: 1366, height: 768}, {width: 1920, height: 1080}, {width: 360, height: 780, phone: true, dark: true}, {width: 1920, height: 1080, dark: true},
		} {
			windows = append(windows, look{w, ""})
		}
	}
	for name, at := range allPages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := visit(t, server.URL+at.path, windows[0].window)
			p.wait(at.there)
			for _, w := range windows {
				where := fmt.Sprintf("%s-%d", name, w.width)
				if w.dark {
					where += "-dark"
				}
				p.fit(w.window)
				p.shoot(where, true)
				assert.LessOrEqual(t, evaluate[int](p, `document.documentElement.scrollWidth`), int(w.width), "%s: nothing sticks out sideways", where)
				assert.Empty(t, evaluate[string](p, tooSmall), "%s: too small for a finger", where)
				if w.rules != "" {
					assert.Empty(t, p.barriers(w.rules), where)
				}
			}
		})
	}
}

func (p *page) to(address string) {
	p.Helper()
	p.do(chromedp.Navigate(address))
}
