package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func finding(osv, module, function string) string {
	return `{"finding": {"osv": "` + osv + `", "fixed_version": "v1.2.4", "trace": [{"module": "` + module + `", "version": "v1.2.3", "function": "` + function + `"}, {"module": "crokcam", "function": "main"}]}}`
}

func TestOnlyCalledVulnerabilitiesOfModulesFail(t *testing.T) {
	for name, c := range map[string]struct {
		report string
		fails  bool
		says   string
	}{
		"nothing found":            {`{"config": {}} {"progress": {}}`, false, "0 in modules, 0 in the standard library"},
		"a module, called":         {finding("GO-1", "example.org/m", "Parse") + finding("GO-1", "example.org/m", "Read"), true, "vulnerable: GO-1 in example.org/m v1.2.3, mended in v1.2.4"},
		"a module, not called":     {finding("GO-1", "example.org/m", ""), false, "0 in modules"},
		"the standard library":     {finding("GO-2", "stdlib", "Read"), false, "told: GO-2 in stdlib"},
		"one of each, that is bad": {finding("GO-2", "stdlib", "Read") + finding("GO-1", "example.org/m", "Parse"), true, "told: GO-2"},
		"a report that is cut off": {`{"finding": {`, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "report.json")
			require.NoError(t, os.WriteFile(file, []byte(c.report), 0o600))
			var out bytes.Buffer
			err := run([]string{file}, &out)
			require.Equal(t, c.fails, err != nil, err)
			require.Contains(t, out.String(), c.says)
		})
	}
	require.Error(t, run(nil, &bytes.Buffer{}))
}
