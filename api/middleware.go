package api

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/gin-gonic/gin"
)

// logged writes one line a request, without query or body: pictures and what
// is said about them are the players' own.
func (s *Service) logged(c *gin.Context) {
	start := time.Now()
	c.Next()
	level := slog.LevelInfo
	switch {
	case c.Writer.Status() >= http.StatusInternalServerError:
		level = slog.LevelError
	case c.Request.Method == http.MethodGet && c.Writer.Status() < http.StatusBadRequest:
		level = slog.LevelDebug // pages and health checks
	}
	attrs := []slog.Attr{
		slog.String("method", c.Request.Method),
		slog.String("path", c.Request.URL.Path),
		slog.Int("status", c.Writer.Status()),
		slog.Duration("took", time.Since(start).Round(time.Millisecond)),
		slog.String("client", c.ClientIP()),
	}
	if len(c.Errors) > 0 {
		attrs = append(attrs, slog.String("error", c.Errors.String()))
	}
	s.options.Log.LogAttrs(c.Request.Context(), level, "request", attrs...)
}

// recovered turns a panic into a plain 500.
func (s *Service) recovered(c *gin.Context) {
	defer func() {
		if r := recover(); r != nil {
			refuse(c, fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
		}
	}()
	c.Next()
}

// contentPolicy allows the page its own files and the pictures it makes, and
// nothing from anywhere else.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func secured(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// sameOrigin keeps other websites from sending pictures through a visitor's
// browser. Programs without a browser are not concerned.
func sameOrigin() gin.HandlerFunc {
	guard := http.NewCrossOriginProtection()
	return func(c *gin.Context) {
		if guard.Check(c.Request) != nil {
			refuse(c, errCrossOrigin)
		}
	}
}
