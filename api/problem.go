package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"crokcam/calibrate"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

// Problem is an error answer after RFC 9457. Programs go by Code, people read
// Detail.
type Problem struct { //nolint:errname // the RFC's own word
	Type       string        `json:"type"`
	Title      string        `json:"title"`
	Status     int           `json:"status"`
	Code       string        `json:"code"`
	Detail     string        `json:"detail"`
	retryAfter time.Duration // told in the header
}

func (p Problem) Error() string { return p.Code + ": " + p.Detail }

func problem(status int, code, detail string) Problem {
	return Problem{Type: "urn:crokcam:problem:" + code, Title: http.StatusText(status), Status: status, Code: code, Detail: detail}
}

var (
	errNotFound         = problem(http.StatusNotFound, "not_found", "There is nothing at this address.")
	errMethodNotAllowed = problem(http.StatusMethodNotAllowed, "method_not_allowed", "This address does not take requests of that kind.")
	errCrossOrigin      = problem(http.StatusForbidden, "cross_origin", "Another website's page may not send pictures here.")
	errNoPhoto          = problem(http.StatusBadRequest, "photo_missing", "The request has no picture. Send it as the body, or as the form field \"photo\".")
	errBadForm          = problem(http.StatusBadRequest, "bad_form", "The form could not be read. Send the picture as the form field \"photo\".")
	errCutOff           = problem(http.StatusBadRequest, "cut_off", "The picture did not arrive whole. Please send it again.")
	errFailed           = problem(http.StatusInternalServerError, "failed", "Something went wrong on our side. The picture was not scored.")
	errBusy             = Problem{
		Type: "urn:crokcam:problem:busy", Title: http.StatusText(http.StatusServiceUnavailable), Status: http.StatusServiceUnavailable, Code: "busy",
		Detail: "Too many pictures at this moment. Please try again shortly.", retryAfter: 5 * time.Second,
	}
	errTooSlow = Problem{
		Type: "urn:crokcam:problem:too_slow", Title: http.StatusText(http.StatusServiceUnavailable), Status: http.StatusServiceUnavailable, Code: "too_slow",
		Detail: "Scoring took too long. Please try again, perhaps with a smaller picture.", retryAfter: 30 * time.Second,
	}
)

// pictureStatus is the HTTP status for each reason why a picture cannot be read.
var pictureStatus = map[string]int{
	"empty_file":         http.StatusBadRequest,
	"not_a_picture":      http.StatusUnsupportedMediaType,
	"unsupported_format": http.StatusUnsupportedMediaType,
	"truncated":          http.StatusUnprocessableEntity,
	"too_many_bytes":     http.StatusRequestEntityTooLarge,
	"too_many_pixels":    http.StatusRequestEntityTooLarge,
	"decode_failed":      http.StatusUnprocessableEntity,
}

// problemOf finds the answer that an error calls for. What is unforeseen is
// "failed" and none of the client's business.
func problemOf(err error) Problem {
	var known Problem
	var unreadable *decode.Error
	var option *photo.OptionError
	var manual *calibrate.ManualError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &unreadable):
		status, ok := pictureStatus[unreadable.Code]
		if !ok {
			status = http.StatusUnprocessableEntity
		}
		return problem(status, unreadable.Code, unreadable.Message)
	case errors.As(err, &option):
		return problem(http.StatusUnprocessableEntity, option.Code, option.Message)
	case errors.As(err, &manual):
		return problem(http.StatusUnprocessableEntity, manual.Code, manual.Message)
	case errors.Is(err, photo.ErrNoBoard):
		return problem(http.StatusUnprocessableEntity, "board_not_found",
			"No crokinole board was found in this picture. Hold the phone so that the whole board is in view, and avoid strong glare.")
	case errors.Is(err, context.DeadlineExceeded):
		return errTooSlow
	}
	return errFailed
}

// refuse answers with a problem and ends the request.
func refuse(c *gin.Context, err error) {
	p := problemOf(err)
	if p.Status >= http.StatusInternalServerError {
		_ = c.Error(err) // for the log
	}
	if p.retryAfter > 0 {
		c.Header("Retry-After", strconv.Itoa(max(1, int(p.retryAfter.Round(time.Second)/time.Second))))
	}
	c.Abort()
	c.Header("Cache-Control", "no-store")
	// gin keeps a content type that is set before it writes the JSON.
	c.Header("Content-Type", "application/problem+json")
	c.JSON(p.Status, p)
}
