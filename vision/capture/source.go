package capture

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Kind is what sort of place frames come from.
type Kind string

// The kinds of sources.
const (
	KindCamera Kind = "camera" // a device of this machine
	KindRTSP   Kind = "rtsp"
	KindHTTP   Kind = "http" // MJPEG or any other video over HTTP
	KindFile   Kind = "file"
	KindFolder Kind = "folder"
	KindPlugin Kind = "plugin" // one of Options.Plugins
)

// Live says whether frames come by themselves and are lost when nobody takes
// them.
func (k Kind) Live() bool { return k == KindCamera || k == KindRTSP || k == KindHTTP }

// Source names a place frames come from. Printed in any way it hides the
// credentials that it may contain.
type Source struct {
	kind Kind
	raw  string // as given
	at   string // the device, URL, path, or what follows a plug-in's scheme
	name string // the plug-in's scheme
}

var scheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:`)

// ParseSource reads the name of a source: camera:0, camera:/dev/v4l/by-id/…,
// rtsp://…, http://…, the path of a video file or of a folder of pictures, or
// SCHEME:… of a plug-in. Its errors are of type *Error.
func ParseSource(name string, plugins ...string) (Source, error) {
	s := Source{raw: name, at: name}
	if name == "" {
		return s, s.fail(BadSource, "No source was named. "+sourceForms, nil)
	}
	if _, err := os.Stat(name); err == nil && !strings.HasPrefix(name, "/dev/") {
		return s.path(name), nil // whatever its name looks like
	}
	prefix := strings.ToLower(strings.TrimSuffix(scheme.FindString(name), ":"))
	rest := name[min(len(name), len(prefix)+1):]
	switch {
	case prefix == "" && strings.HasPrefix(name, "/dev/"):
		s.kind = KindCamera
	case prefix == "":
		return s.path(name), nil
	case slices.Contains(plugins, prefix):
		s.kind, s.name, s.at = KindPlugin, prefix, rest
	case prefix == "camera":
		return s.camera(rest)
	case prefix == "rtsp", prefix == "rtsps":
		return s.url(KindRTSP)
	case prefix == "http", prefix == "https":
		return s.url(KindHTTP)
	case prefix == "file":
		return s.path(strings.TrimPrefix(rest, "//")), nil
	default:
		return s, s.fail(BadSource, "A source cannot begin with "+prefix+":. "+sourceForms, nil)
	}
	return s, nil
}

const sourceForms = "A source is camera:0, camera:/dev/v4l/by-id/…, rtsp://…, http://…, a video file or a folder of pictures."

func (s Source) camera(which string) (Source, error) {
	s.kind = KindCamera
	switch {
	case strings.HasPrefix(which, "/"):
		s.at = which
	case which != "" && strings.Trim(which, "0123456789") == "":
		s.at = "/dev/video" + which
	default:
		return s, s.fail(BadSource, "A camera is named by its number or by the path of its device, such as camera:0 or camera:/dev/v4l/by-id/….", nil)
	}
	return s, nil
}

func (s Source) url(k Kind) (Source, error) {
	s.kind = k
	// The parser's own error repeats the URL, password and all.
	if u, err := url.Parse(s.raw); err != nil || u.Host == "" {
		return s, s.fail(BadSource, "This address cannot be read. Write it as rtsp://NAME:PASSWORD@HOST:PORT/PATH; in the name and the password, write / as %2F, @ as %40, # as %23 and ? as %3F.", nil)
	}
	return s, nil
}

func (s Source) path(p string) Source {
	s.kind, s.at = KindFile, filepath.Clean(p)
	if info, err := os.Stat(p); err == nil && info.IsDir() {
		s.kind = KindFolder
	}
	return s
}

// Kind is what sort of place it is.
func (s Source) Kind() Kind { return s.kind }

// String is the source as it was named, without credentials.
func (s Source) String() string {
	return Mask(wholeUserinfo.ReplaceAllString(s.raw, "${1}"+hidden+"@"))
}

// GoString is String: %#v shows no more.
func (s Source) GoString() string { return s.String() }

// MarshalText is String.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

const hidden = "***"

var (
	userinfo = regexp.MustCompile(`(?i)\b([a-z][a-z0-9+.-]*://)[^\s'"]*@`)
	// In what is known to be one URL, even blanks belong to the password.
	wholeUserinfo = regexp.MustCompile(`(?is)^([a-z][a-z0-9+.-]*://).*@`)
	secretQuery   = regexp.MustCompile(`(?i)([?&;][^=&;\s'"]*(?:pass|pwd|pw|token|auth|key|secret|user|usr|login|cred|sig)[^=&;\s'"]*=)[^&;#\s'"]*`)
)

// Mask hides the credentials of URLs wherever they stand in a text: names and
// passwords before the host, and query values whose key says that they are
// secret.
func Mask(text string) string {
	text = userinfo.ReplaceAllString(text, "${1}"+hidden+"@")
	return secretQuery.ReplaceAllString(text, "${1}"+hidden)
}

// mask is Mask for what another program says about the source: it also hides
// the password where it stands by itself.
func (s Source) mask(text string) string {
	text = Mask(strings.ReplaceAll(text, s.raw, s.String()))
	_, rest, _ := strings.Cut(s.raw, "://")
	var secrets []string
	// Written as it should not be, any colon may be the one before the password.
	for rest = rest[:max(0, strings.LastIndex(rest, "@"))]; rest != ""; {
		_, rest, _ = strings.Cut(rest, ":")
		secrets = append(secrets, rest)
	}
	if u, err := url.Parse(s.raw); err == nil && u.User != nil {
		password, _ := u.User.Password()
		secrets = append(secrets, password, url.QueryEscape(password), url.PathEscape(password))
	}
	for _, secret := range secrets {
		if len(secret) > 2 { // a shorter one would hide half the text
			text = strings.ReplaceAll(text, secret, hidden)
		}
	}
	return text
}
