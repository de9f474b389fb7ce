package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// The file's form is a number in its header, and each migration takes it from
// one to the next, never back. All that are missing are made in one transaction
// together with the look at where the file stands, so that two programs that
// open it at once do not both make them.

//go:embed migrations/*.sql
var embedded embed.FS

// applicationID marks the file as crokcam's in its header: "crok".
const applicationID = 0x63726f6b

// migration takes a file to a version.
type migration struct {
	version int
	name    string
	sql     string
	sum     string
}

// readMigrations reads NNNN_name.sql files, which are numbered from 1 without a
// gap.
func readMigrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "migrations/*.sql") // sorted
	if err != nil {
		return nil, err
	}
	var out []migration
	for i, n := range names {
		text, err := fs.ReadFile(files, n)
		if err != nil {
			return nil, err
		}
		base := strings.TrimSuffix(strings.TrimPrefix(n, "migrations/"), ".sql")
		number, name, _ := strings.Cut(base, "_")
		if v, err := strconv.Atoi(number); err != nil || v != i+1 {
			return nil, fmt.Errorf("migration %s is not number %d", n, i+1)
		}
		sum := sha256.Sum256(text)
		out = append(out, migration{i + 1, name, string(text), hex.EncodeToString(sum[:])})
	}
	return out, nil
}

// migrate brings the file behind db up to date. It refuses files of others and of
// newer programs before it changes anything.
func migrate(ctx context.Context, db *sql.DB, path string, all []migration) error {
	tx, err := db.BeginTx(ctx, nil) // takes the writer's lock at once
	if err != nil {
		return fail("open", path, err)
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	at, err := formOf(ctx, tx, path, len(all))
	if err != nil {
		return err
	}
	if at == len(all) {
		return checkSums(ctx, tx, path, all)
	}
	if at == 0 {
		_, err = tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d;
			CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, sum TEXT NOT NULL) STRICT;`, applicationID))
	} else {
		err = checkSums(ctx, tx, path, all[:at])
	}
	if err != nil {
		return fail("open", path, err)
	}
	for _, m := range all[at:] {
		if _, err := tx.ExecContext(ctx, m.sql); err != nil {
			return fail("migrate to "+m.name, path, err)
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO migrations VALUES (?, ?, ?)`, m.version, m.name, m.sum); err != nil {
			return fail("migrate to "+m.name, path, err)
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, len(all))); err != nil {
		return fail("migrate", path, err)
	}
	return fail("migrate", path, tx.Commit())
}

// asker is a database or a transaction.
type asker interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// formOf is the version of a file's form, 0 for an empty file.
func formOf(ctx context.Context, q asker, path string, known int) (int, error) {
	var id, version, tables int
	for _, x := range []struct {
		ask string
		to  *int
	}{{`PRAGMA application_id`, &id}, {`PRAGMA user_version`, &version}, {`SELECT count(*) FROM sqlite_schema`, &tables}} {
		if err := q.QueryRowContext(ctx, x.ask).Scan(x.to); err != nil {
			return 0, fail("open", path, err)
		}
	}
	switch {
	case id != applicationID && (id != 0 || version != 0 || tables != 0):
		return 0, &StorageError{Doing: "open", Path: path, Kind: ErrForeign, Err: fmt.Errorf("application id %#x", id)}
	case version > known:
		return 0, &StorageError{Doing: "open", Path: path, Kind: ErrNewer, Err: fmt.Errorf("its form is %d, this crokcam knows up to %d", version, known)}
	}
	return version, nil
}

// checkSums compares the migrations that a file went through with those of this
// program.
func checkSums(ctx context.Context, q asker, path string, made []migration) error {
	rows, err := q.QueryContext(ctx, `SELECT version, sum FROM migrations ORDER BY version`)
	if err != nil {
		return fail("open", path, err)
	}
	defer rows.Close() //nolint:errcheck // only read from
	n := 0
	for rows.Next() {
		var version int
		var sum string
		if err := rows.Scan(&version, &sum); err != nil {
			return fail("open", path, err)
		}
		if n >= len(made) || version != made[n].version || sum != made[n].sum {
			return &StorageError{Doing: "open", Path: path, Kind: ErrForeign, Err: fmt.Errorf("migration %d is not this program's", version)}
		}
		n++
	}
	return fail("open", path, rows.Err())
}
