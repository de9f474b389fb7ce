package api

import (
	"net/http"

	"github.com/gin-gonic/gin"
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
