package shots

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
	"crokcam/calibrate"
	"crokcam/calibrate/camera"
	"crokcam/internal/raster"
	"crokcam/vision"
	"crokcam/vision/capture"
)

func disc(side board.Side, x, y float64) Disc {
	return Disc{Disc: board.Disc{Point: board.Point{X: x, Y: y}, Side: side, Sigma: 0.5, Confidence: 1}}
}

func TestDiscsAreKnownByTheirPlaceAndThenByTheirSide(t *testing.T) {
	const a, b = board.SideA, board.SideB
	for name, c := range map[string]struct {
		before, after []Disc
		want          difference
	}{
		"nothing": {want: difference{became: []int{}, sure: true}},
		"a disc comes": {
			[]Disc{disc(a, 0, 100)}, []Disc{disc(b, 50, 0), disc(a, 0.4, 100)},
			difference{became: []int{1}, came: []int{0}, sure: true},
		},
		"a disc leaves": {
			[]Disc{disc(a, 0, 100), disc(b, 10, 10)}, []Disc{disc(b, 10, 10)},
			difference{became: []int{Gone, 0}, left: []int{0}, sure: true},
		},
		"the other side's disc is moved by the one that comes": {
			[]Disc{disc(a, 0, 100)}, []Disc{disc(a, 0, 150), disc(b, 0, 90)},
			difference{became: []int{0}, came: []int{1}, moved: []int{0}, sure: true},
		},
		"of two of a side it cannot be told which came": {
			[]Disc{disc(a, 0, 100)}, []Disc{disc(a, 0, 150), disc(a, 0, 90)},
			difference{became: []int{1}, came: []int{0}, moved: []int{0}, sure: false},
		},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, compareDiscs(c.before, c.after, nil)) })
	}
}

// over is a Watcher over a board of the usual size.
func over() *Watcher {
	return &Watcher{cal: &calibrate.Calibration{Board: board.Tournament26()}, period: 33 * time.Millisecond}
}

// followed is a track of something that was at these places, frame by frame.
func followed(w *Watcher, places ...board.Point) {
	for k, p := range places {
		w.flight.see(time.Duration(k+1)*w.period, seen(p))
	}
}

// What was in one place when a disc in another began to move is not that disc.
func TestADiscIsNotTheOneThatWasSeenElsewhere(t *testing.T) {
	before, after := []Disc{disc(board.SideA, 62, 77)}, []Disc{disc(board.SideA, 9, -54)}
	at := func(places ...float64) (out []board.Point) {
		for _, y := range places {
			out = append(out, board.Point{X: 9, Y: y})
		}
		return out
	}
	became := difference{became: []int{0}, moved: []int{0}, sure: true}
	for name, c := range map[string]struct {
		moved int // frame in which the disc before was first seen to move
		way   []board.Point
		want  difference
	}{
		"one was followed to where it lies": {6, at(-250, -190, -140, -105, -80, -65, -57, -54), difference{became: []int{Gone}, came: []int{0}, left: []int{0}, sure: true}},
		"it may have struck the other":      {6, at(-250, -160, -70, 10, 50, 60, 20, -20, -54), became},
		"it is first seen later":            {1, at(20, -20, -54, -54), became},
		"it went elsewhere":                 {6, at(-250, -190, -130, -110, -100, -95), became},
	} {
		t.Run(name, func(t *testing.T) {
			w := over()
			followed(w, c.way...)
			w.turn.movedAt[0] = time.Duration(c.moved) * w.period
			require.Equal(t, c.want, compareDiscs(before, after, func(i, j int) bool { return w.ruledOut(before[i].Point, i, after[j].Point) }))
		})
	}
}

func TestWhatTheShotDiscPassesCloselyMayHaveBeenTouched(t *testing.T) {
	w := over()
	followed(w, board.Point{X: 40, Y: -250}, board.Point{X: 40, Y: -180}, board.Point{X: 40, Y: -110}, board.Point{X: 40, Y: -40}, board.Point{X: 40, Y: 30}, board.Point{X: 40, Y: 100})
	flew := w.flew()
	require.NotNil(t, flew)
	r := w.cal.Board.Disc.Radius
	s := &Shot{Before: []Disc{disc(board.SideB, 40-2*r-1, 0), disc(board.SideB, 40+2*r+20, 0), disc(board.SideB, 40, -60), disc(board.SideB, 40-2*r-1, -90)}}
	d := &difference{became: []int{0, 1, 2, Gone}, moved: []int{2}, left: []int{3}}
	require.Equal(t, []int{0}, w.passed(s, d, stir{}, flew))
	require.Empty(t, w.passed(s, d, stir{unmoved: []int{0}}, flew), "it would have moved")
	require.Equal(t, []int{0, 2}, w.passed(s, d, stir{either: []int{2}}, flew), "it seems to have moved")

	// Its shadow has led the track astray by as much as it was seen to where it came to rest.
	w.lean.learn(disc(board.SideA, 46, 100), flew, r)
	require.Empty(t, w.passed(s, d, stir{}, flew))

	// A shadow on the other makes as much as a little push.
	for by, want := range map[float64][]int{0.8: {1}, 2: nil} {
		s.After = slices.Clone(s.Before[:3])
		s.After[1].Y += by
		s.Nudged = surely(s, d, []int{1})
		require.Equal(t, want, w.passed(s, d, stir{nudged: []int{1}}, nil))
		require.Equal(t, want == nil, slices.Contains(s.Nudged, 1))
	}
}

func TestADiscThatWaitsOnTheStartingLineIsToldAsWellAsItsPlaceIs(t *testing.T) {
	w := over()
	line := w.cal.Board.Start.Outer
	for off, c := range map[float64]struct {
		sigma float64
		want  bool
	}{-1: {0.5, true}, 2.2: {2.5, true}, 5: {0.5, false}, -40: {0.5, false}} {
		d := disc(board.SideA, 0, line+off)
		d.Sigma = c.sigma
		require.Equal(t, c.want, w.onStart(d), "%g mm off, sigma %g", off, c.sigma)
	}
}

func TestColoursThatAreMuchAlikeAreToldApartByTurns(t *testing.T) {
	walnut, oak, shade := [3]float64{50, 70, 100}, [3]float64{70, 95, 130}, [3]float64{48, 68, 97}
	var p palette
	require.Equal(t, board.SideA, p.side(walnut, 2))
	require.Equal(t, board.SideA, p.side(oak, 2), "it may be the same in another light")
	p.turn([][3]float64{shade})
	require.Equal(t, board.SideA, p.n)
	p.turn([][3]float64{shade, oak})
	require.Equal(t, board.SideB, p.side(oak, 2), "the other player has shot")
	require.Equal(t, board.SideA, p.side(shade, 2))
	p.turn([][3]float64{{255, 255, 255}})
	require.Equal(t, board.SideB, p.n)
}

// However a picture is lit, the light is found although part of it has changed.
func TestTheLightIsFoundBesideWhatHasChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 2000
		var c changes
		c.restart(n)
		gain, offset := rapid.Float32Range(0.6, 1.5).Draw(t, "gain"), rapid.Float32Range(-15, 15).Draw(t, "offset")
		hidden := rapid.IntRange(0, n/5).Draw(t, "hidden")
		was, is := make([]float32, n), make([]float32, n)
		for i := range was {
			was[i] = 30 + float32(i*7919%1409)/10
			is[i] = gain*was[i] + offset
			if i < hidden {
				is[i] = 60
			}
		}
		l := c.lightBetween(was, is)
		require.InDelta(t, gain, l.gain, 0.02)
		require.InDelta(t, gain*100+offset, l.gain*100+l.offset, 1)
	})
}

// Cameras do not tell light in proportion: what is dark changes otherwise than what is
// bright.
func TestLightIsBentToWhatTheCameraMakesOfIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 4000
		var c changes
		c.restart(n)
		stops := rapid.Float64Range(-0.6, 0.4).Draw(t, "stops")
		hidden := rapid.IntRange(0, n/6).Draw(t, "hidden")
		camera := func(light float64) float32 { // an S, as most have
			v := min(1, math.Pow(light, 1/2.2))
			return float32(16 + 219*(0.6*v+0.4*v*v*(3-2*v)))
		}
		was, is := make([]float32, n), make([]float32, n)
		for i := range was {
			light := math.Pow(float64(i*7919%1409)/1409*0.8+0.05, 2)
			was[i], is[i] = camera(light), camera(light*math.Exp2(stops))
			if i < hidden {
				is[i] = 120
			}
		}
		l := c.bent(c.lightBetween(was, is), brightRanges, was, is, sparse)
		for i := hidden; i < n; i += 17 {
			require.InDelta(t, is[i], l.of(was[i]), 4, "%g", was[i])
		}
	})
}

// What a hand hid while the light changed is known when the hand has gone.
func TestTheBoardBehindAHandIsKnownInNewLight(t *testing.T) {
	const n, contrast = 4000, 150
	var c changes
	c.restart(n)
	hidden := func(i int) bool { return i%7 == 0 }
	show := func(light float32, hand bool) {
		for i := range c.now {
			c.now[i], c.tint.now[i] = light*float32(40+i*7919%160), light*float32(i*31%9)
			if hand && hidden(i) {
				c.now[i] = 210
			}
		}
		c.compare(contrast)
	}
	show(1, false)
	c.accept(nil)
	c.next()
	show(1.1, true)
	c.accept(hidden)
	c.next()
	show(1.1, false)
	require.Negative(t, slices.Index(c.changed, true))
}

// Paint looks otherwise in warmer light than wood does: none of it has changed, and a
// disc that comes to lie on it has.
func TestPaintIsKnownInLightOfAnotherColour(t *testing.T) {
	const n, contrast = 8000, 120
	tints := []float32{-44, -2, 20, 50}
	warmer := []float32{-38, 2, 24, 48} // no gain and offset make these of those
	var c changes
	c.restart(n)
	show := func(light float32, tints []float32, disc bool) {
		for i := range c.now {
			c.now[i], c.tint.now[i] = light*float32(40+i*7919%120), tints[i/7%len(tints)]
			if disc && i >= 400 && i < 432 {
				c.tint.now[i] += 25
			}
		}
		c.compare(contrast)
	}
	for range firstNoise {
		show(1, tints, false)
		c.next()
	}
	c.accept(nil)
	show(1.12, warmer, true)
	for i, changed := range c.changed {
		require.Equal(t, i >= 400 && i < 432, changed, "%d", i)
	}
}

// Less light and a glow over all may leave what is between black and white as it was.
func TestLightThatLeavesTheMiddleAsItWasIsAnotherToo(t *testing.T) {
	glow := light{gain: 0.967, offset: 5.5}
	require.False(t, glow.much())
	require.True(t, glow.shifts())
	same := light{gain: 0.995, offset: 0.8}
	require.False(t, same.shifts())
}

func TestLightIsUndone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := light{gain: float32(rapid.Float64Range(0.5, 2).Draw(t, "gain")), offset: float32(rapid.Float64Range(-20, 20).Draw(t, "offset"))}
		if l.bent = rapid.Bool().Draw(t, "bent"); l.bent {
			l.ranges = brightRanges
			for k := range l.bend {
				l.bend[k] = float32(rapid.Float64Range(-4, 4).Draw(t, "bend"))
			}
		}
		v := float32(rapid.Float64Range(16, 235).Draw(t, "was"))
		require.InDelta(t, v, l.before(l.of(v)), 0.5)
	})
	dark := light{gain: 0.1, offset: 3}
	require.EqualValues(t, 7, dark.before(7), "nothing is known of what was there before it was dark")
}

// What comes to lie beside the board is part of the scene; what lies on it is not.
func TestWhatLiesBesideTheSurfaceIsTakenIn(t *testing.T) {
	for name, c := range map[string]struct {
		part   part
		mm2    float64
		beside bool
	}{
		"a cup on the table":           {beyond, 0, true},
		"one that reaches over a rail": {beyond | between | surface, handOver, true},
		"a hand":                       {beyond | between | surface, handSize, false},
		"the edge of a nudged disc":    {surface, handOver, false},
	} {
		b := blob{part: c.part, mm2: c.mm2}
		require.Equal(t, c.beside, b.liesBeside(), name)
	}
}

// A camera may make of more light that what is between black and white gets lighter
// alone: on the whole no more than something is added.
func TestLightIsBentWhereNothingIsGained(t *testing.T) {
	const n = 4000
	var c changes
	c.restart(n)
	was, is := make([]float32, n), make([]float32, n)
	for i := range was {
		was[i] = float32(20 + i*7919%200)
		is[i] = was[i] + float32(18*math.Sin(math.Pi*float64(was[i]-16)/219))
	}
	l := c.lightBetween(was, is)
	require.InDelta(t, 1, l.gain, bendFrom)
	require.True(t, l.much())
	l = c.bent(l, brightRanges, was, is, sparse)
	for i := 0; i < n; i += 17 {
		require.InDelta(t, is[i], l.of(was[i]), 4, "%g", was[i])
	}
}

func TestTheToneIsFoundBesideWhatHasChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 400
		gain, power := rapid.Float64Range(-0.5, 0.5).Draw(t, "gain"), rapid.Float64Range(0.9, 1.1).Draw(t, "power")
		odd := rapid.IntRange(0, n/5).Draw(t, "odd")
		is, was := make([]float64, n), make([]float64, n)
		for i := range is {
			is[i] = math.Log(20 + float64(i*7919%1409)/8)
			was[i] = gain + power*is[i]
			if i < odd {
				was[i] += 0.6
			}
		}
		g, p, ok := fitTone(is, was)
		require.True(t, ok)
		for _, v := range []float64{30, 100, 190} {
			require.InDelta(t, gain+power*math.Log(v), g+p*math.Log(v), 0.06, "%g", v)
		}
	})
	_, _, ok := fitTone([]float64{1, 2}, []float64{1, 2})
	require.False(t, ok, "a few squares tell of themselves")
}

// retuned is a watcher that has seen a board and its table, side px wide, and sees them
// in another light now. The right third is table where that is asked for.
func retuned(t *testing.T, side int, table bool, lying func(x, y int) (luma, u, v byte), light func(luma, u, v byte) (byte, byte, byte)) (*Watcher, *capture.Frame) {
	w, now := New(Options{}), new(capture.Frame)
	for _, f := range []*capture.Frame{&w.lying, now} {
		require.NoError(t, f.SetSize(side, side))
	}
	for i := range w.lying.Y {
		x, y := i%side, i/side
		c := y/2*side/2 + x/2
		w.lying.Y[i], w.lying.U[c], w.lying.V[c] = lying(x, y)
		now.Y[i], now.U[c], now.V[c] = light(w.lying.Y[i], w.lying.U[c], w.lying.V[c])
	}
	w.grid.fit(now)
	n := w.grid.w * w.grid.h
	w.changes.restart(n)
	w.changes.known = true
	w.chart.part = slices.Repeat([]part{surface}, n)
	for k := range w.chart.part {
		if table && k%w.grid.w*w.grid.size >= side*2/3 {
			w.chart.part[k] = beyond
		}
	}
	w.tune(now)
	return w, now
}

func requireSameColour(t *testing.T, w *Watcher, now *capture.Frame, u, v float64) {
	t.Helper()
	was, _ := w.colourAt(&w.lying, u, v)
	is, ok := w.colourAt(now, u, v)
	require.True(t, ok)
	require.Less(t, vision.ColourDistance(was, is), 2.5, "%v and %v", was, is)
}

func TestColoursAreToldInTheLightOfTheBeginning(t *testing.T) {
	dimmed := func(v byte, black float64) byte { return byte(black + 0.5 + (float64(v)-black)*0.67) }
	w, now := retuned(t, 240, false, func(x, y int) (luma, u, v byte) {
		return byte(60 + (x/8*37+y/8*91)%130), byte(110 + x/16*8%30), byte(120 + y/16*8%30)
	}, func(luma, u, v byte) (byte, byte, byte) { return dimmed(luma, 16), dimmed(u, 128), dimmed(v, 128) })
	for k := range 20 {
		requireSameColour(t, w, now, float64(8*k+12), float64(230-8*k))
	}
}

// What is brighter than all of a dark board is told by the table: cameras do not tell
// light in proportion.
func TestTheTableTellsOfTheLightAsWell(t *testing.T) {
	w, now := retuned(t, 240, true, func(x, y int) (luma, u, v byte) {
		luma = byte(50 + (x/8*37+y/8*91)%40)
		if x >= 160 {
			luma = byte(120 + (x/8*37+y/8*91)%90)
		}
		return luma, 128, 128
	}, func(luma, u, v byte) (byte, byte, byte) {
		return byte(16.5 + 219*math.Pow((float64(luma)-16)/219, 1.25)), u, v
	})
	for k := range 8 {
		requireSameColour(t, w, now, float64(172+8*k), float64(20+24*k))
	}
}

func TestADiscThatMirrorsALampKeepsItsSide(t *testing.T) {
	light, dark := [3]float64{131, 181, 221}, [3]float64{43, 66, 107}
	p := palette{n: 2}
	p.colours[board.SideA], p.colours[board.SideB] = light, dark
	require.Equal(t, board.SideA, p.side([3]float64{138, 187, 225}, 2))
	require.Equal(t, board.SideB, p.side([3]float64{46, 64, 103}, 2))
	require.Equal(t, board.SideB, p.side([3]float64{137, 151, 173}, 2), "it is greyer than the light ones are")
	require.False(t, p.clear([3]float64{137, 151, 173}))
}

func TestADiscThatLooksJustLikeOthersIsClearlyOne(t *testing.T) {
	p := palette{n: 2}
	p.colours[board.SideA], p.colours[board.SideB] = [3]float64{109, 139, 153}, [3]float64{35, 45, 71}
	require.True(t, p.clear([3]float64{113, 146, 163}), "maple beside walnut")
	require.False(t, p.clear([3]float64{60, 75, 90}), "maple in the shade, or walnut in the light")
}

// seen is discs in a frame.
func seen(places ...board.Point) (out []sight) {
	for _, p := range places {
		out = append(out, sight{Point: p, solid: true})
	}
	return out
}

func TestAShotIsWhatFliesFarFromTheStartingLine(t *testing.T) {
	const startLine = 304.8
	tick := func(k int) time.Duration { return time.Duration(k) * time.Second / 30 }
	var f flight
	for k := range 14 { // one lies where it was vacated, one flies and turns, one creeps
		x := min(float64(k)*30, 180)
		y := max(0, float64(k)*30-180)
		f.see(tick(k), seen(board.Point{X: -100, Y: 50}, board.Point{X: x - 280, Y: y}, board.Point{X: 100, Y: 100 + float64(k)}))
	}
	shot := f.shooter(startLine)
	require.NotNil(t, shot)
	require.Greater(t, shot.reach, 180.0)
	require.Zero(t, shot.start().at)

	f.restart()
	for k := range 14 { // it is seen waiting beside the hand
		f.see(tick(k), seen(board.Point{X: -290 + max(0, float64(k)-5)*30, Y: 0.3 * float64(k%2)}))
	}
	shot = f.shooter(startLine)
	require.NotNil(t, shot, "it has waited")
	require.Equal(t, tick(5), shot.start().at, "until then")

	for name, at := range map[string]func(k float64) board.Point{
		"what lies still":                   func(float64) board.Point { return board.Point{X: -280} },
		"a finger that leaves the middle":   func(k float64) board.Point { return board.Point{X: 12 * k, Y: 10} },
		"what is pushed over the line":      func(k float64) board.Point { return board.Point{X: -300 + 6*k} },
		"what comes and goes in two frames": func(k float64) board.Point { return board.Point{X: -300 + 400*float64(int(k)%2)} },
	} {
		f.restart()
		for k := range 14 {
			f.see(tick(k), seen(at(float64(k))))
		}
		require.Nil(t, f.shooter(startLine), name)
	}
}

// What comes back from a post was shot, although nobody saw it go there.
// What mirrors a lamp has no colour of its own: where it came from tells whose it is.
// A hard shot comes back from a post within a frame, and not from where it was going.
// Fingers that put a disc down come fast and stop at once, as no disc that slides does.
func TestFingersThatPutADiscDownShootNone(t *testing.T) {
	spec := board.Tournament26()
	outside := spec.Posts.Radius + 2*spec.Disc.Radius
	track := func(places ...float64) *track { // along the starting line
		var f flight
		for k, x := range places {
			f.see(time.Duration(k)*time.Second/30, seen(board.Point{X: x, Y: -280}))
		}
		return &f.tracks[0]
	}
	require.True(t, track(60, 102, 138, 138, 138).stoppedShort(outside))
	require.False(t, track(60, 80, 98, 114, 128, 138, 138).stoppedShort(outside), "it may have slid so far")
	var f flight
	for k, y := range []float64{-300, -250, -200, -150, -110, -150, -190, -230, -265, -290, -290} {
		f.see(time.Duration(k)*time.Second/30, seen(board.Point{X: 20, Y: y}))
	}
	require.Less(t, f.tracks[0].reach, f.tracks[0].free()/2)
	require.False(t, f.tracks[0].stoppedShort(outside), "a post has stopped it")
}

// A disc of the board's own hue flies like a shade; but no shade that has come from the
// starting line stays in the hole once the hand has gone.
func TestAShadeThatRestsInTheHoleIsADisc(t *testing.T) {
	for name, c := range map[string]struct {
		from, to float64 // mm from the middle
		into     bool
	}{
		"from the starting line": {300, 0, true},
		"from a hand":            {150, 0, false},
		"past the hole":          {300, 30, false},
	} {
		w := over()
		w.changes.known = true
		at := time.Duration(0)
		for r := c.from; r > c.to; r -= 25 {
			at += w.period
			w.flight.see(at, []sight{{Point: board.Point{Y: r}}})
		}
		for range 4 {
			at += w.period
			w.flight.see(at, []sight{{Point: board.Point{Y: c.to}}})
		}
		require.Equal(t, c.into, w.dropped(&vision.Scene{}), name)
	}
}

func TestBoardThatShowsWhereADiscLayIsNoDisc(t *testing.T) {
	w := over()
	w.o.Sides, w.palette.n = 2, 2
	w.palette.colours[board.SideA], w.palette.colours[board.SideB] = [3]float64{123, 167, 223}, [3]float64{50, 56, 60}
	w.placed = []Disc{disc(board.SideA, 203, -226)}
	looks := func(x, y float64, colour [3]float64) []Disc {
		d := disc(board.NoSide, x, y)
		d.Whole = colour
		return []Disc{d}
	}
	blue := [3]float64{205, 145, 76}
	require.Empty(t, w.bare(looks(192, -212, blue), nil))
	require.Len(t, w.bare(looks(192, -212, [3]float64{120, 160, 220}), nil), 1, "a disc of theirs")
	require.Len(t, w.bare(looks(20, 90, blue), &capture.Frame{}), 1, "who knows what lies there")
	w.palette.n = 1
	require.Len(t, w.bare(looks(192, -212, blue), nil), 1, "the other side's have not been seen")
}

func TestAShotIsFollowedWhereAPostTurnsIt(t *testing.T) {
	w := New(Options{})
	var at time.Duration
	for _, p := range []board.Point{{X: -65, Y: 227}, {X: -55, Y: 153}, {X: -59, Y: 123}, {X: -86, Y: 170}} {
		at += time.Second / 30
		w.flight.see(at, []sight{{Point: p, solid: true}, {Point: board.Point{X: 38, Y: 52}, solid: true}})
	}
	flew := w.flight.shooter(board.Tournament26().Start.Outer)
	require.NotNil(t, flew)
	require.Equal(t, 4, flew.points)
	require.InDelta(t, 105, flew.reach, 1)
}

func TestADiscWithoutAColourIsOfTheSideOfTheOneThatWentThere(t *testing.T) {
	w := New(Options{})
	w.cal = &calibrate.Calibration{Board: board.Tournament26()}
	w.palette.n = 2
	w.palette.colours[board.SideA], w.palette.colours[board.SideB] = [3]float64{83, 132, 182}, [3]float64{51, 64, 81}
	w.discs = []Disc{disc(board.SideA, 49, 76), disc(board.SideB, -120, 80)}
	w.placed = []Disc{disc(board.SideB, 196, 231)}
	shine := [3]float64{230, 250, 255}
	after := []Disc{disc(0, 58, 102), disc(0, -27, -24), disc(0, -119.9, 80.1), disc(0, 200, -20)}
	after[0].Whole, after[1].Whole, after[2].Whole, after[3].Whole = shine, [3]float64{90, 140, 190}, shine, [3]float64{49, 62, 80}
	at := time.Second
	for k := range 12 { // from beside the hand on the starting line
		w.flight.see(at, seen(board.Point{X: 190 - 11.4*float64(k), Y: 225 - 11*float64(k)}))
		at += time.Second / 30
	}
	w.changes.restart(0)
	w.whose(after)
	require.Equal(t, []board.Side{board.SideB, board.SideA, board.SideB, board.SideB}, []board.Side{after[0].Side, after[1].Side, after[2].Side, after[3].Side})

	// Where nobody saw it wait, it is of the side whose turn it was.
	w.placed = nil
	for _, last := range []board.Side{board.SideA, board.SideB} {
		w.shotLast = last
		w.whose(after)
		require.Equal(t, last.Other(), after[0].Side)
		require.Equal(t, board.SideA, after[1].Side)
	}
}

func TestADiscThatWaitedKeepsItsSideUnderALamp(t *testing.T) {
	w := over()
	w.o.Sides, w.palette.n = 2, 1
	w.palette.colours[board.SideA] = [3]float64{90, 203, 246}
	w.placed = []Disc{disc(board.SideA, 0, -300)}
	followed(w, board.Point{Y: -300}, board.Point{Y: -200}, board.Point{Y: -100}, board.Point{Y: -30}, board.Point{}, board.Point{})
	w.changes.restart(0)
	after := []Disc{disc(board.NoSide, 0, 0)}
	after[0].Whole = [3]float64{183, 243, 253}
	w.whose(after)
	require.Equal(t, board.SideA, after[0].Side)
	require.Equal(t, board.SideA, w.palette.n, "nobody has seen the other side's colour")
}

// white and black are players' colours; a lamp makes either of a disc that mirrors it.
func whiteAndBlack() *Watcher {
	w := over()
	w.o.Sides, w.palette.n = 2, 2
	w.palette.colours[board.SideA], w.palette.colours[board.SideB] = [3]float64{215, 220, 225}, [3]float64{32, 33, 40}
	w.changes.restart(0)
	return w
}

var (
	paper  = [3]float64{214, 219, 226}
	mirror = [3]float64{118, 139, 167}
)

func TestADiscUnderALampIsOfTheColourThatItShowedOnItsWay(t *testing.T) {
	w := whiteAndBlack()
	w.placed = []Disc{disc(board.SideA, 72, -295)}
	for k, s := range []struct {
		y    float64
		side board.Side
	}{{-295, board.SideA}, {-200, board.SideA}, {-110, board.SideB}, {-90, board.SideB}, {-71, board.NoSide}, {-71, board.NoSide}} {
		w.flight.see(time.Duration(k+1)*w.period, []sight{{Point: board.Point{X: 33, Y: s.y}, solid: true, side: s.side}})
	}
	after := []Disc{disc(board.NoSide, 33, -71)}
	after[0].Whole = mirror
	w.whose(after)
	require.Equal(t, board.SideB, after[0].Side, "the shot has met it, and it has gone on")

	w.placed = nil
	colour := w.palette.nearest(mirror)
	after = append(after, disc(board.NoSide, 47, -95))
	after[1].Whole = paper
	w.whose(after)
	require.Equal(t, colour, after[0].Side, "two lie there, and which of them was followed nobody knows")
}

func TestADiscUnderALampIsOneOfThoseThatNoLongerLieWhereTheyLay(t *testing.T) {
	w := whiteAndBlack()
	w.discs = []Disc{disc(board.SideB, 33, -70), disc(board.SideA, -100, 100)}
	w.placed = []Disc{disc(board.SideA, -69, -296)}
	followed(w, board.Point{X: -47, Y: -248}, board.Point{X: -20, Y: -200}, board.Point{X: 5, Y: -140}, board.Point{X: 18, Y: -100}, board.Point{X: 18, Y: -98})
	after := []Disc{disc(board.NoSide, 18, -98), disc(board.NoSide, 57, -19), disc(board.NoSide, -100, 100)}
	after[0].Whole, after[1].Whole, after[2].Whole = paper, mirror, paper
	w.whose(after)
	require.Equal(t, board.SideB, after[1].Side)

	w.discs[1].X = -130 // one of each side has moved
	w.palette.colours[board.SideB] = [3]float64{90, 90, 90}
	before := w.palette.nearest(mirror)
	w.whose(after)
	require.Equal(t, before, after[1].Side, "its colour alone has to tell")
}

func TestADiscThatWasNotMadeOutTeachesNoColour(t *testing.T) {
	w := whiteAndBlack()
	w.discs = []Disc{disc(board.SideA, 33, -70), disc(board.SideB, -80, 60)}
	after := []Disc{disc(board.NoSide, 33, -70), disc(board.NoSide, -80, 60)}
	after[0].Whole, after[0].Confidence = mirror, 0.5
	after[1].Whole, after[1].Confidence = [3]float64{40, 40, 40}, 0.9
	w.turn = turn{on: true, watched: true}
	w.whose(after)
	require.Equal(t, []board.Side{board.SideA, board.SideB}, []board.Side{after[0].Side, after[1].Side})
	require.Equal(t, [3]float64{215, 220, 225}, w.palette.colours[board.SideA])
	require.NotEqual(t, [3]float64{32, 33, 40}, w.palette.colours[board.SideB])
}

func TestALampOnTheBoardTakesADiscsColour(t *testing.T) {
	cam := camera.Camera{Width: 400, Height: 400, F: 400, CX: 200, CY: 200, R: camera.Mat3{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, T: camera.Vec3{0, 0, 800}}
	w := over()
	w.cal.Camera, w.grid.size = cam, 8
	lit := board.Point{X: 57, Y: -19}
	drawn := make([]byte, 400*400*3/2)
	for i := range drawn {
		drawn[i] = 128
	}
	for y := range 400 {
		for x := range 400 {
			drawn[y*400+x] = 100
			if bx, by := cam.Unproject(float64(x), float64(y), 0); apart(board.Point{X: bx, Y: by}, lit) < 40 {
				drawn[y*400+x] = 215
				drawn[400*400+y/2*200+x/2], drawn[400*500+y/2*200+x/2] = 112, 146 // a warm one
			}
		}
	}
	require.NoError(t, w.lying.Put(drawn, 400, 400, capture.I420))
	w.frame = w.lying
	at := func(p board.Point, level float64) Disc {
		d := disc(board.NoSide, p.X, p.Y)
		d.Whole = [3]float64{level, level, level}
		return d
	}
	require.True(t, w.glared(at(lit, 230)))
	require.False(t, w.glared(at(lit, 40)), "it mirrors no lamp")
	w.palette.n, w.palette.colours[board.SideA] = 1, [3]float64{232, 231, 230}
	require.False(t, w.glared(at(lit, 230)), "it looks as it always does")
	w.palette.n = 0
	require.False(t, w.glared(at(board.Point{X: -57, Y: 19}, 230)), "no lamp is there: it is white")

	// What flies by there shows its colour where no lamp is, and where it is dark.
	w.o.Sides, w.palette.n = 2, 2
	w.palette.colours[board.SideA], w.palette.colours[board.SideB] = [3]float64{250, 250, 250}, [3]float64{20, 20, 20}
	for name, c := range map[string]struct {
		at   board.Point
		luma byte
		side board.Side
	}{
		"light":              {board.Point{X: -57, Y: 19}, 232, board.SideA},
		"light under a lamp": {lit, 232, board.NoSide},
		"dark under a lamp":  {lit, 34, board.SideB},
	} {
		over := append([]byte(nil), drawn...)
		for y := range 400 {
			for x := range 400 {
				if bx, by := cam.Unproject(float64(x), float64(y), 0); apart(board.Point{X: bx, Y: by}, c.at) < 20 {
					over[y*400+x] = c.luma
					over[400*400+y/2*200+x/2], over[400*500+y/2*200+x/2] = 128, 128
				}
			}
		}
		w.frame = capture.Frame{}
		require.NoError(t, w.frame.Put(over, 400, 400, capture.I420))
		require.Equal(t, c.side, w.sightOf(c.at).side, name)
	}
}

func TestWhatADiscInTheHoleLooksLikeIsKnownInOtherLight(t *testing.T) {
	h := hole{known: true, empty: patch{[3]float64{100, 92, 60}}, now: patch{[3]float64{200, 150, 240}}}
	_, ok := h.expected(board.SideB)
	require.False(t, ok, "none has lain there")
	h.hold(board.SideB)
	same, ok := h.expected(board.SideB)
	require.True(t, ok)
	require.Equal(t, [3]float64{200, 150, 240}, same)
	h.empty.colour = [3]float64{46, 92, 128} // less blue light, and twice the red
	other, _ := h.expected(board.SideB)
	require.InDeltaSlice(t, []float64{100, 150, 255}, other[:], 1)
}

func TestWhatFliesOutFromTheMiddleHasBeenShot(t *testing.T) {
	spec := board.Tournament26()
	for name, c := range map[string]struct {
		from, step, to float64 // mm from the middle, in a frame
		solid, shot    bool
	}{
		"over the edge":             {140, 25, 365, true, true},
		"a shadow":                  {140, 25, 365, false, false},
		"into the hand":             {50, 50, 250, true, true},
		"it stays on the board":     {40, 12, 270, true, false},
		"slowly":                    {140, 6, 365, true, false},
		"from where discs are shot": {270, 25, 365, true, false},
		"as far as a hand goes":     {315, 25, 365, true, false},
	} {
		var f flight
		for k, r := 0, c.from; r <= c.to; k, r = k+1, r+c.step {
			f.see(time.Duration(k)*time.Second/30, []sight{{Point: board.Point{Y: r}, solid: c.solid}})
		}
		require.Equal(t, c.shot, f.rebound(spec.Start.Outer, spec.Surface) != nil, name)
	}
}

// Over a hole of its colour a disc is lost from sight, whether it drops or flies on.
// A flick in the middle of a frame's time is half seen in the first step.
func TestAShotIsAsFastAsItsFirstWholeStep(t *testing.T) {
	spec := board.Tournament26()
	var f flight
	for k, y := range []float64{304, 304, 304, 299, 273, 248, 224, 201} {
		f.see(time.Duration(k)*time.Second/30, seen(board.Point{Y: y}))
	}
	require.InDelta(t, 26*30, f.tracks[0].launch(), 1)
	require.NotNil(t, f.shooter(spec.Start.Outer))
}

// A post may send a disc back to the starting line, where else one waits to be shot.
func TestADiscThatAPostSendsBackHasBeenShot(t *testing.T) {
	spec := board.Tournament26()
	rest := board.Point{X: 50, Y: 290}
	for name, c := range map[string]struct {
		from, to float64 // mm from the middle
		shot     bool
	}{
		"from a post":        {110, 290, true},
		"as a hand lays one": {300, 290, false},
		"to another place":   {110, 220, false},
	} {
		var f flight
		for k := range 12 {
			part := float64(min(k, 8)) / 8
			f.see(time.Duration(k)*time.Second/30, seen(board.Point{X: 50 * part, Y: c.from + (c.to-c.from)*part}))
		}
		require.Equal(t, c.shot, f.returned(spec.Start.Outer, rest, 1.5*spec.Disc.Radius) != nil, name)
	}
}

func TestWhatIsLostFromSightMayBeSeenToFlyOn(t *testing.T) {
	tick := func(k int) time.Duration { return time.Duration(k) * time.Second / 30 }
	for name, c := range map[string]struct {
		again board.Point // where something is seen later, mm
		on    bool
	}{
		"beyond":             {board.Point{Y: 60}, true},
		"on the other side":  {board.Point{Y: -250}, false},
		"nothing any more":   {},
		"something that lay": {board.Point{X: 80}, false},
	} {
		var f flight
		for k := range 9 {
			f.see(tick(k), seen(board.Point{Y: -250 + 30*float64(k)}))
		}
		for k := 9; k < 18; k++ {
			var p []board.Point
			if c.again != (board.Point{}) && k > 11 {
				p = []board.Point{c.again}
				if c.again.X == 0 {
					p[0].Y += 30 * float64(k-12)
				}
			}
			f.see(tick(k), seen(p...))
		}
		require.NotEmpty(t, f.ended, name)
		require.Equal(t, c.on, f.onward(&f.ended[0]), name)
	}
}

// A disc under a lamp may be seen so faintly that only who knows of it can tell.
func TestADiscThatIsKnownOfLastsWhereSomethingLikeItIsSeen(t *testing.T) {
	w := over()
	ours, theirs := [3]float64{40, 40, 190}, [3]float64{180, 200, 220}
	known := disc(board.SideA, 20, 60)
	known.Whole = ours
	w.discs = []Disc{known}
	faint := func(x, y float64, colour [3]float64) []Disc {
		return []Disc{{Disc: board.Disc{Point: board.Point{X: x, Y: y}}, Whole: colour}}
	}
	kept := w.lasting(nil, faint(24, 66, ours))
	require.Len(t, kept, 1)
	require.Equal(t, board.Point{X: 24, Y: 66}, kept[0].Point)
	require.Equal(t, roughSigma, kept[0].Sigma, "it is not known where, well")

	require.Empty(t, w.lasting(nil, faint(24, 66, theirs)), "of the other colour")
	require.Empty(t, w.lasting(nil, faint(24, 90, ours)), "too far")
	require.Empty(t, w.lasting(nil, nil))
	seen := disc(board.SideA, 22, 61)
	require.Equal(t, []Disc{seen}, w.lasting([]Disc{seen}, faint(24, 66, ours)), "it is seen")
	beside := disc(board.SideB, 45, 80)
	require.Equal(t, []Disc{beside}, w.lasting([]Disc{beside}, faint(24, 66, ours)), "another lies there")
}

func TestSquaresAreMeans(t *testing.T) {
	for _, size := range [][2]int{{640, 360}, {1280, 720}, {1920, 1080}, {641, 481}} {
		var f capture.Frame
		require.NoError(t, f.SetSize(size[0], size[1]))
		for i := range f.Y {
			f.Y[i] = byte(i * 31 % 251)
		}
		var g grid
		g.fit(&f)
		out := make([]float32, g.w*g.h)
		g.shrink(&f, out)
		for _, k := range []int{0, g.w - 1, len(out) / 2, len(out) - 1} {
			sum := 0
			for y := range g.size {
				for x := range g.size {
					sum += int(f.Y[(k/g.w*g.size+y)*f.Width+k%g.w*g.size+x])
				}
			}
			require.InDelta(t, float64(sum)/float64(g.size*g.size), out[k], 1e-3)
		}
	}
}

func TestADiscThatLeansOnTheHolesRimIsNotTakenForOneThatLiesInIt(t *testing.T) {
	dark, light := [3]float32{20, 25, 30}, [3]float32{200, 190, 180}
	cam := camera.Camera{Width: 400, Height: 400, F: 1000, CX: 200, CY: 200, R: camera.Mat3{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, T: camera.Vec3{0, 0, 500}}
	w := Watcher{cal: &calibrate.Calibration{Camera: cam, Board: board.Tournament26()}}
	w.emptyHole = hole{known: true, empty: patch{[3]float64{20, 25, 30}}}
	for name, c := range map[string]struct {
		x, y  float64 // mm
		askew bool
	}{
		"flat":                      {0, 0, false},
		"flat, as far as it can go": {1.5, -1, false},
		"leaning":                   {-7, 0, true},
		"leaning towards a player":  {3, 6, true},
	} {
		p := &raster.Picture{W: 400, H: 400, Scale: 1, Pix: make([]float32, 400*400*3)}
		for v := range p.H {
			for u := range p.W {
				x, y := cam.Unproject(float64(u), float64(v), 0)
				col := dark
				if math.Hypot(x-c.x, y-c.y) < w.cal.Board.Disc.Radius {
					col = light
				}
				copy(p.Pix[(v*p.W+u)*3:], col[:])
			}
		}
		now, ok := w.patch(p)
		require.True(t, ok)
		require.Equal(t, c.askew, w.askew(p, now), name)
	}
}

func TestTheWaysOfWhatFlewAreTold(t *testing.T) {
	var w Watcher
	for i := range 8 {
		at := time.Duration(i) * 33 * time.Millisecond
		w.flight.see(at, []sight{{Point: board.Point{X: 40 * float64(i), Y: -300 + 35*float64(i)}, solid: true}, {Point: board.Point{X: -90, Y: 10}}})
	}
	ways := w.Ways()
	require.Zero(t, testing.AllocsPerRun(10, func() { w.Ways() }), "while nothing new happens")
	require.Len(t, ways, 1, "what lies still flew nowhere")
	require.Len(t, ways[0], 8)
	require.Equal(t, board.Point{X: 280, Y: -55}, ways[0][7])
	w.begin(time.Second, true)
	require.Empty(t, w.Ways())
}

// grained is a watcher over a board with a grain of so many levels, and a frame of what
// lies there now: over what is laid on it, with a grain of its own.
func grained(t *testing.T, levels float64, laid ...func(p board.Point, luma byte) byte) (*Watcher, *capture.Frame) {
	cam := camera.Camera{Width: 720, Height: 720, F: 720, CX: 360, CY: 360, R: camera.Mat3{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, T: camera.Vec3{0, 0, 800}}
	w := over()
	w.cal.Camera, w.cal.Quality.MMPerPx = cam, 800.0/720
	seed := uint32(7)
	noise := func() float64 {
		seed = seed*1664525 + 1013904223
		return float64(seed>>30) - 1.5
	}
	drawn := make([]byte, 720*720*3/2)
	for i := range drawn {
		drawn[i] = 128
	}
	now := append([]byte(nil), drawn...)
	for v := range 720 {
		for u := range 720 {
			x, y := cam.Unproject(float64(u), float64(v), 0)
			luma := 110 + levels*math.Sin(0.5*x+3*math.Sin(0.02*y))
			drawn[v*720+u] = byte(luma + noise())
			now[v*720+u] = byte(luma + noise())
			for _, lay := range laid {
				now[v*720+u] = lay(board.Point{X: x, Y: y}, now[v*720+u])
			}
		}
	}
	require.NoError(t, w.lying.Put(drawn, 720, 720, capture.I420))
	f := &capture.Frame{}
	require.NoError(t, f.Put(now, 720, 720, capture.I420))
	w.grid.fit(f)
	n := w.grid.w * w.grid.h
	w.changes.restart(n)
	w.blobs.restart(n)
	w.chart.lay(&w.grid, w.cal)
	is, was := make([]float32, n), make([]float32, n)
	w.grid.shrink(f, is)
	w.grid.shrink(&w.lying, was)
	for k := range is {
		w.changes.changed[k] = math.Abs(float64(is[k]-was[k])) > 6
	}
	w.changes.known = true
	return w, f
}

// walnut is a disc of the board's own colour, whose grain runs across the board's.
func walnut(at board.Point) func(board.Point, byte) byte {
	return func(p board.Point, luma byte) byte {
		if apart(p, at) > 15.9 {
			return luma
		}
		return byte(96 + 12*math.Sin(0.45*p.Y))
	}
}

// shade takes light away from a place of a disc's size.
func shade(at board.Point) func(board.Point, byte) byte {
	return func(p board.Point, luma byte) byte {
		if apart(p, at) > 15.9 {
			return luma
		}
		return byte(0.8 * float64(luma))
	}
}

func TestADiscOfTheBoardsColourCoversItsGrainAndAShadeDoesNot(t *testing.T) {
	a, c := board.Point{X: 60, Y: -50}, board.Point{X: -40, Y: 80}
	w, f := grained(t, 14, walnut(a), shade(c))
	require.True(t, w.covered(f, a))
	require.False(t, w.covered(f, c))
	require.False(t, w.covered(f, board.Point{X: -150}), "nothing is there")
	w, f = grained(t, 0, walnut(a))
	require.False(t, w.covered(f, a), "a painted board shows no grain that could be gone")

	line := func(p board.Point, luma byte) byte {
		if math.Abs(p.X-90) < 3 {
			return 30
		}
		return luma
	}
	w, f = grained(t, 0, walnut(a), line)
	for i, luma := range w.lying.Y {
		x, y := w.cal.Camera.Unproject(float64(i%720), float64(i/720), 0)
		w.lying.Y[i] = line(board.Point{X: x, Y: y}, luma)
	}
	require.False(t, w.covered(f, a), "a line beside it is no grain")

	w, f = grained(t, 14, walnut(a), shade(c))
	followed(w, board.Point{Y: -300}, board.Point{Y: -200}, board.Point{Y: -100}, board.Point{Y: 0})
	w.blobs.find(w.changes.changed, &w.grid, &w.chart)
	found := w.overlooked(nil, f)
	require.Len(t, found, 1)
	require.InDelta(t, 0, apart(found[0].Point, a), 3)
	require.Greater(t, found[0].Sigma, roughSigma, "it is not seen well")
	w.flight.restart()
	require.Empty(t, w.overlooked(nil, f), "nothing was shot: the board may show again where a disc lay")
}

func TestADiscIsMissingWhereFewerLieThanHaveLeftTheirPlaces(t *testing.T) {
	a, b := board.Point{X: 60, Y: -50}, board.Point{X: -40, Y: 80}
	w, _ := grained(t, 0, walnut(a), walnut(b))
	w.discs = []Disc{disc(board.SideA, a.X, a.Y), disc(board.SideA, -150, 0)}
	there := &vision.Scene{Discs: []Disc{disc(board.SideA, b.X, b.Y), disc(board.SideA, -150, 0)}}
	require.False(t, w.missing(there), "it lies elsewhere")
	require.True(t, w.missing(&vision.Scene{}))
	followed(w, board.Point{Y: -300}, board.Point{Y: -200}, board.Point{Y: -100}, board.Point{Y: 0})
	require.True(t, w.missing(there), "what was shot is not there")
	w.placed = []Disc{disc(board.SideA, 0, -300)} // and still is
	require.False(t, w.missing(there))
}

func TestADiscThatWasNeverMadeOutAndHasGoneMayLieThereStill(t *testing.T) {
	w, f := grained(t, 0)
	for confidence, watched := range map[float64]bool{0.99: true, 0.5: false} {
		before := []Disc{disc(board.SideB, 60, -50)}
		before[0].Confidence = confidence
		d := difference{became: []int{Gone}, left: []int{0}, sure: true}
		s := w.shot(before, nil, d, stir{}, &turn{on: true, watched: true}, nil, shooting, &vision.Scene{}, f)
		require.Equal(t, watched, s.Watched)
	}
}

func TestADiscWhoseOwnPictureHasNotMovedMayNotHave(t *testing.T) {
	at := board.Point{X: 21, Y: -25}
	w, f := grained(t, 14)
	lay, lies := disc(board.SideA, at.X, at.Y), disc(board.SideA, at.X+2.5, at.Y)
	lay.Top, lies.Top = lay.Point, lies.Point
	lay.Sigma, lies.Sigma = 0.5, 0.5
	followed(w, board.Point{X: -40, Y: 300}, board.Point{X: -30, Y: 200}, board.Point{X: -20, Y: 100}, board.Point{}, board.Point{})
	after := []Disc{lies}
	s := w.nudge(f, []Disc{lay}, after, w.flew())
	require.Equal(t, stir{either: []int{0}}, s)
	require.Equal(t, lies.Point, after[0].Point)

	after[0].X = at.X + 0.8 // as much as a look may err
	s = w.nudge(f, []Disc{lay}, after, w.flew())
	require.Equal(t, stir{unmoved: []int{0}}, s)
	require.Equal(t, at, after[0].Point)
}

func TestADiscThatIsGlimpsedUnderALampMayLieThere(t *testing.T) {
	at := board.Point{X: 66, Y: -28}
	bright := func(p board.Point, luma byte) byte {
		if apart(p, at) > 15.9 {
			return luma
		}
		return 225
	}
	w, f := grained(t, 0, bright)
	w.o.Sides, w.palette.n = 2, 2
	w.palette.colours[board.SideA], w.palette.colours[board.SideB] = [3]float64{20, 20, 20}, [3]float64{235, 240, 245}
	faint := disc(board.NoSide, at.X, at.Y)
	faint.Whole = [3]float64{243, 243, 243}
	for i := range w.lying.U { // on a board that is not grey
		w.lying.U[i], w.lying.V[i] = 100, 160
	}
	require.True(t, w.glimpsed(nil, []Disc{faint}, f))
	require.False(t, w.glimpsed([]Disc{disc(board.SideB, at.X+4, at.Y)}, []Disc{faint}, f), "it was made out")
	elsewhere := faint
	elsewhere.Point = board.Point{X: -66, Y: 28}
	require.False(t, w.glimpsed(nil, []Disc{elsewhere}, f), "nothing has changed there")

	for _, c := range []struct {
		faint   Disc
		watched bool
	}{{faint, false}, {elsewhere, true}} {
		s := w.shot(nil, nil, difference{sure: true}, stir{}, &turn{on: true, watched: true}, nil, shooting, &vision.Scene{Faint: []Disc{c.faint}}, f)
		require.Equal(t, c.watched, s.Watched)
	}
}

func TestADiscThatAnotherHasComeToLieAgainstMayHaveBeenTouched(t *testing.T) {
	at := board.Point{X: 21, Y: -25}
	w, f := grained(t, 14, func(p board.Point, luma byte) byte { // its picture has gone by 2 mm
		if apart(p, at) > 20 {
			return luma
		}
		return byte(110 + 14*math.Sin(0.5*(p.X-2)+3*math.Sin(0.02*p.Y)))
	})
	lay := disc(board.SideA, at.X, at.Y)
	lay.Top, lay.Sigma = lay.Point, 0.5
	followed(w, board.Point{X: -40, Y: 300}, board.Point{X: -30, Y: 200}, board.Point{X: -20, Y: 100}, board.Point{X: -11}, board.Point{X: -11})
	for x, want := range map[float64]stir{-1: {either: []int{0}}, -11: {nudged: []int{0}}} {
		after := []Disc{lay, disc(board.SideB, x, -2)}
		require.Equal(t, want, w.nudge(f, []Disc{lay}, after, w.flew()))
	}
}
