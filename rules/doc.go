// Package rules judges crokinole: a shot, a round, a game, a match.
//
// [Judge] looks at the discs at rest before and after a shot, and at whatever
// was seen of the contacts in between, and says whether the shot is good, which
// discs go to the ditch, whose 20s count and why. What the evidence cannot
// decide is left open, with the question to put to the players and what each
// answer would mean; nothing is guessed.
//
// A [Game] is a value: Apply takes an event and returns the game after it. A
// state is therefore always the fold of its events, and undoing is replaying
// one event fewer.
//
// Everything here is a function of its arguments. The package reads no files
// and no clock. Lengths are millimetres in the board frame of package board,
// angles are radians, times are seconds.
//
// Rule ids such as CON-3 are those of the rule book in package
// rules/book, which also says who plays each variant.
package rules
