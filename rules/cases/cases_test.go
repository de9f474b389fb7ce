package cases_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	profiles "crokcam/configs/rules"
	"crokcam/rules"
	"crokcam/rules/cases"
	"crokcam/rules/profile"
)

const casesFile = "../../testdata/rules/cases.json"

type expectation struct {
	ID     string         `json:"id"`
	Kind   string         `json:"kind"`
	Title  string         `json:"title"`
	Expect map[string]any `json:"expect"`
	Agrees bool           `json:"snapshot_inference_agrees"`
}

func load(t testing.TB, file string) (*cases.File, []expectation) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	f, err := cases.Parse(data)
	require.NoError(t, err)
	set, err := profile.Load(profiles.FS)
	require.NoError(t, err)
	f.Rules = func(name string) (rules.Ruleset, bool) { p, ok := set[name]; return p.Rules, ok }
	var want struct {
		Cases []expectation `json:"cases"`
	}
	require.NoError(t, json.Unmarshal(data, &want))
	require.Len(t, want.Cases, len(f.Cases))
	return f, want.Cases
}

// plain turns a result into what a reader of its JSON sees.
func plain(t testing.TB, m map[string]any) map[string]any {
	t.Helper()
	b, err := json.Marshal(m)
	require.NoError(t, err)
	var out map[string]any
	require.NoError(t, json.Unmarshal(b, &out))
	return out
}

// same compares an expectation with a result: lists of discs as sets, positions
// and figures within a hundredth, figures of nothing as absent.
func same(key string, want, got any) bool {
	switch w := want.(type) {
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		if key == "removed" || key == "board" || key == "twenty_discs" {
			in := map[any]bool{}
			for _, x := range g {
				in[x] = true
			}
			for _, x := range w {
				if !in[x] {
					return false
				}
			}
			return true
		}
		for i := range w {
			if !same("", w[i], g[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		g, _ := got.(map[string]any)
		for k, x := range w {
			if !same("", x, g[k]) && (!isZero(x) || g[k] != nil) {
				return false
			}
		}
		for k, x := range g {
			if _, ok := w[k]; !ok && !isZero(x) {
				return false
			}
		}
		return true
	case float64:
		g, ok := got.(float64)
		return ok && math.Abs(w-g) <= 0.01
	}
	return want == got
}

func isZero(x any) bool { f, ok := x.(float64); return ok && f == 0 }

func wrong(e expectation, got map[string]any) []string {
	var out []string
	for k, w := range e.Expect {
		if k != "reason" && k != "undefined_in_sources" && !same(k, w, got[k]) {
			out = append(out, k)
		}
	}
	return out
}

// Every case, of every kind.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../../testdata/rules/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		f, want := load(t, name)
		for i, c := range f.Cases {
			t.Run(c.ID, func(t *testing.T) {
				r := f.Run(c)
				require.Empty(t, r.Error)
				got := plain(t, r.Result)
				require.Empty(t, wrong(want[i], got), "%s\nwant %v\ngot  %v", want[i].Title, want[i].Expect, got)
			})
		}
	}
}

// The shots again from snapshots alone: right, or flagged; never wrong and sure.
// And once more with nobody saying which disc is which.
func TestCasesFromSnapshots(t *testing.T) {
	f, want := load(t, casesFile)
	right, flagged := 0, 0
	for i, c := range f.Cases {
		if c.Kind != "shot" {
			continue
		}
		s, err := f.ReadShot(c)
		require.NoError(t, err)
		s.Shot.Evidence = rules.Evidence{}
		v, err := rules.Judge(s.Before, s.After, s.Shot, s.Rules)
		require.NoError(t, err)
		bad := wrong(want[i], plain(t, s.Result(&v)))
		switch {
		case len(bad) == 0:
			right++
		case want[i].Agrees:
			t.Errorf("%s: %v", c.ID, bad)
		case v.Review:
			flagged++
		default:
			t.Errorf("%s: wrong and sure: %v", c.ID, bad)
		}

		s.Shot.Track = nil
		w, err := rules.Judge(s.Before, s.After, s.Shot, s.Rules)
		require.NoError(t, err)
		if !w.Review {
			require.Equal(t, v.Ruling, w.Ruling, c.ID)
		}
	}
	t.Logf("from snapshots alone: %d right, %d flagged", right, flagged)
}

// What cannot be read is an error that says so, never a panic and never a result.
func TestUnreadable(t *testing.T) {
	for _, text := range []string{
		``, `[]`, `{"cases": 3}`, `{"cases": [3]}`,
		`{"meta": {"board": {"disc_radius": -3}}}`, `{"meta": {"board": {"rings_line_centre": {"16": 3}}}}`,
		`{"meta": {"board": {"posts": {"count": 1000000}}}}`, `{"meta": {"board": {"line_width": 500}}}`,
	} {
		_, err := cases.Parse([]byte(text))
		require.ErrorIs(t, err, cases.ErrCase, text)
	}
	for _, text := range []string{
		`{"kind": "dance"}`, `{}`,
		`{"kind": "shot"}`, `{"kind": "shot", "sides": 3}`, `{"kind": "shot", "sides": {"A": 3}}`,
		`{"kind": "shot", "sides": {"A": ["A"], "B": ["A"]}, "shooter": "A"}`,
		`{"kind": "shot", "sides": ["A", "B", "C", "D", "E"], "shooter": "A"}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "Z"}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "options": {"contact": "shout"}}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "options": {"profile": "no such"}}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "options": {"profile": 3}}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "options": []}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "before": [{"id": "b", "owner": "Q", "x_mm": 1, "y_mm": 1}]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "before": [{"id": "b", "owner": "B"}]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "before": [{"id": "b", "owner": "B", "x_mm": 1, "y_mm": 1, "state": "flying"}]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "before": [{"id": "s", "owner": "B", "x_mm": 1, "y_mm": 1}]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "after": [{"id": "s", "in_hole": true}, {"id": "s", "in_hole": true}]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "after": [{"id": "s"}]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "after": [{"id": "z", "owner": "Q", "x_mm": 1, "y_mm": 1}]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "contacts": [["s"]]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "contacts": [["s", "q"]]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "contacts": [["q", "s"]]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "contacts": [["s", "post:x"]]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "contacts": 5}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "exits": ["q"]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "damage_contacts": [["s", "q"]]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "moved_by_hand": ["q"]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "contacts": [], "graze": ["q"]}`,
		`{"kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_number": -1}`,
		`{"kind": "line", "position": {}}`, `{"kind": "line", "options": {"line": 3}, "position": {"x_mm": 1, "y_mm": 1}}`,
		`{"kind": "placement", "placed": {"x_mm": 1, "y_mm": 1}}`, `{"kind": "placement", "placed": {"x_mm": 1, "y_mm": 1}, "quadrant_deg": [1, 1]}`,
		`{"kind": "placement", "quadrant_deg": [1, 2]}`,
		`{"kind": "round", "sides": ["A", "B"], "twenties": {"Q": 1}}`, `{"kind": "round", "sides": ["A", "B"], "board": [{"owner": "Q"}]}`,
		`{"kind": "round", "sides": ["A"]}`, `{"kind": "round", "mode": "5p"}`,
		`{"kind": "game", "sides": ["A", "B"]}`, `{"kind": "game", "sides": ["A", "B"], "mode": "9p", "options": {"end": {"type": "target", "points": 5}}}`,
		`{"kind": "game", "sides": ["A", "B"], "mode": "3p_ffa", "options": {"end": {"type": "target", "points": 5}}}`,
		`{"kind": "game", "sides": ["A", "B"], "options": {"end": {"type": "rounds", "n": 1, "tie": "toss"}}}`,
		`{"kind": "game", "sides": ["A", "B"], "options": {"end": {"type": "rounds", "n": 1, "tie": 3}}}`,
		`{"kind": "game", "sides": ["A", "B"], "options": {"end": 7}}`,
		`{"kind": "game", "sides": ["A", "B"], "options": {"end": {"type": "target", "points": 5}}, "rounds": [{"A": -1}]}`,
		`{"kind": "order", "clockwise": ["A", "B"], "starter": "Q", "discs": {"A": 1, "B": 1}}`,
		`{"kind": "order", "clockwise": ["A", "B"], "starter": "A", "discs": {"A": 1000000000}}`,
		`{"kind": "order", "clockwise": [], "starter": "A"}`,
		`{"kind": "standings", "options": {"tie_break": ["luck"]}}`, `{"kind": "standings", "players": [{"name": "K"}, {"name": "K"}]}`,
		`{"kind": "event", "mode": "4p"}`, `{"kind": "event", "options": {"playoff": "quinte"}, "games": [[9, 9]]}`,
		`{"kind": "event", "attempt": "Q"}`, `{"kind": "event", "options": {"discs": 99}}`,
		`{"kind": "event", "options": {"doubles_order": "polka"}}`, `{"kind": "event", "options": {"doubles_order": "clockwise"}}`,
		`{"kind": "event", "options": {"damage": "polka"}, "moved_legally_then_damaged": ["a"]}`,
	} {
		f, err := cases.Parse([]byte(`{"cases": [` + text + `]}`))
		require.NoError(t, err, text)
		r := f.Run(f.Cases[0])
		require.NotEmpty(t, r.Error, text)
	}
}

// Contacts may carry a time and a confidence, and a profile may be named.
func TestRicherForm(t *testing.T) {
	f, _ := load(t, casesFile)
	g, err := cases.Parse([]byte(`{"cases": [{"id": "x", "kind": "shot", "options": {"profile": "mayday_blog"},
		"sides": {"A": ["A"], "B": ["B"]}, "shooter": "A", "shot_disc": "s",
		"before": [{"id": "a1", "owner": "A", "x_mm": 150, "y_mm": 0}, {"id": "b1", "owner": "B", "x_mm": 200, "y_mm": 0}],
		"after": [{"id": "a1", "x_mm": 190, "y_mm": 0}, {"id": "b1", "x_mm": 255, "y_mm": 0}, {"id": "s", "x_mm": 120, "y_mm": 0}],
		"contacts": [{"striker": "s", "struck": "a1", "t_s": 0.9, "confidence": 0.97}, {"striker": "s", "struck": "b1", "t_s": 0.4}],
		"graze": ["a1", "s"]}]}`))
	require.NoError(t, err)
	g.Rules = f.Rules
	r := g.Run(g.Cases[0])
	require.Empty(t, r.Error)
	require.Equal(t, true, r.Result["valid"], "the opposing disc came first by the clock")
	require.Equal(t, rules.Good, r.Verdict.Ruling)
}

// Discs in the ditch may be named by their ids, and rounds after the end of a
// game are left out of it.
func TestLenientForm(t *testing.T) {
	f, err := cases.Parse([]byte(`{"cases": [
		{"id": "x", "kind": "shot", "sides": ["A", "B"], "shooter": "A", "shot_disc": "s", "ditch": ["b4"],
		 "before": [{"id": "b1", "owner": "B", "x_mm": 0, "y_mm": 150}],
		 "after": [{"id": "s", "off_board": true}, {"id": "b1", "x_mm": 0, "y_mm": 150}], "contacts": [["s", "b4"], ["s", "rail:3"]]},
		{"id": "y", "kind": "game", "sides": ["A", "B"], "options": {"round_score": "match", "end": {"type": "target", "points": 2}},
		 "rounds": [{"A": 30, "B": 10}, {"A": 10, "B": 30}]}]}`))
	require.NoError(t, err)
	r := f.Run(f.Cases[0])
	require.Empty(t, r.Error)
	require.Equal(t, false, r.Result["valid"])
	r = f.Run(f.Cases[1])
	require.Empty(t, r.Error)
	require.Equal(t, map[string]int{"A": 2, "B": 0}, r.Result["scores"])
	require.Equal(t, 1, r.Result["rounds_ignored"])
}

// A board that was in sight throughout leaves only unlikely doubts about a plain
// hit; two pictures and nothing between leave more.
func TestInSight(t *testing.T) {
	for sight, review := range map[string]bool{"true": false, "false": true} {
		f, err := cases.Parse([]byte(`{"cases": [{"id": "x", "kind": "shot", "shooter": "A", "shot_disc": "s", "in_sight": ` + sight + `,
			"before": [{"id": "b1", "owner": "B", "x_mm": 0, "y_mm": 150}], "contacts": null,
			"after": [{"id": "s", "x_mm": 60, "y_mm": 0}, {"id": "b1", "x_mm": 0, "y_mm": 190}]}]}`))
		require.NoError(t, err)
		r := f.Run(f.Cases[0])
		require.Empty(t, r.Error)
		require.Equal(t, true, r.Result["valid"])
		require.Equal(t, review, r.Result["review"])
		require.Equal(t, []string{"return", "return"}, r.Result["rare"])
	}
}

// FuzzCases feeds the reader with anything: no panic, and an error or a result.
func FuzzCases(f *testing.F) {
	data, err := os.ReadFile(casesFile)
	require.NoError(f, err)
	var all struct {
		Meta  json.RawMessage   `json:"meta"`
		Cases []json.RawMessage `json:"cases"`
	}
	require.NoError(f, json.Unmarshal(data, &all))
	for i, c := range all.Cases {
		if i%4 == 0 {
			f.Add([]byte(`{"cases": [` + string(c) + `]}`))
		}
	}
	f.Add([]byte(`{"meta": ` + string(all.Meta) + `, "cases": []}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := cases.Parse(data)
		if err != nil {
			if !errors.Is(err, cases.ErrCase) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		for _, c := range file.Cases {
			r := file.Run(c)
			if _, err := json.Marshal(r); err != nil {
				t.Fatalf("result of %q cannot be written: %v", c.ID, err)
			}
		}
	})
}
