package render

import (
	"fmt"
	"math"
)

// RGB is a colour as screens have it: red, green, blue, sRGB, 0 to 255.
type RGB [3]uint8

// Hex is "#rrggbb".
func (c RGB) Hex() string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

// Luminance is the share of light that a surface of this colour throws back.
func (c RGB) Luminance() float64 { return float64(c.linear().luma()) }

// light is linear light, red, green, blue; 1 is a white sheet in full light.
type light [3]float32

func (a light) add(b light) light   { return light{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a light) mul(s float32) light { return light{a[0] * s, a[1] * s, a[2] * s} }
func (a light) times(b light) light { return light{a[0] * b[0], a[1] * b[1], a[2] * b[2]} }
func (a light) luma() float32       { return 0.2126*a[0] + 0.7152*a[1] + 0.0722*a[2] }

func (a light) mix(b light, f float32) light {
	return light{a[0] + (b[0]-a[0])*f, a[1] + (b[1]-a[1])*f, a[2] + (b[2]-a[2])*f}
}

var linearOf = func() (t [256]float32) {
	for i := range t {
		v := float64(i) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		t[i] = float32(v)
	}
	return t
}()

// linear is the colour as a share of light thrown back.
func (c RGB) linear() light { return light{linearOf[c[0]], linearOf[c[1]], linearOf[c[2]]} }

// encode is linear light as an sRGB value, 0 to 255.
func encode(v float64) float64 {
	switch {
	case v <= 0:
		return 0
	case v <= 0.0031308:
		return v * 12.92 * 255
	case v >= 1:
		return 255
	}
	return (1.055*math.Pow(v, 1/2.4) - 0.055) * 255
}
