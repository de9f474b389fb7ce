// Package match is a match of crokinole as a list of events to which is only
// ever added. The state of the match, its [State], is the fold of that list:
// nothing is overwritten, totals are always derived, and a correction or an undo
// is one more event, with the original kept.
//
// The fold has three steps. The journal says which events are in force: undo
// hides some, redo brings them back. The events in force make up the score
// sheet: rounds, the turns of each round, and the corrections pinned to each
// turn. From the sheet follow the discs on the board, the turn, the rounds'
// results and the score; who shoots next and what a round is worth is asked of
// package rules.
//
// A shot that is seen is admitted only if it fits the match as it stands: the
// discs that lay on the board before it are those of the match, it is that
// player's turn, nothing is left open. Whatever does not fit is refused, with an
// error that says what to do, and the state stays as it was. Once admitted, an
// event holds in every later state: when a correction of an earlier shot makes a
// later one odd, the later one is carried on as well as may be, and
// [State.Problems] tells.
//
// Everything here is a function of its arguments: no file, no clock but the
// times inside the events, no camera.
package match
