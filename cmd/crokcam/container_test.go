package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A container is built from what .dockerignore lets through: a folder that it
// does not name is found missing only there.
func TestAContainersBuildIsGivenAllThatTheProgramIsMadeOf(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	ignore, err := os.ReadFile(filepath.Join(root, ".dockerignore"))
	require.NoError(t, err)
	let := map[string]bool{}
	for line := range strings.Lines(string(ignore)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			let[name] = true
			_, err := os.Stat(filepath.Join(root, name))
			require.NoError(t, err)
		}
	}
	require.True(t, let["go.mod"] && let["go.sum"])
	out, err := exec.Command("go", "list", "-deps", "-f",
		`{{if and .Module .Module.Main}}{{$d := .Dir}}{{$d}}{{"\n"}}{{range .EmbedFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}`, ".").Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		path, err := filepath.Rel(root, strings.TrimSpace(line))
		require.NoError(t, err)
		first, _, _ := strings.Cut(filepath.ToSlash(path), "/")
		require.True(t, let[first], "%s is not let through", path)
		require.NotContains(t, path, "testdata", "left out of a container's build")
	}
}
