package render

import "math"

// surfel is a small piece of a surface as light meets it.
type surfel struct {
	p, n   vec
	kind   kind
	self   int32 // the moving solid it belongs to, -1 for none
	albedo light
	Finish
	metal bool    // the coat has the surface's own colour and throws back most light
	under float64 // share of the light from everywhere that gets there at all
}

// piece is the surface that a ray of the scenery met; foot is the size of a pixel
// there, mm.
func (st *scenery) piece(h *hit, foot float64) surfel {
	look := &st.scene.Look
	p := h.p
	s := surfel{p: p, n: h.n, kind: h.kind, self: -1, under: 1, Finish: Finish{Coat: 0.3, Rough: 0.35}}
	switch h.kind {
	case surface:
		s.albedo = st.print.at(p.x, p.y, foot)
		s.Finish = look.Finish
		if w := look.Finish.Wave; w > 0 {
			s.n.x += w * cloud(p.x/70, p.y/70, 2, look.Seed+77)
			s.n.y += w * cloud(p.x/70, p.y/70, 2, look.Seed+78)
			s.n = s.n.unit()
		}
	case surfaceWall:
		s.albedo = look.Wood.at(p.x, p.y).mul(0.7)
	case holeWall:
		s.albedo = look.Wood.at(p.x+40, p.z*6).mul(0.75)
	case holeFloor:
		s.albedo = look.Hole.at(p.x, p.y)
		s.Finish = Finish{Coat: 0.1, Rough: 0.5}
	case ditch:
		s.albedo = look.Ditch.at(p.x, p.y)
		s.Finish = Finish{Coat: 0.15, Rough: 0.5}
	case railTop, railInner, railOuter:
		out := st.rail.out(p.x, p.y)
		// The grain runs along the rail.
		along := -out.y*p.x + out.x*p.y
		if !st.rail.octagon {
			along = math.Atan2(p.y, p.x) * st.inner
		}
		s.albedo = look.Rail.at(along, st.rail.size(p.x, p.y)+3*p.z)
		s.Finish = Finish{Coat: look.Finish.Coat, Rough: max(0.12, look.Finish.Rough)}
	case table:
		s.albedo = look.Table.at(p.x, p.y)
		s.Finish = Finish{Coat: 0.2, Rough: 0.45}
		if look.Table.Pattern == Planks || look.Table.Pattern == Wood {
			s.Finish = Finish{Coat: 0.7, Rough: 0.2}
		}
	case floor:
		s.albedo = look.Floor.at(p.x, p.y)
		s.Finish = Finish{}
		s.under = 0.6
	case paper:
		st.paper(h, &s)
	case post:
		st.post(&s)
	case thing:
		st.thing(h, &s)
	default:
		s.albedo = light{0.2, 0.2, 0.2}
	}
	s.under *= st.shut(h.kind, p)
	return s
}

func (st *scenery) paper(h *hit, s *surfel) {
	t := &st.scene.Things[h.index]
	u, v, _ := t.flat(h.p)
	s.albedo = t.Colour.linear()
	if t.Kind == Phone {
		s.Finish = Finish{Coat: 1, Rough: 0.03}
		if math.Abs(u) > t.Size-3 || math.Abs(v) > t.Size*0.5-3 {
			s.albedo = s.albedo.add(light{0.06, 0.06, 0.06})
		}
		return
	}
	s.Finish = Finish{}
	row := v/6 - math.Floor(v/6)
	if math.Abs(u) < t.Size*0.85 && math.Abs(v) < t.Size*0.6 && row < 0.12 {
		s.albedo = s.albedo.mul(0.5)
	}
	if row > 0.35 && row < 0.75 && math.Abs(v) < t.Size*0.6 && noise(u*0.7, math.Floor(v/6)*9, 3) > 0.35 && u < t.Size*0.3 {
		s.albedo = s.albedo.mul(0.3)
	}
}

func (st *scenery) post(s *surfel) {
	s.Finish = Finish{Coat: 0.6, Rough: 0.3}
	switch st.scene.Look.Posts {
	case RubberBlack:
		s.albedo = light{0.02, 0.02, 0.022}
	case RubberBrown:
		s.albedo = light{0.16, 0.07, 0.035}
	case RubberWhite:
		s.albedo = light{0.75, 0.73, 0.68}
	case WoodPeg:
		s.albedo = light{0.5, 0.33, 0.17}
	case Screw:
		s.albedo = light{0.5, 0.5, 0.5}
		s.Finish, s.metal = Finish{Coat: 1, Rough: 0.16}, true
	case Brass:
		s.albedo = light{0.6, 0.42, 0.14}
		s.Finish, s.metal = Finish{Coat: 1, Rough: 0.14}, true
	}
}

func (st *scenery) thing(h *hit, s *surfel) {
	t := &st.scene.Things[h.index]
	s.albedo = t.Colour.linear()
	s.Finish = Finish{Coat: 1, Rough: 0.1}
	switch {
	case t.Kind == Coin:
		s.metal, s.Rough = true, 0.2
	case h.part != partTop:
	case t.Kind == Cup:
		// An open cup: dark inside.
		if rho := hypot(h.local.x, h.local.y); rho < t.Size-3 {
			s.albedo = s.albedo.mul(0.25)
			s.Coat = 0
		}
	default:
		if rho := hypot(h.local.x, h.local.y); rho < t.Size-4 {
			s.albedo = light{0.03, 0.012, 0.006} // coffee
		}
	}
}

// face is the surface of a disc.
func face(d *Disc, index int, h *hit, foot float64) surfel {
	s := surfel{p: h.p, n: h.n, kind: disc, self: int32(index), under: 1, Finish: d.Finish}
	sin, cos := math.Sincos(d.Turn)
	l := h.local
	x, y := cos*l.x+sin*l.y, -sin*l.x+cos*l.y
	rho := hypot(x, y)
	if h.part == partTop {
		s.albedo = d.Face.at(x, y)
		if o := d.Sticker.Opacity; o > 0 {
			k := o * clamp((d.StickerMM-rho)/foot+0.5, 0, 1)
			s.albedo = s.albedo.mix(d.Sticker.Colour.linear(), float32(k))
		}
		if d.Groove > 0 {
			s.albedo = s.albedo.mul(float32(1 - 0.35*cover(d.Groove-0.45, d.Groove+0.45, rho, foot)))
		}
		return s
	}
	s.albedo = d.Face.at(x*0.8+40, l.z*2+y*0.3)
	s.albedo = s.albedo.mix(d.Flank.Colour.linear(), float32(d.Flank.Opacity))
	if h.part == partSide {
		// The lower side sees more of the board than of the room.
		s.under = 0.55 + 0.25*clamp(l.z/d.Thickness, 0, 1)
	}
	return s
}

// kin is the surface of a hand.
func kin(h *Hand, l *limb, hi *hit) surfel {
	s := surfel{p: hi.p, n: hi.n, kind: handKin, self: -1, under: 0.62 + 0.38*clamp(hi.n.z, 0, 1), Finish: Finish{Coat: 0.25, Rough: 0.42}}
	c := h.Skin.linear()
	switch l.part {
	case skin:
		blotch := cloud(hi.p.x/18, hi.p.y/18, 3, 11)
		s.albedo = c.times(light{float32(1 + 0.1*blotch), float32(1 + 0.2*blotch), float32(1 + 0.2*blotch)})
	case nail:
		s.albedo = c.mix(light{0.85, 0.6, 0.55}, 0.35)
		s.Finish = Finish{Coat: 0.8, Rough: 0.2}
	case sleeve:
		weave := Texture{Pattern: Weave, A: h.Sleeve.Colour, B: RGB{20, 20, 24}, Contrast: 0.35, Scale: 3, Seed: 5}
		s.albedo = weave.at(hi.p.x, hi.p.y+hi.p.z)
		s.Finish = Finish{}
	}
	return s
}

// ambient is what a surfel throws of the light from everywhere towards the eye.
// open is the share of the sky over it that nothing moving hides.
func (st *scenery) ambient(s *surfel, eye vec, open float64) light {
	// Light from everywhere is stronger from above; from below comes what the
	// board throws back.
	around := float32((0.62 + 0.38*s.n.z) * s.under * open)
	out := s.albedo
	if s.metal {
		out = out.mul(0.35)
	}
	out = out.times(st.fill).mul(around)
	if s.Coat > 0 {
		f := s.fresnel(eye)
		// The dim room in the shine.
		out = out.add(st.fill.times(s.tint()).mul(float32(f * s.under * open * 0.55)))
	}
	return out
}

// lit is what a surfel throws of lamp k's light towards the eye when nothing is
// in the way.
func (st *scenery) lit(k int, s *surfel, eye vec) light {
	l := &st.lamps[k]
	d, dist, strength := l.toward(s.p)
	cos := d.dot(s.n)
	if cos <= 0 || strength <= 0 {
		return light{}
	}
	out := s.albedo.mul(float32(cos * strength))
	if s.metal {
		out = out.mul(0.15)
	}
	if s.Coat > 0 {
		if g := l.glint(s, eye, d, dist) * strength; g > 1e-4 {
			out = out.add(s.tint().mul(float32(g * s.fresnel(eye))))
		}
	}
	return out.times(l.colour)
}

// fresnel is the share of light that the coat throws back, by the angle of the
// eye (Schlick's approximation, 4 % square on).
func (s *surfel) fresnel(eye vec) float64 {
	c := 1 - clamp(eye.dot(s.n), 0, 1)
	base := 0.04
	if s.metal {
		base = 0.8
	}
	return s.Coat * (base + (1-base)*c*c*c*c*c)
}

func (s *surfel) tint() light {
	if s.metal {
		return s.albedo
	}
	return light{1, 1, 1}
}

// glint is the lamp's mirror image in the surface, blurred by its roughness: a
// lamp of solid angle Ω that lights a sheet to 1 shines with π/Ω, spread here
// over what roughness adds to Ω.
func (l *lamp) glint(s *surfel, eye, d vec, dist float64) float64 {
	m := s.n.mul(2 * eye.dot(s.n)).sub(eye) // where the eye's ray goes
	if m.dot(d) <= 0 {
		return 0
	}
	a := s.Rough * s.Rough
	blur := 0.006 + 1.1*a + 0.35*s.Rough*s.Rough // rad, half width
	if l.facing == (vec{}) {
		r := l.size / dist
		angle := math.Acos(clamp(m.dot(d), -1, 1))
		omega := math.Pi * (r*r + 2*blur*blur)
		return math.Pi / omega * edge(angle, r, blur)
	}
	// Through the panel's plane.
	along := m.dot(l.facing)
	if along >= -1e-3 {
		return 0
	}
	t := l.at.sub(s.p).dot(l.facing) / along
	q := s.p.add(m.mul(t)).sub(l.at)
	soft := blur * t
	u := edge(math.Abs(q.dot(l.u)), l.half[0], soft)
	v := edge(math.Abs(q.dot(l.v)), l.half[1], soft)
	tilt := -l.facing.dot(d)
	omega := 4*(l.half[0]+0.8*soft)*(l.half[1]+0.8*soft)*tilt/(dist*dist) + 1e-6
	return math.Pi / omega * u * v
}

// edge falls from 1 inside size to 0 outside it over about soft on either side,
// with a long foot as real coats have.
func edge(x, size, soft float64) float64 {
	t := (x - size) / soft
	switch {
	case t < -2:
		return 1
	case t > 9:
		return 0
	}
	return 0.88/(1+math.Exp(2.2*t)) + 0.12/(1+max(0, t+2)*max(0, t+2))*clamp(1-t/9, 0, 1)
}

// maxLight bounds what one sample counts: beyond it film and sensors are white.
const maxLight = 6

// look is what the eye sees of a surfel with all light and shadow. moving may
// be nil.
func (st *scenery) look(s *surfel, eye vec, moving *shadows) light {
	if s.kind == disc && s.p.z < 0 { // in the ditch or the hole
		in := ditch
		if hypot(s.p.x, s.p.y) < st.spec.Hole.Radius {
			in = holeFloor
		}
		s.under *= st.shut(in, s.p)
	}
	open := st.still.sky(s.p, -1)
	if moving != nil {
		open *= moving.sky(s.p, s.self)
	}
	out := st.ambient(s, eye, open)
	for k := range st.lamps {
		c := st.lit(k, s, eye)
		if c == (light{}) {
			continue
		}
		v := st.standing(k, s)
		if v > 0 && moving != nil {
			v *= moving.through(k, s.p, s.self, s.kind != handKin)
		}
		out = out.add(c.mul(float32(v)))
	}
	for i := range out {
		out[i] = min(out[i], maxLight)
	}
	return out
}

// standing is the share of light k that what stands still lets through to s.
func (st *scenery) standing(k int, s *surfel) float64 {
	v := st.walls(s.kind, s.p, &st.lamps[k])
	if v > 0 && s.kind != post && s.kind != thing {
		v *= st.still.through(k, s.p, -1, false)
	}
	return v
}
