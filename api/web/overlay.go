package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"path"
	"slices"
	"strings"
)

// OverlayKinds are the overlays that there are.
func OverlayKinds() []string {
	return []string{"scorebug", "board", "rounds", "lower-third", "all", "wall"}
}

const overlayStyle = "/overlays/overlay.css"

// Overlay is the page of all overlays: which board and which kind it shows, it
// takes from its own address, /overlay/{board}/{kind}.
type Overlay struct {
	Page []byte
	// Build names what the server has to show. A page that finds another than its
	// own loads itself anew.
	Build string
	// Policy is the page's content policy.
	Policy string
}

// NewOverlay makes the page of a version of the program. Every file it loads has
// an address of its own content, so that mixers may keep it and never show an old
// one: the modules' plain addresses are mapped to those.
func NewOverlay(version string) (*Overlay, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	page, err := template.ParseFS(files, "overlay.html")
	if err != nil {
		return nil, fmt.Errorf("overlay: %w", err)
	}
	slices.SortFunc(all, func(a, b Served) int { return strings.Compare(a.Path, b.Path) })
	build := sha256.New()
	fmt.Fprintln(build, version)
	scripts, style := map[string]string{}, ""
	for _, f := range all {
		fmt.Fprintln(build, f.Path, f.Tag)
		switch {
		case path.Ext(f.Path) == ".js":
			scripts[at(f.Path)] = at(f.Path) + "?v=" + f.Tag
		case f.Path == overlayStyle:
			style = at(f.Path) + "?v=" + f.Tag
		}
	}
	imports, err := json.Marshal(map[string]any{"imports": scripts})
	if err != nil {
		return nil, fmt.Errorf("overlay: %w", err)
	}
	o := &Overlay{Build: hex.EncodeToString(build.Sum(nil)[:8])}
	sum := sha256.Sum256(imports)
	// Mixers put the style that streamers write into the page as a style element.
	o.Policy = "default-src 'none'; script-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; " +
		"style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
	var b bytes.Buffer
	err = page.Execute(&b, map[string]any{
		"Build": o.Build, "Imports": template.HTML(imports), //nolint:gosec // the program's own, with no sign that HTML would take amiss
		"Style": style, "Script": at("/overlays/main.js"),
	})
	if err != nil {
		return nil, fmt.Errorf("overlay: %w", err)
	}
	o.Page = b.Bytes()
	return o, nil
}

// at is a file's address as seen from an overlay's, whatever path the service is
// under.
func at(p string) string { return "../.." + p }

// WaitingFor is a page to be kept beside a mixer, which waits until a server
// answers and then shows one of its overlays: a mixer that is started first would
// otherwise stay blank.
func WaitingFor(server, overlay string) ([]byte, error) {
	page, err := template.ParseFS(files, "wait.html")
	if err != nil {
		return nil, fmt.Errorf("overlay: %w", err)
	}
	var b bytes.Buffer
	if err := page.Execute(&b, map[string]string{"Server": server + "/overlay/build", "Overlay": overlay}); err != nil {
		return nil, fmt.Errorf("overlay: %w", err)
	}
	return b.Bytes(), nil
}
