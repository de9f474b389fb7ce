// Package ink draws smooth lines, shapes and words on a picture.
package ink

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Point is a place in a picture, px; whole numbers are pixel centres.
type Point struct{ X, Y float64 }

// Canvas is a picture to draw on.
type Canvas struct{ *image.RGBA }

// New is an empty canvas of one colour.
func New(width, height int, c color.Color) Canvas {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return Canvas{m}
}

// Paste lays a picture with its upper left corner at (x, y).
func (c Canvas) Paste(m image.Image, x, y int) {
	r := m.Bounds().Sub(m.Bounds().Min).Add(image.Pt(x, y))
	draw.Draw(c, r, m, m.Bounds().Min, draw.Over)
}

// Fill fills a polygon.
func (c Canvas) Fill(outline []Point, col color.Color) { c.raster(col, outline) }

// Circle fills a circle.
func (c Canvas) Circle(centre Point, radius float64, col color.Color) {
	c.Fill(Ellipse(centre, radius, radius, 0), col)
}

// RoundRect fills a rectangle with rounded corners.
func (c Canvas) RoundRect(x, y, w, h, radius float64, col color.Color) {
	var outline []Point
	corners := [4]Point{{x + w - radius, y + h - radius}, {x + radius, y + h - radius}, {x + radius, y + radius}, {x + w - radius, y + radius}}
	for i, p := range corners {
		for step := range 9 {
			s, k := math.Sincos((float64(i) + float64(step)/8) * math.Pi / 2)
			outline = append(outline, Point{p.X + radius*k, p.Y + radius*s})
		}
	}
	c.Fill(outline, col)
}

// Ring draws a closed line of a width.
func (c Canvas) Ring(line []Point, width float64, col color.Color) {
	n := len(line)
	if n < 3 {
		return
	}
	outer, inner := make([]Point, n), make([]Point, n)
	for i, p := range line {
		nx, ny := normal(line[(i+n-1)%n], line[(i+1)%n])
		outer[i] = Point{p.X + nx*width/2, p.Y + ny*width/2}
		inner[n-1-i] = Point{p.X - nx*width/2, p.Y - ny*width/2}
	}
	c.raster(col, outer, inner)
}

// Line draws an open line of a width.
func (c Canvas) Line(line []Point, width float64, col color.Color) {
	n := len(line)
	if n < 2 {
		return
	}
	outline := make([]Point, 2*n)
	for i, p := range line {
		nx, ny := normal(line[max(i-1, 0)], line[min(i+1, n-1)])
		outline[i] = Point{p.X + nx*width/2, p.Y + ny*width/2}
		outline[2*n-1-i] = Point{p.X - nx*width/2, p.Y - ny*width/2}
	}
	c.Fill(outline, col)
}

// Dashes draws a closed line as a number of dashes.
func (c Canvas) Dashes(line []Point, dashes int, width float64, col color.Color) {
	n := len(line)
	for d := range dashes {
		from, to := d*n/dashes, d*n/dashes+n*6/(10*dashes)
		part := make([]Point, 0, to-from+1)
		for i := from; i <= to; i++ {
			part = append(part, line[i%n])
		}
		c.Line(part, width, col)
	}
}

// Ellipse is the outline of an ellipse; angle, in radians, is that of a.
func Ellipse(centre Point, a, b, angle float64) []Point {
	s, k := math.Sincos(angle)
	out := make([]Point, 180)
	for i := range out {
		y, x := math.Sincos(2 * math.Pi * float64(i) / float64(len(out)))
		x, y = a*x, b*y
		out[i] = Point{centre.X + k*x - s*y, centre.Y + s*x + k*y}
	}
	return out
}

// normal is the unit normal of the direction from a to b.
func normal(a, b Point) (x, y float64) {
	dx, dy := b.X-a.X, b.Y-a.Y
	l := math.Hypot(dx, dy)
	if l == 0 {
		return 0, 0
	}
	return dy / l, -dx / l
}

// raster fills outlines; one that runs against another cuts it out.
func (c Canvas) raster(col color.Color, outlines ...[]Point) {
	lo, hi := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, o := range outlines {
		for _, p := range o {
			lo.X, lo.Y = math.Min(lo.X, p.X), math.Min(lo.Y, p.Y)
			hi.X, hi.Y = math.Max(hi.X, p.X), math.Max(hi.Y, p.Y)
		}
	}
	// What reaches absurdly far beyond the picture is not worth the memory.
	reach := 4 * float64(max(c.Rect.Dx(), c.Rect.Dy()))
	if !(lo.X > -reach && lo.Y > -reach && hi.X < reach && hi.Y < reach) {
		return
	}
	box := image.Rect(int(math.Floor(lo.X)), int(math.Floor(lo.Y)), int(math.Ceil(hi.X))+2, int(math.Ceil(hi.Y))+2)
	if !box.Overlaps(c.Rect) {
		return
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	at := func(p Point) (float32, float32) {
		return float32(p.X + 0.5 - float64(box.Min.X)), float32(p.Y + 0.5 - float64(box.Min.Y))
	}
	for _, o := range outlines {
		r.MoveTo(at(o[0]))
		for _, p := range o[1:] {
			r.LineTo(at(p))
		}
		r.ClosePath()
	}
	r.Draw(c, box, image.NewUniform(col), image.Point{})
}

// Weight is the weight of letters.
type Weight int

// The weights.
const (
	Regular Weight = iota
	Bold
)

// Align says which point of a text its place names.
type Align float64

// The alignments.
const (
	Left   Align = 0
	Centre Align = 0.5
	Right  Align = 1
)

// Text writes one line, its base line at y.
func (c Canvas) Text(x, y float64, align Align, size float64, w Weight, col color.Color, s string) {
	f := face(size, w)
	x -= float64(align) * Width(size, w, s)
	d := font.Drawer{Dst: c, Src: image.NewUniform(col), Face: f, Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
	d.DrawString(s)
}

// Width is how wide a text is, px.
func Width(size float64, w Weight, s string) float64 {
	return float64(font.MeasureString(face(size, w), s)) / 64
}

// CapHeight is the height of digits and capitals as a part of the size.
const CapHeight = 0.72

var (
	fonts = [...]func() *opentype.Font{
		Regular: sync.OnceValue(func() *opentype.Font { return parse(goregular.TTF) }),
		Bold:    sync.OnceValue(func() *opentype.Font { return parse(gobold.TTF) }),
	}
	noHinting = opentype.FaceOptions{DPI: 72, Hinting: font.HintingNone}
)

// parse reads a font that is part of the program.
func parse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic("ink: bundled font: " + err.Error())
	}
	return f
}

func face(size float64, w Weight) font.Face {
	o := noHinting
	o.Size = size
	f, err := opentype.NewFace(fonts[w](), &o)
	if err != nil {
		panic("ink: bundled font: " + err.Error())
	}
	return f
}

// Luma is how light a colour looks, 0 to 1.
func Luma(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	return (0.299*float64(r) + 0.587*float64(g) + 0.114*float64(b)) / 0xffff
}
