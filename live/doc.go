// Package live keeps a match by itself. A [Table] is a camera over a board with,
// perhaps, a match on it: frames come from package capture, package shots makes
// shots of them, package rules judges them through the match, and every event is
// on the disk before anybody is told of it.
//
// Nothing goes on by itself where it is unsure. What cannot be told from the
// pictures becomes a question in the match, shots that follow wait for its
// answer, and a board that no shot can have left waits until somebody puts it
// right or says that it is to be taken as it lies.
//
// People come in through [Table.Do], so that the table's idea of the board
// follows what they say.
package live
