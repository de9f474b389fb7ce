package web

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tooNew is what browsers learnt after Chromium 103, which mixers in use still
// have: there an unknown rule is passed over without a word, and an unknown
// function leaves the overlay blank. Each has the version that brought it, and a
// line that would use it.
var tooNew = map[string][]struct {
	since   int
	pattern string
	sample  string
}{
	".css": {
		{104, `(?m)(^|[;{])\s*(translate|rotate|scale)\s*:`, `a { scale: 1.2; }`},
		{104, `@media[^{]*[<>]=?`, `@media (width >= 600px) {`},
		{105, `:has\(`, `a:has(b) {}`},
		{105, `@container|container(-type|-name)?\s*:|\d(cqw|cqh|cqi|cqb|cqmin|cqmax)\b`, `a { width: 50cqi; }`},
		{108, `\d[sdl]v(h|w|i|b|min|max)\b`, `a { height: 100dvh; }`},
		{111, `color-mix\(|\b(ok)?(lab|lch)\(|\bcolor\(`, `a { color: color-mix(in srgb, red, blue); }`},
		{111, `\b(sin|cos|tan|atan2|pow|hypot)\(`, `a { width: calc(1px * sin(1rad)); }`},
		{111, `nth-(last-)?child\([^)]*\bof\b`, `a:nth-child(2 of .b) {}`},
		{111, `view-transition`, `a { view-transition-name: b; }`},
		{112, `(?m)^\s+&|&[.:\[ ]`, "a {\n  &:hover {} }"},
		{113, `\blinear\(|[^-]image-set\(`, `a { transition-timing-function: linear(0, 1); }`},
		{114, `text-wrap|popover`, `a { text-wrap: balance; }`},
		{115, `animation-timeline|scroll-timeline`, `a { animation-timeline: scroll(); }`},
		{117, `subgrid|@starting-style|allow-discrete`, `a { grid-template-rows: subgrid; }`},
		{118, `@scope`, `@scope (a) {}`},
		{120, `(?m)^[^\n]*[^-\w]mask(-\w+)?\s*:`, `a { mask: url(b); }`},
		{121, `scrollbar-(width|color)`, `a { scrollbar-width: none; }`},
		{123, `light-dark\(|field-sizing`, `a { color: light-dark(red, blue); }`},
		{125, `anchor(-name)?[(:]|position-(anchor|area)|\b(round|mod|rem)\(`, `a { top: anchor(bottom); }`},
	},
	".js": {
		{105, `\.checkVisibility\(`, `e.checkVisibility()`},
		{110, `\.to(Sorted|Reversed|Spliced)\(|\]\.with\(`, `list.toSorted()`},
		{111, `startViewTransition|isWellFormed`, `document.startViewTransition(f)`},
		{112, `/[^/\n]+/[dgimsuy]*v[dgimsuy]*[.,;) ]`, `/[\p{L}--a]/v.test(x)`},
		{114, `(show|hide|toggle)Popover|scrollend|rawJSON`, `e.showPopover()`},
		{116, `AbortSignal\.any`, `AbortSignal.any([a, b])`},
		{117, `\b(Object|Map)\.groupBy`, `Object.groupBy(list, f)`},
		{119, `Promise\.withResolvers`, `Promise.withResolvers()`},
		{121, `Array\.fromAsync`, `Array.fromAsync(x)`},
		{122, `\.(union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(`, `a.union(b)`},
		{122, `\.(values|keys|entries)\(\)\.(map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)\(|Iterator\.`, `m.values().map(f)`},
		{123, `(?m)^import [^;\n]*\bwith \{`, `import a from 'b' with { type: 'json' };`},
		{124, `setHTMLUnsafe|getHTML\(`, `e.setHTMLUnsafe(x)`},
		{128, `Promise\.try`, `Promise.try(f)`},
		{129, `Intl\.DurationFormat`, `new Intl.DurationFormat()`},
		{134, `(?m)^\s*(await )?using \w+ =`, `using a = b();`},
		{136, `RegExp\.escape`, `RegExp.escape(x)`},
	},
}

var (
	remarks  = regexp.MustCompile(`(?m)(?s:/\*.*?\*/)|^\s*//.*$`)
	imported = regexp.MustCompile(`(?m)(?:from|import) '(\.[^']+)'`)
)

// withModules are a module and all that it imports, from the embedded files.
func withModules(t *testing.T, name string, have map[string]string) {
	t.Helper()
	if have[name] != "" {
		return
	}
	data, err := files.ReadFile(name)
	require.NoError(t, err)
	have[name] = remarks.ReplaceAllString(string(data), "")
	for _, m := range imported.FindAllStringSubmatch(have[name], -1) {
		withModules(t, path.Join(path.Dir(name), m[1]), have)
	}
}

func TestOverlaysUseOnlyWhatTheBrowsersInMixersHave(t *testing.T) {
	have := map[string]string{}
	for _, name := range []string{"overlays/main.js", "overlays/overlay.css", "wait.html", "overlay.html"} {
		withModules(t, name, have)
	}
	require.Contains(t, have, "js/words-th.js")
	for kind, list := range tooNew {
		for _, x := range list {
			pattern := regexp.MustCompile(x.pattern)
			require.Regexp(t, pattern, x.sample)
			for name, text := range have {
				if path.Ext(name) != kind && path.Ext(name) != ".html" {
					continue
				}
				for line := range strings.Lines(text) {
					if strings.Contains(line, "-webkit-mask") {
						continue // said for the older ones as well
					}
					require.NotRegexp(t, pattern, line, "%s uses what came with Chromium %d", name, x.since)
				}
			}
		}
	}
}
