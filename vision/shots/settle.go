package shots

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/internal/raster"
	"crokcam/vision"
	"crokcam/vision/capture"
)

// looks is what full looks have shown since the board came to rest.
type looks struct {
	scene  *vision.Scene
	discs  []Disc
	at     time.Duration
	quiet  time.Duration // when the rest began
	n      int
	accept bool // the board is to be taken as it lies
	fresh  bool // the squares cannot be compared with how it lay before
}

// calibrate looks for the board, and for what lies on it.
func (w *Watcher) calibrate(f *capture.Frame) error {
	p, err := w.picture(f)
	if err != nil {
		return err
	}
	if w.cal == nil {
		cal, err := calibrate.Find(p, calibrate.Options{Board: w.o.Board})
		if errors.Is(err, calibrate.ErrNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("shots: %w", err)
		}
		w.cal = cal
	}
	w.chart.lay(&w.grid, w.cal)
	scene, err := vision.Look(p, w.cal, vision.Options{})
	if err != nil {
		return fmt.Errorf("shots: %w", err)
	}
	w.eye = vision.NewEye(w.cal, scene)
	w.resolve(scene, p)
	w.discs, w.hole = scene.Discs, scene.Hole
	w.name(w.discs)
	w.changes.accept(nil)
	w.meter.set(w.changes.now)
	w.checked = f.At
	w.first = true
	w.remember(f)
	w.say(Event{Kind: Calibrated, Calibration: w.cal, Discs: w.discs})
	w.turn, w.looks = turn{}, looks{}
	w.enter(Idle)
	return nil
}

func (w *Watcher) picture(f *capture.Frame) (*raster.Picture, error) {
	whole, work, err := picture(f, w.toned.mix(f), w.whole)
	if err != nil {
		return nil, fmt.Errorf("shots: %w", err)
	}
	w.whole = whole
	return work, nil
}

// settle looks at the board and, when it looks as it did before, concludes what
// has happened.
func (w *Watcher) settle(f *capture.Frame) error {
	l := &w.looks
	if l.n > 0 && f.At-l.at < betweenLooks {
		return nil
	}
	w.tune(f)
	scene, p, err := w.see(f)
	if err != nil {
		return err
	}
	w.resolve(scene, p)
	discs := w.overlooked(w.lasting(w.bare(w.consistent(scene.Discs), f), scene.Faint), f)
	agree := l.n > 0 && alike(l.discs, discs) && l.scene.Hole == scene.Hole
	if l.n == 0 {
		l.quiet = w.active
	}
	l.scene, l.discs, l.at = scene, discs, f.At
	l.n++
	if !agree {
		if f.At-l.quiet < giveUpSettle {
			return nil
		}
		w.turn.watched = false
	}
	w.conclude(f)
	return nil
}

// mostOfIt is how much of the surface may have changed for the rest not to be
// looked at, as a share.
const mostOfIt = 0.6

// see looks at the board: only where squares have changed, if the rest has been
// looked at before.
func (w *Watcher) see(f *capture.Frame) (*vision.Scene, *raster.Picture, error) {
	w.looked++
	parts, area := w.changedParts()
	r := w.cal.Board.Surface
	if w.eye == nil || w.looks.fresh || !w.changes.known || area > mostOfIt*math.Pi*r*r {
		p, err := w.picture(f)
		if err != nil {
			return nil, nil, err
		}
		scene, err := vision.Look(p, w.cal, vision.Options{})
		if err != nil {
			return nil, nil, fmt.Errorf("shots: %w", err)
		}
		w.eye = vision.NewEye(w.cal, scene)
		return scene, p, nil
	}
	mix := w.toned.mix(f)
	centre := vision.Part{} // what lies in the hole is looked at in any case
	for _, q := range append(parts, centre) {
		px := w.eye.Pixels(q)
		if err := raster.Part(w.whole, f.Y, f.U, f.V, mix, px.Min.X, px.Min.Y, px.Max.X, px.Max.Y); err != nil {
			return nil, nil, fmt.Errorf("shots: %w", err)
		}
	}
	return w.eye.Look(w.whole, parts, w.palette.colours[board.SideA:w.palette.n+1]), w.whole, nil
}

// changedParts is where discs may lie otherwise than before, and how much that
// is, mm².
func (w *Watcher) changedParts() (parts []vision.Part, area float64) {
	const (
		least = 40 // mm² that has changed, at the least
		slack = 5  // mm: squares are coarse
	)
	add := func(q vision.Part, mm float64) {
		q = q.Wider(mm)
		parts, area = append(parts, q), area+q.Area()
	}
	for i := range w.blobs.list {
		if b := &w.blobs.list[i]; b.part&surface != 0 && b.mm2 >= least {
			add(vision.Part{Lo: b.lo, Hi: b.hi}, slack)
		}
	}
	for i := range w.discs {
		if d := &w.discs[i]; w.touched(d.Point) >= untouched {
			add(vision.Part{Lo: d.Top, Hi: d.Top}, 2*slack)
		}
	}
	return parts, area
}

// steady is how many sigmas two looks at a disc at rest may differ.
const steady = 1.5

// alike tells whether two looks show the same discs in the same places.
func alike(a, b []Disc) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		found := false
		for j := range b {
			if math.Hypot(a[i].X-b[j].X, a[i].Y-b[j].Y) < steady*math.Max(a[i].Sigma, b[j].Sigma) && a[i].Rest == b[j].Rest {
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// consistent corrects a look by what the squares say: where nothing has changed
// since the last one, the same discs lie in the same places as then.
func (w *Watcher) consistent(seen []Disc) []Disc {
	if w.looks.fresh {
		return seen
	}
	out := make([]Disc, 0, len(seen)+2)
	used := make([]bool, len(w.discs))
	for _, d := range seen {
		k := nearest(w.discs, used, d.Point, w.cal.Board.Disc.Radius)
		touched := w.touched(d.Point)
		switch {
		case k >= 0 && touched < untouched:
			used[k] = true
			o := w.discs[k]
			o.Colour, o.Whole = d.Colour, d.Whole
			out = append(out, o)
		case k < 0 && touched < untouched:
			// There was no disc here, and nothing has changed.
		default:
			if k >= 0 {
				used[k] = math.Hypot(w.discs[k].X-d.X, w.discs[k].Y-d.Y) < w.cal.Board.Disc.Radius/2
			}
			out = append(out, d)
		}
	}
	for k, d := range w.discs {
		if !used[k] && w.touched(d.Point) < untouched && nearest(out, nil, d.Point, w.cal.Board.Disc.Radius) < 0 {
			out = append(out, d)
		}
	}
	return out
}

// bare leaves out what seems to be a disc of nobody's colour where the board looks as it
// did, in whatever light, or where part of a disc lay that is gone: shadows, and lines
// and paint between discs, or that were under one, may look so.
func (w *Watcher) bare(discs []Disc, f *capture.Frame) []Disc {
	if w.looks.fresh || int(w.palette.n) < w.o.Sides {
		return discs
	}
	r := w.cal.Board.Disc.Radius
	lay := slices.Concat(w.discs, w.placed)
	return slices.DeleteFunc(discs, func(d Disc) bool {
		if d.Rest != board.OnSurface {
			return false
		}
		k, strange := nearest(lay, nil, d.Point, 1.5*r), w.palette.unlike(d.Whole) > odd
		if k < 0 {
			return (strange || !w.palette.shows(d.Whole)) && w.shadedAt(f, d.Point)
		}
		return strange && w.touched(lay[k].Point) >= untouched
	})
}

// lasting adds discs that are known of and have moved a little, if anything, to where
// a look has seen them faintly: under a lamp, or beside the hole.
func (w *Watcher) lasting(discs, faint []Disc) []Disc {
	r := w.cal.Board.Disc.Radius
	for _, was := range w.discs {
		if was.Rest != board.OnSurface || nearest(discs, nil, was.Point, r) >= 0 {
			continue
		}
		k := nearest(faint, nil, was.Point, r)
		if k < 0 || nearest(discs, nil, faint[k].Point, 1.8*r) >= 0 || vision.ColourDistance(faint[k].Whole, was.Whole) > another {
			continue
		}
		d := faint[k]
		d.Sigma, d.Confidence = roughSigma, 0.5
		discs = append(discs, d)
	}
	return discs
}

// overlooked adds discs that a look did not make out: where something of a
// disc's size has come, lies apart and does not move, and is no light or shade. One
// that was shot and came to rest there is none, whatever it looks like, nor is what
// covers the board's grain where a disc may have come to lie.
func (w *Watcher) overlooked(discs []Disc, f *capture.Frame) []Disc {
	if w.looks.fresh || !w.changes.known {
		return discs
	}
	spec := w.cal.Board
	size := math.Pi * spec.Disc.Radius * spec.Disc.Radius
	lay := slices.Concat(w.discs, w.placed)
	for _, b := range w.blobs.list {
		r := b.centre.Radius()
		if b.part&surface == 0 || b.mm2 < 0.6*size || b.all > 1.9*size || r < 2*spec.Hole.Radius || r > spec.Surface {
			continue
		}
		if nearest(discs, nil, b.centre, 1.3*spec.Disc.Radius) >= 0 || nearest(lay, nil, b.centre, 1.3*spec.Disc.Radius) >= 0 {
			continue
		}
		u, v := w.cal.Camera.Project(b.centre.X, b.centre.Y, spec.Disc.Thickness)
		c, ok := w.colourAt(f, u, v)
		shade := ok && w.shadedAt(f, b.centre)
		if !ok || shade && !w.restsAt(b.centre) && !(w.laid(b.centre) && w.covered(f, b.centre)) {
			continue
		}
		d := Disc{Colour: c, Whole: c}
		d.Point, d.Sigma, d.Confidence = b.centre, roughSigma, 0.5
		if shade { // and is seen as badly as one
			d.Sigma = spec.Disc.Radius / 2
		}
		d.Top.X, d.Top.Y = w.cal.Camera.Unproject(u, v, 0)
		discs = append(discs, d)
	}
	return discs
}

// laid tells whether a disc may have come to lie at a place: on the starting line, or
// since something was shot. Elsewhere it may be the board that shows again where one lay
// that nobody had made out.
func (w *Watcher) laid(p board.Point) bool {
	return w.flew() != nil || w.onStart(Disc{Disc: board.Disc{Point: p, Sigma: roughSigma}})
}

// unmade tells whether something darker than what was there before lies on the surface,
// of about a disc's size, where no disc was made out and none lay: a black disc on a
// black board may be no more.
func (w *Watcher) unmade(after []Disc, f *capture.Frame) bool {
	if w.looks.fresh || !w.changes.known || !w.remembers(f) {
		return false
	}
	spec := w.cal.Board
	size := math.Pi * spec.Disc.Radius * spec.Disc.Radius
	lay := slices.Concat(w.discs, w.placed)
	for i := range w.blobs.list {
		b := &w.blobs.list[i]
		if b.part&surface == 0 || b.reachesOut() || b.mm2 < unmadeFrom*size || b.all > unmadeTo*size || nearest(after, nil, b.centre, 2*spec.Disc.Radius) >= 0 {
			continue
		}
		var mm2, x, y float64 // of it where no disc lay
		for k, of := range w.blobs.of {
			if p := w.chart.at[k]; of == int32(i+1) && w.chart.part[k]&surface != 0 && nearest(lay, nil, p, spec.Disc.Radius+brimFrom) < 0 {
				a := float64(w.chart.mm2[k])
				mm2, x, y = mm2+a, x+a*p.X, y+a*p.Y
			}
		}
		middle := board.Point{X: x / mm2, Y: y / mm2}
		if mm2 < unmadeFrom*size || nearest(lay, nil, middle, spec.Disc.Radius) >= 0 { // or it is the rim of where one lay
			continue
		}
		u, v := w.cal.Camera.Project(middle.X, middle.Y, spec.Disc.Thickness/2)
		is, ok := w.colourAt(f, u, v)
		was, known := w.colourAt(&w.lying, u, v)
		if ok && known && is[0]+is[1]+is[2] < was[0]+was[1]+was[2] {
			return true
		}
	}
	return false
}

// glimpsed tells whether a look has seen faintly what may be a disc where most has changed,
// more than light and shade do, and none was made out or lay: a lamp may hide the rest.
func (w *Watcher) glimpsed(after, faint []Disc, f *capture.Frame) bool {
	if w.looks.fresh || !w.changes.known {
		return false
	}
	r := w.cal.Board.Disc.Radius
	known := slices.Concat(after, w.discs, w.placed)
	return slices.ContainsFunc(faint, func(d Disc) bool {
		return nearest(known, nil, d.Point, 1.3*r) < 0 && w.touched(d.Point) > mostlyTouched && w.palette.shows(d.Whole) && !w.shadedAt(f, d.Point)
	})
}

// Of a disc's area, how much of what may be one is seen at the least where none lay, and
// at the most with where one lay.
const unmadeFrom, unmadeTo = 0.4, 3.0

// restsAt tells whether what was shot was followed to a place and lies there.
func (w *Watcher) restsAt(p board.Point) bool {
	flew := w.flew()
	return flew != nil && flew.lost == 0 && apart(flew.at, p) < lying && math.Hypot(flew.v.X, flew.v.Y) < atRest
}

// How much darker or lighter a shade or a lamp that comes or goes makes the board, and
// how unlike itself it looks then.
const (
	deepest, brightest = 0.4, 2.5
	sameStuff          = 8.0
)

// shadedAt tells whether light or shade alone may have changed a place of the board.
func (w *Watcher) shadedAt(f *capture.Frame, at board.Point) bool {
	if !w.remembers(f) {
		return false
	}
	u, v := w.cal.Camera.Project(at.X, at.Y, w.cal.Board.Disc.Thickness)
	is, ok := w.colourAt(f, u, v)
	was, known := w.colourAt(&w.lying, u, v)
	return ok && known && shaded(was, is)
}

// shaded tells whether a place that had one colour has another one because of the
// light alone.
func shaded(was, is [3]float64) bool {
	dot, n := 0.0, 1e-9
	for ch := range was {
		dot += was[ch] * is[ch]
		n += was[ch] * was[ch]
	}
	k := dot / n
	if k < deepest || k > brightest {
		return false
	}
	for ch := range was {
		was[ch] *= k
	}
	return vision.ColourDistance(was, is) < sameStuff
}

// roughSigma is how well squares alone place a disc, mm.
const roughSigma = 2.5

// untouched is the share of the squares under a disc below which nothing has
// changed there.
const untouched = 0.06

// touched is the share of the squares under a disc that differ from the
// background.
func (w *Watcher) touched(p board.Point) float64 {
	changed, _ := w.under(p)
	return changed
}

// under is what of the squares under a disc differs from the background, and
// what of them a hand or an arm covers, as shares. Outside the picture all has
// changed.
func (w *Watcher) under(p board.Point) (changed, hidden float64) {
	r := w.cal.Board.Disc.Radius + 1
	u, v := w.cal.Camera.Project(p.X, p.Y, w.cal.Board.Disc.Thickness/2)
	s := float64(w.grid.size)
	// A square around the disc; the chart says which of its squares are under it.
	reach := int(math.Ceil(r/math.Max(w.cal.Quality.MMPerPx, 0.01)/s*1.5)) + 1
	cx, cy := int(u/s), int(v/s)
	var n, c, h float64
	for y := max(0, cy-reach); y <= min(w.grid.h-1, cy+reach); y++ {
		for x := max(0, cx-reach); x <= min(w.grid.w-1, cx+reach); x++ {
			k := y*w.grid.w + x
			dx, dy := w.chart.at[k].X-p.X, w.chart.at[k].Y-p.Y
			if dx*dx+dy*dy > r*r {
				continue
			}
			n++
			if w.changes.changed[k] {
				c++
				if w.passing(k) {
					h++
				}
			}
		}
	}
	if n == 0 {
		return 1, 0
	}
	return c / n, h / n
}

// nearest is the disc not yet used that lies nearest to a place, if within
// reach (mm); -1 when there is none.
func nearest(discs []Disc, used []bool, p board.Point, reach float64) int {
	best := -1
	for i := range discs {
		if used != nil && used[i] {
			continue
		}
		if d := math.Hypot(discs[i].X-p.X, discs[i].Y-p.Y); d < reach {
			best, reach = i, d
		}
	}
	return best
}

// name gives discs their sides by their colours.
func (w *Watcher) name(discs []Disc) {
	for i := range discs {
		discs[i].Side = w.palette.side(discs[i].Whole, w.o.Sides)
	}
}
