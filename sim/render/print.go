package render

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"crokcam/board"
)

// printing is what is printed on a playing surface.
type printing struct {
	spec    board.Spec
	look    *Look
	wood    *Texture
	zones   [4]light
	line    light
	number  light
	ring    light
	numbers []number
}

// number is a printed value: its glyphs and its circle.
type number struct {
	text   *glyphs
	radius float64 // of the circle that the middles of the numbers stand on, mm
	height float64 // of a digit, mm
}

func newPrinting(s *Scene) *printing {
	b, l := s.Board, &s.Look
	p := &printing{
		spec: b, look: l, wood: &l.Wood, line: l.Line.Colour.linear(),
		number: l.Numbers.Colour.linear(), ring: l.HoleRing.Colour.linear(),
	}
	for i, z := range l.Zones {
		p.zones[i] = z.Colour.linear()
	}
	if l.Numbers.Opacity > 0 {
		high := l.NumberMM
		if high <= 0 {
			high = 0.036 * b.Start.Outer
		}
		p.numbers = []number{
			{digits("15"), b.Fifteen.Outer * 0.72, high},
			{digits("10"), b.Fifteen.Outer + 0.52*(b.Ten.Outer-b.Fifteen.Outer), high},
			{digits("5"), b.Ten.Outer + 0.52*(b.Start.Outer-b.Ten.Outer), high},
		}
		if l.Seed%2 == 0 {
			p.numbers = append(p.numbers, number{digits("20"), b.Hole.Radius + 1.1*high, high})
		}
	}
	return p
}

// cover is how much of a pixel of size foot (mm) a band from inner to outer
// fills when its middle is at r.
func cover(inner, outer, r, foot float64) float64 {
	return clamp((outer-r)/foot+0.5, 0, 1) - clamp((inner-r)/foot+0.5, 0, 1)
}

// at is the share of light that the surface throws back at a place, averaged
// over about foot mm.
func (p *printing) at(x, y, foot float64) light {
	l := p.look
	out := p.wood.at(x, y)
	rho := hypot(x, y)

	zone := 3
	switch {
	case rho < p.spec.Fifteen.Outer:
		zone = 0
	case rho < p.spec.Ten.Outer:
		zone = 1
	case rho < p.spec.Start.Outer:
		zone = 2
	}
	if o := l.Zones[zone].Opacity; o > 0 {
		// The grain shows a little in the best paint.
		shine := out.luma() / max(0.01, p.wood.A.linear().luma())
		out = out.mix(p.zones[zone].mul(0.85+0.15*shine), float32(o))
	}
	if l.Wear > 0 {
		stain := cloud(x/60, y/60, 4, l.Seed)
		k := 1 - 0.22*l.Wear*step(0.05, 0.5, stain)
		// Where discs slide most, the surface is dull; long thin scratches.
		if sc := noise(x*0.9+y*0.12, y*0.035, l.Seed+5); sc > 0.82 {
			k += 0.25 * l.Wear * (sc - 0.82) / 0.18
		}
		out = out.mul(float32(k))
	}
	lines := 0.0
	for _, r := range [3]board.Ring{p.spec.Fifteen, p.spec.Ten, p.spec.Start} {
		if math.Abs(rho-r.Outer) < 2*r.Width+foot {
			lines = max(lines, cover(r.Inner(), r.Outer, rho, foot))
		}
	}
	inner := p.spec.Ten.Outer
	if l.Centre > 0 {
		inner = l.Centre
	}
	if rho > inner-foot && rho < p.spec.Start.Outer {
		s, c := math.Sincos(p.spec.Quadrants.Angle)
		u, v := c*x+s*y, -s*x+c*y
		off := min(math.Abs(u), math.Abs(v))
		w := p.spec.Quadrants.Width
		lines = max(lines, cover(-w/2, w/2, off, foot)*clamp((rho-inner)/foot+0.5, 0, 1))
	}
	if lines > 0 {
		out = out.mix(p.line, float32(lines*l.Line.Opacity))
	}
	if o := l.HoleRing.Opacity; o > 0 && rho < p.spec.Hole.Radius+4 {
		out = out.mix(p.ring, float32(o*cover(p.spec.Hole.Radius, p.spec.Hole.Radius+2, rho, foot)))
	}
	for i := range p.numbers {
		n := &p.numbers[i]
		if math.Abs(rho-n.radius) > n.height {
			continue
		}
		// The nearest of four, each in the middle of a quadrant with its foot
		// outwards.
		mid := p.spec.Quadrants.Angle + math.Pi/4
		a := mid + math.Round((math.Atan2(y, x)-mid)/(math.Pi/2))*math.Pi/2
		s, c := math.Sincos(a)
		u, v := -s*x+c*y, n.radius-(c*x+s*y)
		if cov := n.text.at(u/n.height, v/n.height); cov > 0 {
			out = out.mix(p.number, float32(cov*l.Numbers.Opacity))
		}
	}
	return out
}

// glyphs is a text as a mask, one unit to the height of a digit.
type glyphs struct {
	*image.Alpha
}

// glyphPx is the height of a digit in a mask.
const glyphPx = 64

var (
	glyphCache = map[string]*glyphs{}
	glyphLock  sync.Mutex
)

// digits draws a text once.
func digits(text string) *glyphs {
	glyphLock.Lock()
	defer glyphLock.Unlock()
	if g := glyphCache[text]; g != nil {
		return g
	}
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		panic(fmt.Sprintf("render: the built-in font: %v", err)) // it is part of the program
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: glyphPx / 0.72, DPI: 72})
	if err != nil {
		panic(fmt.Sprintf("render: the built-in font: %v", err))
	}
	width := font.MeasureString(face, text).Ceil()
	img := image.NewAlpha(image.Rect(0, 0, width+8, glyphPx+8))
	d := font.Drawer{Dst: img, Src: image.NewUniform(color.Alpha{255}), Face: face, Dot: fixed.P(4, glyphPx+4)}
	d.DrawString(text)
	g := &glyphs{img}
	glyphCache[text] = g
	return g
}

// at is how much ink there is at u right of and v above the text's middle.
func (g *glyphs) at(u, v float64) float64 {
	b := g.Bounds()
	x := u*glyphPx + float64(b.Dx())/2 - 0.5
	y := -v*glyphPx + float64(b.Dy())/2 - 0.5
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int(fx), int(fy)
	if ix < 0 || iy < 0 || ix+1 >= b.Dx() || iy+1 >= b.Dy() {
		return 0
	}
	x, y = x-fx, y-fy
	at := func(i, j int) float64 { return float64(g.Pix[j*g.Stride+i]) }
	top := at(ix, iy) + (at(ix+1, iy)-at(ix, iy))*x
	low := at(ix, iy+1) + (at(ix+1, iy+1)-at(ix, iy+1))*x
	return (top + (low-top)*y) / 255
}
