package api

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gin-gonic/gin"

	"crokcam/api/contract"
	"crokcam/api/jobs"
	"crokcam/api/problem"
	"crokcam/match/store"
	"crokcam/vision/photo"
)

// mine tells whether somebody may see a job.
func mine(c *gin.Context, j jobs.Job) bool {
	who := whoOf(c)
	return who.Role == contract.Organiser || who.ID != "" && who.ID == j.Owner
}

func (s *Service) listJobs(c *gin.Context) error {
	out := []jobs.Job{}
	for _, j := range s.jobs.List() {
		if mine(c, j) {
			out = append(out, j)
		}
	}
	c.JSON(http.StatusOK, gin.H{"jobs": out})
	return nil
}

// job is the job that a request names, if its sender may see it.
func (s *Service) job(c *gin.Context) (jobs.Job, error) {
	j, err := s.jobs.Get(c.Param("job"))
	if err == nil && !mine(c, j) {
		err = jobs.ErrUnknown
	}
	return j, err
}

func (s *Service) getJob(c *gin.Context) error {
	j, err := s.job(c)
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, j)
	return nil
}

func (s *Service) removeJob(c *gin.Context) error {
	j, err := s.job(c)
	if err != nil {
		return err
	}
	if err := s.jobs.Remove(j.ID); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

func (s *Service) getJobResult(c *gin.Context) error {
	j, err := s.job(c)
	if err != nil {
		return err
	}
	f, result, err := s.jobs.File(j.ID)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read from
	c.DataFromReader(http.StatusOK, result.Bytes, result.Media, f, map[string]string{
		"Content-Disposition": fmt.Sprintf("attachment; filename=%q", result.Name),
	})
	return nil
}

// accept takes a job on.
func (s *Service) accept(c *gin.Context, kind, dir string, work jobs.Work) error {
	j, err := s.jobs.Add(kind, whoOf(c).ID, dir, work)
	if err != nil {
		return err
	}
	c.Header("Location", s.where("jobs/"+j.ID))
	c.JSON(http.StatusAccepted, j)
	return nil
}

// backer is a store that can be copied while it is in use.
type backer interface {
	Backup(ctx context.Context, to string, force bool) error
}

func (s *Service) startJob(c *gin.Context) error {
	b, err := bodyOf[struct {
		Kind     string   `json:"kind"`
		Matches  []string `json:"matches"`
		Format   string   `json:"format"`
		Pictures bool     `json:"pictures"`
	}](c)
	if err != nil {
		return err
	}
	var work jobs.Work
	if b.Kind == "backup" {
		db, ok := s.options.Store.(backer)
		if !ok {
			return problem.New(http.StatusConflict, "not_now", "This service keeps nothing that could be backed up.")
		}
		work = func(ctx context.Context, h *jobs.Hand) error {
			if err := db.Backup(ctx, filepath.Join(h.Dir, "crokcam.db"), true); err != nil {
				return err
			}
			return h.Result("crokcam.db", "application/vnd.sqlite3")
		}
	} else {
		ids := make([]string, 0, len(b.Matches))
		for _, word := range b.Matches {
			id, err := s.desk.Find(c.Request.Context(), word)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		if b.Format == "" {
			b.Format = "json"
		}
		work = func(ctx context.Context, h *jobs.Hand) error { return s.exportAll(ctx, h, ids, b.Format, b.Pictures) }
	}
	dir, err := s.jobs.Folder()
	if err != nil {
		return err
	}
	return s.accept(c, b.Kind, dir, work)
}

// exportAll makes a zip of matches, of all where none is named.
func (s *Service) exportAll(ctx context.Context, h *jobs.Hand, ids []string, format string, pictures bool) error {
	for q := (store.Query{Limit: 500}); len(ids) == 0 || q.Cursor != ""; {
		page, err := s.options.Store.List(ctx, q)
		if err != nil {
			return err
		}
		for _, m := range page.Matches {
			ids = append(ids, m.Match)
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	f, err := os.Create(filepath.Join(h.Dir, "crokcam-matches.zip"))
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // closed before, unless something failed
	z := zip.NewWriter(f)
	for i, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		h.Progress(i, len(ids))
		err := s.exportOne(ctx, z, id, format, pictures)
		if errors.Is(err, store.ErrNotFound) {
			continue // removed meanwhile
		}
		if err != nil {
			return err
		}
	}
	h.Progress(len(ids), len(ids))
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		return err
	}
	return h.Result("crokcam-matches.zip", "application/zip")
}

func (s *Service) exportOne(ctx context.Context, z *zip.Writer, id, format string, pictures bool) error {
	state, err := store.Load(ctx, s.options.Store, id)
	if err != nil {
		return err
	}
	w, err := z.Create(state.Setup().Code + "-" + id + "." + format)
	if err != nil {
		return err
	}
	_, err = s.writeExport(ctx, w, state, format, pictures)
	return err
}

// What a job takes of photos.
const (
	mostPhotos     = 200
	mostPhotoBytes = 1 << 30
)

// scorePhotos keeps the photos of a form in the job's folder, and scores them one
// after the other.
func (s *Service) scorePhotos(c *gin.Context) error {
	o, err := s.readOptions(c.Request.URL.Query())
	if err != nil {
		return err
	}
	dir, err := s.jobs.Folder()
	if err != nil {
		return err
	}
	names, err := s.spool(c, dir)
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return s.accept(c, "photos", dir, func(ctx context.Context, h *jobs.Hand) error { return s.scoreAll(ctx, h, names, o) })
}

func (s *Service) spool(c *gin.Context, dir string) ([]string, error) {
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, mostPhotoBytes)
	form, err := c.Request.MultipartReader()
	if err != nil {
		return nil, errBadForm
	}
	var names []string
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if big := (*http.MaxBytesError)(nil); errors.As(err, &big) {
			return nil, errTooMuch
		}
		if err != nil {
			return nil, errBadForm
		}
		if part.FormName() != "photo" {
			continue
		}
		if len(names) == mostPhotos {
			return nil, errTooMuch
		}
		f, err := os.Create(filepath.Join(dir, strconv.Itoa(len(names))))
		if err != nil {
			return nil, err
		}
		n, err := io.Copy(f, io.LimitReader(part, s.maxBytes()+1))
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, errCutOff
		}
		if n > s.maxBytes() {
			return nil, s.tooLarge()
		}
		names = append(names, filepath.Base(part.FileName()))
	}
	if len(names) == 0 {
		return nil, errNoPhoto
	}
	return names, nil
}

// scored is a line of the result.
type scored struct {
	Name    string           `json:"name"`
	Report  *photo.Report    `json:"report,omitempty"`
	Problem *problem.Problem `json:"problem,omitempty"`
}

func (s *Service) scoreAll(ctx context.Context, h *jobs.Hand, names []string, o photo.Options) error {
	f, err := os.Create(filepath.Join(h.Dir, "scores.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // closed before, unless something failed
	w := bufio.NewWriter(f)
	out := json.NewEncoder(w)
	for i, name := range names {
		h.Progress(i, len(names))
		line := scored{Name: name}
		file := filepath.Join(h.Dir, strconv.Itoa(i))
		data, err := os.ReadFile(file)
		if err == nil {
			line.Report, err = patient(ctx, s.work, func(ctx context.Context) (*photo.Report, error) {
				return s.options.Scorer.Score(ctx, data, o)
			})
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			p := problemOf(err)
			line.Problem = &p
		}
		if err := errors.Join(out.Encode(line), os.Remove(file)); err != nil {
			return err
		}
	}
	h.Progress(len(names), len(names))
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		return err
	}
	return h.Result("scores.jsonl", "application/jsonl")
}

// patient does work at the bench however long it takes to get a place: people who
// wait for a single picture go first.
func patient[T any](ctx context.Context, b *bench, work func(context.Context) (T, error)) (T, error) {
	for {
		v, err := do(ctx, b, work)
		if !errors.Is(err, errBusy) {
			return v, err
		}
	}
}
