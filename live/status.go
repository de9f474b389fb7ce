package live

import (
	"sync"
	"time"

	"crokcam/calibrate"
	"crokcam/match"
	"crokcam/vision/capture"
	"crokcam/vision/shots"
)

// Status is a table as it stands.
type Status struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	Source      string       `json:"source"` // without credentials
	Camera      Camera       `json:"camera"`
	State       shots.State  `json:"state"`             // what the board is taken to be doing
	Since       time.Time    `json:"since,omitzero"`    // when that began
	Overdue     string       `json:"overdue,omitempty"` // why it lasts longer than it should, for people
	Calibration *Calibration `json:"calibration"`       // null while there is none
	Discs       []SeenDisc   `json:"discs"`             // at rest, as last looked at
	Match       string       `json:"match,omitempty"`   // id of the match on the table
	Version     int          `json:"version,omitempty"`
	Phase       match.Phase  `json:"phase,omitempty"`
	Held        bool         `json:"held,omitempty"`    // after an undo nothing is recorded until something happens
	Waiting     int          `json:"waiting,omitempty"` // shots seen that the match cannot take yet
	Differs     *Difference  `json:"differs,omitempty"` // how the board differs from the match
	Failure     string       `json:"failure,omitempty"` // why nothing can be recorded
	Advice      []Advice     `json:"advice"`
}

// Camera is how the source fares.
type Camera struct {
	Connected  bool         `json:"connected"`
	Asked      capture.Mode `json:"asked"`
	Got        capture.Mode `json:"got"`
	FPS        float64      `json:"fps"` // measured
	Frames     uint64       `json:"frames"`
	PassedOver uint64       `json:"passed_over"`      // because a newer one was there
	Sessions   int          `json:"sessions"`         // openings that gave a picture
	Age        float64      `json:"frame_age_s"`      // of the newest frame, s; 0 before the first
	AnalysisMS float64      `json:"analysis_ms"`      // what a frame costs, on average of late
	Code       string       `json:"code,omitempty"`   // why it gives nothing, of capture.Error
	Reason     string       `json:"reason,omitempty"` // for people
}

// Calibration is where the board is taken to lie, in short.
type Calibration struct {
	Method  string            `json:"method"`
	Board   string            `json:"board"`
	Known   bool              `json:"known"` // the board's measures are a preset's
	Quality calibrate.Quality `json:"quality"`
	DriftMM float64           `json:"drift_mm"` // since the table was opened
}

// status keeps what Status tells, apart from the table's lock: it is asked for
// while a frame is looked at.
type status struct {
	mu       sync.Mutex
	s        Status
	stream   *capture.Stream
	last     time.Time
	clock    func() time.Time
	picture  picture
	mark     mark
	examined time.Duration // stream time
}

func (s *status) open(o Options, source capture.Source) {
	s.clock = o.Clock
	s.s = Status{ID: o.ID, Name: o.Name, Source: source.String(), Discs: []SeenDisc{}, Advice: []Advice{}}
}

func (s *status) change(f func(*Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(&s.s)
}

func (s *status) connecting() { s.change(func(st *Status) { st.Camera = Camera{} }) }

func (s *status) follow(stream *capture.Stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stream = stream
}

func (s *status) fault(code, reason string) {
	s.change(func(st *Status) { st.Camera.Code, st.Camera.Reason = code, reason })
}

// analysisFrames are how many frames the cost is a mean of, roughly.
const analysisFrames = 32

// seen takes in a frame that has been looked at.
func (s *status) seen(f *capture.Frame, cost time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = f.Arrived
	ms := float64(cost) / float64(time.Millisecond)
	if s.s.Camera.AnalysisMS == 0 {
		s.s.Camera.AnalysisMS = ms
	}
	s.s.Camera.AnalysisMS += (ms - s.s.Camera.AnalysisMS) / analysisFrames
	s.picture.follow(f)
}

// Status is the table as it stands. It does not wait for a frame that is being
// looked at.
func (t *Table) Status() Status {
	s := &t.status
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.s
	if s.stream != nil {
		st := s.stream.Stats()
		c := &out.Camera
		c.Connected, c.Asked, c.Got, c.FPS = st.Connected, st.Asked, st.Got, st.FPS
		c.Frames, c.PassedOver, c.Sessions = st.Frames, st.PassedOver, st.Sessions
		if !st.Last.IsZero() {
			c.Age = s.clock().Sub(st.Last).Seconds()
		}
		if c.Connected {
			c.Code, c.Reason = "", ""
		}
	}
	out.Advice = s.picture.advice(&out)
	return out
}

// mark is what Status was made of last.
type mark struct {
	state   shots.State
	n       int
	first   *shots.Disc
	keep    *keeper
	version int
	held    bool
	waiting int
	at      time.Duration
	cal     *calibrate.Calibration
}

// outdated tells whether what Status tells has changed.
func (s *status) outdated(now mark) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now == s.mark {
		return false
	}
	s.mark = now
	return true
}
