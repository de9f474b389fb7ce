package shots

import (
	"math"

	"crokcam/board"
	"crokcam/internal/raster"
	"crokcam/vision/capture"
)

// toned is how colours are brought back to the light in which the board was first
// seen: what is known of the hole and of the discs holds in that light. The zero
// value leaves them as they are.
type toned struct {
	tone  raster.Tone
	known bool
}

// mix is how a frame's planes make colours in the light of the beginning.
func (t *toned) mix(f *capture.Frame) raster.YUV {
	m := raster.YUV{FullRange: f.FullRange, BT709: f.BT709}
	if t.known {
		m.Tone = &t.tone
	}
	return m
}

// colourAt is the mean colour (BGR, 0 to 255) of the pixels about a square's size
// around one, in the light of the beginning; ok is false outside the frame.
func (w *Watcher) colourAt(f *capture.Frame, u, v float64) (mean [3]float64, ok bool) {
	if f == &w.lying {
		return colourAt(f, w.tonedLying.mix(f), u, v, w.grid.size/2)
	}
	return colourAt(f, w.toned.mix(f), u, v, w.grid.size/2)
}

// colourAt is the mean colour (BGR, 0 to 255) of the pixels up to reach away
// from one; ok is false outside the frame.
func colourAt(f *capture.Frame, mix raster.YUV, u, v float64, reach int) (mean [3]float64, ok bool) {
	x, y := int(u+0.5), int(v+0.5)
	if x < 0 || y < 0 || x >= f.Width || y >= f.Height {
		return mean, false
	}
	x0, x1 := max(0, x-reach), min(f.Width-1, x+reach)
	y0, y1 := max(0, y-reach), min(f.Height-1, y+reach)
	cw := (f.Width + 1) / 2
	n := float64((x1 - x0 + 1) * (y1 - y0 + 1))
	for py := y0; py <= y1; py++ {
		for px := x0; px <= x1; px++ {
			k := py/2*cw + px/2
			c := mix.Colour(f.Y[py*f.Width+px], f.U[k], f.V[k])
			for ch := range mean {
				mean[ch] += float64(c[ch]) / n
			}
		}
	}
	return mean, true
}

const (
	allLamp    = 0.8 * 255 // from which level of its weakest channel on a disc may be all lamp,
	lampLifts  = 40        // where the board was so much lighter there than elsewhere
	lampPlaces = 24        // as far from its middle
	itself     = 3.0       // Lab: no lamp makes of another side's disc what is so like one's
)

// glared tells whether a disc is so light that it may be anybody's, though it does not
// look just like one side's, and lies where the board mirrored a lamp before.
func (w *Watcher) glared(d Disc) bool {
	return min(d.Whole[0], d.Whole[1], d.Whole[2]) >= allLamp && w.palette.plain(d.Whole) >= itself && w.underLamp(d.Point)
}

// underLamp tells whether the board mirrored a lamp at a place as it last lay.
func (w *Watcher) underLamp(p board.Point) bool {
	if !w.remembers(&w.frame) {
		return false
	}
	weakest := func(p board.Point) (float32, bool) {
		u, v := w.cal.Camera.Project(p.X, p.Y, w.cal.Board.Disc.Thickness/2)
		c, ok := w.colourAt(&w.lying, u, v)
		return float32(min(c[0], c[1], c[2])), ok
	}
	var room [lampPlaces]float32
	around := room[:0]
	for k := range lampPlaces {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / lampPlaces)
		if c, ok := weakest(board.Point{X: p.Radius() * cos, Y: p.Radius() * sin}); ok {
			around = append(around, c)
		}
	}
	here, ok := weakest(p)
	return ok && here > raster.Median(around)+lampLifts
}

// sightOf is what is seen at a place of the board in the frame that is being taken. A
// lamp makes discs lighter than they are, and none darker.
func (w *Watcher) sightOf(at board.Point) sight {
	s := sight{Point: at, solid: !w.shadedAt(&w.frame, at)}
	if !s.solid || int(w.palette.n) < w.o.Sides {
		return s
	}
	u, v := w.cal.Camera.Project(at.X, at.Y, w.cal.Board.Disc.Thickness)
	if colour, ok := w.colourAt(&w.frame, u, v); ok && w.palette.clear(colour) {
		if side := w.palette.nearest(colour); side == w.palette.darkest() || !w.underLamp(at) {
			s.side = side
		}
	}
	return s
}

const (
	toneEvery  = 23   // one in how many squares tells of the light
	toneReach  = 1    // px around its middle that do
	leastToned = 1.5  // levels by which colours must differ for it to be worth while
	leastTone  = 60   // of them, for it to be told
	toneLift   = 6.0  // levels that are added before logarithms are taken: sensors do not go down to nothing
	darkTone   = 8.0  // levels from which on a square counts
	brightTone = 246  // and up to which: it is not burnt out
	mostTone   = 0.15 // by which the logarithm of a square's light may differ from what is usual
	firmTone   = 0.05 // of the squares' number: how firmly all of a picture is taken to change alike
)

// tune works out, from what lies still on the board and beside it, how the light differs
// from that in which the board was first seen: for each colour by how much, and by how
// much more in bright places, since cameras do not tell light in proportion.
func (w *Watcher) tune(f *capture.Frame) {
	if !w.remembers(f) || !w.changes.known || w.looks.fresh {
		return
	}
	raw := raster.YUV{FullRange: f.FullRange, BT709: f.BT709}
	lying := w.tonedLying.mix(&w.lying)
	size := float64(w.grid.size)
	var is, was [3][]float64
	for k := 0; k < len(w.chart.part); k += toneEvery {
		if w.changes.changed[k] || w.changes.moved[k] {
			continue
		}
		u, v := (float64(k%w.grid.w)+0.5)*size, (float64(k/w.grid.w)+0.5)*size
		a, ok := colourAt(f, raw, u, v, toneReach)
		b, known := colourAt(&w.lying, lying, u, v, toneReach)
		if !ok || !known {
			continue
		}
		for ch := range a {
			if min(a[ch], b[ch]) >= darkTone && max(a[ch], b[ch]) <= brightTone {
				is[ch], was[ch] = append(is[ch], math.Log(a[ch]+toneLift)), append(was[ch], math.Log(b[ch]+toneLift))
			}
		}
	}
	next := toned{}
	for ch := range next.tone {
		gain, power, ok := fitTone(is[ch], was[ch])
		if !ok {
			return
		}
		for i := range next.tone[ch] {
			v := math.Exp(gain+power*math.Log(float64(i)+toneLift)) - toneLift
			next.tone[ch][i] = float32(min(max(v, 0), 255))
			next.known = next.known || math.Abs(min(max(v, 0), 255)-float64(i)) > leastToned
		}
	}
	w.toned = next
}

// fitTone fits was = gain + power · is to logarithms of light; ok is false where too
// few are given. What differs by much from most of them does not count.
func fitTone(is, was []float64) (gain, power float64, ok bool) {
	if len(is) < leastTone {
		return 0, 0, false
	}
	d := make([]float32, len(is))
	for i := range is {
		d[i] = float32(was[i] - is[i])
	}
	gain, power = float64(raster.Median(d)), 1
	for range 4 {
		n, mx, my := 0.0, 0.0, 0.0
		counts := func(i int) bool { return math.Abs(was[i]-gain-power*is[i]) < mostTone }
		for i := range is {
			if counts(i) {
				n, mx, my = n+1, mx+is[i], my+was[i]
			}
		}
		if n < leastTone {
			return 0, 0, false
		}
		mx, my = mx/n, my/n
		xx, xy := 0.0, 0.0
		for i := range is {
			if counts(i) {
				xx, xy = xx+(is[i]-mx)*(is[i]-mx), xy+(is[i]-mx)*(was[i]-my)
			}
		}
		power = (xy + firmTone*n) / (xx + firmTone*n)
		gain = my - power*mx
	}
	return gain, power, true
}
