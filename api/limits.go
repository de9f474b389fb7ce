package api

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"crokcam/api/problem"
)

var errTooManyPictures = problem.New(http.StatusTooManyRequests, "too_many_pictures", "Too many pictures from this device. Please wait a moment.")

// limited lets a request through unless its client has sent too many pictures.
func (s *Service) limited(c *gin.Context) {
	if wait, ok := s.pictures.Take(c.ClientIP(), time.Now()); !ok {
		refuse(c, errTooManyPictures.After(wait))
	}
}

// admitted lets a request in while there is memory for its picture.
func (s *Service) admitted(c *gin.Context) {
	select {
	case s.uploads <- struct{}{}:
		defer func() { <-s.uploads }()
		c.Next()
	default:
		refuse(c, errBusy)
	}
}
