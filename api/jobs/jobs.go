// Package jobs does long things, one after the other, while whoever asked for
// them does something else.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// State is how far a job is.
type State string

// The states.
const (
	Waiting   State = "waiting"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Job is a long thing as it stands.
type Job struct {
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	State   State     `json:"state"`
	Done    int       `json:"done"`  // of Total
	Total   int       `json:"total"` // steps, 0 while that is not known
	Error   string    `json:"error,omitempty"`
	Created time.Time `json:"created"`
	Ended   time.Time `json:"ended,omitzero"`
	Result  *Result   `json:"result,omitempty"`

	Owner string `json:"-"` // whose it is: id of a token
}

// Result is the file that a job has made.
type Result struct {
	Name  string `json:"name"`
	Media string `json:"media_type"`
	Bytes int64  `json:"bytes"`
	path  string
}

// The refusals.
var (
	ErrUnknown = errors.New("jobs: there is no such job")
	ErrFull    = errors.New("jobs: too many jobs are waiting")
	ErrNoFile  = errors.New("jobs: the job has no result")
)

// Work is what a job does. It has a folder of its own.
type Work func(ctx context.Context, h *Hand) error

// Hand is what a job's work is done with.
type Hand struct {
	Dir string // the job's own folder, removed with it
	set func(func(*Job))
}

// Progress says how far the work is.
func (h *Hand) Progress(done, total int) {
	h.set(func(j *Job) { j.Done, j.Total = done, total })
}

// Result says which file in the folder is the result.
func (h *Hand) Result(file, media string) error {
	path := filepath.Join(h.Dir, file)
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("jobs: result: %w", err)
	}
	h.set(func(j *Job) { j.Result = &Result{Name: file, Media: media, Bytes: info.Size(), path: path} })
	return nil
}

const (
	mostWaiting = 16
	mostKept    = 32             // ended ones
	longestKept = 24 * time.Hour // an ended one
)

// Jobs does jobs.
type Jobs struct {
	log    *slog.Logger
	clock  func() time.Time
	ctx    context.Context
	stop   context.CancelFunc
	begin  sync.Once
	worker sync.WaitGroup

	mu   sync.Mutex
	dir  string   // "" before the first job
	all  []*entry // in their order
	work chan *entry
}

type entry struct {
	job    Job
	dir    string
	work   Work
	ctx    context.Context
	cancel context.CancelFunc
}

// New makes a list of jobs whose files are in a folder of their own, which Close
// removes.
func New(log *slog.Logger, clock func() time.Time) *Jobs {
	if clock == nil {
		clock = time.Now
	}
	j := &Jobs{log: log, clock: clock, work: make(chan *entry, mostWaiting)}
	j.ctx, j.stop = context.WithCancel(context.Background())
	return j
}

// Close ends the job that is being done, and removes all results.
func (j *Jobs) Close() error {
	j.stop()
	j.worker.Wait()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.dir == "" {
		return nil
	}
	return os.RemoveAll(j.dir)
}

// Folder makes the folder of a job that is about to be added, for what it works
// on.
func (j *Jobs) Folder() (string, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.dir == "" {
		dir, err := os.MkdirTemp("", "crokcam-jobs-*")
		if err != nil {
			return "", fmt.Errorf("jobs: %w", err)
		}
		j.dir = dir
	}
	dir, err := os.MkdirTemp(j.dir, "job-*")
	if err != nil {
		return "", fmt.Errorf("jobs: %w", err)
	}
	return dir, nil
}

// Add adds a job with its folder, which is the job's from here on. Errors:
// ErrFull.
func (j *Jobs) Add(kind, owner, dir string, work Work) (Job, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Job{}, fmt.Errorf("jobs: add: %w", err)
	}
	e := &entry{dir: dir, work: work, job: Job{ID: id.String(), Kind: kind, State: Waiting, Created: j.clock().UTC(), Owner: owner}}
	e.ctx, e.cancel = context.WithCancel(j.ctx)
	j.begin.Do(func() { j.worker.Go(j.run) })
	j.mu.Lock()
	defer j.mu.Unlock()
	select {
	case j.work <- e:
	default:
		e.cancel()
		_ = os.RemoveAll(dir)
		return Job{}, ErrFull
	}
	j.all = append(j.all, e)
	j.tidy()
	return e.job, nil
}

// tidy forgets ended jobs that are too many or too old.
func (j *Jobs) tidy() {
	ended := 0
	for i, e := range slices.Backward(j.all) {
		if e.job.Ended.IsZero() {
			continue
		}
		if ended++; ended > mostKept || j.clock().Sub(e.job.Ended) > longestKept {
			_ = os.RemoveAll(e.dir)
			j.all = slices.Delete(j.all, i, i+1)
		}
	}
}

func (j *Jobs) run() {
	for {
		select {
		case e := <-j.work:
			j.do(e)
		case <-j.ctx.Done():
			return
		}
	}
}

func (j *Jobs) do(e *entry) {
	defer e.cancel()
	set := func(f func(*Job)) {
		j.mu.Lock()
		defer j.mu.Unlock()
		f(&e.job)
	}
	if e.ctx.Err() == nil {
		set(func(x *Job) { x.State = Running })
	}
	err := e.ctx.Err()
	if err == nil {
		err = guarded(e.ctx, e.work, &Hand{Dir: e.dir, set: set})
	}
	set(func(x *Job) {
		x.Ended = j.clock().UTC()
		switch {
		case err == nil:
			x.State = Done
		case e.ctx.Err() != nil:
			x.State, x.Result = Cancelled, nil
		default:
			x.State, x.Result, x.Error = Failed, nil, "It could not be done; the service's log says why."
			j.log.Error("a job failed", "job", x.ID, "kind", x.Kind, "error", err)
		}
	})
}

// guarded makes an error of a panic.
func guarded(ctx context.Context, work Work, h *Hand) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return work(ctx, h)
}

func (j *Jobs) find(id string) *entry {
	for _, e := range j.all {
		if e.job.ID == id {
			return e
		}
	}
	return nil
}

// List is all jobs, the newest first.
func (j *Jobs) List() []Job {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tidy()
	out := make([]Job, 0, len(j.all))
	for _, e := range slices.Backward(j.all) {
		out = append(out, e.job)
	}
	return out
}

// Get is a job as it stands. Errors: ErrUnknown.
func (j *Jobs) Get(id string) (Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := j.find(id)
	if e == nil {
		return Job{}, ErrUnknown
	}
	return e.job, nil
}

// File opens a job's result, which the caller closes. Errors: ErrUnknown,
// ErrNoFile.
func (j *Jobs) File(id string) (*os.File, Result, error) {
	job, err := j.Get(id)
	if err != nil {
		return nil, Result{}, err
	}
	if job.Result == nil || job.State != Done {
		return nil, Result{}, ErrNoFile
	}
	f, err := os.Open(job.Result.path)
	if err != nil {
		return nil, Result{}, fmt.Errorf("jobs: result: %w", err)
	}
	return f, *job.Result, nil
}

// Remove cancels a job, or forgets one that has ended. Errors: ErrUnknown.
func (j *Jobs) Remove(id string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := j.find(id)
	if e == nil {
		return ErrUnknown
	}
	e.cancel()
	if !e.job.Ended.IsZero() {
		_ = os.RemoveAll(e.dir)
		j.all = slices.DeleteFunc(j.all, func(x *entry) bool { return x == e })
	}
	return nil
}
