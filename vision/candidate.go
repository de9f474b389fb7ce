package vision

import (
	"math"
	"sort"

	"crokcam/board"
)

// candidate is a place where a disc may stand, and what speaks for it.
type candidate struct {
	tone                 // of its top
	top      board.Point // centre of the visible top on the plan
	shape    shape
	rim      [directions]rimEdge
	beside   [3]float64  // middle colour of what lies around it
	stained  float64     // share of the top that has another colour
	contrast float64     // usual step of colour at the rim, grey levels
	rms      float64     // of the rim about the model, mm
	grow     float64     // by how much the rim lies outside the model, mm
	covers   board.Point // where its colour says that the top is
	doubt    float64     // mm: how far rim and colour tell different distances from the centre

	votes float64 // edges (px) that point at its middle
	fits  float64 // 0 to 1: how much of its rim is where it ought to be
	solid float64 // -1 to 1: how much the top's colour keeps to the top
	score float64 // 0 to 1: how probable it is that this is a disc
}

// plentyOfVotes is how many edges (px) point at the middle of a disc in fair
// light; half of it is more than anything else gathers.
const plentyOfVotes = 6

// fewVotes is less than any disc gathers.
const fewVotes = 2.7

// fewFits is how little of a rim is where it ought to be with large letters,
// which gather as many votes as a disc.
const fewFits = 0.3

// goodFits is how much of a clear disc's rim is where it ought to be.
const goodFits = 0.8

// place is where many edges point from one radius away.
type place struct {
	board.Point         // of the top's centre on the plan
	votes       float64 // in whole edges, a pixel each
}

// candidates votes for circles of each radius, and gives the places with the
// most votes and the radius that fits the most of them.
func (p *plan) candidates(g *gradient, radii []float64, h float64, most int) []place {
	cw := g.w/2 + 2
	acc := make([]float32, cw*cw)
	best := make([]float32, cw*cw)
	ridges := p.ridges(g)
	for _, r := range radii {
		circlesAt(ridges, float32(r*(1+p.lean(h))), acc, cw)
		soft := blur3(acc, cw)
		for i, v := range soft {
			if v > best[i] {
				best[i] = v
			}
		}
	}
	type peak struct {
		i int
		v float32
	}
	var ps []peak
	for y := 3; y < cw-3; y++ {
		for x := 3; x < cw-3; x++ {
			i := y*cw + x
			v := best[i]
			if v < fewVotes {
				continue
			}
			top := true
			for dy := -2; dy <= 2 && top; dy++ {
				for dx := -2; dx <= 2; dx++ {
					if o := best[i+dy*cw+dx]; o > v || o == v && (dy < 0 || dy == 0 && dx < 0) {
						top = false
						break
					}
				}
			}
			if top {
				ps = append(ps, peak{i, v})
			}
		}
	}
	sort.Slice(ps, func(a, b int) bool { return ps[a].v > ps[b].v || ps[a].v == ps[b].v && ps[a].i < ps[b].i })
	var out []place
	for _, k := range ps[:min(most, len(ps))] {
		x, y := 2*float64(k.i%cw), 2*float64(k.i/cw)
		t := board.Point{X: x - p.extent, Y: p.extent - y}
		out = append(out, place{t, float64(k.v)})
	}
	return out
}

// blur3 smooths by 3 × 3 cells.
func blur3(a []float32, w int) []float32 {
	out := make([]float32, len(a))
	for y := 1; y < w-1; y++ {
		for x := 1; x < w-1; x++ {
			i := y*w + x
			out[i] = 0.25*a[i] + 0.125*(a[i-1]+a[i+1]+a[i-w]+a[i+w]) + 0.0625*(a[i-w-1]+a[i-w+1]+a[i+w-1]+a[i+w+1])
		}
	}
	return out
}

// settle finds the candidate near a place: a disc with a plain top or, where many
// edges point at one that is not, with a mark in the middle of it. Of what has come
// since the board was looked at, a ring is a disc as well.
func (p *plan) settle(pl place, r, h float64, came bool) candidate {
	best := p.settleTop(pl, r, h, 0)
	if best.score < sure && pl.votes >= plentyOfVotes {
		if c := p.settleTop(pl, r, h, markShare*r); c.score > best.score && (came || p.marked(&c, r)) {
			return c
		}
	}
	return best
}

// marked tells whether a candidate with a mark in its middle can be a disc, and no
// ring or round letter: those are less solid, or the board shows within them.
func (p *plan) marked(c *candidate, r float64) bool {
	mark := p.tone(c.top, markShare*r, 0)
	return c.solid > 0.4 && mark.n > 0 && dist(mark.colour, c.beside) > 0.3*c.contrast
}

// settleTop finds the candidate near a place whose top has a mark of that radius
// (mm). Seen aslant, a disc shows two circles, its top's and its foot's, and the
// votes may have found either: the one is tried as the other too.
func (p *plan) settleTop(pl place, r, h, mark float64) candidate {
	s := p.shape(p.footUnder(pl.Point, h), r, h)
	starts := []board.Point{pl.Point}
	if math.Hypot(s.lx, s.ly) > 2 {
		for _, k := range []float64{1, -1} {
			starts = append(starts, board.Point{X: pl.X + k*s.lx, Y: pl.Y + k*s.ly})
		}
	}
	best := candidate{top: pl.Point, shape: s}
	for _, t := range starts {
		t, solid := p.cover(t, r, h, mark)
		if best := (candidate{votes: pl.votes, solid: solid + 0.05, fits: goodFits}); best.probability() < likely {
			continue // whatever its rim may be
		}
		if c := p.settleFrom(t, r, h, mark); c.fits > best.fits {
			best = c
		}
	}
	best.votes = pl.votes
	best.covers, best.solid = p.cover(best.top, r, h, mark)
	best.score = best.probability()
	return best
}

// probability is how probable a candidate is a disc, from three witnesses that
// err apart: the rim where it ought to be, the colour that ends at the rim,
// and the edges all around that point at the middle. The weights are those of
// a logistic regression over the candidates on photographs, ray-traced and
// simulated pictures.
func (c *candidate) probability() float64 {
	if c.fits < fewFits {
		return 0
	}
	return 1 / (1 + math.Exp(24.8-10.1*c.fits-9.4*c.solid-3.55*math.Min(c.votes, plentyOfVotes)))
}

// settleFrom moves a candidate from near its place onto its rim.
func (p *plan) settleFrom(t board.Point, r, h, mark float64) candidate {
	c, e := p.look(t, r, h, mark, 2)
	dx, dy, grow := e.seek(2)
	c.grow = grow
	dx, dy = c.fit(&e, dx, dy, 1.2)
	grow = c.grow
	c, e = p.look(board.Point{X: t.X + dx, Y: t.Y + dy}, r, h, mark, 1.5)
	c.grow = grow
	dx, dy = c.fit(&e, 0, 0, 0.8)
	dx, dy = c.fit(&e, dx, dy, 0.6)
	c.top.X += dx
	c.top.Y += dy
	if math.Hypot(c.top.X-t.X, c.top.Y-t.Y) > 5 {
		return candidate{top: t, shape: c.shape} // it has wandered off to something else
	}
	c.shape = p.shape(p.footUnder(c.top, h), r, h)
	p.beyond(&c)
	c.judge()
	return c
}
