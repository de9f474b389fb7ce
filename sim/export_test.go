package sim

import (
	"math"

	"crokcam/board"
)

// Moment is one disc's state for the checks: mm, mm/s, rad/s.
type Moment struct {
	X, Y, VX, VY, Spin float64
	Where              Where
}

// Step is one event as the checks see it.
type Step struct {
	At            float64
	Kind          string
	I, J          int // J is -1 unless two discs met
	Before, After []Moment
}

func (r *run) moments() []Moment {
	out := make([]Moment, len(r.b))
	for i := range r.b {
		f := &r.b[i].f
		x, y := f.placeAt(r.now)
		v := f.speedAt(r.now)
		out[i] = Moment{x, y, f.ux * v, f.uy * v, f.spinAt(r.now), f.where}
	}
	return out
}

var kindWords = [...]string{"none", "disc", "post", "stop", "hole", "lip", "sink", "sunk", "edge", "low", "land", "rail", "wall", "back"}

// Watched is Shoot with every event shown.
func (t *Table) Watched(start Setup, shot Shot, see func(Step)) (*Result, error) {
	r := new(run)
	r.reset(t)
	if err := r.load(start, shot); err != nil {
		return nil, err
	}
	var s Step
	r.trace = func(kind eventKind, i int, before bool) {
		if before {
			s = Step{At: r.now, Kind: kindWords[kind], I: i, J: -1, Before: r.moments()}
			if kind == evDisc {
				s.J = r.b[i].next.other
			}
			return
		}
		s.After = r.moments()
		see(s)
	}
	if err := r.play(); err != nil {
		return nil, err
	}
	return r.result(len(start.Board.Discs)), nil
}

// Frictionless is a table whose surface does not slow discs down.
func (t *Table) Frictionless() *Table {
	c := *t
	c.slow, c.spinFade = 0, 0
	return &c
}

// Glide lets discs with given velocities go for a time and gives their state
// then, with the number of contacts on the way.
func (t *Table) Glide(from []Moment, until float64) ([]Moment, int) {
	r := new(run)
	r.reset(t)
	for i, m := range from {
		if err := r.put(board.Point{X: m.X, Y: m.Y}, board.SideA, 0, m.Where); err != nil {
			panic(err)
		}
		if m.VX != 0 || m.VY != 0 {
			r.launch(i, m.X, m.Y, m.VX, m.VY, m.Spin)
		}
	}
	r.update()
	for {
		i, e := r.earliest()
		if i < 0 || e.at > until || math.IsInf(e.at, 1) {
			break
		}
		r.now = e.at
		r.happen(i, e)
		r.update()
	}
	r.now = until
	return r.moments(), len(r.contacts)
}

// Events is how many flights the shot took.
func (r *Result) Events() int { return len(r.flights) }
