package jobs_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"crokcam/api/jobs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T) *jobs.Jobs {
	t.Helper()
	j := jobs.New(slog.New(slog.DiscardHandler), nil)
	t.Cleanup(func() { require.NoError(t, j.Close()) })
	return j
}

func add(t *testing.T, j *jobs.Jobs, work jobs.Work) jobs.Job {
	t.Helper()
	dir, err := j.Folder()
	require.NoError(t, err)
	job, err := j.Add("test", "sam", dir, work)
	require.NoError(t, err)
	return job
}

// until waits for a job to come to a state.
func until(t *testing.T, j *jobs.Jobs, id string, want jobs.State) jobs.Job {
	t.Helper()
	var job jobs.Job
	require.Eventually(t, func() bool {
		var err error
		job, err = j.Get(id)
		require.NoError(t, err)
		return job.State == want
	}, 10*time.Second, time.Millisecond)
	return job
}

func TestAJobTellsHowFarItIsAndHasItsResultInTheEnd(t *testing.T) {
	j := open(t)
	half, goOn := make(chan struct{}), make(chan struct{})
	id := add(t, j, func(_ context.Context, h *jobs.Hand) error {
		h.Progress(1, 2)
		close(half)
		<-goOn
		h.Progress(2, 2)
		if err := os.WriteFile(filepath.Join(h.Dir, "out.txt"), []byte("done"), 0o600); err != nil {
			return err
		}
		return h.Result("out.txt", "text/plain")
	}).ID
	<-half
	job, err := j.Get(id)
	require.NoError(t, err)
	require.Equal(t, []any{jobs.Running, 1, 2}, []any{job.State, job.Done, job.Total})
	_, _, err = j.File(id)
	require.ErrorIs(t, err, jobs.ErrNoFile)
	close(goOn)
	job = until(t, j, id, jobs.Done)
	require.Equal(t, "sam", job.Owner)
	f, result, err := j.File(id)
	require.NoError(t, err)
	defer f.Close()
	data, err := io.ReadAll(f)
	require.NoError(t, err)
	require.Equal(t, "done", string(data))
	require.EqualValues(t, 4, result.Bytes)
	require.NoError(t, j.Remove(id))
	_, err = j.Get(id)
	require.ErrorIs(t, err, jobs.ErrUnknown)
	require.NoFileExists(t, f.Name())
}

func TestAJobThatFailsOrPanicsDoesNotHoldUpTheNext(t *testing.T) {
	j := open(t)
	failed := add(t, j, func(context.Context, *jobs.Hand) error { return errors.New("/secret/path") })
	panics := add(t, j, func(context.Context, *jobs.Hand) error { panic("boom") })
	good := add(t, j, func(context.Context, *jobs.Hand) error { return nil })
	until(t, j, good.ID, jobs.Done)
	until(t, j, panics.ID, jobs.Failed)
	job := until(t, j, failed.ID, jobs.Failed)
	require.NotContains(t, job.Error, "secret")
	list := j.List()
	require.Equal(t, good.ID, list[0].ID, "the newest first")
}

func TestAJobCanBeCancelledAndAFullListTakesNoMore(t *testing.T) {
	j := open(t)
	busy := add(t, j, func(ctx context.Context, _ *jobs.Hand) error { <-ctx.Done(); return ctx.Err() })
	until(t, j, busy.ID, jobs.Running)
	waiting := add(t, j, func(context.Context, *jobs.Hand) error { return nil })
	full := false
	for range 100 {
		dir, err := j.Folder()
		require.NoError(t, err)
		if _, err := j.Add("test", "sam", dir, nil); err != nil {
			require.ErrorIs(t, err, jobs.ErrFull)
			require.NoDirExists(t, dir)
			full = true
			break
		}
	}
	require.True(t, full)
	require.NoError(t, j.Remove(waiting.ID))
	require.NoError(t, j.Remove(busy.ID))
	until(t, j, busy.ID, jobs.Cancelled)
	until(t, j, waiting.ID, jobs.Cancelled)
	require.ErrorIs(t, j.Remove("none"), jobs.ErrUnknown)
}
