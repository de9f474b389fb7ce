package shots

import (
	"math"

	"crokcam/board"
	"crokcam/vision"
)

// palette is the colours of the discs in play, in the order in which they were
// first seen. They are followed slowly, as the light changes.
type palette struct {
	colours [board.SideD + 1][3]float64 // by side
	n       board.Side
}

const (
	// another is how different a disc must look to belong to a side that has not
	// been seen yet; a shade or a shine seldom makes so much.
	another     = 22.0
	learnColour = 0.05

	// nextTurn is the same of a disc that was shot after one of the only side that
	// has been seen: players take turns, so that it need only look unlike that one.
	nextTurn = 8.0
)

// turn takes the colour that is most unlike that of the only side seen so far to be
// the next side's, where it is unlike it at all.
func (p *palette) turn(colours [][3]float64) {
	most, at := nextTurn, -1
	for i, c := range colours {
		if d := vision.ColourDistance(c, p.colours[board.SideA]); d > most {
			most, at = d, i
		}
	}
	if p.n == board.SideA && at >= 0 {
		p.n++
		p.colours[p.n] = colours[at]
	}
}

// side is whose a disc of a colour is.
func (p *palette) side(colour [3]float64, sides int) (s board.Side) {
	least := math.Inf(1)
	for k := board.SideA; k <= p.n; k++ {
		if d := vision.ColourDistance(colour, p.colours[k]); d < least {
			s, least = k, d
		}
	}
	if int(p.n) < sides && (p.n == 0 || least > another) {
		p.n++
		p.colours[p.n] = colour
		return p.n
	}
	return s
}

// unlike is how unlike all sides' discs a colour is, however much of a lamp they
// mirror or however dark the shade is in which they lie.
func (p *palette) unlike(colour [3]float64) float64 {
	least := math.Inf(1)
	for k := board.SideA; k <= p.n; k++ {
		for _, lamp := range [...]float64{0, 255} {
			for share := 0.0; share <= mostLamp; share += mostLamp / 8 {
				c := p.colours[k]
				for ch := range c {
					c[ch] += share * (lamp - c[ch])
				}
				least = min(least, vision.ColourDistance(colour, c))
			}
		}
	}
	return least
}

// mostLamp is how much of what is seen of a disc may be a lamp that it mirrors
// or lack of light, as a share.
const mostLamp = 0.7

// learn follows the colour of a disc that is known to be a side's.
func (p *palette) learn(s board.Side, colour [3]float64) {
	for ch := range colour {
		p.colours[s][ch] += learnColour * (colour[ch] - p.colours[s][ch])
	}
}
