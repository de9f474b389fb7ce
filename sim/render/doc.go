// Package render turns a scene (a board, the discs on it, lights, perhaps a
// hand) and a camera into a picture whose truth is known exactly.
//
// Lengths are millimetres in the board frame, angles radians. Light is linear
// inside; a picture is made of 8-bit sRGB values once lens and sensor have had
// their say. Everything that looks random is drawn from a seed: the same scene
// gives the same picture.
//
// There are two ways to a picture. Shoot takes its time: every edge is sampled
// several times. A Stage keeps what does not move and draws only what does, for
// pictures that follow one another.
package render
