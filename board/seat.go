package board

// Seat is a place at the board.
type Seat uint8

// The seats, clockwise as seen from above.
const (
	South Seat = iota
	West
	North
	East
)

// String is the seat's name: "south", "west", "north" or "east".
func (s Seat) String() string {
	return [...]string{"south", "west", "north", "east"}[s%4]
}

// Opposite is the seat across the board.
func (s Seat) Opposite() Seat { return (s + 2) % 4 }
