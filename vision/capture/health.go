package capture

import (
	"fmt"
	"strings"
	"time"
)

// Flag is one thing that is wrong with a picture as such.
type Flag uint8

// The flags. A frame that has any is delivered all the same: what to make of
// it is the caller's business.
const (
	Black  Flag = 1 << iota // a lens cap, a lamp gone out
	White                   // the exposure is far too long
	Grey                    // one tone and nothing in it
	Frozen                  // the same picture, to the last bit, for longer than FrozenAfter
	Torn                    // part of it is missing or is of another moment
)

// String is such as "black, frozen"; "" is none.
func (f Flag) String() string {
	var names []string
	for i, name := range []string{"black", "white", "grey", "frozen", "torn"} {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// MarshalText is String.
func (f Flag) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// Health is what can be said of a picture without knowing what is in it.
type Health struct {
	Flags      Flag
	Low, High  float64       // the 2nd and the 98th hundredth of its brightness, 0 black to 1 white
	Mean       float64       // brightness, 0 to 1
	Sharpness  float64       // mean step between neighbouring pixels over the picture's contrast; comparable for one scene only
	Unchanged  time.Duration // how long the picture has been the same to the last bit
	StaleShare float64       // of its height, that still shows the frame before, when the rest has moved on
	EmptyShare float64       // of its height, from below, that has nothing in it, when the rest has and this stream's pictures usually do
	Damaged    bool          // the decoder complained about this frame or one next to it
}

// String is such as "mean 0.43, 0.02 to 0.97, sharpness 0.031, torn".
func (h Health) String() string {
	text := fmt.Sprintf("mean %.2f, %.2f to %.2f, sharpness %.3f", h.Mean, h.Low, h.High, h.Sharpness)
	if h.Flags != 0 {
		text += ", " + h.Flags.String()
	}
	return text
}

// FrozenAfter is how long a picture must have been the same to the last bit to
// count as frozen. A camera's noise alone changes it with every frame; a strong
// compressor may keep a quiet scene unchanged for a few seconds.
const FrozenAfter = 5 * time.Second

const (
	sampleEvery = 8 // rows, and pixels within a row, that are looked at

	// Contrast below which a picture has nothing in it, and the ends of the
	// scale, as shares of the scale from black to white.
	flatContrast = 0.05
	nearlyBlack  = 0.10
	nearlyWhite  = 0.94

	tornShare     = 0.04 // of the height, below which a missing part is not looked at
	livelyAfter   = 30   // frames without any unchanged row, after which one is suspicious
	grumbleFrames = 64   // over which the decoder's complaints are counted
	grumbleShare  = 0.8  // of frames complained about, from which on it is just this camera's way
	usualFrames   = 256  // over which a dark foot of the picture becomes usual
)

// watch looks at frame after frame. It allocates only when the size grows.
type watch struct {
	rows, before []uint64 // a mark of each sampled row, now and in the frame before
	spread       []uint8  // of each sampled row: how much its tones differ
	lively       int      // frames of late in which every row had changed
	grumbles     float64  // the share of the frames of late that the decoder complained about
	usual        float64  // the share at the bottom that is empty in this stream's good frames
	since        time.Duration
	known        bool
}

// restart forgets the frame before.
func (w *watch) restart() { w.known, w.lively, w.usual = false, 0, -1 }

// look measures a frame; its stream time is set.
func (w *watch) look(f *Frame) Health {
	n := (f.Height + sampleEvery - 1) / sampleEvery
	if cap(w.rows) < n {
		w.rows, w.before, w.spread = make([]uint64, n), make([]uint64, n), make([]uint8, n)
		w.known = false
	}
	w.rows, w.before, w.spread = w.rows[:n], w.before[:n], w.spread[:n]

	tones, steps := w.sample(f)
	h := Health{Damaged: f.damaged}
	w.tones(&h, f, tones, steps)
	w.compare(&h, f.At)
	h.EmptyShare = w.missing(h.High - h.Low)

	switch contrast := h.High - h.Low; {
	case h.High < nearlyBlack:
		h.Flags |= Black
	case h.Low > nearlyWhite:
		h.Flags |= White
	case contrast < flatContrast:
		h.Flags |= Grey
	}
	if h.Unchanged >= FrozenAfter {
		h.Flags |= Frozen
	}
	w.grumbles += (one(h.Damaged) - w.grumbles) / grumbleFrames
	if h.Damaged && w.grumbles < grumbleShare || h.EmptyShare > tornShare || h.StaleShare > tornShare {
		h.Flags |= Torn
	}
	w.rows, w.before = w.before, w.rows
	w.known = true
	return h
}

// sample counts the tones of a grid of pixels, sums the steps between
// neighbours, and marks each row.
func (w *watch) sample(f *Frame) (tones [256]uint32, steps uint64) {
	const prime = 1099511628211
	for i := range w.rows {
		row := f.Y[i*sampleEvery*f.Width : (i*sampleEvery+1)*f.Width]
		mark := uint64(14695981039346656037)
		low, high := uint8(255), uint8(0)
		for x := 0; x+1 < len(row); x += sampleEvery {
			v, next := row[x], row[x+1]
			tones[v]++
			mark = (mark ^ (uint64(v)<<8 | uint64(next))) * prime
			low, high = min(low, v), max(high, v)
			steps += uint64(max(v, next) - min(v, next))
		}
		w.rows[i], w.spread[i] = mark, high-low
	}
	return tones, steps
}

func (w *watch) tones(h *Health, f *Frame, tones [256]uint32, steps uint64) {
	var n, sum uint64
	for v, c := range tones {
		n += uint64(c)
		sum += uint64(v) * uint64(c)
	}
	if n == 0 {
		return // a picture one pixel wide
	}
	black, white := 16.0, 235.0
	if f.FullRange {
		black, white = 0, 255
	}
	scale := func(v float64) float64 { return min(max((v-black)/(white-black), 0), 1) }
	tail := n / 50
	below := uint64(0)
	low, high := -1, 0
	for v, c := range tones {
		below += uint64(c)
		if low < 0 && below > tail {
			low = v
		}
		if high = v; n-below <= tail {
			break
		}
	}
	h.Low, h.High, h.Mean = scale(float64(low)), scale(float64(high)), scale(float64(sum)/float64(n))
	if contrast := float64(high - low); contrast > 0 {
		h.Sharpness = float64(steps) / float64(n) / contrast
	}
}

// compare finds out whether the whole picture or a part of it is the same as
// before.
func (w *watch) compare(h *Health, at time.Duration) {
	if !w.known {
		w.since = at
		return
	}
	same, run, longest := 0, 0, 0
	for i, m := range w.rows {
		if m != w.before[i] || w.spread[i] == 0 { // a row of one tone tells nothing
			run = 0
			continue
		}
		same++
		run++
		longest = max(longest, run)
	}
	switch {
	case w.equal():
		h.Unchanged = at - w.since
		w.lively = 0
		return
	case same == 0:
		w.lively = min(w.lively+1, 2*livelyAfter)
	case w.lively >= livelyAfter:
		// Rows never stay as they are in this stream, but here some have. Should
		// it go on, then it is the scene that has come to rest.
		h.StaleShare = float64(longest) / float64(len(w.rows))
		w.lively -= livelyAfter / 6
	default:
		w.lively = 0
	}
	w.since = at
}

func (w *watch) equal() bool {
	for i, m := range w.rows {
		if m != w.before[i] {
			return false
		}
	}
	return true
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// missing is the share of the rows at the bottom that have one tone only, when
// those above do not and this stream's bottom usually has more: what a picture
// looks like whose end did not arrive.
func (w *watch) missing(contrast float64) float64 {
	n := 0
	for n < len(w.spread) && w.spread[len(w.spread)-1-n] <= 1 {
		n++
	}
	share := float64(n) / float64(len(w.spread))
	if contrast < flatContrast {
		return 0 // the whole is of one tone, which has a name of its own
	}
	if w.usual < 0 || share < w.usual {
		w.usual = share
	}
	w.usual += (share - w.usual) / usualFrames
	return max(0, share-w.usual)
}
