package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"crokcam/api/access"
	"crokcam/api/contract"
	"crokcam/api/problem"
	"crokcam/match"
	"crokcam/match/store"
)

// What a request has been found to have, in gin's context.
const (
	keyWho  = "who"
	keyBody = "body"
)

// admit refuses whoever may not have what they ask for.
func (s *Service) admit(o *contract.Operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Header("Cache-Control", "no-store")
		who, err := s.guard.Admit(c.Request, c.ClientIP(), o.Access)
		if err != nil {
			if p := (problem.Problem{}); errors.As(err, &p) && p.Status == http.StatusUnauthorized {
				c.Header("WWW-Authenticate", `Bearer realm="crokcam"`)
			}
			refuse(c, err)
			return
		}
		c.Set(keyWho, who)
	}
}

// checked refuses what does not keep to the description.
func checked(o *contract.Operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		body, err := o.Request(c.Writer, c.Request, c.Param)
		if err != nil {
			refuse(c, err)
			return
		}
		c.Set(keyBody, body)
	}
}

// answering carries a handler out.
func answering(h handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := h(c); err != nil {
			refuse(c, err)
		}
	}
}

func whoOf(c *gin.Context) access.Who { return c.MustGet(keyWho).(access.Who) }

// bodyOf reads the request's JSON, the zero value when there is none.
func bodyOf[T any](c *gin.Context) (T, error) {
	var v T
	data, _ := c.Get(keyBody)
	if raw, _ := data.([]byte); len(raw) > 0 {
		if err := json.Unmarshal(raw, &v); err != nil {
			return v, badBody(err)
		}
	}
	return v, nil
}

// badBody is for what the description allows and the types do not: a number that
// fits in none, a word that is no choice.
func badBody(err error) error {
	f := problem.Fault{Detail: err.Error()}
	if at := (*json.UnmarshalTypeError)(nil); errors.As(err, &at) {
		f = problem.Fault{Pointer: "#/" + strings.ReplaceAll(at.Field, ".", "/"), Detail: "a " + at.Value + " cannot stand here"}
	}
	return problem.New(http.StatusUnprocessableEntity, "bad_body", "The request's body says something that cannot be.").With(f)
}

// number is a parameter that has been checked to be one, or another without it.
func number(c *gin.Context, name string, otherwise int) int {
	if n, err := strconv.Atoi(c.Query(name)); err == nil {
		return n
	}
	return otherwise
}

// flag is a parameter that has been checked to be true or false.
func flag(c *gin.Context, name string) bool {
	v, given := c.GetQuery(name)
	return given && v != "0" && v != "false"
}

// list is a parameter that may be given several times or with commas.
func list(c *gin.Context, name string) []string {
	var out []string
	for _, v := range c.QueryArray(name) {
		for part := range strings.SplitSeq(v, ",") {
			if part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}

// actor is who says what is recorded.
func actor(c *gin.Context, name string) match.Actor {
	who := whoOf(c)
	if name == "" {
		name = who.Name
	}
	if who.Role == contract.Machine {
		return match.Actor{Role: match.System, Name: name}
	}
	return match.Actor{Role: match.Scorer, Name: name}
}

// idempotency is the key under which a request is recorded, of its sender's own.
func idempotency(c *gin.Context) string {
	if k := c.GetHeader("Idempotency-Key"); k != "" {
		return whoOf(c).ID + "/" + k
	}
	return ""
}

// etag is a version as a header has it.
func etag(version int) string { return `"` + strconv.Itoa(version) + `"` }

// expected is the version that If-Match names, 0 for none. What is no version of
// ours matches nothing.
func expected(c *gin.Context) int {
	v := c.GetHeader("If-Match")
	if v == "" || v == "*" {
		return 0
	}
	n, err := strconv.Atoi(strings.Trim(strings.TrimPrefix(v, "W/"), `"`))
	if err != nil || n <= 0 {
		return -1
	}
	return n
}

// changed says that a change was decided on what is no longer so.
func changed(c *gin.Context, err error) error {
	var conflict *store.ConflictError
	if errors.As(err, &conflict) && c.GetHeader("If-Match") != "" {
		return errChangedSince
	}
	return err
}
