// Package say turns verdicts into sentences in English, French, Dutch and Thai.
package say

import (
	"embed"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/message/catalog"

	"crokcam/board"
	"crokcam/rules"
)

//go:embed catalogue/*.yaml
var files embed.FS

// Languages are the languages there are catalogues for.
var Languages = []string{"en", "fr", "nl", "th"}

// ErrLanguage marks a language without a catalogue.
var ErrLanguage = errors.New("say: no catalogue for this language")

// load reads all catalogues once.
var load = sync.OnceValues(func() (map[string]map[string]string, error) {
	all := map[string]map[string]string{}
	for _, l := range Languages {
		b, err := files.ReadFile("catalogue/" + l + ".yaml")
		if err != nil {
			return nil, fmt.Errorf("say: %w", err)
		}
		m := map[string]string{}
		if err := yaml.Unmarshal(b, &m); err != nil {
			return nil, fmt.Errorf("say: catalogue %s: %w", l, err)
		}
		all[l] = m
	}
	return all, nil
})

// Catalogue has the sentences of one of Languages by key, for programs that fill
// them themselves. It is not to be changed.
func Catalogue(lang string) (map[string]string, error) {
	all, err := load()
	if err != nil {
		return nil, err
	}
	texts, ok := all[lang]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrLanguage, lang)
	}
	return texts, nil
}

// Words speaks one language. It is safe for use by several goroutines only when
// each has its own.
type Words struct {
	printer *message.Printer
	has     map[string]string
}

// For gives the words of a language: one of Languages, or a tag that belongs to
// one of them, such as "fr-CA".
func For(lang string) (*Words, error) {
	all, err := load()
	if err != nil {
		return nil, err
	}
	tag, err := language.Parse(lang)
	if err != nil {
		return nil, fmt.Errorf("%w: %q", ErrLanguage, lang)
	}
	base, _ := tag.Base()
	texts, ok := all[base.String()]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrLanguage, lang)
	}
	b := catalog.NewBuilder()
	for k, v := range texts {
		if err := b.SetString(tag, k, v); err != nil {
			return nil, fmt.Errorf("say: %s: %s: %w", lang, k, err)
		}
	}
	return &Words{printer: message.NewPrinter(tag, message.Catalog(b)), has: texts}, nil
}

// say fills a sentence. Only as many arguments as it has places for are handed
// over, so that sentences of the same key may leave some out.
func (w *Words) say(key string, args ...string) string {
	text, ok := w.has[key]
	if !ok {
		return key
	}
	n := 0
	for i := range args {
		if strings.Contains(text, "%["+strconv.Itoa(i+1)+"]") {
			n = i + 1
		}
	}
	any_ := make([]any, n)
	for i := range any_ {
		any_[i] = args[i]
	}
	return w.printer.Sprintf(message.Key(key, text), any_...)
}

// Names says how the sides' discs look or what the sides are called.
type Names struct {
	Colour [board.SideD + 1]string // "black", "natural", …: a key of the catalogues without "colour."
	Name   [board.SideD + 1]string // used where there is no colour; else the side's letter
}

// clock is the direction of a place as an hour, twelve o'clock being away from
// the south player.
func clock(p board.Point) string {
	h := int(math.Round(math.Atan2(p.X, p.Y) / (math.Pi / 6)))
	return strconv.Itoa((h+23)%12 + 1)
}

// Disc names a disc as players would: "black disc at the 10 line, 2 o'clock".
func (w *Words) Disc(v rules.Verdict, i int, n Names) string {
	if i < 0 || i >= len(v.Outcomes) {
		return "?"
	}
	o := v.Outcomes[i]
	suffix := ""
	if o.Before < 0 {
		suffix = "_shot"
	}
	var name string
	if c := n.Colour[o.Side]; c != "" {
		if _, ok := w.has["colour."+c]; ok {
			c = w.say("colour." + c)
		}
		name = w.say("disc.coloured"+suffix, c)
	} else {
		name = w.say("disc.side"+suffix, n.of(o.Side))
	}
	if o.After < 0 && o.Before < 0 || o.Rest == board.InHole {
		return name // nowhere, or in the hole, which the sentence says
	}
	return w.say("disc.placed", name, w.place(o))
}

func (n Names) of(s board.Side) string {
	if n.Name[s] != "" {
		return n.Name[s]
	}
	return s.String()
}

func (w *Words) place(o rules.Outcome) string {
	h := clock(o.At)
	switch {
	case o.Rest == board.Leaning:
		return w.say("place.leaning")
	case o.Line == board.Five:
		return w.say("place.start", h)
	case o.Line != board.Out:
		return w.say("place.line", o.Line.String(), h)
	case o.Lies == board.Out:
		return w.say("place.out", h)
	}
	return w.say("place.zone", o.Lies.String(), h)
}

// discs lists several discs.
func (w *Words) discs(v rules.Verdict, ids []int, n Names) string {
	out := ""
	for k, i := range ids {
		switch name := w.Disc(v, i, n); {
		case k == 0:
			out = name
		case k == len(ids)-1:
			out = w.say("list.and", out, name)
		default:
			out = w.say("list.comma", out, name)
		}
	}
	return out
}

// Reason is one reason as a sentence.
func (w *Words) Reason(v rules.Verdict, r rules.Reason, n Names) string {
	var args []string
	if r.Disc >= 0 {
		args = append(args, w.Disc(v, r.Disc, n))
	}
	if r.Other >= 0 {
		args = append(args, w.Disc(v, r.Other, n))
	}
	return w.say(r.Key, args...)
}

// Discrepancy is one thing that does not add up, as a sentence.
func (w *Words) Discrepancy(d rules.Discrepancy, n Names) string {
	return w.say("desync."+d.Kind.String(), n.of(d.Side), strconv.Itoa(d.Count), strconv.Itoa(d.Most))
}

// Question is what to ask the players about a doubt.
func (w *Words) Question(v rules.Verdict, d rules.Doubt, n Names) string {
	q := w.say("doubt."+d.Kind.String(), w.discs(v, d.Discs, n))
	if d.Remote {
		q = w.say("doubt.remote", q)
	}
	return q
}

// Answer is what an answer to a doubt would mean.
func (w *Words) Answer(v rules.Verdict, a rules.Answer, n Names) string {
	parts := []string{w.say("effect." + a.Ruling.String())}
	var removed, twenties, back []int
	for i, o := range a.Outcome {
		switch {
		case o.Fate == rules.Ditched:
			removed = append(removed, i)
		case o.Fate == rules.Scored:
			twenties = append(twenties, i)
		case o.Restored:
			back = append(back, i)
		}
	}
	for _, p := range [...]struct {
		key string
		ids []int
	}{{"effect.removed", removed}, {"effect.twenty", twenties}, {"effect.restored", back}} {
		if len(p.ids) > 0 {
			parts = append(parts, w.say(p.key, w.discs(v, p.ids, n)))
		}
	}
	return w.say("answer."+a.Key, strings.Join(parts, "; "))
}

// Close is a close call as a sentence.
func (w *Words) Close(v rules.Verdict, c rules.CloseCall, n Names) string {
	return w.say("close.call", w.Disc(v, c.Disc, n), strconv.FormatFloat(math.Abs(c.Gap), 'f', 1, 64), c.Zone.String(), c.Other.String())
}

// Explain is the whole verdict for people: the ruling, its reasons, and what is
// left open.
func (w *Words) Explain(v rules.Verdict, n Names) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n", w.say("ruling."+v.Ruling.String()), w.say("basis."+v.Basis.String()))
	for _, d := range v.Desync {
		fmt.Fprintf(&b, "  INF-5  %s\n", w.Discrepancy(d, n))
	}
	if v.Ruling != rules.Desynced {
		for _, r := range v.Reasons {
			fmt.Fprintf(&b, "  %-6s %s\n", r.Rule, w.Reason(v, r, n))
		}
	}
	for _, c := range v.Close {
		fmt.Fprintf(&b, "  VAL-3  %s\n", w.Close(v, c, n))
	}
	for _, d := range v.Doubts {
		fmt.Fprintf(&b, "  %-6s ? %s\n", d.Rule, w.Question(v, d, n))
		for _, a := range d.Answers {
			fmt.Fprintf(&b, "           %s\n", w.Answer(v, a, n))
		}
	}
	return b.String()
}
