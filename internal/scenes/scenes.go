// Package scenes draws flat things as a camera sees them, for tests: tables,
// boards, and round things that are no board.
package scenes

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"math/rand/v2"

	"crokcam/board"
	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
)

// Paint is the colour (blue, green, red) of a flat scene at a place, mm.
type Paint func(x, y float64) [3]float64

// View is how a scene is photographed.
type View struct {
	Tilt, Towards float64 // degrees
	Noise         float64 // sigma, of 255
	Turn          float64 // degrees
	Distance      float64 // mm
}

// Views are a few of a person's, from straight above and aslant.
var Views = []View{
	{0, 0, 3, 10, 1000},
	{22, 100, 6, 77, 1050},
	{40, 250, 3, 200, 1150},
}

// Photograph is the scene as a camera sees it, with noise, and darker towards
// the corners.
func Photograph(of Paint, from View) *raster.Picture {
	const w, h = 720, 540
	s, c := math.Sincos(from.Tilt * math.Pi / 180)
	st, ct := math.Sincos(from.Towards * math.Pi / 180)
	cam := camera.Camera{
		Width: w, Height: h, F: w, CX: (w - 1) / 2.0, CY: (h - 1) / 2.0, K1: -0.02,
		R: camera.Facing(camera.Vec3{s * ct, s * st, -c}), T: camera.Vec3{20, -15, from.Distance},
	}.Turned(from.Turn * math.Pi / 180)
	random := rand.New(rand.NewPCG(1, uint64(from.Turn)))
	p := &raster.Picture{W: w, H: h, Scale: 1, Pix: make([]float32, 3*w*h)}
	for v := range h {
		for u := range w {
			var sum [3]float64
			for k := range 4 {
				x, y := cam.Unproject(float64(u)+float64(k%2)/2-0.25, float64(v)+float64(k/2)/2-0.25, 0)
				for ch, b := range of(x, y) {
					sum[ch] += b / 4
				}
			}
			du, dv := float64(u)/w-0.5, float64(v)/h-0.5
			shade := 1.05 - 0.5*(du*du+dv*dv)
			for ch := range sum {
				b := sum[ch]*shade + from.Noise*random.NormFloat64()
				p.Pix[3*(v*w+u)+ch] = float32(math.Round(min(max(b, 0), 255)))
			}
		}
	}
	return p
}

// JPEG is a picture as a file.
func JPEG(p *raster.Picture) []byte {
	m := image.NewRGBA(image.Rect(0, 0, p.W, p.H))
	for i := range p.W * p.H {
		b := p.Pix[3*i:]
		copy(m.Pix[4*i:], []byte{byte(b[2]), byte(b[1]), byte(b[0]), 255})
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 92}); err != nil {
		panic(err) // it was written to memory
	}
	return out.Bytes()
}

// Colours of things.
var (
	White = [3]float64{225, 230, 235}
	Black = [3]float64{28, 26, 25}
	Red   = [3]float64{40, 35, 190}
	green = [3]float64{60, 120, 20}
	blue  = [3]float64{190, 110, 40}
	gold  = [3]float64{60, 205, 240}
	cream = [3]float64{170, 215, 235}
	Oak   = [3]float64{90, 140, 185}
)

// Plain is a table of one colour.
func Plain(c [3]float64) Paint { return func(_, _ float64) [3]float64 { return c } }

// Wood is a table with planks and grain.
func Wood(c [3]float64) Paint {
	return func(x, y float64) [3]float64 {
		plank := math.Floor(y / 120)
		grain := 10*math.Sin(0.35*y+2*math.Sin(0.004*x+plank)) + 6*math.Sin(1.1*y+0.01*x+7*plank)
		if math.Mod(math.Abs(y), 120) < 2 {
			grain = -50
		}
		return [3]float64{c[0] + grain, c[1] + grain, c[2] + grain}
	}
}

// tartan is a table cloth of squares.
func tartan(x, y float64) [3]float64 {
	n := 0
	for _, v := range []float64{x, y} {
		if math.Mod(v+1e5, 80) < 40 {
			n++
		}
	}
	return [][3]float64{White, {130, 130, 215}, Red}[n]
}

// hoops are rings about a place, each colour out to its radius.
type hoops []struct {
	r float64
	c [3]float64
}

func (b hoops) over(ground Paint, x0, y0 float64) Paint {
	return func(x, y float64) [3]float64 {
		r := math.Hypot(x-x0, y-y0)
		for _, band := range b {
			if r < band.r {
				return band.c
			}
		}
		return ground(x, y)
	}
}

func chessBoard(dark, light [3]float64, ground Paint) Paint {
	return func(x, y float64) [3]float64 {
		const square = 55
		if m := max(math.Abs(x), math.Abs(y)); m > 4*square {
			if m < 4*square+25 {
				return dark
			}
			return ground(x, y)
		}
		if int(math.Floor(x/square)+math.Floor(y/square))%2 == 0 {
			return dark
		}
		return light
	}
}

// chessMen is a chess board with round pieces on it.
func chessMen(board Paint) Paint {
	return func(x, y float64) [3]float64 {
		const square = 55
		row := math.Floor(y / square)
		if row == -4 || row == -3 || row == 2 || row == 3 {
			dx, dy := math.Mod(x+1e4*square, square)-square/2, math.Mod(y+1e4*square, square)-square/2
			if r := math.Hypot(dx, dy); math.Abs(x) < 4*square && r < 18 {
				shade := 40 - r*2
				c := cream
				if row > 0 {
					c = Black
				}
				return [3]float64{c[0] + shade, c[1] + shade, c[2] + shade}
			}
		}
		return board(x, y)
	}
}

// dartBoard has its twenty sectors, double and treble rings, bulls and wires.
func dartBoard(size float64, ground Paint) Paint {
	return func(x, y float64) [3]float64 {
		r := math.Hypot(x, y) / size
		turn := math.Mod(math.Atan2(y, x)*10/math.Pi+40.5, 20)
		odd := int(turn)%2 == 0
		wire := [3]float64{150, 155, 160}
		for _, ring := range []float64{6.35, 15.9, 99, 107, 162, 170} {
			if math.Abs(r-ring) < 0.7 {
				return wire
			}
		}
		if f := math.Mod(turn, 1); r > 15.9 && r < 170 && min(f, 1-f)*r*math.Pi/10 < 0.7 {
			return wire
		}
		of := func(a, b [3]float64) [3]float64 {
			if odd {
				return a
			}
			return b
		}
		switch {
		case r < 6.35:
			return Red
		case r < 15.9:
			return green
		case r > 99 && r < 107, r > 162 && r < 170:
			return of(Red, green)
		case r < 170:
			return of(Black, cream)
		case r < 225:
			if f := math.Mod(turn, 1); r > 185 && r < 210 && math.Abs(f-0.5) < 0.25 {
				return White // the numbers
			}
			return Black
		}
		return ground(x, y)
	}
}

// archery has n evenly spaced rings, in pairs of one colour with a line
// between them.
func archery(n int, width float64, coloured bool, ground Paint) Paint {
	colours := [][3]float64{gold, Red, blue, Black, White}
	return func(x, y float64) [3]float64 {
		r := math.Hypot(x, y)
		k := int(r / width)
		if k >= n {
			return ground(x, y)
		}
		if math.Abs(r-math.Round(r/width)*width) < 1 {
			return [3]float64{90, 90, 90}
		}
		if !coloured {
			return White
		}
		return colours[min(k*5/n, 4)]
	}
}

// clock has a rim, a ring of ticks, numbers and hands.
func clock(face, ink [3]float64, ring bool, ground Paint) Paint {
	return func(x, y float64) [3]float64 {
		r, a := math.Hypot(x, y), math.Atan2(y, x)
		minute := math.Mod(a*30/math.Pi+60.5, 1) - 0.5
		hour := math.Mod(a*6/math.Pi+12.5, 1) - 0.5
		switch {
		case r > 320:
			return ground(x, y)
		case r > 290:
			return ink
		case r > 262 && r < 280 && math.Abs(minute)*r*math.Pi/30 < 1.5:
			return ink
		case ring && (math.Abs(r-262) < 1.2 || math.Abs(r-280) < 1.2):
			return ink
		case r > 215 && r < 250 && math.Abs(hour)*r*math.Pi/6 < 12 && math.Mod(x+1e4, 9) < 5:
			return ink
		case r < 12, y > 0 && y < 150 && math.Abs(x) < 7, x > 0 && x < 220 && math.Abs(y-0.3*x) < 4:
			return ink
		}
		return face
	}
}

// NotBoards are pictures in which no crokinole board is, by name.
func NotBoards() map[string]Paint {
	return map[string]Paint{
		"an empty table":               Plain(cream),
		"an empty wooden table":        Wood(Oak),
		"a table cloth":                tartan,
		"a chess board":                chessBoard(Black, White, Wood(Oak)),
		"a chess board with its men":   chessMen(chessBoard([3]float64{40, 70, 110}, cream, Wood(Oak))),
		"a dartboard":                  dartBoard(1.5, Plain(Oak)),
		"a smaller dartboard":          dartBoard(0.9, Wood(Oak)),
		"a dinner plate":               hoops{{95, White}, {97, [3]float64{190, 195, 200}}, {138, White}, {140, [3]float64{160, 165, 170}}}.over(Wood(Oak), 0, 0),
		"a plate with three blue rims": hoops{{90, cream}, {92, blue}, {165, cream}, {169, blue}, {230, cream}, {234, blue}, {250, cream}}.over(Plain(Oak), 0, 0),
		"an archery target":            archery(10, 30, true, Wood(Oak)),
		"a target of thin rings":       archery(10, 31, false, Plain(Oak)),
		"a target of five thin rings":  archery(5, 60, false, Wood(Oak)),
		"a round clock":                clock(White, Black, false, Plain(blue)),
		"a clock with a minute track":  clock(cream, [3]float64{30, 60, 90}, true, Wood([3]float64{60, 90, 120})),
		"a cup on its saucer":          hoops{{52, [3]float64{20, 35, 60}}, {58, White}, {60, [3]float64{170, 175, 180}}, {88, White}, {91, [3]float64{190, 195, 200}}, {150, White}, {152, [3]float64{180, 185, 190}}}.over(Wood(Oak), -10, 5),
		"cup, saucer and plate":        hoops{{45, [3]float64{20, 35, 60}}, {50, White}, {80, cream}, {83, [3]float64{150, 170, 190}}, {150, cream}, {153, [3]float64{150, 170, 190}}, {240, cream}, {244, [3]float64{120, 140, 160}}}.over(Plain([3]float64{80, 60, 50}), 0, 0),
	}
}

func (v View) String() string { return fmt.Sprintf("from %g° aside", v.Tilt) }

// Crokinole is a board about a place, with its posts and a few discs.
func Crokinole(ground Paint, x0, y0, size, turn float64) Paint {
	spec := board.Tournament26()
	posts := spec.PostCentres()
	discs := []board.Point{{X: 60, Y: 40}, {X: -150, Y: 20}, {X: 40, Y: -250}, {X: -90, Y: 140}, {X: 210, Y: 130}}
	sin, cos := math.Sincos(turn)
	return func(xt, yt float64) [3]float64 {
		x, y := (xt-x0)/size, (yt-y0)/size
		x, y = x*cos+y*sin, y*cos-x*sin
		r := math.Hypot(x, y)
		for i, d := range discs {
			if math.Hypot(x-d.X, y-d.Y) < spec.Disc.Radius {
				return [][3]float64{Black, Red}[i%2]
			}
		}
		for _, p := range posts {
			if math.Hypot(x-p.X, y-p.Y) < spec.Posts.Diameter/2 {
				return Black
			}
		}
		for _, line := range []board.Ring{spec.Fifteen, spec.Ten, spec.Start} {
			if r > line.Inner() && r < line.Outer {
				return Black
			}
		}
		across := min(math.Abs(x-y), math.Abs(x+y)) / math.Sqrt2
		switch {
		case r < spec.Hole.Radius:
			return [3]float64{30, 60, 90}
		case r > spec.Ten.Outer && r < spec.Start.Inner() && across < 0.8:
			return Black
		case r < spec.Surface:
			return [3]float64{130, 190, 225}
		case r < spec.Surface+spec.Ditch:
			return [3]float64{50, 90, 120}
		case r < spec.Surface+spec.Ditch+20:
			return [3]float64{35, 60, 85}
		}
		return ground(xt, yt)
	}
}
