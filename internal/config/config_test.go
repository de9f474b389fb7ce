package config

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"crokcam/configs"
)

// alone keeps the machine's own settings out of a test.
func alone(t *testing.T) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, kv := range os.Environ() {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, envPrefix+"_") {
			t.Setenv(name, value) // puts it back afterwards
			require.NoError(t, os.Unsetenv(name))
		}
	}
}

func write(t *testing.T, yaml string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "crokcam.yaml")
	require.NoError(t, os.WriteFile(file, []byte(yaml), 0o600))
	return file
}

func from(l *Loaded, key string) string {
	for _, e := range l.Entries {
		if e.Key == key {
			return e.From
		}
	}
	return "no such key"
}

func TestWithNothingSaidTheDefaultsHold(t *testing.T) {
	alone(t)
	l, err := Load("", nil)
	require.NoError(t, err)
	require.Equal(t, Default(), l.Config)
	require.Empty(t, l.File)
	for _, e := range l.Entries {
		require.Equal(t, "default", e.From, e.Key)
	}
}

func TestTheShippedFileAgreesWithTheDefaultsAndExplainsEverySetting(t *testing.T) {
	alone(t)
	file := write(t, string(configs.Reference))
	l, err := Load(file, nil)
	require.NoError(t, err)
	require.Equal(t, Default(), l.Config)
	for _, e := range l.Entries {
		require.Equal(t, "file "+file, e.From, "%s is missing from configs/crokcam.yaml", e.Key)
	}

	var doc yaml.Node
	require.NoError(t, yaml.Unmarshal(configs.Reference, &doc))
	for i := 1; i < len(doc.Content[0].Content); i += 2 {
		section := doc.Content[0].Content[i]
		for j := 0; j < len(section.Content); j += 2 {
			key := section.Content[j]
			require.NotEmpty(t, key.HeadComment, "line %d: %s has no explanation", key.Line, key.Value)
		}
	}
}

func TestFlagBeatsEnvironmentBeatsFileBeatsDefault(t *testing.T) {
	alone(t)
	file := write(t, "server:\n  listen: 127.0.0.1:1\n  parallel: 3\n  queue_timeout: 7s\n")
	t.Setenv("CROKCAM_SERVER_LISTEN", "127.0.0.1:2")
	t.Setenv("CROKCAM_SERVER_PARALLEL", "4")
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	flags.String("listen", "unused", "")
	BindFlag(flags, "listen", "server.listen")
	flags.String("board", "unused", "")
	BindFlag(flags, "board", "photo.board")
	require.NoError(t, flags.Parse([]string{"--listen", "127.0.0.1:3"}))

	l, err := Load(file, flags)
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:3", l.Server.Listen)
	require.Equal(t, "flag --listen", from(l, "server.listen"))
	require.Equal(t, 4, l.Server.Parallel)
	require.Equal(t, "environment CROKCAM_SERVER_PARALLEL", from(l, "server.parallel"))
	require.Equal(t, 7*time.Second, l.Server.QueueTimeout)
	require.Equal(t, "file "+file, from(l, "server.queue_timeout"))
	require.Equal(t, "auto", l.Photo.Board, "a flag that was not given does not hide the default")
	require.Equal(t, "default", from(l, "photo.board"))
}

func TestEverySettingCanComeFromTheEnvironment(t *testing.T) {
	alone(t)
	values := map[string]string{
		"log.level": "debug", "log.format": "json", "photo.board": "tournament-26",
		"boards":      "table-1=camera:0  table-2=rtsp://sam:secret@10.0.0.7/board?a=b",
		"camera.size": "1280x720", "camera.fps": "25", "camera.focus": "hold", "camera.exposure": "-6", "camera.power_line": "50",
		"limits.max_megabytes": "7", "limits.max_megapixels": "8",
		"matches.file": "/var/lib/crokcam/matches.db", "matches.keep_days": "365", "matches.keep_pictures_days": "30",
		"server.listen": "[::1]:9", "server.base_path": "/crokinole", "server.token_file": "/run/secrets/crokcam",
		"server.insecure_no_auth": "true", "server.trusted_proxies": "10.0.0.1,192.168.0.0/16", "server.parallel": "1",
		"server.queue_timeout": "1s", "server.score_timeout": "2s", "server.read_timeout": "3s",
		"server.pictures_per_minute": "0", "server.stop_timeout": "4s",
	}
	for _, s := range settings(Default()) {
		require.Contains(t, values, s.key, "the test lacks a value for it")
		t.Setenv(EnvName(s.key), values[s.key])
	}
	l, err := Load("", nil)
	require.NoError(t, err)
	for i, s := range settings(Default()) {
		require.NotEqual(t, s.value, l.Entries[i].Value, s.key)
		require.Equal(t, "environment "+EnvName(s.key), l.Entries[i].From)
	}
	require.Equal(t, []string{"10.0.0.1", "192.168.0.0/16"}, l.Server.TrustedProxies)
	require.Equal(t, []Board{{ID: "table-1", Source: "camera:0"}, {ID: "table-2", Source: "rtsp://sam:secret@10.0.0.7/board?a=b"}}, l.Boards)
	require.Empty(t, l.Warnings)
}

func TestBoardsAreReadFromTheFileAndShownWithoutTheirSecrets(t *testing.T) {
	alone(t)
	l, err := Load(write(t, `boards:
  - {id: table-1, name: Table 1, source: "rtsp://sam:secret@10.0.0.7/board", board: tournament-26}
`), nil)
	require.NoError(t, err)
	require.Equal(t, []Board{{ID: "table-1", Name: "Table 1", Source: "rtsp://sam:secret@10.0.0.7/board", Board: "tournament-26"}}, l.Boards)
	for _, e := range l.Entries {
		text, err := json.Marshal(e)
		require.NoError(t, err)
		require.NotContains(t, fmt.Sprintf("%v %s", e.Value, text), "secret")
	}

	for yaml, why := range map[string]string{
		"boards: [{id: T, source: x}]":                     "boards[0].id",
		"boards: [{id: a}]":                                "boards[0].source",
		"boards: [{id: a, source: x}, {id: a, source: y}]": "twice",
		"boards: [{id: a, source: x, camera: 3}]":          "camera",
		"boards: \"table-1\"":                              "ID=SOURCE",
		"boards: \"rtsp://sam:secret@10.0.0.7/board\"":     "ID=SOURCE",
	} {
		_, err := Load(write(t, yaml), nil)
		require.ErrorContains(t, err, why, yaml)
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestAnUnknownKeyIsAnErrorThatNamesTheNearestOne(t *testing.T) {
	alone(t)
	_, err := Load(write(t, "server:\n  lisen: 127.0.0.1:1\n"), nil)
	require.ErrorIs(t, err, ErrWrong)
	require.ErrorContains(t, err, `"server.lisen", did you mean "server.listen"?`)
	_, err = Load(write(t, "listen: 127.0.0.1:1\n"), nil)
	require.ErrorContains(t, err, "server.listen")
	_, err = Load(write(t, "nope: 1\n"), nil)
	require.ErrorContains(t, err, `there is no setting "nope"`)
	require.NotContains(t, err.Error(), "did you mean", "none is near")
}

func TestAStrayVariableIsToldNotRefused(t *testing.T) {
	alone(t)
	t.Setenv("CROKCAM_LISTEN", ":1")
	t.Setenv("CROKCAM_NOPE", "1")
	t.Setenv("CROKCAM_PORT_80_TCP", "tcp://10.0.0.1:80")
	t.Setenv("CROKCAM_SERVER_PARALEL", "3")
	l, err := Load("", nil)
	require.NoError(t, err)
	require.Equal(t, []string{
		"environment: CROKCAM_LISTEN is no setting, did you mean CROKCAM_SERVER_LISTEN?",
		"environment: CROKCAM_NOPE is no setting",
		"environment: CROKCAM_PORT_80_TCP is no setting",
		"environment: CROKCAM_SERVER_PARALEL is no setting, did you mean CROKCAM_SERVER_PARALLEL?",
	}, l.Warnings)
}

func TestWrongValuesAreAllNamedAtOnce(t *testing.T) {
	alone(t)
	_, err := Load(write(t, `
log: {level: loud}
limits: {max_megabytes: 0}
server: {queue_timeout: 0s, trusted_proxies: [nonsense], parallel: -1}
`), nil)
	require.ErrorIs(t, err, ErrWrong)
	for _, key := range []string{"log.level", "limits.max_megabytes", "server.queue_timeout", "server.trusted_proxies", "server.parallel"} {
		require.ErrorContains(t, err, key)
	}
	_, err = Load(write(t, "server: {parallel: many}"), nil)
	require.ErrorContains(t, err, "server.parallel: ")
	require.NotContains(t, err.Error(), "decoding failed")
	_, err = Load(write(t, "server: {listen: everywhere}"), nil)
	require.ErrorContains(t, err, "server.listen")
	_, err = Load(write(t, "server: 8080"), nil)
	require.ErrorIs(t, err, ErrWrong)
}

func TestAFileThatWasNamedMustBeReadable(t *testing.T) {
	alone(t)
	_, err := Load(filepath.Join(t.TempDir(), "none.yaml"), nil)
	require.ErrorIs(t, err, ErrWrong)
	_, err = Load(write(t, "server: [\n"), nil)
	require.ErrorIs(t, err, ErrWrong)
}

func TestTheUsersOwnFileIsFound(t *testing.T) {
	alone(t)
	dir := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "crokcam")
	require.NoError(t, os.Mkdir(dir, 0o700))
	file := filepath.Join(dir, "crokcam.yaml")
	require.NoError(t, os.WriteFile(file, []byte("photo: {board: vintage-22}\n"), 0o600))
	l, err := Load("", nil)
	require.NoError(t, err)
	require.Equal(t, "vintage-22", l.Photo.Board)

	named := write(t, "photo: {board: recreational-24}\n")
	t.Setenv("CROKCAM_CONFIG", named)
	l, err = Load("", nil)
	require.NoError(t, err)
	require.Equal(t, "recreational-24", l.Photo.Board)
	require.Equal(t, named, l.File)
}

func TestMatchesAreKeptInTheStateFolderUnlessToldOtherwise(t *testing.T) {
	alone(t)
	t.Setenv("HOME", "/home/ann")
	for _, c := range []struct{ state, file, want string }{
		{"", "", "/home/ann/.local/state/crokcam/matches.db"},
		{"relative", "", "/home/ann/.local/state/crokcam/matches.db"}, // the XDG specification says to ignore it
		{"/state", "", "/state/crokcam/matches.db"},
		{"/state", "club.db", "club.db"},
	} {
		t.Setenv("XDG_STATE_HOME", c.state)
		got, err := Matches{File: c.file}.Path()
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", "")
	_, err := Matches{}.Path()
	require.ErrorIs(t, err, ErrWrong)
}

func TestWhoCanReachTheServiceFollowsFromItsAddressAndProxies(t *testing.T) {
	for listen, want := range map[string]bool{
		"127.0.0.1:8080": false, "127.8.0.1:8080": false, "[::1]:8080": false, "localhost:8080": false,
		"0.0.0.0:8080": true, ":8080": true, "[::]:8080": true, "192.168.1.7:8080": true, "scorer.local:80": true, "nonsense": true,
	} {
		require.Equal(t, want, Server{Listen: listen}.Reachable(), listen)
	}
	require.True(t, Server{Listen: "127.0.0.1:8080", TrustedProxies: []string{"127.0.0.1"}}.Reachable(), "a proxy brings others")
	require.True(t, Server{Listen: "127.0.0.1:8080", BasePath: "/crokinole"}.Reachable())
}

func TestTheOrganisersTokenIsReadFromItsFile(t *testing.T) {
	token, err := Server{}.Token()
	require.NoError(t, err)
	require.Empty(t, token)
	file := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(file, []byte("a long word of one's own\n"), 0o600))
	token, err = Server{TokenFile: file}.Token()
	require.NoError(t, err)
	require.Equal(t, "a long word of one's own", token)
	require.NoError(t, os.WriteFile(file, []byte(" \n"), 0o600))
	_, err = Server{TokenFile: file}.Token()
	require.ErrorIs(t, err, ErrWrong)
	_, err = Server{TokenFile: file + ".gone"}.Token()
	require.ErrorIs(t, err, ErrWrong)
}
