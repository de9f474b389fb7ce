package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"crokcam/board"
)

func club() Params {
	return Params{Name: "club", Gravity: 9.81,
		Disc:    DiscParams{Mass: 5.3, Bounce: Bounce{0.8, 0.15}},
		Surface: SurfaceParams{0.09}, Posts: Bounce{0.75, 0.4},
		Hole:  HoleParams{0.5, 0.04, Bounce{0.5, 0.2}},
		Ditch: DitchParams{16, 0.35, 2, Bounce{0.45, 0.3}}}
}

func randomSetup(r *rand.Rand, n int) (Setup, Shot) {
	var s Setup
next:
	for len(s.Board.Discs) < n {
		a, d := 2*math.Pi*r.Float64(), 20+265*math.Sqrt(r.Float64())
		p := board.Point{X: d * math.Cos(a), Y: d * math.Sin(a)}
		for _, e := range s.Board.Discs {
			if math.Hypot(p.X-e.X, p.Y-e.Y) < 31.76 {
				continue next
			}
		}
		for _, q := range board.Tournament26().PostCentres() {
			if math.Hypot(p.X-q.X, p.Y-q.Y) < 20.7 {
				continue next
			}
		}
		s.Board.Discs = append(s.Board.Discs, board.Disc{Point: p, Side: board.SideA + board.Side(len(s.Board.Discs)%2)})
	}
	for {
		a := -math.Pi/2 + (r.Float64()-0.5)*1.4
		p := board.Point{X: 304 * math.Cos(a), Y: 304 * math.Sin(a)}
		ok := true
		for _, e := range s.Board.Discs {
			ok = ok && math.Hypot(p.X-e.X, p.Y-e.Y) > 31.76
		}
		if ok {
			return s, Shot{Side: board.SideA, From: p, Heading: math.Atan2(-p.Y, -p.X) + (r.Float64()-0.5)*0.8, Speed: 700 + 2300*r.Float64()}
		}
	}
}

func BenchmarkShots(b *testing.B) {
	t, err := NewTable(board.Tournament26(), club())
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	type c struct {
		s Setup
		h Shot
	}
	var cs []c
	for range 1000 {
		s, h := randomSetup(r, 12)
		cs = append(cs, c{s, h})
	}
	b.ReportAllocs()
	i := 0
	contacts, exits, tw := 0, 0, 0
	for b.Loop() {
		x := &cs[i%len(cs)]
		res, err := t.Shoot(x.s, x.h)
		if err != nil {
			b.Fatal(err)
		}
		contacts += len(res.Contacts)
		exits += len(res.Exits)
		tw += len(res.Twenties)
		i++
	}
	b.ReportMetric(float64(contacts)/float64(i), "contacts/shot")
	b.ReportMetric(float64(exits)/float64(i), "exits/shot")
	b.ReportMetric(float64(tw)/float64(i), "20s/shot")
}
