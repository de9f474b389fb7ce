package api

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
)

//go:embed openapi.yaml
var openAPISource []byte

// openAPI is the API's description as JSON, with this program's version.
func openAPI(version string) ([]byte, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(openAPISource, &doc); err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	if info, ok := doc["info"].(map[string]any); ok {
		info["version"] = version
	}
	data, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("write: %w", err)
	}
	return data, nil
}
