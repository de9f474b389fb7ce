package match

import (
	"slices"
)

// class says how an event takes part in undoing.
type class uint8

const (
	play       class = iota // undoing it takes all later play with it, and the corrections of that
	correction              // undone by itself
	steering                // undo and redo themselves
	remark                  // changes nothing, is never undone
)

func classOf(b Body) class {
	switch b.(type) {
	case Corrected:
		return correction
	case Undone, Redone:
		return steering
	case Note:
		return remark
	}
	return play
}

// step tells whether an event is something that a person would undo: the rest
// are the program's own doings between two steps, and go with the step before.
func step(b Body) bool {
	switch b.(type) {
	case Corrected, RoundStarted, RoundEntered, ShotDetected, QuestionAnswered, TurnForfeited, TimeEnded,
		RoundAgreed, ShootoutHeld, Closed, Paused, Resumed, Resynced:
		return true
	}
	return false
}

// UndoTarget is what a plain undo would take back: the last step in force. ok is
// false when there is none.
func (s State) UndoTarget() (seq int, ok bool) {
	for i := len(s.log) - 1; i > 0; i-- {
		if s.hidden[i] == 0 && step(s.log[i].Body) {
			return i + 1, true
		}
	}
	return 0, false
}

// RedoTarget is what a plain redo would bring back: the last undo, unless
// something has happened since.
func (s State) RedoTarget() (seq int, ok bool) {
	if n := len(s.redo); n > 0 {
		return s.redo[n-1], true
	}
	return 0, false
}

// undo hides an event and what goes with it.
func (s *State) undo(seq, target int) error {
	if target == 1 {
		return no(ErrNothing, "delete the match instead", "the start of a match cannot be undone")
	}
	if target < 2 || target >= seq || s.hidden[target-1] != 0 {
		return no(ErrNothing, "", "%d is not an event in force that can be undone", target)
	}
	c := classOf(s.log[target-1].Body)
	if c != play && c != correction {
		return no(ErrNothing, "", "%s cannot be undone", s.log[target-1].Body.Kind())
	}
	s.hidden = slices.Clone(s.hidden)
	s.hidden[target-1] = seq
	if c == play {
		for i := target; i < seq-1; i++ {
			fix, isFix := s.log[i].Body.(Corrected)
			if s.hidden[i] == 0 && (classOf(s.log[i].Body) == play || isFix && fix.Target >= target) {
				s.hidden[i] = seq
			}
		}
	}
	s.redo = append(slices.Clip(s.redo), seq)
	s.replay()
	return nil
}

// bringBack shows again what an undo has hidden.
func (s *State) bringBack(target int) error {
	if at, ok := s.RedoTarget(); !ok || at != target {
		return no(ErrNothing, "", "%d is not the last undo, or something has happened since", target)
	}
	s.hidden = slices.Clone(s.hidden)
	for i := range s.hidden {
		if s.hidden[i] == target {
			s.hidden[i] = 0
		}
	}
	s.redo = slices.Clip(s.redo[:len(s.redo)-1])
	s.replay()
	return nil
}

// replay writes the sheet anew from the events in force.
func (s *State) replay() {
	s.sheet = sheet{}
	for i, e := range s.log {
		if s.hidden[i] == 0 {
			s.sheet.add(e)
		}
	}
	s.sheet.derive(0, 0)
}
