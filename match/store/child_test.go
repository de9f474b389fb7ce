package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"crokcam/match"
	"crokcam/match/rehearse"
	"crokcam/match/store"
)

// The test's own program is also the other program that some tests need: one
// that is killed, one that holds the file, one that runs as somebody else.

const jobVar = "CROKCAM_STORE_TEST_JOB"

func TestMain(m *testing.M) {
	jobs := map[string]func(path string) error{"play": playUntilKilled, "hold": holdTheLock, "open": openAndSay}
	if job := jobs[os.Getenv(jobVar)]; job != nil {
		if err := job(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child is a command that runs a job on a file.
func child(ctx context.Context, program, job, path string, env ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, path)
	cmd.Env = append(os.Environ(), append(env, jobVar+"="+job)...)
	cmd.Stderr = os.Stderr
	return cmd
}

// playUntilKilled plays made-up matches, with pictures, and says of each event
// that was acknowledged "match seq kind".
func playUntilKilled(path string) error {
	ctx := context.Background()
	seed, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	for n := uint64(0); ; n++ {
		table := rehearse.New(seed*1000+n, rehearse.Singles(2))
		r, err := lastOrNew(ctx, db, table)
		if err != nil {
			return err
		}
		if err := playOn(ctx, db, r, table); err != nil {
			return err
		}
	}
}

// lastOrNew goes on with the match that was interrupted, from the board as it
// lies, or begins another.
func lastOrNew(ctx context.Context, db *store.DB, table *rehearse.Table) (*store.Recorder, error) {
	page, err := db.List(ctx, store.Query{Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(page.Matches) == 1 && page.Matches[0].Summary.Phase != match.Over {
		r, err := store.Resume(ctx, db, nil, page.Matches[0].Match)
		if err != nil {
			return nil, err
		}
		if s := r.State(); s.LastTurn() != 0 && s.Desynced() == nil {
			err = say(ctx, r, match.Desynced{Reason: "the program was interrupted"})
		}
		return r, err
	}
	setup := table.Next().(match.Started)
	setup.Match, setup.Code = "", ""
	r, err := store.Start(ctx, db, nil, sam, "", setup)
	if err != nil {
		return nil, err
	}
	fmt.Println(r.State().Setup().Match, 1, "match.started", "")
	return r, nil
}

func playOn(ctx context.Context, db *store.DB, r *store.Recorder, table *rehearse.Table) error {
	for i := 0; ; i++ {
		table.State = r.State()
		b := table.Next()
		if b == nil {
			return nil
		}
		if shot, ok := b.(match.ShotDetected); ok {
			name, err := db.PutPicture(ctx, r.State().Setup().Match, picture(new(testing.T), uint8(i)))
			if err != nil {
				return err
			}
			shot.Pictures.After = name
			b = shot
		}
		if i%17 == 16 {
			if fix := table.Correction(); fix != nil {
				b = fix
			}
		}
		var refused *match.RefusedError
		if err := say(ctx, r, b); err != nil && (i%17 != 16 || !errors.As(err, &refused)) {
			return err
		}
	}
}

// say records an event and tells when it is acknowledged.
func say(ctx context.Context, r *store.Recorder, b match.Body) error {
	state, err := r.Record(ctx, store.Entry{Actor: camera, Bodies: []match.Body{b}})
	if err != nil {
		return err
	}
	name := ""
	if shot, ok := b.(match.ShotDetected); ok {
		name = shot.Pictures.After
	}
	fmt.Println(state.Setup().Match, state.Version(), b.Kind(), name)
	return nil
}

// holdTheLock writes to the file without an end until its input ends.
func holdTheLock(path string) error {
	ctx := context.Background()
	db, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.Writer().BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	fmt.Println("holding")
	bufio.NewScanner(os.Stdin).Scan()
	return tx.Rollback()
}

// openAndSay opens the file and says how that failed.
func openAndSay(path string) error {
	db, err := store.Open(context.Background(), path, store.Options{})
	if err != nil {
		fmt.Println(errors.Is(err, store.ErrReadOnly), err)
		return nil
	}
	fmt.Println("opened")
	return db.Close()
}
