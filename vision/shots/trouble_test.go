package shots_test

import (
	"context"
	"errors"
	"io"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/sim/render/show"
	"crokcam/vision"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// sharpBoard is an empty board drawn large enough for discs to be made out.
var sharpBoard = sync.OnceValues(func() ([]byte, error) {
	c := show.Default()
	c.Seed, c.Width, c.Height, c.Hasty, c.View, c.Light, c.Shots = 3, 1280, 720, true, "overhead", "panels", 1
	s, err := show.New(context.Background(), c)
	if err != nil {
		return nil, err
	}
	f, err := s.Next(context.Background())
	if err != nil {
		return nil, err
	}
	return f.I420, nil
})

// overSharpBoard is over a board whose place is known; it is looked for once.
func overSharpBoard(t *testing.T) *camera {
	empty, err := sharpBoard()
	require.NoError(t, err)
	c := &camera{t: t, empty: empty, w: 1280, h: 720, watch: shots.New(shots.Options{})}
	if sharpPlace == nil {
		c.laid(14)
		sharpPlace = c.watch.Calibration()
	}
	c.watch = shots.New(shots.Options{Calibration: sharpPlace})
	return c
}

var sharpPlace *calibrate.Calibration

func TestABoardWhosePlaceIsKnownIsTakenAsItLies(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14, dark(c, -100, 120), light(c, 150, -40), dark(c, 60, 180))
	require.Equal(t, shots.Idle, c.state())
	require.NotContains(t, c.heard(), string(shots.Puzzled))
	require.Len(t, c.watch.Discs(), 3)
}

// patch is something of one colour that is laid over the picture; x and y are px.
type patch struct {
	over    func(x, y float64) bool
	y, u, v byte
}

// disc is a disc on the board, mm.
func (c *camera) disc(at board.Point, y, u, v byte) patch {
	cal := c.watch.Calibration()
	px, py := cal.Camera.Project(at.X, at.Y, cal.Board.Disc.Thickness)
	r := cal.Board.Disc.Radius / cal.Quality.MMPerPx
	return patch{func(x, y float64) bool { return math.Hypot(x-px, y-py) < r }, y, u, v}
}

func dark(c *camera, x, y float64) patch  { return c.disc(board.Point{X: x, Y: y}, 40, 128, 128) }
func light(c *camera, x, y float64) patch { return c.disc(board.Point{X: x, Y: y}, 225, 128, 128) }
func blue(c *camera, x, y float64) patch  { return c.disc(board.Point{X: x, Y: y}, 110, 200, 90) }

// drawn is the picture of the board with things lying on it.
func (c *camera) drawn(things ...patch) []byte {
	out := append([]byte(nil), c.empty...)
	for _, p := range things {
		for y := range c.h {
			for x := range c.w {
				if p.over(float64(x), float64(y)) {
					out[y*c.w+x] = p.y
					k := y/2*c.w/2 + x/2
					out[c.w*c.h+k], out[c.w*c.h*5/4+k] = p.u, p.v
				}
			}
		}
	}
	return out
}

// laid shows frames of the board with things lying on it.
func (c *camera) laid(n int, things ...patch) {
	drawn := c.drawn(things...)
	for i, v := range drawn {
		black := 16.0
		if i >= c.w*c.h {
			black = 128
		}
		lost := c.dim
		if i < c.w*c.h && i%c.w > c.w/2 {
			lost += c.veil
		}
		drawn[i] = byte(float64(v) - lost*(float64(v)-black) + 0.5)
	}
	var two [2]capture.Frame // with noise of their own
	for k := range two {
		f := &two[k]
		require.NoError(c.t, f.Put(drawn, c.w, c.h, capture.I420))
		for i := range f.Y {
			c.seed = c.seed*1664525 + 1013904223
			f.Y[i] += byte(c.seed>>31) - byte(c.seed>>30&1)
		}
	}
	for k := range n {
		c.show(&two[k%2])
	}
}

// sleeve reaches over the board from the picture's right edge, or from its left.
func (c *camera) sleeve(fromLeft bool, buttons ...float64) patch {
	r := c.watch.Calibration().Board.Disc.Radius / c.watch.Calibration().Quality.MMPerPx
	return patch{func(x, y float64) bool {
		if fromLeft {
			x = float64(c.w) - x
		}
		for _, b := range buttons { // holes in it, as round and as large as discs
			if math.Hypot(x-b*float64(c.w), y-float64(c.h)/2) < r {
				return false
			}
		}
		return x > float64(c.w)/2+20 && math.Abs(y-float64(c.h)/2) < float64(c.h)/12
	}, 70, 120, 135}
}

// like gives discs that are by so much brighter than the board at a place, and of its colour.
func (c *camera) like(place board.Point, by byte) func(c *camera, x, y float64) patch {
	u, v := c.watch.Calibration().Camera.Project(place.X, place.Y, 0)
	k, chroma := int(v)*c.w+int(u), int(v)/2*c.w/2+int(u)/2
	return func(c *camera, x, y float64) patch {
		return c.disc(board.Point{X: x, Y: y}, c.empty[k]+by, c.empty[c.w*c.h+chroma], c.empty[c.w*c.h*5/4+chroma])
	}
}

// ditch is how far from the middle the ditch is, mm, and a place in it.
func (c *camera) ditch() (r float64, at board.Point) {
	spec := c.watch.Calibration().Board
	r = spec.Surface + spec.Ditch/2
	return r, board.Point{X: 0.8 * r, Y: -0.6 * r}
}

// shot is the shot that was told of last; there has to be one.
func (c *camera) shot() (out *shots.Shot) {
	for _, e := range c.said {
		if e.Kind == shots.ShotFound {
			out = e.Shot
		}
	}
	require.NotNil(c.t, out, "%v", c.heard())
	return out
}

// arranged has a hand lay discs on the board, and somebody say that they lie so.
func (c *camera) arranged(things ...patch) {
	c.accepted(len(things), things...)
}

// accepted is arranged for things of which so many are discs on the board.
func (c *camera) accepted(discs int, things ...patch) {
	c.laid(3, append([]patch{c.sleeve(true)}, things...)...)
	c.laid(12, things...)
	c.watch.Accept()
	c.laid(12, things...)
	require.Len(c.t, c.watch.Discs(), discs)
	c.heard()
}

func TestHandsAndSleevesLeaveTheBoardAsItIs(t *testing.T) {
	for name, things := range map[string]func(c *camera) []patch{
		"two hands":             func(c *camera) []patch { return []patch{c.sleeve(false), c.sleeve(true)} },
		"a sleeve with buttons": func(c *camera) []patch { return []patch{c.sleeve(false, 0.56, 0.62, 0.68)} },
	} {
		t.Run(name, func(t *testing.T) {
			c := overSharpBoard(t)
			c.laid(14)
			c.heard()
			c.laid(30, things(c)...)
			require.Equal(t, shots.Hand, c.state(), "however long it rests there")
			c.laid(20)
			require.Equal(t, shots.Idle, c.state())
			require.Empty(t, c.watch.Discs())
			require.NotContains(t, c.heard(), string(shots.ShotFound))
		})
	}
}

// Discs that lie together in the ditch, from the surface to the rail, are no arm.
func TestDiscsUpToTheRailAreNoHand(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	cal := c.watch.Calibration()
	spec := cal.Board
	u, v := cal.Camera.Project(0, -(spec.Surface + spec.Ditch/2), 0)
	row := patch{func(x, y float64) bool {
		if math.Hypot(x-u, y-v) > 100/cal.Quality.MMPerPx {
			return false
		}
		bx, by := cal.Camera.Unproject(x, y, spec.Disc.Thickness/2)
		r := math.Hypot(bx, by)
		return math.Abs(bx) < 18 && r > spec.Surface-4 && r < spec.Surface+spec.Ditch+26
	}, 200, 128, 128}
	c.heard()
	c.laid(4, c.sleeve(false), row)
	c.laid(12, row)
	require.NotEqual(t, shots.Hand, c.state(), "%v", c.heard())
}

func TestAHandThatLayThereWhenTheBoardWasFoundIsNoneWhenItHasGone(t *testing.T) {
	c := overSharpBoard(t)
	hand := c.sleeve(false)
	c.watch = shots.New(shots.Options{})
	c.laid(14, hand)
	require.Equal(t, shots.Idle, c.state())
	c.laid(20)
	require.Equal(t, shots.Hand, c.state(), "so it seems")
	c.laid(100)
	require.Equal(t, shots.Idle, c.state())
	require.NotContains(t, c.heard(), string(shots.ShotFound))
}

func TestWhatIsNoDiscIsAskedAbout(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	c.heard()
	mm := 1 / c.watch.Calibration().Quality.MMPerPx
	u, v := c.watch.Calibration().Camera.Project(90, 60, 0)
	phone := patch{func(x, y float64) bool { return math.Abs(x-u) < 36*mm && math.Abs(y-v) < 75*mm }, 35, 130, 126}
	c.laid(4, phone, c.sleeve(false))
	c.laid(40, phone)
	require.Equal(t, shots.Desynced, c.state())
	require.Contains(t, c.heard(), string(shots.Puzzled))
	require.Empty(t, c.watch.Discs(), "as it was understood last")

	c.laid(4, phone, c.sleeve(false))
	c.laid(45)
	require.Equal(t, shots.Desynced, c.state(), "it has been taken away again, but by whom and what for")
	c.watch.Accept()
	c.laid(12)
	require.Equal(t, shots.Idle, c.state())
	require.NotContains(t, c.heard(), string(shots.ShotFound))
}

// A disc with its shadow may make a larger change than strange things do.
func TestADiscThatIsTakenOffWithItsLongShadowIsNothingStrange(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	mm := 1 / c.watch.Calibration().Quality.MMPerPx
	u, v := c.watch.Calibration().Camera.Project(-100, 60, 0)
	shadow := patch{func(x, y float64) bool { return x > u && x < u+75*mm && math.Abs(y-v) < 15*mm }, 60, 128, 128}
	lying := []patch{shadow, dark(c, -100, 60), light(c, 150, -40)}
	c.accepted(2, lying...)
	for i, d := range c.watch.Discs() {
		if d.X < 0 {
			c.watch.ExpectGone([]int{i})
		}
	}
	c.laid(4, append([]patch{c.sleeve(true)}, lying...)...)
	c.laid(20, lying[2])
	require.Equal(t, shots.Idle, c.state())
	require.Len(t, c.watch.Discs(), 1)
	heard := c.heard()
	require.Contains(t, heard, string(shots.Removed))
	require.NotContains(t, heard, string(shots.Puzzled))
}

// An arm's shadow may move over the board as a shot disc does.
// shade shows a frame of the board with things lying on it and a shade of a disc's size
// over all, in which so much of the light is left.
func (c *camera) shade(left float64, at board.Point, things ...patch) {
	cal := c.watch.Calibration()
	r := cal.Board.Disc.Radius / cal.Quality.MMPerPx
	u, v := cal.Camera.Project(at.X, at.Y, 0)
	c.dimmed(left, func(x, y float64) bool { return math.Hypot(x-u, y-v) <= r }, things...)
}

// dimmed shows a frame of the board with things lying on it and so much of the light left
// where over says.
func (c *camera) dimmed(left float64, over func(x, y float64) bool, things ...patch) {
	lit := c.drawn(things...)
	out := append([]byte(nil), lit...)
	n := c.w * c.h
	for y := range c.h {
		for x := range c.w {
			if !over(float64(x), float64(y)) {
				continue
			}
			k := y*c.w + x
			out[k] = byte(16 + left*float64(int(lit[k])-16))
			for _, q := range []int{n + y/2*c.w/2 + x/2, n*5/4 + y/2*c.w/2 + x/2} {
				out[q] = byte(128 + left*float64(int(lit[q])-128))
			}
		}
	}
	var f capture.Frame
	require.NoError(c.t, f.Put(out, c.w, c.h, capture.I420))
	c.show(&f)
}

func TestAShadowThatFliesIsNoShot(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	passes := func() {
		for at := -300.0; at < 100; at += 30 {
			c.shade(0.6, board.Point{X: at, Y: 20})
		}
		c.frames(20, nil)
	}
	c.frames(4, c.arm)
	passes()
	require.Equal(t, shots.Idle, c.state())
	require.NotContains(t, c.heard(), string(shots.ShotFound))

	last := light(c, 120, 0)
	c.arranged(last)
	c.laid(4, last, c.sleeve(false))
	passes()
	heard := c.heard()
	require.Contains(t, heard, string(shots.Cleared), "the hand has lifted it")
	require.NotContains(t, heard, string(shots.ShotFound))
	require.Empty(t, c.watch.Discs())
}

// Who gathers all throws a shade that flies past the ditch, where a disc has been taken away.
func TestTheShadeOfWhoGathersTheDiscsIsNoShot(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	r, _ := c.ditch()
	last := light(c, 120, 0)
	both := []patch{last, light(c, -0.85*r, -0.53*r)}
	c.accepted(1, both...)
	c.laid(4, append([]patch{c.sleeve(false)}, both...)...)
	for k := 0.0; k < 7; k++ {
		c.shade(0.6, board.Point{X: -160 - 22*k, Y: -270 + 15*k}, both[1])
	}
	c.laid(20)
	heard := c.heard()
	require.Contains(t, heard, string(shots.Cleared))
	require.NotContains(t, heard, string(shots.ShotFound))
}

// A disc that hangs over the hole is no 20, and is asked about once at the most.
func TestADiscThatLeansOverTheHoleLiesOnTheBoard(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	shot := func(things ...patch) *shots.Shot {
		c.said = nil
		c.laid(3, append([]patch{c.sleeve(true)}, things...)...)
		c.laid(14, things...)
		return c.shot()
	}
	leaning := light(c, -7, 3)
	s := shot(leaning)
	require.Len(t, s.After, 1)
	require.Equal(t, board.Leaning, s.After[0].Rest)
	require.InDelta(t, math.Hypot(7, 3), s.After[0].Radius(), 3)
	require.Empty(t, s.Twenties)
	require.Equal(t, vision.HoleEmpty, s.Hole)

	s = shot(leaning, dark(c, 120, 150))
	require.Len(t, s.After, 2)
	require.Equal(t, vision.HoleEmpty, s.Hole, "nothing came near it")
}

// One that leant on the rim has covered what is beside the hole: that is bare now, and is
// no sign that it leans still.
func TestADiscThatLeantOnTheHolesRimIsCountedWhenItIsPushedIn(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	shadow := func(x, y float64) patch { return c.disc(board.Point{X: x, Y: y}, 90, 120, 133) }
	leant := []patch{shadow(-20, -5), shadow(-11, 20), light(c, -8, 4)}
	c.accepted(1, leant...)
	c.laid(3, append([]patch{c.sleeve(true)}, leant...)...)
	c.said = nil
	c.laid(14, light(c, 0, 0), dark(c, -60, 20))
	s := c.shot()
	require.Len(t, s.Twenties, 1)
	require.Equal(t, vision.HoleTaken, s.Hole)
}

// Whoever is to take a disc away takes it, and does not send another across the board.
func TestADiscThatCrossesTheBoardIsShotThoughOneIsToBeTakenAway(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	lying := []patch{dark(c, 100, 90), light(c, -60, 140)}
	c.arranged(lying...)
	c.watch.Expect(true)
	c.laid(3, append([]patch{c.sleeve(true)}, lying...)...)
	c.said = nil
	for x := -300.0; x <= 340; x += 40 {
		c.laid(1, append([]patch{light(c, x, -100)}, lying...)...)
	}
	c.laid(14, lying[1])
	require.Len(t, c.shot().Left, 1)
}

func TestAShadowThatIsRoundIsNoDisc(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	red := func(x, y float64) patch { return c.disc(board.Point{X: x, Y: y}, 70, 110, 165) }
	lying := []patch{red(-100, 120), blue(c, 150, -40)}
	c.arranged(lying...)
	c.laid(3, append([]patch{c.sleeve(true)}, lying...)...)
	c.said = nil
	for range 14 {
		c.shade(0.45, board.Point{X: 90, Y: 20}, append([]patch{blue(c, 20, -150)}, lying...)...)
	}
	require.Len(t, c.shot().After, 3)
}

// fly shows a disc flying from place to place and lying where it has come to.
func (c *camera) fly(disc func(c *camera, x, y float64) patch, way []board.Point, lying ...patch) {
	for _, p := range way {
		c.laid(1, append([]patch{disc(c, p.X, p.Y)}, lying...)...)
	}
	last := way[len(way)-1]
	c.laid(14, append([]patch{disc(c, last.X, last.Y)}, lying...)...)
}

// What was followed into the hole is there, though one picture would not show it, and
// though the other discs of its side mirror a lamp, so that it looks more like the hole.
func TestADiscOfTheHolesColourIsCountedWhenItIsSeenToDrop(t *testing.T) {
	for name, mirrored := range map[string]byte{"none mirrors a lamp": 0, "one does": 45} {
		t.Run(name, func(t *testing.T) {
			c := overSharpBoard(t)
			spec := board.Tournament26()
			c.laid(14)
			like := c.like(board.Point{}, 9)
			lying := c.like(board.Point{}, 9+mirrored)(c, 150, -140)
			c.arranged(lying)
			var way []board.Point
			for x := -spec.Start.Outer; x < 0; x += 28 {
				way = append(way, board.Point{X: x})
			}
			c.laid(3, c.sleeve(true), lying)
			c.said = nil
			c.fly(like, append(way, board.Point{}), lying)
			shot := c.shot()
			require.Equal(t, vision.HoleTaken, shot.Hole)
			require.Len(t, shot.Twenties, 1)
		})
	}
}

// Evening comes, or a lamp is switched: the hole and the discs are what they were.
func TestTheHoleAndTheSidesAreKnownInOtherLight(t *testing.T) {
	for _, dim := range []float64{0.4, -0.15} {
		c := overSharpBoard(t)
		c.laid(14)
		cal := c.watch.Calibration()
		floor := c.disc(board.Point{}, 130, 105, 185)
		px, py := cal.Camera.Project(0, 0, 0)
		floor.over = func(x, y float64) bool { return math.Hypot(x-px, y-py) < cal.Board.Hole.Radius/cal.Quality.MMPerPx }
		c.empty = c.drawn(floor)
		c.watch = shots.New(shots.Options{Calibration: cal})
		c.laid(14)
		yellow, red := func(x, y float64) patch { return c.disc(board.Point{X: x, Y: y}, 150, 90, 150) }, func(x, y float64) patch { return c.disc(board.Point{X: x, Y: y}, 120, 110, 165) }
		lying := []patch{yellow(-100, 120), red(150, -40)}
		c.arranged(lying...)
		side := func(x, y float64) board.Side {
			for _, d := range c.watch.Discs() {
				if math.Hypot(d.X-x, d.Y-y) < 5 {
					return d.Side
				}
			}
			t.Fatalf("no disc at %g, %g", x, y)
			return board.NoSide
		}
		for k := range 10 {
			c.dim = dim * float64(k+1) / 10
			c.laid(2, lying...)
		}
		c.laid(3, append([]patch{c.sleeve(true)}, lying...)...)
		c.laid(14, append([]patch{red(60, 180)}, lying...)...)
		shot := c.shot()
		require.Len(t, shot.After, 3)
		require.Equal(t, vision.HoleEmpty, shot.Hole, "%g of the light gone", dim)
		require.Equal(t, side(150, -40), side(60, 180), "%g of the light gone", dim)
		require.NotEqual(t, side(150, -40), side(-100, 120))
	}
}

// Whoever switches a lamp while a disc waits to be shot shoots nothing, and the disc
// still waits.
func TestASwitchedLampIsNoShot(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	lying := []patch{dark(c, -100, 120), light(c, 150, -40), light(c, 60, 180)}
	c.arranged(lying...)
	waits := light(c, 0, -board.Tournament26().Start.Outer+3)
	c.laid(4, append([]patch{c.sleeve(true), waits}, lying...)...)
	c.laid(14, append([]patch{waits}, lying...)...)
	require.Contains(t, c.heard(), string(shots.Placed))
	for _, dim := range []float64{0.25, -0.1, 0.3} {
		c.dim = dim
		c.laid(30, append([]patch{waits}, lying...)...)
	}
	heard := c.heard()
	require.NotContains(t, heard, string(shots.ShotFound))
	require.NotContains(t, heard, string(shots.Puzzled))
	c.laid(4, append([]patch{c.sleeve(true), waits}, lying...)...)
	c.laid(14, append([]patch{light(c, -40, -150)}, lying...)...)
	shot := c.shot()
	require.Len(t, shot.Before, 3)
	require.Len(t, shot.After, 4)
}

// A disc that looks like a shade and comes back to lie in the ditch was shot.
func TestWhatComesToLieInTheDitchIsNoShade(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	last := light(c, 150, -40)
	c.arranged(last)
	spec := board.Tournament26()
	var way []board.Point
	for k := range 14 {
		r := spec.Start.Outer - 30*float64(k)
		if k > 6 {
			r = spec.Start.Outer - 30*float64(13-k) + 20
		}
		way = append(way, board.Point{X: -r})
	}
	ditch, _ := c.ditch()
	c.laid(3, c.sleeve(false), last)
	c.said = nil
	c.fly(c.like(board.Point{X: -250}, 12), append(way, board.Point{X: -ditch}), last)
	shot := c.shot()
	require.Len(t, shot.After, 1)
	require.Negative(t, shot.Shooter)
}

// A ring on the board may be printed; one that has come is a disc.
func TestADiscWithALightMiddleIsSeenWhenItComes(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	at := board.Point{X: 120, Y: 90}
	cal := c.watch.Calibration()
	middle := c.like(at, 0)(c, at.X, at.Y)
	px, py := cal.Camera.Project(at.X, at.Y, cal.Board.Disc.Thickness)
	r := 0.6 * cal.Board.Disc.Radius / cal.Quality.MMPerPx
	middle.over = func(x, y float64) bool { return math.Hypot(x-px, y-py) < r }
	c.laid(3, c.sleeve(true), dark(c, at.X, at.Y), middle)
	c.laid(14, dark(c, at.X, at.Y), middle)
	require.Len(t, c.watch.Discs(), 1)
	require.Equal(t, board.OnSurface, c.watch.Discs()[0].Rest)
	require.Less(t, c.watch.Discs()[0].Sigma, 1.5, "it was made out, and not only noticed")
}

// What lies under a disc in the ditch may look like a disc of the other side.
func TestADiscThatIsTakenOutOfTheDitchIsNoShot(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	_, at := c.ditch()
	lying := []patch{c.like(at, 8)(c, -100, 120), light(c, 150, -40), light(c, at.X, at.Y)}
	c.accepted(2, lying...)

	c.laid(4, append([]patch{c.sleeve(false)}, lying...)...)
	c.laid(40, lying[:2]...)
	require.Equal(t, shots.Idle, c.state())
	require.NotContains(t, c.heard(), string(shots.ShotFound))
}

// A ditch of the discs' colour looks like a disc where one was taken away.
func TestDiscsThatAreGatheredFromADitchOfTheirColourAreNoShot(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	r, ditch := c.ditch()
	lying := []patch{c.like(ditch, 4)(c, -100, 120)}
	c.accepted(1, lying...)
	for _, a := range []float64{0.2, 0.5, 0.8, 1.1} {
		lying = append(lying, c.like(ditch, 40)(c, r*math.Cos(a), -r*math.Sin(a)))
	}
	c.accepted(1, lying...)

	c.laid(4, append([]patch{c.sleeve(false)}, lying...)...)
	c.laid(40, lying[0])
	require.Equal(t, shots.Idle, c.state())
	require.NotContains(t, c.heard(), string(shots.ShotFound))
}

// Fingers that gather what lies in the ditch may move over the empty board as discs fly.
func TestNobodyShootsAsTheDitchIsGathered(t *testing.T) {
	for name, last := range map[string][]board.Point{"the board is empty": nil, "the last disc goes, too": {{X: 100, Y: 60}}} {
		t.Run(name, func(t *testing.T) {
			c := overSharpBoard(t)
			c.laid(14)
			c.arranged(light(c, -100, 120), dark(c, 150, -40)) // so look the sides' discs
			r, _ := c.ditch()
			var lying []patch
			for _, p := range last {
				lying = append(lying, dark(c, p.X, p.Y))
			}
			for _, a := range []float64{0.5, 0.9, 1.3} {
				lying = append(lying, light(c, r*math.Cos(a), -r*math.Sin(a)))
			}
			c.accepted(len(last), lying...)
			c.laid(4, append([]patch{c.sleeve(false)}, lying...)...)
			for k := 0.0; k < 8; k++ {
				c.laid(1, append([]patch{blue(c, -290+34*k, -60)}, lying...)...)
			}
			c.laid(3, c.sleeve(false))
			c.laid(20)
			require.NotContains(t, c.heard(), string(shots.ShotFound))
			require.Empty(t, c.watch.Discs())
		})
	}
}

// Players may take away more than the verdict said: what they lay in the ditch was not shot.
func TestDiscsThatAreTidiedIntoTheDitchAreNoShot(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	r, _ := c.ditch()
	lying := []patch{dark(c, -100, 120), dark(c, 150, -40), light(c, 60, 80)}
	c.arranged(lying...)
	for i, d := range c.watch.Discs() {
		if d.X < 0 {
			c.watch.ExpectGone([]int{i})
		}
	}
	c.laid(4, append([]patch{c.sleeve(false)}, lying...)...)
	c.laid(40, dark(c, 0.7*r, -0.7*r), dark(c, 0.82*r, -0.57*r), lying[2])
	require.Equal(t, shots.Idle, c.state())
	heard := c.heard()
	require.Contains(t, heard, string(shots.Removed))
	require.NotContains(t, heard, string(shots.ShotFound))
	require.Len(t, c.watch.Discs(), 1)
}

// Somebody may stand in the light: his shade reaches over the board, and is no hand.
func TestAWideShadeIsNoHand(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	c.heard()
	c.veil = 0.05
	for range 20 {
		c.laid(1)
		require.NotEqual(t, shots.Hand, c.state())
	}
	c.laid(4, c.sleeve(true))
	require.Equal(t, shots.Hand, c.state())
}

// Whoever shoots may stand in the light: a disc is seen to fly through his shade.
func TestADiscIsSeenToFlyThroughAWideShade(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	stays := dark(c, -100, 120)
	c.arranged(stays)
	c.laid(3, c.sleeve(true), stays)
	c.veil = 0.05
	c.laid(3, c.sleeve(true), stays)
	for k := range 8 {
		c.laid(1, light(c, 60+36*float64(k), -270+45*float64(k)), stays)
	}
	c.veil = 0
	c.laid(14, stays)
	require.Equal(t, shots.Gone, c.shot().Shooter)
}

// Where something dark has come to lie that no disc was made out in, the shot disc may
// not have left the board.
func TestWhatMayBeTheShotDiscIsAskedAbout(t *testing.T) {
	for name, lies := range map[string]bool{"something lies there": true, "nothing does": false} {
		t.Run(name, func(t *testing.T) {
			c := overSharpBoard(t)
			c.laid(14)
			stays := dark(c, -100, 120)
			c.arranged(stays)
			c.laid(4, c.sleeve(false), stays)
			for k := range 8 {
				c.laid(1, light(c, -60, -280+30*float64(k)), stays)
			}
			if lies { // something no lighter than a shade, through which the grain shows
				cal := c.watch.Calibration()
				u, v := cal.Camera.Project(-60, -110, 0)
				half := 0.8 * cal.Board.Disc.Radius / cal.Quality.MMPerPx
				for range 14 {
					c.dimmed(0.85, func(x, y float64) bool { return math.Abs(x-u) < half && math.Abs(y-v) < half }, stays)
				}
			} else {
				c.laid(14, stays)
			}
			shot := c.shot()
			require.Equal(t, shots.Gone, shot.Shooter)
			require.Equal(t, !lies, shot.Watched)
		})
	}
}

// The shot disc may be out of sight beside the hand until it has hit another: what then
// flies off has been shot off, and nobody has taken it away.
func TestADiscThatIsSeenToFlyOffIsShotOff(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	stays := dark(c, -100, 120)
	c.arranged(stays, dark(c, 200, 55))
	c.laid(4, c.sleeve(false), stays, dark(c, 200, 55))
	for k := range 6 {
		f := float64(k)
		c.laid(1, stays, dark(c, 233+20*f, 4-28*f), light(c, 100+32*f, 12-30*f))
	}
	c.laid(14, stays)
	shot := c.shot()
	require.Len(t, shot.Left, 1)
	require.Positive(t, shot.Before[shot.Left[0]].X)
	require.Equal(t, shots.Gone, shot.Shooter)
	require.NotContains(t, c.heard(), string(shots.Removed))
}

// A disc that the verdict sends off, and that still lies there when the next one is
// shot, may be shot away: nobody has taken it.
func TestADiscThatWasLeftLyingIsShotAwayAndNotTakenAway(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	stays, other := dark(c, -100, 120), light(c, 150, -40)
	c.arranged(stays, other)
	for i, d := range c.watch.Discs() {
		if d.X < 0 {
			c.watch.ExpectGone([]int{i})
		}
	}
	waits := light(c, 0, -board.Tournament26().Start.Outer+3)
	c.laid(4, c.sleeve(false), waits, stays, other)
	c.laid(14, waits, stays, other)
	c.laid(3, c.sleeve(false), waits, stays, other)
	for k := range 8 { // it flies to the one that stays,
		f := float64(k+1) / 9
		c.laid(1, light(c, -95*f, -300+400*f), stays, other)
	}
	for k := range 5 { // which flies off
		f := float64(k) / 4
		c.laid(1, light(c, -95, 100), dark(c, -105-120*f, 140+200*f), other)
	}
	c.laid(14, light(c, -95, 100), other)
	shot := c.shot()
	require.Len(t, shot.Before, 2)
	require.Len(t, shot.Left, 1)
	require.Negative(t, shot.Before[shot.Left[0]].X)
	require.NotContains(t, c.heard(), string(shots.Removed))
}

// Less than where a disc lies can be told is seen beside the picture before.
func TestADiscThatIsGrazedIsSeenToHaveMoved(t *testing.T) {
	for name, by := range map[string]float64{"grazed": 1.5, "left alone": 0} {
		t.Run(name, func(t *testing.T) {
			c := overSharpBoard(t)
			c.laid(14)
			c.arranged(dark(c, -100, 120), light(c, 150, -40), dark(c, 60, 80))
			was := c.watch.Discs()
			after := []patch{dark(c, -100, 120), light(c, 150, -40), dark(c, 60, 80-by), light(c, 62, 80+2*c.watch.Calibration().Board.Disc.Radius+3)}
			c.laid(3, append([]patch{c.sleeve(true)}, after...)...)
			c.laid(12, after...)
			shot := c.shot()
			require.Len(t, was, 3)
			if by == 0 {
				require.Empty(t, shot.Contacts)
				return
			}
			require.Len(t, shot.Contacts, 1)
			touched := shot.Contacts[0]
			require.InDelta(t, by, touched.Moved, 0.4)
			require.InDelta(t, 60, shot.Before[touched.Disc].X, 4)
			require.Equal(t, shots.Inferred, touched.Basis)
		})
	}
}

func TestADiscOfAnotherColourIsAskedAbout(t *testing.T) {
	c := overSharpBoard(t)
	c.laid(14)
	lying := []patch{dark(c, -100, 120), light(c, 150, -40), dark(c, 60, 180), light(c, -160, -90)}
	c.arranged(lying...)
	sides := map[board.Side]int{}
	for _, d := range c.watch.Discs() {
		sides[d.Side]++
	}
	require.Equal(t, map[board.Side]int{board.SideA: 2, board.SideB: 2}, sides)
	c.heard()

	c.laid(3, append([]patch{c.sleeve(true)}, lying...)...)
	c.laid(30, append([]patch{blue(c, 30, -150)}, lying...)...)
	require.Equal(t, shots.Desynced, c.state())
	require.Contains(t, c.heard(), string(shots.Puzzled))
}

func TestAClockThatGoesBackTakesNothingBack(t *testing.T) {
	c := overBoard(t)
	c.frames(40, nil)
	_, since := c.watch.State()
	c.heard()
	c.at = 0
	c.frames(10, c.arm)
	require.Equal(t, shots.Hand, c.state())
	_, at := c.watch.State()
	require.Greater(t, at, since)
	c.at = 0
	c.frames(14, nil)
	require.Equal(t, shots.Idle, c.state())
	require.NotContains(t, c.heard(), string(shots.ShotFound))
}

// magnified is a picture with every pixel n times as wide and high.
func magnified(pix []byte, w, h, n int) []byte {
	out := make([]byte, 0, len(pix)*n*n)
	plane := func(p []byte, w, h int) {
		for y := range h * n {
			for x := range w * n {
				out = append(out, p[y/n*w+x/n])
			}
		}
	}
	plane(pix[:w*h], w, h)
	plane(pix[w*h:w*h*5/4], w/2, h/2)
	plane(pix[w*h*5/4:], w/2, h/2)
	return out
}

func TestAnotherSizeOfPictureIsTheSameBoard(t *testing.T) {
	c := overBoard(t)
	c.frames(20, nil)
	c.heard()
	small := c.empty
	c.empty, c.w, c.h = magnified(small, c.w, c.h, 2), 2*c.w, 2*c.h
	c.frames(25, nil)
	require.Equal(t, shots.Idle, c.state())
	require.Equal(t, c.w, c.watch.Calibration().Camera.Width)
	c.frames(5, c.arm)
	require.Equal(t, shots.Hand, c.state(), "it is watched as before")
	require.NotContains(t, c.heard(), string(shots.ShotFound))

	// Cut at the sides it is another view, and the board is looked for again.
	c.empty, c.w = cut(c.empty, c.w, c.h, 160), c.w-320
	c.frames(50, nil)
	require.Equal(t, shots.Idle, c.state())
	require.Contains(t, c.heard(), string(shots.Calibrated))
}

// cut takes n pixels off each side.
func cut(pix []byte, w, h, n int) (out []byte) {
	plane := func(p []byte, w, h, n int) {
		for y := range h {
			out = append(out, p[y*w+n:(y+1)*w-n]...)
		}
	}
	plane(pix[:w*h], w, h, n)
	plane(pix[w*h:w*h*5/4], w/2, h/2, n/2)
	plane(pix[w*h*5/4:], w/2, h/2, n/2)
	return out
}

func TestWithoutABoardNothingIsFound(t *testing.T) {
	c := overBoard(t)
	table := make([]byte, len(c.empty))
	for i := range table {
		table[i] = 128
	}
	for y := range c.h {
		for x := range c.w { // a chequered cloth
			table[y*c.w+x] = byte(90 + 60*((x/32+y/32)%2))
		}
	}
	c.empty = table
	c.frames(20, nil)
	require.Equal(t, shots.Calibrating, c.state())
	c.at += 16 * time.Second
	c.frames(3, nil)
	require.Contains(t, c.heard(), string(shots.TimedOut), "somebody should know")
	require.Nil(t, c.watch.Calibration())
}

func TestOneOfTwoBoardsIsWatched(t *testing.T) {
	c := overBoard(t)
	one := c.empty
	two := make([]byte, 0, 2*len(one))
	beside := func(p []byte, w, h int) {
		for y := range h {
			two = append(append(two, p[y*w:(y+1)*w]...), p[y*w:(y+1)*w]...)
		}
	}
	beside(one[:c.w*c.h], c.w, c.h)
	beside(one[c.w*c.h:c.w*c.h*5/4], c.w/2, c.h/2)
	beside(one[c.w*c.h*5/4:], c.w/2, c.h/2)
	single := c.w
	c.empty, c.w = two, 2*c.w
	c.frames(50, nil)
	if c.state() != shots.Idle {
		require.Nil(t, c.watch.Calibration(), "if it cannot be told which, none is")
		return
	}
	u, _ := c.watch.Calibration().Camera.Project(0, 0, 0)
	left := u < float64(single)
	c.heard()
	// What goes on at the other one is nothing to this one.
	c.frames(20, func(x, y int, luma float64) float64 {
		if (x > single) == left && (x%single) > single/2 && y > c.h/2 {
			return 80
		}
		return luma
	})
	c.frames(30, nil)
	require.Equal(t, shots.Idle, c.state())
	require.NotContains(t, c.heard(), string(shots.ShotFound))
}

// remapped is the picture whose pixel (x, y) is that of from(x, y).
func remapped(pix []byte, w, h int, from func(x, y float64) (float64, float64)) []byte {
	out := append([]byte(nil), pix...)
	plane := func(at, w, h int, k float64) {
		for y := range h {
			for x := range w {
				u, v := from(float64(x)*k, float64(y)*k)
				i, j := int(u/k+0.5), int(v/k+0.5)
				if i >= 0 && j >= 0 && i < w && j < h {
					out[at+y*w+x] = pix[at+j*w+i]
				}
			}
		}
	}
	plane(0, w, h, 1)
	plane(w*h, w/2, h/2, 2)
	plane(w*h*5/4, w/2, h/2, 2)
	return out
}

// A board may be turned, or another may take its place. Neither may lead to a
// score that nobody has looked at.
func TestABoardThatIsTurnedOrReplacedIsNoticed(t *testing.T) {
	for name, change := range map[string]func(x, y float64) (float64, float64){
		"turned": func(x, y float64) (float64, float64) {
			sin, cos := math.Sincos(0.5)
			return cos*x - sin*y, sin*x + cos*y
		},
		"replaced by a smaller one": func(x, y float64) (float64, float64) { return x / 0.8, y / 0.8 },
		"moved far":                 func(x, y float64) (float64, float64) { return x - 60, y - 10 },
	} {
		t.Run(name, func(t *testing.T) {
			c := overSharpBoard(t)
			c.laid(14)
			lying := []patch{dark(c, -100, 120), light(c, 150, -40), dark(c, 60, 180)}
			c.arranged(lying...)
			whole := c.drawn(lying...)
			u, v := c.watch.Calibration().Camera.Project(0, 0, 0)
			c.empty = remapped(whole, c.w, c.h, func(x, y float64) (float64, float64) {
				x, y = change(x-u, y-v)
				return x + u, y + v
			})
			c.laid(75)
			heard := c.heard()
			require.NotContains(t, heard, string(shots.ShotFound))
			asked := c.state() == shots.Paused || c.state() == shots.Desynced || c.state() == shots.Hand
			told := false
			for _, h := range heard {
				told = told || h == string(shots.Drifted) || h == string(shots.Shifted) || h == string(shots.Puzzled)
			}
			require.True(t, asked || told, "%v, %s", heard, c.state())
		})
	}
}

// feed is a source whose n-th frame is made by a function.
type feed struct {
	make func(n int, f *capture.Frame) error
	n    int
}

func (s *feed) Next(_ context.Context, f *capture.Frame) error {
	if err := s.make(s.n, f); err != nil {
		return err
	}
	f.At = time.Duration(s.n) * period
	s.n++
	return nil
}

func (s *feed) Close() error { return nil }

func TestSpoiltFramesTakeTheBoardOffline(t *testing.T) {
	empty, err := emptyBoard()
	require.NoError(t, err)
	const w, h = 640, 360
	for name, spoil := range map[string]func(n int, f *capture.Frame){
		"black":  func(_ int, f *capture.Frame) { flat(f, 16) },
		"white":  func(_ int, f *capture.Frame) { flat(f, 236) },
		"grey":   func(_ int, f *capture.Frame) { flat(f, 120) },
		"frozen": func(_ int, f *capture.Frame) { copy(f.Y, empty) },
		"torn": func(_ int, f *capture.Frame) {
			for i := w * h / 2; i < w*h; i++ {
				f.Y[i] = 128
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			const good = 40
			bad := 60
			if name == "frozen" { // only after a while is that certain
				bad = 220
			}
			seed := uint32(1)
			source := func(n int, f *capture.Frame) error {
				if n >= 2*good+bad {
					return io.EOF
				}
				if err := f.Put(empty, w, h, capture.I420); err != nil {
					return err
				}
				for i := range f.Y {
					seed = seed*1664525 + 1013904223
					f.Y[i] += byte(seed >> 30)
				}
				if n >= good && n < good+bad {
					spoil(n, f)
				}
				return nil
			}
			s, err := capture.Open(t.Context(), "fake:", capture.Options{Plugins: map[string]capture.Plugin{
				"fake": func(context.Context, string, capture.Mode) (capture.Opened, error) {
					return capture.Opened{Feed: &feed{make: source}, Timed: true}, nil
				},
			}})
			require.NoError(t, err)
			defer func() { require.NoError(t, s.Close()) }()
			watch := shots.New(shots.Options{})
			offline, last := false, shots.Offline
			for {
				f, err := s.Next(t.Context())
				if errors.Is(err, io.EOF) {
					break
				}
				require.NoError(t, err)
				events, err := watch.Frame(f)
				require.NoError(t, err)
				for _, e := range events {
					require.NotEqual(t, shots.ShotFound, e.Kind)
				}
				last, _ = watch.State()
				offline = offline || f.At > good*period && last == shots.Offline
				f.Release()
			}
			require.True(t, offline, "nothing can be seen in such frames")
			require.Equal(t, shots.Idle, last, "and the board lies as it did")
		})
	}
}

func flat(f *capture.Frame, luma byte) {
	for i := range f.Y {
		f.Y[i] = luma
	}
}

func TestWhatMakesABoardHardToReadIsTold(t *testing.T) {
	t.Run("flicker", func(t *testing.T) {
		c := overBoard(t)
		c.frames(40, nil)
		c.heard()
		for k := range 110 {
			gain := 1 + 0.05*math.Sin(float64(k)*2.1)
			c.frame(func(_, _ int, luma float64) float64 { return luma * gain })
		}
		require.Contains(t, c.heard(), string(shots.Flicker))
	})
	t.Run("glare", func(t *testing.T) {
		c := overBoard(t)
		shine := func(x, y int, luma float64) float64 {
			if math.Hypot(float64(x)-float64(c.w)*0.62, float64(y)-float64(c.h)*0.5) < 55 {
				return 255
			}
			return luma
		}
		c.frames(80, shine)
		require.Equal(t, shots.Idle, c.state())
		require.Contains(t, c.heard(), string(shots.Glare))
	})
	t.Run("colours", func(t *testing.T) {
		c := overSharpBoard(t)
		c.laid(14)
		lying := []patch{c.disc(board.Point{X: -100, Y: 120}, 40, 128, 128), c.disc(board.Point{X: 150, Y: -40}, 110, 128, 128)}
		c.arranged(lying...)
		require.NotEqual(t, c.watch.Discs()[0].Side, c.watch.Discs()[1].Side)
		c.laid(70, lying...)
		require.Contains(t, c.heard(), string(shots.ColoursClose))
	})
}
