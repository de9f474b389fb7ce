package capture

import "time"

// timeline turns the times that frames come with into stream time, which only
// goes forward.
type timeline struct {
	started bool
	shift   time.Duration // from the source's time to stream time
	last    time.Duration // the last frame's, stream time
}

// begin starts a session whose first frame has the time at, when now is the
// stream time by the machine's clock. Frames are never stamped before those of
// the session before.
func (t *timeline) begin(at, now time.Duration) {
	if !t.started {
		t.started, t.shift = true, -at
		t.last = -1
		return
	}
	t.shift = max(now, t.last+1) - at
}

// stamp gives the stream time of a frame, and by how much the source's clock
// went back since the frame before; the frame then comes one step after that.
func (t *timeline) stamp(at, step time.Duration) (stream, back time.Duration) {
	stream = at + t.shift
	if stream < t.last {
		back = t.last - stream
		t.shift += back + step
		stream = t.last + step
	}
	t.last = stream
	return stream, back
}
