package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// Backup copies everything into one file while the store is in use. The file is
// there whole or not at all; one of that name is only replaced with force.
func (d *DB) Backup(ctx context.Context, to string, force bool) (err error) {
	if _, err := os.Stat(to); err == nil && !force {
		return fmt.Errorf("store: back up to %s: %w", to, fs.ErrExist)
	}
	tmp, err := beside(to)
	if err != nil {
		return fail("back up", to, err)
	}
	defer os.Remove(tmp) //nolint:errcheck // it is gone when all went well
	if err := d.vacuumInto(ctx, tmp); err != nil {
		return fail("back up", to, err)
	}
	if err := Check(ctx, tmp); err != nil {
		return err
	}
	return fail("back up", to, settle(tmp, to))
}

// vacuumInto copies the state of one moment, without the room of what was
// deleted; nobody waits for it.
func (d *DB) vacuumInto(ctx context.Context, to string) error {
	conn, err := d.read.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // it goes back to the others
	// The copy counts as writing.
	if _, err := conn.ExecContext(ctx, `PRAGMA query_only = 0`); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, `VACUUM INTO ?`, to)
	_, err2 := conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA query_only = 1`)
	return errors.Join(err, err2)
}

// beside names a new file in the folder of another, so that the one can take the
// other's place.
func beside(path string) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".crokcam-*")
	if err != nil {
		return "", err
	}
	name := f.Name()
	// VACUUM INTO takes an empty file.
	return name, f.Close()
}

// settle gets a file onto the disk and gives it its name.
func settle(tmp, name string) error {
	if err := flush(tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, name); err != nil {
		return err
	}
	return flush(filepath.Dir(name))
}

func flush(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Check reads a whole file and tells whether it is sound and one that this
// program can open. It changes nothing.
func Check(ctx context.Context, path string) error {
	switch info, err := os.Stat(path); {
	case err != nil:
		return fmt.Errorf("store: check: %w", err)
	case info.IsDir():
		return &StorageError{Doing: "check", Path: path, Kind: ErrForeign, Err: errors.New("it is a folder")}
	}
	all, err := readMigrations(embedded)
	if err != nil {
		return fail("check", path, err)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return fail("check", path, err)
	}
	// immutable: no journal is looked for or made beside it.
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: abs}).EscapedPath()+"?mode=ro&immutable=1")
	if err != nil {
		return fail("check", path, err)
	}
	defer db.Close() //nolint:errcheck // only read from
	version, err := formOf(ctx, db, path, len(all))
	if err != nil {
		return err
	}
	if version == 0 {
		return &StorageError{Doing: "check", Path: path, Kind: ErrForeign, Err: errors.New("it is empty")}
	}
	var said string
	if err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&said); err != nil {
		return fail("check", path, err)
	}
	if said != "ok" {
		return &StorageError{Doing: "check", Path: path, Kind: ErrCorrupt, Err: errors.New(said)}
	}
	return checkSums(ctx, db, path, all[:version])
}

// Restore puts a backup in the place of the file at path. A file that is there is
// kept beside it, under the name that is returned, and needs force. It refuses a
// backup that is not sound, and a file that a program has open.
func Restore(ctx context.Context, backup, path string, force bool, now time.Time) (kept string, err error) {
	if err := Check(ctx, backup); err != nil {
		return "", err
	}
	_, err = os.Stat(path)
	there := err == nil
	if there && !force {
		return "", fmt.Errorf("store: restore to %s: %w", path, fs.ErrExist)
	}
	if there {
		if err := unused(ctx, path); err != nil {
			return "", err
		}
	} else if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fail("restore", path, err)
	}
	tmp, err := beside(path)
	if err != nil {
		return "", fail("restore", path, err)
	}
	defer os.Remove(tmp) //nolint:errcheck // it is gone when all went well
	if err := copyFile(backup, tmp); err != nil {
		return "", fail("restore", path, err)
	}
	if there {
		kept = path + ".replaced-" + now.UTC().Format("20060102T150405Z")
		for _, end := range []string{"-wal", "-shm", ""} {
			if err := os.Rename(path+end, kept+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", fail("restore", path, err)
			}
		}
	}
	return kept, fail("restore", path, settle(tmp, path))
}

// unused makes sure that no program has the file open. A damaged file is nobody's.
func unused(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", dsn(path, time.Millisecond, true)+"&_pragma=locking_mode(exclusive)")
	if err != nil {
		return fail("restore", path, err)
	}
	defer db.Close() //nolint:errcheck // nothing is written
	db.SetMaxOpenConns(1)
	tx, err := db.BeginTx(ctx, nil)
	if err == nil {
		err = tx.Rollback()
	}
	if kindOf(err) == ErrLocked { //nolint:errorlint // a value of this package
		return fail("restore", path, err)
	}
	return nil
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // only read from
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
