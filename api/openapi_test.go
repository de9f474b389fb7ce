package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

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
