package sim

import "crokcam/sim/internal/exact"

// At gives every disc at time t, in the order of Discs. Times before the shot
// count as its start.
func (r *Result) At(t float64) []Placed {
	return r.AppendAt(make([]Placed, 0, len(r.Discs)), t)
}

// AppendAt is At into a slice of the caller's.
func (r *Result) AppendAt(to []Placed, t float64) []Placed {
	t = max(t, 0)
	for i := range r.last {
		k := r.last[i]
		for r.flights[k].prev >= 0 && r.flights[k].t0 > t {
			k = r.flights[k].prev
		}
		to = append(to, r.table.placed(&r.flights[k], r.Discs[i].Side, t))
	}
	return to
}

// Crossing is a disc that touched the starting line from inside and lies clear
// of it, on the surface, at the end.
type Crossing struct {
	Disc int     // place in Result.Discs
	At   float64 // when it first touched the line, s
}

// Crossings lists the discs that crossed the starting line and came back without
// leaving the surface, in the order of Discs (rule OUT-3).
func (r *Result) Crossings() []Crossing {
	t := r.table
	limit := t.spec.Start.Inner() - t.r
	var out []Crossing
	for i := range r.Discs[:r.Shot+1] {
		end := &r.Discs[i]
		if end.Where == InDitch || radius(end.X, end.Y) > limit || r.left(i) {
			continue
		}
		if at, ok := r.crossed(i, limit); ok {
			out = append(out, Crossing{i, at})
		}
	}
	return out
}

// left tells whether a disc was off the surface at any time.
func (r *Result) left(i int) bool {
	for _, e := range r.Exits {
		if e.Disc == i {
			return true
		}
	}
	return false
}

// crossed is when a disc's centre first passed outwards through the circle of
// the given radius. Flights are straight, so a disc is farthest out where one of
// them ends.
func (r *Result) crossed(i int, limit float64) (float64, bool) {
	at, found := 0.0, false
	end := r.Duration
	for k := r.last[i]; k >= 0; k = r.flights[k].prev {
		f := &r.flights[k]
		x, y := f.placeAt(end)
		if radius(f.x, f.y) <= limit && radius(x, y) > limit {
			m := exact.Dot(f.x, f.y, f.ux, f.uy)
			d := body{f: *f, at: f.t0, v: f.v}
			at, found = d.timeTo(outDistance(m, exact.Dot(f.x, f.y, f.x, f.y), limit)), true
		}
		end = f.t0
	}
	return at, found
}

func radius(x, y float64) float64 { return exact.Hypot(x, y) }
