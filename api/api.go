// Package api is the web service: the API under /api/v1, which package contract
// describes, and the pages.
package api

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"crokcam/api/access"
	"crokcam/api/contract"
	"crokcam/api/desk"
	"crokcam/api/feed"
	"crokcam/api/hall"
	"crokcam/api/hooks"
	"crokcam/api/jobs"
	"crokcam/api/limit"
	"crokcam/api/metrics"
	"crokcam/api/web"
	"crokcam/board"
	"crokcam/live"
	"crokcam/match/store"
	"crokcam/rules/profile"
	"crokcam/vision/capture"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

// Scorer turns pictures into scores.
type Scorer interface {
	Score(ctx context.Context, data []byte, o photo.Options) (*photo.Report, error)
	Annotate(data []byte, r *photo.Report) (jpeg []byte, err error)
}

// Store keeps what the service keeps.
type Store interface {
	store.Store
	store.Papers
}

// Options is what the service needs to know.
type Options struct {
	Scorer   Scorer
	Store    Store
	Profiles profile.Set
	Log      *slog.Logger
	Version  string
	Board    *board.Spec      // of the pictures, unless a request says otherwise; nil: measured
	Boards   []hall.Board     // of the settings, which the API does not change
	Capture  capture.Options  // what boards' cameras are asked for, unless the board says otherwise
	Clock    func() time.Time // time.Now when it is nil

	BasePath       string // under which the service is reached, "" for the root
	TrustedProxies []string
	Access         access.Mode // who is let in without a token
	Token          string      // an organiser's, from the settings; "" for none
	// Sources lists the cameras of this machine; nil: there are none.
	Sources func() ([]Source, error)
	// Retention is how long matches and their pictures are kept; its Now is not used.
	Retention store.Retention
	// OpenTable opens a board's table; live.Open when it is nil.
	OpenTable    func(live.Options) (hall.Table, error)
	Feed         feed.Options
	Beat         time.Duration   // of streams, the usual when it is 0
	WebhookWaits []time.Duration // before a webhook's message is tried again; the usual when it is nil

	Limits            decode.Limits // what one picture may cost
	Parallel          int           // pictures worked on at once, on all cores but one at most while a board is watched
	QueueTimeout      time.Duration // that a picture may wait for its turn
	ScoreTimeout      time.Duration // that one picture may take
	PicturesPerMinute int           // from one address, 0 for no limit
}

// Source is a camera that a board may have.
type Source struct {
	Source string `json:"source"`
	Name   string `json:"name"`
}

// Service answers the requests. It is an http.Handler.
type Service struct {
	options  Options
	engine   *gin.Engine
	document *contract.Document
	guard    *access.Guard
	tokens   *access.Tokens
	hub      *feed.Hub
	feed     *feed.Serving
	desk     *desk.Desk
	hall     *hall.Hall
	hooks    *hooks.Hooks
	jobs     *jobs.Jobs
	metrics  *metrics.Metrics
	proxies  proxies

	work     *bench
	uploads  chan struct{} // pictures that are in memory, arriving ones among them
	pictures *limit.Clients
	example  once[*photo.Report]
	videos   atomic.Int64 // who watches boards
	stopping atomic.Bool
	stopped  context.Context // done once it stops
	stop     context.CancelFunc
	rest     sync.WaitGroup // of what goes on beside requests
	sockets  gate
}

// uploadsPerPlace is how many pictures may be in memory for each one that is
// worked on: those that wait for their turn, and those still on their way.
const uploadsPerPlace = 8

// triesPerMinute is how many wrong tokens a client may show.
const triesPerMinute = 10

// New builds the service.
func New(o Options) (*Service, error) {
	gin.SetMode(gin.ReleaseMode) // else it prints every address at every start
	o.BasePath = strings.TrimRight(o.BasePath, "/")
	s := &Service{
		options:  o,
		engine:   gin.New(),
		hub:      feed.NewHub(o.Feed),
		pictures: limit.PerMinute(o.PicturesPerMinute),
		uploads:  make(chan struct{}, uploadsPerPlace*o.Parallel),
	}
	s.work = newBench(o.Parallel, o.QueueTimeout, o.ScoreTimeout, s.watching)
	s.stopped, s.stop = context.WithCancel(context.Background())
	s.hall = hall.New(hall.Options{
		Papers: o.Store, Store: o.Store, Log: o.Log, Clock: o.Clock, Capture: o.Capture, Open: o.OpenTable, Fixed: o.Boards,
		Hear: s.heard, Changed: s.boardChanged,
	})
	s.desk = desk.New(desk.Options{Store: o.Store, Hub: s.hub, Log: o.Log, Clock: o.Clock, Table: s.table})
	s.metrics = metrics.New(metrics.Sources{Hub: s.hub, Boards: s.boards, Videos: func() int { return int(s.videos.Load()) }, Mats: decode.OpenMats})
	s.feed = &feed.Serving{Hub: s.hub, Snapshot: s.snapshot, Narrow: s.narrow, Beat: o.Beat}
	s.hooks = hooks.New(hooks.Options{Papers: o.Store, Hub: s.hub, Log: o.Log, Clock: o.Clock, Waits: o.WebhookWaits})
	s.jobs = jobs.New(o.Log, o.Clock)
	var err error
	if s.tokens, err = access.NewTokens(o.Store, o.Token, o.Clock); err != nil {
		return nil, fmt.Errorf("api: %w", err)
	}
	s.guard = &access.Guard{Tokens: s.tokens, Mode: o.Access, Tries: limit.PerMinute(triesPerMinute)}
	if s.proxies, err = readProxies(o.TrustedProxies); err != nil {
		return nil, fmt.Errorf("api: %w", err)
	}
	if err := s.engine.SetTrustedProxies(o.TrustedProxies); err != nil {
		return nil, fmt.Errorf("api: trusted proxies: %w", err)
	}
	if s.document, err = contract.Load(o.Version, o.BasePath); err != nil {
		return nil, fmt.Errorf("api: %w", err)
	}
	return s, s.route()
}

// route gives every address its handler.
func (s *Service) route() error {
	files, err := web.All()
	if err != nil {
		return fmt.Errorf("api: pages: %w", err)
	}
	e := s.engine
	e.HandleMethodNotAllowed = true
	e.RedirectTrailingSlash = false // it knows nothing of the base path
	e.Use(s.logged, s.recovered, secured, sameOrigin())
	e.NoMethod(func(c *gin.Context) { refuse(c, errMethodNotAllowed) })
	e.NoRoute(func(c *gin.Context) { refuse(c, errNotFound) })

	e.GET("/livez", func(c *gin.Context) { c.String(http.StatusOK, "ok\n") })
	e.GET("/readyz", s.ready)
	e.GET("/healthz", s.health)
	e.GET("/metrics", s.metered, gin.WrapH(s.metrics.Handler()))

	handlers := s.handlers()
	for _, o := range s.document.Operations {
		h, ok := handlers[o.ID]
		if !ok {
			return fmt.Errorf("api: nothing answers %s", o.ID)
		}
		delete(handlers, o.ID)
		path := strings.NewReplacer("{", ":", "}", "").Replace(o.Path)
		chain := []gin.HandlerFunc{s.measured(o), s.admit(o), checked(o)}
		switch o.ID {
		case "scorePhoto", "annotatePhoto":
			chain = append(chain, s.limited, s.admitted)
		case "scorePhotos":
			chain = append(chain, s.limited)
		}
		e.Handle(o.Method, path, append(chain, answering(h))...)
	}
	if len(handlers) > 0 {
		return fmt.Errorf("api: not described: %s", strings.Join(slices.Sorted(maps.Keys(handlers)), ", "))
	}

	for _, f := range files {
		e.GET(f.Path, gin.WrapF(f.Handler))
		e.HEAD(f.Path, gin.WrapF(f.Handler))
	}
	return s.overlays()
}

// handler answers a request, or says why not.
type handler func(*gin.Context) error

// handlers are what answers each operation.
func (s *Service) handlers() map[string]handler {
	all := map[string]handler{
		"openapi": s.description, "presets": s.presets, "listRules": s.listRules, "getRule": s.getRule,
		"scorePhoto": s.scorePhoto, "annotatePhoto": s.annotatePhoto, "example": s.scoredExample,

		"whoAmI": s.whoAmI, "signIn": s.signIn, "signOut": s.signOut,
		"listTokens": s.listTokens, "createToken": s.createToken, "revokeToken": s.revokeToken,

		"listMatches": s.listMatches, "startMatch": s.startMatch, "getMatch": s.getMatch, "deleteMatch": s.deleteMatch,
		"listEvents": s.listEvents, "recordEvents": s.recordEvents, "listRounds": s.listRounds,
		"listShots": s.listShots, "getShot": s.getShot, "getShotPicture": s.getShotPicture,
		"exportMatch": s.exportMatch, "importMatch": s.importMatch, "statistics": s.statistics,

		"startRound": s.startRound, "agreeRound": s.agreeRound,
		"listCorrections": s.listCorrections, "correct": s.correct,
		"listQuestions": s.listQuestions, "answerQuestion": s.answerQuestion,
		"undo": s.undo, "redo": s.redo, "takeBoard": s.takeBoard,

		"listBoards": s.listBoards, "createBoard": s.createBoard, "getBoard": s.getBoard, "editBoard": s.editBoard,
		"deleteBoard": s.deleteBoard, "getStatus": s.getStatus, "getCalibration": s.getCalibration, "calibrateBoard": s.calibrateBoard,
		"getBoardMatch": s.getBoardMatch, "attachMatch": s.attachMatch, "detachMatch": s.detachMatch,
		"pauseBoard": s.pauseBoard, "resumeBoard": s.resumeBoard, "acceptBoard": s.acceptBoard,
		"getPicture": s.getPicture, "streamBoard": s.streamBoard, "listSources": s.listSources,

		"docs": s.docs, "docsStyle": s.docsStyle,
		"listWebhooks": s.listWebhooks, "createWebhook": s.createWebhook, "getWebhook": s.getWebhook, "editWebhook": s.editWebhook,
		"deleteWebhook": s.deleteWebhook, "testWebhook": s.testWebhook, "listDeliveries": s.listDeliveries,
		"listJobs": s.listJobs, "startJob": s.startJob, "scorePhotos": s.scorePhotos, "getJob": s.getJob, "removeJob": s.removeJob,
		"getJobResult": s.getJobResult,

		"streamEvents": s.streamEvents, "socketEvents": s.socketEvents,
	}
	maps.Copy(all, s.remarks())
	return all
}

// ServeHTTP answers a request, under the base path or without it: some proxies
// take it off.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if base := s.options.BasePath; base != "" {
		if r.URL.Path == base {
			http.Redirect(w, r, base+"/", http.StatusPermanentRedirect)
			return
		}
		if strings.HasPrefix(r.URL.Path, base+"/") {
			http.StripPrefix(base, s.engine).ServeHTTP(w, r)
			return
		}
	}
	s.engine.ServeHTTP(w, r)
}

// Hall has the boards.
func (s *Service) Hall() *hall.Hall { return s.hall }

// Document is the description of the API.
func (s *Service) Document() *contract.Document { return s.document }

// Start opens the boards' cameras and whatever else goes on beside requests,
// until Close.
func (s *Service) Start(ctx context.Context) error {
	s.rest.Go(func() { s.metrics.Listen(s.stopped) })
	s.rest.Go(s.prune)
	if err := s.hooks.Start(ctx); err != nil {
		return fmt.Errorf("api: start: %w", err)
	}
	if err := s.hall.Start(ctx); err != nil {
		return fmt.Errorf("api: start: %w", err)
	}
	return nil
}

// Stopping makes the service say that it is not ready any more, so that no new
// clients are sent to it, closes the boards' cameras, and ends its streams once
// they have been told everything.
func (s *Service) Stopping() {
	if s.stopping.Swap(true) {
		return
	}
	if err := s.hall.Close(); err != nil {
		s.options.Log.Error("a board was not closed well", "error", err)
	}
	s.hub.Close()
	s.stop()
}

// Close ends what goes on beside requests. It is called after Stopping, when the
// requests under way have been answered.
func (s *Service) Close() {
	s.Stopping()
	s.sockets.close()
	s.hooks.Close()
	if err := s.jobs.Close(); err != nil {
		s.options.Log.Error("what jobs have made was not removed", "error", err)
	}
	s.rest.Wait()
}

// untilStopped is a context that ends when the service stops as well.
func (s *Service) untilStopped(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	release := context.AfterFunc(s.stopped, cancel)
	return ctx, func() { release(); cancel() }
}

func (s *Service) docs(c *gin.Context) error {
	page, err := s.document.Page()
	if err != nil {
		return err
	}
	c.Data(http.StatusOK, "text/html; charset=utf-8", page)
	return nil
}

func (s *Service) docsStyle(c *gin.Context) error {
	c.Data(http.StatusOK, "text/css; charset=utf-8", contract.Style)
	return nil
}

func (s *Service) description(c *gin.Context) error {
	c.Data(http.StatusOK, "application/json", s.document.JSON)
	return nil
}

// where is the address of something under the API, as clients reach it.
func (s *Service) where(path string) string { return s.options.BasePath + "/api/v1/" + path }
