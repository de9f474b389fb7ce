// Package web is the pages: plain files, served as they are.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"crokcam/rules/say"
)

//go:embed pages page.tmpl *.html *.css icon.svg manifest.webmanifest example.jpg js/*.js overlays
var files embed.FS

// page is one of the pages: what of it is its own.
type page struct {
	Script string // in js, without its ending
	Class  string // of its body
	Bar    bool   // it has the bar of a club night's pages, and their style
	Root   string // the way from it to the service's root
	Body   template.HTML
}

// pages are the addresses that have a page, as gin writes them, each with its
// file's name. The page itself reads from its address what it is about.
var pages = map[string]struct {
	file string
	page
}{
	"/":                      {"index", page{Script: "main"}},
	"/setup":                 {"setup", page{Script: "setup", Class: "setup", Bar: true}},
	"/boards":                {"boards", page{Script: "boards", Class: "hall", Bar: true}},
	"/boards/:board":         {"live", page{Script: "live", Class: "live", Bar: true}},
	"/boards/:board/referee": {"referee", page{Script: "referee", Class: "referee", Bar: true}},
	"/matches":               {"matches", page{Script: "matches", Class: "matches", Bar: true}},
	"/matches/:match":        {"match", page{Script: "match", Class: "match", Bar: true}},
}

// frame is what stands around all of them.
var frame = template.Must(template.ParseFS(files, "page.tmpl"))

// whole is the page at an address.
func whole(where string) ([]byte, error) {
	p := pages[where]
	body, err := files.ReadFile("pages/" + p.file + ".html")
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	p.Root = strings.Repeat("../", strings.Count(where, "/")-1)
	p.Body = template.HTML(body) //nolint:gosec // it is the program's own
	var out bytes.Buffer
	if err := frame.Execute(&out, p.page); err != nil {
		return nil, fmt.Errorf("page %s: %w", where, err)
	}
	return out.Bytes(), nil
}

// Example is the picture that the page shows before there is another.
func Example() []byte {
	data, err := files.ReadFile("example.jpg")
	if err != nil {
		panic(err) // embedded
	}
	return data
}

// types are the content types by ending, the same on every machine whatever
// its own tables say.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".jpg": "image/jpeg", ".webmanifest": "application/manifest+json",
	".json": "application/json", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8",
}

// Served is a file with the address that it is served at.
type Served struct {
	Path    string // as gin writes it
	Tag     string // of its content
	Handler http.HandlerFunc
}

// All are the pages and their files. Browsers ask each time whether a file is
// still the same, so a new version shows at once and an old one costs no download.
// Whoever asks for the content by its tag (?v=) may keep it for good.
func All() ([]Served, error) {
	var out []Served
	add := func(path, name string, data []byte) {
		sum := sha256.Sum256(data)
		tag := hex.EncodeToString(sum[:12])
		out = append(out, Served{path, tag, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kindOf(name))
			w.Header().Set("Cache-Control", "no-cache")
			if r.URL.RawQuery == "v="+tag {
				w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			}
			w.Header().Set("ETag", `"`+tag+`"`)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		}})
	}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(name)
		if err == nil && !slices.Contains([]string{".html", ".tmpl"}, path.Ext(name)) {
			add("/"+name, name, data)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	for where := range pages {
		data, err := whole(where)
		if err != nil {
			return nil, err
		}
		add(where, "page.html", data)
	}
	// The sentences about verdicts are those of the program's other outputs.
	for _, lang := range say.Languages {
		words, err := say.Catalogue(lang)
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(words)
		if err != nil {
			return nil, fmt.Errorf("words: %w", err)
		}
		add("/words/"+lang+".json", lang+".json", data)
	}
	return out, nil
}

func kindOf(name string) string {
	if kind, ok := types[path.Ext(name)]; ok {
		return kind
	}
	return mime.TypeByExtension(path.Ext(name))
}

// Paths lists the addresses, as gin writes them.
func Paths() []string {
	all, err := All()
	if err != nil {
		panic(err) // embedded
	}
	paths := make([]string, len(all))
	for i, f := range all {
		paths[i] = f.Path
	}
	return paths
}
