// Package photos draws scenes such as people photograph: every kind of view,
// board, disc colour and light, each from a seed.
package photos

import (
	"math"
	"math/rand/v2"

	"crokcam/board"
	"crokcam/calibrate/camera"
	"crokcam/sim/render"
)

// Options narrow what is drawn. The zero value draws everything.
type Options struct {
	Width, Height int         // of the pictures, px; 0 draws one of the usual sizes
	View          string      // overhead, mild or strong
	Light         string      // a name from Lights
	Board         string      // a name from Boards
	Load          string      // empty, sparse, mid or full
	Spec          *board.Spec // the board's measures, to the last hair; drawn where it is nil
}

// The names of the kinds of view and of load.
var (
	Views = []string{"overhead", "mild", "strong"}
	Loads = []string{"empty", "sparse", "mid", "full"}
)

// artist draws one scene.
type artist struct {
	*rand.Rand
	s    render.Scene
	kind render.Kind
	cam  viewpoint
}

// viewpoint is where the camera stands.
type viewpoint struct {
	tilt, azimuth, roll float64 // rad
	distance            float64 // mm
	target              camera.Vec3
}

// Draw makes the scene of a seed. The same seed and options give the same
// scene.
func Draw(seed uint64, o Options) (render.Scene, render.Kind) {
	a := newArtist(seed)
	a.size(o)
	a.board(o)
	a.view(o)
	a.table()
	a.lights(o)
	a.discs(o, a.set(2))
	a.hand()
	a.clutter()
	a.lens(seed)
	return a.s, a.kind
}

// DrawEmpty is a scene with an empty board, seen from behind the south player,
// for a camera that stays. disc makes discs for it: those of a side share a
// colour, sides count from 0.
func DrawEmpty(seed uint64, o Options, sides int) (s render.Scene, k render.Kind, disc func(side int) render.Disc) {
	a := newArtist(seed)
	a.size(o)
	a.board(o)
	a.kind.Load = "match"
	a.view(o)
	a.stand()
	a.table()
	a.lights(o)
	a.clutter()
	a.lens(seed)
	a.steady()
	set := a.set(sides)
	a.kind.Colours = set.names
	return a.s, a.kind, func(side int) render.Disc { return a.disc(set, side) }
}

func newArtist(seed uint64) *artist {
	return &artist{Rand: rand.New(rand.NewPCG(seed, 0x43726f6b63616d))}
}

// steady takes back what nobody leaves as it is for a whole match: a picture
// out of focus, a lamp that shines in the board like a mirror.
func (a *artist) steady() {
	f, l := &a.s.Look.Finish, &a.s.Lens
	f.Rough = max(f.Rough, 0.24)
	f.Coat = min(f.Coat, 0.7)
	l.Blur = min(l.Blur, 0.8*float64(max(a.s.Camera.Width, a.s.Camera.Height))/1280)
	l.Noise = min(l.Noise, 2)
	l.Shake = [2]float64{}
}

// stand turns the view as a camera on a stand has it: level, whole board.
func (a *artist) stand() {
	v, c := &a.cam, &a.s.Camera
	v.azimuth = -math.Pi/2 + a.NormFloat64()*0.12
	v.roll = a.NormFloat64() * 0.02
	a.kind.Cropped = false
	radius := a.s.Board.Surface + a.s.Board.Ditch + a.s.Look.RailMM.Width
	short := float64(min(c.Width, c.Height))
	v.distance = radius * c.F / (a.between(0.86, 0.95) * short / 2) * math.Sqrt(math.Cos(v.tilt)*0.5+0.5)
	v.target = camera.Vec3{a.between(-8, 8), a.between(-8, 8), 0}
	c.R, c.T = v.pose()
}

// between is a number from low to high.
func (a *artist) between(low, high float64) float64 { return low + (high-low)*a.Float64() }

// often is true with the chance p.
func (a *artist) often(p float64) bool { return a.Float64() < p }

// angle is any direction, rad.
func (a *artist) angle() float64 { return 2 * math.Pi * a.Float64() }

// pick is one of several.
func pick[T any](a *artist, of ...T) T { return of[a.IntN(len(of))] }

// tinge is a colour a little off.
func (a *artist) tinge(c render.RGB, by float64) render.RGB {
	whole := a.between(-by, by)
	for i := range c {
		c[i] = uint8(min(max(float64(c[i])*(1+whole+a.between(-by, by)/3), 0), 255))
	}
	return c
}

func (a *artist) size(o Options) {
	c := &a.s.Camera
	c.Width, c.Height = o.Width, o.Height
	if c.Width == 0 {
		size := pick(a, [2]int{1280, 960}, [2]int{1280, 960}, [2]int{1600, 1200}, [2]int{960, 1280}, [2]int{1280, 720}, [2]int{1920, 1080}, [2]int{1440, 1440})
		c.Width, c.Height = size[0], size[1]
	}
}

func (a *artist) view(o Options) {
	a.kind.View = o.View
	if o.View == "" {
		a.kind.View = pick(a, "overhead", "mild", "mild", "strong")
	}
	v := &a.cam
	switch a.kind.View {
	case "overhead":
		v.tilt = a.between(0, 0.11)
	case "mild":
		v.tilt = a.between(0.14, 0.38)
	default:
		v.tilt = a.between(0.46, 0.74)
	}
	v.azimuth = a.angle()
	v.roll = a.NormFloat64() * 0.05
	if a.often(0.25) {
		v.roll = a.angle()
	}
	c := &a.s.Camera
	long, short := float64(max(c.Width, c.Height)), float64(min(c.Width, c.Height))
	equivalent := a.between(24, 34)
	if a.often(0.25) {
		equivalent = a.between(34, 50)
	}
	c.F = equivalent / 36 * long
	c.CX = float64(c.Width-1)/2 + a.NormFloat64()*0.004*long
	c.CY = float64(c.Height-1)/2 + a.NormFloat64()*0.004*long
	c.K1 = a.between(-0.12, 0.03)
	// The rail's outer edge fills most of the short side, or runs out of it.
	radius := a.s.Board.Surface + a.s.Board.Ditch + a.s.Look.RailMM.Width
	fill := a.between(0.66, 0.98)
	if a.often(0.12) {
		a.kind.Cropped = true
		fill = a.between(1.02, 1.1)
	}
	v.distance = radius * c.F / (fill * short / 2) * math.Sqrt(math.Cos(v.tilt)*0.5+0.5)
	off := (1 - min(fill, 1)) * radius * 0.8
	v.target = camera.Vec3{a.between(-off, off), a.between(-off, off), 0}
	c.R, c.T = v.pose()
}

// pose is the camera's rotation and translation.
func (v *viewpoint) pose() (camera.Mat3, camera.Vec3) {
	sa, ca := math.Sincos(v.azimuth)
	st, ct := math.Sincos(v.tilt)
	// From the target to the camera; what is nearer to the camera is lower in
	// the picture.
	back := camera.Vec3{st * ca, st * sa, ct}
	down := camera.Vec3{ct * ca, ct * sa, -st}
	right := camera.Vec3{-sa, ca, 0}
	r := camera.Rotate(camera.Mat3{right, down, {-back[0], -back[1], -back[2]}}, camera.Vec3{0, 0, v.roll})
	var t camera.Vec3
	for i := range 3 {
		for j := range 3 {
			t[i] -= r[i][j] * (v.target[j] + v.distance*back[j])
		}
	}
	return r, t
}

// Lights are the names of the kinds of light.
var Lights = []string{"window", "dim_warm", "overhead_hard", "two_lamps", "glare", "panels", "flash", "uneven"}

var (
	warm    = render.RGB{255, 214, 160}
	warmer  = render.RGB{255, 188, 120}
	neutral = render.RGB{255, 250, 242}
	daylit  = render.RGB{226, 238, 255}
)

// overhead is a place above the board: height, distance from its axis,
// direction.
func place(height, off, direction float64) camera.Vec3 {
	s, c := math.Sincos(direction)
	return camera.Vec3{off * c, off * s, height}
}

func (a *artist) lights(o Options) {
	a.kind.Lighting = o.Light
	if o.Light == "" {
		a.kind.Lighting = pick(a, Lights...)
	}
	s := &a.s
	add := func(l render.Light) { s.Lights = append(s.Lights, l) }
	window := func(strength float64) render.Light {
		dir := a.angle()
		at := place(a.between(700, 1300), a.between(1400, 2200), dir)
		return render.Light{At: at, Half: [2]float64{a.between(350, 700), a.between(400, 700)}, Facing: camera.Vec3{-at[0], -at[1], -at[2] * 0.4}, Colour: daylit, Strength: strength}
	}
	s.Ambient, s.Fill = neutral, 0.35
	switch a.kind.Lighting {
	case "window":
		s.Ambient, s.Fill = daylit, a.between(0.35, 0.6)
		add(window(a.between(0.9, 1.4)))
	case "dim_warm":
		s.Ambient, s.Fill = warmer, a.between(0.3, 0.5)
		add(render.Light{At: place(a.between(1200, 1900), a.between(200, 1200), a.angle()), Radius: a.between(50, 160), Colour: warmer, Strength: a.between(0.5, 0.9)})
	case "overhead_hard":
		s.Fill = a.between(0.14, 0.3)
		add(render.Light{At: place(a.between(1000, 1900), a.between(150, 900), a.angle()), Radius: a.between(12, 45), Colour: pick(a, neutral, warm), Strength: 1})
	case "two_lamps":
		s.Fill = a.between(0.18, 0.35)
		dir := a.angle()
		for i := range 2 {
			add(render.Light{At: place(a.between(900, 1700), a.between(400, 1100), dir+a.between(1.5, 3.8)*float64(i)), Radius: a.between(20, 80), Colour: pick(a, neutral, warm), Strength: a.between(0.45, 0.8)})
		}
	case "glare":
		s.Fill = a.between(0.25, 0.45)
		s.Look.Finish = render.Finish{Coat: a.between(0.8, 1), Rough: a.between(0.1, 0.2), Wave: a.between(0, 0.012)}
		a.kind.Finish = "lacquer"
		add(a.mirrored(a.between(25, 90)))
		if a.often(0.4) {
			add(window(a.between(0.3, 0.6)))
		}
	case "panels":
		s.Fill = a.between(0.35, 0.6)
		for range 1 + a.IntN(3) {
			at := place(a.between(1900, 2600), a.between(300, 1800), a.angle())
			add(render.Light{At: at, Half: [2]float64{300, a.between(150, 600)}, Facing: camera.Vec3{0, 0, -1}, Colour: neutral, Strength: a.between(0.3, 0.6)})
		}
	case "flash":
		c := s.Camera.Centre()
		s.Fill = a.between(0.2, 0.4)
		add(render.Light{At: camera.Vec3{c[0] + a.between(-25, 25), c[1] + a.between(-25, 25), c[2]}, Radius: 6, Colour: neutral, Strength: a.between(0.5, 1)})
	case "uneven":
		s.Fill = a.between(0.12, 0.25)
		at := place(a.between(500, 900), a.between(350, 800), a.angle())
		add(render.Light{At: at, Radius: a.between(30, 90), Colour: pick(a, neutral, warm), Strength: 0.9, Spot: a.between(0.5, 0.8)})
		if a.often(0.5) {
			add(window(a.between(0.2, 0.4)))
		}
	}
}

// mirrored is a lamp whose image the camera sees in the board.
func (a *artist) mirrored(radius float64) render.Light {
	c := a.s.Camera.Centre()
	r, dir := a.between(0, 0.85)*a.s.Board.Surface, a.angle()
	at := place(0, r, dir)
	rise := a.between(0.9, 1.5)
	return render.Light{
		At:     camera.Vec3{at[0] - (c[0]-at[0])*rise, at[1] - (c[1]-at[1])*rise, c[2] * rise},
		Radius: radius, Colour: pick(a, neutral, warm), Strength: a.between(0.4, 0.9),
	}
}

func (a *artist) table() {
	l := &a.s.Look
	seed := a.Uint32()
	a.kind.Table = pick(a, "cloth_plain", "cloth_check", "wood_light", "wood_dark", "laminate", "tiles", "white", "concrete")
	angle := a.angle()
	plain := func(p render.Pattern, one, two render.RGB, contrast, scale float64) {
		l.Table = render.Texture{Pattern: p, A: a.tinge(one, 0.15), B: a.tinge(two, 0.15), Contrast: contrast, Scale: scale, Angle: angle, Seed: seed}
	}
	switch a.kind.Table {
	case "cloth_plain":
		plain(render.Weave, pick(a, render.RGB{120, 24, 36}, render.RGB{38, 40, 46}, render.RGB{30, 80, 60}, render.RGB{60, 70, 120}, render.RGB{190, 180, 160}), render.RGB{20, 18, 20}, 0.6, 0)
	case "cloth_check":
		plain(render.Check, render.RGB{230, 226, 220}, pick(a, render.RGB{40, 70, 140}, render.RGB{150, 30, 30}, render.RGB{70, 90, 60}, render.RGB{120, 120, 120}), 1, a.between(22, 60))
	case "wood_light":
		plain(render.Planks, render.RGB{196, 168, 128}, render.RGB{140, 106, 66}, 0.8, a.between(90, 180))
	case "wood_dark":
		plain(render.Planks, render.RGB{110, 68, 42}, render.RGB{50, 28, 18}, 0.9, a.between(90, 180))
	case "laminate":
		plain(render.Speckle, render.RGB{168, 166, 160}, render.RGB{120, 118, 112}, 0.6, 3)
	case "tiles":
		plain(render.Tiles, render.RGB{200, 196, 186}, render.RGB{160, 152, 140}, 0.6, a.between(200, 450))
	case "white":
		plain(render.Plain, render.RGB{232, 232, 230}, render.RGB{205, 205, 205}, 0.4, 0)
	default:
		plain(render.Speckle, render.RGB{140, 140, 138}, render.RGB{96, 96, 94}, 0.8, 12)
	}
	l.TableTop = [2]float64{a.between(520, 1100), a.between(480, 700)}
	l.TableAt = [3]float64{a.between(-60, 60), a.between(-60, 60), angle}
	l.Floor = render.Texture{Pattern: pick(a, render.Speckle, render.Planks, render.Tiles), A: a.tinge(pick(a, render.RGB{110, 104, 98}, render.RGB{70, 56, 46}, render.RGB{90, 96, 104}), 0.2), B: render.RGB{50, 46, 44}, Contrast: 0.6, Seed: seed + 1}
}

func (a *artist) clutter() {
	if a.often(0.3) {
		return
	}
	outer := a.s.Board.Surface + a.s.Board.Ditch + a.s.Look.RailMM.Width
	for range 1 + a.IntN(5) {
		t := render.Thing{Kind: pick(a, render.Coin, render.Coin, render.Mug, render.Phone, render.Sheet, render.Cup), Turn: a.angle()}
		gap := 0.0
		switch t.Kind {
		case render.Coin:
			t.Size, t.Colour, gap = a.between(9, 13), pick(a, render.RGB{190, 190, 188}, render.RGB{200, 150, 80}), 10
		case render.Mug:
			t.Size, t.Colour, gap = a.between(38, 46), pick(a, render.RGB{230, 230, 225}, render.RGB{160, 30, 40}, render.RGB{40, 70, 130}, render.RGB{120, 150, 40}), 60
		case render.Phone:
			t.Size, t.Colour, gap = a.between(70, 82), render.RGB{24, 24, 28}, 90
		case render.Sheet:
			t.Size, t.Colour, gap = a.between(70, 148), render.RGB{238, 238, 234}, 150
		case render.Cup:
			t.Size, t.Colour, gap = a.between(28, 36), pick(a, render.RGB{200, 60, 60}, render.RGB{230, 230, 230}, render.RGB{60, 60, 70}), 45
		}
		dir, r := a.angle(), outer*1.06+gap+a.between(0, 160)
		t.At = [2]float64{r * math.Cos(dir), r * math.Sin(dir)}
		a.s.Things = append(a.s.Things, t)
	}
}

// Skins are the colours of hands.
var Skins = []render.RGB{{236, 188, 160}, {224, 172, 138}, {198, 140, 104}, {150, 98, 68}, {98, 62, 44}}

func (a *artist) hand() {
	if !a.often(0.18) {
		return
	}
	dir := a.angle()
	at := place(a.between(12, 32), a.between(0.55, 1.15)*a.s.Board.Surface, dir)
	h := render.Hand{
		Tip: at, Toward: dir + math.Pi + a.between(-0.5, 0.5), Left: a.often(0.35),
		Do: pick(a, render.Reaching, render.Pinching, render.Flicking), Bend: a.Float64(),
		Skin: pick(a, Skins...), Size: a.between(0.88, 1.1), Cuff: a.between(0, 120),
	}
	if a.often(0.6) {
		h.Sleeve = render.Paint{Colour: pick(a, render.RGB{40, 44, 60}, render.RGB{120, 30, 40}, render.RGB{200, 200, 205}, render.RGB{60, 90, 70}), Opacity: 1}
	}
	a.s.Hands = append(a.s.Hands, h)
}

func (a *artist) lens(seed uint64) {
	scale := float64(max(a.s.Camera.Width, a.s.Camera.Height)) / 1280
	l := render.Lens{
		Exposure: a.between(0.2, 0.42), Vignette: a.between(0, 0.3), Blur: a.between(0.4, 0.9) * math.Sqrt(scale), Contrast: a.between(0, 0.45),
		Saturation: a.between(-0.1, 0.2), Noise: a.between(0.4, 2.2), Sharpen: a.between(0, 0.6), JPEG: 60 + a.IntN(36), Seed: uint32(seed) * 2654435761,
	}
	for i := range l.White {
		l.White[i] = 1 + a.between(-0.06, 0.06)
	}
	if a.often(0.12) { // out of focus
		l.Blur = a.between(1.2, 2) * scale
	}
	if a.kind.Lighting == "dim_warm" {
		l.Exposure = a.between(0.08, 0.22)
		l.Noise = a.between(1.5, 5)
	}
	if a.often(0.08) || a.kind.Lighting == "dim_warm" && a.often(0.4) { // an unsteady hand
		sin, cos := math.Sincos(a.angle())
		far := a.between(0.7, 2.6) * scale
		l.Shake = [2]float64{far * cos, far * sin}
	}
	switch a.kind.Lighting {
	case "dim_warm", "two_lamps", "overhead_hard": // mostly balanced, not wholly
		l.White[2] *= a.between(1, 1.5)
		l.White[0] *= a.between(0.85, 1)
	}
	// A meter sees more than the board: a white board is not exposed as grey,
	// nor a black one.
	mean := a.s.Look.Wood.A
	if z := a.s.Look.Zones[2]; z.Opacity > 0.5 {
		mean = z.Colour
	}
	l.Exposure *= math.Min(1.6, math.Pow(mean.Luminance()/0.4, 0.6))
	a.s.Lens = l
}

// measures settles the board's own sizes.
func (a *artist) measures(s board.Spec) board.Spec {
	s.Hole.Depth = a.between(5, 9)
	w := a.between(1, 1.9)
	if a.often(0.2) {
		w = a.between(1.9, 4)
	}
	s.Fifteen.Width, s.Ten.Width, s.Start.Width, s.Quadrants.Width = w, w, w, w
	s.Posts.Diameter = a.between(6, 10)
	s.Posts.Height = a.between(13, 19)
	s.Ditch = a.between(42, 64)
	// Discs differ from one maker to the next by a tenth.
	s.Disc.Radius = min(s.Disc.Radius*a.between(0.92, 1.05), s.Hole.Radius-0.5)
	s.Disc.Thickness = a.between(8.6, 10.9)
	s.Quadrants.Angle = math.Pi/4 + a.between(0, math.Pi/2)
	return s
}
