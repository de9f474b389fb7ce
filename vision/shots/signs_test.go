package shots

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/vision"
)

// What there is to a hole that is dark, and that was empty before unless it says so.
func TestTheHoleIsToldByItsSigns(t *testing.T) {
	bare := signs{empty: 0.5, disc: 40, usual: usuallyUnlike, known: true, was: vision.HoleEmpty, allowed: mostBrim}
	with := func(change func(s *signs)) signs {
		s := bare
		change(&s)
		return s
	}
	plain := func(s *signs) { s.empty, s.disc, s.touched = 40, 1, 1 }  // a disc of a colour of its own
	faint := func(s *signs) { s.empty, s.disc, s.touched = 3, 1, 0.6 } // one of the hole's colour
	for name, c := range map[string]struct {
		signs signs
		is    finding
	}{
		"nothing has changed":                                      {bare, empty},
		"its light has changed":                                    {with(func(s *signs) { s.touched, s.empty = 0.9, 4 }), empty},
		"it looks like nothing known, and is as it was":            {with(func(s *signs) { s.empty = 20 }), asBefore},
		"it looks like nothing known":                              {with(func(s *signs) { s.empty, s.touched = 20, 0.9 }), open},
		"a whole look has seen a disc in it":                       {with(func(s *signs) { s.empty, s.touched, s.seen = 20, 0.9, vision.HoleTaken }), rightlySeen},
		"a disc lies flat in it":                                   {with(func(s *signs) { plain(s); s.dropped = true }), holdsDisc},
		"one lies nearly flat in it, off its middle and out of it": {with(func(s *signs) { plain(s); s.shot, s.dropped, s.off, s.brim = true, true, 3, 0.24 }), open},
		"one lies flat in it, with its shadow":                     {with(func(s *signs) { plain(s); s.shot, s.dropped, s.off, s.brim = true, true, 0.5, 0.24 }), holdsDisc},
		"one lies flat in it, and is seen from aslant":             {with(func(s *signs) { plain(s); s.shot, s.dropped, s.off, s.brim = true, true, 2, 0.1 }), holdsDisc},
		"one lies flat in it, and seems off its middle":            {with(func(s *signs) { plain(s); s.shot, s.dropped, s.off, s.brim = true, true, 2.4, 0.17 }), holdsDisc},
		"one has gone into its middle, with a long shadow":         {with(func(s *signs) { plain(s); s.shot, s.dropped, s.followed, s.off, s.brim = true, true, true, 0.8, 0.46 }), holdsDisc},
		"the first disc has filled it with its own colour": {with(func(s *signs) {
			s.empty, s.disc, s.more, s.touched, s.shot, s.dropped = 3.9, math.Inf(1), true, 0.63, true, true
		}), holdsDisc},
		"a shadow has fallen into it as the first was shot": {with(func(s *signs) {
			s.empty, s.disc, s.more, s.touched, s.shot, s.dropped, s.beside = 3.9, math.Inf(1), true, 0.63, true, true, true
		}), empty},
		"one covers it, and nothing beside it":               {with(plain), holdsDisc},
		"one covers it, and more":                            {with(func(s *signs) { plain(s); s.brim = 0.6 }), carriesDisc},
		"one leans on its rim":                               {with(func(s *signs) { plain(s); s.askew, s.brim = true, 0.4 }), carriesDisc},
		"one leans on its rim, and was seen to":              {with(func(s *signs) { plain(s); s.leaning, s.beside, s.brim = true, true, 0.5 }), hungOver},
		"one of its colour leans on its rim, and was seen":   {with(func(s *signs) { faint(s); s.leaning, s.brim = true, 0.5 }), hungOver},
		"one on the surface reaches over it":                 {with(func(s *signs) { plain(s); s.lapped, s.brim = true, 0.5 }), hungOver},
		"a shadow may have fallen into it":                   {with(faint), openEmpty},
		"a shadow, or a disc":                                {with(func(s *signs) { s.empty, s.disc, s.touched, s.dropped = 3, 3.5, 0.6, true }), open},
		"one of its colour has been followed into it":        {with(func(s *signs) { faint(s); s.touched, s.followed = 0.3, true }), holdsDisc},
		"a shot has come to it, with a shadow all around":    {with(func(s *signs) { faint(s); s.shot, s.dropped, s.brim = true, true, 0.6 }), openEmpty},
		"a shot has filled it with its own colour":           {with(func(s *signs) { faint(s); s.shot, s.dropped = true, true }), holdsDisc},
		"a shot has filled it with what looks like nothing":  {with(func(s *signs) { s.empty, s.disc, s.touched, s.shot, s.followed = 5, 18, 0.95, true, true }), holdsDisc},
		"a shot has filled it whatever shape it seems to be": {with(func(s *signs) { s.empty, s.disc, s.touched, s.shot, s.askew = 34, 44, 1, true, true }), holdsDisc},
		"it looks otherwise in another light":                {with(func(s *signs) { s.empty, s.disc, s.touched, s.shot, s.dropped, s.relit = 6, 18, 1, true, true, true }), open},
		"the first disc lies in it, in another light": {with(func(s *signs) {
			s.empty, s.disc, s.more, s.touched, s.shot, s.dropped, s.brim, s.relit = 45, math.Inf(1), true, 1, true, true, 0.2, true
		}), holdsDisc},
		"a disc that reached over it is gone": {with(func(s *signs) { s.touched, s.shot, s.dropped, s.covered = 1, true, true, true }), empty},
		"a shot has come to lie over it":      {with(func(s *signs) { s.empty, s.disc, s.touched, s.shot, s.askew, s.brim = 34, 44, 1, true, true, 0.4 }), open},
		"what lay in it was taken out while the light changed": {with(func(s *signs) {
			s.was, s.touched, s.empty, s.disc, s.dropped, s.more = vision.HoleTaken, 1, 7, 30, true, true
		}), empty},
		"what lay in it was taken out, and it looks somewhat emptier": {with(func(s *signs) {
			s.was, s.touched, s.empty, s.disc, s.dropped, s.off, s.more = vision.HoleTaken, 0.94, 6.5, 7.5, true, 2.9, true
		}), empty},
		"one of its colour was pushed into it": {with(func(s *signs) {
			faint(s)
			s.touched, s.shot, s.dropped, s.missing = 0.44, true, true, true
		}), holdsDisc},
		"one of its colour came near it, and lies elsewhere": {with(func(s *signs) {
			faint(s)
			s.touched, s.shot, s.dropped = 0.44, true, true
		}), openEmpty},
		"a disc that reached over it may be over it still": {with(func(s *signs) {
			s.touched, s.shot, s.dropped, s.covered, s.missing, s.brim = 0.53, true, true, true, true, 0.3
		}), openEmpty},
		"nobody was there, and it looks otherwise": {with(func(s *signs) {
			s.alone, s.touched, s.empty, s.disc, s.seen, s.dropped = true, 0.9, 12, 10, vision.HoleTaken, true
		}), stillEmpty},
		"nobody was there, and what lies in it looks otherwise": {with(func(s *signs) {
			s.alone, s.was, s.touched, s.empty, s.disc = true, vision.HoleTaken, 0.7, 6, 9
		}), holdsDisc},
		"nobody was there, and a disc leans over it": {with(func(s *signs) {
			plain(s)
			s.alone, s.covered, s.leaning, s.beside, s.brim = true, true, true, true, 0.5
		}), hungOver},
		"the first disc was followed into it, in another light": {with(func(s *signs) {
			s.empty, s.disc, s.more, s.touched, s.shot, s.dropped, s.followed, s.off, s.brim, s.relit = 9.8, math.Inf(1), true, 0.97, true, true, true, 0.2, 0.15, true
		}), holdsDisc},
		"the first disc was followed to it, in another light": {with(func(s *signs) {
			s.empty, s.disc, s.more, s.touched, s.shot, s.dropped, s.followed, s.off, s.brim, s.relit = 9.8, math.Inf(1), true, 0.97, true, true, true, 2, 0.15, true
		}), open},
		"what was asked about has been taken out of it": {with(func(s *signs) {
			s.was, s.empty, s.disc, s.more, s.touched, s.dropped, s.off, s.brim = vision.HoleUnclear, 6.5, math.Inf(1), true, 0.94, true, 2.9, 0.15
		}), open},
		"what lay in it was taken out as the next was shot": {with(func(s *signs) { s.was, s.touched, s.shot, s.dropped = vision.HoleTaken, 1, true, true }), empty},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.is, c.signs.tell()) })
	}
}
