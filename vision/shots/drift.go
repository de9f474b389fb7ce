package shots

import (
	"fmt"
	"math"
	"time"

	"crokcam/calibrate"
	"crokcam/internal/raster"
	"crokcam/vision/capture"
)

const (
	driftNoticed = 1.0  // mm by which the lines must have moved to be a drift
	meterNoticed = 1.2  // mm by which the squares must have moved for the lines to be followed
	meterTimes   = 2    // in a row
	driftTooFar  = 12.0 // mm from which nobody knows what else has happened
	leastLines   = 0.8  // of the lines seen before, for a calibration to be believed

	meterInterval = 250 * time.Millisecond // when all is well
	stillHand     = 500 * time.Millisecond // without motion, from which what looks like a hand may be a board that has moved
	joltEvery     = time.Second            // between looks for one
)

// check measures now and then, while all is well, whether the board still lies
// where the calibration has it, and follows the lines where it seems not to.
func (w *Watcher) check(f *capture.Frame) error {
	if f.At-w.metered < meterInterval {
		return nil
	}
	w.metered = f.At
	squares, ok := w.meter.moved(&w.changes, &w.grid, &w.chart)
	mm := squares * float64(w.grid.size) * w.cal.Quality.MMPerPx
	if !ok || mm < meterNoticed {
		w.strayed = 0
		return nil
	}
	if w.strayed++; w.strayed < meterTimes || f.At-w.checked < joltEvery {
		return nil
	}
	w.checked = f.At
	p, err := w.picture(f)
	if err != nil {
		return err
	}
	if later, drift := w.drift(p); drift >= driftNoticed {
		w.drifted(f.At, later, drift)
		return nil
	}
	w.strayed = 0
	w.meter.set(w.changes.now) // it was a shadow, or it has turned about its middle
	return nil
}

// The board around its middle is told apart in sectors; it has changed all
// around when most of them have, if only a little each.
const (
	sectors     = 16
	mostSectors = 10
	leastOfOne  = 0.01
)

// allAround tells whether the surface has changed on all sides.
func (w *Watcher) allAround() bool {
	var n, changed [sectors]float64
	for k, p := range w.chart.part {
		if p&surface == 0 {
			continue
		}
		at := w.chart.at[k]
		s := int((math.Atan2(at.Y, at.X) + math.Pi) / (2 * math.Pi) * sectors)
		s = min(s, sectors-1)
		n[s]++
		if w.changes.changed[k] {
			changed[s]++
		}
	}
	many := 0
	for s := range n {
		if changed[s] > leastOfOne*n[s] {
			many++
		}
	}
	return many >= mostSectors
}

func (w *Watcher) mayBeJolted(at time.Duration) bool {
	return at-w.moved >= stillHand && at-w.checked >= joltEvery
}

// jolted looks whether the camera or the board was moved, where everything looks
// different and yet nothing moves. It says whether that was so.
func (w *Watcher) jolted(f *capture.Frame) (bool, error) {
	if !w.mayBeJolted(f.At) {
		return false, nil
	}
	w.checked = f.At
	p, err := w.picture(f)
	if err != nil {
		return false, err
	}
	later, drift := w.drift(p)
	if drift < driftNoticed {
		return false, nil
	}
	w.drifted(f.At, later, drift)
	return true, nil
}

// How long what looks like a hand has to lie still before it may be that one lay
// there when the board was found, and how much more of the lines (a share) has to
// be seen now for it to be so.
const (
	unveilAfter = 3 * time.Second
	unveiled    = 0.015
)

// unveil looks whether what looks like a hand is the board itself: one lay over
// it when the board was found, and has gone since. The board is then taken as it
// lies.
func (w *Watcher) unveil(f *capture.Frame) error {
	if !w.first || f.At-w.moved < unveilAfter || f.At-w.checked < unveilAfter {
		return nil
	}
	w.checked = f.At
	p, err := w.picture(f)
	if err != nil {
		return err
	}
	later, err := calibrate.Refine(p, w.cal, calibrate.Options{Board: w.o.Board})
	if err != nil || later.Quality.Coverage < w.cal.Quality.Coverage+unveiled {
		return nil //nolint:nilerr // lines that cannot be followed are no board that has come to light
	}
	w.cal, w.eye = later, nil
	w.chart.lay(&w.grid, w.cal)
	w.changes.accept(nil)
	w.meter.set(w.changes.now)
	w.begin(f.At, false)
	w.looks.accept, w.looks.fresh = true, true
	w.active = f.At
	w.enter(Settling)
	return nil
}

// drift is how far the board's lines have moved, mm, and the calibration that
// says so; 0 where they cannot be followed.
func (w *Watcher) drift(p *raster.Picture) (*calibrate.Calibration, float64) {
	later, err := calibrate.Refine(p, w.cal, calibrate.Options{Board: w.o.Board})
	if err != nil {
		if later, err = calibrate.Find(p, calibrate.Options{Board: w.o.Board}); err != nil {
			return nil, 0
		}
	}
	if later.Quality.Coverage < leastLines*w.cal.Quality.Coverage {
		return nil, 0
	}
	mm, err := w.cal.Drift(later)
	if err != nil {
		return nil, 0
	}
	return later, mm
}

// drifted takes over a new calibration: the board is looked at afresh, or
// somebody is asked to look, where it has moved far.
func (w *Watcher) drifted(at time.Duration, later *calibrate.Calibration, mm float64) {
	w.cal, w.eye = later, nil
	w.chart.lay(&w.grid, w.cal)
	w.changes.accept(nil)
	w.meter.set(w.changes.now)
	w.strayed = 0
	w.emptyHole.known = w.emptyHole.known && mm < driftTooFar
	e := Event{Kind: Drifted, Drift: mm, Calibration: later, Note: fmt.Sprintf("The board has moved by %.1f mm in the picture and is followed.", mm)}
	if mm >= driftTooFar {
		e.Note = fmt.Sprintf("The board or the camera has moved by %.0f mm. Scoring waits until somebody has looked.", mm)
		w.say(e)
		w.enter(Paused)
		return
	}
	w.say(e)
	if !w.turn.on {
		w.begin(at, false)
	}
	w.turn.watched = false
	w.flight.restart()
	w.looks = looks{accept: w.looks.accept, fresh: true}
	w.active = at
	w.enter(Settling)
}
