package calibrate

import (
	"math"

	"crokcam/internal/raster"
)

// What sets a crokinole board apart from a plate, a target or a dartboard that
// has circles in the same places. Of more than a hundred pictures of boards
// none comes near these limits: their quadrant lines and posts stand out 4.5
// to 9 times where nearly all of the lines is seen, and a circle between the
// lines is half drawn at most. Targets and plates stay below 2.
const (
	clearQuarters = 2.6  // of the quadrant lines and posts
	plainQuarters = 4.0  // the same where a lamp mirrored in the middle may be taken for a circle
	clearHole     = 0.65 // share of the hole's rim that is drawn, and of the surface's
	strayCircle   = 0.70 // share of a circle, between two lines, that is drawn
	betweenLines  = 10   // mm from a line where that begins
)

// believable tells whether what was found is a crokinole board: its lines
// stand where a board's can, the zones between them hold no further circle,
// and it has the quadrant lines and posts of a board or, where those are
// hidden, its hole and the edge of its surface.
func (p *polished) believable(picture *raster.Picture) bool {
	if outside(p.radii[tenLine]/startRadius, tenRange) > 0 || outside(p.radii[fifteenLine]/startRadius, fifteenRange) > 0 {
		return false
	}
	seen := p.drawn(picture, 1.2*surfaceRange[1]*startRadius)
	quarters := p.quarters(picture)
	apart := float64(betweenLines)
	if quarters > clearQuarters {
		// An unsharp line shows farther from its place.
		apart = min(max(apart, 5*p.lines[startLine].blur), 1.8*betweenLines)
	}
	stray := func(from, to float64) bool { return seen.most(from+apart, to-apart) > strayCircle }
	if stray(p.radii[fifteenLine], p.radii[tenLine]) || stray(p.radii[tenLine], startRadius) {
		return false
	}
	if quarters <= plainQuarters && stray(2*board20, p.radii[fifteenLine]) {
		return false
	}
	if quarters > clearQuarters {
		return true
	}
	hole := seen.most(holeRange[0]*startRadius, holeRange[1]*startRadius)
	surface := seen.most(surfaceRange[0]*startRadius, surfaceRange[1]*startRadius)
	return math.Min(hole, surface) > clearHole
}

// quarters is how far the quadrant lines and posts stand out, times the share
// of the lines seen.
func (p *polished) quarters(picture *raster.Picture) float64 {
	_, clarity := p.orientation(picture)
	return clarity * p.evidence()
}

const board20 = 17.5 // mm, the usual hole's radius

// most is the largest share that is drawn of a circle between two radii.
func (r rings) most(from, to float64) float64 {
	best := 0.0
	for k := int(math.Ceil(from / r.bin)); float64(k)*r.bin <= to && k < len(r.cov); k++ {
		best = math.Max(best, r.cov[k])
	}
	return best
}
