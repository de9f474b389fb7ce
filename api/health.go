package api

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"crokcam/api/contract"
)

func (s *Service) ready(c *gin.Context) {
	if s.stopping.Load() {
		c.String(http.StatusServiceUnavailable, "stopping\n")
		return
	}
	c.String(http.StatusOK, "ok\n")
}

// healthReport is the answer of /healthz.
type healthReport struct {
	Status   string `json:"status"` // ok, degraded or stopping
	Version  string `json:"version"`
	Pictures struct {
		Parallel int `json:"parallel"` // that may be worked on at once
		Busy     int `json:"busy"`     // that are being worked on
	} `json:"pictures"`
	Boards []boardHealth `json:"boards"` // whose camera is to run
}

// boardHealth is how a board fares. Nothing here is for some eyes only.
type boardHealth struct {
	ID     string  `json:"id"`
	Camera string  `json:"camera"` // ok or lost
	Age    float64 `json:"frame_age_s"`
	Code   string  `json:"code,omitempty"`    // why it is lost
	Store  string  `json:"storage,omitempty"` // failing
}

func (s *Service) health(c *gin.Context) {
	h := healthReport{Status: "ok", Version: s.options.Version}
	h.Boards = []boardHealth{}
	for id, b := range s.boards() {
		x := boardHealth{ID: id, Camera: "ok", Age: b.Camera.Age}
		if !b.Camera.Connected {
			// The service itself goes on: to start it again would help nobody.
			x.Camera, x.Code, h.Status = "lost", b.Camera.Code, "degraded"
		}
		if b.Failure != "" {
			x.Store, h.Status = "failing", "degraded"
		}
		h.Boards = append(h.Boards, x)
	}
	slices.SortFunc(h.Boards, func(a, b boardHealth) int { return strings.Compare(a.ID, b.ID) })
	if s.stopping.Load() {
		h.Status = "stopping"
	}
	h.Pictures.Parallel = s.options.Parallel
	h.Pictures.Busy = s.work.busy()
	c.JSON(http.StatusOK, h)
}

// metered lets those see the figures who may look on.
func (s *Service) metered(c *gin.Context) {
	if _, err := s.guard.Admit(c.Request, c.ClientIP(), contract.Read); err != nil {
		refuse(c, err)
	}
}

// measured counts a request.
func (s *Service) measured(o *contract.Operation) gin.HandlerFunc {
	endless := o.ID == "streamEvents" || o.ID == "socketEvents" || o.ID == "streamBoard"
	return func(c *gin.Context) {
		began := time.Now()
		c.Next()
		took := time.Since(began)
		if endless {
			took = 0
		}
		s.metrics.Answered(o.ID, c.Writer.Status(), took)
	}
}
