package live

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/calibrate/camera"
	"crokcam/internal/ink"
	"crokcam/vision/capture"
)

// overlay is what is to be drawn over the newest frame. The table's lock is held.
func (t *Table) overlay() overlay {
	o := overlay{cal: t.watch.Calibration(), discs: t.watch.Discs(), ways: t.watch.Ways()}
	if t.keep == nil {
		return o
	}
	o.colours = t.keep.colours
	o.rules = t.keep.rules
	return o
}

var (
	lineInk  = color.RGBA{80, 200, 255, 255}
	closeInk = color.RGBA{255, 176, 32, 255}
	wayInk   = color.RGBA{255, 240, 90, 255}
	sideInk  = [board.SideD + 1]color.RGBA{
		{220, 220, 220, 255}, {255, 96, 80, 255}, {90, 170, 255, 255}, {120, 220, 120, 255}, {230, 120, 240, 255},
	}
)

// drawing is a picture with a board in it that is drawn on.
type drawing struct {
	ink.Canvas
	spec  board.Spec
	cam   camera.Camera
	width float64 // px of a thin line
}

// drawOn begins a drawing with the board's lines over a picture.
func drawOn(img image.Image, cal *calibrate.Calibration) drawing {
	d := drawing{Canvas: ink.Canvas{RGBA: image.NewRGBA(img.Bounds())}, width: math.Max(1, float64(img.Bounds().Dx())/1000)}
	draw.Draw(d, d.Rect, img, image.Point{}, draw.Src)
	if cal == nil {
		return d
	}
	d.spec, d.cam = cal.Board, cal.Camera
	for _, r := range []float64{d.spec.Fifteen.Inner(), d.spec.Ten.Inner(), d.spec.Start.Inner(), d.spec.Surface} {
		d.Ring(d.round(0, 0, 0, r), d.width, lineInk)
	}
	return d
}

// round is a circle about a place of the board at a height, mm.
func (d *drawing) round(x, y, z, r float64) []ink.Point {
	const n = 90
	out := make([]ink.Point, n)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		out[i].X, out[i].Y = d.cam.Project(x+r*cos, y+r*sin, z)
	}
	return out
}

// annotate draws the board's lines, the discs at rest and the ways of those that
// flew over a frame.
func annotate(img image.Image, o overlay) image.Image {
	c := drawOn(img, o.cal)
	if o.cal == nil {
		return c
	}
	for _, way := range o.ways {
		line := make([]ink.Point, len(way))
		for i, p := range way {
			line[i].X, line[i].Y = c.cam.Project(p.X, p.Y, c.spec.Disc.Thickness)
			c.Circle(line[i], 2*c.width, wayInk)
		}
		c.Line(line, c.width, wayInk)
	}
	for i := range o.discs {
		d := &o.discs[i]
		side := o.colours[d.Side]
		rim := c.round(d.X, d.Y, c.spec.Disc.Thickness, c.spec.Disc.Radius)
		call := c.spec.Call(d.Disc)
		text := call.Zone.String()
		if o.rules.Board.Surface != 0 {
			call = o.rules.Value(d.Disc)
			text = call.Zone.String()
		}
		col := sideInk[side]
		if call.TooClose {
			col = closeInk
			text += "?"
		}
		c.Ring(rim, 2*c.width, col)
		u, v := c.cam.Project(d.X, d.Y, c.spec.Disc.Thickness)
		size := 0.6 * math.Hypot(rim[0].X-u, rim[0].Y-v)
		c.Text(u, v+size/3, ink.Centre, size, ink.Bold, col, text)
	}
	return c
}

// edges shows how much the brightness changes at each place, the strongest
// hundredth of them white, with the board's lines where they are taken to be.
func edges(img *image.YCbCr, o overlay) image.Image {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	steep := make([]int, w*h)
	var many [2*255 + 1]int
	abs := func(a, b uint8) int { return max(int(a), int(b)) - min(int(a), int(b)) }
	for y := 1; y < h-1; y++ {
		above, here, below := img.Y[(y-1)*img.YStride:], img.Y[y*img.YStride:], img.Y[(y+1)*img.YStride:]
		for x := 1; x < w-1; x++ {
			g := abs(here[x+1], here[x-1]) + abs(below[x], above[x])
			steep[y*w+x] = g
			many[g]++
		}
	}
	white := len(many) - 1
	for n := 0; white > 1 && n+many[white] < w*h/100; white-- {
		n += many[white]
	}
	out := image.NewGray(image.Rect(0, 0, w, h))
	for i, g := range steep {
		out.Pix[i] = uint8(min(255, 255*g/white))
	}
	return drawOn(out, o.cal)
}

// plan says where in a frame each pixel of the board from above lies.
type plan struct {
	cal  *calibrate.Calibration
	w, h int
	at   []int32 // index in Y; -1 beyond the frame
}

// planSize is the side of the board from above, px.
const planSize = 720

// rectify is the board from straight above.
func (v *view) rectify(f *capture.Frame, cal *calibrate.Calibration) image.Image {
	p := v.planOf(f, cal)
	out := image.NewYCbCr(image.Rect(0, 0, planSize, planSize), image.YCbCrSubsampleRatio444)
	src := f.Image()
	for i, k := range p.at {
		out.Cb[i], out.Cr[i] = 128, 128
		if k >= 0 {
			x, y := int(k)%f.Width, int(k)/f.Width
			c := y/2*src.CStride + x/2
			out.Y[i], out.Cb[i], out.Cr[i] = src.Y[k], src.Cb[c], src.Cr[c]
		}
	}
	return out
}

// planOf is the plan for a calibration, laid anew when that has changed.
func (v *view) planOf(f *capture.Frame, cal *calibrate.Calibration) plan {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.plan.cal == cal && v.plan.w == f.Width && v.plan.h == f.Height {
		return v.plan
	}
	p := plan{cal: cal, w: f.Width, h: f.Height, at: make([]int32, planSize*planSize)}
	cam := cal.Camera
	if cam.Width != f.Width && cam.Width > 0 {
		cam = cam.Scaled(float64(f.Width) / float64(cam.Width))
	}
	scale := 2 * (cal.Board.Surface + cal.Board.Ditch/2) / planSize
	for j := range planSize {
		for i := range planSize {
			x, y := (float64(i)+0.5-planSize/2)*scale, (planSize/2-float64(j)-0.5)*scale
			u, w := cam.Project(x, y, 0)
			k := int32(-1)
			if px, py := int(math.Round(u)), int(math.Round(w)); px >= 0 && py >= 0 && px < f.Width && py < f.Height {
				k = int32(py*f.Width + px)
			}
			p.at[j*planSize+i] = k
		}
	}
	v.plan = p
	return p
}
