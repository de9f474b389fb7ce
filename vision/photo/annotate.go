package photo

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"strings"

	"gocv.io/x/gocv"

	"crokcam/internal/cvx"
	"crokcam/internal/ink"
	"crokcam/vision/decode"
)

// An annotated picture is at least so long that its marks can be read and at
// most so long that it can be sent on.
const (
	shortestAnnotated = 1600 // px
	longestAnnotated  = 2000 // px
	annotatedQuality  = 90
)

var (
	paper  = color.RGBA{0x12, 0x16, 0x1c, 0xff} // behind the totals
	white  = color.RGBA{0xff, 0xff, 0xff, 0xff}
	black  = color.RGBA{0x0c, 0x0e, 0x12, 0xff}
	quiet  = color.RGBA{0xa4, 0xae, 0xba, 0xff}
	amber  = color.RGBA{0xff, 0xb3, 0x1a, 0xff}
	line   = color.RGBA{0x39, 0xd5, 0xff, 0xff}  // the rings: a colour that no board has
	shade  = color.NRGBA{0x00, 0x00, 0x00, 0x70} // beneath thin marks, so that they show on anything
	border = color.NRGBA{0xff, 0xff, 0xff, 0x50}
)

// Annotate draws a report on its picture and returns a JPEG: the rings that
// were found, each disc in its side's colour with its value, close calls in
// amber with a question mark, and the totals below.
func Annotate(data []byte, r *Report) ([]byte, error) {
	picture, scale, err := scaledPicture(data)
	if err != nil {
		return nil, fmt.Errorf("annotate: %w", err)
	}
	banner := bannerOf(r, float64(picture.Rect.Dx()))
	c := ink.New(picture.Rect.Dx(), picture.Rect.Dy()+int(banner.height), paper)
	c.Paste(picture, 0, 0)
	marks := ink.Canvas{RGBA: c.SubImage(picture.Rect).(*image.RGBA)}
	drawRings(marks, r, scale)
	drawDiscs(marks, r, scale)
	banner.draw(c, float64(picture.Rect.Dy()))

	var out bytes.Buffer
	if err := jpeg.Encode(&out, c, &jpeg.Options{Quality: annotatedQuality}); err != nil {
		return nil, fmt.Errorf("annotate: %w", err)
	}
	return out.Bytes(), nil
}

// scaledPicture decodes a picture at the size at which it is drawn on. It has
// been scored before, so that no limit needs to be put on it again.
func scaledPicture(data []byte) (*image.RGBA, float64, error) {
	p, err := decode.Decode(data, decode.Limits{Bytes: math.MaxInt, Pixels: math.MaxInt32})
	if err != nil {
		return nil, 0, err
	}
	defer p.Close()
	long := max(p.Width, p.Height)
	want := min(max(long, shortestAnnotated), longestAnnotated)
	scale := float64(want) / float64(long)
	how := gocv.InterpolationArea
	if scale > 1 {
		how = gocv.InterpolationCubic
	}
	size := image.Pt(max(1, int(math.Round(float64(p.Width)*scale))), max(1, int(math.Round(float64(p.Height)*scale))))
	small, err := cvx.Resize(p.Mat, size, how)
	if err != nil {
		return nil, 0, err
	}
	defer cvx.Close(&small)
	m, err := cvx.ToImage(small)
	return m, scale, err
}

// scaled moves points of the given picture to where they are when it is
// scaled; pixel centres are whole numbers in both.
func scaled(pts []ink.Point, scale float64) []ink.Point {
	for i, p := range pts {
		pts[i] = ink.Point{X: (p.X+0.5)*scale - 0.5, Y: (p.Y+0.5)*scale - 0.5}
	}
	return pts
}

func drawRings(c ink.Canvas, r *Report, scale float64) {
	for _, ring := range r.Calibration.RingsPx {
		e := scaled(ink.Ellipse(ink.Point{X: ring.CX, Y: ring.CY}, ring.A, ring.B, ring.AngleDeg*math.Pi/180), scale)
		c.Ring(e, 5, shade)
		c.Ring(e, 2.2, line)
	}
}

func drawDiscs(c ink.Canvas, r *Report, scale float64) {
	outline := outlinesOf(r)
	colours := sideColours(r)
	for _, d := range r.Discs {
		col, ok := colours[d.Side]
		if !ok {
			col = quiet
		}
		rim := scaled(outline.of(d.Px, 1), scale)
		c.Ring(rim, 8, shade)
		c.Ring(rim, 5.5, against(col))
		c.Ring(rim, 3, col)
		if d.TooClose {
			around := scaled(outline.of(d.Px, 1.32), scale)
			c.Dashes(around, 12, 9, black)
			c.Dashes(around, 12, 6, amber)
		}
		at := scaled([]ink.Point{{X: d.Px[0], Y: d.Px[1]}}, scale)[0]
		badge(c, at, rim, d, col)
	}
}

// badge writes a disc's value on it, in a field of the disc's own shape.
func badge(c ink.Canvas, at ink.Point, rim []ink.Point, d Disc, col color.RGBA) {
	radius := 0.78 * meanRadius(rim)
	grow := 0.78 * max(radius, 12) / radius // small discs still carry a number that can be read
	around := func(grow float64) []ink.Point {
		field := make([]ink.Point, len(rim))
		for i, p := range rim {
			field[i] = ink.Point{X: at.X + grow*(p.X-at.X), Y: at.Y + grow*(p.Y-at.Y)}
		}
		return field
	}
	text, size := fmt.Sprint(d.Points), 1.25*min(max(radius, 12), 40)
	if d.TooClose {
		text, size = text+"?", 0.8*size
	}
	field := around(grow)
	c.Fill(field, col)
	c.Ring(field, 1.5, against(col))
	c.Text(at.X, at.Y+size*ink.CapHeight/2, ink.Centre, size, ink.Bold, against(col), text)
}

func meanRadius(outline []ink.Point) float64 {
	var cx, cy, sum float64
	n := float64(len(outline))
	for _, p := range outline {
		cx, cy = cx+p.X/n, cy+p.Y/n
	}
	for _, p := range outline {
		sum += math.Hypot(p.X-cx, p.Y-cy)
	}
	return sum / n
}

func sideColours(r *Report) map[string]color.RGBA {
	out := map[string]color.RGBA{}
	for _, s := range r.Sides {
		out[s.Side] = parseRGB(s.RGB)
	}
	return out
}

func parseRGB(s string) color.RGBA {
	c := color.RGBA{A: 0xff}
	if _, err := fmt.Sscanf(s, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
		return quiet
	}
	return c
}

// against is black or white, whichever shows on a colour.
func against(c color.Color) color.RGBA {
	if ink.Luma(c) > 0.5 {
		return black
	}
	return white
}

// banner is the strip of totals below the picture.
type banner struct {
	height float64
	marks  []func(c ink.Canvas, top float64)
}

func (b banner) draw(c ink.Canvas, top float64) {
	for _, mark := range b.marks {
		mark(c, top)
	}
}

// The banner's measures, px.
const (
	margin    = 28.0
	rowHeight = 92.0
	noteSize  = 25.0
	noteStep  = 34.0
)

// bannerOf lays the totals out in rows as wide as the picture.
func bannerOf(r *Report, width float64) banner {
	b := banner{height: rowHeight}
	x, y := margin, 0.0
	place := func(w float64, draw func(c ink.Canvas, x, y float64)) {
		if x > margin && x+w > width-margin {
			x, y = margin, y+rowHeight
			b.height += rowHeight
		}
		atX, atY := x, y
		b.marks = append(b.marks, func(c ink.Canvas, top float64) { draw(c, atX, top+atY) })
		x += w
	}
	for _, s := range r.Sides {
		t := tallyOf(s)
		place(t.width, t.draw)
	}
	verdict := verdictOf(r)
	w := ink.Width(34, ink.Bold, verdict)
	place(w, func(c ink.Canvas, x, y float64) {
		x = max(x, width-margin-w)
		c.Text(x, y+58, ink.Left, 34, ink.Bold, white, verdict)
	})
	for _, n := range notesOf(r, width-2*margin) {
		atY := b.height
		b.marks = append(b.marks, func(c ink.Canvas, top float64) {
			c.Text(margin, top+atY+noteSize*0.6, ink.Left, noteSize, ink.Regular, amber, n)
		})
		b.height += noteStep
	}
	return b
}

// tally is one side's part of the banner.
type tally struct {
	col                color.RGBA
	points, name, text string
	chip, number       float64 // widths
	width              float64
}

func tallyOf(s Side) tally {
	t := tally{col: parseRGB(s.RGB), points: fmt.Sprint(s.Points), name: s.Name, text: plural(s.Discs, "disc", "discs"), chip: 62}
	if t.name == "" {
		t.name = s.Side
	}
	if s.Twenties > 0 {
		t.text += ", " + plural(s.Twenties, "twenty", "twenties")
	}
	t.number = ink.Width(60, ink.Bold, t.points) + 16
	t.width = t.chip + t.number + max(ink.Width(28, ink.Bold, t.name), ink.Width(22, ink.Regular, t.text)) + 56
	return t
}

func (t tally) draw(c ink.Canvas, x, y float64) {
	c.Circle(ink.Point{X: x + 22, Y: y + 46}, 24, border)
	c.Circle(ink.Point{X: x + 22, Y: y + 46}, 21.5, t.col)
	c.Text(x+t.chip, y+46+60*ink.CapHeight/2, ink.Left, 60, ink.Bold, white, t.points)
	c.Text(x+t.chip+t.number, y+42, ink.Left, 28, ink.Bold, white, t.name)
	c.Text(x+t.chip+t.number, y+70, ink.Left, 22, ink.Regular, quiet, t.text)
}

func verdictOf(r *Report) string {
	switch {
	case len(r.Discs) == 0 && len(r.Sides) == 0:
		return "No discs on the board"
	case r.Differential != nil:
		for _, s := range r.Sides {
			if s.Side == r.Differential.Side && s.Name != "" {
				return fmt.Sprintf("%s leads by %d", s.Name, r.Differential.Points)
			}
		}
		return fmt.Sprintf("%s leads by %d", r.Differential.Side, r.Differential.Points)
	case len(r.Sides) > 1:
		return "Level"
	}
	return ""
}

// notesOf are the lines below the totals: how many calls are close, and what
// else the reader ought to look at.
func notesOf(r *Report, width float64) []string {
	var notes []string
	calls := 0
	for _, d := range r.Discs {
		if d.TooClose {
			calls++
		}
	}
	if calls > 0 {
		notes = append(notes, plural(calls, "close call", "close calls")+" (amber): look at the board.")
	}
	for _, w := range r.Warnings {
		if w.Code != "disc_too_close" && w.Text != "" && len(notes) < 4 {
			notes = append(notes, fit(w.Text, width))
		}
	}
	return notes
}

// fit cuts a note at a word so that it keeps within a width.
func fit(s string, width float64) string {
	if ink.Width(noteSize, ink.Regular, s) <= width {
		return s
	}
	for {
		i := strings.LastIndexByte(s, ' ')
		if i < 0 {
			return s
		}
		s = s[:i]
		if ink.Width(noteSize, ink.Regular, s+" …") <= width {
			return s + " …"
		}
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
