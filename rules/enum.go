package rules

import (
	"fmt"
	"strings"
)

// OptionError reports a word that is not among an option's values.
type OptionError struct {
	Option string   // the option's name as profiles spell it
	Value  string   // what was given
	Want   []string // what may be given
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("rules: option %s: %q is not one of %s", e.Option, e.Value, strings.Join(e.Want, ", "))
}

func enumString[T ~uint8](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("invalid(%d)", uint8(v))
}

func enumText[T ~uint8](option string, names []string, v T) ([]byte, error) {
	if int(v) >= len(names) {
		return nil, &OptionError{Option: option, Value: enumString(names, v), Want: names}
	}
	return []byte(names[v]), nil
}

func enumParse[T ~uint8](option string, names []string, text []byte, v *T) error {
	for i, n := range names {
		if n == string(text) {
			*v = T(i)
			return nil
		}
	}
	return &OptionError{Option: option, Value: string(text), Want: names}
}
