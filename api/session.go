package api

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"crokcam/api/access"
	"crokcam/api/contract"
	"crokcam/api/problem"
)

var errNoBrowser = problem.New(http.StatusUnprocessableEntity, "not_for_browsers",
	"This token is a link's or a machine's. Sign in with one of a viewer, scorer or organiser.")

// session is who somebody is taken to be.
type session struct {
	Role  contract.Role `json:"role"`
	Name  string        `json:"name"`
	Board string        `json:"board,omitempty"`
	Open  bool          `json:"open"`
}

func (s *Service) whoAmI(c *gin.Context) error {
	who := whoOf(c)
	c.JSON(http.StatusOK, session{who.Role, who.Name, who.Board, who.Free})
	return nil
}

func (s *Service) signIn(c *gin.Context) error {
	b, err := bodyOf[struct {
		Token string `json:"token"`
	}](c)
	if err != nil {
		return err
	}
	t, err := s.guard.Try(c.Request.Context(), b.Token, c.ClientIP())
	if err != nil {
		return err
	}
	if t.Role == contract.Link || t.Role == contract.Machine {
		return errNoBrowser
	}
	s.setCookie(c, b.Token, s.cookieAge(t))
	c.JSON(http.StatusOK, session{t.Role, t.Name, t.Board, false})
	return nil
}

func (s *Service) signOut(c *gin.Context) error {
	s.setCookie(c, "", -1)
	c.Status(http.StatusNoContent)
	return nil
}

// longestCookie is how long a browser keeps its token at most.
const longestCookie = 90 * 24 * time.Hour

// cookieAge is how long a browser is to keep a token, s.
func (s *Service) cookieAge(t access.Token) int {
	age := longestCookie
	if !t.Expires.IsZero() {
		age = min(age, t.Expires.Sub(s.now()))
	}
	return max(1, int(age.Seconds()))
}

func (s *Service) setCookie(c *gin.Context, value string, age int) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: access.Cookie, Value: value, Path: s.options.BasePath + "/", MaxAge: age,
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: s.secure(c),
	})
}

// secure tells whether the client reaches the service by https.
func (s *Service) secure(c *gin.Context) bool {
	if c.Request.TLS != nil {
		return true
	}
	return s.proxies.trusts(c.RemoteIP()) && c.GetHeader("X-Forwarded-Proto") == "https"
}

func (s *Service) now() time.Time {
	if s.options.Clock != nil {
		return s.options.Clock()
	}
	return time.Now()
}

func (s *Service) listTokens(c *gin.Context) error {
	tokens, err := s.tokens.List(c.Request.Context())
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, gin.H{"tokens": tokens})
	return nil
}

func (s *Service) createToken(c *gin.Context) error {
	b, err := bodyOf[struct {
		Name  string        `json:"name"`
		Role  contract.Role `json:"role"`
		Board string        `json:"board"`
		Days  int           `json:"days"`
	}](c)
	if err != nil {
		return err
	}
	if b.Board != "" && b.Role != contract.Link {
		return problem.New(http.StatusUnprocessableEntity, "bad_body", "The request's body says something that cannot be.").
			With(problem.Fault{Pointer: "#/board", Detail: "only a link can be for one board alone"})
	}
	var expires time.Time
	if b.Days > 0 {
		expires = s.now().Add(time.Duration(b.Days) * 24 * time.Hour)
	}
	secret, t, err := s.tokens.Create(c.Request.Context(), b.Name, b.Role, b.Board, expires)
	if err != nil {
		return err
	}
	c.JSON(http.StatusCreated, struct {
		access.Token
		Secret string `json:"token"`
	}{t, secret})
	return nil
}

func (s *Service) revokeToken(c *gin.Context) error {
	if err := s.tokens.Revoke(c.Request.Context(), c.Param("token")); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}
