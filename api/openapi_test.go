package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"crokcam/rules"
	"crokcam/vision/photo"
)

// document fetches the API's description as its users do.
func document(t *testing.T, base string) map[string]any {
	t.Helper()
	a := send(t, "GET", base+"/api/v1/openapi.json", "", nil)
	require.Equal(t, 200, a.status)
	var doc map[string]any
	require.NoError(t, json.Unmarshal(a.body, &doc))
	return doc
}

// schema compiles one of the document's schemas.
func schema(t *testing.T, doc map[string]any, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	require.NoError(t, c.AddResource("api.json", doc))
	s, err := c.Compile("api.json#/components/schemas/" + name)
	require.NoError(t, err)
	return s
}

func parse(t *testing.T, data []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	return v
}

func TestTheDescriptionIsOpenAPI31AndNamesThisVersion(t *testing.T) {
	doc := document(t, start(t, options(scores(t))).URL)
	require.Equal(t, "3.1.0", doc["openapi"])
	require.Equal(t, "test", doc["info"].(map[string]any)["version"])
}

func TestWhatTheServiceAnswersKeepsToTheDescription(t *testing.T) {
	r := recorded(t)
	server := start(t, options(func(_ context.Context, data []byte, _ photo.Options) (*photo.Report, error) {
		switch string(data) {
		case "no board":
			return nil, photo.ErrNoBoard
		case "empty board":
			return &photo.Report{Schema: photo.Schema, Image: r.Image, Calibration: r.Calibration, Sides: []photo.Side{}, Discs: []photo.Disc{}, Warnings: []photo.Warning{}}, nil
		}
		return r, nil
	}))
	doc := document(t, server.URL)
	report, refused := schema(t, doc, "Report"), schema(t, doc, "Problem")
	require.NoError(t, report.Validate(parse(t, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("x")).body)))
	require.NoError(t, report.Validate(parse(t, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("empty board")).body)))
	require.NoError(t, refused.Validate(parse(t, send(t, "POST", server.URL+"/api/v1/photos", "", []byte("no board")).body)))
	require.NoError(t, refused.Validate(parse(t, send(t, "GET", server.URL+"/nowhere", "", nil).body)))

	wrong := *r
	wrong.Schema = "crokcam.photo/2"
	data, err := json.Marshal(wrong)
	require.NoError(t, err)
	require.Error(t, report.Validate(parse(t, data)), "the check can fail")
}

func TestEveryFieldOfAReportIsDescribed(t *testing.T) {
	doc := document(t, start(t, options(scores(t))).URL)
	root := doc["components"].(map[string]any)["schemas"].(map[string]any)["Report"].(map[string]any)
	var check func(at string, kind reflect.Type, node map[string]any)
	check = func(at string, kind reflect.Type, node map[string]any) {
		for kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		switch kind.Kind() {
		case reflect.Slice:
			items, _ := node["items"].(map[string]any)
			check(at+"[]", kind.Elem(), items)
		case reflect.Struct:
			properties, _ := node["properties"].(map[string]any)
			if _, free := node["additionalProperties"].(map[string]any); free {
				return // a list of measures by name
			}
			for field := range kind.Fields() {
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				child, described := properties[name].(map[string]any)
				require.True(t, described, "%s.%s is not described", at, name)
				check(at+"."+name, field.Type, child)
			}
		}
	}
	check("report", reflect.TypeFor[photo.Report](), root)
}

// words are the names of an enumeration's values.
func words[T interface {
	~uint8
	fmt.Stringer
}]() []any {
	var out []any
	for v := T(0); !strings.HasPrefix(v.String(), "invalid("); v++ {
		out = append(out, v.String())
	}
	return out
}

// The golden file of package match has an event of every kind with every field
// set: what is in it has to be in the description.
func TestAllThatIsSeenOfAShotAndSaidAboutItIsDescribed(t *testing.T) {
	golden, err := os.ReadFile("../match/testdata/events.jsonl")
	require.NoError(t, err)
	doc := document(t, start(t, options(scores(t))).URL)
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	var resolve func(node any) map[string]any
	resolve = func(node any) map[string]any {
		n, _ := node.(map[string]any)
		if ref, ok := n["$ref"].(string); ok {
			return resolve(schemas[strings.TrimPrefix(ref, "#/components/schemas/")])
		}
		return n
	}
	var described func(at string, value, node any)
	described = func(at string, value, node any) {
		n := resolve(node)
		switch v := value.(type) {
		case map[string]any:
			properties, _ := n["properties"].(map[string]any)
			for name, x := range v {
				require.Contains(t, properties, name, "%s.%s is not described", at, name)
				described(at+"."+name, x, properties[name])
			}
		case []any:
			for _, x := range v {
				described(at+"[]", x, n["items"])
			}
		}
	}
	seen := 0
	for line := range strings.Lines(string(golden)) {
		var e struct {
			Kind string
			Data json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		var name string
		data := parse(t, e.Data)
		switch e.Kind {
		case "shot.detected":
			name = "ShotSeen"
		case "shot.judged":
			name, data = "Verdict", data.(map[string]any)["verdict"]
		default:
			continue
		}
		seen++
		require.NoError(t, schema(t, doc, name).Validate(data))
		described(name, data, schemas[name])
	}
	require.Equal(t, 2, seen)

	enum := func(schema string, path ...string) any {
		n := resolve(schemas[schema])
		for _, name := range path {
			n = resolve(n["properties"].(map[string]any)[name])
			if items, ok := n["items"]; ok {
				n = resolve(items)
			}
		}
		return n["enum"]
	}
	require.Equal(t, words[rules.Ruling](), enum("Ruling"))
	require.Equal(t, words[rules.Fate](), enum("Fate"))
	require.Equal(t, words[rules.Why](), enum("Outcome", "why"))
	require.Equal(t, words[rules.Basis](), enum("Verdict", "basis"))
	require.Equal(t, words[rules.DoubtKind](), enum("Verdict", "doubts", "kind"))
	require.Equal(t, words[rules.DesyncKind](), enum("Verdict", "desync", "kind"))
}
