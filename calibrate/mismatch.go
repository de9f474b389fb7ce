package calibrate

import (
	"fmt"
	"math"

	"crokcam/board"
)

// BoardError says that the board in the picture is not the one that the caller
// named: its rings stand elsewhere.
type BoardError struct {
	Board        string  // the name of the caller's
	Fifteen, Ten float64 // where the caller's lines stand, as shares of the starting line
	// and where the picture's do.
	SeenFifteen, SeenTen float64
}

func (e *BoardError) Error() string {
	return fmt.Sprintf("The rings in the picture do not fit the board %q: its 15 and 10 lines stand at %.2f and %.2f of its starting line, those in the picture at %.2f and %.2f. Name another board, or leave the board to be found out.",
		e.Board, e.Fifteen, e.Ten, e.SeenFifteen, e.SeenTen)
}

// Values are the figures in the message, in per cent of the starting line.
func (e *BoardError) Values() map[string]float64 {
	return map[string]float64{"fifteen": 100 * e.Fifteen, "ten": 100 * e.Ten, "seen_fifteen": 100 * e.SeenFifteen, "seen_ten": 100 * e.SeenTen}
}

// elsewhere is how far (mm, on a board of the usual size) a line may stand from
// where it should: an unknown lens explains no more.
const elsewhere = 8

// mismatch looks whether a board shows more clearly than the known one's
// evidence once its rings may stand anywhere, and tells the difference.
func (s *search) mismatch(evidence float64) error {
	free := *s
	free.known = nil
	seen, ok := free.board()
	if !ok || seen.evidence() <= evidence {
		return nil
	}
	want := shares(s.known)
	fifteen, ten := seen.radii[fifteenLine]/startRadius, seen.radii[tenLine]/startRadius
	if math.Max(math.Abs(fifteen-want[0]), math.Abs(ten-want[1]))*startRadius < elsewhere {
		return nil
	}
	return &BoardError{Board: s.known.Name, Fifteen: want[0], Ten: want[1], SeenFifteen: fifteen, SeenTen: ten}
}

// shares are the radii of a board's 15 and 10 lines, as shares of its starting
// line's.
func shares(s *board.Spec) [2]float64 {
	middle := func(r board.Ring) float64 { return r.Outer - r.Width/2 }
	return [2]float64{middle(s.Fifteen) / middle(s.Start), middle(s.Ten) / middle(s.Start)}
}
