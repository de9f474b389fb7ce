package contract

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

//go:embed page.tmpl
var pageText string

// Style is the style sheet of the page.
//
//go:embed page.css
var Style []byte

// Page is the description for people: plain HTML that needs nothing else.
func (d *Document) Page() ([]byte, error) {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return nil, fmt.Errorf("contract: page: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, d.pageData()); err != nil {
		return nil, fmt.Errorf("contract: page: %w", err)
	}
	return b.Bytes(), nil
}

type pageData struct {
	Title, Version string
	About          []template.HTML // paragraphs
	Base           string
	Tags           []pageTag
	Schemas        []pageSchema
}

type pageTag struct {
	Name, About string
	Operations  []pageOperation
}

type pageOperation struct {
	ID, Method, Path, Summary string
	About                     []template.HTML
	Who                       string
	Parameters                []pageParameter
	Body                      string // a schema, as JSON
	Answers                   []string
	Examples                  []string // curl lines
}

type pageParameter struct {
	Name, In, Form string
	About          template.HTML
}

type pageSchema struct{ Name, JSON string }

func (d *Document) pageData() pageData {
	info := d.root["info"].(map[string]any)
	p := pageData{Title: text(info["title"]), Version: text(info["version"]), About: paragraphs(text(info["description"]))}
	servers, _ := d.root["servers"].([]any)
	base, _ := servers[0].(map[string]any)
	p.Base = strings.TrimRight(text(base["url"]), "/")
	tags, _ := d.root["tags"].([]any)
	for _, t := range tags {
		t, _ := t.(map[string]any)
		tag := pageTag{Name: text(t["name"]), About: text(t["description"])}
		for _, o := range d.Operations {
			node := d.root["paths"].(map[string]any)[o.Path].(map[string]any)[strings.ToLower(o.Method)].(map[string]any)
			if list, _ := node["tags"].([]any); len(list) > 0 && list[0] == t["name"] {
				tag.Operations = append(tag.Operations, d.pageOperation(o, node, p.Base))
			}
		}
		p.Tags = append(p.Tags, tag)
	}
	schemas := d.root["components"].(map[string]any)["schemas"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		p.Schemas = append(p.Schemas, pageSchema{name, indented(schemas[name])})
	}
	return p
}

func (d *Document) pageOperation(o *Operation, node map[string]any, base string) pageOperation {
	out := pageOperation{ID: o.ID, Method: o.Method, Path: o.Path, Summary: o.Summary, About: paragraphs(text(node["description"]))}
	out.Who = "anybody"
	if o.Access != Public {
		var roles []string
		for _, r := range accesses[o.Access] {
			roles = append(roles, string(r))
		}
		out.Who = strings.Join(roles, ", ")
	}
	list, _ := node["parameters"].([]any)
	for _, x := range list {
		x, _ := d.resolve(x)
		out.Parameters = append(out.Parameters, pageParameter{text(x["name"]), text(x["in"]), compact(x["schema"]), marked(text(x["description"]))})
	}
	if request, _ := d.resolve(node["requestBody"]); request != nil {
		if j := jsonContent(request); j != nil {
			out.Body = indented(j["schema"])
		}
	}
	answers, _ := node["responses"].(map[string]any)
	for _, status := range slices.Sorted(maps.Keys(answers)) {
		if x, ref := d.resolve(answers[status]); ref == "" {
			out.Answers = append(out.Answers, status+" "+text(x["description"]))
		}
	}
	for _, e := range o.Examples {
		out.Examples = append(out.Examples, curl(o, e, base))
	}
	return out
}

// curl is an example as a command.
func curl(o *Operation, e Example, base string) string {
	path := o.Path
	for name, value := range e.Path {
		path = strings.ReplaceAll(path, "{"+name+"}", value)
	}
	var query []string
	for _, name := range slices.Sorted(maps.Keys(e.Query)) {
		query = append(query, name+"="+e.Query[name])
	}
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	line := []string{"curl"}
	if o.Method != http.MethodGet {
		line = append(line, "-X "+o.Method)
	}
	if o.Access != Public {
		line = append(line, `-H "Authorization: Bearer $TOKEN"`)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Header)) {
		line = append(line, fmt.Sprintf("-H '%s: %s'", name, e.Header[name]))
	}
	if len(e.Body) > 0 {
		line = append(line, "\\\n  --json '"+strings.ReplaceAll(compact(e.Body), "'", `'\''`)+"'")
	}
	line = append(line, "\\\n  'http://127.0.0.1:8080"+base+path+"'")
	return strings.Join(line, " ")
}

func text(v any) string { s, _ := v.(string); return s }

func paragraphs(s string) []template.HTML {
	var out []template.HTML
	for p := range strings.SplitSeq(s, "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, marked(p))
		}
	}
	return out
}

var (
	strong = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	code   = regexp.MustCompile("`([^`]+)`")
)

// marked is a text with the two marks of CommonMark that the description uses:
// **strong** and `code`.
func marked(s string) template.HTML {
	s = strong.ReplaceAllString(template.HTMLEscapeString(s), "<strong>$1</strong>")
	return template.HTML(code.ReplaceAllString(s, "<code>$1</code>")) //nolint:gosec // escaped on the line before
}

func compact(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // what was read from JSON
	return strings.TrimSpace(b.String())
}

func indented(v any) string {
	var b bytes.Buffer
	_ = json.Indent(&b, []byte(compact(v)), "", "  ") // likewise
	return b.String()
}
