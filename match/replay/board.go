package replay

import (
	"math"
	"strings"

	"crokcam/board"
	"crokcam/match"
)

// A character is about twice as high as it is wide.
const cellAspect = 2

// Board draws a board with its discs in so many lines of text, seen from the
// south seat: a letter for each disc's side, a small one for the disc in fresh
// (ids of discs that were just shot), dots for the lines, o for the hole, + for
// posts. An even number of lines is made odd, so that there is a middle.
func Board(spec board.Spec, discs []match.Disc, rows int, fresh ...match.DiscID) []string {
	rows = max(3, rows|1)
	cols := rows*cellAspect + 1 // odd as well
	cells := make([][]byte, rows)
	for r := range cells {
		cells[r] = []byte(strings.Repeat(" ", cols))
	}
	scale := 2 * spec.Surface / float64(rows-1) // mm a row
	put := func(p board.Point, c byte) {
		// Rounded from the middle, so that the picture is the same on either side.
		r := rows/2 - int(math.Round(p.Y/scale))
		k := cols/2 + int(math.Round(p.X/scale*cellAspect))
		if r >= 0 && r < rows && k >= 0 && k < cols {
			cells[r][k] = c
		}
	}
	for _, radius := range []float64{spec.Start.Outer, spec.Ten.Outer, spec.Fifteen.Outer} {
		steps := int(2 * math.Pi * radius / scale * cellAspect)
		for i := range steps {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(steps))
			put(board.Point{X: radius * cos, Y: radius * sin}, '.')
		}
	}
	for _, p := range spec.PostCentres() {
		put(p, '+')
	}
	put(board.Point{}, 'o')
	for _, d := range discs {
		letter := d.Side.String()
		for _, id := range fresh {
			if d.ID == id {
				letter = strings.ToLower(letter)
			}
		}
		if letter != "" {
			put(d.Point, letter[0])
		}
	}
	lines := make([]string, rows)
	for r := range cells {
		lines[r] = strings.TrimRight(string(cells[r]), " ")
	}
	return lines
}
