package board_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
)

// at is a surface disc at distance r from the centre, in direction deg.
func at(r, deg float64) board.Disc {
	a := deg * math.Pi / 180
	return board.Disc{Point: board.Point{X: r * math.Cos(a), Y: r * math.Sin(a)}, Side: board.SideA, Sigma: 0.3, Confidence: 1}
}

func TestADiscCountsForTheLowestZoneItTouches(t *testing.T) {
	// The tournament board: inner printed edges at 100, 201.6 and 303.2 mm,
	// discs of 15.875 mm radius.
	for _, c := range []struct {
		name  string
		r     float64
		zone  string
		gap   float64
		other string
	}{
		{"beside the hole, flat on the surface", 20, "15", 64.125, "10"},
		{"a hair inside the 15 line", 84.025, "15", 0.1, "10"},
		{"a hair over the 15 line's inner edge", 84.225, "10", -0.1, "15"},
		{"centre on the 15 line", 101.6, "10", -17.475, "15"},
		{"in the middle of the 10 zone", 150, "10", 35.725, "5"},
		{"a hair inside the 10 line", 185.625, "10", 0.1, "5"},
		{"a hair over the 10 line's inner edge", 185.825, "5", -0.1, "10"},
		{"a hair inside the starting line", 287.225, "5", 0.1, "out"},
		{"a hair over the starting line's inner edge", 287.425, "out", -0.1, "5"},
		{"at the edge of the surface", 325, "out", -37.675, "5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := board.Tournament26().Call(at(c.r, 30))
			require.Equal(t, c.zone, got.Zone.String())
			require.InDelta(t, c.gap, got.Gap, 1e-9)
			require.Equal(t, c.other, got.Other.String())
			require.Equal(t, math.Abs(c.gap) < 0.6, got.TooClose)
		})
	}
}

func TestTouchingExactlyIsTouching(t *testing.T) {
	s := board.Tournament26()
	s.Disc.Radius = 15 // whole numbers: no rounding hides the limit
	s.Fifteen = board.Ring{Outer: 102, Width: 2}
	require.Equal(t, board.Ten, s.Call(at(85, 0)).Zone)
}

func TestHowADiscLiesDecidesBeforeWhere(t *testing.T) {
	s := board.Tournament26()
	in := at(1, 0)
	in.Rest = board.InHole
	require.Equal(t, board.Twenty, s.Call(in).Zone)
	require.False(t, s.Call(in).TooClose)

	leaning := at(8, 0)
	leaning.Rest = board.Leaning
	require.Equal(t, board.Fifteen, s.Call(leaning).Zone)
	require.True(t, s.Call(leaning).TooClose, "a leaning disc is always worth a look")
	require.Equal(t, board.Twenty, s.Call(leaning).Other)
}

func TestACallIsTooCloseWithinTwoSigmas(t *testing.T) {
	d := at(84.125-0.5, 0) // 0.5 mm inside the 15 line
	d.Sigma = 0.2
	require.False(t, board.Tournament26().Call(d).TooClose)
	d.Sigma = 0.3
	require.True(t, board.Tournament26().Call(d).TooClose)
}

func TestZonesAndSidesReadAsPlayersSayThem(t *testing.T) {
	require.Equal(t, []int{0, 5, 10, 15, 20},
		[]int{board.Out.Points(), board.Five.Points(), board.Ten.Points(), board.Fifteen.Points(), board.Twenty.Points()})
	require.Empty(t, board.NoSide.String())
	require.Equal(t, "A", board.SideA.String())
	require.Equal(t, "D", board.SideD.String())
	require.Equal(t, "surface", board.OnSurface.String())
	require.Equal(t, "hole", board.InHole.String())
	require.Equal(t, "leaning", board.Leaning.String())
}

func TestImpossibleMeasuresAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*board.Spec){
		"no measures":             func(s *board.Spec) { *s = board.Spec{Name: "x"} },
		"rings swapped":           func(s *board.Spec) { s.Fifteen, s.Ten = s.Ten, s.Fifteen },
		"a line wider than known": func(s *board.Spec) { s.Ten.Width = 150 },
		"a line without width":    func(s *board.Spec) { s.Start.Width = 0 },
		"a surface too small":     func(s *board.Spec) { s.Surface = 300 },
		"not a number":            func(s *board.Spec) { s.Start.Outer = math.NaN() },
		"endless":                 func(s *board.Spec) { s.Surface = math.Inf(1) },
		"a disc without size":     func(s *board.Spec) { s.Disc.Radius = 0 },
		"a disc like a plate":     func(s *board.Spec) { s.Disc.Radius = 60 },
		"a disc like paper":       func(s *board.Spec) { s.Disc.Thickness = 0 },
		"posts of no size":        func(s *board.Spec) { s.Posts.Diameter = 0 },
		"a ditch inside out":      func(s *board.Spec) { s.Ditch = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			s := board.Tournament26()
			spoil(&s)
			require.ErrorIs(t, s.Validate(), board.ErrSpec)
		})
	}
	require.NoError(t, board.Tournament26().Validate())
}

func TestPostsStandOnTheirCircleBetweenTheQuadrantLines(t *testing.T) {
	s := board.Tournament26()
	posts := s.PostCentres()
	require.Len(t, posts, 8)
	for _, p := range posts {
		require.InDelta(t, 101.6, p.Radius(), 1e-9)
		for q := range 4 {
			line := s.Quadrants.Angle + float64(q)*math.Pi/2
			away := math.Abs(math.Remainder(p.Angle()-line, 2*math.Pi))
			require.GreaterOrEqual(t, away, math.Pi/8-1e-9, "a post stands 22.5° from the nearest quadrant line")
		}
	}
}

// anyDisc draws a disc anywhere on or near the surface.
func anyDisc(t *rapid.T) board.Disc {
	d := at(rapid.Float64Range(0, 340).Draw(t, "radius"), rapid.Float64Range(0, 360).Draw(t, "deg"))
	d.Sigma = rapid.Float64Range(0.05, 2).Draw(t, "sigma")
	return d
}

func TestTurningOrMirroringTheBoardChangesNoCall(t *testing.T) {
	s := board.Tournament26()
	rapid.Check(t, func(t *rapid.T) {
		d := anyDisc(t)
		want := s.Call(d)
		if math.Abs(want.Gap) < 1e-6 {
			t.Skip("on the edge to the last digit: rounding decides")
		}
		turn := rapid.Float64Range(0, 2*math.Pi).Draw(t, "turn")
		sin, cos := math.Sincos(turn)

		turned := d
		turned.Point = board.Point{X: d.X*cos - d.Y*sin, Y: d.X*sin + d.Y*cos}
		mirrored := d
		mirrored.X = -d.X
		for _, other := range []board.Disc{turned, mirrored} {
			got := s.Call(other)
			if got.Zone != want.Zone || math.Abs(got.Gap-want.Gap) > 1e-9 {
				t.Fatalf("%+v became %+v", want, got)
			}
		}
	})
}

func TestNearerTheCentreNeverCountsLess(t *testing.T) {
	s := board.Tournament26()
	rapid.Check(t, func(t *rapid.T) {
		d := anyDisc(t)
		nearer := d
		f := rapid.Float64Range(0, 1).Draw(t, "share of the way out")
		nearer.Point = board.Point{X: d.X * f, Y: d.Y * f}
		if s.Call(nearer).Zone < s.Call(d).Zone {
			t.Fatalf("%v mm counts %v but %v mm counts %v", nearer.Radius(), s.Call(nearer).Zone, d.Radius(), s.Call(d).Zone)
		}
	})
}

func TestTheGapsSignAgreesWithTheZones(t *testing.T) {
	s := board.Tournament26()
	rapid.Check(t, func(t *rapid.T) {
		c := s.Call(anyDisc(t))
		if c.Gap > 0 && c.Other >= c.Zone || c.Gap <= 0 && c.Other <= c.Zone {
			t.Fatalf("gap %v, counts %v, across the line %v", c.Gap, c.Zone, c.Other)
		}
	})
}

func TestTheOtherSideOfTwoIsTheOneThatPlaysAgainst(t *testing.T) {
	require.Equal(t, board.SideB, board.SideA.Other())
	require.Equal(t, board.SideA, board.SideB.Other())
	for _, s := range []board.Side{board.NoSide, board.SideC, board.SideD} {
		require.Equal(t, board.NoSide, s.Other())
	}
}
