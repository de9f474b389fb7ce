package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"crokcam/api/problem"
	"crokcam/api/web"
	"crokcam/board/presets"
	"crokcam/calibrate"
	"crokcam/vision/decode"
	"crokcam/vision/photo"
)

// upload is a picture and what its sender knows about it.
type upload struct {
	data    []byte
	options photo.Options
}

// scorePhoto answers POST /api/v1/photos with the picture's score.
func (s *Service) scorePhoto(c *gin.Context) error {
	u, err := s.receive(c)
	if err != nil {
		return err
	}
	r, err := do(c.Request.Context(), s.work, func(ctx context.Context) (*photo.Report, error) {
		return s.options.Scorer.Score(ctx, u.data, u.options)
	})
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, r)
	return nil
}

// annotatePhoto answers POST /api/v1/photos/annotated with the picture, the
// score drawn into it.
func (s *Service) annotatePhoto(c *gin.Context) error {
	u, err := s.receive(c)
	if err != nil {
		return err
	}
	jpeg, err := do(c.Request.Context(), s.work, func(ctx context.Context) ([]byte, error) {
		r, err := s.options.Scorer.Score(ctx, u.data, u.options)
		if err != nil {
			return nil, err
		}
		return s.options.Scorer.Annotate(u.data, r)
	})
	if err != nil {
		return err
	}
	c.Data(http.StatusOK, "image/jpeg", jpeg)
	return nil
}

// scoredExample answers GET /api/v1/example with the score of the picture that
// comes with the page.
func (s *Service) scoredExample(c *gin.Context) error {
	r, err := s.example.get(func() (*photo.Report, error) {
		// Another client may be waiting for the same result: it is not cut
		// short when this one goes away.
		return do(context.WithoutCancel(c.Request.Context()), s.work, func(ctx context.Context) (*photo.Report, error) {
			return s.options.Scorer.Score(ctx, web.Example(), photo.Options{})
		})
	})
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, r)
	return nil
}

func (s *Service) maxBytes() int64 {
	if s.options.Limits.Bytes > 0 {
		return int64(s.options.Limits.Bytes)
	}
	return decode.DefaultBytes
}

func (s *Service) tooLarge() error {
	return problem.New(http.StatusRequestEntityTooLarge, "too_many_bytes",
		fmt.Sprintf("This picture is larger than %d megabytes. Save it smaller and send it again.", s.maxBytes()/1_000_000)).
		Naming(map[string]float64{"most": float64(s.maxBytes()) / 1e6}, nil)
}

// formOverhead is room for what surrounds a picture in a form.
const formOverhead = 64 << 10

// receive reads the picture and the options. The declared type and name of the
// picture are not believed: what it is shows in its bytes.
func (s *Service) receive(c *gin.Context) (*upload, error) {
	tooLarge := s.tooLarge()
	if c.Request.ContentLength > s.maxBytes()+formOverhead {
		c.Header("Connection", "close") // the rest is not read
		return nil, tooLarge
	}
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, s.maxBytes()+formOverhead)

	fields := c.Request.URL.Query()
	data, err := s.readBody(c.Request, fields)
	if big := (*http.MaxBytesError)(nil); errors.As(err, &big) || int64(len(data)) > s.maxBytes() {
		return nil, tooLarge
	}
	if err != nil {
		return nil, err
	}
	o, err := s.readOptions(fields)
	if err != nil {
		return nil, err
	}
	return &upload{data: data, options: o}, nil
}

// readBody returns the picture and adds a form's other fields to fields.
func (s *Service) readBody(r *http.Request, fields url.Values) ([]byte, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(kind, "multipart/") {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errCutOff, err)
		}
		if len(data) == 0 {
			return nil, errNoPhoto
		}
		return data, nil
	}
	form, err := r.MultipartReader()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBadForm, err)
	}
	// Part by part and in memory: nothing of a player's picture is left on disk.
	var data []byte
	found := false
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errBadForm, err)
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errCutOff, err)
		}
		if name := part.FormName(); name == "photo" {
			if found {
				return nil, problem.New(http.StatusBadRequest, "bad_form", "The form has more than one picture. Send them one at a time.")
			}
			data, found = value, true
		} else if name != "" {
			fields.Add(name, string(value))
		}
	}
	if !found {
		return nil, errNoPhoto
	}
	return data, nil
}

// readOptions reads sides, side, twenties, board, point and ring.
func (s *Service) readOptions(fields url.Values) (photo.Options, error) {
	o := photo.Options{Board: s.options.Board, Limits: s.options.Limits}
	bad := func(format string, args ...any) error {
		return problem.New(http.StatusBadRequest, "bad_option", fmt.Sprintf(format, args...))
	}
	for name, values := range fields {
		switch name {
		case "sides":
			n, err := strconv.Atoi(values[0])
			if err != nil || n < 0 || n > 4 {
				return o, bad("sides must be a number from 0 to 4.")
			}
			o.Sides = n
		case "side":
			for _, v := range values {
				choice, err := photo.ParseChoice(v)
				if err != nil {
					return o, err
				}
				o.Choices = append(o.Choices, choice)
			}
		case "twenties":
			n, err := photo.ParseTwenties(strings.Join(values, ","))
			if err != nil {
				return o, err
			}
			o.Twenties = n
		case "board":
			// Names only: a file of the server's is no business of a client.
			if o.Board = nil; values[0] == "auto" {
				continue
			}
			spec, err := presets.ByName(values[0])
			if err != nil {
				return o, problem.New(http.StatusUnprocessableEntity, "unknown_board",
					fmt.Sprintf("There is no board %q. Known boards: auto, %s.", values[0], strings.Join(presets.Names(), ", ")))
			}
			o.Board = &spec
		case "point":
			for _, v := range values {
				p, err := calibrate.ParsePoint(v)
				if err != nil {
					return o, err
				}
				o.Hand.Points = append(o.Hand.Points, p)
			}
		case "ring":
			for _, v := range values {
				r, err := calibrate.ParseRing(v)
				if err != nil {
					return o, err
				}
				o.Hand.Rings = append(o.Hand.Rings, r)
			}
		default:
			return o, bad("There is no option %q. Known options: sides, side, twenties, board, point, ring.", name)
		}
	}
	return o, nil
}
