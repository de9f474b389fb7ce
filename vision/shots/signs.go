package shots

import (
	"crokcam/board"
	"crokcam/internal/raster"
	"crokcam/vision"
)

// signs are what speaks for and against a disc in the hole.
type signs struct {
	empty, disc float64 // how unlike the empty hole and the discs in play it looks, Lab
	usual       float64 // how unlike itself the empty hole looks from time to time, Lab
	more        bool    // there are discs in play of a side that has not been seen yet

	known   bool    // there is a board at rest to compare it with,
	touched float64 // of it, the share that looks otherwise,
	brim    float64 // and of the board just around it;
	allowed float64 // the most of that which a disc in the hole may change;
	relit   bool    // in another light,
	covered bool    // a disc reached over it there,
	missing bool    // and more discs have gone from there than are seen elsewhere

	alone           bool        // nobody was seen near the board since, and nothing flew
	seen, was       vision.Hole // by the look, and before
	dropped, askew  bool        // the look makes out a disc: flat in it, or not,
	off             float64     // and so far from its middle, mm
	beside          bool        // the empty hole shows beside what is over its middle
	followed        bool        // a disc was followed into it
	shot            bool        // something flew
	leaning, lapped bool        // a disc leans over it, or reaches over its middle
}

func (w *Watcher) signs(scene *vision.Scene, p *raster.Picture, now patch) signs {
	s := signs{
		empty: vision.ColourDistance(now.colour, w.emptyHole.empty.colour), disc: w.palette.plain(now.colour), usual: w.emptyHole.usual,
		more:  int(w.palette.n) < w.o.Sides,
		known: w.changes.known, touched: w.touched(board.Point{}), brim: w.brim(scene), allowed: w.allowed(scene),
		relit: w.changes.since.much(), covered: leans(w.discs) || w.lapped(w.discs), missing: w.missing(scene),
		alone: w.alone(), seen: scene.Hole, was: w.hole, dropped: scene.Dropped, askew: scene.Askew, off: scene.Off, beside: w.askew(p, now),
		followed: w.dropped(scene), shot: !w.looks.fresh && w.flew() != nil, leaning: leans(scene.Discs), lapped: w.lapped(scene.Discs),
	}
	for k := board.SideA; k <= w.palette.n; k++ {
		if held, ok := w.emptyHole.expected(k); ok {
			s.disc = min(s.disc, vision.ColourDistance(now.colour, held))
		}
	}
	return s
}

// missing tells whether more discs have left their places, that which was shot among
// them, than a look shows on the board where none lay: one at the least has gone off the
// board or into the hole.
func (w *Watcher) missing(scene *vision.Scene) bool {
	if !w.changes.known || w.looks.fresh {
		return false
	}
	left := 0
	if len(w.placed) == 0 && w.flew() != nil {
		left = 1
	}
	for _, discs := range [...][]Disc{w.discs, w.placed} {
		for _, d := range discs {
			if d.Rest != board.InHole && w.touched(d.Point) >= untouched {
				left++
			}
		}
	}
	for _, d := range scene.Discs {
		if d.Rest != board.InHole && w.touched(d.Point) >= untouched {
			left--
		}
	}
	return left > 0
}

// alone tells whether all frames of a turn were seen, and on none of them a hand or
// anything that flew.
func (w *Watcher) alone() bool {
	return w.turn.on && w.turn.watched && !w.turn.handed && !w.looks.fresh && !w.flight.any()
}

// finding is what there is to the hole.
type finding uint8

const (
	rightlySeen finding = iota // what the look has made of it
	asBefore                   // what it was
	holdsDisc                  // a disc lies in it
	carriesDisc                // one leans on its rim that the look has not made out
	hungOver                   // it is empty, and what was seen over it stays
	empty                      // it is empty, and nothing is over it
	stillEmpty                 // the same, and it is certain that it is
	open                       // who knows
	openEmpty                  // who knows, and nothing is over it
)

// tells are what signs mean: the first that holds.
var tells = []struct {
	when func(s *signs) bool
	is   finding
}{
	// Nobody was there: only the light has changed.
	{func(s *signs) bool { return s.alone && s.was == vision.HoleEmpty && !s.covered }, stillEmpty},
	{func(s *signs) bool { return s.alone && s.was == vision.HoleTaken }, holdsDisc},

	// A shot has brought something into it, and nowhere else.
	{func(s *signs) bool { return s.like() && s.slants() && s.dropped && s.brim <= mostBrim }, open},
	{func(s *signs) bool { return s.entered() && (s.dropped || s.followed || s.brim == 0) }, holdsDisc},
	{func(s *signs) bool { return s.nearerDisc() && s.followed && s.brim == 0 }, holdsDisc},
	{func(s *signs) bool { return s.nearerDisc() && s.followed && s.dropped && s.brim <= s.shadowed() }, holdsDisc},

	// It looks as it does when it is empty, and discs may look so, too.
	{func(s *signs) bool {
		return s.looksEmpty() && s.nearlyDisc(s.unsure()) && s.leaning && s.brim > leastBrim
	}, hungOver},
	{func(s *signs) bool { return s.looksEmpty() && s.nearerDisc() && s.known && s.touched >= untouched }, openEmpty},
	{func(s *signs) bool { return s.looksEmpty() && s.nearlyDisc(1) && s.dropped && s.changed() }, open},
	{func(s *signs) bool {
		return s.looksEmpty() && s.covered && s.missing && s.dropped && s.changed() && s.brim > leastBrim
	}, openEmpty},
	{func(s *signs) bool { return s.looksEmpty() }, empty},

	// It looks otherwise.
	{func(s *signs) bool { return s.seen == vision.HoleTaken }, rightlySeen},
	{func(s *signs) bool { return s.lifted() }, empty},
	{func(s *signs) bool { return s.known && s.touched < untouched }, asBefore},
	{func(s *signs) bool { return s.inOtherLight() && !s.nearerDisc() && s.shapeless() }, asBefore},
	{func(s *signs) bool { return s.lapped }, hungOver},
	{func(s *signs) bool { return s.like() && s.dropped && s.brim <= mostBrim }, holdsDisc}, // also where its edge has the hole's colour
	{func(s *signs) bool { return s.like() && s.askew && !s.leaning }, carriesDisc},
	{func(s *signs) bool { return s.like() && !s.beside && s.brim <= s.allowed }, holdsDisc},
	{func(s *signs) bool { return s.leaning }, hungOver},
	{func(s *signs) bool { return s.like() && !s.beside }, carriesDisc},
}

func (s *signs) tell() finding {
	for _, t := range tells {
		if t.when(s) {
			return t.is
		}
	}
	return open
}

// unsure is how unlike itself the empty hole may look, Lab.
func (s *signs) unsure() float64 { return 3*s.usual + 1 }

func (s *signs) looksEmpty() bool { return s.empty < s.unsure() }

// nearerDisc tells whether it looks more like a disc than like the empty hole, and
// nearlyDisc whether it does but for so much, Lab.
func (s *signs) nearerDisc() bool            { return s.nearlyDisc(0) }
func (s *signs) nearlyDisc(but float64) bool { return s.disc < s.empty+but }

// changed tells whether no disc lay in it and so much has changed that one may now.
func (s *signs) changed() bool { return s.was != vision.HoleTaken && s.touched > mostlyTouched }

// like tells whether it looks like a disc, or may: one of a side that has not been seen
// yet, where it is not other light alone, and not what may have lain there already.
func (s *signs) like() bool {
	return s.nearerDisc() || s.more && !s.inOtherLight() && (s.shot || s.was != vision.HoleUnclear)
}

// lifted tells whether the disc that lay in it has been taken out, and nothing was shot
// since: what looks clearly more like the empty hole than like a disc then, or somewhat
// and lies where no disc can, is the empty hole, in whatever light.
func (s *signs) lifted() bool {
	emptier := s.disc > s.empty+nextTurn || s.disc > s.empty && s.off > offMiddle
	return s.was == vision.HoleTaken && !s.shot && s.touched > allTouched && emptier && !s.leaning
}

// inOtherLight tells whether it may be other light that makes it look otherwise: that
// seldom makes so much as another colour does.
func (s *signs) inOtherLight() bool { return s.relit && s.empty < another }

// shapeless tells whether nothing is seen in it that has a disc's shape, or flew there.
func (s *signs) shapeless() bool { return !s.dropped && !s.askew && !s.followed && !s.leaning }

// slants tells whether a disc in it is off its middle and reaches out of it. Each alone
// may be how it is seen; both together one that leans on its rim.
func (s *signs) slants() bool { return s.off > offMiddle && s.brim > someBrim }

// shadowed is how much of the brim a disc that was seen to go into it, and lies in its
// middle, changes at the most with its shadow.
func (s *signs) shadowed() float64 {
	if s.off < inMiddle {
		return longBrim
	}
	return mostBrim
}

// entered tells whether a shot has changed nearly all of an empty hole, or most of it
// where there is more that speaks for a disc, or some of it where all does, and next to
// nothing around it, as only what lies in the hole does. In other light that has to have
// been followed into it, and to be made out in its middle.
func (s *signs) entered() bool {
	least := allTouched
	if s.nearerDisc() && s.dropped && s.missing && s.brim == 0 {
		least = someTouched
	} else if s.nearerDisc() || s.followed || s.dropped && !s.beside && (s.more || s.nearlyDisc(alikeBy)) {
		least = mostlyTouched
	}
	surely := s.followed && s.dropped && s.off < inMiddle
	compared := s.known && (surely || !s.inOtherLight()) && !s.covered && !s.lapped
	return compared && s.was == vision.HoleEmpty && s.shot && s.touched > least && s.brim <= leastBrim && !s.leaning
}
