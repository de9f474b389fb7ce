package eval

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"os"
	"strings"

	xdraw "golang.org/x/image/draw"

	"crokcam/internal/ink"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

// The sheet's measures, px.
const (
	cellWidth   = 760
	shotHeight  = 620
	lineHeight  = 26.0
	textSize    = 20.0
	gutter      = 24
	mostLines   = 5  // of text below a picture
	mostColumns = 3  // of cells
	mostCells   = 60 // of failures that are shown
	cellHeight  = shotHeight + 12 + int(mostLines*lineHeight)
	headHeight  = 76
)

var (
	wall   = color.RGBA{0x12, 0x16, 0x1c, 0xff}
	bright = color.RGBA{0xff, 0xff, 0xff, 0xff}
	soft   = color.RGBA{0xb8, 0xc1, 0xcc, 0xff}
	wrong  = color.RGBA{0xff, 0x4d, 0x5e, 0xff} // missed, or of another value
	extra  = color.RGBA{0xff, 0x5c, 0xf4, 0xff} // invented
	under  = color.NRGBA{0, 0, 0, 0xb0}
)

// Sheet is one JPEG of all failures: the board of each as it was scored, what
// was missed (red), invented (violet) or valued wrong (red, with what it
// should be), and below it what was wanted and what was got. Without a failure
// it says so.
func (r Result) Sheet() ([]byte, error) {
	var failures []Picture
	pictures := 0
	for _, s := range r.Sets {
		pictures += s.Pictures
		for _, p := range s.all {
			if !p.Exact {
				p.File = s.Folder + "/" + p.File
				failures = append(failures, p)
			}
		}
	}
	head := fmt.Sprintf("%d of %d pictures failed", len(failures), pictures)
	if len(failures) > mostCells {
		head += fmt.Sprintf("; the first %d", mostCells)
		failures = failures[:mostCells]
	}
	columns := min(max(len(failures), 1), mostColumns)
	rows := (len(failures) + columns - 1) / columns
	c := ink.New(gutter+columns*(cellWidth+gutter), headHeight+rows*(cellHeight+gutter), wall)
	c.Text(gutter, 50, ink.Left, 34, ink.Bold, bright, head)
	for i, p := range failures {
		x, y := gutter+i%columns*(cellWidth+gutter), headHeight+i/columns*(cellHeight+gutter)
		drawCell(c, x, y, p)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, c, &jpeg.Options{Quality: 88}); err != nil {
		return nil, fmt.Errorf("eval: sheet: %w", err)
	}
	return out.Bytes(), nil
}

func drawCell(c ink.Canvas, x, y int, p Picture) {
	shot, err := shotOf(p)
	if err != nil { // the picture itself may be what is wrong
		shot = ink.New(cellWidth, shotHeight, color.RGBA{0x2a, 0x30, 0x38, 0xff})
		shot.Text(cellWidth/2, shotHeight/2, ink.Centre, textSize, ink.Regular, soft, "the picture cannot be shown")
	}
	c.Paste(shot, x, y)
	text := func(i int, w ink.Weight, col color.Color, s string) {
		for len(s) > 4 && ink.Width(textSize, w, s) > cellWidth {
			r := []rune(s)
			s = string(r[:len(r)-2]) + "…"
		}
		c.Text(float64(x), float64(y+shotHeight)+8+lineHeight*float64(i+1), ink.Left, textSize, w, col, s)
	}
	text(0, ink.Bold, bright, p.File)
	if p.report == nil {
		text(1, ink.Regular, wrong, "no result: "+p.Error)
		text(2, ink.Regular, soft, "want "+totals(p.Want))
		return
	}
	text(1, ink.Regular, soft, "want "+totals(p.Want))
	text(2, ink.Regular, soft, "got   "+totals(p.Got))
	text(3, ink.Regular, soft, fmt.Sprintf("missed %d (red), invented %d (violet)", p.Missed, p.Invented))
	if len(p.Faults) > 0 {
		text(4, ink.Regular, wrong, strings.Join(p.Faults, "; "))
	}
}

// shotOf is the part of the annotated picture that shows the board, with what
// is wrong marked.
func shotOf(p Picture) (ink.Canvas, error) {
	data, err := os.ReadFile(p.path)
	if err != nil {
		return ink.Canvas{}, err
	}
	report := p.report
	if report == nil {
		report = &photo.Report{}
	}
	width, height, err := sizeOf(data, p.report)
	if err != nil {
		return ink.Canvas{}, err
	}
	annotated, err := photo.Annotate(data, report)
	if err != nil {
		return ink.Canvas{}, err
	}
	m, err := jpeg.Decode(bytes.NewReader(annotated))
	if err != nil {
		return ink.Canvas{}, err
	}
	grown := float64(m.Bounds().Dx()) / float64(width) // from the picture to the annotated one
	crop := cropOf(p, float64(width), float64(height))
	from := image.Rect(int(crop[0]*grown), int(crop[1]*grown), int(crop[2]*grown), int(crop[3]*grown))
	scale := math.Min(cellWidth/float64(from.Dx()), shotHeight/float64(from.Dy()))
	shot := ink.New(cellWidth, shotHeight, wall)
	w, h := int(float64(from.Dx())*scale), int(float64(from.Dy())*scale)
	xdraw.CatmullRom.Scale(shot, image.Rect(0, 0, w, h), m, from, xdraw.Src, nil)

	at := func(px [2]float64) ink.Point {
		return ink.Point{X: (px[0] - crop[0]) * grown * scale, Y: (px[1] - crop[1]) * grown * scale}
	}
	radius := 14.0
	if p.report != nil {
		radius = max(radius, reach(p.truth, p.report)/0.7*grown*scale*1.25)
	}
	mark := func(px [2]float64, col color.Color, label string) {
		a := at(px)
		o := ink.Ellipse(a, radius, radius, 0)
		shot.Ring(o, 6, under)
		shot.Ring(o, 3.5, col)
		if label != "" {
			lw := ink.Width(16, ink.Bold, label) + 12
			x, y := min(max(a.X, lw/2), float64(w)-lw/2), max(a.Y-radius-24, 0)
			shot.RoundRect(x-lw/2, y, lw, 21, 5, under)
			shot.Text(x, y+16, ink.Centre, 16, ink.Bold, col, label)
		}
	}
	for _, i := range p.verdict.missed {
		d := p.truth.Discs[i]
		mark(d.Px, wrong, fmt.Sprintf("missed %s %d", d.Side, d.Points))
	}
	if p.report == nil {
		return shot, nil
	}
	for _, j := range p.verdict.invented {
		mark(p.report.Discs[j].Px, extra, "invented")
	}
	for _, pair := range p.verdict.pairs {
		a, b := p.truth.Discs[pair.True], p.report.Discs[pair.Found]
		switch {
		case p.verdict.names[b.Side] != a.Side:
			mark(b.Px, wrong, "is "+a.Side)
		case b.Points != a.Points:
			mark(b.Px, wrong, fmt.Sprintf("is %d", a.Points))
		}
	}
	return shot, nil
}

// sizeOf is a picture's size, upright.
func sizeOf(data []byte, r *photo.Report) (width, height int, err error) {
	if r != nil && r.Image.Width > 0 && r.Image.Height > 0 {
		return r.Image.Width, r.Image.Height, nil
	}
	p, err := decode.Decode(data, decode.Limits{})
	if err != nil {
		return 0, 0, err
	}
	defer p.Close()
	return p.Width, p.Height, nil
}

// cropOf is the part of a picture (left, top, right, bottom) that holds the
// rings that were found and every disc of the truth.
func cropOf(p Picture, width, height float64) [4]float64 {
	c := [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	hold := func(x, y, r float64) {
		c = [4]float64{min(c[0], x-r), min(c[1], y-r), max(c[2], x+r), max(c[3], y+r)}
	}
	if p.report != nil {
		for _, ring := range p.report.Calibration.RingsPx {
			s, k := math.Sincos(ring.AngleDeg * math.Pi / 180)
			x, y := math.Hypot(ring.A*k, ring.B*s), math.Hypot(ring.A*s, ring.B*k)
			hold(ring.CX-x, ring.CY-y, 0)
			hold(ring.CX+x, ring.CY+y, 0)
		}
	}
	for _, d := range p.truth.Discs {
		hold(d.Px[0], d.Px[1], 0.03*max(width, height))
	}
	if p.report == nil && len(p.truth.Discs) > 0 { // a few discs do not show a board
		hold((c[0]+c[2])/2, (c[1]+c[3])/2, 0.3*min(width, height))
	}
	edge := 0.06 * (c[2] - c[0])
	c = [4]float64{max(0, c[0]-edge), max(0, c[1]-edge), min(width, c[2]+edge), min(height, c[3]+edge)}
	if !(c[2]-c[0] >= 16 && c[3]-c[1] >= 16) { // nothing to go by
		return [4]float64{0, 0, width, height}
	}
	return c
}
