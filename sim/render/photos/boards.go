package photos

import (
	"math"

	"crokcam/board"
	"crokcam/board/presets"
	"crokcam/sim/render"
)

// style is how one kind of board looks.
type style struct {
	spec     []string // presets; of boards that differ in size alone only one, as no picture tells them apart
	wood     render.Texture
	zones    [4]render.Paint // 15, 10, 5, rim
	line     render.RGB
	numbers  float64 // how often they are printed
	hole     []render.RGB
	octagon  float64 // how often the rail is one
	ditch    []render.RGB
	rail     []render.RGB
	centre   float64 // how often quadrant lines reach the 15 line
	woodDish bool    // a ditch of the board's own wood
}

func paint(c render.RGB) render.Paint { return render.Paint{Colour: c, Opacity: 0.97} }

var (
	maple  = render.Texture{Pattern: render.Wood, A: render.RGB{232, 205, 160}, B: render.RGB{188, 146, 96}, Contrast: 0.6}
	birch  = render.Texture{Pattern: render.Wood, A: render.RGB{236, 222, 192}, B: render.RGB{208, 184, 144}, Contrast: 0.5}
	walnut = render.Texture{Pattern: render.Wood, A: render.RGB{128, 78, 46}, B: render.RGB{62, 34, 20}, Contrast: 0.75}
	cherry = render.Texture{Pattern: render.Wood, A: render.RGB{190, 118, 72}, B: render.RGB{136, 76, 44}, Contrast: 0.6}
	oak    = render.Texture{Pattern: render.Planks, A: render.RGB{206, 150, 84}, B: render.RGB{148, 92, 44}, Contrast: 0.9, Scale: 190}

	black  = render.RGB{24, 23, 24}
	brown  = render.RGB{78, 46, 28}
	honey  = render.RGB{186, 124, 66}
	redden = render.RGB{150, 28, 40}
	grey   = render.RGB{120, 122, 126}
	pine   = render.RGB{36, 74, 58}
	cream  = render.RGB{214, 196, 160}
)

// Boards are the names of the kinds of board.
var Boards = []string{"maple", "birch_zones", "walnut", "oak_family", "two_tone", "blue", "old_blue", "green", "black", "white", "red"}

var styles = map[string]style{
	"maple":       {spec: []string{"tournament-26"}, wood: maple, line: black, numbers: 0.1, hole: []render.RGB{cream, black, honey}, octagon: 0.15, ditch: []render.RGB{black, redden, pine, grey, brown}, rail: []render.RGB{honey, brown, cream}},
	"birch_zones": {spec: []string{"tournament-26"}, wood: birch, zones: [4]render.Paint{{Colour: render.RGB{150, 200, 190}, Opacity: 0.9}, {}, {Colour: render.RGB{150, 205, 170}, Opacity: 0.9}, {}}, line: black, numbers: 0.4, hole: []render.RGB{cream, black}, octagon: 0.3, ditch: []render.RGB{redden, black, cream}, rail: []render.RGB{cream, brown}},
	"walnut":      {spec: []string{"tournament-26", "octagon-classic"}, wood: walnut, line: cream, numbers: 0.4, hole: []render.RGB{black, honey}, octagon: 0.5, ditch: []render.RGB{black, brown, pine}, rail: []render.RGB{honey, brown}},
	"oak_family":  {spec: []string{"octagon-classic", "octagon-narrow-fifteen", "tournament-26"}, wood: oak, line: black, numbers: 0.9, hole: []render.RGB{redden, black, honey}, octagon: 0.9, ditch: []render.RGB{brown, honey}, rail: []render.RGB{honey, brown}, woodDish: true},
	"two_tone":    {spec: []string{"octagon-classic", "tournament-26"}, wood: cherry, zones: [4]render.Paint{}, line: black, numbers: 0.8, hole: []render.RGB{black, honey}, octagon: 0.7, ditch: []render.RGB{black, brown}, rail: []render.RGB{brown, black}},
	"blue":        {spec: []string{"tournament-26"}, wood: birch, zones: [4]render.Paint{paint(render.RGB{70, 130, 200}), paint(render.RGB{50, 100, 190}), paint(render.RGB{60, 150, 210}), paint(render.RGB{50, 100, 190})}, line: render.RGB{240, 240, 236}, numbers: 0.6, hole: []render.RGB{cream, black}, octagon: 0.5, ditch: []render.RGB{redden, black, grey}, rail: []render.RGB{brown, grey}},
	"old_blue":    {spec: []string{"octagon-classic", "vintage-22"}, wood: birch, zones: [4]render.Paint{paint(render.RGB{30, 56, 96}), paint(render.RGB{30, 56, 96}), paint(render.RGB{30, 56, 96}), paint(render.RGB{30, 56, 96})}, line: render.RGB{214, 84, 56}, numbers: 0.9, hole: []render.RGB{{200, 60, 60}, black}, octagon: 0.95, ditch: []render.RGB{{176, 50, 56}}, rail: []render.RGB{honey}},
	"green":       {spec: []string{"tournament-26"}, wood: birch, zones: [4]render.Paint{paint(render.RGB{60, 120, 60}), paint(render.RGB{26, 84, 50}), paint(render.RGB{30, 120, 70}), paint(render.RGB{26, 84, 50})}, line: render.RGB{238, 228, 190}, numbers: 0.6, hole: []render.RGB{black, cream}, octagon: 0.5, ditch: []render.RGB{honey, black}, rail: []render.RGB{cream, grey}},
	"black":       {spec: []string{"tournament-26"}, wood: birch, zones: [4]render.Paint{paint(render.RGB{34, 34, 36}), paint(render.RGB{44, 44, 46}), paint(render.RGB{34, 34, 36}), paint(render.RGB{44, 44, 46})}, line: render.RGB{226, 224, 216}, numbers: 0.5, hole: []render.RGB{cream, redden}, octagon: 0.5, ditch: []render.RGB{redden, grey, honey}, rail: []render.RGB{honey, grey}},
	"white":       {spec: []string{"tournament-26"}, wood: birch, zones: [4]render.Paint{paint(render.RGB{236, 236, 234}), paint(render.RGB{236, 236, 234}), paint(render.RGB{236, 236, 234}), paint(render.RGB{236, 236, 234})}, line: render.RGB{150, 30, 50}, numbers: 0.6, hole: []render.RGB{black, redden, cream}, octagon: 0.6, ditch: []render.RGB{grey, cream, black}, rail: []render.RGB{cream, honey, brown}, centre: 0.3},
	"red":         {spec: []string{"tournament-26"}, wood: birch, zones: [4]render.Paint{paint(render.RGB{196, 60, 50}), paint(render.RGB{150, 36, 38}), paint(render.RGB{176, 44, 44}), paint(render.RGB{150, 36, 38})}, line: render.RGB{244, 236, 220}, numbers: 0.5, hole: []render.RGB{black, cream}, octagon: 0.4, ditch: []render.RGB{black, brown}, rail: []render.RGB{honey, brown}},
}

func (a *artist) board(o Options) {
	a.kind.Board = o.Board
	if o.Board == "" {
		a.kind.Board = pick(a, Boards...)
	}
	st := styles[a.kind.Board]
	if spec, err := presets.ByName(pick(a, st.spec...)); err == nil {
		a.s.Board = a.measures(spec)
	} else {
		a.s.Board = a.measures(board.Tournament26())
	}
	if o.Spec != nil {
		a.s.Board = *o.Spec
	}
	l := &a.s.Look
	l.Seed = a.Uint32()
	wood := func(t render.Texture) render.Texture {
		t.A, t.B = a.tinge(t.A, 0.08), a.tinge(t.B, 0.08)
		t.Angle, t.Seed = a.angle(), a.Uint32()
		t.Contrast = min(1, t.Contrast*a.between(0.6, 1.7))
		return t
	}
	l.Wood = wood(st.wood)
	for i, z := range st.zones {
		z.Colour = a.tinge(z.Colour, 0.12)
		l.Zones[i] = z
	}
	l.Line = render.Paint{Colour: a.tinge(st.line, 0.1), Opacity: a.between(0.75, 1)}
	if a.often(st.numbers) {
		l.Numbers = render.Paint{Colour: l.Line.Colour, Opacity: a.between(0.7, 1)}
		l.NumberMM = a.between(8, 18)
	}
	if a.often(st.centre) {
		l.Centre = a.s.Board.Fifteen.Outer
	}
	hole := pick(a, st.hole...)
	l.Hole = render.Texture{Pattern: render.Wood, A: hole, B: hole, Seed: a.Uint32()}
	if hole == cream || hole == honey {
		l.Hole = wood(maple)
		if a.often(0.5) {
			l.Hole = l.Wood
		}
	}
	if a.often(0.3) {
		l.HoleRing = render.Paint{Colour: pick(a, l.Line.Colour, cream), Opacity: a.between(0.5, 1)}
	}
	switch a.kind.Finish = pick(a, "matte", "satin", "lacquer"); a.kind.Finish {
	case "matte":
		l.Finish = render.Finish{Coat: a.between(0.2, 0.5), Rough: a.between(0.4, 0.6)}
	case "satin":
		l.Finish = render.Finish{Coat: a.between(0.6, 1), Rough: a.between(0.22, 0.35), Wave: a.between(0, 0.01)}
	default:
		l.Finish = render.Finish{Coat: a.between(0.8, 1), Rough: a.between(0.08, 0.18), Wave: a.between(0.002, 0.015)}
	}
	l.Wear = a.between(0, 0.6)
	l.Posts = pick(a, render.RubberBlack, render.RubberBrown, render.RubberWhite, render.WoodPeg, render.Screw, render.Brass)
	if a.often(st.octagon) {
		l.Shape = render.OctagonRail
	}
	ditch := a.tinge(pick(a, st.ditch...), 0.15)
	l.Ditch = render.Texture{Pattern: render.Plain, A: ditch, B: darker(ditch), Contrast: 0.3, Seed: a.Uint32()}
	if st.woodDish && a.often(0.7) {
		l.Ditch = wood(oak)
		l.Ditch.Pattern = render.Wood
	}
	rail := pick(a, st.rail...)
	l.Rail = wood(render.Texture{Pattern: render.Wood, A: rail, B: darker(rail), Contrast: 0.7})
	l.Rail.Angle = 0
	l.RailMM = render.RailSize{
		Width: a.between(12, 24), Height: a.between(6, 18), DitchDepth: a.between(10, 20), Base: a.between(6, 14),
		Turn: math.Pi/8*float64(a.IntN(2)) + a.NormFloat64()*0.01,
	}
	if l.Shape == render.OctagonRail {
		l.RailMM.Turn += a.s.Board.Quadrants.Angle
	}
}

func darker(c render.RGB) render.RGB {
	for i := range c {
		c[i] = uint8(float64(c[i]) * 0.6)
	}
	return c
}
