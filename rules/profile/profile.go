// Package profile reads rule profiles: named sets of options, each a YAML file
// that may build on another and override single options.
package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"crokcam/rules"
)

// Profile is one way of playing.
type Profile struct {
	Name     string   // the file's name without .yaml
	Also     []string // other names it goes by
	Title    string   // for people
	PlayedBy string   // who plays so, and where that is known from
	Extends  string   // the profile it builds on
	Rules    rules.Ruleset
	End      rules.End
	Discs    Discs
}

// Discs are the discs of each player, by how many play (PLY-2 to PLY-4). 0 means
// that the profile does not know the layout.
type Discs struct {
	Singles       int `yaml:"singles"`
	Doubles       int `yaml:"doubles"`
	TwoAgainstOne int `yaml:"two_against_one"` // of each partner; the third has twice as many
	ThreeFree     int `yaml:"three_free"`
	FourFree      int `yaml:"four_free"`
}

// ErrProfile marks a profile that cannot be used.
var ErrProfile = errors.New("profile: unusable")

type file struct {
	Title    string    `yaml:"title"`
	Also     []string  `yaml:"also"`
	PlayedBy string    `yaml:"played_by"`
	Extends  string    `yaml:"extends"`
	Rules    yaml.Node `yaml:"rules"`
	End      yaml.Node `yaml:"end"`
	Discs    yaml.Node `yaml:"discs"`
}

// Set is a collection of profiles.
type Set map[string]Profile

// Load reads every .yaml file in the root of fsys. It refuses unknown keys and
// words, profiles that extend one another in a circle, and rulesets that cannot
// be played by.
func Load(fsys fs.FS) (Set, error) {
	names, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProfile, err)
	}
	files := map[string][]byte{}
	for _, n := range names {
		b, err := fs.ReadFile(fsys, n)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrProfile, err)
		}
		files[strings.TrimSuffix(path.Base(n), ".yaml")] = b
	}
	return Parse(files)
}

// Parse reads profiles from their files' contents, by name.
func Parse(files map[string][]byte) (Set, error) {
	set := Set{}
	for name := range files {
		if err := set.add(name, files, nil); err != nil {
			return nil, err
		}
	}
	if err := set.checkNames(); err != nil {
		return nil, err
	}
	return set, nil
}

// checkNames reports a name that stands for two profiles.
func (s Set) checkNames() error {
	of := map[string]string{}
	for _, name := range s.Names() {
		for _, n := range append([]string{name}, s[name].Also...) {
			if other, ok := of[n]; ok {
				return fmt.Errorf("%w: %q is both %s and %s", ErrProfile, n, other, name)
			}
			of[n] = name
		}
	}
	return nil
}

// Find is the profile of that name, or that also goes by it.
func (s Set) Find(name string) (Profile, bool) {
	if p, ok := s[name]; ok {
		return p, true
	}
	for _, p := range s {
		if slices.Contains(p.Also, name) {
			return p, true
		}
	}
	return Profile{}, false
}

func (s Set) add(name string, files map[string][]byte, below []string) error {
	if _, ok := s[name]; ok {
		return nil
	}
	if slices.Contains(below, name) {
		return fmt.Errorf("%w: %s extends itself: %s", ErrProfile, name, strings.Join(append(below, name), " -> "))
	}
	data, ok := files[name]
	if !ok {
		return fmt.Errorf("%w: %s extends %s, which is not there", ErrProfile, below[len(below)-1], name)
	}
	var f file
	if err := strict(data, &f); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrProfile, name, err)
	}
	p := Profile{}
	if f.Extends != "" {
		if err := s.add(f.Extends, files, append(slices.Clone(below), name)); err != nil {
			return err
		}
		p = s[f.Extends]
		p.End.Ties = slices.Clone(p.End.Ties)
	}
	p.Name, p.Also, p.Title, p.PlayedBy, p.Extends = name, f.Also, f.Title, f.PlayedBy, f.Extends
	if p.Title == "" {
		return fmt.Errorf("%w: %s has no title", ErrProfile, name)
	}
	if f.End.Kind != 0 {
		p.End = rules.End{} // how a game ends is taken over whole or not at all
	}
	for _, part := range [...]struct {
		node *yaml.Node
		to   any
	}{{&f.Rules, &p.Rules}, {&f.End, &p.End}, {&f.Discs, &p.Discs}} {
		if part.node.Kind == 0 {
			continue
		}
		b, err := yaml.Marshal(part.node)
		if err == nil {
			err = strict(b, part.to)
		}
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrProfile, name, err)
		}
	}
	if err := p.validate(); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrProfile, name, err)
	}
	s[name] = p
	return nil
}

// strict decodes one YAML document and refuses keys it does not know.
func strict(data []byte, to any) error {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(to); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// layouts are the layouts a profile can be played in, with the discs for each.
func (p Profile) layouts() map[rules.Layout]int {
	return map[rules.Layout]int{
		rules.TwoPlayers: p.Discs.Singles, rules.Doubles: p.Discs.Doubles,
		rules.TwoAgainstOne: p.Discs.TwoAgainstOne, rules.ThreeFree: p.Discs.ThreeFree, rules.FourFree: p.Discs.FourFree,
	}
}

func (p Profile) validate() error {
	if err := p.Rules.Validate(); err != nil {
		return err
	}
	playable := false
	for l, n := range p.layouts() {
		if n == 0 {
			continue
		}
		if _, err := p.Format(l); err != nil {
			return err
		}
		playable = true
	}
	if !playable {
		return errors.New("no number of discs is given for anybody")
	}
	return nil
}

// Format is the profile's game for a layout. Among three or four who play each
// for himself a difference or match points between two cannot be reckoned: the
// points of those layouts take their place (PLY-3b, PLY-4x).
func (p Profile) Format(l rules.Layout) (rules.Format, error) {
	f := rules.Format{Layout: l, Rules: p.Rules, Discs: p.layouts()[l], End: p.End}
	if f.Rules.RoundScore != rules.Accumulate {
		switch l {
		case rules.ThreeFree:
			f.Rules.RoundScore = rules.MatchPoints3
			if f.End.Target > 0 {
				f.End.Target = 8
			}
		case rules.FourFree:
			f.Rules.RoundScore = rules.RankPoints4
		}
	}
	if f.Discs == 0 {
		return f, fmt.Errorf("%w: %s is not played as %s", ErrProfile, p.Name, l)
	}
	return f, f.Validate()
}

// Override returns the profile's rules with single options changed, written as
// they are in a profile ("contact: direct").
func (p Profile) Override(options []byte) (rules.Ruleset, error) {
	rs := p.Rules
	if err := strict(options, &rs); err != nil {
		return rs, fmt.Errorf("%w: %s: %w", ErrProfile, p.Name, err)
	}
	return rs, rs.Validate()
}

// Names are the profiles' names in order.
func (s Set) Names() []string {
	names := make([]string, 0, len(s))
	for n := range s {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
