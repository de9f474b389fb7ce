package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"crokcam/api/hooks"
)

// webhookSettings is what can be said of a webhook; nil leaves it as it is.
type webhookSettings struct {
	Name   *string   `json:"name"`
	URL    *string   `json:"url"`
	Types  *[]string `json:"types"`
	Boards *[]string `json:"boards"`
	Active *bool     `json:"active"`
}

func (x *webhookSettings) apply(h *hooks.Hook) {
	set(&h.Name, x.Name)
	set(&h.URL, x.URL)
	set(&h.Types, x.Types)
	set(&h.Boards, x.Boards)
	set(&h.Active, x.Active)
}

func (s *Service) listWebhooks(c *gin.Context) error {
	list, err := s.hooks.List(c.Request.Context())
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, gin.H{"webhooks": list})
	return nil
}

func (s *Service) createWebhook(c *gin.Context) error {
	x, err := bodyOf[webhookSettings](c)
	if err != nil {
		return err
	}
	var h hooks.Hook
	x.apply(&h)
	h, secret, err := s.hooks.Create(c.Request.Context(), h)
	if err != nil {
		return err
	}
	c.Header("Location", s.where("webhooks/"+h.ID))
	c.Header("ETag", etag(h.Version))
	c.JSON(http.StatusCreated, struct {
		hooks.Hook
		Secret string `json:"secret"`
	}{h, secret})
	return nil
}

func (s *Service) getWebhook(c *gin.Context) error {
	h, err := s.hooks.Get(c.Request.Context(), c.Param("webhook"))
	return webhook(c, h, err)
}

func (s *Service) editWebhook(c *gin.Context) error {
	x, err := bodyOf[webhookSettings](c)
	if err != nil {
		return err
	}
	h, err := s.hooks.Edit(c.Request.Context(), c.Param("webhook"), expected(c), x.apply)
	return webhook(c, h, err)
}

func webhook(c *gin.Context, h hooks.Hook, err error) error {
	if err != nil {
		return changed(c, err)
	}
	c.Header("ETag", etag(h.Version))
	c.JSON(http.StatusOK, h)
	return nil
}

func (s *Service) deleteWebhook(c *gin.Context) error {
	if err := s.hooks.Delete(c.Request.Context(), c.Param("webhook")); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

func (s *Service) testWebhook(c *gin.Context) error {
	d, err := s.hooks.Test(c.Request.Context(), c.Param("webhook"))
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, d)
	return nil
}

func (s *Service) listDeliveries(c *gin.Context) error {
	list, err := s.hooks.Deliveries(c.Request.Context(), c.Param("webhook"))
	if err != nil {
		return err
	}
	if list == nil {
		list = []hooks.Delivery{}
	}
	c.JSON(http.StatusOK, gin.H{"deliveries": list})
	return nil
}
