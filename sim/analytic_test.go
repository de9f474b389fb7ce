package sim_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
	"crokcam/sim"
)

const g = 9810 // mm/s²

// A disc that nothing is in the way of slides v²/2µg.
func TestASlideIsAsLongAsTheClosedForm(t *testing.T) {
	table := club(t)
	mu := table.Params().Surface.Friction
	for _, v := range []float64{0.5, 50, 300, 520, 700} {
		from := at(-150, -260)
		r, err := table.Shoot(sim.Setup{}, sim.Shot{Side: board.SideA, From: from, Speed: v})
		require.NoError(t, err)
		d := v * v / (2 * mu * g)
		require.InDelta(t, from.X+d, r.Discs[0].X, 1e-9, "%g mm/s", v)
		require.InDelta(t, from.Y, r.Discs[0].Y, 1e-9)
		require.InDelta(t, v/(mu*g), r.Duration, 1e-12)
		half := r.At(r.Duration / 2)[0]
		require.InDelta(t, from.X+0.75*d, half.X, 1e-9, "three quarters of the way at half time")
	}
}

// A spin that is slower than the slide fades as the root of the speed, and ends
// with it; a faster one fades evenly and outlasts it.
func TestSpinFades(t *testing.T) {
	table := club(t)
	r, mu := table.Spec().Disc.Radius, table.Params().Surface.Friction
	shot := sim.Shot{Side: board.SideA, From: at(-150, -260), Speed: 500, Spin: 20}
	res, err := table.Shoot(sim.Setup{}, shot)
	require.NoError(t, err)
	require.InDelta(t, 500/(mu*g), res.Duration, 1e-12)
	require.InDelta(t, 20*(500/(mu*g))*2/3, res.Discs[0].Angle, 1e-9)

	shot.Speed, shot.Spin = 100, -100
	res, err = table.Shoot(sim.Setup{}, shot)
	require.NoError(t, err)
	fade := 4 * mu * g / (3 * r)
	require.InDelta(t, 100/fade, res.Duration, 1e-12)
	require.InDelta(t, -100*100/(2*fade), res.Discs[0].Angle, 1e-9)
	slides := 100 / (mu * g)
	require.Equal(t, res.At(slides)[0].X, res.At(res.Duration)[0].X)
	require.True(t, res.At(slides + 0.01)[0].Moving, "it still spins")
}

// speedAfter is the speed with which a disc went d mm until it stopped.
func speedAfter(t *sim.Table, d float64) float64 {
	return math.Sqrt(2 * t.Params().Surface.Friction * g * d)
}

// Head-on, the struck disc takes (1+e)/2 of the speed and the other keeps the
// rest.
func TestHeadOn(t *testing.T) {
	for _, e := range []float64{0, 0.3, 0.8, 1} {
		table := tableOf(t, board.Tournament26(), func(p *sim.Params) { p.Disc.Restitution = e })
		mu := table.Params().Surface.Friction
		r, err := table.Shoot(discs(at(-100, -250)), sim.Shot{Side: board.SideA, From: at(-180, -250), Speed: 600})
		require.NoError(t, err)
		v := math.Sqrt(600*600 - 2*mu*g*(80-31.75))
		require.NotEmpty(t, r.Contacts)
		c := r.Contacts[0]
		e = max(e, 1/v) // nothing parts more slowly than a millimetre a second that met faster
		require.InDelta(t, v, c.Approach, 1e-9)
		require.InDelta(t, (1+e)/2*v*table.Params().Disc.Mass/1e6*1e3, c.Impulse, 1e-9)
		require.InDelta(t, -100-15.875, c.Point.X, 1e-9)
		require.Equal(t, sim.Body{Kind: sim.Disc, Index: 1}, c.A, "the shot disc is the faster")
		require.InDelta(t, (1+e)/2*v, speedAfter(table, r.Discs[0].X+100), 1e-6)
		if e < 1 {
			require.InDelta(t, (1-e)/2*v, speedAfter(table, r.Discs[1].X+131.75), 1e-6)
		}
	}
}

// Without friction between the rims an oblique hit sends the struck disc along
// the line of centres, and at full restitution the other one at right angles.
func TestObliqueHit(t *testing.T) {
	table := tableOf(t, board.Tournament26(), func(p *sim.Params) { p.Disc.Bounce = sim.Bounce{Restitution: 1} })
	mu := table.Params().Surface.Friction
	rapid.Check(t, func(rt *rapid.T) {
		aside := rapid.Float64Range(-30, 30).Draw(rt, "offset")
		r, err := table.Shoot(discs(at(-60, -240)), sim.Shot{Side: board.SideA, From: at(-130, -240-aside), Speed: 420})
		require.NoError(rt, err)
		sin := aside / 31.75
		cos := math.Sqrt(1 - sin*sin)
		v2 := 420*420 - 2*mu*g*(70-31.75*cos)
		struck, shot := r.Discs[0], r.Discs[1]
		d := v2 * cos * cos / (2 * mu * g)
		require.InDelta(rt, -60+d*cos, struck.X, 1e-7)
		require.InDelta(rt, -240+d*sin, struck.Y, 1e-7)
		// What the shot disc does from there is at right angles, unless they touch
		// again, as discs of equal speed do not.
		if len(r.Contacts) == 1 {
			d = v2 * sin * sin / (2 * mu * g)
			require.InDelta(rt, -60-31.75*cos+d*math.Abs(sin), shot.X, 1e-7)
			require.InDelta(rt, -240-31.75*sin-math.Copysign(d*cos, sin), shot.Y, 1e-7)
		}
	})
}

// With friction the rims drag each other along: the impulse along the tangent is
// what stops the slip, m·slip/6, or µ times the normal one.
func TestRubbingRims(t *testing.T) {
	table := club(t)
	p := table.Params()
	for _, c := range []struct {
		name        string
		aside, spin float64
	}{{"full, spinning fast", 0, 300}, {"full, spinning slowly", 0, 2}, {"half", 15.875, 0}, {"thin", 30, 0}, {"slightly off", 1, 0}, {"against the spin", 12, -20}} {
		t.Run(c.name, func(t *testing.T) {
			var hit *sim.Step
			_, err := table.Watched(discs(at(-60, -240)), sim.Shot{Side: board.SideA, From: at(-130, -240-c.aside), Speed: 900, Spin: c.spin}, func(s sim.Step) {
				if s.Kind == "disc" && hit == nil {
					hit = &s
				}
			})
			require.NoError(t, err)
			b, a := hit.Before, hit.After
			nx, ny := (b[0].X-b[1].X)/31.75, (b[0].Y-b[1].Y)/31.75
			approach := b[1].VX*nx + b[1].VY*ny
			slip := -b[1].VX*ny + b[1].VY*nx + 15.875*b[1].Spin
			normal := (1 + p.Disc.Restitution) / 2 * approach
			tangent := math.Copysign(min(p.Disc.Friction*normal, math.Abs(slip)/6), slip)
			require.InDelta(t, normal*nx-tangent*ny, a[0].VX, 1e-8)
			require.InDelta(t, normal*ny+tangent*nx, a[0].VY, 1e-8)
			require.InDelta(t, -2*tangent/15.875, a[0].Spin, 1e-8)
			require.InDelta(t, b[1].Spin-2*tangent/15.875, a[1].Spin, 1e-8)
		})
	}
}

// A post sends a disc back with its own restitution, a rubber one faster than a
// bare one.
func TestPosts(t *testing.T) {
	post := board.Tournament26().PostCentres()[5] // the left one of the south side
	for _, e := range []float64{0.3, 0.9} {
		table := tableOf(t, board.Tournament26(), func(p *sim.Params) { p.Posts.Restitution = e })
		mu := table.Params().Surface.Friction
		r, err := table.Shoot(sim.Setup{}, sim.Shot{Side: board.SideA, From: at(post.X, -290), Heading: math.Pi / 2, Speed: 800})
		require.NoError(t, err)
		require.Len(t, r.Contacts, 1)
		require.Equal(t, sim.Body{Kind: sim.Post, Index: 5}, r.Contacts[0].B)
		way := post.Y - 15.875 - 9.525/2 + 290
		v := math.Sqrt(800*800-2*mu*g*way) * e
		require.InDelta(t, post.Y-15.875-9.525/2-v*v/(2*mu*g), r.Discs[0].Y, 1e-6)
	}
}

// Without friction and losses everything runs backwards to where it began.
func TestReversal(t *testing.T) {
	table := tableOf(t, board.Tournament26(), func(p *sim.Params) {
		p.Disc.Bounce, p.Posts = sim.Bounce{Restitution: 1}, sim.Bounce{Restitution: 1}
		p.Hole.Catch = 0.01 // the hole lets a disc pass at these speeds, but not for nothing
	}).Frictionless()
	contacts := 0
	for k := range 200 {
		r := rand.New(rand.NewPCG(uint64(k), 11))
		start, shot := randomBoard(r, board.Tournament26(), 12)
		begin := make([]sim.Moment, 0, 13)
		for _, d := range start.Board.Discs {
			begin = append(begin, sim.Moment{X: d.X, Y: d.Y})
		}
		begin = append(begin, sim.Moment{X: shot.From.X, Y: shot.From.Y, VX: 1500 * math.Cos(shot.Heading), VY: 1500 * math.Sin(shot.Heading)})
		const long = 0.18
		end, n := table.Glide(begin, long)
		for i := range end {
			end[i].VX, end[i].VY, end[i].Spin = -end[i].VX, -end[i].VY, -end[i].Spin
		}
		if out(end) {
			continue // into the ditch or over the hole: nothing comes back from there unchanged
		}
		back, m := table.Glide(end, long)
		if m != n {
			continue // a lip
		}
		contacts += n
		for i := range back {
			require.InDelta(t, begin[i].X, back[i].X, 1e-3, "board %d, disc %d", k, i)
			require.InDelta(t, begin[i].Y, back[i].Y, 1e-3, "board %d, disc %d", k, i)
		}
	}
	require.Greater(t, contacts, 200)
}

func out(m []sim.Moment) bool {
	for _, d := range m {
		if d.Where != sim.OnSurface {
			return true
		}
	}
	return false
}

// At every event momentum, angular momentum and energy add up to a billionth.
func TestBalances(t *testing.T) {
	table := club(t)
	p := table.Params()
	m, r := p.Disc.Mass, table.Spec().Disc.Radius
	energy := func(d sim.Moment) float64 {
		return m/2*(d.VX*d.VX+d.VY*d.VY) + m*r*r/4*d.Spin*d.Spin
	}
	turning := func(d sim.Moment) float64 { return m*(d.X*d.VY-d.Y*d.VX) + m*r*r/2*d.Spin }
	events := map[string]int{}
	for k := range 300 {
		rnd := rand.New(rand.NewPCG(uint64(k), 21))
		start, shot := randomBoard(rnd, table.Spec(), 12)
		total := m / 2 * shot.Speed * shot.Speed
		var last sim.Step
		_, err := table.Watched(start, shot, func(s sim.Step) {
			name := fmt.Sprintf("board %d, %s at %.6f s", k, s.Kind, s.At)
			events[s.Kind]++
			for i := range s.Before {
				if i != s.I && i != s.J {
					require.Equal(t, s.Before[i], s.After[i], name)
				}
			}
			// Between events only friction acts: µmg times the way.
			if last.After != nil {
				for i := range s.Before {
					b, a := last.After[i], s.Before[i]
					if b.Where != sim.OnSurface || b.VX == 0 && b.VY == 0 {
						continue
					}
					lost := m / 2 * (b.VX*b.VX + b.VY*b.VY - a.VX*a.VX - a.VY*a.VY)
					require.InDelta(t, p.Surface.Friction*m*g*math.Hypot(a.X-b.X, a.Y-b.Y), lost, 1e-9*total, name)
				}
			}
			last = s
			b, a := s.Before[s.I], s.After[s.I]
			switch s.Kind {
			case "disc":
				c, d := s.Before[s.J], s.After[s.J]
				if b.Where == sim.InHole || c.Where == sim.InHole {
					return
				}
				scale := m * shot.Speed
				require.InDelta(t, 0, m*(a.VX+d.VX-b.VX-c.VX), 1e-9*scale, name)
				require.InDelta(t, 0, m*(a.VY+d.VY-b.VY-c.VY), 1e-9*scale, name)
				require.InDelta(t, 0, turning(a)+turning(d)-turning(b)-turning(c), 1e-9*scale*300, name)
				// The work of the two impulses is what is lost.
				l := math.Hypot(c.X-b.X, c.Y-b.Y)
				nx, ny := (c.X-b.X)/l, (c.Y-b.Y)/l
				rub := func(x, y sim.Moment) (met, slip float64) {
					wx, wy := x.VX-y.VX, x.VY-y.VY
					return wx*nx + wy*ny, -wx*ny + wy*nx + r*(x.Spin+y.Spin)
				}
				met, slip := rub(b, c)
				part, slips := rub(a, d)
				normal := m * ((b.VX-a.VX)*nx + (b.VY-a.VY)*ny)
				tangent := m * (-(b.VX-a.VX)*ny + (b.VY-a.VY)*nx)
				lost := energy(b) + energy(c) - energy(a) - energy(d)
				require.InDelta(t, normal*(met+part)/2+tangent*(slip+slips)/2, lost, 1e-9*total, name)
				require.GreaterOrEqual(t, lost, -1e-9*total, name)
				require.LessOrEqual(t, math.Abs(tangent), p.Disc.Friction*normal*(1+1e-9)+1e-9*scale, name)
				require.GreaterOrEqual(t, slip*slips, -1e-9*slip*slip-1e-12, "%s: friction does not turn the slip round", name)
			case "stop", "hole", "land", "back":
				require.InDelta(t, energy(b), energy(a), 1e-9*total, name)
			case "edge":
				require.LessOrEqual(t, energy(a)-energy(b), m*g*p.Ditch.Depth, name)
			default:
				require.LessOrEqual(t, energy(a), energy(b)+1e-9*total, name)
			}
		})
		require.NoError(t, err)
	}
	for _, kind := range []string{"disc", "post", "stop", "hole", "lip", "edge", "land", "rail", "wall"} {
		require.Positive(t, events[kind], "%s never happened: %v", kind, events)
	}
}
