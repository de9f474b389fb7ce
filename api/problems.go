package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"crokcam/api/access"
	"crokcam/api/hall"
	"crokcam/api/hooks"
	"crokcam/api/jobs"
	"crokcam/api/problem"
	"crokcam/calibrate"
	"crokcam/live"
	"crokcam/match"
	"crokcam/match/store"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

var (
	errNotFound         = problem.New(http.StatusNotFound, "not_found", "There is nothing at this address.")
	errMethodNotAllowed = problem.New(http.StatusMethodNotAllowed, "method_not_allowed", "This address does not take requests of that kind.")
	errCrossOrigin      = problem.New(http.StatusForbidden, "cross_origin", "Another website's page may not send requests here.")
	errNoPhoto          = problem.New(http.StatusBadRequest, "photo_missing", "The request has no picture. Send it as the body, or as the form field \"photo\".")
	errBadForm          = problem.New(http.StatusBadRequest, "bad_form", "The form could not be read. Send the picture as the form field \"photo\".")
	errCutOff           = problem.New(http.StatusBadRequest, "cut_off", "The picture did not arrive whole. Please send it again.")
	errFailed           = problem.New(http.StatusInternalServerError, "failed", "Something went wrong on our side. Nothing was done.")
	errStorage          = problem.New(http.StatusServiceUnavailable, "storage", "Nothing can be kept at the moment. What was acknowledged before is safe.").After(10 * time.Second)
	errTooMuch          = problem.New(http.StatusRequestEntityTooLarge, "too_many_bytes", "These are too many pictures for one request: at most 200, and a gigabyte in all.")
	errBusy             = problem.New(http.StatusServiceUnavailable, "busy", "Too many pictures at this moment. Please try again shortly.").After(5 * time.Second)
	errTooSlow          = problem.New(http.StatusServiceUnavailable, "too_slow", "Scoring took too long. Please try again, perhaps with a smaller picture.").After(30 * time.Second)
	errStopping         = problem.New(http.StatusServiceUnavailable, "busy", "The service is about to stop.").After(5 * time.Second)
	errChangedSince     = problem.New(http.StatusPreconditionFailed, "changed_meanwhile", "Somebody else has changed this meanwhile. Look at it again, then decide.")
	errConflict         = problem.New(http.StatusConflict, "changed_meanwhile", "Somebody else is changing this at the same moment. Please try again.")
	errKeyReused        = problem.New(http.StatusUnprocessableEntity, "key_reused", "This Idempotency-Key was used for another request.")
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

// refusals are the answers to the reasons for which a match refuses an event.
var refusals = []struct {
	reason error
	status int
	code   string
}{
	{match.ErrOpen, http.StatusConflict, "still_open"},
	{match.ErrPhase, http.StatusConflict, "not_now"},
	{match.ErrTurn, http.StatusConflict, "not_their_turn"},
	{match.ErrMismatch, http.StatusConflict, "board_differs"},
	{match.ErrDiscs, http.StatusConflict, "does_not_add_up"},
	{match.ErrNothing, http.StatusConflict, "nothing_to_undo"},
	{match.ErrOrder, http.StatusConflict, "not_now"},
	{match.ErrTarget, http.StatusUnprocessableEntity, "no_such_target"},
	{match.ErrUnknown, http.StatusUnprocessableEntity, "unknown_event"},
	{match.ErrInvalid, http.StatusUnprocessableEntity, "impossible"},
}

// problemOf finds the answer that an error calls for. What is unforeseen is
// "failed" and none of the client's business.
func problemOf(err error) problem.Problem {
	var known problem.Problem
	var unreadable *decode.Error
	var option *photo.OptionError
	var manual *calibrate.ManualError
	var refused *match.RefusedError
	var conflict *store.ConflictError
	var storage *store.StorageError
	var wrong *hall.WrongError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &unreadable):
		status, ok := pictureStatus[unreadable.Code]
		if !ok {
			status = http.StatusUnprocessableEntity
		}
		return problem.New(status, unreadable.Code, unreadable.Message).Naming(unreadable.Values, nil)
	case errors.As(err, &option):
		return problem.New(http.StatusUnprocessableEntity, option.Code, option.Message).Naming(option.Values, option.Names)
	case errors.As(err, &manual):
		return problem.New(http.StatusUnprocessableEntity, manual.Code, manual.Message).Naming(manual.Values, manual.Names)
	case errors.Is(err, photo.ErrNoBoard):
		return problem.New(http.StatusUnprocessableEntity, "board_not_found",
			"No crokinole board was found in this picture. Hold the phone so that the whole board is in view, and avoid strong glare.")
	case errors.As(err, &refused):
		return refusedMatch(refused)
	case errors.As(err, &wrong):
		return problem.New(http.StatusUnprocessableEntity, "bad_body", "The request's body says something that cannot be.").
			With(problem.Fault{Pointer: "#/" + wrong.Property, Detail: wrong.Why})
	case errors.As(err, &conflict):
		return errConflict
	case errors.As(err, &storage):
		return errStorage
	case errors.Is(err, context.DeadlineExceeded):
		return errTooSlow
	case errors.Is(err, context.Canceled):
		return errBusy // nobody is there to read it
	}
	return plainProblem(err)
}

// plainProblem answers the errors that are single values.
func plainProblem(err error) problem.Problem {
	switch {
	case errors.Is(err, store.ErrNotFound), errors.Is(err, access.ErrUnknown), errors.Is(err, hall.ErrUnknown):
		return errNotFound
	case errors.Is(err, hooks.ErrUnknown), errors.Is(err, jobs.ErrUnknown):
		return errNotFound
	case errors.Is(err, hooks.ErrURL):
		return problem.New(http.StatusUnprocessableEntity, "bad_body", "The request's body says something that cannot be.").
			With(problem.Fault{Pointer: "#/url", Detail: "http://… or https://…, without a name and password"})
	case errors.Is(err, jobs.ErrFull):
		return problem.New(http.StatusServiceUnavailable, "busy", "Too many jobs are waiting. Please try again later.").After(30 * time.Second)
	case errors.Is(err, jobs.ErrNoFile):
		return problem.New(http.StatusConflict, "not_now", "The job has no result, or not yet.")
	case errors.Is(err, hall.ErrExists):
		return problem.New(http.StatusConflict, "exists", "There is a board of that id already.")
	case errors.Is(err, hall.ErrFixed):
		return problem.New(http.StatusConflict, "in_settings", "This board stands in the service's settings. Change it there.")
	case errors.Is(err, hall.ErrInUse):
		return problem.New(http.StatusConflict, "in_use", "The match is on a board. Take it off there first.")
	case errors.Is(err, hall.ErrNotRunning), errors.Is(err, live.ErrClosed):
		return problem.New(http.StatusConflict, "not_running", "The board's camera is off. An organiser can switch it on.")
	case errors.Is(err, live.ErrMatchOn):
		return problem.New(http.StatusConflict, "in_use", "There is a match on this board. End it or take it off first.")
	case errors.Is(err, live.ErrNoMatch):
		return problem.New(http.StatusConflict, "no_match", "There is no match on this board.")
	case errors.Is(err, live.ErrNotCalibrated):
		return problem.New(http.StatusConflict, "no_calibration", "The board has not been found in the picture yet.")
	case errors.Is(err, live.ErrNoPicture):
		return problem.New(http.StatusConflict, "no_picture", "The camera has given no picture yet.")
	case errors.Is(err, store.ErrAmbiguous):
		return problem.New(http.StatusConflict, "ambiguous", "Several matches begin so. Use the match's code.")
	case errors.Is(err, store.ErrCursor):
		return problem.New(http.StatusBadRequest, "bad_cursor", "This is no cursor of this list.")
	case errors.Is(err, store.ErrExists):
		return problem.New(http.StatusConflict, "exists", "There is such a match already.")
	case errors.Is(err, store.ErrKeyReused):
		return errKeyReused
	case errors.Is(err, match.ErrUnknown):
		return problem.New(http.StatusUnprocessableEntity, "unknown_event", "A newer program has written this. Update crokcam to read it.")
	case errors.Is(err, match.ErrInvalid), errors.Is(err, store.ErrPicture):
		return problem.New(http.StatusUnprocessableEntity, "impossible", "This cannot be read: "+err.Error()+".")
	}
	return errFailed
}

// refusedMatch says why a match refuses an event, and what to do about it.
func refusedMatch(r *match.RefusedError) problem.Problem {
	detail := sentence(r.Reason.Error())
	if r.Detail != "" {
		detail += " " + sentence(r.Detail)
	}
	if r.Advice != "" {
		detail += " " + sentence(r.Advice)
	}
	for _, x := range refusals {
		if errors.Is(r, x.reason) {
			return problem.New(x.status, x.code, detail)
		}
	}
	return problem.New(http.StatusUnprocessableEntity, "against_rules", detail)
}

// sentence makes words a sentence.
func sentence(words string) string {
	if words == "" {
		return ""
	}
	first := words[0]
	if first >= 'a' && first <= 'z' {
		words = string(first-'a'+'A') + words[1:]
	}
	return words + "."
}

// refuse answers with a problem and ends the request.
func refuse(c *gin.Context, err error) {
	p := problemOf(err)
	if p.Status >= http.StatusInternalServerError {
		_ = c.Error(err) // for the log
	}
	c.Abort()
	p.Write(c.Writer)
}
