package api_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"crokcam/calibrate"
	"crokcam/calibrate/camera"
	"crokcam/vision/photo"
)

var desk = window{width: 1280, height: 800}

// blind scores a picture only where it is shown the board, and keeps what it
// was last shown.
type blind struct {
	looking atomic.Bool // from then on
	shown   atomic.Pointer[[]calibrate.Point]
}

// openBlind opens the page and gives it a picture in which no board is found.
func openBlind(t testing.TB, w window) (*page, *blind) {
	t.Helper()
	b, example := &blind{}, recorded(t)
	p := open(t, start(t, options(func(ctx context.Context, data []byte, o photo.Options) (*photo.Report, error) {
		if !b.looking.Load() {
			return example, nil
		}
		b.shown.Store(&o.Hand.Points)
		if len(o.Hand.Points) == 0 {
			return nil, photo.ErrNoBoard
		}
		return photo.Score(ctx, data, o)
	})).URL, w)
	b.looking.Store(true)
	p.upload()
	require.Contains(t, p.text("#alert"), "No crokinole board was found")
	require.Equal(t, "Show me where the board is", p.text("#alert button"))
	return p, b
}

// corner is where a quadrant line ends, in the window.
func (p *page) corner(degrees float64) xy {
	p.Helper()
	s, c := math.Sincos(degrees * math.Pi / 180)
	return p.onBoard(303.2*c, 303.2*s)
}

// inPicture is the pixel that is seen at a place of the window.
func (p *page) inPicture(at xy) xy {
	p.Helper()
	return evaluate[xy](p, fmt.Sprintf(`(() => {
		const q = new DOMPoint(%g, %g).matrixTransform(document.getElementById("view").getScreenCTM().inverse());
		return {X: q.x, Y: q.y};
	})()`, at.X, at.Y))
}

// settled waits for the answer to points.
func (p *page) settled() { p.Helper(); p.wait(`document.getElementById("working").hidden`) }

func requireShown(t testing.TB, want map[string]xy, b *blind) {
	t.Helper()
	got := *b.shown.Load()
	require.Len(t, got, len(want))
	for _, p := range got {
		require.Contains(t, want, p.Name)
		require.InDelta(t, want[p.Name].X, p.U, 0.5, p.Name)
		require.InDelta(t, want[p.Name].Y, p.V, 0.5, p.Name)
	}
}

func (p *page) magnified() bool {
	p.Helper()
	return evaluate[bool](p, `!document.getElementById("loupe").hidden`)
}

func TestWhereNoBoardIsFoundThePlayerShowsIt(t *testing.T) {
	t.Parallel()
	p, b := openBlind(t, desk)
	p.shoot("pointing-offer-desk", false)
	p.click("#alert button")
	require.True(t, evaluate[bool](p, `document.getElementById("alert").hidden`))
	require.Equal(t, "Point 1 of 4: tap the outer end of one of the four short lines.", p.text("#hint"))

	// Any order will do: the page finds out which point is which.
	want := map[string]xy{}
	for i, degrees := range []float64{225, 45, 315, 135} {
		require.True(t, evaluate[bool](p, `document.getElementById("pointing-score").disabled`))
		at := p.corner(degrees)
		want[fmt.Sprintf("start@%g", degrees)] = p.inPicture(at)
		if i < 3 {
			p.do(chromedp.MouseClickXY(at.X, at.Y))
			continue
		}
		// The last one is put down beside its place and dragged there.
		beside := xy{at.X - 40, at.Y + 25}
		p.drag(beside, at)
		require.True(t, p.magnified(), "the magnifier shows what is under the finger")
		p.shoot("pointing-drag-desk", false)
		p.drop(at)
		require.False(t, p.magnified())
	}
	require.Contains(t, p.text("#hint"), "Does the yellow circle lie on the outermost printed circle?")
	p.shoot("pointing-desk", false)

	p.click("#pointing-score")
	p.settled()
	requireShown(t, want, b)
	require.Equal(t, "90 | 85", p.points())
	require.True(t, evaluate[bool](p, `document.getElementById("pointing").hidden`))

	// What was shown is kept while the same picture is scored anew.
	p.do(chromedp.SetValue("#sides", "2"))
	evaluate[bool](p, `(document.getElementById("sides").dispatchEvent(new Event("change")), true)`)
	p.wait(`document.body.classList.contains("scored") && document.getElementById("working").hidden`)
	requireShown(t, want, b)

	// The rings look wrong after all: the points are still there to be moved,
	// and leaving changes nothing.
	p.click("#point")
	require.Equal(t, 4, evaluate[int](p, `document.querySelectorAll(".pin").length`))
	p.click("#pointing-undo")
	require.Equal(t, 3, evaluate[int](p, `document.querySelectorAll(".pin").length`))
	p.click("#pointing-cancel")
	require.Equal(t, "90 | 85", p.points())
	require.Equal(t, 18, evaluate[int](p, `document.querySelectorAll(".disc").length`))
	require.Equal(t, 0, evaluate[int](p, `document.querySelectorAll(".pin").length`))
}

func TestOnAPhoneTheBoardIsShownWithTheFinger(t *testing.T) {
	t.Parallel()
	p, b := openBlind(t, phone)
	p.shoot("pointing-offer-phone", false)
	p.click("#alert button")
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		_, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		require.NoError(t, err)
	}
	want := map[string]xy{}
	for _, degrees := range []float64{45, 135, 225, 315} {
		at := p.corner(degrees)
		touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: at.X + 10, Y: at.Y + 10})
		touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: at.X, Y: at.Y})
		require.True(t, p.magnified())
		finger := evaluate[bool](p, fmt.Sprintf(`(() => { const r = document.getElementById("loupe").getBoundingClientRect(); return %g > r.left && %g < r.right && %g > r.top && %g < r.bottom; })()`, at.X, at.X, at.Y, at.Y))
		require.False(t, finger, "the magnifier is not under the finger")
		p.shoot(fmt.Sprintf("pointing-drag-phone-%g", degrees), false)
		touch(input.DispatchTouchEventTypeTouchEnd)
		want[fmt.Sprintf("start@%g", degrees)] = p.inPicture(at)
	}
	p.shoot("pointing-phone", false)
	require.LessOrEqual(t, evaluate[int](p, `document.documentElement.scrollWidth`), int(phone.width))
	require.Empty(t, evaluate[string](p, paleText), "too pale to read")
	p.click("#pointing-score")
	p.settled()
	requireShown(t, want, b)
	require.Equal(t, "90 | 85", p.points())
	p.shoot("pointing-scored-phone", true)
}

func TestTheBoardIsShownWithKeysAlone(t *testing.T) {
	t.Parallel()
	p, b := openBlind(t, desk)
	key := func(k string) { p.do(chromedp.KeyEvent(k)) }
	active := func() string {
		return evaluate[string](p, `document.activeElement.id || document.activeElement.getAttribute("aria-label")`)
	}
	evaluate[bool](p, `(document.querySelector("#alert button").focus(), true)`)
	key("\r")
	require.Equal(t, "view", active())
	for i := range 4 {
		// The cross waits near a corner.
		key("\u0302")
		require.True(t, p.magnified())
		if i == 1 {
			p.shoot("pointing-keys-desk", false)
		}
		key("\r")
	}
	require.Equal(t, "pointing-score", active(), "all are there")
	require.True(t, evaluate[bool](p, `document.getElementById("working").hidden`), "the key that put it does not press the button")
	before := evaluate[string](p, `document.querySelector('.pin[data-point="0"]').getAttribute("transform")`)
	evaluate[bool](p, `(document.querySelector('.pin[data-point="0"]').focus(), true)`)
	key("\u0304")
	key("\u0304")
	require.NotEqual(t, before, evaluate[string](p, `document.querySelector('.pin[data-point="0"]').getAttribute("transform")`))
	p.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	require.Equal(t, before, evaluate[string](p, `document.querySelector('.pin[data-point="0"]').getAttribute("transform")`), "small steps are taken back together")
	evaluate[bool](p, `(document.querySelector('.pin[data-point="3"]').focus(), true)`)
	key("\u007f")
	require.Equal(t, 3, evaluate[int](p, `document.querySelectorAll(".pin").length`))
	require.Equal(t, "view", active())
	key("\r")
	require.Equal(t, 4, evaluate[int](p, `document.querySelectorAll(".pin").length`))
	evaluate[bool](p, `(document.getElementById("pointing-score").focus(), true)`)
	key("\r")
	p.settled()
	require.Len(t, *b.shown.Load(), 4)
	require.Equal(t, "score", active())
	require.Equal(t, "true", evaluate[string](p, `String(document.getElementById("pointing").hidden)`))
	require.NotEmpty(t, p.points())
	p.click("#point")
	key("\u001b")
	require.Equal(t, "point", active(), "back where it was left")
}

func TestPointsThatFitNoBoardCanBeMovedUntilTheyDo(t *testing.T) {
	t.Parallel()
	p, b := openBlind(t, desk)
	p.click("#alert button")
	stage := evaluate[xy](p, `(() => { const r = document.getElementById("stage").getBoundingClientRect(); return {X: r.x, Y: r.y}; })()`)
	for i := range 4 {
		p.do(chromedp.MouseClickXY(stage.X+100+60*float64(i), stage.Y+100+60*float64(i)))
	}
	p.click("#pointing-score")
	p.settled()
	require.Equal(t, "These four points do not fit a board. Drag those that are off, or undo them and tap again.", p.text("#alert"))
	require.Equal(t, 4, evaluate[int](p, `document.querySelectorAll(".pin").length`))
	for range 4 {
		p.click("#pointing-undo")
	}
	for _, degrees := range []float64{45, 315, 225, 135} {
		at := p.corner(degrees)
		p.do(chromedp.MouseClickXY(at.X, at.Y))
	}
	p.click("#pointing-score")
	p.settled()
	require.Len(t, *b.shown.Load(), 4)
	require.Equal(t, "90 | 85", p.points())

	// Another picture is another board.
	p.click("#point")
	p.upload()
	require.Contains(t, p.text("#alert"), "No crokinole board was found")
	require.Empty(t, *b.shown.Load())
	p.click("#alert button")
	require.Equal(t, 0, evaluate[int](p, `document.querySelectorAll(".pin").length`))
	p.click("#pointing-cancel")
	require.Contains(t, p.text("#alert"), "No crokinole board was found", "the offer stands")
	require.Equal(t, "Show me where the board is", p.text("#alert button"))
}

// Whatever the view and the order, the four points are named so that a camera
// sees them, and the circle drawn through them is the starting line.
func TestFourPointsAreNamedInTurnFromEveryView(t *testing.T) {
	t.Parallel()
	p := open(t, start(t, options(scores(t))).URL, desk)
	random := rand.New(rand.NewPCG(3, 4))
	var calls []string
	var cameras []camera.Camera
	for range 60 {
		tilt, about, roll := random.Float64()*50*math.Pi/180, random.Float64()*2*math.Pi, random.Float64()*2*math.Pi
		down := camera.Vec3{math.Sin(tilt) * math.Cos(about), math.Sin(tilt) * math.Sin(about), -math.Cos(tilt)}
		c := camera.Camera{Width: 1600, Height: 1200, F: 1300, CX: 799.5, CY: 599.5, R: camera.Facing(down), T: camera.Vec3{20, -30, 1400}}.Turned(roll)
		require.NoError(t, c.Validate())
		cameras = append(cameras, c)
		var corners []string
		for _, k := range random.Perm(4) {
			s, cos := math.Sincos((45 + 90*float64(k)) * math.Pi / 180)
			u, v := c.Project(304.8*cos, 304.8*s, 0)
			corners = append(corners, fmt.Sprintf("[%v,%v]", u, v))
		}
		calls = append(calls, "["+strings.Join(corners, ",")+"]")
	}
	type view struct {
		Turned [][2]float64
		Circle [][2]float64
	}
	views := evaluate[[]view](p, fmt.Sprintf(`import("/js/geometry.js").then((g) => [%s].map((places) => {
		const turned = g.inTurn(places), map = g.throughCorners(turned);
		return {Turned: turned, Circle: [0, 1, 2, 3, 4, 5, 6].map((a) => g.apply(map, [Math.cos(a), Math.sin(a)]))};
	}))`, strings.Join(calls, ",")))
	for i, v := range views {
		c := cameras[i]
		var last float64
		for k, q := range v.Turned {
			x, y := c.Unproject(q[0], q[1], 0)
			a := math.Atan2(y, x)
			if k > 0 {
				require.InDelta(t, math.Pi/2, math.Mod(a-last+4*math.Pi, 2*math.Pi), 1e-6, "counter-clockwise, by quarters")
			}
			last = a
		}
		for _, q := range v.Circle {
			x, y := c.Unproject(q[0], q[1], 0)
			require.InDelta(t, 304.8, math.Hypot(x, y), 1e-3)
		}
	}
}
