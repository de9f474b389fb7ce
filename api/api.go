// Package api is the web service: the photo page, and the API under /api/v1.
package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"crokcam/api/web"
	"crokcam/board"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

// Scorer turns pictures into scores.
type Scorer interface {
	Score(ctx context.Context, data []byte, o photo.Options) (*photo.Report, error)
	Annotate(data []byte, r *photo.Report) (jpeg []byte, err error)
}

// Options is what the service needs to know.
type Options struct {
	Scorer  Scorer
	Log     *slog.Logger
	Version string
	Board   *board.Spec // of the pictures, unless a request says otherwise; nil: measured

	TrustedProxies    []string
	Limits            decode.Limits // what one picture may cost
	Parallel          int           // pictures worked on at once
	QueueTimeout      time.Duration // that a picture may wait for its turn
	ScoreTimeout      time.Duration // that one picture may take
	PicturesPerMinute int           // from one address, 0 for no limit
}

// Service answers the requests. It is an http.Handler.
type Service struct {
	options  Options
	engine   *gin.Engine
	work     *bench
	uploads  chan struct{} // pictures that are in memory, arriving ones among them
	rates    *rates
	example  once[*photo.Report]
	stopping atomic.Bool
}

// uploadsPerPlace is how many pictures may be in memory for each one that is
// worked on: those that wait for their turn, and those still on their way.
const uploadsPerPlace = 8

// New builds the service.
func New(o Options) (*Service, error) {
	gin.SetMode(gin.ReleaseMode) // else it prints every address at every start
	s := &Service{
		options: o,
		engine:  gin.New(),
		work:    newBench(o.Parallel, o.QueueTimeout, o.ScoreTimeout),
		rates:   newRates(o.PicturesPerMinute),
		uploads: make(chan struct{}, uploadsPerPlace*o.Parallel),
	}
	if err := s.engine.SetTrustedProxies(o.TrustedProxies); err != nil {
		return nil, fmt.Errorf("trusted proxies: %w", err)
	}
	files, err := web.Handler()
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	document, err := openAPI(o.Version)
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}

	e := s.engine
	e.HandleMethodNotAllowed = true
	e.Use(s.logged, s.recovered, secured, sameOrigin())
	e.NoMethod(func(c *gin.Context) { refuse(c, errMethodNotAllowed) })
	e.NoRoute(func(c *gin.Context) { refuse(c, errNotFound) })

	e.GET("/livez", func(c *gin.Context) { c.String(http.StatusOK, "ok\n") })
	e.GET("/readyz", s.ready)
	e.GET("/healthz", s.health)

	v1 := e.Group("/api/v1", func(c *gin.Context) { c.Header("Cache-Control", "no-store") })
	v1.GET("/openapi.json", func(c *gin.Context) { c.Data(http.StatusOK, "application/json", document) })
	v1.GET("/boards", s.boards)
	v1.GET("/example", s.scoredExample)
	v1.POST("/photos", s.limited, s.admitted, s.scorePhoto)
	v1.POST("/photos/annotated", s.limited, s.admitted, s.annotatePhoto)

	for _, path := range web.Paths() {
		e.GET(path, gin.WrapH(files))
		e.HEAD(path, gin.WrapH(files))
	}
	return s, nil
}

func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.engine.ServeHTTP(w, r) }

// Routes lists what the service answers to, as "GET /path".
func (s *Service) Routes() []string {
	var out []string
	for _, r := range s.engine.Routes() {
		out = append(out, r.Method+" "+r.Path)
	}
	return out
}

// Stopping makes the service say that it is not ready any more, so that no
// new clients are sent to it.
func (s *Service) Stopping() { s.stopping.Store(true) }

func (s *Service) ready(c *gin.Context) {
	if s.stopping.Load() {
		c.String(http.StatusServiceUnavailable, "stopping\n")
		return
	}
	c.String(http.StatusOK, "ok\n")
}

// healthReport is the answer of /healthz.
type healthReport struct {
	Status   string `json:"status"` // ok or stopping
	Version  string `json:"version"`
	Pictures struct {
		Parallel int `json:"parallel"` // that may be worked on at once
		Busy     int `json:"busy"`     // that are being worked on
	} `json:"pictures"`
}

func (s *Service) health(c *gin.Context) {
	h := healthReport{Status: "ok", Version: s.options.Version}
	if s.stopping.Load() {
		h.Status = "stopping"
	}
	h.Pictures.Parallel = s.options.Parallel
	h.Pictures.Busy = s.work.busy()
	c.JSON(http.StatusOK, h)
}
