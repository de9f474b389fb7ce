package shots

import (
	"math"
	"slices"

	"crokcam/board"
	"crokcam/vision"
	"crokcam/vision/capture"
)

const (
	// strangeFrom is how many discs' area has to have changed in one piece for
	// it to be something else, beside what each disc that came or went makes
	// with its shadow.
	strangeFrom, perDisc = 3.0, 2.5

	// sameGrain is how much of the board's own pattern shows through a shadow,
	// as a correlation.
	sameGrain = 0.5

	// noGrain is how much of it seems to at the most where a disc lies, and plainGrain
	// how much is seen at the least where nothing has changed and the grain is plain.
	noGrain, plainGrain = 0.3, 0.6

	// manyLines is how many times as strong the lines around a place may make it.
	manyLines = 5

	// sameHue is how much of a piece has to look like itself in other light for it
	// to be no more than that, as a share.
	sameHue = 0.7

	// odd is how unlike all sides' discs a disc looks that is none of theirs,
	// lamps and shade allowed for.
	odd = 30.0
)

// strange tells whether something lies on the board that is no disc, such as a
// phone: a large piece has changed that discs do not account for, and what it
// covers does not show through it, by its grain or by its colour, as it does through
// a shadow.
func (w *Watcher) strange(after []Disc, f *capture.Frame) bool {
	spec := w.cal.Board
	disc := math.Pi * spec.Disc.Radius * spec.Disc.Radius
	lay := slices.Concat(w.discs, w.placed)
	for i := range w.blobs.list { // whoever waits beside the board throws a shadow on it
		if b := &w.blobs.list[i]; b.reachesOut() && b.all > handSize/4 {
			return false
		}
	}
	for i := range w.blobs.list {
		b := &w.blobs.list[i]
		if b.part&surface == 0 || b.reachesOut() || b.mm2 < strangeFrom*disc {
			continue
		}
		n := 0
		here := func(p board.Point) {
			if near := (vision.Part{Lo: b.lo, Hi: b.hi}).Wider(spec.Disc.Radius); p.X > near.Lo.X && p.X < near.Hi.X && p.Y > near.Lo.Y && p.Y < near.Hi.Y {
				n++
			}
		}
		for _, d := range lay { // whoever took those away that are gone
			if nearest(after, nil, d.Point, spec.Disc.Radius/2) < 0 {
				here(d.Point)
			}
		}
		for _, d := range after {
			if nearest(lay, nil, d.Point, spec.Disc.Radius/2) < 0 {
				here(d.Point)
			}
		}
		if b.mm2 > (strangeFrom+perDisc*float64(n))*disc && !w.shadowed(int32(i+1)) && !w.relit(int32(i+1), f) {
			return true
		}
	}
	return false
}

// shadowed tells whether the board shows through what has changed in a blob.
func (w *Watcher) shadowed(id int32) bool {
	c := &w.changes
	var ab, aa, bb, n float64
	for k, of := range w.blobs.of {
		if of != id || k+w.grid.w >= len(c.now) || w.blobs.of[k+1] != id || w.blobs.of[k+w.grid.w] != id {
			continue
		}
		for _, next := range [...]int{k + 1, k + w.grid.w} {
			a, b := float64(c.still[next]-c.still[k]), float64(c.now[next]-c.now[k])
			ab, aa, bb = ab+a*b, aa+a*a, bb+b*b
		}
		n++
	}
	return n > 0 && ab > sameGrain*math.Sqrt(aa*bb)
}

// grain is how much of the board's own pattern, as it last lay, is seen in a frame
// between two distances (mm) from a place, as a correlation, and how strong the pattern
// was there, levels². unchanged leaves out squares that have changed.
func (w *Watcher) grain(f *capture.Frame, at board.Point, from, to float64, unchanged bool) (seen, strength float64) {
	const step = 2 // px
	u, v := w.cal.Camera.Project(at.X, at.Y, w.cal.Board.Disc.Thickness/2)
	from, to = from/w.cal.Quality.MMPerPx, to/w.cal.Quality.MMPerPx
	var ab, aa, bb, n float64
	for y := max(0, int(v-to)); y <= min(f.Height-1-step, int(v+to)); y++ {
		for x := max(0, int(u-to)); x <= min(f.Width-1-step, int(u+to)); x++ {
			dx, dy := float64(x)-u, float64(y)-v
			if d := dx*dx + dy*dy; d < from*from || d > to*to {
				continue
			}
			if sx, sy := x/w.grid.size, y/w.grid.size; unchanged && (sx >= w.grid.w || sy >= w.grid.h || w.changes.changed[sy*w.grid.w+sx]) {
				continue
			}
			k := y*f.Width + x
			for _, next := range [...]int{k + step, k + step*f.Width} {
				a, b := float64(w.lying.Y[next])-float64(w.lying.Y[k]), float64(f.Y[next])-float64(f.Y[k])
				ab, aa, bb, n = ab+a*b, aa+a*a, bb+b*b, n+1
			}
		}
	}
	return ab / math.Sqrt(aa*bb+1e-9), aa / max(1, n)
}

// covered tells whether the board's grain is gone from a place where a disc may lie,
// which had as much of it as is plain to see around: a shade leaves it, a disc does not.
func (w *Watcher) covered(f *capture.Frame, at board.Point) bool {
	if !w.remembers(f) {
		return false
	}
	r := w.cal.Board.Disc.Radius
	left, was := w.grain(f, at, 0, 0.7*r, false)
	around, usual := w.grain(f, at, 1.5*r, 3*r, true)
	return left < noGrain && around > plainGrain && was > usual/manyLines
}

// relit tells whether what a blob covers has the colours that it had, in other light.
func (w *Watcher) relit(id int32, f *capture.Frame) bool {
	if !w.remembers(f) {
		return false
	}
	n, same, size := 0, 0, float64(w.grid.size)
	for k, of := range w.blobs.of {
		if of != id {
			continue
		}
		n++
		u, v := (float64(k%w.grid.w)+0.5)*size, (float64(k/w.grid.w)+0.5)*size
		is, ok := w.colourAt(f, u, v)
		was, known := w.colourAt(&w.lying, u, v)
		if ok && known && shaded(was, is) {
			same++
		}
	}
	return float64(same) > sameHue*float64(n)
}

// stranger is a disc that has come and has none of the sides' colours; -1 for
// none.
func (w *Watcher) stranger(after []Disc, d *difference) int {
	if int(w.palette.n) < w.o.Sides {
		return -1
	}
	for _, j := range d.came {
		if after[j].Rest != board.InHole && w.palette.unlike(after[j].Whole) > odd {
			return j
		}
	}
	return -1
}
