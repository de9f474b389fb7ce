// Package play has people at the simulated board: players who place a disc, pick
// a target by looking ahead with the simulator and flick with a human hand, and
// whole games under any rules, judged from what truly happened.
//
// Everything is a function of the seed: the same seed plays the same game, as
// far as package rules judges alike (it is not held to the last bit, but a place
// would have to lie within a billionth of a millimetre of a line to matter).
package play
