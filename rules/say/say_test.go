package say_test

import (
	"regexp"
	"sort"
	"testing"

	"os"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"crokcam/board"
	"crokcam/rules"
	"crokcam/rules/cases"
	"crokcam/rules/say"
)

var verb = regexp.MustCompile(`%\[\d+\]s`)

// All catalogues have the same keys, and each sentence uses the same things.
func TestCataloguesAgree(t *testing.T) {
	read := func(lang string) map[string]string {
		b, err := os.ReadFile("catalogue/" + lang + ".yaml")
		require.NoError(t, err)
		m := map[string]string{}
		require.NoError(t, yaml.Unmarshal(b, &m))
		return m
	}
	uses := func(s string) []string {
		v := verb.FindAllString(s, -1)
		sort.Strings(v)
		return v
	}
	english := read("en")
	for _, lang := range say.Languages[1:] {
		other := read(lang)
		for k, v := range english {
			require.Contains(t, other, k, lang)
			require.Equal(t, uses(v), uses(other[k]), "%s %s", lang, k)
		}
		require.Len(t, other, len(english), lang)
	}
}

func someNames() say.Names {
	return say.Names{Colour: [board.SideD + 1]string{board.SideA: "black", board.SideB: "natural"}}
}

// A disc is named as players would.
func TestDisc(t *testing.T) {
	v := rules.Verdict{Outcomes: []rules.Outcome{
		{Side: board.SideA, At: board.Point{X: 160, Y: 95}, Lies: board.Five, Line: board.Ten},
		{Side: board.SideB, At: board.Point{X: 0, Y: -60}, Lies: board.Fifteen},
		{Side: board.SideB, At: board.Point{X: -5, Y: 0}, Rest: board.Leaning, Lies: board.Fifteen},
		{Side: board.SideC, At: board.Point{X: -290, Y: 10}, Lies: board.Out, Line: board.Five},
		{Side: board.SideC, At: board.Point{X: -325, Y: 1}, Lies: board.Out},
		{Side: board.SideA, Rest: board.InHole},
		{Side: board.SideA, Before: -1, At: board.Point{Y: 150}, Lies: board.Ten},
		{Side: board.SideA, Before: -1, After: -1},
	}}
	n := someNames()
	n.Name[board.SideC] = "Anna"
	for lang, want := range map[string][]string{
		"en": {"black disc at the 10 line, 2 o'clock", "natural disc in the 15, 6 o'clock", "natural disc leaning in the hole",
			"disc of Anna at the starting line, 9 o'clock", "disc of Anna beyond the starting line, 9 o'clock", "black disc",
			"black shot disc in the 10, 12 o'clock", "black shot disc"},
		"fr": {"disque noir sur la ligne du 10, à 2 heures", "disque naturel dans le 15, à 6 heures", "disque naturel penché dans le trou",
			"disque de Anna sur la ligne de départ, à 9 heures", "disque de Anna au-delà de la ligne de départ, à 9 heures", "disque noir",
			"disque noir tiré dans le 10, à 12 heures", "disque noir tiré"},
		"nl": {"zwarte schijf op de lijn van de 10, op 2 uur", "blanke schijf in de 15, op 6 uur", "blanke schijf schuin in het gat",
			"schijf van Anna op de startlijn, op 9 uur", "schijf van Anna voorbij de startlijn, op 9 uur", "zwarte schijf",
			"geschoten zwarte schijf in de 10, op 12 uur", "geschoten zwarte schijf"},
		"th": {"แผ่นสีดำ บนเส้น 10 ตำแหน่ง 2 นาฬิกา", "แผ่นสีไม้ ในโซน 15 ตำแหน่ง 6 นาฬิกา", "แผ่นสีไม้ พิงอยู่ในหลุม",
			"แผ่นของ Anna บนเส้นเริ่มต้น ตำแหน่ง 9 นาฬิกา", "แผ่นของ Anna เลยเส้นเริ่มต้น ตำแหน่ง 9 นาฬิกา", "แผ่นสีดำ",
			"แผ่นสีดำที่ยิง ในโซน 10 ตำแหน่ง 12 นาฬิกา", "แผ่นสีดำที่ยิง"},
	} {
		w, err := say.For(lang)
		require.NoError(t, err)
		for i, s := range want {
			require.Equal(t, s, w.Disc(v, i, n), "%s %d", lang, i)
		}
	}
	w, err := say.For("fr-CA")
	require.NoError(t, err)
	require.Equal(t, "?", w.Disc(v, 99, n))
	n.Colour[board.SideA] = "purple"
	require.Equal(t, "disque purple", w.Disc(v, 5, n), "a colour without a word is used as it is")
	for _, bad := range []string{"de", "", "!"} {
		_, err := say.For(bad)
		require.ErrorIs(t, err, say.ErrLanguage)
	}
}

// Every case can be told in every language, with nothing left unfilled.
func TestExplainCases(t *testing.T) {
	data, err := os.ReadFile("../../testdata/rules/cases.json")
	require.NoError(t, err)
	f, err := cases.Parse(data)
	require.NoError(t, err)
	for _, lang := range say.Languages {
		w, err := say.For(lang)
		require.NoError(t, err)
		for _, c := range f.Cases {
			if c.Kind != "shot" {
				continue
			}
			s, err := f.ReadShot(c)
			require.NoError(t, err)
			for _, blind := range []bool{false, true} {
				if blind {
					s.Shot.Evidence, s.Shot.Track = rules.Evidence{}, nil
				}
				v, err := rules.Judge(s.Before, s.After, s.Shot, s.Rules)
				require.NoError(t, err)
				text := w.Explain(v, someNames())
				require.NotContains(t, text, "%", "%s %s", lang, c.ID)
				require.NotContains(t, text, "?:", "%s %s", lang, c.ID)
				for _, r := range v.Reasons {
					require.NotEqual(t, r.Key, w.Reason(v, r, someNames()), "no sentence for %s", r.Key)
				}
			}
		}
	}
}

// A verdict with everything in it.
func TestExplain(t *testing.T) {
	data := `{"cases": [{"kind": "shot", "options": {"contact": "direct"}, "sides": ["A", "B"], "shooter": "A", "shot_disc": "s",
		"before": [{"id": "a1", "owner": "A", "x_mm": 150, "y_mm": 0}, {"id": "b1", "owner": "B", "x_mm": 210, "y_mm": 0}],
		"after": [{"id": "a1", "x_mm": 187, "y_mm": 0, "sigma_mm": 0.5}, {"id": "b1", "x_mm": 262, "y_mm": 0}, {"id": "s", "x_mm": 120, "y_mm": 0}], "contacts": null}]}`
	f, err := cases.Parse([]byte(data))
	require.NoError(t, err)
	r := f.Run(f.Cases[0])
	require.Empty(t, r.Error)
	w, err := say.For("en")
	require.NoError(t, err)
	text := w.Explain(*r.Verdict, someNames())
	for _, want := range []string{
		"Unclear: the players have to say. (judged by the positions before and after)",
		"INF-4  What was seen does not decide the shot.",
		"The black disc at the 10 line, 3 o'clock is 0.5 mm from the line between 5 and 10.",
		"INF-4  ? Did the shot disc itself hit an opposing disc (black disc at the 10 line, 3 o'clock and the natural disc in the 5, 3 o'clock)?",
		"Yes: good shot",
		"No: failed shot; to the ditch: the black disc at the 10 line, 3 o'clock and the black shot disc in the 10, 3 o'clock",
	} {
		require.Contains(t, text, want)
	}

	desynced := rules.Verdict{Ruling: rules.Desynced, Desync: []rules.Discrepancy{{Kind: rules.TooMany, Side: board.SideB, Count: 9, Most: 8}}}
	require.Contains(t, w.Explain(desynced, say.Names{}), "There are 9 discs of B; there can be 8.")
}
