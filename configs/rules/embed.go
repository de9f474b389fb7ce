// Package profiles holds the rule profiles that come with the program. Each is a
// YAML file: a title, who plays so, and the options in which it differs from the
// one it extends. Package rules/profile reads them.
package profiles

import "embed"

// FS are the profiles, NAME.yaml each.
//
//go:embed *.yaml
var FS embed.FS
