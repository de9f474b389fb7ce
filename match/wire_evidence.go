package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"crokcam/rules"
)

// Evidence is rules.Evidence with its form in JSON.
type Evidence rules.Evidence

// Track is rules.Track with its form in JSON.
type Track rules.Track

// In JSON a body is a word: "shot", "ditch", "disc 3", "post 0".
type bodyWire rules.Body

func (b bodyWire) MarshalText() ([]byte, error) {
	r := rules.Body(b)
	switch {
	case r == rules.ShotDisc:
		return []byte("shot"), nil
	case r == rules.DitchDisc:
		return []byte("ditch"), nil
	case r >= 0:
		return []byte("disc " + strconv.Itoa(int(r))), nil
	case r.IsPost():
		return []byte("post " + strconv.Itoa(int(rules.Post(0)-r))), nil
	}
	return nil, fmt.Errorf("%w: body %d", ErrInvalid, b)
}

func (b *bodyWire) UnmarshalText(text []byte) error {
	kind, number, _ := strings.Cut(string(text), " ")
	n, err := strconv.Atoi(number)
	switch {
	case kind == "shot" && number == "":
		*b = bodyWire(rules.ShotDisc)
	case kind == "ditch" && number == "":
		*b = bodyWire(rules.DitchDisc)
	case kind == "disc" && err == nil && n >= 0 && n < rules.MaxDiscs:
		*b = bodyWire(rules.Disc(n))
	case kind == "post" && err == nil && n >= 0 && n < 100:
		*b = bodyWire(rules.Post(n))
	default:
		return fmt.Errorf("%w: no body is called %q", ErrInvalid, text)
	}
	return nil
}

type contactWire struct {
	Striker    bodyWire `json:"striker"`
	Struck     bodyWire `json:"struck"`
	At         float64  `json:"t_s,omitempty"`
	Confidence float64  `json:"confidence,omitempty"`
}

type exitWire struct {
	Body bodyWire `json:"body"`
	At   float64  `json:"t_s,omitempty"`
}

type evidenceWire struct {
	Watched  watchWire     `json:"watched,omitempty"`
	Contacts []contactWire `json:"contacts,omitempty"`
	Damage   []contactWire `json:"damage,omitempty"`
	Exits    []exitWire    `json:"exits,omitempty"`
	Crossed  []exitWire    `json:"crossed,omitempty"`
	Hand     []bodyWire    `json:"hand,omitempty"`
	HandOver bool          `json:"hand_over,omitempty"`
	Still    []bodyWire    `json:"still,omitempty"`
	Nudged   []bodyWire    `json:"nudged,omitempty"`
}

// watchWire is what was watched, as a list of words, one for each bit.
type watchWire rules.Watch

var watchWords = []string{"contacts", "exits", "play"}

func (w watchWire) MarshalJSON() ([]byte, error) {
	if w >= 1<<len(watchWords) {
		return nil, fmt.Errorf("%w: watched %#x", ErrInvalid, uint8(w))
	}
	list := []string{}
	for i, word := range watchWords {
		if w&(1<<i) != 0 {
			list = append(list, word)
		}
	}
	return json.Marshal(list)
}

func (w *watchWire) UnmarshalJSON(b []byte) error {
	var list []string
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	*w = 0
	for _, word := range list {
		i := slices.Index(watchWords, word)
		if i < 0 {
			return fmt.Errorf("%w: nothing that is watched is called %q", ErrInvalid, word)
		}
		*w |= 1 << i
	}
	return nil
}

// MarshalJSON writes the evidence.
func (e Evidence) MarshalJSON() ([]byte, error) {
	contact := func(c rules.Contact) contactWire {
		return contactWire{bodyWire(c.Striker), bodyWire(c.Struck), c.At, c.Confidence}
	}
	exit := func(x rules.Exit) exitWire { return exitWire{bodyWire(x.Body), x.At} }
	return json.Marshal(evidenceWire{
		Watched:  watchWire(e.Watched),
		Contacts: each(e.Contacts, contact),
		Damage:   each(e.Damage, contact),
		Exits:    each(e.Exits, exit),
		Crossed:  each(e.Crossed, exit),
		Hand:     each(e.Hand, func(b rules.Body) bodyWire { return bodyWire(b) }),
		HandOver: e.HandOver,
		Still:    each(e.Still, func(b rules.Body) bodyWire { return bodyWire(b) }),
		Nudged:   each(e.Nudged, func(b rules.Body) bodyWire { return bodyWire(b) }),
	})
}

// UnmarshalJSON reads evidence.
func (e *Evidence) UnmarshalJSON(b []byte) error {
	var w evidenceWire
	if err := strict(b, &w); err != nil {
		return err
	}
	contact := func(c contactWire) rules.Contact {
		return rules.Contact{Striker: rules.Body(c.Striker), Struck: rules.Body(c.Struck), At: c.At, Confidence: c.Confidence}
	}
	exit := func(x exitWire) rules.Exit { return rules.Exit{Body: rules.Body(x.Body), At: x.At} }
	*e = Evidence{
		Watched:  rules.Watch(w.Watched),
		Contacts: each(w.Contacts, contact), Damage: each(w.Damage, contact),
		Exits: each(w.Exits, exit), Crossed: each(w.Crossed, exit),
		Hand:     each(w.Hand, func(b bodyWire) rules.Body { return rules.Body(b) }),
		HandOver: w.HandOver,
		Still:    each(w.Still, func(b bodyWire) rules.Body { return rules.Body(b) }),
		Nudged:   each(w.Nudged, func(b bodyWire) rules.Body { return rules.Body(b) }),
	}
	return nil
}

// placeWire is a disc's place in the snapshot after: its number, "gone" or
// "missing".
type placeWire int

func (p placeWire) MarshalJSON() ([]byte, error) {
	switch p {
	case rules.Gone:
		return []byte(`"gone"`), nil
	case rules.Missing:
		return []byte(`"missing"`), nil
	}
	return json.Marshal(int(p))
}

func (p *placeWire) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case `"gone"`:
		*p = rules.Gone
		return nil
	case `"missing"`:
		*p = rules.Missing
		return nil
	}
	var n int
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	if n < 0 {
		return errors.New("a place is a number, gone or missing")
	}
	*p = placeWire(n)
	return nil
}

type trackWire struct {
	Discs []placeWire `json:"discs"`
	Shot  placeWire   `json:"shot"`
}

// MarshalJSON writes the track.
func (t Track) MarshalJSON() ([]byte, error) {
	return json.Marshal(trackWire{each(t.Discs, func(n int) placeWire { return placeWire(n) }), placeWire(t.Shot)})
}

// UnmarshalJSON reads a track.
func (t *Track) UnmarshalJSON(b []byte) error {
	var w trackWire
	if err := strict(b, &w); err != nil {
		return err
	}
	*t = Track{each(w.Discs, func(p placeWire) int { return int(p) }), int(w.Shot)}
	return nil
}
