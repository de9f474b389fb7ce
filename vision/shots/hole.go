package shots

import (
	"math"
	"slices"

	"crokcam/board"
	"crokcam/internal/raster"
	"crokcam/vision"
)

// hole is what the 20-hole looks like when it is empty. One picture seldom
// tells an empty hole from a disc of its colour; a camera that has seen it
// empty can.
type hole struct {
	known bool
	empty patch
	usual float64 // how unlike itself the empty hole looks from time to time, Lab

	now    patch                    // as it was seen last
	filled [board.SideD + 1]holding // with a disc of each side in it, where one has lain there
}

// holding is what the hole looked like with a disc in it, and what it looked like empty
// in the light of that moment.
type holding struct {
	known     bool
	disc, not patch
}

// hold notes that a disc of a side lies in the hole.
func (h *hole) hold(s board.Side) {
	h.filled[s] = holding{known: h.known, disc: h.now, not: h.empty}
}

// expected is what the hole would look like now with the disc in it that it held: the
// light on it may have changed since, as it has on the empty hole.
func (h *hole) expected(s board.Side) (colour [3]float64, ok bool) {
	f := &h.filled[s]
	for ch := range colour {
		k := (h.empty.colour[ch] + tooDark) / (f.not.colour[ch] + tooDark)
		colour[ch] = min(255, k*f.disc.colour[ch])
	}
	return colour, f.known
}

// patch is the colours of the hole's floor, as a camera sees it.
type patch struct {
	colour [3]float64 // BGR, mean
}

const (
	tooDark       = 8.0  // grey levels: less tells nothing of the light
	usuallyUnlike = 1.3  // at the least, and before it is known
	middle        = 0.55 // of the hole's radius: where a flat disc covers all and no wall is seen
	askewBy       = 4.0  // mm: its play, and as much again for what its rim and the camera do
	brimFrom      = 2.0  // mm outside the hole's rim: where no disc that lies in it reaches,
	brimTo        = 8.0  // and one that leans on it does
	someBrim      = 0.15 // of the brim that changes with one that lies in it and whose shadow is short,
	offMiddle     = 2.6  // mm from its middle that such a one seems to be: its play and as much as a camera errs
	inMiddle      = 1.0  // mm: not farther from it than a camera errs
	leastBrim     = 0.25 // of the brim that changes at the least where one leans on it,
	mostBrim      = 0.35 // at the most where none does,
	longBrim      = 0.5  // and at the most with a long shadow of what lies in its middle,
	mostShadow    = 0.45 // and at the most with the shadows of discs that came or went beside it,
	longShadow    = 70.0 // mm from the hole's middle at the most
	alikeBy       = 1.5  // Lab: what is so much less like a disc than like the empty hole may be either
	mostlyTouched = 0.5  // of what is seen of the hole: more than a shadow that falls into it changes
	someTouched   = 0.3  // of it: as much as a disc of nearly its own colour changes at the least
	allTouched    = 0.7  // of it: what fills it does
	rimPlaces     = 48   // where a disc in the hole is looked at near its rim
	mostBare      = 0.2  // of them that may look like the empty hole: its wall's shadow does
)

// patch samples the middle of the hole.
func (w *Watcher) patch(p *raster.Picture) (out patch, ok bool) {
	cam := w.cal.Camera.Scaled(p.Scale)
	r := middle * w.cal.Board.Hole.Radius
	var seen [][3]float64
	for y := -r; y <= r; y += 1.5 {
		for x := -r; x <= r; x += 1.5 {
			if x*x+y*y > r*r {
				continue
			}
			c, in := p.At(cam.Project(x, y, 0))
			if !in {
				return out, false
			}
			seen = append(seen, [3]float64{float64(c[0]), float64(c[1]), float64(c[2])})
		}
	}
	for _, c := range seen {
		for ch := range c {
			out.colour[ch] += c[ch] / float64(len(seen))
		}
	}
	return out, true
}

// resolve decides by what the hole looked like when it was empty what a look
// could not, and corrects what the look made of it.
func (w *Watcher) resolve(scene *vision.Scene, p *raster.Picture) {
	now, ok := w.patch(p)
	if !ok {
		return
	}
	h := &w.emptyHole
	h.now = now
	if !h.known {
		if scene.Hole != vision.HoleTaken {
			*h = hole{known: true, empty: now, now: now, usual: usuallyUnlike}
			w.drop(scene)
			scene.Hole = vision.HoleEmpty
		}
		return
	}
	s := w.signs(scene, p, now)
	switch s.tell() {
	case rightlySeen:
	case asBefore:
		scene.Hole = w.hole
	case holdsDisc:
		w.fill(scene, now)
	case carriesDisc:
		w.perch(scene, now)
	case hungOver:
		scene.Hole = vision.HoleEmpty
	case empty:
		w.drop(scene)
		scene.Hole = vision.HoleEmpty
		h.usual += learnColour * (max(s.empty, usuallyUnlike) - h.usual)
		for ch := range now.colour {
			h.empty.colour[ch] += learnColour * (now.colour[ch] - h.empty.colour[ch])
		}
	case stillEmpty:
		w.drop(scene)
		scene.Hole = vision.HoleEmpty
		h.empty = now
	case open:
		scene.Hole = vision.HoleUnclear
	case openEmpty:
		w.drop(scene)
		scene.Hole = vision.HoleUnclear
	}
}

// leans tells whether one of the discs leans over the hole.
func leans(discs []Disc) bool {
	return slices.ContainsFunc(discs, func(d Disc) bool { return d.Rest == board.Leaning })
}

// askew tells whether the empty hole shows beside what is over its middle: a disc
// that lies flat in it covers it all around, one that leans on its rim does not.
func (w *Watcher) askew(p *raster.Picture, now patch) bool {
	cam := w.cal.Camera.Scaled(p.Scale)
	r := w.cal.Board.Disc.Radius - askewBy
	seen, bare := 0, 0
	for k := range rimPlaces {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / rimPlaces)
		c, in := p.At(cam.Project(r*cos, r*sin, 0))
		if !in {
			continue
		}
		seen++
		colour := [3]float64{float64(c[0]), float64(c[1]), float64(c[2])}
		if vision.ColourDistance(colour, w.emptyHole.empty.colour) < vision.ColourDistance(colour, now.colour) {
			bare++
		}
	}
	return float64(bare) > mostBare*float64(seen)
}

// dropped tells whether a disc was followed into the hole and rests there.
func (w *Watcher) dropped(scene *vision.Scene) (into bool) {
	if !w.changes.known || w.looks.fresh || w.touched(board.Point{}) < untouched || leans(scene.Discs) {
		return false
	}
	w.flight.each(func(t *track) {
		seen := !t.shade() || t.shot(w.cal.Board.Start.Outer) // no shade stays where nobody is
		into = into || t.told() && seen && t.at.Radius() < lying && math.Hypot(t.v.X, t.v.Y) < atRest
	})
	return into
}

// atRest is how fast something that lies still may seem to move, mm/s.
const atRest = 60.0

// perch has a disc lie over the hole that covers it and reaches out of it: it leans on
// its rim, or there is more to it, so that somebody has to say.
func (w *Watcher) perch(scene *vision.Scene, now patch) {
	d := Disc{Disc: board.Disc{Rest: board.Leaning, Sigma: askewBy, Confidence: 0.5}, Colour: now.colour, Whole: now.colour}
	scene.Discs, scene.Hole = append(scene.Discs, d), vision.HoleUnclear
}

// brim is the share of the board just around the hole that has changed, where no
// disc lies or lay on it.
func (w *Watcher) brim(scene *vision.Scene) float64 {
	if !w.changes.known || w.looks.fresh {
		return 0
	}
	spec := w.cal.Board
	seen, changed := 0, 0
	for k, p := range w.chart.at {
		if r := p.Radius(); r < spec.Hole.Radius+brimFrom || r > spec.Hole.Radius+brimTo || onDisc(scene.Discs, p, spec) || onDisc(w.discs, p, spec) || leant(w.discs, p, spec) {
			continue
		}
		seen++
		if w.changes.changed[k] {
			changed++
		}
	}
	return float64(changed) / float64(max(1, seen))
}

// allowed is how much of the brim may change with a disc that drops into the hole:
// more where the shadows of others that came or went reach there.
func (w *Watcher) allowed(scene *vision.Scene) float64 {
	near := func(d Disc) bool { return d.Rest == board.OnSurface && d.Radius() < longShadow }
	if slices.ContainsFunc(scene.Discs, near) || slices.ContainsFunc(w.discs, near) {
		return mostShadow
	}
	return mostBrim
}

// onDisc tells whether a disc that lies on the surface, or its shadow, reaches to a place.
func onDisc(discs []Disc, p board.Point, spec board.Spec) bool {
	return slices.ContainsFunc(discs, func(d Disc) bool {
		return d.Rest == board.OnSurface && apart(d.Point, p) < spec.Disc.Radius+brimTo
	})
}

// leant tells whether a disc that leans on the hole's rim, or its shadow, reaches to a
// place: where one leaves it, the board around it looks otherwise.
func leant(discs []Disc, p board.Point, spec board.Spec) bool {
	return slices.ContainsFunc(discs, func(d Disc) bool {
		return d.Rest == board.Leaning && apart(d.Point, p) < spec.Disc.Radius+brimTo
	})
}

// lapped tells whether one of the discs reaches over the middle of the hole: what is
// seen there then is that disc.
func (w *Watcher) lapped(discs []Disc) bool {
	spec := w.cal.Board
	for _, d := range discs {
		if r := d.Radius(); d.Rest != board.InHole && r > spec.Hole.Radius/2 && r < spec.Disc.Radius+middle*spec.Hole.Radius {
			return true
		}
	}
	return false
}

// drop leaves out what was taken for a disc over an empty hole.
func (w *Watcher) drop(scene *vision.Scene) {
	kept := scene.Discs[:0]
	for _, d := range scene.Discs {
		if d.Rest == board.InHole || d.Rest == board.Leaning && d.Radius() < 0.85*w.cal.Board.Disc.Radius {
			continue
		}
		kept = append(kept, d)
	}
	scene.Discs = kept
}

// fill has a disc lie in the hole, unless one leans over it.
func (w *Watcher) fill(scene *vision.Scene, now patch) {
	spec := w.cal.Board
	play := spec.Hole.Radius - spec.Disc.Radius + 2.5 // mm that a flat disc may be off centre, as seen
	for i := range scene.Discs {
		d := &scene.Discs[i]
		switch {
		case d.Rest == board.InHole:
			scene.Hole = vision.HoleTaken
			return
		case d.Rest == board.Leaning && d.Radius() < play:
			d.Rest, scene.Hole = board.InHole, vision.HoleTaken
			return
		case d.Rest == board.Leaning && d.Radius() < 2*play:
			// It covers the hole as a flat disc does, and lies where one cannot.
			w.drop(scene)
			scene.Hole = vision.HoleUnclear
			return
		case d.Rest == board.Leaning:
			return
		}
	}
	scene.Hole = vision.HoleTaken
	scene.Discs = append(scene.Discs, Disc{
		Disc:   board.Disc{Rest: board.InHole, Sigma: 1, Confidence: 0.9},
		Colour: now.colour,
		Whole:  now.colour,
	})
}
