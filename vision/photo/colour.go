package photo

import (
	"math"
	"strings"

	"crokcam/vision"
)

// paint is a colour that players have a name for.
type paint struct {
	name string
	rgb  [3]float64
}

// The names, with the colours they usually stand for on discs under a lamp.
var paints = []paint{
	{"black", [3]float64{35, 33, 33}}, {"grey", [3]float64{128, 128, 128}}, {"white", [3]float64{235, 235, 230}},
	{"red", [3]float64{185, 40, 40}}, {"orange", [3]float64{225, 120, 40}}, {"yellow", [3]float64{235, 205, 60}},
	{"green", [3]float64{45, 130, 65}}, {"blue", [3]float64{45, 80, 170}}, {"purple", [3]float64{110, 55, 140}},
	{"pink", [3]float64{235, 150, 165}}, {"brown", [3]float64{100, 60, 40}}, {"dark wood", [3]float64{80, 55, 45}},
	{"light wood", [3]float64{215, 175, 125}}, {"cream", [3]float64{240, 225, 190}},
}

// Other words for them.
var alike = map[string]string{
	"dark": "black", "light": "light wood", "natural": "light wood", "wood": "light wood", "gray": "grey",
	"maple": "light wood", "birch": "light wood", "walnut": "dark wood", "beige": "cream", "violet": "purple",
}

// ColourName is the name players would give a colour, in BGR.
func ColourName(bgr [3]float64) string {
	best, name := math.Inf(1), ""
	for _, p := range paints {
		if d := vision.ColourDistance(bgr, [3]float64{p.rgb[2], p.rgb[1], p.rgb[0]}); d < best {
			best, name = d, p.name
		}
	}
	return name
}

// paintCalled finds a colour by its name; ok is false for an unknown one.
func paintCalled(name string) (bgr [3]float64, ok bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if other, found := alike[name]; found {
		name = other
	}
	for _, p := range paints {
		if p.name == name {
			return [3]float64{p.rgb[2], p.rgb[1], p.rgb[0]}, true
		}
	}
	return bgr, false
}

func colourNames() string {
	names := make([]string, len(paints))
	for i, p := range paints {
		names[i] = p.name
	}
	return strings.Join(names, ", ")
}
