package store

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// DB is a Store in one SQLite file.
type DB struct {
	path  string
	write *sql.DB // one connection: one writer
	read  *sql.DB

	insert *sql.Stmt // of an event
}

// Options are how a file is opened.
type Options struct {
	// Wait is how long to wait for another program that is writing; 5 s when it is 0.
	Wait time.Duration
}

const (
	defaultWait = 5 * time.Second
	readers     = 4
)

// Open opens the file, making it and its folder when they are not there, and
// brings it up to date. Errors are a *StorageError.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	all, err := readMigrations(embedded)
	if err != nil {
		return nil, fail("open", path, err)
	}
	return open(ctx, path, o, all)
}

func open(ctx context.Context, path string, o Options, all []migration) (_ *DB, err error) {
	if err := create(path); err != nil {
		return nil, fail("open", path, err)
	}
	if o.Wait == 0 {
		o.Wait = defaultWait
	}
	d := &DB{path: path}
	defer func() {
		if err != nil {
			_ = d.closeAll()
		}
	}()
	if d.write, err = sql.Open("sqlite", dsn(path, o.Wait, true)); err != nil {
		return nil, fail("open", path, err)
	}
	d.write.SetMaxOpenConns(1)
	if err = migrate(ctx, d.write, path, all); err != nil {
		return nil, err
	}
	if d.insert, err = d.write.PrepareContext(ctx, `INSERT INTO events (match, seq, id, time, kind, event) VALUES (?, ?, ?, ?, ?, ?)`); err != nil {
		return nil, fail("open", path, err)
	}
	if d.read, err = sql.Open("sqlite", dsn(path, o.Wait, false)); err != nil {
		return nil, fail("open", path, err)
	}
	d.read.SetMaxOpenConns(readers)
	d.read.SetMaxIdleConns(readers)
	if err = d.read.PingContext(ctx); err != nil {
		return nil, fail("open", path, err)
	}
	return d, nil
}

// create makes the file for its owner alone: there are pictures of people's
// hands and tables in it.
func create(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// dsn is the name under which the driver opens the file.
func dsn(path string, wait time.Duration, write bool) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	pragma := []string{
		"busy_timeout(" + strconv.FormatInt(wait.Milliseconds(), 10) + ")",
		"foreign_keys(1)",
		"trusted_schema(0)",
	}
	if write {
		pragma = append(pragma,
			"auto_vacuum(incremental)", // takes effect in a new file only
			"journal_mode(wal)",
			"synchronous(full)",
			"secure_delete(1)", // what is deleted is gone
		)
	} else {
		pragma = append(pragma, "query_only(1)")
	}
	q := url.Values{"_pragma": pragma}
	if write {
		q.Set("_txlock", "immediate")
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

// Path is the file's.
func (d *DB) Path() string { return d.path }

// Close writes back the journal and closes the file.
func (d *DB) Close() error {
	_, err := d.write.ExecContext(context.Background(), `PRAGMA wal_checkpoint(TRUNCATE)`)
	// A reader of another program may hold the journal open; it is written back by
	// whoever closes last.
	if kindOf(err) == ErrLocked { //nolint:errorlint // a value of this package
		err = nil
	}
	return fail("close", d.path, errors.Join(err, d.closeAll()))
}

func (d *DB) closeAll() error {
	var errs []error
	for _, db := range []*sql.DB{d.read, d.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// transact runs f in a transaction of the writer.
func (d *DB) transact(ctx context.Context, doing string, f func(*sql.Tx) error) error {
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return fail(doing, d.path, err)
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	if err := f(tx); err != nil {
		return fail(doing, d.path, err)
	}
	return fail(doing, d.path, tx.Commit())
}
