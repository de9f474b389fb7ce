package match_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"
)

// checks is how many random matches each property is tried on; -rapid.checks
// overrides it.
const checks = "40"

func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if err := flag.Set("rapid.checks", checks); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }

// order sorts the lists of discs in a state, whose order means nothing.
func order(state string) string {
	var v any
	if err := json.Unmarshal([]byte(state), &v); err != nil {
		panic(err)
	}
	b, err := json.Marshal(sortDiscs(v))
	if err != nil {
		panic(err)
	}
	return string(b)
}

func sortDiscs(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = sortDiscs(x)
		}
	case []any:
		for i, x := range v {
			v[i] = sortDiscs(x)
		}
		if len(v) > 0 {
			if _, isDisc := v[0].(map[string]any)["id"]; isDisc {
				slices.SortFunc(v, func(a, b any) int {
					x, y := a.(map[string]any)["id"].(string), b.(map[string]any)["id"].(string)
					if x < y {
						return -1
					}
					return 1
				})
			}
		}
	}
	return v
}
