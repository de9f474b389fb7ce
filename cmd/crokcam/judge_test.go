package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

func runCmd(cmd *cobra.Command, stdin string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SilenceUsage = true
	cmd.SetArgs(args)
	err := cmd.Execute()
	return out.String(), err
}

const caseFile = "../../testdata/rules/cases.json"

func TestJudgeCommand(t *testing.T) {
	out, err := runCmd(newJudgeCmd(), "", caseFile)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 152)
	for _, l := range lines {
		var r struct {
			ID     string         `json:"id"`
			Kind   string         `json:"kind"`
			Result map[string]any `json:"result"`
		}
		require.NoError(t, json.Unmarshal([]byte(l), &r))
		require.NotEmpty(t, r.ID)
		require.NotEmpty(t, r.Kind)
		require.NotEmpty(t, r.Result)
	}

	data, err := os.ReadFile(caseFile)
	require.NoError(t, err)
	again, err := runCmd(newJudgeCmd(), string(data), "-")
	require.NoError(t, err)
	require.Equal(t, out, again)
}

func TestJudgeExplain(t *testing.T) {
	out, err := runCmd(newJudgeCmd(), "", "--explain", caseFile)
	require.NoError(t, err)
	require.Contains(t, out, "CON-02: Failed shot.")
	require.Contains(t, out, "No opposing disc was touched.")
	out, err = runCmd(newJudgeCmd(), "", "--explain", "--lang", "nl", caseFile)
	require.NoError(t, err)
	require.Contains(t, out, "Mislukt schot.")
	_, err = runCmd(newJudgeCmd(), "", "--lang", "xx", caseFile)
	require.Error(t, err)
}

func TestJudgeErrors(t *testing.T) {
	_, err := runCmd(newJudgeCmd(), "")
	require.Error(t, err)
	_, err = runCmd(newJudgeCmd(), "", filepath.Join(t.TempDir(), "none.json"))
	require.Error(t, err)
	out, err := runCmd(newJudgeCmd(), `{"cases": [{"id": "x", "kind": "dance"}]}`, "-")
	require.ErrorContains(t, err, "1 cases could not be judged")
	require.Contains(t, out, `"error"`)
	_, err = runCmd(newJudgeCmd(), `{"cases": [{"id": "x", "kind": "dance"}]}`, "--explain", "-")
	require.Error(t, err)
	for in, why := range map[string]string{
		`not JSON`: "invalid character", ``: "unexpected end", `null`: `no "cases"`, `{"schema": "x"}`: `no "cases"`,
		`[]`: `array stands where an object with "cases"`, `{"cases": 5}`: "number stands where",
	} {
		_, err = runCmd(newJudgeCmd(), in, "-")
		require.ErrorContains(t, err, why, in)
	}
}

func TestRulesCommand(t *testing.T) {
	out, err := runCmd(newRulesCmd(), "", "list")
	require.NoError(t, err)
	require.Len(t, strings.Split(strings.TrimSpace(out), "\n"), 78)
	out, err = runCmd(newRulesCmd(), "", "list", "--format", "markdown")
	require.NoError(t, err)
	require.Contains(t, out, "### CON-3")
	out, err = runCmd(newRulesCmd(), "", "show", "TWN-2")
	require.NoError(t, err)
	require.Contains(t, out, "belongs to the disc's owner")
	out, err = runCmd(newRulesCmd(), "", "show", "nca")
	require.NoError(t, err)
	require.Contains(t, out, "after 4 rounds")
	_, err = runCmd(newRulesCmd(), "", "show", "nothing")
	require.Error(t, err)
	_, err = runCmd(newRulesCmd(), "", "list", "--format", "runes")
	require.Error(t, err)
}
