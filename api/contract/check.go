package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"crokcam/api/problem"
)

// maxBody is the largest JSON body that is read, other than an imported match.
const maxBody = 1 << 20

// Request checks what is sent against the description and returns its JSON body,
// nil when there is none. value gives the parts of the path. Errors are a
// problem.Problem.
func (o *Operation) Request(w http.ResponseWriter, r *http.Request, value func(string) string) ([]byte, error) {
	if o.Loose {
		return nil, nil
	}
	if err := o.checkParameters(r, value); err != nil {
		return nil, err
	}
	if o.body == nil {
		return nil, nil
	}
	if o.body.schema == nil { // not JSON: the handler reads it
		return nil, nil
	}
	return o.readBody(w, r)
}

func (o *Operation) checkParameters(r *http.Request, value func(string) string) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return problem.New(http.StatusBadRequest, "bad_query", "The part of the address after the question mark cannot be read.")
	}
	var faults []problem.Fault
	fault := func(name, detail string) {
		faults = append(faults, problem.Fault{Parameter: name, Detail: detail})
	}
	known := []string{"token"} // see package access
	for i := range o.parameters {
		p := &o.parameters[i]
		var given []string
		switch p.in {
		case "path":
			given = []string{value(p.name)}
		case "query":
			given = query[p.name]
			known = append(known, p.name)
		case "header":
			given = r.Header.Values(p.name)
		}
		if len(given) == 0 {
			if p.required {
				fault(p.name, "is missing")
			}
			continue
		}
		v, err := p.read(given)
		if err != nil {
			fault(p.name, err.Error())
			continue
		}
		for _, f := range violations(p.schema, v) {
			fault(p.name, f.Detail)
		}
	}
	for name := range query {
		if !slices.Contains(known, name) {
			fault(name, "there is no such parameter here")
		}
	}
	if len(faults) == 0 {
		return nil
	}
	slices.SortStableFunc(faults, func(a, b problem.Fault) int { return strings.Compare(a.Parameter, b.Parameter) })
	return problem.New(http.StatusBadRequest, "bad_parameter", "The address or a header of the request says something that cannot be.").With(faults...)
}

// read makes JSON of a parameter.
func (p *parameter) read(given []string) (any, error) {
	if p.kind == "array" {
		out := []any{}
		for _, g := range given {
			for part := range strings.SplitSeq(g, ",") {
				out = append(out, part)
			}
		}
		return out, nil
	}
	if len(given) > 1 {
		return nil, errors.New("is given more than once")
	}
	switch g := given[0]; p.kind {
	case "integer":
		if _, err := strconv.ParseInt(g, 10, 64); err != nil {
			return nil, errors.New("is no whole number")
		}
		return json.Number(g), nil
	case "number":
		if _, err := strconv.ParseFloat(g, 64); err != nil || strings.ContainsAny(g, "xXpPnN_") {
			return nil, errors.New("is no number")
		}
		return json.Number(g), nil
	case "boolean":
		switch g {
		case "1", "true", "":
			return true, nil
		case "0", "false":
			return false, nil
		}
		return nil, errors.New("is neither true nor false")
	default:
		return g, nil
	}
}

func (o *Operation) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if big := (*http.MaxBytesError)(nil); errors.As(err, &big) {
		return nil, problem.New(http.StatusRequestEntityTooLarge, "too_many_bytes", fmt.Sprintf("The request is larger than %d kilobytes.", big.Limit/1024))
	}
	if err != nil {
		return nil, problem.New(http.StatusBadRequest, "cut_off", "The request did not arrive whole. Please send it again.")
	}
	if len(bytes.TrimSpace(data)) == 0 {
		if o.body.required {
			return nil, problem.New(http.StatusBadRequest, "body_missing", "The request needs a JSON body.")
		}
		return nil, nil
	}
	// A form of another website cannot send this type without being asked for.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, problem.New(http.StatusUnsupportedMediaType, "not_json", "The request's body has to be application/json.")
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, problem.New(http.StatusBadRequest, "bad_json", "The request's body is no JSON: "+err.Error()+".")
	}
	if faults := violations(o.body.schema, v); len(faults) > 0 {
		return nil, problem.New(http.StatusUnprocessableEntity, "bad_body", "The request's body says something that cannot be.").With(faults...)
	}
	return data, nil
}

var english = message.NewPrinter(language.English)

// violations are the places where a value breaks its schema.
func violations(s *jsonschema.Schema, v any) []problem.Fault {
	err := s.Validate(v)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []problem.Fault{{Detail: err.Error()}}
	}
	var out []problem.Fault
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 && len(out) < 20 {
			pointer := make([]string, 0, len(e.InstanceLocation)+1)
			pointer = append(pointer, "#")
			for _, part := range e.InstanceLocation {
				pointer = append(pointer, escape(part))
			}
			out = append(out, problem.Fault{Pointer: strings.Join(pointer, "/"), Detail: e.ErrorKind.LocalizedString(english)})
		}
		for _, c := range e.Causes {
			walk(c)
		}
	}
	walk(invalid)
	return out
}

// Answer checks an answer against the description; it is for tests.
func (o *Operation) Answer(status int, header http.Header, body []byte) error {
	media, ok := o.answers[strconv.Itoa(status)]
	if !ok {
		return fmt.Errorf("contract: %s answers %d, which is not described", o.ID, status)
	}
	if len(media) == 0 {
		if len(body) > 0 {
			return fmt.Errorf("contract: %s answers %d with a body, and none is described", o.ID, status)
		}
		return nil
	}
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("contract: %s answers %d without a type: %w", o.ID, status, err)
	}
	schema, ok := media[kind]
	if !ok {
		return fmt.Errorf("contract: %s answers %d with %s, which is not described", o.ID, status, kind)
	}
	if schema == nil {
		return nil
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("contract: %s answers %d: %w", o.ID, status, err)
	}
	if err := schema.Validate(v); err != nil {
		return fmt.Errorf("contract: %s answers %d: %w", o.ID, status, err)
	}
	return nil
}

// Find is the operation at an address, nil for none; it is for tests.
func (d *Document) Find(method, path string) *Operation {
	parts := strings.Split(path, "/")
	var found *Operation
	for _, o := range d.Operations {
		if o.Method != method {
			continue
		}
		want := strings.Split(o.Path, "/")
		if len(want) == len(parts) && slices.EqualFunc(want, parts, func(w, p string) bool { return w == p || strings.HasPrefix(w, "{") && p != "" }) {
			if found == nil || strings.Count(o.Path, "{") < strings.Count(found.Path, "{") {
				found = o
			}
		}
	}
	return found
}
