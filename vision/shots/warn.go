package shots

import (
	"fmt"
	"math"
	"time"

	"crokcam/board"
	"crokcam/vision"
)

// warnings is what makes a board hard to read, each told once for as long as it
// lasts.
type warnings struct {
	told    map[EventKind]bool
	flicker float64 // by how much the light changes from one frame to the next, as a share of the contrast
	next    time.Duration
}

const (
	warnEvery = 2 * time.Second

	// Colours that are nearer to each other than this are told apart, but a
	// shade or a shine may mislead; when they are this much farther apart it is
	// well again.
	closeColours = 32.0
	farEnough    = 1.25

	flickers   = 0.012 // share of the contrast by which the light changes from frame to frame
	learnLight = 0.02

	// glare is the share of a ring that is burnt out from which it is told.
	glare    = 0.06
	burntOut = 0.97 // of the way from black to white
)

// warn looks now and then for what makes the board hard to read.
func (w *Watcher) warn(at time.Duration, fullRange bool) {
	if at < w.warnings.next {
		return
	}
	w.warnings.next = at + warnEvery
	gap := math.Inf(1)
	for a := board.SideA; a <= w.palette.n; a++ {
		for b := a + 1; b <= w.palette.n; b++ {
			gap = min(gap, vision.ColourDistance(w.palette.colours[a], w.palette.colours[b]))
		}
	}
	w.tell(ColoursClose, gap < closeColours, gap > farEnough*closeColours, "Two sides' discs look much alike in this light. Brighter or more even light tells them apart.")
	f := w.warnings.flicker
	w.tell(Flicker, f > flickers, f < flickers/2, "The light flickers. Set the camera's power-line frequency, or use another lamp.")
	ring, share := w.glare(fullRange)
	w.tell(Glare, share > glare, share < glare/2, fmt.Sprintf("Light is mirrored on the %s line. Move the lamp or the camera.", ring))
}

// tell says once that something is so, until it is not any more.
func (w *Watcher) tell(k EventKind, so, over bool, note string) {
	if w.warnings.told == nil {
		w.warnings.told = map[EventKind]bool{}
	}
	switch {
	case so && !w.warnings.told[k]:
		w.warnings.told[k] = true
		w.say(Event{Kind: k, Note: note})
	case over:
		w.warnings.told[k] = false
	}
}

// light learns how much the light changes from one frame to the next, where
// nothing else happens.
func (s *warnings) light(l light, contrast float32) {
	const middle = 128 // grey level
	if contrast <= 0 {
		return
	}
	d := float64(l.gain*middle+l.offset-middle) / float64(contrast)
	s.flicker += learnLight * (min(math.Abs(d), 0.1) - s.flicker)
}

// glare is the ring of which the most is burnt out, and how much that is.
func (w *Watcher) glare(fullRange bool) (ring string, share float64) {
	white := float32(16 + burntOut*219)
	if fullRange {
		white = burntOut * 255
	}
	spec := w.cal.Board
	rings := [...]struct {
		name string
		board.Ring
	}{{"15", spec.Fifteen}, {"10", spec.Ten}, {"starting", spec.Start}}
	var n, burnt [len(rings)]float64
	half := w.cal.Quality.MMPerPx * float64(w.grid.size) / 2
	for k, p := range w.chart.part {
		if p&surface == 0 {
			continue
		}
		r := w.chart.at[k].Radius()
		for i := range rings {
			if r > rings[i].Inner()-half && r < rings[i].Outer+half {
				n[i]++
				if w.changes.now[k] >= white {
					burnt[i]++
				}
			}
		}
	}
	for i := range rings {
		if n[i] > 0 && burnt[i]/n[i] > share {
			ring, share = rings[i].name, burnt[i]/n[i]
		}
	}
	return ring, share
}
