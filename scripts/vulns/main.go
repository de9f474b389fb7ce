// Command vulns reads govulncheck's JSON and fails on vulnerabilities in
// modules that the program calls. Those in the standard library are told, but
// only a new Go release can mend them.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

type message struct {
	Finding *struct {
		OSV          string `json:"osv"`
		FixedVersion string `json:"fixed_version"`
		Trace        []struct {
			Module   string `json:"module"`
			Version  string `json:"version"`
			Function string `json:"function"`
		} `json:"trace"`
	} `json:"finding"`
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "vulns:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("give the report of govulncheck -format json")
	}
	f, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read from
	ours, std := map[string]bool{}, map[string]bool{}
	for d := json.NewDecoder(f); ; {
		var m message
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("read report: %w", err)
		}
		// The first step of a trace is the weak spot; without a function there
		// the program has the module but does not call that part of it.
		if m.Finding == nil || len(m.Finding.Trace) == 0 || m.Finding.Trace[0].Function == "" {
			continue
		}
		at := m.Finding.Trace[0]
		line := fmt.Sprintf("%s in %s %s, mended in %s", m.Finding.OSV, at.Module, at.Version, m.Finding.FixedVersion)
		if at.Module == "stdlib" {
			std[line] = true
		} else {
			ours[line] = true
		}
	}
	for _, line := range slices.Sorted(maps.Keys(std)) {
		fmt.Fprintln(out, "told:", line)
	}
	for _, line := range slices.Sorted(maps.Keys(ours)) {
		fmt.Fprintln(out, "vulnerable:", line)
	}
	if len(ours) > 0 {
		return fmt.Errorf("%d vulnerabilities that an upgrade mends", len(ours))
	}
	fmt.Fprintf(out, "vulnerabilities: 0 in modules, %d in the standard library\n", len(std))
	return nil
}
