package book_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	profiles "crokcam/configs/rules"
	"crokcam/rules"
	"crokcam/rules/book"
	"crokcam/rules/profile"
)

// The page in docs is the book.
func TestPageIsCurrent(t *testing.T) {
	set, err := profile.Load(profiles.FS)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, book.WriteMarkdown(&b, set))
	page, err := os.ReadFile("../../docs/rules.md")
	require.NoError(t, err)
	require.Equal(t, string(page), b.String(), "run: crokcam rules list --format markdown > docs/rules.md")
}

// The variants in the book are the words the options take, in their order.
func TestVariantsAreTheOptions(t *testing.T) {
	words := func(parse func(string) error, r book.Rule) {
		for i, v := range r.Variants {
			require.NoError(t, parse(v.Value), "%s %d", r.ID, i)
		}
		require.Error(t, parse("no such word"))
	}
	var rs rules.Ruleset
	var order rules.DoublesOrder
	parsers := map[string]func(string) error{
		"open_board":             func(s string) error { return rs.OpenBoard.UnmarshalText([]byte(s)) },
		"open_board_scope":       func(s string) error { return rs.OpenBoardScope.UnmarshalText([]byte(s)) },
		"open_board_penalty":     func(s string) error { return rs.OpenBoardPenalty.UnmarshalText([]byte(s)) },
		"contact":                func(s string) error { return rs.Contact.UnmarshalText([]byte(s)) },
		"contact_penalty":        func(s string) error { return rs.ContactPenalty.UnmarshalText([]byte(s)) },
		"invalid_opponent_discs": func(s string) error { return rs.InvalidOpponentDiscs.UnmarshalText([]byte(s)) },
		"damage":                 func(s string) error { return rs.Damage.UnmarshalText([]byte(s)) },
		"spin":                   func(s string) error { return rs.Spin.UnmarshalText([]byte(s)) },
		"line":                   func(s string) error { return rs.Line.UnmarshalText([]byte(s)) },
		"start_radial":           func(s string) error { return rs.StartRadial.UnmarshalText([]byte(s)) },
		"start_lateral":          func(s string) error { return rs.StartLateral.UnmarshalText([]byte(s)) },
		"round_score":            func(s string) error { return rs.RoundScore.UnmarshalText([]byte(s)) },
		"starter":                func(s string) error { return rs.Starter.UnmarshalText([]byte(s)) },
		"doubles_order":          func(s string) error { return order.UnmarshalText([]byte(s)) },
	}
	sizes := map[string]int{"open_board": 4, "contact": 4, "contact_penalty": 3, "damage": 3, "start_lateral": 3, "round_score": 5}
	seen := map[string]bool{}
	for _, r := range book.All() {
		if r.Option == "" {
			require.Empty(t, r.Variants, r.ID)
			continue
		}
		parse, ok := parsers[r.Option]
		require.True(t, ok, r.Option)
		words(parse, r)
		want := 2
		if n, ok := sizes[r.Option]; ok {
			want = n
		}
		require.Len(t, r.Variants, want, r.ID)
		seen[r.Option] = true
	}
	require.Len(t, seen, len(parsers))
	require.Len(t, book.Options(), len(parsers)-1, "doubles_order belongs to the format")
}

// Every rule the judge gives as a reason is in the book.
func TestReasonsAreInTheBook(t *testing.T) {
	id := regexp.MustCompile(`"((?:CON|OPN|TWN|OUT|DMG|DST|VAL|INF)-\d)"`)
	for _, file := range []string{"../judge.go", "../reasons.go"} {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		found := id.FindAllStringSubmatch(string(src), -1)
		require.NotEmpty(t, found)
		for _, m := range found {
			_, ok := book.Get(m[1])
			require.True(t, ok, m[1])
		}
	}
	require.Len(t, book.All(), 78)
}

func TestText(t *testing.T) {
	r, ok := book.Get("con-3")
	require.True(t, ok)
	for _, want := range []string{"CON-3  When nothing opposing is touched", "contact_penalty", "struck_by_shooter", "Here: "} {
		require.Contains(t, r.Text(), want)
	}
	_, ok = book.Get("CON-99")
	require.False(t, ok)
	set, err := profile.Load(profiles.FS)
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, book.WriteProfile(&b, set["mayday"]))
	require.Contains(t, b.String(), "at 100 points")
	require.Contains(t, b.String(), "struck_by_shooter")
}
