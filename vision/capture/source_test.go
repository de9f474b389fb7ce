package capture

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestASourceIsWhatItsNameSays(t *testing.T) {
	dir := t.TempDir()
	odd := filepath.Join(dir, "rtsp:odd name.mp4")
	require.NoError(t, os.WriteFile(odd, nil, 0o600))
	for name, want := range map[string]Source{
		"camera:0":                             {kind: KindCamera, at: "/dev/video0"},
		"camera:12":                            {kind: KindCamera, at: "/dev/video12"},
		"camera:/dev/v4l/by-id/usb-Cam-index0": {kind: KindCamera, at: "/dev/v4l/by-id/usb-Cam-index0"},
		"CAMERA:1":                             {kind: KindCamera, at: "/dev/video1"},
		"/dev/video3":                          {kind: KindCamera, at: "/dev/video3"},
		"rtsp://host/board":                    {kind: KindRTSP, at: "rtsp://host/board"},
		"rtsps://host:322/board":               {kind: KindRTSP, at: "rtsps://host:322/board"},
		"http://host:81/stream":                {kind: KindHTTP, at: "http://host:81/stream"},
		"https://u:p@host/?a=b":                {kind: KindHTTP, at: "https://u:p@host/?a=b"},
		"game.mp4":                             {kind: KindFile, at: "game.mp4"},
		"file:///tmp/missing.mp4":              {kind: KindFile, at: "/tmp/missing.mp4"},
		dir:                                    {kind: KindFolder, at: dir},
		dir + "/":                              {kind: KindFolder, at: dir},
		odd:                                    {kind: KindFile, at: odd},
		"sim:?seed=4&fps=30":                   {kind: KindPlugin, name: "sim", at: "?seed=4&fps=30"},
	} {
		got, err := ParseSource(name, "sim")
		require.NoError(t, err, name)
		want.raw = name
		require.Equal(t, want, got, name)
	}
	_, err := ParseSource("sim:?seed=4")
	require.ErrorContains(t, err, "cannot begin with sim:")
}

func TestCredentialsAreHidden(t *testing.T) {
	for name, want := range map[string]string{
		"rtsp://admin:hunter2@10.0.0.7:554/h264":            "rtsp://***@10.0.0.7:554/h264",
		"rtsp://admin@10.0.0.7/h264":                        "rtsp://***@10.0.0.7/h264",
		"http://10.0.0.7/video?user=admin&password=hunter2": "http://10.0.0.7/video?user=***&password=***",
		"http://10.0.0.7/video?size=2&access_token=abc#x":   "http://10.0.0.7/video?size=2&access_token=***#x",
		"rtsp://admin:hunter/2@10.0.0.7/h264":               "rtsp://***@10.0.0.7/h264",
		"rtsp://admin:a@b@10.0.0.7/h264":                    "rtsp://***@10.0.0.7/h264",
		"http://10.0.0.7/video?size=2":                      "http://10.0.0.7/video?size=2",
		"camera:0":                                          "camera:0",
		"games/2026/table@4.mp4":                            "games/2026/table@4.mp4",
	} {
		require.Equal(t, want, Mask(name))
	}
}

// Whatever the name and the password, they are nowhere in what can be printed.
func TestCredentialsAreHiddenInWhateverIsPrinted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`Q[a-zA-Z0-9@:/?#%&= ]{6,16}Z`) // marked, so that nothing else contains it
		name, password := word.Draw(t, "name"), word.Draw(t, "password")
		u := url.URL{Scheme: rapid.SampledFrom([]string{"rtsp", "http"}).Draw(t, "scheme"), Host: "10.0.0.7:554", Path: "/h264", User: url.UserPassword(name, password)}
		raw := u.String()
		if rapid.Bool().Draw(t, "raw") { // as people write it
			raw = u.Scheme + "://" + name + ":" + password + "@10.0.0.7/h264"
		}
		s, refused := ParseSource(raw)
		var printed strings.Builder
		fmt.Fprintf(&printed, "%s|%v|%+v|%#v|", s, s, Event{Source: s}, s)
		if refused != nil {
			fmt.Fprintf(&printed, "%s|%+v|", refused, refused)
		}
		data, err := json.Marshal(s)
		require.NoError(t, err)
		printed.Write(data)
		slog.New(slog.NewTextHandler(&printed, nil)).Info("opened", "source", s)
		if refused == nil { // else no decoder ever hears of it
			e := s.diagnose([]string{raw + ": 401 Unauthorized", "authorization failed for " + password}, nil)
			fmt.Fprint(&printed, e, e.Message, s.diagnose([]string{"strange thing about " + raw + " and " + password}, nil))
		}
		for _, part := range []string{name, password, url.PathEscape(password), url.QueryEscape(password)} {
			require.NotContains(t, printed.String(), part)
		}
	})
}
