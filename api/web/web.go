// Package web is the photo page: plain files, served as they are.
package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

//go:embed index.html app.css icon.svg manifest.webmanifest example.jpg js/*.js overlays
var files embed.FS

// Example is the picture that the page shows before there is another.
func Example() []byte {
	data, err := files.ReadFile("example.jpg")
	if err != nil {
		panic(err) // embedded
	}
	return data
}

// Paths lists the addresses of the page's files, "/" among them.
func Paths() []string {
	paths := []string{"/"}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && name != "index.html" {
			paths = append(paths, "/"+name)
		}
		return err
	})
	if err != nil {
		panic(err) // embedded
	}
	return paths
}

// types are the content types by ending, the same on every machine whatever
// its own tables say.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".jpg": "image/jpeg", ".webmanifest": "application/manifest+json",
	".json": "application/json", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8",
}

// tags are the files' tags by address, each of its content.
func tags() (map[string]string, error) {
	tags := map[string]string{}
	for _, p := range Paths() {
		data, err := files.ReadFile(fileAt(p))
		if err != nil {
			return nil, fmt.Errorf("read: %w", err)
		}
		sum := sha256.Sum256(data)
		tags[p] = `"` + hex.EncodeToString(sum[:12]) + `"`
	}
	return tags, nil
}

// Handler serves the files. Browsers ask each time whether a file is still the
// same, so a new version shows at once and an old one costs no download. Whoever
// names the content as well (?v=, without a tag's quotes) may keep it for good.
func Handler() (http.Handler, error) {
	tags, err := tags()
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tag, ok := tags[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		name := fileAt(r.URL.Path)
		kind := types[path.Ext(name)]
		if kind == "" {
			kind = mime.TypeByExtension(path.Ext(name))
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-cache")
		if r.URL.Query().Get("v") == strings.Trim(tag, `"`) {
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		w.Header().Set("ETag", tag)
		http.ServeFileFS(w, r, files, name)
	}), nil
}

func fileAt(urlPath string) string {
	if urlPath == "/" {
		return "index.html"
	}
	return strings.TrimPrefix(urlPath, "/")
}
