// Package problem is error answers after RFC 9457.
package problem

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// Problem is an error answer. Programs go by Code, people read Detail.
type Problem struct { //nolint:errname // the RFC's own word
	Type   string  `json:"type"`
	Title  string  `json:"title"`
	Status int     `json:"status"`
	Code   string  `json:"code"`
	Detail string  `json:"detail"`
	Errors []Fault `json:"errors,omitempty"`

	Values map[string]float64 `json:"values,omitempty"` // figures in Detail, by what they are
	Names  map[string]string  `json:"names,omitempty"`  // what else Detail names: a side, a board, a place

	RetryAfter time.Duration `json:"-"` // told in the header
}

// Fault is one of several things that are wrong with a request.
type Fault struct {
	Pointer   string `json:"pointer,omitempty"`   // into the body, "#/players/0/name"
	Parameter string `json:"parameter,omitempty"` // name of one in the address or of a header
	Detail    string `json:"detail"`
}

func (p Problem) Error() string { return p.Code + ": " + p.Detail }

// New makes a problem. The code is stable, the detail a sentence for people.
func New(status int, code, detail string) Problem {
	return Problem{Type: "urn:crokcam:problem:" + code, Title: http.StatusText(status), Status: status, Code: code, Detail: detail}
}

// After says when the request may be sent again.
func (p Problem) After(wait time.Duration) Problem {
	p.RetryAfter = wait
	return p
}

// With names what is wrong in detail.
func (p Problem) With(faults ...Fault) Problem {
	p.Errors = faults
	return p
}

// Naming gives the figures and names in the detail, for whoever says it in another
// language.
func (p Problem) Naming(values map[string]float64, names map[string]string) Problem {
	p.Values, p.Names = values, names
	return p
}

// Write answers a request with the problem.
func (p Problem) Write(w http.ResponseWriter) {
	h := w.Header()
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(max(1, int(p.RetryAfter.Round(time.Second)/time.Second))))
	}
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "application/problem+json")
	h.Del("ETag")
	h.Del("Location")
	body, err := json.Marshal(p)
	if err != nil {
		panic(err) // strings and a number
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(body, '\n')) // the client may have gone
}
