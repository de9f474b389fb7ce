package match

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"crokcam/board"
	"crokcam/rules"
)

// words are the names of an enumeration's values, in order.
type words[T ~uint8] []string

// wordsOf asks the values of an enumeration for their names until there is none.
func wordsOf[T interface {
	~uint8
	String() string
}]() words[T] {
	var w words[T]
	for v := T(0); ; v++ {
		s := v.String()
		if strings.HasPrefix(s, "invalid(") {
			return w
		}
		w = append(w, s)
	}
}

func (w words[T]) read(word string) (T, error) {
	i := slices.Index(w, word)
	if i < 0 {
		return 0, fmt.Errorf("%q is not one of %s", word, strings.Join(w, ", "))
	}
	return T(i), nil
}

var (
	rulingWords = wordsOf[rules.Ruling]()
	basisWords  = wordsOf[rules.Basis]()
	fateWords   = wordsOf[rules.Fate]()
	whyWords    = wordsOf[rules.Why]()
	doubtWords  = wordsOf[rules.DoubtKind]()
	desyncWords = wordsOf[rules.DesyncKind]()
)

// String is the fate's word.
func (f Fate) String() string { return rules.Fate(f).String() }

// MarshalText writes the fate's word.
func (f Fate) MarshalText() ([]byte, error) {
	if int(f) >= len(fateWords) {
		return nil, fmt.Errorf("%w: fate %d", ErrInvalid, f)
	}
	return []byte(f.String()), nil
}

// UnmarshalText reads the fate's word.
func (f *Fate) UnmarshalText(text []byte) error {
	v, err := fateWords.read(string(text))
	*f = Fate(v)
	return err
}

// MarshalJSON writes an object with the sides that have any, {"A": 40, "B": 35}.
func (p Points) MarshalJSON() ([]byte, error) {
	m := map[board.Side]int{}
	for s := board.SideA; s <= board.SideD; s++ {
		if p[s] != 0 {
			m[s] = p[s]
		}
	}
	return json.Marshal(m)
}

// UnmarshalJSON reads such an object.
func (p *Points) UnmarshalJSON(b []byte) error {
	var m map[board.Side]int
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	*p = Points{}
	for s, n := range m {
		if s == board.NoSide {
			return fmt.Errorf("%w: points of no side", ErrInvalid)
		}
		p[s] = n
	}
	return nil
}

// MarshalJSON writes an object with the seats that have any left.
func (l Left) MarshalJSON() ([]byte, error) {
	m := map[board.Seat]int{}
	for s, n := range l {
		if n != 0 {
			m[board.Seat(s)] = n
		}
	}
	return json.Marshal(m)
}

// UnmarshalJSON reads such an object.
func (l *Left) UnmarshalJSON(b []byte) error {
	var m map[board.Seat]int
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	*l = Left{}
	for s, n := range m {
		l[s] = n
	}
	return nil
}
