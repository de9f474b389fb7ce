// Package vision finds the discs on a board: a picture and its calibration go
// in, a snapshot comes out.
package vision

import (
	"math"
	"slices"
	"sort"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/internal/raster"
)

// Options is what the caller knows of a scene.
type Options struct {
	Sides int // how many colours of disc to tell apart; 0: found out
}

// Disc is a disc as it was seen.
type Disc struct {
	board.Disc
	Colour [3]float64  // of its top: blue, green, red, 0 to 255
	Whole  [3]float64  // of its top with the mark that may be in its middle, the same
	Top    board.Point // where the plan of the surface shows its top's centre, mm
	// Stranger is set for the one disc that has the colour of neither side.
	Stranger bool
}

// Hole is what is known of the 20-hole.
type Hole uint8

// The states of the hole.
const (
	HoleEmpty Hole = iota
	HoleTaken
	HoleUnclear
)

// Scene is what a picture shows of a board.
type Scene struct {
	Discs []Disc // in no order; the one in the hole, if sure, is among them
	// Dropped says that an Eye makes out a disc where one is that lies flat in the hole,
	// which the rim of an empty hole may look like as well, and Askew that it makes one
	// out beside that.
	Dropped, Askew bool
	Off            float64 // mm, how far from the hole's middle that disc is

	Faint  []Disc // what an Eye sees that may be a disc only to who knows that one is there
	Hole   Hole
	Radius float64 // of the discs, as measured, mm

	thick        float64   // of the discs' silhouettes, as measured, mm
	below, slack float64   // how far below those their feet are, and how uncertain that is, mm
	noise        float64   // of the plan, grey levels
	ink          [3]shades // of the rings
}

// Snapshot is the scene without its looks.
func (s *Scene) Snapshot() board.Snapshot {
	var out board.Snapshot
	for _, d := range s.Discs {
		out.Discs = append(out.Discs, d.Disc)
	}
	return out
}

// holeReach is how far from the board's centre what lies in the hole may be
// seen, mm: its play in the hole, its depth seen aslant, and what the camera
// may err. A disc that leans on the rim is seen there too.
const holeReach = 7

// How probable a candidate must be: sure ones stand by themselves, likely ones
// need the colour of a sure one, outside the starting line more than inside,
// and the others are no discs at all.
const (
	outside  = 0.95
	sure     = 0.7
	likely   = 0.05
	unlikely = 0.01
)

// The disc radii that are looked for where the size is not known, as shares
// of the starting line's radius: 1 1/8 to 1 3/8 in on a 26 in board, and the
// same discs on smaller boards.
var discShares = []float64{0.0460, 0.0480, 0.0500, 0.0520, 0.0540, 0.0560, 0.0585}

// Look finds the discs in a picture.
func Look(p *raster.Picture, c *calibrate.Calibration, o Options) (*Scene, error) {
	cam := working(c, p)
	pl := lay(p, &cam, c.Board)
	h := c.Board.Disc.Thickness
	all, r := pl.discs(c.Board, c.Known, h)
	if seen, below, slack, ok := pl.thickness(all, r, h); ok {
		h, pl.below, pl.slack = seen, below, slack
		for i := range all {
			if all[i].score > unlikely {
				all[i] = pl.settle(place{all[i].top, all[i].votes}, r, h, false)
			}
		}
		all = apart(all, 1.8*r)
	}
	s := &Scene{Radius: r, thick: h, below: pl.below, slack: pl.slack, noise: pl.noise, ink: pl.ink}

	var kept []candidate
	var centre *candidate
	for i := range all {
		cd := &all[i]
		if cd.inHole() {
			if centre == nil || cd.score > centre.score {
				centre = cd
			}
			continue
		}
		switch at := cd.shape.foot.Radius(); {
		case cd.score < likely, at > c.Board.Surface+2:
			continue
		case at > c.Board.Start.Outer && cd.score < outside:
			// Between the starting line and the edge of the surface the board
			// itself draws arcs.
			continue
		}
		kept = append(kept, *cd)
	}
	kept = agreeing(kept)
	s.Hole = pl.hole(centre, kept, c.Board, r)
	if s.Hole == HoleTaken {
		kept = append(kept, *centre)
	}
	for i := range kept {
		pl.weigh(&kept[i], r, h)
	}
	zones := pl.zones(c.Board)
	tops, own := make([][3]float64, len(kept)), make([][3]float64, len(kept))
	for i := range kept {
		tops[i] = lab(kept[i].colour)
		// What is around a disc in the hole is the hole.
		if own[i] = tops[i]; !kept[i].inHole() {
			own[i] = lab(pl.ownColour(&kept[i], &zones, c.Board))
			if k := kept[i].colour; min(k[0], k[1], k[2]) > burnt {
				tops[i] = own[i]
			}
		}
	}
	odd := -1
	if o.Sides < 3 {
		odd = stranger(tops, own)
	}
	// The tops are plainest, but a lamp may whiten some; the discs' own colours
	// stand that, but shadows stain them.
	g := divide(o.Sides, without(tops, odd), without(own, odd))
	if odd >= 0 {
		g.of = slices.Insert(g.of, odd, g.nearest(tops[odd]))
	}
	order := darkestFirst(g)
	for i, k := range kept {
		d := Disc{Colour: k.colour, Whole: pl.whole(&k, r), Top: k.top, Stranger: i == odd}
		d.Point = pl.foot(&k, h)
		d.Side = board.SideA + board.Side(order[g.of[i]])
		d.Confidence = math.Min(0.99, k.score)
		d.Sigma = pl.sigma(&k, h, c)
		switch {
		case s.Hole == HoleTaken && i == len(kept)-1:
			d.Rest = board.InHole
			d.Point = pl.footUnder(k.top, math.Max(0, h+pl.below-c.Board.Hole.Depth))
		case d.Radius() < c.Board.Hole.Radius-2:
			d.Rest = board.Leaning // its middle is over the hole: it cannot lie flat
		}
		s.Discs = append(s.Discs, d)
	}
	return s, nil
}

// agreeing keeps the sure candidates, and of the likely ones those that have
// the colour of a sure one.
func agreeing(cs []candidate) []candidate {
	var out []candidate
	for _, c := range cs {
		if c.score >= sure {
			out = append(out, c)
		}
	}
	n := len(out)
	for _, c := range cs {
		if c.score >= sure {
			continue
		}
		for _, o := range out[:n] {
			// Grain and stains make a top's colour uncertain.
			if dist(c.colour, o.colour) < 0.3*math.Min(c.contrast, o.contrast)+2*math.Max(c.spread, o.spread) {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

// darkestFirst maps groups to their place in the order of lightness.
func darkestFirst(g grouping) []int {
	idx := make([]int, len(g.centres))
	for i := range idx {
		idx[i] = i
	}
	sort.Slice(idx, func(a, b int) bool { return g.centres[idx[a]][0] < g.centres[idx[b]][0] })
	out := make([]int, len(idx))
	for place, i := range idx {
		out[i] = place
	}
	return out
}

// The discs' edges are rounded: what is seen of them is as thick as the part of
// their wall that is upright, which lies in the middle. That is never less than
// leastUpright of their thickness.
const leastUpright = 0.3

// A picture that has been straightened since it was taken shows discs as the camera
// saw them, and not as they would lean in the perspective it has now. That is only
// believed where they ought to lean so much (mm) that no rounding could hide it, and
// where they plainly do not.
const (
	flatLean = 5.0
	flatGain = 0.4
)

// thickness looks how far the discs' tops really stand over from the lowest that is
// seen of them, as a thickness (mm) that would do that, and how much further down
// their feet are, with the uncertainty of that. It is only believed where the discs
// together say clearly that the expected one is wrong.
func (p *plan) thickness(cs []candidate, r, h float64) (seen, below, slack float64, ok bool) {
	var plain []candidate
	lean := 0.0
	for _, c := range cs {
		if l := math.Hypot(c.shape.lx, c.shape.ly); c.score > sure && !c.inHole() && l > 2.5 {
			plain = append(plain, c)
			lean += l
		}
	}
	if len(plain) < 3 {
		return h, 0, 0, false
	}
	lean /= float64(len(plain))
	merit := func(h float64) float64 {
		sum := 0.0
		for i := range plain {
			sum += p.silhouette(&plain[i], r, h)
		}
		return sum / float64(len(plain))
	}
	usual := merit(h)
	if flat := merit(0.05 * h); flat > usual+flatGain && lean > flatLean {
		return 0.05 * h, 0, 0.3 * h, true // or they are rounded much
	}
	best, at := usual+0.1, h
	for _, k := range []float64{leastUpright, 0.5, 0.7} {
		if m := merit(k * h); m > best {
			best, at = m, k*h
		}
	}
	return at, (h - at) / 2, 0.2 * (h - at), at < h
}

// silhouette is how well a disc of thickness h, whose top is where it was
// found, ends where the board begins: 1 where what is just inside its outline
// is unlike the board and what is just outside is like it, 0 where both are
// alike. Only the side where the wall would show is looked at.
func (p *plan) silhouette(c *candidate, r, h float64) float64 {
	s := p.shape(p.footUnder(c.top, h), r, h)
	board := c.beside
	far := 0.5*dist(c.colour, board) + 1e-9
	like := func(d, cs, sn float64) float64 {
		v, ok := p.at(c.top.X+d*cs, c.top.Y+d*sn)
		if !ok {
			return 0
		}
		return 1 - math.Min(1, dist([3]float64{float64(v[0]), float64(v[1]), float64(v[2])}, board)/far)
	}
	lx, ly := -c.shape.lx, -c.shape.ly // where the wall shows
	l := math.Hypot(lx, ly)
	sum, n := 0.0, 0.0
	for j := range directions {
		sn, cs := rimDirection(j)
		if (cs*lx+sn*ly)/l < 0.8 {
			continue
		}
		edge := s.hull(cs, sn)
		sum += like(edge+1.5, cs, sn) - like(edge-1.5, cs, sn)
		n++
	}
	return sum / n
}

// sigma is the uncertainty of a disc's distance from the centre, mm: of its rim,
// of where its colour ends, of what its witnesses do not agree on, of the board's
// lines, and of how far its top leans from its foot. By how much each of them
// counts was measured on simulated pictures.
func (p *plan) sigma(c *candidate, h float64, cal *calibrate.Calibration) float64 {
	// Neighbouring directions err together: many are hardly better than one.
	rim := math.Max(c.rms, 0.15)
	colour := 0.4 * (1 - c.solid)
	doubt := 1.2 * c.doubt
	foot := p.foot(c, h)
	lean := math.Hypot(c.top.X-foot.X, c.top.Y-foot.Y)
	rounded := p.lean(p.slack) * math.Hypot(c.shape.foot.X-p.nadir.X, c.shape.foot.Y-p.nadir.Y)
	k := p.lean(cal.Board.Disc.Thickness)
	// Along the radius only: the focal length's share, and the thickness'.
	focal := cal.Quality.FocalSigma / cal.Camera.F
	tilt := k * p.height * math.Sin(cal.Quality.Tilt*math.Pi/180) * focal * 0.5
	far := k * c.shape.foot.Radius() * focal
	// On a board of unknown size the discs' thickness is unknown as well, and
	// with it how far the top stands over from the foot.
	thick := lean / 3
	if cal.Known {
		thick = 0.05 * lean
	}
	return math.Sqrt(rim*rim + colour*colour + doubt*doubt + thick*thick + rounded*rounded + tilt*tilt + far*far +
		cal.Quality.LineSigma*cal.Quality.LineSigma)
}

// mostPlaces is how many places are looked at closely: two sides' discs and
// half as many other round things.
const mostPlaces = 40

// discs is all candidates on the plan and the discs' radius, measured where
// there are clear discs.
func (p *plan) discs(spec board.Spec, known bool, h float64) (all []candidate, r float64) {
	g := p.gradient()
	var radii []float64
	for _, s := range discShares {
		radii = append(radii, s*spec.Start.Outer)
	}
	places := p.candidates(g, radii, h, mostPlaces)
	// First look with the usual radius; the discs that are clear tell the
	// radius for the next.
	r = spec.Disc.Radius
	for pass := range 3 {
		all = all[:0]
		for _, pl := range places {
			all = append(all, p.settle(pl, r, h, false))
		}
		all = apart(all, 1.8*r)
		if pass == 2 {
			break
		}
		var sizes []float32
		for _, c := range all {
			if c.score > sure && c.shape.foot.Radius() > spec.Hole.Radius {
				sizes = append(sizes, float32(c.grow))
			}
		}
		if len(sizes) == 0 {
			break
		}
		seen := r + 1.2*float64(raster.Median(sizes))
		if known {
			// Bevels and shadows mislead by about as much as discs differ.
			seen = (seen + spec.Disc.Radius) / 2
		}
		if math.Abs(seen-r) < 0.15 {
			break
		}
		r = seen
		// Only what may still be a disc is looked at again, and the hole.
		places = places[:0]
		for _, c := range all {
			if c.score > unlikely || c.inHole() {
				places = append(places, place{c.top, c.votes})
			}
		}
	}
	return all, r
}

// inHole tells whether a candidate is where the hole, or a disc in it, is.
func (c *candidate) inHole() bool {
	return c.top.Radius() < holeReach || c.shape.foot.Radius() < holeReach
}

// apart keeps, of candidates closer than the given distance, the best.
func apart(cs []candidate, mm float64) []candidate {
	cs = append([]candidate(nil), cs...)
	sort.SliceStable(cs, func(i, j int) bool { return cs[i].score > cs[j].score })
	var out []candidate
	for _, c := range cs {
		free := true
		for _, o := range out {
			reach := mm
			if c.inHole() != o.inHole() {
				reach = mm / 4 // a disc may lie over the hole's rim, or on one that is in it
			}
			if math.Hypot(c.shape.foot.X-o.shape.foot.X, c.shape.foot.Y-o.shape.foot.Y) < reach {
				free = false
				break
			}
		}
		if free {
			out = append(out, c)
		}
	}
	return out
}

// hole judges what lies in the middle. A disc in the hole has the colour of
// the discs on the board; an empty hole may have it too, so that only a rim of
// the right size and an own colour make it sure.
func (p *plan) hole(c *candidate, discs []candidate, spec board.Spec, r float64) Hole {
	if c == nil || c.score < likely && c.votes < plentyOfVotes {
		return HoleEmpty
	}
	if len(discs) == 0 {
		if c.score < sure {
			return HoleEmpty
		}
		return HoleUnclear
	}
	near := math.Inf(1)
	for _, d := range discs {
		near = math.Min(near, apartIn(lab(c.colour), lab(d.colour)))
	}
	switch {
	case near > 12:
		return HoleEmpty
	case near < 2.5 && c.score > sure && p.atHome(c, spec, r) && math.Abs(c.grow) < 0.8 && p.brim(c, spec.Hole.Radius, r) < 0.5:
		return HoleTaken
	}
	return HoleUnclear
}

// atHome tells whether a disc lies where one that has dropped into the hole can:
// no further from the middle than its play, and than the eye may err.
func (p *plan) atHome(c *candidate, spec board.Spec, r float64) bool {
	const err = 1.5 // mm
	return p.fromMiddle(c, spec) < math.Max(0, spec.Hole.Radius-r)+err
}

// fromMiddle is how far from the middle a disc is that has dropped into the hole, mm.
func (p *plan) fromMiddle(c *candidate, spec board.Spec) float64 {
	return p.footUnder(c.top, math.Max(0, spec.Disc.Thickness-spec.Hole.Depth)).Radius()
}

// brim is how much what lies between a disc in the hole and the hole's edge is
// like the disc, 0 to 1: in an empty hole it is the same.
func (p *plan) brim(c *candidate, hole, r float64) float64 {
	at := (hole + r) / 2
	sigma := math.Max(c.spread, p.noise)
	like := 0.0
	for j := range directions {
		sn, cs := rimDirection(j)
		if v, ok := p.at(c.top.X+at*cs, c.top.Y+at*sn); ok {
			d := dist([3]float64{float64(v[0]), float64(v[1]), float64(v[2])}, c.colour)
			like += math.Max(0, 1-d/(3*sigma)) / directions
		}
	}
	return like
}

// burnt is the level of its weakest channel from which a top says nothing of
// its colour any more: white it may be, or lit to the sensor's limit.
const burnt = 0.8 * 255

// zoneColours are the usual colours of the board, zone by zone, outwards.
type zoneColours [4][3]float64

func zoneOf(r float64, spec board.Spec) int {
	switch {
	case r < spec.Fifteen.Inner():
		return 0
	case r < spec.Ten.Inner():
		return 1
	case r < spec.Start.Inner():
		return 2
	}
	return 3
}

func (p *plan) zones(spec board.Spec) (z zoneColours) {
	var vals [4][3][]float32
	for y := -p.extent; y <= p.extent; y += 6 {
		for x := -p.extent; x <= p.extent; x += 6 {
			r := math.Hypot(x, y)
			if r > spec.Surface-4 {
				continue
			}
			if v, ok := p.at(x, y); ok {
				k := zoneOf(r, spec)
				for ch := range 3 {
					vals[k][ch] = append(vals[k][ch], v[ch])
				}
			}
		}
	}
	for k := range z {
		for ch := range 3 {
			if len(vals[k][ch]) > 0 {
				z[k][ch] = float64(raster.Median(vals[k][ch]))
			}
		}
	}
	return z
}

// ownColour is the colour of a disc itself, less the lamps that it mirrors:
// that of the places, on its top and on the wall below it, where the weakest
// channel is weak. A reflection is white: it lifts all channels, on the top
// more than on the wall. What the board beside mirrors too is taken off.
func (p *plan) ownColour(c *candidate, z *zoneColours, spec board.Spec) [3]float64 {
	s := &c.shape
	type place struct {
		v    [3]float32
		weak float32
	}
	var places []place
	for dy := -1.5 * s.r; dy <= 1.5*s.r; dy += 1.5 {
		for dx := -1.5 * s.r; dx <= 1.5*s.r; dx += 1.5 {
			d := math.Hypot(dx, dy)
			if d == 0 || d > s.hull(dx/d, dy/d)-2 {
				continue
			}
			if v, ok := p.at(c.top.X+dx, c.top.Y+dy); ok {
				places = append(places, place{v, min(v[0], v[1], v[2])})
			}
		}
	}
	if len(places) < 20 {
		return c.colour
	}
	sort.SliceStable(places, func(i, j int) bool { return places[i].weak < places[j].weak })
	lo, hi := len(places)/8, len(places)*3/8
	var own [3]float64
	for _, q := range places[lo:hi] {
		for ch := range 3 {
			own[ch] += float64(q.v[ch]) / float64(hi-lo)
		}
	}
	usual := z[zoneOf(s.foot.Radius(), spec)]
	extra := math.Inf(1)
	for ch := range 3 {
		extra = math.Min(extra, c.beside[ch]-usual[ch])
	}
	extra = math.Max(0, extra-15) // boards are not that even
	for ch := range 3 {
		own[ch] = math.Max(0, own[ch]-extra)
	}
	return own
}
