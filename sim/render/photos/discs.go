package photos

import (
	"math"
	"slices"

	"crokcam/calibrate/camera"
	"crokcam/sim/render"
)

// Pairs are the colours that play against each other.
var Pairs = [][2]string{
	{"red", "black"}, {"light_wood", "dark_wood"}, {"blue", "yellow"}, {"white", "black"}, {"red", "blue"},
	{"red", "natural"}, {"green", "white"}, {"black", "natural"}, {"natural", "dark_wood"}, {"light_wood", "stained"},
}

// alike is the disc colour that nobody plays with on a painted board of the same
// colour. On bare wood people do play with wooden discs.
var alike = map[string]string{
	"red": "red", "blue": "blue", "old_blue": "blue", "green": "green", "black": "black", "white": "white",
}

// faces is how the discs of each colour look.
var faces = map[string]render.Texture{
	"red":        {Pattern: render.Plain, A: render.RGB{178, 32, 36}, B: render.RGB{130, 20, 26}, Contrast: 0.3},
	"black":      {Pattern: render.Plain, A: render.RGB{26, 25, 27}, B: render.RGB{40, 38, 38}, Contrast: 0.3},
	"blue":       {Pattern: render.Plain, A: render.RGB{34, 74, 168}, B: render.RGB{24, 50, 120}, Contrast: 0.3},
	"yellow":     {Pattern: render.Plain, A: render.RGB{232, 184, 40}, B: render.RGB{200, 150, 30}, Contrast: 0.3},
	"green":      {Pattern: render.Plain, A: render.RGB{30, 104, 60}, B: render.RGB{20, 74, 42}, Contrast: 0.3},
	"white":      {Pattern: render.Plain, A: render.RGB{234, 232, 226}, B: render.RGB{210, 206, 198}, Contrast: 0.3},
	"natural":    {Pattern: render.Wood, A: render.RGB{226, 192, 146}, B: render.RGB{180, 136, 90}, Contrast: 0.6},
	"light_wood": {Pattern: render.Wood, A: render.RGB{218, 176, 124}, B: render.RGB{168, 120, 74}, Contrast: 0.7},
	"stained":    {Pattern: render.Wood, A: render.RGB{72, 64, 58}, B: render.RGB{34, 30, 28}, Contrast: 0.7},
	"dark_wood":  {Pattern: render.Wood, A: render.RGB{106, 60, 36}, B: render.RGB{56, 30, 20}, Contrast: 0.7},
}

// set is the discs of one picture: what they have in common.
type set struct {
	bevel, dish, groove, sticker float64
	coat, rough                  float64
	bright                       bool             // stickers of another colour
	face                         []render.Texture // of each side
	names                        []string
}

// set draws the discs that are played with.
func (a *artist) set(sides int) *set {
	pair := pick(a, Pairs...)
	for slices.Contains(pair[:], alike[a.kind.Board]) {
		pair = pick(a, Pairs...)
	}
	shape := a.s.Board.Disc
	st := &set{names: pair[:], bevel: a.between(0.7, 1.6), dish: a.between(0.05, 0.5), coat: a.between(0.4, 1), rough: a.between(0.14, 0.45)}
	for _, more := range []string{"green", "yellow", "white", "blue"} { // more than two seldom play
		if len(st.names) < sides && !slices.Contains(st.names, more) {
			st.names = append(st.names, more)
		}
	}
	if a.often(0.35) { // worn or turned round
		st.bevel = a.between(1.6, 3)
	}
	if a.often(0.25) {
		st.groove = shape.Radius * a.between(0.55, 0.78)
	}
	if a.often(0.04) {
		st.sticker = shape.Radius * a.between(0.35, 0.65)
		st.bright = a.often(0.3)
	}
	for _, name := range st.names {
		t := faces[name]
		t.A, t.B = a.tinge(t.A, 0.14), a.tinge(t.B, 0.14)
		st.face = append(st.face, t)
	}
	return st
}

func (a *artist) discs(o Options, st *set) {
	a.kind.Load = o.Load
	if o.Load == "" {
		a.kind.Load = pick(a, "sparse", "mid", "mid", "full", "full", "empty")
		if a.kind.Load == "empty" && a.often(0.6) {
			a.kind.Load = "mid"
		}
	}
	a.kind.Colours = st.names
	n := 0
	switch a.kind.Load {
	case "sparse":
		n = 1 + a.IntN(6)
	case "mid":
		n = 7 + a.IntN(9)
	case "full":
		n = 16 + a.IntN(9)
	}
	for i := range n {
		a.put(st, i%2)
	}
	if a.often(0.3) {
		a.row(st)
	}
}

// disc is one of the set, not yet anywhere.
func (a *artist) disc(st *set, side int) render.Disc {
	shape := a.s.Board.Disc
	d := render.Disc{
		ID: len(a.s.Discs), Side: st.names[side], Turn: a.angle(), Radius: shape.Radius * (1 + 0.004*a.NormFloat64()), Thickness: shape.Thickness,
		Bevel: st.bevel, Dish: st.dish, Groove: st.groove, Face: st.face[side],
		Finish: render.Finish{Coat: st.coat, Rough: st.rough},
	}
	if a.often(0.5) { // the other way up: domed sides are not hollow
		d.Dish, d.Groove = -d.Dish*0.6, 0
	}
	d.Face.Seed = a.Uint32()
	d.Face.A = a.tinge(d.Face.A, 0.04)
	d.Flank = render.Paint{Colour: darker(d.Face.A), Opacity: 0.25}
	if st.sticker > 0 {
		// Mostly a maker's mark in the disc's own tone, at times a bright dot.
		d.Sticker = render.Paint{Colour: darker(d.Face.A), Opacity: 0.6}
		if st.bright {
			d.Sticker = render.Paint{Colour: []render.RGB{{230, 226, 210}, {200, 60, 50}}[side%2], Opacity: 0.9}
		}
		d.StickerMM = st.sticker
	}
	return d
}

// put adds one disc where there is room, in a manner drawn by lot.
func (a *artist) put(st *set, side int) {
	b := &a.s.Board
	for range 60 {
		d := a.disc(st, side)
		at := func(r, dir, z float64) { d.Foot = camera.Vec3{r * math.Cos(dir), r * math.Sin(dir), z} }
		dir := a.angle()
		switch lot := a.Float64(); {
		case lot < 0.3:
			d.Case = "free"
			at(b.Surface*math.Sqrt(a.between(0.005, 0.97)), dir, 0)
		case lot < 0.5:
			d.Case = "line"
			ring := pick(a, b.Fifteen, b.Ten, b.Start)
			gap := a.between(-2.5, 2.5)
			if a.often(0.3) {
				gap = a.between(-8, 8)
			}
			at(ring.Inner()-d.Radius-gap, dir, 0)
		case lot < 0.66:
			d.Case = "touch"
			other, ok := a.neighbour()
			if !ok {
				continue
			}
			reach := d.Radius + other.Radius + 0.02
			if a.often(0.3) {
				reach += a.between(0, 2.5)
			}
			d.Foot = camera.Vec3{other.Foot[0] + reach*math.Cos(dir), other.Foot[1] + reach*math.Sin(dir), 0}
		case lot < 0.76:
			d.Case = "post"
			p := pick(a, b.PostCentres()...)
			reach := d.Radius + b.Posts.Diameter/2 + 0.05
			d.Foot = camera.Vec3{p.X + reach*math.Cos(dir), p.Y + reach*math.Sin(dir), 0}
		case lot < 0.82:
			d.Case = "hole"
			d.Place = render.InHole
			at(a.Float64()*(b.Hole.Radius-d.Radius), dir, -b.Hole.Depth)
		case lot < 0.85:
			d.Case = "overhang_hole"
			at(b.Hole.Radius+a.between(0.5, 12), dir, 0)
		case lot < 0.863:
			d.Case = "leaning"
			a.lean(&d, dir)
		case lot < 0.96:
			d.Case = "ditch"
			d.Place = render.InDitch
			at(b.Surface+d.Radius+1+a.Float64()*(b.Ditch-2*d.Radius-2), dir, -a.s.Look.RailMM.DitchDepth)
		default:
			d.Case = "table"
			d.Place = render.OnTable
			at(b.Surface+b.Ditch+a.s.Look.RailMM.Width+d.Radius+a.between(20, 150), dir, -a.s.Look.RailMM.DitchDepth-a.s.Look.RailMM.Base)
		}
		if a.fits(&d) {
			a.s.Discs = append(a.s.Discs, d)
			return
		}
	}
}

// lean lays a disc over the hole's rim with its low edge on the hole's floor.
func (a *artist) lean(d *render.Disc, dir float64) {
	b := &a.s.Board
	reach := 2*b.Hole.Radius - a.between(6, 13) // from the low edge to the rim
	low := b.Hole.Radius - reach
	tilt := math.Atan2(b.Hole.Depth, reach)
	s, c := math.Sincos(tilt)
	sd, cd := math.Sincos(dir)
	r := low + d.Radius*c
	d.Foot = camera.Vec3{r * cd, r * sd, -b.Hole.Depth + d.Radius*s}
	d.Axis = camera.Vec3{-s * cd, -s * sd, c}
	d.Place = render.Leaning
}

// neighbour is one of the discs that lie on the surface.
func (a *artist) neighbour() (render.Disc, bool) {
	var on []render.Disc
	for _, d := range a.s.Discs {
		if d.Place == render.OnSurface {
			on = append(on, d)
		}
	}
	if len(on) == 0 {
		return render.Disc{}, false
	}
	return pick(a, on...), true
}

// fits says whether a disc lies where a disc can lie, clear of the others.
func (a *artist) fits(d *render.Disc) bool {
	b := &a.s.Board
	r := math.Hypot(d.Foot[0], d.Foot[1])
	if d.Place == render.OnSurface {
		if r < b.Hole.Radius+0.3 || r > b.Surface-0.5 {
			return false
		}
		for _, p := range b.PostCentres() {
			if math.Hypot(d.Foot[0]-p.X, d.Foot[1]-p.Y) < d.Radius+b.Posts.Diameter/2 {
				return false
			}
		}
	}
	for i := range a.s.Discs {
		o := &a.s.Discs[i]
		apart := math.Hypot(d.Foot[0]-o.Foot[0], d.Foot[1]-o.Foot[1])
		room := d.Radius + o.Radius
		switch {
		case d.Place == render.Leaning || o.Place == render.Leaning:
			room += 4
		case d.Place == render.InHole && o.Place == render.InHole:
			room += 2 * b.Hole.Radius // one at a time
		case d.Place != o.Place && math.Abs(d.Foot[2]-o.Foot[2]) >= min(d.Thickness, o.Thickness):
			room = 0
		}
		if apart < room {
			return false
		}
	}
	return true
}

// row lines spare discs up in the ditch, as players do.
func (a *artist) row(st *set) {
	b := &a.s.Board
	dir := a.angle()
	r := b.Surface + b.Ditch - b.Disc.Radius - a.between(1, 6)
	if r < b.Surface+b.Disc.Radius+1 {
		r = b.Surface + b.Disc.Radius + 1
	}
	side := a.IntN(2)
	for i := range 3 + a.IntN(8) {
		d := a.disc(st, side)
		d.Case, d.Place = "spare", render.InDitch
		at := dir + float64(i)*(2*d.Radius+a.between(0.2, 2))/r
		d.Foot = camera.Vec3{r * math.Cos(at), r * math.Sin(at), -a.s.Look.RailMM.DitchDepth}
		if a.fits(&d) {
			a.s.Discs = append(a.s.Discs, d)
		}
	}
}
