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

// side is whose a disc of a colour is, some of which may be a lamp that it mirrors.
func (p *palette) side(colour [3]float64, sides int) (s board.Side) {
	if int(p.n) < sides && p.plain(colour) > another {
		p.n++
		p.colours[p.n] = colour
		return p.n
	}
	return p.nearest(colour)
}

// plain is how unlike the discs of the side that it is most like a colour is; endless
// where no side has been seen.
func (p *palette) plain(colour [3]float64) float64 {
	least := math.Inf(1)
	for k := board.SideA; k <= p.n; k++ {
		least = min(least, vision.ColourDistance(colour, p.colours[k]))
	}
	return least
}

// nearest is the side whose discs are most like a colour, some of which may be a lamp
// that they mirror; none where no side has been seen.
func (p *palette) nearest(colour [3]float64) (s board.Side) {
	least := math.Inf(1)
	for k := board.SideA; k <= p.n; k++ {
		if d := p.lit(colour, k); d < least {
			s, least = k, d
		}
	}
	return s
}

// darkest is the side whose discs are darkest.
func (p *palette) darkest() (s board.Side) {
	least := math.Inf(1)
	for k := board.SideA; k <= p.n; k++ {
		if c := p.colours[k]; c[0]+c[1]+c[2] < least {
			s, least = k, c[0]+c[1]+c[2]
		}
	}
	return s
}

// lit is how unlike a side's discs a colour is, a lamp that they mirror allowed for at
// its cost.
func (p *palette) lit(colour [3]float64, k board.Side) float64 {
	least := math.Inf(1)
	for share := 0.0; share <= mostLamp; share += mostLamp / 8 {
		least = min(least, vision.ColourDistance(colour, mixed(p.colours[k], 255, share))+lampCosts*share)
	}
	return least
}

// clear tells whether a colour is far more like one side's discs than like others',
// whatever lamp they mirror, or just like one side's and by far not like others'.
func (p *palette) clear(colour [3]float64) bool {
	nearest := func(unlike func(k board.Side) float64) (least, second float64) {
		least, second = math.Inf(1), math.Inf(1)
		for k := board.SideA; k <= p.n; k++ {
			if d := unlike(k); d < least {
				least, second = d, least
			} else {
				second = min(second, d)
			}
		}
		return least, second
	}
	least, second := nearest(func(k board.Side) float64 { return p.lit(colour, k) })
	if second-least > another {
		return true
	}
	least, second = nearest(func(k board.Side) float64 { return vision.ColourDistance(colour, p.colours[k]) })
	return second-least > nextTurn && second > justLike*least
}

// justLike is how many times as unlike the other sides' discs something is that is just
// like one side's.
const justLike = 4

// unlike is how unlike all sides' discs a colour is, however much of a lamp they
// mirror or however dark the shade is in which they lie.
func (p *palette) unlike(colour [3]float64) float64 {
	least := math.Inf(1)
	for k := board.SideA; k <= p.n; k++ {
		for _, lamp := range [...]float64{0, 255} {
			for share := 0.0; share <= mostLamp; share += mostLamp / 8 {
				least = min(least, vision.ColourDistance(colour, mixed(p.colours[k], lamp, share)))
			}
		}
	}
	return least
}

// shows tells whether a colour may be that of a side's discs in more or less light.
func (p *palette) shows(colour [3]float64) bool {
	for k := board.SideA; k <= p.n; k++ {
		if shaded(p.colours[k], colour) || p.lit(colour, k) < another {
			return true
		}
	}
	return false
}

// mixed is a colour of which a share is a lamp's, white or black.
func mixed(colour [3]float64, lamp, share float64) [3]float64 {
	for ch := range colour {
		colour[ch] += share * (lamp - colour[ch])
	}
	return colour
}

const (
	// mostLamp is how much of what is seen of a disc may be a lamp that it mirrors
	// or lack of light, as a share.
	mostLamp = 0.7
	// lampCosts is how unlike itself a disc would look that were all lamp: of two
	// sides the one that takes less of a lamp is more likely.
	lampCosts = 25.0
)

// learn follows the colour of a disc that is known to be a side's.
func (p *palette) learn(s board.Side, colour [3]float64) {
	for ch := range colour {
		p.colours[s][ch] += learnColour * (colour[ch] - p.colours[s][ch])
	}
}
