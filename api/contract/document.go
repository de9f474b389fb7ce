// Package contract is the API's description and what follows from it: the
// addresses, who may use them, and the checks of what is sent. The description
// is kept by hand in the YAML files beside this one. What it says of requests is
// true because requests are checked by it; what it says of answers is checked by
// the tests.
package contract

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

//go:embed *.yaml
var files embed.FS

// Document is the API's description, OpenAPI 3.1.
type Document struct {
	JSON       []byte
	Operations []*Operation // by path and method

	root map[string]any
}

// Operation is one thing that can be asked for.
type Operation struct {
	ID      string
	Method  string
	Path    string // with {names}
	Summary string
	Access  Access
	// Loose operations check their own parameters.
	Loose    bool
	Examples []Example

	parameters []parameter
	body       *body
	answers    map[string]map[string]*jsonschema.Schema // by status and media type; nil for no schema
}

// Example is a request that works, and is tested to.
type Example struct {
	Name   string
	Path   map[string]string
	Query  map[string]string
	Header map[string]string
	Body   json.RawMessage
	Status int
}

type parameter struct {
	name, in string
	required bool
	kind     string // of its JSON: integer, number, boolean, array, string
	schema   *jsonschema.Schema
}

type body struct {
	required bool
	schema   *jsonschema.Schema // of application/json; nil when it is something else
}

// Load reads the description. base is the path under which the service is
// reached, "" for the root. It costs some tenths of a second, once.
func Load(version, base string) (*Document, error) {
	if d, ok := loaded.Load([2]string{version, base}); ok {
		return d.(*Document), nil
	}
	d, err := load(version, base)
	if err != nil {
		return nil, err
	}
	loaded.Store([2]string{version, base}, d)
	return d, nil
}

// loaded are the documents that have been read, by version and base.
var loaded sync.Map

func load(version, base string) (*Document, error) {
	names, err := files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("contract: %w", err)
	}
	root := map[string]any{}
	for _, n := range names {
		data, err := files.ReadFile(n.Name())
		if err != nil {
			return nil, fmt.Errorf("contract: %w", err)
		}
		var part map[string]any
		if err := yaml.Unmarshal(data, &part); err != nil {
			return nil, fmt.Errorf("contract: %s: %w", n.Name(), err)
		}
		if err := merge(root, part, ""); err != nil {
			return nil, fmt.Errorf("contract: %s: %w", n.Name(), err)
		}
	}
	root["info"].(map[string]any)["version"] = version
	root["servers"] = []any{map[string]any{"url": base + "/"}}

	d := &Document{root: root}
	paths, _ := root["paths"].(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item := paths[path].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(item)) {
			if err := finish(item[method].(map[string]any)); err != nil {
				return nil, fmt.Errorf("contract: %s %s: %w", method, path, err)
			}
		}
	}
	if d.JSON, err = json.Marshal(root); err != nil {
		return nil, fmt.Errorf("contract: %w", err)
	}
	// Read again, numbers are as the checker of schemas wants them.
	if d.root, err = again(d.JSON); err != nil {
		return nil, fmt.Errorf("contract: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource("api.json", d.root); err != nil {
		return nil, fmt.Errorf("contract: %w", err)
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item := d.root["paths"].(map[string]any)[path].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(item)) {
			o, err := d.operation(compiler, path, method, item[method].(map[string]any))
			if err != nil {
				return nil, fmt.Errorf("contract: %s %s: %w", method, path, err)
			}
			d.Operations = append(d.Operations, o)
		}
	}
	return d, nil
}

func again(data []byte) (map[string]any, error) {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
	if err != nil {
		return nil, err
	}
	return v.(map[string]any), nil
}

// merge adds one file's part of the description to the whole.
func merge(into, part map[string]any, at string) error {
	for k, v := range part {
		have, there := into[k]
		if !there {
			into[k] = v
			continue
		}
		a, ok := have.(map[string]any)
		b, ok2 := v.(map[string]any)
		if !ok || !ok2 {
			return fmt.Errorf("%s/%s is described twice", at, k)
		}
		if err := merge(a, b, at+"/"+k); err != nil {
			return err
		}
	}
	return nil
}

// finish writes out what the files say in short: who may, and which errors every
// operation can have.
func finish(o map[string]any) error {
	word, _ := o["x-access"].(string)
	a, ok := accesses[Access(word)]
	if !ok {
		return fmt.Errorf("x-access %q is not one", word)
	}
	o["x-roles"] = each(a)
	if Access(word) != Public {
		o["security"] = []any{map[string]any{"bearer": []any{}}, map[string]any{"key": []any{}}, map[string]any{"session": []any{}}}
		if Access(word) == Watch {
			o["security"] = append(o["security"].([]any), map[string]any{"link": []any{}})
		}
	}
	answers, _ := o["responses"].(map[string]any)
	if answers == nil {
		return fmt.Errorf("it has no answers")
	}
	usual := []string{"400", "401", "403", "404", "429", "500", "503"}
	if o["requestBody"] != nil {
		usual = append(usual, "413", "415", "422")
	}
	if Access(word) != Public {
		usual = append(usual, "409")
	}
	if word == "score" || word == "record" || word == "manage" {
		usual = append(usual, "412", "422")
	}
	for _, status := range usual {
		if answers[status] == nil {
			name := "Refused"
			if status == "429" || status == "503" {
				name = "Later"
			}
			answers[status] = map[string]any{"$ref": "#/components/responses/" + name}
		}
	}
	// Bodies of examples also stand where other programs look for them.
	examples, _ := o["x-examples"].([]any)
	bodies := map[string]any{}
	for _, e := range examples {
		e, _ := e.(map[string]any)
		if b, ok := e["body"]; ok {
			bodies[fmt.Sprint(e["name"])] = map[string]any{"value": b}
		}
	}
	if content := jsonContent(o["requestBody"]); content != nil && len(bodies) > 0 {
		content["examples"] = bodies
	}
	return nil
}

func jsonContent(requestBody any) map[string]any {
	b, _ := requestBody.(map[string]any)
	content, _ := b["content"].(map[string]any)
	j, _ := content["application/json"].(map[string]any)
	return j
}

func each(roles []Role) []any {
	out := []any{}
	for _, r := range roles {
		out = append(out, string(r))
	}
	return out
}

// resolve follows a reference within the document.
func (d *Document) resolve(v any) (node map[string]any, pointer string) {
	node, _ = v.(map[string]any)
	for {
		ref, ok := node["$ref"].(string)
		if !ok {
			return node, pointer
		}
		pointer = strings.TrimPrefix(ref, "#")
		var at any = d.root
		for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
			m, _ := at.(map[string]any)
			at = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
		}
		node, _ = at.(map[string]any)
	}
}

func (d *Document) operation(compiler *jsonschema.Compiler, path, method string, o map[string]any) (*Operation, error) {
	out := &Operation{Method: strings.ToUpper(method), Path: path, answers: map[string]map[string]*jsonschema.Schema{}}
	out.ID, _ = o["operationId"].(string)
	out.Summary, _ = o["summary"].(string)
	out.Loose, _ = o["x-loose"].(bool)
	word, _ := o["x-access"].(string)
	out.Access = Access(word)
	at := "/paths/" + escape(path) + "/" + method

	list, _ := o["parameters"].([]any)
	for i, p := range list {
		node, ref := d.resolve(p)
		pointer := ref
		if ref == "" {
			pointer = fmt.Sprintf("%s/parameters/%d", at, i)
		}
		name, _ := node["name"].(string)
		in, _ := node["in"].(string)
		if name == "" || in == "" {
			return nil, fmt.Errorf("parameter %d has no name or place", i)
		}
		schema, err := compile(compiler, pointer+"/schema")
		if err != nil {
			return nil, err
		}
		form, _ := d.resolve(node["schema"])
		kind, _ := form["type"].(string)
		required, _ := node["required"].(bool)
		out.parameters = append(out.parameters, parameter{name, in, required, kind, schema})
	}
	if request, ref := d.resolve(o["requestBody"]); request != nil {
		pointer := ref
		if ref == "" {
			pointer = at + "/requestBody"
		}
		out.body = &body{}
		out.body.required, _ = request["required"].(bool)
		if jsonContent(request) != nil {
			var err error
			if out.body.schema, err = compile(compiler, pointer+"/content/application~1json/schema"); err != nil {
				return nil, err
			}
		}
	}
	answers := o["responses"].(map[string]any)
	for status := range answers {
		node, ref := d.resolve(answers[status])
		pointer := ref
		if ref == "" {
			pointer = at + "/responses/" + status
		}
		out.answers[status] = map[string]*jsonschema.Schema{}
		content, _ := node["content"].(map[string]any)
		for media, c := range content {
			out.answers[status][media] = nil
			if c, _ := c.(map[string]any); c["schema"] != nil {
				schema, err := compile(compiler, pointer+"/content/"+escape(media)+"/schema")
				if err != nil {
					return nil, err
				}
				out.answers[status][media] = schema
			}
		}
	}
	return out, out.readExamples(o)
}

func (o *Operation) readExamples(node map[string]any) error {
	list, _ := node["x-examples"].([]any)
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &o.Examples); err != nil {
		return fmt.Errorf("x-examples: %w", err)
	}
	for i := range o.Examples {
		if o.Examples[i].Status == 0 {
			o.Examples[i].Status = http.StatusOK
		}
	}
	return nil
}

// escape writes a key as a part of a JSON pointer.
func escape(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }

// compile makes the check of the schema at a JSON pointer.
func compile(c *jsonschema.Compiler, pointer string) (*jsonschema.Schema, error) {
	fragment := strings.NewReplacer("{", "%7B", "}", "%7D", "*", "%2A").Replace(pointer)
	s, err := c.Compile("api.json#" + fragment)
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", pointer, err)
	}
	return s, nil
}
