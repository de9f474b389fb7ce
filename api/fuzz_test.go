package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/api"
	"crokcam/api/contract"
)

// Requests are made from the description: such as keep to it, such as almost do,
// and nonsense. None may be answered with a fault of the service's own, and every
// answer has to keep to the description.
//
// CROKCAM_FUZZ_SECONDS=600 goes on for so long, from another seed each time unless
// CROKCAM_FUZZ_SEED says which.
func TestNoRequestMakesTheServiceFail(t *testing.T) {
	var until time.Time
	if s := os.Getenv("CROKCAM_FUZZ_SECONDS"); s != "" {
		n, err := strconv.Atoi(s)
		require.NoError(t, err)
		until = time.Now().Add(time.Duration(n) * time.Second)
	}
	seed := uint64(1)
	if s := os.Getenv("CROKCAM_FUZZ_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		require.NoError(t, err)
		seed = n
	} else if !until.IsZero() {
		seed = uint64(time.Now().UnixNano())
	}
	answers := map[string]int{}
	for round := 0; round == 0 || time.Now().Before(until); round++ {
		f := &fuzzer{T: t, rng: rand.New(rand.NewPCG(seed, uint64(round))), answers: answers}
		f.round(25)
		if t.Failed() {
			t.Logf("seed %d, round %d", seed, round)
			return
		}
	}
	good := 0
	for status, n := range answers {
		if strings.HasPrefix(status, "2") {
			good += n
		}
	}
	t.Logf("answers by status: %v", answers)
	require.Greater(t, good, 100, "some of what is made has to be good, or it tests little")
}

type fuzzer struct {
	*testing.T
	rng     *rand.Rand
	root    map[string]any
	answers map[string]int
}

// round sends so many requests to every operation, in any order, to one service.
func (f *fuzzer) round(each int) {
	o := clubOptions(f)
	o.PicturesPerMinute = 0
	var logged bytes.Buffer
	o.Log = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelError}))
	service, err := api.New(o)
	require.NoError(f, err)
	require.NoError(f, service.Start(f.Context()))
	defer service.Close()
	require.NoError(f, json.Unmarshal(service.Document().JSON, &f.root))
	var todo []*contract.Operation
	for _, op := range service.Document().Operations {
		if !streams[op.ID] {
			n := each
			if op.Method == http.MethodDelete {
				n = each / 8 // else there would soon be nothing left
			}
			for range n {
				todo = append(todo, op)
			}
		}
	}
	f.rng.Shuffle(len(todo), func(i, k int) { todo[i], todo[k] = todo[k], todo[i] })
	for _, op := range todo {
		r := f.request(op)
		if r == nil {
			continue
		}
		line, _ := r.Context().Value(sentBody{}).(string)
		logged.Reset()
		w := httptest.NewRecorder()
		service.ServeHTTP(w, r)
		f.answers[strconv.Itoa(w.Code)]++
		if w.Code >= 500 && !(w.Code == 503 && w.Header().Get("Retry-After") != "") {
			f.Errorf("%s %s answers %d %s\n%s\n%s\n%v", r.Method, r.URL, w.Code, w.Body, line, &logged, r.Header)
		}
		// What gin answers by itself is no operation's.
		if found := service.Document().Find(r.Method, r.URL.Path); found == op {
			if err := op.Answer(w.Code, w.Header(), w.Body.Bytes()); err != nil {
				f.Errorf("%s %s: %v\n%s\n%s", r.Method, r.URL, err, line, w.Body)
			}
		}
	}
}

type sentBody struct{}

// request makes a request for an operation.
func (f *fuzzer) request(o *contract.Operation) *http.Request {
	node := f.root["paths"].(map[string]any)[o.Path].(map[string]any)[strings.ToLower(o.Method)].(map[string]any)
	path, query, header := o.Path, url.Values{}, http.Header{}
	list, _ := node["parameters"].([]any)
	for _, p := range list {
		p := f.resolve(p)
		name, _ := p["name"].(string)
		value := fmt.Sprint(f.word(f.value(p["schema"], 0)))
		switch p["in"] {
		case "path":
			if known := f.known(name); known != "" && f.rng.IntN(4) > 0 {
				value = known
			}
			if value == "" {
				value = "x"
			}
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
		case "query":
			if f.rng.IntN(2) == 0 {
				query.Add(name, value)
			}
		case "header":
			if f.rng.IntN(3) == 0 {
				header.Set(name, strings.Map(func(r rune) rune {
					if r < ' ' || r > '~' {
						return '?'
					}
					return r
				}, value))
			}
		}
	}
	if f.rng.IntN(20) == 0 {
		query.Add(f.text(8), f.text(8))
	}
	body := f.body(o, node)
	target := path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	u, err := url.Parse(target)
	if err != nil {
		return nil
	}
	r := httptest.NewRequestWithContext(context.WithValue(f.Context(), sentBody{}, body), o.Method, "http://board"+u.RequestURI(), strings.NewReader(body))
	maps.Copy(r.Header, header)
	if body != "" && f.rng.IntN(30) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// known is something that the club has.
func (f *fuzzer) known(name string) string {
	words := map[string][]string{
		"match": {"K4MR7", "BTWN4", "CRT78", "ASK9A", "CNT56", "UND4C", "PSE5D", "SHT6E", "DNE23", "0000"},
		"board": {"table-3", "table-4", "table-5"}, "webhook": {"tournament"}, "shot": {"3", "4", "5"}, "question": {"5", "4"}, "rule": {"CON-1", "opn-1"},
	}[name]
	if len(words) == 0 {
		return ""
	}
	return words[f.rng.IntN(len(words))]
}

// body makes a request's body: an example, a made one, one that was spoilt, or
// nonsense.
func (f *fuzzer) body(o *contract.Operation, node map[string]any) string {
	request := f.resolve(node["requestBody"])
	if request == nil {
		return ""
	}
	content, _ := request["content"].(map[string]any)
	j, _ := content["application/json"].(map[string]any)
	if j == nil || f.rng.IntN(25) == 0 {
		return f.text(200)
	}
	var v any
	if len(o.Examples) > 0 && f.rng.IntN(3) == 0 {
		if e := o.Examples[f.rng.IntN(len(o.Examples))]; len(e.Body) > 0 {
			require.NoError(f, json.Unmarshal(e.Body, &v))
		}
	} else {
		v = f.value(j["schema"], 0)
	}
	if f.rng.IntN(3) == 0 {
		v = f.spoil(v)
	}
	data, err := json.Marshal(v)
	require.NoError(f, err)
	if f.rng.IntN(40) == 0 {
		data = data[:f.rng.IntN(len(data)+1)]
	}
	return strings.ReplaceAll(string(data), `"1e400"`, "1e400")
}

// resolve follows a reference within the description.
func (f *fuzzer) resolve(v any) map[string]any {
	node, _ := v.(map[string]any)
	for node["$ref"] != nil {
		var at any = f.root
		for part := range strings.SplitSeq(strings.TrimPrefix(node["$ref"].(string), "#/"), "/") {
			at = at.(map[string]any)[part]
		}
		rest := node
		node = map[string]any{}
		maps.Copy(node, at.(map[string]any))
		for k, x := range rest {
			if k != "$ref" {
				node[k] = x
			}
		}
	}
	return node
}

// value makes a value that keeps to a schema, more or less.
func (f *fuzzer) value(schema any, depth int) any {
	s := f.resolve(schema)
	if words, ok := s["enum"].([]any); ok && f.rng.IntN(30) > 0 {
		return words[f.rng.IntN(len(words))]
	}
	kind, _ := s["type"].(string)
	switch kind {
	case "object":
		return f.object(s, depth)
	case "array":
		least, _ := s["minItems"].(float64)
		most := least + 3
		if m, ok := s["maxItems"].(float64); ok {
			most = min(most, m)
		}
		out := []any{}
		for n := int(least) + f.rng.IntN(int(most-least)+1); n > 0 && depth < 6; n-- {
			out = append(out, f.value(s["items"], depth+1))
		}
		return out
	case "integer":
		low, high := bounds(s, -3, 40)
		return int64(low) + f.rng.Int64N(int64(high-low)+1)
	case "number":
		low, high := bounds(s, -500, 500)
		return low + f.rng.Float64()*(high-low)
	case "boolean":
		return f.rng.IntN(2) == 0
	case "string":
		if s["format"] == "date-time" {
			return "2026-11-30T19:00:00Z"
		}
		return f.text(int(orElse(s["maxLength"], 12)))
	}
	return f.anything(depth)
}

func bounds(s map[string]any, low, high float64) (float64, float64) {
	low = orElse(s["minimum"], orElse(s["exclusiveMinimum"], low))
	high = orElse(s["maximum"], max(high, low+10))
	return low, high
}

func orElse(v any, otherwise float64) float64 {
	if n, ok := v.(float64); ok {
		return n
	}
	return otherwise
}

func (f *fuzzer) object(s map[string]any, depth int) any {
	out := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	if len(properties) == 0 {
		return f.anything(depth)
	}
	required, _ := s["required"].([]any)
	for _, r := range required {
		out[r.(string)] = f.value(properties[r.(string)], depth+1)
	}
	most := int(orElse(s["maxProperties"], 100))
	least := int(orElse(s["minProperties"], 0))
	names := slices.Sorted(maps.Keys(properties)) // the same each time
	f.rng.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	for _, name := range names {
		if _, have := out[name]; !have && len(out) < most && (len(out) < least || f.rng.IntN(3) == 0) && depth < 6 {
			out[name] = f.value(properties[name], depth+1)
		}
	}
	return out
}

// anything makes a value of any kind.
func (f *fuzzer) anything(depth int) any {
	switch f.rng.IntN(9) {
	case 0:
		return nil
	case 1:
		return f.rng.IntN(2) == 0
	case 2:
		return f.rng.Int64() - 1<<62
	case 3:
		return "1e400" // as a number
	case 4:
		return -0.0000001
	case 5:
		return f.text(30)
	case 6:
		if depth < 5 {
			return []any{f.anything(depth + 1), f.anything(depth + 1)}
		}
	case 7:
		if depth < 5 {
			return map[string]any{f.text(6): f.anything(depth + 1), "discs": f.anything(depth + 1), "seat": "south"}
		}
	}
	return 1 << 40
}

// spoil changes one thing in a value.
func (f *fuzzer) spoil(v any) any {
	switch x := v.(type) {
	case map[string]any:
		if len(x) > 0 && f.rng.IntN(4) > 0 {
			names := slices.Sorted(maps.Keys(x))
			name := names[f.rng.IntN(len(names))]
			x[name] = f.spoil(x[name])
			return x
		}
		if f.rng.IntN(2) == 0 {
			x[f.text(5)] = f.anything(0)
		}
		return x
	case []any:
		if len(x) > 0 && f.rng.IntN(3) > 0 {
			i := f.rng.IntN(len(x))
			x[i] = f.spoil(x[i])
			return x
		}
		return append(x, f.anything(0))
	}
	return f.anything(0)
}

var awkward = []string{
	"", "Ann", "A", "südlich", "ไทย", "\x00", "\u202e", "../../etc/passwd", "'; DROP TABLE matches; --", "%s%n", "-1", "1e9", "<script>",
	"K4MR7", "table-3", "camera:0", "*", "match.ended", "nca", "3", "{}", "\xff\xfe", "🎯",
}

func (f *fuzzer) text(most int) string {
	if most < 1 {
		return ""
	}
	if f.rng.IntN(2) == 0 {
		return awkward[f.rng.IntN(len(awkward))]
	}
	n := f.rng.IntN(min(most, 60) + 1)
	if f.rng.IntN(60) == 0 {
		n = most + 1
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(' ' + f.rng.IntN(95))
	}
	return string(b)
}

// word is a value as it stands in an address.
func (f *fuzzer) word(v any) any {
	if list, ok := v.([]any); ok {
		parts := make([]string, len(list))
		for i, x := range list {
			parts[i] = fmt.Sprint(x)
		}
		return strings.Join(parts, ",")
	}
	return v
}
