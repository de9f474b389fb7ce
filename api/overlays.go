package api

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/gin-gonic/gin"

	"crokcam/api/web"
)

// overlays gives the overlays their addresses. Their page is public, as it shows
// nothing by itself: what it asks for afterwards takes a link's token.
func (s *Service) overlays() error {
	o, err := web.NewOverlay(s.options.Version)
	if err != nil {
		return err
	}
	page := func(c *gin.Context) {
		status := http.StatusOK
		if !slices.Contains(web.OverlayKinds(), c.Param("kind")) {
			status = http.StatusNotFound // the page itself says why, to those who ask it to
		}
		c.Header("Content-Security-Policy", o.Policy)
		c.Header("Cache-Control", "no-store")
		c.Data(status, "text/html; charset=utf-8", o.Page)
	}
	s.engine.GET("/overlay/:board/:kind", page)
	s.engine.HEAD("/overlay/:board/:kind", page)
	s.engine.GET("/overlay/:board/:kind/wait.html", s.overlayWaiting)
	s.engine.GET("/overlay/build", func(c *gin.Context) {
		// A page on the streamer's disk asks for it, and it tells nothing about anybody.
		c.Header("Access-Control-Allow-Origin", "*")
		c.Header("Cross-Origin-Resource-Policy", "cross-origin")
		c.Header("Cache-Control", "no-store")
		c.JSON(http.StatusOK, gin.H{"build": o.Build})
	})
	return nil
}

// overlayWaiting gives the page that waits for an overlay, to be kept on the
// streamer's disk.
func (s *Service) overlayWaiting(c *gin.Context) {
	board, kind := c.Param("board"), c.Param("kind")
	if !slices.Contains(web.OverlayKinds(), kind) {
		refuse(c, errNotFound)
		return
	}
	server := url.URL{Scheme: "http", Host: c.Request.Host, Path: s.options.BasePath}
	if s.secure(c) {
		server.Scheme = "https"
	}
	overlay := server.JoinPath("overlay", board, kind)
	overlay.RawQuery = c.Request.URL.RawQuery
	page, err := web.WaitingFor(server.String(), overlay.String())
	if err != nil {
		refuse(c, err)
		return
	}
	c.Header("Content-Disposition", `attachment; filename="crokcam-`+kind+`.html"`)
	c.Header("Cache-Control", "no-store")
	c.Data(http.StatusOK, "text/html; charset=utf-8", page)
}
