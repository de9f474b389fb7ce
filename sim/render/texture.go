package render

import "math"

// Pattern is how a surface's two colours alternate.
type Pattern uint8

// The patterns.
const (
	Plain   Pattern = iota // one colour, a little uneven
	Wood                   // grain of one piece
	Planks                 // strips of wood glued side by side, each its own tone
	Check                  // gingham: two colours and the half tone between
	Weave                  // coarse cloth
	Speckle                // stone, laminate, carpet
	Tiles                  // squares with joints
)

// Texture is the colour of a surface from place to place.
type Texture struct {
	Pattern  Pattern
	A, B     RGB     // the main and the second colour
	Scale    float64 // of strips, checks, tiles or threads, mm; 0 for the usual
	Angle    float64 // of the grain or the threads, rad
	Contrast float64 // how strongly B shows, 0 to 1
	Seed     uint32
}

// at is the share of light thrown back at a place (mm) in the texture's plane.
func (t *Texture) at(x, y float64) light {
	s, c := math.Sincos(t.Angle)
	u, v := c*x+s*y, -s*x+c*y
	a, b := t.A.linear(), t.B.linear()
	k := float32(t.Contrast)
	switch t.Pattern {
	case Wood:
		return a.mix(b, k*float32(grain(u, v, t.Seed)))
	case Planks:
		width := t.width(90)
		row := math.Floor(v / width)
		tone := chance(int32(row), 0, t.Seed)
		shift := 900 * chance(int32(row), 1, t.Seed)
		base := a.mix(b, k*float32(0.2+0.75*tone))
		f := float32(grain(u+shift, v+shift, t.Seed+uint32(int32(row))))
		out := base.mix(b.mul(0.8), k*0.55*f)
		if edge := math.Abs(v/width-math.Round(v/width)) * width; edge < 0.5 {
			out = out.mul(float32(0.75 + 0.5*edge))
		}
		return out
	case Check:
		width := t.width(60)
		band := func(p float64) float32 {
			// One period of two bands, with soft threads at the borders.
			w := math.Abs(math.Mod(math.Abs(p)/width, 2) - 1) // 1, 0, 1
			return float32(step(0.48, 0.52, w))
		}
		f := (band(u) + band(v)) / 2
		thread := float32(1 + 0.12*math.Sin(u*3)*math.Sin(v*3) + 0.1*cloud(u/40, v/40, 3, t.Seed))
		return a.mix(b, f).mul(thread)
	case Weave:
		width := t.width(2.4)
		thread := math.Sin(u*2*math.Pi/width) * math.Sin(v*2*math.Pi/width)
		folds := cloud(u/160, v/160, 3, t.Seed)
		return a.mix(b, k*float32(clamp(0.5+0.2*thread+0.5*folds+0.15*noise(u*1.3, v*1.3, t.Seed), 0, 1)))
	case Speckle:
		width := t.width(2)
		f := 0.5 + 0.5*cloud(u/width, v/width, 2, t.Seed) + 0.25*cloud(u/90, v/90, 3, t.Seed+9)
		return a.mix(b, k*float32(clamp(f, 0, 1)))
	case Tiles:
		width := t.width(300)
		ju, jv := math.Abs(u/width-math.Round(u/width))*width, math.Abs(v/width-math.Round(v/width))*width
		f := 0.3 + 0.4*cloud(u/50, v/50, 4, t.Seed) + 0.2*chance(int32(math.Floor(u/width)), int32(math.Floor(v/width)), t.Seed)
		out := a.mix(b, k*float32(clamp(f, 0, 1)))
		if min(ju, jv) < 2 {
			out = out.mul(0.72)
		}
		return out
	default:
		f := 0.25 + 0.5*cloud(u/70, v/70, 3, t.Seed) + 0.15*noise(u*0.9, v*0.9, t.Seed+3)
		return a.mix(b, k*float32(clamp(f, 0, 1)))
	}
}

func (t *Texture) width(usual float64) float64 {
	if t.Scale > 0 {
		return t.Scale
	}
	return usual
}

// grain is how dark a plank of wood is at u along and v across the grain (mm),
// 0 to 1: years that bend, fibres, and pores.
func grain(u, v float64, seed uint32) float64 {
	wild := 12 + 42*chance(1, 2, seed) // from straight grain to figured
	bend := wild*noise(u/330, v/120, seed) + wild/3*noise(u/90, v/40, seed+1) + wild/14*noise(u/24, v/14, seed+6)
	years := v + bend
	spacing := 9 + 3*noise(u/700, v/60, seed+2)
	ring := years / spacing
	ring -= math.Floor(ring)
	late := step(0.35, 0.93, ring) * (1 - step(0.93, 1, ring)) // late wood: slow to darken, quick to end
	fibre := 0.5 + 0.5*noise(u/14, v*1.6, seed+3)
	flame := 0.5 + 0.5*cloud(u/120, v/30, 3, seed+4)
	pore := 0.0
	if p := noise(u/7, v*3.1, seed+5); p > 0.55 {
		pore = (p - 0.55) * 1.2
	}
	return clamp(0.42*late+0.26*fibre+0.3*flame+pore-0.05, 0, 1)
}
