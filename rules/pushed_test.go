package rules

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
)

// The odds of a push against scatter are the likelihoods averaged over all ways
// and directions.
func TestPushedIsTheAverageOverAllWays(t *testing.T) {
	spec := board.Tournament26()
	l := linesOf(&spec)
	for _, c := range []struct{ sigma, off float64 }{{0.5, 0}, {0.5, 1}, {0.5, 2.5}, {0.2, 1}, {2, 5}} {
		p := play{
			rs: Ruleset{Board: spec}, l: l, n: 1, sets: sets{on: 1}, b: []Outcome{{}, {}},
			before: []board.Disc{{Sigma: c.sigma}}, after: []board.Disc{{Point: board.Point{X: c.off}, Sigma: c.sigma}},
		}
		s, sum := c.sigma*math.Sqrt2, 0.0
		const way, turns = 0.01, 360
		for r := way / 2; r < c.off+10*s; r += way {
			for k := range turns {
				a := 2 * math.Pi * float64(k) / turns
				d2 := square(c.off-r*math.Cos(a)) + square(r*math.Sin(a))
				sum += way / l.surface / turns * math.Exp((square(c.off)-d2)/(2*s*s))
			}
		}
		require.InEpsilon(t, sum, p.pushed(0), 1e-3, "%v", c)
	}
}

// A disc is braced by the post that it lies before, on whichever side, and by no
// other.
func TestBraced(t *testing.T) {
	turned := board.Tournament26()
	turned.Quadrants.Angle, turned.Posts.Angle = 0.3, 0.2
	for _, spec := range []board.Spec{board.Tournament26(), turned} {
		p := play{rs: Ruleset{Board: spec}, l: linesOf(&spec)}
		touching := p.l.disc + spec.Posts.Diameter/2
		for _, c := range spec.PostCentres() {
			for k := range 12 {
				sin, cos := math.Sincos(float64(k) * math.Pi / 6)
				at := func(gap float64) board.Point {
					return board.Point{X: c.X + (touching+gap)*cos, Y: c.Y + (touching+gap)*sin}
				}
				require.True(t, p.braced(at(0)))
				require.True(t, p.braced(at(3.9)))
				require.False(t, p.braced(at(4.1)))
			}
		}
		require.False(t, p.braced(board.Point{}))
		require.False(t, p.braced(board.Point{X: 200}))
		p.rs.Board.Posts.Count = 0
		require.False(t, p.braced(spec.PostCentres()[0]), "no posts, no bracing")
	}
}

// A push can move a disc before a post a fifth as far as another, which makes one
// by any given little way five times as likely.
func TestPushedBeforeAPost(t *testing.T) {
	var p play
	p.l = linesOf(p.rs.judgedOn())
	odds := func(x, y float64) float64 {
		was := board.Disc{Point: board.Point{X: x, Y: y}, Sigma: 0.5}
		is := was
		is.X++
		p.before, p.after, p.b, p.n, p.on = []board.Disc{was}, []board.Disc{is}, []Outcome{{}, {}}, 1, 1
		return p.pushed(0)
	}
	post := p.rs.playedOn().PostCentres()[0]
	require.InEpsilon(t, 5*odds(0, 150), odds(post.X, post.Y+22), 1e-9)
}

// Whatever lies within a disc's width of a place, or within half of it, is found
// there.
func TestGridFindsWhatIsNear(t *testing.T) {
	const disc = 31.75
	r := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		p := board.Point{X: 700 * (r.Float64() - 0.5), Y: 700 * (r.Float64() - 0.5)}
		beside := func(most float64) board.Point {
			sin, cos := math.Sincos(2 * math.Pi * r.Float64())
			d := most * math.Sqrt(r.Float64())
			return board.Point{X: p.X + d*cos, Y: p.Y + d*sin}
		}
		g := grid{scale: 1 / disc}
		x, y := g.cell(p)
		g.add(1, x, y)
		require.NotZero(t, g.around(g.cell(beside(disc))), "%v", p)
		require.NotZero(t, g.at(beside(disc/2)), "%v", p)
	}
}

// A disc before a post may have been driven against it and come back to where it lay,
// unless something looked on all the time.
func TestADiscThatNothingCameNearWasNotMoved(t *testing.T) {
	rs := Ruleset{Board: board.Tournament26()}
	post := rs.Board.PostCentres()[0]
	out := 1 + (rs.Board.Disc.Radius+rs.Board.Posts.Diameter/2+1)/post.Radius()
	theirs := board.Disc{Point: board.Point{X: out * post.X, Y: out * post.Y}, Side: board.SideB, Sigma: 0.5, Confidence: 1}
	ours := board.Disc{Point: board.Point{X: 0, Y: -250}, Side: board.SideA, Sigma: 0.5, Confidence: 1}
	judge := func(still ...Body) Verdict {
		v, err := Judge(
			board.Snapshot{Discs: []board.Disc{theirs}}, board.Snapshot{Discs: []board.Disc{theirs, ours}},
			Shot{Side: board.SideA, Number: 2, Evidence: Evidence{Watched: WatchedPlay, Still: still}, Track: &Track{Discs: []int{0}, Shot: 1}}, rs)
		require.NoError(t, err)
		return v
	}
	v := judge()
	require.Equal(t, Failed, v.Ruling)
	require.True(t, v.Review, "it may have been pushed")

	v = judge(Disc(0))
	require.Equal(t, Failed, v.Ruling)
	require.False(t, v.Review)

	_, err := Judge(board.Snapshot{}, board.Snapshot{}, Shot{Side: board.SideA, Evidence: Evidence{Still: []Body{Disc(0)}}}, rs)
	require.ErrorIs(t, err, ErrInput)
}

// A little push is less than where a disc lies can be told, but one picture beside the
// other shows it.
func TestADiscThatWasSeenToBeNudgedWasTouched(t *testing.T) {
	rs := Ruleset{Board: board.Tournament26()}
	lies := func(side board.Side, x, y float64) board.Disc {
		return board.Disc{Point: board.Point{X: x, Y: y}, Side: side, Sigma: 0.5, Confidence: 1}
	}
	theirs, ours := lies(board.SideB, 32.3, 65.9), lies(board.SideA, 62, 77)
	for name, c := range map[string]struct {
		nudged []Body
		want   Ruling
		review bool
	}{
		"seen":     {[]Body{Disc(0)}, Good, false},
		"not seen": {nil, Failed, true},
	} {
		v, err := Judge(board.Snapshot{Discs: []board.Disc{theirs}}, board.Snapshot{Discs: []board.Disc{lies(board.SideB, 31, 65), ours}},
			Shot{Side: board.SideA, Number: 2, Evidence: Evidence{Watched: WatchedPlay, Nudged: c.nudged}, Track: &Track{Discs: []int{0}, Shot: 1}}, rs)
		require.NoError(t, err)
		require.Equal(t, c.want, v.Ruling, name)
		require.Equal(t, c.review, v.Review, name)
	}

	_, err := Judge(board.Snapshot{}, board.Snapshot{}, Shot{Side: board.SideA, Evidence: Evidence{Nudged: []Body{Disc(0)}}}, rs)
	require.ErrorIs(t, err, ErrInput)
}
