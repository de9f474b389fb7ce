// Package shots turns a stream of frames into shots: it waits while a hand is
// over the board and while discs move, looks when all is at rest, and says what
// has changed.
//
// Most frames are only compared, in coarse squares, with the board as it lay
// when it was last looked at; that tells a hand, motion and quiet. Motion alone
// never ends a turn: what has happened is read from two full looks that agree.
package shots
