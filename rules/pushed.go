package rules

import (
	"math"
	"math/bits"

	"crokcam/board"
)

// sureOdds are the odds from which on it counts as sure whether a disc was moved.
const sureOdds = 100

// pushed is how much likelier a disc's two sightings are if it was pushed some
// little way than if it lay still.
//
// Friction makes every way up to the longest equally likely for a disc that is
// struck: the striker would have come to rest anywhere along its own way with
// equal chance, and what was left of that way is what it hands on. The longest is
// taken to be the radius R of the surface, and a fifth of it for a disc before a
// post, which a push can only move to the post and back. With normal errors, s the standard
// deviation of each coordinate of the difference and z the distance in units of
// it, the ratio of the likelihoods, averaged over all ways and directions, is
//
//	(s/R) ∫ exp(-r²/2) I₀(zr) dr = (s/R) √(π/2) ₁F₁(½; 1; z²/2).
func (p *play) pushed(i int) float64 {
	if (p.on&^p.nudged()&bit(i)) == 0 || i == p.n {
		return math.Inf(1)
	}
	was, is := p.was(i), &p.after[p.b[i].After]
	d2, sigma2 := apart2(was.Point, is.Point), square(was.Sigma)+square(is.Sigma)
	switch {
	case was.Rest != is.Rest:
		return math.Inf(1)
	case sigma2 == 0 && d2 <= square(stillMM):
		return 0
	case sigma2 == 0:
		return math.Inf(1)
	}
	sigma2 = max(sigma2, square(stillMM/stillSigma))
	longest := p.l.surface
	if p.braced(was.Point) {
		longest /= 5
	}
	return math.Sqrt(sigma2*math.Pi/2) / longest * kummer(min(d2/sigma2/2, farPushed))
}

// braced tells whether a disc lies before a post: so near that one that is driven
// against it often comes to rest within a few millimetres of where it lay.
func (p *play) braced(at board.Point) bool {
	b := p.rs.playedOn()
	r, reach := radius(at), p.l.disc+b.Posts.Diameter/2+bracedMM
	if b.Posts.Count == 0 || math.Abs(r-b.Posts.Radius) > reach {
		return false
	}
	aside := math.Remainder(math.Atan2(at.Y, at.X)-b.Quadrants.Angle-b.Posts.Angle, 2*math.Pi/float64(b.Posts.Count))
	return square(r)+square(b.Posts.Radius)-2*r*b.Posts.Radius*math.Cos(aside) <= reach*reach
}

// bracedMM is the widest gap between a disc and a post that braces it.
const bracedMM = 4

// farPushed is half the square of the distance, in standard deviations, beyond
// which nobody asks how far beyond.
const farPushed = 50

// kummer is Kummer's function ₁F₁(½; 1; x), x ≥ 0, by its series.
func kummer(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 0.0; term > 1e-6*sum; k++ {
		term *= x * (k + 0.5) / square(k+1)
		sum += term
	}
	return sum
}

// unsureMoved is the discs of a set of which it is open whether they were pushed
// a little. The odds are taken for the set as a whole, any of whose discs may be
// the one, for among many the scatter of one looks like a push soon enough.
func (p *play) unsureMoved(set uint64) (unsure uint64) {
	set &= p.on &^ p.atRest()
	n := float64(bits.OnesCount64(set))
	var ratio [64]float64
	odds := 0.0
	for m := set; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		ratio[i] = p.pushed(i)
		if ratio[i] < sureOdds*n {
			odds += ratio[i] / n
			unsure |= bit(i)
		}
	}
	if odds < 1./sureOdds {
		return 0
	}
	// The odds are the average ratio: those far below it are not what is doubted.
	for m := unsure; m != 0; m &= m - 1 {
		if ratio[bits.TrailingZeros64(m)] < odds/2 {
			unsure &^= m & -m
		}
	}
	return unsure
}
