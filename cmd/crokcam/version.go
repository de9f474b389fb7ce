package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker in release builds.
var version = "development"

func newVersionCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			if _, err := fmt.Fprintf(a.out, "crokcam %s (%s %s/%s)\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH); err != nil {
				return fmt.Errorf("print: %w", err)
			}
			return nil
		},
	}
}

// versionText is the release, or the commit a development build was made from.
func versionText() string {
	if info, ok := debug.ReadBuildInfo(); ok && version == "development" {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				return version + " " + s.Value[:12]
			}
		}
	}
	return version
}
