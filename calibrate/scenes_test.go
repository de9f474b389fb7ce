package calibrate_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
)

// paint is the colour (blue, green, red) of a flat scene at a place, mm.
type paint func(x, y float64) [3]float64

// view is how a scene is photographed.
type view struct {
	tilt, towards float64 // degrees
	noise         float64 // sigma, of 255
	turn          float64 // degrees
	distance      float64 // mm
}

// views are a few of a person's, from straight above and aslant.
var views = []view{
	{0, 0, 3, 10, 1000},
	{22, 100, 6, 77, 1050},
	{40, 250, 3, 200, 1150},
}

// photograph is the scene as a camera sees it, with noise, and darker towards
// the corners.
func photograph(of paint, from view) *raster.Picture {
	const w, h = 720, 540
	s, c := math.Sincos(from.tilt * math.Pi / 180)
	st, ct := math.Sincos(from.towards * math.Pi / 180)
	cam := camera.Camera{
		Width: w, Height: h, F: w, CX: (w - 1) / 2.0, CY: (h - 1) / 2.0, K1: -0.02,
		R: camera.Facing(camera.Vec3{s * ct, s * st, -c}), T: camera.Vec3{20, -15, from.distance},
	}.Turned(from.turn * math.Pi / 180)
	random := rand.New(rand.NewPCG(1, uint64(from.turn)))
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
				b := sum[ch]*shade + from.noise*random.NormFloat64()
				p.Pix[3*(v*w+u)+ch] = float32(math.Round(min(max(b, 0), 255)))
			}
		}
	}
	return p
}

var (
	white = [3]float64{225, 230, 235}
	black = [3]float64{28, 26, 25}
	red   = [3]float64{40, 35, 190}
	green = [3]float64{60, 120, 20}
	blue  = [3]float64{190, 110, 40}
	gold  = [3]float64{60, 205, 240}
	cream = [3]float64{170, 215, 235}
	oak   = [3]float64{90, 140, 185}
)

// plain is a table of one colour.
func plain(c [3]float64) paint { return func(_, _ float64) [3]float64 { return c } }

// wood is a table with planks and grain.
func wood(c [3]float64) paint {
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
	return [][3]float64{white, {130, 130, 215}, red}[n]
}

// hoops are rings about a place, each colour out to its radius.
type hoops []struct {
	r float64
	c [3]float64
}

func (b hoops) over(ground paint, x0, y0 float64) paint {
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

func chessBoard(dark, light [3]float64, ground paint) paint {
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
func chessMen(board paint) paint {
	return func(x, y float64) [3]float64 {
		const square = 55
		row := math.Floor(y / square)
		if row == -4 || row == -3 || row == 2 || row == 3 {
			dx, dy := math.Mod(x+1e4*square, square)-square/2, math.Mod(y+1e4*square, square)-square/2
			if r := math.Hypot(dx, dy); math.Abs(x) < 4*square && r < 18 {
				shade := 40 - r*2
				c := cream
				if row > 0 {
					c = black
				}
				return [3]float64{c[0] + shade, c[1] + shade, c[2] + shade}
			}
		}
		return board(x, y)
	}
}

// dartBoard has its twenty sectors, double and treble rings, bulls and wires.
func dartBoard(size float64, ground paint) paint {
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
			return red
		case r < 15.9:
			return green
		case r > 99 && r < 107, r > 162 && r < 170:
			return of(red, green)
		case r < 170:
			return of(black, cream)
		case r < 225:
			if f := math.Mod(turn, 1); r > 185 && r < 210 && math.Abs(f-0.5) < 0.25 {
				return white // the numbers
			}
			return black
		}
		return ground(x, y)
	}
}

// archery has n evenly spaced rings, in pairs of one colour with a line
// between them.
func archery(n int, width float64, coloured bool, ground paint) paint {
	colours := [][3]float64{gold, red, blue, black, white}
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
			return white
		}
		return colours[min(k*5/n, 4)]
	}
}

// clock has a rim, a ring of ticks, numbers and hands.
func clock(face, ink [3]float64, ring bool, ground paint) paint {
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

// notBoards are pictures in which no crokinole board is, by name.
func notBoards() map[string]paint {
	return map[string]paint{
		"an empty table":               plain(cream),
		"an empty wooden table":        wood(oak),
		"a table cloth":                tartan,
		"a chess board":                chessBoard(black, white, wood(oak)),
		"a chess board with its men":   chessMen(chessBoard([3]float64{40, 70, 110}, cream, wood(oak))),
		"a dartboard":                  dartBoard(1.5, plain(oak)),
		"a smaller dartboard":          dartBoard(0.9, wood(oak)),
		"a dinner plate":               hoops{{95, white}, {97, [3]float64{190, 195, 200}}, {138, white}, {140, [3]float64{160, 165, 170}}}.over(wood(oak), 0, 0),
		"a plate with three blue rims": hoops{{90, cream}, {92, blue}, {165, cream}, {169, blue}, {230, cream}, {234, blue}, {250, cream}}.over(plain(oak), 0, 0),
		"an archery target":            archery(10, 30, true, wood(oak)),
		"a target of thin rings":       archery(10, 31, false, plain(oak)),
		"a target of five thin rings":  archery(5, 60, false, wood(oak)),
		"a round clock":                clock(white, black, false, plain(blue)),
		"a clock with a minute track":  clock(cream, [3]float64{30, 60, 90}, true, wood([3]float64{60, 90, 120})),
		"a cup on its saucer":          hoops{{52, [3]float64{20, 35, 60}}, {58, white}, {60, [3]float64{170, 175, 180}}, {88, white}, {91, [3]float64{190, 195, 200}}, {150, white}, {152, [3]float64{180, 185, 190}}}.over(wood(oak), -10, 5),
		"cup, saucer and plate":        hoops{{45, [3]float64{20, 35, 60}}, {50, white}, {80, cream}, {83, [3]float64{150, 170, 190}}, {150, cream}, {153, [3]float64{150, 170, 190}}, {240, cream}, {244, [3]float64{120, 140, 160}}}.over(plain([3]float64{80, 60, 50}), 0, 0),
	}
}

func (v view) String() string { return fmt.Sprintf("from %g° aside", v.tilt) }
