package main

import (
	"bytes"
	"io"
	"strings"
	"unicode"
)

// plain is a name as a terminal may print it: whatever it would obey instead of
// showing it becomes a mark, a line's end too.
func plain(name string) string { return strings.Map(harmless, name) }

func harmless(r rune) rune {
	if unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}

// plainly writes text with names in it to where a terminal may be. Lines stay
// lines.
type plainly struct{ w io.Writer }

func (p plainly) Write(b []byte) (int, error) {
	text := bytes.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return harmless(r)
	}, b)
	if _, err := p.w.Write(text); err != nil {
		return 0, err
	}
	return len(b), nil
}
