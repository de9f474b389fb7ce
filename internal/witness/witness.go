// Package witness tells the rules what the camera saw.
package witness

import (
	"slices"

	"crokcam/board"
	"crokcam/rules"
	"crokcam/vision/shots"
)

// Sides says which side of the match has the discs of each of the camera's
// colours, indexed by the camera's side.
type Sides [board.SideD + 1]board.Side

// Shot is a shot as the judge takes it: the two snapshots and what is known of
// what happened between them. by is who shot, number its place in the round,
// from 1.
func Shot(s *shots.Shot, by board.Side, number int, of Sides) (before, after board.Snapshot, shot rules.Shot) {
	before, after = named(s.Before, of), named(s.After, of)
	shot = rules.Shot{Side: by, Number: number}
	shot.Evidence.HandOver = s.HandBack
	for _, i := range s.Still {
		shot.Evidence.Still = append(shot.Evidence.Still, rules.Disc(i))
	}
	for _, i := range s.Nudged {
		shot.Evidence.Nudged = append(shot.Evidence.Nudged, rules.Disc(i))
	}
	if s.Watched && !grazed(s, by, of) {
		shot.Evidence.Watched = rules.WatchedPlay
	}
	if !s.Identified || s.Shooter == shots.Unknown {
		return before, after, shot
	}
	gone := func(unseen bool) int {
		if !s.Watched || unseen {
			return rules.Missing
		}
		return rules.Gone
	}
	track := rules.Track{Discs: make([]int, len(s.Became)), Shot: gone(s.ShooterUnseen)}
	for i, j := range s.Became {
		track.Discs[i] = j
		if j < 0 {
			track.Discs[i] = gone(slices.Contains(s.Unseen, i))
		}
	}
	if s.Shooter >= 0 {
		if after.Discs[s.Shooter].Side != by {
			return before, after, shot // what came is not what was shot
		}
		track.Shot = s.Shooter
	}
	shot.Track = &track
	return before, after, shot
}

// grazed tells whether the shot turns on a disc of another side that may have been
// touched as the shot disc went by, or on one of its own that may have been moved: none
// of another side was touched for certain. Nobody has seen that well enough to say that
// it was in sight.
func grazed(s *shots.Shot, by board.Side, of Sides) bool {
	theirs := func(i int) bool { return of[s.Before[i].Side] != by }
	stirred := func(i int) bool { j := s.Became[i]; return j >= 0 && s.After[j].Point != s.Before[i].Point }
	return slices.ContainsFunc(s.Passed, func(i int) bool { return theirs(i) || stirred(i) }) &&
		!slices.ContainsFunc(s.Contacts, func(c shots.Contact) bool { return theirs(c.Disc) && !slices.Contains(s.Passed, c.Disc) })
}

func named(discs []shots.Disc, of Sides) board.Snapshot {
	s := shots.Snapshot(discs)
	for i := range s.Discs {
		s.Discs[i].Side = of[s.Discs[i].Side]
	}
	return s
}
