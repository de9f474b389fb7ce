// Package metrics tells a Prometheus server how the service fares.
package metrics

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"crokcam/api/feed"
	"crokcam/live"
)

// Sources are what the figures come from.
type Sources struct {
	Hub    *feed.Hub
	Boards func() map[string]live.Status // of the boards whose camera is to run
	Videos func() int                    // who watches boards at the moment
	Mats   func() int                    // OpenCV's pictures in memory that are not closed yet
}

// Metrics are the service's figures.
type Metrics struct {
	registry *prometheus.Registry
	hub      *feed.Hub

	requests    *prometheus.CounterVec
	took        *prometheus.HistogramVec
	events      *prometheus.CounterVec
	corrections prometheus.Counter
	tooClose    prometheus.Counter
	settle      prometheus.Histogram
}

// New makes the figures.
func New(s Sources) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(), hub: s.Hub,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "crokcam_http_requests_total", Help: "Requests answered.",
		}, []string{"operation", "status"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "crokcam_http_request_seconds", Help: "Time until a request was answered, streams left out.", Buckets: prometheus.DefBuckets,
		}, []string{"operation"}),
		events: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "crokcam_events_total", Help: "Messages told to listeners.",
		}, []string{"type"}),
		corrections: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "crokcam_corrections_total", Help: "Corrections recorded.",
		}),
		tooClose: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "crokcam_too_close_total", Help: "Calls that were too close to leave to a camera.",
		}),
		settle: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "crokcam_settle_to_verdict_seconds", Help: "From the frame that showed a shot at rest to its verdict.",
			Buckets: []float64{.05, .1, .2, .3, .5, .8, 1.2, 2, 5},
		}),
	}
	m.registry.MustRegister(m.requests, m.took, m.events, m.corrections, m.tooClose, m.settle,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), &state{s})
	return m
}

// Handler answers with the figures.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// Answered counts a request. A stream's time says nothing: took is then 0.
func (m *Metrics) Answered(operation string, status int, took time.Duration) {
	m.requests.WithLabelValues(operation, strconv.Itoa(status)).Inc()
	if took > 0 {
		m.took.WithLabelValues(operation).Observe(took.Seconds())
	}
}

// Listen counts what is told until ctx is done or the feed ends.
func (m *Metrics) Listen(ctx context.Context) {
	l := m.hub.Listen("metrics", feed.Filter{}, 0)
	defer l.Close()
	for {
		list, _, err := l.Next(ctx)
		if err != nil {
			return
		}
		for _, x := range list {
			m.count(x)
		}
	}
}

func (m *Metrics) count(x *feed.Message) {
	m.events.WithLabelValues(x.Type).Inc()
	switch x.Type {
	case "score.corrected":
		m.corrections.Inc()
	case live.CallTooClose:
		m.tooClose.Inc()
	case "shot.judged":
		if d := x.Time.Sub(x.CapturedAt); !x.CapturedAt.IsZero() && d >= 0 && d < time.Minute {
			m.settle.Observe(d.Seconds())
		}
	}
}

// state reads what stands at the moment of being asked.
type state struct{ s Sources }

func gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("crokcam_"+name, help, labels, nil)
}

var (
	frames     = gauge("camera_frames_total", "Frames that a board's camera gave.", "board")
	fps        = gauge("camera_fps", "Frames a second, measured.", "board")
	connected  = gauge("camera_connected", "Whether a board's camera gives pictures.", "board")
	age        = gauge("frame_age_seconds", "Age of the newest frame.", "board")
	analysis   = gauge("analysis_seconds", "What looking at a frame costs, on average of late.", "board")
	reconnects = gauge("camera_reconnects_total", "How often a camera had to be opened again.", "board")
	residual   = gauge("calibration_residual_mm", "How far the board's lines lie from where they should.", "board")
	sockets    = gauge("ws_clients", "WebSockets that listen.")
	sse        = gauge("sse_clients", "Streams of server-sent events that listen.")
	videos     = gauge("mjpeg_clients", "Streams of pictures that are watched.")
	mats       = gauge("open_mats", "OpenCV's pictures that are in memory: more at rest than at the start is a leak.")
	dropped    = gauge("dropped_events_total", "Messages that a listener was too slow for.")
)

// Describe says nothing: the figures depend on the boards.
func (s *state) Describe(chan<- *prometheus.Desc) {}

// Collect reads the figures.
func (s *state) Collect(out chan<- prometheus.Metric) {
	put := func(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, kind, v, labels...)
	}
	c := s.s.Hub.Counts()
	put(sockets, prometheus.GaugeValue, float64(c.Listeners["socket"]))
	put(sse, prometheus.GaugeValue, float64(c.Listeners["events"]))
	put(videos, prometheus.GaugeValue, float64(s.s.Videos()))
	put(mats, prometheus.GaugeValue, float64(s.s.Mats()))
	put(dropped, prometheus.CounterValue, float64(c.Dropped))
	for id, b := range s.s.Boards() {
		put(frames, prometheus.CounterValue, float64(b.Camera.Frames), id)
		put(fps, prometheus.GaugeValue, b.Camera.FPS, id)
		put(age, prometheus.GaugeValue, b.Camera.Age, id)
		put(analysis, prometheus.GaugeValue, b.Camera.AnalysisMS/1000, id)
		put(reconnects, prometheus.CounterValue, float64(max(0, b.Camera.Sessions-1)), id)
		on := 0.0
		if b.Camera.Connected {
			on = 1
		}
		put(connected, prometheus.GaugeValue, on, id)
		if b.Calibration != nil {
			put(residual, prometheus.GaugeValue, b.Calibration.Quality.RMS, id)
		}
	}
}
