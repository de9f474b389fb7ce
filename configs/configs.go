// Package configs carries the settings that ship with the program: the
// explained settings file, and the boards and physics it knows by name.
package configs

import "embed"

// Boards holds boards/NAME.yaml, one file a preset.
//
//go:embed boards/*.yaml
var Boards embed.FS

// Physics holds physics/NAME.yaml, one file a preset.
//
//go:embed physics/*.yaml
var Physics embed.FS

// Reference is crokcam.yaml: every setting, explained, at its default.
//
//go:embed crokcam.yaml
var Reference []byte
