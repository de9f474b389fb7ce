// Package store keeps matches: their events, their pictures, and a list of them.
//
// [Open] keeps them in one SQLite file, [Memory] for as long as the program runs;
// both are a [Store]. A [Recorder] is how a match is written to: it holds the
// match's state, refuses what does not fit, and has each event on the disk before
// it says so.
//
// An event that was acknowledged is there after a crash of the program and after
// a loss of power: commits are synchronous (WAL with synchronous=FULL, one
// fsync a commit, so an Append costs what the disk takes to say "written"; the
// events of one Append share it). There is one writer; readers never wait for it.
// Several programs may have the file open: whoever writes to a match says which
// version it has seen, and gets a [ConflictError] when that is no longer the last.
package store
