// Package book is the rule book the program plays by: every rule with its
// variants, who plays them, and what the program does about it.
package book

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"crokcam/rules"
	"crokcam/rules/profile"
)

// Rule is one rule.
type Rule struct {
	ID       string    `yaml:"id"`
	Group    string    `yaml:"-"`
	Title    string    `yaml:"title"`
	Says     string    `yaml:"says"`
	Sources  string    `yaml:"sources"`
	Option   string    `yaml:"option"` // the option of rules.Ruleset that chooses the variant
	Variants []Variant `yaml:"variants"`
	Program  string    `yaml:"program"` // what the program does about it
}

// Variant is one reading of a rule.
type Variant struct {
	Value string `yaml:"value"` // the option's word
	Means string `yaml:"means"`
	Who   string `yaml:"who"`
}

//go:embed book.yaml
var text []byte

var load = sync.OnceValues(func() ([]Rule, error) {
	var groups []struct {
		Group string `yaml:"group"`
		Rules []Rule `yaml:"rules"`
	}
	dec := yaml.NewDecoder(strings.NewReader(string(text)))
	dec.KnownFields(true)
	if err := dec.Decode(&groups); err != nil {
		return nil, fmt.Errorf("book: %w", err)
	}
	var all []Rule
	seen := map[string]bool{}
	for _, g := range groups {
		for _, r := range g.Rules {
			if r.ID == "" || r.Title == "" || r.Says == "" || seen[r.ID] {
				return nil, errors.New("book: rule " + r.ID + " is incomplete or there twice")
			}
			seen[r.ID] = true
			r.Group = g.Group
			all = append(all, r)
		}
	}
	return all, nil
})

// All are the rules in the order of the book.
func All() []Rule {
	all, err := load()
	if err != nil {
		panic(err) // the embedded book is read by this package's tests
	}
	return append([]Rule(nil), all...)
}

// Get finds a rule by its id, in any case.
func Get(id string) (Rule, bool) {
	for _, r := range All() {
		if strings.EqualFold(r.ID, id) {
			return r, true
		}
	}
	return Rule{}, false
}

// Text is the rule for a terminal.
func (r Rule) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s (%s)\n\n%s\n", r.ID, r.Title, r.Group, r.Says)
	if r.Option != "" {
		fmt.Fprintf(&b, "\n%s\n", r.Option)
		for _, v := range r.Variants {
			fmt.Fprintf(&b, "  %-22s %s\n  %-22s - %s\n", v.Value, v.Means, "", v.Who)
		}
	}
	if r.Sources != "" {
		fmt.Fprintf(&b, "\nSources: %s\n", r.Sources)
	}
	if r.Program != "" {
		fmt.Fprintf(&b, "Here: %s\n", r.Program)
	}
	return b.String()
}

// options are a profile's option words by option name.
func options(rs rules.Ruleset) map[string]string {
	return map[string]string{
		"open_board": rs.OpenBoard.String(), "open_board_scope": rs.OpenBoardScope.String(),
		"open_board_penalty": rs.OpenBoardPenalty.String(), "contact": rs.Contact.String(),
		"contact_penalty": rs.ContactPenalty.String(), "invalid_opponent_discs": rs.InvalidOpponentDiscs.String(),
		"damage": rs.Damage.String(), "spin": rs.Spin.String(), "line": rs.Line.String(),
		"start_radial": rs.StartRadial.String(), "start_lateral": rs.StartLateral.String(),
		"round_score": rs.RoundScore.String(), "starter": rs.Starter.String(),
	}
}

// Options are the names of a Ruleset's options in the order of the book.
func Options() []string {
	have := options(rules.Ruleset{})
	var out []string
	for _, r := range All() {
		if _, ok := have[r.Option]; ok {
			out = append(out, r.Option)
		}
	}
	return out
}

// WriteProfile prints a profile for a terminal.
func WriteProfile(w io.Writer, p profile.Profile) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\nplayed by %s\n\n", p.Name, p.Title, p.PlayedBy)
	words := options(p.Rules)
	for _, o := range Options() {
		fmt.Fprintf(&b, "  %-22s %s\n", o, words[o])
	}
	fmt.Fprintf(&b, "  %-22s %s\n", "end", endOf(p.End))
	_, err := io.WriteString(w, b.String())
	return err
}

func endOf(e rules.End) string {
	s := fmt.Sprintf("after %d rounds", e.Rounds)
	if e.Target > 0 {
		s = fmt.Sprintf("at %d points", e.Target)
	}
	for _, t := range e.Ties {
		s += ", then " + t.String()
	}
	return s
}

// WriteMarkdown prints the whole book, and the profiles side by side.
func WriteMarkdown(w io.Writer, set profile.Set) error {
	var b strings.Builder
	b.WriteString("# The rule book\n\n" +
		"<!-- Written by `crokcam rules list --format markdown`; change rules/book/book.yaml or configs/rules instead. -->\n\n" +
		"The rules the program plays by. Where the sources differ an option chooses, and a profile is a set of options.\n\n" +
		"## Profiles\n\n")
	names := set.Names()
	b.WriteString("| profile | played by |\n| --- | --- |\n")
	for _, n := range names {
		fmt.Fprintf(&b, "| `%s` | %s |\n", n, set[n].PlayedBy)
	}
	b.WriteString("\n| option |")
	for _, n := range names {
		fmt.Fprintf(&b, " %s |", n)
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", len(names)+1) + "\n")
	words := make([]map[string]string, len(names))
	for i, n := range names {
		words[i] = options(set[n].Rules)
	}
	for _, o := range Options() {
		fmt.Fprintf(&b, "| `%s` |", o)
		for i := range names {
			fmt.Fprintf(&b, " %s |", words[i][o])
		}
		b.WriteByte('\n')
	}
	b.WriteString("| end |")
	for _, n := range names {
		fmt.Fprintf(&b, " %s |", endOf(set[n].End))
	}
	b.WriteByte('\n')

	group := ""
	for _, r := range All() {
		if r.Group != group {
			group = r.Group
			fmt.Fprintf(&b, "\n## %s\n", group)
		}
		fmt.Fprintf(&b, "\n### %s: %s\n\n%s\n", r.ID, r.Title, r.Says)
		if r.Option != "" {
			fmt.Fprintf(&b, "\n| `%s` | meaning | played by |\n| --- | --- | --- |\n", r.Option)
			for _, v := range r.Variants {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", v.Value, v.Means, v.Who)
			}
		}
		if r.Sources != "" {
			fmt.Fprintf(&b, "\n*Sources:* %s.\n", r.Sources)
		}
		if r.Program != "" {
			fmt.Fprintf(&b, "\n*Here:* %s\n", r.Program)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
