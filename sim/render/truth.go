package render

import (
	"cmp"
	"math"
	"slices"

	"crokcam/board"
)

// note explains a picture's truth to whoever opens the file.
const note = "Millimetres and pixels; angles in degrees. The world is the board frame: the origin is the centre of the hole on the playing surface, x to the right, y away from the south player, z up. x_cam = R·X + t (x right, y down, z forward); xn = (x/z, y/z); xd = xn·(1 + k1·|xn|²); pixel = (f·xd + cx, f·yd + cy), pixel centres at whole numbers. The first quadrant line lies at board.rotation_deg counter-clockwise from +x, the posts at rotation_deg + posts.offset_deg + 360/count·k; board_frame_xy_mm is xy_mm turned back by rotation_deg. A line's band reaches from outer_radius_mm - width_mm to outer_radius_mm, and a disc touches it as soon as it passes the inner edge: gap = inner edge - (distance of the disc's centre from the board's + its radius). gap_mm is the gap of least size. score: in the hole 20, else by the gaps 15, 10, 5 or 0; ditch and table 0; no rule of validity is applied. expected_px is the area of the hull of a disc's top and foot circles in the picture, visible_fraction the pixels that show the disc over it."

// Truth is what is known about a picture, as it is written beside it.
type Truth struct {
	Image     string           `json:"image"`
	Size      [2]int           `json:"size"`
	Seed      uint64           `json:"seed"`
	Note      string           `json:"note"`
	Kind      Kind             `json:"-"`
	View      string           `json:"view"`
	Lighting  string           `json:"lighting"`
	Colours   []string         `json:"colour_set"`
	Load      string           `json:"load"`
	BoardKind string           `json:"board_kind"`
	Finish    string           `json:"board_finish"`
	Table     string           `json:"table"`
	Hand      bool             `json:"hand"`
	Cropped   bool             `json:"cropped_rail"`
	Clutter   []string         `json:"clutter"`
	Camera    CameraTruth      `json:"camera"`
	Board     BoardTruth       `json:"board"`
	DiscShape DiscShape        `json:"disc_shape"`
	Discs     []DiscTruth      `json:"discs"`
	Totals    map[string]Total `json:"totals"`
	HandPx    float64          `json:"hand_px"`
	Lens      Lens             `json:"post"`
}

// Kind is what sort of picture it is, in words by which failures are counted.
type Kind struct {
	View, Lighting, Load, Board, Finish, Table string
	Colours                                    []string
	Cropped                                    bool
}

// CameraTruth is where the picture was taken from.
type CameraTruth struct {
	K          [3][3]float64 `json:"K"`
	Distortion Distortion    `json:"distortion"`
	R          [3][3]float64 `json:"R"`
	T          [3]float64    `json:"t_mm"`
	Centre     [3]float64    `json:"centre_mm"`
	Tilt       float64       `json:"tilt_deg"`
	Distance   float64       `json:"distance_mm"`
}

// Distortion is a lens's.
type Distortion struct {
	Model string  `json:"model"`
	K1    float64 `json:"k1"`
}

// RingTruth is one printed circle.
type RingTruth struct {
	Outer float64 `json:"outer_radius_mm"`
	Inner float64 `json:"inner_radius_mm"`
	Width float64 `json:"width_mm"`
}

// BoardTruth is the board of a picture.
type BoardTruth struct {
	Name     string               `json:"name"`
	Rotation float64              `json:"rotation_deg"`
	CentrePx [2]float64           `json:"centre_px"`
	Surface  float64              `json:"surface_radius_mm"`
	Hole     float64              `json:"hole_radius_mm"`
	Depth    float64              `json:"hole_depth_mm"`
	HoleRGB  RGB                  `json:"hole_rgb"`
	Lines    map[string]RingTruth `json:"lines"`
	LineRGB  RGB                  `json:"line_rgb"`
	Numbers  bool                 `json:"numbers"`
	Posts    PostsTruth           `json:"posts"`
	Ditch    DitchTruth           `json:"ditch"`
	Rail     RailTruth            `json:"rail"`
	TableZ   float64              `json:"table_z_mm"`
}

// PostsTruth is the posts of a board.
type PostsTruth struct {
	Kind     string       `json:"kind"`
	Count    int          `json:"count"`
	Diameter float64      `json:"diameter_mm"`
	Height   float64      `json:"height_mm"`
	Ring     float64      `json:"ring_radius_mm"`
	Offset   float64      `json:"offset_deg"`
	XY       [][2]float64 `json:"xy_mm"`
	BasePx   [][2]float64 `json:"base_px"`
	TopPx    [][2]float64 `json:"top_px"`
}

// DitchTruth is the ditch of a board.
type DitchTruth struct {
	Depth float64 `json:"depth_mm"`
	Width float64 `json:"width_mm"`
	RGB   RGB     `json:"rgb"`
}

// RailTruth is the rail of a board.
type RailTruth struct {
	Shape string  `json:"shape"`
	Inner float64 `json:"inner_radius_mm"`
	Width float64 `json:"width_mm"`
	TopZ  float64 `json:"top_z_mm"`
	Flat  float64 `json:"octagon_flat_offset_deg"`
}

// DiscShape is the shape that the discs of a picture share.
type DiscShape struct {
	Radius    float64 `json:"nominal_radius_mm"`
	Thickness float64 `json:"thickness_mm"`
	Bevel     float64 `json:"bevel_mm"`
	Dish      float64 `json:"concavity_mm"`
}

// DiscTruth is one disc of a picture.
type DiscTruth struct {
	ID          int                `json:"id"`
	Colour      string             `json:"colour"`
	RGB         RGB                `json:"rgb"`
	XY          [2]float64         `json:"xy_mm"`
	BoardXY     [2]float64         `json:"board_frame_xy_mm"`
	Distance    float64            `json:"centre_dist_mm"`
	Base        [3]float64         `json:"base_centre_xyz_mm"`
	Top         [3]float64         `json:"top_centre_xyz_mm"`
	Axis        [3]float64         `json:"axis"`
	Radius      float64            `json:"radius_mm"`
	Thickness   float64            `json:"thickness_mm"`
	Location    string             `json:"location"`
	InHole      bool               `json:"in_hole"`
	Tilted      bool               `json:"tilted"`
	Tilt        float64            `json:"tilt_deg"`
	Score       int                `json:"score"`
	Gap         float64            `json:"gap_mm"`
	GapLine     string             `json:"gap_line"`
	Gaps        map[string]float64 `json:"gaps_to_inner_edges_mm"`
	Case        string             `json:"case"`
	Touching    []int              `json:"touching_discs"`
	TopPx       [2]float64         `json:"top_centre_px"`
	BasePx      [2]float64         `json:"base_centre_px"`
	TopOutline  [][2]float64       `json:"top_outline_px"`
	BaseOutline [][2]float64       `json:"base_outline_px"`
	Expected    float64            `json:"expected_px"`
	Visible     *float64           `json:"visible_fraction"` // null where it was not measured
	InFrame     bool               `json:"fully_in_frame"`
}

// Total is what one side has.
type Total struct {
	Score   int `json:"score"`
	Surface int `json:"surface"`
	Hole    int `json:"hole"`
	Ditch   int `json:"ditch"`
	Table   int `json:"table"`
	Count   int `json:"count"`
}

// TruthOf is what is known about a scene's picture. shot may be nil: then
// nothing is said about what is visible.
func TruthOf(s *Scene, k Kind, shot *Shot) *Truth {
	c := &s.Camera
	t := &Truth{
		Size: [2]int{c.Width, c.Height}, Note: note, Kind: k,
		View: k.View, Lighting: k.Lighting, Colours: k.Colours, Load: k.Load, BoardKind: k.Board,
		Finish: k.Finish, Table: k.Table, Hand: len(s.Hands) > 0, Cropped: k.Cropped, Clutter: []string{},
		Camera: CameraTruth{
			K:          [3][3]float64{{c.F, 0, c.CX}, {0, c.F, c.CY}, {0, 0, 1}},
			Distortion: Distortion{Model: "opencv radial k1 only", K1: c.K1},
			R:          c.R, T: c.T, Centre: c.Centre(), Tilt: degrees(c.Tilt()), Distance: from(c.Centre()).len(),
		},
		Board: boardTruth(s), Discs: []DiscTruth{}, Totals: map[string]Total{}, Lens: s.Lens,
	}
	for _, th := range s.Things {
		t.Clutter = append(t.Clutter, th.Kind.String())
	}
	if len(s.Discs) > 0 {
		d := s.Discs[0]
		t.DiscShape = DiscShape{s.Board.Disc.Radius, s.Board.Disc.Thickness, d.Bevel, d.Dish}
	}
	for i := range s.Discs {
		d := discTruth(s, i)
		if shot != nil {
			if d.Expected > 0 {
				v := round(shot.Seen[i]/d.Expected, 3)
				d.Visible = &v
			}
			t.HandPx = round(shot.HandSeen, 1)
		}
		t.Discs = append(t.Discs, d)
		sum := t.Totals[d.Colour]
		sum.Score += d.Score
		sum.Count++
		switch s.Discs[i].Place {
		case OnSurface, Leaning:
			sum.Surface++
		case InHole:
			sum.Hole++
		case InDitch:
			sum.Ditch++
		case OnTable:
			sum.Table++
		}
		t.Totals[d.Colour] = sum
	}
	return t
}

func boardTruth(s *Scene) BoardTruth {
	b, l, c := &s.Board, &s.Look, &s.Camera
	at := func(x, y, z float64) [2]float64 {
		u, v := c.Project(x, y, z)
		return [2]float64{round(u, 3), round(v, 3)}
	}
	ring := func(r board.Ring) RingTruth { return RingTruth{r.Outer, r.Inner(), r.Width} }
	out := BoardTruth{
		Name: b.Name, Rotation: degrees(b.Quadrants.Angle), CentrePx: at(0, 0, 0), Surface: b.Surface,
		Hole: b.Hole.Radius, Depth: b.Hole.Depth, HoleRGB: l.Hole.A,
		Lines:   map[string]RingTruth{"line15": ring(b.Fifteen), "line10": ring(b.Ten), "line5": ring(b.Start)},
		LineRGB: l.Line.Colour, Numbers: l.Numbers.Opacity > 0,
		Posts: PostsTruth{
			Kind: l.Posts.String(), Count: b.Posts.Count, Diameter: b.Posts.Diameter, Height: b.Posts.Height,
			Ring: b.Posts.Radius, Offset: degrees(b.Posts.Angle), XY: [][2]float64{}, BasePx: [][2]float64{}, TopPx: [][2]float64{},
		},
		Ditch:  DitchTruth{l.RailMM.DitchDepth, b.Ditch, l.Ditch.A},
		Rail:   RailTruth{l.Shape.String(), b.Surface + b.Ditch, l.RailMM.Width, l.RailMM.Height, degrees(l.RailMM.Turn)},
		TableZ: -l.RailMM.DitchDepth - l.RailMM.Base,
	}
	for _, p := range b.PostCentres() {
		out.Posts.XY = append(out.Posts.XY, [2]float64{p.X, p.Y})
		out.Posts.BasePx = append(out.Posts.BasePx, at(p.X, p.Y, 0))
		out.Posts.TopPx = append(out.Posts.TopPx, at(p.X, p.Y, b.Posts.Height))
	}
	return out
}

func discTruth(s *Scene, i int) DiscTruth {
	d, b, c := &s.Discs[i], &s.Board, &s.Camera
	axis, top := d.axis(), d.Top()
	p := board.Point{X: d.Foot[0], Y: d.Foot[1]}
	edge := p.Radius() + d.Radius
	gaps := map[string]float64{}
	line, least := "", math.Inf(1)
	score := 0
	for _, r := range []struct {
		name   string
		ring   board.Ring
		points int
	}{{"line5", b.Start, 5}, {"line10", b.Ten, 10}, {"line15", b.Fifteen, 15}} {
		g := r.ring.Inner() - edge
		gaps[r.name] = round(g, 3)
		if math.Abs(g) < math.Abs(least) {
			line, least = r.name, g
		}
		if g > 0 {
			score = r.points
		}
	}
	switch d.Place {
	case InHole:
		score = 20
	case InDitch, OnTable:
		score = 0
	}
	sin, cos := math.Sincos(-b.Quadrants.Angle)
	out := DiscTruth{
		ID: d.ID, Colour: d.Side, RGB: d.Face.A, XY: [2]float64{round(p.X, 3), round(p.Y, 3)},
		BoardXY:  [2]float64{round(cos*p.X-sin*p.Y, 3), round(sin*p.X+cos*p.Y, 3)},
		Distance: round(p.Radius(), 3), Base: round3(d.Foot), Top: round3(top),
		Axis: [3]float64{round(axis.x, 6), round(axis.y, 6), round(axis.z, 6)}, Radius: round(d.Radius, 3), Thickness: round(d.Thickness, 3),
		Location: d.Place.String(), InHole: d.Place == InHole, Tilt: round(degrees(math.Acos(clamp(axis.z, -1, 1))), 3),
		Score: score, Gap: round(least, 3), GapLine: line, Gaps: gaps, Case: d.Case, Touching: []int{},
	}
	out.Tilted = out.Tilt > 0.5
	for k := range s.Discs {
		e := &s.Discs[k]
		if k != i && math.Abs(e.Foot[2]-d.Foot[2]) < d.Thickness &&
			math.Hypot(e.Foot[0]-d.Foot[0], e.Foot[1]-d.Foot[1]) < d.Radius+e.Radius+0.3 {
			out.Touching = append(out.Touching, e.ID)
		}
	}
	at := func(v vec) [2]float64 {
		u, w := c.Project(v.x, v.y, v.z)
		return [2]float64{u, w}
	}
	f := frameAlong(axis)
	outline := func(centre vec, n int) [][2]float64 {
		var o [][2]float64
		for k := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			o = append(o, at(centre.add(f.out(vec{d.Radius * cos, d.Radius * sin, 0}))))
		}
		return o
	}
	foot, head := from(d.Foot), from(top)
	out.TopPx, out.BasePx = round2(at(head)), round2(at(foot))
	hull := append(outline(head, 48), outline(foot, 48)...)
	out.Expected = round(hullArea(hull), 1)
	out.InFrame = true
	for _, q := range hull {
		if !(q[0] >= 0 && q[1] >= 0 && q[0] <= float64(c.Width-1) && q[1] <= float64(c.Height-1)) {
			out.InFrame = false
		}
	}
	for _, q := range outline(head, 12) {
		out.TopOutline = append(out.TopOutline, round2(q))
	}
	for _, q := range outline(foot, 12) {
		out.BaseOutline = append(out.BaseOutline, round2(q))
	}
	return out
}

// hullArea is the area of the convex hull of points.
func hullArea(p [][2]float64) float64 {
	p = slices.Clone(p)
	slices.SortFunc(p, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	half := func() (chain [][2]float64) {
		for _, q := range p {
			for len(chain) > 1 {
				a, b := chain[len(chain)-2], chain[len(chain)-1]
				if (b[0]-a[0])*(q[1]-a[1])-(b[1]-a[1])*(q[0]-a[0]) > 0 {
					break
				}
				chain = chain[:len(chain)-1]
			}
			chain = append(chain, q)
		}
		return chain
	}
	hull := half()
	slices.Reverse(p)
	hull = append(hull, half()...)
	area := 0.0
	for i, a := range hull {
		b := hull[(i+1)%len(hull)]
		area += a[0]*b[1] - b[0]*a[1]
	}
	return math.Abs(area) / 2
}

func degrees(rad float64) float64 { return rad * 180 / math.Pi }

func round(v float64, digits int) float64 {
	k := math.Pow(10, float64(digits))
	return math.Round(v*k) / k
}

func round2(v [2]float64) [2]float64 { return [2]float64{round(v[0], 3), round(v[1], 3)} }
func round3(v [3]float64) [3]float64 {
	return [3]float64{round(v[0], 3), round(v[1], 3), round(v[2], 3)}
}
