package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// ErrWrong marks settings that cannot be used: an unknown key, a wrong type,
// an impossible value, a file that cannot be read.
var ErrWrong = errors.New("settings")

const envPrefix = "CROKCAM"

// keyToEnv is the one place where a key becomes a variable's name.
var keyToEnv = strings.NewReplacer(".", "_", "-", "_")

// EnvName is the environment variable of a key.
func EnvName(key string) string {
	return envPrefix + "_" + strings.ToUpper(keyToEnv.Replace(key))
}

const flagKey = "crokcam_setting"

// BindFlag makes a flag stand for a setting: given on the command line, it
// wins over environment, file and default.
func BindFlag(flags *pflag.FlagSet, flag, key string) {
	if err := flags.SetAnnotation(flag, flagKey, []string{key}); err != nil {
		panic(err) // the flag is declared on the line before
	}
}

// Entry is one setting with its value and where that came from.
type Entry struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	From  string `json:"from"` // "default", "file PATH", "environment NAME" or "flag --NAME"
}

// Loaded is the settings in force.
type Loaded struct {
	Config
	Entries  []Entry  // every setting in the order of configs/crokcam.yaml
	File     string   // the settings file that was read, "" for none
	Warnings []string // CROKCAM_ variables that are no settings
}

// Load reads the settings. file is what the user named, "" to look in the
// usual places. flags may be nil.
func Load(file string, flags *pflag.FlagSet) (*Loaded, error) {
	out := &Loaded{File: file}
	if file == "" {
		out.File = findFile()
	}

	v := viper.New()
	v.SetEnvPrefix(envPrefix)
	v.SetEnvKeyReplacer(keyToEnv)
	known := settings(Default())
	keys := make([]string, len(known))
	for i, s := range known {
		keys[i] = s.key
		v.SetDefault(s.key, s.value)
		if err := v.BindEnv(s.key); err != nil {
			return nil, fmt.Errorf("%w: bind %s: %w", ErrWrong, s.key, err)
		}
	}

	inFile, err := readFile(v, out.File, keys)
	if err != nil {
		return nil, err
	}
	byFlag := map[string]string{}
	if flags != nil {
		flags.VisitAll(func(f *pflag.Flag) {
			if k := f.Annotations[flagKey]; len(k) == 1 {
				err = errors.Join(err, v.BindPFlag(k[0], f))
				if f.Changed {
					byFlag[k[0]] = f.Name
				}
			}
		})
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrWrong, err)
		}
	}

	if err := v.Unmarshal(&out.Config, strict); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrWrong, unreadable(err))
	}
	if err := out.validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWrong, err)
	}

	for _, s := range settings(out.Config) {
		e := Entry{Key: s.key, Value: s.value, From: "default"}
		switch name, ok := byFlag[s.key]; {
		case ok:
			e.From = "flag --" + name
		case os.Getenv(EnvName(s.key)) != "":
			e.From = "environment " + EnvName(s.key)
		case slices.Contains(inFile, s.key):
			e.From = "file " + out.File
		}
		out.Entries = append(out.Entries, e)
	}
	out.Warnings = strayVariables(keys)
	return out, nil
}

// unreadable says which settings have values of another kind than theirs. The
// decoder's own text is made for those who program.
func unreadable(err error) string {
	var told []string
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSpace(line)
		if key, what, ok := strings.Cut(strings.TrimPrefix(line, "'"), "' "); ok {
			told = append(told, key+": "+what)
		}
	}
	if len(told) == 0 {
		return err.Error()
	}
	return strings.Join(told, "; ")
}

func strict(c *mapstructure.DecoderConfig) {
	c.ErrorUnused = true
	c.DecodeHook = mapstructure.ComposeDecodeHookFunc(
		mapstructure.StringToTimeDurationHookFunc(),
		boardsFromText,
		mapstructure.StringToSliceHookFunc(","),
	)
}

// boardsFromText reads the boards setting where it is one text, as in the
// environment: ID=SOURCE, several with blanks between.
func boardsFromText(_, to reflect.Type, data any) (any, error) {
	text, ok := data.(string)
	if !ok || to != reflect.TypeFor[[]Board]() {
		return data, nil
	}
	boards := []Board{}
	for word := range strings.FieldsSeq(text) {
		var b Board
		if err := b.UnmarshalText([]byte(word)); err != nil {
			return nil, err
		}
		boards = append(boards, b)
	}
	return boards, nil
}

// readFile adds the file's settings to v and returns the keys it has.
func readFile(v *viper.Viper, file string, known []string) ([]string, error) {
	if file == "" {
		return nil, nil
	}
	f := viper.New() // apart from v, whose keys would hide which ones the file has
	f.SetConfigFile(file)
	f.SetConfigType("yaml")
	if err := f.ReadInConfig(); err != nil {
		return nil, fmt.Errorf("%w: file %s: %w", ErrWrong, file, err)
	}
	var errs []error
	for _, k := range f.AllKeys() {
		if !slices.Contains(known, k) {
			hint := ""
			if near, ok := nearest(k, known); ok {
				hint = fmt.Sprintf(", did you mean %q?", near)
			}
			errs = append(errs, fmt.Errorf("%w: file %s: there is no setting %q%s", ErrWrong, file, k, hint))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if err := v.MergeConfigMap(f.AllSettings()); err != nil {
		return nil, fmt.Errorf("%w: file %s: %w", ErrWrong, file, err)
	}
	return f.AllKeys(), nil
}

// findFile returns the first settings file in the usual places, or "".
func findFile() string {
	if f := os.Getenv(envPrefix + "_CONFIG"); f != "" {
		return f
	}
	var places []string
	if dir, err := os.UserConfigDir(); err == nil {
		places = append(places, filepath.Join(dir, "crokcam", "crokcam.yaml"))
	}
	places = append(places, "/etc/crokcam/crokcam.yaml")
	for _, p := range places {
		if _, err := os.Stat(p); !errors.Is(err, fs.ErrNotExist) {
			return p
		}
	}
	return ""
}

// strayVariables finds CROKCAM_ variables that set nothing. They are told, not
// refused: container platforms invent variables after a service's name.
func strayVariables(keys []string) []string {
	names := []string{envPrefix + "_CONFIG"}
	for _, k := range keys {
		names = append(names, EnvName(k))
	}
	var out []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, envPrefix+"_") && !slices.Contains(names, name) {
			hint := ""
			if near, ok := nearest(name, names); ok {
				hint = fmt.Sprintf(", did you mean %s?", near)
			}
			out = append(out, fmt.Sprintf("environment: %s is no setting%s", name, hint))
		}
	}
	slices.Sort(out)
	return out
}

// nearest is the candidate with the smallest edit distance to s, or whose last
// part comes closest: "listen" means server.listen. It is not ok when nobody who
// wrote s can have meant it: more than two letters in five are other ones.
func nearest(s string, candidates []string) (near string, ok bool) {
	s = strings.TrimPrefix(s, envPrefix+"_")
	bare := func(c string) string { return strings.TrimPrefix(c, envPrefix+"_") }
	leaf := func(key string) string { return key[strings.LastIndexAny(key, "._")+1:] }
	away := func(c string) float64 {
		whole := float64(distance(s, bare(c))) / float64(len(s))
		part := (float64(distance(leaf(s), leaf(bare(c)))) + 0.5) / float64(len(leaf(s)))
		return min(whole, part)
	}
	near = slices.MinFunc(candidates, func(a, b string) int { return cmp.Compare(away(a), away(b)) })
	return near, away(near) <= 0.4
}

// distance is the number of letters to insert, delete or replace between a and b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
